/* What is stored beside what was asked for, and the command that makes the latter. */
#include "cli_session.h"

void es_stored_runs_put(const es_session *session, es_buf *out) {
    es_pool *pool = es_session_pool((es_session *)(uintptr_t)session);
    es_store *store = NULL;
    if (!pool || es_store_open(es_pool_path(pool), true, &store, NULL) != ES_OK)
        return;
    (void)es_store_runs_put(store, es_session_seed(session), es_pool_rowset(pool), out, NULL);
    es_store_close(store);
}

/* --preset alone means the estimator that has it: the plan found it. */
es_status es_stored_runs_remedy(const es_cli *cli, const es_session *session, es_buf *out,
                                es_error *err) {
    es_options asked = *cli->options;
    es_words words = {0};
    es_status st = ES_OK;
    if (asked.preset && !asked.estimator && es_session_plan(session) > 0)
        asked.estimator = es_session_config(session, 0)->estimator->name;
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, "estimate", err));
    ES_TRY(es_words_add(&words, cli->n_arguments > 0 ? cli->arguments[0] : ".", err));
    ES_TRY(es_words_add_options(&words, &asked, ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR, err));
    es_words_put(&words, out);
    st = es_buf_check(out, err);
done:
    es_words_deinit(&words);
    return st;
}
