/* Messages change the state; a session is saved and restored. */
#ifndef ES_APP_UPDATE_H
#define ES_APP_UPDATE_H

#include "app_state.h"

/* The life of the explorer's state. No ncurses, no blocking call, no clock: time comes in with
 * messages, so tests replay everything. Views only read the state and draw it into a
 * grid; the event loop turns input into messages and carries out effects. */

/** `source` is read by update and views; it and `log` (may be NULL) outlive the app. */
es_app *es_app_new(es_source *source, es_log *log); /* NULL when out of memory */
void es_app_free(es_app *app);                      /* NULL is allowed */

/** What the terminal can show, before the first frame and whenever it changes. `coarse`: fewer than
 *  256 colours, so two matrix rows cannot share a cell and glyphs carry the values. `mono`: none,
 * so glyphs tell classes apart. */
void es_app_display(es_app *app, bool ascii, bool coarse, bool mono);
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

void es_app_drawn(es_app *app);
/** When the next ES_MSG_TICK is wanted (end of an order hold, a toast, a flash, ETA while running);
 *  INFINITY: never, so an idle explorer sleeps. */
double es_app_deadline(const es_app *app);
/** True if no worker computes anything that the screen will show: intervals, stability,
 * correlations. */
bool es_app_settled(const es_app *app);

/* The settings that a kept session holds, one row of a table each (saved_fields.c). */

/** What a text is written from or read into. Embedders are numbers in it: places in the list of
 *  names that the text begins with. */
typedef struct es_state_place {
    const es_app *app;
    es_snapshot *shot;
    const size_t *item; /* (items) item of each number, ES_NONE when it is gone */
    size_t items;
    bool uncompared; /* one that was compared is gone */
} es_state_place;

extern const size_t es_state_field_count;
const char *es_state_field_name(size_t field);
size_t es_state_field_find(const char *name); /* ES_NONE: there is none */
void es_state_field_put(size_t field, const es_state_place *place, es_buf *out);
/** False: not what such a field looks like. Names that are gone are skipped. `text` is cut up.
 */
bool es_state_field_get(size_t field, es_state_place *place, char *text);

/** A whole number from low to high that fills the text. */
bool es_state_number(const char *text, long low, long high, long *out);
/** The next part of *rest, up to a separator; NULL at the end. */
char *es_state_part(char **rest, char separator);

/* What lasts from one session to the next. */

/** What lasts until the next session on the same pool: where the user is, what is marked, hidden,
 *  sorted, how far u goes back. NULL when out of memory; free with es_free. */
char *es_app_state(const es_app *app);
/** Go on from there. What is no longer in the pool is skipped, and so are keys of later
 *  versions. ES_EFORMAT, ES_EUNSUPPORTED (a newer version's), ES_ENOMEM: nothing has changed. */
es_status es_app_restore(es_app *app, const char *text, size_t length, es_effects *effects,
                         es_error *err);

/** Measures that were shown in that session, which the owner loads before it restores a second
 * time: name `number` of them; 0: no more. */
size_t es_app_state_measure(const char *text, size_t number, char *out, size_t capacity);
/** The CSV of scores that was opened in that session: its length, 0: none, or too long for `out`.
 */
size_t es_app_state_scores(const char *text, char *out, size_t capacity);
/** Sets the file of scores that the saved session names; copied, NULL: none. A path with a line
 * break is not kept. */
void es_app_scores(es_app *app, const char *path);

/* The one function that changes the state, and what every change is followed by. */

/** Bring up to date what depends on the rest. `idle`: more than a key may cost is allowed. */
void es_app_follow(es_app *app, bool idle, es_effects *effects);

/** Apply one message; effects are appended. Never blocks, never computes for more than 5 ms. */
void es_app_update(es_app *app, const es_msg *msg, es_effects *effects);

#endif
