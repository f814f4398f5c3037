/* Sentences that are put together piece by piece in a buffer. */
#ifndef ES_TUI_PHRASE_H
#define ES_TUI_PHRASE_H

#include <stddef.h>

/** Append to the text in out[capacity]; what has no room is cut. */
void es_phrase_add(char *out, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
