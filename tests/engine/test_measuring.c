/* Measures of a session: computed by its workers, stopped and continued, kept in the store. */
#include "support.h"

#include <poll.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base.h"
#include "engine_session.h"
#include "engine_requests.h"
#include "core_measures_parts.h"
#include "refuse.h"
#include "engine_store.h"
#include "core_measures.h"
#include "keeping.h"

enum { MODELS = 6, ROWS = 90, WAIT_SECONDS = 200 };

static char folder[SUPPORT_PATH];

static int make_pool(void **state) {
    support_temp_dir(folder);
    setenv("XDG_DATA_HOME", folder, 1);
    for (uint64_t i = 0; i < MODELS; i++) {
        char name[32];
        snprintf(name, sizeof name, "pool/m%d.npy", (int)i);
        support_write_random_npy(folder, name, 7 + i, ROWS, 4 + i);
    }
    support_write_text(folder, "pool/pairs.csv", "a,b\n0,1\n2,3\n4,5\n6,7\n");
    support_write_text(folder, "pool/qrels.csv",
                       "query,doc,rel\n0,1,1\n0,2,1\n0,3,0\n0,4,0\n5,6,1\n5,7,2\n5,1,0\n5,2,0\n");
    support_write_text(folder, "pool/labels.csv",
                       "row,l\n0,a\n1,b\n2,a\n3,b\n4,a\n5,b\n6,a\n7,b\n");
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_session *open_pool(bool read_only, unsigned threads) {
    char path[SUPPORT_PATH];
    const es_session_options options = {.threads = threads, .read_only = read_only};
    es_session *s = NULL;
    support_path(path, folder, "pool");
    assert_ok(es_session_open(path, &options, &s, test_err()));
    return keep_session(s);
}

static bool is_busy(es_session *s) {
    es_measure_progress p;
    es_session_measure_progress(s, &p);
    return p.running || es_session_phase(s) == ES_PHASE_CHECKING;
}

static void settle(es_session *s) {
    double until = es_clock_now() + WAIT_SECONDS;
    es_session_pump(s, 0);
    while (is_busy(s)) {
        await_message(s, until);
    }
}

static size_t ask(es_session *s, const char *name) {
    size_t first = SIZE_MAX, count = 0;
    assert_ok(
        es_session_measure(s, es_measure_find(name), NULL, false, &first, &count, test_err()));
    assert_int_equal(count, 1);
    return first;
}

TEST(measuring__every_measure__is_computed_and_kept) {
    es_session *s = open_pool(false, 2);
    settle(s);
    for (const es_measure *const *m = es_measures; *m; m++) {
        if ((*m)->needs & ES_NEED_GRADED)
            continue;
        size_t entry = ask(s, (*m)->name);
        assert_int_equal(ask(s, (*m)->name), entry);
        assert_ok(es_session_measure_start(s, entry, NULL));
    }
    settle(s);
    for (size_t i = 0; i < es_session_measured_count(s); i++) {
        const es_measured *r = es_session_measured(s, i);
        if (strcmp(r->name, "probe") == 0) /* eight labels are too few for its folds */
            continue;
        assert_int_equal(r->done, r->of);
        assert_int_equal(r->failed, 0);
    }
    es_session *again = open_pool(true, 1);
    settle(again);
    for (size_t i = 0; i < es_session_measured_count(s); i++) {
        const es_measured *was = es_session_measured(s, i);
        const es_measured *is = es_session_measured(again, ask(again, was->measure->name));
        assert_int_equal(is->reused, was->done);
        for (size_t k = 0; k < was->m * was->width && was->done == was->of; k++) {
            assert_memory_equal(&is->value[k].value, &was->value[k].value, sizeof(double));
            assert_int_equal(is->value[k].why != NULL, was->value[k].why != NULL);
        }
    }
}

TEST(measuring__stopped__continues_where_it_was) {
    es_session *s = open_pool(false, 2);
    settle(s);
    size_t pairs = ask(s, "knn-overlap"), column = ask(s, "intrinsic-dimension");
    for (int round = 0; round < 20; round++) {
        assert_ok(es_session_measure_start(s, pairs, NULL));
        assert_ok(es_session_measure_start(s, column, NULL));
        es_session_cancel(s);
        settle(s);
    }
    assert_ok(es_session_measure_start(s, pairs, NULL));
    assert_ok(es_session_measure_start(s, column, NULL));
    es_session_cancel(s);
    settle(s);
    assert_ok(es_session_measure_start(s, pairs, NULL));
    assert_ok(es_session_measure_start(s, column, NULL));
    settle(s);
    assert_int_equal(es_session_measured(s, pairs)->done, MODELS * MODELS);
    assert_int_equal(es_session_measured(s, column)->done, MODELS);
    double score[MODELS];
    assert_ok(es_measured_column(es_session_measured(s, pairs), 0, score, NULL));
    for (int i = 0; i < MODELS; i++)
        assert_true(score[i] > 0 && score[i] < 1);
}

TEST(measuring__closing__ends_what_is_under_way) {
    for (int round = 0; round < 5; round++) {
        es_session *s = open_pool(false, 2);
        settle(s);
        es_session_measure_start(s, ask(s, "rsa"), NULL);
        es_session_measure_start(s, ask(s, "evalrank"), NULL);
        test_drop(s);
    }
}

TEST(measuring__settings__are_checked_and_keys) {
    es_session *s = open_pool(false, 1);
    static const char *const other[] = {"preprocess=none", NULL}, *const wrong[] = {"folds=3",
                                                                                    NULL};
    size_t first = 0, count = 0;
    assert_int_equal(
        es_session_measure(s, es_measure_find("cka"), NULL, false, &first, &count, test_err()),
        ES_EEMPTY);
    settle(s);
    size_t usual = ask(s, "evalrank");
    const es_measure *evalrank = es_measure_find("evalrank");
    assert_ok(es_session_measure(s, evalrank, other, false, &first, &count, test_err()));
    assert_int_not_equal(first, usual);
    assert_contains(es_session_measured(s, first)->settings, "preprocess=none");
    assert_error(es_session_measure(s, evalrank, wrong, false, &first, &count, test_err()),
                 ES_EINVAL, "quantile");
    assert_ok(es_session_measure(s, evalrank, wrong, true, &first, &count, test_err()));
    assert_int_equal(first, usual);
    assert_int_equal(es_session_measure(s, es_measure_find("similarity"), NULL, false, &first,
                                        &count, test_err()),
                     ES_ENOTFOUND);
}

TEST(measuring__older_store__has_nothing_and_is_mended) {
    char path[SUPPORT_PATH], pool[SUPPORT_PATH];
    sqlite3 *db = NULL;
    es_session *s = open_pool(false, 1);
    settle(s);
    test_drop(s);
    support_path(pool, folder, "pool");
    assert_int_equal(sqlite3_open(support_path(path, folder, "pool/.embedscope/results.db"), &db),
                     0);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE measured", NULL, NULL, NULL), 0);
    sqlite3_close(db);
    s = open_pool(true, 1);
    settle(s);
    assert_int_equal(es_session_measured(s, ask(s, "cka"))->reused, 0);
    test_drop(s);
    s = open_pool(false, 1);
    settle(s);
    es_session_measure_start(s, ask(s, "cka"), NULL);
    settle(s);
    test_drop(s);
    s = open_pool(true, 1);
    settle(s);
    assert_int_equal(es_session_measured(s, ask(s, "cka"))->reused, MODELS * MODELS);
}

TEST(deriving__in_the_background__tells_once) {
    es_session *s = open_pool(false, 1);
    es_derivation d = {.source = 2, .other = SIZE_MAX};
    const char *name = NULL;
    assert_int_equal(es_session_derive(s, &d, test_err()), ES_EEMPTY); /* not checked yet */
    settle(s);
    assert_ok(es_derive_parse("abtt 2", &d.how, test_err()));
    assert_true(d.how.kind == ES_DERIVE_ABTT && d.how.k == 2);
    assert_int_equal(es_session_derived(s, &name, test_err()), ES_ENOTFOUND);
    assert_null(es_session_trained(s));
    assert_ok(es_session_derive(s, &d, test_err()));
    assert_int_equal(es_session_derive(s, &d, test_err()), ES_EBUSY);
    assert_null(es_session_training(s)); /* it is made, not trained */
    es_status st = ES_EBUSY;
    for (double until = es_clock_now() + WAIT_SECONDS; st == ES_EBUSY;) {
        await_message(s, until);
        st = es_session_derived(s, &name, test_err());
    }
    assert_ok(st);
    assert_string_equal(name, "m2+abtt2");
    assert_null(es_session_trained(s)); /* nothing was */
    assert_int_equal(es_session_derived(s, &name, test_err()), ES_ENOTFOUND);
    d.how.k = 99; /* refused by the job */
    assert_ok(es_session_derive(s, &d, test_err()));
    test_drop(s);
    s = open_pool(false, 1);
    settle(s);
    assert_int_not_equal(es_pool_find(es_session_pool(s), "m2+abtt2"), SIZE_MAX);
}

static void refused(const char *text, es_status code, const char *says) {
    es_measure_call call;
    assert_error(es_measure_call_parse(text, &call, test_err()), code, says);
}

/* A measure as people write it, up to the longest text that there is room for. */
TEST_WITH(call__texts__are_taken_apart_or_refused, NULL, NULL) {
    es_measure_call call;
    char text[ES_MEASURE_CALL + 1] = "knn-overlap[k=3";
    assert_ok(es_measure_call_parse("knn-overlap[k=3  metric=l2]", &call, NULL));
    assert_string_equal(call.measure->name, "knn-overlap");
    assert_string_equal(call.setting[0], "k=3");
    assert_string_equal(call.setting[1], "metric=l2");
    assert_null(call.setting[2]);
    assert_string_equal(call.label, "k=3  metric=l2");
    assert_false(call.named);
    assert_ok(es_measure_call_parse("cca-information.strongest", &call, NULL));
    assert_true(call.named && call.field == 2 && call.setting[0] == NULL && call.label[0] == 0);
    memset(text + strlen(text), ' ', sizeof text - 1 - strlen(text));
    text[ES_MEASURE_CALL - 2] = ']';
    text[ES_MEASURE_CALL - 1] = '\0';
    assert_ok(es_measure_call_parse(text, &call, NULL));
    assert_string_equal(call.setting[0], "k=3");
    assert_null(call.setting[1]);
    text[ES_MEASURE_CALL - 2] = ' ';
    text[ES_MEASURE_CALL - 1] = ']';
    refused(text, ES_EINVAL, "a measure's name is shorter");
    refused("knn-overlap[k=1 k=2 k=3 k=4 k=5 k=6 k=7 k=8 k=9]", ES_EINVAL, "at most 8 settings");
    assert_ok(es_measure_call_parse("knn-overlap[k=1 k=2 k=3 k=4 k=5 k=6 k=7 k=8]", &call, NULL));
    assert_string_equal(call.setting[7], "k=8");
    refused("knn-overlap[k=3", ES_EINVAL, "expected NAME[KEY=VALUE KEY=VALUE]");
    refused("knn-overlap[k=3]]", ES_EINVAL, "expected NAME[KEY=VALUE KEY=VALUE]");
    refused("knn-overlap[q=3]", ES_EINVAL, "no setting 'q=3'");
    refused("nothing[k=3]", ES_ENOTFOUND, "nothing");
}

TEST_WITH(derive__words__are_read_or_refused, NULL, NULL) {
    static const char *const good[] = {"whiten",
                                       "whiten 3",
                                       "pcr 1",
                                       "pca 2",
                                       "center",
                                       "normalize",
                                       "random-projection 4",
                                       "first 64, int8",
                                       "pca 32 int4",
                                       "binary",
                                       "whiten, float16"};
    static const size_t directions[] = {0, 3, 1, 2, 0, 0, 4, 64, 32, 0, 0};
    static const unsigned bits[] = {0, 0, 0, 0, 0, 0, 0, 8, 4, 1, 16};
    static const char *const bad[] = {"",       "whitten",       "abtt",  "pca x",
                                      "abtt 0", "pca 1.5",       "first", "first 64, int7",
                                      "int7",   "first 0, int8", "full"};
    es_derive how;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_ok(es_derive_parse(good[i], &how, NULL));
        assert_int_equal(how.k, directions[i]);
        assert_int_equal(how.bits, bits[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(es_derive_parse(bad[i], &how, NULL), ES_EINVAL);
}

/* And what was half read then is not taken for what there is: the keys are those of a session that
 * had the memory. */
TEST(measuring__out_of_memory__is_reported) {
    static const char *const names[] = {"retmmd", "evalrank", "smoothness"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        es_session *usual = open_pool(true, 1);
        settle(usual);
        const char *settings = es_session_measured(usual, ask(usual, names[k]))->settings;
        bool met = true;
        for (long after = 0; met; after++) {
            es_session *s = open_pool(true, 1);
            size_t first = 0, count = 0;
            settle(s);
            refuse_one(after);
            es_status st =
                es_session_measure(s, es_measure_find(names[k]), NULL, false, &first, &count, NULL);
            met = refuse_end();
            assert_true(st == ES_OK || (met && st == ES_ENOMEM));
            const es_annotations *read = es_session_annotations(s); /* as far as there are any */
            assert_true(st != ES_OK || read);
            if (st == ES_OK)
                assert_string_equal(es_session_measured(s, first)->settings, settings);
            assert_string_equal(es_session_measured(s, ask(s, names[k]))->settings, settings);
            test_drop(s);
        }
        test_drop(usual);
    }
}

/* A measure's values that are there are the usual ones. */
static size_t check_values(const es_measured *got, const es_measured *usual) {
    size_t known = 0;
    assert_int_equal(got->m, usual->m);
    for (size_t k = 0; k < usual->m * usual->width && got->value; k++)
        if (!isnan(got->value[k].value)) {
            assert_true(got->value[k].value == usual->value[k].value);
            known++;
        }
    return known;
}

/* Of an embedder, of pairs and of one among all: what could not be computed is computed when it is
 * asked for again. */
TEST(measuring__computing__goes_on_after_memory_ran_out) {
    static const char *const names[] = {"uniformity", "cka", "consensus"};
    char path[SUPPORT_PATH];
    const es_session_options options = {.threads = 1, .no_store = true};
    support_path(path, folder, "pool");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_session *usual = NULL;
        assert_ok(es_session_open(path, &options, &usual, NULL));
        settle(usual);
        size_t entry = ask(usual, names[i]);
        assert_ok(es_session_measure_start(usual, entry, NULL));
        settle(usual);
        const es_measured *all = es_session_measured(usual, entry);
        assert_int_equal(all->done, all->of);
        size_t known = check_values(all, all);
        bool met = true;
        for (long k = 0; met; k += 1 + k / 40) {
            es_session *s = NULL;
            assert_ok(es_session_open(path, &options, &s, NULL));
            settle(s);
            assert_int_equal(ask(s, names[i]), entry);
            refuse_one(k);
            (void)es_session_measure_start(s, entry, NULL);
            settle(s);
            met = refuse_end();
            (void)check_values(es_session_measured(s, entry), all);
            assert_ok(es_session_measure_start(s, entry, NULL));
            settle(s);
            const es_measured *again = es_session_measured(s, entry);
            if (again->done != again->of || check_values(again, all) != known)
                fail_msg("%s, allocation %ld: %zu of %zu", names[i], k, again->done, again->of);
            es_session_close(s);
        }
        es_session_close(usual);
    }
}

/* A file that is there and cannot be read is not skipped, however often it is asked for. */
TEST(measuring__unreadable_files__are_named) {
    static const struct {
        const char *file, *measure;
    } all[] = {{"pool/pairs.csv", "evalrank"}, {"pool/labels.csv", "probe"}};
    es_session *s = open_pool(true, 1);
    settle(s);
    for (size_t k = 0; k < 2; k++) {
        char path[SUPPORT_PATH];
        assert_int_equal(remove(support_path(path, folder, all[k].file)), 0);
        assert_int_equal(mkdir(path, 0700), 0);
        for (int time = 0; time < 2; time++) {
            size_t first = 0, count = 0;
            assert_int_not_equal(es_session_measure(s, es_measure_find(all[k].measure), NULL, false,
                                                    &first, &count, test_err()),
                                 ES_OK);
            assert_contains(test_message(), "is a directory");
        }
    }
}

/* An embedder whose file is gone: the log says which, and why. */
TEST(measuring__failure__is_logged_with_the_embedders_name) {
    char path[SUPPORT_PATH], line[512];
    es_log *log = NULL;
    es_session *s = NULL;
    size_t warned = 0;
    assert_ok(es_log_open(NULL, ES_LOG_WARN, &log, NULL));
    const es_session_options options = {.threads = 1, .no_store = true, .log = log};
    assert_ok(es_session_open(support_path(path, folder, "pool"), &options, &s, NULL));
    settle(s);
    size_t entry = ask(s, "uniformity"), before = es_log_count(log);
    assert_int_equal(remove(support_path(path, folder, "pool/m3.npy")), 0);
    assert_ok(es_session_measure_start(s, entry, NULL));
    settle(s);
    assert_int_equal(es_session_measured(s, entry)->failed, 1);
    for (size_t i = before; i < es_log_count(log); i++) {
        assert_true(es_log_line(log, i, line, sizeof line) >= 0);
        warned += strstr(line, "uniformity: m3: ") != NULL;
    }
    assert_int_equal(warned, 1);
    es_session_close(s);
    es_log_close(log);
}

TEST(measuring__scores_of_some_pairs__are_named_each_time) {
    es_session *s = open_pool(true, 1);
    settle(s);
    support_write_text(folder, "pool/pairs.csv", "a,b,score\n0,1,2\n2,3,\n");
    for (int time = 0; time < 2; time++) {
        size_t first = 0, count = 0;
        assert_error(es_session_measure(s, es_measure_find("evalrank"), NULL, false, &first, &count,
                                        test_err()),
                     ES_EFORMAT, "line 3: no score");
    }
}

static es_status wait_for_files(es_session *s, es_error *err) {
    double until = es_clock_now() + WAIT_SECONDS;
    es_status st;
    while ((st = es_session_measure_prepared(s, err)) == ES_EBUSY) {
        await_message(s, until);
    }
    return st;
}

/* While a worker reads them nobody else may; then the measure is there at once. */
TEST(preparing__files__are_read_by_a_worker) {
    es_session *s = open_pool(true, 1);
    const es_measure *m = es_measure_find("smoothness"), *pairs = es_measure_find("evalrank");
    size_t first = 0, count = 0;
    assert_int_equal(es_session_measure_prepared(s, NULL), ES_ENOTFOUND);
    assert_int_equal(es_session_measure_prepare(s, m, NULL, test_err()),
                     ES_EEMPTY); /* not checked yet */
    settle(s);
    assert_ok(es_session_measure_prepare(s, m, NULL, test_err()));
    assert_int_equal(es_session_measure_prepare(s, pairs, NULL, test_err()), ES_EBUSY);
    assert_int_equal(es_session_measure(s, m, NULL, false, &first, &count, test_err()), ES_EBUSY);
    assert_ok(wait_for_files(s, test_err()));
    assert_int_equal(es_session_measure_prepared(s, NULL), ES_ENOTFOUND); /* told once */
    support_remove(support_in(folder, "pool/labels.csv"));                /* it is not read again */
    assert_ok(es_session_measure(s, m, NULL, false, &first, &count, test_err()));
    support_write_text(folder, "pool/pairs.csv", "a,b\n0,x\n");
    assert_ok(es_session_measure_prepare(s, pairs, NULL, test_err()));
    assert_error(wait_for_files(s, test_err()), ES_EFORMAT, "pairs.csv");
    assert_ok(es_session_measure_prepare(s, pairs, NULL, test_err())); /* while it is under way */
}

/* The list of the command line: of one embedder, or of two (other SIZE_MAX: of one). */
static es_worst_list worst_of(es_session *s, size_t entry, size_t model, size_t other) {
    es_measure_data data;
    const double *values;
    es_matrix m = {0}, second = {0}, queries = {0};
    es_worst_list list = {0};
    es_session_measure_inputs(s, entry, &data, &values);
    assert_ok(es_session_matrix(s, model, &m, NULL));
    if (other != SIZE_MAX)
        assert_ok(es_session_matrix(s, other, &second, NULL));
    else
        assert_ok(es_session_measure_queries(s, model, &data, &queries, NULL));
    assert_ok(es_worst_list_new(es_session_measured(s, entry)->measure, &m,
                                other != SIZE_MAX ? &second : NULL, &data, values, NULL, &list,
                                test_err()));
    es_matrix_free(&m);
    es_matrix_free(&second);
    es_matrix_free(&queries);
    return list;
}

/* EvalRank's, by the rank of the partner. */
TEST(worst__pairs__are_those_of_evalrank) {
    es_session *s = open_pool(true, 1);
    settle(s);
    size_t entry = ask(s, "evalrank");
    for (size_t model = 0; model < MODELS; model += 3) {
        es_measure_data data;
        const double *values;
        es_matrix m = {0};
        es_evalrank e = {0};
        uint32_t index[16];
        size_t count = 0;
        es_worst_list worst = worst_of(s, entry, model, SIZE_MAX);
        es_session_measure_inputs(s, entry, &data, &values);
        assert_ok(es_session_matrix(s, model, &m, NULL));
        assert_ok(es_evalrank_detail(&m, &data, values, ES_COSINE, NULL, &e, NULL));
        assert_ok(es_evalrank_worst(&e, index, 16, &count, NULL));
        assert_int_equal(count, 8); /* four pairs, either way */
        assert_int_equal(worst.kind, ES_WORST_PAIRS);
        assert_int_equal(worst.count, count);
        for (size_t k = 0; k < count; k++) {
            const es_worst_line *is = &worst.line[k];
            const es_pair_rank *was = &e.pair[index[k]];
            assert_int_equal(is->row[0], was->query);
            assert_int_equal(is->row[1], was->partner);
            assert_int_equal(is->row[2], was->nearest);
            assert_true(is->value == es_pair_rank_value(was, ES_TIE_MID));
            assert_true(is->similarity[1] == was->similarity);
        }
        es_evalrank_free(&e);
        es_matrix_free(&m);
        es_worst_list_free(&worst);
    }
}

/* RetMMD's, by M of the RBF kernel in the first draw. */
TEST(worst__queries__rise_in_m) {
    es_session *s = open_pool(true, 1);
    settle(s);
    size_t entry = ask(s, "retmmd");
    es_measure_data data;
    const double *values;
    es_matrix m = {0};
    es_retmmd r = {0};
    es_worst_list worst = worst_of(s, entry, 2, SIZE_MAX);
    es_session_measure_inputs(s, entry, &data, &values);
    assert_ok(es_session_matrix(s, 2, &m, NULL));
    assert_ok(es_retmmd_detail(&m, &data, values, NULL, &r, NULL));
    assert_int_equal(worst.kind, ES_WORST_QUERIES);
    assert_true(r.count > 1);
    assert_int_equal(worst.count, r.count);
    for (size_t k = 0; k < r.count; k++) {
        const es_worst_line *line = &worst.line[k];
        size_t q = 0;
        while (data.queries->query[q].row != line->row[0])
            q++;
        assert_true(line->value == r.m[q][ES_KERNEL_RBF]);
        assert_true(line->beside == r.p[q][ES_KERNEL_RBF]);
        assert_int_equal(line->row[1], data.queries->query[q].doc[0]);
        assert_int_equal(line->count, data.queries->query[q].positives);
        assert_true(k == 0 || worst.line[k - 1].value <= line->value);
    }
    es_retmmd_free(&r);
    es_matrix_free(&m);
    es_worst_list_free(&worst);
}

/* Of two embedders: the shares add up to the measure, and each row has a nearest by either. */
TEST(worst__rows__share_least_first) {
    es_session *s = open_pool(false, 1);
    settle(s);
    size_t entry = ask(s, "knn-overlap");
    double sum = 0;
    assert_ok(es_session_measure_start(s, entry, NULL));
    settle(s);
    es_worst_list worst = worst_of(s, entry, 1, 4);
    assert_int_equal(worst.kind, ES_WORST_ROWS);
    assert_int_equal(worst.count, ROWS);
    for (size_t k = 0; k < ROWS; k++) {
        const es_worst_line *line = &worst.line[k];
        sum += (double)line->count / (double)line->of;
        assert_true(k == 0 || worst.line[k - 1].count <= line->count);
        for (size_t r = 0; r < ES_WORST_ROWS_SHOWN; r++)
            assert_true(line->row[r] < ROWS && (r == 0 || line->row[r] != line->row[0]));
    }
    double value = es_session_measured(s, entry)->value[1 * MODELS + 4].value;
    assert_true(fabs(sum / ROWS - value) < 1e-12);
    es_worst_list_free(&worst);
}
