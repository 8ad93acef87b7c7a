/* Nodes: where running jobs stand on a machine of nodes, and what is free when (READINGS 58).
 *
 * What is free now is kept per node while jobs start and end. The plan of a decision, or of all
 * promises, is this, the planned ends of running jobs, and the reservations, each of which has
 * nodes of its own. A search goes through their times once, with what is free on every node.
 * Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/wish_internal.h"
#include "rigid/queue/policy.h"
#include "workload/nodes_internal.h"

struct ori_group;

/* Processors of a job on a node. */
typedef struct ori_node_piece {
    int32_t node, procs, next; /* the job's next piece; -1: none */
} ori_node_piece;

/* A running job, or a node that is down, which has all that is there. */
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

/* What the default placement has found, in order of the nodes. */
typedef struct ori_node_find {
    int32_t job, count; /* job -1: nothing */
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
    int64_t *free;        /* now; 0 while the node is down */
    int64_t *state, *low; /* of a search: at its time, and the least until the job's end */
    int32_t *value;       /* of a search, per node: what it can take at its time, */
    int32_t *least;       /* and at least until the job's end */
    int32_t *first_rise, *last_rise;        /* -1: none */
    double *down;                           /* per node: it is down until then, s; 0: it is not */
    uint64_t *partitions;                   /* per node: the partitions that it is in, a bit each */
    uint64_t *keys;                         /* scratch, two per node */
    uint64_t overlaps[ORR_MOST_PARTITIONS]; /* the partitions that share nodes with one */
    int32_t component[ORR_MOST_PARTITIONS]; /* alike where they share nodes, also by others */
    int32_t planned[ORR_MOST_PARTITIONS];   /* reservations, per component */
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

orr_status ori_nodes_create(orr_rigid *sim, orr_error *err);
void ori_nodes_destroy(ori_nodes *n);

/* Looks at the needs of the jobs from `first` on. */
orr_status ori_nodes_add(orr_rigid *sim, int32_t first, orr_error *err);

/* Nothing runs, and nothing is down or reserved. */
void ori_nodes_forget(orr_rigid *sim);

/* Counts from nothing what running jobs hold and which nodes are down. Nothing is reserved. */
orr_status ori_nodes_count(orr_rigid *sim, orr_error *err);

/* The nodes that waiting jobs of another simulation have reserved are reserved here. */
orr_status ori_nodes_copy(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* A job that starts gets the nodes of the last placement if that was for it now, else is placed;
 * writes its runs of processors. Then, with its planned end, it takes its share, and gives it back
 * at its end. */
orr_status ori_nodes_start(orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                           orr_error *err);
orr_status ori_nodes_take_job(orr_rigid *sim, int32_t job, orr_error *err);
void ori_nodes_give_job(orr_rigid *sim, int32_t job);

/* The planned end of a running job, which was `before`, has changed. */
void ori_nodes_replan(orr_rigid *sim, int32_t job, double before);

/* Whole nodes go down, or come up, or stay down longer, as processors low .. end - 1 do. */
void ori_nodes_change_down(orr_rigid *sim, int32_t low, int32_t end, double until);

/* How many nodes of a job's partition fit now, or, where it asks for no number, how many of its
 * processors they can take; *all: nodes of the partition. *lacking: the resource, counted from 1,
 * without which more would fit, if one alone is to blame; 0: processors; -1: none. */
int64_t ori_nodes_fitting(const orr_rigid *sim, int32_t job, int32_t *all, int32_t *lacking);

/* --- a part of availability, see ori_share ---------------------------------------------------- */

bool ori_nodes_limit(const orr_rigid *sim);
bool ori_nodes_are_free(const orr_rigid *sim, const ori_wish *wish);
orr_status ori_nodes_begin(orr_rigid *sim, const struct ori_group *g, orr_error *err);
double ori_nodes_earliest(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                          double from);
/* Takes the nodes that the last search has found for this start, else those that the job had
 * reserved. */
orr_status ori_nodes_change(orr_rigid *sim, const struct ori_group *g, const ori_wish *wish,
                            double start, bool takes, orr_error *err);

/* Whether so much has become free since its last search that a job's promise may move. */
bool ori_nodes_may_move(const ori_nodes *n, int32_t job);
/* A search that ends at a job's start has found no earlier one, or has: it leaves its nodes. */
void ori_nodes_keep_reserved(ori_nodes *n, int32_t job);
void ori_nodes_leave_reserved(ori_nodes *n, int32_t job);
/* Any promise may move. */
void ori_nodes_note_all(ori_nodes *n);

/* Whether the nodes that a job has reserved are free from `start` to its end; now: whether they
 * are free now, and it starts there if it is started next. */
bool ori_nodes_has_reserved(orr_rigid *sim, const ori_wish *wish, double start);
bool ori_nodes_find_reserved(orr_rigid *sim, int32_t job);

/* A job, which was placed now, holds its share for a while as if it ran, and then no more. */
orr_status ori_nodes_try(orr_rigid *sim, int32_t job, orr_error *err);
void ori_nodes_end_try(orr_rigid *sim, int32_t job);

/* Takes a reservation out of the plan; returns its pieces, which are the caller's to give back or
 * to drop; -1: it has none. */
int32_t ori_nodes_lift(ori_nodes *n, int32_t job);
void ori_nodes_drop_pieces(ori_nodes *n, int32_t pieces);
static inline void ori_nodes_set_pieces(ori_nodes *n, int32_t job, int32_t pieces)
{
    n->pieces[job] = pieces;
}

/* Whether the only reservation of a job's nodes stays at its time if the job, which was placed now,
 * runs from now on and beyond that time. */
bool ori_nodes_spare(orr_rigid *sim, int32_t job);

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
