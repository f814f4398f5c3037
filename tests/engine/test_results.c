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

static es_results *read_text(const char *text) {
    char path[SUPPORT_PATH];
    es_results *r = NULL;
    es_error err = {0};
    support_write_text(root, "m.csv", text);
    es_status st = es_results_read_csv(support_path(path, root, "m.csv"), &r, &err);
    if (st != ES_OK)
        print_error("%s\n", err.message);
    assert_int_equal(st, ES_OK);
    return r;
}

static void read_csv__matches__names_of_rows_and_columns(void **state) {
    (void)state;
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

static void read_csv__explains__bad_files(void **state) {
    (void)state;
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
        {",a,b\na,1,2\nb,3\n", "line 3"},
        {",a,b\na,1,2\n,3,4\n", "has no name"},
        {",a,b\n", "no matrix"},
        {",a\na,1\nb,2\nc,3\n", "\"b\" is a row but not a column"},
        {",c,a,b\na,1,2,3\n", "\"c\" is a column but not a row"},
        {"a\nb\n", "no matrix"},
        {"", "m.csv"},
        {",a\na,\"1\n", "m.csv"},
    };
    char path[SUPPORT_PATH];
    es_results *r = NULL;
    es_error err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_write_text(root, "m.csv", cases[i].text);
        es_status st = es_results_read_csv(support_path(path, root, "m.csv"), &r, &err);
        assert_int_equal(st, ES_EFORMAT);
        assert_null(r);
        if (!strstr(err.message, cases[i].part))
            fail_msg("\"%s\" does not contain \"%s\"", err.message, cases[i].part);
    }
    support_path(path, root, "none.csv");
    assert_int_equal(es_results_read_csv(path, &r, &err), ES_ENOTFOUND);
}

/* rows.csv in the place of a matrix: the square of its rows would be 80 GB. */
static void read_csv__refuses__a_long_table_at_once(void **state) {
    (void)state;
    enum { ROWS = 100000 };
    char path[SUPPORT_PATH], line[64];
    es_buf text = {0};
    es_results *r = NULL;
    es_error err = {0};
    es_buf_puts(&text, "id,length\n");
    for (int i = 0; i < ROWS; i++) {
        (void)snprintf(line, sizeof line, "r%d,%d\n", i, i);
        es_buf_puts(&text, line);
    }
    assert_int_equal(es_buf_check(&text, &err), ES_OK);
    support_write_text(root, "rows.csv", text.data);
    es_buf_free(&text);
    es_status st = es_results_read_csv(support_path(path, root, "rows.csv"), &r, &err);
    assert_int_equal(st, ES_EFORMAT);
    assert_non_null(strstr(err.message, "\"r0\" is a row but not a column"));
    assert_null(r);
}

static void read_csv__reports__every_failed_allocation(void **state) {
    (void)state;
    char path[SUPPORT_PATH];
    support_write_text(root, "m.csv", ",a,b\na,1,2\nb,3,4\n");
    support_path(path, root, "m.csv");
    es_status st = ES_ENOMEM;
    for (long k = 0; st != ES_OK; k++) {
        es_results *r = NULL;
        assert_true(k < 200);
        es_alloc_fail_after(k);
        st = es_results_read_csv(path, &r, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        es_results_free(r);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(results__new__refuses_what_memory_is_not_for),
        TEST(results__begin__unknown),
        TEST(put__one_row_decides__is_kept_until_the_pair_changes),
        TEST(put_and_fail__keep__counts_and_memory),
        TEST(put__refuses__what_would_mislead),
        TEST(read_csv__matches__names_of_rows_and_columns),
        TEST(read_csv__explains__bad_files),
        TEST(read_csv__refuses__a_long_table_at_once),
        TEST(read_csv__reports__every_failed_allocation),
    };
    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
