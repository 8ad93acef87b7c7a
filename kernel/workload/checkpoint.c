/* The optimal work between two checkpoints: the formulas of Young and Daly, written so that they
 * keep their precision where the plain formulas lose it. */
#include "workload/checkpoint.h"

#include <float.h>

static bool makes_sense(double mtbf, double cost)
{
    return mtbf > 0 && cost >= 0;
}

double orr_young_period(double mtbf, double cost)
{
    double square = 2 * mtbf * cost;
    if (!makes_sense(mtbf, cost))
        return NAN;
    if (mtbf == INFINITY)
        return INFINITY;
    return isnormal(square) ? sqrt(square) : fmin(sqrt(mtbf) * sqrt(cost) * M_SQRT2, DBL_MAX);
}

double orr_daly_period(double mtbf, double cost)
{
    double x = cost / (2 * mtbf);
    if (!makes_sense(mtbf, cost))
        return NAN;
    if (x >= 1 || mtbf == INFINITY) /* from C = 2 mu on his series has no meaning */
        return mtbf;
    return orr_young_period(mtbf, cost) * (1 + sqrt(x) / 3 + x / 9) - cost;
}

double orr_job_mtbf(double node_mtbf, int32_t node_procs, int32_t procs)
{
    if (!(node_mtbf > 0) || node_procs < 1 || procs < 1)
        return NAN;
    int64_t nodes = ((int64_t)procs + node_procs - 1) / node_procs;
    return node_mtbf / (double)nodes;
}
