/* The life of the explorer's state. No ncurses, no blocking call, no clock: time comes in with
 * messages (update.h), so tests replay everything. Views only read the state and draw it into a
 * grid; the event loop turns input into messages and carries out effects. */
#ifndef ES_APP_APP_H
#define ES_APP_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app_state.h"
#include "base.h"
#include "source.h"

/** `source` is read by update and views; it and `log` (may be NULL) outlive the app. */
es_app *es_app_new(es_source *source, es_log *log); /* NULL when out of memory */
void es_app_free(es_app *app);                      /* NULL is allowed */

/** What the terminal can show, before the first frame and whenever it changes. `coarse`: fewer than
 *  256 colours, so two matrix rows cannot share a cell and glyphs carry the values. `mono`: none,
 * so glyphs tell classes apart. */
void es_app_display(es_app *app, bool ascii, bool coarse, bool mono);
void es_app_may_start(es_app *app);      /* by itself, what takes under a minute */
void es_app_mouse(es_app *app, bool on); /* whether the terminal sends the mouse's events */
/** The theme that is shown unless somebody chooses another: the session does not keep it. */
void es_app_first_theme(es_app *app, const char *id);
/** The themes that T and :theme offer, which are taken over, and the one in use. */
void es_app_themes(es_app *app, es_words *names, const char *current);
/** A setting as in the configuration file, before the first message: u does not take it back. */
es_status es_app_set(es_app *app, const char *name, const char *value, es_effects *effects,
                     es_error *err);

/** Scroll and focus as another app over the same pool has them, after the cursor was put where it
 * is there. */
void es_app_take_place(es_app *app, const es_app *before);

/** Pools that :open offers: paths, a line each. Copied; without memory there are none. */
void es_app_recent(es_app *app, const char *lines);
/** Explains the keys on the Overview until the first one: this user has never opened a pool. */
void es_app_welcome(es_app *app);

/** True when something visible changed since es_app_drawn. */
bool es_app_dirty(const es_app *app);
void es_app_drawn(es_app *app);
/** When the next ES_MSG_TICK is wanted (end of an order hold, a toast, a flash, ETA while running);
 *  INFINITY: never, so an idle explorer sleeps. */
double es_app_deadline(const es_app *app);
/** True if no worker computes anything that the screen will show: intervals, stability,
 * correlations. */
bool es_app_settled(const es_app *app);
/** For the loop: true while a key was pressed so recently that a frame must not wait. */
bool es_app_urgent(const es_app *app);

#endif
