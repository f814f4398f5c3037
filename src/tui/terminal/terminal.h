/* The terminal: shows a grid, delivers keys. term_curses.c is the only file that knows ncurses. One
 * terminal per process; all calls from the thread that draws. */
#ifndef ES_TUI_TERMINAL_H
#define ES_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "colour.h"
#include "grid.h"
#include "base.h"
#include "embedscope/status.h"
#include "term_answers.h"
#include "theme.h"

typedef struct es_term es_term;

typedef struct es_term_options {
    const char *color; /* as es_depth_facts.option */
    bool ascii, mouse;
    bool background; /* ask whether it is light or dark: see es_term_background */
    es_log *log;
} es_term_options;

/** Take over the terminal of stdin and stdout. From here until es_term_close stderr goes to the log
 *  file, and the guard gives the terminal back if the program dies. ES_EUNSUPPORTED: not a
 * terminal, or one that cannot place its cursor; the message says what to do. */
es_status es_term_open(const es_term_options *options, es_term **out, es_error *err);
void es_term_close(es_term *term); /* NULL is allowed */

/** Predicts the colours that --color auto would choose here, without taking the terminal: "none",
 * "8", "16", "256" or "rgb", and why. NULL: the explorer cannot use this terminal. */
const char *es_term_colours(char reason[160]);

/** Shown from the next es_term_draw on; copied. */
void es_term_theme(es_term *term, const es_theme *theme);

void es_term_size(const es_term *term, int *w, int *h);
bool es_term_ascii(const es_term *term);
/** The colours that the terminal has; a theme may use fewer (es_look_set). */
es_depth es_term_depth(const es_term *term);

/** Show the grid; only cells that differ from the last one are sent. Returns the bytes of it. Never
 *  waits: what the terminal does not take at once goes with es_term_flush, and until all of it has
 *  gone, frames are dropped (0). */
size_t es_term_draw(es_term *term, const es_grid *grid);
/** True when the terminal has taken all that was sent, so that a new frame cannot pile up. */
bool es_term_ready(const es_term *term);
/** Send on, as much as the terminal takes now; true when nothing is left. */
bool es_term_flush(es_term *term);
/** While something is left: the descriptor to be polled for POLLOUT; else -1. */
int es_term_waits(const es_term *term);
int es_term_fd(const es_term *term);

/** When to read again though nothing can be polled; INFINITY: there is nothing to wait for. */
double es_term_deadline(const es_term *term);

/** The terminal's background, waiting for its answer for so long at most; UNKNOWN when it was not
 *  asked or is silent. What is typed meanwhile is kept for es_term_read. */
es_background es_term_background(es_term *term, double seconds);

typedef enum es_input_kind {
    ES_INPUT_NONE,
    ES_INPUT_KEY,
    ES_INPUT_PASTE,
    ES_INPUT_MOUSE
} es_input_kind;
typedef struct es_input {
    es_input_kind kind;
    uint32_t key;     /* es_key or a character */
    const char *text; /* of a paste; until the next call */
    es_mouse_kind mouse;
    int x, y; /* cell of the mouse */
} es_input;

/** What was typed, without waiting; ES_INPUT_NONE when there is nothing (more). */
es_input es_term_read(es_term *term);

/** The terminal's size may have changed (SIGWINCH): take it over, repaint with the next draw. */
void es_term_resize(es_term *term, int *w, int *h);
/** Repaint everything with the next draw. */
void es_term_redraw(es_term *term);
/** Give the terminal back, stop as Ctrl-Z does, and take it again when continued. */
void es_term_suspend(es_term *term);
/** Take the terminal again after a stop that could not be seen coming (SIGSTOP). */
void es_term_resume(es_term *term);

/** Ask for the mouse's events, or no longer. */
void es_term_mouse(es_term *term, bool on);

/** Frames as a whole (DECSET 2026), where the terminal says that it can; on by default. */
void es_term_sync(es_term *term, bool on);

/** Send bytes past ncurses (OSC 52). */
void es_term_send(es_term *term, const char *bytes, size_t length);

#endif
