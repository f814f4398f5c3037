/* Words on what was left out and what is wrong. */
#include "engine_measures_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void annotations_note(es_annotations *e, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)es_words_take(&e->notes, es_text_clean(text, strlen(text), 0), NULL);
}

es_status annotations_shorten(es_status st, const char *name, const es_error *why, es_error *err) {
    const char *from = strstr(why->message, name);
    return es_fail(err, st, "%s", from ? from : why->message);
}
