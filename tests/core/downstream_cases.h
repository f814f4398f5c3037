/* The reference case of downstream scores: families, a score, six tasks. */
#ifndef ES_TEST_DOWNSTREAM_CASES_H
#define ES_TEST_DOWNSTREAM_CASES_H

#include "table.h"

enum { CASE_N = 14, CASE_TASKS = 6 };

typedef struct downstream_case {
    uint32_t family[CASE_N];
    double lead[CASE_N], task[CASE_TASKS * CASE_N], combined[CASE_N];
} downstream_case;

static inline downstream_case case_read(void) {
    downstream_case c;
    table t = table_read("downstream_scores.csv");
    assert_int_equal(t.rows, CASE_N);
    for (size_t i = 0; i < CASE_N; i++) {
        c.family[i] = (uint32_t)table_text(&t, i, 0)[0];
        c.lead[i] = table_number(&t, i, 1);
        for (size_t k = 0; k < CASE_TASKS; k++)
            c.task[k * CASE_N + i] = table_number(&t, i, k + 2);
        c.combined[i] = table_number(&t, i, CASE_TASKS + 2);
    }
    table_free(&t);
    return c;
}

static inline double case_expected(const char *name) {
    double value = (double)NAN;
    table t = table_read("downstream_expected.csv");
    for (size_t i = 0; i < t.rows; i++)
        if (strcmp(table_text(&t, i, 0), name) == 0)
            value = table_number(&t, i, 1);
    table_free(&t);
    assert_true(value == value);
    return value;
}

#endif
