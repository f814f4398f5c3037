/* Derived embedders in every command that others vote in: without --with-derived it says what it
 * says of the pool without them. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void derive(const char *source, const char *how, const char *with) {
    run_result r =
        with ? RUN("derive", "pool", source, how, with) : RUN("derive", "pool", source, how);
    expect_code(&r, 0);
}

static void estimate(const char *estimator) {
    RUN_OK("estimate", "pool", "--estimator", estimator, "--with-derived", "-q");
}

static char *said(const char *const *arguments) {
    return run_ok(arguments).out;
}

/* But for where it stands: what a line says of the number of those left out. */
static void expect_same(const char *before, const char *after) {
    if (strcmp(before, after) != 0)
        fail_msg("%s\n---\n%s", before, after);
}

TEST(compare__derived__are_no_targets) {
    estimate_pool();
    const char *const csv[] = {"compare", "pool", "a", "b", "--estimator", "linear", "--csv", NULL};
    const char *const text[] = {"compare", "pool", "a", "b", "--estimator", "linear", NULL};
    char *table = said(csv), *before = said(text);
    derive("a", "--whiten", NULL);
    estimate("linear");
    char *again = said(csv), *after = said(text);
    expect_same(table, again);
    char *rows = strstr(before, "\nrows that");
    assert_non_null(rows);
    expect_same(rows, strstr(after, "\nrows that"));
    assert_contains(after, ", without 1 derived (--with-derived):");
    run_result r =
        RUN_OK("compare", "pool", "a", "b", "--estimator", "linear", "--csv", "--with-derived");
    assert_contains(r.out, "a+whiten");
    r = RUN_OK("compare", "pool", "a", "a+whiten", "--estimator", "linear",
               "--json"); /* what is compared is a target all the same */
    assert_contains(r.out, "\"derived_left_out\": 0");
}

/* Wherever a reader meets its name. */
TEST(rank__derived__are_marked_in_sentences) {
    static const char *const name = "a+whiten";
    estimate_pool();
    derive("a", "--whiten", NULL);
    estimate("linear");
    const char *const commands[][8] = {
        {"rank", "pool", "--estimator", "linear", "--with-derived", NULL},
        {"rank", "pool", "--estimator", "linear", "--with-derived", "--explain", name, NULL}};
    for (size_t i = 0; i < 2; i++) {
        char *out = said(commands[i]);
        size_t found = 0;
        for (const char *at = out; (at = strstr(at, name)) != NULL; at++, found++)
            if (at == out || at[-1] != '~')
                fail_msg("without a mark in: %s", out);
        assert_true(found >=
                    (i == 0 ? 2 : 1)); /* table and sentence; the explanation names it once */
    }
}

/* They are in the tree; the groups of the ranking are not its communities then. */
TEST(tree__derived__are_told) {
    estimate_pool();
    derive("a", "--whiten", NULL);
    derive("b", "--whiten", NULL);
    estimate("linear");
    run_result r = RUN_OK("tree", "pool", "--estimator", "linear");
    assert_contains(r.out, "\n2 of them are derived (~); the groups of `rank` are of the "
                           "pool without\n");
}

/* A derived one that is not estimated yet is no reason to show all by another estimator. */
TEST(matrix__derived_unknown__stays_with_its_estimator) {
    estimate_pool();
    RUN_OK("estimate", "pool", "--estimator", "knife", "-q");
    derive("a", "--whiten", NULL);
    assert_contains(RUN_OK("matrix", "pool", "--json").out, "\"estimator\": \"knife\"");
}

/* What cannot be let in is not offered. */
TEST(rank__outdated__is_not_said_to_be_left_out) {
    estimate_pool();
    derive("a", "--whiten", NULL);
    derive("b", "--whiten", NULL);
    derive("a+whiten", "--normalize", NULL);
    add_model("pool", "a", 240, 6, 1, 0.06);
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    run_result r = RUN_OK("info", "pool");
    assert_contains(r.out, ": a has changed since it was derived");
    assert_contains(r.out, ": a+whiten has changed since it was derived");
    r = RUN_OK("rank", "pool", "--estimator", "linear");
    assert_contains(r.out, "1 derived embedder is left out (~b+whiten)");
    assert_contains(r.err, "a+whiten: a has changed since it was derived");
}

/* What stands of two families side by side is of neither, and judges none of them as another. */
TEST(concat__of_two_families__is_of_its_own) {
    make_pool("pool");
    write_text("pool/pool.json",
               "{\"models\": [{\"name\": \"a\", \"file\": \"a.npy\", \"family\": \"x\"},"
               "{\"name\": \"b\", \"file\": \"b.npy\", \"family\": \"y\"},"
               "{\"name\": \"c\", \"file\": \"c.npy\", \"family\": \"x\"},"
               "{\"name\": \"d10\", \"file\": \"d10.npy\", \"family\": \"y\"}]}");
    derive("a", "--concat", "b");
    derive("a", "--concat", "c");
    run_result r = RUN_OK("info", "pool", "--json");
    const char *mixed = strstr(r.out, "\"name\": \"a+b\""),
               *one = strstr(r.out, "\"name\": \"a+c\"");
    assert_non_null(mixed);
    assert_non_null(one);
    assert_memory_equal(strstr(mixed, "\"family\""), "\"family\": \"a+b\"", 15);
    assert_memory_equal(strstr(one, "\"family\""), "\"family\": \"x\"", 13);
}

/* Settings that are not the preset's stand beside it, and make no predictive score. */
TEST(preset__changed__is_named) {
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk",
                          "--set", "lambda=500", "-q");
    assert_contains(r.out, "linear shrunk, lambda=500\n");
    r = RUN_OK("rank", "pool", "--estimator", "linear", "--preset", "shrunk", "--set",
               "lambda=500");
    assert_contains(r.out, "score: published, linear shrunk, lambda=500, ");
    assert_lacks(r.out, "predictive");
    r = RUN_OK("matrix", "pool", "--estimator", "linear", "--preset", "shrunk", "--set",
               "lambda=500");
    assert_contains(r.out, "linear shrunk, lambda=500: rows are sources");
    r = RUN_OK("export", "pool", "matrix", "--estimator", "linear", "--preset", "shrunk", "--set",
               "lambda=500", "--format", "tex");
    assert_contains(r.out, "linear (shrunk, lambda=500)");
}

/* A score that nobody has is none, and a fact about the measurement says so. */
TEST(rank__field_without_values__is_an_error) {
    make_pool("pool");
    expect_error(RUN("rank", "pool", "--score", "infonce.se", "--set", "steps=5", "-q"), 4,
                 "no embedder has a value");
    run_result r = RUN_OK("rank", "pool", "--score", "infonce.ceiling", "--set", "steps=5", "-q");
    assert_contains(r.out, "neither way is better");
}

/* With maps=source the two directions have a critic each. */
TEST(infonce__directed__is_not_called_symmetric) {
    make_pool("pool");
    const char *const set = "maps=source steps=5";
    run_result r = RUN_OK("measure", "pool", "infonce", "--set", set, "-q");
    assert_lacks(r.out, "symmetric");
    assert_contains(r.out, "the directions differ by the critic");
    r = RUN_OK("rows", "pool", "a", "b", "--by", "pmi", "--set", set, "-q");
    assert_lacks(r.out, "symmetric");
    r = RUN_OK("measure", "pool", "infonce", "--set", "steps=5", "-q");
    assert_contains(r.out, "symmetric: not which predicts");
}
