/* The graph: which edges are drawn, and where the nodes are. */
#include <math.h>

#include "app_state.h"
#include "app_values.h"
#include "app_tree.h"

enum { STEP_WORK = 400000 }; /* steps of the layout in one tick, in pairs of nodes */

static bool is_other(const es_app *app) {
    const es_tree *tree = &app->tree;
    return tree->graph_results != tree->results || tree->graph_revision != tree->revision;
}

/* Nodes that had places keep them, and move on from there: a live graph changes, but does not jump.
 * A complete one begins anew, so that it is the same however it came about. */
const es_force *es_app_places(const es_app *app) {
    const es_tree *tree = &app->tree;
    bool same = tree->force != NULL && tree->graph_results == tree->results &&
                tree->force->m == es_tree_results(app)->m;
    return same && es_app_running(app) ? tree->force : NULL;
}

/* Takes the graph over; NULL: there is none. */
static void adopt(es_app *app, es_force *force) {
    es_tree *tree = &app->tree;
    es_force_free(tree->force);
    tree->force = force;
    if (force == NULL)
        es_app_notice(app, ES_ENOMEM, "out of memory: no graph");
}

/* Places the nodes of the graph at once, starting from where they were. */
static void place_nodes(es_app *app) {
    es_tree *tree = &app->tree;
    const es_results *r = es_tree_results(app);
    const es_force *before = es_app_places(app);
    es_force *force = NULL;
    if (es_force_of(r->is, r->m, 0, NULL, &force, NULL) == ES_OK && before != NULL)
        es_force_go_on(force, before->x, before->y);
    tree->graph_results = tree->results;
    tree->graph_revision = tree->revision;
    adopt(app, force);
}

/* ---- By workers ---- */

bool es_tree_graph_awaited(const es_app *app) {
    const es_tree_request *asked = &app->tree.graph_asked;
    return app->set.graph && asked->waiting && asked->results == es_tree_results(app);
}

/* Requests the places of the nodes from a worker. */
static void ask_places(es_app *app, es_effects *effects) {
    es_tree *tree = &app->tree;
    tree->graph_asked = (es_tree_request){.tag = tree->graph_asked.tag + 1,
                                          .waiting = true,
                                          .results = es_tree_results(app),
                                          .revision = tree->revision};
    es_effect_add(app, effects, ES_FX_PLACES, (size_t)tree->graph_asked.tag, false, NULL);
}

/* Takes the places that the worker has found, unless they are outdated. */
static void take_places(es_app *app) {
    es_tree *tree = &app->tree;
    const es_source *source = app->source;
    es_tree_request *asked = &tree->graph_asked;
    es_force *force = NULL;
    if (!es_tree_has_come(asked, &source->places))
        return;
    asked->waiting = false;
    if (source->places.tag == asked->tag && source->take_places != NULL)
        force = source->take_places(source->context);
    if (asked->results != es_tree_results(app) ||
        (force != NULL && force->m != es_tree_results(app)->m)) {
        es_force_free(force); /* of another matrix */
        return;
    }
    tree->graph_results = asked->results;
    tree->graph_revision = asked->revision;
    adopt(app, force);
}

/* ---- Keeping up ---- */

bool es_tree_graph_busy(const es_app *app) {
    const es_tree *tree = &app->tree;
    if (!app->set.graph || tree->found == NULL)
        return false;
    if (es_tree_is_large(app)) /* workers wake the loop themselves */
        return es_tree_graph_awaited(app)
                   ? es_tree_has_come(&tree->graph_asked, &app->source->places)
                   : is_other(app);
    return is_other(app) || (tree->force != NULL && tree->force->step < ES_FORCE_STEPS);
}

void es_tree_graph_update(es_app *app, es_effects *effects) {
    es_tree *tree = &app->tree;
    if (!es_tree_graph_busy(app))
        return;
    if (es_tree_is_large(app)) {
        take_places(app);
        if (is_other(app) && !es_tree_graph_awaited(app))
            ask_places(app, effects);
        return;
    }
    if (is_other(app))
        place_nodes(app);
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
