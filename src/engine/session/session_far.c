/* Pairs that are lent to other processes, and pairs that are computed for another one. */
#include <string.h>

#include "engine_session_parts.h"

struct es_far_origin {
    es_far_origin *next;
    char text[];
};

es_digest es_session_identity(const es_session *s) {
    es_hasher hasher;
    if (!s->ready)
        return (es_digest){0, 0};
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, ES_VERSION);
    es_hasher_add_u64(&hasher, s->m);
    for (size_t i = 0; i < s->m; i++) {
        es_hasher_add_digest(&hasher, s->sources.digest[i]);
        es_hasher_add_digest(&hasher, s->targets.digest[i]);
    }
    for (size_t e = 0; e < s->n_entries; e++) {
        const es_store_key *key = &s->entries[e].key;
        es_hasher_add_text(&hasher, key->estimator);
        es_hasher_add_u64(&hasher, key->version);
        es_hasher_add_text(&hasher, key->settings);
        es_hasher_add_u64(&hasher, key->seed);
        es_hasher_add_digest(&hasher, key->rowset);
    }
    return es_hasher_result(&hasher);
}

bool es_session_ready(const es_session *s) {
    return s->ready;
}

/* ---- the session that owns the work ---- */

void es_session_far_enter(es_session *s) {
    es_leases_enter(s);
}

void es_session_far_leave(es_session *s) {
    es_leases_leave(s);
}

size_t es_session_far_left(const es_session *s) {
    return s->queue ? es_pair_queue_left(s->queue) : 0;
}

/* A lent pair is on its way back to the owner, for whom it ends. */
static void tell(es_session *s, es_pair_item *item) {
    es_lease pair = item->pair;
    item->lent = true;
    if (es_item_tell(s->workers, &item->item, NULL) != ES_OK) /* it may be stored: the next who */
        es_session_far_lost(s, &pair, 1, true);               /* takes it looks */
}

/* It may be stored already. True: it was, and the owner hears of it. */
static bool is_stored(es_session *s, es_lease pair) {
    es_pair_item *item = es_pair_item_new(s, pair);
    if (!item)
        return false;
    if (es_stored_find(s, item)) {
        tell(s, item);
        return true;
    }
    es_item_free(&item->item);
    return false;
}

/* Counted as lent before the queue counts it no longer, so that the owner never sees neither. */
bool es_session_lend(es_session *s, es_lease *lane) {
    while (es_pair_queue_left(s->queue) > 0) {
        es_lease before = *lane;
        (void)atomic_fetch_add(&s->lent, 1u);
        if (!es_pair_queue_lease(s->queue, lane)) {
            (void)atomic_fetch_sub(&s->lent, 1u);
            es_item_wake(s->workers);
            return false;
        }
        bool arrived = before.source != lane->source || before.entry != lane->entry;
        es_lease pair = *lane;
        es_pair_taken taken = es_leases_take(s, &pair, arrived);
        if (taken == ES_TAKEN_OTHER) {
            lane->source = pair.source; /* SIZE_MAX where it left it to others */
            (void)atomic_fetch_sub(&s->lent, 1u);
            es_item_wake(s->workers);
        } else if ((taken == ES_TAKEN_MINE && !s->twins) || !is_stored(s, *lane)) {
            return true;
        }
    }
    return false;
}

void es_session_lane_end(es_session *s, es_lease lane) {
    es_pair_queue_leave(s->queue, lane);
}

void es_session_far_lost(es_session *s, const es_lease *pairs, size_t count, bool again) {
    for (size_t i = 0; i < count; i++) {
        es_pair_queue_ended(s->queue, pairs[i]);
        if (again)
            (void)es_pair_queue_want(s->queue, pairs[i]);
        (void)atomic_fetch_sub(&s->lent, 1u);
    }
    es_item_wake(s->workers);
}

/* A copy of the text that lives as long as the session: what could not be stored is tried again. */
static const char *origin(es_session *s, const char *text) {
    if (!text || strcmp(text, s->provenance) == 0)
        return s->provenance;
    for (const es_far_origin *o = s->origins; o; o = o->next)
        if (strcmp(o->text, text) == 0)
            return o->text;
    size_t size = strlen(text) + 1;
    es_far_origin *o = es_alloc(1, sizeof *o + size);
    if (!o)
        return NULL;
    memcpy(o->text, text, size);
    o->next = s->origins;
    s->origins = o;
    return o->text;
}

/* Stores pairs that another process has computed; pairs that it could not compute go back to the
 * queue. */
static void store_pairs(es_session *s, const es_far_pair *pairs, size_t count,
                        const char *provenance) {
    es_finished fresh[ES_SAVE_MOST];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const es_far_pair *p = &pairs[i];
        if (p->failed && !p->lasting) { /* another process may try */
            es_leases_give_back(s, p->pair);
            continue;
        }
        fresh[n++] = (es_finished){.entry = p->pair.entry,
                                   .provenance = provenance,
                                   .pair = {.source = es_source_digest(s, p->pair),
                                            .target = s->targets.digest[p->pair.target],
                                            .failed = p->failed,
                                            .reason = (char *)(uintptr_t)p->reason,
                                            .result = p->result,
                                            .seconds = p->seconds}};
        if (n == ES_SAVE_MOST) {
            es_save_pairs(s, fresh, n);
            n = 0;
        }
    }
    es_save_pairs(s, fresh, n);
}

/* Posts such a pair to the session's thread as if computed here. */
static void post_pair(es_session *s, es_far_pair *p) {
    es_pair_item *item = es_pair_item_new(s, p->pair);
    if (item && p->failed && !(item->reason = es_strdup(p->reason ? p->reason : "failed"))) {
        es_item_free(&item->item);
        item = NULL;
    }
    if (!item) {
        es_session_far_lost(s, &p->pair, 1, true);
        return;
    }
    item->failed = p->failed;
    item->seconds = p->seconds;
    item->result = p->result;
    item->result.pmi = s->with_pmi ? p->result.pmi : NULL;
    if (s->with_pmi)
        p->result.pmi = NULL;
    es_leases_took(s, p->pair.entry, p->seconds);
    tell(s, item);
}

void es_session_returned(es_session *s, es_far_pair *pairs, size_t count, const char *provenance) {
    if (s->store)
        store_pairs(s, pairs, count, origin(s, provenance));
    for (size_t i = 0; i < count; i++)
        post_pair(s, &pairs[i]);
}

void es_far_origins_free(es_session *s) {
    while (s->origins) {
        es_far_origin *next = s->origins->next;
        es_free(s->origins);
        s->origins = next;
    }
}

/* ---- the session that computes for another ---- */

void es_session_far_sink(es_session *s, es_far_sink sink, void *context) {
    s->sink = sink;
    s->sink_context = context;
}

es_status es_session_ask(es_session *s, const es_lease *pairs, size_t count, es_error *err) {
    if (!s->ready || !s->queue)
        return es_fail(err, ES_EINVAL, "the pool has not been checked yet");
    for (size_t i = 0; i < count; i++) {
        bool null = pairs[i].source >= s->m;
        if (pairs[i].entry >= s->n_entries || pairs[i].target >= s->m ||
            (null && pairs[i].source != s->m + pairs[i].target))
            return es_fail(err, ES_EINVAL, "there is no such pair");
    }
    s->wanted = true;
    for (size_t i = 0; i < count; i++)
        (void)es_pair_queue_want(s->queue, pairs[i]);
    es_status st = es_work_top_up(s, err);
    es_work_clock(s);
    return st;
}
