/* `embedscope compare`, `rows`, `rank --curve` and `rank --coverage`, and --folds. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* big holds all of small and more; twin is as good as big; other has nothing to do with them. */
static const char contained[] = "source,big,small,twin,other\n"
                                "big,1.5,1.2,1.4,0.1\n"
                                "small,0.5,1.3,0.5,0.05\n"
                                "twin,1.4,1.2,1.45,0.1\n"
                                "other,0.1,0.1,0.12,1.5\n";

static const char *verdict_of(const char *a, const char *b) {
    es_json_value root = RUN_JSON("compare", "--matrix", "m.csv", a, b, "--json");
    return text_of(&root, "verdict");
}

static void check_verdict(const char *a, const char *b, const char *expected) {
    assert_string_equal(verdict_of(a, b), expected);
}

TEST(compare__verdict__names_the_container) {
    write_text("m.csv", contained);
    check_verdict("big", "small", "big holds most of small (92%), small not most of big (33%)");
    check_verdict("small", "big", "big holds most of small (92%), small not most of big (33%)");
    check_verdict("big", "twin", "they hold each other (97%, 93%)");
    check_verdict("big", "other", "neither holds the other (7%, 7%)");
    write_text("m.csv", "source,a,b\na,1,\nb,.5,1\n");
    check_verdict("a", "b", "not known");
}

/* The largest value of a column is no whole: its source would hold the target whatever it says. */
TEST(compare__value_with_itself_missing__is_not_known) {
    const char *expected = "not known: the value of a with itself is missing or not above 0";
    write_text("m.csv", "s,a,b,c\na,,.95,.2\nb,.1,,.6\nc,-.3,.5,\n");
    check_verdict("a", "b", expected);
    assert_lacks(RUN_OK("compare", "--matrix", "m.csv", "a", "b").out, ", covers ");
    assert_lacks(RUN_OK("tree", "--matrix", "m.csv").out, ", covers ");
    write_text("m.csv", "s,a,b\na,-.1,.95\nb,.1,1\n");
    check_verdict("a", "b", expected);
    check_verdict("b", "a", expected);
}

/* A list that is cut says so. */
TEST(compare__more_targets_than_listed__says_how_many) {
    for (int m = 12; m <= 14; m += 2) {
        es_buf *text = test_buf();
        es_buf_puts(text, "source");
        for (int t = 0; t < m; t++)
            es_buf_printf(text, ",e%02d", t);
        for (int s = 0; s < m; s++) {
            es_buf_printf(text, "\ne%02d", s);
            for (int t = 0; t < m; t++)
                es_buf_printf(text, ",%.3f", s == t ? 1 : 0.3 + 0.01 * ((s * 7 + t * 5) % 11));
        }
        es_buf_puts(text, "\n");
        write_text("m.csv", text->data);
        run_result r = RUN_OK("compare", "--matrix", "m.csv", "e00", "e01");
        assert_contains(r.out, "other targets, where they differ most first");
        assert_int_equal(strstr(r.out, "first (10 of 12; the other formats have all):") != NULL,
                         m == 14);
    }
}

/* Letters of ties grow with the embedders; places do not. */
TEST(compare__table__gives_the_places_that_each_may_have) {
    estimate_pool();
    run_result r = RUN_OK("compare", "pool", "a", "c");
    assert_contains(r.out, "  ranks  ");
    assert_lacks(r.out, "  tie");
    assert_contains(r.out, "ranks: 95 % interval of its rank");
}

TEST(compare__json__is_the_contract) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t1,t2\na,4,1\nc,1,\n");
    run_result r = RUN_OK("compare", "pool", "a", "c", "d10", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "models", ES_JSON_ARRAY), item;
    assert_int_equal(es_json_count(&list), 3);
    item = es_json_first(&list);
    assert_string_equal(text_of(&item, "name"), "a");
    assert_true(number_of(&item, "dim") == 6);
    assert_true(number_of(&item, "rank") >= 1);
    assert_true(number_of(&item, "score") > 0 && number_of(&item, "in_median") > 0);
    static const char *const squares[] = {"is", "se", "cover"};
    for (size_t k = 0; k < 3; k++) {
        list = member(&root, squares[k], ES_JSON_ARRAY);
        assert_int_equal(es_json_count(&list), 3);
        item = es_json_first(&list);
        assert_int_equal(es_json_count(&item), 3);
    }
    list = member(&root, "targets", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 4);
    double last = INFINITY;
    for (item = es_json_first(&list); item.node; item = es_json_next(&item)) {
        assert_int_equal(count_of(&item, "values"), 3);
        double difference = fabs(number_of(&item, "difference"));
        assert_true(difference <= last && strlen(text_of(&item, "model")) > 0);
        last = difference;
    }
    assert_true(strlen(text_of(&root, "verdict")) > 0);
    assert_int_equal(count_of(&root, "pairs"), 3);
    assert_int_equal(count_of(&root, "downstream"), 2);
    list = member(&root, "rows", ES_JSON_ARRAY);
    assert_true(es_json_count(&list) > 0);
}

/* The numbers of compare are those of matrix and rank. */
TEST(compare__numbers__are_those_of_the_matrix) {
    estimate_pool();
    run_result matrix = RUN("matrix", "pool", "--csv", "--models", "a,b"),
               r = RUN_OK("compare", "pool", "a", "b", "--models", "a,b", "--csv");
    char *line = strstr(matrix.out, "\na,"); /* IS(a -> a), IS(a -> b) */
    assert_non_null(line);
    char first[64], second[64], expected[80];
    assert_int_equal(sscanf(line, "\na,%63[^,],%63[^\n]", first, second), 2);
    (void)snprintf(expected, sizeof expected, "\na,%s,", first);
    assert_contains(r.out, expected);
    (void)snprintf(expected, sizeof expected, "\nb,%s,", second);
    assert_contains(r.out, expected);
}

/* A flow's values of an embedder with itself have no end: shares of them say that nobody holds
 * anybody. */
TEST(compare__estimator_without_shares__gives_values_and_no_verdict) {
    estimate_pool();
    RUN_OK("estimate", "pool", "--estimator", "flow", "--set", "epochs=0", "-q");
    run_result r = RUN_OK("compare", "pool", "a", "b", "--estimator", "flow", "--set", "epochs=0");
    assert_int_equal(strncmp(r.out, "The published score does not show which", 39), 0);
    assert_contains(r.out, "\nnot known: by this estimator");
    assert_contains(r.out, "a -> b: ");
    assert_lacks(r.out, "covers");
}

/* "score" and "simulated" are of two estimators; of three, "difference" is of any two. */
TEST(compare__table__says_what_its_columns_are) {
    estimate_pool();
    run_result r = RUN_OK("compare", "pool", "a", "c");
    assert_contains(r.out, "\nscore: how much of the others it predicts (published, linear "
                           "default, median over targets); ranks: ");
    assert_contains(r.out, "\npredicted: how much of it the others predict (linear "
                           "default, median)\n");
    assert_contains(r.out, "\ndifference: the first less the second; se: ");
    r = RUN_OK("compare", "pool", "a", "b", "c");
    assert_contains(r.out, "\ndifference: the largest less the smallest; se: ");
    assert_contains(r.out, "whichever two of them differ most");
}

TEST(compare__table__shows_rows_and_scores) {
    es_buf *rows = test_buf();
    estimate_pool();
    es_buf_puts(rows, "id,text,more\n");
    for (int i = 0; i < 240; i++)
        es_buf_printf(rows, "r%d,\"text \x1b[31m%d\",x\n", i, i);
    write_text("pool/rows.csv", rows->data);
    write_text("pool/scores.csv", "model,task1\na,4\nb,3\n");
    run_result r = RUN_OK("compare", "pool", "a", "c", "--top", "2");
    assert_contains(r.out, "rows that a captures and c does not:");
    assert_contains(r.out, "task1");
    assert_contains(r.out, ", x");
    assert_null(strchr(r.out, '\x1b'));
}

TEST(compare__usage__is_2) {
    estimate_pool();
    expect_error(RUN("compare", "pool"), 2, "two or three");
    expect_error(RUN("compare", "pool", "a"), 2, "two or three");
    expect_error(RUN("compare", "pool", "a", "a"), 2, "'a' is named twice");
    expect_error(RUN("compare", "pool", "a", "b", "c", "d10"), 2, "one argument too many");
    expect_error(RUN("compare", "pool", "a", "d1"), 2, "did you mean 'd10'?");
    expect_error(RUN("compare", "pool", "a", "zzz"), 2, "no embedder|there are 'a', 'b', 'c', ...");
    add_model("pool", "short", 100, 3, 8, 0.1);
    expect_error(RUN("compare", "pool", "a", "short"), 2, "short is left out|100");
    write_text("m.csv", contained);
    expect_error(RUN("compare", "--matrix", "m.csv", "big"), 2, "two or three");
    expect_error(RUN("compare", "--matrix", "m.csv", "big", "samll"), 2, "did you mean 'small'?");
}

/* ---- rows ---- */

TEST(rows__order__is_that_of_their_values) {
    estimate_pool();
    run_result r = RUN("rows", "pool", "a", "b", "--top", "0", "--csv"), json;
    expect_code(&r, 0);
    assert_int_equal(strncmp(r.out, "simulated,row,id,pmi,text\n", 26), 0);
    double last = -INFINITY, sum = 0;
    size_t n = 0;
    for (const char *line = strchr(r.out, '\n') + 1; *line; line = strchr(line, '\n') + 1, n++) {
        double row = 0, value = 0;
        assert_int_equal(sscanf(line, "worst,%lf,,%lf,", &row, &value), 2);
        assert_true(value >= last && row >= 0 && row < 240);
        last = value;
        sum += value;
    }
    assert_int_equal(n, 240); /* five folds hold each row out once */
    json = RUN_OK("rows", "pool", "a", "b", "--top", "3", "--json");
    es_json_value root = parse_json(json.out), list = member(&root, "best", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 3);
    es_json_value first = es_json_first(&list);
    assert_true(number_of(&first, "pmi") == last);
    assert_true(fabs(number_of(&root, "is") - sum / 240) < 1e-6); /* the mean of what is listed */
    assert_string_equal(text_of(&root, "source"), "a");
    assert_int_equal(count_of(&root, "worst"), 3);
}

/* Nothing is listed as worst and best where all rows are alike. */
TEST(rows__nothing_told__says_so) {
    make_pool("pool");
    add_model("pool", "noise", 240, 3, 77, 1e9);
    RUN_OK("estimate", "pool", "--estimator", "linear", "--folds", "1", "-q");
    run_result r = RUN_OK("rows", "pool", "noise", "a", "--estimator", "linear", "--folds", "1");
    assert_contains(r.out, "-> a is 0.000");
    assert_contains(r.out, "all rows have the same value: the source predicts nothing of");
    assert_lacks(r.out, "worst");
    r = RUN_OK("rows", "pool", "noise", "a", "--estimator", "linear", "--folds", "1", "--json");
    assert_contains(r.out, "\"remark\": \"all rows have the same value");
    assert_contains(r.out, "\"worst\": []");
    r = RUN_OK("rows", "pool", "noise", "a", "--estimator", "linear", "--folds", "1", "--top", "0",
               "--csv"); /* all of them are what was asked */
    assert_contains(r.out, "\nworst,");
    r = RUN_OK("rows", "pool", "a", "b", "--by", "pmi", "--estimator", "linear", "--top", "1");
    assert_contains(r.err, "--estimator has no effect here: --by pmi");
}

/* One document has one error: +- is as wide as the verdict takes it. */
TEST(compare__errors__are_of_one_kind) {
    estimate_pool();
    run_result r = RUN_OK("compare", "pool", "a", "b", "--estimator", "linear", "--json");
    es_json_value root = parse_json(r.out), se = member(&root, "se", ES_JSON_ARRAY),
                  row = es_json_first(&se), one = es_json_first(&row);
    double error = 0;
    one = es_json_next(&one);
    assert_ok(es_json_as_number(&one, &error, NULL));
    char expected[40];
    (void)snprintf(expected, sizeof expected, " +- %.3f nats", 1.2 * 1.959964 * error);
    r = RUN_OK("compare", "pool", "a", "b", "--estimator", "linear");
    assert_contains(r.out, expected);
    assert_contains(r.out, "+-: 95 % interval over rows, times 1.2 for the noise of fitting");
}

/* Values of 2 embedders by 4 blocks of rows, which add up to the matrix's. */
static void write_blocks(const char *path) {
    static const double is[] = {1, 0.8, 0.3, 1}, shift[] = {-0.3, 0.3, -0.2, 0.2};
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    write_npy_header(f, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2, 2), }");
    for (size_t k = 0; k < 16; k++) {
        double value = is[k % 4] + shift[k / 4] * (k % 4 == 2 ? -1 : 1);
        assert_int_equal(fwrite(&value, sizeof value, 1, f), 1);
    }
    assert_int_equal(fclose(f), 0);
}

/* The legend is of what is shown, and says what the verdict stands on. */
TEST(compare__matrix__says_what_is_known_of_errors) {
    static const char unknown[] = "standard errors are not known", width[] = "+-: 95 % interval";
    write_text("m.csv", "s,a,b\na,1,.8\nb,.3,1\n");
    write_blocks("h.npy");
    run_result r = RUN_OK("compare", "--matrix", "m.csv", "--blocks", "h.npy", "a", "b");
    assert_contains(r.out, "not settled: who holds more");
    assert_contains(r.out, "a -> b: 0.800 +- 0.562 nats"); /* 3.182 1.2 0.147 */
    assert_contains(r.out, width);
    assert_lacks(r.out, unknown);
    r = RUN_OK("compare", "--matrix", "m.csv", "--blocks", "h.npy", "a", "b", "--json");
    assert_contains(r.out, "\"without_errors\": false");
    write_text("m.csv", "s,a,b,c\na,1,.52,.3\nb,.48,1,.3\nc,.1,.1,1\n");
    r = RUN_OK("compare", "--matrix", "m.csv", "a", "b");
    assert_contains(r.out, "52% and 48% are too close to call, one above half, one below");
    assert_contains(r.out, "are not known: the verdict takes them as 0\n");
    assert_lacks(r.out, "rows");
    write_text("m.csv", "s,a,b,c\na,,.5,.3\nb,.2,,.3\nc,.1,.1,\n");
    r = RUN_OK("compare", "--matrix", "m.csv", "a", "b");
    assert_contains(r.out, "not known: the value of a");
    assert_contains(r.out, "standard errors are not known\n");
    assert_true(!strstr(r.out, "+-") && !strstr(r.out, "clear"));
    r = RUN_OK("compare", "--matrix", "m.csv", "a", "b", "--json");
    assert_contains(r.out, "\"without_errors\": true");
}

/* Ids and texts are those of the rows: the row that is unlike all others is found. */
TEST(rows__texts__belong_to_their_rows) {
    es_buf *rows = test_buf();
    make_pool("pool");
    es_buf_puts(rows, "id,text\n");
    for (int i = 0; i < 240; i++)
        es_buf_printf(rows, "r%d,text %d\n", i, i);
    write_text("pool/rows.csv", rows->data);
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q", "--folds", "3");
    run_result r = RUN_OK("rows", "pool", "a", "b", "--csv", "--top", "0", "--folds=3");
    size_t n = 0;
    for (const char *line = strchr(r.out, '\n') + 1; *line; line = strchr(line, '\n') + 1, n++) {
        int row = 0, id = 0, text = 0;
        assert_int_equal(sscanf(line, "worst,%d,r%d,%*[^,],text %d", &row, &id, &text), 3);
        assert_int_equal(row, id);
        assert_int_equal(row, text);
    }
    assert_int_equal(n, 240); /* cross-fitted: every row is held out once */
    expect_error(RUN("rows", "pool", "a", "b"), 4, "embedscope estimate pool");
}

/* In documents as in the file, on a terminal in a line; an escape byte is in neither. */
TEST(rows__line_breaks__stay_in_documents) {
    es_buf *rows = test_buf();
    make_pool("pool");
    es_buf_puts(rows, "id,text\n");
    for (int i = 0; i < 240; i++)
        es_buf_printf(rows, "r%d,\"one\r\ntwo\tthree \"\"\x1b[31m\"\"\"\n", i);
    write_text("pool/rows.csv", rows->data);
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    static const struct {
        const char *command, *option, *text;
    } cases[] = {
        {"rows", "--json", "\"one\\r\\ntwo\\tthree \\\"\\u001b[31m\\\"\""},
        {"compare", "--json", "\"one\\r\\ntwo\\tthree \\\"\\u001b[31m\\\"\""},
        {"map", "--json", "\"one\\r\\ntwo\\tthree \\\"\\u001b[31m\\\"\""},
        {"rows", "--csv", "\"one\r\ntwo\tthree \"\"\xEF\xBF\xBD[31m\"\"\""},
        {"map", "--csv", "\"one\r\ntwo\tthree \"\"\xEF\xBF\xBD[31m\"\"\""},
        {"rows", "--format=table", "one two three \"\xEF\xBF\xBD[31m\""},
        {"rows", "--format=md", "one two three \"\xEF\xBF\xBD\\[31m\""},
        {"compare", "--format=table", "one two three \"\xEF\xBF\xBD[31m\""},
        {"map", "--format=table", "one two three \"\xEF\xBF\xBD[31m\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        r = RUN_OK(cases[i].command, "pool", "a", "b", cases[i].option, "--estimator=linear");
        if (!strstr(r.out, cases[i].text))
            fail_msg("%s %s: %.2000s", cases[i].command, cases[i].option, r.out);
        assert_null(strchr(r.out, '\x1b'));
    }
}

TEST(rows__wrong__says_why) {
    estimate_pool();
    expect_error(RUN("rows", "pool"), 2, "a source and a target");
    expect_error(RUN("rows", "pool", "a"), 2, "a source and a target");
    expect_error(RUN("rows", "pool", "a", "x9"), 2, "no embedder");
    expect_error(RUN("rows", "--matrix", "m.csv", "a", "b"), 2, "--matrix is not an option of");
    expect_error(RUN("rows", "pool", "a", "b", "--top", "-1"), 2, "--top");
    assert_contains(RUN_OK("rows", "pool", "a", "b").out, "no rows.csv");
}

TEST(rows__without_values__is_4) {
    estimate_pool();
    if (system("command -v python3 >/dev/null 2>&1") != 0)
        skip();
    if (system("python3 -c \"import sqlite3; c = sqlite3.connect('pool/.embedscope/results.db'); "
               "c.execute('DELETE FROM pmi'); c.commit()\"") != 0)
        skip();
    expect_error(RUN("rows", "pool", "a", "b"), 4,
                 "without values per row|run `embedscope estimate pool`");
    run_result r = RUN_OK("compare", "pool", "a", "b"); /* all but the rows */
    assert_lacks(r.out, "captures");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    RUN_OK("rows", "pool", "a", "b");
}

/* ---- rank: how many are enough ---- */

TEST(rank__curve__ends_in_full_agreement) {
    static const char nlp[] = ES_TEST_DATA "/reference/analysis/nlp_is_square20.csv";
    run_result r = RUN_OK("rank", "--matrix", nlp, "--curve", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "curve", ES_JSON_ARRAY), point,
                  last = {0};
    for (point = es_json_first(&list); point.node; point = es_json_next(&point))
        last = point;
    assert_true(number_of(&last, "targets") == 20 && number_of(&last, "agreement") == 1);
    assert_true(number_of(&root, "enough") > 2 && number_of(&root, "enough") <= 20);
    estimate_pool();
    write_text("pool/scores.csv", "model,good,bad\na,4,\nb,3,\nc,1,1\nd10,2,\n");
    r = RUN_OK("rank", "pool", "--curve", "--against", "good", "--csv");
    assert_int_equal(strncmp(r.out, "targets,agreement,agreement_low,", 32), 0);
    expect_error(RUN("rank", "pool", "--curve", "--against", "god"), 2, "did you mean 'good'?");
    expect_error(RUN("rank", "pool", "--curve", "--against", "bad"), 3, "1 embedder");
    expect_error(RUN("rank", "pool", "--against", "good"), 2, "--curve");
    expect_error(RUN("rank", "pool", "--curve", "--coverage", "0.5"), 2, "--coverage");
}

/* Targets are those that judge, to the last line of what is said. */
TEST(rank__curve__is_over_judges) {
    static const char nlp[] = ES_TEST_DATA "/reference/analysis/nlp_is_square20.csv";
    run_result r = RUN("rank", "--matrix", nlp, "--json", "-q");
    es_json_value root = parse_json(r.out), list = member(&root, "ranking", ES_JSON_ARRAY), row;
    es_buf *four = test_buf(), *three = test_buf();
    size_t k = 0;
    for (row = es_json_first(&list); row.node && k < 4; row = es_json_next(&row), k++) {
        es_buf_printf(four, "%s%s", k ? "," : "", text_of(&row, "model"));
        if (k < 3)
            es_buf_printf(three, "%s%s", k ? "," : "", text_of(&row, "model"));
    }
    r = RUN_OK("rank", "--matrix", nlp, "--curve", "--targets", four->data, "--json", "-q");
    root = parse_json(r.out);
    list = member(&root, "curve", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 3); /* 2, 3 and 4 */
    double last = 0;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row))
        last = number_of(&row, "targets");
    assert_true(last == 4);
    r = RUN_OK("rank", "--matrix", nlp, "--curve", "--targets", four->data, "-q");
    assert_contains(r.out, "targets: 4 of 20 embedders vote (--targets)\n");
    r = RUN_OK("rank", "--matrix", nlp, "--curve", "--targets", three->data, "-q");
    assert_contains(r.out, "too few targets vote for an agreement of 0.9");
    expect_error(RUN("export", "ranking", "--matrix", nlp, "--curve", "--targets", three->data,
                     "-o", "x.svg"),
                 4, "too few targets for a curve|3 vote");
}

/* The upper quartile of errors is that of the ranking: told as a task, its scores, the other way
 * round, are what all targets agree with in full. */
TEST(rank__curve__of_errors_is_of_the_score_that_ranks) {
    es_buf *scores = test_buf();
    char name[16];
    size_t known = 0;
    for (size_t i = 0; i < 7; i++) {
        (void)snprintf(name, sizeof name, "e%zu", i);
        add_model("pool", name, 240, 3 + i, 20 + i, 0.2 * (double)(1 + i * i % 5));
    }
    RUN_OK("estimate", "pool", "--estimator", "l2", "--preset", "linear", "-q");
    es_json_value root = RUN_JSON("rank", "pool", "--estimator", "l2", "--preset", "linear",
                                  "--aggregate", "q75", "--json", "-q"),
                  list = member(&root, "ranking", ES_JSON_ARRAY), row;
    es_buf_puts(scores, "model,turned\n");
    for (row = es_json_first(&list); row.node; row = es_json_next(&row), known++)
        es_buf_printf(scores, "%s,%.17g\n", text_of(&row, "model"), -number_of(&row, "score"));
    assert_int_equal(known, 7);
    write_text("turned.csv", scores->data);
    run_result r =
        RUN_OK("rank", "pool", "--estimator", "l2", "--preset", "linear", "--aggregate", "q75",
               "--curve", "--against", "turned", "--scores", "turned.csv", "--json", "-q");
    root = parse_json(r.out);
    list = member(&root, "curve", ES_JSON_ARRAY);
    double agreement = 0;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row))
        agreement = number_of(&row, "agreement");
    assert_true(agreement > 1 - 1e-12);
}

TEST(rank__coverage__takes_what_covers_most) {
    write_text("m.csv", contained);
    run_result r = RUN_OK("rank", "--matrix", "m.csv", "--coverage", "0.8", "--csv");
    assert_int_equal(strncmp(r.out, "step,model,dim,dims,gain,covered,of,mean\n1,big,", 47), 0);
    assert_contains(r.out, "\n2,other,,,");
    assert_lacks(r.out, "\n3,");
    expect_error(RUN("rank", "--matrix", "m.csv", "--coverage", "1.5"), 2, "--coverage");
    expect_error(RUN("rank", "--matrix", "m.csv", "--coverage", "x"), 2, "--coverage");
}

/* Who has no value with itself is covered by nobody else, and it is said. */
TEST(rank__coverage__of_unknown_wholes_is_not_known) {
    write_text("m.csv", "s,a,b,c\na,,.95,.2\nb,.1,1,.6\nc,-.3,.5,1\n");
    run_result r = RUN_OK("rank", "--matrix", "m.csv", "--coverage", "0.9");
    assert_contains(r.out, "of 1 of them is not known");
    assert_contains(r.out, "\na; the value with itself");
    r = RUN_OK("rank", "--matrix", "m.csv", "--coverage", "0.9", "--json");
    assert_contains(r.out, "\"without_own\": [\"a\"]");
    write_text("m.csv", "s,a,b,c\na,,.95,.2\nb,.1,,.6\nc,-.3,.5,\n");
    expect_error(RUN("rank", "--matrix", "m.csv", "--coverage", "0.9"), 4, "is not known");
}

/* By the predictive score's values some say more of an embedder than itself. */
TEST(rank__coverage__is_by_the_published_estimator) {
    estimate_pool();
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    assert_contains(RUN_OK("rank", "pool", "--coverage", "0.5").out, "\nlinear default: ");
    run_result r = RUN_OK("rank", "pool", "--coverage", "0.5", "--json");
    assert_contains(r.out, "\"preset\": \"default\"");
    expect_error(RUN("rank", "pool", "--coverage", "0.5", "--score", "predictive"), 2, "no whole");
}

TEST(rank__leave_family_out__asks_others_only) {
    estimate_pool();
    write_text("pool/pool.json",
               "{\"models\": [{\"file\": \"a.npy\", \"family\": \"f\"}, {\"file\": \"b.npy\", "
               "\"family\": \"f\"}, {\"file\": \"c.npy\"}, {\"file\": \"d10.npy\"}]}");
    run_result r = RUN_OK("rank", "pool", "--leave-family-out", "--csv");
    const char *a = strstr(r.out, ",a,"), *c = strstr(r.out, ",c,");
    assert_true(a && c);
    assert_contains(a, ",2,2,6,"); /* c and d10 vote */
    assert_contains(c, ",3,3,5,");
}

/* Where all are kin nobody is a reference embedder, and that is reported. */
TEST(rank__leave_family_out__of_one_family_says_why) {
    estimate_pool();
    write_text("pool/pool.json",
               "{\"models\": [{\"file\": \"a.npy\", \"family\": \"f\"}, {\"file\": \"b.npy\", "
               "\"family\": \"f\"}, {\"file\": \"c.npy\", \"family\": \"f\"}, {\"file\": "
               "\"d10.npy\", \"family\": \"f\"}]}");
    run_result r = RUN_OK("rank", "pool", "--leave-family-out", "--json");
    assert_contains(r.out, "No embedder has a score: all are of one family, and "
                           "--leave-family-out takes targets of other families alone.");
}

/* ---- --folds ---- */

TEST(folds__is_short_for_the_setting) {
    make_pool("pool");
    run_result one =
                   RUN("estimate", "pool", "--estimator", "linear", "--folds", "4", "--csv", "-q"),
               two = RUN_OK("matrix", "pool", "--estimator", "linear", "--set", "folds=4", "--csv");
    assert_string_equal(one.out, two.out);
    expect_error(RUN("estimate", "pool", "--folds", "0"), 2, "folds=0");
    /* and in what makes a document again */
    RUN_OK("export", "pool", "matrix", "--folds", "4", "-o", "is.csv", "-q");
    char *meta = slurp("is.csv.meta.json");
    assert_contains(meta, "--set folds=4 ");
    assert_contains(RUN_OK("slurm", "pool", "--folds", "4", "--array", "2").out, "folds=4");
    expect_error(RUN("rank", "pool", "--folds", "7"), 4, "--set folds=7`");
}
