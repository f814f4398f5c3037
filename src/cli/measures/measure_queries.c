/* The queries that distances of data sets are of. */
#include "cli_measures.h"

#include <stdio.h>
#include <string.h>

void es_measure_queries_deinit(es_measure_queries *q) {
    es_annotations_free(q->evidence);
    *q = (es_measure_queries){0};
}

es_status es_measure_queries_set(const char *assignment, double *settings, es_error *err) {
    char key[64];
    size_t length = strcspn(assignment, "=");
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), assignment);
    size_t at = es_setting_find(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, key);
    if (at == ES_ANNOTATIONS_SETTINGS || (es_annotations_setting_needs(at) & ES_NEED_QUERIES) == 0)
        return es_fail(err, ES_ENOTFOUND, "%s has no setting '%s'", ES_DATASET_DISTANCE, key);
    return es_setting_assign(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, ES_DATASET_DISTANCE,
                             assignment, settings, err);
}

es_status es_measure_queries_settings(es_cli *cli, double *settings, es_error *err) {
    const es_texts *given = &cli->options->settings;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        settings[i] = es_annotations_settings[i].value;
    for (size_t i = 0; i < given->count; i++) {
        es_error why = {0};
        if (es_measure_queries_set(given->items[i], settings, &why) != ES_OK)
            return es_usage(cli, err, "%s", why.message);
    }
    return ES_OK;
}

es_status es_measure_queries_take(es_cli *cli, es_session *session, const char *name,
                                  const double *settings, es_measure_queries *out, es_error *err) {
    const char *wanted = cli->options->task;
    size_t times = 0, taken = SIZE_MAX;
    es_digest digest;
    es_error why = {0};
    ES_PASS(es_annotations_new(es_session_pool(session), settings, cli->options->seed,
                               &out->evidence, err));
    es_status st = es_annotations_times(out->evidence, ES_NEED_QUERIES, &times, &why);
    for (size_t k = 0; st == ES_OK && k < times && taken == SIZE_MAX; k++) {
        st = es_annotations_take(out->evidence, ES_NEED_QUERIES, k, &out->data, &out->task, &digest,
                                 &why);
        if (!wanted || (out->task && strcmp(out->task, wanted) == 0))
            taken = k;
    }
    if (st != ES_OK)
        return es_fail(err, st, "%s: %s", name, why.message);
    if (taken == SIZE_MAX)
        return es_usage(cli, err, "%s: labels.csv has no column of classes '%s'", name, wanted);
    for (size_t i = 0; i < es_annotations_notes(out->evidence); i++)
        es_output_note(cli, "%s: %s", name, es_annotations_note(out->evidence, i));
    if (!wanted && times > 1)
        es_output_note(cli, "%s: queries are of the label column '%s'; --task names another", name,
                       out->task);
    return ES_OK;
}
