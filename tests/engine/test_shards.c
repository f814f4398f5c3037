/* Stores of a cluster's tasks, looked at by a session while they grow. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <sqlite3.h>

#include "fake_estimator.h"
#include "engine_session_parts.h"
#include "keeping.h"

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};
enum { ROWS = 40, MODELS = 6, TASKS = 3 };
static char root[SUPPORT_PATH], shards[SUPPORT_PATH + 32];

static atomic_bool untold; /* changes of files are */

#ifdef __linux__
long syscall(long number, ...);

/* Stands before the C library's: a user has so many of them, and no more. */
int inotify_init1(int flags);
int inotify_init1(int flags) {
    errno = EMFILE;
    return atomic_load(&untold) ? -1 : (int)syscall(SYS_inotify_init1, flags);
}
#endif

static int set_up(void **state) {
    atomic_store(&untold, false);
    memset(&fake, 0, sizeof fake);
    support_temp_dir(root);
    for (size_t i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "m%zu.npy", i);
        support_write_random_npy(root, name, 17 + i, ROWS, 10 + i);
    }
    (void)snprintf(shards, sizeof shards, "%s/.embedscope", root);
    assert_int_equal(mkdir(shards, 0700), 0);
    (void)snprintf(shards, sizeof shards, "%s/.embedscope/shards", root);
    assert_int_equal(mkdir(shards, 0700), 0);
    return setenv("XDG_DATA_HOME", root, 1);
}

TEST_EACH(set_up, NULL);

static void path_of(size_t k, char out[SUPPORT_PATH + 64]) {
    (void)snprintf(out, SUPPORT_PATH + 64, "%s/%zu-of-%d.db", shards, k, (int)TASKS);
}

static es_session *open_task(size_t k) {
    char store[SUPPORT_PATH + 64];
    es_session *session = NULL;
    path_of(k, store);
    const es_session_options options = {
        .threads = 1, .estimator = "linear", .shard = k, .shards = TASKS, .store = store};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    assert_ok(es_session_start(session, NULL));
    return keep_session(session);
}

static size_t run_task(size_t k) {
    es_session *session = open_task(k);
    assert_ok(es_session_wait(session, 20, NULL));
    size_t pairs = es_session_results(session, 0)->done;
    test_drop(session);
    return pairs;
}

static es_session *open_shown(void) {
    es_session *session = NULL;
    const es_session_options options = {.threads = 1, .estimator = "linear", .with_shards = true};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    assert_ok(es_session_wait(session, 20, NULL));
    return keep_session(session);
}

/* Every pair and every line of nothing to find is one task's, and no task counts another's. */
TEST(shards__of_all__are_each_counted_once) {
    size_t total = 0, nulls = 0;
    for (size_t k = 1; k <= TASKS; k++) {
        es_session *session = NULL;
        es_progress p;
        const es_session_options options = {.threads = 1,
                                            .estimator = "linear",
                                            .shard = k,
                                            .shards = TASKS,
                                            .with_null = true,
                                            .no_store = true};
        assert_ok(es_session_open_with(root, &options, table, &session, NULL));
        assert_ok(es_session_wait(session, 20, NULL));
        es_session_progress(session, &p);
        assert_true(p.total > 0 && p.total < (size_t)MODELS * (MODELS + 1) && p.nulls <= p.total);
        total += p.total;
        nulls += p.nulls;
        es_session_close(session);
    }
    assert_int_equal(total, MODELS * MODELS + MODELS);
    assert_int_equal(nulls, MODELS);
}

/* Until task k is shown in this state; what it is then. */
static es_shard wait_for(es_session *session, size_t k, es_shard_state state) {
    for (double until = es_clock_now() + 200; es_clock_now() < until;) {
        size_t count;
        const es_shard *all = es_session_shards(session, &count);
        if (count == TASKS && all[k - 1].state == state)
            return all[k - 1];
        struct pollfd p = {es_session_fd(session), POLLIN, 0};
        (void)poll(&p, 1, 50);
        (void)es_session_pump(session, 0);
    }
    fail_msg("task %zu does not come to state %d", k, (int)state);
    return (es_shard){0};
}

TEST(shards__stores__fill_the_matrix_and_are_not_written) {
    char path[SUPPORT_PATH + 64];
    struct stat before, after;
    size_t pairs = run_task(2);
    path_of(2, path);
    assert_int_equal(stat(path, &before), 0);
    atomic_store(&fake.pairs, 0);
    es_session *session = open_shown();
    es_shard task = wait_for(session, 2, ES_SHARD_DONE);
    assert_int_equal(task.number, 2);
    assert_int_equal(task.of, TASKS);
    assert_int_equal(task.pairs, pairs);
    assert_int_equal(task.total, pairs);
    assert_string_equal(task.host, "");
    (void)wait_for(session, 1, ES_SHARD_WAITING);
    assert_int_equal(es_session_results(session, 0)->done, pairs);
    /* what is there is not estimated again */
    assert_ok(es_session_start(session, NULL));
    assert_ok(es_session_wait(session, 20, NULL));
    assert_int_equal(es_session_phase(session), ES_PHASE_DONE);
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS - (int)pairs);
    test_drop(session);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    assert_int_equal(before.st_size, after.st_size);
    (void)snprintf(path, sizeof path, "%s/2-of-3.db-wal", shards);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A task had one of the estimators that are open: its share is of that one. */
TEST(shards__of_one_estimator__are_done_with_its_pairs) {
    size_t pairs = run_task(2), count = 1;
    es_session *session = NULL;
    const es_session_options options = {.threads = 1, .with_shards = true};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    assert_int_equal(es_session_plan(session), 2);
    es_shard task = wait_for(session, 2, ES_SHARD_DONE);
    assert_int_equal(task.pairs, pairs);
    assert_int_equal(task.total, pairs);
    es_session_close(session);
    assert_null(es_session_shards(NULL, &count));
    assert_int_equal(count, 0);
}

/* More tasks than any cluster takes are not listed beside others: either of both counts is. */
TEST(shards__very_many__are_not_added_up) {
    char path[SUPPORT_PATH + 64];
    for (size_t of = TASKS; of <= 4096; of += 4096 - TASKS) {
        (void)snprintf(path, sizeof path, "%s/1-of-%zu.db", shards, of);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
    }
    es_session *session = open_shown();
    size_t count = 0;
    for (double until = es_clock_now() + 200; count == 0 && es_clock_now() < until;) {
        (void)es_session_pump(session, 1);
        (void)es_session_shards(session, &count);
    }
    assert_true(count == TASKS || count == 4096);
}

TEST(shards__under_way__are_seen_to_run_and_to_end) {
    atomic_store(&fake.delay_us, 250000);
    es_session *task = open_task(1), *session = open_shown();
    while (es_session_results(task, 0) == NULL || es_session_results(task, 0)->done == 0)
        (void)es_session_pump(task, 1);
    es_shard seen = wait_for(session, 1, ES_SHARD_RUNNING);
    assert_true(seen.host[0] != '\0' && seen.heard > 0 && seen.total > 0);
    atomic_store(&fake.delay_us, 0);
    assert_ok(es_session_wait(task, 20, NULL));
    test_drop(task);
    seen = wait_for(session, 1, ES_SHARD_DONE);
    assert_int_equal(seen.pairs, es_session_results(session, 0)->done);
    assert_string_equal(seen.host, "");
}

static size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        count++;
    if (folder)
        (void)closedir(folder);
    return count;
}

TEST(shards__closed__leave_no_file_open) {
    (void)run_task(1);
    size_t before = count_entries("/proc/self/fd");
    for (int i = 0; i < 2; i++) {
        es_session *session = open_shown();
        (void)wait_for(session, 1, ES_SHARD_DONE);
        test_drop(session);
    }
    assert_int_equal(count_entries("/proc/self/fd"), before);
}

/* The folder comes after the pool was opened, and after it had come to rest. */
TEST(shards__begun_later__are_seen) {
    assert_int_equal(rmdir(shards), 0);
    es_session *session = open_shown();
    if (session->watch == NULL) { /* a file system that tells nothing */
        test_drop(session);
        skip();
    }
    (void)poll(NULL, 0, 50);
    assert_int_equal(mkdir(shards, 0700), 0);
    size_t pairs = run_task(1);
    es_shard seen = wait_for(session, 1, ES_SHARD_DONE);
    assert_int_equal(seen.pairs, pairs);
    assert_int_equal(es_session_results(session, 0)->done, pairs);
    (void)poll(NULL, 0, 50);
    pairs += run_task(3); /* and another, when all that were there had ended */
    (void)wait_for(session, 3, ES_SHARD_DONE);
    assert_int_equal(es_session_results(session, 0)->done, pairs);
}

/* Somebody writes while it is looked at, and tells nothing afterwards. */
TEST(shards__locked_at_first__are_read_later) {
    char path[SUPPORT_PATH + 64];
    sqlite3 *other = NULL;
    size_t pairs = run_task(1);
    path_of(1, path);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    es_session *session = open_shown();
    (void)wait_for(session, 1, ES_SHARD_WAITING);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(wait_for(session, 1, ES_SHARD_DONE).pairs, pairs);
    sqlite3_close(other);
}

/* Half a share, and half a file. */
TEST(shards__cut_short__are_said) {
    char path[SUPPORT_PATH + 64];
    struct stat file;
    atomic_store(&fake.delay_us, 20000);
    es_session *task = open_task(1);
    while (es_session_results(task, 0) == NULL || es_session_results(task, 0)->done < 2)
        (void)es_session_pump(task, 1);
    test_drop(task);
    atomic_store(&fake.delay_us, 0);
    (void)run_task(3);
    path_of(3, path);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size / 2), 0);
    es_session *session = open_shown();
    es_shard seen = wait_for(session, 1, ES_SHARD_STOPPED);
    assert_true(seen.pairs >= 2 && seen.pairs < seen.total);
    (void)wait_for(session, 3, ES_SHARD_BROKEN);
}

#ifdef __linux__
/* Where nobody tells of changes: without tasks there is no thread, nor when all have ended. */
TEST(shards__untold__are_watched_until_all_have_ended) {
    static const char threads[] = "/proc/self/task";
    static const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
    atomic_store(&untold, true);
    assert_int_equal(rmdir(shards), 0);
    es_session *session = open_shown();
    assert_null(session->watch);
    size_t before = count_entries(threads); /* with the session's worker */
    test_drop(session);
    assert_int_equal(mkdir(shards, 0700), 0);
    for (size_t k = 1; k <= TASKS; k++) {
        char path[SUPPORT_PATH + 64];
        (void)run_task(k);
        path_of(k, path);
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0); /* no more is to come */
    }
    session = open_shown();
    for (size_t k = 1; k <= TASKS; k++)
        (void)wait_for(session, k, ES_SHARD_DONE);
    for (double until = es_clock_now() + 200; count_entries(threads) > before;) {
        assert_true(es_clock_now() < until);
        (void)poll(NULL, 0, 1);
    }
}
#endif
