/* `embedscope agree`: what every measure says of the embedders, and how far they agree. */
#include <string.h>

#include "cli_reports.h"
#include "cli_tasks.h"
#include "cmd.h"

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
