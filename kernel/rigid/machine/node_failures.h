/* Failures of nodes, as a simulation is given them. */
#pragma once

#include "schedule/schedule.h"
#include "workload/faults.h"

/* The failures of nodes, drawn or given. Drawn failures: nodes of node_procs processors each (the
 * last may have fewer) fail by a law with mean time mtbf, from the streams of the scenario. Their
 * times are counted from the first submission and do not depend on the policy; a node that is down
 * does not fail. Repair times follow a law with mean `repair`: the n-th failure of a node, ignored
 * ones counted, uses the n-th number of the node's own stream (READINGS 47). A share of the nodes
 * are lemons, drawn for every scenario, and fail more often. Domains of domain_nodes nodes each
 * (the last may have fewer) fail as a whole, with exponential gaps of mean domain_mtbf and repairs
 * of their own; a domain that is under repair does not fail. After every `retire_after` failures of
 * its own a node is retired: a spare takes its place after `swap` s, as a new node, a lemon or not.
 * If no spare is left, the place stays down.
 *
 * Given failures stand in order of time. Processors that are down already stay down until the later
 * of their repairs. A given outage may also be a drain: it ends no attempt, and its processors are
 * down as soon as they are free, until the drain ends. */
typedef struct orr_rigid_node_failures {
    size_t size;               /* sizeof this, see base/api.h */
    orr_fault_law law;         /* ORR_FAULTS_LOG: failures are given */
    double mtbf;               /* of a node, s, > 0 */
    double shape;              /* weibull: k > 0; lognormal: sigma > 0 */
    double repair;             /* mean, s, >= 0, finite; > 0 if repair times are drawn */
    int32_t node_procs;        /* >= 1; 0: the nodes that fail are those of the instance */
    const orr_outage *outages; /* borrowed; ORR_FAULTS_LOG only; `repaired` may be inf */
    int64_t outage_count;
    int32_t max_attempts;     /* of one job that node failures may end; the last of them is
                             ORR_ERR_LIMIT, because a wide job on nodes that fail often may never
                             complete; 0: no limit */
    orr_fault_law repair_law; /* of drawn failures; ORR_FAULTS_NONE: all repairs take `repair` */
    double repair_shape;      /* weibull: k > 0; lognormal: sigma > 0 */
    const orr_outage_kind *outage_kinds; /* borrowed, per outage: ORR_OUTAGE_FAILURE or
                                            ORR_OUTAGE_DRAINED; NULL: all are failures */
    /* of drawn failures: */
    double lemon_share;   /* of the nodes, 0 to 1; 0: none */
    double lemon_factor;  /* their failure rate, as a multiple of other nodes', >= 1 */
    int32_t domain_nodes; /* of a domain; 0: there are none */
    double domain_mtbf;   /* of a domain, s, > 0 */
    double domain_repair; /* as repair, of domains */
    orr_fault_law domain_repair_law;
    double domain_repair_shape;
    int32_t retire_after; /* failures; 0: no node is retired */
    int32_t spares;       /* >= 0 */
    double swap;          /* s, >= 0, finite */
    /* Prediction, READINGS 47: a share `recall` of the failures is announced `lead` s before they
       come. False warnings are added, so that a share `precision` of all warnings comes true.
       Failures are the same with and without prediction. Not allowed with retire_after. */
    double recall;    /* 0: there are no warnings; else from 1e-6 to 1 */
    double precision; /* if there are warnings, from 1e-6 to 1; 1 for given failures */
    double lead;      /* s, > 0, finite */
} orr_rigid_node_failures;
