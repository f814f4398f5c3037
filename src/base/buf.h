/* A growing byte string for building output. After an allocation fails it stays `failed` and
 * ignores further calls, so that a writer checks once, at its end. */
#ifndef EMBEDSCOPE_BUF_H
#define EMBEDSCOPE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_buf {
    char *data; /* always NUL-terminated once anything was appended; NULL before */
    size_t length, capacity;
    bool failed;
} es_buf;

/** An empty buffer is all zero bytes: `es_buf b = {0};` */
void es_buf_free(es_buf *buf);
void es_buf_clear(es_buf *buf); /* keeps the memory */
void es_buf_add(es_buf *buf, const void *bytes, size_t length);
void es_buf_puts(es_buf *buf, const char *text);
void es_buf_putc(es_buf *buf, char byte);
void es_buf_printf(es_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The shortest decimal text that reads back as the same double ("0.1", not "0.10000000000000001");
 *  NaN and infinities become the text "nan" and "inf": callers decide what missing looks like. */
void es_buf_put_double(es_buf *buf, double value);
/** A word of a command line, in quotes where a shell needs them; with control bytes in $'...', so
 *  that a line stays one. */
void es_buf_put_shell(es_buf *buf, const char *word);
/** One of a list of names, of which the first `most` are written: "a, b and 3 more". `count` begins
 *  at 0 and has how many there were. */
void es_buf_name(es_buf *buf, size_t *count, size_t most, const char *name);
void es_buf_names_end(es_buf *buf, size_t count, size_t most);
/** ES_ENOMEM if any append failed, else ES_OK. */
es_status es_buf_check(const es_buf *buf, es_error *err);
/** What was put, to be freed with es_free; the buffer is empty then. NULL: nothing was put, or
 * memory ran out. */
char *es_buf_take(es_buf *buf);

#endif
