/* Two models of a table of scores over the tasks that both have, as a document and a picture. */
#include "cli_reports.h"

#include <math.h>

enum { VERSUS_TASK, A, B, DIFFERENCE, LEADS, CATEGORY };

#define VERSUS(C)                                                                                  \
    C(TEXT, "task", "task", ES_COLUMN_KEY, es_leaderboard_task(v->board, i))                       \
    C(NUMBER, "a", "a", 3, 0, score_of(v, 0, i))                                                   \
    C(NUMBER, "b", "b", 3, 0, score_of(v, 1, i))                                                   \
    C(SHORT, NUMBER, "difference", "difference", "a - b", 3, 0, difference)                        \
    C(TEXT, "leads", "leads", 0,                                                                   \
      difference > 0   ? name_of(v, 0)                                                             \
      : difference < 0 ? name_of(v, 1)                                                             \
                       : NULL)                                                                     \
    C(TEXT, "category", "category", 0, v->board->category[i])

static const es_out_column versus_columns[] = ES_COLUMNS_OF(VERSUS);

static const char *name_of(const es_board_versus *v, size_t k) {
    return es_leaderboard_name(v->board, v->model[k]);
}

static double score_of(const es_board_versus *v, size_t k, size_t task) {
    const es_leaderboard *b = v->board;
    return b->scores->value[b->row[v->model[k]] * b->scores->tasks + b->task[task]];
}

static es_table_out *make_versus_table(const es_document *d) {
    const es_board_versus *v = d->what;
    es_table_out *t = ES_TABLE_OUT(versus_columns);
    for (size_t k = 0; k < v->board->board->tasks; k++) {
        size_t i = v->order[k];
        double difference = v->difference[i];
        ES_PUT_ROW(VERSUS, t);
    }
    return t;
}

static void put_versus_words(const es_document *d, es_buf *out) {
    es_board_versus_put(d->what, out);
}

static void put_versus_caption(const es_document *d, es_buf *out) {
    const es_board_versus *v = d->what;
    es_caption_words(d, put_versus_words, out);
    es_buf_printf(out, "a: %s; b: %s\n", name_of(v, 0), name_of(v, 1));
    es_buf_printf(out, "a - b: above 0 where a is better%s\n",
                  v->board->percentiles ? "; in percentiles within the task, since lower is better "
                                          "in some task"
                                        : "");
}

static void put_versus_json(const es_document *d, es_json *json) {
    const es_board_versus *v = d->what;
    es_document_words(d, json, "sentence", put_versus_words);
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
    es_document_table(json, "tasks", make_versus_table(d));
}

/* Differences, not scores: those of tasks lie on scales of their own. */
static es_status put_versus_picture(const es_document *d, es_sketch *sketch, es_error *err) {
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

static const es_sheet_plot versus_plot = {
    .kind = ES_DRAWN_FOREST, .label = VERSUS_TASK, .value = {DIFFERENCE}, .values = 1, .line = 0};

es_status es_board_versus_write(es_cli *cli, const es_board_versus *versus, es_error *err) {
    static const es_document_parts parts = {.schema = "versus",
                                            .table = make_versus_table,
                                            .caption = put_versus_caption,
                                            .words = put_versus_words,
                                            .json = put_versus_json,
                                            .picture = put_versus_picture,
                                            .drawn = &versus_plot,
                                            .title = "Two models"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, versus, ES_FORMAT_DEFAULT},
                             err);
}

/* How the tasks of a table of scores order the models, as a document and a picture. */

enum { TASKS_TASK, MODELS, SPEARMAN };

#define TASK(C)                                                                                    \
    C(TEXT, "task", "task", ES_COLUMN_KEY, es_leaderboard_task(board, i))                          \
    C(COUNT, "models", "models", 0, tasks->task[i].models)                                         \
    C(BAND, "spearman", "spearman", 3, tasks->task[i].rho, tasks->task[i].low,                     \
      tasks->task[i].high)                                                                         \
    C(TEXT, "category", "category", 0, board->category[i])

static const es_out_column tasks_columns[] = ES_COLUMNS_OF(TASK);

static es_table_out *make_tasks_table(const es_document *d) {
    const es_board_tasks *tasks = d->what;
    const es_leaderboard *board = tasks->board;
    es_table_out *t = ES_TABLE_OUT(tasks_columns);
    for (size_t k = 0; k < board->board->tasks; k++) {
        size_t i = tasks->order[k];
        if (i == tasks->against)
            continue;
        ES_PUT_ROW(TASK, t);
    }
    return t;
}

static void put_tasks_words(const es_document *d, es_buf *out) {
    es_board_tasks_put(d->what, out);
}

static void put_tasks_caption(const es_document *d, es_buf *out) {
    const es_board_tasks *tasks = d->what;
    es_caption_words(d, put_tasks_words, out);
    if (tasks->against == SIZE_MAX)
        es_buf_puts(out, "spearman: of a task with the mean share of models that a model beats in "
                         "the other tasks\n");
    else
        es_buf_printf(out, "spearman: of a task with %s, over the models that have both\n",
                      es_leaderboard_task(tasks->board, tasks->against));
    es_buf_puts(out, "low, high: 95 %, as if models were independent\n");
}

static void put_tasks_json(const es_document *d, es_json *json) {
    const es_board_tasks *tasks = d->what;
    es_document_words(d, json, "sentence", put_tasks_words);
    es_json_text(json, "against",
                 tasks->against == SIZE_MAX ? NULL
                                            : es_leaderboard_task(tasks->board, tasks->against));
    es_json_uint(json, "models", tasks->board->board->m);
    es_document_table(json, "tasks", make_tasks_table(d));
}

static es_status put_tasks_picture(const es_document *d, es_sketch *sketch, es_error *err) {
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

static const es_sheet_plot tasks_plot = {
    .kind = ES_DRAWN_FOREST, .label = TASKS_TASK, .value = {SPEARMAN}, .values = 1, .line = 0};

es_status es_board_tasks_write(es_cli *cli, const es_board_tasks *tasks, es_error *err) {
    static const es_document_parts parts = {.schema = "task_correlation",
                                            .table = make_tasks_table,
                                            .caption = put_tasks_caption,
                                            .words = put_tasks_words,
                                            .json = put_tasks_json,
                                            .picture = put_tasks_picture,
                                            .drawn = &tasks_plot,
                                            .title = "Correlation of tasks"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, tasks, ES_FORMAT_DEFAULT},
                             err);
}

/* The tree of the tasks of a table of scores, as a document and a picture: tasks as leaves, in the
 * order in which the tree is drawn beside them. */

enum { TREE = 24 }; /* tree_columns of the drawing */

#define LEAF(C)                                                                                    \
    C(TEXT, "task", "task", ES_COLUMN_KEY, es_leaderboard_task(tree->board, i))                    \
    C(SHOWN, "tree", "tree", drawn ? line[k] : NULL)                                               \
    C(NUMBER, "joined", "joined at", 3, 0, es_board_tree_joined(tree, i))                          \
    C(TEXT, "nearest", "most like", 0,                                                             \
      near == SIZE_MAX ? NULL : es_leaderboard_task(tree->board, near))                            \
    C(NUMBER, "spearman", "spearman", 3, 0,                                                        \
      near == SIZE_MAX ? (double)NAN : tree->rho[i * tasks + near])                                \
    C(TEXT, "category", "category", 0, tree->board->category[i])

static const es_out_column tree_columns[] = ES_COLUMNS_OF(LEAF);

static es_table_out *make_tree_table(const es_document *d) {
    const es_board_tree *tree = d->what;
    size_t tasks = tree->linkage->m;
    char **line = NULL;
    es_table_out *t = ES_TABLE_OUT(tree_columns);
    bool drawn = d->format == ES_FORMAT_TABLE && es_dendrogram_lines(tree->linkage, TREE, &line);
    for (size_t k = 0; k < tasks; k++) {
        size_t i = tree->linkage->order[k], near = es_board_tree_nearest(tree, i);
        ES_PUT_ROW(LEAF, t);
    }
    for (size_t k = 0; line && k < tasks; k++)
        es_free(line[k]);
    es_free((void *)line);
    return t;
}

static void put_tree_words(const es_document *d, es_buf *out) {
    es_board_tree_put(d->what, out);
}

static const char *method_of(const es_board_tree *tree) {
    return es_tree_method_names[ES_TREE_WARD + (int)tree->method];
}

static void put_tree_caption(const es_document *d, es_buf *out) {
    const es_board_tree *tree = d->what;
    es_caption_words(d, put_tree_words, out);
    es_buf_printf(out,
                  "tree: %s linkage of the tasks by 1 - spearman, over the models that both have\n"
                  "joined at: height at which the task is joined with others\n",
                  method_of(tree));
    if (tree->linkage->filled > 0)
        es_buf_printf(out,
                      "%zu pair%s of tasks with fewer than three models in common count%s as least "
                      "alike\n",
                      tree->linkage->filled, tree->linkage->filled == 1 ? "" : "s",
                      tree->linkage->filled == 1 ? "s" : "");
}

static void put_tree_json(const es_document *d, es_json *json) {
    const es_board_tree *tree = d->what;
    es_document_words(d, json, "sentence", put_tree_words);
    es_json_text(json, "method", method_of(tree));
    es_json_begin_array(json, "names"); /* leaf 0, 1, ... of the linkage */
    for (size_t i = 0; i < tree->linkage->m; i++)
        es_json_text(json, NULL, es_leaderboard_task(tree->board, i));
    es_json_end(json);
    es_linkage_json(json, tree->linkage);
    es_document_table(json, "tasks", make_tree_table(d));
    es_json_uint(json, "filled", tree->linkage->filled);
}

static es_status put_tree_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_board_tree *tree = d->what;
    size_t tasks = tree->linkage->m;
    const char **name = es_sketch_room(sketch, tasks, sizeof *name);
    if (name == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < tasks; i++)
        name[i] = es_leaderboard_task(tree->board, i);
    const es_dendrogram dendrogram = {
        .tree = tree->linkage, .name = name, .axis = "1 - Spearman between tasks"};
    return es_figure_dendrogram(&dendrogram, ES_SKETCHED(sketch), err);
}

es_status es_board_tree_write(es_cli *cli, const es_board_tree *tree, es_error *err) {
    static const es_document_parts parts = {.schema = "task_tree",
                                            .table = make_tree_table,
                                            .caption = put_tree_caption,
                                            .words = put_tree_words,
                                            .json = put_tree_json,
                                            .picture = put_tree_picture,
                                            .title = "Tree of tasks"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, tree, ES_FORMAT_DEFAULT},
                             err);
}
