/* What the ranking decides, in the background (decision.h).
 *
 * It works on copies of the matrix, of the table of per-row values and of families. The values
 * themselves are borrowed from the results, as is a matrix from a file: those of a finished pair
 * stay until the session closes, and closing ends the workers first. */
#include <string.h>

#include "alloc.h"
#include "session_state.h"

typedef struct decision_work {
    es_decision_problem problem;
    double *is;      // (4, m, m) with their errors and the information matrix; NULL: borrowed
    uint32_t *order; // (3, m) by name, as documents draw too; families; series
    bool *judges;    // (2, m) with controls
    float **pmi;     // (m, m) of the results; NULL: not known
    es_decision *out;
} decision_work;

static void work_deinit(void *data) {
    decision_work *work = data;
    es_free(work->is);
    es_free(work->order);
    es_free(work->judges);
    es_free(work->pmi);
    es_decision_free(work->out);
    *work = (decision_work){0};
}

/* What it was computed from is let go at once: only the newest decision stays. */
static es_status compute(void *data, const es_run *run, es_error *err) {
    decision_work *work = data;
    es_decision *out = NULL;
    es_status st = es_decision_new(&work->problem, run, &out, err);
    work_deinit(work);
    work->out = out;
    return st;
}

/* Above the work on pairs, whose jobs give way between two pairs (es_workers_wanted): it is short,
 * and a ranking that does not say how sure it is is no ranking. Also computed while the run is
 * paused. */
static const es_errand_kind kind = {compute, work_deinit, 1.0, "ranking"};

/* `size` bytes of `from` into `to`; NULL stays NULL. */
static const void *copy(void *to, const void *from, size_t size) {
    return from ? memcpy(to, from, size) : NULL;
}

static void copy_matrices(const es_decision_problem *from, decision_work *work) {
    size_t cells = from->m * from->m, size = cells * sizeof *work->is;
    work->problem.is = copy(work->is, from->is, size);
    work->problem.se = copy(work->is + cells, from->se, size);
    work->problem.information = copy(work->is + 2 * cells, from->information, size);
    work->problem.information_se = copy(work->is + 3 * cells, from->information_se, size);
}

static es_status copy_problem(const es_session *s, const es_decision_problem *problem,
                              decision_work *work, es_error *err) {
    size_t m = problem->m, pairs = m * m;
    const es_results *r = es_session_results(s, 0);
    bool borrowed = !r->estimator && problem->is == r->is;
    work->is = borrowed ? NULL : es_alloc(pairs, 4 * sizeof *work->is);
    work->order = es_alloc(m + 1, 3 * sizeof *work->order);
    work->pmi = problem->pmi ? es_alloc(pairs, sizeof *work->pmi) : NULL;
    work->judges = es_alloc(m + 1, 2 * sizeof *work->judges);
    if ((!borrowed && !work->is) || !work->order || (problem->pmi && !work->pmi) || !work->judges)
        return es_no_memory(err);
    work->problem = *problem;
    if (!borrowed)
        copy_matrices(problem, work);
    work->problem.order = copy(work->order, problem->order, m * sizeof *work->order);
    work->problem.family = copy(work->order + m, problem->family, m * sizeof *work->order);
    work->problem.series = copy(work->order + 2 * m, problem->series, m * sizeof *work->order);
    work->problem.rule.judges = copy(work->judges, problem->rule.judges, m);
    work->problem.control = copy(work->judges + m, problem->control, m);
    work->problem.pmi = copy(work->pmi, problem->pmi, pairs * sizeof *work->pmi);
    work->problem.rule.family = NULL;
    return ES_OK;
}

es_status es_session_decision_start(es_session *s, const es_decision_problem *problem, uint64_t tag,
                                    es_error *err) {
    const es_results *results = es_session_results(s, 0);
    if (!results || problem->m == 0 || !problem->order)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    decision_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    es_status st = copy_problem(s, problem, work, err);
    if (st == ES_OK)
        return es_errand_start(&s->decision, s->workers, s->log, &kind, work, tag, err);
    work_deinit(work);
    es_free(work);
    return st;
}

const es_decision *es_session_decision(const es_session *s, uint64_t *tag, bool *busy) {
    const decision_work *newest = s->decision.newest;
    *tag = s->decision.tag;
    *busy = s->decision.job != NULL;
    return newest ? newest->out : NULL;
}

double es_session_decision_seconds(const es_session *s) {
    return s->decision.seconds;
}
