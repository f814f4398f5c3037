/* `embedscope leaderboard`: what a table of scores settles. */
#include <string.h>

#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

typedef struct asked {
    es_session *session; /* NULL: of a table alone */
    es_scores own;
    const es_scores *scores;
    es_answer answer;
    es_with_tasks *with;
    es_leaderboard *board;
    es_board_tasks *tasks;
    es_board_tree *tree;
    es_board_versus *versus;
} asked;

static void asked_deinit(asked *a) {
    es_board_tasks_free(a->tasks);
    es_board_tree_free(a->tree);
    es_board_versus_free(a->versus);
    es_leaderboard_free(a->board);
    es_with_tasks_free(a->with);
    es_answer_deinit(&a->answer);
    es_scores_deinit(&a->own);
    es_session_close(a->session);
}

/* A file, or a folder that MTEB's results are read from. */
static es_status read_table(const char *path, asked *a, es_error *err) {
    ES_PASS(es_scores_read(path, 0, NULL, &a->own, err));
    ES_PASS(es_scores_describe_beside(&a->own, path, err));
    ES_PASS(es_scores_settle(&a->own, NULL, err));
    a->scores = &a->own;
    return ES_OK;
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
    ES_PASS(es_cli_scores(cli, a->session, &a->own, &a->scores, err));
    if (!a->scores)
        return es_fail(err, ES_ENOTFOUND,
                       "leaderboard: no scores.csv in the pool; name a table of scores "
                       "in its place");
    return take_own(cli, a, err);
}

es_status es_leaderboard_readable(const char *path, es_error *err) {
    asked a = {0};
    es_status st = read_table(path, &a, err);
    if (st == ES_OK)
        st = es_leaderboard_check(a.scores, NULL, err);
    asked_deinit(&a);
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
    const es_leaderboard_view view = {a->session, a->board, &a->answer, a->with};
    return es_leaderboard_write(cli, &view, err);
}

es_status es_cmd_leaderboard(es_cli *cli, es_error *err) {
    asked a = {0};
    es_status st = ES_OK;
    if (es_path_may_be_board(cli->arguments[0]))
        ES_TRY(read_table(cli->arguments[0], &a, err));
    else
        ES_TRY(open_pool(cli, &a, err));
    if (a.session == NULL && a.own.remark)
        es_output_note(cli, "%s", a.own.remark);
    ES_TRY(es_leaderboard_of_pool(a.session ? es_session_pool(a.session) : NULL, a.scores,
                                  cli->options->seed, NULL, &a.board, err));
    ES_TRY(write_asked(cli, &a, err));
done:
    asked_deinit(&a);
    return st;
}
