/* The default recipe of `knife` on data with known answers, and what must hold for any data. */
#include "trained_estimator.h"

TEST(knife__gaussian_residual_variance__has_known_information) {
    static const double variance[] = {0.9, 0.5, 0.3};
    synthetic u = make(6000, 32, 1), noise = make(6000, 32, 2), v = make(6000, 32, 3);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < v.n * v.d; i++)
            v.x[i] = sqrt(1 - variance[k]) * u.x[i] + sqrt(variance[k]) * noise.x[i];
        es_pair_result r = estimate("knife", NULL, &u, &v, 0);
        if (!(fabs(r.is + 0.5 * log(variance[k])) < 0.02))
            fail_msg("v = %g: %.4f, expected %.4f", variance[k], r.is, -0.5 * log(variance[k]));
        assert_true(r.se > 0 && r.se < 0.02);
    }
}

TEST(knife__independent_data__has_none_within_two_errors) {
    static const size_t rows[] = {200, 1000, 6000};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            synthetic u = make(rows[k], 32, 10 + seed), v = make(rows[k], 32, 20 + seed);
            es_pair_result r = estimate("knife", NULL, &u, &v, seed);
            if (!(fabs(r.is) <= 2 * r.se))
                fail_msg("%zu rows, seed %d: %.5f +- %.5f", rows[k], (int)seed, r.is, r.se);
        }
}

/* The published value, on the rows it was trained on, is far above 0 for the same data. */
TEST(published__independent_data__is_biased_upwards) {
    synthetic u = make(200, 32, 10), v = make(200, 32, 20);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_pair_result r;
    estimating how = {"knife", "paper-nlp", "epochs=50", 0, 7, NULL};
    assert_ok(estimate_pair(&how, &ru, &rv, &r, NULL));
    assert_true(r.is > 5 * r.se && r.is > 0.05);
    es_free(r.pmi);
}

TEST(knife__squares__are_seen_where_linear_is_blind) {
    synthetic u = make(4000, 8, 4), v = make(4000, 8, 5);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] = u.x[i] * u.x[i] + 0.3 * v.x[i];
    es_pair_result linear = estimate("linear", NULL, &u, &v, 0);
    es_pair_result knife = estimate("knife", NULL, &u, &v, 0);
    assert_true(linear.is < 0.02);
    assert_true(knife.is > 0.3 && knife.is > 10 * knife.se);
}

/* Noise whose size is known from u: the mean is not, and H(V|U) must fall all the same. */
TEST(knife__known_noise_level__is_information) {
    synthetic u = make(4000, 4, 4), v = make(4000, 4, 5);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] *= u.x[i] > 0 ? 1.4 : 0.5;
    es_pair_result knife = estimate("knife", NULL, &u, &v, 0);
    assert_true(knife.is > 0.12 && knife.epochs > 0);
}

TEST(knife__no_step__equals_linear) {
    synthetic u = make(500, 6, 4), v = make(500, 5, 5);
    for (size_t i = 0; i < v.n; i++)
        for (size_t j = 0; j < 5; j++)
            v.x[i * 5 + j] += u.x[i * 6 + j] * (double)j / 3;
    es_pair_result linear = estimate("linear", NULL, &u, &v, 0);
    es_pair_result knife = estimate("knife", "epochs=1 lr=0", &u, &v, 0);
    assert_true(fabs(linear.is - knife.is) < 1e-3); /* clamped scales: see residual_task */
    assert_int_equal(knife.epochs, 0);
}

TEST(knife__hard_data__stays_finite) {
    synthetic u = make(600, 8, 4), v = make(600, 8, 5), near = make(600, 8, 6);
    for (size_t i = 0; i < v.n * v.d; i++) {
        near.x[i] = u.x[i] + 1e-6 * near.x[i];
        v.x[i] = 0.7 * u.x[i] + 0.7 * v.x[i];
    }
    es_pair_result copy = estimate("knife", NULL, &u, &near, 0);
    assert_true(copy.is > 1.4 && copy.is < 1.6);
    /* one wild value in a training row, in a validation row or in a held-out row */
    for (size_t row = 0; row < 600; row += 40) {
        double old = v.x[row * 8 + 3];
        v.x[row * 8 + 3] = 1e6;
        es_pair_result r = estimate("knife", NULL, &u, &v, 0);
        assert_true(isfinite(r.is) && isfinite(r.se) && isfinite(r.h_cond));
        r = estimate("knife", NULL, &v, &u, 0);
        assert_true(isfinite(r.is) && r.is > 0.1);
        v.x[row * 8 + 3] = old;
    }
}

/* Nothing to be known, by whatever path it is not known. */
/* A validation row so far out that its density is 0 in floats: no epoch can then be called better,
 * and the ridge solution stays. */
TEST(knife__validation_row_out_of_range__stays_linear) {
    synthetic u = make(400, 4, 21), v = make(400, 3, 22);
    es_split *split = NULL;
    for (size_t i = 0; i < v.n; i++)
        for (size_t j = 0; j < v.d; j++)
            v.x[i * v.d + j] = 0.8 * u.x[i * u.d + j] + 0.6 * v.x[i * v.d + j];
    assert_ok(es_split_new(v.n, 0, 0, &split, NULL));
    v.x[split->folds[0].val[0] * v.d] = 1e30;
    es_split_free(split);
    es_pair_result linear = estimate("linear", NULL, &u, &v, 0);
    es_pair_result knife = estimate("knife", NULL, &u, &v, 0);
    assert_true(linear.is > 0.2);
    if (!(fabs(knife.is - linear.is) < 2e-3))
        fail_msg("%.4f, the ridge solution has %.4f", knife.is, linear.is);
    assert_int_equal(knife.epochs, 0);
}

TEST(knife__settings__all_give_none_on_independent_data) {
    static const char *const sets[] = {
        "modes=3",       "layers=0", "layers=2 hidden=0",    "folds=4",
        "target=binary", "range=2",  "modes=2 target=binary"};
    synthetic u = make(400, 6, 14), v = make(400, 6, 15), bits = make(400, 6, 15);
    for (size_t i = 0; i < bits.n * bits.d; i++)
        bits.x[i] = bits.x[i] > 0.4;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        es_pair_result r =
            estimate("knife", sets[k], &u, strstr(sets[k], "binary") ? &bits : &v, 0);
        if (!(fabs(r.is) < 0.03))
            fail_msg("%s: %.4f +- %.4f", sets[k], r.is, r.se);
    }
}

TEST(knife__settings__all_see_a_strong_relation) {
    static const char *const sets[] = {
        "modes=3",       "layers=0", "layers=2 hidden=0",    "folds=4",
        "target=binary", "range=2",  "modes=2 target=binary"};
    synthetic u = make(1000, 6, 14), v = make(1000, 6, 15), bits = make(1000, 6, 15);
    for (size_t i = 0; i < v.n * v.d; i++) {
        v.x[i] = 0.9 * u.x[i] + sqrt(0.19) * v.x[i];
        bits.x[i] = v.x[i] > 0.4;
    }
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        bool binary = strstr(sets[k], "binary") != NULL;
        es_pair_result r = estimate("knife", sets[k], &u, binary ? &bits : &v, 0);
        if (!(r.is > (binary ? 0.2 : 0.65) && r.is < 0.9))
            fail_msg("%s: %.4f +- %.4f", sets[k], r.is, r.se);
    }
}

/* Two clusters are the target's own shape, not information: with a marginal of the same family they
 * give nothing. */
TEST(knife__two_modes__marginal_takes_the_targets_shape) {
    synthetic u = make(1500, 4, 24), v = make(1500, 4, 25);
    for (size_t r = 0; r < v.n; r++)
        for (size_t j = 0; j < v.d; j++)
            v.x[r * v.d + j] = (r % 2 ? 2 : -2) + 0.7 * v.x[r * v.d + j];
    es_pair_result one = estimate("knife", NULL, &u, &v, 0);
    es_pair_result two = estimate("knife", "modes=2", &u, &v, 0);
    assert_true(fabs(two.is) < 0.02);
    assert_true(two.h < one.h - 0.2);
}

TEST(knife__binary_target__refuses_other_numbers) {
    synthetic u = make(100, 3, 1), v = make(100, 3, 2);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    rv.kind = ES_KIND_BINARY;
    es_pair_result out = {.is = 5};
    estimating how = {"knife", "default", NULL, 0, 0, NULL};
    assert_error(estimate_pair(&how, &ru, &rv, &out, test_err()), ES_EINVAL, "0 and 1");
    assert_true(out.is == 5);
}

TEST(knife__same_seed__gives_the_same_bits) {
    assert_same_bits("knife");
}

TEST(knife__folds__give_every_row_a_value) {
    synthetic u = make(150, 3, 1), v = make(150, 3, 2);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_pair_result r;
    estimating how = {"knife", "default", NULL, 0, 7, NULL};
    assert_ok(estimate_pair(&how, &ru, &rv, &r, NULL));
    assert_int_equal(r.n_eval, 150); /* below 1,000 rows: five folds */
    es_free(r.pmi);
}

/* In the middle of a fit that would take minutes. The last network's steps alone take longer than
 * what is allowed. */
TEST(knife__cancel__returns_within_100_ms) {
    synthetic u = make(3000, 64, 1), v = make(3000, 64, 2), wide = make(300, 2048, 3);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v), rw = synthetic_rows(&wide);
    static const char *const sets[] = {"patience=100000 epochs=100000 worse=0", "epochs=100000",
                                       "epochs=100000 marginal_epochs=0 modes=4 hidden=1024"};
    static const char *const presets[] = {"default", "paper-nlp", "paper-nlp"};
    for (int i = 0; i < 3; i++)
        assert_cancelled("knife", presets[i], sets[i], i == 2 ? &rw : &ru, i == 2 ? &rw : &rv);
}

TEST(knife__trace__holds_a_loss_per_epoch) {
    synthetic u = make(300, 3, 1), v = make(300, 3, 2);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    es_run run;
    es_run_init(&run);
    es_pair_result r;
    estimating how = {"knife", "default", "epochs=4 patience=9 worse=0 folds=1", 0, 7, &run};
    assert_ok(estimate_pair(&how, &ru, &rv, &r, NULL));
    assert_int_equal(atomic_load(&run.traced), 5); /* before training and after each of 4 epochs */
    assert_true(fabs((double)atomic_load(&run.trace[0]) - 1.42) < 0.2);
    es_free(r.pmi);
}

/* Also where the network has found something and is asked whether it can be. */
TEST(knife__out_of_memory__is_reported) {
    synthetic u = make(200, 3, 1), v = make(200, 3, 2);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] = u.x[i] * u.x[i] + 0.1 * v.x[i];
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    estimate_refused(&(estimating){"knife", "default", "epochs=20 folds=2", 0, 7, NULL}, 0, &ru,
                     &rv);
    estimate_refused(&(estimating){"knife", "default", "epochs=2 folds=2 modes=2", 0, 7, NULL}, 100,
                     &ru, &rv);
    estimate_refused(&(estimating){"knife", "paper-nlp", "epochs=1 folds=2", 0, 7, NULL}, 0, &ru,
                     &rv);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] = v.x[i] > 0.5 ? 1 : 0;
    rv.kind = ES_KIND_BINARY;
    estimate_refused(&(estimating){"knife", "default", "epochs=2 folds=2", 0, 7, NULL}, 0, &ru,
                     &rv);
}

TEST(knife__pair__allocates_nothing_in_the_training_loop) {
    assert_allocates_once("knife");
}
