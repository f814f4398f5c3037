/* Settings of estimators and measures: read, checked, written. */
#include "core_numerics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t es_setting_find(const es_setting *settings, size_t count, const char *key) {
    size_t i = 0;
    while (i < count && strcmp(settings[i].key, key) != 0)
        i++;
    return i;
}

/* "a, b, c" */
static void append(char *list, size_t capacity, const char *word) {
    size_t used = strlen(list);
    snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", word);
}

es_status es_setting_read(const es_setting *setting, const char *text, double *value,
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

es_status es_setting_assign(const es_setting *settings, size_t count, const char *owner,
                            const char *assignment, double *values, es_error *err) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return es_fail(err, ES_EINVAL, "'%s': expected key=value", assignment);
    char key[64];
    size_t length = (size_t)(equals - assignment);
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1),
             assignment);
    size_t i = es_setting_find(settings, count, key);
    if (i < count)
        return es_setting_read(&settings[i], equals + 1, &values[i], err);
    char known[256] = "";
    for (i = 0; i < count; i++)
        append(known, sizeof known, settings[i].key);
    return es_fail(err, ES_ENOTFOUND, "%s has no setting '%s'; it has %s", owner, key, known);
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

size_t es_setting_text(const es_setting *settings, size_t count, const double *values, char *out,
                       size_t capacity) {
    size_t length = 0;
    if (capacity)
        out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        char value[64];
        if (settings[i].later && values[i] == 0)
            continue;
        format_value(&settings[i], values[i], value, sizeof value);
        int n = snprintf(length < capacity ? out + length : NULL,
                         length < capacity ? capacity - length : 0, "%s%s=%s", length ? " " : "",
                         settings[i].key, value);
        length += n > 0 ? (size_t)n : 0;
    }
    return length;
}
