/* Matrices in memory go the way of files: the same checks, the same values. */
#include "support.h"

#include "embedscope/embedscope.h"

enum { ROWS = 90, MODELS = 3 };

static const size_t dims[MODELS] = {5, 12, 3};
static const char *const names[MODELS] = {"m10", "m2", "m1"};

static void make_arrays(es_array_view *arrays) {
    for (size_t i = 0; i < MODELS; i++) {
        double *values = support_numbers(40 + i, ROWS * dims[i]);
        arrays[i] =
            (es_array_view){names[i],           i == 1 ? "two" : NULL, values, ROWS, dims[i],
                            ES_ELEMENT_FLOAT64, ES_KIND_CONTINUOUS};
    }
}

static void run(es_session *session) {
    if (es_session_start(session, test_err()) != ES_OK ||
        es_session_wait(session, 60, test_err()) != ES_OK)
        fail_msg("%s", test_message());
    assert_int_equal(es_session_phase(session), ES_PHASE_DONE);
}

static void assert_same(const double *a, const double *b, size_t n) {
    assert_memory_equal(a, b, n * sizeof *a);
}

TEST(arrays__estimate__gives_the_values_of_files_to_the_bit) {
    const es_session_options options = {.with_null = true, .threads = 2, .with_pmi = true};
    char dir[SUPPORT_PATH], file[32];
    es_array_view arrays[MODELS];
    es_session *memory = NULL, *folder = NULL;
    make_arrays(arrays);
    support_temp_dir(dir);
    for (size_t i = 0; i < MODELS; i++) {
        snprintf(file, sizeof file, "%s.npy", names[i]);
        support_write_npy(dir, file, ROWS, dims[i], arrays[i].data);
    }
    assert_ok(es_session_open_arrays(arrays, MODELS, &options, &memory, test_err()));
    assert_ok(es_session_open(dir, &options, &folder, test_err()));
    run(memory);
    run(folder);
    assert_int_equal(es_session_plan(memory), 3);
    for (size_t e = 0; e < 3; e++) {
        const es_results *a = es_session_results(memory, e), *b = es_session_results(folder, e);
        size_t n_eval = 0, count = 0;
        assert_int_equal(es_results_count(a), MODELS);
        assert_string_equal(es_results_name(a, 0), "m1");
        assert_string_equal(es_results_name(a, 1), "m2");
        assert_string_equal(es_results_family(a, 1), "two");
        assert_int_equal(es_results_dim(a, 2), 5);
        assert_int_equal(es_results_done(a), MODELS * MODELS);
        assert_same(es_results_is(a), es_results_is(b), MODELS * MODELS);
        assert_same(es_results_se(a), es_results_se(b), MODELS * MODELS);
        assert_same(es_results_entropy(a), es_results_entropy(b), MODELS);
        float *const *pmi = es_results_pmi(a, &n_eval), *const *other = es_results_pmi(b, NULL);
        assert_non_null(es_session_evaluated(memory, e, &count));
        assert_int_equal(n_eval, count);
        for (size_t i = 0; i < MODELS * MODELS; i++)
            assert_memory_equal(pmi[i], other[i], n_eval * sizeof **pmi);
        for (size_t t = 0; t < MODELS; t++) {
            double is = 0, se = 0, is_of_file = 0;
            assert_true(es_results_null(a, t, &is, &se));
            assert_true(es_results_null(b, t, &is_of_file, NULL));
            assert_same(&is, &is_of_file, 1);
        }
    }
    assert_null(es_pool_path(es_session_pool(memory)));
    es_session_close(memory);
    es_session_close(folder);
}

TEST(arrays__open__float32_and_float64_of_equal_values_agree) {
    const es_session_options options = {.estimator = "linear"};
    es_array_view arrays[MODELS];
    es_session *session[2] = {NULL, NULL};
    float *narrow[MODELS];
    make_arrays(arrays);
    for (size_t i = 0; i < MODELS; i++) {
        size_t n = ROWS * dims[i];
        double *values = (double *)(uintptr_t)arrays[i].data;
        narrow[i] = test_keep(es_alloc(n, sizeof *narrow[i]), es_free);
        for (size_t k = 0; k < n; k++)
            values[k] = narrow[i][k] = (float)values[k];
    }
    assert_ok(es_session_open_arrays(arrays, MODELS, &options, &session[0], NULL));
    run(session[0]);
    for (size_t i = 0; i < MODELS; i++) {
        test_drop((void *)(uintptr_t)arrays[i].data);
        arrays[i].data = narrow[i];
        arrays[i].element = ES_ELEMENT_FLOAT32;
    }
    assert_ok(es_session_open_arrays(arrays, MODELS, &options, &session[1], NULL));
    run(session[1]);
    const es_results *a = es_session_results(session[0], 0), *b = es_session_results(session[1], 0);
    for (size_t i = 0; i < MODELS * MODELS; i++) /* streams are keyed by contents and type */
        assert_true(fabs(es_results_is(a)[i] - es_results_is(b)[i]) < 1e-9);
    es_session_close(session[0]);
    es_session_close(session[1]);
}

TEST(arrays__open__refuses_what_is_none) {
    es_array_view arrays[MODELS];
    es_session *session = NULL;
    make_arrays(arrays);
    assert_int_equal(es_session_open_arrays(arrays, 0, NULL, &session, test_err()), ES_EINVAL);
    assert_int_equal(es_session_open_arrays(NULL, 0, NULL, &session, NULL), ES_EINVAL);
    es_array_view right = arrays[2];
    arrays[2].element = (es_element)12;
    assert_error(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()), ES_EINVAL,
                 "unknown element type 12");
    arrays[2] = right;
    arrays[2].name = "m2";
    assert_error(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()), ES_EINVAL,
                 "m2");
    arrays[2].name = NULL;
    assert_int_equal(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()), ES_EINVAL);
    arrays[2] = right;
    arrays[2].rows = 0;
    assert_error(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()), ES_EINVAL,
                 "m1");
    arrays[2] = right;
    arrays[2].data = NULL;
    assert_int_equal(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()), ES_EINVAL);
    assert_null(session);
    arrays[2] = right;
}

TEST(arrays__check__leaves_out_as_with_files) {
    const es_session_options options = {.estimator = "linear"};
    es_array_view arrays[MODELS];
    es_session *session = NULL;
    make_arrays(arrays);
    ((double *)(uintptr_t)arrays[0].data)[7] = (double)NAN;
    arrays[2].rows = ROWS - 1;
    assert_ok(es_session_open_arrays(arrays, MODELS, &options, &session, NULL));
    run(session);
    const es_pool *pool = es_session_pool(session);
    assert_int_equal(es_pool_count(pool), MODELS);
    assert_int_equal(es_pool_usable(pool), 1);
    const es_model *bad = es_pool_model(pool, es_pool_find(pool, "m10"));
    assert_int_equal(es_model_state_of(bad), ES_MODEL_EXCLUDED);
    assert_contains(es_model_exclusion(bad), "row 1, column 2");
    assert_contains(es_model_exclusion(es_pool_model(pool, 0)), "89 rows");
    assert_int_equal(es_results_count(es_session_results(session, 0)), 1);
    es_session_close(session);
}

TEST(session__wait__ends_with_the_time_or_the_pause) {
    es_array_view arrays[MODELS];
    es_session *session = NULL;
    make_arrays(arrays);
    assert_ok(es_session_open_arrays(arrays, MODELS, NULL, &session, test_err()));
    assert_ok(es_session_wait(session, -1, test_err())); /* checked, nothing asked for */
    assert_int_equal(es_session_phase(session), ES_PHASE_IDLE);
    assert_ok(es_session_start(session, test_err()));
    es_session_pause(session, true);
    assert_int_equal(es_session_wait(session, -1, test_err()), ES_EBUSY);
    es_session_pause(session, false);
    assert_int_equal(es_session_wait(session, 0, test_err()), ES_EBUSY);
    run(session);
    es_session_close(session);
}

/* ---- what looks, answers nothing with nothing ---- */

TEST(public__look__answers_null_and_beyond_the_end) {
    double is = 1, se = 1;
    size_t n = 1;
    assert_int_equal(es_pool_count(NULL) + es_pool_usable(NULL) + es_pool_rows(NULL), 0);
    assert_int_equal(es_pool_warnings(NULL), 0);
    assert_true(es_pool_find(NULL, "a") == SIZE_MAX && es_pool_file_row(NULL, 0) == SIZE_MAX);
    assert_null(es_pool_name(NULL));
    assert_null(es_pool_path(NULL));
    assert_null(es_pool_model(NULL, 0));
    assert_null(es_pool_warning(NULL, 0));
    assert_null(es_model_name(NULL));
    assert_null(es_model_family(NULL));
    assert_null(es_model_exclusion(NULL));
    assert_int_equal(es_model_state_of(NULL), ES_MODEL_UNCHECKED);
    assert_int_equal(es_model_rows(NULL) + es_model_dim(NULL) + es_model_dim_used(NULL), 0);
    assert_int_equal(es_results_count(NULL) + es_results_dim(NULL, 0), 0);
    assert_int_equal(es_results_done(NULL) + es_results_failed(NULL), 0);
    assert_int_equal(es_results_revision(NULL), 0);
    assert_true(es_results_find(NULL, "a") == SIZE_MAX);
    assert_null(es_results_name(NULL, 0));
    assert_null(es_results_family(NULL, 0));
    assert_null(es_results_is(NULL));
    assert_null(es_results_se(NULL));
    assert_null(es_results_entropy(NULL));
    assert_null(es_results_pmi(NULL, &n));
    assert_int_equal(n, 0);
    assert_int_equal(es_results_state(NULL, 0, 0), ES_PAIR_PENDING);
    assert_null(es_results_reason(NULL, 0, 0));
    assert_null(es_results_estimator(NULL));
    assert_null(es_results_settings(NULL));
    assert_false(es_results_null(NULL, 0, &is, &se));
    assert_true(isnan(is) && isnan(se));
    assert_null(es_estimator_at(99));
    assert_null(es_estimator_find(NULL));
    assert_null(es_estimator_name(NULL));
    assert_null(es_estimator_summary(NULL));
    assert_false(es_estimator_is_lower_better(NULL));
    assert_null(es_estimator_setting_at(NULL, 0));
    assert_null(es_estimator_preset_at(es_estimator_at(0), 99));
    assert_null(es_measure_at(99));
    assert_null(es_measure_find(NULL));
    assert_null(es_measure_name(NULL));
    assert_null(es_measure_summary(NULL));
    assert_null(es_measure_caveat(NULL));
    assert_false(es_measure_is_pairwise(NULL));
    assert_int_equal(es_measure_needs(NULL), 0);
    assert_null(es_measure_field_at(NULL, 0));
    assert_null(es_measure_setting_at(es_measure_at(0), 99));
}

TEST(public__session__refuses_null) {
    es_session *session = NULL;
    es_progress progress;
    size_t n = 1;
    assert_int_equal(es_session_open(NULL, NULL, &session, NULL), ES_EINVAL);
    assert_int_equal(es_session_start(NULL, NULL), ES_EINVAL);
    assert_int_equal(es_session_wait(NULL, -1, NULL), ES_EINVAL);
    assert_int_equal(es_session_problem(NULL, NULL), ES_EINVAL);
    assert_int_equal(es_session_stopped(NULL, NULL), ES_EINVAL);
    assert_int_equal(es_session_threads(NULL, 1, NULL), ES_EINVAL);
    assert_int_equal(es_session_phase(NULL), ES_PHASE_IDLE);
    assert_int_equal(es_session_fd(NULL), -1);
    assert_int_equal(es_session_pump(NULL, 0) + es_session_plan(NULL) + es_session_retry(NULL), 0);
    assert_null(es_session_pool(NULL));
    assert_null(es_session_results(NULL, 0));
    assert_null(es_session_evaluated(NULL, 0, &n));
    assert_int_equal(n, 0);
    assert_true(es_session_best(NULL) == SIZE_MAX);
    es_session_progress(NULL, &progress);
    assert_int_equal(progress.total, 0);
    es_session_pause(NULL, true);
    es_session_cancel(NULL);
    es_session_close(NULL);
    es_run_cancel(NULL);
    es_run_free(NULL);
}

TEST(public__free__accepts_null) {
    es_ranking_free(NULL);
    es_intervals_free(NULL);
    es_comparison_free(NULL);
    es_compared_rows_free(NULL);
    es_communities_free(NULL);
    es_communities_search_free(NULL);
}

TEST(public__version__is_that_of_the_headers) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ES_VERSION_MAJOR, ES_VERSION_MINOR, ES_VERSION_PATCH);
    assert_string_equal(es_version(), text);
    assert_int_equal(es_version_number(), ES_VERSION_NUMBER);
}

TEST(public__lists__name_what_there_is) {
    const es_estimator *linear = es_estimator_find("linear");
    size_t field = 0;
    const es_measure *measure = NULL;
    assert_ptr_equal(es_estimator_at(0), linear);
    assert_string_equal(es_estimator_name(linear), "linear");
    assert_string_equal(es_estimator_preset_at(linear, 0)->name, "default");
    assert_non_null(es_estimator_setting_at(linear, 0)->key);
    assert_true(es_estimator_is_lower_better(es_estimator_find("l2")));
    assert_int_equal(es_measure_parse("evalrank.mrr2", &measure, &field, NULL), ES_ENOTFOUND);
    assert_ok(es_measure_parse("cka", &measure, &field, NULL));
    assert_true(es_measure_is_pairwise(measure) && field == 0);
    assert_non_null(es_measure_field_at(measure, 0));
    assert_null(es_measure_field_at(measure, 1));
}

TEST(public__run__cancels) {
    const double is[4] = {1, 0.5, 0.25, 1};
    const es_louvain problem = {.is = is, .m = 2};
    es_communities *out = NULL;
    es_run *stop = es_run_new();
    assert_ok(es_communities_new(&problem, stop, &out, NULL));
    es_communities_free(out);
    out = NULL;
    es_run_cancel(stop);
    assert_int_equal(es_communities_new(&problem, stop, &out, NULL), ES_ECANCELED);
    assert_null(out);
    es_run_free(stop);
}

/* A sample of rows is drawn of matrices in memory as of files. */
TEST(arrays__sample__is_that_of_files) {
    const es_session_options options = {.pool.rows = {.choice = ES_ROWS_SAMPLE, .count = 50},
                                        .estimator = "linear",
                                        .no_store = true};
    char dir[SUPPORT_PATH], file[32];
    es_array_view arrays[MODELS];
    es_session *session[2] = {NULL, NULL};
    make_arrays(arrays);
    support_temp_dir(dir);
    for (size_t i = 0; i < MODELS; i++) {
        snprintf(file, sizeof file, "%s.npy", names[i]);
        support_write_npy(dir, file, ROWS, dims[i], arrays[i].data);
    }
    assert_ok(es_session_open_arrays(arrays, MODELS, &options, &session[0], NULL));
    assert_ok(es_session_open(dir, &options, &session[1], NULL));
    for (size_t i = 0; i < 2; i++) {
        run(session[i]);
        assert_int_equal(es_pool_rows(es_session_pool(session[i])), 50);
    }
    assert_same(es_results_is(es_session_results(session[0], 0)),
                es_results_is(es_session_results(session[1], 0)), MODELS * MODELS);
    es_session_close(session[0]);
    es_session_close(session[1]);
}
