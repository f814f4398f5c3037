/* Dendrograms against SciPy, leaf orders against SciPy's (which are at times longer than the
 * shortest) and against all orders. */
#include "table.h"

#include "core_structure.h"

static es_linkage *link_up(const double *is, size_t m, es_linkage_method method, es_linkage_of of,
                           es_diagonal diagonal) {
    es_linkage *l = NULL;
    assert_ok(es_linkage_new(is, m, method, of, diagonal, NULL, &l, test_err()));
    return l;
}

static void golden(const char *file, es_linkage_method method, es_linkage_of of,
                   es_diagonal diagonal) {
    double is[NLP * NLP];
    table_matrix(is);
    table t = table_read(file);
    assert_int_equal(t.rows, NLP - 1);
    es_linkage *l = link_up(is, NLP, method, of, diagonal);
    for (size_t k = 0; k < t.rows; k++) {
        assert_int_equal(l->merge[k].a, (uint32_t)table_number(&t, k, 0));
        assert_int_equal(l->merge[k].b, (uint32_t)table_number(&t, k, 1));
        assert_close(l->merge[k].height, table_number(&t, k, 2), 1e-9);
        assert_int_equal(l->merge[k].size, (uint32_t)table_number(&t, k, 3));
    }
    es_linkage_free(l);
    table_free(&t);
}

TEST(linkage__text_matrix__equals_golden_files) {
    golden("golden_linkage20_rows-sources_ward.csv", ES_LINKAGE_WARD, ES_LINKAGE_SOURCES,
           ES_DIAGONAL_KEEP);
    golden("golden_linkage20_nlp_HEAD_rows-targets_ward.csv", ES_LINKAGE_WARD, ES_LINKAGE_TARGETS,
           ES_DIAGONAL_KEEP);
    golden("golden_linkage20_mol_rows-sources_median_diag-max.csv", ES_LINKAGE_MEDIAN,
           ES_LINKAGE_SOURCES, ES_DIAGONAL_MAX);
}

/* The matrices that make.py gave to SciPy. */
static size_t make_matrix(const char *name, double *is) {
    if (strcmp(name, "nlp") == 0) {
        table_matrix(is);
        return NLP;
    }
    for (size_t i = 0; i < 12; i++)
        for (size_t j = 0; j < 12; j++)
            is[i * 12 + j] = (double)((3 * i * i + 5 * j + i * j) % 4);
    return 12;
}

static es_linkage_of parse_of(const char *text) {
    return strcmp(text, "sources") == 0 ? ES_LINKAGE_SOURCES : ES_LINKAGE_TARGETS;
}

static es_linkage_method parse_method(const char *text) {
    static const char *const names[] = {"ward", "average", "complete", "single", "median"};
    int method = 0;
    while (strcmp(names[method], text) != 0)
        method++;
    return (es_linkage_method)method;
}

TEST(linkage__all_methods__equal_scipy) {
    double is[NLP * NLP];
    table t = table_read("linkage.csv");
    for (size_t r = 0; r < t.rows;) {
        es_linkage_method method = parse_method(table_text(&t, r, 2));
        size_t m = make_matrix(table_text(&t, r, 0), is);
        es_linkage *l = link_up(is, m, method, parse_of(table_text(&t, r, 1)), ES_DIAGONAL_KEEP);
        for (size_t k = 0; k + 1 < m; k++, r++) {
            assert_int_equal(l->merge[k].a, (uint32_t)table_number(&t, r, 3));
            assert_int_equal(l->merge[k].b, (uint32_t)table_number(&t, r, 4));
            assert_close(l->merge[k].height, table_number(&t, r, 5), 1e-12);
            assert_int_equal(l->merge[k].size, (uint32_t)table_number(&t, r, 6));
        }
        es_linkage_free(l);
    }
    table_free(&t);
}

static double distance(const double *is, size_t m, es_linkage_of of, size_t a, size_t b) {
    double sum = 0;
    for (size_t k = 0; k < m; k++) {
        double d = of == ES_LINKAGE_SOURCES ? is[a * m + k] - is[b * m + k]
                                            : is[k * m + a] - is[k * m + b];
        sum += d * d;
    }
    return sqrt(sum);
}

static double order_cost(const double *is, size_t m, es_linkage_of of, const uint32_t *order) {
    double cost = 0;
    for (size_t k = 0; k + 1 < m; k++)
        cost += distance(is, m, of, order[k], order[k + 1]);
    return cost;
}

/* Every cluster's leaves are neighbours in the order. */
static bool respects_tree(const es_linkage *l) {
    uint32_t low[2 * NLP], high[2 * NLP];
    for (uint32_t k = 0; k < l->m; k++)
        low[l->order[k]] = high[l->order[k]] = k;
    for (size_t k = 0; k + 1 < l->m; k++) {
        uint32_t a = l->merge[k].a, b = l->merge[k].b;
        low[l->m + k] = low[a] < low[b] ? low[a] : low[b];
        high[l->m + k] = high[a] > high[b] ? high[a] : high[b];
        if (high[l->m + k] - low[l->m + k] + 1 != l->merge[k].size)
            return false;
    }
    return true;
}

TEST(leaf_order__all_methods__is_no_longer_than_scipys) {
    double is[NLP * NLP];
    table t = table_read("leaf_order.csv");
    for (size_t r = 0; r < t.rows; r++) {
        es_linkage_method method = parse_method(table_text(&t, r, 2));
        size_t m = make_matrix(table_text(&t, r, 0), is);
        es_linkage_of of = parse_of(table_text(&t, r, 1));
        es_linkage *l = link_up(is, m, method, of, ES_DIAGONAL_KEEP);
        assert_true(order_cost(is, m, of, l->order) <= table_number(&t, r, 3) + 1e-12);
        assert_true(respects_tree(l));
        assert_true(l->order[0] < l->order[m - 1]);
        es_linkage_free(l);
    }
    table_free(&t);
}

/* Least cost over all ways to turn the children of each merge. */
static double least_cost(const double *is, const es_linkage *l) {
    size_t m = l->m;
    double least = (double)INFINITY;
    for (unsigned turns = 0; turns < 1u << (m - 1); turns++) {
        uint32_t order[8], stack[16];
        size_t depth = 0, n = 0;
        stack[depth++] = (uint32_t)(2 * m - 2);
        while (depth > 0) {
            uint32_t c = stack[--depth];
            if (c < m) {
                order[n++] = c;
                continue;
            }
            bool turned = (turns >> (c - m)) & 1;
            const es_merge *g = l->merge + (c - m);
            stack[depth++] = turned ? g->a : g->b;
            stack[depth++] = turned ? g->b : g->a;
        }
        least = fmin(least, order_cost(is, m, ES_LINKAGE_SOURCES, order));
    }
    return least;
}

TEST(leaf_order__random_small_trees__is_the_best_of_all) {
    es_rng rng = test_rng(3, 1);
    for (int round = 0; round < 60; round++) {
        double is[64];
        size_t m = 3 + (size_t)round % 6;
        for (size_t k = 0; k < m * m; k++)
            is[k] = es_rng_normal(&rng);
        es_linkage *l =
            link_up(is, m, (es_linkage_method)(round % 5), ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP);
        assert_close(order_cost(is, m, ES_LINKAGE_SOURCES, l->order), least_cost(is, l), 1e-12);
        es_linkage_free(l);
    }
}

TEST(linkage__missing_entries__use_what_both_have) {
    const double nan = (double)NAN;
    double is[] = {1, 2, nan, /* */ 1, 5, 7, /* */ nan, nan, (double)INFINITY};
    es_linkage *l = link_up(is, 3, ES_LINKAGE_SINGLE, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP);
    assert_int_equal(l->filled, 2);
    assert_close(l->merge[0].height, sqrt(9 * 3 / 2.0), 1e-12);
    assert_close(l->merge[1].height, sqrt(9 * 3 / 2.0), 1e-12);
    es_linkage_free(l);
    l = link_up(is, 2, ES_LINKAGE_WARD, ES_LINKAGE_TARGETS, ES_DIAGONAL_MISSING);
    assert_int_equal(l->filled, 1); /* (nan, nan) and (2, nan) have nothing in common */
    assert_close(l->merge[0].height, 1, 0);
    es_linkage_free(l);
}

TEST(linkage__tiny_pools__have_no_merges) {
    const double is[] = {1, 4, 3, 4};
    for (size_t m = 0; m <= 2; m++)
        for (int k = ES_LINKAGE_WARD; k <= ES_LINKAGE_MEDIAN; k++) {
            es_linkage *l =
                link_up(is, m, (es_linkage_method)k, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP);
            for (size_t i = 0; i < m; i++)
                assert_int_equal(l->order[i], i);
            if (m == 2)
                assert_close(l->merge[0].height, 2, 1e-12);
            es_linkage_free(l);
        }
}

TEST(linkage__constant_matrix__merges_at_zero) {
    double is[49];
    for (size_t k = 0; k < 49; k++)
        is[k] = 0.5;
    for (int k = ES_LINKAGE_WARD; k <= ES_LINKAGE_MEDIAN; k++) {
        es_linkage *l = link_up(is, 7, (es_linkage_method)k, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP);
        for (size_t i = 0; i < 6; i++)
            assert_close(l->merge[i].height, 0, 0);
        assert_int_equal(l->merge[5].size, 7);
        es_linkage_free(l);
    }
}

TEST(linkage__huge_values__are_refused) {
    double is[16] = {1e200, -1e200, 3, 1, 1, -1e300, 1e300, 2, 1, 2, 3, 4, 1e308, -1e308, 1, 2};
    for (int k = ES_LINKAGE_WARD; k <= ES_LINKAGE_MEDIAN; k++) {
        es_linkage *l = NULL;
        assert_error(es_linkage_new(is, 4, (es_linkage_method)k, ES_LINKAGE_SOURCES,
                                    ES_DIAGONAL_KEEP, NULL, &l, test_err()),
                     ES_ENONFINITE, "too large");
        assert_null(l);
    }
}

/* Distances to eight rows at once are those to one after the other, to the last bit: in every
 * order of the rows, where other ones come together, and with entries missing. */
TEST(linkage__rows_in_another_order__same_heights) {
    enum { N = 27 };
    double is[N * N], turned[N * N];
    es_rng rng = test_rng(3, 9);
    for (size_t k = 0; k < N * N; k++)
        is[k] = k % 29 == 3 ? (double)NAN : es_rng_uniform(&rng);
    for (size_t i = 0; i < N; i++)
        memcpy(turned + i * N, is + (N - 1 - i) * N, N * sizeof *is);
    es_linkage *a = NULL, *b = NULL;
    assert_ok(es_linkage_of_rows(is, N, N, ES_LINKAGE_SINGLE, NULL, &a, NULL));
    assert_ok(es_linkage_of_rows(turned, N, N, ES_LINKAGE_SINGLE, NULL, &b, NULL));
    for (size_t k = 0; k + 1 < N; k++)
        assert_true(a->merge[k].height == b->merge[k].height);
    es_linkage_free(a);
    es_linkage_free(b);
}

TEST(linkage__cancelled__stops) {
    double is[NLP * NLP];
    table_matrix(is);
    es_linkage *l = NULL;
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_linkage_new(is, NLP, ES_LINKAGE_WARD, ES_LINKAGE_SOURCES, ES_DIAGONAL_KEEP,
                                    &run, &l, NULL),
                     ES_ECANCELED);
    assert_null(l);
}

/* Single linkage of four points on a line, by their distances, one of which is not known. */
TEST(linkage__distances__heights) {
    const double at[] = {0, 1, 3, 7};
    double distance[16];
    es_linkage *l = NULL;
    for (size_t i = 0; i < 16; i++)
        distance[i] = fabs(at[i / 4] - at[i % 4]);
    distance[1 * 4 + 3] = distance[3 * 4 + 1] = (double)NAN;
    assert_ok(es_linkage_of_distances(distance, 4, ES_LINKAGE_SINGLE, NULL, &l, NULL));
    assert_int_equal(l->filled, 1);
    assert_float_equal(l->merge[0].height, 1, 0);
    assert_float_equal(l->merge[1].height, 2, 0);
    assert_float_equal(l->merge[2].height, 4, 0);
    es_linkage_free(l);
}
