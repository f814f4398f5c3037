/* The table of estimators, and what every estimator gets from its settings and presets. */

#include <stdio.h>
#include <string.h>

#include "estimator_rows.h"

#define ENTRY(name) &es_estimator_##name,
const es_estimator *const es_estimators[] = {ES_ESTIMATORS(ENTRY) NULL};

const es_estimator *es_estimator_find(const char *name) {
    for (size_t i = 0; name && es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, name) == 0)
            return es_estimators[i];
    return NULL;
}

const es_estimator *es_estimator_at(size_t index) {
    size_t count = 0;
    while (es_estimators[count])
        count++;
    return index < count ? es_estimators[index] : NULL;
}

const char *es_estimator_name(const es_estimator *estimator) {
    return estimator ? estimator->name : NULL;
}

const char *es_estimator_summary(const es_estimator *estimator) {
    return estimator ? estimator->title : NULL;
}

bool es_estimator_is_lower_better(const es_estimator *estimator) {
    return estimator && estimator->lower_is_better;
}

const es_setting *es_estimator_setting_at(const es_estimator *estimator, size_t index) {
    return estimator && index < estimator->n_settings ? &estimator->settings[index] : NULL;
}

const es_preset *es_estimator_preset_at(const es_estimator *estimator, size_t index) {
    for (size_t i = 0; estimator && estimator->presets[i].name; i++)
        if (i == index)
            return &estimator->presets[i];
    return NULL;
}

const char *es_estimator_remark(const es_estimator *estimator, const es_problem *problem) {
    return estimator->remark ? estimator->remark(problem) : NULL;
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
        ES_PASS(es_estimator_set(estimator, word, values, err));
        at += length + strspn(at + length, " ");
    }
    return ES_OK;
}

size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity) {
    return es_setting_text(estimator->settings, estimator->n_settings, values, out, capacity);
}
