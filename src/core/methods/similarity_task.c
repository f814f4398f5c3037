/* The similarity task: do an embedder's cosines or distances order pairs as people did?
 * Correlations of the whole and of each third by people's scores (as SentEval and MTEB report the
 * whole). */
#include <math.h>
#include <string.h>

#include "core_methods.h"

typedef struct task {
    size_t count;
    double *human, *machine, *order, *scratch; /* (pairs) each; order: ranks of machine, in which
                                                  what rounding alone has parted is equal */
} task;

static es_status correlate_part(const task *t, double above, double to, es_stat *out, size_t *count,
                                es_error *err) {
    double *x = t->scratch, *y = t->scratch + t->count;
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->human[i] > above && t->human[i] <= to) {
            x[n] = t->human[i];
            y[n++] = t->order[i];
        }
    *count = n;
    if (n >= 3)
        return es_correlate(ES_SPEARMAN, x, y, n, out, err);
    *out = es_stat_undefined(ES_WHY_FEW);
    return ES_OK;
}

/* Two fifths of the pairs by people's scores, beginning at steps of 15 %. */
static es_status correlate_level(const task *t, size_t level, es_stat *out, size_t *count,
                                 es_error *err) {
    static const double width = 0.4;
    double at = (double)level * (1 - width) / (ES_LEVELS - 1), low, high;
    memcpy(t->scratch, t->human, t->count * sizeof *t->human);
    low = es_stat_quantile(t->scratch, t->count, at);
    high = es_stat_quantile(t->scratch, t->count, at + width < 1 ? at + width : 1);
    return correlate_part(t, nextafter(low, -(double)INFINITY), high, out, count, err);
}

/* Correlates similarities with the human scores: all, and by tercile. */
static es_status correlate_scores(const task *t, es_similarity_task *out, es_error *err) {
    const double *x = t->human;
    double third[2];
    if (t->count < 3) { /* two points are always on a line */
        out->spearman = out->pearson = out->kendall = es_stat_undefined(ES_WHY_FEW);
        for (size_t i = 0; i < 3; i++)
            out->tercile[i] = es_stat_undefined(ES_WHY_FEW);
        for (size_t l = 0; l < ES_LEVELS; l++)
            out->level[l] = es_stat_undefined(ES_WHY_FEW);
        return ES_OK;
    }
    ES_PASS(es_correlate(ES_SPEARMAN, x, t->order, t->count, &out->spearman, err));
    ES_PASS(es_correlate(ES_PEARSON, x, t->machine, t->count, &out->pearson, err));
    ES_PASS(es_correlate(ES_KENDALL, x, t->order, t->count, &out->kendall, err));
    memcpy(t->scratch, x, t->count * sizeof *x);
    third[0] = es_stat_quantile(t->scratch, t->count, 1.0 / 3);
    third[1] = es_stat_quantile(t->scratch, t->count, 2.0 / 3);
    ES_PASS(correlate_part(t, -INFINITY, third[0], &out->tercile[0], &out->tercile_count[0], err));
    ES_PASS(correlate_part(t, third[0], third[1], &out->tercile[1], &out->tercile_count[1], err));
    ES_PASS(correlate_part(t, third[1], INFINITY, &out->tercile[2], &out->tercile_count[2], err));
    for (size_t l = 0; l < ES_LEVELS; l++)
        ES_PASS(correlate_level(t, l, &out->level[l], &out->level_count[l], err));
    return ES_OK;
}

es_status es_similarity_task_run(const es_matrix *m, const es_graded_pair *pairs, size_t count,
                                 es_metric metric, es_similarity_task *out, es_error *err) {
    es_similarity_task result = {0};
    es_space space = {0};
    task t = {0};
    es_status st = ES_OK;
    t.human = es_alloc(5 * count, sizeof *t.human);
    ES_FAIL_IF(!t.human, es_no_memory_for(err, "%zu pairs", count));
    t.machine = t.human + count;
    t.order = t.machine + count;
    t.scratch = t.order + count;
    ES_TRY(es_space_new(m, metric, &space, err));
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].a >= m->n || pairs[i].b >= m->n || !isfinite(pairs[i].score)) {
            result.skipped++;
            continue;
        }
        t.human[t.count] = pairs[i].score;
        t.machine[t.count++] = -es_space_exact(&space, pairs[i].a, pairs[i].b);
    }
    ES_TRY(es_stat_midranks_within(t.machine, t.count, ES_SPACE_TIE * space.mean2, t.order, err));
    for (size_t i = 0; i < t.count; i++) /* Pearson is of the similarity itself */
        t.machine[i] = metric == ES_COSINE ? 1 + t.machine[i] / 2 : 1 / (1 + sqrt(-t.machine[i]));
    result.count = t.count;
    ES_TRY(correlate_scores(&t, &result, err));
    *out = result;
done:
    es_free(t.human);
    es_space_free(&space);
    return st;
}
