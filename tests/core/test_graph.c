/* Communities against the golden file and against modularity by hand. */
#include "table.h"

#include "core_structure_parts.h"

static es_communities *find(es_louvain problem) {
    es_communities *c = NULL;
    assert_ok(es_communities_new(&problem, NULL, &c, test_err()));
    return c;
}

/* True when a and b (m) part the same nodes. */
static bool same_partition(const uint32_t *a, const uint32_t *b, size_t m) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return false;
    return true;
}

TEST(communities__text_matrix__equal_golden_in_all_four_cases) {
    double is[NLP * NLP];
    table_matrix(is);
    table golden = table_read("golden_louvain20.csv");
    assert_int_equal(golden.rows, 4 * NLP);
    for (size_t k = 0; k < 4; k++) {
        size_t row = k * NLP;
        uint32_t expected[NLP];
        for (size_t i = 0; i < NLP; i++)
            expected[i] = (uint32_t)table_number(&golden, row + i, 6);
        es_louvain p = {.is = is, .m = NLP, .resolution = table_number(&golden, row, 1)};
        p.weights =
            strcmp(table_text(&golden, row, 0), "raw") == 0 ? ES_WEIGHTS_RAW : ES_WEIGHTS_MINMAX;
        for (p.seed = 0; p.seed < 5; p.seed++) {
            es_communities *c = find(p);
            assert_close(c->modularity.value, table_number(&golden, row, 2), 0.6e-8);
            assert_true(same_partition(c->group, expected, NLP));
            assert_true(c->agreement > 0.85);
            double quality = 0;
            assert_ok(es_modularity(&p, c->group, &quality, NULL));
            assert_close(quality, c->modularity.value, 1e-14);
            es_communities_free(c);
        }
    }
    table_free(&golden);
}

TEST(communities__transposed__keep_their_modularity) {
    double is[NLP * NLP], turned[NLP * NLP];
    table_matrix(is);
    for (size_t k = 0; k < (size_t)NLP * NLP; k++)
        turned[k % NLP * NLP + k / NLP] = is[k];
    es_communities *a = find((es_louvain){.is = is, .m = NLP});
    es_communities *b = find((es_louvain){.is = turned, .m = NLP});
    assert_close(a->modularity.value, b->modularity.value, 1e-12);
    es_communities_free(a);
    es_communities_free(b);
}

/* The same pool in another file order, with the canonical order given. */
TEST(communities__shuffled__are_the_same) {
    double is[NLP * NLP], mixed[NLP * NLP];
    uint32_t to[NLP];
    table_matrix(is);
    es_rng rng = test_rng(5, 1);
    for (uint32_t i = 0; i < NLP; i++)
        to[i] = i;
    es_rng_shuffle(&rng, to, NLP);
    for (size_t i = 0; i < NLP; i++)
        for (size_t j = 0; j < NLP; j++)
            mixed[to[i] * NLP + to[j]] = is[i * NLP + j];
    for (uint64_t seed = 0; seed < 3; seed++) {
        es_communities *a = find((es_louvain){.is = is, .m = NLP, .resolution = 1.1, .seed = seed});
        es_communities *b =
            find((es_louvain){.is = mixed, .m = NLP, .resolution = 1.1, .order = to, .seed = seed});
        assert_true(a->modularity.value == b->modularity.value);
        assert_int_equal(a->listed, b->listed);
        for (size_t i = 0; i < NLP; i++) {
            assert_int_equal(a->group[i], b->group[to[i]]);
            assert_true(a->elsewhere[i] == b->elsewhere[to[i]]);
        }
        for (size_t k = 0; k < a->listed; k++) {
            assert_int_equal(a->list[k].size, b->list[k].size);
            assert_true(a->list[k].stability == b->list[k].stability);
            for (size_t i = 0; i < a->list[k].size; i++)
                assert_int_equal(to[a->list[k].members[i]], b->list[k].members[i]);
        }
        es_communities_free(a);
        es_communities_free(b);
    }
}

/* Cliques of cliques: 27 nodes, triples inside nines. */
static void nested(double *is) {
    for (size_t i = 0; i < 27; i++)
        for (size_t j = 0; j < 27; j++)
            is[i * 27 + j] = i / 3 == j / 3 ? 1 : i / 9 == j / 9 ? 0.12 : 0.005;
}

TEST(communities__nested_groups__keep_a_tree) {
    double is[27 * 27];
    nested(is);
    es_communities *c = find((es_louvain){.is = is, .m = 27, .resolution = 0.7});
    assert_int_equal(c->groups, 3);
    assert_int_equal(c->levels, 2);
    assert_int_equal(c->listed, 12);
    for (size_t k = 0; k < 12; k++) {
        const es_community *e = c->list + k;
        assert_int_equal(e->level, k < 3 ? 0 : 1);
        assert_int_equal(e->size, k < 3 ? 9 : 3);
        if (k < 3)
            assert_true(e->parent == SIZE_MAX);
        else
            for (size_t i = 0; i < e->size; i++)
                assert_int_equal(c->group[e->members[i]], e->parent);
        assert_close(e->stability, 1, 0);
    }
    for (size_t i = 0; i < 27; i++)
        assert_close(c->elsewhere[i], 0, 0);
    es_communities_free(c);
}

/* A node halfway between two groups is in elsewhere; the others are not. */
TEST(communities__node_between__is_often_elsewhere) {
    enum { M = 9 };
    double is[M * M];
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++) {
            bool between = i == 4 || j == 4;
            is[i * M + j] = between ? 0.5 : (i < 4) == (j < 4) ? 1 : 0.01;
        }
    es_communities *c = find((es_louvain){.is = is, .m = M});
    assert_int_equal(c->groups, 2);
    assert_true(c->elsewhere[4] > 0.2 && c->elsewhere[4] < 0.8);
    for (size_t i = 0; i < M; i++)
        if (i != 4)
            assert_close(c->elsewhere[i], 0, 0);
    assert_true(c->list[0].stability < 0.8 && c->agreement < 0.8);
    es_communities_free(c);
}

TEST(communities__bad_entries__are_counted) {
    double is[NLP * NLP];
    table_matrix(is);
    is[1] = (double)NAN;
    is[2] = (double)INFINITY;
    is[3] = -0.5;
    is[4] = 0; /* no edge, and not negative */
    is[5] = 0.5;
    is[0] = (double)NAN; /* the diagonal is nobody's business */
    es_communities *c = find((es_louvain){.is = is, .m = NLP});
    assert_int_equal(c->missing, 2);
    assert_int_equal(c->negative, 1);
    assert_int_equal(c->edges, NLP * (NLP - 1) - 4);
    assert_int_equal(c->weak, 0);
    es_communities_free(c);
    c = find((es_louvain){.is = is, .m = NLP, .threshold = 0.5});
    size_t below = 0;
    for (size_t k = 1; k < (size_t)NLP * NLP; k++)
        below += k % (NLP + 1) != 0 && is[k] < 0.5; /* what is as large as the threshold stays */
    assert_true(below > 50);
    assert_int_equal(c->weak, below);
    assert_true(c->weak + c->edges + c->missing == NLP * (NLP - 1));
    es_communities_free(c);
}

/* Two halves that know each other, and one of which everybody says next to nothing: with the errors
 * it is alone, without them any edge ties it to somebody. */
TEST(communities__within_errors__is_no_edge) {
    enum { M = 5 };
    double is[M * M], se[M * M];
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++) {
            is[i * M + j] = i == 4 || j == 4 ? 1e-5 : i / 2 == j / 2 ? 1 : 0.25;
            se[i * M + j] = i == 4 || j == 4 ? 5e-6 : 0.01;
        }
    se[4 * M] = (double)NAN; /* not known is no elsewhere */
    es_communities *c = find((es_louvain){.is = is, .m = M});
    assert_int_equal(c->groups, 2);
    assert_int_equal(c->within, 0);
    es_communities_free(c);
    is[4 * M] = -1;
    c = find((es_louvain){.is = is, .se = se, .m = M});
    assert_int_equal(c->groups, 3);
    assert_int_equal(c->group[4], 2);
    assert_true(c->within == 7 && c->negative == 1 && c->edges == 12);
    es_communities_free(c);
    is[4 * M] = 1e-5;
    is[4] = 1.6e-5; /* more than three */
    c = find((es_louvain){.is = is, .se = se, .m = M});
    assert_true(c->within == 6 && c->edges == 14);
    es_communities_free(c);
}

TEST(communities__no_edges__leave_everyone_alone) {
    double is[9];
    for (size_t k = 0; k < 9; k++)
        is[k] = k % 2 ? (double)NAN : -1;
    for (size_t k = 0; k < 8; k++) {
        size_t m = k % 4;
        es_communities *c = find(
            (es_louvain){.is = is, .m = m, .weights = k < 4 ? ES_WEIGHTS_RAW : ES_WEIGHTS_MINMAX});
        assert_int_equal(c->groups, m);
        assert_int_equal(c->edges, 0);
        assert_int_equal(c->listed, m);
        assert_true(isnan(c->modularity.value));
        assert_string_equal(c->modularity.why, "no edges");
        for (size_t i = 0; i < m; i++) {
            assert_int_equal(c->group[i], i);
            assert_true(isnan(c->elsewhere[i]));
        }
        es_communities_free(c);
    }
}

/* What is taken as no edge stays none when weights are scaled, also beside equal ones. */
TEST(communities__minmax__makes_no_edges) {
    const double is[] = {1,    0.25, -0.5, 0.01, /* */ 0.25, 1, (double)NAN, -0.1,
                         -0.2, 0.01, 1,    0.25, /* */ -0.1, 0, 0.25,        1};
    double noise[16], se[16];
    for (size_t k = 0; k < 16; k++) {
        noise[k] = 0.01 + 1e-3 * (double)k;
        se[k] = 0.01;
    }
    es_louvain p = {.is = is, .se = se, .m = 4, .weights = ES_WEIGHTS_MINMAX};
    es_communities *c = find(p);
    assert_int_equal(c->edges, 4); /* those of 0.25 */
    assert_int_equal(c->groups, 2);
    assert_true(c->within == 2 && c->negative == 4 && c->missing == 1);
    es_communities_free(c);
    p.is = noise;
    c = find(p);
    assert_true(c->within == 12 && c->edges == 0 && c->groups == 4);
    assert_string_equal(c->modularity.why, "no edges");
    es_communities_free(c);
}

/* Which edges are left out changes nothing of what the others weigh. */
TEST(communities__minmax_and_threshold__are_scaled_first) {
    const double is[] = {1, 0.1, 0.2, /* */ 0.3, 1, 0.4, /* */ 0.5, 0.6, 1};
    es_louvain p = {.is = is, .m = 3, .weights = ES_WEIGHTS_MINMAX};
    es_communities *all = find(p);
    p.threshold = 0.11; /* leaves out the one that is 0 when scaled */
    es_communities *most = find(p);
    assert_int_equal(all->edges, 5);
    assert_true(most->edges == 5 && most->weak == 1);
    assert_close(most->modularity.value, all->modularity.value, 1e-15);
    es_communities_free(all);
    es_communities_free(most);
    p.threshold = 0.2;
    most = find(p);
    assert_true(most->edges == 5 && most->weak == 1);
    es_communities_free(most);
}

TEST(communities__equal_weights__end) {
    double is[30 * 30];
    for (size_t k = 0; k < 900; k++)
        is[k] = 0.25;
    for (int weights = ES_WEIGHTS_RAW; weights <= ES_WEIGHTS_MINMAX; weights++)
        for (int r = 0; r < 3; r++) {
            es_louvain p = {.is = is, .m = 30, .resolution = 0.9 + 0.1 * r};
            p.weights = (es_weights)weights;
            es_communities *c = find(p);
            assert_int_equal(c->edges, 870);
            assert_true(c->groups >= 1 && isfinite(c->modularity.value));
            es_communities_free(c);
        }
}

TEST(communities__bad_arguments__are_refused) {
    double is[4] = {0};
    const uint32_t twice[] = {1, 1};
    es_communities *c = NULL;
    es_louvain p = {.is = is, .m = 2, .resolution = -1};
    assert_int_equal(es_communities_new(&p, NULL, &c, test_err()), ES_EINVAL);
    p.resolution = (double)NAN;
    assert_int_equal(es_communities_new(&p, NULL, &c, test_err()), ES_EINVAL);
    p = (es_louvain){.is = is, .m = 2, .order = twice};
    assert_int_equal(es_communities_new(&p, NULL, &c, test_err()), ES_EINVAL);
    assert_null(c);
}

TEST(facts__known_block__name_centre_and_cheapest) {
    const double nan = (double)NAN;
    /* 0 covers 1 and 2 by 0.9; 1 covers 0.88 on average and is smaller; 3 is outside */
    const double is[] = {1,   1.8, 0.9, 0.1, /* */ 0.86, 2,   0.9, 0.2,
                         0.5, 1,   1,   nan, /* */ 0.3,  0.4, nan, 1};
    const uint32_t members[] = {0, 1, 2}, rank[] = {1, 2, 3, 4};
    const size_t dim[] = {768, 384, 32, 16};
    es_community_facts f;
    es_community_describe(is, 4, members, 3, dim, rank, &f);
    assert_int_equal(f.centre, 0);
    assert_close(f.covers, 0.9, 1e-12);
    assert_int_equal(f.cheapest, 1);
    assert_close(f.cheapest_covers, 0.88, 1e-12);
    assert_close(f.inside, (1.8 + 0.9 + 0.86 + 0.9 + 0.5 + 1) / 6, 1e-12);
    assert_close(f.outgoing, 0.15, 1e-12);
    assert_close(f.incoming, 0.35, 1e-12);
    const size_t partly[] = {768, 0, 32, 16};
    es_community_describe(is, 4, members, 3, partly, rank, &f);
    assert_int_equal(f.cheapest, SIZE_MAX);
    assert_true(isnan(f.cheapest_covers));
    es_community_describe(is, 4, members, 3, NULL, rank, &f);
    assert_int_equal(f.cheapest, SIZE_MAX);
    es_community_describe(is, 4, members + 2, 1, NULL, rank, &f);
    assert_int_equal(f.cheapest, 2);
    es_community_describe(is, 4, members + 2, 1, dim, rank, &f);
    assert_int_equal(f.centre, 2);
    assert_true(isnan(f.inside));
}

/* By hand, with a pair that is not known. */
TEST(means__two_groups__leave_out_self_and_missing) {
    double is[16];
    for (size_t k = 0; k < 16; k++)
        is[k] = (double)(k + 1);
    is[1] = (double)NAN; /* 0 -> 1 */
    uint32_t group[4] = {0, 0, 1, 1}, first[2] = {0, 1}, second[2] = {2, 3}, part[1] = {3};
    es_community list[3] = {{.parent = SIZE_MAX, .members = first, .size = 2},
                            {.parent = SIZE_MAX, .members = second, .size = 2},
                            {.parent = 1, .level = 1, .members = part, .size = 1}};
    const es_communities c = {.m = 4, .group = group, .groups = 2, .list = list, .listed = 3};
    double inside[3], between[4], to[3], from[3];
    assert_ok(es_communities_means(is, &c, inside, between, NULL));
    assert_close(inside[0], 5, 1e-12);
    assert_close(inside[1], (12 + 15) / 2.0, 1e-12);
    assert_true(isnan(inside[2])); /* alone */
    assert_close(between[0], 5, 1e-12);
    assert_close(between[1], (3 + 4 + 7 + 8) / 4.0, 1e-12);
    assert_close(between[2], (9 + 10 + 13 + 14) / 4.0, 1e-12);
    assert_ok(es_community_means_of(is, &c, 0, to, from, NULL));
    assert_close(to[1], between[1], 1e-12);
    assert_close(from[1], between[2], 1e-12);
    assert_close(to[2], (4 + 8) / 2.0, 1e-12);
    assert_close(from[2], (13 + 14) / 2.0, 1e-12);
}

TEST(communities__cancelled__stop) {
    double is[9] = {0, 1, 2, 3, 0, 4, 5, 6, 0};
    const es_louvain p = {.is = is, .m = 3};
    es_run run;
    es_communities *c = NULL;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_communities_new(&p, &run, &c, NULL), ES_ECANCELED);
    assert_null(c);
}

/* Two triangles with one edge between them: two communities, and nothing is read or written behind
 * the nodes there are. */
TEST(louvain__run__touches_its_own_nodes_only) {
    enum { M = 6 };
    double weight[M * M] = {0}, both[M * M], out[M], in[M];
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++)
            weight[i * M + j] = i != j && (i / 3 == j / 3 || i + j == 5) ? 1 : 0;
    es_louvain_graph graph = {M, weight, both, out, in, 0};
    es_louvain_graph_finish(&graph);
    es_louvain_run run;
    assert_ok(es_louvain_run_init(&run, M, NULL));
    uint32_t community[M + 1], visit[M + 1], number[M + 1];
    community[M] = visit[M] = M;
    number[M] = UINT32_MAX;
    run.community = community;
    run.visit = visit;
    run.number = number;
    es_rng rng = test_rng(1, 1);
    assert_ok(es_louvain_run_once(&run, &graph, 1, &rng, NULL, NULL));
    const uint32_t *final = run.level + (run.levels - 1) * M;
    for (size_t i = 0; i < M; i++)
        assert_int_equal(final[i] == final[0], i < 3);
    assert_int_equal(community[M], M);
    assert_int_equal(visit[M], M);
    assert_int_equal(number[M], UINT32_MAX);
    es_louvain_run_deinit(&run);
}
