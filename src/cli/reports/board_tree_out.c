/* The tree of the tasks of a table of scores, as a document and a picture: tasks as leaves, in the
 * order in which the tree is drawn beside them. */
#include "cli_reports.h"

#include <math.h>

enum { TREE = 24 }; /* columns of the drawing */

static const es_out_column columns[] = {
    {.key = "task", .title = "task", .flags = ES_COLUMN_KEY},
    {.key = "tree", .title = "tree", .flags = ES_COLUMN_SHOWN_ONLY},
    {.key = "joined", .title = "joined at", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "nearest", .title = "most like"},
    {.key = "spearman", .title = "spearman", .kind = ES_COLUMN_NUMBER, .decimals = 3},
    {.key = "category", .title = "category"},
};

static es_table_out *make_table(const es_document *d) {
    const es_board_tree *tree = d->what;
    size_t tasks = tree->linkage->m;
    char **line = NULL;
    es_table_out *t = ES_TABLE_OUT(columns);
    bool drawn = d->format == ES_FORMAT_TABLE && es_dendrogram_lines(tree->linkage, TREE, &line);
    for (size_t k = 0; k < tasks; k++) {
        size_t i = tree->linkage->order[k], near = es_board_tree_nearest(tree, i);
        es_table_out_text(t, es_leaderboard_task(tree->board, i));
        es_table_out_text(t, drawn ? line[k] : NULL);
        es_table_out_number(t, es_board_tree_joined(tree, i));
        es_table_out_text(t, near == SIZE_MAX ? NULL : es_leaderboard_task(tree->board, near));
        es_table_out_number(t, near == SIZE_MAX ? (double)NAN : tree->rho[i * tasks + near]);
        es_table_out_text(t, tree->board->category[i]);
    }
    for (size_t k = 0; line && k < tasks; k++)
        es_free(line[k]);
    es_free((void *)line);
    return t;
}

static void put_words(const es_document *d, es_buf *out) {
    es_board_tree_put(d->what, out);
}

static const char *method_of(const es_board_tree *tree) {
    return es_tree_method_names[ES_TREE_WARD + (int)tree->method];
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_board_tree *tree = d->what;
    es_caption_words(d, put_words, out);
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

static void put_linkage(const es_linkage *linkage, es_json *json) {
    es_json_begin_array(json, "linkage");
    for (size_t k = 0; k + 1 < linkage->m; k++) {
        es_json_begin_object(json, NULL);
        es_json_uint(json, "a", linkage->merge[k].a);
        es_json_uint(json, "b", linkage->merge[k].b);
        es_json_double(json, "height", linkage->merge[k].height);
        es_json_uint(json, "size", linkage->merge[k].size);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const es_board_tree *tree = d->what;
    es_buf words = {0};
    put_words(d, &words);
    es_document_take(json, "sentence", &words);
    es_json_text(json, "method", method_of(tree));
    es_json_begin_array(json, "names"); /* leaf 0, 1, ... of the linkage */
    for (size_t i = 0; i < tree->linkage->m; i++)
        es_json_text(json, NULL, es_leaderboard_task(tree->board, i));
    es_json_end(json);
    put_linkage(tree->linkage, json);
    es_document_table(json, "tasks", make_table(d));
    es_json_uint(json, "filled", tree->linkage->filled);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
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
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .title = "Tree of tasks"};
    return es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, tree, ES_FORMAT_DEFAULT},
                             err);
}
