/* Communities of the embedders, for the Tree view and for whatever names, colours or orders by
 * them: what is known of each. They are found by views/tree/tree_update.c, never before something
 * needs them, and a few milliseconds at a time. */
#ifndef ES_APP_TREE_H
#define ES_APP_TREE_H

#include "app_state.h"

bool es_tree_init(es_tree *tree, size_t n);
void es_tree_deinit(es_tree *tree);

double es_tree_resolution(const es_app *app); /* the one in force */
/** True if communities can be found; if not, tree->found is NULL, perhaps since the estimator's
 * numbers are distances. */
bool es_tree_possible(const es_app *app);
/** Returns the results that communities are found in: during refinement those of the first
 * estimator; NULL: none. */
const es_results *es_tree_results(const es_app *app);
/** Name of the estimator whose values the tree is made of. */
const char *es_tree_title(const es_app *app);
/** Order of items in the heatmap: by community, by cluster. */
int es_tree_compare(const es_app *app, size_t a, size_t b);
/** Community of an item, as an index of found->list at level 0; ES_NONE. */
/** Settled, and in too few of the runs to be said without a word of it. */
bool es_tree_unsure(const es_app *app, size_t group);
size_t es_tree_group(const es_app *app, size_t item);
/** Settled, and found in fewer of the runs than ES_TREE_STABLE_PERCENT. */
bool es_tree_unsure(const es_app *app, size_t group);
/** "C2", "C2.1"; a few bytes. */
void es_tree_label(const es_app *app, size_t group, char *out, size_t capacity);
/** Returns a name for a community: the family of its members, else its best embedder. Borrowed. */
const char *es_tree_name(const es_app *app, size_t group);
/** Communities are being looked for that are not those shown, or of which none are. */
bool es_tree_finding(const es_app *app);
/** True while stability is computed: *done of ES_LOUVAIN_RUNS runs. */
bool es_tree_settling(const es_app *app, unsigned *done);
/** The dendrogram that the order by cluster needs is not known yet. */
bool es_tree_leaves_awaited(const es_app *app);
size_t es_tree_top(const es_app *app, size_t group); /* the community of level 0 it is in */
/** Number of the community's colour, 0 to 7. */
unsigned es_tree_colour(const es_app *app, size_t group);

/* For tree_update.c. */
void es_tree_forget(es_tree *tree); /* the communities */
/** Takes `found` and its means (inside, then between) over and derives what the views show; of what
 *  it was found is the caller's to note. False: out of memory, all is freed. */
bool es_tree_adopt(es_app *app, es_communities *found, double *means, bool settled);
bool es_tree_complete(const es_app *app); /* nothing is missing in the results */
/** Too many embedders for the thread that draws: workers find what is to be known of them. */
bool es_tree_is_large(const es_app *app);
/** True if the answer to a request has come, or will not come. */
bool es_tree_has_come(const es_tree_request *asked, const es_structure_look *look);

#endif
