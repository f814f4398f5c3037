/* What both faces of the Tree view say around themselves: how many communities there are, how sure
 * of them one can be, and why there are none. */
#include <math.h>
#include <stdio.h>

#include "app_state.h"
#include "tui_draw.h"
#include "tui_panes.h"
#include "tree_panes.h"
#include "app_lists.h"
#include "app_values.h"

void es_tree_borders(const es_app *app, bool wide, char *right, size_t right_capacity, char *bottom,
                     size_t bottom_capacity) {
    const es_tree *tree = &app->tree;
    const es_communities *found = tree->found;
    size_t hidden = es_select_hidden(app);
    bool finding = es_tree_finding(app) && tree->asked.resolution != tree->resolution;
    unsigned runs;
    (void)snprintf(right, right_capacity, "γ=%.2f",
                   found == NULL ? es_tree_resolution(app) : tree->resolution);
    if (found != NULL && found->modularity.why == NULL && isfinite(found->modularity.value))
        es_phrase_add(right, right_capacity, "  Q=%.3f",
                      es_rounded_off(found->modularity.value, 3));
    if (found != NULL && finding) /* those for this one are still shown */
        es_phrase_add(right, right_capacity, " · finding γ=%.2f", tree->asked.resolution);
    if (app->frozen)
        es_phrase_add(right, right_capacity, " · frozen");
    bottom[0] = '\0';
    if (found == NULL)
        return;
    (void)snprintf(bottom, bottom_capacity, "%zu communit%s", found->groups,
                   found->groups == 1 ? "y" : "ies");
    if (es_app_merged(app)) /* one estimator's, where other views show the best known */
        es_phrase_add(bottom, bottom_capacity, " by %s", es_tree_title(app));
    bool part = tree->known < tree->pairs && tree->pairs > 0; /* of the pairs: which needs room */
    bool all = wide && !part && hidden == 0 && !es_app_merged(app);
    if (all && found->levels > 1)
        es_phrase_add(bottom, bottom_capacity, " · %u levels", found->levels);
    if (part)
        es_phrase_add(bottom, bottom_capacity, " · %.0f%% of pairs known",
                      floor(100.0 * (double)tree->known / (double)tree->pairs));
    if (tree->settled && isfinite(found->agreement))
        es_phrase_add(bottom, bottom_capacity,
                      all    ? " · the same in %.0f%% of %d runs"
                      : wide ? " · same in %.0f%% of runs"
                             : " · same in %.0f%%",
                      floor(100 * found->agreement), ES_LOUVAIN_RUNS);
    else if (es_tree_settling(app, &runs))
        es_phrase_add(bottom, bottom_capacity, " · stability %u/%d", runs, ES_LOUVAIN_RUNS);
    if (hidden > 0)
        es_phrase_add(bottom, bottom_capacity, " · %zu hidden (gx)", hidden);
}

bool es_tree_missing(const es_app *app, es_grid *grid, es_rect in) {
    if (es_draw_nothing(app, grid, in))
        return true;
    if (app->tree.found != NULL)
        return false;
    if (es_tree_results(app) != NULL && es_tree_results(app)->done > 0 && !es_tree_possible(app))
        es_draw_empty(grid, in, "No communities of distances",
                      "Communities need information sufficiency, where more is closer. This "
                      "estimator measures errors; :estimator shows another one's results.");
    else if (es_tree_results(app) != NULL && es_tree_results(app)->done > 0)
        es_draw_empty(grid, in, "Finding communities", "This takes a moment for a large pool.");
    else
        es_draw_no_pairs(app, grid, in,
                         app->source->read_only ? "There are no results to show."
                         : es_app_running(app)  ? "Communities form as they come."
                                                : "r starts the estimation; communities form while "
                                                  "it runs.");
    return true;
}
