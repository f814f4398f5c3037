/* A job whose end counts only if no newer one was begun: the event of an overtaken job names
 * another job than the one that is remembered. */
#include "engine_jobs.h"

typedef struct latest_item {
    es_item item;
    es_latest_task *latest;
    es_log *log;
    const es_latest_task_kind *kind;
    void *data;
    uint64_t tag;
    double seconds;
} latest_item;

static void data_free(const es_latest_task_kind *kind, void *data) {
    if (!data)
        return;
    if (kind->deinit)
        kind->deinit(data);
    es_free(data);
}

static void item_deinit(es_item *item) {
    data_free(((latest_item *)item)->kind, ((latest_item *)item)->data);
}

/* Runs the task in its worker and notes how long it took. */
static es_status run_and_time(void *data, es_job_context *context, es_error *err) {
    latest_item *item = data;
    double start = es_clock_now();
    es_status st = item->kind->run(item->data, context->run, err);
    item->seconds = es_clock_now() - start;
    return st;
}

/* On the session's thread: keeps the result, unless a newer request has replaced this one. */
static void keep_result(es_item *base, const es_event *event) {
    latest_item *item = (latest_item *)base;
    es_latest_task *latest = item->latest;
    if (event->job != latest->job)
        return; /* overtaken by a newer one, or no longer wanted */
    latest->job = NULL;
    latest->over = true;
    latest->error = event->error;
    latest->error.code = event->status;
    if (event->status == ES_OK) {
        data_free(item->kind, latest->newest);
        latest->newest = item->data;
        latest->tag = item->tag;
        latest->seconds = item->seconds;
        item->data = NULL;
    } else if (event->status != ES_ECANCELED && item->kind->name) {
        es_log_write(item->log, ES_LOG_ERROR, "%s: %s", item->kind->name, event->error.message);
    }
}

es_status es_latest_task_start(es_latest_task *latest, es_workers *workers, es_log *log,
                               const es_latest_task_kind *kind, void *data, uint64_t tag,
                               es_error *err) {
    es_job *job = NULL;
    latest_item *item = es_alloc(1, sizeof *item);
    if (!item) {
        data_free(kind, data);
        return es_no_memory(err);
    }
    *item = (latest_item){{keep_result, item_deinit}, latest, log, kind, data, tag, 0};
    es_status st = es_item_add(workers, &item->item, run_and_time, kind->priority, &job, err);
    if (st != ES_OK)
        return st;
    if (latest->job)
        es_workers_cancel(workers, latest->job);
    latest->job = job;
    latest->kind = kind;
    latest->over = false;
    return ES_OK;
}

void es_latest_task_stop(es_latest_task *latest, es_workers *workers) {
    if (latest->job && workers)
        es_workers_cancel(workers, latest->job);
    data_free(latest->kind, latest->newest);
    *latest = (es_latest_task){0};
}

es_status es_latest_task_outcome(es_latest_task *latest, es_error *err) {
    if (latest->job)
        return ES_EBUSY;
    if (!latest->over)
        return ES_ENOTFOUND;
    latest->over = false;
    if (latest->error.code != ES_OK && err)
        *err = latest->error;
    return latest->error.code;
}

/* ---- items ---- */

/* Items carry their own functions, so the files that make them need not be known to the one that
 * empties the queue. */

void es_item_free(es_item *item) {
    if (item && item->deinit)
        item->deinit(item);
    es_free(item);
}

void es_item_apply(const es_event *event) {
    es_item *item = event->data;
    item->apply(item, event);
    es_item_free(item);
}

es_status es_item_add(es_workers *workers, es_item *item, es_job_run run, double priority,
                      es_job **out, es_error *err) {
    es_status st = ES_OK;
    if (es_workers_threads(workers) == 0)
        st = es_workers_resize(workers, 1, err);
    if (st == ES_OK)
        st = es_workers_add(workers, run, item, 0, priority, out, err);
    if (st != ES_OK)
        es_item_free(item);
    return st;
}

es_status es_item_post(es_job_context *context, es_item *item, es_error *err) {
    es_status st = es_workers_post(context, item, err);
    if (st != ES_OK)
        es_item_free(item);
    return st;
}

es_status es_item_tell(es_workers *workers, es_item *item, es_error *err) {
    es_status st = es_workers_tell(workers, item, err);
    if (st != ES_OK)
        es_item_free(item);
    return st;
}

static void do_nothing(es_item *item, const es_event *event) {
    (void)item;
    (void)event;
}

void es_item_wake(es_workers *workers) {
    es_item *item = es_alloc(1, sizeof *item);
    if (!item)
        return;
    *item = (es_item){.apply = do_nothing};
    (void)es_item_tell(workers, item, NULL);
}

/* ---- places that expire ---- */

/* A small table; whoever was not looked at for longest gives up the place. */

bool es_expiry_note(es_expiry *expiry, int64_t id, uint64_t beat, double now) {
    es_watched *at = &expiry->watched[0];
    for (size_t i = 0; i < ES_EXPIRY_MOST; i++) {
        es_watched *w = &expiry->watched[i];
        if (w->id == id) {
            at = w;
            break;
        }
        if (at->id != 0 && (w->id == 0 || w->seen < at->seen))
            at = w;
    }
    if (at->id != id || at->beat != beat)
        *at = (es_watched){.id = id, .beat = beat, .since = now};
    at->seen = now;
    return now - at->since >= ES_LEASE_SECONDS;
}
