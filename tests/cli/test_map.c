/* `embedscope map`: rows on a plane, in groups, as documents and as a picture. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

enum { ROWS = 300 };

static void make_mapped(bool estimated) {
    es_buf *text = test_buf();
    add_model("pool", "a", ROWS, 6, 1, 0.05);
    add_model("pool", "b", ROWS, 8, 2, 0.4);
    add_model("pool", "c", ROWS, 5, 3, 1.0);
    es_buf_puts(text, "id,text,set\n");
    for (size_t r = 0; r < ROWS; r++)
        es_buf_printf(text, "r%zu,row %zu,%s\n", r, r, r % 3 ? "x" : "y");
    write_text("pool/rows.csv", text->data);
    if (!estimated)
        return;
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
}

static es_json_value nth(const es_json_value *list, size_t n) {
    es_json_value v = es_json_first(list);
    while (n-- > 0)
        v = es_json_next(&v);
    return v;
}

/* Rows of each group. */
static void count_groups(const es_json_value *root, size_t count[9]) {
    es_json_value rows = member(root, "rows", ES_JSON_ARRAY);
    memset(count, 0, 9 * sizeof *count);
    for (es_json_value r = es_json_first(&rows); r.node; r = es_json_next(&r)) {
        es_json_value group = {0};
        assert_ok(es_json_get(&r, "group", ES_JSON_NUMBER, ES_JSON_OPTIONAL, &group, NULL));
        count[group.node ? (size_t)number_of(&r, "group") : 8]++;
    }
}

TEST(map__two__shows_what_one_captures) {
    size_t count[9];
    make_mapped(true);
    run_result r = RUN_OK("map", "pool", "a", "c", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), offered = member(&root, "columns", ES_JSON_ARRAY);
    es_json_value set = nth(&offered, 1); /* id and text have a value a row */
    const char *name = NULL;
    assert_int_equal(es_json_count(&offered), 3); /* captured, set, none */
    assert_ok(es_json_as_text(&set, &name, NULL));
    assert_string_equal(name, "set");
    es_json_value groups = member(&root, "groups", ES_JSON_ARRAY),
                  models = member(&root, "embedders", ES_JSON_ARRAY),
                  rows = member(&root, "rows", ES_JSON_ARRAY);
    size_t n = es_json_count(&rows);
    assert_string_equal(text_of(&root, "by"), "captured");
    assert_int_equal(es_json_count(&groups), 3);
    assert_int_equal(es_json_count(&models), 2);
    assert_true(n <= ROWS && n >= 30 && number_of(&root, "of") == (double)n);
    count_groups(&root, count);
    assert_true(count[0] >= n / 10 - 1 && count[0] <= n / 10); /* a holds what c has lost */
    assert_true(count[0] + count[1] + count[2] == n);
    double least = 1e9, most = -1e9; /* those that a captures, and all others */
    for (es_json_value row = es_json_first(&rows); row.node; row = es_json_next(&row)) {
        double d = number_of(&row, "difference");
        if (number_of(&row, "group") == 0)
            least = d < least ? d : least;
        else
            most = d > most ? d : most;
    }
    assert_true(least > most);
    for (size_t k = 0; k < 2; k++) {
        es_json_value model = nth(&models, k), x = member(&model, "x", ES_JSON_ARRAY);
        assert_int_equal(es_json_count(&x), n);
    }
}

/* Of an estimator whose values are errors, who predicts a row better has the smaller one. */
TEST(map__errors__who_has_the_smaller_captures) {
    make_mapped(true);
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "--folds", "1", "-q");
    es_json_value root = RUN_JSON("map", "pool", "a", "c", "--estimator", "l2", "--preset",
                                  "linear", "--folds", "1", "--json"),
                  rows = member(&root, "rows", ES_JSON_ARRAY);
    double sum = 0, captured = 0; /* a holds what c has lost */
    for (es_json_value row = es_json_first(&rows); row.node; row = es_json_next(&row)) {
        sum += number_of(&row, "difference");
        captured += number_of(&row, "group") == 0 ? number_of(&row, "difference") : 0;
    }
    assert_true(sum > 0 && captured > 0);
    run_result r =
        RUN("map", "pool", "a", "c", "--estimator", "l2", "--preset", "linear", "--folds", "1");
    assert_contains(r.out, "B less A");
}

TEST(map__columns__are_groups) {
    size_t count[9];
    make_mapped(false);
    run_result r = RUN_OK("map", "pool", "a", "--json"); /* nothing is estimated: the sets */
    es_json_value root = parse_json(r.out);
    assert_string_equal(text_of(&root, "by"), "set");
    count_groups(&root, count);
    assert_true(count[0] == 200 && count[1] == 100); /* the largest first */
    es_buf *text = test_buf();
    es_buf_puts(text, "row,topic\n");
    for (size_t i = 0; i < ROWS; i += 2)
        es_buf_printf(text, "%zu,t%zu\n", i, i % 24);
    write_text("pool/labels.csv", text->data);
    r = RUN_OK("map", "pool", "a", "b", "--json", "--colour-by", "topic");
    root = parse_json(r.out);
    es_json_value groups = member(&root, "groups", ES_JSON_ARRAY), last = nth(&groups, 7);
    assert_int_equal(es_json_count(&groups), 8); /* of 12 */
    const char *name = NULL;
    assert_ok(es_json_as_text(&last, &name, NULL));
    assert_string_equal(name, "others");
    count_groups(&root, count);
    assert_true(count[8] == 150); /* without a label */
    write_text("pool/labels.csv", "row,kind\n0,fox\n1,7\n2,9\n");
    r = RUN_OK("map", "pool", "a", "--csv", "--colour-by", "kind");
    assert_contains(r.out, ",fox,");
    assert_contains(r.out, ",class 7,"); /* a number that is a name */
    assert_contains(r.out, ",class 9,");
}

/* The plane, the sample and the counts are of those rows. */
TEST(map__where__keeps_rows_with_the_value) {
    make_mapped(true);
    write_text("pool/labels.csv", "row,kind,size\n0,fox,1\n3,fox,2.0\n4,hen,2\n5,fox,2\n");
    static const struct {
        const char *where, *rows;
    } cases[] = {{"kind=fox", "0 3 5"}, {"labels.csv:size=2", "3 4 5"}};
    for (size_t i = 0; i < 2; i++) {
        es_buf *rows = test_buf();
        run_result r = RUN_OK("map", "pool", "a", "--json", "--where", cases[i].where);
        es_json_value root = parse_json(r.out), list = member(&root, "rows", ES_JSON_ARRAY);
        assert_true(number_of(&root, "of") == 3);
        for (es_json_value row = es_json_first(&list); row.node; row = es_json_next(&row))
            es_buf_printf(rows, "%s%.0f", rows->length ? " " : "", number_of(&row, "row"));
        assert_string_equal(rows->data, cases[i].rows);
    }
    expect_error(RUN("map", "pool", "a", "--where", "kind"), 2, "COLUMN=VALUE");
    expect_error(RUN("map", "pool", "a", "--where", "kin=fox"), 3, "column kin");
    expect_error(RUN("map", "pool", "a", "--where", "rows.csv:kind=fox"), 3,
                 "column rows.csv:kind");
    expect_error(RUN("map", "pool", "a", "--where", "kind=cat"), 4, "no row has kind=cat");
    expect_error(RUN("export", "pool", "rank", "--where", "kind=fox", "-o", "x.csv"), 2,
                 "no effect");
}

TEST(map__sample__is_seeded) {
    make_mapped(false);
    run_result a = RUN("map", "pool", "b", "--sample", "40", "--csv"),
               b = RUN("map", "pool", "b", "--sample", "40", "--csv", "--threads", "1"),
               c = RUN("map", "pool", "b", "--sample", "40", "--csv", "--seed", "1");
    expect_code(&a, 0);
    assert_string_equal(a.out, b.out);
    assert_string_not_equal(a.out, c.out);
    size_t lines = 0;
    for (const char *at = a.out; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 41);
}

TEST(map__usage__is_refused) {
    make_mapped(false);
    expect_error(RUN("map", "pool"), 2, "one or two embedders");
    expect_error(RUN("map", "pool", "nix"), 2, "'nix'");
    expect_error(RUN("map", "pool", "a", "--colour-by", "nix"), 3, "column nix");
    expect_error(RUN("map", "pool", "a", "--colour-by", "captured"), 4, "name another");
    expect_error(RUN("map", "pool", "a", "b", "--colour-by", "captured"), 4, "no results");
    expect_error(RUN("export", "pool", "map", "-o", "x.svg"), 2, "--models A,B");
    expect_error(RUN("export", "pool", "map", "--models", "a,b,c", "-o", "x.svg"), 2, "not 3");
}

TEST(map__export__draws_it) {
    make_mapped(true);
    RUN_OK("export", "pool", "map", "--models", "a,b", "-o", "x.svg");
    char *picture = slurp("x.svg"), *meta = slurp("x.svg.meta.json");
    assert_contains(picture, "</svg>");
    assert_contains(picture, "in between");
    assert_contains(picture, "the tenth at either end");
    assert_lacks(picture, "alike");
    assert_contains(meta, "embedscope export pool map");
    assert_contains(meta, "--models a,b");
}

TEST(map__one_column__has_one_axis) {
    make_mapped(false);
    add_model("pool", "one", ROWS, 1, 4, 0.1);
    run_result r = RUN_OK("map", "pool", "a", "one");
    assert_lacks(r.out, "nan");
    assert_contains(r.out, " B: one, all of the variance on one axis.");
}
