/* Every analysis with the k-th allocation failing, for every k: reported, nothing leaked (the
 * address sanitizer looks), outputs untouched. */
#include "pool_sim.h"

#include "cmim_train.h"
#include "core_ranking.h"
#include "core_derive.h"
#include "embedscope/compare.h"
#include "embedscope/correlate.h"
#include "core_structure.h"
#include "refuse.h"
#include "synthetic.h"

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
    es_compared_rows *rows = NULL;
    const size_t models[] = {0, 2, 1};
    uint32_t row[8];
    es_status st = es_comparison_new(pool.is, NULL, pool.pmi, pool.rows, M, models, 3, &c, err);
    assert_int_equal(st == ES_OK, c != NULL);
    if (st == ES_OK)
        st = es_compared_rows_new(pool.pmi, pool.rows, M, c, 0, SIZE_MAX, &rows, err);
    assert_int_equal(st == ES_OK, rows != NULL);
    es_compared_rows_free(rows);
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

static es_status do_decision(es_error *err) {
    static const es_aggregate ways[] = {ES_AGGREGATE_MEAN, ES_AGGREGATE_MEDIAN};
    es_status st = ES_OK;
    for (size_t k = 0; k < sizeof ways / sizeof *ways && st == ES_OK; k++) {
        es_decision *d = NULL;
        es_decision_problem p = {
            .is = pool.is, .pmi = pool.pmi, .m = M, .n_eval = pool.rows, .draws = 100};
        p.rule.aggregate = ways[k];
        st = es_decision_new(&p, NULL, &d, err);
        assert_int_equal(st == ES_OK, d != NULL);
        es_decision_free(d);
    }
    return st;
}

static es_status do_combined(es_error *err) {
    es_data_set sets[ES_COMBINE_SETS];
    es_combined *c = NULL;
    for (size_t k = 0; k < ES_COMBINE_SETS; k++)
        sets[k] = (es_data_set){pool.is + k * M, NULL};
    es_status st = es_combine(sets, ES_COMBINE_SETS, M, 1, NULL, &c, err);
    assert_int_equal(st == ES_OK, c != NULL);
    es_combined_free(c);
    return st;
}

/* A map of each kind, of many rows and of few, and a row through it. */
static es_status do_derive(es_error *err) {
    static const es_derive ways[] = {{ES_DERIVE_CENTRE, 0, 0, 0}, {ES_DERIVE_ABTT, 0, 2, 0},
                                     {ES_DERIVE_PCR, 0, 2, 0},    {ES_DERIVE_WHITEN, 0, 0, 0},
                                     {ES_DERIVE_PCA, 0, 2, 0},    {ES_DERIVE_RANDOM, 0, 3, 7}};
    es_status st = ES_OK;
    for (size_t k = 0; k < 2 * sizeof ways / sizeof *ways && st == ES_OK; k++) {
        const synthetic few = {6, M + 4, pool.is}, many = {M + 4, 6, pool.is};
        const es_rows rows = synthetic_rows(k % 2 ? &few : &many);
        double x[M + 4], y[M + 4];
        es_derive_map map = {0};
        memcpy(x, pool.is, sizeof x);
        st = es_derive_map_new(&rows, &ways[k / 2], NULL, &map, err);
        if (st == ES_OK)
            st = es_derive_map_apply(&map, x, 1, y, err);
        es_derive_map_free(&map);
    }
    return st;
}

static es_status do_flow(es_error *err) {
    const es_matrix m = {24, 3, pool.is};
    double z[24 * 3];
    es_normalizing_flow *flow = NULL;
    es_status st = es_normalizing_flow_fit(&m, 1, NULL, &flow, err);
    if (st == ES_OK)
        st = es_normalizing_flow_apply(flow, m.x, m.n, z, err);
    es_normalizing_flow_free(flow);
    return st;
}

static es_status do_training(es_error *err) {
    double values[ES_CMIM_SETTINGS_MOST];
    float x[20 * 3];
    es_cmim_columns columns = {0};
    es_cmim_trainer *t = NULL;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)pool.is[i];
    es_cmim_defaults(values);
    es_cmim_recipe recipe = es_cmim_recipe_of(values, 5);
    recipe.h = recipe.k = 2;
    es_status st = es_cmim_columns_new(3, 2, &columns, err);
    es_cmim_columns_deinit(&columns);
    if (st == ES_OK)
        st = es_cmim_trainer_new(&recipe, x, 20, 3, es_simd_get(es_isa_level()), &t, err);
    assert_int_equal(st == ES_OK, t != NULL);
    es_cmim_trainer_free(t);
    return st;
}

/* An arena that cannot have as much as it wants tries with what it needs. */
static void fail_each(es_status (*work)(es_error *err), const char *what) {
    bool met = true, tries = work == do_training || work == do_flow;
    for (long k = 0; met; k++) {
        es_error err = {0};
        refuse_one(k);
        es_status st = work(&err);
        met = refuse_end();
        bool right = st == ES_OK ? !met || tries : met && st == ES_ENOMEM;
        if (!right || (st != ES_OK && !strstr(err.message, "out of memory")))
            fail_msg("%s: allocation %ld: %d, '%s'", what, k, (int)st, err.message);
    }
}

TEST(analyses__any_allocation_fails__report_it) {
    es_rng rng = test_rng(1, 1);
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
    fail_each(do_decision, "decision");
    fail_each(do_combined, "combination");
    fail_each(do_derive, "derivation");
    fail_each(do_flow, "flow");
    fail_each(do_training, "training");
    pool_sim_free(&pool);
}

/* From so many on, by a product of columns: what is refused here is the first thing it asks for. */
TEST(singular_values__of_many_columns__report_it) {
    enum { K = ES_SINGULAR_FEW };
    double *a = test_alloc((size_t)K * K, sizeof *a), s[1] = {7};
    refuse_one(0);
    assert_int_equal(es_singular_values(K, K, a, 1e-9, s, test_err()), ES_ENOMEM);
    assert_true(refuse_end());
    assert_string_equal(test_message(), "out of memory for 1000 columns");
    assert_true(s[0] == 7);
}
