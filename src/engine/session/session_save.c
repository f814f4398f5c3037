/* Finished pairs into the store. A commit may not succeed (full disk, another process): then pairs
 * are kept in memory and tried again, with the next pair, by es_session_save and at the end. */
#include <string.h>

#include "engine_session_parts.h"

/* After a commit that did not succeed, how long results are kept in memory before the next try. */
enum { SAVE_AGAIN_SECONDS = 2 };

static void unsaved_free(es_unsaved *u) {
    if (!u)
        return;
    es_free(u->pair.reason);
    es_free(u->pair.result.pmi);
    es_free(u);
}

static es_unsaved *unsaved_copy(const es_finished *finished) {
    const es_store_pair *pair = &finished->pair;
    es_unsaved *u = es_alloc_zero(1, sizeof *u);
    if (!u)
        return NULL;
    u->entry = finished->entry;
    u->provenance = finished->provenance;
    u->pair = *pair;
    u->pair.reason = pair->reason ? es_strdup(pair->reason) : NULL;
    if (pair->result.pmi) {
        size_t n = pair->result.n_eval;
        u->pair.result.pmi = es_alloc(n, sizeof(float));
        if (u->pair.result.pmi)
            memcpy(u->pair.result.pmi, pair->result.pmi, n * sizeof(float));
    }
    if ((pair->reason && !u->pair.reason) || (pair->result.pmi && !u->pair.result.pmi)) {
        unsaved_free(u);
        return NULL;
    }
    return u;
}

/* Notes whether the store works, and logs a change. */
static void note_store(es_session *s, es_status st, const es_error *error) {
    bool news = false;
    pthread_mutex_lock(&s->lock);
    if (st != ES_OK) {
        news = s->store_problem.code == ES_OK;
        s->store_problem = *error;
        s->store_problem.code = st;
        s->store_again = es_clock_now() + SAVE_AGAIN_SECONDS;
    } else if (!s->unsaved && s->lost == 0) {
        s->store_problem = (es_error){0};
    }
    pthread_mutex_unlock(&s->lock);
    if (news)
        es_log_write(s->log, ES_LOG_ERROR, "%s (results are kept in memory)", error->message);
}

/* A pair that is shown, but will have to be estimated again by the next session. */
static void note_lost(es_session *s) {
    es_error error = {0};
    pthread_mutex_lock(&s->lock);
    s->lost++;
    pthread_mutex_unlock(&s->lock);
    es_error_set(&error, ES_ENOMEM, "out of memory: a finished pair could not be stored");
    note_store(s, ES_ENOMEM, &error);
}

/* Stores finished pairs in one transaction. */
static es_status put_all(es_session *s, const es_finished *pairs, size_t count) {
    es_store_finished finished[ES_SAVE_MOST];
    es_error error = {0};
    for (size_t i = 0; i < count; i++)
        finished[i] = (es_store_finished){&s->entries[pairs[i].entry].key, &pairs[i].pair};
    const char *provenance = pairs->provenance ? pairs->provenance : s->provenance;
    es_status st = es_store_put_all(s->store, finished, count, provenance, &error);
    note_store(s, st, &error);
    return st;
}

static es_status put(es_session *s, const es_unsaved *u) {
    return put_all(s, &(es_finished){u->entry, u->provenance, u->pair}, 1);
}

/* Takes the list of pairs that could not be stored yet. */
static es_unsaved *take_unsaved(es_session *s) {
    pthread_mutex_lock(&s->lock);
    es_unsaved *u = s->unsaved;
    if (u)
        s->unsaved = u->next;
    pthread_mutex_unlock(&s->lock);
    return u;
}

static void keep_unsaved(es_session *s, es_unsaved *u) {
    pthread_mutex_lock(&s->lock);
    u->next = s->unsaved;
    s->unsaved = u;
    pthread_mutex_unlock(&s->lock);
}

void es_save_rest(es_session *s) {
    for (es_unsaved *u; (u = take_unsaved(s)) != NULL;) {
        if (put(s, u) != ES_OK) {
            keep_unsaved(s, u);
            return;
        }
        unsaved_free(u);
    }
}

/* While the store is known to fail it is not asked for every pair: a locked one makes each wait ten
 * seconds. */
void es_save_pairs(es_session *s, const es_finished *pairs, size_t count) {
    if (count == 0)
        return;
    pthread_mutex_lock(&s->lock);
    bool failing = s->store_problem.code != ES_OK && es_clock_now() < s->store_again;
    pthread_mutex_unlock(&s->lock);
    if (!failing && put_all(s, pairs, count) == ES_OK) {
        es_save_rest(s);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        es_unsaved *u = unsaved_copy(&pairs[i]);
        if (u)
            keep_unsaved(s, u);
        else if (!failing || put_all(s, &pairs[i], 1) != ES_OK) /* no memory to try again later */
            note_lost(s);
    }
}

void es_save_note(es_session *s, es_status st, const es_error *error) {
    pthread_mutex_lock(&s->lock);
    s->store_problem = *error;
    s->store_problem.code = st;
    pthread_mutex_unlock(&s->lock);
}

void es_save_note_lost(es_session *s, es_status st, const es_error *error) {
    es_save_note(s, st, error);
    pthread_mutex_lock(&s->lock);
    s->lost++;
    pthread_mutex_unlock(&s->lock);
}

void es_save_drop(es_session *s) {
    for (es_unsaved *u; (u = take_unsaved(s)) != NULL;)
        unsaved_free(u);
}

es_status es_session_save(es_session *s, es_error *err) {
    if (s->store && !s->read_only)
        es_save_rest(s);
    return es_session_store_problem(s, err);
}
