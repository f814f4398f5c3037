/* EvalRank as a measure: ranks by cosine and by distance, side by side. */
#include <math.h>

#include "core_measures_parts.h"

enum { FILTERED = 2, DRAWS }; /* behind es_preprocess' two */

static const char *const no_yes[] = {"no", "yes", NULL};

static const es_setting settings[] = {
    ES_PREPROCESS_SETTINGS,
    {.key = "filtered",
     .help = "other known partners of a row do not compete",
     .value = 0,
     .choices = no_yes},
    {.key = "draws",
     .help = "resamples of the pairs behind the intervals",
     .value = 1000,
     .low = 100,
     .high = 100000,
     .whole = true},
};

/* One metric's columns; the same order for both. */
enum { TIES = ES_RANK_STATS, OPTIMISTIC, PESSIMISTIC, COLUMNS };

static const es_measure_field fields[] = {
    {.name = "mrr", .title = "mean of 1 / rank, by cosine", .decimals = 4},
    {.name = "hits1", .title = "share of ranks 1", .decimals = 4},
    {.name = "hits3", .title = "share of ranks 1 to 3", .decimals = 4},
    {.name = "hits10", .title = "share of ranks 1 to 10", .decimals = 4},
    {.name = "mean-rank", .title = "mean rank", .lower_is_better = true, .decimals = 2},
    {.name = "ties", .title = "pairs with a tie", .fact = true},
    {.name = "optimistic", .title = "mrr if ties count for nothing", .fact = true, .decimals = 4},
    {.name = "pessimistic", .title = "mrr if ties count in full", .fact = true, .decimals = 4},
    {.name = "l2-mrr", .title = "mean of 1 / rank, by distance", .decimals = 4},
    {.name = "l2-hits1", .title = "share of ranks 1, by distance", .decimals = 4},
    {.name = "l2-hits3", .title = "share of ranks 1 to 3, by distance", .decimals = 4},
    {.name = "l2-hits10", .title = "share of ranks 1 to 10, by distance", .decimals = 4},
    {.name = "l2-mean-rank",
     .title = "mean rank, by distance",
     .lower_is_better = true,
     .decimals = 2},
    {.name = "l2-ties", .title = "pairs with a tie, by distance", .fact = true},
    {.name = "l2-optimistic", .title = "l2-mrr, ties for nothing", .fact = true, .decimals = 4},
    {.name = "l2-pessimistic", .title = "l2-mrr, ties in full", .fact = true, .decimals = 4},
    {.name = "pairs", .title = "pairs asked, both ways", .fact = true},
    {.name = "zero-rows", .title = "rows that are all zero", .fact = true},
};

static const char *warning_of(const es_evalrank *e, size_t stat) {
    double width = fabs(e->value[ES_TIE_OPTIMISTIC][stat] - e->value[ES_TIE_PESSIMISTIC][stat]);
    if (e->collapsed)
        return "collapsed: all rows are equal";
    return width > 0.005 ? "ties change it by more than 0.005" : NULL;
}

/* Ranks of preprocessed vectors. */
static es_status rank(const es_matrix *x, const es_measure_data *data, const double *values,
                      es_metric metric, const es_run *run, es_evalrank *out, es_error *err) {
    const es_evalrank_rules rules = {.metric = metric,
                                     .background = data->background,
                                     .background_count = data->background_count,
                                     .filtered = values[FILTERED] > 0,
                                     .draws = (unsigned)values[DRAWS],
                                     .seed = data->seed};
    return es_evalrank_new(x, data->positives, &rules, run, out, err);
}

es_status es_evalrank_detail(const es_matrix *m, const es_measure_data *data, const double *values,
                             es_metric metric, const es_run *run, es_evalrank *out, es_error *err) {
    es_matrix x = {0};
    es_status st = es_preprocess(m, values, &x, err);
    if (st == ES_OK)
        st = rank(&x, data, values, metric, run, out, err);
    es_matrix_free(&x);
    return st;
}

/* One metric into its columns. */
static es_status columns(const es_matrix *m, const es_measure_data *data, const double *values,
                         es_metric metric, const es_run *run, es_measure_value *out,
                         es_error *err) {
    es_evalrank e = {0};
    ES_PASS(rank(m, data, values, metric, run, &e, err));
    for (size_t s = 0; s < ES_RANK_STATS; s++) /* the columns begin in the order of es_rank_stat */
        out[s] = (es_measure_value){.value = e.value[ES_TIE_MID][s],
                                    .low = e.low[s],
                                    .high = e.high[s],
                                    .warning = warning_of(&e, s)};
    out[TIES] = es_measure_number((double)e.tie_pairs);
    out[OPTIMISTIC] = es_measure_number(e.value[ES_TIE_OPTIMISTIC][ES_RANK_MRR]);
    out[PESSIMISTIC] = es_measure_number(e.value[ES_TIE_PESSIMISTIC][ES_RANK_MRR]);
    es_evalrank_free(&e);
    return ES_OK;
}

static es_status evalrank(const es_matrix *m, const es_measure_data *data, const double *values,
                          const es_run *run, es_measure_value *out, es_error *err) {
    es_matrix x = {0};
    es_status st = ES_OK;
    ES_TRY(es_preprocess(m, values, &x, err));
    ES_TRY(columns(&x, data, values, ES_COSINE, run, out, err));
    ES_TRY(columns(&x, data, values, ES_L2, run, out + COLUMNS, err));
    const char *warning = es_preprocess_warning(m, values);
    for (size_t i = 0; warning && i < 2 * COLUMNS; i++)
        out[i].warning = warning;
    out[2 * COLUMNS] = es_measure_number((double)data->positives->count);
    out[2 * COLUMNS + 1] = es_measure_number((double)es_matrix_zero_rows(m));
done:
    es_matrix_free(&x);
    return st;
}

const es_measure es_measure_evalrank = {
    .name = "evalrank",
    .title = "EvalRank: how near is the partner among all rows",
    .caveat = "depends on the rows that compete: compare within one pool",
    .version = 2, /* 2: whitening few rows is told */
    .needs = ES_NEED_POSITIVES | ES_NEED_BACKGROUND,
    .fields = fields,
    .n_fields = ES_COUNT_OF(fields),
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = evalrank,
    .load_making = {.copies = 3, .squares = 4, .lines = 1},
};
