/* Where a measure does worst, in the background. It reads what people said about the rows,
 * which stays until the session closes. */
#include "alloc.h"
#include "measuring.h"
#include "session_state.h"

typedef struct worst_work {
    es_session *session;
    const es_measure *measure;
    es_measure_data data;
    const double *values; /* of the measure's settings; both are borrowed from an entry */
    es_worst out;
} worst_work;

static void work_deinit(void *data) {
    es_worst_list_free(&((worst_work *)data)->out.list);
}

static es_status compute(void *data, const es_run *run, es_error *err) {
    worst_work *work = data;
    es_session *s = work->session;
    bool two = work->out.other != SIZE_MAX;
    es_matrix m = {0}, other = {0}, queries = {0};
    es_status st = ES_OK;
    ES_TRY(es_run_check(run, err));
    ES_TRY(es_session_matrix(s, work->out.model, &m, err));
    if (two)
        ES_TRY(es_session_matrix(s, work->out.other, &other, err));
    else
        ES_TRY(es_session_measure_queries(s, work->out.model, &work->data, &queries, err));
    ES_TRY(es_worst_list_new(work->measure, &m, two ? &other : NULL, &work->data, work->values, run,
                             &work->out.list, err));
done:
    es_matrix_free(&m);
    es_matrix_free(&other);
    es_matrix_free(&queries);
    work->data.query_vectors = NULL;
    return st;
}

/* As for intervals: short, and somebody waits for it. */
static const es_errand_kind worst_rows = {compute, work_deinit, 1.0, NULL};

static bool possible(const es_measured *measured, size_t model, size_t other) {
    es_worst_kind kind = measured ? es_worst_kind_of(measured->measure) : ES_WORST_NONE;
    return kind != ES_WORST_NONE && model < measured->m &&
           (es_worst_of_two(kind) ? other < measured->m : other == SIZE_MAX);
}

static es_status start(es_session *s, size_t entry, size_t model, size_t other, es_error *err) {
    const es_measured *measured = es_session_measured(s, entry);
    if (!possible(measured, model, other))
        return es_fail(err, ES_EINVAL, "there is no list of what is worst by this measure");
    worst_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    work->session = s;
    work->measure = measured->measure;
    work->out.model = model;
    work->out.other = other;
    es_session_measure_inputs(s, entry, &work->data, &work->values);
    return es_errand_start(&s->worst, s->workers, s->log, &worst_rows, work, 0, err);
}

es_status es_session_worst_start(es_session *s, size_t entry, size_t model, size_t other,
                                 es_error *err) {
    es_session_worst_stop(s);
    es_status st = start(s, entry, model, other, &s->worst.error);
    if (st != ES_OK)
        return es_fail(err, st, "%s", s->worst.error.message);
    return ES_OK;
}

void es_session_worst_stop(es_session *s) {
    es_errand_stop(&s->worst, s->workers);
}

const es_worst *es_session_worst(const es_session *s, bool *busy, es_error *why) {
    const worst_work *newest = s->worst.newest;
    *busy = s->worst.job != NULL;
    *why = s->worst.error;
    return newest && newest->out.list.line ? &newest->out : NULL;
}
