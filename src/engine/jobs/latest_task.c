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
