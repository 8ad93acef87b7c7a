/* Outages: times in which processors are out of service, and files of outages.
 *
 * Two formats, recognised by the header; both may be compressed:
 *
 *   node,from,to     CSV. A node is a number from 0 on (of a machine of nodes from 1 on), or a name
 *                    where the machine's nodes have names; or several of them as Slurm writes
 *                    lists, "nid[0001-0016]" (in quotes where there are commas). Times are seconds
 *                    on the log's clock, or dates of its calendar ("2019-06-14 07:04:00"). `to`
 *                    empty or Unknown: the outage never ends.
 *   a dump of Slurm's events, `sacctmgr -P show event` (bars between fields, -p as well), of
 *                    NodeName, TimeStart, TimeEnd and State; other columns are not looked at.
 *                    A state with DOWN or ERROR is a failure. A state without these but with DRAIN,
 *                    FAIL, MAINT or a similar word is a drain: no new attempts start, and running
 *                    attempts go on to their end. Events of the cluster, which have no node, and
 *                    events with a state in service are left out.
 *
 * Outages that end by second 0 of the clock are left out, too; earlier beginnings become 0. Outages
 * may overlap and stand in any order. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "workload/zone.h"

/* An outage: `count` processors from `first` on fail at `time` and work again from `repaired` >=
 * time on, or from the end of another outage of these processors that lasts longer. */
typedef struct orr_outage {
    double time, repaired; /* s, on the instance's clock */
    int32_t first, count;
} orr_outage;

/* Why processors are out, or not any more. */
typedef enum orr_outage_kind {
    ORR_OUTAGE_FAILURE, /* a node has failed */
    ORR_OUTAGE_DRAINED, /* taken out of service, with no job on it; `repaired` may be inf */
    ORR_OUTAGE_BACK,   /* drained, in service again from `time` on, before `repaired`, their time */
    ORR_OUTAGE_ADDED,  /* the processors did not exist before `time`; `repaired` equals `time` */
    ORR_OUTAGE_WINDOW, /* a window that closes them has opened; `repaired` may be inf */
    ORR_OUTAGE_RESERVED /* a reservation window has opened; the processors stay in service */
} orr_outage_kind;

typedef struct orr_outage_reading {
    size_t size;        /* sizeof this, see base/api.h */
    int32_t procs;      /* of the machine, >= 1 */
    int32_t node_procs; /* processors per node, >= 1; the first node has the first processors, and
                           so on */
    const char *node_names; /* names of all nodes in their order, as Slurm writes lists; NULL: nodes
                               have no names */
    bool has_origin;        /* dates are understood, */
    int64_t origin_us;      /* by when second 0 of the clock is: microseconds since 1970 (UTC), */
    const orr_zone *zone;   /* on the clocks of this zone; NULL: UTC */
    bool from_one;          /* numbers of nodes begin at 1, as those of a machine of nodes do */
} orr_outage_reading;

/* In order of time; outages of one instant in the order of the file. */
typedef struct orr_outage_list {
    orr_outage *outages;    /* `repaired` may be inf */
    orr_outage_kind *kinds; /* ORR_OUTAGE_FAILURE or ORR_OUTAGE_DRAINED */
    int64_t count;
    int64_t left_out; /* rows */
} orr_outage_list;

/* Errors name path, line, column, what was expected and what was found; errors in node_names are
 * ORR_ERR_ARGUMENT. Both arrays of *list (NULL for none) are freed with orr_release of count times
 * the size of an element; after an error there is nothing to free. */
ORR_API orr_status orr_read_outages(const char *path, const orr_outage_reading *reading,
                                    orr_outage_list *list, const orr_allocator *a, orr_error *err);
