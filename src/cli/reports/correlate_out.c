/* A correlation as a document: a row a task with intervals, what the dimension would say alone,
 * whose names did not join, and who does better downstream than the score predicts. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- json ---- */

static void put_interval(es_json *json, const char *key, const es_correlation_report *r,
                         es_correlation kind) {
    es_document_range(json, key, r->low[kind], r->high[kind]);
}

static const char *joined_name(const es_correlation_set *set, const char *const *name, size_t i) {
    return i == SIZE_MAX ? NULL : name[set->at[i]];
}

void es_correlation_task_json(es_json *json, const char *key, const es_correlation_set *set,
                              const char *const *name, size_t column) {
    const es_correlation_report *r = &set->report[column];
    es_json_begin_object(json, key);
    es_json_text(json, "task", es_correlation_task(set, column));
    es_json_bool(json, "lower_is_better", es_correlation_is_turned(set, column));
    es_json_uint(json, "n", r->n);
    for (int k = ES_PEARSON; k <= ES_KENDALL; k++)
        es_json_double(json, es_correlation_name((es_correlation)k), r->value[k].value);
    put_interval(json, "pearson_ci", r, ES_PEARSON);
    put_interval(json, "spearman_ci", r, ES_SPEARMAN);
    put_interval(json, "kendall_ci", r, ES_KENDALL);
    es_json_double(json, "n_effective", r->n_effective);
    es_json_uint(json, "families", r->families);
    es_json_double(json, "p", r->p_effective);
    es_json_double(json, "p_permutation", r->p.value);
    es_json_text(json, "reason", r->value[ES_SPEARMAN].why);
    es_document_range_reason(json, &r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n);
    es_json_double(json, "weighted_tau", r->value[ES_WEIGHTED_TAU].value);
    put_interval(json, "weighted_tau_ci", r, ES_WEIGHTED_TAU);
    es_document_range(json, "leave_one_out", r->leave_one_low, r->leave_one_high);
    const char *without[] = {joined_name(set, name, r->leave_one_low_at),
                             joined_name(set, name, r->leave_one_high_at)};
    es_document_names(json, "leave_one_out_without", without, NULL, 2);
    es_json_double(json, "partial_log_dim", r->partial.value);
    es_json_text(json, "partial_reason", r->partial.why);
    es_json_double(json, "top_half", r->top_half.value);
    es_json_text(json, "top_half_reason", r->top_half.why);
    es_json_uint(json, "n_top", r->n_top);
    es_json_double(json, "slope", r->slope.value);
    es_json_double(json, "intercept", r->intercept.value);
    es_json_bool(json, "few", r->few);
    es_json_end(json);
}

static void put_baseline(es_json *json, const es_correlation_view *v, es_baseline which) {
    es_json_begin_object(json, NULL);
    es_json_text(json, "name", es_baseline_names[which]);
    for (size_t c = es_json_list(json, "tasks"); es_json_list_next(json, &c, v->set->columns);) {
        const es_baseline_report *r = &v->set->baseline[which][c];
        es_json_text(json, "task", es_correlation_task(v->set, c));
        es_json_uint(json, "n", r->n);
        for (int k = 0; k < ES_CORRELATIONS; k++)
            es_json_double(json, es_correlation_name((es_correlation)k), r->value[k].value);
        es_json_text(json, "reason", r->value[ES_SPEARMAN].why);
    }
    es_json_end(json);
}

static void put_task_residuals(es_json *json, const es_correlation_set *set, size_t i) {
    es_json_begin_row(json, "residuals");
    for (size_t t = 0; t < set->tasks; t++)
        es_json_double(json, NULL, set->residual[t * set->n + i]);
    es_json_end(json);
}

/* As in the file. */
static void put_downstream(es_json *json, const es_correlation_set *set, size_t i) {
    es_json_begin_row(json, "downstream");
    for (size_t t = 0; t < set->tasks; t++) {
        double value = set->y[t * set->n + i];
        es_json_double(json, NULL, es_correlation_is_turned(set, t) ? -value : value);
    }
    es_json_end(json);
}

static void put_models(es_json *json, const es_cli *cli, const es_correlation_view *v) {
    const es_correlation_set *set = v->set;
    bool ranked = set->columns > set->tasks;
    es_json_begin_array(json, "models");
    for (size_t i = 0; i < set->n; i++) {
        if (v->session && !es_export_shows(cli, set->at[i]))
            continue;
        double dim = v->scored->dim[set->at[i]];
        const double *rank = set->y + set->tasks * set->n,
                     *residual = set->residual + set->tasks * set->n;
        es_json_begin_object(json, NULL);
        es_json_text(json, "name", v->scored->name[set->at[i]]);
        es_json_text(json, "name_in_scores", set->scores->model[set->at_scores[i]]);
        es_json_double(json, "score", v->scored->negated ? -set->score[i] : set->score[i]);
        es_json_double(json, "dim", dim);
        put_downstream(json, set, i);
        put_task_residuals(json, set, i);
        es_json_double(json, "mean_rank", ranked ? -rank[i] : (double)NAN);
        es_json_double(json, "mean_rank_residual", ranked ? residual[i] : (double)NAN);
        es_json_end(json);
    }
    es_json_end(json);
}

void es_correlation_unmatched_json(es_json *json, const es_join *join) {
    es_json_begin_object(json, "unmatched");
    es_json_begin_array(json, "ranking");
    for (size_t i = 0; i < join->na; i++)
        if (join->of_a[i] == SIZE_MAX)
            es_json_text(json, NULL, join->a[i]);
    es_json_end(json);
    es_json_begin_array(json, "scores");
    for (size_t i = 0; i < join->nb; i++)
        if (join->of_b[i] == SIZE_MAX)
            es_json_text(json, NULL, join->b[i]);
    es_json_end(json);
    es_json_end(json);
    es_json_begin_array(json, "proposals");
    for (size_t i = 0; i < join->na; i++)
        if (join->proposed[i] != SIZE_MAX) {
            es_json_begin_object(json, NULL);
            es_json_text(json, "ranking", join->a[i]);
            es_json_text(json, "scores", join->b[join->proposed[i]]);
            es_json_text(json, "differs_in", es_name_match_words(join->how[i]));
            es_json_end(json);
        }
    es_json_end(json);
}

static void put_kinds(es_json *json, const es_correlation_view *v) {
    const es_task_kinds *k = v->kinds;
    for (size_t c = es_json_list(json, "categories"); es_json_list_next(json, &c, k->count);) {
        const es_correlation_report *r = &k->kind[c].report;
        es_json_text(json, "category", k->kind[c].category);
        es_json_uint(json, "tasks", k->kind[c].tasks);
        es_json_uint(json, "n", r->n);
        for (int kind = ES_PEARSON; kind <= ES_KENDALL; kind++)
            es_json_double(json, es_correlation_name((es_correlation)kind), r->value[kind].value);
        put_interval(json, "pearson_ci", r, ES_PEARSON);
        put_interval(json, "spearman_ci", r, ES_SPEARMAN);
        put_interval(json, "kendall_ci", r, ES_KENDALL);
    }
    es_json_begin_object(json, "sizes");
    es_json_uint(json, "tasks", k->sized);
    es_json_double(json, "spearman", k->size.value);
    es_json_end(json);
    es_document_grouped(json, v->report);
    for (size_t c = es_json_list(json, "communities");
         es_json_list_next(json, &c, k->communities);) {
        es_json_uint(json, "community", k->community[c].community + 1u);
        es_json_uint(json, "n", k->community[c].n);
        es_json_double(json, "mean_percentile", k->community[c].mean);
        es_json_double(json, "sd", k->community[c].sd);
    }
}

static void put_json(const es_document *d, es_json *json) {
    const es_correlation_view *v = d->what;
    es_buf text = {0};
    es_downstream_put_worth(&v->set->worth, &text);
    if (v->measure)
        es_score_document(json, v->measure);
    else if (v->report)
        es_document_scoring(json, v->report);
    es_json_bool(json, "score_negated", v->scored->negated);
    es_json_begin_array(json, "tasks");
    for (size_t c = 0; c < v->set->tasks; c++)
        es_correlation_task_json(json, NULL, v->set, v->scored->name, c);
    es_json_end(json);
    static const char *const sums[ES_TASK_SUMS] = {"mean_rank", "mean"};
    for (size_t k = 0; k < ES_TASK_SUMS; k++)
        if (v->set->columns > v->set->tasks)
            es_correlation_task_json(json, sums[k], v->set, v->scored->name, v->set->tasks + k);
        else
            es_json_null(json, sums[k]);
    es_correlation_unmatched_json(json, v->join);
    es_json_begin_array(json, "baselines");
    for (size_t b = 0; b < ES_BASELINES; b++)
        if (v->set->has[b])
            put_baseline(json, v, (es_baseline)b);
    es_json_end(json);
    put_models(json, d->cli, v);
    put_kinds(json, v);
    es_json_begin_object(json, "worth");
    es_json_double(json, "with_task", v->set->worth.with_task);
    es_json_double(json, "between_tasks", v->set->worth.between);
    es_json_double(json, "tasks", isinf(v->set->worth.tasks) ? (double)NAN : v->set->worth.tasks);
    es_json_text(json, "sentence", text.data && text.length > 0 ? text.data : NULL);
    es_json_end(json);
    es_buf_free(&text);
    es_json_begin_object(json, "intervals");
    es_json_double(json, "level", v->options.level > 0 ? v->options.level : ES_CORRELATE_LEVEL);
    es_json_uint(json, "draws", v->options.draws ? v->options.draws : ES_CORRELATE_DRAWS);
    es_json_uint(json, "permutations",
                 v->options.permutations ? v->options.permutations : ES_CORRELATE_PERMUTATIONS);
    es_json_end(json);
    if (v->session)
        es_document_excluded(json, v->session);
}

/* ---- table, csv, md, tex ---- */

#define SHOWN(k, t)                                                                                \
    { .key = (k), .title = (t), .flags = ES_COLUMN_SHOWN_ONLY }

#define ROW(C)                                                                                     \
    C(TEXT, "task", "task", ES_COLUMN_KEY, es_correlation_task(set, c))                            \
    C(COUNT, "n", "n", 0, r->n)                                                                    \
    C(NUMBER, "n_effective", "n_eff", 0, 0, r->n_effective)                                        \
    C(POINT, "pearson", "pearson", 3, r, ES_PEARSON)                                               \
    C(POINT, "spearman", "spearman", 3, r, ES_SPEARMAN)                                            \
    C(BY, TEXT, "interval", "95 % interval", 0, ES_COLUMN_SHOWN_ONLY, put_range,                   \
      r->low[ES_SPEARMAN], r->high[ES_SPEARMAN])                                                   \
    C(POINT, "kendall", "kendall", 3, r, ES_KENDALL)                                               \
    C(NUMBER, "p", "p", 4, 0, r->p_effective)                                                      \
    C(DATA, NUMBER, "p_permutation", r->p.value)                                                   \
    C(NUMBER, "weighted_tau", "weighted", 3, 0, r->value[ES_WEIGHTED_TAU].value)                   \
    C(DATA, NUMBER, "leave_one_low", r->leave_one_low)                                             \
    C(DATA, NUMBER, "leave_one_high", r->leave_one_high)                                           \
    C(BY, TEXT, "without_one", "without one", 0, ES_COLUMN_SHOWN_ONLY, put_range,                  \
      r->leave_one_low, r->leave_one_high)                                                         \
    C(NUMBER, "top_half", "top half", 3, 0, r->top_half.value)                                     \
    C(NUMBER, "partial_log_dim", "given dim", 3, 0, r->partial.value)                              \
    C(NUMBER, "dimension_spearman", "dim alone", 3, 0, baseline_of(set, ES_BASELINE_DIM, c))       \
    C(NUMBER, "l2_spearman", "l2 alone", 3, 0, baseline_of(set, ES_BASELINE_L2, c))                \
    C(SHORT, TEXT, "reason", "not defined: why", "not defined", 0, 0, r->value[ES_SPEARMAN].why)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static void put_range(es_table_out *table, double low, double high) {
    char text[2 * ES_TABLE_NUMBER], a[ES_TABLE_NUMBER], b[ES_TABLE_NUMBER];
    (void)snprintf(text, sizeof text, "%s .. %s", es_table_out_decimals(a, low, 2),
                   es_table_out_decimals(b, high, 2));
    es_table_out_text(table, isfinite(low) && isfinite(high) ? text : NULL);
}

/* Spearman of a baseline with the task. */
static double baseline_of(const es_correlation_set *set, es_baseline which, size_t c) {
    return set->has[which] ? set->baseline[which][c].value[ES_SPEARMAN].value : (double)NAN;
}

/* One row, in the order of `columns`. */
static void put_row(es_table_out *table, const es_correlation_set *set, size_t c) {
    const es_correlation_report *r = &set->report[c];
    ES_PUT_ROW(ROW, table);
}

static es_table_out *make_table(const es_document *d) {
    const es_correlation_view *v = d->what;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t c = 0; c < v->set->columns; c++)
        put_row(table, v->set, c);
    return table;
}

/* ---- what a table says below itself ---- */

enum { MOST_NAMES = 8, MOST_RESIDUALS = 3 };

static void put_names(const char *title, const char *const *names, const size_t *partner, size_t n,
                      es_buf *out) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (partner[i] != SIZE_MAX)
            continue;
        if (count == 0)
            es_buf_puts(out, title);
        es_buf_name(out, &count, MOST_NAMES, names[i]);
    }
    es_buf_names_end(out, count, MOST_NAMES);
    if (count)
        es_buf_putc(out, '\n');
}

/* Who stands in the scores, and has none: named like who does not. */
static void put_without_value(const es_correlation_view *v, es_buf *out) {
    const es_join *join = v->join;
    const es_scores *scores = v->set->scores;
    size_t count = 0;
    for (size_t i = 0; i < join->na; i++) {
        if (join->of_a[i] == SIZE_MAX || es_scores_any(scores, join->of_a[i]))
            continue;
        if (count == 0)
            es_buf_puts(out, "in the scores without any: ");
        es_buf_name(out, &count, MOST_NAMES, join->a[i]);
    }
    es_buf_names_end(out, count, MOST_NAMES);
    es_buf_puts(out, count > 0 ? "\n" : "");
}

static void put_proposals(const es_join *join, es_buf *out) {
    bool any = false;
    for (size_t i = 0; i < join->na; i++)
        if (join->proposed[i] != SIZE_MAX) {
            es_buf_printf(out, "%s'%s' may be '%s' of the scores (differs in %s)\n",
                          any ? "" : "\n", join->a[i], join->b[join->proposed[i]],
                          es_name_match_words(join->how[i]));
            any = true;
        }
    if (any)
        es_buf_puts(out, "join them with --accept-names, or one with --match A=B\n");
}

typedef struct residual {
    double value;
    const char *name;
} residual;

static int compare_residuals(const void *a, const void *b) {
    const residual *x = a, *y = b;
    int by_value = (x->value < y->value) - (x->value > y->value);
    return by_value != 0 ? by_value : strcmp(x->name, y->name);
}

/* The first of `all` (n, largest first) on one side of 0, from the end of that side. */
static void put_side(const char *title, const residual *all, size_t n, int side, es_buf *out) {
    char text[ES_TABLE_NUMBER];
    for (size_t k = 0; k < MOST_RESIDUALS && k < n; k++) {
        const residual *one = side > 0 ? &all[k] : &all[n - 1 - k];
        (void)es_table_out_decimals(text, one->value, 2);
        if (!(side * one->value > 0) || text[strspn(text, "0.")] == '\0')
            break;
        es_buf_printf(out, "%s%s (%s%s)", k ? ", " : title, one->name, side > 0 ? "+" : "", text);
    }
}

/* Who does better and worse downstream than the score predicts, overall. */
static void put_residuals(const es_cli *cli, const es_correlation_view *v, es_buf *out) {
    const es_correlation_set *set = v->set;
    size_t overall = es_correlation_overall(set), n = 0;
    const double *values = set->residual + overall * set->n;
    if (set->report[overall].value[ES_SPEARMAN].why)
        return;
    residual *all = es_cli_room(cli, set->n, sizeof *all);
    out->failed |= all == NULL;
    for (size_t i = 0; all && i < set->n; i++)
        if (isfinite(values[i]))
            all[n++] = (residual){values[i], v->scored->name[set->at[i]]};
    if (n > 0)
        qsort(all, n, sizeof *all, compare_residuals);
    if (n > 2 * MOST_RESIDUALS) {
        es_buf_printf(out, "\nresiduals of %s%s\n", set->columns > set->tasks ? "the " : "",
                      es_correlation_task(set, overall));
        put_side("better than the score predicts: ", all, n, 1, out);
        put_side("\nworse: ", all, n, -1, out);
        es_buf_putc(out, '\n');
    }
}

/* By category, by size, by community: what there is of them. */
static void put_communities(const es_rank_report *report, es_buf *out) {
    const es_results *by = report ? report->grouped : NULL;
    es_buf_puts(out, "mean percentile downstream, s.d.");
    if (by && by->estimator) {
        es_buf_puts(out, "; communities ");
        es_caption_by(report, by, out);
    }
    es_buf_putc(out, '\n');
}

static void caption_kinds(const es_correlation_view *v, es_buf *out) {
    const es_task_kinds *k = v->kinds;
    char text[ES_TABLE_NUMBER];
    for (size_t c = 0; c < k->count; c++) {
        const es_correlation_report *r = &k->kind[c].report;
        es_buf_printf(out, "%s%s (%zu task%s): ",
                      c == 0 ? "by category, spearman with the mean percentile\n  " : "  ",
                      k->kind[c].category, k->kind[c].tasks, k->kind[c].tasks == 1 ? "" : "s");
        if (isfinite(r->value[ES_SPEARMAN].value))
            es_buf_puts(out, es_table_out_decimals(text, r->value[ES_SPEARMAN].value, 2));
        else
            es_buf_printf(out, "not defined (%s)",
                          r->value[ES_SPEARMAN].why ? r->value[ES_SPEARMAN].why : "not known");
        if (isfinite(r->low[ES_SPEARMAN])) {
            es_buf_printf(out, " [%s, ", es_table_out_decimals(text, r->low[ES_SPEARMAN], 2));
            es_buf_printf(out, "%s]", es_table_out_decimals(text, r->high[ES_SPEARMAN], 2));
        }
        es_buf_puts(out, "\n");
    }
    if (isfinite(k->size.value))
        es_buf_printf(out, "size of a task against its spearman: %s over %zu tasks\n",
                      es_table_out_decimals(text, k->size.value, 2), k->sized);
    for (size_t c = 0; c < k->communities && k->communities > 1; c++) {
        if (c == 0)
            put_communities(v->report, out);
        es_buf_printf(out, "  community %u (%zu): %.0f", k->community[c].community + 1u,
                      k->community[c].n, k->community[c].mean);
        if (isfinite(k->community[c].sd))
            es_buf_printf(out, " ± %.0f", k->community[c].sd);
        es_buf_putc(out, '\n');
    }
}

static size_t ranked_of(const es_scored *scored) {
    size_t count = 0;
    for (size_t i = 0; i < scored->n; i++)
        count += scored->counts[i] && isfinite(scored->score[i]);
    return count;
}

/* Of those that are ranked; a row of a name and nothing else is no score. */
static size_t scored_of(const es_correlation_set *set) {
    size_t count = 0;
    for (size_t i = 0; i < set->n && isfinite(set->score[i]); i++) { /* others are last */
        bool any = false;
        for (size_t t = 0; t < set->tasks && !any; t++)
            any = isfinite(set->y[t * set->n + i]);
        count += any;
    }
    return count;
}

/* Controls, and embedders that have no score for another reason. */
static void put_not_ranked(const es_correlation_view *v, const es_results *results, es_buf *out) {
    size_t controls = results ? es_results_controls(results) : 0;
    size_t others = v->join->na - ranked_of(v->scored) - controls;
    if (controls > 0)
        es_buf_printf(out, "; without %zu control%s", controls, controls == 1 ? "" : "s");
    if (others > 0)
        es_buf_printf(out, "; %zu more %s not ranked", others, others == 1 ? "is" : "are");
}

/* What the column that stands for all tasks comes to. */
static void put_overall(const es_correlation_set *set, es_buf *out) {
    const es_correlation_report *r = &set->report[es_correlation_overall(set)];
    es_buf_printf(out, "%s: ", es_correlation_task(set, es_correlation_overall(set)));
    es_downstream_put_rho(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->high[ES_SPEARMAN], r->n,
                          r->families, r->n_effective, out);
    es_buf_putc(out, '\n');
    if (isnan(set->worth.tasks))
        return;
    es_downstream_put_worth(&set->worth, out);
    es_buf_putc(out, '\n');
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_correlation_view *v = d->what;
    const es_correlation_set *set = v->set;
    const es_results *results = v->session ? es_session_results(v->session, v->entry) : NULL;
    es_buf_putc(out, '\n');
    if (v->measure)
        es_score_caption(v->measure, out);
    if (results && results->estimator)
        es_buf_printf(out, "%s score, %s %s, %s over %s: ", es_score_kind_names[v->report->score],
                      results->estimator->name, es_results_preset(results),
                      es_rank_report_aggregate(v->report), es_rank_report_voting(v->report));
    es_buf_printf(out, "%zu of %zu embedders of the ranking have scores", scored_of(set),
                  ranked_of(v->scored));
    put_not_ranked(v, results, out);
    es_buf_printf(out, "%s\n",
                  !v->scored->negated ? ""
                  : v->measure        ? "; their sign is turned"
                                      : "; errors with their sign turned");
    if (results && v->report)
        es_caption_known(results, out);
    es_buf_puts(out,
                "n_eff: number of independent embedders that these count as; 95 % interval and p "
                "of spearman\ngo by it. without one: the range when one embedder is left out. top "
                "half: of the better ones\ndownstream. given dim: the dimension held fixed\n");
    size_t summed = es_task_columns_summed(set->scores, set->at_scores, set->n);
    if (set->columns > set->tasks)
        es_buf_printf(out, "%s, %s: over the %zu%s task%s%s of the %zu embedders that have %s\n",
                      es_task_column_name(set->scores, set->tasks),
                      es_task_column_name(set->scores, set->tasks + ES_TASK_MEAN), summed,
                      es_scores_are_weighted(set->scores) ? " weighted" : "",
                      summed == 1 ? "" : "s",
                      summed == set->tasks ? ""
                      : summed == 1        ? " that tells any two apart,"
                                           : " that tell any two apart,",
                      set->complete, summed == 1 ? "it" : "them all");
    put_overall(set, out);
    for (size_t t = 0, count = 0; t < set->tasks; t++)
        if (es_correlation_is_turned(set, t))
            es_buf_printf(out, "%s%s\n",
                          count++ == 0 ? "lower is better, their signs are turned: " : "  ",
                          es_correlation_task(set, t));
    caption_kinds(v, out);
    put_names("not in the scores: ", v->join->a, v->join->of_a, v->join->na, out);
    put_without_value(v, out);
    put_names("not in the ranking: ", v->join->b, v->join->of_b, v->join->nb, out);
    put_proposals(v->join, out);
    put_residuals(d->cli, v, out);
}

es_status es_correlation_write(es_cli *cli, const es_correlation_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "correlate",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = es_picture_correlation};
    return es_document_write(
        &parts, (es_document){cli, view->session, view->entry, view, ES_FORMAT_DEFAULT}, err);
}

/* Coefficients in tables and in JSON. */

void es_coefficient_put(es_table_out *table, const es_correlation_report *r, es_correlation kind) {
    es_table_out_band(table, r ? r->value[kind].value : (double)NAN, r ? r->low[kind] : (double)NAN,
                      r ? r->high[kind] : (double)NAN);
}

void es_coefficient_json(es_json *json, const es_correlation_report *r, es_correlation kind) {
    char key[32];
    es_json_double(json, es_correlation_name(kind), r->value[kind].value);
    (void)snprintf(key, sizeof key, "%s_ci", es_correlation_name(kind));
    es_document_range(json, key, r->low[kind], r->high[kind]);
}

size_t es_comparisons_of(const es_agree_scores *s) {
    size_t count = 0;
    for (size_t k = 1; k < s->k; k++)
        count += isfinite(s->agreement->ahead[k].low) ? 1 : 0;
    return count;
}

void es_comparisons_put(size_t count, es_buf *out) {
    double wrong = rint((double)count * (1 - ES_CORRELATE_LEVEL));
    if (count < 2)
        return;
    es_buf_puts(out, "; 95 % each");
    if (wrong >= 1)
        es_buf_printf(out, "; of %zu about %.0f %s wrong by chance", count, wrong,
                      wrong > 1 ? "are" : "is");
}

void es_agree_remarks(const es_agree_scores *s, es_buf *out) {
    for (size_t k = 0; k < s->k;) {
        const char *remark = s->remark[k];
        size_t first = k;
        for (; remark && k < s->k && s->remark[k] && strcmp(s->remark[k], remark) == 0; k++)
            es_buf_printf(out, "%s%s", k > first ? ", " : "", s->name[k]);
        if (remark)
            es_buf_printf(out, ": %s\n", remark);
        else
            k++;
    }
}

void es_agreement_json(es_json *json, const es_agree_scores *s) {
    es_json_begin_array(json, "agreement");
    for (size_t i = 0; i < s->k; i++)
        for (size_t j = i + 1; j < s->k; j++) {
            const es_agreement_cell *c = &s->agreement->cell[i * s->k + j];
            es_json_begin_object(json, NULL);
            es_json_text(json, "a", s->name[i]);
            es_json_text(json, "b", s->name[j]);
            es_json_uint(json, "n", c->n);
            es_json_double(json, "kendall", c->tau.value);
            es_document_range(json, "kendall_ci", c->low, c->high);
            es_document_range_reason(json, &c->tau, c->low, c->n);
            es_json_text(json, "why", c->tau.why);
            es_json_end(json);
        }
    es_json_end(json);
}
