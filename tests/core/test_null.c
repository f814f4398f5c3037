/* Similarity against permuted rows, beside a plain CKA of rows shuffled here. */
#include "testing.h"
#include "core_measures.h"
#include "matrices.h"

enum { N = 60, DX = 5, DY = 7, DRAWS = 39 };

static void fill(es_matrix *x, es_matrix *y) {
    es_rng rng = test_rng(3, 1);
    *x = matrix_kept(N, DX);
    *y = matrix_kept(N, DY);
    for (size_t i = 0; i < (size_t)N * DX; i++)
        x->x[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < DY; j++)
            y->x[i * DY + j] = 0.7 * x->x[i * DX + j % DX] + es_rng_normal(&rng);
}

/* |A'B|^2 of centred columns. */
static double cross(const double *a, size_t da, const double *b, size_t db, const uint32_t *row) {
    double all = 0;
    for (size_t p = 0; p < da; p++)
        for (size_t q = 0; q < db; q++) {
            double ma = 0, mb = 0, sum = 0;
            for (size_t i = 0; i < N; i++) {
                ma += a[i * da + p] / N;
                mb += b[i * db + q] / N;
            }
            for (size_t i = 0; i < N; i++)
                sum += (a[i * da + p] - ma) * (b[row[i] * db + q] - mb);
            all += sum * sum;
        }
    return all;
}

static double plain_cka(const es_matrix *x, const es_matrix *y, const uint32_t *row,
                        const uint32_t *same) {
    return cross(x->x, DX, y->x, DY, row) /
           sqrt(cross(x->x, DX, x->x, DX, same) * cross(y->x, DY, y->x, DY, same));
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_pair(const es_measure *m, const es_matrix *x, const es_matrix *y,
                         es_measure_value *out) {
    const double values[ES_MEASURE_FIELDS] = {DRAWS};
    const es_measure_data data = {.seed = 8};
    void *a = NULL, *b = NULL;
    assert_ok(m->side_new(x, &data, values, NULL, &a, NULL));
    assert_ok(m->side_new(y, &data, values, NULL, &b, NULL));
    assert_true(m->side_bytes(a) >= x->n * x->d * sizeof(double));
    memset(out, 0, ES_MEASURE_FIELDS * sizeof *out);
    assert_ok(m->pair(a, b, NULL, out, NULL));
    m->side_free(a);
    m->side_free(b);
}

TEST(null__cka__is_that_of_rows_shuffled_plainly) {
    es_matrix x, y;
    es_measure_value v[ES_MEASURE_FIELDS];
    double null[DRAWS], mean = 0;
    uint32_t row[N], same[N];
    size_t as_good = 0;
    fill(&x, &y);
    for (uint32_t i = 0; i < N; i++)
        same[i] = i;
    double observed = plain_cka(&x, &y, same, same);
    for (size_t k = 0; k < DRAWS; k++) {
        memcpy(row, same, sizeof row);
        es_rng rng = test_rng(8, es_rng_stream(ES_STREAM_PERMUTE, k));
        es_rng_shuffle(&rng, row, N);
        null[k] = plain_cka(&x, &y, row, same);
        mean += null[k] / DRAWS;
        as_good += null[k] >= observed;
    }
    qsort(null, DRAWS, sizeof *null, compare);
    double quantile = null[37]; /* the 38th of 39: .95 of 40 */
    measure_pair(es_measure_find("null-cka-biased"), &x, &y, v);
    assert_true(fabs(v[1].value - observed) < 1e-5);
    assert_true(fabs(v[2].value - quantile) < 1e-5);
    assert_true(fabs(v[3].value - mean) < 1e-5);
    assert_true(fabs(v[0].value - (observed - quantile)) < 1e-5);
    assert_true(fabs(v[4].value - (observed - quantile) / (1 - quantile)) < 1e-5);
    assert_true(fabs(v[5].value - (1.0 + (double)as_good) / (1 + DRAWS)) < 1e-12);
}

/* Each finds an embedder and itself, and none finds noise and noise. */
TEST(null__every_measure__tells_a_twin_from_noise) {
    es_matrix x, y, z;
    fill(&x, &y);
    es_rng rng = test_rng(4, 4);
    z = matrix_kept(N, DY);
    for (size_t i = 0; i < (size_t)N * DY; i++)
        z.x[i] = es_rng_normal(&rng);
    for (const es_measure *const *m = es_measures_null; *m; m++) {
        es_measure_value twin[ES_MEASURE_FIELDS], other[ES_MEASURE_FIELDS];
        assert_ptr_equal(es_measure_find((*m)->name), *m);
        assert_ptr_equal(es_measure_against_null(*m), *m);
        assert_true(strlen((*m)->caveat) < 100);
        if (strcmp((*m)->name, "null-infonce") == 0) /* as many trainings as draws */
            continue;
        measure_pair(*m, &x, &x, twin);
        measure_pair(*m, &x, &z, other);
        assert_null(twin[0].why);
        assert_true(twin[0].value > 0);
        assert_true(fabs(twin[5].value - 1.0 / (1 + DRAWS)) < 1e-12);
        assert_true(other[5].value >= twin[5].value && other[0].value < twin[0].value);
        assert_true(other[0].value < 0.05);
    }
    assert_null(es_measure_against_null(es_measure_find("probe")));
    assert_null(es_measure_against_null(es_measure_find("rsa-p")));
}
