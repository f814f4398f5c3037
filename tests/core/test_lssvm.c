/* LS-SVM against a system solved by hand, and on digits and noise. */
#include "methods.h"

#include "core_methods.h"

static double label[400];

static int read_labels(void **state) {
    methods_csv("digits_labels.csv", 1, label, 400);
    return 0;
}

TEST_GROUP(read_labels, NULL);

static es_lssvm lssvm_of(const char *file, const es_query_set *set, size_t folds) {
    const es_retmmd_rules rules = {.seed = 1};
    es_matrix m = methods_npy(file), x;
    es_lssvm r;
    assert_ok(es_retmmd_reduce(&m, &rules, &x, NULL));
    assert_ok(es_lssvm_of(&x, set, &rules, 1, folds, NULL, &r, NULL));
    es_matrix_free(&x);
    return r;
}

TEST(lssvm__digits__are_told_apart_and_noise_is_not) {
    const es_query_rules draw = {.queries = 30, .positives = 20, .negatives = 20, .seed = 1};
    es_query_set set;
    assert_ok(es_queries_from_classes(label, 400, &draw, &set, NULL));
    es_lssvm good = lssvm_of("digits_raw64.npy", &set, 5), bad = lssvm_of("noise8.npy", &set, 5);
    assert_int_equal(good.count + good.skipped, 30);
    for (int k = 0; k < ES_KERNELS; k++) {
        assert_true(good.f1[k] > 0.8 && good.f1[k] <= 1);
        assert_true(bad.f1[k] > 0.3 && bad.f1[k] < 0.7);
        assert_true(good.f1[good.best] >= good.f1[k]);
    }
    es_queries_free(&set);
}

/* One number a row, a query of two answers and two others, two folds: each fold is a system of two
 * equations, whose solution is written out. */
TEST(lssvm__four_documents__equals_the_solution) {
    double x[] = {0, 1.0, -0.5, -1.0, -2.0};
    const uint32_t docs[] = {1, 2, 3, 4};
    es_query query = {0, 2, 2, docs, 1};
    const es_query_set set = {.count = 1, .query = &query};
    const es_retmmd_rules rules = {.seed = 1};
    es_matrix m = {5, 1, x};
    es_lssvm r;
    double right = 0, wrong = 0;
    assert_ok(es_lssvm_of(&m, &set, &rules, 1, 2, NULL, &r, NULL));
    for (int fold = 0; fold < 2; fold++) {
        double p = x[docs[1 - fold]], n = x[docs[3 - fold]]; /* trained on */
        double a = p * p + 1, b = p * n, d = n * n + 1, det = a * d - b * b;
        double w = (d + b) / det * p - (a + b) / det * n; /* (K + I)^-1 (1, -1) */
        right += w * x[docs[fold]] > 0;
        wrong += w * x[docs[2 + fold]] > 0;
    }
    assert_near(r.f1[ES_KERNEL_LINEAR], 2 * right / (right + wrong + 2), 1e-14);
    assert_true(right == 1 && wrong == 0);
}

TEST(lssvm__few_documents__are_skipped) {
    double x[] = {0, 1, 2, 3, 4};
    const uint32_t docs[] = {1, 2, 3, 4};
    es_query query = {0, 2, 2, docs, 1};
    const es_query_set set = {.count = 1, .query = &query};
    const es_retmmd_rules rules = {.seed = 1};
    es_matrix m = {5, 1, x};
    es_lssvm r;
    assert_error_is(es_lssvm_of(&m, &set, &rules, 1, 3, NULL, &r, test_err()), ES_EEMPTY,
                    "no query has 3 documents that answer it and 3 that do not, one for each "
                    "fold: set folds lower");
}

TEST(lssvm__out_of_memory__is_reported) {
    const es_query_rules draw = {.queries = 3, .seed = 1};
    const es_retmmd_rules rules = {.seed = 1};
    es_matrix m = methods_npy("noise8.npy");
    es_query_set set;
    es_status st = ES_ENOMEM;
    int failures = 0;
    assert_ok(es_queries_from_classes(label, 400, &draw, &set, NULL));
    for (long after = 0; st != ES_OK; after++) {
        es_lssvm r;
        es_alloc_fail_after(after);
        st = es_lssvm_of(&m, &set, &rules, 1, 5, NULL, &r, NULL);
        es_alloc_fail_after(-1);
        failures += st == ES_ENOMEM;
    }
    assert_true(failures > 8);
    es_queries_free(&set);
}
