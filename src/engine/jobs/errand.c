/* A job whose end counts only if no newer one was begun: the event of an overtaken job names
 * another job than the one that is remembered. */
#include "errand.h"

#include "alloc.h"
#include "clock.h"
#include "item.h"

typedef struct errand_item {
    es_item item;
    es_errand *errand;
    es_log *log;
    const es_errand_kind *kind;
    void *data;
    uint64_t tag;
    double seconds;
} errand_item;

static void data_free(const es_errand_kind *kind, void *data) {
    if (!data)
        return;
    kind->deinit(data);
    es_free(data);
}

static void item_deinit(es_item *item) {
    data_free(((errand_item *)item)->kind, ((errand_item *)item)->data);
}

static es_status compute(void *data, es_job_context *context, es_error *err) {
    errand_item *item = data;
    double start = es_clock_now();
    es_status st = item->kind->run(item->data, context->run, err);
    item->seconds = es_clock_now() - start;
    return st;
}

static void end(es_item *base, const es_event *event) {
    errand_item *item = (errand_item *)base;
    es_errand *errand = item->errand;
    if (event->job != errand->job)
        return; /* overtaken by a newer one, or no longer wanted */
    errand->job = NULL;
    errand->over = true;
    errand->error = event->error;
    errand->error.code = event->status;
    if (event->status == ES_OK) {
        data_free(item->kind, errand->newest);
        errand->newest = item->data;
        errand->tag = item->tag;
        errand->seconds = item->seconds;
        item->data = NULL;
    } else if (event->status != ES_ECANCELED && item->kind->name) {
        es_log_write(item->log, ES_LOG_ERROR, "%s: %s", item->kind->name, event->error.message);
    }
}

es_status es_errand_start(es_errand *errand, es_workers *workers, es_log *log,
                          const es_errand_kind *kind, void *data, uint64_t tag, es_error *err) {
    es_job *job = NULL;
    errand_item *item = es_alloc(1, sizeof *item);
    if (!item) {
        data_free(kind, data);
        return es_no_memory(err);
    }
    *item = (errand_item){{end, item_deinit}, errand, log, kind, data, tag, 0};
    es_status st = es_item_add(workers, &item->item, compute, kind->priority, &job, err);
    if (st != ES_OK)
        return st;
    if (errand->job)
        es_workers_cancel(workers, errand->job);
    errand->job = job;
    errand->kind = kind;
    errand->over = false;
    return ES_OK;
}

void es_errand_stop(es_errand *errand, es_workers *workers) {
    if (errand->job && workers)
        es_workers_cancel(workers, errand->job);
    data_free(errand->kind, errand->newest);
    *errand = (es_errand){0};
}

es_status es_errand_outcome(es_errand *errand, es_error *err) {
    if (errand->job)
        return ES_EBUSY;
    if (!errand->over)
        return ES_ENOTFOUND;
    errand->over = false;
    if (errand->error.code != ES_OK && err)
        *err = errand->error;
    return errand->error.code;
}
