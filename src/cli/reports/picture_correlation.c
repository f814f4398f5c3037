/* The score against one task as a scatter with its line, or all tasks as a heat map whose rows and
 * columns are clustered. */
#include <math.h>
#include <string.h>

#include "cli_reports.h"

/* Position of a joined embedder in the results; the set counts in the order of scored names. */
static size_t position(const es_correlation_view *v, size_t i) {
    return v->set->at[i];
}

static bool is_shown(const es_cli *cli, const es_correlation_view *v, size_t i) {
    return v->session == NULL || es_export_shows(cli, position(v, i));
}

/* group (set->n): communities from 1, or 0 where there is no matrix to find them in. */
static es_status groups_of(es_sketch *sketch, const es_correlation_view *v, unsigned *group,
                           bool *known, es_error *err) {
    *known = false;
    if (v->session == NULL || v->entry == SIZE_MAX)
        return ES_OK;
    const es_results *results = es_session_results(v->session, v->entry);
    const es_results *by = v->report ? v->report->grouped : NULL; /* as the text has them */
    results = by && by->m == results->m ? by : results;
    es_picture_groups groups = {0};
    es_status st = es_picture_groups_of(sketch, results, NULL, &groups, err);
    *known = st == ES_OK && groups.drawn;
    for (size_t i = 0; *known && i < v->set->n; i++)
        group[i] = groups.group[position(v, i)];
    return st;
}

/* ---- one task ---- */

static es_status find_task(es_cli *cli, const es_correlation_set *set, size_t *column,
                           es_error *err) {
    *column = cli->options->task ? es_task_column_find(set->scores, cli->options->task)
                                 : es_correlation_overall(set);
    if (*column != SIZE_MAX)
        return ES_OK;
    return es_cli_unknown_name(cli, "task", cli->options->task,
                               (const char *const *)set->scores->task, set->tasks, err);
}

/* The coefficients, a line each. */
enum { FACTS = 3 };
static void put_facts(es_sketch *sketch, const es_correlation_report *r, const char *facts[FACTS]) {
    static const struct {
        es_correlation kind;
        const char *name;
    } kinds[FACTS] = {
        {ES_SPEARMAN, "Spearman ρ"}, {ES_PEARSON, "Pearson r"}, {ES_KENDALL, "Kendall τ-b"}};
    for (size_t k = 0; k < FACTS; k++) {
        const es_stat *value = &r->value[kinds[k].kind];
        double low = r->low[kinds[k].kind], high = r->high[kinds[k].kind];
        es_buf fact = {0};
        if (value->why)
            es_buf_printf(&fact, "%s is not defined: %s", kinds[k].name, value->why);
        else
            es_buf_printf(&fact, "%s = %.2f", kinds[k].name, value->value);
        if (!value->why && isfinite(low) && isfinite(high))
            es_buf_printf(&fact, " [%.2f, %.2f]", low, high);
        if (k == 0 && !value->why) {
            if (isfinite(r->p_effective))
                es_buf_printf(&fact, r->p_effective < 0.001 ? ", p < 0.001" : ", p = %.3f",
                              r->p_effective);
            es_buf_printf(&fact, ", n = %zu", r->n);
        }
        facts[k] = es_sketch_take(sketch, &fact);
    }
}

/* Columns of numbers as the figure takes them; x (n), y (n), name (n) are for set->n. */
static es_status draw_scatter(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    const es_correlation_set *set = v->set;
    size_t column = 0, n = set->n;
    bool grouped = false;
    es_buf axis = {0};
    const char *facts[FACTS];
    double *x = es_sketch_room(sketch, n, sizeof *x), *y = es_sketch_room(sketch, n, sizeof *y);
    const char **name = es_sketch_room(sketch, n, sizeof *name);
    unsigned *group = es_sketch_room(sketch, n, sizeof *group);
    if (!x || !y || !name || !group)
        return es_no_memory(err);
    ES_PASS(find_task(sketch->cli, set, &column, err));
    const es_correlation_report *r = &set->report[column];
    if (r->slope.why == NULL)
        es_buf_puts(&sketch->note, "Line: least squares with its 95 % band. ");
    ES_PASS(groups_of(sketch, v, group, &grouped, err));
    bool sum = column >= set->tasks, turned = es_correlation_is_turned(set, column);
    double x_sign = v->scored->negated ? -1 : 1, y_sign = turned ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        x[i] = is_shown(sketch->cli, v, i) ? x_sign * set->score[i] : (double)NAN;
        y[i] = y_sign * set->y[column * n + i];
        name[i] = v->scored->name[set->at[i]];
    }
    if (v->report) {
        es_rank_report_put_score(v->report, &axis);
        es_buf_printf(&axis, ", %s", es_rank_report_unit(v->report));
    }
    put_facts(sketch, r, facts);
    char measure[160] = "";
    if (v->measure)
        (void)es_choice_name(v->measure, v->measure->field, measure, sizeof measure);
    const es_scatter scatter = {
        .n = n,
        .x = x,
        .y = y,
        .name = name,
        .group = grouped ? group : NULL,
        .x_title = v->scored->negated && !v->measure ? "error (lower is better)"
                   : v->measure                      ? measure
                   : v->report                       ? es_sketch_take(sketch, &axis)
                                                     : "score",
        .y_title = sum && turned ? "mean rank over tasks (1 = best)"
                   : sum         ? "mean over tasks"
                                 : es_correlation_task(set, column),
        .slope = r->slope.why ? (double)NAN : x_sign * y_sign * r->slope.value,
        .intercept = r->intercept.why ? (double)NAN : y_sign * r->intercept.value,
        .fact = facts,
        .facts = FACTS,
        .upside_down = turned};
    return es_figure_scatter(&scatter, ES_SKETCHED(sketch), err);
    return ES_OK;
}

/* ---- all tasks ---- */

/* Tasks are rows, embedders columns: each score within the range of its task, 0 worst, 1 best. */
typedef struct sheet {
    size_t tasks, n;
    double *value;  /* (tasks, n) */
    double *turned; /* (n, tasks) */
    double *drawn;  /* (tasks, n) in the order of both trees */
    const char **task, **name;
    unsigned *group, *own; /* (n) as drawn; (set->n) */
    size_t *shown;         /* (n) */
    es_linkage *of_tasks, *of_models;
} sheet;

static bool allocate_sheet(es_sketch *sketch, sheet *s, const es_correlation_set *set) {
    size_t n = set->n, tasks = set->tasks;
    s->value = es_sketch_room(sketch, tasks, n * sizeof *s->value);
    s->turned = es_sketch_room(sketch, n, tasks * sizeof *s->turned);
    s->drawn = es_sketch_room(sketch, tasks, n * sizeof *s->drawn);
    s->task = es_sketch_room(sketch, tasks, sizeof *s->task);
    s->name = es_sketch_room(sketch, n, sizeof *s->name);
    s->group = es_sketch_room(sketch, n, sizeof *s->group);
    s->own = es_sketch_room(sketch, n, sizeof *s->own);
    s->shown = es_sketch_room(sketch, n, sizeof *s->shown);
    return s->value && s->turned && s->drawn && s->task && s->name && s->group && s->own &&
           s->shown;
}

/* Score of the k-th shown embedder in a task, within the task's range over those shown. */
static double within(const es_correlation_set *set, const sheet *s, size_t task, size_t k) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        double value = set->y[task * set->n + s->shown[i]];
        if (isfinite(value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    double value = set->y[task * set->n + s->shown[k]];
    if (!isfinite(value))
        return (double)NAN;
    return high > low ? (value - low) / (high - low) : 0.5;
}

/* Values, the trees over both sides, and everything in their order. */
static es_status fill(es_sketch *sketch, const es_correlation_view *v, sheet *s, bool *grouped,
                      es_error *err) {
    const es_correlation_set *set = v->set;
    s->tasks = set->tasks;
    if (!allocate_sheet(sketch, s, set))
        return es_no_memory(err);
    for (size_t i = 0; i < set->n; i++)
        if (is_shown(sketch->cli, v, i))
            s->shown[s->n++] = i;
    for (size_t t = 0; t < s->tasks; t++)
        for (size_t k = 0; k < s->n; k++)
            s->turned[k * s->tasks + t] = s->value[t * s->n + k] = within(set, s, t, k);
    ES_PASS(
        es_linkage_of_rows(s->value, s->tasks, s->n, ES_LINKAGE_AVERAGE, NULL, &s->of_tasks, err));
    ES_PASS(es_linkage_of_rows(s->turned, s->n, s->tasks, ES_LINKAGE_AVERAGE, NULL, &s->of_models,
                               err));
    ES_PASS(groups_of(sketch, v, s->own, grouped, err));
    for (size_t t = 0; t < s->tasks; t++) {
        s->task[t] = set->scores->task[s->of_tasks->order[t]];
        for (size_t k = 0; k < s->n; k++)
            s->drawn[t * s->n + k] =
                s->value[s->of_tasks->order[t] * s->n + s->of_models->order[k]];
    }
    for (size_t k = 0; k < s->n; k++) {
        size_t i = s->shown[s->of_models->order[k]];
        s->name[k] = v->scored->name[set->at[i]];
        s->group[k] = s->own[i];
    }
    return ES_OK;
}

static es_status draw_tasks(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    es_status st = ES_OK;
    sheet s = {0};
    bool grouped = false;
    es_buf_puts(&sketch->note, "Trees: average linkage, Euclidean. ");
    ES_TRY(fill(sketch, v, &s, &grouped, err));
    const es_heatmap heatmap = {.rows = s.tasks,
                                .columns = s.n,
                                .value = s.drawn,
                                .row_name = s.task,
                                .column_name = s.name,
                                .column_group = grouped ? s.group : NULL,
                                .row_tree = s.of_tasks,
                                .column_tree = s.of_models,
                                .row_title = "task",
                                .column_title = "embedder",
                                .value_title =
                                    "score within the range of its task: 0 worst, 1 best",
                                .map = ES_HEAT_SEQUENTIAL,
                                .low = 0,
                                .high = 1,
                                .decimals = 2};
    ES_TRY(es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err));
done:
    es_linkage_free(s.of_tasks);
    es_linkage_free(s.of_models);
    return st;
}

es_status es_picture_correlation(const es_document *d, es_sketch *sketch, es_error *err) {
    return (d->cli->options->tasks ? draw_tasks : draw_scatter)(sketch, d->what, err);
}
