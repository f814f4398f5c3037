/* `embedscope tuned`: embedders beside what was tuned from them. */
#include "cmd.h"
#include "cli_out.h"
#include "cli_reports.h"
#include "cli_session.h"

es_status es_cmd_tuned(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_tuned tuned = {0};
    es_scores own = {0};
    const es_scores *scores = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    ES_TRY(es_tuned_new(report, scores, &tuned, err));
    ES_FAIL_IF(tuned.count == 0,
               es_fail(err, ES_EEMPTY,
                       "%s: no embedder and what was tuned from it; name them NAME and NAME-tuned",
                       es_pool_name(es_session_pool(session))));
    ES_TRY(es_tuned_write(cli, &(es_tuned_view){session, report, &tuned}, err));
done:
    es_tuned_deinit(&tuned);
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_session_close(session);
    return st;
}
