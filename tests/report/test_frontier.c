/* How small embedders may be: who is on the front, and the sentences. */
#include "testing.h"
#include "report.h"

enum { D = 64, POINTS = 15 };

/* Kept falls with the bytes a row; `worst` is what one bit a value keeps. */
static void fill(es_kept kept[POINTS], double worst, double probe) {
    es_derive grid[ES_FRONTIER_MOST];
    size_t count = es_frontier_grid(D, grid);
    assert_int_equal(count, POINTS);
    for (size_t c = 0; c < count; c++) {
        double share = (double)es_frontier_columns(&grid[c], D) / D;
        double k = 1 - (1 - worst) * (grid[c].bits == 1 ? 1 : grid[c].bits == 4 ? 0.1 : 0.01);
        k = c == 0 ? 1 : k * pow(share, grid[c].kind == ES_DERIVE_PCA ? 0.1 : 0.3);
        kept[c] = (es_kept){
            .kept = k, .low = k - 0.001, .high = k + 0.001, .neighbours = k, .probe = probe * k};
    }
}

static char *answer_of(const es_frontier_of *of, size_t n, size_t most, const char *against,
                       es_frontier_report **report) {
    es_buf out = {0};
    assert_ok(es_frontier_report_new(of, n, most, against, report, NULL));
    es_frontier_put_answer(*report, &out);
    return es_buf_take(&out);
}

static void expect_says(const char *text, const char *wanted) {
    if (strstr(text, wanted) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", text, wanted);
}

TEST(frontier__two_with_labels__best_by_probe) {
    es_kept e5[POINTS], gte[POINTS];
    fill(e5, 0.7, 0.9);
    fill(gte, 0.8, 0.8);
    const es_frontier_of of[] = {{"gte", D, gte, (double)NAN, (double)NAN},
                                 {"e5", D, e5, (double)NAN, (double)NAN}};
    es_frontier_report *r = NULL;
    char *text = answer_of(of, 2, 0, NULL, &r);
    assert_int_equal(r->by, ES_FRONTIER_BY_PROBE);
    /* the best embedder comes first, and its smallest size is that of the last sentence */
    expect_says(text, "e5 in int4 (32 bytes) keeps 97 % of e5 at 256 bytes; the probe loses 2.7 "
                      "points; with 32 dimensions or fewer it loses more than 5 %. gte in int4");
    expect_says(text, "At 32 bytes a row the best of this pool, by the probe, is e5 in int4.");
    assert_int_equal(es_frontier_smallest(r, 1), POINTS + 3);
    assert_true(r->point[POINTS].front); /* nothing is as good as all of e5 */
    assert_false(r->point[0].front);
    es_free(text);
    es_frontier_report_free(r);
    text = answer_of(of, 2, 8, NULL, &r);
    expect_says(text, "At 8 bytes a row the best of this pool, by the probe, is e5 with 16 "
                      "principal components in int4.");
    for (size_t i = 0; i < r->points; i++)
        assert_true(!r->point[i].front || r->point[i].bytes <= 8);
    es_free(text);
    es_frontier_report_free(r);
    text = answer_of(of, 2, 1, NULL, &r);
    expect_says(text, "No compression takes 1 byte a row or fewer.");
    es_free(text);
    es_frontier_report_free(r);
}

/* Without labels by what they predict of each other; without that each has its own front. */
TEST(frontier__without_labels__by_others_or_alone) {
    es_kept a[POINTS], b[POINTS];
    fill(a, 0.7, (double)NAN);
    fill(b, 0.7, (double)NAN);
    es_frontier_of of[] = {{"a", D, a, 0.2, (double)NAN}, {"b", D, b, 0.3, (double)NAN}};
    es_frontier_report *r = NULL;
    char *text = answer_of(of, 2, 0, NULL, &r);
    assert_int_equal(r->by, ES_FRONTIER_BY_OTHERS);
    expect_says(text, "by what it predicts of the others, is b in int4");
    assert_lacks(text, "probe");
    assert_float_equal(r->point[POINTS].value, 0.3, 1e-12);
    es_free(text);
    es_frontier_report_free(r);
    of[0].others = (double)NAN;
    text = answer_of(of, 2, 0, NULL, &r);
    assert_int_equal(r->by, ES_FRONTIER_BY_NOTHING);
    expect_says(text, "Embedders are not compared with each other: there are neither labels nor "
                      "estimated pairs.");
    assert_int_equal(es_frontier_best(r, 1000), SIZE_MAX);
    assert_true(r->point[0].front && r->point[POINTS].front);
    es_free(text);
    es_frontier_report_free(r);
}

/* One embedder is compared with itself, whatever a probe says. */
TEST(frontier__one_embedder__by_what_is_kept) {
    es_kept kept[POINTS];
    fill(kept, 0.7, 0.9);
    kept[3].probe = 1;
    const es_frontier_of of = {"one", D, kept, (double)NAN, (double)NAN};
    es_frontier_report *r = NULL;
    char *text = answer_of(&of, 1, 16, NULL, &r);
    assert_int_equal(r->by, ES_FRONTIER_BY_NOTHING);
    expect_says(text, "At 16 bytes a row 91 % are kept: by one with 32 principal components in "
                      "int4.");
    assert_lacks(text, "compared");
    es_free(text);
    es_frontier_report_free(r);
}

/* Of a larger pool: the best embedder alone, after how much smaller all of them can be. */
TEST(frontier__larger_pool__median_first) {
    es_kept kept[4][POINTS];
    es_frontier_of of[4];
    static const char *const name[] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < 4; i++) {
        fill(kept[i], 0.7, 0.5 + 0.1 * (double)i);
        of[i] = (es_frontier_of){name[i], D, kept[i], (double)NAN, (double)NAN};
    }
    es_frontier_report *r = NULL;
    char *text = answer_of(of, 4, 0, NULL, &r);
    expect_says(text, "In the median of 4 embedders the smallest compression that is shown to keep "
                      "95 % takes 8.0 times fewer bytes. d in int4 (32 bytes) keeps");
    assert_lacks(text, "c in");
    es_free(text);
    es_frontier_report_free(r);
}

TEST(frontier__nothing_keeps_enough__is_said) {
    es_kept kept[POINTS];
    fill(kept, 0.7, 0.9);
    for (size_t c = 1; c < POINTS; c++)
        kept[c].low = 0.9;
    const es_frontier_of of = {"wide", D, kept, (double)NAN, (double)NAN};
    es_frontier_report *r = NULL;
    char *text = answer_of(&of, 1, 0, NULL, &r);
    expect_says(text, "No compression is shown to keep 95 % of wide (256 bytes).");
    es_free(text);
    es_frontier_report_free(r);
}

/* A column of costs: who is both better and cheaper; an embedder without a cost is not there. */
TEST(frontier__against_a_column__front_by_cost) {
    es_kept a[POINTS], b[POINTS], c[POINTS];
    fill(a, 0.7, 0.9);
    fill(b, 0.7, 0.8);
    fill(c, 0.7, 0.99);
    const es_frontier_of of[] = {{"a", D, a, (double)NAN, 0.13},
                                 {"b", D, b, (double)NAN, 0.02},
                                 {"c", D, c, (double)NAN, (double)NAN}};
    es_frontier_report *r = NULL;
    char *text = answer_of(of, 3, 0, "price", &r);
    expect_says(text, "Nothing is both better and lower in price than a (0.13), b (0.02).");
    assert_true(r->point[0].front && r->point[POINTS].front);
    assert_false(r->point[1].front || r->point[2 * POINTS].front);
    es_free(text);
    es_frontier_report_free(r);
}

TEST(frontier__others__mean_without_self_and_controls) {
    es_results *r = NULL;
    assert_ok(es_results_new(4, &r, NULL));
    r->family[3] = es_strdup("control");
    const double first[] = {5, 0.2, 0.4, 9};
    for (size_t v = 0; v < 4; v++)
        es_results_give(r, 0, v, first[v]);
    es_results_give(r, 1, 0, -0.1);
    assert_float_equal(es_frontier_others(r, 0), 0.3, 1e-12);
    assert_true(isnan(es_frontier_others(r, 1))); /* nothing to multiply with */
    assert_true(isnan(es_frontier_others(r, 2)));
    es_results_free(r);
}
