/* The table of estimators, and what every estimator gets from its settings and presets. */
#include "embedscope/estimator.h"

#include <stdio.h>
#include <string.h>

#include "estimator_rows.h"
#include "text.h"

#define ENTRY(name) &es_estimator_##name,
const es_estimator *const es_estimators[] = {ES_ESTIMATORS(ENTRY) NULL};

const es_estimator *es_estimator_find(const char *name) {
    for (size_t i = 0; es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, name) == 0)
            return es_estimators[i];
    return NULL;
}

size_t es_estimator_setting(const es_estimator *estimator, const char *key) {
    return es_setting_find(estimator->settings, estimator->n_settings, key);
}

es_status es_estimator_set(const es_estimator *estimator, const char *assignment, double *values,
                           es_error *err) {
    return es_setting_assign(estimator->settings, estimator->n_settings, estimator->name,
                             assignment, values, err);
}

es_status es_estimator_preset(const es_estimator *estimator, const char *preset, double *values,
                              es_error *err) {
    const es_preset *p = estimator->presets;
    char known[256] = "";
    for (; p->name && preset && strcmp(p->name, preset) != 0; p++)
        es_text_list_add(known, sizeof known, p->name);
    if (!p->name)
        return es_fail(err, ES_ENOTFOUND, "%s has no preset '%s'; it has %s", estimator->name,
                       preset, known);
    for (size_t i = 0; i < estimator->n_settings; i++)
        values[i] = estimator->settings[i].value;
    for (const char *at = p->overrides; *at;) {
        size_t length = strcspn(at, " ");
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        es_status st = es_estimator_set(estimator, word, values, err);
        if (st != ES_OK)
            return st;
        at += length + strspn(at + length, " ");
    }
    return ES_OK;
}

size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity) {
    return es_setting_text(estimator->settings, estimator->n_settings, values, out, capacity);
}
