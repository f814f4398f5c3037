/* The help overlay: the table of commands, filtered. */
#ifndef ES_APP_HELP_LIST_H
#define ES_APP_HELP_LIST_H

#include "app_state.h"

/** The keys of a command in a view, as they are shown; ":name" when it has none. */
void es_help_keys(const es_app *app, es_view_id view, es_command command, char *out,
                  size_t capacity);
void es_help_open(es_app *app, const char *filter,
                  const char *(*refusal)(const es_app *app, es_command command));
void es_help_filter(es_app *app); /* after a change of the filter's line or of `all` */

#endif
