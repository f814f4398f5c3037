/* The progress of an estimation on stderr: on a terminal one line that is redrawn, else one line
 * every 5 %. */
#ifndef ES_CLI_PROGRESS_H
#define ES_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"

#include "session.h"

typedef struct es_progress_line {
    bool quiet, terminal;
    double drawn;   /* es_clock_now of the last redraw */
    unsigned shown; /* percent of the last line, where it is no terminal */
    bool waited;    /* the last look found the store locked, where it is no terminal */
    bool on_screen; /* a line without its end is there */
} es_progress_line;

/** quiet: says nothing. */
void es_progress_line_init(es_progress_line *line, bool quiet);
/** Show the state of `session` if it is time to; `now` is es_clock_now(). */
void es_progress_line_update(es_progress_line *line, const es_session *session, double now);
/** The same while a pool is opened, on a terminal. */
void es_progress_line_reading(es_progress_line *line, const es_run_view *view, double now);
/** Remove the redrawn line, so that what is printed next stands alone. */
void es_progress_line_clear(es_progress_line *line);

/** What a line says, for tests: "linear 10/196 pairs, 5 %, 12.3 pairs/s, ETA 0:15". */
size_t es_progress_text(char *out, size_t capacity, const es_progress *progress);
/** "0:05", "12:34", "3:25:45"; "-" for what is not known. */
size_t es_duration_text(char *out, size_t capacity, double seconds);

#endif
