/* Tree: communities of the embedders, as a foldable tree; the graph is in tree_graph_pane.c. */
#include <math.h>
#include <stdio.h>

#include "tui_panes.h"
#include "tree_panes.h"
#include "app_state.h"
#include "app_lists.h"
#include "tui_draw.h"
#include "app_values.h"
#include "app_tree.h"

enum { SURE = ES_TREE_STABLE_PERCENT };

static void number(double value, int digits, char *out, size_t capacity) {
    es_metric_format(ES_METRIC_IS, value, digits, out, capacity);
}

/* ---- Lines ---- */

typedef struct es_line_of_tree {
    const es_app *app;
    es_grid *grid;
    es_rect at;
    int end;  /* of its numbers */
    int wide; /* of a median */
    es_role base;
    bool selected;
} es_line_of_tree;

static const char *mark_of(const es_app *app, const es_tree_row *row) {
    const es_list *list = &app->list[ES_LIST_TREE];
    bool any = false, all = true;
    if (row->item != ES_NONE)
        return app->marked[row->item] ? "●" : NULL;
    for (size_t i = 0; i < list->count; i++)
        if (es_tree_holds(app, row->group, list->item[i])) {
            any = any || app->marked[list->item[i]];
            all = all && app->marked[list->item[i]];
        }
    return !any ? NULL : all ? "●" : "○";
}

static int draw_rails(const es_line_of_tree *l, const es_tree_row *row) {
    es_role role = l->selected ? l->base : ES_ROLE_BORDER;
    int x = l->at.x + 2;
    for (unsigned d = 1; d < row->depth && d < 31; d++, x += 2)
        es_grid_text(l->grid, x, l->at.y, role, row->rails >> d & 1 ? "│ " : "  ");
    if (row->depth > 0) {
        es_grid_text(l->grid, x, l->at.y, role,
                     row->depth < 31 && (row->rails >> row->depth & 1) ? "├─" : "└─");
        x += 2;
    }
    return x;
}

static int numbers_width(int wide) {
    return 23 + 2 * wide;
}

/* Numbers up to l->end; returns where they begin. */
static int draw_group_numbers(const es_line_of_tree *l, const es_tree_row *row) {
    const es_tree *tree = &l->app->tree;
    const es_communities *found = tree->found;
    size_t size = row->group == ES_NONE ? found->m : found->list[row->group].size;
    int end = l->end, y = l->at.y, x = end - numbers_width(l->wide);
    char inside[16] = "";
    double most = 0;
    es_grid_printf(l->grid, x, y, l->base, "%5zu", size);
    if (row->group == ES_NONE) {
        if (tree->settled && !l->selected)
            es_grid_field(l->grid, end - 8, y, 8, -1, ES_ROLE_TEXT_DIM, "stable");
        if (!l->selected)
            es_grid_field(l->grid, x + 6, y, 14, -1, ES_ROLE_TEXT_DIM, "IS inside");
        return x;
    }
    number(tree->inside[row->group], 2, inside, sizeof inside);
    es_grid_field(l->grid, x + 6, y, 5, 1, l->base, inside);
    for (size_t k = 0; k < found->listed; k++)
        most = fmax(most, tree->inside[k]);
    if (isfinite(tree->inside[row->group]) && most > 0) {
        es_role bar = l->selected ? l->base : es_draw_community(l->app, row->group);
        int w = 9, full = (int)lround(8 * w * fmax(0, tree->inside[row->group] / most));
        for (int i = 0; i < w; i++) {
            static const char *const part[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
            int eighths = full - 8 * i;
            es_grid_text(l->grid, x + 12 + i, y, bar,
                         part[eighths <= 0   ? 0
                              : eighths >= 8 ? 8
                                             : eighths]);
        }
    }
    double stability = found->list[row->group].stability;
    if (tree->settled && isfinite(stability)) {
        bool sure = !es_tree_unsure(l->app, row->group);
        es_role role = l->selected ? l->base : sure ? ES_ROLE_TEXT : ES_ROLE_WARNING;
        es_grid_printf(l->grid, end - 8, y, role, "%4.0f%%%s", floor(100 * stability),
                       sure ? "" : " ⚠");
    }
    return x;
}

static int draw_item_numbers(const es_line_of_tree *l, const es_tree_row *row) {
    const es_app *app = l->app;
    const es_live_rank *s = &app->live[row->item];
    const es_communities *found = app->tree.found;
    double elsewhere = found->elsewhere[app->position[row->item]];
    int end = l->end, y = l->at.y, x = end - numbers_width(l->wide), in_at = x + 11 + l->wide;
    es_role dim = l->selected ? l->base : ES_ROLE_TEXT_DIM;
    char out[16], in[16];
    number(s->published, 2, out, sizeof out);
    number(s->simulated, 2, in, sizeof in);
    if (es_app_model(app, row->item)->dim > 0)
        es_grid_printf(l->grid, x, y, dim, "%5zu", es_app_model(app, row->item)->dim);
    es_grid_text(l->grid, x + 6, y, dim, "out");
    es_grid_field(l->grid, x + 10, y, l->wide, 1, l->base, out);
    es_grid_text(l->grid, in_at, y, dim, "in");
    es_grid_field(l->grid, in_at + 3, y, l->wide, 1, l->base, in);
    if (app->tree.settled && isfinite(elsewhere) && 100 * elsewhere > 100 - SURE)
        es_grid_printf(l->grid, end - 8, y, l->selected ? l->base : ES_ROLE_WARNING, "⚠ %2.0f%%",
                       ceil(100 * elsewhere));
    else if (s->place > 0) {
        char place[24];
        (void)snprintf(place, sizeof place, "#%zu", s->place);
        es_grid_field(l->grid, end - 8, y, 5, 1, dim, place);
    }
    return x;
}

static void draw_line(const es_line_of_tree *l, const es_tree_row *row) {
    const es_app *app = l->app;
    const char *mark = mark_of(app, row);
    es_grid_fill(l->grid, l->at, l->base, ' ');
    if (l->selected)
        es_grid_text(l->grid, l->at.x, l->at.y, l->base, "❯");
    if (mark != NULL)
        es_grid_text(l->grid, l->at.x + 1, l->at.y, l->selected ? l->base : ES_ROLE_MARK, mark);
    int x = draw_rails(l, row), end;
    if (row->item != ES_NONE) {
        bool match = app->search[0] != '\0' && es_select_matches(app, app->search, row->item);
        es_role role = !match ? l->base : l->selected ? ES_ROLE_MATCH_CURRENT : ES_ROLE_MATCH;
        end = draw_item_numbers(l, row);
        if (row->depth == 1) { /* a community of one */
            char alone[48];
            es_tree_label(app, row->group, alone, sizeof alone);
            es_role own = l->selected ? l->base : es_draw_community(app, row->group);
            x += 1 + es_grid_text(l->grid, x + 2, l->at.y, own, alone) + 1;
        }
        es_grid_field(l->grid, x + 1, l->at.y, end - x - 2, -1, role, es_app_name(app, row->item));
        return;
    }
    end = draw_group_numbers(l, row);
    bool folded = row->group != ES_NONE && es_tree_folded(app, row->group);
    es_grid_text(l->grid, x, l->at.y, l->base, folded ? "▸" : "▾");
    if (row->group == ES_NONE) {
        es_grid_field(l->grid, x + 2, l->at.y, end - x - 3, -1,
                      l->selected ? l->base : ES_ROLE_TEXT_STRONG, "all");
        return;
    }
    char label[48];
    es_tree_label(app, row->group, label, sizeof label);
    int used = es_grid_text(l->grid, x + 2, l->at.y,
                            l->selected ? l->base : es_draw_community(app, row->group), label);
    es_grid_field(l->grid, x + 3 + used, l->at.y, end - x - used - 4, -1,
                  l->selected ? l->base : ES_ROLE_TEXT_STRONG, es_tree_name(app, row->group));
}

/* ---- The pane ---- */

/* What the figures mean, where there is room for it; then how many values tie nobody. */
static void draw_notes(const es_app *app, es_grid *grid, es_rect in, int y) {
    char idle[80];
    const es_communities *found = app->tree.found;
    size_t none = found != NULL ? found->negative + found->within : 0;
    static const char *const note[] = {"out, in: median IS to the others, from the others",
                                       "stable: share of 200 reseeded runs with the same group",
                                       "⚠ group: below 80%, do not report it without saying so",
                                       "⚠ embedder: share of runs that put it elsewhere"};
    int lines = app->tree.settled ? 4 : 1, end = in.y + in.h;
    for (int i = 0; i < lines && y + lines <= end; i++)
        es_grid_field(grid, in.x + 2, y + i, in.w - 3, -1, ES_ROLE_TEXT_DIM, note[i]);
    if (none == 0 || y + lines >= end)
        return;
    (void)snprintf(idle, sizeof idle, "%zu value%s within three errors of 0, or below: no edge%s",
                   none, none == 1 ? "" : "s", none == 1 ? "" : "s");
    es_grid_field(grid, in.x + 2, y + lines, in.w - 3, -1, ES_ROLE_TEXT_DIM, idle);
}

/* What the widest median takes: more than usual where one is below 0. */
static int median_width(const es_app *app) {
    enum { USUAL = 4 };
    int wide = USUAL;
    for (size_t i = 0; i < app->tree.rows; i++) {
        size_t item = app->tree.row[i].item;
        if (item == ES_NONE)
            continue;
        const double value[] = {app->live[item].published, app->live[item].simulated};
        for (size_t k = 0; k < 2; k++) {
            char text[16];
            number(value[k], 2, text, sizeof text);
            int own = es_text_width(text);
            wide = own > wide ? own : wide;
        }
    }
    return wide;
}

/* Where numbers end: at the right, but on a wide screen not far from the longest name. */
static int end_of_numbers(const es_app *app, es_rect in, int wide) {
    enum { LABEL = 8, LEAST = 80 };
    int most = LEAST;
    for (size_t i = 0; i < app->tree.rows; i++) {
        const es_tree_row *row = &app->tree.row[i];
        const char *name = row->item != ES_NONE    ? es_app_name(app, row->item)
                           : row->group != ES_NONE ? es_tree_name(app, row->group)
                                                   : "";
        int end = 2 * (int)row->depth + LABEL + es_name_width(name) + numbers_width(wide) + 2;
        most = end > most ? end : most;
    }
    return in.x + (most < in.w ? most : in.w) - 1;
}

static void draw_lines(const es_app *app, es_grid *grid, es_rect pane) {
    const es_tree *tree = &app->tree;
    char title[32], right[300], bottom[200];
    bool focused = app->focus[app->view] == ES_PANE_MAIN;
    es_tree_borders(app, pane.w >= 62, right, sizeof right, bottom, sizeof bottom);
    (void)snprintf(title, sizeof title, "Communities%s", pane.w >= 62 ? " (Louvain)" : "");
    es_filter_mark(app, grid, pane.w, title, right, sizeof right);
    es_rect in = es_grid_pane(grid, pane, focused, title, right, bottom);
    if (in.h < 1 || es_tree_missing(app, grid, in))
        return;
    es_rect old = es_grid_clip(grid, in);
    size_t at = es_tree_at(app), top = tree->top < tree->rows ? tree->top : 0;
    int y = 0, wide = median_width(app), end = end_of_numbers(app, in, wide);
    for (; y < in.h && top + (size_t)y < tree->rows; y++) {
        bool selected = top + (size_t)y == at;
        es_line_of_tree line = {
            app,
            grid,
            (es_rect){in.x, in.y + y, in.w, 1},
            end,
            wide,
            !selected ? ES_ROLE_TEXT : focused ? ES_ROLE_SELECTION : ES_ROLE_SELECTION_BLUR,
            selected};
        draw_line(&line, &tree->row[top + (size_t)y]);
        es_grid_click_area(grid, line.at, ES_CLICK_LINE, top + (size_t)y);
    }
    draw_notes(app, grid, in, in.y + y + 1);
    es_grid_set_clip(grid, old);
}

/* ---- The community under the cursor ---- */

static void draw_members(const es_app *app, es_pen *pen, size_t group) {
    const es_list *list = &app->list[ES_LIST_TREE];
    int x = 11, w = pen->rect.w;
    es_grid_text(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT_DIM, "members");
    for (size_t i = 0, lines = 1; i < list->count; i++) {
        if (!es_tree_holds(app, group, list->item[i]))
            continue;
        const char *name = es_app_name(app, list->item[i]);
        int width = es_text_width(name);
        if (x > 11 && x + width > w) {
            pen->y++;
            x = 11;
            if (++lines > 4) {
                es_grid_text(pen->grid, pen->rect.x + x, pen->y, ES_ROLE_TEXT_DIM, "…");
                break;
            }
        }
        width = width < w - x ? width : w - x;
        es_grid_field(pen->grid, pen->rect.x + x, pen->y, width, -1,
                      list->item[i] == app->cursor ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT, name);
        x += width + 2;
    }
    pen->y++;
}

static void draw_fact(es_pen *pen, const char *what, const char *name, const char *note) {
    int width = es_text_width(note), room = pen->rect.w - 11 - width - 2;
    es_grid_text(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT_DIM, what);
    int own = es_text_width(name) < room ? es_text_width(name) : room;
    es_grid_field(pen->grid, pen->rect.x + 11, pen->y, own, -1, ES_ROLE_TEXT_STRONG, name);
    es_grid_text(pen->grid, pen->rect.x + 11 + (own > 0 ? own + 2 : 0), pen->y, ES_ROLE_TEXT, note);
    pen->y++;
}

static void draw_facts(const es_app *app, es_pen *pen, size_t group) {
    const es_tree *tree = &app->tree;
    const es_community_facts *f = &tree->facts;
    const es_results *r = es_tree_results(app);
    char inside[16], to[16], from[16], note[96];
    if (!tree->have_facts)
        return;
    number(f->inside, 2, inside, sizeof inside);
    number(f->outgoing, 2, to, sizeof to);
    number(f->incoming, 2, from, sizeof from);
    es_grid_text(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT_DIM, "mean IS");
    es_grid_printf(pen->grid, pen->rect.x + 11, pen->y++, ES_ROLE_TEXT,
                   group == ES_NONE ? "inside %s" : "inside %s  to rest %s  from rest %s", inside,
                   to, from);
    bool several = group == ES_NONE || tree->found->list[group].size > 1;
    if (several && f->centre != SIZE_MAX) {
        (void)snprintf(note, sizeof note, "covers %.0f%% of the others", 100 * f->covers);
        draw_fact(pen, "centre", es_app_name(app, r->model[f->centre]), note);
    }
    if (several && f->cheapest == f->centre && f->cheapest != SIZE_MAX)
        draw_fact(pen, "cheapest", "", "no smaller one covers 95% of that");
    else if (several && f->cheapest != SIZE_MAX && r->dim != NULL) {
        (void)snprintf(note, sizeof note, "%zu d, covers %.0f%% (95%% of it)", r->dim[f->cheapest],
                       100 * f->cheapest_covers);
        draw_fact(pen, "cheapest", es_app_name(app, r->model[f->cheapest]), note);
    }
    if (tree->settled && group != ES_NONE && isfinite(tree->found->list[group].stability)) {
        double stability = 100 * tree->found->list[group].stability;
        es_grid_text(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT_DIM, "stable");
        es_grid_printf(pen->grid, pen->rect.x + 11, pen->y++,
                       stability < SURE ? ES_ROLE_WARNING : ES_ROLE_TEXT, "in %.0f%% of %d runs%s",
                       floor(stability), ES_LOUVAIN_RUNS,
                       stability >= SURE       ? ""
                       : pen->rect.w < 11 + 43 ? "  ⚠ say so"
                                               : "  ⚠ say so when reporting");
    }
}

static void draw_item(const es_app *app, es_pen *pen, size_t item) {
    const es_communities *found = app->tree.found;
    const es_live_rank *s = &app->live[item];
    char out[16], in[16], place[24] = "";
    number(s->published, 2, out, sizeof out);
    number(s->simulated, 2, in, sizeof in);
    if (s->place > 0)
        (void)snprintf(place, sizeof place, "  #%zu", s->place);
    es_pen_line(pen, ES_ROLE_TEXT_STRONG, "%s", es_app_name(app, item));
    es_grid_printf(pen->grid, pen->rect.x, pen->y, ES_ROLE_TEXT, "simulates others %s", out);
    es_grid_printf(pen->grid, pen->rect.x + 22, pen->y++, ES_ROLE_TEXT, "is simulated %s%s", in,
                   place);
    double elsewhere = found->elsewhere[app->position[item]];
    if (app->tree.settled && isfinite(elsewhere) && elsewhere > 0)
        es_pen_line(pen, 100 * elsewhere > 100 - SURE ? ES_ROLE_WARNING : ES_ROLE_TEXT,
                    "in another community in %.0f%% of runs", ceil(100 * elsewhere));
    es_pen_line(pen, ES_ROLE_TEXT, NULL);
}

/* Other communities, and the other parts of the one this is a part of, closest first. */
static void draw_closest(const es_app *app, es_pen *pen, size_t group) {
    const es_tree *tree = &app->tree;
    double span = app->limits[ES_METRIC_IS].high - app->limits[ES_METRIC_IS].low;
    int x = pen->rect.x, w = pen->rect.w;
    if (group == ES_NONE || tree->found->groups < 2 || !tree->have_facts)
        return;
    es_grid_text(pen->grid, x, pen->y, ES_ROLE_TEXT_DIM, "Closest communities");
    es_grid_text(pen->grid, x + w - 22, pen->y++, ES_ROLE_TEXT_DIM, "   to  from");
    for (size_t k = 0; k < tree->closests; k++) {
        const es_tree_near *near = &tree->closest[k];
        char label[48], a[16], b[16];
        es_tree_label(app, near->group, label, sizeof label);
        number(near->to, 2, a, sizeof a);
        number(near->from, 2, b, sizeof b);
        int at = es_grid_text(pen->grid, x + 1, pen->y, es_draw_community(app, near->group), label);
        es_grid_field(pen->grid, x + 2 + at, pen->y, w - at - 25, -1, ES_ROLE_TEXT,
                      es_tree_name(app, near->group));
        es_grid_field(pen->grid, x + w - 22, pen->y, 5, 1, ES_ROLE_TEXT, a);
        es_grid_field(pen->grid, x + w - 16, pen->y, 5, 1, ES_ROLE_TEXT, b);
        if (fabs(near->to - near->from) > 0.3 * span)
            es_grid_text(pen->grid, x + w - 10, pen->y, ES_ROLE_INFO, "asymmetric");
        pen->y++;
    }
}

/* ---- Between communities ---- */

static void draw_mean(es_grid *grid, es_rect r, const es_limits *limits, double value) {
    static const char ramp[] = "-~:;=+*#%@";
    static const uint32_t shade[] = {0x2591, 0x2592, 0x2593, 0x2588};
    char text[16];
    int step = es_limits_step(limits, value);
    if (!isfinite(value)) {
        es_grid_text(grid, r.x + r.w / 2, r.y + r.h - 1, ES_ROLE_CELL_PENDING, "·");
        return;
    }
    number(value, 2, text, sizeof text);
    if (r.h > 1)
        es_grid_fill(grid, (es_rect){r.x, r.y, r.w, 1}, ES_ROLE_TEXT,
                     grid->ascii ? (uint32_t)ramp[step * 10 / 256] : shade[step * 4 / 256]);
    es_grid_field(grid, r.x, r.y + r.h - 1, r.w, 0, ES_ROLE_TEXT, text);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            es_cell *cell = es_grid_at(grid, x, y);
            if (cell == NULL)
                continue;
            bool digits = y == r.y + r.h - 1; /* the back end finds what can be read */
            cell->fg = digits ? ES_PAINT_NONE : (es_paint)(ES_PAINT_HEAT + step);
            cell->bg = (es_paint)(ES_PAINT_HEAT + step);
        }
}

/* Returns how many of the communities there was room for. */
static size_t draw_between(const es_app *app, es_grid *grid, es_rect in) {
    const es_tree *tree = &app->tree;
    size_t groups = tree->found->groups;
    es_limits limits = {.low = (double)INFINITY, .high = -(double)INFINITY};
    for (size_t k = 0; k < groups * groups; k++) {
        limits.low = fmin(limits.low, tree->between[k]);
        limits.high = fmax(limits.high, tree->between[k]);
    }
    int label_w = 6, cell_w = 6;
    size_t fit = in.w > label_w ? (size_t)((in.w - label_w) / cell_w) : 0, high = 1;
    fit = fit < groups ? fit : groups;
    if (in.h >= 2 * (int)fit + 1)
        high = 2;
    else if (in.h - 1 < (int)fit)
        fit = in.h > 1 ? (size_t)in.h - 1 : 0;
    for (size_t a = 0; a < fit; a++) {
        char label[48];
        size_t row = tree->by_label[a];
        int y = in.y + 1 + (int)(a * high);
        es_tree_label(app, row, label, sizeof label);
        es_role role = es_draw_community(app, row);
        es_grid_field(grid, in.x + label_w + (int)a * cell_w, in.y, cell_w - 1, 0, role, label);
        es_grid_field(grid, in.x + 1, y + (int)high - 1, label_w - 2, -1, role, label);
        for (size_t b = 0; b < fit; b++)
            draw_mean(grid, (es_rect){in.x + label_w + (int)b * cell_w, y, cell_w - 1, (int)high},
                      &limits, tree->between[row * groups + tree->by_label[b]]);
    }
    return fit;
}

static void draw_between_pane(const es_app *app, es_grid *grid, es_rect pane) {
    const es_tree *tree = &app->tree;
    char bottom[96] = "";
    es_rect in = es_layout_inside(pane);
    if (tree->found != NULL && in.h > 2 && in.w > 12) {
        size_t fit = draw_between(app, grid, (es_rect){in.x, in.y, in.w, in.h});
        if (fit < tree->found->groups)
            (void)snprintf(bottom, sizeof bottom, "%zu of %zu communities have room", fit,
                           tree->found->groups);
    }
    (void)es_grid_pane(grid, pane, false, "Between communities", "mean IS, row → column", bottom);
}

static void draw_community(const es_app *app, es_grid *grid, es_rect pane, bool alone) {
    const es_tree *tree = &app->tree;
    bool focused = app->focus[app->view] == ES_PANE_SIDE;
    size_t at = es_tree_at(app);
    char title[200] = "Community", right[48] = "", label[48];
    if (tree->found == NULL || at == ES_NONE) {
        es_rect in = es_grid_pane(grid, pane, focused, title, NULL, NULL);
        es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h}, 0);
        es_pen_line(&pen, ES_ROLE_TEXT_DIM, "nothing to tell yet");
        es_pen_end(&pen);
        return;
    }
    const es_tree_row *row = &tree->row[at];
    size_t group = row->item != ES_NONE ? es_tree_group(app, row->item) : row->group;
    size_t size = group == ES_NONE ? tree->found->m : tree->found->list[group].size;
    if (group != ES_NONE) {
        es_tree_label(app, group, label, sizeof label);
        (void)snprintf(title, sizeof title, "Community %s %s", label, es_tree_name(app, group));
    } else
        (void)snprintf(title, sizeof title, "All communities");
    size_t shown = 0;
    for (size_t i = 0; i < app->list[ES_LIST_TREE].count; i++)
        shown += es_tree_holds(app, group, app->list[ES_LIST_TREE].item[i]);
    (void)snprintf(right, sizeof right, "%zu embedder%s", size, size == 1 ? "" : "s");
    if (shown < size)
        es_phrase_add(right, sizeof right, ", %zu not shown", size - shown);
    es_rect in = es_grid_pane(grid, pane, focused, title, right, NULL);
    es_pen pen = es_pen_begin(grid, (es_rect){in.x + 1, in.y, in.w - 2, in.h},
                              app->pane_top[ES_VIEW_TREE][ES_PANE_SIDE]);
    if (row->item != ES_NONE)
        draw_item(app, &pen, row->item);
    draw_members(app, &pen, group);
    draw_facts(app, &pen, group);
    es_pen_line(&pen, ES_ROLE_TEXT, NULL);
    draw_closest(app, &pen, group);
    if (alone && in.y + in.h - pen.y > 4)
        (void)draw_between(app, grid, (es_rect){in.x, pen.y + 1, in.w, in.y + in.h - pen.y - 1});
    es_pen_end(&pen);
    es_pen_tell_more(&pen, pane, focused);
}

static void draw(const es_app *app, es_grid *grid, const es_layout *layout) {
    const es_rect *pane = layout->pane;
    if (pane[ES_PANE_MAIN].w > 0 && app->set.graph)
        es_tree_draw_graph(app, grid, pane[ES_PANE_MAIN]);
    else if (pane[ES_PANE_MAIN].w > 0)
        draw_lines(app, grid, pane[ES_PANE_MAIN]);
    if (pane[ES_PANE_SIDE].w > 0)
        draw_community(app, grid, pane[ES_PANE_SIDE], pane[ES_PANE_EXTRA].w == 0);
    if (pane[ES_PANE_EXTRA].w > 0)
        draw_between_pane(app, grid, pane[ES_PANE_EXTRA]);
}

const es_view es_view_tree = {
    .brief = "Tree",
    .draw = draw,
};
