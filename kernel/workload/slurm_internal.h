/* Slurm's jobs: the common part of dumps as text and as JSON. Not a public header. */
#pragma once

#include "records_internal.h"

enum { ORI_SLURM_STATE_SIZE = 32 };

/* What gives a dump with all that is read. */
#define ORI_SACCT_COMMAND                                                                          \
    "sacct -aPX --format=JobID,JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,"   \
    "End,ElapsedRaw,Suspended,TimelimitRaw,NCPUS,NNodes,AllocTRES,ReqMem,Constraints,"             \
    "Reservation,JobName,SubmitLine"

/* The first word of a state in small letters: "CANCELLED by 1000" is cancelled. Its size. */
size_t ori_slurm_state(const char *text, size_t size, char state[ORI_SLURM_STATE_SIZE]);

/* Whether a job of this state was waiting or running when the dump was made. */
bool ori_slurm_is_unfinished(const char *state);

/* Derives submission, wait and runtime of the record. has_start: the dump has starts of jobs, and a
 * job without a start has not run. */
void ori_slurm_derive_times(ori_read_context *context, bool has_start);

/* Makes a job of the record, or leaves it out. has_end: the dump tells when jobs ended. */
orr_status ori_slurm_add(ori_read_context *context, const char *state, bool has_end,
                         orr_error *err);

/* After the last record: puts ids of jobs for names of tasks ("7_3") and of whole arrays ("7") in
 * what jobs come after. */
orr_status ori_slurm_name_tasks(ori_read_context *context, orr_error *err);

/* The first item of a list as "cpu=8,mem=16G", from `text` on, that is neither processors, nodes,
 * their price nor memory, or the end; *memory becomes true where there is memory in front of it. */
const char *ori_slurm_behind_usual(const char *text, const char *end, bool *memory);

/* Notes what a list asks for beside processors: "cpu=8,gres/gpu=2,mem=16G" with '=' between, or
 * "gpu:a100:2" with ':' and a prefix of the names. */
void ori_slurm_ask(ori_record *record, const char *text, size_t size, char between,
                   const char *prefix);

/* Adds the jobs of a dependency, "afterok:7:8?afterany:9", or of the option in a submit line, if
 * none were added yet and they are asked for. What is not understood is
 * counted in the jobs. "after:" alone is ignored: it is about another job's start. */
void ori_slurm_dependencies(ori_read_context *context, const char *text, size_t size,
                            bool submitted);
