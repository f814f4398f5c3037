/* What a session says in the log: what it found, what it begins, every tenth of the way, how each
 * estimator ended. Failures say themselves where they happen. */
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

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
