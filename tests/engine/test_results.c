/* Matrices in memory and from a file. */
#include "support.h"

#include "alloc.h"
#include "buf.h"
#include "results.h"

static char root[SUPPORT_PATH];

static int set_up(void **state) {
    (void)state;
    support_temp_dir(root);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    support_remove(root);
    return 0;
}

static es_results *new_results(size_t m) {
    es_results *r = NULL;
    assert_int_equal(es_results_new(m, &r, NULL), ES_OK);
    return r;
}

static void results__new__refuses_what_memory_is_not_for(void **state) {
    (void)state;
    es_results *r = NULL;
    es_error err = {0};
    assert_int_equal(es_results_new(ES_RESULTS_MOST + 1, &r, &err), ES_EINVAL);
    assert_non_null(strstr(err.message, "4097 embedders are too many"));
    assert_int_equal(es_results_new(SIZE_MAX, &r, &err), ES_EINVAL);
    assert_null(r);
}

static void results__begin__unknown(void **state) {
    (void)state;
    es_results *r = new_results(3);
    for (size_t i = 0; i < 9; i++) {
        assert_true(isnan(r->is[i]) && isnan(r->se[i]) && isnan(r->h_cond[i]));
        assert_int_equal(r->state[i], ES_PAIR_PENDING);
    }
    assert_true(isnan(r->h[1]));
    assert_int_equal(r->done + r->failed, 0);
    es_results_free(r);
    es_results_free(NULL);
    es_results_free(new_results(0));
}

static void put__one_row_decides__is_kept_until_the_pair_changes(void **state) {
    (void)state;
    enum { N = 100 };
    double without;
    es_results *r = new_results(2);
    assert_true(es_results_decided(r, 0, 1, &without) == SIZE_MAX);
    for (int k = 0; k < 4; k++) { /* decided; not; decided; failed */
        es_pair_result a = {.is = 0.5, .n_eval = N, .pmi = es_alloc_zero(N, sizeof(float))};
        assert_non_null(a.pmi);
        for (int i = 0; i < N; i++)
            a.pmi[i] = (float)(i % 2);
        a.pmi[42] = k % 2 ? 0 : -12000;
        assert_int_equal(es_results_put(r, 0, 1, &a, 0, NULL), ES_OK);
        if (k == 3)
            assert_int_equal(es_results_fail(r, 0, 1, "spoiled", NULL), ES_OK);
        assert_true(es_results_decided(r, 0, 1, &without) == (k % 2 ? SIZE_MAX : 42));
        assert_true(k % 2 ? isnan(without) : fabs(without - 50.0 / 99) < 1e-9);
        assert_true(es_results_decided(r, 1, 0, &without) == SIZE_MAX);
    }
    es_pair_result bare = {.is = -115, .se = 117};
    assert_int_equal(es_results_put(r, 0, 1, &bare, 0, NULL), ES_OK);
    assert_true(es_results_decided(r, 0, 1, &without) == SIZE_MAX); /* rows are not known */
    es_results_free(r);
}

static void put_and_fail__keep__counts_and_memory(void **state) {
    (void)state;
    es_results *r = new_results(2);
    es_pair_result a = {.is = 1, .se = 2, .h = 3, .h_cond = 4, .n_eval = 5};
    a.pmi = es_alloc_zero(5, sizeof(float));
    assert_int_equal(es_results_put(r, 0, 1, &a, 0.5, NULL), ES_OK);
    assert_ptr_equal(r->pmi[1], a.pmi);
    assert_true(r->is[1] == 1.0 && r->se[1] == 2.0 && r->h[1] == 3.0 && r->h_cond[1] == 4.0);
    assert_true(r->seconds[1] == 0.5);
    assert_int_equal(r->n_eval, 5);
    assert_int_equal(r->done, 1);
    uint64_t revision = r->revision;

    assert_int_equal(es_results_fail(r, 1, 0, "no luck", NULL), ES_OK);
    assert_int_equal(r->failed, 1);
    assert_string_equal(r->reason[2], "no luck");
    assert_true(r->revision > revision);

    a.pmi = es_alloc_zero(5, sizeof(float));
    assert_int_equal(es_results_put(r, 0, 1, &a, 0.5, NULL), ES_OK); /* the older pmi is freed */
    assert_int_equal(r->done, 1);
    a.pmi = NULL;
    assert_int_equal(es_results_put(r, 1, 0, &a, 0.5, NULL), ES_OK);
    assert_int_equal(r->done, 2);
    assert_int_equal(r->failed, 0);
    assert_null(r->reason[2]);
    assert_int_equal(es_results_fail(r, 0, 1, "later", NULL), ES_OK);
    assert_true(isnan(r->is[1]));
    assert_null(r->pmi[1]);
    es_results_free(r);
}

static void put__refuses__what_would_mislead(void **state) {
    (void)state;
    es_results *r = new_results(2);
    float pmi[4] = {0};
    es_pair_result a = {.is = (double)NAN}, b = {.is = 1, .n_eval = 4, .pmi = pmi};
    r->n_eval = 5;
    assert_int_equal(es_results_put(r, 0, 1, &a, 0, NULL), ES_ENONFINITE);
    assert_int_equal(es_results_put(r, 0, 1, &b, 0, NULL), ES_EINVAL);
    assert_int_equal(r->state[1], ES_PAIR_PENDING);
    assert_null(r->pmi[1]);
    assert_int_equal(r->revision, 0);
    es_results_free(r);
}

static void copy_low__says__where_a_column_is_understated(void **state) {
    (void)state;
    es_results *r = new_results(2);
    es_pair_result low = {.is = 0.99}, high = {.is = 1.01};
    double is = 0;
    r->estimator = es_estimator_find("linear");
    assert_false(es_results_copy_low(r, 0, &is)); /* not known */
    assert_int_equal(es_results_put(r, 0, 0, &low, 0, NULL), ES_OK);
    assert_int_equal(es_results_put(r, 1, 1, &high, 0, NULL), ES_OK);
    assert_int_equal(es_results_put(r, 0, 1, &low, 0, NULL), ES_OK);
    assert_true(es_results_copy_low(r, 0, &is));
    assert_true(is == 0.99);
    assert_false(es_results_copy_low(r, 1, &is));
    r->preset = "shrunk"; /* says little of everything */
    assert_false(es_results_copy_low(r, 0, &is));
    r->preset = NULL;
    r->estimator = NULL; /* of a file: no unit is known */
    assert_false(es_results_copy_low(r, 0, &is));
    es_results_free(r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(results__new__refuses_what_memory_is_not_for),
        TEST(results__begin__unknown),
        TEST(put__one_row_decides__is_kept_until_the_pair_changes),
        TEST(put_and_fail__keep__counts_and_memory),
        TEST(copy_low__says__where_a_column_is_understated),
        TEST(put__refuses__what_would_mislead),
    };
    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
