/* Every measure of a pool side by side: a column each for information sufficiency, the chosen
 * measures, the dimension and what else is known, higher always better, with how far they agree and
 * with what is downstream. Embedders without a value are NaN and left out of the pairs of columns
 * that need it. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_answer.h"

void es_agree_scores_deinit(es_agree_scores *s) {
    for (size_t i = 0; i < s->k; i++) {
        es_free(s->name[i]);
        es_free(s->about[i]);
        es_free(s->remark[i]);
    }
    es_free(s->name);
    es_free(s->about);
    es_free(s->remark);
    es_free(s->column);
    es_free(s->negated);
    es_free(s->seconds);
    es_free(s->downstream);
    es_free(s->task);
    es_free(s->control);
    es_free(s->counts);
    es_free(s->family);
    es_agreement_free(s->agreement);
    *s = (es_agree_scores){0};
}

/* Room for one more column; *out is its values, not set. */
static es_status add_column(es_agree_scores *s, const char *name, const char *about, bool negated,
                            double **out, es_error *err) {
    char **names = es_realloc(s->name, s->k + 1, sizeof *names);
    if (names)
        s->name = names;
    char **abouts = es_realloc(s->about, s->k + 1, sizeof *abouts);
    if (abouts)
        s->about = abouts;
    char **remarks = es_realloc(s->remark, s->k + 1, sizeof *remarks);
    if (remarks)
        s->remark = remarks;
    double *column = es_realloc(s->column, (s->k + 1) * s->n, sizeof *column);
    if (column)
        s->column = column;
    bool *signs = es_realloc(s->negated, s->k + 1, sizeof *signs);
    if (signs)
        s->negated = signs;
    double *seconds = es_realloc(s->seconds, s->k + 1, sizeof *seconds);
    if (seconds)
        s->seconds = seconds;
    if (!names || !abouts || !remarks || !column || !signs || !seconds)
        return es_no_memory(err);
    s->name[s->k] = es_strdup(name);
    s->about[s->k] = es_strdup(about);
    s->remark[s->k] = NULL;
    s->negated[s->k] = negated;
    s->seconds[s->k] = (double)NAN;
    if (!s->name[s->k] || !s->about[s->k]) {
        es_free(s->name[s->k]);
        es_free(s->about[s->k]);
        return es_no_memory(err);
    }
    *out = s->column + s->k++ * s->n;
    return ES_OK;
}

/* What is to be minded of the newest column; NULL: nothing. */
static es_status remark(es_agree_scores *s, const char *text, es_error *err) {
    char **to = &s->remark[s->k - 1];
    return !text || (*to = es_strdup(text)) ? ES_OK : es_no_memory(err);
}

es_status es_agree_scores_init(es_agree_scores *s, es_session *session, const es_results *names,
                               es_error *err) {
    *s = (es_agree_scores){.n = names->m};
    s->control = es_alloc_zero(s->n, sizeof *s->control);
    s->counts = es_alloc(s->n, sizeof *s->counts);
    s->family = es_alloc(s->n, sizeof *s->family);
    if (!s->control || !s->counts || !s->family)
        return es_no_memory(err);
    ES_PASS(es_downstream_groups_of(session, names, s->counts, s->family, err));
    for (size_t i = 0; i < s->n; i++) {
        s->control[i] = es_is_control(names->family[i]);
        s->controls += s->control[i];
    }
    return ES_OK;
}

/* Of all pairs that are known. */
static double seconds_of(const es_results *r) {
    double sum = 0;
    for (size_t i = 0; i < r->m * r->m; i++)
        sum += isfinite(r->seconds[i]) ? r->seconds[i] : 0;
    return r->done > 0 ? sum : (double)NAN;
}

/* What to mind, and before it another rule than the score is made by of itself. */
static es_status remark_rule(es_agree_scores *s, const es_rank_report *report, const char *text,
                             es_error *err) {
    const es_score_rule *rule = &report->rule;
    bool usual = !rule->include_self && !rule->leave_family_out &&
                 (report->score == ES_SCORE_PREDICTIVE || rule->aggregate == ES_AGGREGATE_MEDIAN);
    es_buf both = {0};
    if (usual)
        return remark(s, text, err);
    es_buf_printf(&both, "%s over %s%s%s", es_rank_report_aggregate(report),
                  es_rank_report_voting(report), text ? "; " : "", text ? text : "");
    es_status st = es_buf_check(&both, err);
    if (st == ES_OK)
        st = remark(s, both.data, err);
    es_buf_free(&both);
    return st;
}

es_status es_agree_scores_add_ranking(es_agree_scores *s, const char *name, const es_results *r,
                                      const es_rank_choices *how, es_error *err) {
    es_rank_report *report = NULL;
    char about[120];
    double *to = NULL;
    bool lower = es_rank_lower_is_better(r);
    ES_PASS(es_rank_report_new(r, how, &report, err));
    bool predictive = report->score == ES_SCORE_PREDICTIVE;
    (void)snprintf(about, sizeof about, "%s, %s %s",
                   predictive ? "predictive score"
                   : lower    ? "error"
                              : "information sufficiency",
                   r->estimator->name, es_results_preset(r));
    es_status st = add_column(s,
                              name         ? name
                              : lower      ? r->estimator->name
                              : predictive ? "predictive"
                                           : "is",
                              about, lower, &to, err);
    if (st == ES_OK)
        st = remark_rule(s, report, r->remark, err);
    if (st == ES_OK)
        s->seconds[s->k - 1] = seconds_of(r);
    for (size_t i = 0; st == ES_OK && i < s->n; i++)
        to[i] = lower ? -report->ranking->score[i] : report->ranking->score[i];
    es_rank_report_free(report);
    return st;
}

es_status es_agree_scores_add_stored(es_agree_scores *s, const es_stored_score *stored,
                                     es_error *err) {
    const es_estimator *estimator = stored->estimator;
    char about[120];
    double *to = NULL;
    (void)snprintf(about, sizeof about, "%s, %s default",
                   estimator->lower_is_better ? "error" : "information sufficiency",
                   estimator->name);
    ES_PASS(add_column(s, estimator->name, about, estimator->lower_is_better, &to, err));
    s->seconds[s->k - 1] = stored->seconds;
    memcpy(to, stored->score, s->n * sizeof *to);
    return remark(s, stored->remark, err);
}

/* Why nobody has a value, by what the first says; NULL: somebody has, or it is of pairs. */
static const char *why_none(const es_measured *measured, size_t field, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (measured->measure->pair || measured->state[i] != ES_PAIR_DONE ||
            isfinite(measured->value[i * measured->width + field].value))
            return NULL;
    return n > 0 ? measured->value[field].why : NULL;
}

es_status es_agree_scores_add_measure(es_agree_scores *s, const char *name,
                                      const es_measured *measured, size_t field, es_error *err) {
    const es_measure *m = measured->measure;
    double *to = NULL;
    es_status st =
        add_column(s, name, m->pair ? "median over the other embedders" : m->fields[field].title,
                   es_measure_is_lower_better(m, field), &to, err);
    if (st != ES_OK)
        return st;
    s->seconds[s->k - 1] = es_measured_seconds(measured);
    char told[ES_MEASURED_REMARK], text[ES_MEASURED_REMARK + 96];
    bool remarked = es_measured_remark(measured, told, sizeof told);
    const char *why = why_none(measured, field, s->n);
    (void)snprintf(text, sizeof text, "%s%s%s%s", why ? "no value: " : "", why ? why : "",
                   why && remarked ? "; " : "", remarked ? told : "");
    st = remark(s, why || remarked ? text : NULL, err);
    return st == ES_OK ? es_measured_column(measured, field, to, err) : st;
}

es_status es_agree_scores_add_dimension(es_agree_scores *s, const es_results *names,
                                        es_error *err) {
    double *to = NULL;
    es_status st = add_column(s, "dimension", "columns of the embedder", false, &to, err);
    for (size_t i = 0; st == ES_OK && i < s->n; i++)
        to[i] = names->dim[i] > 0 ? (double)names->dim[i] : (double)NAN;
    if (st == ES_OK)
        s->seconds[s->k - 1] = 0;
    return st;
}

es_status es_agree_scores_add_known(es_agree_scores *s, const es_results *names,
                                    const es_scores *known, const char *about, es_error *err) {
    es_status st = ES_OK;
    for (size_t t = 0; st == ES_OK && t < known->tasks; t++) {
        double *to = NULL;
        st = add_column(s, known->task[t], about, false, &to, err);
        for (size_t i = 0; st == ES_OK && i < s->n; i++) {
            size_t at = es_scores_find(known, names->name[i]);
            to[i] = at == SIZE_MAX ? (double)NAN : known->value[at * known->tasks + t];
        }
    }
    return st;
}

/* Rows of the embedders that count in the scores. */
static size_t *rows_of(const es_agree_scores *s, const es_results *names, const es_scores *scores,
                       size_t *unknown, es_error *err) {
    size_t *row = es_alloc(s->n, sizeof *row);
    if (!row)
        (void)es_no_memory(err);
    *unknown = 0;
    for (size_t i = 0; row && i < s->n; i++) {
        row[i] = es_scores_find(scores, names->name[i]);
        *unknown += row[i] == SIZE_MAX;
    }
    if (row)
        es_downstream_rows(s->counts, s->n, row);
    return row;
}

es_status es_agree_scores_tasks(const es_agree_scores *s, const es_results *names,
                                const es_scores *scores, double **out, size_t *unknown,
                                es_error *err) {
    es_status st = ES_OK;
    size_t *row = rows_of(s, names, scores, unknown, err);
    double *y = es_alloc(s->n, es_task_columns(scores) * sizeof *y);
    ES_FAIL_IF(!row || !y, es_no_memory(err));
    ES_TRY(es_task_columns_fill(scores, row, s->n, y, NULL, err));
    *out = y;
    y = NULL;
done:
    es_free(row);
    es_free(y);
    return st;
}

bool es_agree_scores_controls_last(const es_agree_scores *s, size_t k) {
    double best = -HUGE_VAL, worst = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++) {
        double v = s->column[k * s->n + i];
        if (s->control[i] && isfinite(v))
            best = v > best ? v : best;
        else if (isfinite(v))
            worst = v < worst ? v : worst;
    }
    return isfinite(best) && isfinite(worst) && best < worst;
}

static const char *weighted_word(const es_scores *scores) {
    return es_scores_are_weighted(scores) ? " weighted" : "";
}

/* "mean of 15 tasks", of those that tell embedders apart. NULL: out of memory. */
static char *title_of(const es_scores *scores, size_t column, const size_t *row, size_t n) {
    char text[80];
    size_t tasks = es_task_columns_summed(scores, row, n);
    if (column < scores->tasks)
        return es_strdup(scores->task[column]);
    (void)snprintf(text, sizeof text, "%s %s %zu%s task%s", es_task_column_name(scores, column),
                   column == scores->tasks + ES_TASK_MEAN ? "of" : "over", tasks,
                   weighted_word(scores), tasks == 1 ? "" : "s");
    return es_strdup(text);
}

es_status es_agree_scores_against(es_agree_scores *s, const es_results *names,
                                  const es_scores *scores, size_t column, size_t *unknown,
                                  es_error *err) {
    es_status st = ES_OK;
    double *y = NULL;
    size_t *row = rows_of(s, names, scores, unknown, err);
    s->downstream = es_alloc(s->n, sizeof *s->downstream);
    s->task = row ? title_of(scores, column, row, s->n) : NULL;
    ES_FAIL_IF(!s->downstream || !s->task, es_no_memory(err));
    ES_TRY(es_agree_scores_tasks(s, names, scores, &y, unknown, err));
    memcpy(s->downstream, y + column * s->n, s->n * sizeof *y);
    s->turned = es_task_column_is_turned(scores, column);
    for (size_t i = 0; i < s->n; i++)
        s->scored += isfinite(s->downstream[i]) ? 1 : 0;
done:
    es_free(row);
    es_free(y);
    return st;
}

es_status es_agree_scores_against_ranks(es_agree_scores *s, const es_results *names,
                                        const es_scores *scores, size_t *unknown, es_error *err) {
    size_t *row = rows_of(s, names, scores, unknown, err);
    s->ranked_tasks = row ? es_task_columns_telling(scores, row, s->n) : 0;
    s->downstream = es_alloc(s->n, sizeof *s->downstream);
    s->task = row ? title_of(scores, es_downstream_column(scores), row, s->n) : NULL;
    bool whole = row && s->downstream && s->task;
    es_free(row);
    if (!whole)
        return es_no_memory(err);
    double *among = es_alloc(s->n + 1, sizeof *among);
    if (!among)
        return es_no_memory(err);
    for (size_t i = 0; i < s->n; i++)
        among[i] = s->counts[i] ? 0 : (double)NAN;
    es_status st = es_downstream_percentiles(names, NULL, NULL, among, scores, s->downstream, err);
    es_free(among);
    for (size_t i = 0; st == ES_OK && i < s->n; i++)
        s->scored += isfinite(s->downstream[i]) ? 1 : 0;
    return st;
}

es_status es_agree_scores_against_same(es_agree_scores *s, const es_agree_scores *other,
                                       es_error *err) {
    if (!other->downstream)
        return ES_OK;
    s->downstream = es_alloc(s->n, sizeof *s->downstream);
    s->task = es_strdup(other->task);
    if (!s->downstream || !s->task)
        return es_no_memory(err);
    memcpy(s->downstream, other->downstream, s->n * sizeof *s->downstream);
    s->turned = other->turned;
    s->scored = other->scored;
    return ES_OK;
}

es_status es_agree_scores_settle(es_agree_scores *s, uint64_t seed, es_error *err) {
    const es_correlate_options options = {.seed = seed, .family = s->family};
    return es_agreement_new(s->column, s->k, s->downstream, s->n, &options, NULL, &s->agreement,
                            err);
}

es_status es_agree_scores_settle_against(es_agree_scores *s, uint64_t seed, es_error *err) {
    const es_correlate_options options = {.seed = seed, .family = s->family};
    return es_agreement_of_downstream(s->column, s->k, s->downstream, s->n, &options, &s->agreement,
                                      err);
}
