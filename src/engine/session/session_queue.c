/* Which pairs are wanted and how they get along: pending pairs are put up in the pair queue, as
 * many jobs as there are threads take them from there, and what these jobs have done of late says
 * how long the rest will take. */
#include <math.h>
#include <string.h>

#include "engine_session_parts.h"

void es_work_clock(es_session *s) {
    bool on = es_work_active(s) && !s->paused;
    double now = es_clock_now();
    if (on && s->since == 0)
        s->since = now;
    if (!on && s->since != 0) {
        s->elapsed += now - s->since;
        s->since = 0;
    }
}

static void ticket_deinit(es_item *base) {
    const es_ticket *ticket = (es_ticket *)base;
    for (size_t i = 0; i < ticket->n_late; i++)
        es_item_free(&ticket->late[i]->item);
}

/* On the session's thread: a worker's walk over pairs has ended. */
static void end_ticket(es_item *base, const es_event *event) {
    const es_ticket *ticket = (es_ticket *)base;
    es_session *s = ticket->session;
    s->tickets--;
    for (size_t i = 0; i < ticket->n_late; i++)
        ticket->late[i]->item.apply(&ticket->late[i]->item, event);
    if (ticket->open && event->status != ES_ECANCELED) {
        es_pair_reset(s, ticket->pair);
        es_pair_fail(s, ticket->pair, event->error.message);
        es_pair_queue_ended(s->queue, ticket->pair);
    } else if (ticket->open) {
        es_pair_undo(s, ticket->pair);
    }
    if (s->tickets == 0 && es_pair_queue_left(s->queue) == 0)
        es_cache_clear(s->cache);
    es_work_top_up(s, NULL);
}

/* Queues a worker's walk over the next pairs. */
static es_status add_ticket(es_session *s, es_error *err) {
    es_ticket *ticket = es_alloc(1, sizeof *ticket);
    if (!ticket)
        return es_no_memory(err);
    *ticket =
        (es_ticket){.item = {end_ticket, ticket_deinit}, .session = s, .pair.source = SIZE_MAX};
    es_status st = es_item_add(s->workers, &ticket->item, es_work_run, 0, NULL, err);
    s->tickets += st == ES_OK;
    return st;
}

es_status es_work_top_up(es_session *s, es_error *err) {
    if (!s->queue || !s->ready || s->paused || s->draining)
        return ES_OK;
    es_error error = {0};
    es_status st = ES_OK;
    size_t left = es_pair_queue_left(s->queue), threads = es_workers_threads(s->workers);
    for (; s->tickets < threads && left > 0 && st == ES_OK; left--)
        st = add_ticket(s, &error);
    if (st == ES_OK || s->tickets > 0)
        return ES_OK; /* those under way do the rest */
    es_pair_queue_clear(s->queue);
    s->wanted = false;
    s->stopped = error;
    s->stopped.code = st;
    es_log_write(s->log, ES_LOG_ERROR, "stopped: %s", error.message);
    return es_fail(err, st, "%s", error.message);
}

size_t es_work_want(es_session *s) {
    size_t wanted = 0, entries = es_entries_wanted(s);
    if (s->passes < entries)
        entries = s->passes;
    for (size_t e = 0; e < entries; e++) {
        const uint8_t *state = s->entries[e].results->state, *only = s->entries[e].only;
        for (size_t source = 0; source < s->m; source++)
            for (size_t target = 0; target < s->m; target++)
                if (state[source * s->m + target] == ES_PAIR_PENDING &&
                    (!only || only[source * s->m + target]))
                    wanted += es_pair_queue_want(s->queue, (es_lease){e, source, target});
        for (size_t t = 0; t < s->m && s->with_null; t++)
            if (s->entries[e].results->null[t].state == ES_PAIR_PENDING &&
                (!only || only[s->m * s->m + t]))
                wanted += es_pair_queue_want(s->queue, (es_lease){e, s->m + t, t});
    }
    return wanted;
}

es_status es_session_only(es_session *s, size_t entry, const uint8_t *wanted, es_error *err) {
    if (entry >= s->n_entries || !s->entries[entry].results)
        return es_fail(err, ES_EINVAL, "the pool has not been checked yet");
    uint8_t *copy = wanted ? es_alloc(s->m * s->m + s->m, 1) : NULL;
    if (wanted && !copy)
        return es_no_memory(err);
    if (wanted) {
        memcpy(copy, wanted, s->m * s->m);
        memset(copy + s->m * s->m, 1, s->m);
    }
    es_free(s->entries[entry].only);
    s->entries[entry].only = copy;
    return ES_OK;
}

/* ---- progress ---- */

/* What is left of the pairs that workers are at, by how long they have been: at least a tenth. One
 * that prepares is before a pair like the source's own. */
static void add_running(const es_session *s, const es_pace *pace, double *left, size_t entries) {
    es_session *open = (es_session *)s; /* the lock alone */
    double now = es_clock_now();
    pthread_mutex_lock(&open->lock);
    for (unsigned w = 0; w < es_workers_threads(s->workers); w++) {
        const es_at *at = &s->at[w];
        if (!at->busy || at->entry >= entries)
            continue;
        size_t target = at->target == SIZE_MAX ? at->source % s->m : at->target;
        double work = es_pair_queue_cost(s->queue, (es_lease){at->entry, at->source, target});
        const es_pace *p = &pace[at->entry];
        double over = at->target != SIZE_MAX && p->seconds > 0
                          ? (now - at->since) * p->work / p->seconds / work
                          : 0;
        left[at->entry] += work * (over < 0.9 ? 1 - over : 0.1);
    }
    pthread_mutex_unlock(&open->lock);
}

/* Seconds for what is left; NAN while nothing has been done. */
static double remaining_time(const es_session *s) {
    enum { MOST = 8 };
    es_pace pace[MOST];
    double left[MOST];
    size_t entries = s->n_entries < MOST ? s->n_entries : MOST;
    for (size_t e = 0; e < entries; e++) {
        left[e] = es_pair_queue_cost_left(s->queue, e);
        pace[e] = s->entries[e].pace;
    }
    add_running(s, pace, left, entries);
    return es_pace_left(pace, left, entries, es_workers_threads(s->workers));
}

bool es_session_reading(const es_session *s, es_run_view *out) {
    enum { LARGE = 16 << 10 }; /* KB */
    *out = (es_run_view){.total = 0};
    return s && es_session_phase(s) == ES_PHASE_CHECKING && es_workers_reading(s->workers, out) &&
           out->total >= LARGE;
}

void es_session_progress(const es_session *s, es_progress *out) {
    es_progress p = {.eta = (double)NAN};
    if (!s) {
        *out = p;
        return;
    }
    p.checked = s->checked;
    p.to_check = s->checks;
    p.running = s->running;
    p.reused = s->reused;
    p.waits = s->store ? es_store_waits(s->store) : 0;
    for (size_t e = 0; e < es_entries_wanted(s); e++) {
        const es_results *r = s->entries[e].results;
        if (!r)
            continue;
        p.entries++;
        const uint8_t *only = s->entries[e].only;
        size_t nulls = s->with_null ? r->m : r->null_done + r->null_failed;
        for (size_t t = 0; only && s->with_null && t < r->m; t++)
            nulls -= !only[r->m * r->m + t];
        p.nulls += nulls;
        size_t asked = r->m * r->m;
        for (size_t i = 0; only && i < r->m * r->m; i++)
            asked -= !only[i];
        size_t ended = r->done + r->null_done + r->failed + r->null_failed;
        p.total += asked + nulls;
        p.done += r->done + r->null_done;
        p.failed += r->failed + r->null_failed;
        if (p.pass_ended == p.pass_total) { /* the first pass that has not ended, else the last */
            p.pass = e;
            p.pass_total = asked + nulls;
            p.pass_ended = ended;
        }
    }
    if (s->matrix) {
        p.total = p.pass_total = s->matrix->m * s->matrix->m;
        p.entries = 1;
        p.done = p.pass_ended = s->matrix->done;
    }
    if (s->queue) {
        p.queued = es_pair_queue_left(s->queue);
        p.elsewhere = s->wanted ? es_pair_queue_count_away(s->queue) : 0;
        p.elapsed = es_session_running_time(s);
        p.rate = es_laps_rate(&s->laps, es_session_running_time(s));
        if (es_work_active(s))
            p.eta = remaining_time(s);
    }
    *out = p;
}
