/* `embedscope leaderboard`: what a table of scores settles, as a document and a picture; with a
 * pool, its own ranking beside. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

typedef struct asked {
    es_session *session; /* NULL: of a table alone */
    const es_scores *scores;
    es_answer answer;
    es_with_tasks *with;
    es_leaderboard *board;
    es_board_tasks *tasks;
    es_board_tree *tree;
    es_board_versus *versus;
} asked;

#define ROW(C)                                                                                     \
    C(COUNT, "rank", "rank", 0, or_missing(b->rank[i]))                                            \
    C(TEXT, "model", "model", ES_COLUMN_KEY, es_leaderboard_name(v->board, i))                     \
    C(NUMBER, "mean", "mean", 3, 0, b->mean[i])                                                    \
    C(DATA, COUNT, "rank_low", or_missing(b->rank_low[i]))                                         \
    C(DATA, COUNT, "rank_high", or_missing(b->rank_high[i]))                                       \
    C(SHOWN, "ranks", "ranks", ranks[0] ? ranks : NULL)                                            \
    C(SHOWN, "best", "candidate", b->best[i] ? "yes" : NULL)                                       \
    C(DATA, FLAG, "in_best_set", b->best[i])                                                       \
    C(COUNT, "group", "group", 0, or_missing(v->board->group[i]))                                  \
    C(COUNT, "tasks", "tasks", 0, b->count[i])                                                     \
    C(NUMBER, "mean_rank", "mean rank", 1, 0, b->mean_rank[i])                                     \
    C(NUMBER, "borda", "Borda", 3, 0, b->borda[i])                                                 \
    C(SHORT, COUNT, "rank_by_rows", "rank by rows", "rows", 0, 0,                                  \
      rank_of(v, v->with ? v->with->by_ranking : NULL, i))                                         \
    C(SHORT, COUNT, "rank_with_rows", "with rows", "with", 0, 0,                                   \
      rank_of(v, v->with ? v->with->rank : NULL, i))

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static size_t or_missing(uint32_t rank) {
    return rank > 0 ? rank : SIZE_MAX;
}

/* What `rank` of the pool's embedders (NULL: no ranking) says of model i, by name. */
static size_t rank_of(const asked *v, const uint32_t *rank, size_t i) {
    const char *name = es_leaderboard_name(v->board, i);
    for (size_t k = 0; rank && k < v->with->n; k++)
        if (strcmp(v->answer.report->results->name[k], name) == 0)
            return or_missing(rank[k]);
    return SIZE_MAX;
}

static void put_row(es_table_out *t, const asked *v, size_t i) {
    const es_board *b = v->board->board;
    char ranks[48] = "";
    if (b->rank[i] > 0)
        (void)snprintf(ranks, sizeof ranks, "%u-%u", b->rank_low[i], b->rank_high[i]);
    ES_PUT_ROW(ROW, t);
}

static es_table_out *make_table(const es_document *d) {
    const asked *v = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < v->board->board->m; k++)
        put_row(t, v, v->board->board->order[k]);
    return t;
}

/* "On your rows: Best of these: A ..." */
static void put_words(const es_document *d, es_buf *out) {
    const asked *v = d->what;
    es_leaderboard_put(v->board, out);
    if (v->with)
        es_buf_printf(out, " By your own rows: %s", v->answer.line->sentence);
}

static void put_caption(const es_document *d, es_buf *out) {
    const asked *v = d->what;
    const es_leaderboard *b = v->board;
    es_caption_words(d, put_words, out);
    es_buf_puts(out, b->percentiles
                         ? "mean: of percentiles within tasks, since lower is better in some task\n"
                         : "mean: of the scores of a model\n");
    if (b->board->said)
        es_buf_printf(out,
                      "ranks, candidate: %.0f %%, for as many other tasks; errors by %s\n"
                      "group: its first model is shown ahead of the first of the next group\n",
                      100 * b->board->level, b->board->by_category ? "category" : "task");
    es_buf_puts(out, "Borda: mean share of the other models that it beats in a task\n");
    if (v->with)
        es_buf_puts(out,
                    "rows: rank by your own rows; with: rank by both, your rows as two tasks\n");
}

static void put_names(es_json *json, const char *key, const es_leaderboard *b, size_t most) {
    es_json_begin_row(json, key);
    for (size_t k = 0, put = 0; k < b->board->m && put < most; k++)
        if (b->board->best[b->board->order[k]]) {
            es_json_text(json, NULL, es_leaderboard_name(b, b->board->order[k]));
            put++;
        }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const asked *v = d->what;
    const es_leaderboard *b = v->board;
    es_json_begin_object(json, "bottom_line");
    es_document_words(d, json, "sentence", put_words);
    es_json_text(json, "best", b->ranked > 0 ? es_leaderboard_name(b, b->board->order[0]) : NULL);
    put_names(json, "best_set", b, SIZE_MAX);
    put_names(json, "advice", b, es_leaderboard_advised(b));
    es_json_text(json, "scope", b->board->said ? "new" : "these");
    es_json_uint(json, "kinds", b->board->clusters);
    es_json_text(json, "settled_by", es_leaderboard_settled_by(b));
    es_json_double(json, "level", b->board->level);
    es_json_begin_row(json, "unrelated");
    es_json_end(json);
    es_json_begin_row(json, "copies");
    es_json_end(json);
    es_json_end(json);
    es_json_uint(json, "models", b->board->m);
    es_json_uint(json, "tasks", b->board->tasks);
    es_json_uint(json, "categories", b->categories);
    es_json_text(json, "mean_of", b->percentiles ? "percentiles" : "scores");
    es_json_uint(json, "adjacent", b->ranked > 0 ? b->ranked - 1 : 0);
    es_json_uint(json, "separated", b->separated);
    es_document_table(json, "ranking", make_table(d));
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_leaderboard *b = ((const asked *)d->what)->board;
    es_forest forest = {.heading = "model",
                        .axis = "rank on as many other tasks (bars: 95 %)",
                        .band = b->board->said ? "shaded: may be the best" : NULL,
                        .null_low = (double)NAN,
                        .null_high = (double)NAN};
    es_forest_row *rows = es_sketch_room(sketch, b->ranked + 1, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (; forest.count < b->ranked; forest.count++) {
        size_t i = b->board->order[forest.count];
        rows[forest.count] = (es_forest_row){.name = es_leaderboard_name(b, i),
                                             .rank = b->board->rank[i],
                                             .value = b->board->rank[i],
                                             .low = b->board->rank_low[i],
                                             .high = b->board->rank_high[i],
                                             .best = b->board->best[i]};
    }
    forest.row = rows;
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

enum { RANK, MODEL, MEAN, LOW, HIGH };
static const es_sheet_plot plot = {.kind = ES_DRAWN_FOREST,
                                   .label = MODEL,
                                   .value = {RANK, MEAN},
                                   .values = 2,
                                   .low = LOW,
                                   .high = HIGH,
                                   .line = (double)NAN};

/* ---- what is asked ---- */

static void asked_deinit(asked *a) {
    es_board_tasks_free(a->tasks);
    es_board_tree_free(a->tree);
    es_board_versus_free(a->versus);
    es_leaderboard_free(a->board);
    es_with_tasks_free(a->with);
    es_answer_deinit(&a->answer);
    es_session_close(a->session);
}

/* A file, or a folder that MTEB's results are read from. */
static es_status read_table(const char *path, es_scores *out, es_error *err) {
    ES_PASS(es_scores_read(path, 0, NULL, out, err));
    ES_PASS(es_scores_describe_beside(out, path, err));
    return es_scores_settle(out, NULL, err);
}

/* The ranking by the pool's own rows, if it is stored. */
static es_status take_own(es_cli *cli, asked *a, es_error *err) {
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    es_status st = es_answer_new(a->session, &how, NULL, &a->answer, err);
    if (st == ES_EEMPTY)
        return ES_OK;
    if (st == ES_OK && a->answer.report->decision->by_lead)
        st = es_with_tasks_of(a->answer.report, a->scores, NULL, &a->with, err);
    return st;
}

static es_status open_pool(es_cli *cli, asked *a, es_error *err) {
    ES_PASS(es_cli_open(cli, ES_ACCESS_SHOW, true, &a->session, err));
    ES_PASS(es_cli_wait_checked(cli, a->session, err));
    ES_PASS(es_cli_scores(cli, a->session, &a->scores, err));
    if (!a->scores)
        return es_fail(
            err, ES_ENOTFOUND,
            "leaderboard: no scores.csv in the pool; give --scores FILE, or name a table "
            "of scores in its place");
    return take_own(cli, a, err);
}

es_status es_leaderboard_readable(const char *path, es_error *err) {
    es_scores scores = {0};
    es_status st = read_table(path, &scores, err);
    if (st == ES_OK)
        st = es_leaderboard_check(&scores, NULL, err);
    es_scores_deinit(&scores);
    return st;
}

/* ---- tasks, and two models ---- */

static es_status find_task(es_cli *cli, const asked *a, size_t *out, es_error *err) {
    const char *name = cli->options->against;
    *out = SIZE_MAX;
    if (!name || strcmp(name, "mean") == 0 || strcmp(name, "mean rank") == 0)
        return ES_OK;
    es_status st = es_leaderboard_find_task(a->board, name, out, err);
    if (st == ES_OK && *out == SIZE_MAX)
        st = es_cli_unknown_name(cli, "task", name, (const char *const *)a->scores->task,
                                 a->scores->tasks, err);
    return st;
}

static es_status write_tasks(es_cli *cli, asked *a, es_error *err) {
    size_t against = SIZE_MAX;
    es_status st = find_task(cli, a, &against, err);
    if (st == ES_OK)
        st = es_board_tasks_new(a->board, against, NULL, &a->tasks, err);
    return st == ES_OK ? es_board_tasks_write(cli, a->tasks, err) : st;
}

static es_status write_tree(es_cli *cli, asked *a, es_error *err) {
    int method = cli->options->tree_method;
    if (method == ES_TREE_LOUVAIN)
        return es_usage(cli, err, "a tree of tasks is a dendrogram: --method average or ward");
    es_status st = es_board_tree_new(a->board, (es_linkage_method)(method - ES_TREE_WARD), NULL,
                                     &a->tree, err);
    return st == ES_OK ? es_board_tree_write(cli, a->tree, err) : st;
}

static es_status write_versus(es_cli *cli, asked *a, es_error *err) {
    size_t model[2];
    es_status st = ES_OK;
    if (cli->n_arguments != 3)
        return es_usage(cli, err, "compare '%s' with which model? Name two", cli->arguments[1]);
    for (size_t k = 0; k < 2; k++) {
        model[k] = es_leaderboard_find(a->board, cli->arguments[1 + k]);
        if (model[k] == SIZE_MAX)
            return es_cli_unknown_name(cli, "model", cli->arguments[1 + k],
                                       (const char *const *)a->scores->model, a->scores->models,
                                       err);
    }
    if (model[0] == model[1])
        return es_usage(cli, err, "'%s' is named twice: name two models", cli->arguments[1]);
    st = es_board_versus_new(a->board, model[0], model[1], &a->versus, err);
    return st == ES_OK ? es_board_versus_write(cli, a->versus, err) : st;
}

static es_status write_asked(es_cli *cli, asked *a, es_error *err) {
    static const es_document_parts parts = {.schema = "leaderboard",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = put_picture,
                                            .drawn = &plot,
                                            .title = "Leaderboard"};
    const es_options *o = cli->options;
    bool versus = cli->n_arguments > 1,
         tree = es_options_typed(o, "method") ||
                (cli->export && strcmp(cli->export->view, "task-tree") == 0);
    if (o->by_task + tree + versus > 1)
        return es_usage(cli, err,
                        "--by-task, --method and two models are three documents: ask for "
                        "one");
    if (o->against && !o->by_task)
        return es_usage(cli, err, "--against goes with --by-task");
    if (o->by_task)
        return write_tasks(cli, a, err);
    if (tree)
        return write_tree(cli, a, err);
    if (versus)
        return write_versus(cli, a, err);
    return es_document_write(&parts, (es_document){cli, a->session, SIZE_MAX, a, ES_FORMAT_DEFAULT},
                             err);
}

es_status es_cmd_leaderboard(es_cli *cli, es_error *err) {
    asked a = {0};
    es_scores *own = es_cli_room_scores(cli);
    es_status st = ES_OK;
    ES_FAIL_IF(own == NULL, es_no_memory(err));
    if (es_path_may_be_board(cli->arguments[0])) {
        ES_FAIL_IF(cli->options->scores != NULL,
                   es_usage(cli, err, "--scores goes with a pool: name one table"));
        ES_TRY(read_table(cli->arguments[0], own, err));
        a.scores = own;
        if (own->remark)
            es_output_note(cli, "%s", own->remark);
    } else
        ES_TRY(open_pool(cli, &a, err));
    ES_TRY(es_leaderboard_of_pool(a.session ? es_session_pool(a.session) : NULL, a.scores,
                                  cli->options->seed, NULL, &a.board, err));
    ES_TRY(write_asked(cli, &a, err));
done:
    asked_deinit(&a);
    return st;
}
