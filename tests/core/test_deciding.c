/* When one row decides what a pair scores. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "alloc.h"
#include "embedscope/compare.h"
#include "rng.h"

static double share_of(const float *pmi, size_t n, size_t *row) {
    double share = -1;
    assert_int_equal(es_row_decides(pmi, n, &share, row, NULL), ES_OK);
    return share;
}

static void row_decides__equal_rows__none(void **state) {
    (void)state;
    const float same[] = {0.5F, 0.5F, 0.5F};
    assert_true(share_of(same, 3, NULL) == 0);
    assert_true(share_of(same, 1, NULL) == 0);
    assert_true(share_of(same, 0, NULL) == 0);
}

static void row_decides__known_rows__by_hand(void **state) {
    (void)state;
    const float one[] = {1, 1, -200, 1, 1}, some[] = {0, 1, 2, 3, 10, -1, 2};
    size_t row = 99;
    assert_true(share_of(one, 5, &row) == 1);
    assert_int_equal(row, 2);
    /* around 2: 2, 1, 0, 1, 8, 3, 0 */
    assert_true(fabs(share_of(some, 7, &row) - 8 / 15.0) < 1e-12);
    assert_int_equal(row, 4);
}

/* Normal rows do not: the share falls with their number. A single wild one among them does. */
static void row_decides__threshold__parts_normal_rows_from_wild_ones(void **state) {
    (void)state;
    static const size_t rows[] = {60, 300, 1200};
    es_rng rng;
    es_rng_init(&rng, 3, 3);
    for (int k = 0; k < 3; k++)
        for (int draw = 0; draw < 50; draw++) {
            float pmi[1200];
            size_t row = 0, wild = es_rng_below(&rng, rows[k]);
            for (size_t i = 0; i < rows[k]; i++)
                pmi[i] = (float)(0.3 + 0.2 * es_rng_normal(&rng));
            assert_true(share_of(pmi, rows[k], NULL) < ES_ROW_DECIDES);
            pmi[wild] = -0.2F * (float)rows[k];
            assert_true(share_of(pmi, rows[k], &row) > ES_ROW_DECIDES);
            assert_int_equal(row, wild);
        }
}

static void row_decides__no_memory__is_reported(void **state) {
    (void)state;
    const float pmi[] = {1, 2, 3};
    double share = 7;
    es_alloc_fail_after(0);
    es_status st = es_row_decides(pmi, 3, &share, NULL, NULL);
    es_alloc_fail_after(-1);
    assert_int_equal(st, ES_ENOMEM);
    assert_true(share == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_decides__equal_rows__none),
        cmocka_unit_test(row_decides__known_rows__by_hand),
        cmocka_unit_test(row_decides__threshold__parts_normal_rows_from_wild_ones),
        cmocka_unit_test(row_decides__no_memory__is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
