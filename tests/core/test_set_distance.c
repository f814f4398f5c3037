/* Distance of data sets against reference values, matches against all permutations. */
#include "methods.h"

#include "core_structure.h"
#include "core_methods.h"

enum { QUERIES = 20, WIDTH = 55 };

static uint32_t docs[QUERIES * WIDTH];
static es_query query[QUERIES], low[QUERIES], high[QUERIES];
static es_query_set all = {.count = QUERIES, .query = query}, a = {.query = low},
                    b = {.query = high};

/* Queries of the digits 0-4 are one data set, those of 5-9 the other. */
static int read_queries(void **state) {
    double label[400];
    es_matrix q = methods_npy("queries_20x56.npy");
    methods_csv("digits_labels.csv", 1, label, 400);
    for (size_t i = 0; i < QUERIES; i++) {
        for (size_t j = 0; j < WIDTH; j++)
            docs[i * WIDTH + j] = (uint32_t)q.x[i * (WIDTH + 1) + j + 1];
        query[i] = (es_query){(uint32_t)q.x[i * (WIDTH + 1)], 5, 50, docs + i * WIDTH, 1};
        if (label[query[i].row] < 5)
            low[a.count++] = query[i];
        else
            high[b.count++] = query[i];
    }
    return 0;
}

TEST_GROUP(read_queries, NULL);

static es_set_distance distance_of(const es_matrix *m, const es_query_set *x,
                                   const es_query_set *y) {
    es_set_distance d;
    assert_ok(es_set_distance_of(m, x, m, y, 1, NULL, &d, test_err()));
    return d;
}

TEST(set_distance__digits__equals_the_reference) {
    static const char *const models[] = {"digits_raw64", "digits_pca16", "digits_relu32", "noise8"};
    for (int i = 0; i < 4; i++) {
        char file[64], key[64];
        snprintf(file, sizeof file, "%s.npy", models[i]);
        snprintf(key, sizeof key, "retmmd/dataset_distance/%s", models[i]);
        es_matrix m = methods_npy(file);
        es_set_distance d = distance_of(&m, &a, &b);
        assert_int_equal(a.count, (int)expected("%s/nS", key));
        assert_int_equal(b.count, (int)expected("%s/nT", key));
        assert_near(d.mmd2, expected("%s/mmd2_u_rbf_pooled_median", key), 1e-10);
        assert_near(d.biased, expected("%s/mmd2_b", key), 1e-10);
        assert_true(d.matched == a.count && d.matched_other == b.count); /* all of them */
        es_query_set first = a, second = b; /* the reference takes the first of each */
        first.count = second.count = (size_t)expected("%s/k", key);
        d = distance_of(&m, &first, &second);
        assert_near(d.w1, expected("%s/w1_equal_size_first_k", key), 1e-10);
    }
}

TEST(set_distance__one_set__is_none) {
    es_matrix m = methods_npy("digits_pca16.npy");
    es_set_distance d = distance_of(&m, &all, &all);
    assert_true(d.w1 == 0 && d.mmd2 < 0 && fabs(d.biased) < 1e-12);
    memset(m.x, 0, m.n * m.d * sizeof *m.x);
    d = distance_of(&m, &a, &b);
    assert_true(d.sigma2 == 0 && d.w1 == 0 && fabs(d.mmd2) < 1e-12);
}

/* Rows themselves are queries of one answer each, which is the row. */
TEST(set_distance_of_rows__all__are_queries_of_one_answer) {
    enum { N = 30, M = 22 };
    es_matrix m = methods_npy("digits_pca16.npy"), x = {0}, y = {0};
    uint32_t left[N], right[M];
    es_query first[N], second[M];
    for (uint32_t i = 0; i < N; i++) {
        left[i] = 3 * i;
        first[i] = (es_query){left[i], 1, 0, &left[i], 1};
    }
    for (uint32_t i = 0; i < M; i++) {
        right[i] = 100 + 2 * i;
        second[i] = (es_query){right[i], 1, 0, &right[i], 1};
    }
    es_query_set in_x = {.count = N, .query = first}, in_y = {.count = M, .query = second};
    assert_ok(es_matrix_rows(&m, left, N, &x, NULL));
    assert_ok(es_matrix_rows(&m, right, M, &y, NULL));
    es_set_distance known = distance_of(&m, &in_x, &in_y), d, part, again;
    assert_ok(es_set_distance_of_rows(&x, &y, 100, 4, NULL, &d, NULL));
    assert_near(d.mmd2, known.mmd2, 1e-12);
    assert_near(d.w1, known.w1, 1e-12);
    assert_near(d.sigma2, known.sigma2, 1e-12);
    assert_true(d.matched == N && d.matched_other == M);
    assert_ok(es_set_distance_of_rows(&x, &y, 12, 4, NULL, &part, NULL));
    assert_true(part.matched == 12 && part.matched_other == 12 && part.w1 != d.w1);
    assert_ok(es_set_distance_of_rows(&x, &y, 12, 4, NULL, &again, NULL));
    assert_true(again.mmd2 == part.mmd2 && again.w1 == part.w1); /* by seed */
    assert_int_equal(es_set_distance_of_rows(&x, &y, 1, 4, NULL, &d, NULL), ES_EEMPTY);
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_set_distance_of_rows(&x, &y, 12, 4, NULL, &d, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
    }
    es_matrix_free(&x);
    es_matrix_free(&y);
}

TEST(set_distance__misuse__is_refused) {
    es_matrix m = methods_npy("digits_pca16.npy"), other = methods_npy("noise8.npy");
    es_query_set one = {.count = 1, .query = query};
    es_set_distance d;
    double w = 0;
    assert_error_is(es_set_distance_of(&m, &a, &other, &b, 1, NULL, &d, test_err()), ES_EINVAL,
                    "16 and 8 columns are not of one embedder");
    assert_int_equal(es_set_distance_of(&m, &one, &m, &b, 1, NULL, &d, NULL), ES_EEMPTY);
    assert_int_equal(es_wasserstein(&m, &other, NULL, &w, NULL), ES_EINVAL);
}

/* The cheapest of all orders of the columns from `at` on. */
static double cheapest(const double *cost, uint32_t *order, size_t at, size_t n) {
    double least = at == n ? 0 : HUGE_VAL;
    for (size_t i = at; i < n; i++) {
        uint32_t swap = order[i];
        order[i] = order[at];
        order[at] = swap;
        least = fmin(least, cost[at * n + order[at]] + cheapest(cost, order, at + 1, n));
        order[at] = order[i];
        order[i] = swap;
    }
    return least;
}

TEST(assignment__small__is_the_cheapest_of_all) {
    es_rng rng = test_rng(5, 1);
    for (int trial = 0; trial < 60; trial++) {
        size_t n = 1 + (size_t)trial % 7;
        double cost[49], sum = 0;
        uint32_t order[7], match[7], seen = 0;
        for (size_t i = 0; i < n * n; i++) /* few values: many ties, also below 0 */
            cost[i] = (double)es_rng_below(&rng, 9) - (trial % 2 ? 4 : 0);
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        assert_ok(es_assign(cost, n, NULL, match, NULL));
        for (size_t i = 0; i < n; i++) {
            sum += cost[i * n + match[i]];
            seen |= 1U << match[i];
        }
        assert_int_equal(seen, (1U << n) - 1);
        assert_near(sum, cheapest(cost, order, 0, n), 1e-12);
    }
}

/* Each point as often as makes both sides equally large: a match of these is the same plan. */
static double by_copies(const double *cost, size_t n, size_t m) {
    enum { MOST = 60 };
    static double copies[MOST * MOST];
    uint32_t match[MOST];
    size_t size = n * m;
    double sum = 0;
    assert_true(size <= MOST);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            copies[i * size + j] = cost[i / m * m + j / n];
    assert_ok(es_assign(copies, size, NULL, match, NULL));
    for (size_t i = 0; i < size; i++)
        sum += copies[i * size + match[i]];
    return sum / (double)size;
}

TEST(transport__any_sizes__equals_a_match_of_copies) {
    es_rng rng = test_rng(6, 1);
    for (int trial = 0; trial < 120; trial++) {
        size_t n = 1 + es_rng_below(&rng, 7), m = 1 + es_rng_below(&rng, 8);
        double cost[56], mean = 0;
        for (size_t c = 0; c < n * m; c++) /* few values, many ties; and real ones */
            cost[c] = trial % 2 ? (double)es_rng_below(&rng, 5) : fabs(es_rng_normal(&rng));
        assert_ok(es_transport(cost, n, m, NULL, &mean, NULL));
        assert_near(mean, by_copies(cost, n, m), 1e-12);
    }
}

static int ascending(const void *x, const void *y) {
    double first = *(const double *)x, second = *(const double *)y;
    return (first > second) - (first < second);
}

/* On a line the distance is the area between the two distribution functions. */
TEST(wasserstein__of_a_line__is_the_area_between) {
    enum { N = 83, M = 140 };
    es_matrix x = {0}, y = {0};
    double points[N + M], w = 0, area = 0;
    es_rng rng = test_rng(7, 1);
    x = matrix_kept(N, 1);
    y = matrix_kept(M, 1);
    for (size_t i = 0; i < N; i++)
        points[i] = x.x[i] = es_rng_normal(&rng);
    for (size_t j = 0; j < M; j++)
        points[N + j] = y.x[j] = 0.7 + 2 * es_rng_normal(&rng);
    qsort(points, N + M, sizeof *points, ascending);
    for (size_t k = 0; k + 1 < N + M; k++) {
        double below_x = 0, below_y = 0;
        for (size_t i = 0; i < N; i++)
            below_x += x.x[i] <= points[k];
        for (size_t j = 0; j < M; j++)
            below_y += y.x[j] <= points[k];
        area += (points[k + 1] - points[k]) * fabs(below_x / N - below_y / M);
    }
    assert_ok(es_wasserstein(&x, &y, NULL, &w, NULL));
    assert_near(w, area, 1e-11);
    assert_ok(es_wasserstein(&y, &x, NULL, &w, NULL));
    assert_near(w, area, 1e-11);
}

TEST(transferability__recalls__is_of_what_is_left) {
    assert_near(es_transferability(0.4, 0.5).value, -0.2, 1e-14);
    assert_near(es_transferability(0.75, 0.5).value, 0.5, 1e-14);
    assert_string_equal(es_transferability(0.5, 1).why, "recall is 1");
    assert_string_equal(es_transferability(0.5, NAN).why, "no recalls");
}

TEST(set_distance__out_of_memory__is_reported) {
    es_matrix m = methods_npy("noise8.npy");
    es_status st = ES_ENOMEM;
    int failures = 0;
    for (long after = 0; st != ES_OK; after++) {
        es_set_distance d;
        es_alloc_fail_after(after);
        st = es_set_distance_of(&m, &a, &m, &b, 1, NULL, &d, NULL);
        es_alloc_fail_after(-1);
        failures += st == ES_ENOMEM;
    }
    assert_true(failures > 10);
}
