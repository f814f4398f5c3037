/* csv and tsv: tables, arrays of numbers, rows.csv, scores.csv, and what we write. */
#include "io_test.h"

#include "refuse.h"
#include "io_scores.h"
#include "io_readers_parts.h"

TEST_GROUP(make_test_dir, remove_test_dir);

/* Exact copy on the heap, so that a sanitizer sees a read past the end, and gone before the table
 * is looked at. */
static es_status parse(const char *text, size_t size, const char *path, es_table *t,
                       es_error *err) {
    char *copy = es_alloc(size, 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    es_status st = es_table_parse(copy, size, path, t, err);
    es_free(copy);
    return st;
}

static es_table table_of(const char *text, const char *path) {
    es_table t = {0};
    assert_ok(parse(text, strlen(text), path, &t, test_err()));
    return t;
}

TEST(table__parse__quotes_newlines_bom_and_line_ends) {
    es_table t = table_of("\xEF\xBB\xBFid,text\r\n"
                          "1,\"a, \"\"b\"\"\nsecond line\"\r\n"
                          "\r\n"
                          "  2 , plain text  \r\n"
                          "3,\r\n"
                          "4,\"last\"",
                          "rows.csv");
    assert_int_equal(t.rows, 5);
    assert_int_equal(t.columns, 2);
    assert_string_equal(es_table_cell(&t, 0, 0), "id");
    assert_string_equal(es_table_cell(&t, 1, 1), "a, \"b\"\nsecond line");
    assert_string_equal(es_table_cell(&t, 2, 0), "2");
    assert_string_equal(es_table_cell(&t, 2, 1), "plain text");
    assert_string_equal(es_table_cell(&t, 3, 1), "");
    assert_string_equal(es_table_cell(&t, 4, 1), "last");
    static const size_t lines[] = {1, 2, 5, 6, 7};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(t.line[i], lines[i]);
    es_table_deinit(&t);
    es_table_deinit(&t);
}

/* Rows without quotes are taken apart here, those that end in old line ends by libcsv. */
TEST(table__parse__plain_rows_as_libcsv_has_them) {
    static const char cell[] = "a ,\t0 -.", *const paths[] = {"x.csv", "x.tsv"};
    enum { TEXTS = 400, ROWS = 6 };
    es_rng rng;
    es_rng_init(&rng, 7, 1);
    for (int k = 0; k < TEXTS; k++) {
        char plain[ROWS * 64], old[ROWS * 64];
        const char *path = paths[k % 2], *const ends = k % 3 ? "\n" : "\r\n";
        size_t length = 0, columns = 1 + es_rng_below(&rng, 4);
        for (int row = 0; row < ROWS; row++) {
            for (size_t c = 0; c < columns; c++) {
                for (size_t n = es_rng_below(&rng, 5); n > 0; n--) {
                    char one = cell[es_rng_below(&rng, sizeof cell - 1)];
                    plain[length++] = one == (k % 2 ? '\t' : ',') ? 'x' : one;
                }
                plain[length++] = k % 2 ? '\t' : ',';
            }
            length--;
            length += (size_t)snprintf(plain + length, 4, "%s", ends);
        }
        size_t to = 0;
        for (size_t i = 0; i < length; i++)
            if (plain[i] != '\r')
                old[to++] = plain[i] == '\n' ? '\r' : plain[i];
        es_table a = {0}, b = {0};
        es_status st = parse(plain, length, path, &a, test_err());
        assert_int_equal(st, parse(old, to, path, &b, test_err()));
        assert_int_equal(a.rows, b.rows);
        assert_int_equal(a.columns, b.columns);
        for (size_t i = 0; i < a.rows * a.columns; i++)
            assert_string_equal(a.text + a.cell[i], b.text + b.cell[i]);
        es_table_deinit(&a);
        es_table_deinit(&b);
    }
}

TEST(table__parse__tabs_and_old_line_ends) {
    es_table t = table_of("a\tb,c\r\t\r1\t2", "x.tsv");
    assert_int_equal(t.rows, 3);
    assert_int_equal(t.columns, 2);
    assert_string_equal(es_table_cell(&t, 0, 1), "b,c");
    assert_string_equal(es_table_cell(&t, 1, 0), "");
    assert_int_equal(t.line[1], 2);
    assert_int_equal(t.line[2], 3);
    es_table_deinit(&t);
}

static void check_bad(const char *text, es_status code, const char *message) {
    es_table t = {.rows = 77};
    assert_error(parse(text, strlen(text), "pool/rows.csv", &t, test_err()), code,
                 "pool/rows.csv: ");
    assert_contains(test_message(), message);
    assert_int_equal(t.rows, 77);
}

TEST(table__parse__locates_errors) {
    check_bad("", ES_EFORMAT, "is empty");
    check_bad("\n\n  \n", ES_EFORMAT, "holds no rows");
    check_bad("a,b\n1,2\n\n3\n", ES_EFORMAT, "line 4: expected 2 cells, found 1");
    check_bad("a,b\n1,2,3,4\n", ES_EFORMAT, "line 2: expected 2 cells, found 4");
    check_bad("a,b\n1,\"x\ny\"\n3,4,5\n", ES_EFORMAT, "line 4: expected 2 cells, found 3");
    check_bad("a,b\n1,5\" disk\n", ES_EFORMAT, "line 2: a quote inside a cell");
    check_bad("a,b\n1,\"x\" y\n", ES_EFORMAT, "line 2: a quote inside a cell");
    check_bad("a,b\n1,2\n3,\"x\n4,5\n6,7\n", ES_EFORMAT, "line 3: a quote in the row that starts");
    check_bad("\"a,b\n1,2\n", ES_EFORMAT, "line 1: a quote in the row that starts");
    check_bad("PK\3\4 a workbook", ES_EUNSUPPORTED, "is a zip archive");
    check_bad("\xFF\xFE"
              "a,b",
              ES_EUNSUPPORTED, "UTF-16");
    check_bad("\xFE\xFF", ES_EUNSUPPORTED, "UTF-16");
    es_table t = {0};
    assert_error(parse("a,b\n1,\0\n", 8, "x.csv", &t, test_err()), ES_EFORMAT,
                 "x.csv: line 2: holds a NUL byte");
    assert_int_equal(es_table_read(in_dir("none.csv"), 0, &t, test_err()), ES_ENOTFOUND);
}

TEST(table__number__knows_missing_from_text) {
    es_table t = table_of("m,a,b,c\nx, 0.5 ,,\"one\x1b\"\n", "scores.csv");
    double value = 7;
    assert_ok(es_table_number(&t, 1, 1, &value, test_err()));
    assert_true(value == 0.5);
    assert_ok(es_table_number(&t, 1, 2, &value, test_err()));
    assert_true(isnan(value));
    value = 7;
    assert_error_is(es_table_number(&t, 1, 3, &value, test_err()), ES_EFORMAT,
                    "scores.csv: line 2, column 4: 'one\xEF\xBF\xBD' is not a number");
    assert_true(value == 7);
    es_table_deinit(&t);
}

static void check_array(const char *text, size_t n, size_t d, double first, double last) {
    es_array a = {0};
    if (es_table_array(text, strlen(text), "a.csv", NULL, &a, test_err()) != ES_OK)
        fail_msg("%s: %s", text, test_message());
    assert_int_equal(a.n, n);
    assert_int_equal(a.d, d);
    double values[16];
    es_array_read(&a, NULL, n, values);
    assert_true(values[0] == first || (isnan(first) && isnan(values[0])));
    assert_true(values[n * d - 1] == last || (isnan(last) && isnan(values[n * d - 1])));
    es_array_deinit(&a);
}

TEST(table__array__finds_headers) {
    check_array("1,2\n3,4\n", 2, 2, 1, 4);
    check_array("x,y\n3,4\n", 1, 2, 3, 4);
    check_array("x,\n3,4\n", 1, 2, 3, 4);
    check_array("1.5\n-2e3", 2, 1, 1.5, -2000);
    check_array("0,1,2\n7,8,9\n", 1, 3, 7, 9);       /* a data frame's default header */
    check_array("0,1\n7,8\n", 2, 2, 0, 8);           /* could as well be data */
    check_array("0,1,3\n7,8,9\n", 2, 3, 0, 9);       /* does not count */
    check_array(",0,1\n0,7,8\n1,9,6\n", 2, 2, 7, 6); /* with its index */
    check_array(",a,b\nrow1,7,8\nrow2,9,6\n", 2, 2, 7, 6);
    check_array(",a\n0,1.5\n1,2.5\n", 2, 1, 1.5, 2.5);
    check_array(",2.5\n3,4\n", 2, 2, (double)NAN, 4); /* a missing value, not an index */
    check_array("a,b\n3,nan\n", 1, 2, 3, (double)NAN);
    check_array("a,b\n3,inf\n", 1, 2, 3, (double)INFINITY);
}

TEST(table__array__locates_text) {
    es_array a = {.n = 77};
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"1,2\n3,x\n", "a.csv: line 2, column 2: 'x' is not a number"},
        {"a,b\n\n3,4\n1e,5", "a.csv: line 4, column 1: '1e' is not a number"},
        {"a,b\n3\n", "a.csv: line 2: expected 2 cells, found 1"},
        {"a,b\n", "a.csv: holds a header but no rows"},
        {"a,b\n1,0x10\n", "column 2: '0x10' is not a number"},
        {"1,2\n3;4,5\n", "line 2, column 1: '3;4' is not a number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_error(
            es_table_array(bad[i].text, strlen(bad[i].text), "a.csv", NULL, &a, test_err()),
            ES_EFORMAT, bad[i].message);
    }
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    es_buf *big = test_buf();
    for (int i = 0; i < 300000; i++) /* run is asked about every megabyte */
        es_buf_puts(big, "1,2\n");
    assert_int_equal(es_table_array(big->data, big->length, "a.csv", &run, &a, test_err()),
                     ES_ECANCELED);
    assert_int_equal(a.n, 77);
    assert_ok(es_table_array(big->data, big->length, "a.csv", NULL, &a, test_err()));
    assert_int_equal(a.n, 300000);
    es_array_deinit(&a);
}

TEST(table__faults_and_changed_bytes__leave_nothing) {
    static const char text[] = "model,a\nx,1\n\"y\nz\",2\n";
    const char *path = write_text("scores.csv", text);
    bool met = true;
    for (long k = 0; met; k++) {
        es_scores s = {0};
        refuse_one(k);
        es_status st = es_scores_read(path, 0, NULL, &s, test_err());
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        assert_int_equal(s.models, st == ES_OK ? 2 : 0);
        es_scores_deinit(&s);
    }
    met = true;
    for (long k = 0; met; k++) {
        es_array a = {0};
        refuse_one(k);
        es_status st = es_table_array("1,2\n", 4, "a.csv", NULL, &a, test_err());
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        assert_int_equal(a.d, st == ES_OK ? 2 : 0);
        es_array_deinit(&a);
    }
    es_rng rng;
    es_rng_init(&rng, 6, 6);
    for (int round = 0; round < 20000; round++) {
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        for (int k = 0; k < 3; k++)
            copy[es_rng_below(&rng, sizeof text - 1)] =
                ",\"\n\r\t x1\xFF\0"[es_rng_below(&rng, 10)];
        es_table t = {0};
        if (parse(copy, es_rng_below(&rng, sizeof text), "a.csv", &t, test_err()) == ES_OK)
            for (size_t i = 0; i < t.rows * t.columns; i++)
                assert_true(strlen(es_table_cell(&t, i / t.columns, i % t.columns)) < sizeof text);
        es_table_deinit(&t);
    }
}

TEST(csv__put__reads_back) {
    static const char *const cells[] = {"plain",  "a,b", "say \"x\"", "two\nlines",
                                        " edge ", "",    "é",         "tab\there"};
    es_buf *buf = test_buf();
    for (size_t i = 0; i < 8; i++) {
        es_csv_put_text(buf, cells[i]);
        es_buf_putc(buf, ',');
    }
    es_csv_put_double(buf, 0.1);
    es_buf_putc(buf, ',');
    es_csv_put_double(buf, (double)NAN);
    es_buf_putc(buf, '\n');
    es_table t = table_of(buf->data, "out.csv");
    assert_int_equal(t.columns, 10);
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(es_table_cell(&t, 0, i), cells[i]);
    assert_string_equal(es_table_cell(&t, 0, 8), "0.1");
    assert_string_equal(es_table_cell(&t, 0, 9), "");
    es_table_deinit(&t);
    es_buf_clear(buf);
    es_csv_put_text(buf, "a\x1b[2J");
    es_csv_put_text(buf, NULL);
    assert_string_equal(buf->data, "a\xEF\xBF\xBD[2J");
}

TEST(rows__read__with_and_without_header) {
    es_row_texts r = {0};
    const char *path = write_text("rows.csv", "id,smiles,extra\nZ1,CC,x\nZ2,\"C,C\",y\n");
    assert_ok(es_row_texts_read(path, 0, 2, &r, test_err()));
    assert_int_equal(r.count, 2);
    assert_true(r.has_header);
    assert_string_equal(es_row_texts_id(&r, 1), "Z2");
    assert_string_equal(es_row_texts_text(&r, 1), "C,C");
    assert_string_equal(es_row_texts_cell(&r, 0, 2), "x");
    assert_string_equal(es_row_texts_name(&r, 1), "smiles");
    es_row_texts_deinit(&r);
    assert_ok(es_row_texts_read(path, 0, 3, &r, test_err()));
    assert_int_equal(r.count, 3);
    assert_string_equal(es_row_texts_id(&r, 0), "id");
    assert_null(es_row_texts_name(&r, 0));
    es_row_texts_deinit(&r);
    assert_ok(es_row_texts_read(path, 0, 0, &r, test_err()));
    assert_int_equal(r.count, 2);
    es_row_texts_deinit(&r);
    path = write_text("one.csv", "text\nonly\n");
    assert_ok(es_row_texts_read(path, 0, 1, &r, test_err()));
    assert_string_equal(es_row_texts_text(&r, 0), "only");
    es_row_texts_deinit(&r);
    path = write_text("none.csv", "id,text\n");
    assert_error(es_row_texts_read(path, 0, 5, &r, test_err()), ES_EFORMAT,
                 "none.csv: holds a header but no rows");
}

TEST(scores__read__values_and_missing) {
    es_scores s = {0};
    const char *path = write_text("s.csv", "model,t1,t\x1b"
                                           "2\nm1,0.5,\n\"m\x7f,2\",-1e3,nan\n");
    assert_ok(es_scores_read(path, 0, NULL, &s, test_err()));
    assert_int_equal(s.models, 2);
    assert_int_equal(s.tasks, 2);
    assert_string_equal(s.task[1], "t\xEF\xBF\xBD"
                                   "2");
    assert_string_equal(s.model[1], "m\xEF\xBF\xBD,2");
    assert_true(s.value[0] == 0.5 && isnan(s.value[1]) && s.value[2] == -1000 && isnan(s.value[3]));
    es_scores_deinit(&s);
    path = write_text("s.csv", "model,t1,t2,t3\nm1,NA,-,1\nm2,2,N/A,null\n");
    assert_ok(es_scores_read(path, 0, NULL, &s, test_err())); /* as labels.csv */
    assert_true(isnan(s.value[0]) && isnan(s.value[1]) && s.value[2] == 1 && s.value[3] == 2 &&
                isnan(s.value[4]) && isnan(s.value[5]));
    es_scores_deinit(&s);
    assert_ok(es_scores_read(ES_SAMPLE_DATA "/molecules/scores.csv", 0, NULL, &s, test_err()));
    assert_int_equal(s.tasks, 16);
    assert_string_equal(s.model[0], "ecfp4_b256");
    assert_true(s.value[0] == 0.401);
    es_scores_deinit(&s);
}

/* In the first line, by which it is told. */
TEST(scores__read__takes_no_delimiter_from_quotes) {
    static const char *const texts[] = {
        "\"model; of; all\",t\nm,0.5\n",
        "\"model, of, all\";t\nm;0.5\n",
        "\"model\tof\tall\",t\nm,0.5\n",
        "\"model\nof, all\";t\nm;0.5\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        es_scores s = {0};
        if (es_scores_read(write_text("s.csv", texts[i]), 0, NULL, &s, test_err()) != ES_OK)
            fail_msg("%zu: %s", i, test_message());
        assert_int_equal(s.models, 1);
        assert_int_equal(s.tasks, 1);
        assert_string_equal(s.task[0], "t");
        assert_true(s.value[0] == 0.5);
        es_scores_deinit(&s);
    }
}

TEST(scores__read__refuses) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"model,a\nx,1\ny,2\nx,3\n", "s.csv: model 'x' is in line 2 and again in line 4"},
        {"model,a,b,a\nx,1,2,3\n", "s.csv: task 'a' is in column 2 and again in column 4"},
        {"model,a\nx,good\n", "s.csv: line 2, column 2: 'good' is not a number"},
        {"model,a\nx,inf\n", "s.csv: line 2, column 2: the score is infinite"},
        {"model,a\n,1\n", "s.csv: line 2, column 1: the name is empty"},
        {"model,\nx,1\n", "s.csv: line 1, column 2: the name is empty"},
        {"model\nx\n", "s.csv: line 1: expected a column 'model' and at least one of a task"},
        {"x,0.5\ny,0.7\n", "s.csv: line 1: expected a header"},
        {"model,a\n", "s.csv: holds a header but no models"},
        {"model,a\nx,\"1\n", "s.csv: line 2: a quote"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        es_scores s = {.models = 77};
        assert_error(es_scores_read(write_text("s.csv", bad[i].text), 0, NULL, &s, test_err()),
                     ES_EFORMAT, bad[i].message);
        assert_int_equal(s.models, 77);
    }
}

/* A spreadsheet runs none of the cells, and nothing else has changed. */
TEST(csv__make_safe__marks_what_would_run) {
    static const char *const cases[][2] = {
        {"name,x\n=1+1,-3\n", "name,x\n'=1+1,-3\n"},
        {"-b,+c,@d,e=f", "'-b,'+c,'@d,e=f"},
        {"\"=a,b\",\"\tx\",\"\ny\"\n", "\"'=a,b\",\"'\tx\",\"'\ny\"\n"},
        {"\"he said \"\"=1\"\", -x\",-1e-05,+2\n", "\"he said \"\"=1\"\", -x\",-1e-05,+2\n"},
        {"a,,\n", "a,,\n"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_buf *out = test_buf();
        es_buf_puts(out, "");
        es_csv_make_safe(out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out->data, cases[i][1]);
    }
}
