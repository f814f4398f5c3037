/* The score against each category of tasks as a document: three coefficients with intervals, then
 * every task with its size (Darrin et al. 2024, Table 1, Figures 3, 6 and 21, Tables 9 and 10). */
#include "cli_reports.h"

#include <math.h>
#include <string.h>

#define CATEGORY(C)                                                                                \
    C(TEXT, "category", "category", ES_COLUMN_KEY, category)                                       \
    C(COUNT, "tasks", "tasks", 0, tasks)                                                           \
    C(COUNT, "n", "n", 0, r->n)                                                                    \
    C(NUMBER, "n_effective", "n_eff", 0, 0, r->n_effective)                                        \
    C(COEFFICIENT, "pearson", "pearson", 2, r, ES_PEARSON)                                         \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(COEFFICIENT, "kendall", "kendall", 2, r, ES_KENDALL)                                         \
    C(NUMBER, "p", "p", 4, 0, r->p_effective)                                                      \
    C(SHORT, TEXT, "reason", "not defined: why", "not defined", 0, 0, r->value[ES_SPEARMAN].why)

static const es_out_column columns[] = ES_COLUMNS_OF(CATEGORY);

#define TASK(C)                                                                                    \
    C(TEXT, "task", "task", ES_COLUMN_KEY, es_correlation_task(set, k))                            \
    C(TEXT, "category", "category", 0, es_score_category(set->scores, k))                          \
    C(NUMBER, "size", "size", 0, 0, set->scores->about ? set->scores->about[k].size : (double)NAN) \
    C(COUNT, "n", "n", 0, r->n)                                                                    \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(DATA, TEXT, "ci_reason",                                                                     \
      es_document_range_why(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n))

static const es_out_column task_columns[] = ES_COLUMNS_OF(TASK);

static void put_row(es_table_out *t, const char *category, size_t tasks,
                    const es_correlation_report *r) {
    ES_PUT_ROW(CATEGORY, t);
}

/* A row a category, then the mean rank over all tasks, as Table 1 ends with the average. */
static es_table_out *make_table(const es_correlation_view *v) {
    const es_correlation_set *set = v->set;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < v->kinds->count; k++)
        put_row(t, v->kinds->kind[k].category, v->kinds->kind[k].tasks, &v->kinds->kind[k].report);
    size_t all = es_correlation_overall(set);
    if (set->columns > set->tasks)
        put_row(t, es_correlation_task(set, all),
                es_task_columns_summed(set->scores, set->at_scores, set->n), &set->report[all]);
    return t;
}

static es_table_out *make_tasks(const es_correlation_view *v) {
    const es_correlation_set *set = v->set;
    es_table_out *t = ES_TABLE_OUT(task_columns);
    for (size_t k = 0; k < set->tasks; k++) {
        const es_correlation_report *r = &set->report[k];
        ES_PUT_ROW(TASK, t);
    }
    return t;
}

static es_status take_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    es_sheet_take_table(sheet, make_table(d->what));
    es_sheet_take_table(sheet, make_tasks(d->what));
    return es_sheet_check(sheet, err);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_correlation_view *v = d->what;
    es_buf_puts(out, "\nthe score with the mean percentile over the tasks of a category; 95 % of "
                     "spearman by the number\nof independent embedders (n_eff), of the others over "
                     "resampled embedders\n");
    if (v->scored->negated)
        es_buf_puts(out, "lower is better in this score: its sign is turned\n");
    if (v->kinds->size.why == NULL)
        es_buf_printf(out, "size of a task against its spearman: %.2f over %zu tasks\n",
                      v->kinds->size.value, v->kinds->sized);
}

static void put_json(const es_document *d, es_json *json) {
    const es_correlation_view *v = d->what;
    if (v->measure)
        es_score_document(json, v->measure);
    else if (v->report)
        es_document_scoring(json, v->report);
    es_json_bool(json, "score_negated", v->scored->negated);
    es_document_table(json, "categories", make_table(v));
    es_document_table(json, "tasks", make_tasks(v));
    es_json_begin_object(json, "sizes");
    es_json_uint(json, "tasks", v->kinds->sized);
    es_json_double(json, "spearman", v->kinds->size.value);
    es_json_text(json, "reason", v->kinds->size.why);
    es_json_end(json);
    if (v->session)
        es_document_excluded(json, v->session);
}

enum { CATEGORY = 0, PEARSON = 4, SPEARMAN = 7, KENDALL = 10 };
static const es_sheet_plot plot = {.kind = ES_DRAWN_FOREST,
                                   .label = CATEGORY,
                                   .value = {SPEARMAN, PEARSON, KENDALL},
                                   .values = 3,
                                   .line = (double)NAN};

/* The score against each category of tasks, a panel each (Darrin et al. 2024, Figure 6), and the
 * size of a task against how well the score predicts it (Figure 21). */

typedef struct category_sheet {
    size_t n, panels;  /* embedders drawn; categories */
    double *x, *y;     /* (n), (panels, set->n) */
    const char **name; /* (n) */
    es_scatter *panel; /* (panels) */
    const char **fact; /* (panels) */
} category_sheet;

static bool is_shown(const es_cli *cli, const es_correlation_view *v, size_t i) {
    return v->session == NULL || es_export_shows(cli, v->set->at[i]);
}

/* Embedders that are written and have a score, with their percentile in each category. */
static es_status fill(es_sketch *sketch, const es_correlation_view *v, category_sheet *s,
                      es_error *err) {
    size_t n = v->set->n, k = s->panels = v->kinds->count;
    s->x = es_sketch_room(sketch, n, sizeof *s->x);
    s->y = es_sketch_room(sketch, n, k * sizeof *s->y);
    s->name = es_sketch_room(sketch, n, sizeof *s->name);
    s->panel = es_sketch_room(sketch, k, sizeof *s->panel);
    s->fact = es_sketch_room(sketch, k, sizeof *s->fact);
    if (!s->x || !s->y || !s->name || !s->panel || !s->fact)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (!is_shown(sketch->cli, v, i) || !isfinite(v->set->score[i]))
            continue;
        s->x[s->n] = v->scored->negated ? -v->set->score[i] : v->set->score[i];
        for (size_t c = 0; c < k; c++)
            s->y[c * n + s->n] = v->kinds->y[c * n + i];
        s->name[s->n++] = v->scored->name[v->set->at[i]];
    }
    return ES_OK;
}

static const char *fact_of(es_sketch *sketch, const es_correlation_report *r) {
    const es_stat *rho = &r->value[ES_SPEARMAN];
    return rho->why ? es_sketch_text(sketch, "ρ is not defined: %s", rho->why)
                    : es_sketch_text(sketch, "ρ = %.2f, r = %.2f, τ = %.2f, n = %zu", rho->value,
                                     r->value[ES_PEARSON].value, r->value[ES_KENDALL].value, r->n);
}

static es_status draw_panels(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    category_sheet s = {0};
    double sign = v->scored->negated ? -1 : 1;
    ES_PASS(fill(sketch, v, &s, err));
    for (size_t c = 0; c < s.panels; c++) {
        const es_correlation_report *r = &v->kinds->kind[c].report;
        s.fact[c] = fact_of(sketch, r);
        s.panel[c] = (es_scatter){.n = s.n,
                                  .x = s.x,
                                  .y = s.y + c * v->set->n,
                                  .name = s.name,
                                  .x_title = v->kinds->kind[c].category,
                                  .y_title = "mean percentile",
                                  .slope = r->slope.why ? (double)NAN : sign * r->slope.value,
                                  .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                                  .fact = &s.fact[c],
                                  .facts = 1};
    }
    es_buf_puts(&sketch->note,
                "The score (across) against the mean percentile over the tasks of each "
                "category, with the line of least squares. ");
    return es_figure_panels(s.panel, s.panels, ES_SKETCHED(sketch), err);
}

/* Tasks whose size and coefficient are known; x (tasks) logarithms to base 2. Returns how many. */
static size_t sized_tasks(const es_correlation_set *set, double *x, double *y, const char **name) {
    size_t n = 0;
    for (size_t t = 0; t < set->tasks; t++) {
        double size = set->scores->about ? set->scores->about[t].size : (double)NAN;
        double rho = set->report[t].value[ES_SPEARMAN].value;
        if (!(size > 0) || !isfinite(rho))
            continue;
        x[n] = log2(size);
        y[n] = rho;
        name[n++] = es_correlation_task(set, t);
    }
    return n;
}

static es_status draw_sizes(es_sketch *sketch, const es_correlation_view *v, es_error *err) {
    const es_correlation_set *set = v->set;
    const char *facts[1];
    double *x = es_sketch_room(sketch, set->tasks, sizeof *x),
           *y = es_sketch_room(sketch, set->tasks, sizeof *y);
    const char **name = es_sketch_room(sketch, set->tasks, sizeof *name);
    if (!x || !y || !name)
        return es_no_memory(err);
    size_t n = sized_tasks(set, x, y, name);
    if (n == 0)
        return es_fail(err, ES_ENOTFOUND,
                       "no task has a size: add the column size to tasks.csv beside the scores");
    facts[0] = v->kinds->size.why ? es_sketch_text(sketch, "%zu tasks: %s", n, v->kinds->size.why)
                                  : es_sketch_text(sketch, "Spearman ρ = %.2f over %zu tasks",
                                                   v->kinds->size.value, n);
    const es_scatter scatter = {.n = n,
                                .x = x,
                                .y = y,
                                .name = name,
                                .x_title = "size of the task",
                                .y_title = "Spearman of the score with the task",
                                .slope = (double)NAN,
                                .intercept = (double)NAN,
                                .fact = facts,
                                .facts = 1,
                                .log_x = true};
    return es_figure_scatter(&scatter, ES_SKETCHED(sketch), err);
}

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    bool sizes = sketch->cli->export && strcmp(sketch->cli->export->view, "sizes") == 0;
    return (sizes ? draw_sizes : draw_panels)(sketch, d->what, err);
}

es_status es_categories_write(es_cli *cli, const es_correlation_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "categories",
                                            .tables = take_tables,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = draw,
                                            .drawn = &plot,
                                            .title = "Correlation by category"};
    if (view->kinds->count == 0)
        return es_fail(err, ES_ENOTFOUND,
                       "no task has a category: add tasks.csv with the columns task and category "
                       "beside the scores");
    return es_document_write(
        &parts, (es_document){cli, view->session, view->entry, view, ES_FORMAT_DEFAULT}, err);
}
