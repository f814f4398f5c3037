/* What the user is told, and what the event loop is asked for. */
#ifndef ES_APP_EFFECTS_H
#define ES_APP_EFFECTS_H

#include "app_state.h"

/** Tell the user one line, e.g. what became of an effect. Cleaned and cut to one line. */
void es_app_say(es_app *app, double now, es_status status, const char *text);

/** Show a text to read, over the view; `text` is cleaned line by line. */
void es_app_note(es_app *app, const char *title, const char *text);

void es_app_notice(es_app *app, es_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void es_effect_add(es_app *app, es_effects *effects, es_effect_kind kind, size_t number, bool flag,
                   const char *text);
/** Copies `text` and frees it; NULL: there was no memory for it. */
void es_app_copy(es_app *app, char *text, es_effects *effects);
void es_app_show_note(es_app *app, const char *title,
                      char *text); /* takes text; NULL: out of memory */
void es_effects_clear(es_effects *effects);

#endif
