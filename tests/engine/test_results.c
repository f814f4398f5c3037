/* Matrices in memory and from a file. */
#include "rooted.h"

#include "base.h"
#include "engine_results.h"
#include "keeping.h"

static es_results *new_results(size_t m) {
    es_results *r = NULL;
    assert_ok(es_results_new(m, &r, NULL));
    return keep_results(r);
}

TEST(results__new__refuses_what_memory_is_not_for) {
    es_results *r = NULL;
    assert_error(es_results_new(ES_RESULTS_MOST + 1, &r, test_err()), ES_EINVAL,
                 "4097 embedders are too many");
    assert_int_equal(es_results_new(SIZE_MAX, &r, test_err()), ES_EINVAL);
    assert_null(r);
}

TEST(results__begin__unknown) {
    es_results *r = new_results(3);
    for (size_t i = 0; i < 9; i++) {
        assert_true(isnan(r->is[i]) && isnan(r->se[i]) && isnan(r->h_cond[i]));
        assert_int_equal(r->state[i], ES_PAIR_PENDING);
    }
    assert_true(isnan(r->h[1]));
    assert_int_equal(r->done + r->failed, 0);
    es_results_free(NULL);
    test_drop(new_results(0));
}

TEST(put__one_row_decides__is_kept_until_the_pair_changes) {
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
        assert_ok(es_results_put(r, 0, 1, &a, 0, NULL));
        if (k == 3)
            assert_ok(es_results_fail(r, 0, 1, "spoiled", NULL));
        assert_true(es_results_decided(r, 0, 1, &without) == (k % 2 ? SIZE_MAX : 42));
        assert_true(k % 2 ? isnan(without) : fabs(without - 50.0 / 99) < 1e-9);
        assert_true(es_results_decided(r, 1, 0, &without) == SIZE_MAX);
    }
    es_pair_result bare = {.is = -115, .se = 117};
    assert_ok(es_results_put(r, 0, 1, &bare, 0, NULL));
    assert_true(es_results_decided(r, 0, 1, &without) == SIZE_MAX); /* rows are not known */
}

TEST(put_and_fail__keep__counts_and_memory) {
    es_results *r = new_results(2);
    es_pair_result a = {.is = 1, .se = 2, .h = 3, .h_cond = 4, .n_eval = 5};
    a.pmi = es_alloc_zero(5, sizeof(float));
    assert_ok(es_results_put(r, 0, 1, &a, 0.5, NULL));
    assert_ptr_equal(r->pmi[1], a.pmi);
    assert_true(r->is[1] == 1.0 && r->se[1] == 2.0 && r->h[1] == 3.0 && r->h_cond[1] == 4.0);
    assert_true(r->seconds[1] == 0.5);
    assert_int_equal(r->n_eval, 5);
    assert_int_equal(r->done, 1);
    uint64_t revision = r->revision;

    assert_ok(es_results_fail(r, 1, 0, "no luck", NULL));
    assert_int_equal(r->failed, 1);
    assert_string_equal(r->reason[2], "no luck");
    assert_true(r->revision > revision);

    a.pmi = es_alloc_zero(5, sizeof(float));
    assert_ok(es_results_put(r, 0, 1, &a, 0.5, NULL)); /* the older pmi is freed */
    assert_int_equal(r->done, 1);
    a.pmi = NULL;
    assert_ok(es_results_put(r, 1, 0, &a, 0.5, NULL));
    assert_int_equal(r->done, 2);
    assert_int_equal(r->failed, 0);
    assert_null(r->reason[2]);
    assert_ok(es_results_fail(r, 0, 1, "later", NULL));
    assert_true(isnan(r->is[1]));
    assert_null(r->pmi[1]);
    assert_null(es_results_reason(r, 1, 1));
    assert_string_equal(es_results_reason(r, 0, 1), "later");
}

TEST(put__of_values_in_a_block__leaves_the_block_to_its_owners) {
    enum { N = 5, PAIRS = 3 };
    es_results *r = new_results(2);
    es_values *values = es_values_new((size_t)PAIRS * N);
    assert_non_null(values);
    for (size_t k = 0; k < PAIRS; k++) { /* the third replaces the first */
        es_pair_result a = {.is = (double)k, .n_eval = N, .pmi = es_values_take(values, N)};
        assert_non_null(a.pmi);
        for (size_t i = 0; i < N; i++)
            a.pmi[i] = (float)k;
        assert_ok(es_results_keep_values(r, values, NULL));
        assert_ok(es_results_put(r, 0, k % 2, &a, 0, NULL));
    }
    assert_null(es_values_take(values, 1)); /* full */
    assert_int_equal(r->n_values, 1);
    es_values_free(values);
    assert_true(r->pmi[0][N - 1] == 2.0F && r->pmi[1][0] == 1.0F);
    es_pair_result own = {.is = 4, .n_eval = N, .pmi = es_alloc_zero(N, sizeof(float))};
    assert_ok(es_results_put(r, 0, 1, &own, 0, NULL));
    es_values_free(NULL);
}

TEST(put__refuses__what_would_mislead) {
    es_results *r = new_results(2);
    float pmi[4] = {0};
    es_pair_result a = {.is = (double)NAN}, b = {.is = 1, .n_eval = 4, .pmi = pmi};
    r->n_eval = 5;
    assert_int_equal(es_results_put(r, 0, 1, &a, 0, NULL), ES_ENONFINITE);
    assert_int_equal(es_results_put(r, 0, 1, &b, 0, NULL), ES_EINVAL);
    assert_int_equal(r->state[1], ES_PAIR_PENDING);
    assert_null(r->pmi[1]);
    assert_int_equal(r->revision, 0);
}

TEST(copy_low__says__where_a_column_is_understated) {
    es_results *r = new_results(2);
    es_pair_result low = {.is = 0.99}, high = {.is = 1.01};
    double is = 0;
    r->estimator = es_estimator_find("linear");
    assert_false(es_results_copy_low(r, 0, &is)); /* not known */
    assert_ok(es_results_put(r, 0, 0, &low, 0, NULL));
    assert_ok(es_results_put(r, 1, 1, &high, 0, NULL));
    assert_ok(es_results_put(r, 0, 1, &low, 0, NULL));
    assert_true(es_results_copy_low(r, 0, &is));
    assert_true(is == 0.99);
    assert_false(es_results_copy_low(r, 1, &is));
    es_pair_result all = {.is = 0.69, .h = 0.69}, part = {.is = 0.5, .h = 0.69};
    r->binary[1] = true; /* its entropy is all there is */
    assert_ok(es_results_put(r, 1, 1, &all, 0, NULL));
    assert_false(es_results_copy_low(r, 1, &is));
    assert_ok(es_results_put(r, 1, 1, &part, 0, NULL));
    assert_true(es_results_copy_low(r, 1, &is) && is == 0.5);
    const float rows[] = {-20, 4, 4.1F, 3.9F};
    es_pair_result one = {.is = -2, .se = 6, .n_eval = 4, .pmi = es_alloc(4, sizeof(float))};
    memcpy(one.pmi, rows, sizeof rows);
    assert_ok(es_results_put(r, 0, 0, &one, 0, NULL));
    assert_false(es_results_copy_low(r, 0, &is)); /* one row's doing */
    assert_int_equal(es_results_decided(r, 0, 0, &(double){0}), 0);
    assert_ok(es_results_put(r, 0, 0, &low, 0, NULL));
    assert_true(es_results_copy_low(r, 0, &is));
    r->preset = "shrunk"; /* says little of everything */
    assert_false(es_results_copy_low(r, 0, &is));
    r->preset = NULL;
    r->estimator = NULL; /* of a file: no unit is known */
    assert_false(es_results_copy_low(r, 0, &is));
}

/* Every number of its own; b and d are derived. */
static es_results *four(void) {
    static const char *const names[] = {"a", "b", "c", "d"};
    es_results *r = new_results(4);
    for (size_t i = 0; i < 4; i++) {
        r->model[i] = 10 + i;
        r->name[i] = es_strdup(names[i]);
        r->family[i] = i == 2 ? es_strdup("f") : NULL;
        r->series[i] = i == 0 ? es_strdup("s") : NULL;
        r->label[i] = i % 2 ? es_strdup("~") : NULL;
        r->dim[i] = 20 + i;
        r->dim_used[i] = 15 + i;
        r->dropped[i] = 5 + i;
        for (size_t j = 0; j < 4; j++) {
            size_t at = 4 * i + j;
            es_pair_result pair = {
                .is = (double)at, .se = 0.5, .h = 7, .h_cond = 0.25, .n_eval = 2};
            pair.pmi = es_alloc_zero(2, sizeof(float));
            if (i == 2 && j == 0) {
                assert_ok(es_results_fail(r, i, j, "no luck", NULL));
                es_free(pair.pmi);
            } else {
                assert_ok(es_results_put(r, i, j, &pair, 0.125 * (double)at, NULL));
            }
            r->deciding[at] = (uint32_t)(50 + at);
            r->without[at] = 60 + (double)at;
        }
        r->h[i] = 70 + (double)i;
        const es_pair_result null = {.is = -(double)i, .se = 1};
        if (i == 0)
            assert_ok(es_results_fail_null(r, i, "none", NULL));
        else
            assert_ok(es_results_put_null(r, i, &null, NULL));
    }
    r->estimator = es_estimator_find("linear");
    r->preset = "shrunk";
    r->settings = es_strdup("x=1");
    r->remark = "remark";
    r->seed = 80;
    return r;
}

TEST(originals__of_four__are_the_two_that_are_not_derived) {
    static const size_t kept[] = {0, 2};
    es_results *r = four(), *part = NULL;
    assert_int_equal(es_results_derived(r), 2);
    assert_string_equal(es_results_label(r, 1), "~");
    assert_string_equal(es_results_label(r, 2), "c");
    assert_ok(es_results_originals(r, &part, NULL));
    assert_int_equal(part->m, 2);
    assert_int_equal(es_results_derived(part), 0);
    for (size_t a = 0; a < 2; a++) {
        size_t i = kept[a];
        assert_int_equal(part->model[a], r->model[i]);
        assert_ptr_equal(part->name[a], r->name[i]);
        assert_ptr_equal(part->family[a], r->family[i]);
        assert_ptr_equal(part->series[a], r->series[i]);
        assert_int_equal(part->dim[a], r->dim[i]);
        assert_int_equal(part->dim_used[a], r->dim_used[i]);
        assert_int_equal(part->dropped[a], r->dropped[i]);
        assert_true(part->h[a] == r->h[i]);
        assert_int_equal(part->null[a].state, r->null[i].state);
        assert_memory_equal(&part->null[a].is, &r->null[i].is, sizeof(double));
        for (size_t b = 0; b < 2; b++) {
            size_t cell = 2 * a + b, at = 4 * i + kept[b];
            assert_memory_equal(&part->is[cell], &r->is[at], sizeof(double));
            assert_memory_equal(&part->se[cell], &r->se[at], sizeof(double));
            assert_memory_equal(&part->h_cond[cell], &r->h_cond[at], sizeof(double));
            assert_memory_equal(&part->seconds[cell], &r->seconds[at], sizeof(double));
            assert_int_equal(part->state[cell], r->state[at]);
            assert_ptr_equal(part->reason[cell], r->reason[at]);
            assert_ptr_equal(part->pmi[cell], r->pmi[at]);
            assert_int_equal(part->deciding[cell], r->deciding[at]);
            assert_true(part->without[cell] == r->without[at]);
        }
    }
    assert_int_equal(part->done, 3);
    assert_int_equal(part->failed, 1);
    assert_int_equal(part->null_done, 1);
    assert_int_equal(part->null_failed, 1);
    assert_int_equal(part->n_eval, 2);
    assert_int_equal(part->revision, r->revision);
    assert_ptr_equal(part->estimator, r->estimator);
    assert_true(es_results_predictive(part));
    assert_ptr_equal(part->settings, r->settings);
    assert_ptr_equal(part->remark, r->remark);
    assert_int_equal(part->seed, 80);
    es_results_free(part); /* what it has borrowed stays */
    assert_string_equal(r->name[2], "c");
    for (size_t i = 0; i < 4; i += 2) { /* all are derived, or none is */
        r->label[i] = es_strdup("~");
        part = r;
        if (i == 2)
            assert_ok(es_results_originals(r, &part, NULL));
    }
    assert_null(part);
    for (size_t i = 0; i < 4; i++) {
        es_free(r->label[i]);
        r->label[i] = NULL;
    }
    part = r;
    assert_ok(es_results_originals(r, &part, NULL));
    assert_null(part);
}

TEST(originals__out_of_memory__are_none) {
    es_results *r = four(), *part = NULL;
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_results_originals(r, &part, NULL);
        es_alloc_fail_after(-1);
        assert_int_equal(part != NULL, st == ES_OK);
    }
    es_results_free(part);
}

TEST(null_line__range__is_over_what_is_known) {
    es_results *r = new_results(4);
    double low = 9, high = 9, is = 9, se = 9;
    assert_int_equal(es_results_null_range(r, &low, &high), 0);
    assert_true(low == 9 && high == 9);
    static const double values[] = {0.5, -1, 2};
    for (size_t t = 0; t < 3; t++) {
        const es_pair_result one = {.is = values[t], .se = 0.25};
        assert_ok(es_results_put_null(r, t, &one, NULL));
    }
    const es_pair_result bad = {.is = NAN};
    assert_int_equal(es_results_put_null(r, 3, &bad, NULL), ES_ENONFINITE);
    assert_int_equal(es_results_null_range(r, &low, &high), 3);
    assert_true(low == -1 && high == 2);
    assert_true(es_results_null(r, 1, &is, &se));
    assert_true(is == -1 && se == 0.25);
    assert_false(es_results_null(r, 3, &is, &se));
    assert_true(isnan(is) && isnan(se));
    assert_false(es_results_null(r, 4, NULL, NULL));
    assert_false(es_results_null(NULL, 0, NULL, NULL));
    uint64_t revision = r->revision;
    assert_ok(es_results_fail_null(r, 2, "spoiled", NULL));
    assert_true(r->revision > revision);
    assert_int_equal(r->null_done, 2);
    assert_int_equal(r->null_failed, 1);
    assert_string_equal(r->null[2].reason, "spoiled");
    assert_int_equal(es_results_null_range(r, &low, &high), 2);
    assert_true(high == 0.5);
    const es_pair_result good = {.is = 1};
    assert_ok(es_results_put_null(r, 2, &good, NULL));
    assert_null(r->null[2].reason);
    assert_int_equal(r->null_failed, 0);
}

TEST(touches__says__whether_a_pair_with_another_is_known) {
    const es_pair_result pair = {.is = 1};
    es_results *r = new_results(3);
    assert_ok(es_results_put(r, 0, 0, &pair, 0, NULL));
    assert_false(es_results_touches(r, 0)); /* itself is no other */
    assert_ok(es_results_fail(r, 0, 1, "no", NULL));
    assert_false(es_results_touches(r, 0) || es_results_touches(r, 1));
    assert_ok(es_results_put(r, 0, 2, &pair, 0, NULL));
    assert_true(es_results_touches(r, 0) && es_results_touches(r, 2));
    assert_false(es_results_touches(r, 1));
}

TEST(look__beyond_the_end__is_nothing) {
    size_t n_eval = 9;
    es_results *r = four();
    assert_int_equal(es_results_count(r), 4);
    assert_int_equal(es_results_find(r, "c"), 2);
    assert_int_equal(es_results_find(r, "x"), SIZE_MAX);
    assert_int_equal(es_results_find(r, NULL), SIZE_MAX);
    assert_string_equal(es_results_name(r, 3), "d");
    assert_string_equal(es_results_family(r, 2), "f");
    assert_int_equal(es_results_dim(r, 1), 21);
    assert_int_equal(es_results_state(r, 2, 0), ES_PAIR_FAILED);
    assert_int_equal(es_results_state(r, 3, 3), ES_PAIR_DONE);
    assert_string_equal(es_results_reason(r, 2, 0), "no luck");
    assert_int_equal(es_results_done(r), 15);
    assert_int_equal(es_results_failed(r), 1);
    assert_non_null(es_results_pmi(r, &n_eval));
    assert_int_equal(n_eval, 2);
    assert_string_equal(es_results_estimator(r), "linear");
    assert_string_equal(es_results_settings(r), "x=1");
    const es_results *views[] = {r, NULL};
    for (size_t i = 0; i < 2; i++) {
        assert_null(es_results_name(views[i], 4));
        assert_null(es_results_family(views[i], 4));
        assert_int_equal(es_results_dim(views[i], 4), 0);
        assert_int_equal(es_results_state(views[i], 4, 0), ES_PAIR_PENDING);
        assert_int_equal(es_results_state(views[i], 0, 4), ES_PAIR_PENDING);
        assert_null(es_results_reason(views[i], 4, 0));
        assert_null(es_results_reason(views[i], 0, 4));
    }
    assert_int_equal(es_results_count(NULL) + es_results_done(NULL) + es_results_failed(NULL), 0);
    assert_null(es_results_is(NULL));
    assert_null(es_results_se(NULL));
    assert_null(es_results_entropy(NULL));
    assert_null(es_results_pmi(NULL, &n_eval));
    assert_int_equal(n_eval, 0);
    assert_int_equal(es_results_revision(NULL), 0);
    assert_int_equal(es_results_find(NULL, "c"), SIZE_MAX);
}
