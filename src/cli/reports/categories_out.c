/* The score against each category of tasks as a document: three coefficients with intervals, then
 * every task with its size (Darrin et al. 2024, Table 1, Figures 3, 6 and 21, Tables 9 and 10). */
#include "cli_reports.h"

#include <math.h>

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

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    enum { CATEGORY = 0, PEARSON = 4, SPEARMAN = 7, KENDALL = 10 };
    (void)d;
    *plot = (es_sheet_plot){.kind = ES_DRAWN_FOREST,
                            .label = CATEGORY,
                            .value = {SPEARMAN, PEARSON, KENDALL},
                            .values = 3,
                            .line = (double)NAN};
}

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    return es_picture_categories(sketch, d->what, err);
}

es_status es_categories_write(es_cli *cli, const es_correlation_view *view, es_error *err) {
    static const es_document_parts parts = {.schema = "categories",
                                            .tables = take_tables,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = draw,
                                            .plot = put_plot,
                                            .title = "Correlation by category"};
    if (view->kinds->count == 0)
        return es_fail(err, ES_ENOTFOUND,
                       "no task has a category: add tasks.csv with the columns task and category "
                       "beside the scores");
    return es_document_write(
        &parts, (es_document){cli, view->session, view->entry, view, ES_FORMAT_DEFAULT}, err);
}
