#include "nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "sorting.h"
#include "space.h"

typedef struct candidate {
    double d2;
    uint32_t row;
} candidate;

static int by_distance(const void *x, const void *y) {
    const candidate *a = x, *b = y;
    int order = (a->d2 > b->d2) - (a->d2 < b->d2);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static int by_row(const void *x, const void *y) {
    const candidate *a = x, *b = y;
    return (a->row > b->row) - (a->row < b->row);
}

/* Candidates sorted by distance: inside each run of equal distances, by row. */
static void settle_ties(const es_space *space, candidate *list, size_t count) {
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && es_space_tied(space, list[from].d2, list[to].d2); to++)
            ;
        qsort(list + from, to - from, sizeof *list, by_row);
    }
}

/* Of the approximate distances d2 (n) from row i, everything that may be among the k nearest, with
 * exact distances, in order. list (n), copy (n). */
static void choose(const es_space *space, size_t i, const double *d2, size_t k, candidate *list,
                   double *copy) {
    size_t others = 0, count = 0;
    for (size_t j = 0; j < space->n; j++)
        if (j != i)
            copy[others++] = d2[j];
    double kth = es_select(copy, others, k - 1), reach = 0;
    for (size_t j = 0; j < space->n; j++)
        reach = d2[j] <= kth && es_space_slack(space, i, j) > reach ? es_space_slack(space, i, j)
                                                                    : reach;
    reach = kth + reach + 1e-12 * space->mean2; /* the k-th may be farther than it seems */
    for (size_t j = 0; j < space->n; j++)
        if (j != i && d2[j] <= reach + es_space_slack(space, i, j))
            list[count++] = (candidate){es_space_exact(space, i, j), (uint32_t)j};
    qsort(list, count, sizeof *list, by_distance);
    settle_ties(space, list, count);
}

es_status es_nearest(const es_matrix *m, es_metric metric, size_t k, const es_run *run,
                     uint32_t *index, double *distance, es_error *err) {
    es_space space = {0};
    double *scratch = NULL, *block = NULL, *copy = NULL;
    candidate *list = NULL;
    es_status st = ES_OK;
    if (k < 1 || k >= m->n)
        return es_fail(err, ES_EINVAL, "%zu neighbours of %zu rows: there must be 1 to %zu", k,
                       m->n, m->n > 0 ? m->n - 1 : 0);
    ES_TRY(es_space_new(m, metric, &space, err));
    scratch = es_alloc(ES_SPACE_BLOCK * m->d, sizeof *scratch);
    block = es_alloc(ES_SPACE_BLOCK * m->n, sizeof *block);
    copy = es_alloc(m->n, sizeof *copy);
    list = es_alloc(m->n, sizeof *list);
    if (!scratch || !block || !copy || !list) {
        st = es_no_memory_for(err, "neighbours of %zu rows", m->n);
        goto done;
    }
    for (size_t at = 0; at < m->n; at += ES_SPACE_BLOCK) {
        uint32_t rows[ES_SPACE_BLOCK];
        size_t count = m->n - at < ES_SPACE_BLOCK ? m->n - at : ES_SPACE_BLOCK;
        for (size_t i = 0; i < count; i++)
            rows[i] = (uint32_t)(at + i);
        ES_TRY(es_run_check(run, err));
        es_space_block(&space, rows, count, scratch, block);
        for (size_t i = 0; i < count; i++) {
            choose(&space, at + i, block + i * m->n, k, list, copy);
            for (size_t j = 0; j < k; j++) {
                index[(at + i) * k + j] = list[j].row;
                if (distance)
                    distance[(at + i) * k + j] = sqrt(list[j].d2);
            }
        }
    }
done:
    es_free(scratch);
    es_free(block);
    es_free(copy);
    es_free(list);
    es_space_free(&space);
    return st;
}
