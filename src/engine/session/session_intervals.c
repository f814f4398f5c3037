/* Ranking intervals in the background: one job at a time, of which only the newest counts.
 *
 * The job works on copies of the matrix and of the table of per-row values. The values themselves
 * are borrowed from the results: those of a finished pair stay until the session closes, and
 * closing ends the workers first. */
#include <string.h>

#include "alloc.h"
#include "clock.h"
#include "order.h"
#include "session_internal.h"

/* Above the work on pairs, whose jobs give way between two pairs (es_workers_wanted): a bootstrap
 * is short, and a ranking without intervals is no ranking. Also computed while the run is paused.
 */
#define PRIORITY 1.0

static es_status compute(void *data, es_job_context *context, es_error *err) {
    es_intervals_item *item = data;
    double start = es_clock_now();
    es_status st = es_intervals_new(&item->problem, context->run, &item->out, err);
    item->seconds = es_clock_now() - start;
    return st;
}

static es_status new_item(es_session *s, const es_bootstrap *problem, uint64_t tag,
                          es_intervals_item **out, es_error *err) {
    size_t pairs = problem->m * problem->m;
    es_intervals_item *item = es_alloc_zero(1, sizeof *item);
    if (!item)
        return es_no_memory(err);
    item->item = (es_item){ES_ITEM_INTERVALS, s};
    item->tag = tag;
    item->problem = *problem;
    item->is = es_alloc(pairs, sizeof *item->is);
    item->order = es_alloc(problem->m, sizeof *item->order);
    item->pmi = problem->pmi ? es_alloc(pairs, sizeof *item->pmi) : NULL;
    if (!item->is || !item->order || (problem->pmi && !item->pmi)) {
        es_item_free(&item->item);
        return es_no_memory(err);
    }
    memcpy(item->is, problem->is, pairs * sizeof *item->is);
    if (item->pmi)
        memcpy(item->pmi, problem->pmi, pairs * sizeof *item->pmi);
    item->problem.is = item->is;
    item->problem.order = item->order;
    item->problem.pmi = item->pmi;
    const es_results *r = es_session_results(s, 0);
    const es_order_keys keys = {.m = r->m, .name = (const char *const *)r->name};
    es_status st = es_order_make(ES_ORDER_NAME, &keys, item->order, err);
    if (st != ES_OK)
        es_item_free(&item->item);
    else
        *out = item;
    return st;
}

es_status es_session_intervals_start(es_session *s, const es_bootstrap *problem, uint64_t tag,
                                     es_error *err) {
    es_intervals_item *item = NULL;
    es_job *job = NULL;
    const es_results *results = es_session_results(s, 0);
    if (!results || problem->m == 0 || problem->m != results->m)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    if (problem->rule.family)
        return es_fail(err, ES_EINVAL, "intervals in the background do not take families");
    es_status st = new_item(s, problem, tag, &item, err);
    if (st != ES_OK)
        return st;
    if (es_workers_threads(s->workers) == 0) /* a session that only shows */
        st = es_workers_resize(s->workers, 1, err);
    if (st == ES_OK)
        st = es_workers_add(s->workers, compute, item, tag, PRIORITY, &job, err);
    if (st != ES_OK) {
        es_item_free(&item->item);
        return st;
    }
    if (s->sure_job)
        es_workers_cancel(s->workers, s->sure_job);
    s->sure_job = job;
    return ES_OK;
}

void es_sure_apply(es_session *s, es_intervals_item *item, const es_job *job, es_status st,
                   const es_error *error) {
    if (job != s->sure_job)
        return; /* overtaken by a newer one */
    s->sure_job = NULL;
    if (st != ES_OK && st != ES_ECANCELED)
        es_log_write(s->log, ES_LOG_ERROR, "intervals: %s", error->message);
    if (st != ES_OK)
        return;
    es_intervals_free(s->sure);
    s->sure = item->out;
    s->sure_tag = item->tag;
    s->sure_seconds = item->seconds;
    item->out = NULL;
}

const es_intervals *es_session_intervals(const es_session *s, uint64_t *tag, bool *busy) {
    *tag = s->sure_tag;
    *busy = s->sure_job != NULL;
    return s->sure;
}

double es_session_intervals_seconds(const es_session *s) {
    return s->sure_seconds;
}
