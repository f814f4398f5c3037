/* Do 95 % intervals of scores and ranks hold the truth 95 % of the time?
 * Simulated pools: 24 by default, 500 with ES_SLOW set (ctest -C slow -L slow); a few under
 * sanitizers, of which no shares are asked. */
#include "pool_sim.h"

#include "embedscope/ranking.h"
#include "sanitized.h"

static int pools(void) {
    return SANITIZED ? 3 : getenv("ES_SLOW") ? 500 : 24;
}

typedef struct outcome {
    double covered, ranked; /* shares: truth in interval, rank in interval */
    double width;           /* of rank intervals, as a share of the embedders */
} outcome;

/* spread > 0: rank of a counts as the true one. The standard error of `covered` is about
 * sqrt(0.05 * 0.95 / pools), as the m intervals of one pool share its targets. */
static outcome simulate(pool_sim *p, es_resample resample, es_aggregate aggregate) {
    es_rng rng = test_rng(20, p->m);
    double covered = 0, ranked = 0, width = 0;
    es_score_rule rule = {.aggregate = aggregate};
    for (int k = 0; k < pools(); k++) {
        pool_sim_draw(p, &rng, true);
        es_bootstrap problem = {.is = p->is, .pmi = p->pmi, .m = p->m, .n_eval = p->rows};
        problem.rule = rule;
        problem.resample = resample;
        problem.seed = (uint64_t)k;
        es_intervals *x = NULL;
        es_ranking *truth = NULL;
        assert_ok(es_intervals_new(&problem, NULL, &x, NULL));
        assert_int_equal(x->resample, resample);
        assert_ok(es_ranking_new(p->truth, p->m, &rule, &truth, NULL));
        for (size_t i = 0; i < p->m; i++) {
            double score = resample == ES_RESAMPLE_ROWS ? truth->score[i] : p->a[i];
            covered += score >= x->low[i] && score <= x->high[i];
            uint32_t rank = 1;
            for (size_t j = 0; j < p->m; j++)
                rank += p->a[j] > p->a[i];
            if (resample == ES_RESAMPLE_ROWS)
                rank = truth->rank[i];
            ranked += rank >= x->rank_low[i] && rank <= x->rank_high[i];
            width += x->rank_high[i] - x->rank_low[i];
        }
        es_intervals_free(x);
        es_ranking_free(truth);
    }
    double n = pools() * (double)p->m;
    return (outcome){covered / n, ranked / n, width / n / (double)p->m};
}

/* slack: what chance adds at this number of pools, three standard errors. */
static void check(outcome o, const char *what) {
    double slack = getenv("ES_SLOW") ? 0 : 0.035;
    print_message("%s: score %.3f, rank %.3f, width %.3f\n", what, o.covered, o.ranked, o.width);
    if (SANITIZED)
        return;
    if (o.covered < 0.92 - slack || o.covered > 0.98 + slack)
        fail_msg("%s: intervals hold the truth %.3f of the time", what, o.covered);
    if (o.ranked < 0.92 - slack)
        fail_msg("%s: rank intervals hold the truth %.3f of the time", what, o.ranked);
    if (o.width > 0.6)
        fail_msg("%s: rank intervals cover %.3f of all ranks", what, o.width);
}

TEST(intervals__rows__are_calibrated) {
    pool_sim p = pool_sim_new(20, 200, 0.1, 0.1, 0.05, 0.01);
    check(simulate(&p, ES_RESAMPLE_ROWS, ES_AGGREGATE_MEDIAN), "rows, median");
    check(simulate(&p, ES_RESAMPLE_ROWS, ES_AGGREGATE_MEAN), "rows, mean");
    pool_sim_free(&p);
    pool_sim noisy = pool_sim_new(12, 400, 0.15, 0.1, 0.05, 0.05);
    check(simulate(&noisy, ES_RESAMPLE_ROWS, ES_AGGREGATE_MEDIAN), "noisy rows in blocks, median");
    pool_sim_free(&noisy);
}

TEST(intervals__targets__are_calibrated) {
    const size_t sizes[] = {10, 20, 50};
    for (size_t k = 0; k < 3; k++) {
        char what[40];
        pool_sim p = pool_sim_new(sizes[k], 0, 0.15, 0.1, 0.05, 0);
        snprintf(what, sizeof what, "targets, median of %zu", sizes[k]);
        check(simulate(&p, ES_RESAMPLE_TARGETS, ES_AGGREGATE_MEDIAN), what);
        pool_sim_free(&p);
    }
    pool_sim p = pool_sim_new(10, 0, 0.15, 0.1, 0.05, 0);
    check(simulate(&p, ES_RESAMPLE_TARGETS, ES_AGGREGATE_MEAN), "targets, mean of 10");
    pool_sim_free(&p);
}

TEST(intervals__both__are_calibrated) {
    pool_sim p = pool_sim_new(20, 200, 0.15, 0.1, 0.05, 0.01);
    check(simulate(&p, ES_RESAMPLE_BOTH, ES_AGGREGATE_MEDIAN), "both, median");
    check(simulate(&p, ES_RESAMPLE_BOTH, ES_AGGREGATE_MEAN), "both, mean");
    pool_sim_free(&p);
}
