/* `embedscope rank` and `correlate` of several pools: one quality in all, embedders that are
 * missing, a data set of noise, what cannot be put together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "program.h"

enum { MODELS = 6 };
static const char *const names[MODELS] = {"a", "b", "c", "d", "e", "f"};
static const double noise[MODELS] = {0.05, 0.9, 1.8, 3, 6, 14};

static void estimate(const char *pool) {
    run_result r = RUN("estimate", pool, "--estimator", "linear", "--preset", "shrunk", "-q");
    expect_code(&r, 0);
    free_run(&r);
}

/* The noisier, the less can be simulated from it. */
static void make_set(const char *pool, size_t rows, size_t from, double more) {
    assert_int_equal(mkdir(pool, 0700), 0);
    for (size_t i = from; i < MODELS; i++)
        add_model(pool, names[i], rows, 8, rows + i, noise[i] + more);
    estimate(pool);
}

static es_json_value nth(const es_json_value *list, size_t n) {
    es_json_value v = es_json_first(list);
    while (n-- > 0)
        v = es_json_next(&v);
    return v;
}

static void require_order(const char *json, const char *order) {
    es_json_doc *doc = parse_json(json);
    es_json_value root = es_json_root(doc), list = member(&root, "ranking", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), strlen(order));
    for (size_t k = 0; order[k]; k++) {
        es_json_value row = nth(&list, k);
        const char expected[] = {order[k], '\0'};
        assert_string_equal(text_of(&row, "model"), expected);
    }
    es_json_free(doc);
}

static void rank__several_pools__are_one_ranking(void **state) {
    (void)state;
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    make_set("three", 380, 0, 0);
    run_result r = RUN("rank", "one", "two", "three", "--json");
    expect_code(&r, 0);
    check_json_tool(r.out);
    require_order(r.out, "abcdef");
    es_json_doc *doc = parse_json(r.out);
    es_json_value root = es_json_root(doc), list = member(&root, "ranking", ES_JSON_ARRAY);
    es_json_value first = nth(&list, 0), line = member(&root, "bottom_line", ES_JSON_OBJECT);
    assert_true(number_of(&first, "in") == 3);
    assert_true(number_of(&first, "ci_low") <= number_of(&first, "share"));
    assert_string_equal(text_of(&line, "best"), "a");
    assert_non_null(strstr(text_of(&line, "sentence"), "nothing can be said: that takes 5."));
    list = member(&root, "data_sets", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 3);
    es_json_free(doc);
    free_run(&r);
    r = RUN("rank", "one", "two", "three");
    expect_code(&r, 0);
    assert_non_null(strstr(r.out, "Over 3 data sets "));
    assert_non_null(strstr(r.out, " % of the others"));
    assert_non_null(strstr(r.out, "  one "));
    free_run(&r);
}

/* Those that are left do not rise where the better ones are missing. */
static void rank__missing_in_one__changes_no_order(void **state) {
    (void)state;
    make_set("one", 300, 0, 0);
    make_set("two", 340, 3, 0);
    run_result r = RUN("rank", "one", "two", "--json");
    expect_code(&r, 0);
    require_order(r.out, "abcdef");
    free_run(&r);
}

static void rank__a_set_of_noise__does_not_move_the_bottom_line(void **state) {
    (void)state;
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    make_set("noise", 320, 0, 1e6);
    run_result r = RUN("rank", "noise", "one", "two", "--json");
    expect_code(&r, 0);
    require_order(r.out, "abcdef");
    free_run(&r);
    r = RUN("rank", "noise", "noise");
    expect_code(&r, 0);
    assert_non_null(strstr(r.out, "nothing is settled"));
    free_run(&r);
}

static void correlate__several_pools__stand_against_tasks(void **state) {
    (void)state;
    make_set("one", 300, 0, 0);
    make_set("two", 340, 0, 0);
    write_text("s.csv", "model,up,down\na,6,1\nb,5,2\nc,4,3\nd,3,4\ne,2,5\nf,1,6\n");
    run_result r = RUN("correlate", "one", "two", "--scores", "s.csv", "--json");
    expect_code(&r, 0);
    check_json_tool(r.out);
    es_json_doc *doc = parse_json(r.out);
    es_json_value root = es_json_root(doc), list = member(&root, "correlations", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list),
                     12); /* two tasks, their mean rank and mean; one, two, all */
    for (size_t k = 0; k < 12; k++) {
        es_json_value one = nth(&list, k);
        double sign = strcmp(text_of(&one, "task"), "down") == 0 ? -1 : 1;
        if (strncmp(text_of(&one, "task"), "mean", 4) != 0)
            assert_true(sign * number_of(&one, "spearman") > 0.7);
        assert_true(number_of(&one, "n") == MODELS);
    }
    es_json_free(doc);
    free_run(&r);
    r = RUN("correlate", "one", "two");
    expect_code(&r, 2);
    assert_non_null(strstr(r.err, "--scores FILE"));
    free_run(&r);
}

static void sets__what_does_not_go_together__is_said(void **state) {
    (void)state;
    make_set("one", 300, 0, 0);
    assert_int_equal(mkdir("other", 0700), 0);
    add_model("other", "x", 240, 6, 1, 0.05);
    add_model("other", "y", 240, 6, 2, 0.05);
    estimate("other");
    run_result r = RUN("rank", "one", "other");
    expect_code(&r, 4);
    assert_non_null(strstr(r.err, "no embedder is in two of the data sets"));
    free_run(&r);
    r = RUN("rank", "one", "other", "--curve");
    expect_code(&r, 2);
    free_run(&r);
    r = RUN("rank", "one", "other", "--score", "cka");
    expect_code(&r, 2);
    free_run(&r);
    r = RUN("rank", "one", "nowhere");
    expect_code(&r, 2);
    assert_non_null(strstr(r.err, "'nowhere' is no folder"));
    free_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rank__several_pools__are_one_ranking, empty_scratch),
        cmocka_unit_test_setup(rank__missing_in_one__changes_no_order, empty_scratch),
        cmocka_unit_test_setup(rank__a_set_of_noise__does_not_move_the_bottom_line, empty_scratch),
        cmocka_unit_test_setup(correlate__several_pools__stand_against_tasks, empty_scratch),
        cmocka_unit_test_setup(sets__what_does_not_go_together__is_said, empty_scratch),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
