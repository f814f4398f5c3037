/* Samples of a pool's rows: which rows they are, which one is shown, what was found of each; and
 * the scores of other estimators that lie in the store. */
#include "support.h"

#include <poll.h>

#include "fake_estimator.h"
#include "refuse.h"
#include "engine_session_parts.h"
#include "settled_pool.h"
#include "keeping.h"

enum { ROWS = 4500, MODELS = 3, SEED = 4, BAD = 17 };

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};
static char root[SUPPORT_PATH], folder[SUPPORT_PATH];

static int make_pool(void **state) {
    memset(&fake, 0, sizeof fake);
    support_temp_dir(root);
    (void)setenv("XDG_DATA_HOME", root, 1);
    for (size_t i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "pool/m%zu.npy", i);
        support_write_random_npy(root, name, 3 + i, ROWS, 2);
    }
    (void)support_path(folder, root, "pool");
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_pool *check_pool(const es_pool_options *options) {
    es_pool *pool = open_pool_with(folder, options);
    check_models(pool);
    return pool;
}

/* ---- which rows ---- */

/* The pool's digest of a row set, by which results are found again: as it always was. */
static es_digest digest_of(const uint32_t *rows, size_t count) {
    es_hasher h;
    es_hasher_init(&h);
    es_hasher_add_text(&h, "rows");
    es_hasher_add_u64(&h, count);
    for (size_t i = 0; i < count; i++)
        es_hasher_add_u64(&h, rows[i]);
    return es_hasher_result(&h);
}

static size_t take_rows(const es_pool_options *options, size_t step, uint32_t *out) {
    size_t rows = 0;
    es_digest sample = {0}, rowset;
    es_pool *pool = check_pool(options);
    assert_true(es_pool_chooses_rows(pool));
    assert_ok(es_pool_sample(pool, step, &rows, &sample, NULL));
    es_pool_use_sample(pool, rows);
    assert_ok(es_pool_settle(pool, NULL));
    assert_false(es_pool_chooses_rows(pool));
    rowset = es_pool_rowset(pool);
    assert_true(es_digest_equal(sample, rowset)); /* what was promised */
    size_t count = es_pool_rows(pool);
    assert_int_equal(count, rows);
    for (size_t i = 0; i < count; i++) {
        out[i] = (uint32_t)es_pool_file_row(pool, i);
        assert_true(out[i] < ROWS && (i == 0 || out[i] > out[i - 1]));
    }
    assert_true(es_digest_equal(rowset, digest_of(out, count)));
    assert_int_equal(es_pool_is_sample(pool), count < es_pool_rows_available(pool));
    assert_string_equal(es_pool_rows_choice(pool), es_pool_is_sample(pool) ? "sample" : "all");
    test_drop(pool);
    return count;
}

TEST(samples__by_size__are_part_of_each_other) {
    static const size_t sizes[] = {1000, 2000, 4000, ROWS};
    es_pool_options options = {.rows = {ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE}, .seed = SEED};
    uint32_t *rows = test_alloc(2 * ROWS, sizeof *rows), *before = rows + ROWS, other[1000];
    for (size_t step = 0; step < 4; step++) {
        assert_int_equal(take_rows(&options, step, rows), sizes[step]);
        size_t kept = 0;
        for (size_t i = 0; step > 0 && i < sizes[step]; i++)
            kept += kept < sizes[step - 1] && rows[i] == before[kept];
        assert_int_equal(kept, step > 0 ? sizes[step - 1] : 0);
        memcpy(before, rows, sizes[step] * sizeof *rows);
    }
    assert_int_equal(take_rows(&options, 0, rows), 1000);
    options.seed++;
    assert_int_equal(take_rows(&options, 0, other), 1000);
    assert_memory_not_equal(rows, other, sizeof other);
    es_pool *pool = check_pool(&options);
    size_t count = 9;
    es_digest digest = {0};
    assert_true(es_pool_grows(pool));
    assert_int_equal(es_pool_sample(pool, 4, &count, &digest, test_err()), ES_ENOTFOUND);
    assert_int_equal(es_pool_sample(pool, SIZE_MAX, &count, &digest, test_err()), ES_ENOTFOUND);
    assert_int_equal(count, 9);
}

TEST(samples__before_the_check__are_refused) {
    es_pool *pool = open_pool_with(folder, &(es_pool_options){.seed = SEED});
    size_t rows = 9;
    es_digest digest = {0};
    assert_int_equal(es_pool_sample(pool, 0, &rows, &digest, NULL), ES_EINVAL);
    assert_int_equal(rows, 9);
}

/* A row that is dropped is in no sample, and the others are those of the same order. */
TEST(samples__with_dropped_rows__go_on_to_the_next) {
    double *values = support_numbers(3, ROWS * 2);
    uint32_t *rows = test_alloc(2 * ROWS, sizeof *rows), *usual = rows + ROWS;
    es_pool_options options = {
        .rows = {ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE}, .seed = SEED, .drop_rows = true};
    assert_int_equal(take_rows(&options, 0, usual), 1000);
    for (size_t k = 0; k < BAD; k++) /* some of the sample's own */
        values[2 * (size_t)usual[50 * k]] = NAN;
    support_write_npy(root, "pool/m0.npy", ROWS, 2, values);
    assert_int_equal(take_rows(&options, 0, rows), 1000);
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < 1000; i++) {
        assert_true(isfinite(values[2 * (size_t)rows[i]]));
        while (k < 1000 && usual[k] < rows[i])
            k++;
        kept += k < 1000 && usual[k] == rows[i];
    }
    assert_int_equal(kept, 1000 - BAD);
    assert_int_equal(take_rows(&options, 3, rows), ROWS - BAD);
}

TEST(rows__without_a_choice__are_what_was_asked_for) {
    static const struct {
        es_row_request request;
        size_t rows;
        bool grows;
        const char *choice;
    } cases[] = {{{ES_ROWS_ALL, 0}, ROWS, false, "all"},
                 {{ES_ROWS_FIRST, 70}, 70, false, "first"},
                 {{ES_ROWS_FIRST, ROWS + 1}, ROWS, false, "all"},
                 {{ES_ROWS_SAMPLE, 70}, 70, false, "sample"},
                 {{ES_ROWS_SAMPLE, ROWS}, ROWS, false, "all"},
                 {{ES_ROWS_GROWN, 1000}, 1000, true, "sample"},
                 {{ES_ROWS_GROWN, ROWS}, ROWS, true, "all"},
                 {{ES_ROWS_AUTO, 4000}, 4000, true, "sample"},
                 {{ES_ROWS_AUTO_LARGE, 4000}, ROWS, false, "all"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_pool *pool = check_pool(&(es_pool_options){.rows = cases[i].request, .seed = SEED});
        assert_ok(es_pool_settle(pool, NULL));
        assert_int_equal(es_pool_rows(pool), cases[i].rows);
        assert_int_equal(es_pool_grows(pool), cases[i].grows);
        assert_string_equal(es_pool_rows_choice(pool), cases[i].choice);
        if (cases[i].rows == 70 && !es_pool_is_sample(pool))
            assert_int_equal(es_pool_file_row(pool, 69), 69);
        test_drop(pool);
    }
}

/* All rows of a pool that is just not large; a sample of one that has a row more. */
TEST(rows__of_a_large_pool__are_a_sample) {
    const es_pool_options options = {.rows = {ES_ROWS_AUTO_LARGE, 4000}, .seed = SEED};
    for (size_t more = 0; more < 2; more++) {
        support_remove(folder);
        support_write_random_npy(root, "pool/a.npy", 1, ES_ROWS_LARGE + more, 1);
        es_pool *pool = check_pool(&options);
        assert_int_equal(es_pool_chooses_rows(pool), more);
        assert_ok(es_pool_settle(pool, NULL));
        assert_int_equal(es_pool_rows(pool), more ? 4000 : ES_ROWS_LARGE);
        test_drop(pool);
    }
}

/* ---- sessions ---- */

static es_session *open_session(es_row_request request, bool no_store) {
    es_session *s = NULL;
    const es_session_options options = {.threads = 1,
                                        .estimator = "linear",
                                        .seed = SEED,
                                        .no_store = no_store,
                                        .pool = {.rows = request}};
    assert_ok(es_session_open_with(folder, &options, table, &s, test_err()));
    assert_ok(es_session_wait(s, -1, NULL)); /* until it is checked */
    return keep_session(s);
}

/* The first so many pairs of a sample, into the store. */
static void estimate(size_t rows, size_t pairs) {
    uint8_t wanted[MODELS * MODELS] = {0};
    es_session *s = open_session((es_row_request){ES_ROWS_SAMPLE, rows}, false);
    memset(wanted, 1, pairs);
    assert_ok(es_session_only(s, 0, wanted, NULL));
    assert_ok(es_session_start(s, NULL));
    assert_ok(es_session_wait(s, -1, NULL));
    size_t done = es_results_done(es_session_results(s, 0));
    assert_true(done >= pairs);
}

static size_t chosen(void) {
    es_session *s = open_session((es_row_request){ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE}, false);
    size_t rows = es_pool_rows(es_session_pool(s));
    test_drop(s);
    return rows;
}

TEST(session__open_choice__shows_the_largest_that_is_whole) {
    assert_int_equal(chosen(), ES_ROWS_USUAL_SAMPLE); /* nothing is stored */
    estimate(1000, 2);
    assert_int_equal(chosen(), 1000);
    estimate(2000, 4);
    assert_int_equal(chosen(), 2000); /* of which most is known */
    estimate(4000, 3);
    assert_int_equal(chosen(), 2000);
    estimate(1000, MODELS * MODELS);
    assert_int_equal(chosen(), 1000); /* whole */
    estimate(4000, MODELS * MODELS);
    assert_int_equal(chosen(), 4000);
    estimate(2000, MODELS * MODELS);
    assert_int_equal(chosen(), 4000);
    support_write_random_npy(root, "pool/m0.npy", 99, ROWS, 2); /* of which nothing is known */
    assert_int_equal(chosen(), 1000);
}

/* Nobody goes beyond a large sample that is not stored, except all rows. */
TEST(session__open_choice__of_large_ones_looks_for_all_rows) {
    enum { LARGE = 64000, MANY = 2 * LARGE + 1 };
    support_remove(folder);
    support_write_random_npy(root, "pool/a.npy", 1, MANY, 1);
    estimate(2 * LARGE, 1);
    assert_int_equal(chosen(), ES_ROWS_USUAL_SAMPLE);
    estimate(MANY, 1);
    assert_int_equal(chosen(), MANY);
    support_write_random_npy(root, "pool/a.npy", 2, 2 * LARGE, 1); /* the last sample is all */
    estimate(2 * LARGE, 1);
    assert_int_equal(chosen(), 2 * LARGE);
}

TEST(session__open_choice__out_of_memory_is_reported) {
    bool met = true;
    estimate(1000, MODELS * MODELS);
    es_session *s = open_session((es_row_request){ES_ROWS_SAMPLE, 2000}, false);
    es_pool *settled = s->pool;
    s->pool = check_pool(&(es_pool_options){.rows = {ES_ROWS_AUTO, 2000}, .seed = SEED});
    for (long k = 0; met; k++) {
        refuse_one(k);
        es_status st = es_session_choose_rows(s, NULL);
        met = refuse_end();
        assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
    }
    assert_ok(es_pool_settle(s->pool, NULL));
    assert_int_equal(es_pool_rows(s->pool), 1000);
    test_drop(s->pool);
    s->pool = settled;
}

static es_growth_record record_of(double since, es_growth_end end) {
    return (es_growth_record){.growth = {since, since + 0.1, since - 0.1, since + 0.2}, .end = end};
}

static size_t list(es_session *s, es_growth_record **out) {
    size_t count = 9;
    assert_ok(es_session_growth_list(s, out, &count, NULL));
    assert_int_equal(*out != NULL, count > 0);
    return count;
}

TEST(growth__of_each_sample__is_found_again) {
    es_growth_record *found = NULL;
    const es_growth_record first = record_of(NAN, ES_GROWTH_ON),
                           second = record_of(0.5, ES_GROWTH_TIME);
    es_session *s = open_session((es_row_request){ES_ROWS_SAMPLE, 1000}, false);
    assert_int_equal(list(s, &found), 0);
    assert_ok(es_session_growth_put(s, &first, NULL));
    assert_int_equal(list(s, &found), 1);
    assert_int_equal(found[0].rows, 1000);
    assert_int_equal(found[0].of, ROWS);
    assert_true(isnan(found[0].growth.since) && isnan(found[0].growth.expected));
    assert_int_equal(found[0].end, ES_GROWTH_ON);
    es_free(found);
    test_drop(s);

    s = open_session((es_row_request){ES_ROWS_SAMPLE, 4000}, false); /* 2000 was skipped */
    assert_ok(es_session_growth_put(s, &second, NULL));
    assert_int_equal(list(s, &found), 2);
    assert_int_equal(found[0].rows, 1000);
    assert_int_equal(found[1].rows, 4000);
    assert_memory_equal(&found[1].growth, &second.growth, sizeof second.growth);
    assert_int_equal(found[1].end, ES_GROWTH_TIME);
    es_free(found);
    test_drop(s);

    s = open_session((es_row_request){ES_ROWS_SAMPLE, 2000}, false); /* of larger ones nothing */
    assert_int_equal(list(s, &found), 1);
    es_free(found);
    test_drop(s);
    s = open_session((es_row_request){ES_ROWS_ALL, 0}, false);
    assert_int_equal(list(s, &found), 0);
    test_drop(s);
    s = open_session((es_row_request){ES_ROWS_SAMPLE, ROWS}, false);
    assert_ok(es_session_growth_put(s, &second, NULL));
    assert_int_equal(list(s, &found), 0); /* which are all: there is no larger one */
    test_drop(s);
    s = open_session((es_row_request){ES_ROWS_SAMPLE, 4000}, true); /* without a store */
    assert_ok(es_session_growth_put(s, &second, NULL));
    test_drop(s);
    support_write_random_npy(root, "pool/m3.npy", 99, ROWS, 2); /* of other embedders */
    s = open_session((es_row_request){ES_ROWS_SAMPLE, 4000}, false);
    assert_int_equal(list(s, &found), 0);
}

/* ---- scores of other estimators ---- */

enum { FEW = 60, FOUR = 4 };

static int make_small_pool(void **state) {
    int code = make_pool(state);
    for (size_t i = 0; i < FOUR; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "pool/m%zu.npy", i);
        support_write_random_npy(root, name, i == 3 ? 1 : i, FEW, 2 + (i == 3 ? 1 : i));
    }
    return code; /* m3 is m1 once more: they share what is stored */
}

static es_session *open_real(const char *estimator) {
    es_session *s = NULL;
    const es_session_options options = {.threads = 1, .estimator = estimator};
    assert_ok(es_session_open(folder, &options, &s, NULL));
    assert_ok(es_session_wait(s, -1, NULL));
    return keep_session(s);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST_WITH(stored__baseline__is_the_median_error, make_small_pool, NULL) {
    double expected[FOUR];
    es_stored_score score;
    bool busy = true;
    es_session *s = open_real("linear");
    assert_ok(es_session_baseline_read(s, &score, NULL));
    assert_null(score.score); /* nothing is stored */
    test_drop(s);

    s = open_real("l2");
    assert_ok(es_session_start(s, NULL));
    assert_ok(es_session_wait(s, -1, NULL));
    const double *is = es_results_is(es_session_results(s, 0));
    for (size_t i = 0; i < FOUR; i++) {
        double row[FOUR];
        size_t n = 0;
        for (size_t t = 0; t < FOUR; t++)
            if (t != i)
                row[n++] = is[i * FOUR + t];
        qsort(row, n, sizeof *row, compare_doubles);
        expected[i] = -row[1];
    }
    assert_ok(es_session_baseline_read(s, &score, NULL));
    assert_null(score.score); /* it is the plan itself */
    assert_ok(es_session_stored_read(s, "l2", &score, NULL));
    assert_null(score.score);
    test_drop(s);

    s = open_real("linear");
    assert_ok(es_session_baseline_read(s, &score, NULL));
    assert_string_equal(score.estimator->name, "l2");
    assert_int_equal(score.m, FOUR);
    assert_int_equal(score.known, FOUR * (FOUR - 1));
    assert_int_equal(score.of, FOUR * (FOUR - 1));
    assert_true(score.seconds > 0);
    for (size_t i = 0; i < FOUR; i++)
        assert_true(score.score[i] == expected[i]);
    es_stored_score_deinit(&score);
    assert_null(score.score);
    assert_ok(es_session_stored_read(s, "knife", &score, NULL));
    assert_null(score.score);
    assert_null(es_session_baseline(s, &busy));
    assert_false(busy);
    assert_ok(es_session_baseline_start(s, NULL));
    assert_ok(es_session_baseline_start(s, NULL)); /* one at a time */
    for (double until = es_clock_now() + 200; !es_session_baseline(s, &busy);) {
        struct pollfd watched = {.fd = es_session_fd(s), .events = POLLIN};
        assert_true(es_clock_now() < until);
        (void)poll(&watched, 1, 100);
        (void)es_session_pump(s, 0);
    }
    const char *others = NULL;
    for (double until = es_clock_now() + 200; !(others = es_session_other_runs(s));) {
        struct pollfd watched = {.fd = es_session_fd(s), .events = POLLIN};
        assert_true(es_clock_now() < until);
        (void)poll(&watched, 1, 100);
        (void)es_session_pump(s, 0);
    }
    assert_string_equal(others, "l2 default");
    const es_stored_score *baseline = es_session_baseline(s, &busy);
    assert_non_null(baseline);
    for (size_t i = 0; i < FOUR; i++)
        assert_true(baseline->score[i] == expected[i]);
    test_drop(s);
    const es_session_options options = {.threads = 1, .no_store = true};
    assert_ok(es_session_open(folder, &options, &s, NULL));
    assert_int_equal(es_session_baseline_start(s, NULL), ES_ENOTFOUND); /* not checked yet */
    es_session_close(s);
}
