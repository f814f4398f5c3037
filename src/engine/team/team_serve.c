/* Any other rank: opens what the lead says, computes the pairs that it sends and sends back what
 * comes of them. The owner of the session is the one thread that uses the wire. */
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "engine_team.h"

enum { TURN_MS = 1 };
static const double beat_seconds = 1, lead_seconds = 2 * ES_LEASE_SECONDS, lost_seconds = 2;

typedef struct message {
    struct message *next;
    size_t count; /* pairs in it */
    es_buf bytes;
} message;

typedef struct server {
    es_wire wire;
    es_team_opener open;
    void *context;
    es_session *session; /* NULL: none */
    uint64_t number;
    bool greeted; /* the lead knows of the session */
    bool quit, whole;
    es_process lead;
    bool lead_known;
    double heard, beaten, quiet; /* quiet: since nothing is computed though something is asked */
    size_t asked, sent;          /* pairs */
    pthread_mutex_t lock;        /* around what follows */
    message *first, **last;
    bool failed; /* a result could not be kept */
} server;

/* Sends a message to rank 0 and frees it. */
static void take_and_send(const server *s, es_buf *bytes) {
    size_t length = bytes->length;
    char *taken = bytes->failed ? NULL : es_buf_take(bytes);
    if (taken)
        s->wire.send(s->wire.context, 0, taken, length);
    es_buf_free(bytes);
}

static void send_hello(const server *s) {
    es_buf bytes = {0};
    es_process self;
    es_process_self(&self);
    es_team_begin(&bytes, ES_TEAM_HELLO, 0);
    es_team_put_bytes(&bytes, &self, sizeof self);
    take_and_send(s, &bytes);
}

/* ---- results ---- */

/* A worker's. */
static void sink(void *context, const es_far_pair *pairs, size_t count) {
    server *s = context;
    message *m = count > 0 ? es_alloc_zero(1, sizeof *m) : NULL;
    if (m) {
        m->count = count;
        es_team_begin(&m->bytes, ES_TEAM_RESULTS, s->number);
        es_team_put(&m->bytes, count);
        for (size_t i = 0; i < count; i++)
            es_team_put_result(&m->bytes, &pairs[i]);
    }
    pthread_mutex_lock(&s->lock);
    if (m && !m->bytes.failed) {
        *s->last = m; /* from here on it is send_results' */
        s->last = &m->next;
        m = NULL;
    } else {
        s->failed = s->failed || count > 0;
    }
    pthread_mutex_unlock(&s->lock);
    if (m) {
        es_buf_free(&m->bytes);
        es_free(m);
    }
}

/* `drop`: of a session that is closed. */
static bool send_results(server *s, bool drop) {
    pthread_mutex_lock(&s->lock);
    message *m = s->first;
    s->first = NULL;
    s->last = &s->first;
    bool failed = s->failed;
    pthread_mutex_unlock(&s->lock);
    while (m) {
        message *next = m->next;
        s->sent += m->count;
        if (drop)
            es_buf_free(&m->bytes);
        else
            take_and_send(s, &m->bytes);
        es_free(m);
        m = next;
    }
    return !failed;
}

/* ---- the session ---- */

static void close_session(server *s) {
    es_session_close(s->session); /* which hands over what has just ended */
    s->session = NULL;
    (void)send_results(s, true);
    s->asked = s->sent = 0;
    s->quiet = 0;
}

static void send_refusal(server *s, const es_error *why) {
    es_buf bytes = {0};
    es_team_begin(&bytes, ES_TEAM_REFUSED, s->number);
    es_team_put_text(&bytes, why->message);
    take_and_send(s, &bytes);
    s->greeted = true;
}

static void on_open(server *s, es_team_reader *in) {
    es_error why = {0};
    close_session(s);
    s->number = in->session;
    s->greeted = false;
    es_words words = {0};
    size_t count = es_team_take(in);
    es_status st = ES_OK;
    for (size_t i = 0; i < count && !in->bad && st == ES_OK; i++)
        st = es_words_add(&words, es_team_take_text(in), &why);
    if (st == ES_OK)
        st = s->open(s->context, &words, &s->session, &why);
    if (st == ES_OK)
        es_session_far_sink(s->session, sink, s);
    else
        send_refusal(s, &why);
    es_words_deinit(&words);
}

/* Once it is checked, or cannot be used. */
static void greet(server *s) {
    es_error why = {0};
    es_buf bytes = {0};
    if (es_session_problem(s->session, &why) != ES_OK) {
        send_refusal(s, &why);
        return;
    }
    if (!es_session_ready(s->session))
        return;
    es_digest identity = es_session_identity(s->session);
    es_team_begin(&bytes, ES_TEAM_READY, s->number);
    es_team_put(&bytes, identity.hi);
    es_team_put(&bytes, identity.lo);
    es_team_put(&bytes, es_session_thread_count(s->session));
    es_team_put_text(&bytes, es_session_provenance(s->session));
    take_and_send(s, &bytes);
    s->greeted = true;
}

static es_status on_pairs(server *s, es_team_reader *in, es_error *err) {
    size_t count = es_team_take(in);
    es_status st = ES_OK;
    s->quiet = es_clock_now();
    for (size_t i = 0; i < count && !in->bad && st == ES_OK; i++) {
        es_lease pair = es_team_take_pair(in);
        s->asked++;
        st = es_session_ask(s->session, &pair, 1, err);
    }
    return st;
}

static void on_hello(server *s, es_team_reader *in) {
    size_t size;
    const void *process = es_team_take_bytes(in, &size);
    s->lead_known = !in->bad && size == sizeof s->lead;
    if (s->lead_known)
        memcpy(&s->lead, process, size);
}

static es_status on_message(server *s, const es_buf *bytes, es_error *err) {
    es_team_reader in;
    es_status st = ES_OK;
    es_team_read(&in, bytes);
    s->heard = es_clock_now();
    if (in.kind == ES_TEAM_HELLO)
        on_hello(s, &in);
    if (in.kind == ES_TEAM_OPEN)
        on_open(s, &in);
    if (in.kind == ES_TEAM_PAIRS && s->session && in.session == s->number)
        st = on_pairs(s, &in, err);
    if (in.kind == ES_TEAM_CLOSE && in.session == s->number)
        close_session(s);
    if (in.kind == ES_TEAM_QUIT) {
        s->quit = true;
        s->whole = es_team_take(&in) != 0;
    }
    return st;
}

/* A pair that was asked for has come to nothing that could be sent: the lead would wait for it. */
static bool is_stuck(server *s, double now) {
    bool works = es_session_phase(s->session) == ES_PHASE_RUNNING;
    if (works || s->asked == s->sent)
        s->quiet = now;
    return now - s->quiet > lost_seconds;
}

/* Sends a heartbeat; fails if rank 0 is gone or a pair waits for memory in vain. */
static es_status check_lead(server *s, es_error *err) {
    double now = es_clock_now();
    es_buf bytes = {0};
    if (now - s->beaten < beat_seconds)
        return ES_OK;
    s->beaten = now;
    es_team_begin(&bytes, ES_TEAM_BEAT, s->number);
    take_and_send(s, &bytes);
    if (s->session && s->greeted && is_stuck(s, now))
        return es_fail(err, ES_ENOMEM, "a pair could not be computed for lack of memory");
    if (s->wire.lost(s->wire.context, 0) || now - s->heard > lead_seconds ||
        (s->lead_known && es_process_gone(&s->lead)))
        return es_fail(err, ES_EIO, "rank 0 is gone");
    return ES_OK;
}

static es_status serve_until_quit(server *s, es_error *err) {
    es_status st = ES_OK;
    while (st == ES_OK && !s->quit) {
        es_buf bytes = {0};
        size_t from;
        while (st == ES_OK && !s->quit && s->wire.receive(s->wire.context, &from, &bytes)) {
            st = on_message(s, &bytes, err);
            es_buf_free(&bytes);
        }
        if (s->session) {
            (void)es_session_pump(s->session, 0);
            if (!s->greeted)
                greet(s);
        }
        if (st == ES_OK && !send_results(s, false))
            st = es_no_memory(err);
        if (st == ES_OK)
            st = check_lead(s, err);
        struct pollfd watched = {.fd = es_session_fd(s->session), .events = POLLIN};
        if (st == ES_OK && !s->quit)
            (void)poll(&watched, 1, TURN_MS);
    }
    return st;
}

es_status es_team_serve(const es_wire *wire, es_team_opener open, void *context, es_error *err) {
    server s = {.wire = *wire, .open = open, .context = context};
    s.last = &s.first;
    s.heard = s.beaten = es_clock_now();
    pthread_mutex_init(&s.lock, NULL);
    send_hello(&s);
    es_status st = serve_until_quit(&s, err);
    close_session(&s);
    wire->leave(wire->context, st == ES_OK && s.whole);
    pthread_mutex_destroy(&s.lock);
    return st;
}
