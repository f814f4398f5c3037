/* The filter language, and what a search matches. */
#ifndef ES_APP_FILTER_H
#define ES_APP_FILTER_H

#include "app_state.h"

/** Does the item pass? A filter that cannot be read passes everything and fills error. */
bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity);
/** Can the filter be read, whichever item it is tried on? Else error says why not. */
bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity);
/** Does it take a community (c:C1)? And are these not there yet, so that nobody passes? */
bool es_filter_of_communities(const es_app *app);
bool es_filter_awaits(const es_app *app);
bool es_select_matches(const es_app *app, const char *text, size_t item); /* search */

#endif
