/* The `flow` estimator on data with known answers, and what must hold for any data. */
#include "trained_estimator.h"

static void expect(const char *what, es_pair_result r, double want, double within) {
    if (!(fabs(r.is - want) < within))
        fail_msg("%s: %.4f +- %.4f, expected %.4f", what, r.is, r.se, want);
}

TEST(flow__gaussian_residual_variance__has_known_information) {
    static const double variance[] = {0.9, 0.5, 0.3};
    synthetic u = make(6000, 32, 1), noise = make(6000, 32, 2), v = make(6000, 32, 3);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < v.n * v.d; i++)
            v.x[i] = sqrt(1 - variance[k]) * u.x[i] + sqrt(variance[k]) * noise.x[i];
        es_pair_result r = estimate("flow", NULL, &u, &v, 0);
        expect("v", r, -0.5 * log(variance[k]), 0.02);
        assert_true(r.se > 0 && r.se < 0.02);
    }
}

TEST(flow__independent_data__has_none_within_two_errors) {
    static const size_t rows[] = {200, 1000, 4000};
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            synthetic u = make(rows[k], 32, 10 + seed), v = make(rows[k], 32, 20 + seed);
            es_pair_result r = estimate("flow", NULL, &u, &v, seed);
            if (!(fabs(r.is) <= 2 * r.se))
                fail_msg("%zu rows, seed %d: %.5f +- %.5f", rows[k], (int)seed, r.is, r.se);
        }
}

/* A crescent: the second column is what the square of the first says, and noise. u tells of the
 * first alone, so that what it tells of both is what it tells of the first. One Gaussian with
 * columns independent given u counts what u knows of the second on top. */
static void make_crescent(double known, synthetic *u, synthetic *v) {
    for (size_t i = 0; i < v->n; i++) {
        double *y = v->x + 2 * i;
        y[0] = sqrt(known) * u->x[i * u->d] + sqrt(1 - known) * y[0];
        y[1] = (y[0] * y[0] - 1) / sqrt(2) + 0.3 * y[1];
    }
}

TEST(flow__crescent__is_not_counted_twice) {
    synthetic u = make(6000, 3, 4), v = make(6000, 2, 5);
    make_crescent(0.8, &u, &v);
    double truth = -0.25 * log(0.2);
    es_pair_result knife = estimate("knife", NULL, &u, &v, 0);
    es_pair_result flow = estimate("flow", NULL, &u, &v, 0);
    expect("a crescent", flow, truth, 0.04);
    assert_true(knife.is > truth + 0.15);
}

/* Two clusters, whichever u; inside them u tells most of where a row lies. For one Gaussian the
 * distance of the clusters is noise. */
static void make_clusters(double known, synthetic *u, synthetic *v) {
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < v->d; j++)
            v->x[i * v->d + j] = (i % 2 ? 3 : -3) + sqrt(known) * u->x[i * u->d + j] +
                                 sqrt(1 - known) * v->x[i * v->d + j];
}

TEST(flow__clusters__do_not_hide_what_is_known_inside) {
    synthetic u = make(6000, 2, 4), v = make(6000, 2, 5);
    make_clusters(0.8, &u, &v);
    double truth = -0.5 * log(0.2);
    es_pair_result knife = estimate("knife", NULL, &u, &v, 0);
    es_pair_result flow = estimate("flow", NULL, &u, &v, 0);
    expect("clusters", flow, truth, 0.12);
    assert_true(knife.is < 0.1);
}

/* The two shapes again, with a source that knows nothing of them. */
TEST(flow__shapes__are_no_information) {
    for (uint64_t seed = 0; seed < 2; seed++) {
        synthetic u = make(2000, 3, 4 + seed), v = make(2000, 2, 5 + seed), w = make(2000, 2, 8);
        make_crescent(0, &u, &v);
        es_pair_result r = estimate("flow", NULL, &u, &v, seed);
        assert_true(fabs(r.is) <= 2 * r.se && r.h < 1.2); /* as a Gaussian it would have 1.42 */
        make_clusters(0, &u, &w);
        r = estimate("flow", NULL, &u, &w, seed);
        assert_true(fabs(r.is) <= 2 * r.se);
    }
}

TEST(flow__squares__are_seen_where_linear_is_blind) {
    synthetic u = make(4000, 8, 4), v = make(4000, 8, 5);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] = u.x[i] * u.x[i] + 0.3 * v.x[i];
    es_pair_result linear = estimate("linear", NULL, &u, &v, 0);
    es_pair_result flow = estimate("flow", NULL, &u, &v, 0);
    assert_true(linear.is < 0.02);
    if (!(flow.is > 0.2 && flow.is > 10 * flow.se))
        fail_msg("%.4f +- %.4f", flow.is, flow.se);
}

/* Sum and difference of two independent columns: their principal components are the two columns
 * again, so that before training there is what `linear` says of these. */
TEST(flow__no_epochs__equals_linear) {
    synthetic u = make(2000, 6, 4), v = make(2000, 2, 5), turned = make(2000, 2, 6);
    for (size_t i = 0; i < v.n; i++) {
        double *x = v.x + 2 * i;
        x[0] += u.x[6 * i];
        x[1] = 0.3 * (x[1] + 2 * u.x[6 * i + 1] - u.x[6 * i + 2]);
        turned.x[2 * i] = x[0] + x[1];
        turned.x[2 * i + 1] = x[0] - x[1];
    }
    es_pair_result linear = estimate("linear", NULL, &u, &v, 0);
    es_pair_result flow = estimate("flow", "epochs=0", &u, &turned, 0);
    es_pair_result first = estimate("flow", "epochs=0 pcs=1", &u, &turned, 0);
    expect("linear", flow, linear.is, 5e-3);
    assert_true(fabs(flow.is - first.is) < 1e-6 && fabs(flow.h - first.h) < 1e-6);
    assert_int_equal(flow.epochs, 0);
}

/* A rotation of the target, a column that repeats another and one that is constant change nothing
 * that counts. */
TEST(flow__repeated_columns__count_once) {
    synthetic u = make(2000, 3, 4), v = make(2000, 3, 5), w = make(2000, 7, 6);
    for (size_t i = 0; i < v.n; i++) {
        double *x = v.x + i * 3, *y = w.x + i * 7;
        for (size_t j = 0; j < 3; j++)
            x[j] = 0.8 * u.x[i * 3 + j] + 0.6 * x[j];
        for (size_t j = 0; j < 6; j++)
            y[j] = 2 * x[j % 3] - 1;
        y[6] = 4;
    }
    es_pair_result plain = estimate("flow", "epochs=0", &u, &v, 0);
    es_pair_result twice = estimate("flow", "epochs=0", &u, &w, 0);
    expect("repeated columns", twice, plain.is, 1e-3);
}

TEST(flow__hard_data__stays_finite) {
    synthetic u = make(400, 8, 4), v = make(400, 8, 5), near = make(400, 8, 6);
    for (size_t i = 0; i < v.n * v.d; i++) {
        near.x[i] = u.x[i] + 1e-6 * near.x[i];
        v.x[i] = 0.7 * u.x[i] + 0.7 * v.x[i];
    }
    es_pair_result copy = estimate("flow", NULL, &u, &near, 0);
    if (!(copy.is > 1.3 && copy.is < 5)) /* bounded by `range`, and by `scale` a coupling */
        fail_msg("a copy has %.4f", copy.is);
    for (size_t row = 0; row < 400; row += 80) {
        double old = v.x[row * 8 + 3];
        v.x[row * 8 + 3] = 1e6;
        es_pair_result r = estimate("flow", NULL, &u, &v, 0);
        assert_true(isfinite(r.is) && isfinite(r.se) && isfinite(r.h_cond));
        r = estimate("flow", NULL, &v, &u, 0);
        assert_true(isfinite(r.is) && r.is > 0.1);
        v.x[row * 8 + 3] = old;
    }
}

/* More columns than rows on both sides: the factor is made of rows, and noise stays noise. */
TEST(flow__more_columns_than_rows__stays_calm) {
    synthetic u = make(300, 700, 4), v = make(300, 500, 5), w = make(300, 500, 5);
    for (size_t i = 0; i < w.n; i++) /* four things that both know, in many columns each */
        for (size_t j = 0; j < w.d; j++) {
            w.x[i * w.d + j] = 0.5 * w.x[i * w.d + j] + v.x[i * v.d + j % 4];
            u.x[i * u.d + j] = 0.5 * u.x[i * u.d + j] + v.x[i * v.d + j % 4];
        }
    synthetic noise = make(300, 700, 14);
    es_pair_result none = estimate("flow", NULL, &noise, &w, 0);
    es_pair_result some = estimate("flow", NULL, &u, &w, 0);
    assert_true(fabs(none.is) <= 2 * none.se);
    assert_true(some.is > 0.004 && some.is > 3 * some.se);
}

TEST(flow__same_seed__gives_the_same_bits) {
    assert_same_bits("flow");
}

TEST(flow__settings__all_see_a_relation_and_no_noise) {
    static const char *const sets[] = {"couplings=1",
                                       "couplings=8 hidden=16",
                                       "pcs=1",
                                       "directions=0",
                                       "folds=3",
                                       "clip=2.5 scale=3 range=2",
                                       "batch=1024 lr=0.01 patience=1"};
    synthetic u = make(600, 6, 14), v = make(600, 6, 15), w = make(600, 6, 15);
    for (size_t i = 0; i < v.n * v.d; i++)
        w.x[i] = 0.9 * u.x[i] + sqrt(0.19) * w.x[i];
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        es_pair_result none = estimate("flow", sets[k], &u, &v, 0);
        es_pair_result r = estimate("flow", sets[k], &u, &w, 0);
        if (!(fabs(none.is) < 0.03 && r.is > 0.65 && r.is < 0.95))
            fail_msg("%s: %.4f, from noise %.4f", sets[k], r.is, none.is);
    }
}

TEST(flow__cancel__returns_within_100_ms) {
    synthetic u = make(3000, 64, 1), v = make(3000, 64, 2);
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    static const char *const sets[] = {"patience=100000 epochs=100000",
                                       "hidden=4096 couplings=16 batch=4096"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_cancelled("flow", "default", sets[i], &ru, &rv);
}

/* Also where the target has a shape of its own, two clusters, that the flow finds. */
TEST(flow__out_of_memory__is_reported) {
    synthetic u = make(120, 2, 1), v = make(120, 2, 2);
    for (size_t i = 0; i < v.n * v.d; i++)
        v.x[i] = 3 * copysign(1, u.x[i]) + u.x[i] + 0.1 * v.x[i];
    es_rows ru = synthetic_rows(&u), rv = synthetic_rows(&v);
    estimate_refused(&(estimating){"flow", "default", "epochs=4 folds=2", 0, 7, NULL}, 0, &ru, &rv);
}

TEST(flow__pair__allocates_nothing_in_the_training_loop) {
    assert_allocates_once("flow");
}
