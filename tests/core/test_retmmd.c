/* RetMMD with fixed queries and permutations against reference values, and how queries are drawn.
 */
#include "methods.h"

#include "core_methods.h"

enum { QUERIES = 20, WIDTH = 55, PERMUTATIONS = 199 };

static uint32_t docs[QUERIES * WIDTH], permutations[PERMUTATIONS * WIDTH];
static es_query query[QUERIES];
static double label[400];
static const char *const kernels[] = {"linear", "cosine", "poly2", "poly3", "rbf"};

static int read_queries(void **state) {
    es_matrix q = methods_npy("queries_20x56.npy"), p = methods_npy("perms_199x55.npy");
    methods_csv("digits_labels.csv", 1, label, 400);
    for (size_t i = 0; i < QUERIES; i++) {
        for (size_t j = 0; j < WIDTH; j++)
            docs[i * WIDTH + j] = (uint32_t)q.x[i * (WIDTH + 1) + j + 1];
        query[i] = (es_query){(uint32_t)q.x[i * (WIDTH + 1)], 5, 50, docs + i * WIDTH, 1};
    }
    for (size_t i = 0; i < PERMUTATIONS * WIDTH; i++)
        permutations[i] = (uint32_t)p.x[i];
    return 0;
}

TEST_GROUP(read_queries, NULL);

static void assert_kernel(const es_retmmd *r, es_kernel k, const char *key, const char *kernel,
                          bool weighted) {
    const char *part = weighted ? "weighted_" : "";
    const es_retmmd_kernel *by = &r->by[k];
    assert_near(by->sum, expected("%s/%s/S_M_%ssum", key, kernel, part), 1e-9);
    assert_near(by->mean, expected("%s/%s/S_M_%smean", key, kernel, part), 1e-9);
    if (!weighted)
        assert_near(by->biased_mean, expected("%s/%s/mmd2_biased_mean", key, kernel), 1e-9);
    if (weighted) {
        assert_near(by->biased_mean,
                    methods_value("biased.csv", "%s/%s/biased_weighted_mean", key, kernel), 1e-9);
        assert_near(by->count, expected("%s/%s/C_weighted_sum", key, kernel), 1e-12);
        assert_near(by->share, expected("%s/%s/C_weighted_frac", key, kernel), 1e-12);
        return;
    }
    assert_near(by->count, expected("%s/%s/C", key, kernel), 1e-12);
    for (int q = 0; q < QUERIES; q++) {
        assert_near(r->m[q][k], expected("%s/%s/mmd2_u/%d", key, kernel, q), 1e-9);
        assert_near(r->p[q][k], expected("%s/%s/p/%d", key, kernel, q), 1e-14);
    }
}

/* The share of the variance that the axes have. */
static void assert_explained(const es_matrix *m, size_t axes, double wanted) {
    es_matrix centred;
    es_pca pca;
    double sum = 0;
    assert_ok(es_matrix_centred(m, &centred, NULL, NULL));
    assert_ok(es_pca_new(&centred, ES_PCA_ALL, &pca, NULL));
    for (size_t i = 0; i < axes; i++)
        sum += pca.var[i] / pca.total;
    assert_near(sum, wanted, 1e-10);
    es_pca_free(&pca);
    es_matrix_free(&centred);
}

static void check(const char *model, const char *how, double variance) {
    char file[64], key[64];
    snprintf(file, sizeof file, "%s.npy", model);
    snprintf(key, sizeof key, "retmmd/%s/%s", model, how);
    es_matrix m = methods_npy(file);
    es_retmmd_rules rules = {
        .variance = variance, .permutations = PERMUTATIONS, .given = permutations, .width = WIDTH};
    for (int weighted = 0; weighted < 2; weighted++) {
        es_retmmd r;
        for (int q = 0; q < QUERIES; q++)
            query[q].weight =
                weighted ? expected("retmmd/weights_inverse_class_frequency/%d", q) : 1;
        es_query_set set = {.count = QUERIES, .query = query};
        assert_ok(es_retmmd_of(&m, &set, &rules, NULL, &r, NULL));
        assert_int_equal(r.axes, (int)expected("%s/dims", key));
        assert_near(r.sigma2, expected("%s/sigma2_global", key), 1e-10);
        rules.per_query = true;
        es_retmmd own;
        assert_ok(es_retmmd_of(&m, &set, &rules, NULL, &own, NULL));
        rules.per_query = false;
        assert_kernel(&own, ES_KERNEL_RBF, key, "rbf_perquery", weighted);
        es_retmmd_free(&own);
        for (int k = 0; k < ES_KERNELS; k++)
            assert_kernel(&r, (es_kernel)k, key, kernels[k], weighted);
        assert_int_equal(r.documents, (int)expected("%s/n_docs_for_median", key));
        if (weighted) {
            assert_near(r.by[r.best].count, expected("%s/S_C", key), 1e-12);
            assert_int_equal(r.best, (int)expected("%s/kstar", key));
        }
        if (variance < 1 && !weighted)
            assert_explained(&m, r.axes, expected("%s/cum_explained_last", key));
        assert_true(r.saturated == (r.by[r.best].share >= 0.95));
        es_retmmd_free(&r);
    }
}

TEST(retmmd__reduced__equals_the_reference) {
    check("digits_raw64", "pca90", 0.9);
    check("digits_pca16", "pca90", 0.9);
    check("digits_relu32", "pca90", 0);
    check("noise8", "pca90", 0.9);
}

TEST(retmmd__as_they_are__equals_the_reference) {
    check("digits_raw64", "none", 1);
    check("digits_pca16", "none", 1);
    check("digits_relu32", "none", 1);
    check("noise8", "none", 1);
}

/* As M: with widths of its own, each query stands alone. */
TEST(retmmd__biased__weighs_queries_as_m_does) {
    es_matrix m = methods_npy("digits_pca16.npy");
    es_retmmd_rules rules = {.permutations = 1, .per_query = true};
    double sum = 0, weights = 0;
    es_retmmd r;
    for (size_t q = 0; q < QUERIES; q++) {
        query[q].weight = 1 + (double)(q % 5);
        es_query_set one = {.count = 1, .query = query + q};
        assert_ok(es_retmmd_of(&m, &one, &rules, NULL, &r, NULL));
        sum += query[q].weight * r.by[ES_KERNEL_RBF].biased_mean;
        weights += query[q].weight;
        es_retmmd_free(&r);
    }
    es_query_set all = {.count = QUERIES, .query = query};
    assert_ok(es_retmmd_of(&m, &all, &rules, NULL, &r, NULL));
    assert_near(r.by[ES_KERNEL_RBF].biased_mean, sum / weights, 1e-12);
    es_retmmd_free(&r);
}

TEST(retmmd__collapsed__is_zero_and_insignificant) {
    double x[800];
    for (int i = 0; i < 800; i++)
        x[i] = 0.3;
    es_matrix m = {400, 2, x};
    es_query_set set = {.count = QUERIES, .query = query};
    es_retmmd_rules rules = {.seed = 3};
    es_retmmd r;
    assert_ok(es_retmmd_of(&m, &set, &rules, NULL, &r, NULL));
    assert_true(r.sigma2 == 0);
    for (int k = 0; k < ES_KERNELS; k++)
        assert_true(fabs(r.by[k].mean) < 1e-12 && r.by[k].count == 0);
    es_retmmd_free(&r);
}

TEST(retmmd__misuse__is_refused) {
    es_matrix m = methods_npy("tiny.npy");
    es_query_set none = {0}, set = {.count = QUERIES, .query = query};
    es_retmmd_rules rules = {.width = 54, .given = permutations, .permutations = 9};
    es_retmmd r;
    assert_int_equal(es_retmmd_of(&m, &none, &rules, NULL, &r, NULL), ES_EEMPTY);
    assert_int_equal(es_retmmd_of(&m, &set, &rules, NULL, &r, NULL), ES_EINVAL);
    rules.given = NULL;
    assert_int_equal(es_retmmd_of(&m, &set, &rules, NULL, &r, NULL), ES_EINVAL);
}

TEST(queries__classes__are_drawn_by_seed) {
    es_query_rules rules = {.seed = 1}, next = {.seed = 1, .run = 1};
    es_query_set a, b, c;
    assert_ok(es_queries_from_classes(label, 400, &rules, &a, NULL));
    assert_ok(es_queries_from_classes(label, 400, &rules, &b, NULL));
    assert_ok(es_queries_from_classes(label, 400, &next, &c, NULL));
    assert_int_equal(a.count, 100);
    assert_memory_equal(a.docs, b.docs, 100 * WIDTH * sizeof *a.docs);
    assert_memory_not_equal(a.docs, c.docs, 100 * WIDTH * sizeof *a.docs);
    double classes = 0;
    for (size_t q = 0; q < a.count; q++) {
        classes += a.query[q].weight;
        for (uint32_t i = 0; i < WIDTH; i++) {
            uint32_t row = a.query[q].doc[i];
            assert_true((label[row] == label[a.query[q].row]) == (i < 5));
            assert_true(row != a.query[q].row);
        }
    }
    assert_near(classes, 10, 1e-12);
    es_queries_free(&a);
    es_queries_free(&b);
    es_queries_free(&c);
}

TEST(queries__few_documents__are_counted) {
    const double classes[] = {0, 0, 0, 1, 1, 2, NAN}; /* 1: one positive each; 2: none */
    es_query_rules rules = {.seed = 1};
    es_query_set set;
    assert_ok(es_queries_from_classes(classes, 7, &rules, &set, NULL));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.skipped, 3);
    assert_int_equal(set.fewer, 3);
    assert_int_equal(set.query[0].negatives, 3);
    es_queries_free(&set);
    const double one[] = {4, 4, 4, 4};
    assert_int_equal(es_queries_from_classes(one, 4, &rules, &set, NULL), ES_EEMPTY);
}

TEST(queries__judgements__are_checked) {
    es_query_rules rules = {.seed = 1};
    es_query_set set;
    const es_judgement good[] = {{0, 1, 1}, {0, 2, 2}, {0, 0, 1}, {5, 1, 1},
                                 {5, 2, 1}, {5, 3, 0}, {5, 4, 0}, {6, 1, 1}};
    assert_ok(es_queries_from_judgements(good, 8, 8, &rules, &set, NULL));
    assert_int_equal(set.count, 2);
    assert_int_equal(set.skipped, 1);
    assert_int_equal(set.query[0].negatives, 5); /* all but itself and two answers */
    assert_int_equal(set.query[1].negatives, 2);
    es_queries_free(&set);
    const es_judgement own[] = {{70, 1, 1}, {70, 2, 1}, {1, 1, 1}, {1, 2, 1}};
    assert_int_equal(es_queries_from_judgements(own, 4, 8, &rules, &set, NULL), ES_EINVAL);
    rules.own_ids = true;
    assert_ok(es_queries_from_judgements(own, 4, 8, &rules, &set, NULL));
    assert_true(set.own_ids && set.count == 2 && set.query[1].row == 70);
    assert_int_equal(set.query[0].positives, 2); /* document 1 is not query 1 */
    es_queries_free(&set);
    rules.own_ids = false;
    const es_judgement both[] = {{0, 1, 1}, {0, 1, 0}}, outside[] = {{0, 9, 1}};
    assert_error_is(es_queries_from_judgements(both, 2, 8, &rules, &set, test_err()), ES_EINVAL,
                    "query 0: document 1 is both relevant and not; keep one line");
    assert_int_equal(es_queries_from_judgements(outside, 1, 8, &rules, &set, NULL), ES_EINVAL);
    assert_int_equal(es_queries_from_judgements(good, 0, 8, &rules, &set, NULL), ES_EEMPTY);
    assert_int_equal(es_queries_from_judgements(good, 1, 8, &rules, &set, NULL), ES_EEMPTY);
}

TEST(retmmd__out_of_memory__is_reported) {
    es_matrix m = methods_npy("noise8.npy");
    es_status st = ES_ENOMEM;
    int failures = 0;
    for (long after = 0; st != ES_OK; after++) {
        es_query_rules draw = {.queries = 3};
        es_retmmd_rules rules = {.permutations = 9};
        es_query_set set = {0};
        es_retmmd r = {0};
        es_alloc_fail_after(after);
        st = es_queries_from_classes(label, 400, &draw, &set, NULL);
        if (st == ES_OK)
            st = es_retmmd_of(&m, &set, &rules, NULL, &r, NULL);
        es_alloc_fail_after(-1);
        failures += st == ES_ENOMEM;
        es_queries_free(&set);
        es_retmmd_free(&r);
    }
    assert_true(failures > 20);
}
