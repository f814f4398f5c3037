/* Probes against reference values, and what they refuse. */
#include "methods.h"

#include "core_methods.h"
#include "probe_parts.h"
#include "refuse.h"
#include "sanitized.h"

static uint32_t rows[600];

static int number_rows(void **state) {
    for (uint32_t i = 0; i < 600; i++)
        rows[i] = i;
    return 0;
}

TEST_GROUP(number_rows, NULL);

TEST(probe__five_neighbours__equal_the_reference) {
    static const char *const pool[] = {"digits_raw64", "digits_pca16", "digits_relu32",
                                       "digits_rot64", "noise8"};
    static const char *const metric[] = {"cosine", "euclidean"};
    double label[400], predicted[100];
    methods_csv("digits_labels.csv", 1, label, 400);
    const es_task task = {400, label, true};
    for (int i = 0; i < 5; i++)
        for (int by = 0; by < ES_METRICS; by++) {
            char file[64];
            int right = 0;
            snprintf(file, sizeof file, "%s.npy", pool[i]);
            es_matrix m = methods_npy(file);
            const es_probe_rules rules = {.kind = ES_PROBE_KNN, .metric = (es_metric)by};
            assert_ok(es_probe_predict(&m, &task, &rules, rows, 300, rows + 300, 100, NULL,
                                       predicted, NULL));
            for (int r = 0; r < 100; r++)
                right += predicted[r] == label[300 + r];
            assert_near(right / 100.0, expected("knn_recon/knn5/%s/%s", pool[i], metric[by]),
                        1e-12);
        }
}

/* What is predicted does not depend on the unit of the columns, nor on how far they lie from 0. */
TEST(probe__scaled__predicts_the_same) {
    static const double by[] = {1, 1e-13, 1e-36, 1e20};
    double label[400], predicted[4][100];
    methods_csv("digits_labels.csv", 1, label, 400);
    const es_task task = {400, label, true};
    const es_probe_rules rules = {.kind = ES_PROBE_LINEAR, .penalty = 1};
    for (size_t k = 0; k < 4; k++) {
        es_matrix m = methods_npy("digits_pca16.npy");
        for (size_t i = 0; i < m.n * m.d; i++)
            m.x[i] *= by[k];
        assert_ok(es_probe_predict(&m, &task, &rules, rows, 300, rows + 300, 100, NULL,
                                   predicted[k], NULL));
        size_t same = 0;
        for (size_t r = 0; r < 100; r++)
            same += predicted[k][r] == predicted[0][r];
        assert_int_equal(same, 100);
    }
}

/* Mean squared residual of u's predictions of each column of v, standardised by the first 300 rows,
 * over the last 100; *columns of v vary. */
static double reconstruct(const es_matrix *u, const es_matrix *v, size_t *columns) {
    const es_probe_rules rules = {.kind = ES_PROBE_RIDGE, .penalty = 1e-3};
    double target[400], predicted[100], sum = 0;
    const es_task task = {400, target, false};
    *columns = 0;
    for (size_t j = 0; j < v->d; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < 300; i++)
            mean += v->x[i * v->d + j] / 300;
        for (size_t i = 0; i < 300; i++)
            square += pow(v->x[i * v->d + j] - mean, 2) / 300;
        if (sqrt(square) <= 1e-12)
            continue;
        for (size_t i = 0; i < 400; i++)
            target[i] = (v->x[i * v->d + j] - mean) / sqrt(square);
        assert_ok(
            es_probe_predict(u, &task, &rules, rows, 300, rows + 300, 100, NULL, predicted, NULL));
        for (size_t i = 0; i < 100; i++)
            sum += pow(target[300 + i] - predicted[i], 2);
        *columns += 1;
    }
    return sum / (100 * (double)*columns);
}

TEST(probe__ridge__reconstructs_as_the_reference) {
    static const char *const pool[] = {"digits_raw64", "digits_pca16", "digits_relu32",
                                       "digits_rot64", "noise8"};
    const char *base = "knn_recon/recon_ridge_1e-3";
    es_matrix m[5];
    for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.npy", pool[i]);
        m[i] = methods_npy(name);
    }
    for (int a = 0; a < 5; a++) {
        double row[4];
        size_t n = 0, columns = 0;
        for (int b = 0; b < 5; b++) {
            if (a == b)
                continue;
            row[n] = reconstruct(&m[a], &m[b], &columns);
            assert_near(row[n++],
                        expected("%s/matrix_row_predicts_col/%s/%s", base, pool[a], pool[b]), 1e-9);
            assert_int_equal(columns, (int)expected("%s/usable_columns/%s", base, pool[b]));
        }
        assert_near(es_stat_median(row, n), expected("%s/median_over_targets/%s", base, pool[a]),
                    1e-9);
    }
}

TEST(probe__logistic__has_the_right_slope_and_ends_flat) {
    enum { N = 150, D = 4, C = 3, SIZE = C * (D + 1) };
    double label[N], z[N * C], w[SIZE], gradient[SIZE], other[SIZE];
    uint32_t y[N];
    es_matrix m = methods_npy("iris.npy");
    methods_csv("iris_labels.csv", 1, label, N);
    for (size_t i = 0; i < N; i++)
        y[i] = (uint32_t)label[i];
    for (size_t i = 0; i < SIZE; i++)
        w[i] = 0.1 * sin((double)i);
    (void)es_logistic_loss(m.x, y, N, D, C, 0.01, w, z, gradient);
    for (size_t i = 0; i < SIZE; i++) {
        double h = 1e-6, at = w[i];
        w[i] = at + h;
        double up = es_logistic_loss(m.x, y, N, D, C, 0.01, w, z, other);
        w[i] = at - h;
        double down = es_logistic_loss(m.x, y, N, D, C, 0.01, w, z, other);
        w[i] = at;
        assert_near((up - down) / (2 * h), gradient[i], 1e-7);
    }
    assert_ok(es_logistic_fit(m.x, y, N, D, C, 0.01, NULL, w, NULL));
    (void)es_logistic_loss(m.x, y, N, D, C, 0.01, w, z, gradient);
    for (size_t i = 0; i < SIZE; i++)
        assert_true(fabs(gradient[i]) < 1e-3);
}

static es_probe probe_of(const char *file, const es_task *task, es_probe_kind kind) {
    const es_probe_rules rules = {.kind = kind, .seed = 1};
    es_probe p;
    es_matrix m = methods_npy(file);
    assert_ok(es_probe_of(&m, task, &rules, NULL, &p, test_err()));
    return p;
}

TEST(probe__cross_validated__tells_signal_from_noise) {
    enum {
        KINDS = SANITIZED ? 1 : ES_PROBE_KINDS
    }; /* that memory may run out in all of them is below */
    double label[600], numbers[600];
    methods_csv("digits_labels.csv", 1, label, 600);
    const es_task digits = {400, label, true};
    for (int kind = 0; kind < KINDS; kind++) {
        es_probe good = probe_of("digits_pca16.npy", &digits, (es_probe_kind)kind);
        es_probe bad = probe_of("noise8.npy", &digits, (es_probe_kind)kind);
        assert_true(good.score > 0.85 && good.low < good.score && good.score < good.high);
        assert_true(bad.score < 0.2 && bad.low < bad.chance + 0.05);
        assert_int_equal(good.labelled, 400);
    }
    methods_csv("diabetes_labels.csv", 1, numbers, 600);
    const es_task diabetes = {442, numbers, false};
    es_probe r2 = probe_of("diabetes.npy", &diabetes, ES_PROBE_LINEAR);
    assert_true(r2.score > 0.4 && r2.score < 0.55); /* 0.48 by 5-fold least squares */
    assert_true(r2.low < r2.score && r2.score < r2.high && r2.chance == 0);
    for (size_t i = 100; i < 400; i++)
        label[i] = NAN;
    assert_int_equal(probe_of("digits_pca16.npy", &digits, ES_PROBE_KNN).labelled, 100);
}

TEST(probe__more_columns_than_rows__is_solved_in_rows) {
    double label[30];
    es_matrix m = methods_npy("rand30x100.npy");
    for (size_t i = 0; i < 30; i++)
        label[i] = 3 * m.x[i * 100];
    const es_task task = {30, label, false};
    const es_probe_rules rules = {.kind = ES_PROBE_RIDGE, .penalty = 1e-6};
    double predicted[10];
    assert_ok(es_probe_predict(&m, &task, &rules, rows, 30, rows, 10, NULL, predicted, NULL));
    for (int i = 0; i < 10; i++)
        assert_true(fabs(predicted[i] - label[i]) < 1e-3); /* what was learnt comes back */
}

/* What the vectors do not tell is told by how frequent classes are. */
TEST(probe__classes_unlike_in_number__are_told_without_signal) {
    enum { N = 60 };
    double x[N * 2], label[N], predicted[N];
    uint32_t train[N];
    const es_matrix m = {N, 2, x};
    const es_task task = {N, label, true};
    for (uint32_t i = 0; i < N; i++) {
        x[2 * i] = i % 2 ? 1 : -1;
        x[2 * i + 1] = i / 2 % 2 ? 1 : -1;
        label[i] = i / 4 % 5 == 0 ? 0 : i / 4 % 5 == 1 ? 1 : 2; /* 3 of 5 are the third */
        train[i] = i;
    }
    for (int kind = ES_PROBE_LINEAR; kind <= ES_PROBE_RIDGE; kind++) {
        const es_probe_rules rules = {.kind = (es_probe_kind)kind};
        assert_ok(es_probe_predict(&m, &task, &rules, train, N, train, N, NULL, predicted, NULL));
        for (size_t i = 0; i < N; i++)
            assert_true(predicted[i] == 2);
    }
}

TEST(probe__misuse__is_refused) {
    double x[] = {1, 2, 3, 4, 5, 6}, same[] = {1, 1, 1, 1, 1, 1},
           few[] = {0, 1, NAN, NAN, NAN, NAN};
    const es_matrix m = {6, 1, x};
    const es_task one = {6, same, true}, flat = {6, same, false}, short_of = {6, few, true},
                  other = {5, x, true};
    const es_probe_rules rules = {.folds = 2};
    es_probe p;
    double out[6];
    assert_int_equal(es_probe_of(&m, &one, &rules, NULL, &p, NULL), ES_EINVAL);
    assert_int_equal(es_probe_of(&m, &flat, &rules, NULL, &p, NULL), ES_EINVAL);
    assert_int_equal(es_probe_of(&m, &short_of, &rules, NULL, &p, NULL), ES_EEMPTY);
    assert_int_equal(es_probe_of(&m, &other, &rules, NULL, &p, NULL), ES_EINVAL);
    const es_task good = {6, x, false};
    assert_int_equal(es_probe_predict(&m, &good, &rules, rows, 0, rows, 1, NULL, out, NULL),
                     ES_EEMPTY);
    assert_int_equal(es_probe_predict(&m, &good, &rules, rows, 7, rows, 1, NULL, out, NULL),
                     ES_EINVAL);
}

TEST(probe__out_of_memory__is_reported) {
    double label[150];
    methods_csv("iris_labels.csv", 1, label, 150);
    es_matrix m = methods_npy("iris.npy");
    const es_task task = {150, label, true};
    for (int kind = 0; kind < ES_PROBE_KINDS; kind++) {
        const es_probe_rules rules = {.kind = (es_probe_kind)kind, .folds = 2};
        es_probe usual, p;
        bool met = true;
        assert_ok(es_probe_of(&m, &task, &rules, NULL, &usual, NULL));
        const long step = kind == ES_PROBE_MLP ? 4 : 1; /* each trains for 1,000 steps */
        for (long k = 0; met; k += step) {
            refuse_one(k);
            es_status st = es_probe_of(&m, &task, &rules, NULL, &p, NULL);
            met = refuse_end();
            assert_true(st == ES_ENOMEM || st == ES_OK);
            assert_true(met || st == ES_OK);
            if (st == ES_OK && p.score != usual.score)
                fail_msg("kind %d, allocation %ld: %g", kind, k, p.score);
        }
    }
}

/* Half the squared length of the weights and the losses, written out. */
static double svm_objective(const es_matrix *x, const double *y, bool classes, double penalty,
                            const double *w) {
    double sum = 0;
    for (size_t j = 0; j <= x->d; j++)
        sum += penalty * (double)x->n * w[j] * w[j] / 2;
    for (size_t i = 0; i < x->n; i++) {
        double z = w[x->d];
        for (size_t j = 0; j < x->d; j++)
            z += w[j] * x->x[i * x->d + j];
        double loss = classes ? 1 - y[i] * z : fabs(y[i] - z) - ES_PROBE_TUBE;
        sum += loss > 0 ? loss * loss / 2 : 0;
    }
    return sum;
}

/* The objective is convex: where a step along no axis makes it less, nothing does. */
TEST(probe__svm__is_at_the_least_of_its_objective) {
    enum { N = 80, D = 6 };
    const double penalty = 1e-2, step = 1e-4;
    double y[N], w[D + 1], none[D + 1] = {0};
    es_rng rng;
    es_matrix x = matrix_kept(N, D);
    for (int classes = 0; classes < 2; classes++) {
        es_rng_init(&rng, 5, (uint64_t)classes);
        for (size_t i = 0; i < (size_t)N * D; i++)
            x.x[i] = es_rng_normal(&rng);
        for (size_t i = 0; i < N; i++) {
            y[i] = 0.6 * x.x[i * D] - 0.4 * x.x[i * D + 1] + 0.5 * es_rng_normal(&rng);
            y[i] = classes ? (y[i] > 0.1 ? 1 : -1) : y[i];
        }
        assert_ok(es_probe_svm(&x, y, classes, penalty, NULL, w, NULL));
        double least = svm_objective(&x, y, classes, penalty, w);
        assert_true(least < 0.8 * svm_objective(&x, y, classes, penalty, none));
        for (size_t j = 0; j <= D; j++)
            for (int side = -1; side <= 1; side += 2) {
                w[j] += side * step;
                assert_true(svm_objective(&x, y, classes, penalty, w) > least);
                w[j] -= side * step;
            }
    }
}

/* By every model: the score is 1 - n rmse^2 over the labels' squares around their mean. */
TEST(probe__rmse__is_the_error_behind_the_score) {
    double label[600], mean = 0, squares = 0;
    methods_csv("diabetes_labels.csv", 1, label, 600);
    es_matrix m = methods_npy("diabetes.npy");
    const es_task task = {442, label, false};
    for (size_t i = 0; i < 442; i++)
        mean += label[i] / 442;
    for (size_t i = 0; i < 442; i++)
        squares += (label[i] - mean) * (label[i] - mean);
    for (int kind = 0; kind < ES_PROBE_KINDS; kind++) {
        const es_probe_rules rules = {.kind = (es_probe_kind)kind, .seed = 1};
        es_probe p;
        assert_ok(es_probe_of(&m, &task, &rules, NULL, &p, NULL));
        assert_near(p.score, 1 - 442 * p.rmse * p.rmse / squares, 1e-9);
        assert_true(kind != ES_PROBE_SVM || p.score > 0.4);
    }
}

/* Rows on a line: the three nearest of each are known, and numbers are averaged. */
TEST(probe__neighbours_of_numbers__predict_their_mean) {
    double x[] = {0, 1, 2, 10, 11, 12, 0.9, 11.2}, y[] = {3, 6, 9, 30, 33, 60, 0, 0}, got[2];
    const es_matrix m = {.n = 8, .d = 1, .x = x};
    const es_task task = {8, y, false};
    const es_probe_rules rules = {.kind = ES_PROBE_KNN, .metric = ES_L2, .k = 3};
    assert_ok(es_probe_predict(&m, &task, &rules, rows, 6, rows + 6, 2, NULL, got, NULL));
    assert_near(got[0], 6, 1e-12);
    assert_near(got[1], 41, 1e-12);
}

/* Two places, a class at each, except one row: right in four folds of 8, wrong once in the fifth.
 */
TEST(probe__one_stray_row__gives_the_spread_of_folds) {
    double x[40], label[40];
    for (size_t i = 0; i < 40; i++) {
        label[i] = i < 20;
        x[i] = i < 19 ? -5 : 5;
    }
    const es_matrix m = {40, 1, x};
    const es_task task = {40, label, true};
    const es_probe_rules rules = {.kind = ES_PROBE_KNN, .metric = ES_L2, .k = 5, .folds = 5};
    es_probe p;
    assert_ok(es_probe_of(&m, &task, &rules, NULL, &p, NULL));
    assert_near(p.score, 39 / 40.0, 1e-12);
    assert_near(p.fold_sd, sqrt(0.2) / 8, 1e-12);
    assert_near(p.chance, 0.5, 1e-12);
}

/* Classes that no line parts, and a bent number: what a hidden layer is for. */
TEST(probe__one_hidden_layer__sees_what_a_line_does_not) {
    enum { N = 600 };
    static double x[2 * N], ring[N], bent[N], predicted[100], again[100];
    uint64_t seed = 7;
    for (size_t i = 0; i < 2 * N; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        x[i] = (double)(seed >> 11) / 4503599627370496.0 - 1;
    }
    for (size_t i = 0; i < N; i++) {
        ring[i] = x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1] < 0.6;
        bent[i] = 100 + 5 * fabs(x[2 * i]);
    }
    const es_matrix m = {N, 2, x};
    const es_task classes = {N, ring, true}, numbers = {N, bent, false};
    size_t right[2] = {0};
    double error[2] = {0}, mean = 0;
    for (int k = 0; k < 2; k++) {
        const es_probe_rules rules = {.kind = k ? ES_PROBE_MLP : ES_PROBE_LINEAR};
        assert_ok(es_probe_predict(&m, &classes, &rules, rows, 500, rows + 500, 100, NULL,
                                   predicted, NULL));
        for (size_t i = 0; i < 100; i++)
            right[k] += fabs(predicted[i] - ring[500 + i]) < 0.5;
        assert_ok(es_probe_predict(&m, &numbers, &rules, rows, 500, rows + 500, 100, NULL,
                                   predicted, NULL));
        for (size_t i = 0; i < 100; i++)
            error[k] += pow(predicted[i] - bent[500 + i], 2) / 100;
        assert_ok(
            es_probe_predict(&m, &numbers, &rules, rows, 500, rows + 500, 100, NULL, again, NULL));
        assert_memory_equal(predicted, again, sizeof again);
    }
    for (size_t i = 0; i < 100; i++)
        mean += bent[500 + i] / 100;
    assert_true(mean > 101);
    assert_true(right[0] < 75 && right[1] > 90);
    assert_true(error[0] > 1 && error[1] < 0.05);
}
