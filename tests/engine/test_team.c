/* A team without MPI: ranks are threads of this program, each with a session of its own, and what
 * goes between them are lists of messages. */
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "fake_estimator.h"
#include "engine_session_parts.h"
#include "engine_team.h"
#include "keeping.h"

static const es_estimator *const table[] = {&fake_linear, &fake_knife, NULL};
enum { ROWS = 40, MODELS = 6, RANKS_MOST = 4 };
static char root[SUPPORT_PATH], other[SUPPORT_PATH];

static int set_up(void **state) {
    memset(&fake, 0, sizeof fake);
    support_temp_dir(root);
    support_temp_dir(other);
    for (size_t i = 0; i < MODELS; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "m%zu.npy", i);
        support_write_random_npy(root, name, 17 + i, ROWS, 10 + i);
        support_write_random_npy(other, name, (i == 0 ? 18 : 17) + i, ROWS, 10 + i); /* one */
    }
    return setenv("XDG_DATA_HOME", root, 1);
}

TEST_EACH(set_up, NULL);

/* ---- a wire ---- */

typedef struct mail {
    struct mail *next;
    size_t from, length;
    char *bytes;
} mail;

static struct {
    pthread_mutex_t lock;
    mail *first[RANKS_MOST];
    bool dead[RANKS_MOST]; /* sends and hears nothing any more */
    bool whole[RANKS_MOST];
    size_t to_self; /* messages that somebody sent to itself */
    bool twice;     /* results arrive twice */
    size_t doubled; /* pairs that did */
} post = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef struct end {
    size_t rank;
} end;

static mail *copy_of_results(const mail *m, size_t *pairs) {
    es_buf bytes = {.data = m->bytes, .length = m->length};
    es_team_reader in;
    es_team_read(&in, &bytes);
    *pairs = 0;
    if (!post.twice || in.kind != ES_TEAM_RESULTS)
        return NULL;
    *pairs = es_team_take(&in);
    mail *copy = es_alloc_zero(1, sizeof *copy);
    assert_non_null(copy);
    *copy = (mail){.from = m->from, .length = m->length, .bytes = es_alloc(m->length, 1)};
    assert_non_null(copy->bytes);
    memcpy(copy->bytes, m->bytes, m->length);
    return copy;
}

static void wire_send(void *context, size_t to, char *bytes, size_t length) {
    const end *from = context;
    mail *m = es_alloc_zero(1, sizeof *m);
    assert_non_null(m);
    *m = (mail){.from = from->rank, .length = length, .bytes = bytes};
    size_t pairs;
    mail *copy = copy_of_results(m, &pairs);
    pthread_mutex_lock(&post.lock);
    post.to_self += to == from->rank;
    mail **at = &post.first[to];
    while (*at)
        at = &(*at)->next;
    bool gone = post.dead[from->rank] || post.dead[to];
    if (!gone) {
        *at = m;
        m->next = copy;
        post.doubled += pairs;
    }
    pthread_mutex_unlock(&post.lock);
    if (gone) {
        es_free(m->bytes);
        es_free(m);
    }
}

static bool wire_receive(void *context, size_t *from, es_buf *out) {
    const end *to = context;
    pthread_mutex_lock(&post.lock);
    mail *m = post.first[to->rank];
    if (m)
        post.first[to->rank] = m->next;
    pthread_mutex_unlock(&post.lock);
    if (!m)
        return false;
    *from = m->from;
    es_buf_add(out, m->bytes, m->length);
    es_free(m->bytes);
    es_free(m);
    return true;
}

/* A rank that is dead ends by itself, as it believes the lead to be. */
static bool wire_lost(void *context, size_t rank) {
    const end *self = context;
    pthread_mutex_lock(&post.lock);
    bool dead = post.dead[rank] || post.dead[self->rank];
    pthread_mutex_unlock(&post.lock);
    return dead;
}

static void wire_leave(void *context, bool whole) {
    const end *self = context;
    post.whole[self->rank] = whole;
    for (es_buf rest = {0}; wire_receive(context, &(size_t){0}, &rest);)
        es_buf_free(&rest);
}

static es_wire wire_of(end *self, size_t size) {
    return (es_wire){.context = self,
                     .rank = self->rank,
                     .size = size,
                     .send = wire_send,
                     .receive = wire_receive,
                     .lost = wire_lost,
                     .leave = wire_leave};
}

/* ---- ranks ---- */

static es_status open_far(void *context, const es_words *words, es_session **out, es_error *err) {
    const es_session_options options = {.threads = 2, .estimator = "linear", .no_store = true};
    (void)context;
    return es_session_open_with(words->word[0], &options, table, out, err);
}

typedef struct rank {
    end self;
    size_t size;
    pthread_t thread;
    es_status status;
} rank;

static void *run_rank(void *data) {
    rank *r = data;
    es_wire wire = wire_of(&r->self, r->size);
    r->status = es_team_serve(&wire, open_far, NULL, NULL);
    return NULL;
}

static struct {
    pthread_mutex_t lock; /* the lead says it in a thread of its own */
    size_t count;
    char last[512];
} said = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void say(void *context, const char *text) {
    (void)context;
    pthread_mutex_lock(&said.lock);
    said.count++;
    (void)snprintf(said.last, sizeof said.last, "%s", text);
    pthread_mutex_unlock(&said.lock);
}

/* How often something was said; text (512): the last of it. */
static size_t heard(char *text) {
    pthread_mutex_lock(&said.lock);
    size_t count = said.count;
    memcpy(text, said.last, sizeof said.last);
    pthread_mutex_unlock(&said.lock);
    return count;
}

static void assert_nothing_said(void) {
    char last[sizeof said.last];
    (void)heard(last);
    assert_string_equal(last, "");
}

typedef struct crew {
    rank rank[RANKS_MOST];
    end lead;
    size_t size;
    es_team *team;
} crew;

static void start(crew *c, size_t size) {
    said.count = 0;
    said.last[0] = '\0';
    memset(post.dead, 0, sizeof post.dead);
    memset(post.whole, 0, sizeof post.whole);
    post.doubled = 0;
    *c = (crew){.size = size};
    for (size_t r = 1; r < size; r++) {
        c->rank[r] = (rank){.self = {r}, .size = size};
        assert_int_equal(pthread_create(&c->rank[r].thread, NULL, run_rank, &c->rank[r]), 0);
    }
    es_wire wire = wire_of(&c->lead, size);
    assert_ok(es_team_new(&wire, say, NULL, &c->team, NULL));
}

static void finish(crew *c) {
    es_team_free(c->team, true);
    for (size_t r = 1; r < c->size; r++)
        assert_int_equal(pthread_join(c->rank[r].thread, NULL), 0);
    assert_int_equal(post.to_self, 0);
}

static void open_there(crew *c, const char *folder) {
    es_words words = {0};
    assert_ok(es_words_add(&words, folder, NULL));
    es_team_open(c->team, &words);
    es_words_deinit(&words);
}

static es_session *open_here(bool null) {
    es_session *session = NULL;
    const es_session_options options = {
        .threads = 1, .estimator = "linear", .with_null = null, .with_pmi = true};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    assert_ok(es_session_wait(session, 20, NULL));
    return keep_session(session);
}

static size_t estimated(const es_session *session) {
    es_progress p;
    es_session_progress(session, &p);
    return p.done - p.reused;
}

/* Until so many ranks have opened it, however slow the machine is. */
static void attach(crew *c, es_session *session, size_t ready) {
    es_team_counts counts = {0};
    es_team_attach(c->team, session);
    for (double until = es_clock_now() + 200; counts.ready < ready && es_clock_now() < until;) {
        (void)poll(NULL, 0, 1);
        es_team_count(c->team, &counts);
    }
    assert_int_equal(counts.ready, ready);
}

static void run(crew *c, es_session *session) {
    assert_ok(es_session_start(session, NULL));
    assert_ok(es_session_wait(session, 20, NULL));
    es_team_detach(c->team);
    assert_int_equal(es_session_phase(session), ES_PHASE_DONE);
}

static es_status count_pair(void *context, es_store_pair *pair, es_error *err) {
    (void)err;
    *(size_t *)context += pair->result.pmi != NULL;
    return ES_OK;
}

static void run_all(crew *c, es_session *session) {
    attach(c, session, c->size - 1);
    run(c, session);
}

/* Every pair is stored with its values by row, and nobody holds a lease. */
static void check_store(es_session *session, size_t expected) {
    size_t count = 0;
    assert_ok(
        es_store_load(session->store, &session->entries[0].key, true, count_pair, &count, NULL));
    assert_int_equal(count, expected);
    assert_int_equal(atomic_load(&session->lent), 0);
    es_leased at = {.source = session->sources.digest[0], .target = session->targets.digest[1]};
    assert_ok(es_store_lease_look(session->store, &session->entries[0].key, &at, 1, NULL));
    assert_int_equal(at.state, ES_LEASE_KNOWN);
}

/* ---- tests ---- */

TEST(team__three_ranks__the_values_of_one) {
    crew c;
    const es_session_options options = {
        .threads = 1, .estimator = "linear", .no_store = true, .with_null = true};
    es_session *alone = NULL;
    assert_ok(es_session_open_with(root, &options, table, &alone, NULL));
    assert_ok(es_session_start(alone, NULL));
    assert_ok(es_session_wait(alone, 20, NULL));
    atomic_store(&fake.pairs, 0);
    atomic_store(&fake.delay_us, 10000);
    start(&c, 3);
    open_there(&c, root);
    es_session *session = open_here(true);
    run_all(&c, session);
    const es_results *one = es_session_results(alone, 0), *many = es_session_results(session, 0);
    assert_memory_equal(many->is, one->is, sizeof(double) * MODELS * MODELS);
    for (size_t t = 0; t < MODELS; t++)
        assert_true(many->null[t].is == one->null[t].is);
    assert_int_equal(estimated(session), MODELS * MODELS + MODELS);
    assert_int_equal(atomic_load(&fake.pairs), MODELS * MODELS + MODELS); /* each once */
    es_team_counts counts;
    es_team_count(c.team, &counts);
    assert_int_equal(counts.ranks, 2);
    assert_int_equal(counts.dead, 0);
    assert_true(counts.pairs > MODELS);
    check_store(session, MODELS * MODELS + MODELS);
    finish(&c);
    assert_nothing_said();
    for (size_t r = 0; r < 3; r++)
        assert_true(post.whole[r]);
    es_session_close(alone);
}

static atomic_int slow;

/* As a disk is that has to spin up: the first of each rank to read waits for seconds. */
static void wait_once(size_t d, uint32_t row) {
    (void)d;
    if (row == 0 && atomic_fetch_sub(&slow, 1) > 0)
        (void)poll(NULL, 0, 3500);
}

/* Beyond the seconds after which a pair that is not being worked on counts as lost. */
TEST(team__slow_pairs__are_not_lost_ones) {
    crew c;
    es_team_counts counts;
    atomic_store(&fake.delay_us, 10000);
    atomic_store(&fake.hold, 2); /* the lead has one thread: another rank is at work, too */
    start(&c, 2);
    open_there(&c, root);
    es_session *session = open_here(false);
    atomic_store(&slow, 2);
    fake.meanwhile = wait_once;
    run_all(&c, session);
    fake.meanwhile = NULL;
    es_team_count(c.team, &counts);
    assert_int_equal(counts.dead, 0);
    assert_true(counts.pairs > 0);
    check_store(session, MODELS * MODELS);
    finish(&c);
    assert_nothing_said();
}

/* A pair that comes back a second time is nobody's any more, and counts once. */
TEST(team__results_twice__count_once) {
    crew c;
    post.twice = true;
    atomic_store(&fake.delay_us, 20000);
    atomic_store(&fake.hold, 2); /* the lead has one thread: another rank is at work, too */
    start(&c, 3);
    open_there(&c, root);
    es_session *session = open_here(false);
    run_all(&c, session);
    es_team_counts counts;
    es_team_count(c.team, &counts);
    assert_true(counts.pairs > 0); /* some are the lead's own */
    assert_int_equal(estimated(session), MODELS * MODELS);
    check_store(session, MODELS * MODELS);
    finish(&c);
    post.twice = false;
    assert_true(post.doubled >= counts.pairs);
    assert_nothing_said();
}

/* A second session of the same team, and one of which all is stored. */
TEST(team__sessions__one_after_the_other) {
    crew c;
    start(&c, 2);
    for (int turn = 0; turn < 3; turn++) {
        open_there(&c, root);
        es_session *session = open_here(turn > 0);
        run_all(&c, session);
        assert_int_equal(estimated(session), turn == 0 ? MODELS * MODELS : turn == 1 ? MODELS : 0);
        test_drop(session);
    }
    finish(&c);
    assert_nothing_said();
}

TEST(team__rank_dies__its_pairs_go_to_the_others) {
    crew c;
    atomic_store(&fake.delay_us, 20000);
    start(&c, 3);
    open_there(&c, root);
    es_session *session = open_here(false);
    attach(&c, session, 2);
    assert_ok(es_session_start(session, NULL));
    es_team_counts counts = {0};
    for (double until = es_clock_now() + 200; counts.pairs < 4 && es_clock_now() < until;) {
        (void)es_session_pump(session, 1);
        es_team_count(c.team, &counts);
    }
    pthread_mutex_lock(&post.lock);
    post.dead[2] = true;
    pthread_mutex_unlock(&post.lock);
    assert_ok(es_session_wait(session, 20, NULL));
    es_team_detach(c.team);
    assert_int_equal(es_session_phase(session), ES_PHASE_DONE);
    assert_int_equal(estimated(session), MODELS * MODELS);
    check_store(session, MODELS * MODELS);
    es_team_count(c.team, &counts);
    assert_int_equal(counts.dead, 1);
    char last[sizeof said.last];
    assert_int_equal(heard(last), 1);
    assert_contains(last, "rank 2");
    assert_contains(last, "has died");
    finish(&c);
    assert_int_equal(c.rank[1].status, ES_OK);
    assert_int_equal(c.rank[2].status, ES_EIO);
    assert_false(post.whole[0] || post.whole[1] || post.whole[2]);
}

/* A rank over other contents, and one that cannot open them, are left out with a word. */
TEST(team__other_files__are_left_out) {
    const char *folder[2] = {other, "no such folder"};
    const char *word[2] = {"sees other files", "no such folder"};
    for (int i = 0; i < 2; i++) {
        crew c;
        start(&c, 2);
        open_there(&c, folder[i]);
        es_session *session = open_here(false);
        es_team_attach(c.team, session);
        char last[sizeof said.last];
        for (double until = es_clock_now() + 200; heard(last) == 0 && es_clock_now() < until;)
            (void)poll(NULL, 0, 1);
        run(&c, session);
        es_team_counts counts;
        es_team_count(c.team, &counts);
        assert_int_equal(counts.pairs, 0);
        assert_contains(last, word[i]);
        finish(&c);
        test_drop(session);
        support_remove(root);
        (void)set_up(NULL);
    }
}

/* A failure that follows from the data is stored; what fails elsewhere for other reasons is said.
 */
TEST(team__failures__come_back_with_their_reason) {
    crew c;
    support_write_random_npy(root, "bad.npy", 3, ROWS, FAKE_BAD_TARGET);
    atomic_store(&fake.delay_us, 10000);
    start(&c, 2);
    open_there(&c, root);
    es_session *session = open_here(false);
    run_all(&c, session);
    const es_results *r = es_session_results(session, 0);
    assert_int_equal(r->failed, MODELS + 1);
    for (size_t i = 0; i < r->m * r->m; i++)
        if (r->state[i] == ES_PAIR_FAILED)
            assert_contains(r->reason[i], "cannot be standardised");
    finish(&c);
}

TEST(team__cancelled__nothing_is_left_lent) {
    crew c;
    atomic_store(&fake.delay_us, 20000);
    start(&c, 3);
    open_there(&c, root);
    es_session *session = open_here(false);
    attach(&c, session, 2);
    assert_ok(es_session_start(session, NULL));
    while (estimated(session) < 3)
        (void)es_session_pump(session, 1);
    es_session_cancel(session);
    es_team_detach(c.team);
    assert_ok(es_session_wait(session, 20, NULL));
    assert_int_equal(es_session_phase(session), ES_PHASE_IDLE);
    assert_int_equal(atomic_load(&session->lent), 0);
    test_drop(session);
    atomic_store(&fake.delay_us, 0);
    open_there(&c, root); /* and the team is there for another one */
    session = open_here(false);
    run_all(&c, session);
    check_store(session, MODELS * MODELS);
    finish(&c);
}

/* Until rank 0 has taken what lies there for it. */
static void wait_taken(es_team *team) {
    es_team_counts counts;
    for (bool lies = true; lies;) {
        (void)poll(NULL, 0, 1);
        pthread_mutex_lock(&post.lock);
        lies = post.first[0] != NULL;
        pthread_mutex_unlock(&post.lock);
    }
    es_team_count(team, &counts); /* it has the lock from taking to acting on it */
}

/* Somebody who says that it has no threads, or more than there can be, and knows all the rest; and
 * somebody who is right, of whom the lead has no memory to keep account. */
TEST(team__rank_of_absurd_threads__gets_no_pair) {
    static const uint64_t threads[] = {0, ES_WORKERS_MOST + 1, 1, 1};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        crew c;
        end there = {1};
        es_team_counts counts;
        es_buf *hello = test_buf(), *ready = test_buf(), *rest = test_buf();
        es_process self;
        start(&c, 1);
        es_team_free(c.team, true);
        es_wire wire = wire_of(&c.lead, 2);
        assert_ok(es_team_new(&wire, say, NULL, &c.team, NULL));
        open_there(&c, root);
        es_session *session = open_here(false);
        es_digest identity = es_session_identity(session);
        bool welcome = k == 2;
        if (k == 3)
            es_alloc_fail_after(0);
        es_team_attach(c.team, session);
        es_alloc_fail_after(-1);
        es_process_self(&self);
        es_team_begin(hello, ES_TEAM_HELLO, 0);
        es_team_put_bytes(hello, &self, sizeof self);
        es_team_begin(ready, ES_TEAM_READY, 1);
        es_team_put(ready, identity.hi);
        es_team_put(ready, identity.lo);
        es_team_put(ready, threads[k]);
        es_team_put_text(ready, es_session_provenance(session));
        size_t lengths[] = {hello->length, ready->length};
        wire_send(&there, 0, es_buf_take(hello), lengths[0]);
        wire_send(&there, 0, es_buf_take(ready), lengths[1]);
        wait_taken(c.team);
        es_team_count(c.team, &counts);
        assert_int_equal(counts.ready, welcome);
        if (!welcome)
            run(&c, session);
        else
            es_team_detach(c.team);
        es_team_free(c.team, true);
        for (size_t from; wire_receive(&there, &from, rest);)
            es_buf_free(rest);
        test_drop(session);
        support_remove(root);
        support_remove(other);
        (void)set_up(NULL);
    }
}

/* Before it is read a pool is like no other. */
TEST(identity__before_it_is_read__is_none) {
    es_session *session = NULL;
    const es_session_options options = {.threads = 1, .estimator = "linear"};
    assert_ok(es_session_open_with(root, &options, table, &session, NULL));
    assert_false(es_session_ready(session));
    es_digest identity = es_session_identity(session);
    assert_true(identity.hi == 0 && identity.lo == 0);
    assert_ok(es_session_wait(session, 20, NULL));
    identity = es_session_identity(session);
    assert_true(identity.hi != 0 && identity.lo != 0);
    es_session_close(session);
}

/* What comes back is stored as of whoever computed it. */
TEST(returned__pairs__are_stored_as_of_their_origin) {
    enum { COUNT = 5 };
    es_session *session = open_here(false);
    const char *const own = es_session_provenance(session), *const from[COUNT] = {
                                                                "{\"host\":\"b\"}",
                                                                "{\"host\":\"c\"}", NULL, own,
                                                                "{\"host\":\"b\"}"};
    es_lease lane = {0, SIZE_MAX, 0}, pair[COUNT];
    atomic_store(&fake.delay_us, 10000);
    assert_ok(es_session_start(session, NULL));
    es_session_pause(session, true);
    es_session_far_enter(session);
    for (size_t k = 0; k < COUNT; k++) {
        assert_true(es_session_lend(session, &lane));
        es_far_pair done = {.pair = pair[k] = lane, .seconds = 0.1, .result = {.is = 1, .h = 1}};
        es_session_returned(session, &done, 1, from[k]);
    }
    es_session_lane_end(session, lane);
    es_session_far_leave(session);
    atomic_store(&fake.delay_us, 0);
    es_session_pause(session, false);
    assert_ok(es_session_wait(session, 20, NULL));
    for (size_t k = 0; k < COUNT; k++) {
        char *text = NULL;
        assert_ok(es_store_origin(session->store, &session->entries[0].key,
                                  session->sources.digest[pair[k].source],
                                  session->targets.digest[pair[k].target], &text, NULL));
        assert_string_equal(text, from[k] ? from[k] : own);
        es_free(text);
    }
}

/* Every field, and messages that are cut anywhere. */
TEST_WITH(message__cut_anywhere__is_bad, NULL, NULL) {
    float pmi[3] = {1, -2.5F, 3};
    es_far_pair pair = {
        .pair = {1, 2, 3},
        .failed = true,
        .reason = "so it is",
        .seconds = 0.5,
        .result = {.is = 1, .se = NAN, .h = 2, .h_cond = 3, .n_eval = 3, .pmi = pmi, .epochs = 7}};
    es_buf message = {0};
    es_team_begin(&message, ES_TEAM_RESULTS, 9);
    es_team_put_result(&message, &pair);
    for (size_t length = 0; length <= message.length; length++) {
        es_far_pair back = {0};
        es_team_reader in;
        es_buf cut = message;
        cut.length = length;
        es_team_read(&in, &cut);
        es_team_take_result(&in, &back);
        assert_int_equal(in.bad, length < message.length);
        if (!in.bad) {
            assert_int_equal(in.kind, ES_TEAM_RESULTS);
            assert_int_equal(in.session, 9);
            assert_int_equal(back.pair.entry, 1);
            assert_int_equal(back.pair.source, 2);
            assert_int_equal(back.pair.target, 3);
            assert_true(back.failed && !back.lasting && isnan(back.result.se));
            assert_true(back.result.is == 1 && back.result.h == 2 && back.result.n_eval == 3);
            assert_string_equal(back.reason, "so it is");
            assert_memory_equal(back.result.pmi, pmi, sizeof pmi);
            assert_true(back.seconds == 0.5 && back.result.h_cond == 3 && back.result.epochs == 7);
        }
        es_free(back.result.pmi);
    }
    es_buf_free(&message);
}
