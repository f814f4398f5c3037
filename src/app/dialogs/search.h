/* Searching in what the view lists. */
#ifndef ES_APP_SEARCH_H
#define ES_APP_SEARCH_H

#include "app_state.h"

/** Next item that matches app->search, from `from` on in the list shown; ES_NONE: none. */
size_t es_search_find(const es_app *app, size_t from, bool backward, bool skip);
size_t es_search_place(const es_app *app); /* of the cursor in what is searched; ES_NONE */
void es_search_go(es_app *app, size_t place);

#endif
