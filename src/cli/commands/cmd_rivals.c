/* `embedscope rivals`: every score that needs no labels against what is downstream. */
#include "cmd.h"
#include "cli_reports.h"

/* Every measure that needs nothing but the vectors, separated by commas. */
static void put_label_free(es_buf *out) {
    for (const es_measure *const *m = es_measures; *m; m++)
        if (!(*m)->needs)
            es_buf_printf(out, "%s%s", out->length ? "," : "", (*m)->name);
}

static es_status check_label_free(es_cli *cli, const es_choices *choices, es_error *err) {
    for (size_t i = 0; i < choices->count; i++) {
        const es_measure *m = choices->item[i].measured->measure;
        if (m->needs)
            return es_usage(cli, err, "rivals: %s needs %s; `embedscope agree` takes it", m->name,
                            es_measure_need(m->needs));
    }
    return ES_OK;
}

es_status es_cmd_rivals(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_choices choices = {0};
    es_label_free rivals = {0};
    es_buf names = {0};
    es_scores own = {0};
    const es_scores *scores = NULL;
    es_status st = ES_OK;
    ES_TRY(es_measure_open(cli, false, &session, err));
    ES_TRY(es_export_attach(cli, session, 0, err));
    ES_TRY(es_rivals_scores(cli, session, &own, &scores, err));
    if (cli->n_arguments > 1)
        es_buf_puts(&names, cli->arguments[1]);
    else
        put_label_free(&names);
    ES_TRY(es_buf_check(&names, err));
    ES_TRY(es_measure_choose(cli, session, names.data, &choices, err));
    st = check_label_free(cli, &choices, err);
    if (st != ES_OK)
        goto done;
    ES_TRY(es_measure_compute(cli, session, &choices, err));
    ES_TRY(es_rivals_inputs(cli, session, &choices, scores, &rivals, err));
    const es_rivals_view view = {session, es_session_results(session, 0), &rivals};
    ES_TRY(es_rivals_write(cli, &view, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_label_free_deinit(&rivals);
    es_scores_deinit(&own);
    es_choices_deinit(&choices);
    es_buf_free(&names);
    es_session_close(session);
    return st;
}
