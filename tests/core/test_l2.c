/* Cross-reconstruction error on data with known answers. */
#include "testing.h"
#include "estimating.h"
#include "synthetic.h"

enum { N = 2000, D = 6 };

static double us[N * D], vs[N * D];
static const synthetic u = {N, D, us}, v = {N, D, vs};

/* V has standard deviation 3, of which the linear part of U explains 0.75 of the variance. */
static int make_data(void **state) {
    es_rng rng = test_rng(3, 4);
    for (size_t i = 0; i < (size_t)N * D; i++) {
        us[i] = es_rng_normal(&rng);
        vs[i] = 5 + 3 * (sqrt(0.75) * us[i] + 0.5 * es_rng_normal(&rng));
    }
    return 0;
}

TEST_GROUP(make_data, NULL);

static es_pair_result estimate(const char *preset, const char *sets) {
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_pair_result out = {0};
    estimating how = {"l2", preset, sets, 0, 7, NULL};
    assert_ok(estimate_pair(&how, &ru, &rv, &out, test_err()));
    double sum = 0;
    for (size_t i = 0; i < out.n_eval; i++)
        sum += (double)out.pmi[i];
    assert_true(fabs(sum / (double)out.n_eval - out.is) < 1e-6 * (1 + out.is));
    assert_true(out.se > 0);
    es_free(out.pmi);
    out.pmi = NULL;
    return out;
}

TEST(l2__linear__leaves_the_noise) {
    es_pair_result r = estimate("linear", NULL);
    assert_true(fabs(r.is - 0.25) < 0.02);
    assert_true(fabs(r.h - 1) < 0.1 && r.h_cond == r.is);
}

TEST(l2__linear_raw__is_in_units_of_the_embedder) {
    es_pair_result r = estimate("linear", "scale=raw");
    assert_true(fabs(r.is - 0.25 * 9) < 0.2);
    assert_true(fabs(r.h - 9) < 0.9);
}

TEST(l2__network__comes_close_with_training) {
    es_pair_result none = estimate("default", "epochs=1 lr=0"), two = estimate("default", NULL);
    assert_true(none.is > 0.8 && two.is > 0.23 && two.is < 0.3);
    assert_int_equal(two.epochs, 2);
    es_pair_result raw = estimate("paper", "epochs=6");
    assert_true(raw.is > 2.25 && raw.is < 0.3 * 9 + 0.5);
    assert_true(fabs(raw.h - 9) < 0.9);
}

TEST(l2__folds__give_every_row_an_error) {
    assert_int_equal(estimate("linear", "folds=4").n_eval, N);
}

/* What estimators say of themselves by these settings with so many rows. */
static const char *remark_of(const char *estimator, const char *preset, const char *set,
                             size_t rows) {
    const es_estimator *e = es_estimator_find(estimator);
    double values[32];
    es_split *split = NULL;
    assert_true(e && e->n_settings <= 32);
    assert_ok(es_estimator_preset(e, preset, values, NULL));
    if (set)
        assert_ok(es_estimator_set(e, set, values, NULL));
    assert_ok(es_split_new(rows, 1, 0, &split, NULL));
    const char *remark = es_estimator_remark(e, &(es_problem){split, values, 1, 0});
    es_split_free(split);
    return remark;
}

/* The network is not steady, and says so; nothing else does. */
TEST(remark__network__is_said) {
    static const struct {
        const char *estimator, *preset, *set;
        size_t rows;
        bool said;
    } cases[] = {
        {"l2", "default", NULL, 500, true},      {"l2", "default", NULL, 1000, true},
        {"l2", "paper", NULL, 1000, true},       {"l2", "default", "epochs=8", 1000, true},
        {"l2", "default", NULL, 20000, true},    {"l2", "linear", NULL, 1000, false},
        {"linear", "default", NULL, 500, false}, {"linear", "shrunk", NULL, 500, false},
        {"knife", "default", NULL, 500, false},  {"flow", "default", NULL, 500, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *remark =
            remark_of(cases[i].estimator, cases[i].preset, cases[i].set, cases[i].rows);
        assert_int_equal(remark != NULL, cases[i].said);
        if (remark)
            assert_contains(remark, "not steady");
    }
}

/* A source that tells nothing leaves what the mean leaves. */
TEST(l2__linear_of_noise__is_the_baseline) {
    static double noise[N * D];
    es_rng rng = test_rng(3, 5);
    for (size_t i = 0; i < (size_t)N * D; i++)
        noise[i] = es_rng_normal(&rng);
    const synthetic w = {N, D, noise};
    es_rows rw = synthetic_rows(&w), rv = synthetic_rows(&v);
    es_pair_result out = {0};
    const estimating how = {"l2", "linear", NULL, 0, 7, NULL};
    assert_ok(estimate_pair(&how, &rw, &rv, &out, NULL));
    assert_true(fabs(out.is - out.h) < 1e-6);
    es_free(out.pmi);
}

TEST(l2__network__tells_each_epoch) {
    const synthetic few = {60, D, us}, few_v = {60, D, vs};
    es_rows ru = synthetic_rows(&few), rv = synthetic_rows(&few_v);
    es_pair_result out = {0};
    es_run run;
    es_run_init(&run);
    const estimating how = {"l2", "paper", "epochs=3", 0, 7, &run};
    assert_ok(estimate_pair(&how, &ru, &rv, &out, NULL));
    assert_int_equal(atomic_load(&run.done), 3);
    assert_int_equal(atomic_load(&run.total), 3);
    assert_int_equal(atomic_load(&run.traced), 15); /* of five folds */
    es_free(out.pmi);
}

TEST(l2__out_of_memory__is_reported) {
    const synthetic few = {60, D, us}, few_v = {60, D, vs};
    es_rows ru = synthetic_rows(&few), rv = synthetic_rows(&few_v);
    estimate_refused(&(estimating){"l2", "default", "folds=2", 0, 7, NULL}, 0, &ru, &rv);
    estimate_refused(&(estimating){"l2", "linear", "folds=2", 0, 7, NULL}, 0, &ru, &rv);
}
