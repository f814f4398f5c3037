/* `embedscope correlate`: how well the ranking predicts downstream scores. */
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

/* What the command holds; es_scored borrows names from the session or the file. */
typedef struct correlation {
    es_session *session; /* NULL: a ranking from a file */
    size_t entry;
    es_choices choices; /* of --score */
    es_ranking_file file;
    es_scores own;           /* of --scores */
    const es_scores *scores; /* in use */
    es_scores some;          /* of them, some tasks; texts are borrowed */
    es_scored scored;
    es_rank_report *report; /* what it is of; NULL: not a ranking of a session */
    es_join join;
    es_correlation_set *set;
    es_task_kinds *kinds;
} correlation;

static void correlation_deinit(correlation *c) {
    es_task_kinds_free(c->kinds);
    es_correlation_set_free(c->set);
    es_rank_report_free(c->report);
    es_join_deinit(&c->join);
    es_scored_deinit(&c->scored);
    es_scores_deinit(&c->own);
    es_ranking_file_deinit(&c->file);
    es_choices_deinit(&c->choices);
    es_session_close(c->session);
}

static es_status open_pool(es_cli *cli, correlation *c, es_error *err) {
    ES_PASS(es_cli_open_stored(cli, false, &c->session, &c->entry, err));
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    ES_PASS(es_scored_of_ranking(c->session, &how, &c->scored, &c->report, err));
    c->entry = c->report->entry;
    return ES_OK;
}

/* --score: a measure in place of information sufficiency. */
static es_status open_measure(es_cli *cli, correlation *c, es_error *err) {
    ES_PASS(es_score_open(cli, &c->session, &c->choices, err));
    const es_choice *choice = &c->choices.item[0];
    c->entry = SIZE_MAX;
    return es_scored_of_measure(c->session, choice->measured, es_score_field(choice), &c->scored,
                                err);
}

static es_status open_file(es_cli *cli, correlation *c, es_error *err) {
    ES_PASS(es_ranking_file_read(cli->options->ranking, &c->file, err));
    ES_PASS(es_scored_new((const char *const *)c->file.name, c->file.n, &c->scored, err));
    c->scored.negated = c->file.lower;
    for (size_t i = 0; i < c->file.n; i++) {
        c->scored.score[i] = c->file.lower ? -c->file.score[i] : c->file.score[i];
        c->scored.dim[i] = c->file.dim[i];
    }
    return ES_OK;
}

/* The chosen tasks of `c->scores` in their place; their texts are borrowed. */
static es_status keep_tasks(const es_cli *cli, correlation *c, const bool *chosen, es_error *err) {
    const es_scores *all = c->scores;
    es_scores *some = &c->some;
    some->models = all->models;
    some->model = all->model;
    some->task = es_cli_room(cli, all->tasks, sizeof *some->task);
    some->about = all->about ? es_cli_room(cli, all->tasks, sizeof *some->about) : NULL;
    some->value = es_cli_room(cli, all->models * all->tasks, sizeof *some->value);
    if (!some->task || !some->value || (all->about && !some->about))
        return es_no_memory(err);
    for (size_t t = 0; t < all->tasks; t++) {
        if (!chosen[t])
            continue;
        some->task[some->tasks] = all->task[t];
        if (all->about)
            some->about[some->tasks] = all->about[t];
        some->tasks++;
    }
    size_t at = 0;
    for (size_t i = 0; i < all->models; i++)
        for (size_t t = 0; t < all->tasks; t++)
            if (chosen[t])
                some->value[at++] = all->value[i * all->tasks + t];
    c->scores = some;
    return ES_OK;
}

/* --task, --tasks: what the scores say of these tasks alone. */
static es_status choose_tasks(es_cli *cli, correlation *c, es_error *err) {
    const char *task = cli->options->task;
    bool *chosen = NULL;
    ES_PASS(es_cli_choose_tasks(cli, c->scores, &chosen, err));
    size_t found = 0;
    for (size_t t = 0; task && t < c->scores->tasks; t++) {
        chosen[t] = strcmp(c->scores->task[t], task) == 0;
        found += chosen[t];
    }
    return task && found == 0
               ? es_cli_unknown_name(cli, "task", task, (const char *const *)c->scores->task,
                                     c->scores->tasks, err)
               : keep_tasks(cli, c, chosen, err);
}

es_status es_cmd_correlate(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    correlation c = {0};
    const es_options *o = cli->options;
    const es_correlate_options options = {.seed = o->seed};
    if (cli->n_arguments > 0 && (o->matrix || o->ranking))
        return es_usage(cli, err, "--%s takes the place of the pool '%s': name one",
                        o->matrix ? "matrix" : "ranking", cli->arguments[0]);
    if (o->with_tasks.count > 0 && o->task)
        return es_usage(cli, err, "--task and --tasks both choose tasks: use one");
    bool several = false;
    ES_TRY(es_data_list_asked(cli, &several, err));
    if (!several)
        es_output_note_idle(cli, "within", "it is of several data sets");
    if (several && (o->task || o->with_tasks.count > 0))
        return es_usage(cli, err, "--%s goes with one pool; of several, all tasks are shown",
                        o->task ? "task" : "tasks");
    if (several && es_options_typed(o, "unit"))
        return es_usage(cli, err, "--unit is of one pool");
    if (several && o->by_category)
        return es_usage(cli, err,
                        "--by-category goes with one pool; of several, all tasks are shown");
    if (several && es_score_measure(o))
        return es_usage(cli, err, "several pools are ranked by --score predictive or published");
    if (several)
        return es_sets_correlate(cli, err);
    if (!es_score_measure(o) && (o->ranking || o->matrix) && o->scores == NULL)
        return es_usage(cli, err, "--%s has no downstream scores beside it: add --scores FILE.csv",
                        o->ranking ? "ranking" : "matrix");
    ES_TRY(es_score_measure(o) ? open_measure(cli, &c, err)
           : o->ranking        ? open_file(cli, &c, err)
                               : open_pool(cli, &c, err));
    const es_scores_for whose = {.embedder = (const char *const *)c.scored.name, .n = c.scored.n};
    ES_TRY(es_cli_scores_as_written(cli, c.session, &whose, &c.own, &c.scores, err));
    es_pool *pool = c.session ? es_session_pool(c.session) : NULL;
    ES_FAIL_IF(c.scores == NULL && pool && es_pool_scores_problem(pool),
               es_fail(err, ES_EFORMAT, "%s", es_pool_scores_problem(pool)));
    ES_FAIL_IF(
        c.scores == NULL,
        es_fail(err, ES_ENOTFOUND,
                "%s: no scores.csv in the pool; name downstream scores with --scores FILE.csv",
                cli->arguments[0]));
    ES_TRY(es_join_new(cli, c.scored.name, c.scored.n, (const char *const *)c.scores->model,
                       c.scores->models, &c.join, err));
    ES_TRY(es_cli_scores_settle(cli, &c.join, &c.own, &c.scores, err));
    bool one = o->task && !es_score_measure(o) &&
               cli->export == NULL; /* a picture finds its task itself */
    if (one || o->with_tasks.count > 0)
        ES_TRY(choose_tasks(cli, &c, err));
    ES_TRY(es_correlation_set_new(&c.scored, c.scores, c.join.of_a, &options, &c.set, err));
    ES_TRY(es_task_kinds_new(c.set,
                             c.report && c.report->has_community ? c.report->community : NULL,
                             &options, &c.kinds, err));
    const es_correlation_view view = {
        .session = c.session,
        .entry = c.entry,
        .scored = &c.scored,
        .report = c.report,
        .measure = es_score_measure(o) ? &c.choices.item[0] : NULL,
        .join = &c.join,
        .set = c.set,
        .kinds = c.kinds,
        .options = options,
    };
    ES_TRY(o->by_category ? es_categories_write(cli, &view, err)
                          : es_correlation_write(cli, &view, err));
done:
    correlation_deinit(&c);
    return st;
}

/* `embedscope agree`: what every measure says of the embedders, and how far they agree. */

es_status es_cmd_agree(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_agree_scores scores = {0};
    es_choices choices = {0};
    const es_options *o = cli->options;
    const char *names = cli->n_arguments > 1 ? cli->arguments[1] : "all";
    es_status st = ES_OK;
    if (!o->by_task && (es_options_typed(o, "runs") || es_options_typed(o, "kind")))
        return es_usage(cli, err, "--%s goes with --by-task",
                        es_options_typed(o, "runs") ? "runs" : "kind");
    if (o->by_task && o->against)
        return es_usage(cli, err, "--by-task shows every task: leave --against out");
    ES_TRY(es_measure_open(cli, false, &session, err));
    if (names[0]) {
        ES_TRY(es_measure_choose(cli, session, names, &choices, err));
        ES_TRY(es_measure_compute(cli, session, &choices, err));
    }
    ES_TRY(es_export_attach(cli, session, 0, err));
    if (cli->export)
        cli->export->measures = true;
    if (o->by_task) {
        ES_TRY(es_agree_columns(cli, session, &choices, &scores, err));
        ES_TRY(es_agree_by_task(cli, session, names, &scores, err));
    } else {
        bool panels = cli->export && strcmp(cli->export->view, "panels") == 0;
        ES_TRY((panels ? es_agree_fields : es_agree_inputs)(cli, session, &choices, &scores, err));
        ES_TRY(es_agree_write(cli, session, &scores, err));
    }
    ES_TRY(es_session_store_problem(session, err));
done:
    es_agree_scores_deinit(&scores);
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}
