/* The program writing an export in the background, or estimating: the explorer never waits. */
#ifndef ES_TUI_WRITER_H
#define ES_TUI_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "embedscope/status.h"

typedef struct es_writer {
    const char *what; /* "export": it is called so in messages */
    pid_t pid;        /* 0: none runs */
    int fd;           /* its messages, readable when there are some or it is over; -1: none */
    char text[512];   /* the last line of them */
    size_t length;
} es_writer;

void es_writer_init(es_writer *writer);
/** Runs `program` with these words (NULL-terminated; the first is what it is called). `what` must
 *  last. */
es_status es_writer_start(es_writer *writer, const char *what, const char *program,
                          const char *const *words, es_error *err);
bool es_writer_busy(const es_writer *writer);
/** Take in what there is, without waiting. True when it has just ended: *status says how, and *err
 * repeats its own message. */
bool es_writer_step(es_writer *writer, es_status *status, es_error *err);
/** Asks it to end: an estimation keeps what is finished. es_writer_step reports the end. */
void es_writer_stop(es_writer *writer);
/** Wait until it has ended, `seconds` at most; then it is killed. Files are replaced whole, so none
 *  is left half written. */
void es_writer_close(es_writer *writer, double seconds);

#endif
