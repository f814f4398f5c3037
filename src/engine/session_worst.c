/* The worst pairs of an embedder in the background: one job at a time, of which only the newest
 * counts. It reads what people said about the rows, which stays until the session closes. */
#include <string.h>

#include "embedscope/alloc.h"
#include "embedscope/measure_detail.h"
#include "session_internal.h"

/* As for intervals: short, and somebody waits for it. */
#define PRIORITY 1.0

static void drop(es_worst *worst) {
    es_free(worst->pair);
    *worst = (es_worst){0};
}

void es_worst_item_deinit(es_worst_item *item) {
    drop(&item->out);
}

static es_status put_in_order(const es_evalrank *ranks, es_worst *out, es_error *err) {
    es_status st = ES_OK;
    uint32_t *index = es_alloc(ranks->count, sizeof *index);
    out->pair = es_alloc(ranks->count, sizeof *out->pair);
    if (!index || !out->pair) {
        st = es_fail(err, ES_ENOMEM, "out of memory for %zu pairs", ranks->count);
        goto done;
    }
    ES_TRY(es_evalrank_worst(ranks, index, ranks->count, &out->count, err));
    for (size_t k = 0; k < out->count; k++)
        out->pair[k] = ranks->pair[index[k]];
done:
    es_free(index);
    return st;
}

static es_status compute(void *data, es_job_context *context, es_error *err) {
    es_worst_item *item = data;
    es_matrix m = {0};
    es_evalrank ranks = {0};
    es_status st = ES_OK;
    ES_TRY(es_run_check(context->run, err));
    ES_TRY(es_session_matrix(item->item.session, item->out.model, &m, err));
    ES_TRY(es_evalrank_detail(&m, &item->data, item->values, ES_COSINE, context->run, &ranks, err));
    ES_TRY(put_in_order(&ranks, &item->out, err));
done:
    es_evalrank_free(&ranks);
    es_matrix_free(&m);
    return st;
}

static es_status start(es_session *s, size_t entry, size_t model, es_error *err) {
    const es_measured *measured = es_session_measured(s, entry);
    if (!measured || strcmp(measured->measure->name, "evalrank") != 0 || model >= measured->m)
        return es_fail(err, ES_EINVAL, "worst pairs are those of evalrank, which is not there");
    es_worst_item *item = es_alloc_zero(1, sizeof *item);
    if (!item)
        return es_fail(err, ES_ENOMEM, "out of memory for the worst pairs");
    item->item = (es_item){ES_ITEM_WORST, s};
    item->out.model = model;
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

es_status es_session_worst_start(es_session *s, size_t entry, size_t model, es_error *err) {
    es_session_worst_stop(s);
    es_status st = start(s, entry, model, &s->worst_error);
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
    return s->worst.pair ? &s->worst : NULL;
}
