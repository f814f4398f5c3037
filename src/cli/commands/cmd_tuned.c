/* `embedscope tuned`: embedders beside what was tuned from them. */
#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

/* models.csv, where it has a column of bases. */
static es_status read_bases(const es_cli *cli, es_session *session, es_family_file *out,
                            es_error *err) {
    es_error why = {0};
    char *path = NULL;
    es_status st = es_pool_beside(es_session_pool(session), "models.csv", &path, err);
    if (st != ES_OK || !path)
        return st;
    st = es_model_words_read(path, ES_MODEL_BASE, 0, out, &why);
    es_free(path);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st != ES_OK && st != ES_EEMPTY && st != ES_ENOTFOUND)
        es_output_note(cli, "models.csv is not used: %s", why.message);
    return ES_OK;
}

es_status es_cmd_tuned(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_tuned tuned = {0};
    es_family_file bases = {0};
    es_scores own = {0};
    const es_scores *scores = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    ES_TRY(read_bases(cli, session, &bases, err));
    ES_TRY(es_tuned_new(report, &bases, scores, &tuned, err));
    ES_FAIL_IF(
        tuned.count == 0,
        es_fail(
            err, ES_EEMPTY,
            "%s: no embedder and what was tuned from it; name them NAME and NAME-tuned, or give "
            "models.csv the columns model and base",
            es_pool_name(es_session_pool(session))));
    if (tuned.absent > 0)
        es_output_note(cli, "models.csv: %zu base%s not in the pool", tuned.absent,
                       tuned.absent == 1 ? " is" : "s are");
    ES_TRY(es_tuned_write(cli, &(es_tuned_view){session, report, &tuned}, err));
done:
    es_tuned_deinit(&tuned);
    es_family_file_deinit(&bases);
    es_rank_report_free(report);
    es_scores_deinit(&own);
    es_session_close(session);
    return st;
}
