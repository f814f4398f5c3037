/* The stored runs are matched with presets by the text of their settings, which is what they are
 * stored under. */
#include "engine_store.h"

#include <inttypes.h>
#include <string.h>

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
    uint64_t asked;   /* the seed that nothing was found with */
    es_digest rowset; /* and the rows */
} naming;

/* Runs over several sets of other rows are said once. */
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
    es_buf_puts(&text, es_digest_equal(key->rowset, n->rowset) ? "" : " over other rows");
    es_status st = es_buf_check(&text, err);
    bool again = false;
    for (size_t i = 0; st == ES_OK && i < said->count; i++)
        again = again || strcmp(said->word[i], text.data) == 0;
    if (st == ES_OK && !again)
        st = es_words_add(said, text.data, err);
    es_buf_free(&text);
    return st;
}

es_status es_store_runs_put(es_store *store, uint64_t asked, es_digest rowset, es_buf *out,
                            es_error *err) {
    naming n = {.asked = asked, .rowset = rowset};
    es_status st = es_store_runs(store, add_run, &n, err);
    for (size_t i = 0; st == ES_OK && i < n.said.count; i++)
        es_buf_printf(out, "%s%s", i ? ", " : "", n.said.word[i]);
    es_words_deinit(&n.said);
    return st == ES_OK ? es_buf_check(out, err) : st;
}
