/* Rank 0: a thread that takes messages, keeps lanes supplied and looks who is still there. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine_team.h"

enum {
    BLOCK_MOST = 64,    /* pairs that are lent to a lane together */
    REST = 4,           /* of what is left, at most this part of a lane's share at a time */
    MESSAGES_MOST = 256 /* between two looks at the lanes */
};
static const double block_seconds = 0.25, /* of work */
    low_seconds = 0.02,                   /* left of it when the next one is sent */
    look_seconds = 0.5;                   /* between two looks at who is there */

typedef struct lane {
    es_lease at; /* the last pair that was lent to it; source SIZE_MAX: none */
    size_t out;
    double expected; /* seconds of what is out */
} lane;

typedef struct lent {
    es_lease pair;
    size_t lane;
    double expected;
} lent;

typedef struct member {
    size_t rank;
    bool there; /* has said who it is */
    bool dead;
    es_process process;
    double heard;
    /* of the session that is open */
    bool ready, welcome;
    es_digest identity;
    char *provenance;
    lane *lanes; // (n_lanes)
    size_t n_lanes;
    lent *out; // (capacity)
    size_t n_out, capacity;
} member;

struct es_team {
    es_wire wire;
    es_team_say say;
    void *say_context;
    pthread_t thread;
    pthread_mutex_t lock; /* around the wire, and all that follows */
    bool quit;
    es_session *session; /* NULL: none is attached */
    es_digest identity;
    uint64_t number; /* of the session that was opened last */
    member *members; // (wire.size); the first is not used
    double *seconds; // (n_entries) that pairs take, of late; 0: not known
    size_t n_entries;
    size_t pairs;
    double busy; /* processor time of the thread */
    double looked;
};

/* Reports an event of one rank in a line. */
static void report_member(const es_team *t, const member *m, const char *what) {
    char text[512];
    (void)snprintf(text, sizeof text, "rank %zu%s%s%s %s", m->rank, m->there ? " (" : "",
                   m->there ? m->process.host : "", m->there ? ")" : "", what);
    t->say(t->say_context, text);
}

/* Sends a message to a member and frees it. */
static void take_and_send(es_team *t, const member *m, es_buf *message) {
    size_t length = message->length;
    char *bytes = message->failed ? NULL : es_buf_take(message);
    if (bytes)
        t->wire.send(t->wire.context, m->rank, bytes, length);
    es_buf_free(message);
}

static void send_short(es_team *t, const member *m, es_team_kind kind, uint64_t value) {
    es_buf message = {0};
    es_team_begin(&message, kind, t->number);
    es_team_put(&message, value);
    take_and_send(t, m, &message);
}

/* ---- what is out ---- */

/* Of the session: what is out there is to be given back before. */
static void clear_member(member *m) {
    es_free(m->lanes);
    es_free(m->out);
    es_free(m->provenance);
    m->lanes = NULL;
    m->out = NULL;
    m->provenance = NULL;
    m->n_lanes = m->n_out = m->capacity = 0;
    m->ready = m->welcome = false;
}

/* Gives the pairs of a member back to the session, and ends its lanes; `again`: they are queued
 * anew. */
static void give_back(es_team *t, member *m, bool again) {
    for (size_t i = 0; i < m->n_out && t->session; i++)
        es_session_far_lost(t->session, &m->out[i].pair, 1, again);
    for (size_t l = 0; l < m->n_lanes && t->session; l++)
        es_session_lane_end(t->session, m->lanes[l].at);
    clear_member(m);
}

/* Declares a member dead and gives its pairs to the others. */
static void drop_member(es_team *t, member *m, const char *why) {
    char text[256];
    int used = snprintf(text, sizeof text, "%s", why);
    if (m->n_out > 0 && used > 0 && (size_t)used < sizeof text)
        (void)snprintf(text + used, sizeof text - (size_t)used,
                       "; %zu pair%s that it was at go%s to the others", m->n_out,
                       m->n_out == 1 ? "" : "s", m->n_out == 1 ? "es" : "");
    report_member(t, m, text);
    m->dead = true;
    give_back(t, m, true);
}

/* Notes a pair that a member works on; false: out of memory. */
static bool note_out(member *m, es_lease pair, size_t at, double expected) {
    lent one = {pair, at, expected};
    if (es_append(&m->out, &m->n_out, &m->capacity, &one, sizeof one, NULL) != ES_OK)
        return false;
    m->lanes[at].out++;
    m->lanes[at].expected += expected;
    return true;
}

/* Takes the pair off the member's list; false if it was not on it. */
static bool take_in(member *m, es_lease pair) {
    for (size_t i = 0; i < m->n_out; i++) {
        lent *o = &m->out[i];
        if (o->pair.entry != pair.entry || o->pair.source != pair.source ||
            o->pair.target != pair.target)
            continue;
        lane *l = &m->lanes[o->lane];
        l->out--;
        l->expected = l->out > 0 ? l->expected - o->expected : 0;
        memmove(o, o + 1, (--m->n_out - i) * sizeof *o);
        return true;
    }
    return false;
}

/* ---- lending ---- */

static size_t count_lanes(const es_team *t) {
    size_t lanes = 0;
    for (size_t r = 1; r < t->wire.size; r++)
        lanes += t->members[r].welcome ? t->members[r].n_lanes : 0;
    return lanes + es_session_thread_count(t->session);
}

static void team_put_pair(es_buf *out, es_lease pair);

static void lend_to(es_team *t, member *m, size_t at, size_t most) {
    lane *l = &m->lanes[at];
    es_lease block[BLOCK_MOST];
    es_buf message = {0};
    size_t count = 0;
    double sum = 0;
    while (count < most && es_session_lend(t->session, &l->at)) {
        double seconds = t->seconds[l->at.entry];
        if (!note_out(m, l->at, at, seconds)) {
            es_session_far_lost(t->session, &l->at, 1, true);
            break;
        }
        block[count++] = l->at;
        sum += seconds;
        if (seconds == 0 || sum >= block_seconds)
            break;
    }
    if (count == 0 && l->out == 0 && l->at.source != SIZE_MAX) {
        es_session_lane_end(t->session, l->at);
        l->at.source = SIZE_MAX;
    }
    if (count == 0)
        return;
    es_team_begin(&message, ES_TEAM_PAIRS, t->number);
    es_team_put(&message, count);
    for (size_t i = 0; i < count; i++)
        team_put_pair(&message, block[i]);
    take_and_send(t, m, &message);
}

static void lend_all(es_team *t) {
    size_t lanes = count_lanes(t);
    for (size_t r = 1; r < t->wire.size; r++) {
        member *m = &t->members[r];
        for (size_t l = 0; m->welcome && l < m->n_lanes; l++) {
            if (m->lanes[l].out > 0 && m->lanes[l].expected > low_seconds)
                continue;
            size_t left = es_session_far_left(t->session), most = left / (REST * lanes);
            if (left == 0 && m->lanes[l].out > 0)
                continue;
            most = most < 1 ? 1 : most < BLOCK_MOST ? most : BLOCK_MOST;
            if (m->lanes[l].out > 0 && t->seconds[m->lanes[l].at.entry] > low_seconds)
                continue; /* a long pair is sent for when the one before it has ended */
            lend_to(t, m, l, most);
        }
    }
}

/* ---- messages ---- */

/* Admits a member that sees the same files, rows and settings; others are left out. */
static void admit(es_team *t, member *m) {
    if (!t->session || !m->ready || m->welcome)
        return;
    if (!es_digest_equal(m->identity, t->identity)) {
        report_member(
            t, m,
            "sees other files, rows or settings than rank 0, or is another version: it is "
            "left out");
        m->ready = false;
        return;
    }
    if (!es_provenance_same_bits(m->provenance, es_session_provenance(t->session)))
        report_member(t, m,
                      "has another processor or BLAS than rank 0: the last bits of its values may "
                      "differ");
    m->welcome = true;
}

static void on_ready(es_team *t, member *m, es_team_reader *in) {
    size_t size;
    clear_member(m);
    m->identity.hi = es_team_take(in);
    m->identity.lo = es_team_take(in);
    m->n_lanes = es_team_take(in);
    m->provenance = es_strdup(es_team_take_text(in));
    size = m->n_lanes;
    m->lanes = size > 0 && size <= ES_WORKERS_MOST ? es_alloc_zero(size, sizeof *m->lanes) : NULL;
    if (in->bad || !m->provenance || !m->lanes) {
        m->n_lanes = 0;
        return;
    }
    for (size_t l = 0; l < m->n_lanes; l++)
        m->lanes[l].at.source = SIZE_MAX;
    m->ready = true;
    admit(t, m);
}

/* Updates the mean seconds of a pair by this estimator. */
static void learn_seconds(es_team *t, const es_far_pair *p) {
    double *known = &t->seconds[p->pair.entry];
    if (!p->failed && p->seconds > 0)
        *known = *known > 0 ? 0.8 * *known + 0.2 * p->seconds : p->seconds;
}

static void on_results(es_team *t, member *m, es_team_reader *in) {
    es_far_pair pairs[BLOCK_MOST];
    size_t count = es_team_take(in), kept = 0;
    for (size_t i = 0; i < count && !in->bad && t->session; i++) {
        es_team_take_result(in, &pairs[kept]);
        if (!in->bad && take_in(m, pairs[kept].pair)) {
            learn_seconds(t, &pairs[kept]);
            kept++;
        } else {
            es_free(pairs[kept].result.pmi);
        }
        if (kept == BLOCK_MOST || i + 1 == count || in->bad) {
            es_session_returned(t->session, pairs, kept, m->provenance);
            for (size_t k = 0; k < kept; k++)
                es_free(pairs[k].result.pmi);
            t->pairs += kept;
            kept = 0;
        }
    }
    if (in->bad)
        drop_member(t, m, "sent what cannot be read");
}

static void on_hello(es_team *t, member *m, es_team_reader *in) {
    size_t size;
    const void *process = es_team_take_bytes(in, &size);
    if (in->bad || size != sizeof m->process) {
        report_member(t, m, "runs another program: it is left out");
        m->dead = true;
        return;
    }
    memcpy(&m->process, process, size);
    m->there = true;
}

static void on_message(es_team *t, size_t from, const es_buf *message) {
    es_team_reader in;
    if (from == 0 || from >= t->wire.size)
        return;
    member *m = &t->members[from];
    es_team_read(&in, message);
    m->heard = es_clock_now();
    if (m->dead || in.bad)
        return;
    if (in.kind == ES_TEAM_HELLO)
        on_hello(t, m, &in);
    if (in.session != t->number)
        return;
    if (in.kind == ES_TEAM_READY)
        on_ready(t, m, &in);
    if (in.kind == ES_TEAM_RESULTS)
        on_results(t, m, &in);
    if (in.kind == ES_TEAM_REFUSED)
        report_member(t, m, es_team_take_text(&in));
}

/* ---- who is there ---- */

/* Sends a heartbeat to each member and drops those that have died or are silent. */
static void check_members(es_team *t, double now) {
    for (size_t r = 1; r < t->wire.size; r++) {
        member *m = &t->members[r];
        if (m->dead)
            continue;
        send_short(t, m, ES_TEAM_BEAT, 0);
        if (t->wire.lost(t->wire.context, r) || (m->there && es_process_gone(&m->process)))
            drop_member(t, m, "has died");
        else if (now - m->heard > ES_LEASE_SECONDS)
            drop_member(t, m, "has been silent for half a minute");
    }
    t->looked = now;
}

/* The thread that exchanges messages with the members. */
static void *lead_thread(void *data) {
    es_team *t = data;
    for (bool quit = false; !quit;) {
        es_buf message = {0};
        size_t from = 0;
        int taken = 0;
        pthread_mutex_lock(&t->lock);
        quit = t->quit;
        for (; !quit && taken < MESSAGES_MOST && t->wire.receive(t->wire.context, &from, &message);
             taken++) {
            on_message(t, from, &message);
            es_buf_free(&message);
        }
        double now = es_clock_now();
        if (!quit && now - t->looked > look_seconds)
            check_members(t, now);
        if (!quit && t->session)
            lend_all(t);
        t->busy = es_clock_thread();
        pthread_mutex_unlock(&t->lock);
        long pause = taken > 0 ? 20000 : 1000000; /* ns; somebody may wait for the lock */
        if (!quit)
            (void)nanosleep(&(struct timespec){0, pause}, NULL);
    }
    return NULL;
}

/* ---- the owner's ---- */

es_status es_team_new(const es_wire *wire, es_team_say say, void *context, es_team **out,
                      es_error *err) {
    es_team *t = es_alloc_zero(1, sizeof *t);
    member *members = es_alloc_zero(wire->size, sizeof *members);
    if (!t || !members) {
        es_free(t);
        es_free(members);
        return es_no_memory(err);
    }
    t->wire = *wire;
    t->say = say;
    t->say_context = context;
    t->members = members;
    t->looked = es_clock_now();
    pthread_mutex_init(&t->lock, NULL);
    for (size_t r = 1; r < wire->size; r++) {
        es_buf message = {0};
        es_process self;
        members[r] = (member){.rank = r, .heard = t->looked};
        es_process_self(&self);
        es_team_begin(&message, ES_TEAM_HELLO, 0);
        es_team_put_bytes(&message, &self, sizeof self);
        take_and_send(t, &members[r], &message);
    }
    if (es_workers_thread(&t->thread, lead_thread, t) != 0) {
        pthread_mutex_destroy(&t->lock);
        es_free(members);
        es_free(t);
        return es_fail(err, ES_ENOMEM, "cannot start a thread for the other ranks");
    }
    *out = t;
    return ES_OK;
}

void es_team_open(es_team *t, const es_words *words) {
    pthread_mutex_lock(&t->lock);
    t->number++;
    for (size_t r = 1; r < t->wire.size; r++) {
        es_buf message = {0};
        clear_member(&t->members[r]);
        if (t->members[r].dead)
            continue;
        es_team_begin(&message, ES_TEAM_OPEN, t->number);
        es_team_put(&message, words->count);
        for (size_t i = 0; i < words->count; i++)
            es_team_put_text(&message, words->word[i]);
        take_and_send(t, &t->members[r], &message);
    }
    pthread_mutex_unlock(&t->lock);
}

void es_team_attach(es_team *t, es_session *session) {
    size_t entries = es_session_plan(session);
    double *seconds = es_alloc_zero(entries, sizeof *seconds);
    if (!seconds)
        return; /* rank 0 does it alone */
    es_session_far_enter(session);
    pthread_mutex_lock(&t->lock);
    es_free(t->seconds);
    t->seconds = seconds;
    t->n_entries = entries;
    t->session = session;
    t->identity = es_session_identity(session);
    for (size_t r = 1; r < t->wire.size; r++)
        admit(t, &t->members[r]);
    pthread_mutex_unlock(&t->lock);
}

void es_team_detach(es_team *t) {
    pthread_mutex_lock(&t->lock);
    es_session *session = t->session;
    for (size_t r = 1; r < t->wire.size; r++) {
        member *m = &t->members[r];
        give_back(t, m, false);
        if (!m->dead)
            send_short(t, m, ES_TEAM_CLOSE, 0);
    }
    t->session = NULL;
    t->number++; /* what still comes is of no session */
    pthread_mutex_unlock(&t->lock);
    if (session)
        es_session_far_leave(session);
}

void es_team_count(es_team *t, es_team_counts *out) {
    *out = (es_team_counts){.ranks = t->wire.size - 1};
    pthread_mutex_lock(&t->lock);
    for (size_t r = 1; r < t->wire.size; r++) {
        out->dead += t->members[r].dead;
        out->ready += t->members[r].welcome;
    }
    out->pairs = t->pairs;
    out->seconds = t->busy;
    pthread_mutex_unlock(&t->lock);
}

void es_team_free(es_team *t, bool whole) {
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    check_members(t, es_clock_now());
    for (size_t r = 1; r < t->wire.size; r++)
        whole = whole && !t->members[r].dead;
    for (size_t r = 1; r < t->wire.size; r++)
        send_short(t, &t->members[r], ES_TEAM_QUIT, whole);
    t->quit = true;
    pthread_mutex_unlock(&t->lock);
    (void)pthread_join(t->thread, NULL);
    t->wire.leave(t->wire.context, whole);
    for (size_t r = 1; r < t->wire.size; r++)
        clear_member(&t->members[r]);
    pthread_mutex_destroy(&t->lock);
    es_free(t->members);
    es_free(t->seconds);
    es_free(t);
}

/* Fields into bytes and back. */

void es_team_put(es_buf *out, uint64_t value) {
    es_buf_add(out, &value, sizeof value);
}

void es_team_begin(es_buf *out, es_team_kind kind, uint64_t session) {
    es_buf_clear(out);
    es_team_put(out, (uint64_t)kind);
    es_team_put(out, session);
}

void es_team_put_bytes(es_buf *out, const void *bytes, size_t size) {
    es_team_put(out, size);
    if (size > 0)
        es_buf_add(out, bytes, size);
}

void es_team_put_text(es_buf *out, const char *text) {
    es_team_put_bytes(out, text, strlen(text) + 1);
}

static void team_put_pair(es_buf *out, es_lease pair) {
    es_team_put(out, pair.entry);
    es_team_put(out, pair.source);
    es_team_put(out, pair.target);
}

enum { VALUES = 8 }; /* of a result: numbers in a row */

void es_team_put_result(es_buf *out, const es_far_pair *p) {
    const es_pair_result *r = &p->result;
    const double values[VALUES] = {
        r->is, r->se, r->h, r->h_cond, p->seconds, r->information, r->information_se, r->lambda};
    team_put_pair(out, p->pair);
    es_team_put(out, p->failed);
    es_team_put(out, p->lasting);
    es_team_put_text(out, p->reason ? p->reason : "");
    es_team_put_bytes(out, values, sizeof values);
    es_team_put(out, r->n_eval);
    es_team_put(out, r->epochs);
    es_team_put(out, r->rare);
    es_team_put(out, r->limited);
    es_team_put_bytes(out, r->pmi, r->pmi ? r->n_eval * sizeof *r->pmi : 0);
}

/* ---- reading ---- */

/* Returns the next bytes of a message; NULL: it is shorter, and marked as bad. */
static const char *next_bytes(es_team_reader *in, size_t size) {
    const char *at = in->at;
    if (in->bad || size > (size_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    in->at += size;
    return at;
}

uint64_t es_team_take(es_team_reader *in) {
    uint64_t value = 0;
    const char *at = next_bytes(in, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

void es_team_read(es_team_reader *in, const es_buf *message) {
    *in = (es_team_reader){.at = message->data, .end = message->data + message->length};
    in->kind = (es_team_kind)es_team_take(in);
    in->session = es_team_take(in);
}

const void *es_team_take_bytes(es_team_reader *in, size_t *size) {
    *size = es_team_take(in);
    const char *at = next_bytes(in, *size);
    if (!at)
        *size = 0;
    return at;
}

const char *es_team_take_text(es_team_reader *in) {
    size_t size;
    const char *text = es_team_take_bytes(in, &size);
    if (size == 0 || text[size - 1] != '\0') {
        in->bad = true;
        return "";
    }
    return text;
}

es_lease es_team_take_pair(es_team_reader *in) {
    es_lease pair;
    pair.entry = es_team_take(in);
    pair.source = es_team_take(in);
    pair.target = es_team_take(in);
    return pair;
}

void es_team_take_result(es_team_reader *in, es_far_pair *out) {
    double values[VALUES] = {0};
    size_t size;
    *out = (es_far_pair){.pair = es_team_take_pair(in)};
    out->failed = es_team_take(in) != 0;
    out->lasting = es_team_take(in) != 0;
    out->reason = es_team_take_text(in);
    const void *bytes = es_team_take_bytes(in, &size);
    in->bad = in->bad || size != sizeof values;
    if (in->bad)
        return;
    memcpy(values, bytes, sizeof values);
    es_pair_result *r = &out->result;
    r->is = values[0];
    r->se = values[1];
    r->h = values[2];
    r->h_cond = values[3];
    out->seconds = values[4];
    r->information = values[5];
    r->information_se = values[6];
    r->lambda = values[7];
    r->n_eval = es_team_take(in);
    r->epochs = (unsigned)es_team_take(in);
    r->rare = (unsigned)es_team_take(in);
    r->limited = (unsigned)es_team_take(in);
    bytes = es_team_take_bytes(in, &size);
    in->bad =
        in->bad || (size > 0 && (size % sizeof *r->pmi || size / sizeof *r->pmi != r->n_eval));
    if (in->bad || size == 0)
        return;
    r->pmi = es_alloc(r->n_eval, sizeof *r->pmi);
    if (r->pmi)
        memcpy(r->pmi, bytes, size);
    else
        in->bad = true;
}
