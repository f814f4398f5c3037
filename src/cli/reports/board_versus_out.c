/* Two models of a table of scores over the tasks that both have, as a document and a picture. */
#include "cli_reports.h"

#include <math.h>

enum { TASK, A, B, DIFFERENCE, LEADS, CATEGORY, COLUMNS };

static const es_out_column columns[COLUMNS] = {
    [TASK] = {.key = "task", .title = "task", .flags = ES_COLUMN_KEY},
    [A] = {.key = "a", .title = "a", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    [B] = {.key = "b", .title = "b", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    [DIFFERENCE] = {.key = "difference",
                    .title = "difference",
                    .brief = "a - b",
                    .kind = ES_COLUMN_NUMBER,
                    .decimals = 3},
    [LEADS] = {.key = "leads", .title = "leads"},
    [CATEGORY] = {.key = "category", .title = "category"},
};

static const char *name_of(const es_board_versus *v, size_t k) {
    return es_leaderboard_name(v->board, v->model[k]);
}

static double score_of(const es_board_versus *v, size_t k, size_t task) {
    const es_leaderboard *b = v->board;
    return b->scores->value[b->row[v->model[k]] * b->scores->tasks + b->task[task]];
}

static es_table_out *make_table(const es_document *d) {
    const es_board_versus *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < v->board->board->tasks; k++) {
        size_t i = v->order[k];
        double difference = v->difference[i];
        es_table_out_text(t, es_leaderboard_task(v->board, i));
        es_table_out_number(t, score_of(v, 0, i));
        es_table_out_number(t, score_of(v, 1, i));
        es_table_out_number(t, difference);
        es_table_out_text(t, difference > 0   ? name_of(v, 0)
                             : difference < 0 ? name_of(v, 1)
                                              : NULL);
        es_table_out_text(t, v->board->category[i]);
    }
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    es_board_versus_put(d->what, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_board_versus *v = d->what;
    es_caption_words(d, put_words, out);
    es_buf_printf(out, "a: %s; b: %s\n", name_of(v, 0), name_of(v, 1));
    es_buf_printf(out, "a - b: above 0 where a is better%s\n",
                  v->board->percentiles ? "; in percentiles within the task, since lower is better "
                                          "in some task"
                                        : "");
}

static void put_json(const es_document *d, es_json *json) {
    const es_board_versus *v = d->what;
    es_buf words = {0};
    put_words(d, &words);
    es_document_take(json, "sentence", &words);
    es_json_text(json, "a", name_of(v, 0));
    es_json_text(json, "b", name_of(v, 1));
    es_json_double(json, "lead", v->pair.lead);
    es_document_range(json, "lead_ci", v->pair.low, v->pair.high);
    es_json_text(json, "unit", v->board->percentiles ? "percentiles" : "scores");
    es_json_uint(json, "tasks_common", v->pair.tasks);
    es_json_uint(json, "clusters", v->pair.clusters);
    es_json_text(json, "clusters_are", v->pair.by_category ? "categories" : "tasks");
    es_json_uint(json, "a_wins", v->wins[0]);
    es_json_uint(json, "b_wins", v->wins[1]);
    es_json_uint(json, "equal", v->equal);
    es_document_table(json, "tasks", make_table(d));
}

/* Differences, not scores: those of tasks lie on scales of their own. */
static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_board_versus *v = d->what;
    size_t tasks = v->board->board->tasks;
    es_forest forest = {.heading = "task", .null_low = 0, .null_high = 0};
    es_forest_row *rows = es_sketch_room(sketch, tasks + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    rows[forest.count++] = (es_forest_row){
        .name = "mean", .value = v->pair.lead, .low = v->pair.low, .high = v->pair.high};
    for (size_t k = 0; k < tasks && !isnan(v->difference[v->order[k]]); k++)
        rows[forest.count++] = (es_forest_row){.name = es_leaderboard_task(v->board, v->order[k]),
                                               .value = v->difference[v->order[k]],
                                               .low = (double)NAN,
                                               .high = (double)NAN};
    forest.row = rows;
    forest.axis = es_sketch_text(sketch, "%s less %s%s", name_of(v, 0), name_of(v, 1),
                                 v->board->percentiles ? ", percentiles" : "");
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    (void)d;
    *plot = (es_sheet_plot){
        .kind = ES_DRAWN_FOREST, .label = TASK, .value = {DIFFERENCE}, .values = 1, .line = 0};
}

es_status es_board_versus_write(es_cli *cli, const es_board_versus *versus, es_error *err) {
    static const es_document_parts parts = {.schema = "versus",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .plot = put_plot,
                                            .title = "Two models"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, versus, ES_FORMAT_DEFAULT},
                             err);
}
