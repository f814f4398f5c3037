/* Taking up what the source says. */
#ifndef ES_APP_READ_SOURCE_H
#define ES_APP_READ_SOURCE_H

#include "app_state.h"

void es_app_read(es_app *app); /* after every change of the source */
/** Takes up that the score to rank by was changed, by a command or by u. */
void es_app_rerank(es_app *app);
/** Colours of a measure whose values come in, when it is time. */
void es_app_fit_measure(es_app *app);
void es_app_choose_digits(es_app *app); /* of the columns of scores */
#define ES_APP_FIT_PAUSE 0.25           /* seconds between two fits of a measure's colours */

#endif
