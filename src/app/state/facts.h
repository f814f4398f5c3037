/* What the state says of itself in a word: used everywhere, so it stands below everything. */
#ifndef ES_APP_FACTS_H
#define ES_APP_FACTS_H

#include "app_state.h"
#include "view_ops.h"

const es_view_ops *es_view_ops_of(const es_app *app, es_view_id view); /* never NULL */
const es_view_ops *es_view_shown(const es_app *app);
/** Of a sample of rows: "2000 of 60000 rows, agreement 0.97"; empty: all rows. brief: without the
 *  agreement. */
void es_app_sample_text(const es_app *app, bool brief, char *out, size_t capacity);
bool es_app_merged(const es_app *app);       /* the best known value of each pair is shown */
bool es_app_mixed(const es_app *app);        /* and the matrix holds those of two estimators */
const char *es_app_title(const es_app *app); /* of the plan entry shown; "" when none */
/** A pool of fewer than two embedders that can be used: nothing can be compared. */
bool es_app_too_few(const es_app *app);
/** A finished matrix from a file: there are no rows to measure or estimate from. */
bool es_app_of_file(const es_app *app);
/** Says of such a file, and of a table of scores, that it has no rows. */
const char *es_app_without_rows(const es_app *app);
/** While no pair of what is shown is known: the plan entry of which most are; ES_NONE: none, or
 * some of what is shown are. */
size_t es_app_known_elsewhere(const es_app *app);
size_t es_app_pairs(const es_app *app); /* of one plan entry; with self where it is estimated */
bool es_app_running(const es_app *app); /* running or paused with work left */
const es_model *es_app_model(const es_app *app, size_t item);
/** Returns how many of the embedders that can be used are controls. */
size_t es_app_controls(const es_app *app);
/** Counts the derived embedders. */
size_t es_app_derived(const es_app *app);
/** Returns an embedder's name as views show it; derived ones with their mark. */
const char *es_app_name(const es_app *app, size_t item);
/** The embedder of that name; ES_NONE: there is none. */
size_t es_app_find(const es_app *app, const char *name);
bool es_app_lower(const es_app *app); /* of what is shown, lower values are better */
es_pair_state es_app_pair_state(const es_app *app, size_t source, size_t target); /* items */
/** Why opening the pool again would lose results, as part of a sentence; NULL: it would not. */
const char *es_app_unsaved(const es_app *app);

/** True if a sequence of keys was begun ES_APP_MENU seconds ago: the keys that can follow are then
 *  listed. */
bool es_app_lists_keys(const es_app *app);

#endif
