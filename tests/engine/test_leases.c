/* Several processes at one store: leases, heartbeats, and sessions that share the work. */
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "fake_estimator.h"
#include "engine_session_parts.h"
#include "keeping.h"

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};
static char root[SUPPORT_PATH];

static int set_up(void **state) {
    memset(&fake, 0, sizeof fake);
    support_temp_dir(root);
    return setenv("XDG_DATA_HOME", root, 1);
}

TEST_EACH(set_up, NULL);

/* ---- the store ---- */

static const es_store_key key = {"linear", 1, "a=1", 0, {7, 7}};

static es_store *open_store(void) {
    es_store *store = NULL;
    assert_ok(es_store_open(root, false, &store, NULL));
    return keep_store(store);
}

static es_leased pair_of(uint64_t source, uint64_t target) {
    return (es_leased){.source = {source, 1}, .target = {target, 2}};
}

static es_lease_state lease(es_store *store, uint64_t source, uint64_t target) {
    es_leased pair = pair_of(source, target);
    assert_ok(es_store_lease(store, &key, ES_AGAIN_NEVER, &pair, 1, NULL, NULL));
    return pair.state;
}

static es_lease_state look(es_store *store, uint64_t source, uint64_t target) {
    es_leased pair = pair_of(source, target);
    assert_ok(es_store_lease_look(store, &key, &pair, 1, NULL));
    return pair.state;
}

static void put(es_store *store, uint64_t source, uint64_t target, bool failed) {
    es_leased at = pair_of(source, target);
    es_store_pair pair = {.source = at.source, .target = at.target, .failed = failed};
    pair.result.is = 0.5;
    assert_ok(es_store_put(store, &key, &pair, NULL, NULL));
}

static es_status note_owner(void *context, const es_owner *owner, es_error *err) {
    (void)err;
    *(es_owner *)context = *owner;
    return ES_OK;
}

static es_owner other_owner(es_store *store) {
    es_owner owner = {0};
    assert_ok(es_store_owners(store, note_owner, &owner, NULL));
    return owner;
}

TEST(leases__pair__is_of_one_process_until_it_is_stored) {
    es_store *a = open_store(), *b = open_store();
    assert_true(es_store_takes_leases(a));
    assert_int_equal(other_owner(b).id, 0);
    assert_int_equal(lease(a, 1, 2), ES_LEASE_MINE);
    assert_int_equal(lease(a, 1, 2), ES_LEASE_MINE);
    assert_int_equal(lease(b, 1, 2), ES_LEASE_THEIRS);
    assert_int_equal(look(b, 1, 2), ES_LEASE_THEIRS);
    assert_int_equal(look(b, 1, 3), ES_LEASE_FREE);
    assert_int_equal(other_owner(b).process.pid, getpid());
    put(a, 1, 2, false);
    assert_int_equal(look(b, 1, 2), ES_LEASE_KNOWN);
    assert_int_equal(lease(b, 1, 2), ES_LEASE_KNOWN);
    assert_int_equal(other_owner(b).id, 0); /* without leases it is nobody */
}

TEST(leases__block__is_taken_in_part_and_given_back) {
    es_store *a = open_store(), *b = open_store();
    es_leased block[4] = {pair_of(1, 1), pair_of(1, 2), pair_of(1, 3), pair_of(1, 4)};
    bool shared = true;
    put(a, 1, 4, false);
    assert_int_equal(lease(b, 1, 3), ES_LEASE_MINE);
    assert_ok(es_store_lease(a, &key, ES_AGAIN_NEVER, block, 4, &shared, NULL));
    assert_true(shared);                  /* somebody is at the source: nothing was leased */
    es_leased *one = malloc(sizeof *one); /* nor is one by itself */
    assert_non_null(one);
    *one = pair_of(1, 1);
    shared = false;
    assert_ok(es_store_lease(a, &key, ES_AGAIN_NEVER, one, 1, &shared, NULL));
    assert_true(shared);
    free(one);
    assert_int_equal(look(b, 1, 1), ES_LEASE_FREE);
    assert_ok(es_store_lease(a, &key, ES_AGAIN_NEVER, block, 4, NULL, NULL));
    static const es_lease_state expected[4] = {ES_LEASE_MINE, ES_LEASE_MINE, ES_LEASE_THEIRS,
                                               ES_LEASE_KNOWN};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(block[i].state, expected[i]);
    assert_ok(es_store_release(a, &key, block[0].source, block[0].target, NULL));
    assert_int_equal(look(b, 1, 1), ES_LEASE_FREE);
    assert_int_equal(look(b, 1, 2), ES_LEASE_THEIRS);
    bool expired = true;
    assert_ok(es_store_release_all(a, test_err()));
    assert_ok(es_store_beat(a, &expired, NULL));
    assert_false(expired); /* it is still there */
    assert_int_equal(look(b, 1, 2), ES_LEASE_FREE);
    assert_int_equal(look(b, 1, 3), ES_LEASE_MINE);
    shared = true;
    assert_ok(es_store_lease(b, &key, ES_AGAIN_NEVER, block, 4, &shared, NULL));
    assert_false(shared);
    test_drop(b); /* gives back what it holds */
    assert_int_equal(look(a, 1, 3), ES_LEASE_FREE);
}

TEST(leases__again__what_is_stored_counts_less) {
    es_store *a = open_store();
    es_leased failed = pair_of(1, 1), known = pair_of(1, 2);
    put(a, 1, 1, true);
    put(a, 1, 2, false);
    assert_int_equal(lease(a, 1, 1), ES_LEASE_KNOWN);
    assert_ok(es_store_lease(a, &key, ES_AGAIN_FAILED, &failed, 1, NULL, NULL));
    assert_int_equal(failed.state, ES_LEASE_MINE);
    assert_ok(es_store_lease(a, &key, ES_AGAIN_FAILED, &known, 1, NULL, NULL));
    assert_int_equal(known.state, ES_LEASE_KNOWN);
    assert_ok(es_store_lease(a, &key, ES_AGAIN_ALWAYS, &known, 1, NULL, NULL));
    assert_int_equal(known.state, ES_LEASE_MINE);
    es_store *b = open_store(); /* who waits for it waits for the new value */
    assert_int_equal(look(b, 1, 2), ES_LEASE_THEIRS);
}

TEST(leases__expired__the_owner_learns_of_it) {
    es_store *a = open_store(), *b = open_store();
    bool expired = true;
    assert_int_equal(lease(a, 1, 1), ES_LEASE_MINE);
    es_owner before = other_owner(b);
    assert_ok(es_store_beat(a, &expired, NULL));
    assert_false(expired);
    assert_int_equal(other_owner(b).beat, before.beat + 1);
    assert_ok(es_store_reap(b, before.id, NULL));
    assert_int_equal(lease(b, 1, 1), ES_LEASE_MINE);
    assert_ok(es_store_beat(a, &expired, NULL));
    assert_true(expired);
    assert_int_equal(lease(a, 1, 1), ES_LEASE_THEIRS);
    assert_int_equal(lease(a, 1, 2), ES_LEASE_MINE); /* as another owner */
    assert_true(other_owner(b).id > before.id);
}

TEST(leases__version__changes_with_what_others_store) {
    es_store *a = open_store(), *b = open_store();
    int first = 0, now = 0;
    assert_ok(es_store_version(a, &first, NULL));
    put(a, 1, 1, false);
    assert_ok(es_store_version(a, &now, NULL));
    assert_int_equal(now, first);
    put(b, 1, 2, false);
    assert_ok(es_store_version(a, &now, NULL));
    assert_int_not_equal(now, first);
}

static es_status count_pair(void *context, es_store_pair *pair, es_error *err) {
    (void)pair;
    (void)err;
    ++*(size_t *)context;
    return ES_OK;
}

TEST(leases__load_after__gives_each_row_once) {
    es_store *a = open_store(), *b = open_store();
    int64_t after = 0;
    size_t count = 0;
    put(a, 1, 1, false);
    put(b, 1, 2, false);
    for (size_t expected = 2; expected < 5; expected++) {
        assert_ok(es_store_load_after(a, &key, expected % 2, &after, count_pair, &count, NULL));
        assert_int_equal(count, expected);
        put(b, 2, expected, false);
    }
}

/* Several in one transaction: all, with their leases given back, or none. */
TEST(leases__put_all__stores_all_or_none) {
    es_store *a = open_store(), *b = open_store();
    es_store_pair pair[3] = {{{1, 1}, {1, 2}, .result.is = 1},
                             {{1, 1}, {2, 2}, .result.is = 2},
                             {{1, 1}, {3, 2}, .result.is = 3}};
    const es_store_finished all[3] = {{&key, &pair[0]}, {&key, &pair[1]}, {&key, &pair[2]}};
    size_t count = 0;
    for (uint64_t i = 1; i < 4; i++)
        assert_int_equal(lease(a, 1, i), ES_LEASE_MINE);
    pair[2].result.pmi = (float[]){1, 2};
    pair[2].result.n_eval = SIZE_MAX; /* there is no room for so many values */
    assert_int_equal(es_store_put_all(a, all, 3, NULL, NULL), ES_ENOMEM);
    assert_ok(es_store_load(a, &key, false, count_pair, &count, NULL));
    assert_int_equal(count, 0);
    assert_int_equal(look(b, 1, 1), ES_LEASE_THEIRS);
    pair[2].result.n_eval = 2;
    assert_ok(es_store_put_all(a, all, 3, NULL, NULL));
    assert_ok(es_store_load(b, &key, true, count_pair, &count, NULL));
    assert_int_equal(count, 3);
    for (uint64_t i = 1; i < 4; i++)
        assert_int_equal(look(b, 1, i), ES_LEASE_KNOWN);
    assert_int_equal(other_owner(b).id, 0);
}

/* A store of an earlier version gets the tables; one that is only read does without. */
TEST(leases__older_store__gets_the_tables) {
    es_store *store = open_store();
    char path[SUPPORT_PATH + 32];
    sqlite3 *db = NULL;
    put(store, 1, 1, false);
    (void)snprintf(path, sizeof path, "%s/.embedscope/results.db", root);
    test_drop(store);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE claim; DROP TABLE owner", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_ok(es_store_open(root, true, &store, NULL));
    assert_false(es_store_takes_leases(store));
    size_t count = 0;
    assert_ok(es_store_load(store, &key, false, count_pair, &count, NULL));
    assert_int_equal(count, 1);
    es_store_close(store);
    store = open_store();
    assert_true(es_store_takes_leases(store));
    assert_int_equal(lease(store, 1, 1), ES_LEASE_KNOWN);
    assert_int_equal(lease(store, 1, 2), ES_LEASE_MINE);
}

/* ---- who is gone ---- */

TEST(expiry__note__by_the_watchers_clock_alone) {
    static es_expiry expiry;
    memset(&expiry, 0, sizeof expiry);
    assert_false(es_expiry_note(&expiry, 1, 0, 1000));
    assert_false(es_expiry_note(&expiry, 2, 5, 1000));
    assert_false(es_expiry_note(&expiry, 1, 0, 1000 + ES_LEASE_SECONDS - 1));
    assert_false(es_expiry_note(&expiry, 2, 6, 1000 + ES_LEASE_SECONDS - 1));
    assert_true(es_expiry_note(&expiry, 1, 0, 1000 + ES_LEASE_SECONDS));
    assert_false(es_expiry_note(&expiry, 2, 6, 1000 + ES_LEASE_SECONDS));
    assert_false(es_expiry_note(&expiry, 1, 1, 1001 + ES_LEASE_SECONDS)); /* back again */
    for (int64_t id = 3; id < 3 + 2 * ES_EXPIRY_MOST; id++) /* more than there is room for */
        assert_false(es_expiry_note(&expiry, id, 0, 2000));
    assert_false(es_expiry_note(&expiry, 2, 6, 2001)); /* forgotten, so watched anew */
}

TEST(process__gone__is_told_at_once_on_this_machine) {
    es_process self, child;
    es_process_self(&self);
    assert_int_equal(self.pid, getpid());
    if (self.machine[0] == '\0')
        skip(); /* no /proc */
    assert_false(es_process_gone(&self));
    child = self;
    pid_t pid = fork();
    if (pid == 0) {
        (void)alarm(60);
        (void)pause();
        _exit(0);
    }
    child.pid = pid;
    assert_int_equal(kill(pid, SIGKILL), 0);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_true(es_process_gone(&child)); /* dead, though its parent has not looked yet */
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(es_process_gone(&child));
    child.machine[0] = '\0';
    assert_false(es_process_gone(&child)); /* of another machine nothing is certain */
    self.began++;
    if (self.began > 1)
        assert_true(es_process_gone(&self)); /* the number has become another process's */
}

/* ---- sessions ---- */

enum { ROWS = 40, MODELS = 6 };

static void write_models(size_t count) {
    for (size_t i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "m%zu.npy", i);
        support_write_random_npy(root, name, 17 + i, ROWS, 10 + i);
    }
}

static void write_pool(void) {
    write_models(MODELS);
}

static es_session *open_session(bool refresh) {
    es_session *session = NULL;
    const es_session_options options = {.threads = 2, .estimator = "linear", .refresh = refresh};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    return keep_session(session);
}

static bool is_over(const es_session *session) {
    es_phase phase = es_session_phase(session);
    return phase == ES_PHASE_DONE || phase == ES_PHASE_IDLE;
}

/* Until nothing is under way in any of them. */
static void pump_all(es_session **sessions, size_t count) {
    double until = es_clock_now() + 200;
    for (size_t over = 0; over < count;) {
        over = 0;
        for (size_t i = 0; i < count; i++) {
            struct pollfd p = {es_session_fd(sessions[i]), POLLIN, 0};
            (void)poll(&p, 1, 2);
            (void)es_session_pump(sessions[i], 0);
            over += is_over(sessions[i]);
        }
        assert_true(es_clock_now() < until);
    }
}

static size_t estimated(const es_session *session) {
    es_progress p;
    es_session_progress(session, &p);
    return p.done - p.reused;
}

TEST(sessions__share__every_pair_is_estimated_once) {
    es_session *session[3];
    size_t sum = 0;
    write_pool();
    atomic_store(&fake.delay_us, 3000);
    atomic_store(&fake.hold, 5); /* of six workers, so that the third session is at one */
    for (size_t i = 0; i < 3; i++) {
        session[i] = open_session(false);
        assert_ok(es_session_start(session[i], NULL));
    }
    pump_all(session, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(es_session_phase(session[i]), ES_PHASE_DONE);
        assert_true(estimated(session[i]) > 0);
        sum += estimated(session[i]);
    }
    assert_int_equal(sum, MODELS * MODELS);
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS);
    const es_results *one = es_session_results(session[0], 0);
    for (size_t i = 1; i < 3; i++)
        assert_memory_equal(es_session_results(session[i], 0)->is, one->is,
                            sizeof(double) * MODELS * MODELS);
    for (size_t i = 0; i < 3; i++)
        test_drop(session[i]);
    es_store *store = open_store();
    assert_int_equal(other_owner(store).id, 0);
}

/* What a session has stored it may read back with what others have, before it hears of it from its
 * own worker. The pair is its own all the same. */
TEST(sessions__pair_read_back_first__counts_as_estimated) {
    es_session *session[2];
    es_progress p;
    size_t found = 0;
    write_pool();
    session[0] = open_session(false);
    pump_all(session, 1);
    session[1] = open_session(false);
    assert_ok(es_session_start(session[1], NULL));
    pump_all(session + 1, 1);
    assert_ok(es_stored_load(session[0], 0, NULL, &found, NULL));
    const es_results *other = es_session_results(session[1], 0);
    es_pair_item *own = es_pair_item_new(session[0], (es_lease){0, 2, 3});
    own->result =
        (es_pair_result){.is = other->is[2 * MODELS + 3], .se = other->se[2 * MODELS + 3]};
    assert_ok(es_item_tell(session[0]->workers, &own->item, NULL));
    pump_all(session, 1);
    es_session_progress(session[0], &p);
    assert_int_equal(p.done, MODELS * MODELS);
    assert_int_equal(p.reused, MODELS * MODELS - 1);
}

/* One that wants nothing shows what the other finds. */
TEST(sessions__idle__shows_the_others_progress) {
    es_session *session[2];
    write_pool();
    atomic_store(&fake.delay_us, 20000);
    session[0] = open_session(false);
    assert_ok(es_session_start(session[0], NULL));
    while (estimated(session[0]) == 0)
        (void)es_session_pump(session[0], 1);
    session[1] = open_session(false);
    pump_all(session, 2);
    double until = es_clock_now() + 200;
    while (es_session_phase(session[1]) != ES_PHASE_DONE && es_clock_now() < until)
        (void)es_session_wait(session[1], 0.05, NULL), (void)es_session_pump(session[1], 0);
    assert_int_equal(es_session_phase(session[1]), ES_PHASE_DONE);
    assert_int_equal(estimated(session[1]), 0);
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS);
}

/* Until it has as many results as there are pairs. */
static void pump_until_known(es_session *session, size_t pairs) {
    double until = es_clock_now() + 200;
    while (es_session_results(session, 0)->done < pairs && es_clock_now() < until) {
        struct pollfd p = {es_session_fd(session), POLLIN, 0};
        (void)poll(&p, 1, 1000);
        (void)es_session_pump(session, 0);
    }
    assert_int_equal(es_session_results(session, 0)->done, pairs);
}

/* An explorer that does nothing, or pauses, shows what others find who come later, and others after
 * these: whoever writes to the store wakes it. */
TEST(sessions__idle_before__shows_what_comes) {
    es_session *explorer = NULL, *other;
    const es_session_options options = {.threads = 2, .estimator = "linear", .with_shards = true};
    write_pool();
    assert_ok(es_session_open_with(root, &options, table, &explorer, NULL));
    pump_all(&explorer, 1);
    assert_int_equal(es_session_phase(explorer), ES_PHASE_IDLE);
    const es_session_options some = {.pool = {.models = "m0,m1"}, .estimator = "linear"};
    assert_ok(es_session_open_with(root, &some, table, &other, NULL));
    assert_ok(es_session_start(other, NULL));
    pump_all(&other, 1);
    size_t first = es_session_results(other, 0)->done;
    assert_true(first > 0 && first < MODELS * MODELS);
    pump_until_known(explorer, first);
    es_session_close(other);
    atomic_store(&fake.delay_us, 5000);
    assert_ok(es_session_start(explorer, NULL));
    es_session_pause(explorer, true);
    other = open_session(false);
    assert_ok(es_session_start(other, NULL));
    pump_all(&other, 1);
    pump_until_known(explorer, MODELS * MODELS);
    assert_true(estimated(explorer) < MODELS); /* what was begun before the pause */
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS);
    es_session_close(explorer);
}

/* A pause and a cancel give back what was not begun: the other does it all. */
TEST(sessions__pause__leaves_the_work_to_others) {
    es_session *session[2];
    write_pool();
    atomic_store(&fake.delay_us, 5000);
    session[0] = open_session(false);
    assert_ok(es_session_start(session[0], NULL));
    while (estimated(session[0]) < 4)
        (void)es_session_pump(session[0], 1);
    es_session_pause(session[0], true);
    session[1] = open_session(false);
    assert_ok(es_session_start(session[1], NULL));
    pump_all(session + 1, 1);
    assert_int_equal(es_session_phase(session[1]), ES_PHASE_DONE);
    es_session_cancel(session[0]);
    assert_ok(es_session_start(session[0], NULL));
    pump_all(session, 1);
    assert_int_equal(es_session_phase(session[0]), ES_PHASE_DONE);
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS);
}

/* A process is killed in the middle: what it was at is taken over at once. */
TEST(sessions__killed__another_does_the_rest) {
    write_pool();
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)alarm(60);
        atomic_store(&fake.delay_us, 50000);
        es_session *child = open_session(false);
        if (es_session_start(child, NULL) != ES_OK)
            _exit(1);
        while (estimated(child) < 3)
            (void)es_session_wait(child, 0.01, NULL);
        if (write(ready[1], "x", 1) != 1)
            _exit(1);
        (void)es_session_wait(child, -1, NULL);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    double began = es_clock_now();
    es_session *session = open_session(false);
    assert_ok(es_session_start(session, NULL));
    pump_all(&session, 1);
    assert_int_equal(es_session_phase(session), ES_PHASE_DONE);
    assert_true(es_clock_now() - began < 25); /* no waiting for a heartbeat */
    assert_true(estimated(session) >= MODELS * MODELS - 10 && estimated(session) < MODELS * MODELS);
    test_drop(session);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

/* Whoever refreshes computes all that others are not just at. */
TEST(sessions__refresh__waits_for_the_new_value) {
    es_session *session[2];
    write_pool();
    session[0] = open_session(false);
    assert_ok(es_session_start(session[0], NULL));
    pump_all(session, 1);
    test_drop(session[0]);
    atomic_store(&fake.pairs, 0);
    atomic_store(&fake.delay_us, 3000);
    for (size_t i = 0; i < 2; i++) {
        session[i] = open_session(true);
        assert_ok(es_session_start(session[i], NULL));
    }
    pump_all(session, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(es_session_phase(session[i]), ES_PHASE_DONE);
    assert_true(atomic_load(&fake.pairs) >= MODELS * MODELS);
}

/* Another process was at a pair that is stored without values per row, and gives it back: what is
 * stored is no answer. */
TEST(sessions__given_back_without_rows__is_estimated) {
    const es_session_options options = {
        .threads = 2, .estimator = "linear", .refresh = true, .with_pmi = true};
    const es_lease pair = {0, 2, 3};
    es_session *session = NULL;
    sqlite3 *db = NULL;
    write_pool();
    session = open_session(false);
    assert_ok(es_session_start(session, NULL));
    pump_all(&session, 1);
    test_drop(session);
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    pump_all(&session, 1);
    const es_store_key *own = &session->entries[0].key;
    es_store *other = open_store();
    es_leased at = {.source = es_source_digest(session, pair),
                    .target = session->targets.digest[pair.target]};
    assert_ok(es_store_lease(other, own, ES_AGAIN_ALWAYS, &at, 1, NULL, NULL));
    assert_int_equal(at.state, ES_LEASE_MINE);
    assert_int_equal(sqlite3_open(es_store_file(other), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM pmi", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_ok(es_session_start(session, NULL));
    pump_until_known(session, MODELS * MODELS - 1);
    assert_int_equal(es_pair_queue_count_away(session->queue), 1);
    assert_ok(es_store_release(other, own, at.source, at.target, NULL));
    pump_until_known(session, MODELS * MODELS);
    assert_non_null(es_session_results(session, 0)->pmi[pair.source * MODELS + pair.target]);
    es_session_close(session);
}

typedef struct taking {
    es_session *session;
    es_lease pair;
    es_pair_taken taken;
} taking;

static void *take_pair(void *data) {
    taking *t = data;
    t->taken = es_leases_take(t->session, &t->pair, true);
    return NULL;
}

/* Whoever comes to a source that others are at leaves it for another one, unless the last of these
 * was taken while the store was asked. */
TEST(leases__take__stays_where_no_other_source_is_left) {
    char path[SUPPORT_PATH + 32];
    sqlite3 *writer = NULL;
    pthread_t thread;
    write_models(2);
    es_session *session = open_session(false);
    pump_all(&session, 1);
    for (size_t i = 0; i < 4; i++)
        (void)es_pair_queue_want(session->queue, (es_lease){0, i / 2, i % 2});
    es_session_far_enter(session);
    taking t = {.session = session, .pair = {0, SIZE_MAX, 0}};
    assert_true(es_pair_queue_lease(session->queue, &t.pair));
    size_t source = t.pair.source;
    es_leased theirs = {.source = session->sources.digest[source],
                        .target = session->targets.digest[1 - t.pair.target]};
    es_store *other = open_store();
    assert_ok(
        es_store_lease(other, &session->entries[0].key, ES_AGAIN_NEVER, &theirs, 1, NULL, NULL));
    assert_int_equal(theirs.state, ES_LEASE_MINE);
    (void)snprintf(path, sizeof path, "%s/.embedscope/results.db", root);
    assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
    assert_int_equal(sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(pthread_create(&thread, NULL, take_pair, &t), 0);
    for (double until = es_clock_now() + 200; es_store_waits(session->store) == 0;) {
        assert_true(es_clock_now() < until);
        (void)poll(NULL, 0, 5);
    }
    es_lease last = {0, SIZE_MAX, 0};
    assert_true(es_pair_queue_lease(session->queue, &last));
    assert_int_equal(last.source, 1 - source);
    assert_int_equal(sqlite3_exec(writer, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(t.taken, ES_TAKEN_MINE);
    assert_int_equal(t.pair.source, source);
    sqlite3_close(writer);
    test_drop(other);
    es_session_far_leave(session);
}

static size_t held_of(es_session *session, size_t source) {
    size_t held = 0;
    for (size_t t = 0; t < MODELS; t++)
        held += es_pair_queue_is_held(session->queue, (es_lease){0, source, t});
    return held;
}

/* As many at once as half a second's work is, by what pairs took lately, and at most a quarter of
 * what is left for each of two threads; one while that is not known. */
TEST(leases__block__is_what_half_a_second_does) {
    static const struct {
        double took[2];
        size_t held;
    } of[] = {{{0, 0}, 1},     {{0.5, 0.5}, 1}, {{0.25, 0.25}, 2}, {{0.1, 0.1}, 4},
              {{0.1, 1.1}, 1}, {{1.1, 0.1}, 1}, {{0.2, 0.3}, 2}};
    write_pool();
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        es_session *session = open_session(false);
        pump_all(&session, 1);
        for (size_t i = 0; i < MODELS * MODELS; i++)
            (void)es_pair_queue_want(session->queue, (es_lease){0, i / MODELS, i % MODELS});
        es_session_far_enter(session);
        for (size_t i = 0; i < 2 && of[k].took[i] > 0; i++)
            es_leases_took(session, 0, of[k].took[i]);
        es_lease pair = {0, SIZE_MAX, 0};
        assert_true(es_pair_queue_lease(session->queue, &pair));
        assert_int_equal(es_leases_take(session, &pair, true), ES_TAKEN_MINE);
        assert_int_equal(held_of(session, pair.source), of[k].held);
        es_session_far_leave(session);
        test_drop(session);
    }
}

/* What another process has stored meanwhile is lent to nobody: the owner hears of it at once. */
TEST(far__lend__what_is_stored_is_told) {
    es_progress p;
    write_models(2);
    es_session *session = open_session(false);
    pump_all(&session, 1);
    es_session_far_enter(session);
    es_lease lane = {0, SIZE_MAX, 0};
    assert_false(es_session_lend(session, &lane)); /* nothing is up */
    for (size_t i = 0; i < 4; i++)
        (void)es_pair_queue_want(session->queue, (es_lease){0, i / 2, i % 2});
    assert_int_equal(es_session_far_left(session), 4);
    es_store *other = open_store();
    for (size_t i = 0; i < 4; i++) {
        es_store_pair pair = {.source = session->sources.digest[i / 2],
                              .target = session->targets.digest[i % 2],
                              .result = {.is = 0.25 + (double)i}};
        assert_ok(es_store_put(other, &session->entries[0].key, &pair, NULL, NULL));
    }
    assert_false(es_session_lend(session, &lane));
    assert_int_equal(es_session_far_left(session), 0);
    assert_int_equal(atomic_load(&session->lent), 4); /* until the owner has heard of it */
    pump_all(&session, 1);
    assert_int_equal(atomic_load(&session->lent), 0);
    es_session_progress(session, &p);
    assert_int_equal(p.done, 4);
    assert_int_equal(p.reused, 4);
    assert_int_equal(atomic_load(&fake.pairs), 0);
    for (size_t i = 0; i < 4; i++)
        assert_true(es_session_results(session, 0)->is[i] == 0.25 + (double)i);
    es_session_far_leave(session);
}

/* Who computes for others is asked for pairs that there are, of a pool that it has read. */
TEST(far__ask__for_pairs_that_there_are) {
    es_session *session = NULL;
    const es_session_options options = {
        .threads = 1, .estimator = "linear", .no_store = true, .with_null = true};
    const es_lease fine[] = {{0, 0, 1}, {0, 2 + 1, 1}}; /* one of them from noise */
    const es_lease wrong[] = {{1, 0, 1}, {0, 0, 2}, {0, 2, 1}, {0, 2 + 2, 2}};
    write_models(2);
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    if (!es_session_ready(session)) {
        assert_error(es_session_ask(session, fine, 2, test_err()), ES_EINVAL, "not been checked");
    }
    pump_all(&session, 1);
    for (size_t i = 0; i < 4; i++)
        for (size_t at = 0; at < 2; at++) {
            es_lease both[] = {fine[0], fine[1]};
            both[at] = wrong[i];
            assert_error_is(es_session_ask(session, both, 2, test_err()), ES_EINVAL,
                            "there is no such pair");
            assert_int_equal(es_session_far_left(session), 0); /* none of them */
        }
    assert_ok(es_session_ask(session, fine, 2, test_err()));
    pump_all(&session, 1);
    assert_int_equal(atomic_load(&fake.pairs), 2);
    es_session_close(session);
}
