/* The matrix on the whole: its extremes and profiles. */
#ifndef ES_APP_SUMMARY_H
#define ES_APP_SUMMARY_H

#include "app_state.h"

bool es_summary_new(es_app *app);
void es_summary_free(es_app *app);
void es_summary_update(es_app *app); /* O(count^2) when something has changed, else O(count) */

#endif
