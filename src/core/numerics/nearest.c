/* Exact neighbours in two steps: blocks of approximate distances choose candidates with room for
 * rounding, and only those are measured exactly. */
#include "core_numerics.h"

#include <math.h>
#include <stdlib.h>

static int by_row(const void *x, const void *y) {
    const es_near *a = x, *b = y;
    return (a->row > b->row) - (a->row < b->row);
}

/* Candidates sorted by distance: inside each run of equal distances, by row. The distances stay
 * where they are, so that they ascend also where equal ones differ by rounding. d2 (count):
 * scratch. */
static void settle_ties(const es_space *space, es_near *list, size_t count, double *d2) {
    for (size_t i = 0; i < count; i++)
        d2[i] = list[i].d2;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && es_space_tied(space, list[from].d2, list[to].d2); to++)
            ;
        qsort(list + from, to - from, sizeof *list, by_row);
    }
    for (size_t i = 0; i < count; i++)
        list[i].d2 = d2[i];
}

/* Everything that may be among the k nearest gets its exact distance. */
size_t es_nearest_of(const es_space *space, size_t i, const bool *allowed, const double *d2,
                     size_t *k, es_near *list, double *copy) {
    size_t others = 0, count = 0;
    for (size_t j = 0; j < space->n; j++)
        if (allowed ? allowed[j] : j != i)
            copy[others++] = d2[j];
    *k = *k < others ? *k : others;
    if (*k == 0)
        return 0;
    double kth = es_select(copy, others, *k - 1), reach = 0;
    for (size_t j = 0; j < space->n; j++)
        reach = d2[j] <= kth && es_space_slack(space, i, j) > reach ? es_space_slack(space, i, j)
                                                                    : reach;
    reach = kth + reach + ES_SPACE_TIE * space->mean2; /* the k-th may be farther than it seems */
    for (size_t j = 0; j < space->n; j++)
        if ((allowed ? allowed[j] : j != i) && d2[j] <= reach + es_space_slack(space, i, j))
            list[count++] = (es_near){es_space_exact(space, i, j), (uint32_t)j};
    es_near_sort(list, count);
    settle_ties(space, list, count, copy);
    return count;
}

typedef struct search {
    size_t k;
    es_near *list; /* (n) */
    double *copy;  /* (n) */
    const es_neighbours *out;
} search;

static void keep_nearest(void *context, const es_space *space, size_t i, const double *d2) {
    search *s = context;
    size_t found = s->k; /* below n: there are as many */
    size_t count = es_nearest_of(space, i, NULL, d2, &found, s->list, s->copy);
    for (size_t j = 0; j < s->k; j++) {
        if (s->out->index)
            s->out->index[i * s->k + j] = s->list[j].row;
        if (s->out->distance)
            s->out->distance[i * s->k + j] = sqrt(s->list[j].d2);
        if (s->out->tied)
            s->out->tied[i * s->k + j] =
                j + 1 < count && es_space_tied(space, s->list[j].d2, s->list[j + 1].d2);
    }
}

es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     const es_neighbours *out, es_error *err) {
    es_space space = {0};
    if (k < 1 || k >= m->n)
        return es_fail(err, ES_EINVAL, "%zu neighbours of %zu rows: there must be 1 to %zu", k,
                       m->n, m->n > 0 ? m->n - 1 : 0);
    ES_PASS(es_space_new(m, metric, &space, err));
    search s = {k, es_alloc(m->n, sizeof *s.list), es_alloc(m->n, sizeof *s.copy), out};
    es_status st = s.list && s.copy ? es_space_each(&space, run, keep_nearest, &s, err)
                                    : es_no_memory_for(err, "neighbours of %zu rows", m->n);
    es_free(s.list);
    es_free(s.copy);
    es_space_free(&space);
    return st;
}
