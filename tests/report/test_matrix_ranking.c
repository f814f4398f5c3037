/* A ranking of a matrix from files, with hands of rows and families, against an independent NumPy
 * implementation (tests/reference/ranking): differences, errors, separations, sets and ranks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "embedscope/session.h"
#include "rank_report.h"

#include "support.h"

enum { MOST = 12, HANDS_MOST = 128 };

typedef struct one_case {
    const char *name;
    size_t m, hands;
} one_case;

static const one_case cases[] = {{"clear", 8, 64}, {"close", 8, 64}, {"square12", 12, 128}};

static FILE *open_reference(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/reference/ranking/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    return file;
}

/* "case,a,b,c": what stands behind the prefix as numbers. */
static bool next_line(FILE *file, const char *prefix, double *number, size_t count) {
    char line[512];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        char *at = line + strlen(prefix);
        for (size_t i = 0; i < count; i++) {
            number[i] = strtod(at, &at);
            at += *at == ',';
        }
        return true;
    }
    return false;
}

static void write_matrix(const char *root, const one_case *c) {
    double is[MOST][MOST], v[4];
    size_t family[MOST];
    char prefix[32], path[SUPPORT_PATH];
    snprintf(prefix, sizeof prefix, "%s,", c->name);
    FILE *file = open_reference("cells.csv");
    while (next_line(file, prefix, v, 4)) {
        is[(size_t)v[0]][(size_t)v[1]] = v[3];
        family[(size_t)v[1]] = (size_t)v[2];
    }
    fclose(file);
    file = fopen(support_path(path, root, "m.csv"), "w");
    assert_non_null(file);
    for (size_t i = 0; i < c->m; i++)
        fprintf(file, ",e%02zu", i);
    for (size_t i = 0; i < c->m; i++) {
        fprintf(file, "\ne%02zu", i);
        for (size_t j = 0; j < c->m; j++)
            fprintf(file, ",%.17g", is[i][j]);
    }
    fclose(file);
    file = fopen(support_path(path, root, "f.csv"), "w");
    assert_non_null(file);
    fputs("model,family\n", file);
    for (size_t i = 0; i < c->m; i++)
        fprintf(file, "e%02zu,f%zu\n", i, family[i]);
    fclose(file);
}

/* The reference has (m * m, hands); here it becomes (m, m, hands). */
static void write_hands(const char *root, const one_case *c) {
    static double value[MOST * MOST * HANDS_MOST];
    size_t count = c->m * c->m * c->hands;
    char name[64], path[SUPPORT_PATH], header[119];
    snprintf(name, sizeof name, "%s_hands.npy", c->name);
    FILE *file = open_reference(name);
    assert_int_equal(fseek(file, -(long)(count * sizeof *value), SEEK_END), 0);
    assert_int_equal(fread(value, sizeof *value, count, file), count);
    fclose(file);
    int n = snprintf(header, sizeof header,
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu, %zu), }", c->m,
                     c->m, c->hands);
    memset(header + n, ' ', sizeof header - (size_t)n);
    file = fopen(support_path(path, root, "h.npy"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file), 10);
    assert_int_equal(fwrite(header, 1, sizeof header - 1, file), sizeof header - 1);
    assert_int_equal(fwrite(value, sizeof *value, count, file), count);
    fclose(file);
}

static void require_pairs(const one_case *c, const es_decision *d, es_scope scope) {
    char prefix[64];
    double v[6];
    size_t seen = 0;
    snprintf(prefix, sizeof prefix, "%s,%s,balanced,", c->name,
             scope == ES_SCOPE_NEW ? "new" : "these");
    FILE *file = open_reference("pairs.csv");
    for (; next_line(file, prefix, v, 6); seen++) {
        size_t a = (size_t)v[0], b = (size_t)v[1], cell = a * c->m + b;
        if (a == b)
            continue;
        double variance = d->var_rows[cell] + (scope == ES_SCOPE_NEW ? d->var_families[cell] : 0);
        assert_true(fabs(d->delta[cell] - v[2]) < 1e-9);
        assert_true(fabs(sqrt(variance) - v[3]) < 1e-9);
        assert_int_equal(d->separated[scope][cell], v[5] != 0);
    }
    fclose(file);
    assert_int_equal(seen, c->m * c->m);
}

/* Random draws: an embedder at the edge of the set may be in it or not, ranks by one place. */
static void require_ranks(const one_case *c, const es_decision *d) {
    char prefix[64];
    double v[5];
    size_t differ = 0;
    snprintf(prefix, sizeof prefix, "%s,new,balanced,", c->name);
    FILE *file = open_reference("ranks.csv");
    while (next_line(file, prefix, v, 5)) {
        size_t a = (size_t)v[1];
        assert_true(fabs(d->nu[ES_SCOPE_NEW] - v[0]) < 1e-9);
        differ += d->best[a] != (v[2] != 0);
        assert_true(fabs((double)d->rank_low[a] - v[3]) <= 1);
        assert_true(fabs((double)d->rank_high[a] - v[4]) <= 1);
    }
    fclose(file);
    assert_true(differ <= 1);
}

static void matrix__with_hands_and_families__decides_as_the_reference(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const one_case *c = &cases[k];
        char root[SUPPORT_PATH], path[3][SUPPORT_PATH];
        support_temp_dir(root);
        write_matrix(root, c);
        write_hands(root, c);
        const es_matrix_files files = {.matrix = support_path(path[0], root, "m.csv"),
                                       .hands = support_path(path[1], root, "h.npy"),
                                       .families = support_path(path[2], root, "f.csv")};
        const es_rank_choices how = {.with_intervals = true};
        es_session *session = NULL;
        es_rank_report *report = NULL;
        es_error err = {0};
        if (es_session_open_matrix(&files, &session, &err) != ES_OK ||
            es_rank_report_of(session, &how, &report, &err) != ES_OK)
            fail_msg("%s", err.message);
        assert_int_equal(report->decision->hands, c->hands);
        assert_int_equal(report->decision->scope, ES_SCOPE_NEW);
        require_pairs(c, report->decision, ES_SCOPE_HERE);
        require_pairs(c, report->decision, ES_SCOPE_NEW);
        require_ranks(c, report->decision);
        es_rank_report_free(report);
        es_session_close(session);
        support_remove(root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix__with_hands_and_families__decides_as_the_reference),
    };
    return cmocka_run_group_tests_name("matrix ranking", tests, NULL, NULL);
}
