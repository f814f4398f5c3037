/* Every analysis with the k-th allocation failing, for every k: reported, nothing leaked (the
 * address sanitizer looks), outputs untouched. */
#include "pool_sim.h"

#include "alloc.h"
#include "embedscope/ranking.h"
#include "embedscope/compare.h"
#include "embedscope/correlate.h"
#include "coverage.h"
#include "embedscope/communities.h"
#include "linkage.h"
#include "names.h"
#include "order.h"

enum { M = 9 };

static pool_sim pool;

static es_status do_ranking(es_error *err) {
    es_ranking *r = NULL;
    const uint32_t family[M] = {0, 0, 0, 1};
    es_score_rule rule = {.aggregate = ES_AGGREGATE_BALANCED, .family = family};
    es_dominance d;
    es_status st = es_ranking_new(pool.is, M, &rule, &r, err);
    assert_int_equal(st == ES_OK, r != NULL);
    es_ranking_free(r);
    if (st == ES_OK)
        st = es_ranking_dominance(pool.is, M, &(es_score_rule){0}, &d, err);
    return st;
}

static es_status do_intervals(es_error *err) {
    es_intervals *x = NULL;
    uint32_t order[M] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    es_bootstrap b = {.is = pool.is, .pmi = pool.pmi, .m = M, .n_eval = pool.rows};
    b.draws = 100;
    b.order = order;
    es_status st = es_intervals_new(&b, NULL, &x, err);
    assert_int_equal(st == ES_OK, x != NULL);
    es_intervals_free(x);
    return st;
}

static es_status do_communities(es_error *err) {
    es_communities *c = NULL;
    uint32_t order[M] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    double q = 0;
    es_louvain p = {.is = pool.truth, .m = M, .order = order, .starts = 2, .runs = 3};
    es_status st = es_communities_new(&p, NULL, &c, err);
    assert_int_equal(st == ES_OK, c != NULL);
    if (st == ES_OK)
        st = es_modularity(&p, c->group, &q, err);
    es_communities_free(c);
    return st;
}

static es_status do_linkage(es_error *err) {
    es_linkage *l = NULL;
    es_status st = es_linkage_new(pool.is, M, ES_LINKAGE_WARD, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP,
                                  NULL, &l, err);
    assert_int_equal(st == ES_OK, l != NULL);
    es_linkage_free(l);
    return st;
}

static es_status do_order(es_error *err) {
    uint32_t order[M];
    const size_t dim[M] = {0};
    const char *const a[] = {"x", "y"}, *const b[] = {"Y"};
    size_t partner[2];
    es_name_match how[2];
    es_order_keys keys = {.m = M, .dim = dim};
    es_status st = es_order_make(ES_ORDER_DIM, &keys, order, err);
    return st == ES_OK ? es_names_match(a, 2, b, 1, partner, how, err) : st;
}

static es_status do_comparison(es_error *err) {
    es_comparison *c = NULL;
    const size_t models[] = {0, 2, 1};
    uint32_t row[8];
    es_status st = es_comparison_new(pool.is, NULL, pool.pmi, pool.rows, M, models, 3, &c, err);
    assert_int_equal(st == ES_OK, c != NULL);
    es_comparison_free(c);
    return st == ES_OK ? es_compare_rows(pool.pmi[0], pool.pmi[1], 8, row, err) : st;
}

static es_status do_coverage(es_error *err) {
    es_pool_curve *c = NULL;
    es_cover_step step[M];
    size_t steps = 0;
    es_pool_curve_options o = {.draws = 2, .points = 2};
    es_status st = es_pool_curve_new(pool.is, M, &o, NULL, &c, err);
    assert_int_equal(st == ES_OK, c != NULL);
    es_pool_curve_free(c);
    return st == ES_OK ? es_cover_greedy(pool.is, M, 0.9, NULL, NULL, step, &steps, err) : st;
}

static es_status do_correlation(es_error *err) {
    es_correlation_report r = {.n = 77};
    es_correlate_options o = {.draws = 3, .permutations = 3};
    double rank[4];
    es_status st =
        es_correlate_task(pool.is, pool.is + M, pool.is + 2 * M, M, &o, NULL, NULL, &r, err);
    assert_int_equal(r.n, st == ES_OK ? M : 77);
    return st == ES_OK ? es_mean_rank(pool.is, 4, 2, NULL, rank, NULL, err) : st;
}

static void fail_each(es_status (*work)(es_error *err), const char *what) {
    for (long k = 0; k < 2000; k++) {
        es_error err = {0};
        es_alloc_fail_after(k);
        es_status st = work(&err);
        es_alloc_fail_after(-1);
        if (st == ES_OK) {
            assert_true(k > 0);
            return;
        }
        assert_int_equal(st, ES_ENOMEM);
        if (!strstr(err.message, "out of memory"))
            fail_msg("%s: allocation %ld: '%s'", what, k, err.message);
    }
    fail_msg("%s does not end", what);
}

static void analyses__any_allocation_fails__report_it(void **state) {
    (void)state;
    es_rng rng;
    es_rng_init(&rng, 1, 1);
    pool = pool_sim_new(M, 20, 0.1, 0.1, 0.05, 0.02);
    pool_sim_draw(&pool, &rng, false);
    for (size_t k = 0; k < (size_t)M * M; k++)
        pool.truth[k] = k / M / 3 == k % M / 3 ? 1 : 0.1;
    fail_each(do_ranking, "ranking");
    fail_each(do_intervals, "intervals");
    fail_each(do_communities, "communities");
    fail_each(do_linkage, "linkage");
    fail_each(do_order, "order");
    fail_each(do_comparison, "comparison");
    fail_each(do_coverage, "coverage");
    fail_each(do_correlation, "correlation");
    pool_sim_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analyses__any_allocation_fails__report_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
