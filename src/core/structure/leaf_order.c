/* Optimal leaf order by dynamic programming over the two end leaves of each cluster (Bar-Joseph et
 * al., "Fast optimal leaf ordering for hierarchical clustering", 2001). */
#include "leaf_order.h"

#include <math.h>

#include "alloc.h"

/* Leaves of each cluster lie together in `leaf`, left child before right child. best(i, j), i and j
 * leaves of one cluster and of different children of their lowest common one, is the least cost of
 * an order of that cluster with i and j at its ends. */
typedef struct tree {
    size_t m;
    const es_merge *merge;
    const double *distance;
    double *best; /* (m, m) symmetric; 0 on the diagonal */
    double *half; /* (m, m) half(i, l): i at one end of the left child, then leaf l of the right */
    uint32_t *leaf;          /* (m) */
    uint32_t *begin, *count; /* (2 m - 1) part of leaf that a cluster has */
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

/* The leaves that can be at the other end when leaf i is at one end of cluster c: those of the
 * child without i; i itself for a leaf. */
static void opposite(const tree *t, uint32_t c, uint32_t i, uint32_t *from, uint32_t *count) {
    uint32_t part = c;
    if (c >= t->m) {
        const es_merge *g = t->merge + (c - t->m);
        uint32_t at = 0;
        for (at = t->begin[g->a]; at < t->begin[g->a] + t->count[g->a] && t->leaf[at] != i; at++)
            ;
        part = at < t->begin[g->a] + t->count[g->a] ? g->b : g->a;
    }
    *from = t->begin[part];
    *count = t->count[part];
}

/* half(i, l) for all leaves i of a and l of b. */
static void fill_half(tree *t, uint32_t a, uint32_t b) {
    for (uint32_t x = 0; x < t->count[a]; x++) {
        uint32_t i = t->leaf[t->begin[a] + x], from = 0, count = 0;
        opposite(t, a, i, &from, &count);
        for (uint32_t y = 0; y < t->count[b]; y++) {
            uint32_t l = t->leaf[t->begin[b] + y];
            double least = (double)INFINITY;
            for (uint32_t z = from; z < from + count; z++) {
                uint32_t k = t->leaf[z];
                least = fmin(least, t->best[i * t->m + k] + t->distance[k * t->m + l]);
            }
            t->half[i * t->m + l] = least;
        }
    }
}

static void fill_best(tree *t, uint32_t a, uint32_t b) {
    for (uint32_t y = 0; y < t->count[b]; y++) {
        uint32_t j = t->leaf[t->begin[b] + y], from = 0, count = 0;
        opposite(t, b, j, &from, &count);
        for (uint32_t x = 0; x < t->count[a]; x++) {
            uint32_t i = t->leaf[t->begin[a] + x];
            double least = (double)INFINITY;
            for (uint32_t z = from; z < from + count; z++) {
                uint32_t l = t->leaf[z];
                least = fmin(least, t->half[i * t->m + l] + t->best[l * t->m + j]);
            }
            t->best[i * t->m + j] = t->best[j * t->m + i] = least;
        }
    }
}

/* The ends i, j of a cluster are fixed: finds the inner ends k of a (i's child) and l of b, the
 * first that reach the least cost. */
static void inner_ends(const tree *t, uint32_t a, uint32_t b, uint32_t i, uint32_t j, uint32_t *k,
                       uint32_t *l) {
    uint32_t from_a = 0, count_a = 0, from_b = 0, count_b = 0;
    opposite(t, a, i, &from_a, &count_a);
    opposite(t, b, j, &from_b, &count_b);
    double least = (double)INFINITY;
    for (uint32_t x = from_a; x < from_a + count_a; x++)
        for (uint32_t y = from_b; y < from_b + count_b; y++) {
            uint32_t p = t->leaf[x], q = t->leaf[y];
            double cost = t->best[i * t->m + p] + t->distance[p * t->m + q] + t->best[q * t->m + j];
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
    for (uint32_t x = 0; x < t->count[root->a]; x++)
        for (uint32_t y = 0; y < t->count[root->b]; y++) {
            uint32_t p = t->leaf[t->begin[root->a] + x], q = t->leaf[t->begin[root->b] + y];
            if (t->best[p * t->m + q] < least) {
                least = t->best[p * t->m + q];
                *i = p;
                *j = q;
            }
        }
}

static uint32_t contains(const tree *t, uint32_t c, uint32_t i) {
    for (uint32_t x = t->begin[c]; x < t->begin[c] + t->count[c]; x++)
        if (t->leaf[x] == i)
            return 1;
    return 0;
}

/* From the root down: each cluster gets a part of the order and its two end leaves. left, right,
 * start (2 m - 1). */
static void write_order(const tree *t, uint32_t *left, uint32_t *right, uint32_t *start,
                        uint32_t *order) {
    size_t m = t->m;
    uint32_t root = (uint32_t)(2 * m - 2), i = 0, j = 0;
    outer_ends(t, &i, &j);
    left[root] = i < j ? i : j;
    right[root] = i < j ? j : i;
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

es_status es_leaf_order(const es_merge *merge, const double *distance, size_t m, uint32_t *order,
                        es_error *err) {
    for (size_t i = 0; i < m; i++)
        order[i] = (uint32_t)i;
    if (m < 3)
        return ES_OK;
    tree t = {.m = m, .merge = merge, .distance = distance};
    t.best = es_alloc_zero(2 * m, m * sizeof *t.best);
    t.leaf = es_alloc(11, m * sizeof *t.leaf);
    if (!t.best || !t.leaf) {
        es_free(t.best);
        es_free(t.leaf);
        return es_no_memory_for(err, "%zu leaves", m);
    }
    t.half = t.best + m * m;
    t.begin = t.leaf + m;
    t.count = t.begin + 2 * m;
    place_leaves(&t);
    for (size_t k = 0; k + 1 < m; k++) {
        fill_half(&t, merge[k].a, merge[k].b);
        fill_best(&t, merge[k].a, merge[k].b);
    }
    uint32_t *left = t.count + 2 * m, *right = left + 2 * m, *start = right + 2 * m;
    write_order(&t, left, right, start, order);
    es_free(t.best);
    es_free(t.leaf);
    return ES_OK;
}
