/* The integer linear program of theorem 4 (chapter, theorem 1.5) in CPLEX's LP format, which every
 * solver reads: variables x_i_j_b (task i on j processors in pack b, all counted from 1) and y_b
 * (s), rows i_i, ii_b, iii_b and iv_i_j_b as numbered in the theorem. x_i_j_b with j below a task's
 * least number are left out. */
#pragma once

#include "base/sink.h"
#include "packs/problem.h"

enum { ORR_PROGRAM_MOST_VARIABLES = 20000000 };

/* ORR_ERR_LIMIT, and nothing written: more than ORR_PROGRAM_MOST_VARIABLES variables. ORR_ERR_IO:
 * the sink refused. */
ORR_API orr_status orr_pack_program(const orr_pack_problem *problem, const orr_sink *sink,
                                    orr_error *err);
