/* The graph of the Tree view. Colour is the community; how full a node is tells how well it
 * simulates others, its brackets how well it is simulated; only the strongest edges are drawn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"
#include "tree_panes.h"
#include "tui_draw.h"
#include "tui_panes.h"

enum { NODE = 3, LABEL = 20, LEGEND = 2 };

/* One character cell: dots of edges, and what may not be written over. */
typedef struct es_dots {
    uint8_t mask, role;
    bool taken;
} es_dots;

typedef struct es_graph_plot {
    const es_app *app;
    es_grid *grid;
    es_rect in;
    es_dots *cell; /* (in.h, in.w) */
    size_t *x, *y; /* (m) cell of each node's centre, by position; ES_NONE: not drawn */
    double low, high, low_in, high_in;
} es_graph_plot;

static es_dots *dots(const es_graph_plot *p, size_t x, size_t y) {
    return &p->cell[y * (size_t)p->in.w + x];
}

static bool is_free(const es_graph_plot *p, long x, long y, long w) {
    if (x < 0 || y < 0 || x + w > p->in.w || y >= p->in.h)
        return false;
    for (long i = 0; i < w; i++)
        if (dots(p, (size_t)(x + i), (size_t)y)->taken)
            return false;
    return true;
}

/* Marks w cells as covered, so that no label is drawn over them. */
static void take_cells(const es_graph_plot *p, long x, long y, long w) {
    for (long i = x; i < x + w; i++)
        if (i >= 0 && i < p->in.w && y >= 0 && y < p->in.h)
            dots(p, (size_t)i, (size_t)y)->taken = true;
}

/* ---- Nodes ---- */

/* The free place for a node nearest to (x, y), so that no two are in one. */
static bool seat(const es_graph_plot *p, long *x, long *y) {
    for (long far = 0; far < 8; far++)
        for (long dy = -far; dy <= far; dy++)
            for (long dx = -2 * far; dx <= 2 * far; dx++) {
                if (labs(dy) != far && labs(dx) < 2 * far - 1) {
                    dx = 2 * far - 2; /* over what was tried before, to the other side */
                    continue;
                }
                if (is_free(p, *x + dx - 1, *y + dy, NODE)) {
                    *x += dx;
                    *y += dy;
                    return true;
                }
            }
    return false;
}

/* at (m): where a value of each node is among those shown, 0 to 1: half by its size and half by its
 * place, so that a few that are far off do not press the others into a corner. */
static bool spread(const es_graph_plot *p, const double *value, double *at) {
    const es_list *list = &p->app->list[ES_LIST_TREE];
    size_t m = p->app->tree.force->m, count = 0;
    double *key = es_alloc(m + 1, sizeof *key);
    uint32_t *node = es_alloc(3 * m + 1, sizeof *node), *order = node == NULL ? NULL : node + m;
    for (size_t i = 0; key != NULL && node != NULL && i < list->count; i++) {
        size_t k = p->app->position[list->item[i]];
        if (k == ES_NONE)
            continue;
        node[count] = (uint32_t)k;
        key[count++] = value[k];
    }
    if (count > 0)
        es_sort_order(key, order, order + m, count);
    for (size_t i = 0, below = 0; i < count; i++) {
        double low = key[order[0]], wide = key[order[count - 1]] - low, v = key[order[i]];
        if (i > 0 && v > key[order[i - 1]])
            below = i;
        at[node[order[i]]] =
            wide > 0 ? 0.4 * (v - low) / wide + 0.6 * (double)below / (double)(count - 1) : 0.5;
    }
    bool done = key != NULL && node != NULL;
    es_free(key);
    es_free(node);
    return done;
}

static bool seat_nodes(es_graph_plot *p) {
    const es_force *f = p->app->tree.force;
    const es_list *list = &p->app->list[ES_LIST_TREE];
    double *across = es_alloc(2 * f->m + 1, sizeof *across), *down = across ? across + f->m : NULL;
    bool done = down != NULL && spread(p, f->x, across) && spread(p, f->y, down);
    for (size_t i = 0; i < f->m; i++)
        p->x[i] = ES_NONE;
    for (size_t i = 0; done && i < list->count; i++) {
        size_t k = p->app->position[list->item[i]];
        if (k == ES_NONE)
            continue;
        long x = lround(2 + across[k] * (p->in.w - 5)), y = lround(down[k] * (p->in.h - 1));
        if (!seat(p, &x, &y))
            continue;
        p->x[k] = (size_t)x;
        p->y[k] = (size_t)y;
        take_cells(p, x - 1, y, NODE);
    }
    es_free(across);
    return done;
}

static double part(double value, double low, double high) {
    return !isfinite(value) ? 0 : high > low ? (value - low) / (high - low) : 0.5;
}

static void draw_node(const es_graph_plot *p, size_t item, bool cursor) {
    static const char *const fill[] = {"○", "◔", "◑", "◕", "●"};
    static const char plain[] = ".:oO@";
    static const char *const ring[] = {"()", "[]", "{}"};
    const es_live_rank *s = &p->app->live[item];
    size_t k = p->app->position[item];
    int level = (int)lround(4 * part(s->published, p->low, p->high));
    int around = (int)fmin(2, floor(3 * part(s->simulated, p->low_in, p->high_in)));
    int x = p->in.x + (int)p->x[k], y = p->in.y + (int)p->y[k];
    es_role role =
        cursor ? ES_ROLE_SELECTION : es_draw_community(p->app, es_tree_group(p->app, item));
    es_role outer = p->app->marked[item] && !cursor ? ES_ROLE_MARK : role;
    es_grid_click_area(p->grid, (es_rect){x - 1, y, 3, 1}, ES_CLICK_ITEM, item);
    es_grid_printf(p->grid, x - 1, y, outer, "%c", ring[around][0]);
    if (p->grid->ascii)
        es_grid_printf(p->grid, x, y, role, "%c", plain[level]);
    else
        es_grid_text(p->grid, x, y, role, fill[level]);
    es_grid_printf(p->grid, x + 1, y, outer, "%c", ring[around][1]);
    if (cursor)
        es_grid_text(p->grid, x - 2, y, ES_ROLE_CURSOR, "❯");
}

/* ---- Edges ---- */

/* Sets one of the eight dots of a cell, and its colour. */
static void draw_dot(const es_graph_plot *p, long x, long y, es_role role, bool strong) {
    static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2L * p->in.w || y >= 4L * p->in.h)
        return;
    es_dots *d = dots(p, (size_t)x / 2, (size_t)y / 4);
    if (d->mask == 0 || strong)
        d->role = (uint8_t)role;
    d->mask |= bit[y % 4][x % 2];
}

/* Draws a line of dots between nodes a and b. */
static void draw_edge(const es_graph_plot *p, size_t a, size_t b, es_role role, bool strong) {
    long x = 2 * (long)p->x[a] + 1, y = 4 * (long)p->y[a] + 2;
    long w = 2 * (long)p->x[b] + 1 - x, h = 4 * (long)p->y[b] + 2 - y;
    long steps = labs(w) > labs(h) ? labs(w) : labs(h);
    for (long i = 0; i <= steps; i++)
        draw_dot(p, x + (steps == 0 ? 0 : w * i / steps), y + (steps == 0 ? 0 : h * i / steps),
                 role, strong);
}

static void draw_edges(const es_graph_plot *p) {
    const es_tree *tree = &p->app->tree;
    for (size_t i = 0; i < tree->force->edges; i++) {
        size_t a = tree->force->edge[i].a, b = tree->force->edge[i].b;
        if (p->x[a] == ES_NONE || p->x[b] == ES_NONE)
            continue;
        bool same = tree->found->group[a] == tree->found->group[b];
        draw_edge(p, a, b, same ? es_draw_community(p->app, tree->found->group[a]) : ES_ROLE_GRID,
                  same);
    }
    for (int y = 0; y < p->in.h; y++)
        for (int x = 0; x < p->in.w; x++) {
            const es_dots *d = dots(p, (size_t)x, (size_t)y);
            char text[5] = {0};
            if (d->mask == 0)
                continue;
            text[0] = (char)0xe2; /* U+2800 + mask in UTF-8 */
            text[1] = (char)(0xa0 | d->mask >> 6);
            text[2] = (char)(0x80 | (d->mask & 0x3f));
            es_grid_text(p->grid, p->in.x + x, p->in.y + y, (es_role)d->role, text);
        }
}

/* ---- Names ---- */

static bool draw_name(const es_graph_plot *p, size_t item, bool cursor) {
    size_t k = p->app->position[item];
    const char *name = es_app_name(p->app, item);
    long w = es_text_width(name), x = (long)p->x[k], y = (long)p->y[k];
    w = w < LABEL ? w : LABEL;
    /* The last one is the cursor's, who is named in any case. */
    long room = p->in.w - w, over = x + 3 < room ? x + 3 : room;
    const long place[5][2] = {{x + 3, y},
                              {x - 3 - w, y},
                              {x - w / 2, y - 1},
                              {x - w / 2, y + 1},
                              {over > 0 ? over : 0, y + 1 < p->in.h ? y + 1 : y - 1}};
    bool match = p->app->search[0] != '\0' && es_select_matches(p->app, p->app->search, item);
    es_role role = cursor  ? ES_ROLE_SELECTION
                   : match ? ES_ROLE_MATCH
                           : es_draw_community(p->app, es_tree_group(p->app, item));
    for (int i = 0; i < (cursor ? 5 : 4); i++)
        if (i == 4 || is_free(p, place[i][0], place[i][1], w)) {
            take_cells(p, place[i][0] - 1, place[i][1], w + 2);
            es_grid_field(p->grid, p->in.x + (int)place[i][0], p->in.y + (int)place[i][1], (int)w,
                          -1, role, name);
            return true;
        }
    return false;
}

/* The cursor's name first, then marked ones, then the others in the order of the tree. */
static size_t draw_names(const es_graph_plot *p) {
    const es_list *list = &p->app->list[ES_LIST_TREE];
    size_t named = 0;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < list->count; i++) {
            size_t item = list->item[i], k = p->app->position[item];
            int own = item == p->app->cursor ? 0 : p->app->marked[item] ? 1 : 2;
            if (own == pass && k != ES_NONE && p->x[k] != ES_NONE)
                named += draw_name(p, item, own == 0);
        }
    return named;
}

/* ---- The pane ---- */

static void draw_legend(const es_graph_plot *p, es_rect in) {
    const es_tree *tree = &p->app->tree;
    size_t pairs = tree->force->pairs, edges = tree->force->edges;
    double share = pairs == 0 ? 0 : 100.0 * (double)edges / (double)pairs;
    int y = in.y + in.h - LEGEND;
    const char *fill = p->grid->ascii ? ".:oO@" : "○◔◑◕●";
    if (in.w < 62)
        es_grid_printf(p->grid, in.x + 1, y, ES_ROLE_TEXT_DIM,
                       "predicts others: %s   is predicted: () [] {}", fill);
    else
        es_grid_printf(p->grid, in.x + 1, y, ES_ROLE_TEXT_DIM,
                       "simulates %s %.2f–%.2f   is simulated () [] {} %.2f–%.2f", fill,
                       es_rounded_off(p->low, 2), es_rounded_off(p->high, 2),
                       es_rounded_off(p->low_in, 2), es_rounded_off(p->high_in, 2));
    es_grid_printf(p->grid, in.x + 1, y + 1, ES_ROLE_TEXT_DIM,
                   "edges: the strongest %zu of %zu pairs (%.*f%%)", edges, pairs,
                   share < 1 ? 1 : 0, share);
}

static void find_ranges(es_graph_plot *p) {
    const es_list *list = &p->app->list[ES_LIST_TREE];
    p->low = p->low_in = (double)INFINITY;
    p->high = p->high_in = -(double)INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        const es_live_rank *s = &p->app->live[list->item[i]];
        p->low = fmin(p->low, s->published);
        p->high = fmax(p->high, s->published);
        p->low_in = fmin(p->low_in, s->simulated);
        p->high_in = fmax(p->high_in, s->simulated);
    }
}

/* How many are named; ES_NONE: out of memory. *seated: how many found a place. */
static size_t draw_plot(es_graph_plot *p, size_t *seated) {
    const es_list *list = &p->app->list[ES_LIST_TREE];
    find_ranges(p);
    if (!seat_nodes(p))
        return ES_NONE;
    draw_edges(p);
    for (int pass = 0; pass < 2; pass++) /* the cursor's over all others */
        for (size_t i = 0; i < list->count; i++) {
            size_t item = list->item[i], k = p->app->position[item];
            if (k != ES_NONE && p->x[k] != ES_NONE && (item == p->app->cursor) == (pass == 1)) {
                draw_node(p, item, pass == 1);
                ++*seated;
            }
        }
    return draw_names(p);
}

void es_tree_draw_graph(const es_app *app, es_grid *grid, es_rect pane) {
    const es_tree *tree = &app->tree;
    bool focused = app->focus[app->view] == ES_PANE_MAIN;
    char title[] = "Graph", right[300], bottom[200];
    es_tree_borders(app, pane.w >= 62, right, sizeof right, bottom, sizeof bottom);
    es_filter_mark(app, grid, pane.w, title, right, sizeof right);
    es_rect in = es_grid_pane(grid, pane, focused, title, right, bottom);
    if (in.h < 1 || es_tree_missing(app, grid, in))
        return;
    if (tree->force == NULL || tree->graph_results != es_tree_results(app)) {
        char how_far[64] = "The graph shows in a moment.";
        if (es_tree_is_large(app))
            (void)snprintf(how_far, sizeof how_far, "Step %u of %d.", app->source->places.runs,
                           ES_FORCE_STEPS);
        es_draw_empty(grid, in, "Placing the embedders", how_far);
        return;
    }
    es_graph_plot p = {.app = app, .grid = grid, .in = {in.x, in.y, in.w, in.h - LEGEND}};
    if (p.in.h < 1 || p.in.w < 8)
        return;
    size_t m = tree->force->m, cells = (size_t)p.in.w * (size_t)p.in.h;
    p.cell = es_alloc_zero(cells, sizeof *p.cell);
    p.x = es_alloc_zero(2 * m + 1, sizeof *p.x);
    es_rect old = es_grid_clip(grid, in);
    size_t named = ES_NONE, seated = 0, count = app->list[ES_LIST_TREE].count;
    if (p.cell != NULL && p.x != NULL) {
        p.y = p.x + m;
        named = draw_plot(&p, &seated);
    }
    if (named != ES_NONE) {
        draw_legend(&p, in);
        es_grid_set_clip(grid, old);
        if (named < count) {
            if (seated < count)
                es_phrase_add(bottom, sizeof bottom, " · %zu/%zu fit", seated, count);
            else
                es_phrase_add(bottom, sizeof bottom, " · %zu of %zu named", named, count);
            (void)es_grid_pane(grid, pane, focused, "Graph", right, bottom);
        }
    } else
        es_draw_empty(grid, in, "Out of memory", "The graph cannot be drawn.");
    es_grid_set_clip(grid, old);
    es_free(p.cell);
    es_free(p.x);
}

/* What both faces of the Tree view say around themselves: how many communities there are, how sure
 * of them one can be, and why there are none. */

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
