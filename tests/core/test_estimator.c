/* Settings, presets and row splits: what every estimator shares. */
#include "testing.h"
#include "core_estimators.h"

TEST(estimator__find__knows_every_row_of_the_table) {
    assert_non_null(es_estimators[0]);
    for (size_t i = 0; es_estimators[i]; i++) {
        const es_estimator *e = es_estimators[i];
        assert_ptr_equal(es_estimator_find(e->name), e);
        assert_string_equal(e->presets[0].name, "default");
        double values[32];
        for (const es_preset *p = e->presets; p->name; p++)
            if (es_estimator_preset(e, p->name, values, test_err()) != ES_OK)
                fail_msg("%s %s: %s", e->name, p->name, test_message());
        for (size_t k = 0; k < e->n_settings; k++) {
            assert_true(strlen(e->settings[k].help) > 10);
            assert_true(isnan(e->settings[k].value) ? e->settings[k].automatic
                                                    : e->settings[k].value >= e->settings[k].low);
        }
    }
    assert_null(es_estimator_find("no such"));
}

TEST(estimator__set__says_what_is_wrong) {
    const es_estimator *e = es_estimator_find("linear");
    double values[32];
    assert_ok(es_estimator_preset(e, NULL, values, test_err()));
    assert_ok(es_estimator_set(e, "clip=2.5", values, test_err()));
    assert_true(values[es_estimator_setting(e, "clip")] == 2.5);
    assert_error_is(es_estimator_set(e, "clip=-1", values, test_err()), ES_EINVAL,
                    "clip=-1: expected 0 to 1e+09");
    assert_error_is(es_estimator_set(e, "clip=two", values, test_err()), ES_EINVAL,
                    "clip=two: expected a number");
    assert_int_equal(es_estimator_set(e, "clip=nan", values, test_err()), ES_EINVAL);
    assert_int_equal(es_estimator_set(e, "clip", values, test_err()), ES_EINVAL);
    assert_error_is(es_estimator_set(e, "folds=2.5", values, test_err()), ES_EINVAL,
                    "folds=2.5: expected a whole number or auto");
    assert_error(es_estimator_set(e, "klip=1", values, test_err()), ES_ENOTFOUND, "clip");
    assert_error(es_estimator_preset(e, "best", values, test_err()), ES_ENOTFOUND, "shrunk");
    assert_true(values[es_estimator_setting(e, "clip")] == 2.5); /* untouched by all of these */
}

TEST(estimator__text__is_canonical_and_reads_back) {
    const es_estimator *e = es_estimator_find("linear");
    double values[32];
    char text[256], small[8];
    assert_ok(es_estimator_preset(e, "shrunk", values, NULL));
    assert_ok(es_estimator_set(e, "clip=0.1", values, NULL));
    size_t length = es_estimator_text(e, values, text, sizeof text);
    assert_string_equal(text, "lambda=3 clip=0.1 bound=5 range=1 folds=auto "
                              "per=mean copies=once beside=0.03");
    assert_int_equal(length, strlen(text));
    assert_int_equal(es_estimator_text(e, values, small, sizeof small), length);
    assert_int_equal(strlen(small), sizeof small - 1);
}

/* Results are kept under these words since before `knife` had lr_out and worse. */
TEST(estimator__text__names_stored_results_as_before) {
    static const char *const known[][2] = {
        {"patient", "recipe=refined target=pool modes=1 hidden=128 layers=1 lr=0.001 batch=128 "
                    "epochs=100 patience=3 range=1 clip=3 folds=auto marginal_modes=8 "
                    "marginal_lr=0.0001 marginal_epochs=5"},
        {"paper-nlp", "recipe=published target=pool modes=8 hidden=0 layers=2 lr=0.001 batch=128 "
                      "epochs=10 patience=3 range=1 clip=0 folds=auto marginal_modes=8 "
                      "marginal_lr=0.0001 marginal_epochs=5"},
        {"paper-mol", "recipe=published target=pool modes=2 hidden=512 layers=2 lr=0.001 "
                      "batch=1024 epochs=5 patience=3 range=1 clip=0 folds=auto marginal_modes=2 "
                      "marginal_lr=0.01 marginal_epochs=5"},
    };
    const es_estimator *e = es_estimator_find("knife");
    double values[32];
    char text[512];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_ok(es_estimator_preset(e, known[i][0], values, NULL));
        (void)es_estimator_text(e, values, text, sizeof text);
        assert_string_equal(text, known[i][1]);
    }
    assert_ok(es_estimator_preset(e, "default", values, NULL));
    (void)es_estimator_text(e, values, text, sizeof text);
    assert_contains(text, " lr_out=0.002 worse=1");
}

/* Every row in exactly one part of a fold; test parts of all folds together: each row once. */
static void check_split(size_t n, size_t folds, size_t expect_folds) {
    es_split *split = NULL;
    assert_ok(es_split_new(n, 3, folds, &split, test_err()));
    assert_int_equal(split->n_folds, expect_folds);
    unsigned char *tested = test_alloc(n, 1);
    for (size_t k = 0; k < split->n_folds; k++) {
        const es_fold *f = &split->folds[k];
        unsigned char *seen = test_alloc(n, 1);
        const uint32_t *part[] = {f->train, f->val, f->test};
        size_t size[] = {f->n_train, f->n_val, f->n_test};
        for (int p = 0; p < 3; p++) {
            assert_true(size[p] > 0);
            for (size_t i = 0; i < size[p]; i++) {
                assert_true(part[p][i] < n && !seen[part[p][i]]);
                assert_true(i == 0 || part[p][i - 1] < part[p][i]);
                seen[part[p][i]] = 1;
                tested[part[p][i]] = (unsigned char)(tested[part[p][i]] + (p == 2));
            }
        }
        assert_int_equal(f->n_train + f->n_val + f->n_test, n);
    }
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += tested[i];
    assert_int_equal(total, split->n_eval);
    for (size_t i = 0; i < split->n_eval; i++)
        assert_int_equal(tested[split->eval[i]], 1);
    es_split_free(split);
}

TEST(split__new__parts_are_disjoint_and_complete) {
    check_split(1000, 0, 1);
    check_split(999, 0, 5);
    check_split(20, 0, 5);
    check_split(1000, 7, 7);
    check_split(1000, 100, 100);
}

TEST(split__new__depends_on_the_seed_only) {
    es_split *a, *b, *c;
    assert_ok(es_split_new(500, 1, 1, &a, NULL));
    assert_ok(es_split_new(500, 1, 1, &b, NULL));
    assert_ok(es_split_new(500, 2, 1, &c, NULL));
    assert_int_equal(a->n_eval, 100);
    assert_memory_equal(a->eval, b->eval, 100 * sizeof *a->eval);
    assert_memory_not_equal(a->eval, c->eval, 100 * sizeof *a->eval);
    es_split_free(a);
    es_split_free(b);
    es_split_free(c);
}

TEST(split__new__refuses_what_cannot_be_split) {
    es_split *split = NULL;
    assert_error(es_split_new(19, 0, 0, &split, test_err()), ES_EINVAL, "19 rows");
    assert_int_equal(es_split_new(100, 0, 11, &split, test_err()), ES_EINVAL);
    assert_int_equal(es_split_new((size_t)1 << 33, 0, 0, &split, test_err()), ES_EINVAL);
    assert_null(split);
}

/* Means, and the standard error of the mean of the differences. */
TEST(pair__summed_up__is_the_mean_with_its_error) {
    static const double h[] = {5, 3, 8, 2}, given[] = {4, 1, 3, 2};
    es_pair_result r = {0};
    assert_ok(es_pair_summarise(4, h, given, &r, NULL));
    assert_true(r.h == 4.5 && r.h_cond == 2.5 && r.is == 2);
    assert_int_equal(r.n_eval, 4);
    assert_true(r.pmi[0] == 1 && r.pmi[1] == 2 && r.pmi[2] == 5 && r.pmi[3] == 0);
    assert_true(fabs(r.se - sqrt((1 + 0 + 9 + 4) / 3.0 / 4)) < 1e-15);
    es_free(r.pmi);
    assert_ok(es_pair_summarise(2, h, given, &r, NULL));
    assert_true(fabs(r.se - 0.5) < 1e-15);
    es_free(r.pmi);
    assert_ok(es_pair_summarise(1, h, given, &r, NULL));
    assert_true(isnan(r.se)); /* of one row nothing is known */
    es_free(r.pmi);
    r.is = 7;
    const double odd[] = {1, INFINITY};
    assert_int_equal(es_pair_summarise(2, h, odd, &r, NULL), ES_ENONFINITE);
    es_alloc_fail_after(0);
    assert_int_equal(es_pair_summarise(2, h, given, &r, NULL), ES_ENOMEM);
    es_alloc_fail_after(-1);
    assert_true(r.is == 7);
}
