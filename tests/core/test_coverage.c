/* How many embedders are enough: curves on known pools, greedy covers. */
#include "pool_sim.h"

#include "core_ranking.h"

static es_pool_curve *curve(const double *is, size_t m, es_pool_curve_options o) {
    es_pool_curve *c = NULL;
    assert_ok(es_pool_curve_new(is, m, &o, NULL, &c, test_err()));
    return c;
}

TEST(curve__text_matrix__rises_to_one) {
    double is[NLP * NLP];
    table_matrix(is);
    es_pool_curve *c = curve(is, NLP, (es_pool_curve_options){0});
    assert_int_equal(c->points, NLP - 1);
    for (size_t k = 0; k < c->points; k++) {
        const es_pool_size *p = c->point + k;
        assert_int_equal(p->size, k + 2);
        assert_true(p->agreement.low <= p->agreement.mean &&
                    p->agreement.mean <= p->agreement.high);
        assert_int_equal(isnan(p->reliability.mean) != 0, p->size > NLP / 2);
        if (p->size <= NLP / 2) /* two other pools agree less than a part with the whole */
            assert_true(p->reliability.mean < p->agreement.mean);
    }
    es_pool_curve *half = curve(is, NLP, (es_pool_curve_options){.level = 0.5});
    assert_true(half->point[2].agreement.low > c->point[2].agreement.low);
    assert_true(half->point[2].agreement.high < c->point[2].agreement.high);
    assert_close(half->point[2].agreement.mean, c->point[2].agreement.mean, 0);
    es_pool_curve_free(half);
    const es_pool_size *last = c->point + c->points - 1;
    assert_close(last->agreement.low, 1, 1e-12);
    assert_close(last->deviation.mean, 0, 0);
    assert_true(c->point[0].agreement.mean < c->point[9].agreement.mean);
    assert_true(c->point[0].deviation.mean > c->point[9].deviation.mean);
    assert_true(c->enough > 2 && c->enough < NLP); /* all agree with themselves */
    es_pool_curve_free(c);
}

TEST(curve__pure_noise__has_no_reliability) {
    pool_sim p = pool_sim_new(30, 0, 0, 0.1, 0.1, 0);
    es_rng rng = test_rng(1, 1);
    pool_sim_draw(&p, &rng, false);
    es_pool_curve *c = curve(p.is, 30, (es_pool_curve_options){.points = 5});
    assert_int_equal(c->points, 5);
    assert_int_equal(c->point[0].size, 2);
    assert_int_equal(c->point[4].size, 30);
    assert_true(fabs(c->point[1].reliability.mean) < 0.25); /* no embedder is better than another */
    es_pool_curve_free(c);
    pool_sim_free(&p);
}

TEST(curve__downstream_results__can_be_the_measure) {
    pool_sim p = pool_sim_new(20, 0, 0.2, 0.1, 0.05, 0);
    es_rng rng = test_rng(1, 2);
    pool_sim_draw(&p, &rng, false);
    double downstream[20];
    for (size_t i = 0; i < 20; i++)
        downstream[i] = i < 3 ? (double)NAN : p.a[i];
    es_pool_curve *c = curve(p.is, 20, (es_pool_curve_options){.against = downstream});
    assert_true(c->point[18].agreement.mean > 0.9);
    assert_true(c->point[0].agreement.mean < c->point[18].agreement.mean);
    es_pool_curve_free(c);
    pool_sim_free(&p);
}

TEST(curve__tiny_and_empty_pools__have_few_points) {
    double is[25] = {0}, none[25];
    for (size_t k = 0; k < 25; k++)
        none[k] = (double)NAN;
    for (size_t m = 0; m <= 5; m++) {
        es_pool_curve *c = curve(is, m, (es_pool_curve_options){0});
        assert_int_equal(c->points, m < 4 ? 0 : m - 1);
        assert_int_equal(c->enough, 0);
        for (size_t k = 0; k < c->points; k++) /* all are equal */
            assert_true(isnan(c->point[k].agreement.mean));
        es_pool_curve_free(c);
        c = curve(none, m, (es_pool_curve_options){0});
        assert_true(c->points == 0 && c->enough == 0 && c->sources == 0);
        es_pool_curve_free(c);
    }
}

/* Two in an order agree with anything or with nothing. */
TEST(curve__few_have_a_score__has_no_points) {
    enum { ALL = 8 };
    double is[ALL * ALL];
    for (size_t scored = 2; scored <= 3; scored++) {
        for (size_t k = 0; k < (size_t)ALL * ALL; k++)
            is[k] = k / ALL < scored ? (double)(k / ALL) + 0.01 * (double)(k % 3) : (double)NAN;
        es_pool_curve *c = curve(is, ALL, (es_pool_curve_options){0});
        assert_int_equal(c->targets, ALL);
        assert_int_equal(c->sources, scored);
        assert_int_equal(c->points, scored < 3 ? 0 : ALL - 1);
        assert_int_equal(c->enough > 0, scored >= 3);
        es_pool_curve_free(c);
    }
}

/* Sizes are of those that vote: the same as of a pool in which the others have no column. */
TEST(curve__judges__are_its_targets) {
    enum { M = 20, JUDGES = 6 };
    pool_sim p = pool_sim_new(M, 0, 0.2, 0.1, 0.05, 0);
    es_rng rng = test_rng(1, 3);
    pool_sim_draw(&p, &rng, false);
    bool voting[M] = {false};
    for (size_t k = 0; k < JUDGES; k++)
        voting[3 * k] = true;
    es_pool_curve *c = curve(p.is, M, (es_pool_curve_options){.rule.voting = voting});
    assert_int_equal(c->targets, JUDGES);
    assert_int_equal(c->points, JUDGES - 1);
    for (size_t k = 0; k < c->points; k++) {
        const es_pool_size *at = c->point + k;
        assert_int_equal(at->size, k + 2);
        assert_int_equal(isnan(at->reliability.mean) != 0, at->size > JUDGES / 2);
        assert_true(k + 1 == c->points || at->deviation.low > 0); /* somebody is always left out */
    }
    assert_close(c->point[c->points - 1].agreement.low, 1, 1e-12);
    assert_close(c->point[c->points - 1].deviation.high, 0, 0);
    assert_true(c->enough < JUDGES);
    es_pool_curve_free(c);
    for (size_t k = 0; k < M; k++)
        voting[k] = true;
    c = curve(p.is, M, (es_pool_curve_options){.rule.voting = voting});
    es_pool_curve *all = curve(p.is, M, (es_pool_curve_options){0});
    assert_int_equal(c->points, all->points);
    assert_memory_equal(c->point, all->point, c->points * sizeof *c->point);
    es_pool_curve_free(all);
    es_pool_curve_free(c);
    for (size_t k = 0; k < M; k++)
        voting[k] = k < 3;
    c = curve(p.is, M, (es_pool_curve_options){.rule.voting = voting});
    assert_int_equal(c->points, 0);
    assert_int_equal(c->enough, 0);
    es_pool_curve_free(c);
    pool_sim_free(&p);
}

TEST(cover__known_pool__takes_the_fewest) {
    /* 1 covers 0 and 2; 3 covers 4; 5 is covered by nobody */
    double is[36];
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            is[i * 6 + j] = i == j ? 2 : 0.2;
    is[1 * 6 + 0] = is[1 * 6 + 2] = 1.8;
    is[3 * 6 + 4] = 1.7;
    es_cover_step step[6];
    size_t steps = 0;
    assert_ok(es_cover_greedy(is, 6, 0.8, NULL, NULL, step, &steps, NULL));
    assert_int_equal(steps, 3);
    assert_int_equal(step[0].model, 1);
    assert_close(step[0].gain, 3 * 0.8 + 3 * 0.1, 1e-12);
    assert_int_equal(step[0].covered, 3);
    assert_int_equal(step[1].model, 3);
    assert_int_equal(step[2].model, 5);
    assert_int_equal(step[2].covered, 6);
    assert_close(step[2].mean, (0.9 + 1 + 0.9 + 1 + 0.85 + 1) / 6, 1e-12);
    for (size_t k = 1; k < steps; k++)
        assert_true(step[k].gain <= step[k - 1].gain);
    assert_ok(es_cover_greedy(is, 6, 0.1, NULL, NULL, step, &steps, NULL));
    assert_int_equal(steps, 1);
    const size_t dim[] = {9, 9, 9, 9, 9, 3};
    assert_ok(es_cover_greedy(is, 6, 0.1, dim, NULL, step, &steps, NULL));
    assert_int_equal(step[0].model, 5); /* all cover enough: the cheapest */
}

TEST(cover__nothing_known__takes_everyone) {
    double is[16];
    for (size_t k = 0; k < 16; k++)
        is[k] = k % 3 ? (double)NAN : -1;
    es_cover_step step[4];
    size_t steps = 9;
    for (size_t m = 0; m <= 4; m++) {
        assert_ok(es_cover_greedy(is, m, 0.5, NULL, NULL, step, &steps, NULL));
        assert_int_equal(steps, m);
    }
    assert_int_equal(es_cover_greedy(is, 4, 0, NULL, NULL, step, &steps, NULL), ES_EINVAL);
    assert_int_equal(es_cover_greedy(is, 4, 1.1, NULL, NULL, step, &steps, NULL), ES_EINVAL);
    assert_ok(es_cover_greedy(is, 4, 1, NULL, NULL, step, &steps, NULL));
    assert_int_equal(steps, 4);
    const uint32_t bad[] = {0, 1, 2, 4};
    assert_int_equal(es_cover_greedy(is, 4, 1, NULL, bad, step, &steps, NULL), ES_EINVAL);
}
