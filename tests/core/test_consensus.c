/* Consensus against refitting without each row, leading eigenvectors against all of them, and
 * independent components of known mixtures. */
#include "methods.h"

#include "core_alike.h"
#include "core_shape.h"
#include "refuse.h"
#include "sanitized.h"

/* ---- leading eigenvectors ---- */

static void check_leading(size_t n, size_t rank, double decay, size_t k) {
    double *x = test_alloc(n * rank, sizeof *x), *a = test_alloc(n * n, sizeof *a);
    double *all = test_alloc(n * n, sizeof *all), *value = test_alloc(n, sizeof *value);
    double *vector = test_alloc(k * n, sizeof *vector), *found = test_alloc(k, sizeof *found);
    es_rng rng = test_rng(4, n);
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < n; i++)
            x[i * rank + j] = es_rng_normal(&rng) * pow((double)(j + 1), -decay);
    es_dgemm(false, true, n, n, rank, x, x, a);
    memcpy(all, a, n * n * sizeof *a);
    assert_ok(es_eigen(n, all, value, NULL));
    assert_ok(es_eigen_leading(n, a, k, 7, NULL, vector, found, NULL));
    for (size_t i = 0; i < k; i++) {
        double square = 0;
        assert_near(found[i], value[n - 1 - i], 1e-11 * value[n - 1]);
        for (size_t r = 0; r < n; r++) {
            double off = -found[i] * vector[i * n + r];
            for (size_t c = 0; c < n; c++)
                off += a[r * n + c] * vector[i * n + c];
            square += off * off;
        }
        assert_true(sqrt(square) < 1e-11 * value[n - 1]);
        for (size_t j = 0; j <= i; j++) {
            double along = 0;
            for (size_t r = 0; r < n; r++)
                along += vector[i * n + r] * vector[j * n + r];
            assert_near(along, i == j, 1e-11);
        }
    }
}

TEST(leading__of_any_spectrum__equals_the_whole) {
    check_leading(300, 300, 0.5, 8); /* by the Krylov space */
    check_leading(300, 300, 2, 8);   /* that decays */
    check_leading(300, 300, 0, 4);   /* that hardly does */
    check_leading(300, 300, 0, 12);  /* so that restarts are given up */
    check_leading(300, 5, 0.5, 8);   /* of low rank */
    check_leading(40, 40, 0.5, 8);   /* small: all of it */
}

/* By the Krylov space, of low rank, and where all are made. */
TEST(leading__interrupted_or_out_of_memory__says_so) {
    enum { N = 120, K = 1 };
    double *a = test_alloc((size_t)N * N, sizeof *a), vector[N], value = 0;
    es_run run;
    for (size_t kind = 0; kind < 3; kind++) {
        size_t n = kind == 2 ? 20 : N, rank = kind == 1 ? 3 : n;
        double usual = 0;
        bool met = true;
        memset(a, 0, n * n * sizeof *a);
        for (size_t i = 0; i < rank; i++)
            a[i * n + i] = 1 / (1 + (double)i);
        unsigned long before = es_alloc_count();
        assert_ok(es_eigen_leading(n, a, K, 7, NULL, vector, &usual, NULL));
        assert_near(usual, 1, 1e-11);
        if (kind == 0) /* five blocks and one a restart: it gets there without all the others */
            assert_true(es_alloc_count() - before < 15);
        for (long k = 0; met; k++) {
            refuse_one(k);
            es_status st = es_eigen_leading(n, a, K, 7, NULL, vector, &value, NULL);
            met = refuse_end();
            assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
        }
        es_run_init(&run);
        es_run_cancel(&run);
        if (kind < 2)
            assert_int_equal(es_eigen_leading(n, a, K, 7, &run, vector, &value, NULL),
                             ES_ECANCELED);
    }
}

/* Few axes of many rows and columns, more of one or of the other; and variances alone. */
TEST(pca__few_axes__equal_those_of_all) {
    enum { FEW = 6, N = ES_PCA_LARGE, D = N + 40 };
    es_matrix x = matrix_kept(N, D);
    es_rng rng = test_rng(5, 1);
    for (size_t i = 0; i < N; i++) {
        double latent[FEW];
        for (size_t k = 0; k < FEW; k++)
            latent[k] = es_rng_normal(&rng) * (double)(FEW - k);
        for (size_t j = 0; j < D; j++)
            x.x[i * D + j] = latent[j % FEW] + es_rng_normal(&rng);
    }
    for (size_t turned = 0; turned < 2; turned++) {
        es_matrix m = {turned ? D : N, turned ? N : D, x.x};
        es_pca all = {0}, few = {0}, none = {0};
        assert_ok(es_pca_new(&m, ES_PCA_ALL, &all, NULL));
        assert_ok(es_pca_new(&m, FEW, &few, NULL));
        assert_ok(es_pca_new(&m, 0, &none, NULL));
        assert_int_equal(all.axes, N);
        assert_int_equal(few.axes, FEW);
        assert_int_equal(few.rank, FEW);
        assert_int_equal(none.axes, 0);
        assert_int_equal(none.rank, N);
        assert_near(few.total, all.total, 1e-11 * all.total);
        for (size_t a = 0; a < N; a++)
            assert_near(none.var[a], all.var[a], 1e-12 * all.var[0]);
        for (size_t a = 0; a < FEW; a++) {
            double along = 0;
            assert_near(few.var[a], all.var[a], 1e-12 * all.var[0]);
            for (size_t j = 0; j < m.d; j++)
                along += few.axis[a * m.d + j] * all.axis[a * m.d + j];
            assert_near(fabs(along), 1, 1e-9);
        }
        es_pca_free(&all);
        es_pca_free(&few);
        es_pca_free(&none);
    }
}

TEST(pca__one_row__has_its_square) {
    double row[2] = {3, 4};
    es_pca pca = {0};
    assert_ok(es_pca_new(&(es_matrix){1, 2, row}, ES_PCA_ALL, &pca, NULL));
    assert_int_equal(pca.axes, 1);
    assert_near(pca.var[0], 25, 1e-12);
    assert_near(pca.total, 25, 1e-12);
    assert_near(fabs(pca.axis[1]), 0.8, 1e-12);
    es_pca_free(&pca);
}

/* ---- consensus ---- */

enum { N = 26, MODELS = 3 };

static es_matrix model[MODELS];

static es_status read_model(void *context, size_t k, es_matrix *out, es_error *err) {
    (void)context;
    if (k >= MODELS)
        return es_fail(err, ES_EINVAL, "no such embedder");
    es_status st = es_matrix_new(model[k].n, model[k].d, out, err);
    if (st == ES_OK)
        memcpy(out->x, model[k].x, model[k].n * model[k].d * sizeof *out->x);
    return st;
}

static es_matrix standardised(const es_matrix *m) {
    es_matrix z = {0}, packed = {0};
    size_t kept = 0;
    z = matrix_kept(m->n, m->d);
    for (size_t j = 0; j < m->d; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < m->n; i++)
            mean += m->x[i * m->d + j] / (double)m->n;
        for (size_t i = 0; i < m->n; i++)
            square += pow(m->x[i * m->d + j] - mean, 2) / (double)m->n;
        if (square < 1e-20)
            continue;
        for (size_t i = 0; i < m->n; i++)
            z.x[i * m->d + kept] = (m->x[i * m->d + j] - mean) / sqrt(square);
        kept++;
    }
    packed = matrix_kept(m->n, kept);
    for (size_t i = 0; i < m->n; i++)
        memcpy(packed.x + i * kept, z.x + i * m->d, kept * sizeof *z.x);
    return packed;
}

/* What is predicted of row `out` by a ridge regression of y on the other rows of z, both centred
 * there. */
static double predicted(const es_matrix *z, const double *y, size_t out, double penalty) {
    size_t d = z->d;
    double *a = test_alloc(d * d, sizeof *a), *b = test_alloc(d, sizeof *b),
           *mean = test_alloc(d, sizeof *b);
    double middle = 0;
    for (size_t i = 0; i < N; i++) {
        middle += i == out ? 0 : y[i] / (N - 1);
        for (size_t j = 0; j < d && i != out; j++)
            mean[j] += z->x[i * d + j] / (N - 1);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < d && i != out; j++) {
            double own = z->x[i * d + j] - mean[j];
            b[j] += own * (y[i] - middle);
            for (size_t k = 0; k <= j; k++)
                a[j * d + k] += own * (z->x[i * d + k] - mean[k]);
        }
    for (size_t j = 0; j < d; j++)
        a[j * d + j] += N * penalty;
    assert_ok(es_solve(d, a, 1, b, NULL));
    double sum = middle;
    for (size_t j = 0; j < d; j++)
        sum += b[j] * (z->x[out * d + j] - mean[j]);
    return sum;
}

static double plain_consensus(size_t of, size_t components, double penalty) {
    double gram[N * N] = {0}, value[N], sum = 0, weights = 0;
    for (size_t k = 0; k < MODELS; k++) {
        es_matrix z = standardised(&model[k]);
        for (size_t i = 0; i < (size_t)N * N && k != of; i++)
            for (size_t j = 0; j < z.d; j++)
                gram[i] += z.x[i / N * z.d + j] * z.x[i % N * z.d + j] / (double)z.d;
    }
    assert_ok(es_eigen(N, gram, value, NULL));
    es_matrix z = standardised(&model[of]);
    for (size_t c = 0; c < components; c++) {
        const double *y = gram + (N - 1 - c) * N;
        double off = 0, all = 0;
        for (size_t i = 0; i < N; i++) {
            off += pow(y[i] - predicted(&z, y, i, penalty), 2);
            all += pow(y[i] * N / (N - 1.0), 2);
        }
        sum += value[N - 1 - c] * (1 - off / all);
        weights += value[N - 1 - c];
    }
    return sum / weights;
}

/* Views of the same four numbers: one plain, one wide with a constant column; and noise. */
static void make_models(void) {
    static const size_t width[MODELS] = {6, 40, 5};
    es_rng rng = test_rng(11, 2);
    double shared[N][4], mix[40][4];
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 4; k++)
            shared[i][k] = es_rng_normal(&rng);
    for (size_t m = 0; m < MODELS; m++) {
        model[m] = matrix_kept(N, width[m]);
        for (size_t j = 0; j < width[m]; j++)
            for (size_t k = 0; k < 4; k++)
                mix[j][k] = es_rng_normal(&rng);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < width[m]; j++) {
                double v = es_rng_normal(&rng) * (m == 2 ? 1 : 0.3);
                for (size_t k = 0; k < 4 && m != 2; k++)
                    v += shared[i][k] * mix[j][k];
                model[m].x[i * width[m] + j] = m == 1 && j == 7 ? 3 : 100 * v + 5;
            }
    }
}

TEST(consensus__of_each__equals_refitting_without_each_row) {
    const es_embedders all = {MODELS, NULL, read_model};
    const es_consensus_rules rules = {.rows = 100, .components = 3, .seed = 1};
    es_consensus *c = NULL;
    make_models();
    assert_ok(es_consensus_new(&all, &rules, NULL, &c, NULL));
    for (size_t m = 0; m < MODELS; m++) {
        es_consensus_value v;
        double best = -HUGE_VAL;
        assert_ok(es_consensus_of(c, &model[m], NULL, &v, NULL));
        assert_null(v.r2.why);
        assert_int_equal(v.components, 3);
        assert_true(v.share > 0.3 && v.share <= 1);
        for (int p = -3; p <= 3; p++)
            best = fmax(best, plain_consensus(m, 3, pow(10, p)));
        assert_near(v.r2.value, best, 1e-9);
        assert_near(v.r2.value, plain_consensus(m, 3, v.penalty), 1e-9);
        assert_true(m == 2 ? v.r2.value < 0.2 : v.r2.value > 0.3);
    }
    es_consensus_free(c);
}

TEST(consensus__without_others__says_so) {
    const es_embedders one = {1, NULL, read_model};
    const es_consensus_rules rules = {.rows = 100, .components = 3, .seed = 1};
    es_consensus *c = NULL;
    es_consensus_value v;
    make_models();
    assert_ok(es_consensus_new(&one, &rules, NULL, &c, NULL));
    assert_ok(es_consensus_of(c, &model[0], NULL, &v, NULL));
    assert_string_equal(v.r2.why, "no other embedder");
    es_consensus_free(c);
    for (size_t i = 0; i < model[0].n * model[0].d; i++)
        model[0].x[i] = 2;
    const es_embedders all = {MODELS, NULL, read_model};
    assert_ok(es_consensus_new(&all, &rules, NULL, &c, NULL));
    assert_ok(es_consensus_of(c, &model[0], NULL, &v, NULL));
    assert_string_equal(v.r2.why, "constant");
    es_consensus_free(c);
}

/* ---- independent components ---- */

enum { ROWS = 4000, SOURCES = 3 };

/* Rows are a mixture of independent uniform, exponential and bimodal sources. */
static es_matrix mixture(size_t d, uint64_t seed, uint64_t sources_seed) {
    es_rng rng, own;
    double mix[8][SOURCES];
    es_rng_init(&rng, sources_seed, 1);
    es_rng_init(&own, seed, 2);
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < SOURCES; k++)
            mix[j][k] = es_rng_normal(&own);
    es_matrix m = matrix_kept(ROWS, d);
    for (size_t i = 0; i < ROWS; i++) {
        double s[SOURCES];
        s[0] = es_rng_uniform(&rng);
        s[1] = -log(1 - es_rng_uniform(&rng));
        s[2] = (es_rng_uniform(&rng) < 0.5 ? 1 : -1) + 0.2 * es_rng_normal(&rng);
        for (size_t j = 0; j < d; j++) {
            m.x[i * d + j] = 0;
            for (size_t k = 0; k < SOURCES; k++)
                m.x[i * d + j] += mix[j][k] * s[k];
        }
    }
    return m;
}

static es_ica_side *side_of(const es_matrix *m, uint64_t seed) {
    const es_ica_rules rules = {.components = 8, .steps = 400, .seed = seed};
    es_ica_side *s = NULL;
    assert_ok(es_ica_side_new(m, &rules, NULL, &s, NULL));
    return s;
}

TEST(components__of_mixtures__are_the_sources_whatever_the_mixing) {
    es_matrix a = mixture(5, 3, 1), b = mixture(8, 4, 1), other = mixture(5, 3, 2);
    es_ica_side *sa = side_of(&a, 0), *sb = side_of(&b, 9), *so = side_of(&other, 0);
    es_ica_gap g;
    assert_int_equal(sa->k, SOURCES); /* the rank of the mixture */
    assert_true(sa->converged && sb->converged);
    assert_ok(es_ica_gap_of(sa, sb, NULL, &g, NULL));
    assert_int_equal(g.matched, SOURCES);
    assert_true(g.retention.value > 1 - 1e-6 && g.gap.value < 1e-3);
    assert_true(g.repeat > 1 - 1e-6 && g.halves > 0.99); /* from whatever start, and rows */
    assert_ok(es_ica_gap_of(sa, so, NULL, &g, NULL));
    assert_true(g.retention.value < 0.1 && g.gap.value > 0.9);
    for (size_t p = 0; p < sa->k; p++) /* uncorrelated, variance 1 */
        for (size_t q = 0; q <= p; q++) {
            double sum = 0;
            for (size_t i = 0; i < ROWS; i++)
                sum += sa->s[p * ROWS + i] * sa->s[q * ROWS + i] / ROWS;
            assert_near(sum, p == q, 1e-10);
        }
    es_ica_side_free(sa);
    es_ica_side_free(sb);
    es_ica_side_free(so);
}

/* Noise has no components: of several searches from starts 1e-9 apart, some end elsewhere, and all
 * do in other rows. */
TEST(components__of_noise__are_not_found_again) {
    double lowest = 1, halves = 0;
    for (uint64_t seed = 2; seed < (SANITIZED ? 3 : 4); seed++) {
        const es_ica_rules rules = {.components = 16, .steps = 1000, .seed = 0};
        es_ica_side *s = NULL;
        es_rng rng = test_rng(seed, 1);
        es_matrix m = matrix_kept(1000, 32);
        for (size_t i = 0; i < m.n * m.d; i++)
            m.x[i] = es_rng_normal(&rng);
        assert_ok(es_ica_side_new(&m, &rules, NULL, &s, NULL));
        lowest = fmin(lowest, s->repeat);
        halves = fmax(halves, s->halves);
        es_ica_side_free(s);
    }
    assert_true((SANITIZED || lowest < 0.9) && halves < 0.7);
}

TEST(components__fewer_on_one_side__match_those_there_are) {
    es_matrix a = mixture(5, 3, 1), one = {0}, flat = {0};
    one = matrix_kept(ROWS, 1);
    flat = matrix_kept(ROWS, 1);
    es_ica_side *sa = side_of(&a, 0), *s1 = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        one.x[i] = 7 - 4 * sa->s[ROWS + i];
        flat.x[i] = 1;
    }
    es_ica_gap g;
    s1 = side_of(&one, 0);
    assert_ok(es_ica_gap_of(sa, s1, NULL, &g, NULL));
    assert_int_equal(g.matched, 1);
    assert_near(g.retention.value, 1, 1e-12);
    assert_near(g.gap.value, 0, 1e-12);
    es_ica_side_free(s1);
    s1 = side_of(&flat, 0);
    assert_ok(es_ica_gap_of(s1, sa, NULL, &g, NULL));
    assert_string_equal(g.gap.why, "constant");
    es_ica_side_free(s1);
    es_ica_side_free(sa);
}
