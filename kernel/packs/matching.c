/* Edmonds' primal-dual method in O(n^3), as in Galil's survey ("Efficient algorithms for finding
 * maximum matching in graphs", 1986), for a maximum of whole weights w = largest - weight.
 *
 * Nodes 1 .. n are vertices, nodes above are blossoms: odd cycles that are shrunk, and may hold
 * other blossoms. Every vertex has a dual value, every blossom too, and the slack of an edge is the
 * sum of its ends' values minus 2 w, never negative outside of blossoms. In a stage trees grow from
 * the free vertices along edges without slack; nodes at even distance are outer, those at odd
 * distance inner. A tight edge between two trees gives an augmenting path, one within a tree closes
 * a blossom, one to a matched node outside lets the tree grow; when no tight edge is left, the dual
 * values change until one is.
 *
 * The graph is complete, so that two free vertices always have an edge: their dual values, which
 * are equal and the smallest, stay >= 0, so that nothing exceeds 4 times the largest weight. */
#include "packs/matching_internal.h"

#include "base/block_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

enum { BITS = 56 };

typedef enum label { OUTER = 0, INNER = 1, OUTSIDE = -1 } label;

/* Between two nodes: its ends are vertices in them. from = 0: none known. */
typedef struct edge {
    int32_t from, to;
} edge;

typedef struct graph {
    int32_t count;    /* n: vertices are 1 .. n */
    int32_t nodes;    /* the largest number of a node so far */
    int32_t room;     /* nodes that fit, 0 included */
    int64_t *w;       /* of two vertices, count + 1 in a row */
    int64_t *dual;    /* of a node */
    edge *tight;      /* by two nodes: the edge with the least slack between them */
    int32_t *mate;    /* of a node: the vertex at the other end of its matched edge, 0: free */
    int32_t *top;     /* of a node: the outermost node that holds it; 0: this one is not in use */
    int32_t *parent;  /* by top node: the vertex from which its tree reached it */
    int32_t *closest; /* by top node: the outer vertex with the least slack to it, 0: none */
    int32_t *mark;    /* when it was last visited on the way to a common ancestor */
    int32_t visit;
    label *labels;
    int32_t *holder; /* of a node and a vertex: the part of the node that holds the vertex */
    int32_t *part;   /* of a node: its parts round the cycle, from the base, count + 1 in a row */
    int32_t *parts;  /* how many; 0 of a vertex */
    int32_t *queue;  /* outer vertices whose edges must be visited */
    int32_t queued;
    int32_t *stack; /* nodes that are being walked through */
} graph;

/* --- access ------------------------------------------------------------------------------------*/

static edge *edge_of(const graph *g, int32_t x, int32_t y)
{
    return &g->tight[(int64_t)x * g->room + y];
}

static int32_t *holder_of(const graph *g, int32_t node, int32_t vertex)
{
    return &g->holder[(int64_t)node * (g->count + 1) + vertex];
}

static int32_t *parts_of(const graph *g, int32_t node)
{
    return &g->part[(int64_t)node * (g->count + 1)];
}

static int64_t slack(const graph *g, edge e)
{
    return g->dual[e.from] + g->dual[e.to] - 2 * g->w[(int64_t)e.from * (g->count + 1) + e.to];
}

static bool is_vertex(const graph *g, int32_t node)
{
    return node <= g->count;
}

static bool is_top(const graph *g, int32_t node)
{
    return g->top[node] == node;
}

/* --- the closest outer vertex ------------------------------------------------------------------*/

static void offer(graph *g, int32_t vertex, int32_t node)
{
    int32_t closest = g->closest[node];
    if (closest == 0 || slack(g, *edge_of(g, vertex, node)) < slack(g, *edge_of(g, closest, node)))
        g->closest[node] = vertex;
}

static void find_closest(graph *g, int32_t node)
{
    g->closest[node] = 0;
    for (int32_t u = 1; u <= g->count; u++)
        if (g->top[u] != node && g->labels[g->top[u]] == OUTER)
            offer(g, u, node);
}

/* --- walks through a node ----------------------------------------------------------------------*/

/* Takes a node from the stack and puts its parts there, the first on top. A stack in place of
 * recursion: blossoms may be nested deeply. */
static int32_t open_node(graph *g, int32_t *depth)
{
    int32_t x = g->stack[--*depth];
    for (int32_t i = g->parts[x]; i-- > 0;)
        g->stack[(*depth)++] = parts_of(g, x)[i];
    return x;
}

/* Puts a node's vertices into the queue. */
static void enqueue(graph *g, int32_t node)
{
    g->stack[0] = node;
    for (int32_t depth = 1; depth > 0;) {
        int32_t x = open_node(g, &depth);
        if (is_vertex(g, x))
            g->queue[g->queued++] = x;
    }
}

/* `node` and all in it are held by `top` now. */
static void put_under(graph *g, int32_t node, int32_t top)
{
    g->stack[0] = node;
    for (int32_t depth = 1; depth > 0;)
        g->top[open_node(g, &depth)] = top;
}

/* --- matching along cycles ---------------------------------------------------------------------*/

static void reverse(int32_t *from, int32_t *to)
{
    for (; from < to && from < --to; from++) {
        int32_t kept = *from;
        *from = *to;
        *to = kept;
    }
}

/* The index of a part, after turning the cycle round where needed so that it is even: the path to
 * it from the base then begins with an unmatched edge and ends with a matched one. */
static int32_t even_index(graph *g, int32_t blossom, int32_t of)
{
    int32_t *parts = parts_of(g, blossom), index = 0, count = g->parts[blossom];
    while (parts[index] != of)
        index++;
    if (index % 2 == 0)
        return index;
    reverse(parts + 1, parts + count);
    return count - index;
}

/* The part at `index` becomes the base. */
static void rotate(graph *g, int32_t blossom, int32_t index)
{
    int32_t *parts = parts_of(g, blossom), count = g->parts[blossom];
    reverse(parts, parts + index);
    reverse(parts + index, parts + count);
    reverse(parts, parts + count);
}

/* Matches node x with node y, and the nodes inside x accordingly. */
static void match(graph *g, int32_t x, int32_t y) /* NOLINT(misc-no-recursion) */
{
    edge e = *edge_of(g, x, y);
    g->mate[x] = e.to;
    if (is_vertex(g, x))
        return;
    int32_t base = *holder_of(g, x, e.from), index = even_index(g, x, base);
    for (int32_t i = 0; i < index; i++)
        match(g, parts_of(g, x)[i], parts_of(g, x)[i ^ 1]);
    match(g, base, y);
    rotate(g, x, index);
}

/* Turns the path from the root of x's tree to x, and matches x with y. */
static void augment(graph *g, int32_t x, int32_t y)
{
    for (;;) {
        int32_t before = g->top[g->mate[x]];
        match(g, x, y);
        if (before == 0)
            return;
        int32_t above = g->top[g->parent[before]];
        match(g, before, above);
        x = above;
        y = before;
    }
}

/* The next outer node on the path from x to the root; 0 behind the root. */
static int32_t up(const graph *g, int32_t x)
{
    int32_t inner = g->top[g->mate[x]];
    return inner == 0 ? 0 : g->top[g->parent[inner]];
}

/* The closest common ancestor of two outer nodes, 0 in different trees. */
static int32_t common_ancestor(graph *g, int32_t x, int32_t y)
{
    g->visit++;
    while (x != 0 || y != 0) {
        if (x != 0) {
            if (g->mark[x] == g->visit)
                return x;
            g->mark[x] = g->visit;
            x = up(g, x);
        }
        int32_t other = y;
        y = x;
        x = other;
    }
    return 0;
}

/* --- blossoms ----------------------------------------------------------------------------------*/

static int32_t free_number(graph *g)
{
    int32_t b = g->count + 1;
    while (b <= g->nodes && g->top[b] != 0)
        b++;
    if (b > g->nodes)
        g->nodes = b;
    return b;
}

/* Outer and inner nodes from x up to the ancestor, which is not added. */
static void add_path(graph *g, int32_t blossom, int32_t x, int32_t ancestor)
{
    int32_t *parts = parts_of(g, blossom);
    while (x != ancestor) {
        int32_t inner = g->top[g->mate[x]];
        parts[g->parts[blossom]++] = x;
        parts[g->parts[blossom]++] = inner;
        enqueue(g, inner);
        x = g->top[g->parent[inner]];
    }
}

/* Adds the best edges of a part to the best edges of the blossom. */
static void take_edges(graph *g, int32_t blossom, int32_t part)
{
    for (int32_t x = 1; x <= g->nodes; x++) {
        edge *own = edge_of(g, blossom, x), found = *edge_of(g, part, x);
        if (found.from == 0 || (own->from != 0 && slack(g, *own) <= slack(g, found)))
            continue;
        *own = found;
        *edge_of(g, x, blossom) = *edge_of(g, x, part);
    }
    for (int32_t v = 1; v <= g->count; v++)
        if (*holder_of(g, part, v) != 0)
            *holder_of(g, blossom, v) = part;
}

static void clear_edges(graph *g, int32_t blossom)
{
    for (int32_t x = 0; x < g->room; x++)
        *edge_of(g, blossom, x) = *edge_of(g, x, blossom) = (edge){0, 0};
    memset(holder_of(g, blossom, 0), 0, ((size_t)g->count + 1) * sizeof(int32_t));
}

/* Shrinks the cycle of x, y and their ancestors up to the common ancestor. */
static void shrink(graph *g, int32_t x, int32_t ancestor, int32_t y)
{
    int32_t b = free_number(g), *parts = parts_of(g, b);
    g->dual[b] = 0;
    g->labels[b] = OUTER;
    g->mate[b] = g->mate[ancestor];
    g->parent[b] = g->parent[ancestor];
    parts[0] = ancestor;
    g->parts[b] = 1;
    add_path(g, b, x, ancestor);
    reverse(parts + 1, parts + g->parts[b]);
    add_path(g, b, y, ancestor);
    put_under(g, b, b);
    clear_edges(g, b);
    for (int32_t i = 0; i < g->parts[b]; i++)
        take_edges(g, b, parts[i]);
    find_closest(g, b);
}

/* An inner blossom without dual value falls into its parts: the even path from its base to the part
 * where the tree entered stays in the tree, the other parts leave it. */
static void expand(graph *g, int32_t b)
{
    int32_t *parts = parts_of(g, b);
    for (int32_t i = 0; i < g->parts[b]; i++)
        put_under(g, parts[i], parts[i]);
    int32_t entered = *holder_of(g, b, edge_of(g, b, g->parent[b])->from);
    int32_t index = even_index(g, b, entered);
    for (int32_t i = 0; i < index; i += 2) {
        int32_t inner = parts[i], outer = parts[i + 1];
        g->parent[inner] = edge_of(g, outer, inner)->from;
        g->labels[inner] = INNER;
        g->labels[outer] = OUTER;
        g->closest[inner] = 0;
        find_closest(g, outer);
        enqueue(g, outer);
    }
    g->labels[entered] = INNER;
    g->parent[entered] = g->parent[b];
    for (int32_t i = index + 1; i < g->parts[b]; i++) {
        g->labels[parts[i]] = OUTSIDE;
        find_closest(g, parts[i]);
    }
    g->top[b] = 0;
}

/* --- a stage -----------------------------------------------------------------------------------*/

/* Uses an edge without slack from an outer node; true: the matching became larger. */
static bool use_edge(graph *g, edge e)
{
    int32_t x = g->top[e.from], y = g->top[e.to];
    if (g->labels[y] == OUTSIDE) {
        int32_t outer = g->top[g->mate[y]];
        g->parent[y] = e.from;
        g->labels[y] = INNER;
        g->closest[y] = g->closest[outer] = 0;
        g->labels[outer] = OUTER;
        enqueue(g, outer);
    } else if (g->labels[y] == OUTER) {
        int32_t ancestor = common_ancestor(g, x, y);
        if (ancestor == 0) {
            augment(g, x, y);
            augment(g, y, x);
            return true;
        }
        shrink(g, x, ancestor, y);
    }
    return false;
}

static bool look_at_edges(graph *g, int32_t u)
{
    for (int32_t v = 1; v <= g->count; v++) {
        if (g->top[u] == g->top[v])
            continue;
        edge e = *edge_of(g, u, v);
        if (slack(g, e) != 0)
            offer(g, u, g->top[v]);
        else if (use_edge(g, e))
            return true;
    }
    return false;
}

/* The largest possible change of the dual values. */
static int64_t change(const graph *g)
{
    int64_t least = INT64_MAX;
    for (int32_t x = 1; x <= g->nodes; x++) {
        int64_t most = INT64_MAX;
        if (!is_top(g, x))
            continue;
        if (!is_vertex(g, x) && g->labels[x] == INNER)
            most = g->dual[x] / 2;
        else if (g->closest[x] != 0 && g->labels[x] == OUTSIDE)
            most = slack(g, *edge_of(g, g->closest[x], x));
        else if (g->closest[x] != 0 && g->labels[x] == OUTER)
            most = slack(g, *edge_of(g, g->closest[x], x)) / 2;
        least = most < least ? most : least;
    }
    return least;
}

static void change_duals(graph *g, int64_t by)
{
    for (int32_t u = 1; u <= g->count; u++) {
        if (g->labels[g->top[u]] == OUTER)
            g->dual[u] -= by;
        else if (g->labels[g->top[u]] == INNER)
            g->dual[u] += by;
    }
    for (int32_t b = g->count + 1; b <= g->nodes; b++) {
        if (!is_top(g, b))
            continue;
        if (g->labels[b] == OUTER)
            g->dual[b] += 2 * by;
        else if (g->labels[b] == INNER)
            g->dual[b] -= 2 * by;
    }
}

static void begin_stage(graph *g)
{
    g->queued = 0;
    for (int32_t x = 1; x <= g->nodes; x++) {
        g->labels[x] = OUTSIDE;
        g->closest[x] = 0;
    }
    for (int32_t x = 1; x <= g->nodes; x++) {
        if (!is_top(g, x) || g->mate[x] != 0)
            continue;
        g->parent[x] = 0;
        g->labels[x] = OUTER;
        enqueue(g, x);
    }
}

/* The edges that have lost their slack, and the blossoms that have lost their dual value. */
static bool go_on(graph *g)
{
    g->queued = 0;
    for (int32_t x = 1; x <= g->nodes; x++) {
        int32_t closest = g->closest[x];
        if (is_top(g, x) && closest != 0 && g->top[closest] != x &&
            slack(g, *edge_of(g, closest, x)) == 0 && use_edge(g, *edge_of(g, closest, x)))
            return true;
    }
    for (int32_t b = g->count + 1; b <= g->nodes; b++)
        if (is_top(g, b) && g->labels[b] == INNER && g->dual[b] == 0)
            expand(g, b);
    return false;
}

/* Adds one matched pair; false: interrupted. */
static bool run_stage(graph *g, const orr_cancel_flag *cancel)
{
    begin_stage(g);
    for (;;) {
        for (int32_t next = 0; next < g->queued; next++)
            if (g->labels[g->top[g->queue[next]]] != INNER && look_at_edges(g, g->queue[next]))
                return true;
        if (orr_is_cancelled(cancel))
            return false;
        change_duals(g, change(g));
        if (go_on(g))
            return true;
    }
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Whole weights, larger for smaller ones, so that they are below 2^BITS. */
static int64_t scale(graph *g, const double *weight)
{
    double largest = 0;
    int exponent;
    int64_t most = 0;
    for (int64_t i = 0; i < (int64_t)g->count * g->count; i++)
        largest = fmax(largest, weight[i]);
    frexp(largest, &exponent);
    int64_t whole = (int64_t)ldexp(largest, BITS - exponent);
    for (int32_t u = 0; u < g->count; u++)
        for (int32_t v = 0; v < g->count; v++) {
            double w = ldexp(weight[(int64_t)u * g->count + v], BITS - exponent);
            int64_t turned = u == v ? 0 : whole - (int64_t)w;
            g->w[(u + 1) * (g->count + (int64_t)1) + v + 1] = turned;
            most = turned > most ? turned : most;
        }
    return most;
}

static void begin_graph(graph *g, const double *weight)
{
    int64_t most = scale(g, weight);
    g->nodes = g->count;
    for (int32_t u = 1; u <= g->count; u++) {
        g->top[u] = u;
        g->dual[u] = most;
        *holder_of(g, u, u) = u;
        for (int32_t v = 1; v <= g->count; v++)
            *edge_of(g, u, v) = (edge){u, v};
    }
}

orr_status ori_matching(const double *weight, int32_t count, int32_t *mate,
                        const orr_allocator *alloc, const orr_cancel_flag *cancel, orr_error *err)
{
    graph g = {.count = count, .room = count + count / 2 + 1};
    size_t n = (size_t)count + 1, room = (size_t)g.room;
    ORI_SCRATCH(alloc, ORI_ZEROED, err, ORI_PART(g.w, n * n), ORI_PART(g.dual, room),
                ORI_PART(g.tight, room * room), ORI_PART(g.mate, room), ORI_PART(g.top, room),
                ORI_PART(g.parent, room), ORI_PART(g.closest, room), ORI_PART(g.mark, room),
                ORI_PART(g.labels, room), ORI_PART(g.holder, room * n), ORI_PART(g.part, room * n),
                ORI_PART(g.parts, room), ORI_PART(g.queue, room), ORI_PART(g.stack, 2 * room));
    begin_graph(&g, weight);
    for (int32_t pair = 0; pair < count / 2; pair++)
        ORI_FAIL_IF(!run_stage(&g, cancel), err, ORR_ERR_CANCELLED,
                    "interrupted while looking for the optimum");
    for (int32_t u = 1; u <= count; u++)
        mate[u - 1] = g.mate[u] - 1;
    return ORR_OK;
}
