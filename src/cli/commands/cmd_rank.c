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
                                cli->n_arguments > names ? cli->arguments[names] : NULL, err));
    else if (tasks)
        ES_TRY(es_with_tasks_write(cli, session, err));
    else if (cli->options->curve)
        ES_TRY(es_curve_write(cli, session, err));
    else if (!plain)
        ES_TRY(es_coverage_write(cli, session, err));
    else
        ES_TRY(es_rank_write(cli, session, err));
done:
    es_session_close(session);
    return st;
}
