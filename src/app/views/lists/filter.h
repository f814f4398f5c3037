/* The filter language, and what a search matches. */
#ifndef ES_APP_FILTER_H
#define ES_APP_FILTER_H

#include "app_state.h"

/** True if the item passes the filter. A filter that cannot be read passes everything and fills
 * error. */
bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity);
/** True if the filter is well formed. Else error says why not. */
bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity);
/** True if `part` is in the text. Its case counts if it has a capital. */
bool es_text_holds(const char *text, const char *part);
/** True if the filter names a community (c:C1) and communities are not known yet, so that no item
 * passes. */
bool es_filter_of_communities(const es_app *app);
bool es_filter_awaits(const es_app *app);
bool es_select_matches(const es_app *app, const char *text, size_t item); /* search */

#endif
