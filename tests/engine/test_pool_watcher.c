/* The watcher of a pool's folder: tells once of each change, costs nothing meanwhile, and leaves
 * nothing behind. */
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>

#include "engine_pool.h"
#include "refuse.h"
#include "keeping.h"

static const double LOOK = 0.02;                         /* seconds between two looks */
enum { N = 20, D = 2, LONG_MS = 10000, QUIET_MS = 400 }; /* told within; not told for so long */

static char root[SUPPORT_PATH];
static es_pool *pool;

static void put(const char *name) {
    support_write_random_npy(root, name, 1, N, D);
}

static int set_up(void **state) {
    support_temp_dir(root);
    put("a.npy");
    put("b.npy");
    return es_pool_open(root, NULL, &pool, NULL) == ES_OK ? 0 : -1;
}

static int tear_down(void **state) {
    es_pool_close(pool);
    return 0;
}

TEST_EACH(set_up, tear_down);

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static es_pool_watcher *watch_every(double seconds) {
    es_pool_watcher *watcher = NULL;
    assert_ok(es_pool_watcher_new(pool, seconds, &watcher, test_err()));
    return keep_pool_watcher(watcher);
}

static es_pool_watcher *watch(void) {
    return watch_every(LOOK);
}

/* Does the descriptor say so within so many milliseconds? */
static bool is_told(es_pool_watcher *watcher, int ms) {
    struct pollfd at = {.fd = es_pool_watcher_fd(watcher), .events = POLLIN};
    return poll(&at, 1, ms) == 1;
}

static double processor_seconds(void) {
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* No news for a while, which take no time of a processor. */
static void assert_idle(es_pool_watcher *watcher) {
    double before = processor_seconds();
    assert_false(is_told(watcher, QUIET_MS));
    assert_true(processor_seconds() - before < 0.25 * QUIET_MS / 1000);
}

/* First: no thread of another test is still ending. */
TEST(watcher__freed__leaves_nothing) {
    static const char threads[] = "/proc/self/task", files[] = "/proc/self/fd";
    if (access(threads, R_OK) != 0)
        skip();
    size_t of_threads = count_entries(threads), of_files = count_entries(files);
    for (int i = 0; i < 5; i++) {
        es_pool_watcher *watcher = watch();
        assert_true(count_entries(files) > of_files);
        if (i % 2)
            sleep_ms(50); /* its first look is over, or not */
        test_drop(watcher);
        /* it is not waited for: its thread may be in the middle of the folder */
        for (int k = 0; k < 1000 && count_entries(files) > of_files; k++)
            sleep_ms(10);
        assert_int_equal(count_entries(files), of_files);
    }
    size_t at_most = of_threads + 1; /* a sanitizer begins one of its own at some time */
    for (int k = 0; k < 1000 && count_entries(threads) > at_most; k++)
        sleep_ms(10);
    assert_true(count_entries(threads) <= at_most);
    es_pool_watcher_free(NULL);
    assert_int_equal(es_pool_watcher_fd(NULL), -1);
    assert_false(es_pool_watcher_changed(NULL));
}

TEST(watcher__unchanged_folder__is_quiet_and_idle) {
    es_pool_watcher *watcher = watch();
    int fd = es_pool_watcher_fd(watcher);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
    assert_false(is_told(watcher, QUIET_MS)); /* its first look is over */
    assert_idle(watcher);
    assert_false(es_pool_watcher_changed(watcher));
}

TEST(watcher__change__is_told_once) {
    es_pool_watcher *watcher = watch();
    put("c.npy");
    assert_true(is_told(watcher, LONG_MS));
    assert_true(es_pool_watcher_changed(watcher));
    assert_false(is_told(watcher, QUIET_MS));
    assert_false(es_pool_watcher_changed(watcher));
    assert_int_equal(mkdir(support_in(root, "below"), 0700), 0);
    (void)is_told(watcher, QUIET_MS); /* an empty folder may be a change */
    (void)es_pool_watcher_changed(watcher);
    put("below/d.npy");
    assert_true(is_told(watcher, LONG_MS));
    assert_true(es_pool_watcher_changed(watcher));
    assert_int_equal(unlink(support_in(root, "a.npy")), 0);
    assert_true(is_told(watcher, LONG_MS));
    assert_true(es_pool_watcher_changed(watcher));
    assert_idle(watcher);
}

/* What people say about the rows and the embedders is what measures and correlations are of. */
TEST(watcher__annotation__is_told) {
    static const char *const beside[] = {"labels.csv", "pairs.csv",  "qrels.csv", "rows.csv",
                                         "models.csv", "scores.csv", "pool.json"};
    es_pool_watcher *watcher = watch();
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        put(beside[i]);
        if (!is_told(watcher, LONG_MS))
            fail_msg("%s", beside[i]);
        assert_true(es_pool_watcher_changed(watcher));
    }
    put("notes.txt"); /* says nothing */
    assert_false(is_told(watcher, QUIET_MS));
}

/* Somebody may still be writing: two looks are to find the same. */
TEST(watcher__change__is_not_told_at_once) {
    es_pool_watcher *watcher = watch_every(LONG_MS / 1e3);
    put("c.npy");
    assert_false(is_told(watcher, QUIET_MS));
    assert_false(es_pool_watcher_changed(watcher)); /* and this does not wait for the second */
}

/* What changed after the pool was opened and before anybody watched. */
TEST(watcher__change_before_it__is_told) {
    put("c.npy");
    es_pool_watcher *watcher = watch();
    assert_true(is_told(watcher, LONG_MS));
    assert_true(es_pool_watcher_changed(watcher));
}

/* Folders that the kernel is to tell of: lines of its files' descriptions. SIZE_MAX: not known. */
static size_t count_watched(void) {
    static const char infos[] = "/proc/self/fdinfo";
    size_t count = 0;
    DIR *folder = opendir(infos);
    if (!folder)
        return SIZE_MAX;
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        char path[SUPPORT_PATH], line[512];
        FILE *info = e->d_name[0] == '.' ? NULL : fopen(support_path(path, infos, e->d_name), "r");
        while (info && fgets(line, sizeof line, info))
            count += strncmp(line, "inotify ", 8) == 0;
        if (info)
            (void)fclose(info);
    }
    (void)closedir(folder);
    return count;
}

/* Of what is hidden the kernel tells nothing: a store that grows would wake the watcher each time.
 */
TEST(watcher__folders__are_watched_that_can_be_seen) {
    static const char *const folders[] = {"below", "below/lower", ".hidden", ".hidden/lower"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(mkdir(support_in(root, folders[i]), 0700), 0);
    int listening = es_folder_listen(root);
    if (listening < 0 || count_watched() != 0)
        skip();
    (void)close(listening);
    es_pool_watcher *watcher = watch();
    (void)is_told(watcher, QUIET_MS); /* its first look is over */
    for (int i = 0; i < 1000 && count_watched() < 3; i++)
        sleep_ms(10);
    assert_int_equal(count_watched(), 3);
    put("c.npy"); /* it listens again, by the same descriptor */
    assert_true(is_told(watcher, LONG_MS));
    assert_int_equal(count_watched(), 3);
}

TEST(watcher__hidden_files__are_no_change) {
    es_pool_watcher *watcher = watch();
    assert_int_equal(mkdir(support_in(root, ".embedscope"), 0700), 0);
    support_write_text(root, ".embedscope/results.db", "of ours");
    support_write_text(root, ".c.npy.tmp", "being written");
    assert_false(is_told(watcher, QUIET_MS));
    assert_false(es_pool_watcher_changed(watcher));
}

/* What another process has derived is a change; that results are written beside it is none. */
TEST(watcher__derived__is_told) {
    es_pool_watcher *watcher = watch();
    assert_int_equal(mkdir(support_in(root, ".embedscope"), 0700), 0);
    support_write_text(root, ".embedscope/results.db", "of ours");
    assert_false(is_told(watcher, QUIET_MS));
    assert_int_equal(mkdir(support_in(root, ".embedscope/derived"), 0700), 0);
    for (int i = 0; i < 2; i++) { /* the second time the folder was there */
        static const char *const list[] = {".embedscope/derived/a+w.json",
                                           ".embedscope/derived/b+w.json"};
        support_write_text(root, list[i], "{}");
        assert_true(is_told(watcher, LONG_MS));
        assert_true(es_pool_watcher_changed(watcher));
    }
    support_write_text(root, ".embedscope/results.db", "of ours, more");
    assert_false(is_told(watcher, QUIET_MS));
    assert_int_equal(unlink(support_in(root, ".embedscope/derived/a+w.json")), 0);
    assert_true(is_told(watcher, LONG_MS));
    assert_true(es_pool_watcher_changed(watcher));
    assert_idle(watcher);
}

TEST(watcher__out_of_memory__is_reported) {
    bool met = true;
    for (long k = 0; met; k++) {
        es_pool_watcher *watcher = NULL;
        refuse_one(k);
        es_status st = es_pool_watcher_new(pool, 1000, &watcher, NULL);
        met = refuse_end() && st != ES_OK; /* its thread asks for more */
        assert_int_equal(st, met ? ES_ENOMEM : ES_OK);
        assert_int_equal(watcher != NULL, st == ES_OK);
        es_pool_watcher_free(watcher);
    }
}
