/* The graph: which edges are drawn, and where the nodes are. */
#include <math.h>
#include <string.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_tree.h"
#include "app_values.h"

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

/* Lines of the tree. The cursor's line follows from the shared cursor item and a depth: the line
 * that holds the item and is not deeper. So it stays where it is when communities are found anew.
 */

/* ---- Folding: by level and first member, so that it outlives small changes ---- */

static uint8_t *fold_bit(const es_app *app, size_t group, uint8_t *bit) {
    const es_community *c = &app->tree.found->list[group];
    uint32_t first = c->members[0];
    for (size_t k = 1; k < c->size; k++)
        first = c->members[k] < first ? c->members[k] : first;
    *bit = (uint8_t)(c->level < ES_TREE_LEVELS ? 1U << c->level : 0U);
    return &app->folded[es_tree_results(app)->model[first]];
}

bool es_tree_folded(const es_app *app, size_t group) {
    uint8_t bit;
    return (*fold_bit(app, group, &bit) & bit) != 0;
}

void es_tree_fold(es_app *app, size_t group, bool folded) {
    uint8_t bit, *bits = fold_bit(app, group, &bit);
    *bits = (uint8_t)(folded ? *bits | bit : *bits & ~bit);
}

bool es_tree_holds(const es_app *app, size_t group, size_t item) {
    const es_tree *tree = &app->tree;
    if (item == ES_NONE || group == ES_NONE)
        return item != ES_NONE;
    size_t part = tree->part[item];
    while (part != ES_NONE && part != group)
        part = tree->found->list[part].parent; /* SIZE_MAX above all */
    return part == group;
}

void es_tree_reveal(es_app *app) {
    const es_communities *found = app->tree.found;
    for (size_t g = 0; found != NULL && g < found->listed; g++)
        if (es_tree_holds(app, g, app->cursor))
            es_tree_fold(app, g, false);
    app->tree.depth = ES_TREE_ITEM;
}

/* ---- Lines ---- */

static bool any_shown(const es_app *app, size_t group) {
    const es_community *c = &app->tree.found->list[group];
    for (size_t k = 0; k < c->size; k++)
        if (app->tree.shown[es_tree_results(app)->model[c->members[k]]])
            return true;
    return false;
}

static void add_row(es_tree *tree, size_t group, size_t item, unsigned depth) {
    tree->row[tree->rows++] = (es_tree_row){group, item, depth, 0};
}

static void add_items(es_app *app, size_t group, unsigned depth) {
    const es_list *list = &app->list[ES_LIST_TREE]; /* in the order of the tree */
    for (size_t i = 0; i < list->count; i++)
        if (es_tree_group(app, list->item[i]) != ES_NONE &&
            es_tree_holds(app, group, list->item[i]))
            add_row(&app->tree, group, list->item[i], depth);
}

static void add_group(es_app *app, size_t group, unsigned depth) {
    es_tree *tree = &app->tree;
    const es_communities *found = tree->found;
    bool parts = false;
    if (!any_shown(app, group))
        return;
    if (found->list[group].size == 1) { /* nothing to fold: one line */
        add_items(app, group, depth);
        return;
    }
    add_row(tree, group, ES_NONE, depth);
    if (es_tree_folded(app, group))
        return;
    for (size_t k = group + 1; k < found->listed; k++)
        if (found->list[k].parent == group) {
            parts = true;
            add_group(app, k, depth + 1);
        }
    if (!parts)
        add_items(app, group, depth + 1);
}

/* Bit d of a line: another one of depth d follows before one that is less deep. */
static void mark_rails(es_tree *tree) {
    uint32_t open = 0;
    for (size_t r = tree->rows; r-- > 0;) {
        unsigned depth = tree->row[r].depth < 31 ? tree->row[r].depth : 31;
        open &= (uint32_t)((2ULL << depth) - 1);
        tree->row[r].rails = open;
        open |= 1U << depth;
    }
}

static void scroll_to_cursor(es_app *app) {
    int h = es_pane_inside(app, ES_PANE_MAIN).h;
    es_scroll_to(&app->tree.top, es_tree_at(app), h > 1 ? (size_t)h : 1, app->tree.rows);
}

void es_tree_lines(es_app *app) {
    es_tree *tree = &app->tree;
    const es_list *list = &app->list[ES_LIST_TREE];
    tree->rows = 0;
    if (tree->found == NULL)
        return;
    memset(tree->shown, 0, app->n * sizeof *tree->shown);
    for (size_t i = 0; i < list->count; i++)
        tree->shown[list->item[i]] = true;
    add_row(tree, ES_NONE, ES_NONE, ES_TREE_ALL);
    for (size_t g = 0; g < tree->found->groups; g++)
        add_group(app, tree->by_label[g], 1);
    mark_rails(tree);
    scroll_to_cursor(app);
}

/* ---- Cursor ---- */

size_t es_tree_at(const es_app *app) {
    const es_tree *tree = &app->tree;
    size_t at = tree->rows > 0 ? 0 : ES_NONE;
    for (size_t r = 0; r < tree->rows; r++) {
        const es_tree_row *row = &tree->row[r];
        if (row->depth > tree->depth || row->depth < tree->row[at].depth ||
            (row->item != ES_NONE && tree->depth != ES_TREE_ITEM))
            continue;
        if (row->item != ES_NONE ? row->item == app->cursor
                                 : es_tree_holds(app, row->group, app->cursor))
            at = r;
    }
    return at;
}

/* The best member that is shown. */
static size_t first_shown(const es_app *app, size_t group) {
    const es_list *list = &app->list[ES_LIST_TREE];
    for (size_t i = 0; i < list->count; i++)
        if (es_tree_holds(app, group, list->item[i]))
            return list->item[i];
    return ES_NONE;
}

void es_tree_to(es_app *app, size_t at) {
    es_tree *tree = &app->tree;
    const es_tree_row *row = &tree->row[at];
    size_t item = row->item;
    tree->depth = item != ES_NONE ? ES_TREE_ITEM : row->depth;
    if (item == ES_NONE)
        item = es_tree_holds(app, row->group, app->cursor) ? app->cursor
                                                           : first_shown(app, row->group);
    if (item != ES_NONE)
        es_select_cursor(app, item);
    scroll_to_cursor(app);
}
