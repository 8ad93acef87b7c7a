/* Stints: the record of malleable tasks, and of how the processors' time was spent.
 *
 * A stint is one task on one set of processors from the event that put it there to the event that
 * ends it: its completion, a fault, a redistribution, or a cancellation. It begins at `start`, with
 * downtime, recovery, redistribution and a first checkpoint where they apply, is ready at `ready`,
 * and from then on computes in periods (tau - C of work, a checkpoint of C) until `stop`. Only a
 * cancelled stint may stop before it is ready; the phases that it did not reach take no time.
 *
 *     start   down_until   recovered   moved   ready                          stop
 *       | downtime | recovery | redistribution | C | work C work C work ... |
 *
 * Spans are the parts of a stint: one per downtime, recovery, redistribution, checkpoint, work, and
 * lost work (undone by a fault). Processors are numbered from 0; buddies are 2k and 2k + 1. */
#pragma once

#include "base/sink.h"
#include "schedule/procset.h"
#include "workload/resilience.h"
#include "workload/tasks.h"

typedef enum orr_stop {
    ORR_STOP_RUNNING,   /* not over yet: `stop` has no meaning */
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
    int32_t from; /* processors before the redistribution that began this stint; equal to procs: no
                     redistribution */
    int32_t interval_count;
    int64_t first_interval; /* into orr_stints.intervals */
} orr_stint;

/* Changes from outside during the run, and their effects (malleable/change.h). Without changes, all
 * tasks start at 0 on a machine of constant size. */
typedef enum orr_stints_what {
    ORR_CHANGED_SUBMIT, /* `task` is submitted, and starts now */
    ORR_CHANGED_WORK,   /* the rest of `task` takes `factor` times as long */
    ORR_CHANGED_SIZE,   /* the size of the machine is to become `procs` processors */
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

/* How processor-seconds were spent. The sum of the fields is procs * makespan. */
typedef struct orr_spent {
    double useful;     /* work that was not lost */
    double checkpoint; /* complete or not */
    double lost;       /* work and checkpoints undone by faults */
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
 * it returns false. `now` cuts off the future (INFINITY for a stint that is over). In a struck
 * stint the time after its last complete period is one lost span. Where checkpoints cost nothing
 * (period 0), and where periods are too short for the clock's precision, all work is one span. A
 * stint that does not exist has no spans. */
ORR_API void orr_stint_spans(const orr_stints *s, int64_t stint, double now,
                             bool (*visit)(void *user, const orr_span *span), void *user);

/* "work", "checkpoint", "lost", "downtime", "recovery", "redistribution". */
ORR_API const char *orr_span_name(orr_span_kind kind);

/* The independent checker. It knows nothing of the engine, of its math, or of any policy; it reads
 * the stints and the problem and verifies:
 *   - all tasks start at 0, or when they were submitted; each stint of a task starts when the one
 *     before stops, none after its completion or cancellation; every task completes or is
 *     cancelled, unless `partial`;
 *   - processors: at every instant each belongs to at most one task; every stint holds whole pairs
 *     of buddies on the machine, as many processors as it says, at least 2 (an odd processor and
 *     idle ones belong to nobody); a task that gets more processors keeps all it had, a task that
 *     gets fewer gets no new ones;
 *   - t(j), C = c m / j + C0 and tau are those of the task on these processors; downtime, recovery,
 *     redistribution and first checkpoint take exactly what the platform's numbers say (equations
 *     1.9 and 1.11, R = C of the processors before the move), and happen exactly where a fault or a
 *     move says;
 *   - a fault strikes only a task that is ready, and (faults given) exactly those faults that hit a
 *     ready task strike; a move happens only to a task that is ready or struck at that instant, and
 *     only when some task completes, is cancelled, or is struck;
 *   - work: the share left at each stop follows from the complete periods, and a stint that
 *     completes ends at ready + alpha t + Nff C; over all stints of a task, the useful work and the
 *     work left by a cancellation add up to its whole work (to 1e-9 of it), with the work that
 *     changes added;
 *   - processor-seconds: the time spent in stints and idle time add up to procs * makespan (to
 *     1e-9; not `partial`);
 *   - changes: the rest of a task is multiplied by the factor of the change, once; new processors
 *     get numbers behind all earlier ones, or left processors come back; processors leave while no
 *     task holds them, pairs with the highest numbers first, and no task holds them afterwards; the
 *     machine has the number of processors that changes ask for or, while tasks hold more, the
 *     number that they hold, and then no task gets more.
 * In the fault-free context C = R = 0, tau is infinite and a struck task loses all work since it
 * was ready; with C = 0 and a finite MTBF tau is 0 and nothing is lost.
 *
 * `faults`: all faults up to the clock, in order of time, effective or not; NULL where they are not
 * known. Faults at one instant come after the completions of that instant, and may be matched with
 * strikes in any order.
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
