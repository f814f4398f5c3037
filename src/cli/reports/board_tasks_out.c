/* How the tasks of a table of scores order the models, as a document and a picture. */
#include "cli_reports.h"

#include <math.h>

enum { TASK, MODELS, SPEARMAN };

static const es_out_column columns[] = {
    [TASK] = {.key = "task", .title = "task", .flags = ES_COLUMN_KEY},
    [MODELS] = {.key = "models", .title = "models", .kind = ES_COLUMN_COUNT},
    ES_BAND("spearman", "spearman", 3),
    {.key = "category", .title = "category"},
};

static es_table_out *make_table(const es_document *d) {
    const es_board_tasks *tasks = d->what;
    const es_leaderboard *board = tasks->board;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < board->board->tasks; k++) {
        size_t i = tasks->order[k];
        if (i == tasks->against)
            continue;
        es_table_out_text(t, es_leaderboard_task(board, i));
        es_table_out_count(t, tasks->task[i].models);
        es_table_out_band(t, tasks->task[i].rho, tasks->task[i].low, tasks->task[i].high);
        es_table_out_text(t, board->category[i]);
    }
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    es_board_tasks_put(d->what, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_board_tasks *tasks = d->what;
    es_caption_words(d, put_words, out);
    if (tasks->against == SIZE_MAX)
        es_buf_puts(out, "spearman: of a task with the mean share of models that a model beats in "
                         "the other tasks\n");
    else
        es_buf_printf(out, "spearman: of a task with %s, over the models that have both\n",
                      es_leaderboard_task(tasks->board, tasks->against));
    es_buf_puts(out, "low, high: 95 %, as if models were independent\n");
}

static void put_json(const es_document *d, es_json *json) {
    const es_board_tasks *tasks = d->what;
    es_buf words = {0};
    put_words(d, &words);
    es_document_take(json, "sentence", &words);
    es_json_text(json, "against",
                 tasks->against == SIZE_MAX ? NULL
                                            : es_leaderboard_task(tasks->board, tasks->against));
    es_json_uint(json, "models", tasks->board->board->m);
    es_document_table(json, "tasks", make_table(d));
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_board_tasks *tasks = d->what;
    es_forest forest = {.heading = "task",
                        .axis = tasks->against == SIZE_MAX
                                    ? "Spearman with the mean of the other tasks (bars: 95 %)"
                                    : "Spearman with the task named in the title (bars: 95 %)",
                        .null_low = (double)NAN,
                        .null_high = (double)NAN};
    es_forest_row *rows = es_sketch_room(sketch, tasks->known + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (; forest.count < tasks->known; forest.count++) {
        size_t i = tasks->order[forest.count];
        rows[forest.count] = (es_forest_row){.name = es_leaderboard_task(tasks->board, i),
                                             .value = tasks->task[i].rho,
                                             .low = tasks->task[i].low,
                                             .high = tasks->task[i].high};
    }
    forest.row = rows;
    if (sketch->style.title == NULL && tasks->against != SIZE_MAX)
        sketch->style.title = es_leaderboard_task(tasks->board, tasks->against);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    (void)d;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_FOREST, .label = TASK, .value = {SPEARMAN}, .values = 1, .line = 0};
}

es_status es_board_tasks_write(es_cli *cli, const es_board_tasks *tasks, es_error *err) {
    static const es_document_parts parts = {.schema = "task_correlation",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Correlation of tasks"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, tasks, ES_FORMAT_DEFAULT},
                             err);
}
