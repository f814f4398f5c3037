/* The graph: which edges are drawn, and where the nodes are. */
#include <math.h>

#include "alloc.h"
#include "app_state.h"
#include "effects.h"
#include "facts.h"
#include "tree_graph.h"

enum {
    EDGES_A_NODE = 2, /* drawn: as many of the strongest pairs, or one where nodes are many */
    MANY_MODELS = 60,
    STEP_WORK = 400000, /* steps of the layout in one tick, in pairs of nodes */
    LIGHT_MODELS = 100
};

static void drop(es_tree *tree) {
    es_force_free(tree->force);
    es_free(tree->strength);
    tree->force = NULL;
    tree->strength = NULL;
}

static bool is_other(const es_app *app) {
    const es_tree *tree = &app->tree;
    return tree->graph_results != tree->results || tree->graph_revision != tree->revision;
}

/* Nodes that had places keep them, and move on from there: a live graph changes, but does not jump.
 * A complete one begins anew, so that it is the same however it came about. */
static void keep_places(es_tree *tree, const es_force *old) {
    for (size_t i = 0; i < old->m; i++) {
        tree->force->x[i] = old->x[i];
        tree->force->y[i] = old->y[i];
    }
    tree->force->step = ES_FORCE_STEPS / 2;
}

static void make(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = app->results;
    size_t most = r->m > MANY_MODELS ? r->m : EDGES_A_NODE * r->m, pairs = 0;
    bool same = tree->graph_results == tree->results && tree->graph_m == r->m;
    double *strength = es_alloc(r->m * r->m + 1, sizeof *strength);
    es_force *force = NULL;
    tree->graph_results = tree->results;
    tree->graph_revision = tree->revision;
    if (strength == NULL || es_pair_strength(r->is, r->m, strength, &pairs, NULL) != ES_OK ||
        es_force_new(strength, r->m, 0, &force, NULL) != ES_OK) {
        es_free(strength);
        drop(tree);
        es_app_notice(app, ES_ENOMEM, "out of memory: no graph");
        return;
    }
    es_force *old = tree->force;
    tree->force = force;
    if (old != NULL && same && es_app_running(app))
        keep_places(tree, old);
    es_force_free(old);
    es_free(tree->strength);
    tree->strength = strength;
    tree->graph_m = r->m;
    tree->graph_pairs = pairs;
    /* Ties at the end are all left out. */
    tree->edge_least = pairs > most ? 1 - ((double)most - 0.5) / (double)pairs : 0;
    tree->edges = 0;
    for (size_t i = 0; i < r->m; i++)
        for (size_t j = i + 1; j < r->m; j++)
            tree->edges += strength[i * r->m + j] >= tree->edge_least;
}

bool es_tree_graph_busy(const es_app *app) {
    const es_tree *tree = &app->tree;
    return app->set.graph && tree->found != NULL &&
           (is_other(app) || (tree->force != NULL && tree->force->step < ES_FORCE_STEPS));
}

void es_tree_graph_update(es_app *app, bool heavy) {
    es_tree *tree = &app->tree;
    if (!es_tree_graph_busy(app) || (!heavy && app->results->m > LIGHT_MODELS))
        return;
    if (is_other(app))
        make(app);
    if (tree->force == NULL)
        return;
    size_t m = tree->force->m;
    (void)es_force_move(tree->force, (unsigned)(STEP_WORK / (m * m + 1) + 1));
}

size_t es_tree_neighbour(const es_app *app, int dx, int dy) {
    const es_tree *tree = &app->tree;
    const es_force *f = tree->force;
    const es_list *list = &app->list[ES_LIST_TREE];
    size_t own = app->cursor == ES_NONE ? ES_NONE : app->position[app->cursor];
    size_t best = app->cursor;
    double least = (double)INFINITY;
    if (f == NULL || own == ES_NONE || own >= f->m)
        return best;
    for (size_t i = 0; i < list->count; i++) {
        size_t p = app->position[list->item[i]];
        if (p == ES_NONE || p == own || p >= f->m)
            continue;
        double x = f->x[p] - f->x[own], y = f->y[p] - f->y[own];
        double along = x * dx + y * dy, across = fabs(x * dy) + fabs(y * dx);
        /* The nearest in this quarter of the plane; else the least sideways of the half. */
        double far = across <= along ? hypot(along, across) : 1e6 * across / along;
        if (along > 0 && far < least) {
            least = far;
            best = list->item[i];
        }
    }
    return best;
}
