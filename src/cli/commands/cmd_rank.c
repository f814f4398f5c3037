/* `embedscope rank`: the ranking, from what is stored, and how many embedders it takes. */
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

/* Of the words behind the pool some are names: several pools go with no other document. */
static es_status asks_several(es_cli *cli, bool *several, es_error *err) {
    const es_options *o = cli->options;
    *several = false;
    es_output_note_idle(cli, "by-category", "it goes with correlate");
    if (o->explain)
        return ES_OK;
    es_status st = es_data_list_asked(cli, several, err);
    if (!*several)
        es_output_note_idle(cli, "within", "it is of several data sets");
    if (st != ES_OK || !*several)
        return st;
    if (o->curve || o->coverage > 0 || o->sweep.count > 0 || o->with_tasks.count > 0)
        return es_usage(cli, err, "--%s is of one pool or set",
                        o->curve                  ? "curve"
                        : o->with_tasks.count > 0 ? "tasks"
                        : o->sweep.count > 0      ? "sweep"
                                                  : "coverage");
    if (o->scores)
        return es_usage(cli, err,
                        "--scores has no effect on a ranking of several pools; use "
                        "embedscope correlate P1 P2 --scores FILE");
    if (es_options_typed(o, "unit"))
        return es_usage(cli, err, "--unit is of one pool");
    if (es_score_measure(o))
        return es_usage(cli, err, "several pools are ranked by --score predictive or published");
    return ES_OK;
}

static es_status check_options(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    bool tasks = o->with_tasks.count > 0;
    if ((o->curve ? 1 : 0) + (o->coverage > 0 ? 1 : 0) + (o->explain ? 1 : 0) + tasks > 1)
        return es_usage(cli, err,
                        "--curve, --coverage, --explain and --tasks are documents: ask for one");
    if (tasks && es_score_measure(o))
        return es_usage(cli, err, "--tasks goes with --score predictive or published");
    if (o->explain && es_score_measure(o))
        return es_usage(cli, err, "--explain goes with --score predictive or published");
    size_t most = (o->matrix ? 0U : 1U) + (o->explain ? 1U : 0U);
    if (cli->n_arguments > most && o->matrix)
        return es_usage(cli, err, "--matrix takes the place of the pool '%s': name one",
                        cli->arguments[0]);
    if (cli->n_arguments > most && (o->explain || o->curve || o->coverage > 0 || tasks))
        return es_usage(cli, err, "--%s is of one pool; '%s' is one too many",
                        o->explain ? "explain"
                        : o->curve ? "curve"
                        : tasks    ? "tasks"
                                   : "coverage",
                        cli->arguments[most]);
    bool sweeps = o->sweep.count > 0;
    if (es_options_typed(o, "unit") && (sweeps || o->curve || o->coverage > 0 || o->explain))
        return es_usage(cli, err, "--unit is of the ranking; it does not go with --%s",
                        sweeps            ? "sweep"
                        : o->curve        ? "curve"
                        : o->coverage > 0 ? "coverage"
                                          : "explain");
    if (o->against && !o->curve && !sweeps)
        return es_usage(cli, err, "--against goes with --curve or --sweep");
    const char *without = o->curve && !o->against ? "--curve without --against TASK"
                          : o->coverage > 0       ? "--coverage"
                          : o->explain            ? "--explain"
                          : es_score_measure(o) && !o->sweep.count
                              ? "--score MEASURE; use correlate"
                              : NULL;
    if (without && o->scores && !o->matrix)
        return es_usage(cli, err, "--scores has no effect on %s", without);
    if (sweeps && (o->matrix || o->curve || o->coverage > 0 || o->explain || tasks))
        return es_usage(cli, err, "--sweep runs through the settings of a pool's scores, alone");
    return ES_OK;
}

/* Who covers whom is no score: nothing that makes one changes it. */
static void note_unscored(const es_cli *cli) {
    static const char *const of_scores[] = {"aggregate", "targets", "include-self",
                                            "leave-family-out"};
    for (size_t i = 0; cli->options->coverage > 0 && i < sizeof of_scores / sizeof *of_scores; i++)
        es_output_note_idle(cli, of_scores[i], "what covers every target is no score");
}

es_status es_cmd_rank(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    bool tasks = cli->options->with_tasks.count > 0;
    bool plain = !cli->options->curve && !(cli->options->coverage > 0) && !tasks;
    size_t names = cli->options->matrix ? 0 : 1; /* the pool stands before the second name */
    bool several = false;
    ES_TRY(check_options(cli, err));
    ES_TRY(asks_several(cli, &several, err));
    note_unscored(cli);
    if (cli->options->sweep.count > 0)
        return es_sweep_write(cli, false, err);
    if (es_score_measure(cli->options))
        return es_score_rank(cli, err);
    if (several && cli->export && strcmp(cli->export->view, "distance") == 0)
        return es_sets_distance(cli, err);
    if (several)
        return es_sets_rank(cli, err);
    ES_TRY(es_cli_open_stored(cli, plain, &session, &entry, err));
    if (cli->options->explain)
        ES_TRY(es_explain_write(cli, session, cli->options->explain,
                                cli->n_arguments > names ? cli->arguments[names] : NULL, format,
                                err));
    else if (tasks)
        ES_TRY(es_with_tasks_write(cli, session, format, err));
    else if (cli->options->curve)
        ES_TRY(es_curve_write(cli, session, format, err));
    else if (!plain)
        ES_TRY(es_coverage_write(cli, session, format, err));
    else
        ES_TRY(es_rank_write(cli, session, format, err));
done:
    es_session_close(session);
    return st;
}

/* `embedscope leaderboard`: what a table of scores settles. */

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
