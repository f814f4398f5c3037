/* Neighbours, smoothness of labels and intrinsic dimension against reference values. */
#include "methods.h"

#include "core_methods.h"

static void standardise(es_matrix *m) {
    for (size_t j = 0; j < m->d; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < m->n; i++)
            mean += m->x[i * m->d + j] / (double)m->n;
        for (size_t i = 0; i < m->n; i++)
            square += pow(m->x[i * m->d + j] - mean, 2);
        for (size_t i = 0; i < m->n; i++)
            m->x[i * m->d + j] = (m->x[i * m->d + j] - mean) / sqrt(square / (double)m->n);
    }
}

static void check_smoothness(const char *file, const char *labels, es_metric metric, bool scaled,
                             const char *key) {
    double label[600];
    es_matrix m = methods_npy(file);
    es_task task = {methods_csv(labels, 1, label, 600), label, strstr(file, "diabetes") == NULL};
    es_smoothness s;
    if (scaled)
        standardise(&m);
    assert_ok(es_smoothness_of(&m, &task, metric, NULL, &s, NULL));
    for (int i = 0; i < ES_SMOOTH_SIZES; i++)
        assert_near(s.loss[i].value, expected("knn_recon/smooth/%s/%zu", key, ES_SMOOTH_K[i]),
                    1e-12);
}

TEST(smoothness__classes__equals_the_reference) {
    check_smoothness("iris.npy", "iris_labels.csv", ES_L2, false, "iris/raw/l2");
    check_smoothness("iris.npy", "iris_labels.csv", ES_COSINE, false, "iris/raw/cos");
    check_smoothness("wine.npy", "wine_labels.csv", ES_L2, false, "wine/raw/l2");
    check_smoothness("wine.npy", "wine_labels.csv", ES_COSINE, false, "wine/raw/cos");
    check_smoothness("iris.npy", "iris_labels.csv", ES_L2, true, "iris/zscore/l2");
    check_smoothness("iris.npy", "iris_labels.csv", ES_COSINE, true, "iris/zscore/cos");
    check_smoothness("wine.npy", "wine_labels.csv", ES_L2, true, "wine/zscore/l2");
    check_smoothness("wine.npy", "wine_labels.csv", ES_COSINE, true, "wine/zscore/cos");
    check_smoothness("noise8.npy", "digits_labels.csv", ES_L2, false, "pool/noise8/l2");
    check_smoothness("digits_pca16.npy", "digits_labels.csv", ES_L2, false, "pool/digits_pca16/l2");
    check_smoothness("digits_relu32.npy", "digits_labels.csv", ES_L2, false,
                     "pool/digits_relu32/l2");
}

TEST(smoothness__larger_sets__equal_the_reference) {
    static const char *const sets[] = {"diabetes", "breast_cancer"};
    for (int i = 0; i < 2; i++)
        for (int how = 0; how < 4; how++) {
            char file[64], labels[64], key[64];
            snprintf(file, sizeof file, "%s.npy", sets[i]);
            snprintf(labels, sizeof labels, "%s_labels.csv", sets[i]);
            snprintf(key, sizeof key, "%s/%s/%s", sets[i], how & 1 ? "zscore" : "raw",
                     how & 2 ? "l2" : "cos");
            check_smoothness(file, labels, how & 2 ? ES_L2 : ES_COSINE, how & 1, key);
        }
    check_smoothness("digits_raw64.npy", "digits_labels.csv", ES_L2, false, "pool/digits_raw64/l2");
    check_smoothness("digits_rot64.npy", "digits_labels.csv", ES_L2, false, "pool/digits_rot64/l2");
}

TEST(smoothness__baseline__is_the_mean_over_pairs) {
    double label[178];
    es_matrix m = methods_npy("wine.npy");
    es_task task = {methods_csv("wine_labels.csv", 1, label, 178), label, true};
    es_smoothness s;
    assert_ok(es_smoothness_of(&m, &task, ES_L2, NULL, &s, NULL));
    assert_near(s.baseline, expected("knn_recon/smooth/wine/baseline_mean_all_pairs"), 1e-12);
    assert_near(s.skill[0].value, 1 - s.loss[0].value / s.baseline, 1e-12);
    task.classes = false;
    double sum = 0;
    for (size_t i = 0; i < 178; i++)
        for (size_t j = 0; j < i; j++)
            sum += pow(label[i] - label[j], 2);
    assert_ok(es_smoothness_of(&m, &task, ES_L2, NULL, &s, NULL));
    assert_near(s.baseline, sum / (178 * 177 / 2.0), 1e-12);
}

TEST(smoothness__baseline__equals_the_reference) {
    static const char *const sets[] = {"iris", "wine", "diabetes", "breast_cancer"};
    for (int i = 0; i < 4; i++) {
        char file[64], labels[64];
        double label[600];
        snprintf(file, sizeof file, "%s.npy", sets[i]);
        snprintf(labels, sizeof labels, "%s_labels.csv", sets[i]);
        es_matrix m = methods_npy(file);
        es_task task = {methods_csv(labels, 1, label, 600), label, i != 2};
        es_smoothness s;
        assert_ok(es_smoothness_of(&m, &task, ES_L2, NULL, &s, NULL));
        assert_near(s.baseline, expected("knn_recon/smooth/%s/baseline_mean_all_pairs", sets[i]),
                    1e-12);
    }
}

/* The rows of iris whose two nearest are equally far: the lower number is the neighbour. */
TEST(nearest__iris__breaks_its_ties) {
    es_matrix m = methods_npy("iris.npy");
    uint32_t index[300];
    double distance[300];
    int ties = 0;
    assert_ok(es_nearest(&m, ES_L2, 2, NULL, &(es_neighbours){.index = index, .distance = distance},
                         NULL));
    for (int i = 0; i < 150; i++)
        if (fabs(distance[2 * i] - distance[2 * i + 1]) <= 1e-12 * distance[2 * i]) {
            ties++;
            assert_true(index[2 * i] < index[2 * i + 1]);
        }
    assert_int_equal(ties, (int)expected("knn_recon/iris_rows_with_tie_at_k1_boundary"));
}

TEST(smoothness__missing_labels__take_no_part) {
    double x[] = {0, 0.1, 1, 1.1, 5}, with[] = {0, NAN, 1, 1, 0}, flat[] = {2, 2, 2, NAN, NAN};
    es_matrix m = {5, 1, x};
    es_task task = {5, with, true}, constant = {5, flat, false}, empty = {5, with, true};
    es_smoothness s;
    assert_ok(es_smoothness_of(&m, &task, ES_L2, NULL, &s, NULL));
    assert_int_equal(s.labelled, 4);
    assert_near(s.loss[0].value, 2 * 2 / 4.0, 1e-14); /* 0 -> 1 and 5 -> 1.1 disagree */
    assert_string_equal(s.loss[2].why, "too few rows");
    assert_ok(es_smoothness_of(&m, &constant, ES_L2, NULL, &s, NULL));
    assert_string_equal(s.skill[0].why, "constant");
    double none[] = {NAN, NAN, 1, NAN, NAN};
    empty.value = none;
    assert_int_equal(es_smoothness_of(&m, &empty, ES_L2, NULL, &s, NULL), ES_EEMPTY);
    empty.n = 4;
    assert_int_equal(es_smoothness_of(&m, &empty, ES_L2, NULL, &s, NULL), ES_EINVAL);
}

TEST(nearest__ties__go_to_the_lower_row) {
    double x[] = {1e6, 1e6 + 1, 1e6 - 1, 1e6 + 1, 1e6 + 3};
    es_matrix m = {5, 1, x};
    uint32_t index[15];
    double distance[15];
    assert_ok(es_nearest(&m, ES_L2, 3, NULL, &(es_neighbours){.index = index, .distance = distance},
                         NULL));
    const uint32_t wanted[] = {1, 2, 3, 3, 0, 2};
    assert_memory_equal(index, wanted, 3 * sizeof *index);
    assert_int_equal(index[3], 3);
    assert_true(distance[3] == 0 && distance[0] == 1);
    assert_int_equal(es_nearest(&m, ES_L2, 5, NULL, &(es_neighbours){.index = index}, NULL),
                     ES_EINVAL);
}

static double squared(const es_matrix *m, size_t i, size_t j) {
    double sum = 0;
    for (size_t k = 0; k < m->d; k++)
        sum += pow(m->x[i * m->d + k] - m->x[j * m->d + k], 2);
    return sum;
}

/* On a lattice, where most distances are those of other rows, too: by distance, then by number. */
TEST(nearest__lattice__is_what_sorting_gives) {
    enum { N = 90, D = 2, K = 7 };
    double x[N * D];
    uint32_t index[N * K];
    double distance[N * K];
    bool tied[N * K];
    es_matrix m = {N, D, x};
    const es_neighbours wanted = {index, distance, tied};
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = (double)(i * 7 % 9);
        x[2 * i + 1] = (double)(i * 5 % 11 % 4);
    }
    assert_ok(es_nearest(&m, ES_L2, K, NULL, &wanted, NULL));
    for (size_t i = 0; i < N; i++) {
        bool taken[N] = {false};
        taken[i] = true;
        for (size_t k = 0; k < K; k++) {
            size_t best = SIZE_MAX;
            for (size_t j = 0; j < N; j++)
                if (!taken[j] && (best == SIZE_MAX || squared(&m, i, j) < squared(&m, i, best)))
                    best = j;
            taken[best] = true;
            assert_int_equal(index[i * K + k], best);
            assert_near(distance[i * K + k], sqrt(squared(&m, i, best)), 1e-12);
            bool another = false; /* no nearer than this one, and as far */
            for (size_t j = 0; j < N; j++)
                another =
                    another || (!taken[j] && squared(&m, i, j) <= squared(&m, i, best) + 1e-9);
            assert_int_equal(tied[i * K + k], another);
        }
    }
}

TEST(intrinsic__data__equals_the_reference) {
    static const struct {
        const char *file, *key;
        size_t equal;
    } cases[] = {{"cube3_in_10d.npy", "cube3_in_10d", 0},
                 {"noise8.npy", "pool/noise8", 0},
                 {"digits_raw64.npy", "pool/digits_raw64", 0},
                 {"wine.npy", "real/wine", 0},
                 {"iris.npy", "real/iris (1 duplicate row)", 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_matrix m = methods_npy(cases[c].file);
        const char *key = cases[c].key;
        es_intrinsic r;
        assert_ok(es_intrinsic_of(&m, 1, NULL, &r, NULL));
        assert_int_equal(r.rows, (int)expected("idim/%s/n_unique", key));
        assert_int_equal(r.equal, cases[c].equal);
        assert_int_equal(expected("idim/%s/k1", key), 10); /* as es_intrinsic says */
        assert_int_equal(expected("idim/%s/k2", key), 20);
        assert_near(r.two_nn, expected("idim/%s/linfit_discard10", key), 1e-10);
        assert_near(r.two_nn_mle, expected("idim/%s/mle", key), 1e-10);
        assert_near(r.two_nn_unbiased, expected("idim/%s/mle_unbiased", key), 1e-10);
        assert_near(r.levina_bickel, expected("idim/%s/levina_bickel_mean_of_mk_k-2", key), 1e-10);
        assert_near(r.mackay, expected("idim/%s/mackay_ghahramani_inverse_mean_k-1", key), 1e-10);
    }
}

/* On a grid what is left of r2 / r1 is rounding: a slope of 1e15 before. */
TEST(intrinsic__grid__is_not_defined) {
    enum { SIDE = 9, N = 81 };
    static double x[2 * N];
    es_matrix m = {N, 2, x};
    es_intrinsic r;
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = 0.1 * (double)(i % SIDE);
        x[2 * i + 1] = 0.1 * (double)(i / SIDE);
    }
    assert_ok(es_intrinsic_of(&m, 1, NULL, &r, NULL));
    assert_int_equal(r.tied, N);
    assert_true(!isfinite(r.two_nn));
    for (size_t i = 0; i < N; i += 3) /* and of some other points */
        x[2 * i] += 0.05 * sin((double)i);
    assert_ok(es_intrinsic_of(&m, 1, NULL, &r, NULL));
    assert_true(r.tied > 0 && r.tied < N && r.two_nn < 1000);
}

TEST(intrinsic__few_rows__is_refused) {
    double x[40] = {0};
    for (int i = 0; i < 20; i++)
        x[i] = i;
    es_matrix m = {40, 1, x};
    es_intrinsic r;
    assert_error_is(es_intrinsic_of(&m, 1, NULL, &r, test_err()), ES_EEMPTY,
                    "20 different rows: intrinsic dimension needs 25");
}

/* Of many rows, a sample of all: the first 10,000 are one and the same. */
TEST(intrinsic__many_rows__are_sampled) {
    enum { SAME = 10000, OTHERS = 200 };
    double *x = test_keep(es_alloc_zero(SAME + OTHERS, sizeof *x), es_free);
    for (size_t i = 0; i < OTHERS; i++)
        x[SAME + i] = 1 + (double)(i * i);
    es_matrix m = {SAME + OTHERS, 1, x};
    es_intrinsic r;
    assert_ok(es_intrinsic_of(&m, 1, NULL, &r, NULL));
    assert_in_range(r.rows, OTHERS - 30, OTHERS);
}

TEST(neighbours__out_of_memory__is_reported) {
    es_matrix m = methods_npy("iris.npy");
    es_task task = {150, m.x, false};
    es_status st = ES_ENOMEM;
    int failures = 0;
    for (long after = 0; st != ES_OK; after++) {
        es_smoothness s;
        es_intrinsic r;
        es_alloc_fail_after(after);
        st = es_smoothness_of(&m, &task, ES_L2, NULL, &s, NULL);
        if (st == ES_OK)
            st = es_intrinsic_of(&m, 1, NULL, &r, NULL);
        es_alloc_fail_after(-1);
        failures += st == ES_ENOMEM;
    }
    assert_true(failures > 15);
}

/* Rows a rounding apart in distance are in order of their numbers; distances ascend all the same,
 * and no ratio of a farther to a nearer one is below 1. */
TEST(nearest__ties_by_rounding__leave_distances_ascending) {
    double x[] = {0, 1 + 3e-13, -1, 7, -9, 20};
    es_matrix m = {.n = 6, .d = 1, .x = x};
    uint32_t index[12];
    double distance[12];
    assert_ok(es_nearest(&m, ES_L2, 2, NULL, &(es_neighbours){.index = index, .distance = distance},
                         NULL));
    assert_int_equal(index[0], 1);
    assert_int_equal(index[1], 2);
    assert_true(distance[0] < distance[1]);
    for (int i = 0; i < 6; i++)
        assert_true(distance[2 * i] <= distance[2 * i + 1]);
}
