/* Scores down, tasks across; csv and json hold every coefficient, a reader sees the one of --kind.
 */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>

typedef struct agree_view {
    const es_agree_scores *scores;
    const es_scores *tasks;
    es_task_table *table;
    es_correlation kind; /* shown */
} agree_view;

/* In the order of es_kind_names. */
static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON, ES_WEIGHTED_TAU};

static const es_correlation_report *report_of(const agree_view *v, size_t k, size_t c) {
    return &v->table->report[k * v->table->columns + c];
}

/* ---- for a reader ---- */

static void put_cell(const agree_view *v, es_table_out *t, size_t k, size_t c) {
    const es_correlation_report *r = report_of(v, k, c);
    char text[4 * ES_TABLE_NUMBER], a[ES_TABLE_NUMBER], b[ES_TABLE_NUMBER];
    double mean, sd, value = r->value[v->kind].value;
    es_task_table_spread(v->table, k, c, v->kind, &mean, &sd);
    if (v->table->runs > 1 && sd > 0)
        (void)snprintf(text, sizeof text, "%s ± %s", es_table_out_decimals(a, mean, 2),
                       es_table_out_decimals(b, sd, 2));
    else
        (void)snprintf(text, sizeof text, "%s%s", es_table_out_decimals(a, value, 2),
                       r->few ? "?" : "");
    es_table_out_text(t, isfinite(value) ? text : NULL);
}

/* "[0.12, 0.93]" of what sums the tasks up, or of the only one. */
static void put_interval(const agree_view *v, es_table_out *t, size_t k, size_t c) {
    const es_correlation_report *r = report_of(v, k, c);
    es_table_out_range(t, r->low[v->kind], r->high[v->kind]);
}

/* Columns: the sums first, each with its interval, then the tasks. */
static es_table_out *make_shown(const agree_view *v) {
    size_t tasks = v->tasks->tasks, sums = v->table->columns - tasks;
    size_t from = sums > 0 ? tasks : 0, to = sums > 0 ? v->table->columns : 1;
    es_table_out *t = es_table_out_new(NULL, 0);
    es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, "score", "score", NULL, 0, ES_COLUMN_KEY));
    for (size_t c = from; c < to; c++) {
        const char *name = es_task_column_name(v->tasks, c);
        es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, name, name, NULL, 0, 0));
        es_table_out_add(t, (es_out_column)ES_HEAD(RANGE, "interval", "95 % interval", NULL, 2, 0));
    }
    for (size_t c = 0; sums > 0 && c < tasks; c++)
        es_table_out_add(
            t, (es_out_column)ES_HEAD(TEXT, v->tasks->task[c], v->tasks->task[c], NULL, 0, 0));
    for (size_t k = 0; k < v->table->k; k++) {
        es_table_out_text(t, v->scores->name[k]);
        for (size_t c = from; c < to; c++) {
            put_cell(v, t, k, c);
            put_interval(v, t, k, c);
        }
        for (size_t c = 0; sums > 0 && c < tasks; c++)
            put_cell(v, t, k, c);
    }
    return t;
}

static void put_agree_caption(const es_document *d, es_buf *out) {
    const agree_view *v = d->what;
    es_buf_printf(out, "\n%s with each task; 95 %% intervals %s\n", es_correlation_name(v->kind),
                  v->kind == ES_SPEARMAN ? "by the number of independent embedders"
                                         : "over embedders, the same resamples for all");
    if (v->table->columns > v->tasks->tasks)
        es_buf_printf(out,
                      "%s: of the ranks within each task; %s: of the scores as they stand; both "
                      "over\nthe embedders that have every task, weighted as tasks.csv says\n",
                      es_task_column_name(v->tasks, v->tasks->tasks + ES_TASK_MEAN_RANK),
                      es_task_column_name(v->tasks, v->tasks->tasks + ES_TASK_MEAN));
    if (v->table->runs > 1)
        es_buf_printf(out,
                      "± s.d. over %zu seeds; what does not depend on one, or is not stored for "
                      "the others, is of\nthe first\n",
                      v->table->runs);
    for (size_t k = 0; k < v->table->k; k++)
        if (v->scores->negated[k])
            es_buf_printf(out, "%s: lower is better; its sign is turned\n", v->scores->name[k]);
    for (size_t i = 0; i < v->table->k * v->table->columns; i++)
        if (v->table->report[i].few && isfinite(v->table->report[i].value[v->kind].value)) {
            es_buf_printf(out, "?: fewer than %d embedders\n", (int)ES_CORRELATE_ENOUGH);
            break;
        }
}

/* ---- for programs ---- */

static void put_spread(es_table_out *t, const agree_view *v, size_t k, size_t c,
                       es_correlation kind) {
    double mean, sd;
    es_task_table_spread(v->table, k, c, kind, &mean, &sd);
    es_table_out_number(t, mean);
    es_table_out_number(t, sd);
}

/* A coefficient's mean and deviation over seeds, two columns. */
#define ES_COLUMN_OF_SPREAD(key, kind)                                                             \
    ES_NUMBER(key "_mean", NULL, NULL, 0, 0), ES_NUMBER(key "_sd", NULL, NULL, 0, 0)
#define ES_CELL_OF_SPREAD(key, kind) put_spread(es_row, v, k, c, kind)

#define CORRELATION(C)                                                                             \
    C(TEXT, "score", NULL, ES_COLUMN_KEY, v->scores->name[k])                                      \
    C(TEXT, "task", NULL, 0, es_task_column_name(v->tasks, c))                                     \
    C(COUNT, "n", NULL, 0, r->n)                                                                   \
    C(NUMBER, "n_effective", NULL, 0, 0, r->n_effective)                                           \
    C(COEFFICIENT, "spearman", NULL, 0, r, ES_SPEARMAN)                                            \
    C(COEFFICIENT, "kendall", NULL, 0, r, ES_KENDALL)                                              \
    C(COEFFICIENT, "pearson", NULL, 0, r, ES_PEARSON)                                              \
    C(COEFFICIENT, "weighted_tau", NULL, 0, r, ES_WEIGHTED_TAU)                                    \
    C(NUMBER, "p", NULL, 0, 0, r->p_effective)                                                     \
    C(NUMBER, "p_permutation", NULL, 0, 0, r->p.value)                                             \
    C(SPREAD, "spearman", ES_SPEARMAN)                                                             \
    C(SPREAD, "kendall", ES_KENDALL)                                                               \
    C(SPREAD, "pearson", ES_PEARSON)                                                               \
    C(SPREAD, "weighted_tau", ES_WEIGHTED_TAU)                                                     \
    C(TEXT, "reason", NULL, 0, r->value[ES_SPEARMAN].why)                                          \
    C(TEXT, "ci_reason", NULL, 0,                                                                  \
      es_document_range_why(&r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n))

static const es_out_column agree_columns[] = ES_COLUMNS_OF(CORRELATION);

static es_table_out *make_long(const agree_view *v) {
    es_table_out *t = ES_TABLE_OUT(agree_columns);
    for (size_t k = 0; k < v->table->k; k++)
        for (size_t c = 0; c < v->table->columns; c++) {
            const es_correlation_report *r = report_of(v, k, c);
            ES_PUT_ROW(CORRELATION, t);
        }
    return t;
}

static void put_agree_json(const es_document *d, es_json *json) {
    const agree_view *v = d->what;
    es_json_uint(json, "runs", v->table->runs);
    for (size_t k = es_json_list(json, "scores"); es_json_list_next(json, &k, v->table->k);) {
        es_json_text(json, "name", v->scores->name[k]);
        es_json_text(json, "about", v->scores->about[k]);
        es_json_bool(json, "negated", v->scores->negated[k]);
    }
    for (size_t c = es_json_list(json, "tasks"); es_json_list_next(json, &c, v->table->columns);) {
        es_json_text(json, "task", es_task_column_name(v->tasks, c));
        es_json_bool(json, "lower_is_better", es_task_column_is_turned(v->tasks, c));
        es_json_text(json, "category", c < v->tasks->tasks ? es_score_category(v->tasks, c) : NULL);
    }
    es_document_table(json, "correlations", make_long(v));
    es_document_excluded(json, d->session);
}

static es_status make_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const agree_view *v = d->what;
    es_sheet_take_table(sheet, d->format == ES_FORMAT_CSV ? make_long(v) : make_shown(v));
    return es_sheet_check(sheet, err);
}

/* Every score against every task as a heat map, on a scale about 0. */
static es_status draw_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const agree_view *v = d->what;
    const es_task_table *table = v->table;
    size_t k = table->k, columns = table->columns;
    double *value = es_sketch_room(sketch, k, columns * sizeof *value);
    const char **name = es_sketch_room(sketch, columns, sizeof *name);
    if (!value || !name)
        return es_no_memory(err);
    for (size_t i = 0; i < k * columns; i++)
        value[i] = table->report[i].value[v->kind].value;
    for (size_t c = 0; c < columns; c++)
        name[c] = es_task_column_name(v->tasks, c);
    const es_heatmap heatmap = {
        .rows = k,
        .columns = columns,
        .value = value,
        .row_name = (const char *const *)v->scores->name,
        .column_name = name,
        .row_title = "score",
        .column_title = "task",
        .value_title = es_sketch_text(sketch, "%s with the task", es_correlation_name(v->kind)),
        .map = ES_HEAT_DIVERGING,
        .low = -1,
        .high = 1,
        .decimals = 2};
    return es_figure_heatmap(&heatmap, ES_SKETCHED(sketch), err);
}

/* ---- runs ---- */

/* The scores of the same embedders by another seed. */
static es_status add_run(es_cli *cli, const char *names, uint64_t seed, agree_view *v,
                         es_error *err) {
    es_options options = *cli->options;
    es_cli other = *cli;
    es_session *session = NULL;
    es_choices choices = {0};
    es_agree_scores scores = {0};
    es_status st = ES_OK;
    options.seed = seed;
    options.quiet = true; /* what is to be said was said of the first */
    other.options = &options;
    ES_TRY(es_measure_open(&other, false, &session, err));
    ES_TRY(es_measure_choose(&other, session, names, &choices, err));
    ES_TRY(es_measure_compute(&other, session, &choices, err));
    ES_TRY(es_agree_columns(&other, session, &choices, &scores, err));
    ES_FAIL_IF(scores.n != v->scores->n,
               es_fail(err, ES_EINVAL, "the pool has changed while it was measured"));
    ES_TRY(es_task_table_add_run(v->table, v->scores, &scores, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_agree_scores_deinit(&scores);
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}

es_status es_agree_by_task(es_cli *cli, es_session *session, const char *names,
                           const es_agree_scores *scores, es_error *err) {
    agree_view v = {.scores = scores, .kind = kinds[cli->options->kind]};
    es_status st = ES_OK;
    ES_TRY(es_cli_scores(cli, session, &v.tasks, err));
    ES_FAIL_IF(!v.tasks, es_fail(err, ES_ENOTFOUND,
                                 "%s: no scores.csv in the pool; name downstream scores with "
                                 "--scores FILE.csv",
                                 cli->arguments[0]));
    ES_TRY(es_task_table_new(scores, es_session_results(session, 0), v.tasks, cli->options->seed,
                             &v.table, err));
    for (size_t run = 1; run < cli->options->runs; run++)
        ES_TRY(add_run(cli, names, cli->options->seed + run, &v, err));
    static const es_document_parts parts = {.schema = "by_task",
                                            .tables = make_tables,
                                            .caption = put_agree_caption,
                                            .json = put_agree_json,
                                            .picture = draw_picture,
                                            .title = "Scores by task"};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, session, es_session_best(session), &v, ES_FORMAT_DEFAULT}, err));
done:
    es_task_table_free(v.table);
    return st;
}

/* The ranking combined with tasks: a row an embedder, with its rank by each part. It prints no set
 * of the best: that is of the ranking alone. */

typedef struct combined_view {
    const es_rank_report *report;
    const es_scores *scores;
    const bool *chosen; /* (tasks) */
    const es_with_tasks *with;
} combined_view;

#define ROW(C)                                                                                     \
    C(COUNT, "rank", "rank", 0, or_missing(w->rank[i]))                                            \
    C(NAME, "model", "model", ES_COLUMN_KEY, v->report->results, i)                                \
    C(NUMBER, "score", "score", 3, 0, w->score[i])                                                 \
    C(COUNT, "by_ranking", "by ranking", 0, or_missing(w->by_ranking[i]))                          \
    C(COUNT, "by_tasks", "by tasks", 0, or_missing(w->by_tasks[i]))                                \
    C(COUNT, "tasks_known", "tasks", 0, w->known[i])

static const es_out_column combined_columns[] = ES_COLUMNS_OF(ROW);

static size_t or_missing(uint32_t rank) {
    return rank > 0 ? rank : SIZE_MAX;
}

static es_table_out *make_table(const es_document *d) {
    const combined_view *v = d->what;
    const es_with_tasks *w = v->with;
    es_table_out *t = ES_TABLE_OUT(combined_columns);
    for (size_t k = 0; k < w->n; k++) {
        size_t i = w->order[k];
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_combined_caption(const es_document *d, es_buf *out) {
    enum { MOST = 8 };
    const combined_view *v = d->what;
    size_t named = 0;
    es_buf_printf(out, "\nscore: %s, mean of normal scores; the ranking (%s) counts as two tasks\n",
                  v->with->title, es_score_kind_names[v->report->score]);
    es_buf_puts(out, v->with->tasks == 1 ? "task: " : "tasks: ");
    for (size_t t = 0; t < v->scores->tasks; t++)
        if (v->chosen[t])
            es_buf_name(out, &named, MOST, v->scores->task[t]);
    es_buf_names_end(out, named, MOST);
    es_buf_puts(out, "\nA missing score counts as the middle of its task.");
    if (v->with->ranked < v->with->n)
        es_buf_printf(out, " Controls and embedders that are not ranked have no rank: %zu.",
                      v->with->n - v->with->ranked);
    es_buf_putc(out, '\n');
}

static void put_combined_json(const es_document *d, es_json *json) {
    const combined_view *v = d->what;
    es_json_text(json, "score", v->with->title);
    es_json_text(json, "ranking_score", es_score_kind_names[v->report->score]);
    es_json_double(json, "ranking_counts_as", 2);
    es_document_chosen(json, "tasks", (const char *const *)v->scores->task, v->chosen,
                       v->scores->tasks);
    es_json_uint(json, "n", v->with->ranked);
    es_document_table(json, "ranking", make_table(d));
    es_document_excluded(json, d->session);
}

es_status es_with_tasks_write(es_cli *cli, es_session *session, es_error *err) {
    static const es_document_parts parts = {.schema = "with_tasks",
                                            .table = make_table,
                                            .caption = put_combined_caption,
                                            .json = put_combined_json};
    es_with_tasks *with = NULL;
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_rank_report *report = NULL;
    const es_scores *scores = NULL;
    bool *chosen = NULL;
    es_status st = ES_OK;
    ES_TRY(es_cli_scores(cli, session, &scores, err));
    ES_FAIL_IF(!scores, es_fail(err, ES_ENOTFOUND,
                                "--tasks: no scores.csv in the pool; name one with --scores "
                                "FILE.csv"));
    ES_TRY(es_cli_choose_tasks(cli, scores, &chosen, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_with_tasks_of(report, scores, chosen, &with, err));
    const combined_view v = {report, scores, chosen, with};
    ES_TRY(es_document_write(
        &parts, (es_document){cli, session, report->entry, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_with_tasks_free(with);
    es_rank_report_free(report);
    return st;
}
