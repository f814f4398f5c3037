/* Does an embedder keep the structure from one side of pairs to the other? The nearest neighbours
 * of a query among the queries, beside those of its answer among the answers (after Myntti et al.,
 * arXiv:2605.22202, who compare texts with their translations). */
#include <math.h>

#include "core_alike.h"
#include "core_measures_parts.h"

static const char *const metrics[] = {"cosine", "l2", NULL};

enum { K, METRIC };
enum { FEWEST = 4 };
static const es_setting settings[] = {
    [K] = {.key = "k", .help = "neighbours", .value = 10, .low = 1, .high = 1000, .whole = true},
    [METRIC] = {.key = "metric", .help = "how they are found", .choices = metrics},
};

enum { SHARED, JACCARD, CHANCE, PAIRS, LEFT, COLUMNS };
static const es_measure_field fields[COLUMNS] = {
    [SHARED] = {.name = "shared",
                .title = "share of a query's neighbours whose answers are its answer's",
                .decimals = 4},
    [JACCARD] = {.name = "jaccard", .title = "the same over the union of both", .decimals = 4},
    [CHANCE] = {.name = "chance",
                .title = "shared of unrelated sides",
                .fact = true,
                .decimals = 4},
    [PAIRS] = {.name = "pairs", .title = "pairs used, each row once a side", .fact = true},
    [LEFT] = {.name = "left", .title = "pairs left out: a row has its place already", .fact = true},
};

/* query, answer (positives->count): pairs, each row once a side; a pair is taken once, from its
 * smaller row unless it was given one way. asked, answered (n), seen (groups): all false. Returns
 * how many. */
static size_t one_to_one(const es_positives *p, bool *asked, bool *answered, bool *seen,
                         uint32_t *query, uint32_t *answer) {
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        const es_positive *item = &p->item[i];
        if (seen[item->group])
            continue;
        seen[item->group] = true;
        if (asked[item->query] || answered[item->partner])
            continue;
        asked[item->query] = answered[item->partner] = true;
        query[n] = item->query;
        answer[n++] = item->partner;
    }
    return n;
}

/* Mean of shared / k with its interval over pairs. */
static es_measure_value mean_of(const uint32_t *shared, size_t n, size_t k) {
    const double z = 1.959963984540054;
    double sum = 0, squares = 0, mean;
    for (size_t i = 0; i < n; i++)
        sum += (double)shared[i] / (double)k;
    mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = (double)shared[i] / (double)k - mean;
        squares += off * off;
    }
    double half = z * sqrt(squares / (double)(n - 1) / (double)n);
    return (es_measure_value){
        .value = mean, .low = fmax(0, mean - half), .high = fmin(1, mean + half)};
}

static es_status compare(const es_matrix *m, const uint32_t *query, const uint32_t *answer,
                         size_t n, const es_side_rules *rules, const es_run *run,
                         es_measure_value *out, es_error *err) {
    es_matrix x = {0}, y = {0};
    es_side *a = NULL, *b = NULL;
    es_overlap v;
    uint32_t *shared = es_alloc(n, sizeof *shared);
    es_status st = ES_OK;
    ES_FAIL_IF(!shared, es_no_memory_for(err, "%zu pairs", n));
    ES_TRY(es_matrix_rows(m, query, n, &x, err));
    ES_TRY(es_matrix_rows(m, answer, n, &y, err));
    ES_TRY(es_side_new(&x, rules, run, &a, err));
    ES_TRY(es_side_new(&y, rules, run, &b, err));
    ES_TRY(es_neighbour_overlap(a, b, shared, &v, err));
    out[SHARED] = mean_of(shared, n, rules->k);
    out[SHARED].warning =
        es_measure_ties(a->by_number < b->by_number ? a->by_number : b->by_number, n);
    out[JACCARD] = es_measure_number(v.jaccard);
    out[CHANCE] = es_measure_number(v.chance);
done:
    es_side_free(a);
    es_side_free(b);
    es_matrix_free(&x);
    es_matrix_free(&y);
    es_free(shared);
    return st;
}

static es_status retention(const es_matrix *m, const es_measure_data *data, const double *values,
                           const es_run *run, es_measure_value *out, es_error *err) {
    const es_positives *p = data->positives;
    es_side_rules rules = {.parts = ES_SIDE_NEIGHBOURS,
                           .metric = (es_metric)values[METRIC],
                           .k = (size_t)values[K],
                           .seed = data->seed};
    uint32_t *row = es_alloc(p->count, 2 * sizeof *row);
    bool *used = es_alloc_zero(2 * m->n + p->groups, sizeof *used);
    es_status st = ES_OK;
    ES_FAIL_IF(!row || !used, es_no_memory_for(err, "%zu pairs", p->count));
    size_t n = one_to_one(p, used, used + m->n, used + 2 * m->n, row, row + p->count);
    rules.k = rules.k < n / 2 ? rules.k : n / 2; /* more would be found by chance */
    if (n < FEWEST)
        out[SHARED] =
            es_measure_value_of(es_stat_undefined("fewer than 4 pairs with rows of their own"));
    else
        ES_TRY(compare(m, row, row + p->count, n, &rules, run, out, err));
    if (n >= FEWEST && rules.k < (size_t)values[K])
        out[SHARED].warning = "few pairs: fewer neighbours than asked for";
    out[PAIRS] = es_measure_number((double)n);
    out[LEFT] = es_measure_number((double)(p->groups - n));
done:
    es_free(row);
    es_free(used);
    return st;
}

const es_measure es_measure_retention = {
    .name = "retention",
    .title = "structure kept from queries to their answers",
    .caveat = "chance k / (pairs - 1); says nothing of whether an answer is near its query",
    .version = 1,
    .needs = ES_NEED_POSITIVES,
    .fields = fields,
    .n_fields = COLUMNS,
    .settings = settings,
    .n_settings = ES_COUNT_OF(settings),
    .embedder = retention,
    .load_making = {.copies = 4, .lines = 1},
};
