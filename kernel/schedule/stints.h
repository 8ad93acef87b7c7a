/* Stints: what happened to malleable tasks, and what became of the processors' time.
 *
 * A stint is one task on one set of processors from the event that put it there to the event that
 * ends it: its completion, a fault, a redistribution, or somebody who cancels the task. It begins
 * at `start`, with downtime, recovery, redistribution and a first checkpoint where they apply, is
 * ready at `ready`, and from then on computes in periods (tau - C of work, a checkpoint of C) until
 * `stop`. Only a cancelled one may stop before it is ready; what it did not come to takes no time.
 *
 *     start   down_until   recovered   moved   ready                          stop
 *       | downtime | recovery | redistribution | C | work C work C work ... |
 *
 * Spans are the same in small pieces: one per downtime, recovery, redistribution, checkpoint, work,
 * and lost work (what a fault undid). Processors are numbered from 0; buddies are 2k and 2k + 1. */
#pragma once

#include "base/sink.h"
#include "schedule/procset.h"
#include "workload/resilience.h"
#include "workload/tasks.h"

typedef enum orr_stop {
    ORR_STOP_RUNNING,   /* not over when the schedule was looked at: `stop` says nothing yet */
    ORR_STOP_COMPLETED, /* the task is over */
    ORR_STOP_STRUCK,    /* by a fault */
    ORR_STOP_MOVED,     /* the task changed its processors without being struck */
    ORR_STOP_CANCELLED  /* the task was cancelled: it is over, whatever was left */
} orr_stop;

typedef struct orr_stint {
    int32_t task;                                            /* position */
    int32_t procs;                                           /* even */
    double start, down_until, recovered, moved, ready, stop; /* s, in this order */
    double alpha;      /* share of the task's work left at ready, as far as known at start */
    double added;      /* to that, by changes of its work while the stint ran; may be below 0 */
    double alpha_stop; /* and at stop; 0 when completed */
    double time;       /* t(j), s */
    double checkpoint; /* C, s */
    double period;     /* tau, s; infinity: no checkpoints */
    double work;       /* tau - C, s, also where tau has lost it to rounding */
    orr_stop why;
    int32_t from; /* processors before the redistribution that began it; equal to procs: none */
    int32_t interval_count;
    int64_t first_interval; /* into orr_stints.intervals */
} orr_stint;

/* What somebody changed on the way, and what came of it (malleable/change.h). Without any, all
 * tasks start at 0 on a machine that stays as it is. */
typedef enum orr_stints_what {
    ORR_CHANGED_SUBMIT, /* `task` comes, and starts now */
    ORR_CHANGED_WORK,   /* what is left of `task` takes `factor` times as long */
    ORR_CHANGED_SIZE,   /* the machine is to have `procs` processors */
    ORR_CHANGED_LEAVES, /* `processors` leave it */
    ORR_CHANGED_COMES   /* `processors` come to it, or back */
} orr_stints_what;

typedef struct orr_stints_change {
    orr_stints_what what;
    double time;             /* s */
    int32_t task;            /* -1: none */
    int64_t stint;           /* of work: which stint of the task ran then, counted from 1 */
    double factor;           /* > 0 */
    int32_t procs;           /* >= 0 */
    orr_interval processors; /* {0, -1}: none */
} orr_stints_change;

/* What became of processor-seconds. Their sum is procs * makespan. */
typedef struct orr_spent {
    double useful;     /* work that counted */
    double checkpoint; /* complete or not */
    double lost;       /* work and checkpoints that a fault undid */
    double recovery;   /* downtime and recovery */
    double redistribution;
    double idle;
} orr_spent;

typedef struct orr_stints {
    orr_stint *stints; /* in order of their start; at one instant in order of task */
    int64_t count, capacity;
    orr_interval *intervals;
    int64_t interval_count, interval_capacity;
    orr_stints_change *changes; /* in order of time */
    int64_t change_count, change_capacity;
    int64_t *current; /* per task: its latest stint, -1 before the first */
    int32_t tasks;
    int32_t procs; /* of the machine at 0 */
    orr_allocator alloc;
} orr_stints;

typedef enum orr_span_kind {
    ORR_SPAN_WORK,
    ORR_SPAN_CHECKPOINT,
    ORR_SPAN_LOST,
    ORR_SPAN_DOWNTIME,
    ORR_SPAN_RECOVERY,
    ORR_SPAN_REDISTRIBUTION
} orr_span_kind;

typedef struct orr_span {
    int32_t task, procs;
    int64_t stint; /* its position; it has the processors */
    orr_span_kind kind;
    double start, finish; /* s, start < finish */
} orr_span;

/* Calls visit for every span of a stint, in order of time (spans of no length are left out), until
 * it returns false. `now` cuts what has not happened yet (INFINITY for a stint that is over). Of a
 * struck stint, what came after its last complete period is one lost span. Where checkpoints cost
 * nothing (period 0), and where no clock tells periods apart, all work is one span. There are none
 * of a stint that there is not. */
ORR_API void orr_stint_spans(const orr_stints *s, int64_t stint, double now,
                             bool (*visit)(void *user, const orr_span *span), void *user);

/* "work", "checkpoint", "lost", "downtime", "recovery", "redistribution". */
ORR_API const char *orr_span_name(orr_span_kind kind);

/* The independent checker. It knows nothing of the engine, of its math, or of any policy; it reads
 * the stints and what the problem says and verifies:
 *   - all tasks start at 0, or when they were submitted; each stint of a task starts when the one
 * before stops, none after its completion or cancellation; every task completes or is cancelled,
 * unless `partial`;
 *   - processors: at every instant each belongs to at most one task; every stint holds whole pairs
 *     of buddies on the machine, as many processors as it says, at least 2 (an odd processor and
 *     idle ones belong to nobody); a task that gets more keeps what it had, one that gets fewer
 *     gets no new ones;
 *   - t(j), C = c m / j + C0 and tau are those of the task on these processors; downtime, recovery,
 *     redistribution and first checkpoint take exactly what the platform's numbers say (equations
 *     1.9 and 1.11, R = C of the processors before the move), and happen exactly where a fault or a
 *     move says;
 *   - a fault strikes only a task that is ready, and (faults given) exactly those faults that hit a
 *     ready task strike; a move happens only to a task that is ready or struck at that instant, and
 *     only when some task completes, is cancelled, or is struck;
 *   - work: the share left at each stop follows from the periods that were complete, and a stint
 *     that completes ends at ready + alpha t + Nff C; over all stints of a task, the useful work
 *     and what a cancelled one left add up to its whole work once (to 1e-9 of it), and to what
 *     changes added;
 *   - processor-seconds: what stints spent and what idled add up to procs * makespan (to
 *     1e-9; not `partial`);
 *   - changes: what is left of a task is multiplied as they say, once; processors come behind those
 *     that there are or have been, or back; they leave while nobody holds them, pairs with the
 *     highest numbers first, and nobody holds them after that; the machine always has as many as it
 *     is to have, or, while tasks hold more, as many as they hold, and then no task gets more.
 * In the fault-free context C = R = 0, tau is infinite and a task that is struck loses all since it
 * was ready; with C = 0 and a finite MTBF tau is 0 and nothing is lost.
 *
 * `faults`: all up to the clock, in order of time, effective or not; NULL where they are not known.
 * Several at one instant come after the completions of that instant, and any of them may stand for
 * any of the strikes that it fits.
 *
 * Times must agree to the last bit where nothing is computed, else to 1e-12 of the clock. The first
 * violation is ORR_ERR_INTERNAL with a message that names task, stint, time and numbers. */
ORR_API orr_status orr_check_stints(const orr_tasks *tasks, const orr_resilience *resilience,
                                    const orr_stints *stints, const orr_fault *faults,
                                    int64_t fault_count, bool partial, orr_error *err);

/* CSV of all spans with the header task,kind,start,finish,procs,processors, stint by stint: tasks
 * by their ids, quoted where they need to be; times in seconds with 17 significant digits;
 * processors as intervals like `0-7 12-13`. `now` as for orr_stint_spans. ORR_ERR_IO: the sink
 * refused. */
ORR_API orr_status orr_export_spans(const orr_tasks *tasks, const orr_stints *stints, double now,
                                    const orr_sink *sink, orr_error *err);
