/* The explorer without its surroundings: one app over one session, drawn into one grid. The event
 * loop (loop.c) drives it from a terminal, a script (script.c) from a file; what the app asks for
 * is carried out here for both. */
#ifndef ES_TUI_DRIVER_H
#define ES_TUI_DRIVER_H

#include <poll.h>

#include "driver_state.h"

enum { ES_DRIVER_WORKERS = 3 };

/** Builds app and theme, and goes on where the last session ended if the options say so; a theme
 * asked for by name that cannot be read is an error. On failure nothing is left to close. The
 * terminal is opened by the caller and handed to es_driver_attach.
 */
es_status es_driver_open(es_driver *driver, es_session *session, const es_explorer *options,
                         es_error *err);
/** Write what lasts, for the last time. */
void es_driver_keep(es_driver *driver);
/** The same, unless it was done, and frees everything but the terminal. */
void es_driver_close(es_driver *driver);

/** Show on this terminal (NULL: only in the grid) of w x h cells. */
es_status es_driver_attach(es_driver *driver, es_term *term, int w, int h, es_error *err);

/** One message to the app, and the effects that it asks for. `now` is filled in. */
void es_driver_send(es_driver *driver, es_msg msg);
void es_driver_key(es_driver *driver, uint32_t key); /* Ctrl-C becomes ES_MSG_SIGNAL */
/** A click or a turn of the wheel, on the screen as it was drawn last. */
void es_driver_mouse(es_driver *driver, es_mouse_kind kind, int x, int y);
es_status es_driver_resize(es_driver *driver, int w, int h, es_error *err);
/** Take in what the workers delivered, for at most budget_ms (0: all). True when there was any. */
bool es_driver_pump(es_driver *driver, double budget_ms);
/** Puts the descriptors that are readable when a command has ended. */
void es_driver_put_fds(const es_driver *driver, struct pollfd fds[ES_DRIVER_WORKERS]);
/** Takes in exports, sheets and estimations that have ended; true when any has. */
bool es_driver_read(es_driver *driver);
/** Send ES_MSG_TICK when the app waits for one, and keep the session after a quiet while. */
void es_driver_tick(es_driver *driver);
/** When es_driver_tick has something to do; INFINITY: nothing. */
double es_driver_deadline(const es_driver *driver);
/** Another session has just taken the place of the one shown, and the last frame says more than
 * this one could so far. */
bool es_driver_holds(es_driver *driver);
/** Draw the grid. */
void es_driver_draw(es_driver *driver);
/** Write the grid to a file: as text, as a picture when the name ends in .svg, or its roles. */
es_status es_driver_dump(es_driver *driver, const char *path, bool roles, es_error *err);

#endif
