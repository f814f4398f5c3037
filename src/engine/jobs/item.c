/* Items carry their own functions, so the files that make them need not be known to the one that
 * empties the queue. */
#include "engine_jobs.h"

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
