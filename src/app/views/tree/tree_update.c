/* Communities are found anew when results have changed: quickly by a key, and how stable they are
 * in portions at ticks (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008). */
#include "tree_update.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "linkage.h"
#include "effects.h"
#include "families.h"
#include "facts.h"
#include "select.h"
#include "tree.h"
#include "tree_graph.h"
#include "tree_rows.h"

enum {
    QUICK_STARTS = 20,   /* what a key may cost: all starts for small pools ... */
    QUICK_WORK = 200000, /* ... and no more than so many entries of the matrix for large ones */
    SLICE_WORK = 200000, /* runs of one tick, in entries of the matrix */
    KEY_MODELS = 100,    /* larger pools are left to the next tick */
    LEAF_MODELS = 120    /* larger dendrograms are not made anew while a run is on */
};

static es_louvain problem_of(const es_app *app) {
    const es_family_choices how = {.resolution = es_tree_resolution(app)};
    return es_families_problem(app->results, &how, NULL);
}

static void no_memory(es_app *app) {
    es_tree_forget(&app->tree);
    app->tree.made_at = app->now; /* the next look is as far as any other */
    app->tree.results = app->results;
    app->tree.revision = app->results->revision;
    app->tree.resolution = es_tree_resolution(app);
    es_app_notice(app, ES_ENOMEM, "out of memory: no communities");
}

static void find_quickly(es_app *app) {
    es_louvain p = problem_of(app);
    es_communities *found = NULL;
    size_t starts = QUICK_WORK / (p.m * p.m + 1);
    p.starts = starts >= QUICK_STARTS ? QUICK_STARTS : starts < 1 ? 1 : (unsigned)starts;
    p.runs = 1;
    if (es_communities_new(&p, NULL, &found, NULL) != ES_OK || !es_tree_adopt(app, found, false))
        no_memory(app);
}

/* Another portion of the runs that tell how stable the communities are. */
static void go_on(es_app *app) {
    es_tree *tree = &app->tree;
    es_louvain p = problem_of(app);
    es_communities *found = NULL;
    size_t runs = SLICE_WORK / (p.m * p.m + 1) + 1;
    es_status st = ES_OK;
    if (tree->search == NULL) {
        st = es_communities_begin(&p, &tree->search, NULL);
        tree->runs_left = ES_LOUVAIN_RUNS;
    }
    if (st == ES_OK)
        st = es_communities_step(tree->search, (unsigned)runs, NULL, &tree->runs_left, NULL);
    if (st == ES_OK && tree->runs_left > 0)
        return;
    if (st == ES_OK)
        st = es_communities_finish(tree->search, &found, NULL);
    if (st != ES_OK || !es_tree_adopt(app, found, true)) {
        es_communities_search_free(tree->search);
        tree->search = NULL;
        tree->settled = true; /* without figures: nothing else can be done */
        es_app_notice(app, ES_ENOMEM, "out of memory: stability is not known");
    }
}

/* ---- Keeping up ---- */

/* Does the filter take a community? */
static bool filtered(const es_app *app) {
    return strstr(app->set.filter, "c:") != NULL;
}

static bool wanted(const es_app *app) {
    return filtered(app) || es_view_shown(app)->communities || app->set.order == ES_ORDER_COMMUNITY;
}

/* Does their order show, or how sure they are? */
static bool looked_at(const es_app *app) {
    return filtered(app) || app->view == ES_VIEW_TREE || app->set.order == ES_ORDER_COMMUNITY;
}

/* Not what the user has asked for: another matrix, another resolution, nothing yet. */
static bool is_other(const es_app *app) {
    const es_tree *tree = &app->tree;
    return tree->results != app->results || tree->resolution != es_tree_resolution(app) ||
           (tree->found == NULL && tree->revision != app->results->revision);
}

/* A first look at few pairs finds everybody alone, and a fast run is over before the next one. */
static bool much_more_known(const es_app *app) {
    size_t known = app->results->done, before = app->tree.known, all = es_app_pairs(app);
    return known >= 2 * before || (known >= all && before < all);
}

/* When communities of newer results are due; INFINITY: they are not. */
static double due(const es_app *app) {
    const es_tree *tree = &app->tree;
    if (tree->revision == app->results->revision || app->frozen)
        return (double)INFINITY;
    if (es_app_running(app) && much_more_known(app))
        return tree->made_at + ES_TREE_SOON; /* lines that say nothing need not be held */
    return fmax(es_app_running(app) ? tree->made_at + ES_TREE_PAUSE : app->now, app->hold_until);
}

static bool may_settle(const es_app *app) {
    const es_tree *tree = &app->tree;
    return looked_at(app) && tree->found != NULL && !tree->settled &&
           tree->revision == app->results->revision && es_tree_complete(app);
}

static bool leaves_due(const es_app *app, double *when) {
    const es_tree *tree = &app->tree;
    const es_results *r = app->results;
    *when = app->now;
    if (app->set.order != ES_ORDER_CLUSTER || r == NULL || r->done == 0 || app->frozen)
        return false;
    if (tree->leaf_results != r)
        return true;
    if (tree->leaf_revision == r->revision || (es_app_running(app) && r->m > LEAF_MODELS))
        return false;
    *when = fmax(es_app_running(app) ? tree->leaf_at + ES_TREE_PAUSE : app->now, app->hold_until);
    return true;
}

static void find_leaves(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = app->results;
    es_linkage *linkage = NULL;
    tree->leaf_results = r;
    tree->leaf_revision = r->revision;
    tree->leaf_at = app->now;
    for (size_t i = 0; i < app->n; i++)
        tree->leaf[i] = r->m;
    if (es_linkage_new(r->is, r->m, ES_LINKAGE_WARD, ES_LINKAGE_SOURCES, ES_DIAGONAL_MISSING, NULL,
                       &linkage, NULL) != ES_OK) {
        es_app_notice(app, ES_ENOMEM, "out of memory: no order by cluster");
        return;
    }
    es_linkage_free(tree->linkage);
    tree->linkage = linkage;
    for (size_t k = 0; k < r->m; k++)
        tree->leaf[r->model[linkage->order[k]]] = k;
}

static void update_leaves(es_app *app, bool heavy) {
    double when;
    if (!leaves_due(app, &when) || app->now < when || (!heavy && app->results->m > KEY_MODELS))
        return;
    find_leaves(app);
    es_select_refresh(app, true);
}

/* True when it has had work to do. */
static bool update_communities(es_app *app, bool heavy) {
    bool other = is_other(app), light = app->results->m <= KEY_MODELS;
    if ((other || app->now >= due(app)) && (heavy || light)) {
        find_quickly(app);
        if (looked_at(app))
            es_select_refresh(app, other);
    } else if (heavy && may_settle(app)) {
        go_on(app);
        if (app->tree.settled)
            es_select_refresh(app, false);
    } else
        return false;
    return true;
}

/* The community under the cursor; false when there is none to tell about or it is told already. */
static bool facts_due(const es_app *app, size_t *group) {
    const es_tree *tree = &app->tree;
    size_t at = es_tree_at(app);
    if (app->view != ES_VIEW_TREE || tree->found == NULL || at == ES_NONE)
        return false;
    *group = tree->row[at].group;
    if (tree->row[at].item != ES_NONE)
        *group = es_tree_group(app, tree->row[at].item);
    return !tree->have_facts || tree->facts_of != *group;
}

static void update_facts(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = app->results;
    size_t group;
    if (!facts_due(app, &group))
        return;
    uint32_t *rank = es_alloc(2 * r->m + 1, sizeof *rank);
    tree->facts_of = group;
    tree->have_facts = true;
    tree->facts = (es_community_facts){.spokesman = SIZE_MAX,
                                       .covers = (double)NAN,
                                       .cheapest = SIZE_MAX,
                                       .inside = (double)NAN,
                                       .outgoing = (double)NAN,
                                       .incoming = (double)NAN};
    if (rank == NULL)
        return;
    for (size_t p = 0; p < r->m; p++) {
        rank[p] = (uint32_t)app->live[r->model[p]].place;
        rank[r->m + p] = (uint32_t)p; /* everybody */
    }
    const es_community *c = group == ES_NONE ? NULL : &tree->found->list[group];
    es_community_describe(r->is, r->m, c == NULL ? rank + r->m : c->members,
                          c == NULL ? r->m : c->size, r->dim, rank, &tree->facts);
    es_free(rank);
}

void es_tree_update(es_app *app, bool heavy) {
    es_tree *tree = &app->tree;
    if (tree->found != NULL && (tree->results != app->results || !es_tree_possible(app))) {
        es_tree_forget(tree); /* their members are places in that matrix */
        tree->results = NULL;
    }
    if (app->results == NULL || app->results->m == 0)
        return;
    update_leaves(app, heavy);
    bool worked = es_tree_possible(app) && wanted(app) && update_communities(app, heavy);
    if (app->view != ES_VIEW_TREE)
        return;
    es_tree_lines(app);
    if (app->tree.found != NULL) {
        if (worked && app->results->m > KEY_MODELS)
            return; /* one thing at a time in a large pool */
        update_facts(app);
        es_tree_graph_update(app, heavy);
    }
}

double es_tree_deadline(const es_app *app) {
    double when = (double)INFINITY, leaves;
    if (app->results == NULL || app->results->m == 0)
        return when;
    if (leaves_due(app, &leaves))
        when = leaves;
    if (!es_tree_possible(app) || !wanted(app))
        return when;
    size_t group;
    if (is_other(app) || may_settle(app) || facts_due(app, &group))
        return app->now;
    when = fmin(when, due(app));
    if (app->view == ES_VIEW_TREE && es_tree_graph_busy(app))
        return app->now;
    return when;
}
