/* A log file. Never the terminal: while the explorer is open, a stray line would destroy the
 * screen. */
#ifndef EMBEDSCOPE_LOG_H
#define EMBEDSCOPE_LOG_H

#include <stddef.h>

#include "embedscope/status.h"

typedef enum es_log_level { ES_LOG_DEBUG, ES_LOG_INFO, ES_LOG_WARN, ES_LOG_ERROR } es_log_level;

typedef struct es_log es_log;

/** Append to `path` (made with user-only permissions, O_NOFOLLOW); NULL keeps the log in memory
 *  only. The last 256 lines can be read back either way. */
es_status es_log_open(const char *path, es_log_level level, es_log **out, es_error *err);
void es_log_close(es_log *log); /* NULL is allowed */
/** One line "HH:MM:SS level text"; control bytes are cleaned. Any thread; NULL log: does nothing.
 */
void es_log_write(es_log *log, es_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *es_log_path(const es_log *log); /* NULL when in memory only */
/** How many lines were written so far. */
size_t es_log_count(es_log *log);
/** Copies line number `index` (0 = the first ever written) into out; returns its level, or -1 when
 *  it is no longer kept. Any thread. */
int es_log_line(es_log *log, size_t index, char *out, size_t capacity);

#endif
