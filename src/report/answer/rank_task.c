/* Works on copies of the matrix, of the table of per-row values and of families. The values
 * themselves are borrowed from the results, as is a matrix from a file: those of a finished pair
 * stay until the session closes, and closing ends the workers first. */
#include "report_answer.h"

#include <string.h>

typedef struct decision_work {
    es_decision_problem problem;
    double *is;      // (4, m, m) with their errors and the information matrix; NULL: borrowed
    uint32_t *order; // (3, m) by name, as documents draw too; families; series
    bool *voting;    // (2, m) with controls
    float **pmi;     // (m, m) of the results; NULL: not known
    es_decision *out;
} decision_work;

static void work_deinit(void *data) {
    decision_work *work = data;
    es_free(work->is);
    es_free(work->order);
    es_free(work->voting);
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
static const es_latest_task_kind kind = {compute, work_deinit, 1.0, "ranking"};

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
    work->voting = es_alloc(m + 1, 2 * sizeof *work->voting);
    if ((!borrowed && !work->is) || !work->order || (problem->pmi && !work->pmi) || !work->voting)
        return es_no_memory(err);
    work->problem = *problem;
    if (!borrowed)
        copy_matrices(problem, work);
    work->problem.order = copy(work->order, problem->order, m * sizeof *work->order);
    work->problem.family = copy(work->order + m, problem->family, m * sizeof *work->order);
    work->problem.series = copy(work->order + 2 * m, problem->series, m * sizeof *work->order);
    work->problem.rule.voting = copy(work->voting, problem->rule.voting, m);
    work->problem.control = copy(work->voting + m, problem->control, m);
    work->problem.pmi = copy(work->pmi, problem->pmi, pairs * sizeof *work->pmi);
    work->problem.rule.family = NULL;
    return ES_OK;
}

es_status es_rank_task_start(es_session *s, const es_decision_problem *problem, uint64_t tag,
                             es_error *err) {
    const es_results *results = es_session_results(s, 0);
    if (!results || problem->m == 0 || !problem->order)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    decision_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    es_status st = copy_problem(s, problem, work, err);
    if (st == ES_OK)
        return es_session_task_start(s, ES_TASK_RANKING, &kind, work, tag, err);
    work_deinit(work);
    es_free(work);
    return st;
}

const es_decision *es_rank_task_newest(const es_session *s) {
    const decision_work *newest = es_session_task(s, ES_TASK_RANKING)->newest;
    return newest ? newest->out : NULL;
}
