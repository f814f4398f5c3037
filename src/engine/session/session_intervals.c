/* Ranking intervals in the background.
 *
 * It works on copies of the matrix and of the table of per-row values. The values themselves
 * are borrowed from the results: those of a finished pair stay until the session closes, and
 * closing ends the workers first. */
#include <string.h>

#include "alloc.h"
#include "order.h"
#include "session_state.h"

typedef struct intervals_work {
    es_bootstrap problem;
    double *is;      // (m, m)
    uint32_t *order; // (m) by name, as documents draw too
    float **pmi;     // (m, m) of the results; NULL: not known
    es_intervals *out;
} intervals_work;

static void work_deinit(void *data) {
    intervals_work *work = data;
    es_free(work->is);
    es_free(work->order);
    es_free(work->pmi);
    es_intervals_free(work->out);
    *work = (intervals_work){0};
}

/* What it was computed from is let go at once: only the newest intervals stay. */
static es_status compute(void *data, const es_run *run, es_error *err) {
    intervals_work *work = data;
    es_intervals *out = NULL;
    es_status st = es_intervals_new(&work->problem, run, &out, err);
    work_deinit(work);
    work->out = out;
    return st;
}

/* Above the work on pairs, whose jobs give way between two pairs (es_workers_wanted): a bootstrap
 * is short, and a ranking without intervals is no ranking. Also computed while the run is paused.
 */
static const es_errand_kind kind = {compute, work_deinit, 1.0, "intervals"};

static es_status copy_problem(const es_session *s, const es_bootstrap *problem,
                              intervals_work *work, es_error *err) {
    size_t pairs = problem->m * problem->m;
    const es_results *r = es_session_results(s, 0);
    const es_order_keys keys = {.m = r->m, .name = (const char *const *)r->name};
    work->is = es_alloc(pairs, sizeof *work->is);
    work->order = es_alloc(problem->m, sizeof *work->order);
    work->pmi = problem->pmi ? es_alloc(pairs, sizeof *work->pmi) : NULL;
    if (!work->is || !work->order || (problem->pmi && !work->pmi))
        return es_no_memory(err);
    memcpy(work->is, problem->is, pairs * sizeof *work->is);
    if (work->pmi)
        memcpy(work->pmi, problem->pmi, pairs * sizeof *work->pmi);
    work->problem = *problem;
    work->problem.is = work->is;
    work->problem.order = work->order;
    work->problem.pmi = work->pmi;
    return es_order_make(ES_ORDER_NAME, &keys, work->order, err);
}

es_status es_session_intervals_start(es_session *s, const es_bootstrap *problem, uint64_t tag,
                                     es_error *err) {
    const es_results *results = es_session_results(s, 0);
    if (!results || problem->m == 0 || problem->m != results->m)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    if (problem->rule.family)
        return es_fail(err, ES_EINVAL, "intervals in the background do not take families");
    intervals_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    es_status st = copy_problem(s, problem, work, err);
    if (st == ES_OK)
        return es_errand_start(&s->intervals, s->workers, s->log, &kind, work, tag, err);
    work_deinit(work);
    es_free(work);
    return st;
}

const es_intervals *es_session_intervals(const es_session *s, uint64_t *tag, bool *busy) {
    const intervals_work *newest = s->intervals.newest;
    *tag = s->intervals.tag;
    *busy = s->intervals.job != NULL;
    return newest ? newest->out : NULL;
}

double es_session_intervals_seconds(const es_session *s) {
    return s->intervals.seconds;
}
