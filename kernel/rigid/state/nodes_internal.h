/* Nodes: where running jobs stand on a machine of nodes, and what is free when (READINGS 58).
 *
 * What is free now is kept per node while jobs start and end. The placement is in
 * nodes_place_internal.h, the plan in nodes_plan_internal.h. Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/wish_internal.h"
#include "rigid/queue/policy.h"
#include "schedule/metrics_internal.h"
#include "workload/nodes_internal.h"

struct ori_group;

/* Processors of a job on a node. */
typedef struct ori_node_piece {
    int32_t node, procs, next; /* the job's next piece; -1: none */
} ori_node_piece;

/* A running job, or a node that is out, which has all that is there. */
typedef struct ori_node_held {
    double end;  /* s, planned; first, for searches */
    int32_t job; /* ~node for a node */
} ori_node_held;

/* A reservation takes its share, or gives it back. */
typedef struct ori_node_event {
    double time; /* s */
    int32_t job;
    bool takes;
} ori_node_event;

/* A node is closed by a window from a time on, or open again. */
typedef struct ori_node_closing {
    double time; /* s; first, for sorting */
    int32_t node, window;
    bool closes;
} ori_node_closing;

/* What a placement has found, in order of the nodes. */
typedef struct ori_node_find {
    int32_t job, count; /* job -1: nothing */
    bool chosen;        /* the policy's placement was asked */
    bool promised;      /* they are those of the job's promise */
    double start;       /* s */
    ori_node_piece *pieces;
} ori_node_find;

/* A node that can take more of a job from a time on. */
typedef struct ori_node_rise {
    double time;         /* s */
    int32_t node, least; /* what it can take at least from then on, as far as the search has gone */
    int32_t next;        /* rise of that node; -1: none */
} ori_node_rise;

/* The one reservation of nodes that are not shared with others: what is free there when it
 * starts, in `state`. */
typedef struct ori_node_only {
    bool valid;
    double start;
    int32_t shape;
    int64_t sum; /* that the nodes can take of it */
} ori_node_only;

typedef struct ori_nodes {
    const orr_nodes *of; /* the instance's; NULL: there are no nodes */
    size_t count;        /* nodes */
    /* amounts: processors and each resource, per node, one behind the other */
    int64_t *free;        /* now; all that the node has less while it is out */
    int64_t *state, *low; /* of a search: at its time, and the least until the job's end */
    int32_t *value;       /* of a search, per node: what it can take at its time, */
    int32_t *least;       /* and at least until the job's end */
    int32_t *first_rise, *last_rise; /* -1: none */
    double *out;                     /* per node: until then no job may start there, s; 0: it may */
    orr_run_totals *away; /* of each resource, and of the processors of each partition: what is on
                             nodes that are out and where nothing runs */
    ori_node_closing *closings;    /* by windows, by time */
    int32_t closing_count, passed; /* those in front are of windows that have opened */
    orr_u128 *partitions;          /* per node: the partitions that it is in, a bit each */
    uint64_t *keys;                /* scratch, two per node */
    orr_node_share *shares;        /* the same, one per node; if the policy has a placement */
    bool choosing;                 /* its function is being called */
    orr_u128 overlaps[ORR_MOST_PARTITIONS];  /* the partitions that share nodes with one */
    int32_t component[ORR_MOST_PARTITIONS];  /* alike where they share nodes, also by others */
    int32_t planned[ORR_MOST_PARTITIONS];    /* reservations, per component */
    ori_node_only only[ORR_MOST_PARTITIONS]; /* per component */
    ori_node_find now, then;                 /* on what is free now; by the plan */
    /* per job */
    int32_t *shape;
    int32_t *pieces;                   /* of running and reserved jobs; -1: none */
    double *reserved_at, *reserved_to; /* s, as in the plan; NaN: it is not there */
    uint8_t *level; /* of its partition's priority, 0 first; NULL: all partitions are alike */
    int32_t *list;  /* the jobs that reserved in this decision, in order */
    int32_t list_count;
    bool stale; /* jobs have started beside them since they were made: they may have other nodes */
    ori_block block;
    orr_allocator alloc;
    /* arrays that grow */
    ori_node_ask *asks; /* per shape; the first is that of a question */
    int64_t *failed;    /* per shape: it fitted nowhere when `given` was this */
    int32_t *table;     /* of shapes by hash, a power of two; 0: free */
    ori_node_piece *pool;
    ori_node_rise *rises;
    ori_node_held *held;    /* by end */
    ori_node_event *events; /* by time, those that give first */
    int64_t asks_capacity, failed_capacity, table_capacity, pool_capacity, rises_capacity,
        held_capacity, events_capacity;
    int32_t ask_count, pool_count, pool_free, held_count, event_count;
    /* So that searches for earlier promises are skipped that find none: per job, what must have
     * become free before its nodes can take enough at an earlier time. It is counted in nodes, and
     * in processors of these nodes. */
    int64_t *look_again, freed[2];
    int64_t most;     /* that nodes could take before the start that the last search has found */
    double until;     /* s: an end of searches: a later start is none */
    int32_t given_up; /* promises that are counted as freed */
    int64_t given;    /* changes whenever something becomes free */
} ori_nodes;

/* Whether nodes limit jobs. */
bool ori_nodes_limit(const orr_rigid *sim);

orr_status ori_nodes_create(orr_rigid *sim, orr_error *err);
void ori_nodes_destroy(ori_nodes *n);

/* Looks at the needs of the jobs from `first` on. */
orr_status ori_nodes_add(orr_rigid *sim, int32_t first, orr_error *err);

/* Nothing runs, and nothing is down or reserved. */
void ori_nodes_forget(orr_rigid *sim);

/* Counts from nothing what running jobs hold and which nodes are down. Nothing is reserved. Takes
 * over what was away so far of another simulation, which may have fewer nodes. */
orr_status ori_nodes_count(orr_rigid *sim, const orr_rigid *from, orr_error *err);

/* The nodes that waiting jobs of another simulation have reserved are reserved here. */
orr_status ori_nodes_copy(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* A job takes its share, with its planned end, and gives it back at its end. */
orr_status ori_nodes_take_job(orr_rigid *sim, int32_t job, orr_error *err);
void ori_nodes_give_job(orr_rigid *sim, int32_t job);

/* What was away of a resource, or of the processors of a partition. */
static inline orr_run_totals *ori_nodes_away(const ori_nodes *n, bool resource, int32_t number)
{
    return &n->away[resource ? number : n->of->resource_count + number];
}

/* Adds what a running job has held for `time` seconds of each resource, and of the processors of
 * each partition. */
void ori_nodes_add_held(const orr_rigid *sim, int32_t job, double time, double *resources,
                        double *partitions);

/* The planned end of a running job, which was `before`, has changed. */
void ori_nodes_replan(orr_rigid *sim, int32_t job, double before);

/* Looks which nodes of processors low .. end - 1 are out: a processor there has failed, or is
 * drained or closed. Jobs that run on a drained node run to their end. */
void ori_nodes_look_out(orr_rigid *sim, int32_t low, int32_t end);

/* What is free now on the nodes of a job's partition on which no window is, or opens before `end`,
 * that does not admit the job; it may use `low`. */
const int64_t *ori_nodes_open_until(orr_rigid *sim, int32_t job, double end);
/* The number of times to come at which a window closes or opens a node, and of those of
 * reservations that are open. */
int32_t ori_nodes_closings(orr_rigid *sim);
/* Whether a closing is one for a job (-1: none) in what is free now and later. That of a window
 * that is open is not, for its nodes are out; those of a reservation are in service. */
bool ori_nodes_is_closing(const orr_rigid *sim, const ori_node_closing *c, int32_t job);

/* How many nodes of a job's partition fit now, or, where it asks for no number, how many of its
 * processors they can take; *all: nodes of the partition. *lacking: the resource, counted from 1,
 * without which more would fit, or else of which alone the fewest nodes have enough, if some need
 * alone leaves more; 0: processors; -1: none. */
int64_t ori_nodes_fitting(const orr_rigid *sim, int32_t job, int32_t *all, int32_t *lacking);

/* Whether so much has become free since its last search that a job's promise may move. */
bool ori_nodes_may_move(const ori_nodes *n, int32_t job);
/* Any promise may move. */
void ori_nodes_note_all(ori_nodes *n);

/* What was found before does not hold any more. */
void ori_nodes_forget_finds(ori_nodes *n);

/* --- pieces ----------------------------------------------------------------------------------- */

/* A job's pieces become those of a list, in its order; or are given up. */
orr_status ori_nodes_keep_pieces(ori_nodes *n, int32_t job, const ori_node_piece *list,
                                 int32_t count, orr_error *err);
void ori_nodes_free_pieces(ori_nodes *n, int32_t *first);

/* Takes all pieces of a job out of amounts of nodes (sign -1), or gives them back (1). */
void ori_nodes_change_pieces(const ori_nodes *n, int32_t job, int sign, int64_t *of);
/* Takes all that a node has out of amounts, or gives it back. */
void ori_nodes_change_node(const ori_nodes *n, int32_t node, int sign, int64_t *of);

/* A job that was held until `end`, or the node ~job, is held no more. */
void ori_nodes_let_go(ori_nodes *n, double end, int32_t job);

/* Pieces are free earlier than planned. */
void ori_nodes_note_freed(ori_nodes *n, int32_t pieces);
/* After a search for a job: what must become free before another one can find more. */
void ori_nodes_note_look(ori_nodes *n, int32_t job);

static inline const ori_node_ask *ori_nodes_ask_of(const ori_nodes *n, int32_t job)
{
    return &n->asks[n->shape[job]];
}

/* Whether a job takes less of its nodes than what they must have free, and its promise holds. */
static inline bool ori_nodes_takes_less(const ori_nodes *n, int32_t job)
{
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    return ask->nodes > 0 && ask->procs % ask->nodes > 0;
}

/* The nodes that jobs of a partition share with others: a number. */
static inline int32_t ori_nodes_component(const ori_nodes *n, int32_t job)
{
    return n->component[ori_nodes_ask_of(n, job)->partition];
}

/* Whether ori_nodes_spare knows the only reservation of the nodes that a job may have. */
static inline bool ori_nodes_is_only(const ori_nodes *n, int32_t job)
{
    return n->only[ori_nodes_component(n, job)].valid;
}

/* The nodes of a partition; -1: all nodes. */
#define ORI_EACH_NODE(n, partition, k)                                                             \
    for (const orr_node_run                                                                        \
             whole_ = {0, (n)->of->count - 1},                                                     \
             *run_ = (partition) < 0 ? &whole_ : (n)->of->partitions[partition].runs,              \
             *behind_ = run_ + ((partition) < 0 ? 1 : (n)->of->partitions[partition].run_count);   \
         run_ < behind_; run_++)                                                                   \
        for (int32_t k = run_->low; k <= run_->high; k++)

static inline int32_t ori_nodes_size(const ori_nodes *n, int32_t node)
{
    return n->of->first[node + 1] - n->of->first[node];
}

static inline bool ori_nodes_is_in(const ori_nodes *n, int32_t node, int32_t partition)
{
    return partition < 0 || (n->partitions[node] >> partition & 1);
}

/* What a node of a job's partition can take of it, of these amounts. */
static inline int32_t ori_nodes_value(const ori_nodes *n, const ori_node_ask *ask,
                                      const int64_t *of, int32_t node)
{
    if (ask->exclusive && of[node] < ori_nodes_size(n, node))
        return 0;
    return ori_nodes_take(ask, of + node, n->count);
}

/* Takes a piece of a job out of amounts of its node, or gives it back. */
static inline void ori_nodes_change_piece(const ori_nodes *n, const ori_node_ask *ask,
                                          const ori_node_piece *piece, int sign, int64_t *of)
{
    const orr_node_kind *kind = &n->of->kinds[n->of->kind[piece->node]];
    of += piece->node;
    *of += sign * (ask->exclusive ? kind->procs : piece->procs);
    for (int32_t r = 0; r < ask->resources; r++)
        *(of += n->count) +=
            sign * (ask->exclusive ? kind->has[r] : ori_nodes_share(ask, r, piece->procs));
}
