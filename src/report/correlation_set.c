/* Scores against downstream tasks: the joined embedders best first, every task and the mean rank
 * and mean over tasks correlated with the score, and beside it what the dimension or l2 would say
 * alone. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_answer.h"

const char *const es_baseline_names[ES_BASELINES] = {"dimension", "l2"};

const char *es_correlation_task(const es_correlation_set *set, size_t column) {
    return es_task_column_name(set->scores, column);
}

size_t es_correlation_overall(const es_correlation_set *set) {
    return es_downstream_column(set->scores);
}

bool es_correlation_is_turned(const es_correlation_set *set, size_t column) {
    return es_task_column_is_turned(set->scores, column);
}

void es_correlation_set_free(es_correlation_set *set) {
    if (set == NULL)
        return;
    for (size_t b = 0; b < ES_BASELINES; b++)
        es_free(set->baseline[b]);
    es_free(set->at);
    es_free(set->at_scores);
    es_free(set->score);
    es_free(set->family);
    es_free(set->y);
    es_free(set->residual);
    es_free(set->report);
    es_free(set->drawn);
    es_free(set);
}

/* The joined embedders, best first, without a score last; ties by name. */
typedef struct place {
    double score;
    const char *name;
    size_t at;
} place;

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (isnan(x->score) != isnan(y->score))
        return isnan(x->score) ? 1 : -1;
    if (x->score > y->score || x->score < y->score)
        return x->score > y->score ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Joins the embedders with the models of scores.csv. */
static es_status take_joined(es_correlation_set *set, const es_scored *scored,
                             const size_t *partner, es_error *err) {
    place *places = es_alloc(scored->n, sizeof *places);
    if (places == NULL)
        return es_no_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < scored->n; i++)
        if (partner[i] != SIZE_MAX && scored->counts[i])
            places[n++] = (place){scored->score[i], scored->name[i], i};
    qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++) {
        set->at[i] = places[i].at;
        set->at_scores[i] = partner[places[i].at];
        set->score[i] = places[i].score;
        set->family[i] = scored->family[places[i].at];
    }
    es_free(places);
    return ES_OK;
}

es_status es_correlation_all(const double *x, const double *y, size_t n,
                             es_stat out[ES_CORRELATIONS], es_error *err) {
    es_status st = ES_OK;
    for (int k = 0; st == ES_OK && k < ES_CORRELATIONS; k++)
        st = es_correlate((es_correlation)k, x, y, n, &out[k], err);
    return st;
}

/* Copies the tasks of the joined models, and their sums. */
static es_status take_scores(es_correlation_set *set, es_error *err) {
    es_status st =
        es_task_columns_fill(set->scores, set->at_scores, set->n, set->y, &set->complete, err);
    return st != ES_OK || set->tasks < 2
               ? st
               : es_task_columns_sum(set->scores, set->n, set->score, set->y, &set->complete, err);
}

/* A baseline's values (n) of those that have a score, as what it is set beside; with *known true
 * where there are some of anyone. */
static void take_baseline(const es_correlation_set *set, const es_scored *scored, es_baseline which,
                          double *out, bool *known) {
    *known = false;
    for (size_t i = 0; i < set->n; i++) {
        double dim = scored->dim[set->at[i]];
        out[i] = which == ES_BASELINE_L2 ? scored->l2[set->at[i]]
                 : dim > 0               ? log(dim)
                                         : (double)NAN;
        *known = *known || isfinite(out[i]);
        if (!isfinite(set->score[i]))
            out[i] = (double)NAN;
    }
}

static es_status correlate_baseline(es_correlation_set *set, es_baseline which, const double *x,
                                    es_error *err) {
    size_t n = set->n;
    set->baseline[which] = es_alloc_zero(set->columns, sizeof *set->baseline[which]);
    if (set->baseline[which] == NULL)
        return es_no_memory(err);
    for (size_t c = 0; c < set->columns; c++) {
        es_baseline_report *report = &set->baseline[which][c];
        for (size_t i = 0; i < n; i++)
            report->n += isfinite(x[i]) && isfinite(set->y[c * n + i]) ? 1 : 0;
        ES_PASS(es_correlation_all(x, set->y + c * n, n, report->value, err));
        for (int k = 0; k < ES_CORRELATIONS && report->n < 3; k++)
            report->value[k] = es_stat_undefined(ES_WHY_FEW);
    }
    return ES_OK;
}

static es_status correlate_all(es_correlation_set *set, const es_scored *scored,
                               const es_correlate_options *options, const bool *draw,
                               const es_run *run, es_error *err) {
    es_status st = ES_OK;
    size_t n = set->n;
    double *base = es_alloc(n, ES_BASELINES * sizeof *base);
    if (base == NULL)
        return es_no_memory(err);
    for (size_t b = 0; b < ES_BASELINES; b++) {
        take_baseline(set, scored, (es_baseline)b, base + b * n, &set->has[b]);
        if (set->has[b])
            ES_TRY(correlate_baseline(set, (es_baseline)b, base + b * n, err));
    }
    es_correlate_options by_family = *options;
    by_family.family = set->family;
    for (size_t c = 0; c < set->columns; c++) {
        set->drawn[c] = !draw || draw[c];
        by_family.without_draws = !set->drawn[c];
        ES_TRY(es_run_check(run, err));
        ES_TRY(es_correlate_task(set->score, set->y + c * n,
                                 set->has[ES_BASELINE_DIM] ? base : NULL, n, &by_family, run,
                                 set->residual + c * n, &set->report[c], err));
    }
done:
    es_free(base);
    return st;
}

/* Over the embedders that the mean rank is of, as the ranking's downstream part takes them. */
static es_status take_worth(es_correlation_set *set, es_error *err) {
    const double *overall = set->y + es_correlation_overall(set) * set->n;
    size_t telling = es_task_columns_telling(set->scores, set->at_scores, set->n);
    set->worth = (es_worth){(double)NAN, (double)NAN, (double)NAN};
    double *y = telling < ES_DOWNSTREAM_WORTH ? NULL : es_alloc(set->tasks * set->n + 1, sizeof *y);
    if (y == NULL)
        return telling < ES_DOWNSTREAM_WORTH ? ES_OK : es_no_memory(err);
    for (size_t t = 0; t < set->tasks; t++)
        for (size_t i = 0; i < set->n; i++)
            y[t * set->n + i] =
                isnan(overall[i]) || isnan(set->score[i]) ? (double)NAN : set->y[t * set->n + i];
    es_status st = es_worth_of(set->score, y, set->tasks, set->n, &set->worth, err);
    es_free(y);
    return st;
}

/* draw (columns): those whose intervals and p are drawn; NULL: all. */
static es_status set_new(const es_scored *scored, const es_scores *scores, const size_t *partner,
                         const es_correlate_options *options, const bool *draw, const es_run *run,
                         es_correlation_set **out, es_error *err) {
    es_status st = ES_OK;
    es_correlation_set *set = es_alloc_zero(1, sizeof *set);
    if (set == NULL)
        return es_no_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < scored->n; i++) {
        n += partner[i] != SIZE_MAX && scored->counts[i];
        set->left_out += partner[i] != SIZE_MAX && !scored->counts[i];
    }
    set->n = n;
    set->tasks = scores->tasks;
    set->columns = es_task_columns(scores);
    set->scores = scores;
    set->at = es_alloc(n, sizeof *set->at);
    set->at_scores = es_alloc(n, sizeof *set->at_scores);
    set->score = es_alloc(n, sizeof *set->score);
    set->family = es_alloc(n, sizeof *set->family);
    set->y = es_alloc(n, set->columns * sizeof *set->y);
    set->residual = es_alloc(n, set->columns * sizeof *set->residual);
    set->report = es_alloc_zero(set->columns, sizeof *set->report);
    set->drawn = es_alloc_zero(set->columns, sizeof *set->drawn);
    ES_FAIL_IF(!set->at || !set->at_scores || !set->score || !set->family || !set->y ||
                   !set->residual || !set->report || !set->drawn,
               es_no_memory(err));
    ES_TRY(take_joined(set, scored, partner, err));
    ES_TRY(take_scores(set, err));
    ES_TRY(correlate_all(set, scored, options, draw, run, err));
    ES_TRY(take_worth(set, err));
    *out = set;
    set = NULL;
done:
    es_correlation_set_free(set);
    return st;
}

es_status es_correlation_set_new(const es_scored *scored, const es_scores *scores,
                                 const size_t *partner, const es_correlate_options *options,
                                 es_correlation_set **out, es_error *err) {
    return set_new(scored, scores, partner, options, NULL, NULL, out, err);
}

/* ---- In the background ---- */

static void correlation_work_deinit(void *work);

void es_correlation_work_free(es_correlation_work *work) {
    if (work == NULL)
        return;
    correlation_work_deinit(work);
    es_free(work);
}

static void correlation_work_deinit(void *data) {
    es_correlation_work *work = data;
    es_correlation_set_free(work->set);
    es_scored_deinit(&work->scored);
    es_scores_deinit(&work->scores);
    es_free((void *)work->name);
    es_free(work->partner);
    es_free(work->draw);
    *work = (es_correlation_work){0};
}

es_status es_correlation_work_new(size_t n, const es_scores *scores, es_correlation_work **out,
                                  es_error *err) {
    es_status st = ES_OK;
    size_t columns = es_task_columns(scores);
    const es_scores table = {.models = scores->models,
                             .tasks = scores->tasks,
                             .model = scores->model,
                             .task = scores->task,
                             .value = scores->value,
                             .about = scores->about};
    es_correlation_work *work = es_alloc_zero(1, sizeof *work);
    ES_FAIL_IF(!work, es_no_memory(err));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    work->name = es_alloc_zero(n + 1, sizeof *work->name);
    work->partner = es_alloc(n + 1, sizeof *work->partner);
    work->draw = es_alloc_zero(columns + 1, sizeof *work->draw);
    ES_FAIL_IF(!work->name || !work->partner || !work->draw, es_no_memory(err));
    ES_TRY(es_scored_new(work->name, n, &work->scored, err));
    ES_TRY(es_scores_copy(&table, &work->scores, err));
    *out = work;
    work = NULL;
done:
    es_correlation_work_free(work);
    return st;
}

es_status es_correlation_work_run(void *data, es_run *run, es_error *err) {
    es_correlation_work *work = data;
    const es_correlate_options options = {.seed = work->seed};
    return set_new(&work->scored, &work->scores, work->partner, &options, work->draw, run,
                   &work->set, err);
}

es_status es_correlation_take_start(es_session *session, es_correlation_work *work, uint64_t tag,
                                    es_error *err) {
    static const es_latest_task_kind kind = {es_correlation_work_run, correlation_work_deinit, 1.0,
                                             "correlation"};
    return es_session_task_start(session, ES_TASK_CORRELATION, &kind, work, tag, err);
}

const es_correlation_set *es_correlation_newest(const es_session *session) {
    const es_correlation_work *newest = es_session_task(session, ES_TASK_CORRELATION)->newest;
    return newest ? newest->set : NULL;
}

/* The numbers that results hold of a pair, by name. */

double es_pair_value_of(const es_results *r, es_pair_value value, size_t source, size_t target) {
    size_t at = source * r->m + target;
    switch (value) {
    case ES_VALUE_IS:
        return r->is[at];
    case ES_VALUE_SE:
        return r->se[at];
    case ES_VALUE_H_COND:
        return r->h_cond[at];
    case ES_VALUE_ASYMMETRY:
        return r->is[at] - r->is[target * r->m + source];
    case ES_VALUE_SECONDS:
        return r->seconds[at];
    case ES_VALUE_TOTAL:
        return r->dim_used[target] > 0 ? r->is[at] * (double)r->dim_used[target] : (double)NAN;
    case ES_VALUE_H:
        return r->state[at] == ES_PAIR_DONE ? r->h[target] : (double)NAN;
    }
    return (double)NAN;
}

const char *es_pair_value_of_error(es_pair_value value) {
    switch (value) {
    case ES_VALUE_IS:
    case ES_VALUE_H_COND: /* the same number */
        return "error of predicting the target from the source: lower is better";
    case ES_VALUE_SE:
        return "standard error of the error";
    case ES_VALUE_ASYMMETRY:
        return "error(row, column) - error(column, row)";
    case ES_VALUE_SECONDS:
        return "seconds of a processor";
    case ES_VALUE_TOTAL:
        return "error of predicting the target, summed over its dimensions";
    case ES_VALUE_H:
        return "error of predicting the target by its mean";
    }
    return NULL;
}

/* What is set against downstream scores: the ranking or a measure, the right way round, with the
 * baselines that it has to be better than. */

es_status es_scored_new(const char *const *name, size_t n, es_scored *out, es_error *err) {
    *out = (es_scored){.n = n, .name = name};
    out->score = es_alloc(n, sizeof *out->score);
    out->dim = es_alloc(n, sizeof *out->dim);
    out->l2 = es_alloc(n, sizeof *out->l2);
    out->counts = es_alloc(n, sizeof *out->counts);
    out->family = es_alloc(n, sizeof *out->family);
    if (!out->score || !out->dim || !out->l2 || !out->counts || !out->family)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        out->score[i] = out->dim[i] = out->l2[i] = NAN;
        out->counts[i] = true;
        out->family[i] = (uint32_t)i;
    }
    return ES_OK;
}

void es_scored_deinit(es_scored *scored) {
    es_free(scored->score);
    es_free(scored->dim);
    es_free(scored->l2);
    es_free(scored->counts);
    es_free(scored->family);
    *scored = (es_scored){0};
}

/* decision: of these results; NULL: that of the session. */
static es_status new_of(es_session *session, const es_results *results, const es_decision *decision,
                        es_scored *out, es_error *err) {
    es_status st = es_scored_new((const char *const *)results->name, results->m, out, err);
    for (size_t i = 0; st == ES_OK && i < results->m; i++)
        if (results->dim[i])
            out->dim[i] = (double)results->dim[i];
    if (st == ES_OK && decision)
        es_downstream_groups(results, results, decision, out->counts, out->family);
    else if (st == ES_OK)
        st = es_downstream_groups_of(session, results, out->counts, out->family, err);
    return st;
}

/* Takes the stored score by the baseline estimator l2. */
static es_status take_l2(const es_session *session, es_scored *out, es_error *err) {
    es_stored_score l2 = {0};
    es_status st = es_session_baseline_read(session, &l2, err);
    for (size_t i = 0; st == ES_OK && i < l2.m; i++)
        out->l2[i] = l2.score[i];
    es_stored_score_deinit(&l2);
    return st;
}

es_status es_scored_of_report(es_session *session, const es_rank_report *report, es_scored *out,
                              es_error *err) {
    const es_results *results = report->results;
    ES_PASS(new_of(session, results, report->decision, out, err));
    out->negated = es_rank_lower_is_better(results);
    for (size_t i = 0; i < results->m; i++)
        if (report->ranking->rank[i] > 0)
            out->score[i] = out->negated ? -report->ranking->score[i] : report->ranking->score[i];
    return take_l2(session, out, err);
}

es_status es_scored_of_ranking(es_session *session, const es_rank_choices *how, es_scored *out,
                               es_rank_report **kept, es_error *err) {
    es_rank_report *report = NULL;
    es_status st = ES_OK;
    ES_TRY(es_rank_report_of(session, how, &report, err));
    ES_TRY(es_scored_of_report(session, report, out, err));
    *kept = report;
    report = NULL;
done:
    es_rank_report_free(report);
    return st;
}

es_status es_scored_of_measure(es_session *session, const es_measured *measured, size_t field,
                               es_scored *out, es_error *err) {
    ES_PASS(new_of(session, es_session_results(session, 0), NULL, out, err));
    out->negated = es_measure_is_lower_better(measured->measure, field);
    return es_measured_column(measured, field, out->score, err);
}
