/* `embedscope series`: steps by names and by pool.json, in the order of time, with measures, as a
 * document and a picture. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static es_json_value nth(const es_json_value *list, size_t n) {
    es_json_value v = es_json_first(list);
    while (n-- > 0)
        v = es_json_next(&v);
    return v;
}

enum { MODELS = 8 };

/* Each step is less noisy than the one before; run@10 comes after run@9 and before run@1k. With
 * five others the run is one of five kinds. */
static void make_run(void) {
    static const char *const names[] = {"run@9", "run@10", "run@1k", "alone@5",
                                        "other", "m1",     "m2",     "m3"};
    static const double noise[] = {4, 2, 0.3, 1, 1, 0.7, 1.3, 1.6};
    for (size_t i = 0; i < MODELS; i++)
        add_model("pool", names[i], 400, 6, 3 + i, noise[i]);
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
}

/* From and to the neighbour in time: run@10 and run@1k are the last two embedders. */
static void require_same_as_matrix(const es_json_value *last) {
    run_result r = RUN("matrix", "pool", "--estimator", "linear", "--preset", "shrunk", "--json");
    es_json_value root = parse_json(r.out), is = member(&root, "is", ES_JSON_ARRAY);
    const double expected[] = {number_of(last, "of_before"), number_of(last, "by_before")};
    for (size_t k = 0; k < 2; k++) {
        es_buf *cell = test_buf();
        es_json_value row = nth(&is, MODELS - 1 - k);
        es_buf_put_double(cell, expected[k]);
        assert_int_equal(es_json_count(&row), MODELS);
        assert_contains(r.out, cell->data);
    }
}

TEST(series__names_with_steps__are_in_the_order_of_time) {
    static const char *const expected[] = {"run@9", "run@10", "run@1k"};
    make_run();
    run_result r = RUN_OK("series", "pool", "effective-rank,cka", "--json", "-q");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), runs = member(&root, "series", ES_JSON_ARRAY),
                  steps = member(&root, "steps", ES_JSON_ARRAY), run = nth(&runs, 0);
    assert_int_equal(es_json_count(&runs), 1); /* alone@5 has nobody to follow */
    assert_int_equal(es_json_count(&steps), 3);
    assert_string_equal(text_of(&run, "best"), "run@1k");
    double before = -1;
    for (size_t i = 0; i < 3; i++) {
        es_json_value step = nth(&steps, i);
        assert_string_equal(text_of(&step, "model"), expected[i]);
        assert_true(number_of(&step, "score") > before);
        assert_true(number_of(&step, "ci_low") <= number_of(&step, "score"));
        before = number_of(&step, "score");
        assert_true(number_of(&step, "effective-rank") > 1);
    }
    es_json_value last = nth(&steps, 2);
    assert_true(number_of(&last, "step") == 1000);
    require_same_as_matrix(&last);
}

/* Would more rows leave the order of two steps as it is, by what --explain says of them? */
static bool are_apart(int one, int other) {
    char a[16], b[16];
    (void)snprintf(a, sizeof a, "run@%d", one);
    (void)snprintf(b, sizeof b, "run@%d", other);
    run_result r = RUN_OK("rank", "pool", "--explain", a, b, "--json", "-q");
    bool apart = strstr(r.out, "More rows would not change their order") != NULL;
    return apart;
}

/* Of many small steps none may be distinguished from the one before, and the last from the first
 * all the same: from the step that is named on, and not before, nothing has surely changed. */
TEST(series__small_steps__are_seen_together) {
    enum { STEPS = 10 };
    char name[32];
    bool apart[STEPS][STEPS] = {{false}}, far = false;
    for (size_t i = 0; i < STEPS; i++) {
        (void)snprintf(name, sizeof name, "run@%zu", i);
        add_model("pool", name, 400, 6, 3 + i, 3 - 0.15 * (double)i);
    }
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "other%zu", i);
        add_model("pool", name, 400, 6, 77 + i, 1 + 0.3 * (double)i);
    }
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    for (int i = 0; i < STEPS; i++)
        for (int j = i + 1; j < STEPS; j++)
            apart[i][j] = are_apart(i, j);
    run_result r = RUN("series", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out), runs = member(&root, "series", ES_JSON_ARRAY),
                  run = nth(&runs, 0);
    int change = atoi(text_of(&run, "last_change") + 4);
    for (int i = 0; i < STEPS; i++)
        for (int j = i + 1; j < STEPS; j++) {
            far = far || (i == change - 1 && apart[i][j]);
            assert_true(i < change || !apart[i][j]);
        }
    assert_true(far && change > 0);
    r = RUN("series", "pool", "-q");
    (void)snprintf(name, sizeof name, "from run@%d on no two", change);
    assert_contains(r.out, name);
}

static void say_of_errors(const char *words) {
    run_result r = RUN_OK("series", "pool", "--estimator", "l2", "--preset", "linear");
    char *line = strstr(r.out, "run: 3 steps");
    assert_non_null(line);
    for (char *c = line; *c; c++) /* lines are as wide as they are */
        *c = *c == '\n' ? ' ' : *c;
    if (strstr(line, words) == NULL)
        fail_msg("'%s' is not in: %s", words, line);
    assert_contains(line, "an error: lower is better");
    assert_lacks(line, "highest");
    assert_lacks(line, "sufficiency");
    assert_lacks(line, "nats");
}

/* The best of errors is the lowest, also after a step that raised the error. */
TEST(series__errors__are_best_where_lowest) {
    make_run();
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "-q");
    run_result r =
        RUN_OK("series", "pool", "--estimator", "l2", "--preset", "linear", "--json", "-q");
    es_json_value root = parse_json(r.out), runs = member(&root, "series", ES_JSON_ARRAY),
                  steps = member(&root, "steps", ES_JSON_ARRAY), run = nth(&runs, 0),
                  from = nth(&steps, 0), to = nth(&steps, 2);
    assert_true(number_of(&to, "score") < number_of(&from, "score"));
    assert_string_equal(text_of(&run, "best"), "run@1k");
    assert_contains(r.out, "\"last_may_be_best\": true");
    say_of_errors("The best, the lowest, is run@1k.");
    RUN_OK("export", "pool", "series", "--estimator", "l2", "--preset", "linear", "-o", "s.svg");
    char *svg = slurp("s.svg");
    assert_contains(svg, "error");
    assert_lacks(svg, "sufficiency");
    add_model("pool", "run@1k", 400, 6, 5, 20); /* it went astray */
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "-q");
    say_of_errors("The best, the lowest, is run@10.");
    r = RUN("series", "pool", "--estimator", "l2", "--preset", "linear", "--json", "-q");
    assert_contains(r.out, "\"last_may_be_best\": null"); /* errors decide nothing */
}

/* All steps are of one kind, whose vote they share. */
TEST(series__votes__are_one_for_all_steps) {
    make_run();
    run_result r = RUN_OK("rank", "pool", "--json");
    es_json_value root = parse_json(r.out), rows = member(&root, "ranking", ES_JSON_ARRAY);
    double kind = NAN;
    size_t steps = 0;
    for (es_json_value row = es_json_first(&rows); row.node; row = es_json_next(&row))
        if (strncmp(text_of(&row, "model"), "run@", 4) == 0) {
            assert_true(steps++ == 0 || number_of(&row, "kind") == kind);
            kind = number_of(&row, "kind");
        }
    assert_int_equal(steps, 3);
}

TEST(series__a_picture_and_a_table__are_written) {
    make_run();
    RUN_OK("export", "pool", "series", "-o", "s.svg");
    char *svg = slurp("s.svg");
    assert_contains(svg, "<svg");
    assert_contains(RUN_OK("series", "pool").out, "run: 3 steps, 9 to 1000");
}

TEST(series__pool_json__names_a_series_and_steps) {
    for (size_t i = 0; i < 3; i++)
        add_model("pool", i == 0 ? "base" : i == 1 ? "tuned" : "other", 300, 5, 3 + i, 1);
    write_text("pool/pool.json",
               "{\"models\": [{\"name\": \"tuned\", \"series\": \"e5\", \"step\": 1},"
               "{\"name\": \"base\", \"series\": \"e5\", \"step\": 0},"
               "{\"name\": \"other\", \"series\": \"e5\"}]}");
    run_result r = RUN("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    r = RUN_OK("series", "pool", "--csv");
    char *base = strstr(r.out, "e5,0,base"), *tuned = strstr(r.out, "e5,1,tuned");
    assert_true(base != NULL && tuned != NULL && base < tuned);
    assert_lacks(r.out, "other");
    r = RUN("info", "pool");
    assert_contains(r.out, "other: pool.json gives a series and no step");
}

TEST(series__none__says_how_to_name_them) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    expect_error(RUN("series", "pool"), 4, "no series; name checkpoints RUN@STEP");
}

/* Three ways to write one step, and a last step that nobody has estimated. */
TEST(series__a_repeated_step__is_told_apart_by_name) {
    static const char *const names[] = {"r@1", "r@1000", "r@1e3", "r@step-1k", "other",
                                        "m1",  "m2",     "m3",    "m4"};
    static const double noise[] = {1, 2, 3, 4, 1, 0.7, 1.3, 1.6, 0.4}; /* five kinds */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_model("pool", names[i], 300, 6, 3 + i, noise[i]);
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    assert_contains(RUN_OK("series", "pool").out, "r@step-1k  ");
    run_result r = RUN("series", "pool", "--json");
    assert_contains(r.out, "Step 1000 is r@1e3, r@1000 and r@step-1k, which follow each "
                           "other by their names.");
    assert_lacks(r.out, "\"last_may_be_best\": null");
    add_model("pool", "r@2k", 300, 6, 19, 1);
    r = RUN_OK("series", "pool", "--json");
    check_json_tool(r.out);
    assert_contains(r.out, "\"last_may_be_best\": null");
}

/* What is shown of a pool's own embedders has nothing to say of numbers alone. */
TEST(series__a_finished_matrix__is_refused) {
    write_text("m.csv", "source,r@1,r@2\nr@1,1,0.5\nr@2,0.4,1\n");
    write_text("rank.csv", "model,score\nr@1,1\nr@2,2\n");
    static const char *const commands[] = {"series", "agree", "rivals"};
    static const char *const views[] = {"series", "agreement", "panels", "by-task", "rivals"};
    for (size_t i = 0; i < 3; i++) {
        expect_error(RUN(commands[i], "--matrix", "m.csv"), 2, "--matrix does not go with");
        expect_error(RUN(commands[i], "--ranking", "rank.csv"), 2, "--ranking does not go with");
    }
    for (size_t i = 0; i < 5; i++)
        expect_error(RUN("export", "--matrix", "m.csv", views[i], "--format", "csv"), 2,
                     "--matrix has no effect on the view");
}
