/* Reads tests/reference/methods: float32 and integer .npy files, labels, and the tables of expected
 * values ("key,value"). */
#ifndef ES_TEST_METHODS_H
#define ES_TEST_METHODS_H

#include "matrices.h"

static inline char *methods_bytes(const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/reference/methods/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    char *bytes = calloc(1, (1 << 18) + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 18, file);
    fclose(file);
    return bytes;
}

/* '<f4', '<i4' and '|u1' in C order are what is there. */
static inline es_matrix methods_npy(const char *name) {
    size_t size = 0;
    char *bytes = methods_bytes(name, &size), *header = bytes + 10;
    char *shape = strstr(header, "'shape': (");
    size_t n = 0, d = 0,
           start = 10 + (size_t)(unsigned char)bytes[8] + 256 * (size_t)(unsigned char)bytes[9];
    assert_non_null(shape);
    n = strtoul(shape + strlen("'shape': ("), &shape, 10);
    d = strtoul(shape + 1, NULL, 10);
    bool is_f4 = strstr(header, "<f4") != NULL, is_u1 = strstr(header, "|u1") != NULL;
    es_matrix m = matrix_kept(n, d);
    assert_int_equal(size, start + n * d * (is_u1 ? 1U : 4U));
    for (size_t i = 0; i < n * d; i++) {
        float f = 0;
        int32_t whole = 0;
        memcpy(&f, bytes + start + (is_u1 ? i : 4 * i), is_u1 ? 1U : 4U);
        memcpy(&whole, &f, sizeof whole);
        m.x[i] = is_f4 ? (double)f : is_u1 ? (double)(unsigned char)bytes[start + i] : whole;
    }
    free(bytes);
    return m;
}

/* Column `column` of a csv with a header; returns how many rows there are (at most capacity). */
static inline size_t methods_csv(const char *name, size_t column, double *out, size_t capacity) {
    size_t size = 0, rows = 0;
    char *bytes = methods_bytes(name, &size);
    for (char *line = strchr(bytes, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        char *cell = line + 1;
        for (size_t c = 0; c < column; c++)
            cell = strchr(cell, ',') + 1;
        assert_true(rows < capacity);
        out[rows++] = strtod(cell, NULL);
    }
    free(bytes);
    return rows;
}

/* The value of a key in expected.csv or independent.csv; fails when there is none. */
static inline double methods_value(const char *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline double methods_value(const char *table, const char *format, ...) {
    char key[256];
    va_list list;
    va_start(list, format);
    vsnprintf(key, sizeof key, format, list);
    va_end(list);
    size_t size = 0, length = strlen(key);
    char *bytes = methods_bytes(table, &size);
    for (char *line = bytes; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == ',') {
            double value = strtod(line + length + 1, NULL);
            free(bytes);
            return value;
        }
    }
    fail_msg("%s has no key '%s'", table, key);
    return NAN;
}

#define expected(...) methods_value("expected.csv", __VA_ARGS__)
#define independent(...) methods_value("independent.csv", __VA_ARGS__)

static inline void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance * (1 + fabs(b))))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

#endif
