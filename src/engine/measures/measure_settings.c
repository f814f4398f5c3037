/* Settings of a measure and of the data it is given: read from "key=value", and written as the text
 * that values are stored under. */
#include "engine_measures.h"

#include <stdio.h>
#include <string.h>

/* Where a setting belongs: 'd' to the data, 'm' to the measure, 0 to neither. */
static char setting_owner(const es_measure *m, const char *assignment) {
    char key[64];
    size_t length = strcspn(assignment, "=");
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), assignment);
    size_t at = es_setting_find(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, key);
    if (at < ES_ANNOTATIONS_SETTINGS && (es_annotations_setting_needs(at) & m->needs))
        return 'd';
    return es_setting_find(m->settings, m->n_settings, key) < m->n_settings ? 'm' : 0;
}

bool es_measure_knows(const es_measure *measure, const char *assignment) {
    return setting_owner(measure, assignment) != 0;
}

/* "a, b" of every setting that a measure has. */
static es_status unknown_setting(const es_measure *m, const char *assignment, es_error *err) {
    char known[300] = "none";
    size_t used = 0;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS + m->n_settings; i++) {
        bool data = i < ES_ANNOTATIONS_SETTINGS;
        if (data && !(es_annotations_setting_needs(i) & m->needs))
            continue;
        int n = snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                         data ? es_annotations_settings[i].key
                              : m->settings[i - ES_ANNOTATIONS_SETTINGS].key);
        used += n > 0 && (size_t)n < sizeof known - used ? (size_t)n : 0;
    }
    return es_fail(err, ES_EINVAL, "--set %.60s: %s has no such setting; it has %s", assignment,
                   m->name, known);
}

es_status es_measure_settings(const es_measure *m, const char *const *settings, bool lenient,
                              double *own, double *data, es_error *err) {
    for (size_t i = 0; i < m->n_settings; i++)
        own[i] = m->settings[i].value;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        data[i] = es_annotations_settings[i].value;
    for (size_t i = 0; settings && settings[i]; i++) {
        char owner = setting_owner(m, settings[i]);
        es_status st = ES_OK;
        if (owner == 'd')
            st = es_setting_assign(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, m->name,
                                   settings[i], data, err);
        else if (owner == 'm')
            st = es_setting_assign(m->settings, m->n_settings, m->name, settings[i], own, err);
        else if (!lenient)
            st = unknown_setting(m, settings[i], err);
        if (st != ES_OK)
            return st;
    }
    return ES_OK;
}

es_status es_measure_settings_text(const es_measure *m, const double *own, const double *data,
                                   es_digest digest, es_digest pool, char **out, es_error *err) {
    char part[1024], hex[ES_DIGEST_HEX];
    es_buf text = {0};
    es_buf_puts(&text, "");
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        if (es_annotations_setting_needs(i) & m->needs) {
            es_setting_text(&es_annotations_settings[i], 1, &data[i], part, sizeof part);
            es_buf_printf(&text, "%s%s", text.length ? " " : "", part);
        }
    if (m->n_settings > 0) {
        es_setting_text(m->settings, m->n_settings, own, part, sizeof part);
        es_buf_printf(&text, "%s%s", text.length ? " " : "", part);
    }
    if (m->needs)
        es_buf_printf(&text, "%sdata=%.16s", text.length ? " " : "", es_digest_hex(digest, hex));
    if (m->among)
        es_buf_printf(&text, "%spool=%.16s", text.length ? " " : "", es_digest_hex(pool, hex));
    char *taken = es_buf_take(&text);
    if (!taken)
        return es_no_memory(err);
    *out = taken;
    return ES_OK;
}
