/* A tournament over one number per task: the largest number and its task, ties to the smaller
 * position. Absent tasks have -inf; to find the smallest, numbers are stored negated. */
#pragma once

#include "base/api.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct ori_tree {
    double *node;   /* node[1] is the root, leaves from node[leaves] */
    int32_t leaves; /* a power of two */
} ori_tree;

/* An infinite number must differ from the number of an absent task. */
static inline double ori_tree_number(double value)
{
    return value < DBL_MAX ? (value > -DBL_MAX ? value : -DBL_MAX) : DBL_MAX;
}

static inline int32_t ori_tree_leaves(int32_t count)
{
    int32_t leaves = 1;
    while (leaves < count)
        leaves *= 2;
    return leaves;
}

static inline void ori_tree_set(ori_tree *t, int32_t task, double number)
{
    double *node = t->node;
    int32_t at = t->leaves + task;
    node[at] = number;
    while (at > 1) {
        at /= 2;
        double a = node[2 * at], b = node[2 * at + 1], larger = a > b ? a : b;
        if (node[at] == larger)
            return;
        node[at] = larger;
    }
}

static inline void ori_tree_remove(ori_tree *t, int32_t task)
{
    ori_tree_set(t, task, -INFINITY);
}

static inline void ori_tree_clear(ori_tree *t)
{
    for (int32_t i = 0; i < 2 * t->leaves; i++)
        t->node[i] = -INFINITY;
}

/* After leaves were written directly. */
static inline void ori_tree_rebuild(ori_tree *t)
{
    double *node = t->node;
    for (int32_t i = t->leaves - 1; i > 0; i--)
        node[i] = node[2 * i] > node[2 * i + 1] ? node[2 * i] : node[2 * i + 1];
}

static inline void ori_tree_copy(ori_tree *to, const ori_tree *from)
{
    memcpy(to->node, from->node, 2 * (size_t)from->leaves * sizeof *from->node);
}

/* The numbers of a tree for as many tasks or fewer; the others are absent. */
static inline void ori_tree_take(ori_tree *to, const ori_tree *from)
{
    ori_tree_clear(to);
    memcpy(to->node + to->leaves, from->node + from->leaves,
           (size_t)from->leaves * sizeof *from->node);
    ori_tree_rebuild(to);
}

/* The task with the largest number; -1 when all are absent. */
static inline int32_t ori_tree_top(const ori_tree *t)
{
    const double *node = t->node;
    double top = node[1];
    if (top == -INFINITY)
        return -1;
    int32_t at = 1;
    while (at < t->leaves) {
        at *= 2;
        at += node[at] < top;
    }
    return at - t->leaves;
}
