/* What a session's state says: names, results, phases and times, and which of two embedders a
 * digest means. Nothing here computes, changes the state or asks a worker. */
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

/* ---- for the session's own files ---- */

bool es_is_null(const es_session *s, es_lease pair) {
    return pair.source >= s->m;
}

es_digest es_source_digest(const es_session *s, es_lease pair) {
    return es_is_null(s, pair) ? s->nulls[pair.target] : s->sources.digest[pair.source];
}

size_t es_identities_first(const es_identities *ids, size_t m, es_digest digest) {
    size_t low = 0, high = m;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (es_digest_order(ids->digest[ids->order[middle]], digest) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool es_identities_at(const es_identities *ids, size_t m, size_t place, es_digest digest) {
    return place < m && es_digest_equal(ids->digest[ids->order[place]], digest);
}

bool es_entry_known(const es_entry *entry) {
    const es_results *r = entry->results;
    return r && r->done + r->failed == r->m * r->m;
}

static bool is_complete(const es_session *s, const es_entry *entry) {
    const es_results *r = entry->results;
    return es_entry_known(entry) && (!s->with_null || r->null_done + r->null_failed == r->m);
}

bool es_work_active(const es_session *s) {
    return s->queue &&
           (s->tickets > 0 || atomic_load(&s->lent) > 0 || es_pair_queue_left(s->queue) > 0 ||
            (s->wanted && es_pair_queue_count_away(s->queue) > 0));
}

double es_session_running_time(const es_session *s) {
    return s->elapsed + (s->since != 0 ? es_clock_now() - s->since : 0);
}

/* ---- for those who look ---- */

es_phase es_session_phase(const es_session *s) {
    if (!s || s->problem.code != ES_OK)
        return ES_PHASE_IDLE;
    if (!s->ready)
        return ES_PHASE_CHECKING;
    if (s->matrix)
        return ES_PHASE_DONE;
    if (es_work_active(s))
        return s->paused ? ES_PHASE_PAUSED : ES_PHASE_RUNNING;
    for (size_t e = 0; e < es_entries_wanted(s); e++)
        if (!is_complete(s, &s->entries[e]))
            return ES_PHASE_IDLE;
    return ES_PHASE_DONE;
}

size_t es_entries_wanted(const es_session *s) {
    return s->first_only && s->n_entries > 1 ? 1 : s->n_entries;
}

void es_session_first_only(es_session *s, bool on) {
    s->first_only = on;
}

bool es_session_wanted(const es_session *s) {
    return s && s->wanted && s->passes >= s->n_entries;
}

es_status es_session_problem(const es_session *s, es_error *err) {
    if (!s)
        return es_fail(err, ES_EINVAL, "no session");
    if (s->problem.code != ES_OK && err)
        *err = s->problem;
    return s->problem.code;
}

es_status es_session_stopped(const es_session *s, es_error *err) {
    if (!s)
        return es_session_problem(s, err);
    if (s->stopped.code != ES_OK && err)
        *err = s->stopped;
    return s->stopped.code;
}

es_pool *es_session_pool(es_session *s) {
    return s ? s->pool : NULL;
}

es_status es_session_read_scores(const es_session *s, const char *path, es_run *run, es_scores *out,
                                 es_error *err) {
    const es_scores_for whose = {.embedder =
                                     s->matrix ? (const char *const *)s->matrix->name : NULL,
                                 .n = s->matrix ? s->matrix->m : 0};
    return s->pool ? es_pool_read_scores(s->pool, path, false, run, out, err)
                   : es_scores_read_for(path, &whose, run, out, err);
}

es_status es_session_scores(es_session *s, es_run *run, const es_scores **out, es_error *err) {
    if (s->pool && !s->own_scores)
        return es_pool_scores(s->pool, run, out, err);
    *out = s->own_scores;
    return ES_OK;
}

const char *es_session_scores_name(const es_session *s) {
    return s->scores_name[0] ? s->scores_name
           : s->pool         ? es_pool_scores_file(s->pool)
                             : "scores.csv";
}

const char *es_session_store_path(const es_session *s) {
    return s->store ? es_store_path(s->store) : NULL;
}

int es_session_fd(const es_session *s) {
    return s && s->workers ? es_workers_fd(s->workers) : -1;
}

size_t es_session_plan(const es_session *s) {
    return !s ? 0 : s->matrix ? 1 : s->n_entries;
}

const es_config *es_session_config(const es_session *s, size_t entry) {
    static char no_text[1];
    static const es_config none = {.preset = "", .text = no_text};
    if (entry >= s->n_entries)
        return &none;
    return &s->entries[entry].config;
}

uint64_t es_session_seed(const es_session *s) {
    return s->seed;
}

const es_results *es_session_results(const es_session *s, size_t entry) {
    if (!s)
        return NULL;
    if (s->matrix)
        return entry == 0 ? s->matrix : NULL;
    return entry < s->n_entries ? s->entries[entry].results : NULL;
}

const es_split *es_session_split(const es_session *s, size_t entry) {
    return entry < s->n_entries ? s->entries[entry].split : NULL;
}

const uint32_t *es_session_evaluated(const es_session *s, size_t entry, size_t *count) {
    const es_split *split = s ? es_session_split(s, entry) : NULL;
    *count = split ? split->n_eval : 0;
    return split ? split->eval : NULL;
}

size_t es_session_predictive(const es_session *s) {
    for (size_t e = 0; s && !s->matrix && e < s->n_entries; e++) {
        const es_config *config = &s->entries[e].config;
        if (strcmp(config->estimator->name, ES_PREDICTIVE_ESTIMATOR) == 0 &&
            strcmp(config->preset, ES_PREDICTIVE_PRESET) == 0 && !config->changed)
            return e;
    }
    return SIZE_MAX;
}

bool es_session_entry_known(const es_session *s, size_t entry) {
    return s &&
           (s->matrix ? entry == 0 : entry < s->n_entries && es_entry_known(&s->entries[entry]));
}

bool es_session_originals_known(const es_session *s, size_t entry) {
    const es_results *r = es_session_results(s, entry);
    if (es_session_entry_known(s, entry))
        return true;
    size_t derived = r ? es_results_derived(r) : 0;
    if (derived == 0 || derived == r->m) /* what is missing is an original's */
        return false;
    for (size_t i = 0; i < r->m; i++)
        for (size_t j = 0; j < r->m; j++)
            if (!r->label[i] && !r->label[j] && r->state[i * r->m + j] != ES_PAIR_DONE &&
                r->state[i * r->m + j] != ES_PAIR_FAILED)
                return false;
    return true;
}

/* What the ranking alone stands on is shown where nothing else is known. Derived embedders that no
 * estimator knows yet are no reason to show the others by a lesser one. */
size_t es_session_best(const es_session *s) {
    if (!s)
        return SIZE_MAX;
    if (s->matrix)
        return 0;
    size_t predictive = es_session_predictive(s);
    for (size_t e = s->n_entries; e-- > 0;)
        if (e != predictive && es_entry_known(&s->entries[e]))
            return e;
    for (size_t e = s->n_entries; e-- > 0;)
        if (e != predictive && es_session_originals_known(s, e))
            return e;
    for (size_t e = 0; e < s->n_entries; e++)
        if (e != predictive && s->entries[e].results && s->entries[e].results->done > 0)
            return e;
    bool alone = predictive != SIZE_MAX && s->entries[predictive].results &&
                 s->entries[predictive].results->done > 0;
    return alone ? predictive : SIZE_MAX;
}

es_structure *es_session_structure(es_session *s) {
    s->structure.workers = s->workers;
    s->structure.log = s->log;
    s->structure.kept = s->matrix ? s->matrix->is : NULL;
    s->structure.alone = s->matrix != NULL;
    return &s->structure;
}

unsigned es_session_thread_count(const es_session *s) {
    return s->read_only ? 0 : es_workers_threads(s->workers);
}

bool es_session_read_only(const es_session *s) {
    return s->read_only;
}

/* The lock is not part of what `const` promises. */
static pthread_mutex_t *lock_of(const es_session *s) {
    return (pthread_mutex_t *)(uintptr_t)&s->lock;
}

bool es_session_activity(const es_session *s, unsigned worker, es_activity *out) {
    es_worker_view view;
    if (s->read_only || !es_workers_look(s->workers, worker, &view))
        return false;
    pthread_mutex_lock(lock_of(s));
    es_at at = s->at[worker];
    pthread_mutex_unlock(lock_of(s));
    bool null = at.busy && at.source >= s->m;
    *out = (es_activity){.busy = at.busy,
                         .null = null,
                         .entry = at.entry,
                         .source = null ? at.source - s->m : at.source,
                         .target = at.target,
                         .done = view.done,
                         .total = view.total,
                         .traced = view.traced};
    if (at.busy)
        out->seconds = es_clock_now() - at.since;
    memcpy(out->trace, view.trace, sizeof out->trace);
    return true;
}

size_t es_session_queue(const es_session *s, es_queued *out, size_t capacity) {
    es_lease next[ES_PAIR_QUEUE_LOOK];
    if (s->read_only || !s->queue)
        return 0;
    size_t count = es_pair_queue_next(s->queue, next, capacity);
    for (size_t k = 0; k < count; k++) {
        bool null = next[k].source >= s->m;
        out[k] = (es_queued){next[k].entry, null ? next[k].source - s->m : next[k].source,
                             next[k].target, null};
    }
    return count;
}

es_status es_session_store_problem(const es_session *s, es_error *err) {
    pthread_mutex_lock(lock_of(s));
    es_error problem = s->store_problem;
    pthread_mutex_unlock(lock_of(s));
    if (problem.code != ES_OK && err)
        *err = problem;
    return problem.code;
}

const char *es_session_provenance(const es_session *s) {
    return s->provenance;
}

/* ---- the log ---- */

/* What a session says in the log: what it found, what it begins, every tenth of the way, how each
 * estimator ended. Failures say themselves where they happen. */

void es_session_log_ready(const es_session *s) {
    char count[ES_COUNT_TEXT];
    size_t known = 0, all = 0;
    for (size_t e = 0; e < s->n_entries; e++) {
        const es_results *r = s->entries[e].results;
        known += r->done + r->null_done;
        all += r->m * r->m + (s->with_null ? r->m : 0);
    }
    es_log_write(s->log, ES_LOG_INFO,
                 "the pool is checked: %s can be compared, %zu of %zu pairs are stored",
                 es_pool_count_text(s->pool, count, sizeof count), known, all);
}

void es_session_log_start(const es_session *s, size_t wanted) {
    unsigned threads = es_workers_threads(s->workers);
    if (wanted > 0)
        es_log_write(s->log, ES_LOG_INFO, "%zu pairs to estimate on %u thread%s", wanted, threads,
                     threads == 1 ? "" : "s");
}

void es_session_log_pair(es_session *s, size_t number) {
    es_entry *entry = &s->entries[number];
    const es_results *r = entry->results;
    size_t all = r->m * r->m, ended = r->done + r->failed;
    unsigned tenth = (unsigned)(10 * ended / (all > 0 ? all : 1));
    if (tenth <= entry->logged)
        return;
    entry->logged = tenth;
    double took = es_session_running_time(s);
    char name[100];
    bool named = r->preset && strcmp(r->preset, "default") != 0;
    (void)snprintf(name, sizeof name, "%s%s%s", r->estimator->name, named ? " " : "",
                   named ? r->preset : "");
    if (tenth < 10)
        es_log_write(s->log, ES_LOG_INFO, "%s: %u %%, %zu of %zu pairs after %.0f s", name,
                     10 * tenth, ended, all, took);
    else
        es_log_write(s->log, r->failed > 0 ? ES_LOG_WARN : ES_LOG_INFO,
                     "%s: all %zu pairs after %.1f s, %zu failed", name, all, took, r->failed);
}
