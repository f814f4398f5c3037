/* Structure kept from queries to answers, beside neighbours found by plain sorting. */
#include "testing.h"
#include "core_measures.h"
#include "matrices.h"

enum { PAIRS = 30, D = 4, K = 5 };

/* Is b among the K nearest of a, both of `side` (rows side, side + 1, ...)? By cosine. */
static bool is_near(const es_matrix *m, size_t side, size_t a, size_t b) {
    const double *x = m->x + (side + a) * D;
    double cosine[PAIRS];
    size_t nearer = 0;
    for (size_t j = 0; j < PAIRS; j++) {
        const double *y = m->x + (side + j) * D;
        double xy = 0, xx = 0, yy = 0;
        for (size_t c = 0; c < D; c++) {
            xy += x[c] * y[c];
            xx += x[c] * x[c];
            yy += y[c] * y[c];
        }
        cosine[j] = xy / sqrt(xx * yy);
    }
    for (size_t j = 0; j < PAIRS; j++)
        nearer += j != a && cosine[j] > cosine[b];
    return b != a && nearer < K;
}

static void fill(es_matrix *m) {
    es_rng rng = test_rng(9, 2);
    *m = matrix_kept(2 * PAIRS, D);
    for (size_t i = 0; i < (size_t)PAIRS * D; i++)
        m->x[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < (size_t)PAIRS * D; i++)
        m->x[(size_t)PAIRS * D + i] = m->x[i] + 0.5 * es_rng_normal(&rng);
}

static void measure(const es_matrix *m, const es_graded_pair *pairs, size_t count,
                    es_measure_value *out) {
    const es_measure *measure = es_measure_find("retention");
    const double values[] = {K, ES_COSINE};
    const es_pair_rules rules = {0};
    es_positives positives;
    assert_ok(es_positives_new(pairs, count, m->n, &rules, &positives, NULL));
    const es_measure_data data = {.positives = &positives};
    assert_ok(es_measure_embedder(measure, m, &data, values, NULL, out, NULL));
    es_positives_free(&positives);
}

TEST(retention__neighbours_of_both_sides__are_those_sorted_plainly) {
    es_matrix m;
    es_graded_pair pairs[PAIRS + 1];
    es_measure_value v[ES_MEASURE_FIELDS];
    double shared = 0, jaccard = 0;
    fill(&m);
    for (uint32_t i = 0; i < PAIRS; i++)
        pairs[i] = (es_graded_pair){i, PAIRS + i, (double)NAN};
    pairs[PAIRS] = (es_graded_pair){0, PAIRS + 7, (double)NAN}; /* its rows are in others */
    for (size_t a = 0; a < PAIRS; a++) {
        size_t both = 0;
        for (size_t b = 0; b < PAIRS; b++)
            both += is_near(&m, 0, a, b) && is_near(&m, PAIRS, a, b);
        shared += (double)both / K / PAIRS;
        jaccard += (double)both / (double)(2 * K - both) / PAIRS;
    }
    measure(&m, pairs, PAIRS + 1, v);
    assert_true(fabs(v[0].value - shared) < 1e-12);
    assert_true(v[0].low < shared && v[0].high > shared);
    assert_true(fabs(v[1].value - jaccard) < 1e-12);
    assert_true(fabs(v[2].value - (double)K / (PAIRS - 1)) < 1e-12);
    assert_true(v[3].value == PAIRS && v[4].value == 1);
    measure(&m, pairs, 2 * K - 2, v); /* neighbours are half of the pairs at most */
    assert_true(fabs(v[2].value - (K - 1.0) / (2 * K - 3)) < 1e-12 && v[0].warning);
    measure(&m, pairs, 3, v);
    assert_non_null(v[0].why);
}

TEST(retention__same_rows_on_both_sides__keeps_all) {
    es_matrix m;
    es_graded_pair pairs[PAIRS];
    es_measure_value v[ES_MEASURE_FIELDS];
    fill(&m);
    memcpy(m.x + (size_t)PAIRS * D, m.x, (size_t)PAIRS * D * sizeof *m.x);
    for (uint32_t i = 0; i < PAIRS; i++)
        pairs[i] = (es_graded_pair){PAIRS + i, i, (double)NAN};
    measure(&m, pairs, PAIRS, v);
    assert_true(fabs(v[0].value - 1) < 1e-12 && fabs(v[1].value - 1) < 1e-12);
}
