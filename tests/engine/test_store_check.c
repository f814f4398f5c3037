/* What is wrong with a store, row by row, and taking it out without touching the rest; what is
 * stored of contents; and what earlier versions believed of files. */
#include "support.h"

#include <sqlite3.h>

#include "engine_store.h"

static char root[SUPPORT_PATH], file[SUPPORT_PATH];
static es_store *store;

static void open_store(void) {
    assert_ok(es_store_open_file(file, false, NULL, &store, NULL));
}

static int set_up(void **state) {
    support_temp_dir(root);
    (void)support_path(file, root, "results.db");
    open_store();
    return 0;
}

static int tear_down(void **state) {
    es_store_close(store);
    return 0;
}

TEST_EACH(set_up, tear_down);

static const es_store_key linear = {"linear", 1, "a=1", 5, {7, 8}},
                          cka = {"measure cka", 1, "b=2", 5, {7, 8}};

static void put(const es_store_key *key, uint64_t source, uint64_t target, const char *origin) {
    float pmi[3] = {1, 2, 3};
    const es_store_pair pair = {.source = {source, 1},
                                .target = {target, 1},
                                .result = {.is = 0.5, .se = NAN, .h = 1, .n_eval = 3, .pmi = pmi}};
    assert_ok(es_store_put(store, key, &pair, origin, NULL));
}

static void put_measured(uint64_t source, uint64_t target) {
    const es_measure_value value[2] = {{1, NAN, NAN, NULL, NULL}, {NAN, NAN, NAN, "why", NULL}};
    const es_store_measured m = {{source, 1}, {target, 1}, 2, value};
    assert_ok(es_store_measured_put(store, &cka, &m, NULL, NULL));
}

static void run_sql(const char *text) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static long count(const char *table) {
    char text[80];
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM %s", table);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    long found = (long)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return found;
}

static es_store_survey survey(void) {
    es_store_survey out;
    assert_ok(es_store_check(store, &out, NULL));
    assert_string_equal(out.pages, "ok");
    return out;
}

TEST(check__each_fault__is_counted_and_mended) {
    static const struct {
        const char *damage; /* of pair 1 or of the first value */
        const char *what;
        long pairs, pmi, measured; /* that are left of 3, 3 and 4 */
    } faults[] = {
        {"UPDATE pair SET run = 99 WHERE id = 1",
         "pairs whose estimator, settings and seed are not known", 2, 2, 4},
        {"UPDATE pair SET source = 'sixteen letters.' WHERE id = 1", "pairs that name no contents",
         2, 2, 4},
        {"UPDATE pair SET target = x'00' WHERE id = 1", "pairs that name no contents", 2, 2, 4},
        {"UPDATE pair SET is_ = NULL WHERE id = 1", "pairs without a finite value", 2, 2, 4},
        {"UPDATE pair SET is_ = 'one' WHERE id = 1", "pairs without a finite value", 2, 2, 4},
        {"UPDATE pair SET h = 9e999 WHERE id = 1", "pairs without a finite value", 2, 2, 4},
        {"UPDATE pair SET se = -9e999 WHERE id = 1", "pairs without a finite value", 2, 2, 4},
        {"UPDATE pair SET n_eval = -1 WHERE id = 1", "pairs with a number of rows that is none", 2,
         2, 4},
        {"INSERT INTO pmi VALUES(99, x'00000000')", "values per row without their pair", 3, 3, 4},
        {"DELETE FROM pmi WHERE pair = 1", "pairs without values per row", 2, 2, 4},
        {"UPDATE pmi SET value = x'0000' WHERE pair = 1",
         "pairs whose values per row are not whole", 2, 2, 4},
        {"UPDATE pmi SET value = x'0000803f0000c0ff00004040' WHERE pair = 1", /* 1, NaN, 3 */
         "pairs whose values per row are not whole", 2, 2, 4},
        {"UPDATE pmi SET value = x'0000803f000040400000807f' WHERE pair = 1", /* 1, 3, infinite */
         "pairs whose values per row are not whole", 2, 2, 4},
        {"UPDATE pmi SET value = 'twelve bytes' WHERE pair = 1",
         "pairs whose values per row are not whole", 2, 2, 4},
        {"UPDATE measured SET run = 99 WHERE field = 0",
         "values of measures whose settings are not known", 3, 3, 2},
        {"UPDATE measured SET source = x'00' WHERE field = 0 AND target <> source",
         "values of measures that name no contents", 3, 3, 3},
        {"UPDATE measured SET value = 9e999 WHERE field = 0 AND target <> source",
         "values of measures that are neither finite nor explained", 3, 3, 3},
        {"UPDATE measured SET why = NULL WHERE field = 1 AND target <> source",
         "values of measures that are neither finite nor explained", 3, 3, 3}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        for (uint64_t k = 1; k < 4; k++)
            put(&linear, k, 2, NULL);
        put_measured(1, 1);
        put_measured(1, 2);
        run_sql("UPDATE pair SET failed = 1, is_ = NULL WHERE id = 3"); /* no fault */
        es_store_survey found = survey();
        assert_int_equal(found.pairs, 3);
        assert_int_equal(found.measured, 4);
        for (size_t f = 0; f < ES_STORE_FAULTS; f++)
            assert_int_equal(found.fault[f], 0);
        run_sql(faults[i].damage);
        found = survey();
        size_t all = 0;
        for (size_t f = 0; f < ES_STORE_FAULTS; f++) {
            /* the length of values per row is that of a damaged pair, too */
            if (strcmp(es_store_fault_text(f), faults[i].what) == 0)
                assert_int_equal(found.fault[f], faults[i].measured == 2 ? 2 : 1);
            else if (strncmp(es_store_fault_text(f), "pairs whose values per row", 26) != 0)
                all += found.fault[f];
        }
        assert_int_equal(all, 0);
        assert_ok(es_store_mend(store, NULL));
        found = survey();
        for (size_t f = 0; f < ES_STORE_FAULTS; f++)
            assert_int_equal(found.fault[f], 0);
        assert_int_equal(count("pair"), faults[i].pairs);
        assert_int_equal(count("pmi"), faults[i].pmi);
        assert_int_equal(count("measured"), faults[i].measured);
        tear_down(NULL);
        set_up(NULL);
    }
}

/* Of a version that knew no measures. */
TEST(check__store_without_measures__is_checked_and_mended) {
    put(&linear, 1, 2, NULL);
    es_store_close(store);
    run_sql("DROP TABLE measured");
    run_sql("UPDATE pair SET is_ = NULL");
    assert_ok(es_store_open_file(file, true, NULL, &store, NULL));
    es_store_survey found = survey();
    assert_int_equal(found.pairs, 1);
    assert_int_equal(found.measured, 0);
    size_t sum = 0;
    assert_ok(es_store_count_contents(store, (es_digest){1, 1}, &sum, NULL));
    assert_int_equal(sum, 1);
    assert_int_equal(es_store_mend(store, NULL), ES_EINVAL); /* it is only looked at */
    assert_int_equal(es_store_remove_contents(store, (es_digest){1, 1}, NULL), ES_EINVAL);
    assert_int_equal(es_store_remove(store, &linear, (es_digest){1, 1}, (es_digest){2, 1}, NULL),
                     ES_EINVAL);
    assert_int_equal(survey().pairs, 1);
}

/* Of the user alone, and where it is said, not where a link leads. */
TEST(open__new_file__is_the_users) {
    struct stat info;
    char path[SUPPORT_PATH];
    es_store *other = NULL;
    assert_int_equal(stat(file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(
        es_store_open_file(support_path(path, root, "none.db"), true, NULL, &other, test_err()),
        ES_ENOTFOUND);
    assert_int_equal(symlink(file, support_path(path, root, "link.db")), 0);
    assert_error(es_store_open_file(path, false, NULL, &other, test_err()), ES_EIO,
                 "link.db: is not a plain file");
    assert_int_equal(mkdir(support_path(path, root, "folder.db"), 0700), 0);
    assert_int_equal(es_store_open_file(path, false, NULL, &other, test_err()), ES_EIO);
    assert_int_equal(es_store_open_file(support_path(path, root, "no/such/folder.db"), true, NULL,
                                        &other, test_err()),
                     ES_ENOTFOUND);
    assert_null(other);
}

/* ---- runs and pairs ---- */

static es_status note_run(void *context, const es_store_key *key, es_error *err) {
    char *text = context;
    size_t used = strlen(text);
    if (strcmp(key->settings, "stop") == 0)
        return es_fail(err, ES_EBUSY, "that is enough");
    assert_true(key->rowset.hi == 7 && key->rowset.lo == 8);
    (void)snprintf(text + used, 200 - used, "%s %u %s %llu;", key->estimator, key->version,
                   key->settings, (unsigned long long)key->seed);
    return ES_OK;
}

TEST(runs__with_pairs__come_in_order) {
    static const es_store_key keys[] = {{"linear", 2, "a=1", 5, {7, 8}},
                                        {"linear", 1, "b=1", 5, {7, 8}},
                                        {"linear", 1, "a=1", UINT64_MAX, {7, 8}},
                                        {"knife", 3, "a=1", 5, {7, 8}},
                                        {"linear", 1, "a=1", 5, {7, 8}}};
    char text[200] = "";
    for (size_t i = 0; i < 5; i++)
        put(&keys[i], 1, 2, NULL);
    put_measured(1, 1); /* a measure is no run of pairs */
    assert_ok(es_store_runs(store, note_run, text, NULL));
    assert_string_equal(text, "knife 3 a=1 5;linear 1 a=1 18446744073709551615;linear 1 a=1 5;"
                              "linear 1 b=1 5;linear 2 a=1 5;");
    const es_store_key stop = {"linear", 1, "stop", 5, {7, 8}};
    put(&stop, 1, 2, NULL);
    assert_error_is(es_store_runs(store, note_run, text, test_err()), ES_EBUSY, "that is enough");
    text[0] = '\0';
    run_sql("UPDATE run SET rowset = x'00' WHERE version = 1");
    assert_ok(es_store_runs(store, note_run, text, NULL));
    assert_string_equal(text, "knife 3 a=1 5;linear 2 a=1 5;");
}

TEST(pair__origin_and_removal__are_of_that_pair) {
    char *origin = NULL;
    put(&linear, 1, 2, "{\"cpu\":1}");
    put(&linear, 2, 1, NULL);
    put(&linear, 1, 3, "{\"cpu\":2}");
    assert_ok(es_store_origin(store, &linear, (es_digest){1, 1}, (es_digest){2, 1}, &origin, NULL));
    assert_string_equal(origin, "{\"cpu\":1}");
    es_free(origin);
    assert_ok(es_store_origin(store, &linear, (es_digest){2, 1}, (es_digest){1, 1}, &origin, NULL));
    assert_null(origin);
    assert_ok(es_store_remove(store, &linear, (es_digest){1, 1}, (es_digest){2, 1}, NULL));
    assert_int_equal(count("pair"), 2);
    assert_int_equal(count("pmi"), 2);
    assert_ok(es_store_origin(store, &linear, (es_digest){1, 1}, (es_digest){3, 1}, &origin, NULL));
    assert_string_equal(origin, "{\"cpu\":2}");
    es_free(origin);
    assert_ok(es_store_remove(store, &cka, (es_digest){1, 1}, (es_digest){3, 1},
                              NULL)); /* there is no such pair */
    assert_int_equal(count("pair"), 2);
}

/* ---- contents ---- */

TEST(contents__removed__leave_the_others) {
    size_t sum = 9;
    es_digest out = {0};
    put(&linear, 1, 2, NULL);
    put(&linear, 2, 1, NULL);
    put(&linear, 1, 1, NULL);
    put(&linear, 2, 2, NULL);
    put_measured(1, 1);
    put_measured(2, 1);
    put_measured(2, 2);
    run_sql("INSERT INTO digest VALUES(x'2F61', 'w', 10, 20, "
            "x'01000000000000000100000000000000'), (x'2F62', 'w', 10, 20, "
            "x'01000000000000000200000000000000')");
    assert_ok(es_store_count_contents(store, (es_digest){1, 1}, &sum, NULL));
    assert_int_equal(sum, 3 + 4);
    assert_ok(es_store_count_contents(store, (es_digest){9, 1}, &sum, NULL));
    assert_int_equal(sum, 0);
    assert_true(es_store_believed(store, "/a", "w", 10, 20, &out));
    assert_true(out.hi == 1 && out.lo == 1);
    assert_true(es_store_believed(store, "/b", "w", 10, 20, &out));
    assert_true(out.hi == 2 && out.lo == 1);
    assert_false(es_store_believed(store, "/c", "w", 10, 20, &out));
    assert_false(es_store_believed(store, "/a", "v", 10, 20, &out));
    assert_false(es_store_believed(store, "/a", "w", 11, 20, &out));
    assert_false(es_store_believed(store, "/a", "w", 10, 21, &out));
    assert_ok(es_store_remove_contents(store, (es_digest){1, 1}, NULL));
    assert_int_equal(count("pair"), 1);
    assert_int_equal(count("pmi"), 1);
    assert_int_equal(count("measured"), 2);
    assert_ok(es_store_count_contents(store, (es_digest){1, 1}, &sum, NULL));
    assert_int_equal(sum, 0);
    assert_ok(es_store_count_contents(store, (es_digest){2, 1}, &sum, NULL));
    assert_int_equal(sum, 1 + 2);
    assert_false(es_store_believed(store, "/a", "w", 10, 20, &out));
    assert_true(es_store_believed(store, "/b", "w", 10, 20, &out));
}
