/* Retrieval measures: values of an independent NumPy implementation of trec_eval's definitions,
 * cases by hand, bad input. */
#include "testing.h"
#include "core_methods.h"

enum { N = 60, D = 8, Q = 9, MOST = 100 };

static double docs[N * D], queries[Q * D];
static es_judgement judged[MOST];
static size_t n_judged;

static FILE *open_reference(const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/reference/retrieval/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    return file;
}

static void read_npy(const char *name, double *out, size_t count) {
    FILE *file = open_reference(name);
    assert_int_equal(fseek(file, -(long)(count * sizeof *out), SEEK_END), 0);
    assert_int_equal(fread(out, sizeof *out, count, file), count);
    fclose(file);
}

static int read_all(void **state) {
    char line[256];
    unsigned q, d;
    double rel;
    read_npy("docs.npy", docs, (size_t)N * D);
    read_npy("queries.npy", queries, (size_t)Q * D);
    FILE *file = open_reference("qrels.csv");
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%u,%u,%lf", &q, &d, &rel) == 3)
            judged[n_judged++] = (es_judgement){q, d, rel};
    fclose(file);
    return 0;
}

TEST_GROUP(read_all, NULL);

TEST(retrieval__every_way__equals_the_reference) {
    const es_matrix x = {N, D, docs}, y = {Q, D, queries};
    FILE *file = open_reference("expected.csv");
    char line[256], metric[16];
    size_t seen = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        unsigned own, k, only, count;
        double v[ES_RETRIEVAL_STATS];
        assert_int_equal(sscanf(line, "%u,%15[^,],%u,%u,%u,%lf,%lf,%lf,%lf,%lf", &own, metric, &k,
                                &only, &count, &v[0], &v[1], &v[2], &v[3], &v[4]),
                         10);
        const es_retrieval_rules rules = {
            .metric = metric[0] == 'l' ? ES_L2 : ES_COSINE, .k = k, .judged_only = only != 0};
        es_retrieval r;
        assert_ok(es_retrieval_of(&x, own ? &y : NULL, judged, n_judged, &rules, NULL, &r, NULL));
        assert_int_equal(r.count, count);
        assert_int_equal(r.skipped, 1);
        for (size_t s = 0; s < ES_RETRIEVAL_STATS; s++)
            if (!(fabs(r.mean[s] - v[s]) < 1e-12))
                fail_msg("own %u %s k %u judged %u, %zu: %.15g, not %.15g", own, metric, k, only, s,
                         r.mean[s], v[s]);
        es_retrieval_free(&r);
        seen++;
    }
    fclose(file);
    assert_int_equal(seen, 32);
}

/* Documents at 1, 2, 3 and 4 from the query; the answers stand second and fourth. */
TEST(retrieval__by_hand__is_as_defined) {
    double x[] = {1, 2, 3, 4}, q[] = {0};
    const es_matrix m = {4, 1, x}, query = {1, 1, q};
    const es_judgement list[] = {{0, 1, 1}, {0, 3, 2}, {0, 0, 0}, {0, 3, 2}};
    const es_retrieval_rules rules = {.metric = ES_L2, .k = 3};
    es_retrieval r;
    assert_ok(es_retrieval_of(&m, &query, list, 4, &rules, NULL, &r, NULL));
    assert_true(fabs(r.mean[ES_RETRIEVAL_NDCG] - 1 / log2(3) / (2 + 1 / log2(3))) < 1e-15);
    assert_true(r.mean[ES_RETRIEVAL_MAP] == 0.25);
    assert_true(r.mean[ES_RETRIEVAL_RECALL] == 0.5);
    assert_true(r.mean[ES_RETRIEVAL_MRR] == 0.5);
    assert_true(r.mean[ES_RETRIEVAL_SUCCESS] == 1);
    assert_true(isnan(r.se[ES_RETRIEVAL_MAP]));
    assert_int_equal(r.documents, 4);
    es_retrieval_free(&r);
}

/* All documents in one place: rows decide, not the product's tiling. */
TEST(retrieval__ties__go_by_row) {
    enum { MANY = 300 };
    static double x[MANY * 3];
    for (size_t i = 0; i < (size_t)MANY * 3; i++)
        x[i] = 0.1 + (double)(i % 3);
    const es_matrix m = {MANY, 3, x};
    const es_retrieval_rules rules = {.metric = ES_COSINE, .k = 10};
    for (uint32_t doc = 0; doc < 14; doc++) {
        const es_judgement one = {200, doc, 1};
        es_retrieval r;
        assert_ok(es_retrieval_of(&m, NULL, &one, 1, &rules, NULL, &r, NULL));
        assert_true(r.mean[ES_RETRIEVAL_MRR] == (doc < 10 ? 1 / (double)(doc + 1) : 0));
        assert_int_equal(r.by_number, 1);
        es_retrieval_free(&r);
    }
}

/* Row numbers decide where an answer and another are equally far, within reach of the first k. */
TEST(retrieval__ties__are_counted_where_they_decide) {
    double x[] = {1, -1, 2, 3, -3, 4, 5, -5}, q[] = {0};
    const es_matrix m = {8, 1, x}, query = {1, 1, q};
    static const struct {
        uint32_t first, second; /* answers */
        bool decided;
    } cases[] = {{2, 2, false}, {0, 1, false}, {1, 2, true}, {3, 2, true}, {7, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const es_judgement list[] = {{0, cases[i].first, 1}, {0, cases[i].second, 1}};
        const es_retrieval_rules rules = {.metric = ES_L2, .k = 4};
        es_retrieval r;
        assert_ok(es_retrieval_of(&m, &query, list, 2, &rules, NULL, &r, NULL));
        assert_int_equal(r.by_number, cases[i].decided);
        assert_int_equal(r.seen[0].by_number, cases[i].decided);
        es_retrieval_free(&r);
    }
}

TEST(retrieval__bad_input__is_refused) {
    double x[] = {1, 2, 3, 4}, q[] = {0, 1};
    const es_matrix m = {4, 1, x}, wide = {1, 2, q}, one = {2, 1, q};
    const es_retrieval_rules rules = {.metric = ES_L2};
    const es_judgement far = {0, 4, 1}, nobody = {4, 0, 1}, none = {0, 1, 0}, self = {2, 2, 1};
    es_retrieval r;
    assert_int_equal(es_retrieval_of(&m, NULL, &far, 1, &rules, NULL, &r, NULL), ES_EINVAL);
    assert_int_equal(es_retrieval_of(&m, NULL, &nobody, 1, &rules, NULL, &r, NULL), ES_EINVAL);
    assert_int_equal(es_retrieval_of(&m, &one, &self, 1, &rules, NULL, &r, NULL), ES_EINVAL);
    assert_int_equal(es_retrieval_of(&m, &wide, &none, 1, &rules, NULL, &r, NULL), ES_EINVAL);
    assert_int_equal(es_retrieval_of(&m, NULL, &none, 1, &rules, NULL, &r, NULL), ES_EEMPTY);
    assert_int_equal(es_retrieval_of(&m, NULL, &self, 1, &rules, NULL, &r, NULL), ES_EEMPTY);
}
