/* LogME and GBC against reference values. */
#include "methods.h"

#include "core_methods.h"

static void assert_logme(const es_logme *l, const es_logme_output *each, const char *key,
                         double tolerance) {
    assert_near(l->value, expected("logme_gbc/%s/logme_full_determinant", key), tolerance);
    assert_near(l->published, expected("logme_gbc/%s/logme_reference_code", key), tolerance);
    assert_int_equal(l->rank, (int)expected("logme_gbc/%s/rank", key));
    assert_int_equal(l->columns, (int)expected("logme_gbc/%s/D", key));
    for (size_t c = 0; c < l->outputs; c++) {
        assert_near(each[c].published, expected("logme_gbc/%s/per_output/%zu", key, c), tolerance);
        assert_int_equal(each[c].steps, (int)expected("logme_gbc/%s/iterations/%zu", key, c));
    }
}

static void check(const char *file, const char *labels, const char *key) {
    double label[600];
    es_logme logme;
    es_logme_output each[10];
    es_matrix m = methods_npy(file);
    es_task task = {methods_csv(labels, 1, label, 600), label, true};
    es_gbc gbc;
    assert_ok(es_logme_of(&m, &task, NULL, &logme, each, NULL));
    assert_logme(&logme, each, key, 1e-10);
    assert_ok(es_gbc_of(&m, &task, NULL, &gbc, NULL));
    assert_near(gbc.diagonal, expected("logme_gbc/%s/gbc_diag/gbc", key), 1e-10);
    assert_near(gbc.diagonal, expected("logme_gbc/%s/gbc_diag/gbc_reference_code", key), 1e-10);
    assert_near(gbc.spherical, expected("logme_gbc/%s/gbc_spherical/gbc", key), 1e-10);
    assert_near(gbc.published, expected("logme_gbc/%s/gbc_spherical/gbc_reference_code", key),
                1e-10);
}

TEST(logme_gbc__classes__equal_the_reference) {
    check("digits_raw64.npy", "digits_labels.csv", "pool/digits_raw64");
    check("digits_rot64.npy", "digits_labels.csv", "pool/digits_rot64");
    check("breast_cancer.npy", "breast_cancer_labels.csv", "real/breast_cancer");
    check("digits_pca16.npy", "digits_labels.csv", "pool/digits_pca16");
    check("digits_relu32.npy", "digits_labels.csv", "pool/digits_relu32");
    check("noise8.npy", "digits_labels.csv", "pool/noise8");
    check("iris.npy", "iris_labels.csv", "real/iris");
    check("wine.npy", "wine_labels.csv", "real/wine");
}

/* What the published program gives, run as it is, where it is right. */
TEST(logme__published_program__agrees) {
    static const char *const pool[] = {"digits_pca16", "noise8"};
    double label[400];
    const es_task task = {methods_csv("digits_labels.csv", 1, label, 400), label, true};
    for (int i = 0; i < 2; i++) {
        char file[64];
        es_logme l;
        snprintf(file, sizeof file, "%s.npy", pool[i]);
        es_matrix m = methods_npy(file);
        assert_ok(es_logme_of(&m, &task, NULL, &l, NULL, NULL));
        assert_near(l.published, expected("logme_gbc/pool/%s/published_code", pool[i]), 1e-10);
    }
}

TEST(logme__numbers__equal_the_reference) {
    double label[600], mean = 0, square = 0;
    es_logme value;
    es_logme_output each;
    es_matrix m = methods_npy("diabetes.npy");
    es_task task = {methods_csv("diabetes_labels.csv", 1, label, 600), label, false};
    assert_ok(es_logme_of(&m, &task, NULL, &value, &each, NULL));
    assert_logme(&value, &each, "real/diabetes_regression", 1e-9);
    for (size_t i = 0; i < m.n; i++)
        mean += label[i] / (double)m.n;
    for (size_t i = 0; i < m.n; i++)
        square += (label[i] - mean) * (label[i] - mean) / (double)m.n;
    for (size_t i = 0; i < m.n; i++)
        label[i] = (label[i] - mean) / sqrt(square);
    assert_ok(es_logme_of(&m, &task, NULL, &value, &each, NULL));
    assert_logme(&value, &each, "real/diabetes_regression_y_zscored", 1e-9);
}

/* One column that explains the numbers beats the same column lost among more columns than rows. */
TEST(logme__numbers__see_what_a_line_explains) {
    double label[30];
    es_logme right, wrong;
    es_matrix m = methods_npy("rand30x100.npy"), x = {30, 1, label};
    for (size_t i = 0; i < 30; i++)
        label[i] = m.x[i * 100] + 0.1 * m.x[i * 100 + 1];
    es_task task = {30, label, false};
    assert_ok(es_logme_of(&x, &task, NULL, &right, NULL, NULL));
    assert_ok(es_logme_of(&m, &task, NULL, &wrong, NULL, NULL));
    assert_true(right.value > wrong.value && isfinite(wrong.value));
}

TEST(gbc__wide__takes_64_axes_and_counts_floors) {
    double label[30];
    for (int i = 0; i < 30; i++)
        label[i] = i % 2;
    es_matrix m = methods_npy("rand30x80.npy");
    es_task task = {30, label, true};
    es_gbc g;
    assert_ok(es_gbc_of(&m, &task, NULL, &g, NULL));
    assert_int_equal(g.axes, 29);
    assert_true(g.floored < 0.1);
    for (size_t i = 0; i < m.n * m.d; i++)
        m.x[i] *= 1e-4;
    assert_ok(es_gbc_of(&m, &task, NULL, &g, NULL));
    assert_true(g.floored == 1);
}

TEST(logme_gbc__misuse__is_refused) {
    double x[] = {1, 2, 3, 4}, one[] = {1, 1, 1, NAN}, none[] = {NAN, NAN, 1, NAN};
    es_logme v;
    es_matrix m = {4, 1, x};
    es_gbc g;
    const es_task same = {4, one, true}, empty = {4, none, true}, shorter = {3, one, true},
                  numbers = {4, x, false};
    assert_int_equal(es_logme_of(&m, &same, NULL, &v, NULL, NULL), ES_EINVAL);
    assert_int_equal(es_gbc_of(&m, &empty, NULL, &g, NULL), ES_EEMPTY);
    assert_int_equal(es_logme_of(&m, &shorter, NULL, &v, NULL, NULL), ES_EINVAL);
    assert_int_equal(es_gbc_of(&m, &numbers, NULL, &g, NULL), ES_EINVAL);
}

TEST(logme_gbc__out_of_memory__is_reported) {
    double label[30];
    es_logme v;
    for (int i = 0; i < 30; i++)
        label[i] = i % 2;
    es_matrix m = methods_npy("rand30x80.npy");
    const es_task task = {30, label, true};
    es_status st = ES_ENOMEM;
    int failures = 0;
    for (long after = 0; st != ES_OK; after++) {
        es_gbc g;
        es_alloc_fail_after(after);
        st = es_logme_of(&m, &task, NULL, &v, NULL, NULL);
        if (st == ES_OK)
            st = es_gbc_of(&m, &task, NULL, &g, NULL);
        es_alloc_fail_after(-1);
        failures += st == ES_ENOMEM;
    }
    assert_true(failures > 15);
}
