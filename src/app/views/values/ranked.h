/* What the ranking stands on: always one estimator, whatever the heatmap shows. */
#ifndef ES_APP_RANKED_H
#define ES_APP_RANKED_H

#include "app_state.h"
#include "report_answer.h"

/** Takes up what the source has; true when the ranking is another or of newer results. */
bool es_ranked_read(es_app *app);
void es_ranked_free(es_app *app);

/** Returns an item's index in the ranked results and their decision; ES_NONE: it is not ranked. */
size_t es_ranked_place(const es_app *app, size_t item);
/** True if the item neither votes nor ranks, since derived embedders are left out. */
bool es_ranked_leaves_out(const es_app *app, size_t item);
const char *es_ranked_beside_title(const es_app *app); /* whose medians stand beside the score */
size_t es_ranked_left_out(const es_app *app);          /* so many */
/** (m, m) what may be compared; NULL: nothing is known. */
const double *es_ranked_is(const es_app *app);
bool es_ranked_lower(const es_app *app); /* is better */
/** Every pair of what is ranked has ended, or will not come. */
bool es_ranked_complete(const es_app *app);
/** True if some embedder is ranked. Else lists by rank are by name. */
bool es_ranked_some(const es_app *app);
es_score_rule es_ranked_rule(const es_app *app);
/** "linear shrunk" */
const char *es_ranked_title(const es_app *app);

/** "linear shrunk, one vote a kind": what the score is made of. */
void es_ranked_rule_text(const es_app *app, char *out, size_t capacity);
/** "predictive score", "published score", "reconstruction error"; of a matrix from a file "mean".
 */
const char *es_ranked_score_name(const es_app *app);
/** The same in a word, for axes and columns: "predictive", "published", "error", "mean". */
const char *es_ranked_short(const es_app *app);
/** Returns what the score means and does not mean, in one or two sentences. */
const char *es_ranked_explained(const es_app *app);

/** The facts of the bottom line, and of sentences about single embedders. */
es_bottom_line_of es_ranked_words(const es_app *app, const es_decision *decision);
/** Why an embedder has no rank though its pairs are known, a sentence; NULL: it has, or they are
 *  not. */
const char *es_ranked_standing(const es_app *app, size_t item);
/** Says the bottom line anew, from what was decided last, and how that agrees downstream. */
void es_ranked_say(es_app *app);
/** Replaces sentences about a running estimation once it has ended. */
void es_ranked_say_end(es_app *app);
/** Fills the report that the ranking stands on, for es_explanation_new; borrowed until the next
 * message. False: nothing was decided of it yet. */
bool es_ranked_report(const es_app *app, es_rank_report *out);
#endif
