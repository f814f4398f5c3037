/* The table of estimators, and what every estimator gets from its settings and presets. */
#include "embedscope/estimator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "est_knife.h"
#include "est_l2.h"
#include "est_linear.h"

const es_estimator *const es_estimators[] = {
    &es_estimator_linear,
    &es_estimator_knife,
    &es_estimator_l2,
    NULL,
};

const es_estimator *es_estimator_find(const char *name) {
    for (size_t i = 0; es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, name) == 0)
            return es_estimators[i];
    return NULL;
}

size_t es_estimator_setting(const es_estimator *estimator, const char *key) {
    size_t i = 0;
    while (i < estimator->n_settings && strcmp(estimator->settings[i].key, key) != 0)
        i++;
    return i;
}

/* "a, b, c" of names that `next` gives until NULL. */
static void append(char *list, size_t capacity, const char *word) {
    size_t used = strlen(list);
    snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", word);
}

static es_status set_value(const es_setting *setting, const char *text, double *value,
                           es_error *err) {
    if (setting->choices) {
        char known[256] = "";
        for (size_t i = 0; setting->choices[i]; i++) {
            if (strcmp(setting->choices[i], text) == 0) {
                *value = (double)i;
                return ES_OK;
            }
            append(known, sizeof known, setting->choices[i]);
        }
        return es_fail(err, ES_EINVAL, "%s=%s: expected one of %s", setting->key, text, known);
    }
    if (setting->automatic && strcmp(text, "auto") == 0) {
        *value = NAN;
        return ES_OK;
    }
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || (setting->whole && number != floor(number)))
        return es_fail(err, ES_EINVAL, "%s=%s: expected %s number%s", setting->key, text,
                       setting->whole ? "a whole" : "a", setting->automatic ? " or auto" : "");
    if (number < setting->low || number > setting->high)
        return es_fail(err, ES_EINVAL, "%s=%s: expected %g to %g", setting->key, text, setting->low,
                       setting->high);
    *value = number;
    return ES_OK;
}

es_status es_estimator_set(const es_estimator *estimator, const char *assignment, double *values,
                           es_error *err) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return es_fail(err, ES_EINVAL, "'%s': expected key=value", assignment);
    char key[64];
    size_t length = (size_t)(equals - assignment);
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1),
             assignment);
    size_t i = es_estimator_setting(estimator, key);
    if (i < estimator->n_settings)
        return set_value(&estimator->settings[i], equals + 1, &values[i], err);
    char known[256] = "";
    for (i = 0; i < estimator->n_settings; i++)
        append(known, sizeof known, estimator->settings[i].key);
    return es_fail(err, ES_ENOTFOUND, "%s has no setting '%s'; it has %s", estimator->name, key,
                   known);
}

es_status es_estimator_preset(const es_estimator *estimator, const char *preset, double *values,
                              es_error *err) {
    const es_preset *p = estimator->presets;
    char known[256] = "";
    for (; p->name && preset && strcmp(p->name, preset) != 0; p++)
        append(known, sizeof known, p->name);
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

/* The shortest decimal text that reads back as the same double. */
static int format_value(const es_setting *setting, double value, char *out, size_t capacity) {
    if (setting->choices)
        return snprintf(out, capacity, "%s", setting->choices[(size_t)value]);
    if (isnan(value))
        return snprintf(out, capacity, "auto");
    int length = 0;
    for (int digits = 6; digits <= 17; digits++) {
        length = snprintf(out, capacity, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    return length;
}

size_t es_estimator_text(const es_estimator *estimator, const double *values, char *out,
                         size_t capacity) {
    size_t length = 0;
    if (capacity)
        out[0] = '\0';
    for (size_t i = 0; i < estimator->n_settings; i++) {
        char value[64];
        format_value(&estimator->settings[i], values[i], value, sizeof value);
        int n = snprintf(length < capacity ? out + length : NULL,
                         length < capacity ? capacity - length : 0, "%s%s=%s", i ? " " : "",
                         estimator->settings[i].key, value);
        length += n > 0 ? (size_t)n : 0;
    }
    return length;
}
