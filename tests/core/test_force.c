#include "testing.h"
#include "core_structure.h"

enum { M = 12 };

/* Three families of four: strong inside, weak between. */
static void families(double *is) {
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++)
            is[i * M + j] = (i % 3 == j % 3 ? 0.8 : 0.2) + 0.001 * (double)(i * 7 + j * 3);
}

TEST(strength__pairs__are_ranked_and_the_unknown_left_out) {
    const double is[9] = {9, 0.1, 0.5, 0.3, 9, (double)NAN, (double)NAN, (double)NAN, 9};
    double strength[9];
    size_t pairs = 0;
    assert_ok(es_pair_strength(is, 3, NULL, strength, &pairs, NULL));
    assert_int_equal(pairs, 2);
    assert_true(strength[1] == 0.5 && strength[3] == 0.5); /* mean 0.2: the weaker one */
    assert_true(strength[2] == 1 && strength[6] == 1);     /* one direction only: 0.5 */
    assert_true(isnan(strength[5]) && isnan(strength[7]) && isnan(strength[0]));
}

static double distance(const es_force *f, size_t i, size_t j) {
    return hypot(f->x[i] - f->x[j], f->y[i] - f->y[j]);
}

/* Very many pairs are ranked share by share: what comes out is what one sort gives, ties too, and
 * whoever called it off is obeyed. */
TEST(strength__of_many_pairs__is_that_of_one_sort) {
    enum { MANY = 700 };
    size_t pairs = 0, n = 0, most = (size_t)MANY * (MANY - 1) / 2;
    double *is = test_keep(es_alloc((size_t)MANY * MANY, sizeof *is), es_free);
    double *strength = test_keep(es_alloc((size_t)MANY * MANY, sizeof *strength), es_free);
    double *value = test_keep(es_alloc(most, 2 * sizeof *value), es_free), *rank = value + most;
    for (int kind = 0; kind < 3; kind++) { /* all different, few values, nearly all one value */
        es_rng rng = test_rng(5, (uint64_t)kind);
        for (size_t k = 0; k < (size_t)MANY * MANY; k++) {
            double u = es_rng_uniform(&rng);
            is[k] = kind == 0 ? u * u : kind == 1 ? floor(40 * u) : u < 0.99 ? 0 : u;
            is[k] = es_rng_uniform(&rng) < 0.01 ? (double)NAN : is[k];
        }
        assert_ok(es_pair_strength(is, MANY, NULL, strength, &pairs, NULL));
        n = 0;
        for (size_t i = 0; i < MANY; i++)
            for (size_t j = i + 1; j < MANY; j++) {
                double a = is[i * MANY + j], b = is[j * MANY + i];
                double v = isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
                if (!isnan(v))
                    value[n++] = v;
            }
        assert_int_equal(pairs, n);
        assert_ok(es_stat_midranks(value, n, rank, NULL));
        size_t at = 0;
        for (size_t i = 0; i < MANY; i++)
            for (size_t j = i + 1; j < MANY; j++) {
                double got = strength[i * MANY + j];
                if (isnan(is[i * MANY + j]) && isnan(is[j * MANY + i]))
                    assert_true(isnan(got));
                else
                    assert_true(got == rank[at++] / (double)n && got == strength[j * MANY + i]);
            }
    }
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_pair_strength(is, MANY, &run, strength, &pairs, NULL), ES_ECANCELED);
    es_force *f = NULL;
    assert_int_equal(es_force_of(is, MANY, 0, &run, &f, NULL), ES_ECANCELED);
    assert_null(f);
}

TEST(force__families__come_together) {
    double is[M * M], strength[M * M], inside = 0, outside = 0;
    size_t pairs;
    es_force *f;
    families(is);
    assert_ok(es_pair_strength(is, M, NULL, strength, &pairs, NULL));
    assert_ok(es_force_new(strength, M, 0, &f, NULL));
    assert_int_equal(es_force_move(f, ES_FORCE_STEPS), 0);
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < i; j++)
            if (i % 3 == j % 3)
                inside = fmax(inside, distance(f, i, j));
            else
                outside += distance(f, i, j) / 48;
    print_message("longest inside %.3f, mean between %.3f\n", inside, outside);
    assert_true(inside < outside);
    es_force_free(f);
}

TEST(strength__one_pair_or_none__is_whole_or_unknown) {
    double is[] = {1, 0.5, (double)NAN, 1}, strength[4] = {0};
    size_t pairs = 7;
    assert_ok(es_pair_strength(is, 2, NULL, strength, &pairs, NULL));
    assert_int_equal(pairs, 1);
    assert_true(strength[1] == 1 && strength[2] == 1);
    is[1] = (double)NAN;
    assert_ok(es_pair_strength(is, 2, NULL, strength, &pairs, NULL));
    assert_int_equal(pairs, 0);
    for (size_t k = 0; k < 4; k++)
        assert_true(isnan(strength[k]));
}

TEST(force__portions__make_no_difference) {
    double is[M * M], strength[M * M];
    size_t pairs;
    es_force *a, *b, *c;
    families(is);
    assert_ok(es_pair_strength(is, M, NULL, strength, &pairs, NULL));
    assert_ok(es_force_new(strength, M, 7, &a, NULL));
    assert_ok(es_force_new(strength, M, 7, &b, NULL));
    assert_ok(es_force_new(strength, M, 8, &c, NULL));
    assert_int_equal(es_force_move(a, 1000), 0);
    while (es_force_move(b, 7) > 0) {
    }
    (void)es_force_move(c, 1000);
    assert_memory_equal(a->x, b->x, M * sizeof(double));
    assert_memory_equal(a->y, b->y, M * sizeof(double));
    assert_true(memcmp(a->x, c->x, M * sizeof(double)) != 0); /* another seed, another drawing */
    es_force_free(a);
    es_force_free(b);
    es_force_free(c);
}

TEST(force__few_or_unknown__stay_finite) {
    for (size_t m = 0; m < 4; m++) {
        double strength[16];
        es_force *f;
        for (size_t k = 0; k < 16; k++)
            strength[k] = (double)NAN;
        assert_ok(es_force_new(strength, m, 0, &f, NULL));
        assert_int_equal(es_force_move(f, 1000), 0);
        for (size_t i = 0; i < m; i++)
            assert_true(isfinite(f->x[i]) && isfinite(f->y[i]));
        es_force_free(f);
    }
}

/* The strongest pairs, two a node; what is tied at the end is left out. */
TEST(force__of_a_matrix__has_the_strongest_edges) {
    double is[M * M], strength[M * M];
    size_t pairs = 0, drawn = 0;
    es_force *f, *same;
    families(is);
    for (size_t k = 0; k < M * M; k++)
        is[k] += 0.01 * sin((double)k * 1.7); /* none tied */
    assert_ok(es_pair_strength(is, M, NULL, strength, &pairs, NULL));
    assert_ok(es_force_new(strength, M, 3, &same, NULL));
    assert_ok(es_force_of(is, M, 3, NULL, &f, NULL));
    assert_int_equal(f->pairs, pairs);
    assert_int_equal(f->edges, 2 * M);
    assert_memory_equal(f->pull, same->pull, M * M * sizeof *f->pull);
    assert_memory_equal(f->x, same->x, M * sizeof *f->x);
    for (size_t i = 0; i < M; i++)
        for (size_t j = i + 1; j < M; j++)
            if (strength[i * M + j] * (double)pairs > (double)(pairs - 2 * M) + 0.5) {
                assert_int_equal(f->edge[drawn].a, i);
                assert_int_equal(f->edge[drawn].b, j);
                drawn++;
            }
    assert_int_equal(drawn, 2 * M);
    es_force_free(f);
    es_force_free(same);
    for (size_t k = 0; k < M * M; k++)
        is[k] = 0.5;
    assert_ok(es_force_of(is, M, 3, NULL, &f, NULL));
    assert_int_equal(f->edges, 0);
    es_force_free(f);
    for (size_t i = 0; i < M - 2; i++) /* 45 of 66 are tied at the top: more than two a node */
        for (size_t j = 0; j < M - 2; j++)
            is[i * M + j] = 0.7;
    assert_ok(es_force_of(is, M, 3, NULL, &f, NULL));
    assert_int_equal(f->edges, 45);
    es_force_free(f);
    for (size_t k = 0; k < M * M; k++)
        is[k] = 0.5;
    is[1] = 0.6; /* one above the others */
    assert_ok(es_force_of(is, M, 3, NULL, &f, NULL));
    assert_int_equal(f->edges, 1);
    assert_int_equal(f->edge[0].b, 1);
    es_force_free(f);
    assert_ok(es_force_of(is, 3, 3, NULL, &f, NULL)); /* so few that all are drawn */
    assert_int_equal(f->edges, 3);
    es_force_free(f);
}

TEST(force__of_many__one_edge_a_node) {
    enum { MANY = 61 };
    static double is[MANY * MANY];
    es_force *f;
    for (size_t k = 0; k < (size_t)MANY * MANY; k++)
        is[k] = sin((double)k * 1.7);
    assert_ok(es_force_of(is, MANY, 0, NULL, &f, NULL));
    assert_int_equal(f->edges, MANY);
    es_force_free(f);
    assert_ok(es_force_of(is, MANY - 1, 0, NULL, &f, NULL));
    assert_int_equal(f->edges, 2 * (MANY - 1));
    es_force_free(f);
}

TEST(force__of_no_memory__is_reported) {
    double is[M * M];
    es_status st = ES_ENOMEM;
    families(is);
    for (long k = 0; st != ES_OK; k++) {
        es_force *f = NULL;
        assert_true(k < 20);
        es_alloc_fail_after(k);
        st = es_force_of(is, M, 0, NULL, &f, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK ? f != NULL : st == ES_ENOMEM && f == NULL);
        es_force_free(f);
    }
}

TEST(force__no_memory__is_reported) {
    double is[M * M], strength[M * M];
    size_t pairs, failures = 0;
    families(is);
    for (long k = 0; k < 12; k++) {
        es_force *f = NULL;
        es_alloc_fail_after(k);
        es_status st = es_pair_strength(is, M, NULL, strength, &pairs, NULL);
        if (st == ES_OK)
            st = es_force_new(strength, M, 0, &f, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || (st == ES_ENOMEM && f == NULL));
        failures += st != ES_OK;
        es_force_free(f);
    }
    assert_true(failures >= 4);
}

/* The search in portions gives what one call gives. */
TEST(communities__portions__make_no_difference) {
    double is[M * M];
    unsigned left = 1;
    es_communities *whole, *parts;
    es_communities_search *search;
    families(is);
    es_louvain problem = {.is = is, .m = M, .starts = 5, .runs = 23};
    assert_ok(es_communities_new(&problem, NULL, &whole, NULL));
    assert_ok(es_communities_begin(&problem, &search, NULL));
    assert_int_equal(es_communities_finish(search, &parts, NULL), ES_EINVAL);
    while (left > 0)
        assert_ok(es_communities_step(search, 4, NULL, &left, NULL));
    assert_ok(es_communities_finish(search, &parts, NULL));
    es_communities_search_free(search);
    assert_int_equal(whole->groups, 3);
    assert_int_equal(parts->listed, whole->listed);
    assert_memory_equal(parts->group, whole->group, M * sizeof(uint32_t));
    assert_true(parts->modularity.value == whole->modularity.value);
    assert_true(parts->agreement == whole->agreement);
    for (size_t k = 0; k < parts->listed; k++)
        assert_true(parts->list[k].stability == whole->list[k].stability);
    es_communities_free(whole);
    es_communities_free(parts);
}

/* For the explorer's portions: what one of each costs. */
TEST(portions__cost__is_small) {
    static const size_t sizes[] = {50, 200};
    for (int s = 0; s < 2; s++) {
        size_t m = sizes[s], pairs;
        double *is = test_keep(es_alloc(m * m, sizeof *is), es_free),
               *strength = test_keep(es_alloc(m * m, sizeof *strength), es_free);
        unsigned left = 1, runs = 0;
        es_communities_search *search;
        es_communities *found;
        es_force *f;
        for (size_t k = 0; k < m * m; k++)
            is[k] = 0.3 + 0.2 * sin((double)(k * k % 9973)) + (k / m % 5 == k % m % 5 ? 0.1 : 0);
        es_louvain problem = {.is = is, .m = m};
        double t0 = es_clock_now();
        assert_ok(es_communities_begin(&problem, &search, NULL));
        double t1 = es_clock_now();
        for (; left > 0; runs++)
            assert_ok(es_communities_step(search, 1, NULL, &left, NULL));
        double t2 = es_clock_now();
        assert_ok(es_communities_finish(search, &found, NULL));
        double t3 = es_clock_now();
        assert_ok(es_pair_strength(is, m, NULL, strength, &pairs, NULL));
        double t4 = es_clock_now();
        assert_ok(es_force_new(strength, m, 0, &f, NULL));
        double t5 = es_clock_now();
        (void)es_force_move(f, 20);
        double t6 = es_clock_now();
        print_message("m=%zu: begin %.2f, run %.3f, finish %.2f, strength %.2f, force new %.2f, "
                      "step %.3f ms\n",
                      m, 1e3 * (t1 - t0), 1e3 * (t2 - t1) / runs, 1e3 * (t3 - t2), 1e3 * (t4 - t3),
                      1e3 * (t5 - t4), 1e3 * (t6 - t5) / 20);
        assert_int_equal(runs, ES_LOUVAIN_RUNS);
        es_force_free(f);
        es_communities_free(found);
        es_communities_search_free(search);
    }
}
