/* Nearest neighbours by cosine, with shared places where rows are as near as each other. */
#include "frontier_parts.h"

#include <math.h>

#include "core_frontier.h"

enum { K = ES_FRONTIER_NEAREST };

/* Cosines are sums in single precision: within this they are equal. */
static const float TIE = 2e-6F;

void frontier_near_free(frontier_near *near) {
    es_free(near->row);
    es_free(near->query);
    es_free(near->of);
    es_free(near->place);
    *near = (frontier_near){0};
}

es_status frontier_near_new(const uint32_t *rows, size_t count, size_t n, size_t d,
                            frontier_near *out, es_error *err) {
    frontier_near near = {.n = n,
                          .queries = count < ES_FRONTIER_QUERIES ? count : ES_FRONTIER_QUERIES};
    near.row = es_alloc_aligned(n * d, sizeof *near.row);
    near.query = es_alloc_aligned(near.queries * d, sizeof *near.query);
    near.of = es_alloc_aligned(2 * near.queries * n, sizeof *near.of);
    near.place = es_alloc(2 * near.queries, sizeof *near.place);
    if (!near.row || !near.query || !near.of || !near.place) {
        frontier_near_free(&near);
        return es_no_memory_for(err, "neighbours among %zu rows", n);
    }
    near.rows = rows;
    near.stride = count / near.queries;
    *out = near;
    return ES_OK;
}

static uint32_t query_row(const frontier_near *near, size_t q) {
    return near->rows[q * near->stride];
}

/* Rows of x, of length 1. */
static void normalise(const es_matrix *x, float *out) {
    for (size_t i = 0; i < x->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < x->d; j++)
            sum += x->x[i * x->d + j] * x->x[i * x->d + j];
        double factor = sum > 0 ? 1 / sqrt(sum) : 0;
        for (size_t j = 0; j < x->d; j++)
            out[i * x->d + j] = (float)(factor * x->x[i * x->d + j]);
    }
}

/* The K largest of n values, without the one at `own`: the smallest of them, and the share of a
 * place that each value within TIE of it has. */
static frontier_place place_of(const float *value, size_t n, size_t own) {
    float top[K];
    size_t held = 0, above = 0, tied = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == own || (held == K && value[i] <= top[K - 1]))
            continue;
        size_t at = held < K ? held++ : K - 1;
        for (; at > 0 && top[at - 1] < value[i]; at--)
            top[at] = top[at - 1];
        top[at] = value[i];
    }
    frontier_place p = {held > 0 ? top[held - 1] : 0, 0};
    for (size_t i = 0; i < n; i++) {
        above += i != own && value[i] > p.last + TIE;
        tied += i != own && fabsf(value[i] - p.last) <= TIE;
    }
    p.share = tied > 0 ? (float)(held - above) / (float)tied : 0;
    return p;
}

static float weight(float value, frontier_place p) {
    return value > p.last + TIE ? 1 : value >= p.last - TIE ? p.share : 0;
}

/* `x` has the columns that it has; what was allocated has room for all. */
static void find(frontier_near *near, const es_matrix *x, size_t side) {
    float *out = near->of + side * near->queries * near->n;
    normalise(x, near->row);
    for (size_t q = 0; q < near->queries; q++)
        for (size_t j = 0; j < x->d; j++)
            near->query[q * x->d + j] = near->row[query_row(near, q) * x->d + j];
    es_sgemm_turned(near->queries, near->n, x->d, near->query, near->row, out);
    for (size_t q = 0; q < near->queries; q++)
        near->place[side * near->queries + q] =
            place_of(out + q * near->n, near->n, query_row(near, q));
}

void frontier_near_whole(frontier_near *near, const es_matrix *x) {
    find(near, x, 0);
}

double frontier_near_kept(frontier_near *near, const es_matrix *x) {
    double both = 0, all = 0;
    find(near, x, 1);
    for (size_t q = 0; q < near->queries; q++) {
        const float *a = near->of + q * near->n, *b = a + near->queries * near->n;
        frontier_place pa = near->place[q], pb = near->place[near->queries + q];
        for (size_t i = 0; i < near->n; i++) {
            float wa = i == query_row(near, q) ? 0 : weight(a[i], pa);
            all += (double)wa;
            both += wa > 0 ? (double)fminf(wa, weight(b[i], pb)) : 0;
        }
    }
    return all > 0 ? both / all : (double)NAN;
}
