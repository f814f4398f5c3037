/* A finished matrix from files: names of rows and columns, blocks of rows in either layout,
 * families, and what is said of bad files. */
#include <unistd.h>

#include "engine_results.h"
#include "refuse.h"

#include "rooted.h"

static es_status read_file(const char *path, es_results **out, es_error *err) {
    const es_matrix_files files = {.matrix = path};
    return es_matrix_files_read(&files, out, err);
}

/* ---- The values ---- */

static es_results *read_text(const char *text) {
    es_results *r = NULL;
    support_write_text(root, "m.csv", text);
    es_status st = read_file(support_in(root, "m.csv"), &r, test_err());
    if (st != ES_OK)
        print_error("%s\n", test_message());
    assert_ok(st);
    return r;
}

TEST(matrix__matches__names_of_rows_and_columns) {
    es_results *r = read_text(",b,\"a, quoted\",c\n\"a, quoted\",1,,3e-5\nb,4,5,6\nc,7,8,-9\n");
    assert_int_equal(r->m, 3);
    assert_string_equal(r->name[0], "a, quoted");
    assert_string_equal(r->name[1], "b");
    size_t a = es_results_find(r, "a, quoted"), b = es_results_find(r, "b");
    assert_int_equal(es_results_find(r, "z"), SIZE_MAX);
    assert_true(r->is[a * 3 + b] == 1.0);
    assert_true(isnan(r->is[a * 3 + a]));
    assert_int_equal(r->state[a * 3 + a], ES_PAIR_PENDING);
    assert_true(r->is[b * 3 + a] == 5.0);
    assert_true(r->is[2 * 3 + 2] == -9.0);
    assert_int_equal(r->done, 8);
    assert_null(r->estimator);
    es_results_free(r);
}

/* An index or a rank before the sources, columns at the end that hold nothing, and markup around
 * names are no part of the matrix; a source that is called as an index is. */
TEST(matrix__index_and_markup__are_skipped) {
    static const struct {
        const char *text, *name[2];
    } same[] = {
        {",source,b,a\n0,a,1,2\n1,b,3,4\n", {"a", "b"}},
        {",model,b,a\n0,a,1,2\n1,b,3,4\n", {"a", "b"}},
        {",,b,a\n0,a,1,2\n1,b,3,4\n", {"a", "b"}},
        {"Unnamed: 0,name,b,a\n0,a,1,2\n1,b,3,4\n", {"a", "b"}},
        {"#;Model;b;a\n1;a;1;2\n2;b;3;4\n", {"a", "b"}},
        {"Rank,Model,b,a\n7,a,1,2\n3,b,3,4\n", {"a", "b"}},
        {",source,0,1\n0,1,1,2\n1,0,3,4\n", {"1", "0"}},
        {"source,b,a,,\na,1,2,,\nb,3,4,,\n", {"a", "b"}},
        {",source,b,a,\n0,a,1,2,\n1,b,3,4,\n", {"a", "b"}},
        {"source,**b**,[a](https://x.org)\n<b>a</b>,1,2\n`b`,3,4\n", {"a", "b"}},
        {"source,b,a\na,**1**,2 ± 0.1\nb,3*,4 (0.2)\n", {"a", "b"}},
        {",model,a\na,1,2\nmodel,3,4\n", {"a", "model"}},
        {",0,1\n1,1,2\n0,3,4\n", {"1", "0"}},
    };
    static const struct {
        const char *text, *part;
    } bad[] = {
        {",source\n0,a\n", "no matrix: the first line names the targets"},
        {",,\n,,\n", "no matrix: the first line names the targets"},
        {"source,b,a,\na,1,2,\nb,3,4,5\n", "line 1: column 4 has no name"},
        {"source,b,,a\na,1,,2\nb,3,,4\n", "line 1: column 3 has no name"},
        {"Rank,Model,b,\n1,b,1,2\n", "line 1: column 4 has no name"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        es_results *r = read_text(same[i].text);
        assert_int_equal(r->m, 2);
        for (size_t k = 0; k < 2; k++)
            assert_string_equal(r->name[k], same[i].name[k]);
        assert_true(r->is[0] == 2 && r->is[1] == 1 && r->is[2] == 4 && r->is[3] == 3);
        es_results_free(r);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        es_results *none = NULL;
        support_write_text(root, "m.csv", bad[i].text);
        assert_int_equal(read_file(support_in(root, "m.csv"), &none, test_err()), ES_EFORMAT);
        if (!strstr(test_message(), bad[i].part))
            fail_msg("\"%s\" does not contain \"%s\"", test_message(), bad[i].part);
    }
}

/* As R and spreadsheets write them where numbers have a decimal comma; a name that has semicolons
 * makes no such file. */
TEST(matrix__semicolons_and_tabs__part_cells) {
    static const char *const texts[] = {
        "source;b;\"a, quoted\"\n\"a, quoted\";1,25;\nb;4;-0,5\n",
        "\xEF\xBB\xBF\"source\";\"b\";\"a, quoted\"\r\n\"a, quoted\";1.25;\r\n\"b\";4;-5e-1\r\n",
        ";b;\"a, quoted\"\n\"a, quoted\";1.25;\nb;4;-0,5\n",
        "source\tb\t\"a, quoted\"\n\"a, quoted\"\t1,25\t\nb\t4\t-0.5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        es_results *r = read_text(texts[i]);
        assert_int_equal(r->m, 2);
        assert_string_equal(r->name[0], "a, quoted");
        assert_true(isnan(r->is[0]) && r->is[1] == 1.25 && r->is[2] == -0.5 && r->is[3] == 4);
        es_results_free(r);
    }
    /* R's write.table does not head the column of row names */
    es_results *r = read_text("\"b\"\t\"a\"\n\"a\"\t1\t2\n\"b\"\t3\t4\n");
    assert_string_equal(r->name[0], "a");
    assert_true(r->is[0] == 2 && r->is[1] == 1 && r->is[2] == 4 && r->is[3] == 3);
    es_results_free(r);
    r = read_text("source,b,a\na,1,NA\nb,\xE2\x80\x94,4\n"); /* words and dashes for no value */
    assert_true(isnan(r->is[0]) && r->is[1] == 1 && isnan(r->is[3]));
    es_results_free(r);
    r = read_text("source,b;x,a;y\na;y,1,2\nb;x,3,4\n");
    assert_string_equal(r->name[0], "a;y");
    assert_true(r->is[1] == 1 && r->is[0] == 2);
    es_results_free(r);
}

TEST(matrix__explains__bad_files) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {",a,b\na,1,2\nc,3,4\n", "\"c\" is a row but not a column"},
        {",a,b,c\na,1,2,3\nb,3,4,5\n", "\"c\" is a column but not a row"},
        {",a,b\na,1,2\na,3,4\n", "line 3: two rows are called \"a\""},
        {",a,a\na,1,2\nb,3,4\n", "line 1: two columns are called \"a\""},
        {",a,b\na,1,x\nb,3,4\n", "line 2"},
        {",a,b\na,1,2\nb,inf,4\n", "line 3, column 2"},
        {",a,b\na,1,nan\nb,3,4\n", "line 2, column 3"},
        {",a,b\na,1,83 %\nb,3,4\n", "line 2, column 3"},
        {",a,b\na,1,2 3\nb,3,4\n", "line 2, column 3"},
        {",a,b\na,1,2\nb,3\n", "line 3"},
        {",a,b\na,1,2\n,3,4\n", "line 3: row 3 has no name"},
        {",,b\na,1,2\nb,3,4\n", "line 1: column 2 has no name"},
        {",a,b\n", "no matrix"},
        {",a\na,1\nb,2\nc,3\n", "\"b\" is a row but not a column"},
        {",c,a,b\na,1,2,3\n", "\"c\" is a column but not a row"},
        {"a\nb\n", "no matrix"},
        {"", "m.csv"},
        {",a\na,\"1\n", "m.csv"},
        {"source,target,is\na,b,1\nb,a,2\n", "is a line a pair; --matrix takes a csv file"},
        {" {\"is\": [[1, 2], [3, 4]]}\n", "is JSON; --matrix takes"},
        {"{\n \"a\": 1\n}\n", "`embedscope matrix POOL --csv -o FILE.csv` writes one"},
    };
    char path[SUPPORT_PATH];
    es_results *r = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_write_text(root, "m.csv", cases[i].text);
        es_status st = read_file(support_path(path, root, "m.csv"), &r, test_err());
        assert_int_equal(st, ES_EFORMAT);
        assert_null(r);
        if (!strstr(test_message(), cases[i].part))
            fail_msg("\"%s\" does not contain \"%s\"", test_message(), cases[i].part);
    }
    support_path(path, root, "none.csv");
    assert_int_equal(read_file(path, &r, test_err()), ES_ENOTFOUND);
    support_write_random_npy(root, "m.npy", 1, 3, 3);
    assert_error(read_file(support_path(path, root, "m.npy"), &r, test_err()), ES_EUNSUPPORTED,
                 "is a NumPy array; --matrix takes");
}

/* Columns in another order than rows, gaps among them. */
TEST(matrix__columns_in_any_order__take_their_gaps_along) {
    es_results *r = read_text(",c,a,b\na,1,,2\nb,,3,\nc,4,5,6\n");
    static const double expected[] = {NAN, 2, 1, 3, NAN, NAN, 5, 6, 4};
    assert_int_equal(r->m, 3);
    assert_int_equal(r->done, 6);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(r->state[i], isnan(expected[i]) ? ES_PAIR_PENDING : ES_PAIR_DONE);
        assert_true(isnan(expected[i]) ? isnan(r->is[i]) : r->is[i] == expected[i]);
        assert_true(isnan(r->se[i]) && isnan(r->seconds[i]) && isnan(r->h_cond[i]));
    }
    es_results_free(r);
}

/* A table of very many columns is none either, and is told so by its header. */
TEST(matrix__refuses__very_many_columns_at_once) {
    es_buf *text = test_buf();
    es_results *r = NULL;
    for (int i = 0; i < 300000; i++)
        es_buf_puts(text, ",x");
    es_buf_puts(text, "\n");
    assert_ok(es_buf_check(text, test_err()));
    support_write_text(root, "wide.csv", text->data);
    assert_error(read_file(support_in(root, "wide.csv"), &r, test_err()), ES_EINVAL,
                 "300000 embedders are too many for one matrix");
    assert_null(r);
}

/* rows.csv in the place of a matrix: the square of its rows would be 80 GB. */
TEST(matrix__refuses__a_long_table_at_once) {
    enum { ROWS = 100000 };
    char path[SUPPORT_PATH], line[64];
    es_buf *text = test_buf();
    es_results *r = NULL;
    es_buf_puts(text, "id,length\n");
    for (int i = 0; i < ROWS; i++) {
        (void)snprintf(line, sizeof line, "r%d,%d\n", i, i);
        es_buf_puts(text, line);
    }
    assert_ok(es_buf_check(text, test_err()));
    support_write_text(root, "rows.csv", text->data);
    es_status st = read_file(support_path(path, root, "rows.csv"), &r, test_err());
    assert_int_equal(st, ES_EFORMAT);
    assert_contains(test_message(), "\"r0\" is a row but not a column");
    assert_null(r);
}

TEST(matrix__reports__every_failed_allocation) {
    char path[SUPPORT_PATH];
    support_write_text(root, "m.csv", ",a,b\na,1,2\nb,3,4\n");
    support_path(path, root, "m.csv");
    es_status st = ES_ENOMEM;
    for (long k = 0; st != ES_OK; k++) {
        es_results *r = NULL;
        assert_true(k < 200);
        es_alloc_fail_after(k);
        st = read_file(path, &r, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        es_results_free(r);
    }
}

/* ---- Blocks and families ---- */

enum { M = 3, BLOCKS = 4 };
static const char text[] = ",c,a,b\na,9,,3\nb,1,5,6\nc,7,8,-9\n";

/* What the file says of source s, column c: its value, with blocks that differ by 0.1. */
static double block_value(size_t s, size_t c, size_t h) {
    static const double is[M][M] = {{9, 0, 3}, {1, 5, 6}, {7, 8, -9}};
    return is[s][c] + 0.1 * ((double)h - (BLOCKS - 1) / 2.0);
}

static void write_cube(const char *name, const size_t shape[3], const char *order,
                       const double *value) {
    char path[SUPPORT_PATH], header[119];
    int n = snprintf(header, sizeof header,
                     "{'descr': '<f8', 'fortran_order': %s, 'shape': (%zu, %zu, %zu), }", order,
                     shape[0], shape[1], shape[2]);
    memset(header + n, ' ', sizeof header - 1 - (size_t)n);
    header[sizeof header - 1] = 0;
    FILE *file = fopen(support_path(path, root, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file), 10);
    assert_int_equal(fwrite(header, 1, sizeof header - 1, file), sizeof header - 1);
    size_t count = shape[0] * shape[1] * shape[2];
    assert_int_equal(fwrite(value, sizeof *value, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void fill(double *value, size_t blocks, bool first) {
    for (size_t cell = 0; cell < (size_t)M * M; cell++)
        for (size_t h = 0; h < blocks; h++)
            value[first ? h * M * M + cell : cell * blocks + h] =
                block_value(cell / M, cell % M, h);
}

static es_status read_all(const char *blocks, const char *families, es_results **out,
                          es_error *err) {
    char path[3][SUPPORT_PATH];
    support_write_text(root, "m.csv", text);
    const es_matrix_files files = {.matrix = support_path(path[0], root, "m.csv"),
                                   .blocks = blocks ? support_path(path[1], root, blocks) : NULL,
                                   .families =
                                       families ? support_path(path[2], root, families) : NULL};
    return es_matrix_files_read(&files, out, err);
}

static void require_blocks(const char *file) {
    es_results *r = NULL;
    assert_ok(read_all(file, NULL, &r, test_err()));
    assert_int_equal(r->n_eval, BLOCKS);
    static const char *const column[] = {"c", "a", "b"};
    for (size_t s = 0; s < M; s++)
        for (size_t c = 0; c < M; c++) {
            const float *pmi = r->pmi[s * M + es_results_find(r, column[c])];
            assert_true((pmi == NULL) == (s == 0 && c == 1)); /* an empty cell has none */
            for (size_t h = 0; h < BLOCKS && pmi; h++)
                assert_float_equal(pmi[h], block_value(s, c, h), 1e-6);
        }
    es_results_free(r);
}

TEST(blocks__either_layout__follow_the_names) {
    double value[BLOCKS * M * M];
    fill(value, BLOCKS, true);
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "False", value);
    require_blocks("h.npy");
    fill(value, BLOCKS, false);
    write_cube("h.npy", (size_t[]){M, M, BLOCKS}, "False", value);
    require_blocks("h.npy");
}

TEST(blocks__memory__is_missed_at_each_request) {
    double value[BLOCKS * M * M];
    fill(value, BLOCKS, true);
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "False", value);
    bool met = true;
    for (long k = 0; met; k++) {
        es_results *r = NULL;
        refuse_one(k);
        es_status st = read_all("h.npy", NULL, &r, NULL);
        met = refuse_end();
        assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
        assert_true((r == NULL) == met);
        es_results_free(r);
    }
}

/* Means tell the layouts of a cube apart. */
TEST(blocks__as_many_as_embedders__are_told_by_their_means) {
    for (int first = 0; first < 2; first++) {
        double value[M * M * M];
        for (size_t cell = 0; cell < (size_t)M * M; cell++)
            for (size_t h = 0; h < M; h++)
                value[first ? h * M * M + cell : cell * M + h] =
                    block_value(cell / M, cell % M, h) + 0.05;
        write_cube("h.npy", (size_t[]){M, M, M}, "False", value);
        es_results *r = NULL;
        assert_ok(read_all("h.npy", NULL, &r, test_err()));
        assert_float_equal(r->pmi[0 * M + es_results_find(r, "b")][2], 3.1, 1e-6);
        es_results_free(r);
    }
}

static void require_refused(const char *blocks, const char *families, const char *part) {
    es_results *r = NULL;
    assert_int_not_equal(read_all(blocks, families, &r, test_err()), ES_OK);
    assert_null(r);
    assert_contains(test_message(), part);
}

/* Their mean is the value, but no float holds them. */
TEST(blocks__beyond_what_is_compared__are_refused) {
    static const double of_first[BLOCKS] = {1e39, -1e39, 18, 18};
    double value[BLOCKS * M * M];
    fill(value, BLOCKS, false);
    memcpy(value, of_first, sizeof of_first);
    write_cube("h.npy", (size_t[]){M, M, BLOCKS}, "False", value);
    require_refused("h.npy", NULL, "block 1 of a -> c: 1e+39 is beyond 1e+30");
}

TEST(blocks__of_another_matrix__are_refused) {
    double value[BLOCKS * M * M];
    fill(value, BLOCKS, true);
    value[2 * M * M + 5] += 0.01; /* b -> b */
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "False", value);
    require_refused("h.npy", NULL, "h.npy: the mean over the blocks of b -> b is not the value");
    write_cube("h.npy", (size_t[]){6, 2, M}, "False", value);
    require_refused("h.npy", NULL, "6 x 2 x 3, expected two blocks of rows or more for 3 x 3");
    write_cube("h.npy", (size_t[]){1, M, M}, "False", value);
    require_refused("h.npy", NULL, "two blocks");
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "True", value);
    require_refused("h.npy", NULL, "np.ascontiguousarray");
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "False", value);
    assert_int_equal(truncate(support_in(root, "h.npy"), 200), 0);
    require_refused("h.npy", NULL, "h.npy");
    value[0] = (double)NAN;
    write_cube("h.npy", (size_t[]){BLOCKS, M, M}, "False", value);
    require_refused("h.npy", NULL, "a -> c");
    support_write_text(root, "h.npy", "no array\n");
    require_refused("h.npy", NULL, "h.npy");
    require_refused("none.npy", NULL, "none.npy");
}

TEST(families__belong_to__names_of_the_matrix) {
    es_results *r = NULL;
    support_write_text(root, "f.csv", "model,family\nb,one\na,one\nc,\n");
    assert_ok(read_all(NULL, "f.csv", &r, test_err()));
    assert_string_equal(r->family[0], "one");
    assert_string_equal(r->family[1], "one");
    assert_null(r->family[2]);
    es_results_free(r);
    support_write_text(root, "f.csv", "model,family\nb,one\nz,one\n");
    require_refused(NULL, "f.csv", "line 3: \"z\" is not in the matrix");
    support_write_text(root, "f.csv", "model,family\nb,one\nb,two\n");
    require_refused(NULL, "f.csv", "line 3: \"b\" is there twice");
    support_write_text(root, "f.csv", "b\n");
    require_refused(NULL, "f.csv", "line 1: no column \"model\"");
}
