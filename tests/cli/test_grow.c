/* Samples of rows: which are taken, how they grow, and what is said of them, by the command line
 * and in the explorer. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

#define SHRUNK "--estimator", "linear", "--preset", "shrunk"

/* The noisier, the worse: distinguished by a thousand rows. */
static void make_clear(void) {
    static const double noise[] = {0.2, 0.6, 1.2, 2.5, 5};
    char name[8];
    for (size_t i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, "m%zu", i);
        add_model("pool", name, 5000, 6, 3 + i, noise[i]);
    }
}

static es_json_value rows_of(const es_json_value *root) {
    es_json_value provenance = member(root, "provenance", ES_JSON_OBJECT);
    return member(&provenance, "rows", ES_JSON_OBJECT);
}

TEST(estimate__auto__ends_when_settled_and_says_so) {
    make_clear();
    run_result r = RUN_OK("estimate", "pool", "--rows", "auto", SHRUNK);
    assert_contains(r.err, "1000 of 5000 rows, a random sample; more rows are to be taken");
    assert_contains(r.err, "2000 of 5000 rows");
    assert_contains(r.err, "it has settled");
    assert_contains(r.out, "5 embedders, 2000 rows");
    r = RUN_OK("rank", "pool", "--rows", "auto", SHRUNK, "--json"); /* what is stored of it */
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), rows = rows_of(&root),
                  growth = member(&rows, "growth", ES_JSON_ARRAY), first = es_json_first(&growth),
                  second = es_json_next(&first);
    assert_true(number_of(&rows, "used") == 2000);
    assert_true(number_of(&rows, "of") == 5000);
    assert_string_equal(text_of(&rows, "choice"), "sample");
    assert_int_equal(es_json_count(&growth), 2);
    assert_true(number_of(&second, "expected") >= 0.95);
    assert_true(number_of(&second, "low") <= number_of(&second, "expected"));
    assert_string_equal(text_of(&second, "ended"), "settled");
    /* again: nothing is estimated, nothing grows */
    r = RUN_OK("estimate", "pool", "--rows", "auto", SHRUNK);
    assert_contains(r.out, " 0 estimated");
    assert_lacks(r.err, "1000 of 5000");
    assert_lacks(r.err, "4000 of 5000");
    /* the same rows, asked for by number */
    assert_contains(RUN_OK("estimate", "pool", "--rows", "2000", SHRUNK).out, " 0 estimated");
    /* the default takes all of a small pool */
    r = RUN_CODE(4, "rank", "pool", SHRUNK);
}

TEST(estimate__budget__ends_with_what_is_finished) {
    make_clear();
    run_result r = RUN("estimate", "pool", "--rows", "auto", "--budget", "0.001s", SHRUNK);
    assert_in_range(r.code, 0, 4);
    assert_lacks(r.err, "2000 of 5000");
    r = RUN_OK("estimate", "pool", "--rows", "auto", "--budget", "10m", SHRUNK);
    assert_contains(r.err, "it has settled");
    r = RUN("estimate", "pool", "--budget", "10", SHRUNK);
    expect_error(r, 2, "90s, 10m or 2h");
}

/* Twice as many as there are is nothing that anybody asked for. */
TEST(estimate__auto_to_the_end__takes_all_without_a_note) {
    add_model("pool", "a", 1500, 6, 3, 0.2);
    add_model("pool", "b", 1500, 6, 4, 1.2);
    add_model("pool", "c", 1500, 6, 5, 5);
    run_result r = RUN_OK("estimate", "pool", "--rows", "auto", SHRUNK);
    assert_contains(r.out, "3 embedders, 1500 rows");
    assert_lacks(r.err, "--rows asks for");
    r = RUN_OK("estimate", "pool", "--rows", "2000", SHRUNK);
    assert_contains(r.err, "--rows asks for 2000 of 1500 rows: all are taken");
    assert_contains(r.out, " 0 estimated");
}

/* A sample's rows are the pool's own, and a smaller sample is part of a larger one. */
TEST(rows__samples__are_nested) {
    char list[2][20000];
    make_clear();
    for (size_t k = 0; k < 2; k++) {
        RUN_OK("estimate", "pool", "--rows", k ? "200" : "100", SHRUNK, "-q");
        run_result r = RUN_OK("map", "pool", "m0", "--rows", k ? "200" : "100", "--sample", "0",
                              "--csv", "-q");
        list[k][0] = '\0';
        size_t used = 0;
        for (const char *at = strchr(r.out, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
            used += (size_t)snprintf(list[k] + used, sizeof list[k] - used, ",%lu,",
                                     strtoul(at + 1, NULL, 10));
    }
    size_t found = 0, count = 0;
    for (char *word = strtok(list[0], ","); word; word = strtok(NULL, ",")) {
        char one[32];
        (void)snprintf(one, sizeof one, ",%s,", word);
        found += strstr(list[1], one) != NULL;
        count++;
    }
    assert_int_equal(count, 100);
    assert_int_equal(found, 100);
}

TEST(explorer__auto__grows_and_goes_on) {
    make_clear();
    write_text("steps", ":rank\n:await 2000 of 5000 rows, agreement\n:jobs\n:wait done\n"
                        ":assert settled\n:assert n=2000 of 5000\n:assert 75/75 pairs\n");
    run_result r = RUN("pool", "--rows", "auto", "--start", "--script", "steps");
    if (r.code != 0)
        fail_msg("%d: %s", r.code, r.err);
    assert_contains(RUN_OK("estimate", "pool", "--rows", "2000").out, " 0 estimated");
}

/* As of a sample: of how many rows they are, in documents, beside them and in the explorer. */
TEST(rows__the_first__are_said_to_be_a_part) {
    make_clear();
    RUN_OK("estimate", "pool", "--rows", "first:300", SHRUNK, "-q");
    run_result r = RUN_OK("matrix", "pool", "--rows", "first:300", SHRUNK, "--json");
    check_json_tool(r.out);
    assert_contains(r.err, "300 of 5000 rows, the first");
    es_json_value root = parse_json(r.out), rows = rows_of(&root);
    assert_true(number_of(&rows, "used") == 300 && number_of(&rows, "of") == 5000);
    assert_string_equal(text_of(&rows, "choice"), "first");
    write_text("steps", ":await n=300 of 5000\n");
    r = RUN("pool", "--rows", "first:300", SHRUNK, "--script", "steps");
    if (r.code != 0)
        fail_msg("%d: %s", r.code, r.err);
}

TEST(rows__too_few__are_not_blamed_on_the_files) {
    make_clear();
    static const char *const commands[] = {"estimate", "matrix", "rank", "info"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        expect_error(RUN(commands[i], "pool", "--rows", "first:0"), 2,
                     "0 rows: at least 20 are needed");
        expect_error(RUN(commands[i], "pool", "--rows", "19"), 2,
                     "19 rows: at least 20 are needed");
    }
}

/* Whoever stops it, or opens it later, can have it go on. */
TEST(explorer__stopped__goes_on_when_asked) {
    make_clear();
    run_result r = RUN_OK("estimate", "pool", "--rows", "1000", SHRUNK, "-q");
    write_text("steps", ":await n=1000 of 5000\n:await r takes more rows\n:run\n"
                        ":await n=2000 of 5000\n:wait done\n:assert 25/25 pairs\n");
    r = RUN("pool", "--rows", "auto", SHRUNK, "--script", "steps");
    if (r.code != 0)
        fail_msg("%d: %s", r.code, r.err);
}
