/* The commands as users and scripts see them: documents, formats, exit codes, and that the same
 * numbers come out whichever way they are asked for. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

/* ---- reading documents ---- */

static void check_start(const es_json_value *root, const char *estimator) {
    es_json_value first = es_json_first(root);
    assert_string_equal(es_json_key_of(&first), "embedscope");
    es_json_value provenance = member(root, "provenance", ES_JSON_OBJECT);
    assert_string_equal(text_of(&provenance, "estimator"), estimator);
    assert_string_equal(text_of(&provenance, "preset"), "default");
    (void)member(&provenance, "settings", ES_JSON_OBJECT);
    assert_true(number_of(&provenance, "seed") == 0);
    es_json_value digests = member(&provenance, "digests", ES_JSON_OBJECT);
    assert_int_equal(strlen(text_of(&digests, "rows")), 32);
    es_json_value models = member(&digests, "models", ES_JSON_OBJECT);
    assert_int_equal(strlen(text_of(&models, "d10")), 32);
    assert_true(strlen(text_of(&provenance, "blas_core")) > 0);
    assert_true(number_of(&provenance, "threads") >= 1);
    assert_true(strlen(text_of(&provenance, "cpu")) > 0);
}

/* A square table of numbers from CSV, exactly as printed. */
enum { MOST = 16 };
typedef struct square {
    size_t m;
    char name[MOST][64];
    double value[MOST][MOST]; /* NaN: empty */
} square;

static void read_square(const char *csv, square *out) {
    memset(out, 0, sizeof *out);
    char *text = test_keep(es_strdup(csv), es_free), *line = text;
    assert_int_equal(strncmp(line, "source,", 7), 0);
    for (size_t row = 0; line && *line; row++) {
        char *next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = '\0';
        size_t column = 0;
        for (char *cell = line; cell; column++) {
            char *comma = strchr(cell, ',');
            if (comma)
                *comma++ = '\0';
            assert_true(column <= MOST && row <= MOST);
            if (row == 0 && column > 0) {
                (void)snprintf(out->name[column - 1], 64, "%s", cell);
                out->m = column;
            } else if (row > 0 && column == 0) {
                assert_string_equal(out->name[row - 1], cell);
            } else if (row > 0) {
                out->value[row - 1][column - 1] = *cell ? strtod(cell, NULL) : (double)NAN;
            }
            cell = comma;
        }
        assert_int_equal(column, out->m + 1);
        line = next;
    }
}

static size_t place_of(const square *s, const char *name) {
    for (size_t i = 0; i < s->m; i++)
        if (strcmp(s->name[i], name) == 0)
            return i;
    fail_msg("no %s", name);
    return 0;
}

/* ---- matrix ---- */

TEST(matrix__json__is_the_contract) {
    estimate_pool();
    run_result r = RUN("matrix", "pool", "--json"), csv = RUN("matrix", "pool", "--csv");
    expect_code(&r, 0);
    expect_code(&csv, 0);
    check_json_tool(r.out);
    square s;
    read_square(csv.out, &s);
    assert_int_equal(s.m, 4);
    es_json_value root = parse_json(r.out), list, row, cell;
    check_start(&root, "linear");
    list = member(&root, "models", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 4);
    row = es_json_first(&list);
    assert_string_equal(text_of(&row, "name"), "a");
    assert_true(number_of(&row, "dim") == 6 && number_of(&row, "dim_used") == 6);
    assert_true(number_of(&row, "dropped_columns") == 0);
    assert_int_equal(count_of(&root, "excluded"), 0);
    assert_int_equal(count_of(&root, "h"), 4);
    static const char *const squares[] = {"is", "se", "h_cond", "seconds", "state"};
    for (size_t k = 0; k < 5; k++) {
        list = member(&root, squares[k], ES_JSON_ARRAY);
        assert_int_equal(es_json_count(&list), 4);
        for (row = es_json_first(&list); row.node; row = es_json_next(&row))
            assert_int_equal(es_json_count(&row), 4);
    }
    list = member(&root, "state", ES_JSON_ARRAY);
    row = es_json_first(&list);
    cell = es_json_first(&row);
    const char *done = NULL;
    assert_ok(es_json_as_text(&cell, &done, NULL));
    assert_string_equal(done, "done");
    assert_int_equal(count_of(&root, "failures"), 0);
}

/* make_pool, with one row of another embedder far off, and each row held out once. */
static void estimate_spoiled(long spoiled) {
    enum { ROWS = 240, COLUMNS = 6 };
    double values[COLUMNS];
    make_pool("pool");
    add_model("pool", "spoiled", ROWS, COLUMNS, 5, 0.2);
    FILE *f = fopen("pool/spoiled.npy", "r+b");
    assert_non_null(f);
    long at = (spoiled - ROWS) * (long)sizeof values;
    assert_int_equal(fseek(f, at, SEEK_END), 0);
    assert_int_equal(fread(values, sizeof values, 1, f), 1);
    for (size_t k = 0; k < COLUMNS; k++)
        values[k] *= 1000;
    assert_int_equal(fseek(f, at, SEEK_END), 0);
    assert_int_equal(fwrite(values, sizeof values, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    RUN_OK("estimate", "pool", "--estimator", "linear", "--folds", "5", "--set", "lambda=0.01",
           "--set", "bound=0", "-q");
}

/* An IS of a million with an error as large, and what decided it. */
TEST(matrix__one_row_decides__is_said) {
    const long spoiled = 93;
    estimate_spoiled(spoiled);
    es_json_value root = RUN_JSON("matrix", "pool", "--folds", "5", "--set", "lambda=0.01", "--set",
                                  "bound=0", "--json"),
                  list = member(&root, "decided_by_row", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 5); /* from all, itself too */
    for (es_json_value pair = es_json_first(&list); pair.node; pair = es_json_next(&pair)) {
        assert_string_equal(text_of(&pair, "target"), "spoiled");
        assert_true(number_of(&pair, "row") == (double)spoiled);
        assert_true(fabs(number_of(&pair, "without")) < 1000);
    }
    run_result r =
        RUN_OK("matrix", "pool", "--folds", "5", "--set", "lambda=0.01", "--set", "bound=0");
    assert_contains(r.out, "\none row decides a -> spoiled: ");
    assert_contains(r.out, ", without row 93 ");
    assert_contains(r.out, "\nso do single rows 3 other pairs");
    r = RUN_OK("matrix", "pool", "--folds", "5", "--set", "lambda=0.01", "--set", "bound=0",
               "--value", "seconds");
    assert_lacks(r.out, "one row");
}

/* Targets that do not judge might as well be unknown. */
TEST(rank__targets__only_they_judge) {
    run_result r = RUN_OK("rank", "--matrix", ES_SAMPLE_DATA "/paper-nlp/matrix.csv", "--targets",
                          "gte-*,*t5-xl", "--score", "published", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "judges", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 5);
    list = member(&root, "ranking", ES_JSON_ARRAY);
    es_json_value row = es_json_first(&list);
    assert_int_equal(es_json_count(&list), 20);
    for (; row.node; row = es_json_next(&row)) {
        const char *name = text_of(&row, "model");
        bool own = strncmp(name, "gte-", 4) == 0 || strcmp(name, "gtr-t5-xl") == 0 ||
                   strcmp(name, "sentence-t5-xl") == 0;
        assert_true(number_of(&row, "of") == (own ? 4 : 5));
        if (strcmp(name, "gte-base") == 0) /* the median of its four values in the file */
            assert_true(fabs(number_of(&row, "score") - 0.528742) < 1e-6);
    }
    r = RUN_CODE(2, "rank", "--matrix", ES_SAMPLE_DATA "/paper-nlp/matrix.csv", "--targets",
                 "nobody*");
    assert_contains(r.err, "no embedder is called 'nobody*'");
}

/* Votes dominate, not members: those of f praise each other, and b praises them. */
TEST(rank__dominance__is_told_of_those_that_vote) {
    static const struct {
        const char *option, *value;
        bool told;
    } cases[] = {{"--aggregate", "mean", true},
                 {"--aggregate", "balanced", true},
                 {"--targets", "f*,g", true},
                 {"--targets", "b1,g", false},
                 {"--leave-family-out", NULL, false}};
    write_text("m.csv", "source,f1,f2,f3,b1,b2,b3,g,h\nf1,1,.9,.9,.8,.8,.8,.1,.1\n"
                        "f2,.9,1,.9,.8,.8,.8,.1,.1\nf3,.9,.9,1,.8,.8,.8,.1,.1\n"
                        "b1,.3,.3,.3,1,.3,.3,.3,.3\nb2,.3,.3,.3,.3,1,.3,.3,.3\n"
                        "b3,.3,.3,.3,.3,.3,1,.3,.3\ng,.3,.3,.3,.3,.3,.3,1,.3\n"
                        "h,.3,.3,.3,.3,.3,.3,.3,1\n");
    write_text("f.csv", "model,family\nf1,f\nf2,f\nf3,f\nb1,b\nb2,b\nb3,b\ng,g\nh,h\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_result r = RUN_OK("rank", "--matrix", "m.csv", "--families", "f.csv", "--score",
                              "published", "--json", cases[i].option, cases[i].value);
        bool noted = strstr(r.err, "dominates the vote") != NULL,
             named = strstr(r.out, "\"dominated_by_family_of\": \"f1\"") != NULL;
        if (noted != cases[i].told || named != cases[i].told)
            fail_msg("%s: %s", cases[i].option, r.err);
        const char *advice =
            strcmp(cases[i].option, "--aggregate") == 0 && strcmp(cases[i].value, "balanced") == 0
                ? "see --leave-family-out"
                : "see --aggregate balanced";
        if (noted && !strstr(r.err, advice))
            fail_msg("%s: %s", cases[i].value, r.err);
    }
}

/* The median over chosen targets: every embedder as NumPy has it (tests/reference/targets). */
TEST(rank__targets__are_those_of_numpy) {
    static const char *const chosen[] = {"gte-*,*t5-xl", "*", "bge-*,*lama*"};
    char *expected = slurp(ES_TEST_DATA "/reference/targets/expected.csv");
    size_t compared = 0;
    for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++) {
        run_result r = RUN_OK("rank", "--matrix", ES_SAMPLE_DATA "/paper-nlp/matrix.csv",
                              "--targets", chosen[k], "--score", "published", "--json");
        es_json_value root = parse_json(r.out), list = member(&root, "ranking", ES_JSON_ARRAY);
        for (es_json_value row = es_json_first(&list); row.node; row = es_json_next(&row)) {
            char key[160];
            (void)snprintf(key, sizeof key, "\n\"%s\",%s,", chosen[k], text_of(&row, "model"));
            const char *at = strstr(expected, key);
            assert_non_null(at);
            char *end;
            double score = strtod(at + strlen(key), &end);
            assert_true(fabs(number_of(&row, "score") - score) < 1e-12);
            assert_true(number_of(&row, "of") == strtod(end + 1, NULL));
            compared++;
        }
    }
    assert_int_equal(compared, 60);
}

/* Over all dimensions of the target; and what there is to know of it. */
TEST(matrix__total_and_h__are_of_the_target) {
    estimate_pool();
    static const char *const value[] = {"is", "total", "h", "h_cond"};
    square s[4];
    for (size_t k = 0; k < 4; k++) {
        read_square(RUN_OK("matrix", "pool", "--csv", "--value", value[k]).out, &s[k]);
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            double dim = (double[]){6, 8, 5, 4}[j];
            assert_true(fabs(s[1].value[i][j] - dim * s[0].value[i][j]) < 1e-9);
            assert_true(fabs(s[2].value[i][j] - s[3].value[i][j] - s[0].value[i][j]) < 1e-9);
            assert_true(s[2].value[i][j] == s[2].value[0][j]);
        }
}

/* Fifth powers: a few rows hold most of each column's variance. */
TEST(matrix__heavy_tails__a_copy_scores_low_is_said) {
    enum { ROWS = 240, COLUMNS = 6 };
    double values[ROWS * COLUMNS];
    make_pool("pool");
    add_model("pool", "tails", ROWS, COLUMNS, 5, 0.2);
    FILE *f = fopen("pool/tails.npy", "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, -(long)sizeof values, SEEK_END), 0);
    assert_int_equal(fread(values, sizeof values, 1, f), 1);
    for (size_t k = 0; k < (size_t)ROWS * COLUMNS; k++)
        values[k] = pow(values[k], 5);
    assert_int_equal(fseek(f, -(long)sizeof values, SEEK_END), 0);
    assert_int_equal(fwrite(values, sizeof values, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    RUN_OK("estimate", "pool", "--estimator", "linear", "--set", "bound=0", "--set", "lambda=0.01",
           "-q");
    run_result r = RUN_OK("matrix", "pool", "--set", "bound=0", "--set", "lambda=0.01");
    assert_contains(r.out, "\na copy of tails scores only ");
    assert_lacks(r.out, "a copy of a ");
    r = RUN_OK("matrix", "pool", "--set", "bound=0", "--set", "lambda=0.01", "--json");
    es_json_value root = parse_json(r.out), list = member(&root, "low_copies", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 1);
    es_json_value low = es_json_first(&list);
    assert_string_equal(text_of(&low, "target"), "tails");
    assert_true(number_of(&low, "is") < 1);
}

/* Each line of the CSV is, digit for digit, a row of the JSON document. */
TEST(matrix__csv_and_json__are_the_same_doubles) {
    static const char *const values[] = {"is", "se", "h_cond", "asymmetry", "seconds"};
    estimate_pool();
    for (size_t k = 0; k < 5; k++) {
        run_result csv = RUN("matrix", "pool", "--csv", "--value", values[k]);
        run_result json = RUN("matrix", "pool", "--json", "--value", values[k]);
        expect_code(&csv, 0);
        size_t rows = 0;
        for (char *line = strchr(csv.out, '\n') + 1; *line; rows++) {
            size_t length = strcspn(line, "\n");
            es_buf *row = test_buf();
            es_buf_putc(row, '[');
            for (size_t i = strcspn(line, ",") + 1; i < length; i++) {
                es_buf_putc(row, line[i]);
                if (line[i] == ',')
                    es_buf_putc(row, ' ');
            }
            es_buf_putc(row, ']');
            if (strstr(json.out, row->data) == NULL)
                fail_msg("%s: %s is not in the document", values[k], row->data);
            line += length + 1;
        }
        assert_int_equal(rows, 4);
        square s;
        read_square(csv.out, &s);
        for (size_t i = 0; k == 3 && i < s.m; i++)
            for (size_t j = 0; j < s.m; j++)
                assert_true(s.value[i][j] == -s.value[j][i]);
    }
}

TEST(matrix__order__moves_rows_and_columns_together) {
    static const char *const orders[] = {"rank", "dim", "community", "cluster"};
    estimate_pool();
    run_result plain = RUN("matrix", "pool", "--csv");
    square s, t;
    read_square(plain.out, &s);
    for (size_t k = 0; k < 4; k++) {
        read_square(RUN_OK("matrix", "pool", "--csv", "--order", orders[k]).out, &t);
        assert_int_equal(t.m, s.m);
        for (size_t i = 0; i < t.m; i++)
            for (size_t j = 0; j < t.m; j++)
                assert_true(t.value[i][j] ==
                            s.value[place_of(&s, t.name[i])][place_of(&s, t.name[j])]);
        if (k == 1) {
            assert_string_equal(t.name[0], "d10");
            assert_string_equal(t.name[3], "b");
        }
    }
}

/* A file keeps its order, and says so; by name is by name. */
TEST(matrix__order_of_a_file__is_said) {
    write_text("m.csv", "source,zeta,e10,e2\nzeta,1,0.5,0.2\ne10,0.4,1,0.3\ne2,0.2,0.1,1\n");
    run_result r = RUN("matrix", "--matrix", "m.csv", "--csv", "-q");
    assert_string_equal(r.out, "source,zeta,e10,e2\nzeta,1,0.5,0.2\ne10,0.4,1,0.3\ne2,0.2,0.1,1\n");
    r = RUN("matrix", "--matrix", "m.csv", "--csv", "-q", "--order", "name");
    assert_string_equal(r.out, "source,e2,e10,zeta\ne2,1,0.1,0.2\ne10,0.3,1,0.4\nzeta,0.2,0.5,1\n");
    r = RUN("matrix", "--matrix", "m.csv", "--json", "-q");
    assert_contains(r.out, "\"order\": \"file\"");
    check_json_tool(r.out);
    r = RUN("matrix", "--matrix", "m.csv", "--json", "-q", "--order", "name");
    assert_contains(r.out, "\"order\": \"name\"");
    expect_error(RUN("matrix", "--matrix", "m.csv", "--csv", "-q", "--value", "se"), 4,
                 "a matrix from a file has the values themselves alone");
}

/* Names of a document's first or second column, without its header. */
static void read_names(const char *csv, size_t column, char out[MOST][64], size_t *count) {
    *count = 0;
    for (const char *line = strchr(csv, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        const char *cell = line + 1;
        for (size_t k = 0; k < column; k++)
            cell = strchr(cell, ',') + 1;
        assert_true(*count < MOST);
        (void)snprintf(out[(*count)++], 64, "%.*s", (int)strcspn(cell, ",\n"), cell);
    }
}

/* The matrix shows the values of one estimator, the ranking stands on another: by rank is the order
 * of the ranking that `rank` shows. A derived embedder, which is not ranked, comes last. */
TEST(matrix__order_by_rank__is_the_ranking) {
    char ranked[MOST][64], published[MOST][64], shown[MOST][64];
    size_t n = 0, beside = 0, rows = 0;
    make_pool("pool");
    add_model("pool", "wide", 240, 12, 5, 1);
    RUN_OK("derive", "pool", "a", "--whiten", "--name", "aw", "-q");
    RUN_OK("estimate", "pool", "-q");
    run_result r = RUN("rank", "pool", "--csv", "-q");
    read_names(r.out, 1, ranked, &n);
    r = RUN("rank", "pool", "--csv", "-q", "--score=published");
    read_names(r.out, 1, published, &beside);
    r = RUN("matrix", "pool", "--csv", "-q", "--order=rank");
    read_names(r.out, 0, shown, &rows);
    assert_int_equal(n, 5);
    assert_int_equal(beside, 5);
    assert_int_equal(rows, 6);
    assert_string_equal(shown[5], "aw");
    r = RUN_OK("compare", "pool", "~aw", "a"); /* as tables print it */
    expect_error(RUN("compare", "pool", "~no", "a"), 2, "no embedder is called '~no'");
    bool differs = false;
    for (size_t k = 0; k < n; k++) {
        assert_string_equal(shown[k], ranked[k]);
        differs = differs || strcmp(ranked[k], published[k]) != 0;
    }
    assert_true(differs);
}

/* ---- rank ---- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(rank__json__is_the_median_of_the_matrix) {
    estimate_pool();
    run_result r = RUN("rank", "pool", "--json"), csv = RUN("matrix", "pool", "--csv");
    expect_code(&r, 0);
    check_json_tool(r.out);
    square s;
    read_square(csv.out, &s);
    es_json_value root = parse_json(r.out), list, row;
    check_start(&root, "linear");
    assert_string_equal(text_of(&root, "aggregate"), "median");
    bool include = true;
    assert_ok(es_json_get_bool(&root, "include_self", ES_JSON_REQUIRED, &include, NULL));
    assert_false(include);
    list = member(&root, "ranking", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 4);
    double last = INFINITY;
    size_t place = 0;
    for (row = es_json_first(&list); row.node; row = es_json_next(&row)) {
        size_t at = place_of(&s, text_of(&row, "model"));
        double others[3];
        for (size_t j = 0, n = 0; j < 4; j++)
            if (j != at)
                others[n++] = s.value[at][j];
        qsort(others, 3, sizeof *others, compare_doubles);
        double score = number_of(&row, "score");
        assert_true(score == others[1]);
        assert_true(score <= last);
        last = score;
        assert_true(number_of(&row, "rank") == (double)++place);
        assert_true(number_of(&row, "ci_low") <= score && score <= number_of(&row, "ci_high"));
        assert_true(number_of(&row, "rank_low") <= number_of(&row, "rank") &&
                    number_of(&row, "rank") <= number_of(&row, "rank_high"));
        assert_true(number_of(&row, "pairs") == 3 && number_of(&row, "of") == 3);
        assert_true(number_of(&row, "dim") > 0);
        if (place == 4)
            assert_string_equal(text_of(&row, "model"), "c"); /* the noisiest */
    }
}

TEST(rank__aggregates__all_work) {
    static const char *const how[] = {"median", "mean", "q75", "trimmed", "balanced"};
    estimate_pool();
    for (size_t k = 0; k < 5; k++) {
        run_result r = RUN_OK("rank", "pool", "--aggregate", how[k], "--include-self", "--csv");
        static const char begin[] =
            "rank,model,score,ci_low,ci_high,rank_low,rank_high,in_best_set,information,"
            "information_rank,width,kind,family,votes,published,pairs,of,dim,community,h,"
            "derived\n1,";
        assert_int_equal(strncmp(r.out, begin, sizeof begin - 1), 0);
        assert_contains(r.out, ",4,4,");
    }
}

static void expect_json(run_result r, const char *key, const char *value) {
    expect_code(&r, 0);
    es_json_value root = parse_json(r.out);
    assert_string_equal(text_of(&root, key), value);
}

/* The predictive score has a rule of its own. */
TEST(rank__aggregate_of_the_other_score__is_refused) {
    static const char *const refused[] = {"median", "mean", "q75", "trimmed", "balanced"};
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "-q");
    for (size_t k = 0; k < 5; k++) {
        r = RUN_CODE(2, "rank", "pool", "--score=predictive", "--aggregate", refused[k]);
        assert_contains(r.err, "one vote a kind of embedders");
        assert_contains(r.err, "--score published");
        assert_string_equal(r.out, "");
        RUN_OK("rank", "pool", "--score=published", "--aggregate", refused[k]);
    }
    r = RUN_CODE(2, "export", "pool", "ranking", "--score=predictive", "--aggregate=q75", "-o",
                 "x.svg");
    /* in the configuration file it is as typed, but that what is typed goes before it */
    write_text("config", "aggregate = q75\n");
    expect_json(RUN("rank", "pool", "--config", "config", "--json"), "aggregate", "q75");
    expect_json(RUN("rank", "pool", "--config", "config", "--json", "--score=predictive"), "score",
                "predictive");
}

/* A measure's score has one rule: what would change another is not skipped. */
TEST(rank__by_a_measure__refuses_what_it_does_not_do) {
    static const char *const refused[][2] = {{"--aggregate=mean", "--aggregate goes with"},
                                             {"--targets=a", "--targets goes with"},
                                             {"--include-self", "--include-self goes with"},
                                             {"--leave-family-out", "--leave-family-out goes"}};
    make_pool("pool");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        expect_error(RUN("rank", "pool", "--score=cka", refused[k][0]), 2, refused[k][1]);
        expect_error(RUN("correlate", "pool", "--score=cka", refused[k][0]), 2, refused[k][1]);
    }
}

TEST(rank__missing_pairs__are_never_0) {
    static const char values[] = "source,a,b,c,d\na,9,,2,2\nb,1,9,,1\nc,0.5,0.5,9,0.2\nd,,,,9\n";
    write_text("m.csv", values);
    run_result r = RUN_OK("rank", "--matrix", "m.csv", "--csv");
    assert_contains(r.out, "\n1,b,0.5,"); /* they differ at a alone */
    assert_contains(r.out, "\n2,c,-0.5,");
    assert_contains(r.out, "\n,a,,"); /* no target compares it: no score, no rank */
    assert_contains(r.out, "\n,d,,"); /* nothing known */
    assert_contains(r.out, ",2,3,");  /* two pairs of three */
    r = RUN("rank", "--matrix", "m.csv");
    assert_contains(r.out, "2 of 4 embedders have no score.");
    assert_string_equal(RUN_OK("matrix", "--matrix", "m.csv", "--csv").out, values);
    r = RUN("matrix", "--matrix", "m.csv", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), list = member(&root, "is", ES_JSON_ARRAY);
    es_json_value row = es_json_first(&list), cell = es_json_first(&row);
    cell = es_json_next(&cell);
    assert_int_equal(es_json_type_of(&cell), ES_JSON_NULL);
}

/* One embedder has changed: the others are not ranked until they are through with it, but what is
 * known of them is counted. */
TEST(rank__incomplete__counts_what_is_known) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "-q");
    add_model("pool", "c", 240, 5, 3, 4.0);
    run_result r = RUN_OK("rank", "pool");
    assert_contains(r.out, "2/3");
    assert_contains(r.out, "0/3");
    r = RUN_OK("rank", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out), list = member(&root, "ranking", ES_JSON_ARRAY);
    size_t n = 0;
    for (es_json_value one = es_json_first(&list); one.node; one = es_json_next(&one), n++) {
        bool changed = strcmp(text_of(&one, "model"), "c") == 0;
        assert_true(number_of(&one, "pairs") == (changed ? 0 : 2));
        assert_true(number_of(&one, "of") == 3);
    }
    assert_int_equal(n, 4);
    r = RUN("rank", "pool", "--score=published", "--json", "-q"); /* nobody is through */
    assert_lacks(r.out, "is the first");
    size_t without = 0;
    for (const char *at = r.out; (at = strstr(at, "\"score\": null")) != NULL; at++)
        without++;
    assert_int_equal(without, 4);
    r = RUN_OK("rank", "pool", "--csv", "-q");
    assert_contains(r.out, ",2,3,");
    assert_contains(r.out, ",0,3,");
}

/* ---- golden output ---- */

static const char *const golden_matrix = "source,alpha_1,\"beta, b\",gamma|x,delta\n"
                                         "alpha_1,1.5,0.25,-0.125,0.5\n"
                                         "\"beta, b\",0.75,2,0.1,\n"
                                         "gamma|x,-0.0001,0.3,1.25,0.625\n"
                                         "delta,0.2,0.4,0.6,3\n";

/* ES_GOLDEN_UPDATE=1 writes the files anew; read the difference before you keep it. */
static void check_golden(const char *name, const char *found) {
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/cli/golden/%s", ES_TEST_DATA, name);
    if (getenv("ES_GOLDEN_UPDATE"))
        write_text(path, found);
    char *expected = slurp(path);
    assert_non_null(expected);
    if (expected && strcmp(expected, found) != 0)
        fail_msg("%s differs:\n%s", name, found);
}

TEST(golden__formats__of_a_matrix_from_a_file) {
    static const char *const formats[] = {"table", "csv", "md", "tex"};
    write_text("m.csv", golden_matrix);
    for (size_t k = 0; k < 4; k++) {
        char name[64];
        run_result r = RUN_OK("matrix", "--matrix", "m.csv", "--format", formats[k]);
        (void)snprintf(name, sizeof name, "matrix.%s", formats[k]);
        check_golden(name, r.out);
        if (k == 1)
            continue; /* exact digits of intervals belong to one build */
        r = RUN_OK("rank", "--matrix", "m.csv", "--format", formats[k]);
        (void)snprintf(name, sizeof name, "rank.%s", formats[k]);
        check_golden(name, r.out);
    }
}

/* What is drawn or said in words; numbers are checked elsewhere. */
TEST(golden__analyses__of_a_matrix_from_a_file) {
    static const char *const words[][6] = {
        {"tree", "tree"},
        {"dendrogram", "tree", "--method", "average"},
        {"compare", "compare", "alpha_1", "delta"},
        {"correlate", "correlate", "--scores", "s.csv"},
        {"curve", "rank", "--curve"},
        {"coverage", "rank", "--coverage", "0.6"},
    };
    write_text("m.csv", golden_matrix);
    write_text("s.csv", "model,t1,t2\nalpha_1,1,4\n\"beta, b\",2,3\ngamma|x,3,1\nDelta,4,2\n");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char name[64];
        run_result r =
            RUN_OK(words[k][1], "--matrix", "m.csv", words[k][2] ? words[k][2] : "--quiet",
                   words[k][3] ? words[k][3] : "--quiet");
        (void)snprintf(name, sizeof name, "%s.table", words[k][0]);
        check_golden(name, r.out);
    }
}

TEST(help__every_command__exits_0) {
    static const char *const commands[] = {"estimate", "matrix", "rank", "tree",  "correlate",
                                           "compare",  "rows",   "info", "doctor"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        char usage[64];
        run_result r = RUN_OK(commands[k], "--help");
        (void)snprintf(usage, sizeof usage, "Usage: embedscope %s [OPTION]...", commands[k]);
        assert_int_equal(strncmp(r.out, usage, strlen(usage)), 0);
    }
    run_result r = RUN("estimate", "-h");
    assert_contains(r.out, "embedscope help estimators");
    r = RUN("help", "estimators");
    assert_contains(r.out, "\n  linear  ");
    assert_contains(r.out, "--set lambda=N");
    assert_string_equal(RUN_OK("--version").out, "embedscope " ES_VERSION "\n");
}

/* ---- estimate ---- */

static char *estimate_csv(const char *const *more) {
    const char *words[MOST_ARGUMENTS] = {"estimate", "pool",  "--estimator",
                                         "linear",   "--csv", "-q"};
    for (size_t i = 0; more[i]; i++)
        words[6 + i] = more[i];
    return run_ok(words).out;
}

#define ESTIMATE_CSV(...) estimate_csv((const char *const[]){__VA_ARGS__, NULL})

TEST(estimate__numbers__do_not_depend_on_how) {
    make_pool("pool");
    char *first = ESTIMATE_CSV("--threads=1"), *other;
    static const char *const ways[][2] = {
        {"--threads=2", "--no-store"}, {"--threads=2", "--refresh"}, {"--threads=2", NULL}};
    for (size_t k = 0; k < 3; k++) {
        other = ESTIMATE_CSV(ways[k][0], ways[k][1]);
        assert_string_equal(other, first);
    }
    other = ESTIMATE_CSV("--seed=1");
    assert_string_not_equal(other, first); /* other rows are held out */
    run_result r = RUN("matrix", "pool", "--csv");
    assert_string_equal(r.out, first);
}

TEST(estimate__models_and_rows__restrict) {
    make_pool("pool");
    char *out = ESTIMATE_CSV("--models", "a,d*", "--rows", "200");
    assert_int_equal(strncmp(out, "source,a,d10\n", 13), 0);
    out = ESTIMATE_CSV("--exclude", "c");
    assert_int_equal(strncmp(out, "source,a,b,d10\n", 15), 0);
}

TEST(estimate__progress__is_lines_every_5_percent) {
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear");
    assert_contains(r.err, "embedscope: 16/16 pairs, 100 %");
    assert_null(strchr(r.err, '\r'));
    assert_null(strchr(r.err, '\x1b'));
    size_t lines = 0;
    for (const char *at = r.err; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_in_range(lines, 1, 20);
}

TEST(estimate__document__is_that_of_matrix) {
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "--json", "-o", "m.json");
    assert_string_equal(r.out, "");
    char *text = slurp("m.json");
    es_json_value root = parse_json(text);
    check_start(&root, "linear");
}

/* ---- the rest ---- */

TEST(explorer__without_terminal__prints_the_ranking) {
    make_pool("pool");
    run_result r = RUN("--start", "pool", "--estimator", "linear"), again;
    expect_code(&r, 0);
    assert_int_equal(strncmp(r.out, "rank  model", 11), 0);
    assert_string_equal(RUN_OK("pool", "--estimator", "linear").out, r.out);
    again = RUN("rank", "pool", "--estimator=linear");
    assert_string_equal(again.out, r.out);
}

TEST(info__binary_pool__counts_what_is_stored) {
    static double bits[2][200 * 3];
    assert_int_equal(mkdir("pool", 0700), 0);
    for (size_t i = 0; i < (size_t)2 * 600; i++)
        bits[i / 600][i % 600] = (double)(i * i % 7 % 2);
    write_npy("pool/a.npy", bits[0], 200, 3);
    write_npy("pool/b.npy", bits[1], 200, 3);
    write_text("pool/pool.json", "{\"models\":[{\"name\":\"a\",\"kind\":\"binary\"},"
                                 "{\"name\":\"b\",\"kind\":\"binary\"}]}");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    run_result r = RUN_OK("info", "pool");
    assert_lacks(r.out, "nothing is stored");
    assert_contains(r.out, "linear");
}

/* An estimator that takes all as continuous says so, or refuses where it is told otherwise. */
TEST(estimate__binary_targets__are_said_where_they_are_not_known) {
    static const char note[] = "linear takes a, b as continuous, though pool.json says binary; "
                               "knife knows the kind";
    static double bits[2][200 * 3];
    assert_int_equal(mkdir("pool", 0700), 0);
    for (size_t i = 0; i < (size_t)2 * 600; i++)
        bits[i / 600][i % 600] = (double)(i * i % 7 % 2);
    write_npy("pool/a.npy", bits[0], 200, 3);
    write_npy("pool/b.npy", bits[1], 200, 3);
    run_result r = RUN_CODE(2, "estimate", "pool", "--estimator=linear", "--set=target=binary");
    assert_contains(r.err, "linear takes all targets as continuous");
    assert_contains(r.err, "knife");
    write_text("pool/pool.json", "{\"models\":[{\"name\":\"a\",\"kind\":\"binary\"},"
                                 "{\"name\":\"b\",\"kind\":\"binary\"}]}");
    r = RUN_OK("estimate", "pool", "--estimator=linear");
    assert_contains(r.err, note);
    r = RUN_OK("matrix", "pool", "--estimator=linear");
    assert_contains(r.err, note);
    r = RUN_OK("estimate", "pool", "--estimator=knife", "--set=target=binary");
    assert_lacks(r.err, "as continuous");
}

TEST(info__json__describes_the_pool) {
    estimate_pool();
    add_model("pool", "short", 100, 3, 8, 0.1);
    write_text("pool/scores.csv", "model,t1,t2\na,1,2\nzebra,3,\n");
    write_text("pool/rows.csv", "id,text\n");
    run_result r = RUN("info", "pool", "--json");
    if (r.code == 3) { /* a rows.csv without rows may be refused */
        assert_contains(r.err, "rows.csv");
        unlink("pool/rows.csv");
        r = RUN("info", "pool", "--json");
    }
    expect_code(&r, 0);
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out), pool = member(&root, "pool", ES_JSON_OBJECT);
    assert_true(number_of(&pool, "rows") == 240);
    assert_true(number_of(&pool, "usable") == 4);
    es_json_value list = member(&root, "models", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 5);
    es_json_value model = es_json_first(&list);
    assert_string_equal(text_of(&model, "dtype"), "float64");
    list = member(&root, "excluded", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 1);
    model = es_json_first(&list);
    assert_string_equal(text_of(&model, "name"), "short");
    es_json_value scores = member(&root, "scores", ES_JSON_OBJECT);
    es_json_value unmatched = member(&scores, "unmatched", ES_JSON_OBJECT);
    assert_int_equal(count_of(&unmatched, "models"), 3);
    assert_int_equal(count_of(&unmatched, "scores"), 1);
    list = member(&root, "stored", ES_JSON_ARRAY);
    model = es_json_first(&list);
    assert_string_equal(text_of(&model, "estimator"), "linear");
    assert_true(number_of(&model, "pairs") == 16 && number_of(&model, "of") == 16);
    assert_contains(RUN_OK("info", "pool").out, "4 embedders, 240 rows; 1 of 5 cannot be used");
}

/* What stands below a ranking is of the score that it is by. */
TEST(rank__footnote__is_of_the_rule_in_force) {
    static const char published[] = "The published score is the median information sufficiency";
    estimate_pool();
    assert_contains(RUN_OK("rank", "pool", "--score", "published").out, published);
    run_result r = RUN_OK("rank", "pool", "--include-self", "-q");
    assert_contains(r.out, "over targets, itself among them, nats");
    r = RUN_OK("rank", "pool", "--score", "published", "--aggregate", "mean", "--include-self");
    assert_lacks(r.out, published);
    assert_contains(r.out, "The score is the mean information sufficiency over all "
                           "embedders, itself among them");
    RUN_OK("estimate", "pool", "--estimator", "l2", "-q");
    r = RUN_OK("rank", "pool", "--estimator", "l2");
    assert_lacks(r.out, published);
    assert_contains(r.out, "The score is the median of the error over the other embedders, "
                           "lower is better.");
    r = RUN_OK("rank", "pool", "--estimator", "l2", "--explain", "a", "b");
    assert_contains(r.out, "difference: of errors, first less second");
    assert_lacks(RUN_OK("rank", "pool", "--explain", "a", "b").out, "of errors");
}

TEST(info__stored_by_other_options__is_not_called_nothing) {
    make_pool("pool");
    assert_contains(RUN_OK("info", "pool").out, "nothing is stored yet\n");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--set", "lambda=5", "-q");
    run_result r = RUN_OK("info", "pool");
    assert_contains(r.out, "nothing is stored by these rows, settings and seed, but linear "
                           "with other settings\n");
    r = RUN_OK("info", "pool", "--json");
    assert_contains(r.out, "\"stored_otherwise\": \"linear with other settings\"");
}

/* A seed is named where there is more than the usual one to tell apart. */
TEST(rank__stored_with_another_seed__names_both) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--seed", "3", "-q");
    expect_error(RUN("rank", "pool", "--estimator", "linear"), 4,
                 "those of linear default seed 3;");
    RUN_OK("estimate", "pool", "--estimator", "l2", "-q");
    expect_error(RUN("rank", "pool", "--estimator", "knife"), 4,
                 "l2 default, linear default seed 3;");
    expect_error(RUN("rank", "pool", "--estimator", "l2", "--seed", "1"), 4, "l2 default seed 0");
}

TEST(doctor__json__names_the_machine) {
    run_result r = RUN_OK("doctor", "--json");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out);
    es_json_value blas = member(&root, "blas", ES_JSON_OBJECT);
    assert_true(number_of(&blas, "gflops") > 0);
    assert_true(strlen(text_of(&blas, "core")) > 0);
    es_json_value part = member(&root, "processor", ES_JSON_OBJECT);
    assert_true(number_of(&part, "cores") >= 1);
    part = member(&root, "locale", ES_JSON_OBJECT);
    assert_string_equal(text_of(&part, "codeset"), "UTF-8");
    (void)member(&root, "terminal", ES_JSON_OBJECT);
    (void)member(&root, "paths", ES_JSON_OBJECT);
    assert_contains(RUN_OK("doctor").out, "GFLOP/s");
}

/* As the explorer chooses them: by the terminal's entry, not by its name. */
TEST(doctor__colours__are_those_of_the_explorer) {
    static const struct {
        const char *term, *colorterm, *no_color, *colours;
    } cases[] = {{"xterm", NULL, NULL, "\"8\""},
                 {"xterm-256color", NULL, NULL, "\"256\""},
                 {"xterm-256color", "truecolor", NULL, "\"rgb\""},
                 {"xterm-256color", "truecolor", "1", "\"none\""},
                 {"vt100", NULL, NULL, "\"none\""},
                 {"dumb", NULL, NULL, "null"},
                 {"", NULL, NULL, "null"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "\"colors\": %s", cases[i].colours);
        (void)setenv("TERM", cases[i].term, 1);
        cases[i].colorterm ? setenv("COLORTERM", cases[i].colorterm, 1) : unsetenv("COLORTERM");
        cases[i].no_color ? setenv("NO_COLOR", cases[i].no_color, 1) : unsetenv("NO_COLOR");
        run_result r = RUN_OK("doctor", "--json");
        if (strstr(r.out, expected) == NULL)
            fail_msg("TERM=%s: no %s in %s", cases[i].term, expected, r.out);
    }
    (void)unsetenv("NO_COLOR");
    (void)setenv("TERM", "dumb", 1);
}

/* What is sent: versions, limits, and the last lines of the log with nothing a terminal obeys. */
TEST(doctor__report__has_what_a_maintainer_asks_for) {
    assert_int_equal(mkdir("embedscope", 0700), 0);
    FILE *log = fopen("embedscope/log", "w");
    assert_non_null(log);
    for (int i = 1; i <= 60; i++)
        (void)fprintf(log, "12:00:00 info line %d of it\033[2J\n", i);
    assert_int_equal(fclose(log), 0);
    run_result r = RUN_OK("doctor", "--report");
    assert_contains(r.out, "| embedscope | " ES_VERSION " |");
    assert_contains(r.out, "| limit of open files | ");
    assert_contains(r.out, "    12:00:00 info line 60 of it");
    assert_contains(r.out, "line 21 of it");
    assert_lacks(r.out, "line 20 of it");
    assert_null(strchr(r.out, '\033'));
    assert_int_equal(remove("embedscope/log"), 0);
    assert_lacks(RUN_OK("doctor", "--report").out, "The end of the log");
    r = RUN_CODE(2, "doctor", "--report", "--json");
}

/* A file holds what its name promises: other endings are refused, with those that there are. */
TEST(output__endings__are_those_of_formats) {
    static const struct {
        const char *command, *file, *says; /* NULL: written */
    } cases[] = {{"matrix", "x.xlsx", "no format xlsx|.csv, .json, .md, .tex, .jsonl or .npz"},
                 {"rank", "x.xlsx", "no format xlsx|.csv, .json, .md or .tex"},
                 {"rank", "x.html", "no format html"},
                 {"tree", "x.docx", "no format docx"},
                 {"info", "x.yaml", "no format yaml"},
                 {"rank", "a.b/x.ods", "no format ods"},
                 {"report", "x.xlsx", "name it .html"},
                 {"report", "x.htm", NULL},
                 {"rank", "x.txt", NULL},
                 {"rank", "x.CSV", NULL},
                 {"rank", "x", NULL},
                 {"rank", "v1.2", NULL},
                 {"rank", "tmp.8aXcQ2mB1z", NULL},
                 {"rank", "a.b/x", NULL}};
    estimate_pool();
    assert_int_equal(mkdir("a.b", 0700), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_result r = RUN(cases[i].command, "pool", "-q", "-o", cases[i].file);
        assert_int_equal(access(cases[i].file, F_OK) == 0, cases[i].says == NULL);
        if (cases[i].says)
            expect_error(r, 2, cases[i].says);
        else
            expect_code(&r, 0);
    }
    RUN_OK("rank", "pool", "-q", "--csv", "-o", "x.xlsx"); /* who says so */
}

/* --scores in place of the pool's scores.csv, and --families of its families.csv: the same numbers.
 */
TEST(rank__files__take_the_place_of_the_pools) {
    static const char *const moved[] = {"scores.csv", "families.csv"};
    char from[PATH_ROOM];
    estimate_pool();
    write_text("pool/scores.csv", "model,t,u\na,1,5\nb,2,3\nc,4,4\nd,3,1\ne,5,2\n");
    write_text("pool/families.csv", "model,family\na,one\nb,one\n");
    run_result own = RUN_OK("rank", "pool", "-q");
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(from, sizeof from, "pool/%s", moved[i]);
        assert_int_equal(rename(from, moved[i]), 0);
    }
    run_result without = RUN("rank", "pool", "-q");
    run_result r =
        RUN_OK("rank", "pool", "-q", "--scores", "scores.csv", "--families", "families.csv");
    assert_string_equal(r.out, own.out);
    assert_string_not_equal(without.out, own.out);
    expect_error(RUN("rank", "pool", "--coverage", "0.5", "--scores", "scores.csv"), 2,
                 "--scores has no effect on --coverage");
    write_text("wrong.csv", "model,family\nnobody,one\n");
    r = RUN_OK("rank", "pool", "--families", "wrong.csv");
    assert_contains(r.err, "wrong.csv: line 2: no embedder is called \"nobody\"");
}

TEST(output__closed_pipe__is_no_error) {
    char line[PATH_ROOM + 128];
    write_text("m.csv", golden_matrix);
    (void)snprintf(line, sizeof line,
                   "{ '%s' matrix --matrix m.csv --json 2>err; echo $? >code; } | true",
                   ES_PROGRAM);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(system(line), 0);
        char *code = slurp("code"), *err = slurp("err");
        assert_string_equal(code, "0\n");
        assert_string_equal(err, "");
    }
}

TEST(sample__molecules__controls_rank_last) {
    static const char pool[] = ES_SAMPLE_DATA "/molecules";
    run_result r =
        RUN_OK("estimate", pool, "--estimator", "linear", "--no-store", "--format", "csv", "-q");
    write_text("m.csv", r.out);
    r = RUN_OK("rank", "--matrix", "m.csv", "--csv");
    const char *shuffled = strstr(r.out, ",desc_shuffled,"),
               *noise = strstr(r.out, ",noise_gauss_64,");
    assert_true(shuffled && noise);
    size_t after_shuffled = 0, after_noise = 0;
    for (const char *at = shuffled; (at = strchr(at, '\n')) != NULL; at++)
        after_shuffled++;
    for (const char *at = noise; (at = strchr(at, '\n')) != NULL; at++)
        after_noise++;
    assert_true(after_shuffled <= 2 && after_noise <= 2);
}

/* The estimator that has both is meant, though its step of the plan fixes the setting. */
TEST(estimate__preset_and_setting__find_the_estimator_of_both) {
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "--preset", "shrunk", "--set", "lambda=4", "--json");
    assert_contains(r.out, "\"lambda\": 4");
    RUN_OK("matrix", "pool", "--estimator", "linear", "--preset", "shrunk", "--set", "lambda=4");
    expect_error(RUN("estimate", "pool", "--preset", "shrunk", "--set", "modes=2"), 2,
                 "belong to different estimators");
}

TEST(slurm__no_task__is_refused) {
    make_pool("pool");
    expect_error(RUN("slurm", "pool", "--array", "0"), 2, "--array 0: at least 1");
    expect_error(RUN("slurm", "pool", "--nodes", "0"), 2, "--nodes 0: at least 1");
    RUN_OK("slurm", "pool", "--array", "1");
}
