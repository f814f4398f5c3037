/* Bytes on their way to the terminal. ncurses writes a frame in one go and waits until the terminal
 * has taken it, which over a slow line is seconds without an ear for keys. So ncurses is given a
 * descriptor that leads into a file in memory; from there the bytes go to the terminal as fast as
 * it takes them, and no faster. One frame is under way at most: the caller draws the next one when
 * es_out_waiting is 0, so frames are left out and never pile up. */
#ifndef ES_TUI_TERM_OUT_H
#define ES_TUI_TERM_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base.h"
#include "embedscope/status.h"

typedef struct es_out {
    int tty;        /* the terminal, as the program got it */
    int patient;    /* the same, opened anew so that writing never waits; or tty itself */
    int memory;     /* where a frame is written first */
    int door;       /* the descriptor ncurses has: leads to memory, or to tty */
    es_buf waiting; /* from `sent` on still to go */
    size_t sent;
} es_out;

/** All descriptors -1: what es_out_close may be given before es_out_open. */
extern const es_out es_out_none;

/** `tty`: the terminal; the door leads there. ES_EIO: no room for a frame anywhere. */
es_status es_out_open(es_out *out, int tty, es_error *err);
void es_out_close(es_out *out);

/** Lead the door to memory, or past it. Past it everything is written at once: for ncurses' calls
 *  that ask or set the modes of a terminal. */
void es_out_collect(es_out *out, bool collect);

/** Take what ncurses wrote since the last call, put between `before` and `after` (NULL: nothing);
 *  an empty frame stays empty. *bytes: to be sent. ES_EIO, ES_ENOMEM: the frame is lost, paint
 * anew.
 */
es_status es_out_frame(es_out *out, const char *before, const char *after, size_t *bytes);

/** Behind all that waits; without memory it is left out. */
void es_out_add(es_out *out, const char *bytes, size_t length);
/** Send what the terminal takes now. True when nothing is left. */
bool es_out_flush(es_out *out);
size_t es_out_waiting(const es_out *out);
/** To be polled for POLLOUT while bytes wait. */
int es_out_fd(const es_out *out);

/** True if the terminal has taken all that was sent. */
bool es_out_is_idle(const es_out *out);

/** Straight to a terminal, waiting for it: for the few bytes that set its modes. */
void es_out_write(int tty, const char *bytes, size_t length);

/** Forget what waits, here and in the terminal's line. True when there was something, so that the
 *  terminal may have got half a frame. */
bool es_out_discard(es_out *out);

#endif
