/* Where a measure does worst, in the background: one job at a time, of which only the newest
 * counts. It reads what people said about the rows, which stays until the session closes. */
#include <string.h>

#include "alloc.h"
#include "session_internal.h"

/* As for intervals: short, and somebody waits for it. */
#define PRIORITY 1.0

static void drop(es_worst *worst) {
    es_worst_list_free(&worst->list);
    *worst = (es_worst){0};
}

void es_worst_item_deinit(es_worst_item *item) {
    drop(&item->out);
}

static es_status compute(void *data, es_job_context *context, es_error *err) {
    es_worst_item *item = data;
    es_session *s = item->item.session;
    bool two = item->out.other != SIZE_MAX;
    es_matrix m = {0}, other = {0};
    es_status st = ES_OK;
    ES_TRY(es_run_check(context->run, err));
    ES_TRY(es_session_matrix(s, item->out.model, &m, err));
    if (two)
        ES_TRY(es_session_matrix(s, item->out.other, &other, err));
    ES_TRY(es_worst_list_new(item->measure, &m, two ? &other : NULL, &item->data, item->values,
                             context->run, &item->out.list, err));
done:
    es_matrix_free(&m);
    es_matrix_free(&other);
    return st;
}

static bool possible(const es_measured *measured, size_t model, size_t other) {
    es_worst_kind kind = measured ? es_worst_kind_of(measured->measure) : ES_WORST_NONE;
    return kind != ES_WORST_NONE && model < measured->m &&
           (kind == ES_WORST_ROWS ? other < measured->m : other == SIZE_MAX);
}

static es_status start(es_session *s, size_t entry, size_t model, size_t other, es_error *err) {
    const es_measured *measured = es_session_measured(s, entry);
    if (!possible(measured, model, other))
        return es_fail(err, ES_EINVAL, "there is no list of what is worst by this measure");
    es_worst_item *item = es_alloc_zero(1, sizeof *item);
    if (!item)
        return es_no_memory(err);
    item->item = (es_item){ES_ITEM_WORST, s};
    item->measure = measured->measure;
    item->out.model = model;
    item->out.other = other;
    es_session_measure_inputs(s, entry, &item->data, &item->values);
    es_status st = ES_OK;
    if (es_workers_threads(s->workers) == 0) /* a session that only shows */
        st = es_workers_resize(s->workers, 1, err);
    if (st == ES_OK)
        st = es_workers_add(s->workers, compute, item, 0, PRIORITY, &s->worst_job, err);
    if (st != ES_OK)
        es_item_free(&item->item);
    return st;
}

es_status es_session_worst_start(es_session *s, size_t entry, size_t model, size_t other,
                                 es_error *err) {
    es_session_worst_stop(s);
    es_status st = start(s, entry, model, other, &s->worst_error);
    if (st != ES_OK)
        return es_fail(err, st, "%s", s->worst_error.message);
    return ES_OK;
}

void es_session_worst_stop(es_session *s) {
    if (s->worst_job)
        es_workers_cancel(s->workers, s->worst_job);
    s->worst_job = NULL;
    s->worst_error = (es_error){0};
    drop(&s->worst);
}

void es_worst_apply(es_session *s, es_worst_item *item, const es_job *job, es_status st,
                    const es_error *error) {
    if (job != s->worst_job)
        return; /* overtaken, or no longer wanted */
    s->worst_job = NULL;
    if (st == ES_OK) {
        s->worst = item->out;
        item->out = (es_worst){0};
    } else {
        s->worst_error = *error;
        s->worst_error.code = st;
    }
}

const es_worst *es_session_worst(const es_session *s, bool *busy, es_error *why) {
    *busy = s->worst_job != NULL;
    *why = s->worst_error;
    return s->worst.list.line ? &s->worst : NULL;
}
