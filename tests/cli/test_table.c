/* One table, five formats. */
#include <float.h>
#include <locale.h>

#include "testing.h"
#include "cli_out.h"

/* The widths of characters go by it. */
static int choose_locale(void **state) {
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

TEST_GROUP(choose_locale, NULL);

static const es_out_column columns[] = {
    {.key = "rank", .title = "rank", .brief = "#", .kind = ES_COLUMN_COUNT},
    {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
    {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "low", .title = "low", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
    {.key = "seen", .title = "interval", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "tie", .title = "tie", .kind = ES_COLUMN_FLAG},
};

static void fill(es_table_out *t) {
    es_table_out_count(t, 1);
    es_table_out_text(t, "e5,small_\"x\"|y");
    es_table_out_number(t, 0.1);
    es_table_out_number(t, -1.0 / 3.0);
    es_table_out_text(t, "0..1");
    es_table_out_flag(t, true);
    es_table_out_count(t, SIZE_MAX);
    es_table_out_text(t, "中中");
    es_table_out_number(t, -0.00001);
    es_table_out_number(t, (double)NAN);
    es_table_out_text(t, NULL);
    es_table_out_flag(t, false);
}

static void check_format(es_output_format format, size_t width, const char *expected) {
    es_table_out *t = es_table_out_new(columns, sizeof columns / sizeof *columns);
    es_buf *out = test_buf();
    fill(t);
    assert_int_equal(es_table_out_rows(t), 2);
    assert_ok(es_table_out_write(t, format, width, out, NULL));
    assert_string_equal(out->data, expected);
    es_table_out_free(t);
}

TEST(table__csv__is_exact_and_quoted) {
    check_format(ES_FORMAT_CSV, 0,
                 "rank,model,score,low,tie\n"
                 "1,\"e5,small_\"\"x\"\"|y\",0.1,-0.3333333333333333,true\n"
                 ",中中,-1e-05,,false\n");
}

TEST(table__text__aligns_wide_characters) {
    check_format(ES_FORMAT_TABLE, 0,
                 "#  model           score  interval  tie\n"
                 "1  e5,small_\"x\"|y  0.100  0..1      yes\n"
                 "-  中中            0.000  -          no\n");
}

TEST(table__text__is_cut_into_blocks) {
    check_format(ES_FORMAT_TABLE, 24,
                 "#  model         score\n"
                 "1  e5,sma..x\"|y  0.100\n"
                 "-  中中          0.000\n"
                 "\n"
                 "model         interval\n"
                 "e5,sma..x\"|y  0..1\n"
                 "中中          -\n"
                 "\n"
                 "model         tie\n"
                 "e5,sma..x\"|y  yes\n"
                 "中中           no\n");
}

/* Of names that begin alike what differs is shown, of rows and of headings. */
TEST(table__text__no_two_names_read_the_same) {
    static const es_out_column named[] = {
        {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
        {.key = "a",
         .title = "sentence-transformers_all-MiniLM-L6-v2",
         .kind = ES_COLUMN_NUMBER,
         .flags = ES_COLUMN_NAMED},
        {.key = "b",
         .title = "sentence-transformers_all-mpnet-base-v2",
         .kind = ES_COLUMN_NUMBER,
         .flags = ES_COLUMN_NAMED},
    };
    es_table_out *t = ES_TABLE_OUT(named);
    es_buf *out = test_buf();
    for (size_t i = 0; i < 2; i++) {
        es_table_out_text(t, named[1 + i].title);
        es_table_out_number(t, 1);
        es_table_out_number(t, 2);
    }
    assert_ok(es_table_out_write(t, ES_FORMAT_TABLE, 60, out, NULL));
    char *first = strchr(out->data, '\n') + 1, *second = strchr(first, '\n') + 1;
    assert_int_not_equal(strncmp(first, second, 20), 0);
    assert_lacks(out->data, "sentence-transformers_all-MiniLM-L6-v2");
    assert_contains(out->data, "mpnet");
    for (char *line = out->data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        assert_true(end - line <= 60);
    es_table_out_free(t);
}

/* Lines that fit stay, wider ones are broken between words and keep their indentation. */
TEST(caption__wrap__is_no_wider_than_the_terminal) {
    static const char text[] = "\n  two words\nthis line is wider\n  so is this\nend";
    for (size_t width = 0; width <= 12; width += 12) {
        es_buf *out = test_buf(), *lines = test_buf();
        es_buf_puts(lines, text);
        es_caption_wrap(out, lines, width);
        assert_string_equal(out->data,
                            width ? "\n  two words\nthis line is\nwider\n  so is this\nend" : text);
        assert_null(lines->data);
    }
}

TEST(table__md__escapes_and_aligns) {
    check_format(ES_FORMAT_MD, 0,
                 "| rank | model           | score | interval | tie |\n"
                 "| ---: | --------------- | ----: | -------- | --: |\n"
                 "|    1 | e5,small_\"x\"\\|y | 0.100 | 0..1     | yes |\n"
                 "|    - | 中中            | 0.000 | -        |  no |\n");
}

TEST(table__tex__is_booktabs) {
    check_format(ES_FORMAT_TEX, 0,
                 "\\sbox0{%\n"
                 "\\begin{tabular}{rlr@{.}llr}\n"
                 "\\toprule\n"
                 "\\# & model                                                & "
                 "\\multicolumn{2}{c}{score} & interval & tie \\\\\n"
                 "\\midrule\n"
                 " 1 & e5,small\\_\\textquotedbl{}x\\textquotedbl{}\\textbar{}y & "
                 "                    0&100 & 0..1     & yes \\\\\n"
                 "-- & \\ifdefined\\Umathcode 中中\\else[U+4E2D][U+4E2D]\\fi{}  & "
                 "                    0&000 & --       &  no \\\\\n"
                 "\\bottomrule\n"
                 "\\end{tabular}\n"
                 "\\unskip}\\noindent\n"
                 "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}"
                 "\\else\\usebox0\\fi\n");
}

/* Two numbers that bound an interval are one column in tex; what shows as 0 is never bold. */
TEST(table__tex__intervals_and_the_best) {
    static const es_out_column bounded[] = {
        {.key = "model", .title = "model", .flags = ES_COLUMN_KEY},
        {.key = "score", .title = "score", .kind = ES_COLUMN_NUMBER, .decimals = 2},
        {.key = "ci_low",
         .title = "low",
         .kind = ES_COLUMN_NUMBER,
         .decimals = 2,
         .flags = ES_COLUMN_LOW},
        {.key = "ci_high", .title = "high", .kind = ES_COLUMN_NUMBER, .decimals = 2},
        {.key = "points", .title = "points", .kind = ES_COLUMN_NUMBER, .decimals = 0},
    };
    static const double values[][3] = {{0.25, 0.125, 0.5}, {-0.001, -1, 1}, {NAN, NAN, NAN}};
    es_table_out *t = ES_TABLE_OUT(bounded);
    es_buf *out = test_buf();
    for (size_t i = 0; i < 3; i++) {
        es_table_out_text(t, "e5");
        es_table_out_number(t, values[i][0]);
        es_table_out_best(t);
        es_table_out_number(t, values[i][1]);
        es_table_out_number(t, values[i][2]);
        es_table_out_number(t, 15);
    }
    assert_ok(es_table_out_write(t, ES_FORMAT_TEX, 0, out, NULL));
    assert_contains(out->data, "\\begin{tabular}{lr@{.}lrr@{}l}");
    assert_contains(out->data, "95 \\% interval & \\multicolumn{2}{c}{points} \\\\");
    assert_contains(out->data, "\\textbf{0}&\\textbf{25} &  $[0.12, 0.50]$ & ");
    assert_contains(out->data, " 0&00 & $[-1.00, 1.00]$ & ");
    assert_contains(out->data, "\\multicolumn{2}{c}{--} &              -- & ");
    es_buf_clear(out);
    assert_ok(es_table_out_write(t, ES_FORMAT_CSV, 0, out, NULL));
    assert_contains(out->data, "model,score,ci_low,ci_high,points\ne5,0.25,0.125,0.5,15\n");
    assert_true(es_table_out_alike(0.1234, 0.1229, 3));
    assert_false(es_table_out_alike(0.1234, 0.1224, 3));
    assert_false(es_table_out_alike((double)NAN, (double)NAN, 3));
    es_table_out_free(t);
}

TEST(table__numbers__extremes) {
    static const es_out_column one[] = {
        {.key = "x", .title = "x", .kind = ES_COLUMN_NUMBER, .decimals = 1}};
    es_table_out *t = es_table_out_new(one, 1);
    es_buf *out = test_buf();
    es_table_out_number(t, -DBL_MAX);
    es_table_out_number(t, (double)INFINITY);
    es_table_out_number(t, 4.9406564584124654e-324);
    assert_ok(es_table_out_write(t, ES_FORMAT_CSV, 0, out, NULL));
    assert_string_equal(out->data, "x\n-1.7976931348623157e+308\n\n4.94065645841247e-324\n");
    assert_ok(es_table_out_write(t, ES_FORMAT_TEX, 0, out, NULL));
    es_table_out_free(t);
}

/* Of a column of any scale a small number is not shown as nothing. */
TEST(table__numbers__of_any_scale) {
    static const es_out_column one[] = {{.key = "x",
                                         .title = "x",
                                         .kind = ES_COLUMN_NUMBER,
                                         .decimals = 2,
                                         .flags = ES_COLUMN_SCALE}};
    es_table_out *t = es_table_out_new(one, 1);
    es_buf *out = test_buf();
    const double values[] = {5.04, 0, 0.005001, 0.004, 3e-13, 1234, 1.5e19};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        es_table_out_number(t, values[i]);
    assert_ok(es_table_out_write(t, ES_FORMAT_MD, 0, out, NULL));
    static const char *const shown[] = {" 5.04 |",    " 0.00 |",    " 0.01 |",    " 4.0e-03 |",
                                        " 3.0e-13 |", " 1234.00 |", " 1.50e+19 |"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        assert_contains(out->data, shown[i]);
    es_table_out_free(t);
}

TEST(table__empty__has_its_heading) {
    es_table_out *t = es_table_out_new(columns, 2);
    es_buf *out = test_buf();
    assert_ok(es_table_out_write(t, ES_FORMAT_TABLE, 10, out, NULL));
    assert_string_equal(out->data, "#  model\n");
    es_table_out_free(t);
}

TEST(table__fault__every_allocation) {
    for (int format = ES_FORMAT_TABLE; format <= ES_FORMAT_TEX; format++)
        for (long after = 0; after < 40; after++) {
            es_alloc_fail_after(after);
            es_table_out *t = es_table_out_new(columns, sizeof columns / sizeof *columns);
            if (t) {
                es_buf *out = test_buf();
                fill(t);
                es_status st = ES_OK;
                if (format != ES_FORMAT_JSON)
                    st = es_table_out_write(t, (es_output_format)format, 20, out, NULL);
                assert_true(st == ES_OK || st == ES_ENOMEM);
            }
            es_alloc_fail_after(-1);
            es_table_out_free(t);
        }
}
