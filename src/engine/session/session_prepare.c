/* What people said about the rows, read by a worker: labels.csv may be large, and whoever draws
 * must not wait for it. While the job reads, nobody else touches the evidence. */
#include "alloc.h"
#include "annotations.h"
#include "session_internal.h"

/* Above what is computed from it. */
#define PRIORITY 1.0

/* Files are read and counted when they are first asked for; later askers find it done. */
static es_status compute(void *data, es_job_context *context, es_error *err) {
    const es_prepare_item *item = data;
    size_t times = 0;
    es_measure_data given;
    const char *task;
    es_digest digest;
    es_error why = {0};
    es_status st = es_annotations_times(item->evidence, item->measure->needs, &times, &why);
    if (st != ES_OK)
        return st == ES_ENOTFOUND ? es_fail(err, st, "%s %s", item->measure->name, why.message)
                                  : es_fail(err, st, "%s", why.message);
    for (size_t k = 0; k < times && st == ES_OK; k++) {
        st = es_run_check(context->run, err);
        if (st == ES_OK)
            st = es_annotations_take(item->evidence, item->measure->needs, k, &given, &task,
                                     &digest, err);
    }
    return st;
}

es_status es_session_measure_prepare(es_session *s, const es_measure *measure, es_error *err) {
    es_annotations *evidence = NULL;
    if (s->prepare_job)
        return es_fail(err, ES_EBUSY, "the pool's files are being read");
    es_status st = es_measure_annotations(s, measure, &evidence, err);
    if (st != ES_OK)
        return st;
    es_prepare_item *item = es_alloc_zero(1, sizeof *item);
    if (!item)
        return es_no_memory(err);
    *item = (es_prepare_item){{ES_ITEM_PREPARE, s}, measure, evidence};
    if (es_workers_threads(s->workers) == 0) /* a session that only shows */
        st = es_workers_resize(s->workers, 1, err);
    if (st == ES_OK)
        st = es_workers_add(s->workers, compute, item, 0, PRIORITY, &s->prepare_job, err);
    if (st != ES_OK)
        es_item_free(&item->item);
    return st;
}

void es_prepare_apply(es_session *s, es_status st, const es_error *error) {
    s->prepare_job = NULL;
    s->prepare_over = true;
    s->prepare_error = *error;
    s->prepare_error.code = st;
}

es_status es_session_measure_prepared(es_session *s, es_error *err) {
    if (s->prepare_job)
        return ES_EBUSY;
    if (!s->prepare_over)
        return ES_ENOTFOUND;
    s->prepare_over = false;
    if (s->prepare_error.code != ES_OK && err)
        *err = s->prepare_error;
    return s->prepare_error.code;
}
