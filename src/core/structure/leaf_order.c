/* Optimal leaf order by dynamic programming over the two end leaves of each cluster (Bar-Joseph et
 * al., "Fast optimal leaf ordering for hierarchical clustering", 2001). */
#include "core_structure_parts.h"

#include <math.h>

/* Leaves of each cluster lie together in `leaf`, left child before right child; everything here but
 * `leaf` itself goes by places in it, so that what is read together lies together. best(i, j), i
 * and j leaves of one cluster and of different children of their lowest common one, is the least
 * cost of an order of that cluster with i and j at its ends. */
typedef struct tree {
    size_t m;
    const es_merge *merge;
    double *distance; /* (m, m) symmetric */
    double *best;     /* (m, m) symmetric; 0 on the diagonal */
    double *half; /* (m, m) half(i, l): i at one end of the left child, then leaf l of the right */
    uint32_t *leaf;          /* (m) */
    uint32_t *begin, *count; /* (2 m - 1) places that a cluster has */
} tree;

static void place_leaves(tree *t) {
    size_t m = t->m;
    for (size_t c = 0; c < m; c++)
        t->count[c] = 1;
    for (size_t k = 0; k + 1 < m; k++)
        t->count[m + k] = t->merge[k].size;
    t->begin[2 * m - 2] = 0;
    for (size_t k = m - 1; k-- > 0;) {
        t->begin[t->merge[k].a] = t->begin[m + k];
        t->begin[t->merge[k].b] = t->begin[m + k] + t->count[t->merge[k].a];
    }
    for (size_t c = 0; c < m; c++)
        t->leaf[t->begin[c]] = (uint32_t)c;
}

static bool contains(const tree *t, uint32_t c, uint32_t i) {
    return i >= t->begin[c] && i < t->begin[c] + t->count[c];
}

/* The places that can be at the other end when i is at one end of cluster c: those of the child
 * without i; i itself for a leaf. */
static void opposite(const tree *t, uint32_t c, uint32_t i, uint32_t *from, uint32_t *count) {
    uint32_t part = c;
    if (c >= t->m) {
        const es_merge *g = t->merge + (c - t->m);
        part = contains(t, g->a, i) ? g->b : g->a;
    }
    *from = t->begin[part];
    *count = t->count[part];
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

/* The least a[k] + b[k]; four at a time, which makes no difference to a minimum. */
static double least_sum(const double *a, const double *b, size_t n) {
    double least[4] = {(double)INFINITY, (double)INFINITY, (double)INFINITY, (double)INFINITY};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t l = 0; l < 4; l++)
            least[l] = lesser(a[k + l] + b[k + l], least[l]);
    for (; k < n; k++)
        least[0] = lesser(a[k] + b[k], least[0]);
    return lesser(lesser(least[0], least[1]), lesser(least[2], least[3]));
}

/* half(i, l) for all leaves i of a and l of b. */
static es_status fill_half(tree *t, uint32_t a, uint32_t b, const es_run *run, es_error *err) {
    size_t m = t->m;
    for (uint32_t i = t->begin[a]; i < t->begin[a] + t->count[a]; i++) {
        uint32_t from = 0, count = 0;
        opposite(t, a, i, &from, &count);
        ES_PASS(es_run_check(run, err));
        for (uint32_t l = t->begin[b]; l < t->begin[b] + t->count[b]; l++)
            t->half[i * m + l] =
                least_sum(t->best + i * m + from, t->distance + l * m + from, count);
    }
    return ES_OK;
}

/* Fills the least sum of an order of clusters a and b joined, for each pair of end leaves. */
static es_status fill_best(tree *t, uint32_t a, uint32_t b, const es_run *run, es_error *err) {
    size_t m = t->m;
    for (uint32_t j = t->begin[b]; j < t->begin[b] + t->count[b]; j++) {
        uint32_t from = 0, count = 0;
        opposite(t, b, j, &from, &count);
        ES_PASS(es_run_check(run, err));
        for (uint32_t i = t->begin[a]; i < t->begin[a] + t->count[a]; i++)
            t->best[i * m + j] = t->best[j * m + i] =
                least_sum(t->half + i * m + from, t->best + j * m + from, count);
    }
    return ES_OK;
}

/* The ends i, j of a cluster are fixed: finds the inner ends k of a (i's child) and l of b, the
 * first that reach the least cost. */
static void inner_ends(const tree *t, uint32_t a, uint32_t b, uint32_t i, uint32_t j, uint32_t *k,
                       uint32_t *l) {
    uint32_t from_a = 0, count_a = 0, from_b = 0, count_b = 0;
    opposite(t, a, i, &from_a, &count_a);
    opposite(t, b, j, &from_b, &count_b);
    double least = (double)INFINITY;
    for (uint32_t p = from_a; p < from_a + count_a; p++)
        for (uint32_t q = from_b; q < from_b + count_b; q++) {
            double cost = t->best[i * t->m + p] + t->distance[p * t->m + q] + t->best[j * t->m + q];
            if (cost < least) {
                least = cost;
                *k = p;
                *l = q;
            }
        }
}

/* The best ends of the whole tree; the first that reach the least cost. */
static void outer_ends(const tree *t, uint32_t *i, uint32_t *j) {
    const es_merge *root = t->merge + (t->m - 2);
    double least = (double)INFINITY;
    for (uint32_t p = t->begin[root->a]; p < t->begin[root->a] + t->count[root->a]; p++)
        for (uint32_t q = t->begin[root->b]; q < t->begin[root->b] + t->count[root->b]; q++)
            if (t->best[p * t->m + q] < least) {
                least = t->best[p * t->m + q];
                *i = p;
                *j = q;
            }
}

/* From the root down: each cluster gets a part of the order and its two end leaves. left, right,
 * start (2 m - 1). */
static void write_order(const tree *t, uint32_t *left, uint32_t *right, uint32_t *start,
                        uint32_t *order) {
    size_t m = t->m;
    uint32_t root = (uint32_t)(2 * m - 2), i = 0, j = 0;
    outer_ends(t, &i, &j);
    bool turned = t->leaf[i] > t->leaf[j];
    left[root] = turned ? j : i;
    right[root] = turned ? i : j;
    start[root] = 0;
    for (size_t k = m - 1; k-- > 0;) {
        uint32_t c = (uint32_t)(m + k);
        uint32_t first = contains(t, t->merge[k].a, left[c]) ? t->merge[k].a : t->merge[k].b;
        uint32_t second = first == t->merge[k].a ? t->merge[k].b : t->merge[k].a;
        left[first] = left[c];
        right[second] = right[c];
        right[first] = left[second] = 0;
        inner_ends(t, first, second, left[c], right[c], &right[first], &left[second]);
        start[first] = start[c];
        start[second] = start[c] + t->count[first];
    }
    for (size_t c = 0; c < m; c++)
        order[start[c]] = (uint32_t)c;
}

static void take_distances(tree *t, const double *distance) {
    for (size_t i = 0; i < t->m; i++)
        for (size_t j = 0; j < t->m; j++)
            t->distance[i * t->m + j] = distance[t->leaf[i] * t->m + t->leaf[j]];
}

es_status es_leaf_order(const es_merge *merge, const double *distance, size_t m, const es_run *run,
                        uint32_t *order, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < m; i++)
        order[i] = (uint32_t)i;
    if (m < 3)
        return ES_OK;
    tree t = {.m = m, .merge = merge};
    t.best = es_alloc_zero(3 * m, m * sizeof *t.best);
    t.leaf = es_alloc(11, m * sizeof *t.leaf);
    ES_FAIL_IF(!t.best || !t.leaf, es_no_memory_for(err, "%zu leaves", m));
    t.half = t.best + m * m;
    t.distance = t.half + m * m;
    t.begin = t.leaf + m;
    t.count = t.begin + 2 * m;
    place_leaves(&t);
    take_distances(&t, distance);
    for (size_t k = 0; k + 1 < m; k++) {
        ES_TRY(fill_half(&t, merge[k].a, merge[k].b, run, err));
        ES_TRY(fill_best(&t, merge[k].a, merge[k].b, run, err));
    }
    uint32_t *left = t.count + 2 * m, *right = left + 2 * m, *start = right + 2 * m;
    write_order(&t, left, right, start, order);
done:
    es_free(t.best);
    es_free(t.leaf);
    return st;
}
