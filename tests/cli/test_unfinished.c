/* Pools of which some pairs are still to be estimated: nothing is said of an embedder that is not
 * through with its targets, nor more of the others than there is to say. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { MODELS = 8, PAIRS = MODELS * MODELS };

/* Each of a family of its own, the noisier the later. */
static void make_families(const char *pool) {
    char path[PATH_ROOM];
    es_buf *about = test_buf();
    assert_int_equal(mkdir(pool, 0700), 0);
    es_buf_puts(about, "{\"name\":\"pool\",\"models\":[");
    for (size_t i = 0; i < MODELS; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        add_model(pool, name, 240, 6, i, 0.05 + 0.4 * (double)i);
        es_buf_printf(about, "%s{\"name\":\"%s\",\"file\":\"%s.npy\",\"family\":\"%s\"}",
                      i ? "," : "", name, name, name);
    }
    es_buf_puts(about, "]}");
    assert_false(about->failed);
    (void)snprintf(path, sizeof path, "%s/pool.json", pool);
    write_text(path, about->data);
}

static void estimate_predictive(const char *pool) {
    RUN_OK("estimate", pool, "--estimator", "linear", "--preset", "shrunk", "-q");
}

/* One of two shares of the pairs, and those among every other embedder: of those that are not
 * through with their targets some know a few. */
static void estimate_half(const char *pool, const char *preset) {
    RUN_OK("estimate", pool, "--estimator", "linear", "--preset", preset, "--shard", "1/2",
           "--store", "half.db", "-q");
    RUN_OK("merge", pool, "half.db", "-q");
    RUN_OK("estimate", pool, "--estimator", "linear", "--preset", preset, "--models", "a,c,e,g",
           "-q");
}

static size_t known_of(const es_json_value *root, const char *key) {
    es_json_value by = member(root, key, ES_JSON_OBJECT);
    assert_true(number_of(&by, "pairs") == PAIRS);
    return (size_t)number_of(&by, "pairs_known");
}

/* The values that stand under a key in the rows of the ranking, and how many of these have one. */
static size_t given(const es_json_value *root, const char *key) {
    size_t count = 0;
    es_json_value list = member(root, "ranking", ES_JSON_ARRAY), row = es_json_first(&list);
    for (size_t k = 0; k < es_json_count(&list); k++, row = es_json_next(&row)) {
        es_json_value value = {0};
        count +=
            es_json_get(&row, key, ES_JSON_NUMBER, ES_JSON_OPTIONAL, &value, test_err()) == ES_OK &&
            es_json_type_of(&value) == ES_JSON_NUMBER;
    }
    return count;
}

TEST(unfinished__published_over_some_targets__is_missing) {
    char from[64];
    make_families("pool");
    estimate_predictive("pool");
    estimate_half("pool", "default");
    es_json_value root = RUN_JSON("rank", "pool", "--json", "-q");
    size_t known = known_of(&root, "published_by"), published = given(&root, "published");
    assert_int_equal(known_of(&root, "communities_by"), known);
    assert_true(known > 0 && known < PAIRS);
    assert_int_equal(given(&root, "score"), MODELS);
    assert_true(published > 0 && published < MODELS);
    run_result r = RUN("rank", "pool", "--score", "published", "--json", "-q");
    root = parse_json(r.out);
    assert_int_equal(given(&root, "score"), published); /* beside each score, and nowhere else */
    assert_int_equal(given(&root, "published"), published);
    r = RUN("rank", "pool", "-q");
    (void)snprintf(from, sizeof from, "by linear default from %zu of %d pairs\n", known, PAIRS);
    assert_contains(r.out, from);
    write_text("s.csv", "model,t\na,8\nb,7\nc,6\nd,5\ne,4\nf,3\ng,2\nh,1\n");
    r = RUN("correlate", "pool", "--scores", "s.csv", "--json", "-q");
    root = parse_json(r.out);
    assert_int_equal(known_of(&root, "communities_by"), known);
}

/* Nobody is ranked, so that there is no ranking of which so many targets could be enough. */
TEST(unfinished__curve_of_nobody__says_so) {
    make_families("pool");
    RUN_OK("estimate", "pool", "--models", "a,b,c,d,e", "-q");
    run_result r = RUN_OK("rank", "pool", "--curve", "-q");
    assert_contains(r.out, "25 of 64 pairs are known\n");
    assert_contains(r.out, "too few embedders are ranked for a curve: 3 are needed, and 0 ");
    assert_lacks(r.out, "enough");
    r = RUN("rank", "pool", "--curve", "--json", "-q");
    es_json_value root = parse_json(r.out), curve = member(&root, "curve", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&curve), 0);
    assert_true(number_of(&root, "pairs") == PAIRS && number_of(&root, "pairs_known") == 25);
    expect_error(RUN("export", "pool", "ranking", "--curve", "-o", "c.svg"), 4,
                 "too few embedders are ranked");
}

/* With those that are through the curve is one of them alone. */
TEST(unfinished__curve__is_of_those_that_are_ranked) {
    make_families("pool");
    estimate_half("pool", "shrunk");
    run_result r = RUN("rank", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out);
    size_t ranked = given(&root, "rank");
    char said[64];
    assert_true(ranked >= 3 && ranked < MODELS);
    r = RUN_OK("rank", "pool", "--curve", "-q");
    (void)snprintf(said, sizeof said, "sources: %zu of %d embedders are ranked\n", ranked, MODELS);
    assert_contains(r.out, said);
}

TEST(unfinished__several_data_sets__one_half_tells_nobody_apart) {
    make_families("half");
    estimate_half("half", "shrunk");
    run_result r = RUN_OK("rank", "half", "half", "--json", "-q");
    es_json_value root = parse_json(r.out), line = member(&root, "bottom_line", ES_JSON_OBJECT);
    const char *said = text_of(&line, "sentence");
    assert_contains(said, "no order is shown: none of them shows a difference.");
    assert_contains(said, " half is not estimated to the end: ");
    assert_contains(said, " of 64 pairs are known.");
    assert_contains(r.out, "\"best\": null");
    make_families("whole");
    estimate_predictive("whole");
    r = RUN_OK("rank", "whole", "half", "-q"); /* who is first is so by the one that is finished */
    assert_lacks(r.out, "before it in 2 of 2");
    static const char *const views[] = {"sets", "ranking"};
    for (size_t k = 0; k < 2; k++) {
        RUN_OK("export", "whole", "half", views[k], "--format", "svg", "-o", "x.svg", "-q");
        char *svg = slurp("x.svg");
        assert_contains(svg, "estimated");
    }
}

TEST(unfinished__how_sure__the_reason_is_that_pairs_are_missing) {
    make_families("pool");
    estimate_half("pool", "shrunk");
    run_result r = RUN("rank", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out), line = member(&root, "bottom_line", ES_JSON_OBJECT);
    assert_int_equal(strncmp(text_of(&line, "sentence"), "Ranking after 40 of 64 pairs: ", 30), 0);
    assert_contains(r.out, "\"best\": null");
    assert_contains(r.out, "\"best_set\": []");
    assert_true(number_of(&line, "kinds") < 5);
    es_json_value list = member(&root, "ranking", ES_JSON_ARRAY), first = es_json_first(&list);
    const char *best = text_of(&first, "model");
    r = RUN_OK("rank", "pool", "--explain", best, "-q");
    assert_contains(r.out, "More can be said after ");
    assert_lacks(r.out, "Too few kinds");
    assert_lacks(r.out, "No reference embedder");
}

/* Of a finished matrix: two sources and a third, which compares both of them or one alone. */
TEST(unfinished__two_sources__are_compared_over_common_targets) {
    write_text("both.csv",
               ",a,b,c,d,e\na,1,.4,.5,.6,\nb,.3,1,.4,.5,\nc,.2,.3,1,,\nd,,,,,\ne,,,,,\n");
    write_text("none.csv", ",a,b,c,d,e\na,1,.4,,,\nb,.3,1,.4,,\nc,.2,.3,1,,\nd,,,,,\ne,,,,,\n");
    write_text("two.csv", ",a,b,c,d\na,1,.4,.5,.6\nb,.3,1,.4,.5\nc,,,,\nd,,,,\n");
    assert_contains(RUN_OK("rank", "--matrix", "both.csv").out, "2 of 5 embedders have no score.");
    run_result r = RUN("rank", "--matrix", "both.csv", "--explain", "a", "b");
    assert_contains(r.out, "Among these, a leads b by 0.100.");
    r = RUN_OK("rank", "--matrix", "none.csv", "--explain", "a", "b");
    assert_contains(r.out, "No reference embedder compares ");
    r = RUN_OK("rank", "--matrix", "two.csv");
    assert_contains(r.out, "a third is needed to rank. 2 of 4 embedders have no score.");
    expect_error(RUN("rank", "--matrix", "both.csv", "--explain", "a", "d"), 4, "d is not ranked");
    expect_error(RUN("rank", "--matrix", "both.csv", "--explain", "d", "a"), 4, "d is not ranked");
    /* a target of which nothing is known is there all the same */
    r = RUN_OK("matrix", "--matrix", "both.csv");
    const char *end = strchr(r.out, '\n');
    assert_true(end && end - r.out > 0 && memchr(r.out, '5', (size_t)(end - r.out)));
    RUN_OK("export", "--matrix", "both.csv", "matrix", "-o", "both.md");
    char *text = slurp("both.md");
    assert_contains(text, " e |");
}
