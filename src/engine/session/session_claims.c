/* Several processes at one store. A worker claims pairs in the store before they are computed, a
 * block at a time; what others are at is away from the queue until it is known or free again. One
 * thread, the keeper, raises this process's heartbeat, takes up what others have finished and looks
 * whether they are still there. It sleeps while this session does nothing and nobody else does. */
#include <math.h>
#include <pthread.h>
#include <time.h>

#include "alloc.h"
#include "clock.h"
#include "lapse.h"
#include "session_state.h"
#include "store_claims.h"

enum {
    BLOCK_MOST = 256, /* pairs that are claimed together */
    REST = 4,         /* of what is left, a thread claims at most this part at a time */
    AGAIN_SECONDS = 2 /* after claims could not be stored */
};
static const double block_seconds = 0.5, /* of work */
    look_seconds = 0.25,                 /* between two looks at what others do */
    owners_seconds = 2;                  /* and at whether they are there */

struct es_claims {
    es_session *session;
    pthread_mutex_t lock; /* around what follows, up to the keeper's own */
    pthread_cond_t wake;
    pthread_t thread;
    bool started, quit;
    bool watching;     /* others are at work, and nobody here */
    unsigned working;  /* jobs that claim */
    double *seconds;   // (entries) that a pair takes, of late; 0: not known
    double claim_next; /* claims are not tried before */
    /* the keeper's own */
    int version;
    double turned, beaten, looked;
    es_lapse lapse;
};

/* ---- the keeper ---- */

/* Pairs came back into the queue: the owner is to look, and queues jobs for them as always. */
static void look_up(es_item *item, const es_event *event) {
    (void)item;
    (void)event;
}

static void nudge(es_session *s) {
    es_item *item = es_alloc(1, sizeof *item);
    if (!item)
        return; /* the next look nudges again */
    *item = (es_item){.apply = look_up};
    (void)es_item_tell(s->workers, item, NULL);
}

typedef struct judging {
    es_claims *claims;
    double now;
    size_t there, gone;
    int64_t gone_id[ES_LAPSE_MOST];
} judging;

static es_status judge(void *context, const es_owner *owner, es_error *err) {
    judging *j = context;
    (void)err;
    j->there++;
    bool silent = es_lapse_note(&j->claims->lapse, owner->id, owner->beat, j->now);
    if ((!silent && !es_process_gone(&owner->process)) || j->gone == ES_LAPSE_MOST)
        return ES_OK;
    j->gone_id[j->gone++] = owner->id;
    es_log_write(j->claims->session->log, ES_LOG_WARN,
                 "process %lld on %s is gone; what it was at is estimated again",
                 (long long)owner->process.pid,
                 owner->process.host[0] ? owner->process.host : "another machine");
    return ES_OK;
}

/* Takes out owners that are gone. Returns how many; *there: how many others there were. */
static size_t look_at_owners(es_claims *c, size_t *there) {
    judging j = {.claims = c, .now = es_clock_now()};
    (void)es_store_owners(c->session->store, judge, &j, NULL);
    for (size_t i = 0; i < j.gone; i++)
        (void)es_store_reap(c->session->store, j.gone_id[i], NULL);
    c->looked = j.now;
    *there = j.there - j.gone;
    return j.gone;
}

/* What has become of pairs that others are at. `taken`: pairs of theirs were just taken up, so
 * those that are known are on their way. */
static void look_at_away(es_session *s, bool taken) {
    es_claim away[BLOCK_MOST];
    bool back = false;
    size_t count = es_pair_queue_list_away(s->queue, away, BLOCK_MOST);
    for (size_t i = 0; i < count; i++) {
        es_claimed at = {.source = es_source_digest(s, away[i]),
                         .target = s->targets.digest[away[i].target]};
        if (es_store_claim_look(s->store, &s->entries[away[i].entry].key, &at, 1, NULL) != ES_OK)
            return;
        if (at.state == ES_CLAIM_KNOWN && !taken)
            (void)es_stored_take(s, away[i], NULL);
        if (at.state != ES_CLAIM_FREE && at.state != ES_CLAIM_MINE)
            continue;
        es_pair_queue_back(s->queue, away[i]);
        back = true;
    }
    if (back)
        nudge(s);
}

static void beat(es_claims *c) {
    bool lapsed = false;
    c->beaten = es_clock_now();
    (void)es_store_beat(c->session->store, &lapsed, NULL);
    if (lapsed)
        es_pair_queue_forget_held(c->session->queue);
}

/* One look around. Returns whether others are there. */
static bool turn(es_claims *c, bool working) {
    es_session *s = c->session;
    double now = es_clock_now();
    int version = c->version;
    size_t found = 0, gone = 0, there = 1;
    if (working && now - c->beaten >= ES_BEAT_SECONDS)
        beat(c);
    (void)es_store_version(s->store, &version, NULL);
    bool changed = version != c->version;
    c->version = version;
    for (size_t e = 0; e < s->n_entries && changed && !s->refresh; e++) {
        size_t new = 0;
        (void)es_stored_load(s, e, NULL, &new, NULL);
        found += new;
    }
    if (now - c->looked >= owners_seconds)
        gone = look_at_owners(c, &there);
    if (es_pair_queue_count_away(s->queue) > 0)
        look_at_away(s, found > 0);
    if (gone > 0)
        nudge(s);
    return there > 0;
}

/* When to look next; HUGE_VAL: not before somebody says so. With the lock. */
static double next_turn(const es_claims *c) {
    bool active = c->working > 0 || c->watching || es_pair_queue_count_away(c->session->queue) > 0;
    return active ? c->turned + look_seconds : HUGE_VAL;
}

static void wait_until(es_claims *c, double until) {
    if (until == HUGE_VAL) {
        (void)pthread_cond_wait(&c->wake, &c->lock);
        return;
    }
    struct timespec at = {(time_t)until, (long)(1e9 * (until - floor(until)))};
    (void)pthread_cond_timedwait(&c->wake, &c->lock, &at);
}

static void *keep(void *data) {
    es_claims *c = data;
    pthread_mutex_lock(&c->lock);
    while (!c->quit) {
        double until = next_turn(c);
        if (es_clock_now() < until) {
            wait_until(c, until);
            continue;
        }
        bool working = c->working > 0;
        pthread_mutex_unlock(&c->lock);
        bool others = turn(c, working);
        pthread_mutex_lock(&c->lock);
        c->turned = es_clock_now();
        c->watching = c->watching && others;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* With the lock. Without a keeper there would be no heartbeat, so there are no claims either. */
static bool start_keeper(es_claims *c) {
    if (!c->started && !c->quit)
        c->started = es_workers_thread(&c->thread, keep, c) == 0;
    if (c->started)
        (void)pthread_cond_signal(&c->wake);
    return c->started;
}

/* ---- the session's ---- */

es_status es_claims_new(es_session *s, es_error *err) {
    pthread_condattr_t monotonic;
    if (!s->store || !es_store_takes_claims(s->store))
        return ES_OK;
    es_claims *c = es_alloc_zero(1, sizeof *c);
    double *seconds = es_alloc_zero(s->n_entries, sizeof *seconds);
    if (!c || !seconds) {
        es_free(c);
        es_free(seconds);
        return es_no_memory(err);
    }
    c->session = s;
    c->seconds = seconds;
    (void)es_store_version(s->store, &c->version, NULL); /* what is stored is read after this */
    pthread_mutex_init(&c->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&c->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    s->claims = c;
    return ES_OK;
}

void es_claims_stop(es_session *s) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    bool started = c->started;
    c->quit = true;
    (void)pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
    if (started)
        (void)pthread_join(c->thread, NULL);
    pthread_mutex_lock(&c->lock);
    c->started = false;
    pthread_mutex_unlock(&c->lock);
}

void es_claims_free(es_session *s) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_cond_destroy(&c->wake);
    pthread_mutex_destroy(&c->lock);
    es_free(c->seconds);
    es_free(c);
    s->claims = NULL;
}

static es_status find_any(void *context, const es_owner *owner, es_error *err) {
    (void)err;
    bool *any = context;
    *any = *any || !es_process_gone(&owner->process);
    return ES_OK;
}

bool es_claims_others(es_session *s) {
    bool any = false;
    if (s->claims)
        (void)es_store_owners(s->store, find_any, &any, NULL);
    return any;
}

void es_claims_watch(es_session *s) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->watching = true;
    (void)start_keeper(c);
    pthread_mutex_unlock(&c->lock);
}

void es_claims_enter(es_session *s) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    if (c->working++ == 0)
        (void)start_keeper(c);
    pthread_mutex_unlock(&c->lock);
}

/* The lock is held on the way to the store: nobody enters, and claims, in between. */
void es_claims_leave(es_session *s) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    if (--c->working == 0) {
        (void)es_store_unclaim_all(s->store, NULL);
        es_pair_queue_forget_held(s->queue);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- claiming ---- */

/* How many pairs to claim at a time; 0: none, as the store fails. */
static size_t block_size(es_claims *c, size_t entry) {
    es_session *s = c->session;
    size_t left = es_pair_queue_left(s->queue), threads = es_workers_threads(s->workers);
    size_t most = left / (REST * (threads > 0 ? threads : 1));
    pthread_mutex_lock(&c->lock);
    double seconds = c->seconds[entry];
    bool able = c->started && es_clock_now() >= c->claim_next;
    pthread_mutex_unlock(&c->lock);
    double in_time = seconds > 0 ? block_seconds / seconds : 1;
    most = most < BLOCK_MOST ? most : BLOCK_MOST;
    most = in_time < (double)most ? (size_t)in_time : most;
    return !able ? 0 : most > 0 ? most : 1;
}

static es_claim_again what_again(const es_session *s) {
    return s->refresh ? ES_AGAIN_ALWAYS : s->retried ? ES_AGAIN_FAILED : ES_AGAIN_NEVER;
}

/* Notes in the queue what came of the claims. */
static es_pair_taken take_in(es_session *s, const es_claim *ahead, const es_claimed *asked,
                             size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (asked[i].state == ES_CLAIM_MINE)
            es_pair_queue_hold(s->queue, ahead[i]);
        if (asked[i].state == ES_CLAIM_THEIRS)
            es_pair_queue_away(s->queue, ahead[i], i == 0);
    }
    return asked[0].state == ES_CLAIM_MINE     ? ES_TAKEN_MINE
           : asked[0].state == ES_CLAIM_THEIRS ? ES_TAKEN_NOT
                                               : ES_TAKEN_LOOK;
}

static void note_failing(es_claims *c) {
    pthread_mutex_lock(&c->lock);
    c->claim_next = es_clock_now() + AGAIN_SECONDS;
    pthread_mutex_unlock(&c->lock);
}

es_pair_taken es_claims_take(es_session *s, es_claim *pair, bool arrived) {
    es_claim ahead[BLOCK_MOST];
    es_claimed asked[BLOCK_MOST];
    if (!s->claims)
        return ES_TAKEN_LOOK;
    if (es_pair_queue_is_held(s->queue, *pair))
        return ES_TAKEN_MINE;
    size_t count = block_size(s->claims, pair->entry);
    if (count == 0)
        return ES_TAKEN_LOOK;
    count = es_pair_queue_ahead(s->queue, *pair, ahead, count);
    for (size_t i = 0; i < count; i++)
        asked[i] = (es_claimed){.source = es_source_digest(s, ahead[i]),
                                .target = s->targets.digest[ahead[i].target]};
    bool shared = false, polite = arrived && es_pair_queue_may_yield(s->queue, *pair);
    es_status st = es_store_claim(s->store, &s->entries[pair->entry].key, what_again(s), asked,
                                  count, polite ? &shared : NULL, NULL);
    if (st != ES_OK) {
        note_failing(s->claims);
        return ES_TAKEN_LOOK;
    }
    if (!shared)
        return take_in(s, ahead, asked, count);
    if (!es_pair_queue_yield(s->queue, pair)) /* the others were taken meanwhile */
        return es_claims_take(s, pair, false);
    return ES_TAKEN_NOT;
}

void es_claims_took(es_session *s, size_t entry, double seconds) {
    es_claims *c = s->claims;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    double *known = &c->seconds[entry];
    *known = *known > 0 ? 0.8 * *known + 0.2 * seconds : seconds;
    pthread_mutex_unlock(&c->lock);
}

void es_claims_give_back(es_session *s, es_claim pair) {
    if (s->claims && es_pair_queue_is_held(s->queue, pair))
        (void)es_store_unclaim(s->store, &s->entries[pair.entry].key, es_source_digest(s, pair),
                               s->targets.digest[pair.target], NULL);
}
