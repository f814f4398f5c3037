/* Stored pairs on their way to the owner: all of an entry when the session is opened, and later
 * those that other processes have finished. */
#include <string.h>

#include "engine_session_parts.h"

typedef struct loading {
    es_session *session;
    es_job_context *context; /* NULL: no job's */
    size_t entry, found;
    es_stored_item *batch;
    es_values *values; /* of the pairs to come; NULL: none yet */
    size_t room;       /* of so many pairs */
} loading;

enum { VALUES_LEAST = 16, VALUES_MOST = 8 << 20 }; /* pairs of the first block; bytes of a block */

/* Posts the pairs read so far to the session's thread. */
static es_status post_batch(loading *l, es_error *err) {
    if (!l->batch)
        return ES_OK;
    es_item *batch = &l->batch->item;
    l->batch = NULL;
    return l->context ? es_item_post(l->context, batch, err)
                      : es_item_tell(l->session->workers, batch, err);
}

/* Returns a copy in a block that pairs share; each block has room for four times the pairs of the
 * one before it. NULL: out of memory. */
static float *copy_values(loading *l, const float *from, size_t n) {
    float *to = es_values_take(l->values, n);
    if (!to) {
        size_t size = n * sizeof *to, most = size < VALUES_MOST ? VALUES_MOST / (size + 1) : 1;
        es_values_free(l->values);
        l->room = l->room ? 4 * l->room : VALUES_LEAST;
        l->room = l->room < most ? l->room : most;
        l->values = es_values_new(l->room * n);
        to = es_values_take(l->values, n);
    }
    if (to && n > 0)
        memcpy(to, from, n * sizeof *to);
    return to;
}

/* Appends a stored pair to the batch. */
static es_status append_stored(loading *l, size_t source, size_t target, const es_store_pair *pair,
                               es_error *err) {
    if (!l->batch && !(l->batch = es_stored_item_new(l->context == NULL)))
        return es_no_memory(err);
    es_pair_item item = {.session = l->session,
                         .pair = {l->entry, source, target},
                         .failed = pair->failed,
                         .reused = true,
                         .result = pair->result,
                         .seconds = pair->seconds};
    item.result.pmi = NULL;
    if (pair->failed && !(item.reason = es_strdup(pair->reason ? pair->reason : "failed")))
        return es_no_memory(err);
    if (pair->result.pmi) {
        item.result.pmi = copy_values(l, pair->result.pmi, pair->result.n_eval);
        if (!item.result.pmi) {
            es_free(item.reason);
            return es_no_memory(err);
        }
        item.values = es_values_keep(l->values);
    }
    l->found++;
    l->batch->pairs[l->batch->count++] = item;
    return l->batch->count == ES_BATCH ? post_batch(l, err) : ES_OK;
}

/* Every estimator gives values of rows, and one pair without them takes the rows' share of the
 * uncertainty from all: who estimates makes it again, who only looks shows what there is. */
static bool is_whole(const es_session *s, const es_store_pair *pair) {
    return pair->failed || pair->result.pmi || !s->with_pmi || s->as_stored;
}

/* Embedders of equal contents share their results. */
static es_status take_stored(void *data, es_store_pair *pair, es_error *err) {
    loading *l = data;
    const es_session *s = l->session;
    es_status st = l->context ? es_run_check(l->context->run, err) : ES_OK;
    if (!is_whole(s, pair))
        return st;
    size_t first = es_identities_first(&s->targets, s->m, pair->target);
    for (size_t i = es_identities_first(&s->sources, s->m, pair->source);
         es_identities_at(&s->sources, s->m, i, pair->source); i++)
        for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
             k++)
            st = append_stored(l, s->sources.order[i], s->targets.order[k], pair, err);
    for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
         k++) {
        size_t target = s->targets.order[k];
        if (es_digest_equal(s->nulls[target], pair->source))
            st = append_stored(l, s->m + target, target, pair, err);
    }
    return st;
}

/* Posts the last batch, or frees it after an error. */
static es_status end_batches(loading *l, es_status st, es_error *err) {
    if (st == ES_OK)
        st = post_batch(l, err);
    if (l->batch)
        es_item_free(&l->batch->item);
    es_values_free(l->values);
    return st;
}

/* Loads the stored pairs of an entry of the plan with row ids above *after. */
static es_status load_after(es_session *s, es_store *store, int64_t *after, loading *l,
                            es_error *err) {
    es_status st = es_store_load_after(store, &s->entries[l->entry].key, s->with_pmi, after,
                                       take_stored, l, err);
    return end_batches(l, st, err);
}

es_status es_stored_load(es_session *s, size_t entry, es_job_context *context, size_t *found,
                         es_error *err) {
    loading l = {.session = s, .context = context, .entry = entry};
    es_status st = load_after(s, s->store, &s->entries[entry].newest, &l, err);
    *found = l.found;
    return st;
}

es_status es_stored_load_from(es_session *s, es_store *store, size_t entry, int64_t *after,
                              size_t *found, es_error *err) {
    loading l = {.session = s, .entry = entry};
    es_status st = load_after(s, store, after, &l, err);
    *found = l.found;
    return st;
}

es_status es_stored_take(es_session *s, es_lease pair, es_error *err) {
    loading l = {.session = s, .entry = pair.entry};
    es_store_pair stored = {0};
    es_status st = es_store_get(s->store, &s->entries[pair.entry].key, es_source_digest(s, pair),
                                s->targets.digest[pair.target], s->with_pmi, &stored, err);
    bool whole = st == ES_OK && is_whole(s, &stored);
    if (whole)
        st = end_batches(&l, take_stored(&l, &stored, err), err);
    else if (st == ES_OK)
        st = es_fail(err, ES_ENOTFOUND, "a pair is stored without values per row");
    es_free(stored.reason);
    es_free(stored.result.pmi);
    return st;
}

bool es_stored_find(es_session *s, es_pair_item *item) {
    es_store_pair stored = {0};
    if (!s->store || s->refresh)
        return false;
    if (es_store_get(s->store, &s->entries[item->pair.entry].key, es_source_digest(s, item->pair),
                     s->targets.digest[item->pair.target], s->with_pmi, &stored, NULL) != ES_OK)
        return false;
    es_free(stored.reason);
    if (stored.failed || !is_whole(s, &stored)) {
        es_free(stored.result.pmi);
        return false;
    }
    item->reused = true;
    item->result = stored.result;
    item->seconds = stored.seconds;
    return true;
}

/* ---- finished pairs into the store ---- */

/* Finished pairs into the store. A commit may not succeed (full disk, another process): then pairs
 * are kept in memory and tried again, with the next pair, by es_session_save and at the end. */

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
