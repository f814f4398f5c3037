/* The results store: round trips, several processes, kills, full disks, damaged and foreign files.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <sqlite3.h>

#include "support.h"

#include "base.h"
#include "io_files.h"
#include "refuse.h"
#include "engine_store.h"
#include "engine_store_parts.h"
#include "keeping.h"

static char root[SUPPORT_PATH]; /* of one test: pool/ and data/ below it */
static char pool[SUPPORT_PATH + 32], data[SUPPORT_PATH + 8];

static int set_up(void **state) {
    support_temp_dir(root);
    chmod(root, 0755);
    snprintf(pool, sizeof pool, "%s/pool", root);
    snprintf(data, sizeof data, "%s/data", root);
    mkdir(pool, 0755);
    mkdir(data, 0755);
    return setenv("XDG_DATA_HOME", data, 1);
}

TEST_EACH(set_up, NULL);

static es_store_key a_key(const char *settings) {
    return (es_store_key){.estimator = "linear",
                          .version = 1,
                          .settings = settings,
                          .seed = UINT64_MAX,
                          .rowset = {.hi = 7, .lo = UINT64_MAX}};
}

static es_store_pair a_pair(unsigned source, unsigned target) {
    es_store_pair pair = {
        .source = {.hi = source, .lo = 1}, .target = {.hi = target, .lo = 2}, .seconds = 0.25};
    pair.result.is = 0.1 + source;
    pair.result.se = 1.0 / 3;
    pair.result.h = 1.4189385332046727;
    pair.result.h_cond = -1e-300;
    pair.result.n_eval = 3;
    pair.result.epochs = 17;
    return pair;
}

static es_store *open_store(bool read_only) {
    es_store *store = NULL;
    es_status st = es_store_open(pool, read_only, &store, test_err());
    if (st != ES_OK)
        print_error("%s\n", test_message());
    assert_ok(st);
    return keep_store(store);
}

static es_status put(es_store *store, unsigned source, unsigned target, es_error *err) {
    es_store_key key = a_key("a=1");
    es_store_pair pair = a_pair(source, target);
    return es_store_put(store, &key, &pair, "{}", err);
}

/* The last pair seen, and how many. */
typedef struct seen {
    size_t count;
    es_store_pair last;
    char reason[128];
    float pmi[8];
    bool has_pmi;
} seen;

static es_status look(void *context, es_store_pair *pair, es_error *err) {
    seen *s = context;
    (void)err;
    s->count++;
    s->last = *pair;
    s->reason[0] = '\0';
    s->has_pmi = pair->result.pmi != NULL;
    if (pair->reason)
        snprintf(s->reason, sizeof s->reason, "%s", pair->reason);
    if (pair->result.pmi)
        memcpy(s->pmi, pair->result.pmi, pair->result.n_eval * sizeof(float));
    return ES_OK;
}

static seen load(es_store *store, const char *settings, bool with_pmi) {
    seen s = {0};
    es_store_key key = a_key(settings);
    assert_ok(es_store_load(store, &key, with_pmi, look, &s, NULL));
    return s;
}

TEST(store__keeps__every_field) {
    float pmi[3] = {1.5F, -0.25F, 3e-30F};
    es_store_key key = a_key("a=1");
    es_store_pair pair = a_pair(3, 4);
    pair.result.pmi = pmi;
    pair.result.se = (double)NAN;
    es_store *store = open_store(false);
    assert_ok(es_store_put(store, &key, &pair, "{\"cpu\":1}", NULL));
    test_drop(store);

    store = open_store(true);
    seen s = load(store, "a=1", true);
    assert_int_equal(s.count, 1);
    assert_true(es_digest_equal(s.last.source, pair.source));
    assert_true(es_digest_equal(s.last.target, pair.target));
    assert_false(s.last.failed);
    assert_true(s.last.result.is == pair.result.is);
    assert_true(isnan(s.last.result.se));
    assert_true(s.last.result.h == pair.result.h);
    assert_true(s.last.result.h_cond == pair.result.h_cond);
    assert_int_equal(s.last.result.n_eval, 3);
    assert_int_equal(s.last.result.epochs, 17);
    assert_true(s.last.seconds == 0.25);
    assert_true(s.has_pmi);
    assert_memory_equal(s.pmi, pmi, sizeof pmi);
    assert_false(load(store, "a=1", false).has_pmi);
}

static unsigned first_version(const char *estimator) {
    (void)estimator;
    return 1;
}

/* The first set of pairs there has the number that another has here. */
TEST(merge__other_settings__stay_apart) {
    const es_digest contents[] = {{5, 1}, {6, 2}, {7, 1}, {8, 2}};
    const es_merge_rules rules = {contents, 4, first_version, NULL, NULL};
    es_store_key other = a_key("b=2");
    es_store_pair here = a_pair(1, 2), there = a_pair(7, 8);
    es_merged merged = {0};
    es_store *to = open_store(false), *from = NULL;
    assert_ok(es_store_open_file(support_in(root, "share.db"), false, NULL, &from, NULL));
    assert_ok(es_store_put(to, &other, &here, "{}", NULL));
    assert_ok(put(from, 5, 6, NULL));
    assert_ok(es_store_put(from, &other, &there, "{}", NULL));
    assert_ok(es_store_merge(to, from, &rules, &merged, NULL));
    assert_int_equal(merged.taken, 2);
    seen s = load(to, "a=1", false);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.last.source.hi, 5);
    assert_int_equal(load(to, "b=2", false).count, 2);
    es_store_close(from);
}

TEST(store__separates__keys) {
    es_store *store = open_store(false);
    es_store_key keys[6];
    for (size_t i = 0; i < 6; i++)
        keys[i] = a_key("a=1");
    keys[1].estimator = "knife";
    keys[2].version = 2;
    keys[3].settings = "a=2";
    keys[4].seed = 0;
    keys[5].rowset.lo = 0;
    for (size_t i = 0; i < 6; i++) {
        es_store_pair pair = a_pair((unsigned)i, 0);
        assert_ok(es_store_put(store, &keys[i], &pair, NULL, NULL));
    }
    for (size_t i = 0; i < 6; i++) {
        seen s = {0};
        assert_ok(es_store_load(store, &keys[i], false, look, &s, NULL));
        assert_int_equal(s.count, 1);
        assert_int_equal(s.last.source.hi, i);
    }
}

TEST(store__replaces__failures_by_values_only) {
    es_store *store = open_store(false);
    es_store_key key = a_key("a=1");
    es_store_pair bad = a_pair(1, 2), good = a_pair(1, 2);
    float pmi[3] = {1, 2, 3};
    bad.failed = true;
    bad.reason = "did not converge\033[2J";
    assert_ok(es_store_put(store, &key, &bad, "{}", NULL));
    seen s = load(store, "a=1", true);
    assert_true(s.last.failed);
    assert_string_equal(s.reason, "did not converge\xEF\xBF\xBD[2J");
    assert_true(isnan(s.last.result.is));

    good.result.pmi = pmi;
    assert_ok(es_store_put(store, &key, &good, "{}", NULL));
    s = load(store, "a=1", true);
    assert_false(s.last.failed);
    assert_true(s.has_pmi);
    assert_string_equal(s.reason, "");

    assert_ok(es_store_put(store, &key, &bad, "{}", NULL));
    s = load(store, "a=1", true);
    assert_int_equal(s.count, 1);
    assert_false(s.last.failed);
    assert_true(s.has_pmi);

    good.result.pmi = NULL;
    good.result.is = 9;
    assert_ok(es_store_put(store, &key, &good, "{}", NULL));
    s = load(store, "a=1", true);
    assert_true(s.last.result.is == 9.0);
    assert_false(s.has_pmi);
}

static es_status refuse(void *context, es_store_pair *pair, es_error *err) {
    (void)pair;
    ++*(int *)context;
    return es_fail(err, ES_ECANCELED, "stop");
}

static es_status copy_values(void *context, es_store_pair *pair, es_error *err) {
    (void)err;
    memcpy(context, pair->result.pmi, pair->result.n_eval * sizeof *pair->result.pmi);
    return ES_OK;
}

TEST(load__stops_and_shows_values__as_asked) {
    es_store *store = open_store(false);
    es_store_key key = a_key("a=1");
    es_store_pair pair = a_pair(1, 1);
    float pmi[3] = {4, 5, 6}, mine[3];
    int calls = 0;
    pair.result.pmi = pmi;
    assert_ok(es_store_put(store, &key, &pair, NULL, NULL));
    assert_ok(es_store_load(store, &key, true, copy_values, mine, NULL));
    assert_memory_equal(mine, pmi, sizeof pmi);
    assert_ok(put(store, 2, 2, NULL));
    assert_int_equal(es_store_load(store, &key, true, refuse, &calls, NULL), ES_ECANCELED);
    assert_int_equal(calls, 1);
    assert_int_equal(load(store, "a=1", false).count, 2); /* and the statement can be used again */
}

TEST(memory_store__works__without_a_file) {
    es_store *store = NULL;
    assert_ok(es_store_open(NULL, false, &store, NULL));
    assert_ok(put(store, 1, 2, NULL));
    assert_int_equal(load(store, "a=1", false).count, 1);
    assert_string_equal(es_store_path(store), ":memory:");
    es_store_close(store);
    assert_int_not_equal(access(support_in(pool, ".embedscope"), F_OK), 0);
}

TEST(store__is__for_the_user_only) {
    char path[SUPPORT_PATH];
    struct stat info;
    es_store *store = open_store(false);
    assert_ok(put(store, 1, 1, NULL));
    assert_int_equal(stat(support_path(path, pool, ".embedscope"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    static const char *const files[] = {".embedscope/results.db", ".embedscope/results.db-wal"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(stat(support_path(path, pool, files[i]), &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
    }
    test_drop(store);
    /* Nothing but the database stays behind. */
    assert_int_not_equal(stat(path, &info), 0);
}

TEST(open__refuses__links) {
    char path[SUPPORT_PATH], elsewhere[SUPPORT_PATH];
    es_store *store = NULL;
    support_path(path, pool, ".embedscope");
    assert_int_equal(symlink(data, path), 0);
    assert_error(es_store_open(pool, false, &store, test_err()), ES_EIO, "symbolic link");
    unlink(path);
    mkdir(path, 0700);
    support_path(path, pool, ".embedscope/results.db");
    assert_int_equal(symlink(support_path(elsewhere, root, "victim"), path), 0);
    assert_int_equal(es_store_open(pool, false, &store, test_err()), ES_EIO);
    assert_int_equal(es_store_open(pool, true, &store, test_err()), ES_EIO);
    unlink(path);
    assert_int_equal(symlink(elsewhere, support_path(path, pool, ".embedscope/results.db-wal")), 0);
    errno = EPERM; /* of something before, which is not the reason */
    assert_error(es_store_open(pool, false, &store, test_err()), ES_EIO,
                 "beside it, cannot be opened; these must be plain files");
    assert_int_not_equal(access(elsewhere, F_OK), 0);
    assert_null(store);
}

/* It is written to while it is open: a file without a name would take everything and keep nothing.
 */
TEST(put__refuses__a_file_that_was_taken_away) {
    char path[SUPPORT_PATH], away[SUPPORT_PATH];
    es_store *store = open_store(false);
    assert_ok(put(store, 0, 1, NULL));
    support_path(path, pool, ".embedscope");
    assert_int_equal(rename(path, support_path(away, pool, "away")), 0);
    assert_error(put(store, 0, 2, test_err()), ES_EIO, "results.db: deleted or moved");
    assert_int_equal(rename(away, path), 0);
    assert_ok(put(store, 0, 2, NULL));
}

TEST(open__works__where_the_pool_itself_is_behind_a_link) {
    char link[SUPPORT_PATH];
    assert_int_equal(symlink(pool, support_path(link, root, "link")), 0);
    es_store *store = NULL;
    assert_ok(es_store_open(link, false, &store, NULL));
    assert_ok(put(store, 1, 1, NULL));
    es_store_close(store);
    store = open_store(true);
    assert_int_equal(load(store, "a=1", false).count, 1);
}

TEST(open__says__when_nothing_is_stored) {
    es_store *store = NULL;
    assert_int_equal(es_store_open(pool, true, &store, test_err()), ES_ENOTFOUND);
    assert_int_not_equal(access(support_in(pool, ".embedscope"), F_OK), 0);
    test_drop(open_store(false));
    store = open_store(true);
    assert_int_equal(put(store, 1, 1, test_err()), ES_EINVAL);
    test_drop(store);
    assert_int_equal(es_store_open("/nowhere/at/all", false, &store, test_err()), ES_ENOTFOUND);
}

TEST(open__explains__damage) {
    char path[SUPPORT_PATH], noise[9000];
    es_store *store = NULL;
    memset(noise, 'x', sizeof noise);
    support_write(pool, ".embedscope/results.db", noise, sizeof noise);
    for (int read_only = 0; read_only < 2; read_only++) {
        assert_error(es_store_open(pool, read_only, &store, test_err()), ES_EFORMAT,
                     "move the file away");
        assert_contains(test_message(), "results.db");
    }
    unlink(support_path(path, pool, ".embedscope/results.db"));

    store = open_store(false);
    for (unsigned i = 0; i < 400; i++)
        assert_ok(put(store, i, i, NULL));
    test_drop(store);
    /* Tables' pages overwritten, the first one (the schema) left as it is. */
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
    for (int i = 0; i < 8; i++)
        fwrite(noise, 1, 4096, file);
    fclose(file);
    es_store_key key = a_key("a=1");
    seen s = {0};
    es_status st = es_store_open(pool, false, &store, test_err());
    if (st == ES_OK) {
        st = es_store_load(store, &key, true, look, &s, test_err());
        es_store_close(store);
    }
    assert_int_equal(st, ES_EFORMAT);
    assert_contains(test_message(), "move the file away");
}

static void run_sql(const char *text) {
    char path[SUPPORT_PATH];
    sqlite3 *db = NULL;
    support_path(path, pool, ".embedscope/results.db");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST(open__refuses__newer_and_foreign_databases) {
    es_store *store = NULL;
    test_drop(open_store(false));
    run_sql("PRAGMA user_version=99");
    assert_error(es_store_open(pool, false, &store, test_err()), ES_EFORMAT, "newer");
    assert_contains(test_message(), "99");
    char next[64]; /* the very next schema is too new as well, and this one is not */
    snprintf(next, sizeof next, "PRAGMA user_version=%d", (int)ES_STORE_SCHEMA + 1);
    run_sql(next);
    assert_error(es_store_open(pool, false, &store, test_err()), ES_EFORMAT, "newer");
    snprintf(next, sizeof next, "PRAGMA user_version=%d", (int)ES_STORE_SCHEMA);
    run_sql(next);
    test_drop(open_store(false));
    run_sql("PRAGMA user_version=1; PRAGMA application_id=5");
    assert_error(es_store_open(pool, false, &store, test_err()), ES_EFORMAT,
                 "not one of embedscope");
    run_sql("PRAGMA application_id=0; PRAGMA user_version=0");
    assert_int_equal(es_store_open(pool, false, &store, test_err()), ES_EFORMAT);
}

/* A store that came with a pool may hold SQL of its own: none of it runs. The trigger would empty
 * the table, the view never end. */
TEST(open__runs_nothing__that_a_store_brings_along) {
    es_store *store = open_store(false);
    assert_ok(put(store, 1, 1, NULL));
    test_drop(store);
    run_sql("CREATE TRIGGER t AFTER INSERT ON pair BEGIN DELETE FROM pair; END");
    store = open_store(false);
    assert_ok(put(store, 2, 2, NULL));
    assert_int_equal(load(store, "a=1", false).count, 2);
    test_drop(store);
    run_sql("DROP TRIGGER t; ALTER TABLE pair RENAME TO hidden;"
            "CREATE VIEW pair AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
            " SELECT h.* FROM hidden h, c");
    assert_int_not_equal(es_store_open(pool, false, &store, test_err()), ES_OK);
    assert_contains(test_message(), "results.db");
}

/* What this program never writes counts as not stored, and above all not as 0. */
TEST(load__passes_over__rows_that_hold_no_value) {
    static const char *const damages[] = {"is_ = NULL",  "is_ = 'abc'",    "is_ = x'00'",
                                          "is_ = 9e999", "se = 9e999",     "h = 9e999",
                                          "n_eval = -1", "source = x'01'", "target = 'text'"};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char text[128];
        es_store_pair pair = {0};
        es_store *store = open_store(false);
        es_store_key key = a_key("a=1");
        assert_ok(put(store, 1, 1, NULL));
        assert_ok(put(store, 2, 2, NULL));
        test_drop(store);
        snprintf(text, sizeof text, "UPDATE pair SET %s WHERE id = 1", damages[i]);
        run_sql(text);
        store = open_store(false);
        assert_int_equal(load(store, "a=1", false).count, 1);
        assert_int_equal(es_store_get(store, &key, (es_digest){.hi = 1, .lo = 1},
                                      (es_digest){.hi = 1, .lo = 2}, false, &pair, NULL),
                         ES_ENOTFOUND);
        assert_ok(put(store, 1, 1, NULL)); /* estimated anew */
        assert_int_equal(load(store, "a=1", false).count, 2);
        test_drop(store);
        run_sql("DELETE FROM pair");
    }
}

/* ---- other processes ---- */

static int wait_for(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* In a child: opens the store and puts `count` pairs. */
static void write_pairs(unsigned first, unsigned count) {
    es_store *store = NULL;
    if (es_store_open(pool, false, &store, test_err()) != ES_OK) {
        fprintf(stderr, "%s\n", test_message());
        _exit(1);
    }
    for (unsigned i = first; i < first + count; i++)
        if (put(store, i, i, test_err()) != ES_OK) {
            fprintf(stderr, "%s\n", test_message());
            _exit(2);
        }
    es_store_close(store);
    _exit(0);
}

TEST(processes__share__one_new_store) {
    enum { CHILDREN = 4, EACH = 50 };
    pid_t child[CHILDREN];
    for (unsigned i = 0; i < CHILDREN; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0)
            write_pairs(i * EACH, EACH);
    }
    for (unsigned i = 0; i < CHILDREN; i++)
        assert_int_equal(wait_for(child[i]), 0);
    es_store *store = open_store(true);
    assert_int_equal(load(store, "a=1", false).count, CHILDREN * EACH);
}

TEST(reader__sees__what_a_writer_commits) {
    es_store *writer = open_store(false);
    es_store *reader = open_store(true);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(load(reader, "a=1", false).count, i);
        assert_ok(put(writer, i, i, NULL));
    }
    test_drop(writer);
    assert_int_equal(load(reader, "a=1", false).count, 3);
}

TEST(put__waits__for_another_process) {
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    test_drop(open_store(false));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *db = NULL;
        struct timespec half = {0, 500000000};
        sqlite3_open(support_in(pool, ".embedscope/results.db"), &db);
        int code = sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        nanosleep(&half, NULL);
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        sqlite3_close(db);
        _exit(code == SQLITE_OK ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    es_store *store = open_store(false);
    assert_ok(put(store, 1, 1, NULL));
    test_drop(store);
    assert_int_equal(wait_for(child), 0);
    close(ready[0]);
    close(ready[1]);
}

static es_store *waited_for;

static void *put_one(void *context) {
    *(int *)context = (int)put(waited_for, 1, 1, NULL);
    return NULL;
}

/* Whoever looks at a run sees that a statement waits, and that it does no longer. */
TEST(put__that_waits__is_seen_to) {
    sqlite3 *other = NULL;
    pthread_t writer;
    int put_status = -1;
    struct timespec pause = {0, 10000000};
    waited_for = open_store(false);
    assert_int_equal(sqlite3_open(support_in(pool, ".embedscope/results.db"), &other), 0);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_true(es_store_waits(waited_for) == 0);
    assert_int_equal(pthread_create(&writer, NULL, put_one, &put_status), 0);
    double seconds = 0;
    for (int i = 0; i < 800 && seconds == 0; i++) { /* it gives up after ten seconds */
        nanosleep(&pause, NULL);
        seconds = es_store_waits(waited_for);
    }
    assert_true(seconds >= 0.5 && seconds < 10);
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_int_equal(put_status, ES_OK);
    for (int i = 0; i < 800 && seconds > 0; i++) {
        nanosleep(&pause, NULL);
        seconds = es_store_waits(waited_for);
    }
    assert_true(seconds == 0);
}

/* A statement that gives up and the next one that tries are one wait. */
TEST(put__that_is_tried_again__has_waited_since_the_first) {
    sqlite3 *other = NULL;
    pthread_t writer;
    int put_status = -1;
    struct timespec pause = {0, 10000000};
    waited_for = open_store(false);
    store_be_patient(waited_for, 600);
    assert_int_equal(sqlite3_open(support_in(pool, ".embedscope/results.db"), &other), 0);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_not_equal(put(waited_for, 1, 1, NULL), ES_OK);
    store_be_patient(waited_for, 10000);
    assert_int_equal(pthread_create(&writer, NULL, put_one, &put_status), 0);
    double seconds = 0;
    for (int i = 0; i < 800 && seconds == 0; i++) {
        nanosleep(&pause, NULL);
        seconds = es_store_waits(waited_for);
    }
    assert_true(seconds >= 0.6);
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_ok(put(waited_for, 1, 2, NULL));
    assert_false(waited_for->gave_up);
}

/* How long it was, or, where SQLite did not ask whether to wait, how long it would have been. */
TEST(store__locked__says_how_long_it_waited) {
    es_store *store = open_store(false);
    const struct {
        double waited;
        const char *text;
    } cases[] = {
        {0, "waited 2.5 s for it"}, {0.7, "waited 0.7 s for it"}, {3, "waited 3.0 s for it"}};
    store_be_patient(store, 2500);
    for (size_t i = 0; i < 3; i++) {
        store->waited = cases[i].waited;
        assert_error(store_explain(store, SQLITE_BUSY, test_err()), ES_EBUSY, cases[i].text);
    }
}

/* What SQLite says of a file system, in words that help; each of its codes. */
TEST(store__codes__are_explained) {
    es_store *store = open_store(false);
    const struct {
        int code;
        es_status status;
        const char *text;
    } cases[] = {{SQLITE_NOMEM, ES_ENOMEM, "out of memory"},
                 {SQLITE_LOCKED, ES_EBUSY, "locked by another process"},
                 {SQLITE_CORRUPT, ES_EFORMAT, "move the file away"},
                 {SQLITE_NOTADB, ES_EFORMAT, "move the file away"},
                 {SQLITE_ERROR, ES_EFORMAT, "move the file away"},
                 {SQLITE_CANTOPEN, ES_EIO, "must be plain files of yours"},
                 {SQLITE_FULL, ES_EIO, "no space left; free some"},
                 {SQLITE_IOERR_WRITE, ES_EIO, "cannot be written"},
                 {SQLITE_IOERR_SHMSIZE, ES_EIO, "cannot be written"},
                 {SQLITE_IOERR_FSYNC, ES_EIO, "cannot be written"},
                 {SQLITE_IOERR_TRUNCATE, ES_EIO, "cannot be written"},
                 {SQLITE_IOERR_READ, ES_EIO, NULL},
                 {SQLITE_MISUSE, ES_EIO, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(store_explain(store, cases[i].code, test_err()), cases[i].status);
        if (cases[i].text)
            assert_contains(test_message(), cases[i].text);
        else
            assert_lacks(test_message(), "written");
    }
}

/* The child tells each commit through a pipe and is killed at an arbitrary moment. */
TEST(kill__loses__no_committed_pair) {
    for (int round = 0; round < 5; round++) {
        int told[2];
        unsigned acknowledged = 0, value = 0;
        assert_int_equal(pipe(told), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            es_store *store = NULL;
            if (es_store_open(pool, false, &store, NULL) != ES_OK)
                _exit(1);
            for (unsigned i = 0;; i++)
                if (put(store, i, (unsigned)round, NULL) != ES_OK ||
                    write(told[1], &i, sizeof i) != (ssize_t)sizeof i)
                    _exit(2);
        }
        close(told[1]);
        for (int i = 0; i < 20 + 7 * round; i++)
            assert_int_equal(read(told[0], &value, sizeof value), sizeof value);
        kill(child, SIGKILL);
        do
            acknowledged++;
        while (read(told[0], &value, sizeof value) == (ssize_t)sizeof value);
        assert_int_equal(wait_for(child), 1000 + SIGKILL);
        close(told[0]);
        es_store *store = open_store(false);
        size_t kept = load(store, "a=1", false).count;
        assert_true(acknowledged > 0 && kept >= (size_t)value + 1);
        test_drop(store);
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(support_in(pool, ".embedscope/results.db"), &db), 0);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL), 0);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

/* A file-size limit of this process makes writes fail like a full disk. */
TEST(full_disk__is__reported_and_survived) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit;
        es_store *store = NULL;
        es_status st = ES_OK;
        unsigned i = 0;
        signal(SIGXFSZ, SIG_IGN);
        if (es_store_open(pool, false, &store, NULL) != ES_OK)
            _exit(1);
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 200000;
        setrlimit(RLIMIT_FSIZE, &limit);
        for (; i < 2000 && st == ES_OK; i++)
            st = put(store, i, i, test_err());
        if (st != ES_EIO || !strstr(test_message(), "no space left")) {
            fprintf(stderr, "%d %s\n", (int)st, test_message());
            _exit(2);
        }
        seen s = {0};
        es_store_key key = a_key("a=1");
        if (es_store_load(store, &key, false, look, &s, test_err()) != ES_OK || s.count != i - 1)
            _exit(3);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
        if (put(store, i, i, test_err()) != ES_OK)
            _exit(4);
        es_store_close(store);
        _exit(0);
    }
    assert_int_equal(wait_for(child), 0);
    es_store *store = open_store(true);
    assert_true(load(store, "a=1", false).count > 10);
}

/* ---- pools that cannot be written ---- */

/* Becomes an ordinary user: root may write anywhere. */
static void drop_rights(void) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        _exit(77);
}

TEST(read_only_pool__stores__in_the_user_folder) {
    assert_int_equal(chmod(pool, 0555), 0);
    assert_int_equal(chmod(data, 0777), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        es_store *store = NULL;
        seen s = {0};
        es_store_key key = a_key("a=1");
        drop_rights();
        if (es_store_open(pool, false, &store, NULL) != ES_OK || put(store, 1, 2, NULL) != ES_OK)
            _exit(1);
        bool placed = strncmp(es_store_path(store), data, strlen(data)) == 0;
        es_store_close(store);
        if (!placed || es_store_open(pool, true, &store, NULL) != ES_OK)
            _exit(2);
        if (es_store_load(store, &key, false, look, &s, NULL) != ES_OK || s.count != 1)
            _exit(3);
        es_store_close(store);
        chmod(data, 0555);
        _exit(0);
    }
    assert_int_equal(wait_for(child), 0);
    assert_int_not_equal(access(support_in(pool, ".embedscope"), F_OK), 0);
}

TEST(no_place__is__an_error) {
    assert_int_equal(chmod(pool, 0555), 0);
    assert_int_equal(chmod(data, 0555), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        es_store *store = NULL;
        drop_rights();
        es_status st = es_store_open(pool, false, &store, test_err());
        _exit(st == ES_EIO && test_message()[0] && !store ? 0 : 1);
    }
    assert_int_equal(wait_for(child), 0);
}

/* A pool shared by somebody else, results and all: readable, its folder not writable, of a name
 * that means something else in an address. */
TEST(read_only_pool__shows__results_that_came_with_it) {
    char path[SUPPORT_PATH], odd[sizeof pool];
    assert_true(snprintf(odd, sizeof odd, "%s%s", pool, " #1?a=%41&b") < (int)sizeof odd);
    assert_int_equal(rename(pool, odd), 0);
    strcpy(pool, odd);
    es_store *store = open_store(false);
    assert_ok(put(store, 1, 2, NULL));
    test_drop(store);
    assert_int_equal(chmod(support_path(path, pool, ".embedscope/results.db"), 0444), 0);
    assert_int_equal(chmod(support_path(path, pool, ".embedscope"), 0555), 0);
    assert_int_equal(chmod(pool, 0555), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        seen s = {0};
        es_store_key key = a_key("a=1");
        drop_rights();
        if (es_store_open(pool, true, &store, test_err()) != ES_OK) {
            fprintf(stderr, "%s\n", test_message());
            _exit(1);
        }
        if (es_store_load(store, &key, true, look, &s, test_err()) != ES_OK || s.count != 1)
            _exit(2);
        es_store_close(store);
        _exit(0);
    }
    assert_int_equal(wait_for(child), 0);
}

/* ---- threads ---- */

typedef struct job {
    es_store *store;
    unsigned first;
    es_status status;
} job;

static void *put_many(void *context) {
    job *j = context;
    for (unsigned i = 0; i < 50 && j->status == ES_OK; i++)
        j->status = put(j->store, j->first + i, 0, NULL);
    return NULL;
}

TEST(threads__share__one_connection) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    job jobs[THREADS];
    es_store *store = open_store(false);
    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i] = (job){store, 1000 * i, ES_OK};
        assert_int_equal(pthread_create(&thread[i], NULL, put_many, &jobs[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(jobs[i].status, ES_OK);
    }
    assert_int_equal(load(store, "a=1", false).count, 50 * THREADS);
}

TEST(store__reports__every_failed_allocation) {
    float pmi[3] = {1, 2, 3};
    es_store_key key = a_key("a=1");
    es_store_pair pair = a_pair(1, 1);
    pair.result.pmi = pmi;
    bool met = true;
    for (long k = 0; met; k++) {
        es_store *store = NULL;
        seen s = {0};
        refuse_one(k);
        es_status st = es_store_open(pool, false, &store, NULL);
        if (st == ES_OK)
            st = es_store_put(store, &key, &pair, "{}", NULL);
        if (st == ES_OK)
            st = es_store_load(store, &key, true, look, &s, NULL);
        met = refuse_end();
        es_store_close(store);
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        assert_int_equal(s.count, st == ES_OK ? 1 : 0);
    }
}

/* A store as the first version wrote it, to the letter, is read and goes on. Its tables are not to
 * be taken from the program: they are what lies in people's folders. */
TEST(open__reads__a_store_of_the_first_version) {
    static const char *const first =
        "PRAGMA application_id=1164796531; PRAGMA user_version=1;"
        "CREATE TABLE run(id INTEGER PRIMARY KEY, estimator TEXT NOT NULL, version INTEGER NOT "
        "NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL, rowset BLOB NOT NULL,"
        " UNIQUE(estimator, version, settings, seed, rowset));"
        "CREATE TABLE provenance(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
        "CREATE TABLE pair(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id),"
        " source BLOB NOT NULL, target BLOB NOT NULL, failed INTEGER NOT NULL, reason TEXT,"
        " is_ REAL, se REAL, h REAL, h_cond REAL, n_eval INTEGER NOT NULL, epochs INTEGER NOT "
        "NULL, seconds REAL, finished INTEGER NOT NULL,"
        " provenance INTEGER REFERENCES provenance(id), UNIQUE(run, source, target));"
        "CREATE TABLE pmi(pair INTEGER PRIMARY KEY REFERENCES pair(id), value BLOB NOT NULL);"
        "CREATE TABLE digest(path BLOB NOT NULL, tensor TEXT NOT NULL, size INTEGER NOT NULL,"
        " mtime INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY(path, tensor)) WITHOUT ROWID;"
        "INSERT INTO run VALUES(1, 'linear', 1, 'a=1', -1,"
        " x'ffffffffffffffff0700000000000000');"
        "INSERT INTO pair VALUES(1, 1, x'01000000000000000300000000000000',"
        " x'02000000000000000400000000000000', 0, NULL, 3.1, 0.333333333333333314829616256247,"
        " 1.41893853320467266954, -1e-300, 3, 17, 0.25, 1700000000, NULL);"
        "INSERT INTO pmi VALUES(1, x'0000803f0000004000004040');"
        "INSERT INTO pair VALUES(2, 1, x'01000000000000000400000000000000',"
        " x'02000000000000000400000000000000', 1, 'a failure', NULL, NULL, NULL, NULL, 0, 0, 0.5,"
        " 1700000000, NULL)";
    char path[SUPPORT_PATH];
    sqlite3 *db = NULL;
    es_store_key key = a_key("a=1");
    es_store_pair expected = a_pair(3, 4), found = {0};
    assert_int_equal(sqlite3_open(support_path(path, root, "old.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, first, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    for (int read_only = 1; read_only >= 0; read_only--) {
        es_store *store = NULL;
        assert_ok(es_store_open_file(path, read_only, NULL, &store, NULL));
        assert_ok(es_store_get(store, &key, expected.source, expected.target, true, &found, NULL));
        assert_true(found.result.is == expected.result.is && found.result.se == expected.result.se);
        assert_true(found.result.h == expected.result.h);
        assert_true(found.result.h_cond == expected.result.h_cond);
        assert_int_equal(found.result.epochs, 17);
        assert_memory_equal(found.result.pmi, ((float[]){1, 2, 3}), 3 * sizeof(float));
        es_free(found.result.pmi);
        expected = a_pair(4, 4);
        assert_ok(es_store_get(store, &key, expected.source, expected.target, true, &found, NULL));
        assert_true(found.failed);
        assert_string_equal(found.reason, "a failure");
        es_free(found.reason);
        expected = a_pair(3, 5);
        assert_int_equal(es_store_put(store, &key, &expected, NULL, NULL),
                         read_only ? ES_EINVAL : ES_OK);
        expected = a_pair(3, 4);
        es_store_close(store);
    }
}
