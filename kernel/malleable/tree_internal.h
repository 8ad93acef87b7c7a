/* A tournament over one number per task: the largest, and who has it, ties to the smaller
 * position. Absent tasks have -inf; to find the smallest, numbers are stored negated. */
#ifndef ORR_MALLEABLE_TREE_INTERNAL_H
#define ORR_MALLEABLE_TREE_INTERNAL_H

#include "base/api.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct orr_tree {
    double *node;   /* node[1] is the root, leaves from node[leaves] */
    int32_t leaves; /* a power of two */
} orr_tree;

/* An infinite number must not look like an absent one. */
static inline double orr_tree_number(double value)
{
    return fmax(fmin(value, DBL_MAX), -DBL_MAX);
}

static inline int32_t orr_tree_leaves(int32_t count)
{
    int32_t leaves = 1;
    while (leaves < count)
        leaves *= 2;
    return leaves;
}

static inline void orr_tree_set(orr_tree *t, int32_t task, double number)
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

static inline void orr_tree_remove(orr_tree *t, int32_t task)
{
    orr_tree_set(t, task, -INFINITY);
}

static inline void orr_tree_clear(orr_tree *t)
{
    for (int32_t i = 0; i < 2 * t->leaves; i++)
        t->node[i] = -INFINITY;
}

/* After leaves were written directly. */
static inline void orr_tree_rebuild(orr_tree *t)
{
    double *node = t->node;
    for (int32_t i = t->leaves - 1; i > 0; i--)
        node[i] = node[2 * i] > node[2 * i + 1] ? node[2 * i] : node[2 * i + 1];
}

static inline void orr_tree_copy(orr_tree *to, const orr_tree *from)
{
    memcpy(to->node, from->node, 2 * (size_t)from->leaves * sizeof *from->node);
}

/* The numbers of a tree for as many tasks or fewer; the others are absent. */
static inline void orr_tree_take(orr_tree *to, const orr_tree *from)
{
    orr_tree_clear(to);
    memcpy(to->node + to->leaves, from->node + from->leaves,
           (size_t)from->leaves * sizeof *from->node);
    orr_tree_rebuild(to);
}

/* The task with the largest number; -1 when all are absent. */
static inline int32_t orr_tree_top(const orr_tree *t)
{
    const double *node = t->node;
    double top = node[1];
    if (top == -INFINITY)
        return -1;
    int32_t at = 1;
    while (at < t->leaves) {
        at *= 2;
        at += node[at] != top;
    }
    return at - t->leaves;
}

#endif
