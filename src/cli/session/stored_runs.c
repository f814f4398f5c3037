/* The stored runs are matched with presets by the text of their settings, which is what they are
 * stored under. */
#include "stored_runs.h"

#include <inttypes.h>
#include <string.h>

#include "command_line.h"

#include "alloc.h"
#include "estimator.h"
#include "pool.h"
#include "store.h"

/* The preset with these settings; NULL: none has. */
static const char *preset_of(const es_estimator *estimator, const char *settings) {
    char text[1024];
    const char *found = NULL;
    double *values = es_alloc(estimator->n_settings + 1, sizeof *values);
    for (const es_preset *p = estimator->presets; values && !found && p && p->name; p++) {
        if (es_estimator_preset(estimator, p->name, values, NULL) != ES_OK)
            continue;
        (void)es_estimator_text(estimator, values, text, sizeof text);
        found = strcmp(text, settings) == 0 ? p->name : NULL;
    }
    es_free(values);
    return found;
}

typedef struct naming {
    es_words said;
    uint64_t asked; /* the seed that nothing was found with */
} naming;

/* Runs that differ in rows are said once. */
static es_status add_run(void *context, const es_store_key *key, es_error *err) {
    naming *n = context;
    es_words *said = &n->said;
    const es_estimator *estimator = es_estimator_find(key->estimator);
    es_buf text = {0};
    if (!estimator) /* a measure */
        return ES_OK;
    const char *preset = preset_of(estimator, key->settings);
    bool older = key->version != estimator->version; /* its values are no longer what it finds */
    es_buf_printf(&text, "%s %s%s", key->estimator, preset ? preset : "with other settings",
                  older ? " of another version of embedscope" : "");
    if (key->seed != 0 || n->asked != 0)
        es_buf_printf(&text, " seed %" PRIu64, key->seed);
    es_status st = es_buf_check(&text, err);
    bool again = false;
    for (size_t i = 0; st == ES_OK && i < said->count; i++)
        again = again || strcmp(said->word[i], text.data) == 0;
    if (st == ES_OK && !again)
        st = es_words_add(said, text.data, err);
    es_buf_free(&text);
    return st;
}

void es_stored_runs_put(const es_session *session, es_buf *out) {
    es_pool *pool = es_session_pool((es_session *)(uintptr_t)session);
    es_store *store = NULL;
    naming n = {.asked = es_session_seed(session)};
    if (!pool || es_store_open(es_pool_path(pool), true, &store, NULL) != ES_OK)
        return;
    if (es_store_runs(store, add_run, &n, NULL) == ES_OK)
        for (size_t i = 0; i < n.said.count; i++)
            es_buf_printf(out, "%s%s", i ? ", " : "", n.said.word[i]);
    es_words_deinit(&n.said);
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
