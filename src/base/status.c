/* Names of statuses, and error messages: formatted, cleaned and cut, so that they may be shown as
 * they are. */
#include <stdarg.h>
#include <stdio.h>

#include "base.h"
#include "embedscope/version.h"

void es_error_set(es_error *err, es_status code, const char *format, ...) {
    if (!err)
        return;
    /* Formatted apart, so that an argument may be the old message. Twice the message's size leaves
     * enough to cut from at a character boundary after cleaning. */
    char raw[2 * sizeof err->message];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    if (length < 0)
        length = 0;
    else if ((size_t)length >= sizeof raw)
        length = (int)sizeof raw - 1;
    err->code = code;
    es_text_clean_into(err->message, sizeof err->message, raw, (size_t)length);
}

void es_error_prefix(es_error *err, const char *prefix) {
    if (err)
        es_error_set(err, err->code, "%s: %s", prefix, err->message);
}

const char *es_status_name(es_status code) {
    static const char *const names[ES_STATUS_COUNT] = {
        [ES_OK] = "ok",
        [ES_ENOMEM] = "out of memory",
        [ES_EINVAL] = "invalid argument",
        [ES_EIO] = "input/output error",
        [ES_EFORMAT] = "malformed input",
        [ES_ENONFINITE] = "non-finite value",
        [ES_ENOTFOUND] = "not found",
        [ES_EEMPTY] = "nothing usable",
        [ES_EUNSUPPORTED] = "not supported",
        [ES_EBUSY] = "busy",
        [ES_ENOCONV] = "not converged",
        [ES_ECANCELED] = "canceled",
    };
    int index = (int)code;
    return index >= 0 && index < ES_STATUS_COUNT ? names[index] : "unknown status";
}

/* The version that the library was built as. */

const char *es_version(void) {
    return ES_VERSION;
}

int es_version_number(void) {
    return ES_VERSION_NUMBER;
}
