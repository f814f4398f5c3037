/* Names of measures with settings in brackets. */
#include "engine_requests.h"

#include <stdio.h>
#include <string.h>

/* Blanks in `text` become ends of the settings. */
static es_status split(es_measure_call *out, es_error *err) {
    size_t count = 0;
    for (char *at = out->text + strspn(out->text, " "); *at;) {
        size_t length = strcspn(at, " ");
        if (count == ES_MEASURE_CALLED)
            return es_fail(err, ES_EINVAL, "%s[%s]: at most %d settings", out->measure->name,
                           out->label, ES_MEASURE_CALLED);
        out->setting[count++] = at;
        at += length;
        if (*at)
            *at++ = '\0';
        at += strspn(at, " ");
    }
    out->setting[count] = NULL;
    for (size_t i = 0; i < count; i++)
        if (!es_measure_knows(out->measure, out->setting[i]))
            return es_fail(err, ES_EINVAL,
                           "%s has no setting '%s'; `embedscope measure --list %s` shows those it "
                           "has",
                           out->measure->name, out->setting[i], out->measure->name);
    return ES_OK;
}

es_status es_measure_call_parse(const char *text, es_measure_call *out, es_error *err) {
    char name[ES_MEASURE_CALL];
    size_t length = strcspn(text, "["), whole = strlen(text);
    bool settings = length < whole;
    *out = (es_measure_call){0};
    if (whole >= sizeof name)
        return es_fail(err, ES_EINVAL, "'%.40s ...': a measure's name is shorter", text);
    if (settings && (text[whole - 1] != ']' || strchr(text, ']') != text + whole - 1))
        return es_fail(err, ES_EINVAL, "%s: expected NAME[KEY=VALUE KEY=VALUE]", text);
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    ES_PASS(es_measure_parse(name, &out->measure, &out->field, err));
    out->named = strchr(name, '.') != NULL;
    if (settings)
        (void)snprintf(out->label, sizeof out->label, "%.*s", (int)(whole - length - 2),
                       text + length + 1);
    memcpy(out->text, out->label, sizeof out->text);
    return split(out, err);
}
