/* The dendrogram beside the labels of the matrix: branches to the left, one leaf before each name.
 */
#include <string.h>

#include "heatmap_panes.h"

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

void es_heatmap_draw_dendrogram(const es_app *app, es_grid *grid, es_rect at,
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
