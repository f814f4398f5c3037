/* What stands around the matrix: names, marks, communities and profiles of its rows and columns. */
#include "heatmap_panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"
#include "tui_draw.h"

enum { WIDE = 5 }; /* columns of a cell whose head is read across */

/* ---- Labels ---- */

static void draw_label(const es_heatmap_view *m, int x, int y, size_t item, bool cursor) {
    const es_app *app = m->app;
    bool match = app->search[0] != '\0' && es_select_matches(app, app->search, item);
    es_role role = cursor ? ES_ROLE_SELECTION : match ? ES_ROLE_MATCH : ES_ROLE_TEXT;
    if (cursor)
        es_grid_text(m->grid, x, y, ES_ROLE_CROSSHAIR, "❯");
    if (app->marked[item])
        es_grid_text(m->grid, x + 1, y, ES_ROLE_MARK, "●");
    es_grid_field(m->grid, x + 2 + m->g.tree_w, y, m->g.label_w - 2 - m->g.tree_w - m->g.bar_w, -1,
                  role, es_app_name(app, item));
}

static size_t group_at(const es_heatmap_view *m, size_t index) {
    index *= m->g.pool;
    return index < m->list->count ? es_tree_group(m->app, m->list->item[index]) : ES_NONE;
}

/* Ordered by community: its colour as a bar beside the rows and over the columns. */
static void draw_bars(const es_heatmap_view *m) {
    const es_app *app = m->app;
    int step = m->g.half ? 2 : 1, height = m->g.half ? 1 : m->g.cell_h;
    if (app->set.order != ES_ORDER_COMMUNITY || app->tree.found == NULL)
        return;
    for (size_t c = 0; c < m->columns; c++) {
        size_t group = group_at(m, app->left + c);
        for (int k = 0; group != ES_NONE && k < m->g.cell_w; k++)
            es_grid_text(m->grid, m->x + (int)c * m->g.cell_w + k, m->y - 1,
                         es_draw_community(app, group), m->grid->ascii ? "_" : "▂");
    }
    for (size_t r = 0; r < m->rows; r += (size_t)step) {
        size_t group = group_at(m, m->list->top + r);
        for (int k = 0; group != ES_NONE && k < height; k++)
            es_grid_text(m->grid, m->x - 1, m->y + (int)r / step * height + k,
                         es_draw_community(app, group), m->grid->ascii ? "|" : "▌");
    }
}

/* What a click means. In the overview a place stands for a block: for its first pair. */
static void note_spots(const es_heatmap_view *m, es_rect in) {
    size_t step = m->g.half ? 2 : 1, pool = m->g.pool, count = m->list->count;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        size_t at = (m->list->top + r) * pool;
        es_rect line = {in.x, m->y + (int)(r / step) * height, in.w, height};
        if (at < count)
            es_grid_click_area(m->grid, line, ES_CLICK_ITEM, m->list->item[at]);
        if (m->g.half && at + 1 < count)
            es_grid_click_area(m->grid, line, ES_CLICK_OTHER, m->list->item[at + 1]);
    }
    for (size_t c = 0; c < m->columns; c++) {
        size_t at = (m->app->left + c) * pool;
        es_rect column = {m->x + (int)c * m->g.cell_w, m->y, m->g.cell_w, in.y + in.h - m->y};
        if (at < count)
            es_grid_click_area(m->grid, column, ES_CLICK_TARGET, m->list->item[at]);
    }
}

static void draw_row_labels(const es_heatmap_view *m, int x) {
    const es_app *app = m->app;
    size_t step = m->g.half ? 2 : 1, pool = m->g.pool, top = m->list->top;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        size_t at = top + r;
        int y = m->y + (int)(r / step) * height + (height - 1) / 2;
        bool cursor = m->row_at != ES_NONE && m->row_at >= r && m->row_at < r + step;
        size_t item = cursor && app->cursor != ES_NONE ? app->cursor
                      : at * pool < m->list->count     ? m->list->item[at * pool]
                                                       : ES_NONE;
        if (item != ES_NONE)
            draw_label(m, x, y, item, cursor);
    }
}

/* Where a community begins, if its block has room for its number. */
static void draw_group_heads(const es_heatmap_view *m, int y) {
    const es_app *app = m->app;
    for (size_t c = 0; c < m->columns;) {
        size_t group = group_at(m, app->left + c), first = c;
        char label[16];
        while (c < m->columns && group_at(m, app->left + c) == group)
            c++;
        if (group == ES_NONE)
            continue;
        es_tree_label(app, group, label, sizeof label);
        if ((int)strlen(label) < (int)(c - first) * m->g.cell_w)
            es_grid_text(m->grid, m->x + (int)first * m->g.cell_w, y, es_draw_community(app, group),
                         label);
    }
}

/* The middle of a column. */
static int column_x(const es_heatmap_view *m, size_t c) {
    return m->x + (int)c * m->g.cell_w + (m->g.cell_w - 1) / 2;
}

static const char *head_name(const es_heatmap_view *m, size_t c) {
    return es_app_name(m->app, m->list->item[m->app->left + c]);
}

static es_role head_role(const es_heatmap_view *m, size_t c, es_role other) {
    return c == m->column_at ? ES_ROLE_SELECTION : other;
}

/* Names of wide columns, in lines as wide as the column. Returns true if the cursor's is whole. */
static bool draw_wrapped_heads(const es_heatmap_view *m, es_rect in) {
    es_rect r = {m->x, in.y, m->g.cell_w - 1, m->g.head_h - 1};
    for (size_t c = 0; c < m->columns; c++, r.x += m->g.cell_w)
        es_grid_wrapped(m->grid, r, head_role(m, c, ES_ROLE_TEXT), head_name(m, c));
    return m->column_at != ES_NONE && es_text_width(head_name(m, m->column_at)) <= r.w * r.h;
}

/* Names of narrow columns, one a line, each with a line down to its column: of all columns, or of
 * every second, third ... if there are fewer lines. Returns true if the cursor's is among them and
 * whole. */
static bool draw_stairs(const es_heatmap_view *m, es_rect in) {
    size_t lines = (size_t)m->g.head_h - 1, step = (m->columns + lines - 1) / lines;
    size_t first = (step - m->app->left % step) % step; /* scrolling does not change the names */
    size_t named = m->columns <= first ? 0 : (m->columns - first + step - 1) / step;
    int below = in.y + (int)lines, y = below - (int)named, end = in.x + in.w;
    bool whole = false;
    for (size_t c = first; c < m->columns; c += step, y++) {
        const char *name = head_name(m, c);
        int x = column_x(m, c), w = es_text_width(name);
        whole |= c == m->column_at && w <= end - x;
        es_grid_field(m->grid, x, y, w < end - x ? w : end - x, -1, head_role(m, c, ES_ROLE_TEXT),
                      name);
        for (int line = y + 1; line < below; line++)
            es_grid_text(m->grid, x, line, head_role(m, c, ES_ROLE_TEXT_DIM), "│");
    }
    return whole;
}

/* Above the matrix names, as many as have room; the cursor's is always whole, across the others.
 * In the line below marks and cursor. */
static void draw_heads(const es_heatmap_view *m, es_rect in) {
    const es_app *app = m->app;
    int y = in.y + m->g.head_h - 2, end = in.x + in.w;
    bool whole = false;
    if (m->g.pool == 1 && m->g.cell_w >= WIDE)
        whole = draw_wrapped_heads(m, in);
    else if (m->g.pool == 1 && m->g.head_h > 2)
        whole = draw_stairs(m, in);
    else if (app->set.order == ES_ORDER_COMMUNITY && app->tree.found != NULL)
        draw_group_heads(m, y);
    for (size_t c = 0; c < m->columns; c++) {
        size_t index = (app->left + c) * m->g.pool;
        int x = column_x(m, c);
        if (c == m->column_at)
            es_grid_text(m->grid, x, y + 1, ES_ROLE_CROSSHAIR, "▼");
        else if (index < m->list->count && app->marked[m->list->item[index]])
            es_grid_text(m->grid, x, y + 1, ES_ROLE_MARK, "●");
    }
    if (m->column_at == ES_NONE || app->column == ES_NONE || whole)
        return;
    const char *name = es_app_name(app, app->column);
    int width = es_text_width(name), x = column_x(m, m->column_at);
    x = x + width > end ? end - width : x;
    x = x < in.x + 3 ? in.x + 3 : x;
    es_grid_field(m->grid, x, y, width < end - x ? width : end - x, -1, ES_ROLE_SELECTION, name);
}

/* ---- Profiles ---- */

/* Mean of the known cells of a drawn row or column; NAN when none is known. */
static double mean_of(const es_heatmap_view *m, size_t index, bool row) {
    const es_app *app = m->app;
    double sum = 0;
    size_t known = 0;
    for (size_t i = index * m->g.pool; i < (index + 1) * m->g.pool && i < m->list->count; i++) {
        const es_summary_item *item = &app->summary.item[m->list->item[i]];
        bool source = row != app->set.transposed;
        sum += source ? item->as_source : item->as_target;
        known += source ? item->targets : item->sources;
    }
    return known == 0 ? (double)NAN : sum / (double)known;
}

static void draw_column_profile(const es_heatmap_view *m, int x, int y) {
    /* of a matrix that two estimators share, as its cells are marked */
    bool mixed = es_app_mixed(m->app);
    int room = m->g.label_w - 3;
    const char *what = room < 12 + 2 * mixed ? "means" : "column means";
    char text[24];
    (void)snprintf(text, sizeof text, "%s%s", what, mixed ? " ~" : "");
    es_grid_field(m->grid, x + 2, y, room, -1, ES_ROLE_TEXT_DIM, text);
    for (size_t c = 0; c < m->columns; c++) {
        double mean = mean_of(m, m->app->left + c, false);
        int step = es_limits_step(m->limits, mean);
        for (int k = 0; k < m->g.cell_w - (m->g.cell_w > 2); k++)
            if (isfinite(mean))
                es_draw_level(m->grid, m->x + (int)c * m->g.cell_w + k, y, ES_ROLE_SPARK, step);
    }
}

static void draw_row_profile(const es_heatmap_view *m, int x, int w) {
    size_t step = m->g.half ? 2 : 1;
    int height = m->g.half ? 1 : m->g.cell_h;
    for (size_t r = 0; r < m->rows; r += step) {
        double mean = mean_of(m, m->list->top + r, true);
        double other = step == 2 && m->list->top + r + 1 < m->g.total
                           ? mean_of(m, m->list->top + r + 1, true)
                           : mean;
        double both = isfinite(mean) && isfinite(other) ? (mean + other) / 2
                      : isfinite(mean)                  ? mean
                                                        : other;
        int y = m->y + (int)(r / step) * height + (height - 1) / 2;
        if (isfinite(both))
            es_draw_bar(m->grid, x, y, w, es_limits_step(m->limits, both) / 255.0, ES_ROLE_SPARK,
                        ES_ROLE_BACKGROUND);
        for (int i = 0; isfinite(both) && i < w; i++) { /* the empty part of a profile is blank */
            es_cell *cell = es_grid_at(m->grid, x + i, y);
            if (cell != NULL && cell->role == ES_ROLE_BACKGROUND)
                cell->code[0] = ' ';
        }
    }
}

static void heatmap_draw_dendrogram(const es_app *app, es_grid *grid, es_rect at,
                                    const es_screen_sizes *g);

void es_heatmap_draw_frame(const es_heatmap_view *m, es_rect in) {
    int lines = m->g.half ? (int)(m->rows + 1) / 2 : (int)m->rows * m->g.cell_h,
        right_end = m->x + (int)m->columns * m->g.cell_w;
    note_spots(m, in);
    draw_row_labels(m, in.x);
    if (m->g.tree_w > 0)
        heatmap_draw_dendrogram(m->app, m->grid, (es_rect){in.x + 2, m->y, m->g.tree_w, lines},
                                &m->g);
    draw_bars(m);
    draw_heads(m, in);
    if (m->y + lines + 4 <= in.y + in.h)
        draw_column_profile(m, in.x, m->y + lines);
    int spare = in.x + in.w - right_end - 2;
    if (spare >= 5)
        draw_row_profile(m, right_end + 1, spare < 8 ? spare : 8);
}

/* The dendrogram beside the labels of the matrix: branches to the left, one leaf before each name.
 */

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

typedef struct es_branch {
    int x, y;   /* where the cluster's line to its parent begins; x == w: a leaf */
    int height; /* merges on the longest way to a leaf */
    bool shown;
} es_branch;

typedef struct es_branch_lines {
    uint8_t *mark; /* (h, w) directions that lines go from each cell */
    int w, h;
} es_branch_lines;

static void mark(es_branch_lines *sketch, int x, int y, uint8_t directions) {
    if (x >= 0 && x < sketch->w && y >= 0 && y < sketch->h)
        sketch->mark[y * sketch->w + x] |= directions;
}

/* From a cluster's own end to the column of the merge that takes it in. */
static void draw_arm(es_branch_lines *sketch, int from, const es_branch *to) {
    mark(sketch, from, to->y, RIGHT);
    for (int x = from + 1; x < to->x; x++)
        mark(sketch, x, to->y, LEFT | RIGHT);
    mark(sketch, to->x, to->y, from < to->x ? LEFT : 0);
}

/* A merge stands one column left of those it is made of if there is room: heights themselves would
 * put most of them into the same few columns. */
static es_branch merge(es_branch_lines *sketch, const es_branch *a, const es_branch *b,
                       int tallest) {
    const es_branch *first = a->y < b->y ? a : b, *second = a->y < b->y ? b : a;
    if (!a->shown || !b->shown) /* the rest of it is hidden */
        return a->shown ? *a : *b;
    es_branch node = {.y = first->y + (second->y - first->y) / 2,
                      .height = 1 + (a->height > b->height ? a->height : b->height),
                      .shown = true};
    node.x =
        sketch->w - 1 - (tallest > 1 ? (node.height - 1) * (sketch->w - 1) / (tallest - 1) : 0);
    draw_arm(sketch, node.x, first);
    draw_arm(sketch, node.x, second);
    for (int y = first->y < 0 ? 0 : first->y; y <= second->y && y < sketch->h; y++)
        mark(sketch, node.x, y, (uint8_t)((y > first->y ? UP : 0) | (y < second->y ? DOWN : 0)));
    return node;
}

/* Returns the line that goes up (1), down (2), left (4) and right (8). */
static const char *line_glyph(unsigned directions) {
    static const char *const glyphs[] = {" ", "╵", "╷", "│", "╴", "╯", "╮", "┤",
                                         "╶", "╰", "╭", "├", "─", "┴", "┬", "┼"};
    return glyphs[directions & 15];
}

/* True if the list is in the order of the leaves; a held or frozen one may not be. */
static bool in_order(const es_app *app, const es_list *list) {
    for (size_t i = 1; i < list->count; i++)
        if (app->tree.leaf[list->item[i]] < app->tree.leaf[list->item[i - 1]])
            return false;
    return true;
}

/* node: (2 m) with the leaves in place. Drawn at the second round, when the tallest is known. */
static void draw(const es_linkage *linkage, es_branch *node, es_branch_lines *sketch) {
    int tallest = 1;
    for (int round = 0; round < 2; round++) {
        size_t m = linkage->m;
        for (size_t k = 0; k + 1 < m; k++)
            node[m + k] =
                merge(sketch, &node[linkage->merge[k].a], &node[linkage->merge[k].b], tallest);
        tallest = node[2 * m - 2].height;
        if (round == 0)
            memset(sketch->mark, 0, (size_t)sketch->w * (size_t)sketch->h);
    }
}

static void heatmap_draw_dendrogram(const es_app *app, es_grid *grid, es_rect at,
                                    const es_screen_sizes *g) {
    const es_linkage *linkage = app->tree.linkage;
    const es_list *list = &app->list[ES_LIST_HEAT];
    if (linkage == NULL || linkage->m < 2 || at.w < 2 || at.h < 1 || !in_order(app, list))
        return;
    es_branch_lines sketch = {es_alloc_zero((size_t)at.w * (size_t)at.h, 1), at.w, at.h};
    es_branch *node = es_alloc_zero(2 * linkage->m, sizeof *node);
    for (size_t i = 0; node != NULL && sketch.mark != NULL && i < list->count; i++) {
        size_t position = app->position[list->item[i]];
        int row = (int)(i / g->pool) - (int)list->top;
        int y = g->half ? (row - (row < 0)) / 2 : row * g->cell_h + (g->cell_h - 1) / 2;
        if (position < linkage->m)
            node[position] = (es_branch){at.w, y, 0, true};
    }
    if (node != NULL && sketch.mark != NULL) {
        draw(linkage, node, &sketch);
        for (int y = 0; y < at.h; y++)
            for (int x = 0; x < at.w; x++)
                if (sketch.mark[y * at.w + x] != 0)
                    es_grid_text(grid, at.x + x, at.y + y, ES_ROLE_TEXT_DIM,
                                 line_glyph(sketch.mark[y * at.w + x]));
    }
    es_free(sketch.mark);
    es_free(node);
}
