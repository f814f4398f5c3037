/* Files that are replaced or rewritten behind a session's back, with their size and times as they
 * were: what is stored under a digest is computed from those contents, or not stored. */
#include "support.h"

#include <fcntl.h>
#include <poll.h>

#include "fake_estimator.h"
#include "engine_session_parts.h"

enum { ROWS = 40, MODELS = 3, CELLS = MODELS * MODELS };

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};
static const size_t dims[MODELS] = {3, 4, 8};
static char dir[SUPPORT_PATH];

static void file_of(size_t model, char path[SUPPORT_PATH]) {
    char name[32];
    snprintf(name, sizeof name, "m%zu.npy", model);
    support_path(path, dir, name);
}

/* As rsync -t and tar leave a file: other contents under the old time of modification. */
static void set_time(const char *path) {
    const struct timespec then[2] = {{1600000000, 5}, {1600000000, 5}};
    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
}

/* Rewritten in place: the same inode. */
static void write_contents(size_t model, uint64_t seed) {
    char name[32], path[SUPPORT_PATH];
    snprintf(name, sizeof name, "m%zu.npy", model);
    file_of(model, path);
    support_write_random_npy(dir, name, seed, ROWS, dims[model]);
    set_time(path);
}

static int set_up(void **state) {
    memset(&fake, 0, sizeof fake);
    support_temp_dir(dir);
    for (size_t i = 0; i < MODELS; i++)
        write_contents(i, 17 + i);
    /* the kernel's times of change go in steps of some milliseconds */
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    return 0;
}

static int tear_down(void **state) {
    fake.meanwhile = NULL;
    return 0;
}

TEST_EACH(set_up, tear_down);

/* Values of a finished session, NaN where a pair has failed, and how many were already stored. */
typedef struct outcome {
    double is[CELLS];
    size_t failed, reused;
    char reason[256];
} outcome;

static outcome run_session(bool no_store) {
    const es_session_options options = {.threads = 1, .estimator = "linear", .no_store = no_store};
    es_session *s = NULL;
    outcome o = {0};
    assert_ok(es_session_open_with(dir, &options, table, &s, test_err()));
    assert_ok(es_session_start(s, NULL));
    (void)es_session_wait(s, 20, test_err());
    const es_results *r = es_session_results(s, 0);
    assert_non_null(r);
    assert_int_equal(r->m, MODELS);
    for (size_t i = 0; i < CELLS; i++) {
        bool failed = r->state[i] == ES_PAIR_FAILED;
        assert_true(failed || r->state[i] == ES_PAIR_DONE);
        o.failed += failed;
        o.is[i] = failed ? (double)NAN : r->is[i];
        if (failed)
            snprintf(o.reason, sizeof o.reason, "%s", r->reason[i]);
    }
    es_progress p;
    es_session_progress(s, &p);
    o.reused = p.reused;
    es_session_close(s);
    return o;
}

TEST(session__file_of_the_same_size_and_time__is_seen) {
    outcome first = run_session(false);
    write_contents(0, 99);
    outcome fresh = run_session(true), second = run_session(false);
    assert_int_equal(second.failed, 0);
    assert_int_equal(second.reused, 4); /* those without it */
    assert_memory_equal(second.is, fresh.is, sizeof fresh.is);
    assert_true(second.is[0] != first.is[0]);
    write_contents(0, 17); /* the old results are kept */
    outcome third = run_session(false);
    assert_int_equal(third.reused, CELLS);
    assert_memory_equal(third.is, first.is, sizeof first.is);
}

/* Something happens to the first embedder's file in the middle of a reading, `left` times. */
static int left;
static bool put_back;

static void rewrite(size_t d, uint32_t row) {
    if (d != dims[0] || left == 0)
        return;
    if (row == ROWS / 2)
        write_contents(0, 99);
    if (row == ROWS - 1 && put_back) {
        write_contents(0, 17);
        left--;
    }
}

static void touch(size_t d, uint32_t row) {
    char path[SUPPORT_PATH];
    file_of(0, path);
    if (d != dims[0] || left == 0 || row != ROWS / 2)
        return;
    assert_int_equal(chmod(path, left % 2 ? 0600 : 0640), 0);
    left--;
}

TEST(session__file_rewritten_while_it_is_read__stores_nothing_of_it) {
    outcome undisturbed = run_session(true);
    fake.meanwhile = rewrite;
    left = 1;
    put_back = false;
    outcome disturbed = run_session(false);
    assert_int_equal(disturbed.failed, 5);
    assert_contains(disturbed.reason, "m0.npy: was changed");
    fake.meanwhile = NULL;
    write_contents(0, 17);
    outcome after = run_session(false);
    assert_int_equal(after.failed, 0);
    assert_int_equal(after.reused, 4);
    assert_memory_equal(after.is, undisturbed.is, sizeof after.is);
}

TEST(session__file_put_back_after_it_was_read__is_read_again) {
    outcome undisturbed = run_session(true);
    fake.meanwhile = rewrite;
    left = 2;
    put_back = true;
    outcome disturbed = run_session(false);
    assert_int_equal(left, 0);
    assert_int_equal(disturbed.failed, 0);
    assert_memory_equal(disturbed.is, undisturbed.is, sizeof undisturbed.is);
}

TEST(session__file_touched_while_it_is_read__is_read_again) {
    outcome undisturbed = run_session(true);
    fake.meanwhile = touch;
    left = 2;
    outcome disturbed = run_session(false);
    assert_int_equal(left, 0);
    assert_int_equal(disturbed.failed, 0);
    assert_memory_equal(disturbed.is, undisturbed.is, sizeof undisturbed.is);
    left = 1000; /* and not for ever */
    support_remove(support_in(dir, ".embedscope"));
    disturbed = run_session(false);
    assert_int_equal(disturbed.failed, 5);
    assert_contains(disturbed.reason, "again and again");
}

/* ---- the full look ---- */

/* What was seen of every file now, as if it were old enough for that to be kept; of the first one
 * other contents. */
static void remember(const es_session *s, es_looks *looks, bool wrong) {
    const es_pool *pool = es_session_pool((es_session *)(uintptr_t)s);
    for (size_t i = 0; i < MODELS; i++) {
        es_run run;
        es_map file = {0};
        es_model_check check;
        es_run_init(&run);
        assert_int_equal(es_pool_check_model(pool, i, &run, &check, NULL), ES_OK);
        assert_int_equal(es_map_open(es_pool_model(pool, i)->path, 0, &file, NULL), ES_OK);
        check.digest.lo ^= wrong && i == 0;
        es_looks_put(looks, check.question, &file, ROWS, dims[i], &check);
        es_map_close(&file);
        es_model_check_deinit(&check);
    }
}

static es_session *open_with(es_looks *looks) {
    const es_session_options options = {
        .threads = 1, .estimator = "linear", .no_store = true, .pool = {.looks = looks}};
    es_session *s = NULL;
    assert_int_equal(es_session_open_with(dir, &options, table, &s, NULL), ES_OK);
    while (es_session_phase(s) == ES_PHASE_CHECKING) {
        struct pollfd p = {es_session_fd(s), POLLIN, 0};
        poll(&p, 1, 1000);
        es_session_pump(s, 0);
    }
    return s;
}

static es_full_look look_again(es_session *s) {
    es_full_look look;
    assert_int_equal(es_session_look_again(s, NULL), ES_OK);
    while ((look = es_session_full_look(s)).busy) {
        struct pollfd p = {es_session_fd(s), POLLIN, 0};
        poll(&p, 1, 1000);
        es_session_pump(s, 0);
    }
    return look;
}

TEST(session__known_by_times_alone__is_read_behind_the_answer) {
    es_looks *looks = es_looks_new();
    es_session *s = open_with(looks);
    es_full_look look = look_again(s); /* everything was read */
    assert_true(look.files == 0 && !look.over);
    for (int wrong = 0; wrong < 2; wrong++) {
        remember(s, looks, wrong);
        es_digest right = es_pool_model(es_session_pool(s), 0)->digest;
        es_session_close(s);
        s = open_with(looks);
        assert_int_equal(es_digest_equal(es_pool_model(es_session_pool(s), 0)->digest, right),
                         !wrong);
        look = look_again(s);
        assert_int_equal(look.files, MODELS);
        assert_true(look.over && look.seconds > 0);
        assert_int_equal(look.changed, wrong ? 0 : SIZE_MAX);
    }
    es_session_close(s);
    es_looks_free(looks);
}
