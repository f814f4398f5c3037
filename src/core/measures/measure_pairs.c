/* Embedder measures from pairs of rows: the similarity task, alignment. */
#include <math.h>

#include "core_measures_parts.h"

static const es_setting similarity_settings[] = {ES_PREPROCESS_SETTINGS};

enum { SPEARMAN, PEARSON, KENDALL, LEAST, COLUMNS = LEAST + ES_TERCILES };
enum { PAIRS = 2 * COLUMNS, SKIPPED, LEVELS, L2_LEVELS = LEVELS + ES_LEVELS };

static const es_measure_field similarity_fields[] = {
    {.name = "spearman", .title = "Spearman of cosine and people's scores", .decimals = 4},
    {.name = "pearson", .title = "Pearson", .decimals = 4},
    {.name = "kendall", .title = "Kendall's tau-b", .decimals = 4},
    {.name = "low", .title = "Spearman in the least similar third", .decimals = 4},
    {.name = "middle", .title = "Spearman in the middle third", .decimals = 4},
    {.name = "high", .title = "Spearman in the most similar third", .decimals = 4},
    {.name = "l2-spearman", .title = "Spearman by distance", .decimals = 4},
    {.name = "l2-pearson", .title = "Pearson by distance", .decimals = 4},
    {.name = "l2-kendall", .title = "Kendall's tau-b by distance", .decimals = 4},
    {.name = "l2-low", .title = "by distance, least similar third", .decimals = 4},
    {.name = "l2-middle", .title = "by distance, middle third", .decimals = 4},
    {.name = "l2-high", .title = "by distance, most similar third", .decimals = 4},
    {.name = "pairs", .title = "pairs with a score", .fact = true},
    {.name = "skipped", .title = "pairs left out for want of a row or score", .fact = true},
    {.name = "level1", .title = "Spearman, least similar two fifths", .decimals = 4},
    {.name = "level2", .title = "Spearman, from 15 to 55 % of people's scores", .decimals = 4},
    {.name = "level3", .title = "Spearman, from 30 to 70 %", .decimals = 4},
    {.name = "level4", .title = "Spearman, from 45 to 85 %", .decimals = 4},
    {.name = "level5", .title = "Spearman, most similar two fifths", .decimals = 4},
    {.name = "l2-level1", .title = "by distance, least similar two fifths", .decimals = 4},
    {.name = "l2-level2", .title = "by distance, from 15 to 55 %", .decimals = 4},
    {.name = "l2-level3", .title = "by distance, from 30 to 70 %", .decimals = 4},
    {.name = "l2-level4", .title = "by distance, from 45 to 85 %", .decimals = 4},
    {.name = "l2-level5", .title = "by distance, most similar two fifths", .decimals = 4},
};

/* Of Spearman's rho by Fisher's z with the variance of Bonett and Wright 2000. */
static es_measure_value with_interval(es_stat rho, size_t n) {
    es_measure_value v = es_measure_value_of(rho);
    if (rho.why || n < 5 || fabs(rho.value) >= 1)
        return v;
    double z = atanh(rho.value),
           half = 1.959963984540054 * sqrt((1 + rho.value * rho.value / 2) / ((double)n - 3));
    v.low = tanh(z - half);
    v.high = tanh(z + half);
    return v;
}

static es_status similarity(const es_matrix *m, const es_measure_data *data, const double *values,
                            const es_run *run, es_measure_value *out, es_error *err) {
    static const es_metric metrics[] = {ES_COSINE, ES_L2};
    es_similarity_task t;
    es_matrix x = {0};
    es_status st = ES_OK;
    ES_TRY(es_preprocess(m, values, &x, err));
    for (size_t k = 0; k < 2; k++) {
        es_measure_value *to = out + k * COLUMNS;
        ES_TRY(es_run_check(run, err));
        ES_TRY(es_similarity_task_run(&x, data->graded, data->graded_count, metrics[k], &t, err));
        to[SPEARMAN] = with_interval(t.spearman, t.count);
        to[PEARSON] = es_measure_value_of(t.pearson);
        to[KENDALL] = es_measure_value_of(t.kendall);
        for (size_t third = 0; third < ES_TERCILES; third++)
            to[LEAST + third] = with_interval(t.tercile[third], t.tercile_count[third]);
        to = out + (k == 0 ? LEVELS : L2_LEVELS);
        for (size_t l = 0; l < ES_LEVELS; l++)
            to[l] = with_interval(t.level[l], t.level_count[l]);
    }
    for (size_t i = 0; i < PAIRS; i++)
        out[i].warning = es_preprocess_warning(m, values);
    out[PAIRS] = es_measure_number((double)t.count);
    out[SKIPPED] = es_measure_number((double)t.skipped);
done:
    es_matrix_free(&x);
    return st;
}

const es_measure es_measure_similarity = {
    .name = "similarity",
    .title = "similarity task: agreement with people's scores",
    .caveat = "agrees less with downstream results than ranking does; mind the thirds",
    .version = 5, /* 5: two pairs are too few */
    .needs = ES_NEED_GRADED,
    .fields = similarity_fields,
    .n_fields = ES_COUNT_OF(similarity_fields),
    .settings = similarity_settings,
    .n_settings = ES_COUNT_OF(similarity_settings),
    .embedder = similarity,
    .load_making = {.copies = 3, .squares = 4},
};

static const es_measure_field alignment_fields[] = {
    {.name = "alignment",
     .title = "mean squared distance of pairs, rows of length 1",
     .lower_is_better = true,
     .decimals = 4},
};

static es_status alignment(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_measure_value *out, es_error *err) {
    double value = 0;
    size_t zeros = 0;
    (void)values;
    ES_PASS(es_run_check(run, err));
    ES_PASS(es_alignment_of(m, data->positives, &value, &zeros, err));
    *out = es_measure_value_of(isnan(value) ? es_stat_undefined("no pairs") : es_stat_of(value));
    out->warning = zeros > 0 ? "pairs have rows that are all zero: cosine 0, distance^2 2" : NULL;
    return ES_OK;
}

const es_measure es_measure_alignment = {
    .name = "alignment",
    .title = "alignment of pairs",
    .caveat = "0 for a collapsed embedder: read it beside uniformity",
    .version = 2, /* 2: the cosine with a zero row is 0 */
    .needs = ES_NEED_POSITIVES,
    .fields = alignment_fields,
    .n_fields = ES_COUNT_OF(alignment_fields),
    .embedder = alignment,
    .load_making = {.copies = 3, .squares = 4},
};
