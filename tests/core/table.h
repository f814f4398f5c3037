/* Reads the plain csv files of tests/reference/analysis (no quotes), and the text matrix. */
#ifndef ES_TEST_TABLE_H
#define ES_TEST_TABLE_H

#include "testing.h"

enum { TABLE_CELLS = 32, NLP = 20 };

typedef struct table {
    char *text;
    size_t rows; /* without the header */
    size_t columns;
    char *(*cell)[TABLE_CELLS]; /* [row][column], row 0 = header */
} table;

static inline void table_free(table *t) {
    free(t->text);
    free((void *)t->cell);
}

static inline table table_read(const char *name) {
    char path[512];
    table t = {0};
    snprintf(path, sizeof path, "%s/reference/analysis/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    t.text = calloc(1, 1 << 20);
    t.cell = calloc(1000, sizeof *t.cell);
    assert_non_null(t.text);
    assert_non_null(t.cell);
    assert_true(fread(t.text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    size_t lines = 0;
    for (char *line = t.text; *line;) {
        char *end = line + strcspn(line, "\r\n"), *next = end + strspn(end, "\r\n");
        *end = '\0';
        t.columns = 0;
        for (char *c = line;; c++) {
            t.cell[lines][t.columns++] = c;
            assert_true(t.columns < TABLE_CELLS);
            c += strcspn(c, ",");
            if (!*c)
                break;
            *c = '\0';
        }
        lines++;
        assert_true(lines < 1000);
        line = next;
    }
    t.rows = lines - 1;
    return t;
}

/* NaN for an empty cell. */
static inline double table_number(const table *t, size_t row, size_t column) {
    const char *c = t->cell[row + 1][column];
    return *c ? strtod(c, NULL) : (double)NAN;
}

static inline const char *table_text(const table *t, size_t row, size_t column) {
    return t->cell[row + 1][column];
}

/* The 20 x 20 matrix of text embedders: is (20, 20). */
static inline void table_matrix(double *is) {
    table t = table_read("nlp_is_square20.csv");
    assert_int_equal(t.rows, NLP);
    for (size_t i = 0; i < NLP; i++)
        for (size_t j = 0; j < NLP; j++)
            is[i * NLP + j] = table_number(&t, i, j + 1);
    table_free(&t);
}

static inline void assert_close(double a, double b, double tolerance) {
    if (isnan(a) && isnan(b))
        return;
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

#endif
