/* Any measure of two embedders against permuted rows (arXiv 2602.14486, Section 4): the rows of the
 * second are shuffled, so that nothing but shapes is left in common, and the measure is taken
 * again. What is above the 95 % quantile of those values is more than chance. One wrapper for all.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure_rows.h"

enum { EXCESS, OBSERVED, QUANTILE, MEAN, CALIBRATED, P, COLUMNS };
enum { DRAWS, OWN /* settings before those of the measure itself */ };
enum { DEFAULT_DRAWS = 99 };
#define LEVEL 0.95

/* An embedder with its prepared side; rows are kept to be shuffled. */
typedef struct null_side {
    const es_measure *base;
    double best; /* of identical embedders; NaN: there is none */
    double values[ES_MEASURE_FIELDS];
    size_t draws;
    es_measure_data data;
    es_matrix rows;
    void *side;
} null_side;

static const es_measure_field fields[COLUMNS] = {
    [EXCESS] = {.name = "excess",
                .title = "beyond the 95 % quantile of permuted rows",
                .decimals = 3},
    [OBSERVED] = {.name = "observed", .title = "the measure itself", .fact = true, .decimals = 3},
    [QUANTILE] = {.name = "null",
                  .title = "95 % quantile of permuted rows",
                  .fact = true,
                  .decimals = 3},
    [MEAN] = {.name = "null_mean", .title = "mean of permuted rows", .fact = true, .decimals = 3},
    [CALIBRATED] = {.name = "calibrated",
                    .title = "excess as a share of what is left to the best, 0 where there is none",
                    .fact = true,
                    .decimals = 3},
    [P] = {.name = "p",
           .title = "(1 + as good by chance) / (1 + draws)",
           .fact = true,
           .decimals = 3},
};

static const es_setting settings[] = {{.key = "draws",
                                       .help = "permutations of the second embedder's rows",
                                       .value = DEFAULT_DRAWS,
                                       .low = 19,
                                       .high = 9999,
                                       .whole = true}};

/* Frees what the measure keeps of one embedder. */
static void release(void *side) {
    null_side *s = side;
    if (s == NULL)
        return;
    if (s->side)
        s->base->side_free(s->side);
    es_matrix_free(&s->rows);
    es_free(s);
}

static size_t bytes(const void *side) {
    const null_side *s = side;
    return sizeof *s + s->rows.n * s->rows.d * sizeof *s->rows.x + s->base->side_bytes(s->side);
}

static es_status prepare(const es_measure *base, double best, const es_matrix *m,
                         const es_measure_data *data, const double *values, const es_run *run,
                         void **out, es_error *err) {
    null_side *s = es_alloc_zero(1, sizeof *s);
    es_status st = ES_OK;
    ES_FAIL_IF(!s, es_no_memory(err));
    s->base = base;
    s->best = best;
    s->draws = (size_t)values[DRAWS];
    s->data = (es_measure_data){.seed = data->seed};
    for (size_t i = 0; i < base->n_settings; i++)
        s->values[i] = base->settings[i].value;
    ES_TRY(es_matrix_new(m->n, m->d, &s->rows, err));
    memcpy(s->rows.x, m->x, m->n * m->d * sizeof *m->x);
    ES_TRY(es_measure_side(base, &s->rows, &s->data, s->values, run, &s->side, err));
    *out = s;
    s = NULL;
done:
    release(s);
    return st;
}

/* Rows in the order of draw `draw`: the same for every embedder of a pool. order (n). */
static void shuffle(const null_side *s, size_t draw, uint32_t *order, es_matrix *to) {
    es_rng rng;
    size_t d = s->rows.d;
    for (size_t i = 0; i < s->rows.n; i++)
        order[i] = (uint32_t)i;
    es_rng_init(&rng, s->data.seed, es_rng_stream(ES_STREAM_PERMUTE, draw));
    es_rng_shuffle(&rng, order, s->rows.n);
    for (size_t i = 0; i < s->rows.n; i++)
        memcpy(to->x + i * d, s->rows.x + order[i] * d, d * sizeof *to->x);
}

/* The measure of a and permuted b; NaN: undefined there. */
static es_status draw_null(const null_side *a, const null_side *b, size_t draw, uint32_t *order,
                           es_matrix *room, const es_run *run, double *out, es_error *err) {
    es_measure_value v[ES_MEASURE_FIELDS] = {{0}};
    void *side = NULL;
    shuffle(b, draw, order, room);
    es_status st = es_measure_side(b->base, room, &b->data, b->values, run, &side, err);
    if (st == ES_OK)
        st = b->base->pair(a->side, side, run, v, err);
    if (side)
        b->base->side_free(side);
    if (st == ES_OK)
        *out = v[0].why ? (double)NAN : v[0].value;
    return st;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* null (n), defined ones; sign -1 where lower is better. */
static void sum_up(const null_side *s, double observed, double sign, double *null, size_t n,
                   es_measure_value *out) {
    double sum = 0;
    size_t as_good = 0;
    for (size_t i = 0; i < n; i++) {
        sum += null[i];
        null[i] *= sign;
        as_good += null[i] >= sign * observed;
    }
    qsort(null, n, sizeof *null, compare);
    size_t at = (size_t)ceil(LEVEL * (double)(n + 1)); /* from 1; n + 1: beyond all draws */
    double quantile = sign * null[(at < n ? at : n) - 1], excess = sign * (observed - quantile);
    double room = sign * (s->best - quantile);
    out[EXCESS] = es_measure_number(excess);
    out[OBSERVED] = es_measure_number(observed);
    out[QUANTILE] = es_measure_number(quantile);
    out[MEAN] = es_measure_number(sum / (double)n);
    out[P] = es_measure_number((double)(1 + as_good) / (double)(1 + n));
    out[CALIBRATED] = isnan(s->best)
                          ? es_measure_value_of(es_stat_undefined("it has no best value"))
                      : room > 0 ? es_measure_number(fmin(1, fmax(0, excess / room)))
                                 : es_measure_value_of(es_stat_undefined("chance is the best"));
}

static es_status pair(const void *x, const void *y, const es_run *run, es_measure_value *out,
                      es_error *err) {
    const null_side *a = x, *b = y;
    es_measure_value v[ES_MEASURE_FIELDS] = {{0}};
    es_matrix room = {0};
    double *null = es_alloc(a->draws, sizeof *null);
    uint32_t *order = es_alloc(b->rows.n, sizeof *order);
    size_t n = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!null || !order, es_no_memory(err));
    ES_TRY(a->base->pair(a->side, b->side, run, v, err));
    for (size_t f = 0; f < COLUMNS; f++)
        out[f] = es_measure_value_of(es_stat_undefined(v[0].why ? v[0].why : "not computed"));
    if (v[0].why)
        goto done;
    ES_TRY(es_matrix_new(b->rows.n, b->rows.d, &room, err));
    for (size_t k = 0; k < a->draws; k++) {
        ES_TRY(es_run_check(run, err));
        ES_TRY(draw_null(a, b, k, order, &room, run, &null[n], err));
        n += isfinite(null[n]) ? 1 : 0;
    }
    out[OBSERVED] = v[0];
    if (n == a->draws)
        sum_up(a, v[0].value, es_measure_is_lower_better(a->base, 0) ? -1 : 1, null, n, out);
    else
        out[EXCESS] = es_measure_value_of(es_stat_undefined("undefined of some permuted rows"));
done:
    es_matrix_free(&room);
    es_free(null);
    es_free(order);
    return st;
}

static es_measure_memory need_of(const es_measure *base, size_t n, size_t d, size_t other_d) {
    double values[ES_MEASURE_FIELDS];
    for (size_t i = 0; i < base->n_settings; i++)
        values[i] = base->settings[i].value;
    es_measure_memory need = es_measure_memory_of(base, n, d, other_d, 0, values);
    const es_measure_memory other = es_measure_memory_of(base, n, other_d, d, 0, values);
    double widest = (double)(d > other_d ? d : other_d), own = 8 * (double)n * (double)d;
    need.side += own;
    need.making += own;
    need.pair += fmax(need.making, other.making) + fmax(need.side, other.side) +
                 8 * (double)n * (widest + 1);
    return need;
}

/* The wrapped measure: its identifier, its name, its title, and its value of identical embedders.
 */
#define NULL_OF(id, name_, title_, best_, both)                                                    \
    static es_status prepare_##id(const es_matrix *m, const es_measure_data *data,                 \
                                  const double *values, const es_run *run, void **out,             \
                                  es_error *err) {                                                 \
        return prepare(&es_measure_##id, best_, m, data, values, run, out, err);                   \
    }                                                                                              \
    static es_measure_memory need_##id(size_t n, size_t d, size_t other_d, size_t keep_bytes,      \
                                       const double *values) {                                     \
        (void)keep_bytes;                                                                          \
        (void)values;                                                                              \
        return need_of(&es_measure_##id, n, d, other_d);                                           \
    }                                                                                              \
    static const es_measure null_##id = {                                                          \
        .name = ES_MEASURE_NULL name_,                                                             \
        .title = title_ ", beyond permuted rows",                                                  \
        .about = "arXiv 2602.14486. The rows of the second embedder are shuffled by seed, the "    \
                 "same for all pairs; the measure has its default settings. Draws times the cost " \
                 "of the measure.",                                                                \
        .caveat = "above 0: more than chance (95 %, each pair alone); shapes count as chance",     \
        .version = 1,                                                                              \
        .fields = fields,                                                                          \
        .n_fields = COLUMNS,                                                                       \
        .settings = settings,                                                                      \
        .n_settings = OWN,                                                                         \
        .symmetric = (both),                                                                       \
        .side_new = prepare_##id,                                                                  \
        .side_free = release,                                                                      \
        .side_bytes = bytes,                                                                       \
        .pair = pair,                                                                              \
        .memory = need_##id,                                                                       \
    };

NULL_OF(cka, "cka", "CKA", 1, true)
NULL_OF(cka_biased, "cka-biased", "CKA as published", 1, true)
NULL_OF(cka_rbf, "cka-rbf", "RBF CKA", 1, true)
NULL_OF(rsa, "rsa", "RSA", 1, true)
NULL_OF(rsa_correlation, "rsa-correlation", "RSA on correlations", 1, true)
NULL_OF(knn_overlap, "knn-overlap", "shared neighbours", 1, true)
NULL_OF(knn_jaccard, "knn-jaccard", "shared neighbours over all", 1, true)
NULL_OF(procrustes, "procrustes", "Procrustes distance", 0, true)
NULL_OF(linear_r2, "linear-r2", "linear map", 1, false)
NULL_OF(cca, "cca", "CCA", 1, true)
NULL_OF(svcca, "svcca", "SVCCA", 1, true)
NULL_OF(pwcca, "pwcca", "PWCCA", 1, false)
NULL_OF(ica_gap, "ica-gap", "ICA gap", 0, true)
NULL_OF(cca_information, "cca-information", "CCA information", (double)NAN, true)
NULL_OF(infonce, "infonce", "InfoNCE", (double)NAN, true)

const es_measure *const es_measures_null[] = {&null_cka,
                                              &null_cka_biased,
                                              &null_cka_rbf,
                                              &null_rsa,
                                              &null_rsa_correlation,
                                              &null_knn_overlap,
                                              &null_knn_jaccard,
                                              &null_procrustes,
                                              &null_linear_r2,
                                              &null_cca,
                                              &null_svcca,
                                              &null_pwcca,
                                              &null_ica_gap,
                                              &null_cca_information,
                                              &null_infonce,
                                              NULL};
