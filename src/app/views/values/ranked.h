/* What the ranking stands on: always one estimator, whatever the heatmap shows. */
#ifndef ES_APP_RANKED_H
#define ES_APP_RANKED_H

#include "app_state.h"
#include "bottom_line.h"

/** Takes up what the source has; true when the ranking is another or of newer results. */
bool es_ranked_read(es_app *app);
void es_ranked_free(es_app *app);

/** (m, m) what may be compared; NULL: nothing is known. */
const double *es_ranked_is(const es_app *app);
bool es_ranked_lower(const es_app *app); /* is better */
/** Every pair of what is ranked has ended, or will not come. */
bool es_ranked_complete(const es_app *app);
es_score_rule es_ranked_rule(const es_app *app);
/** "linear shrunk" */
const char *es_ranked_title(const es_app *app);

/** Says the bottom line anew, from what was decided last. */
void es_ranked_say(es_app *app);
/** As it stands; "" before there is one. */
const char *es_ranked_sentence(const es_app *app);

#endif
