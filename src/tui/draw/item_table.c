/* A table of items, for Pool and Rank: titles with the order, the rows that fit, and a bottom
 * border that says what is not shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "facts.h"
#include "filter.h"
#include "select.h"

#include "item_table.h"

static void draw_titles(const es_app *app, es_grid *grid, es_rect in, es_table_id table,
                        const int *w) {
    const es_table_settings *set = &app->set.table[table];
    int x = in.x + 3;
    es_grid_fill(grid, (es_rect){in.x, in.y, in.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    for (size_t c = 0; c < es_columns_count(app, table); c++) {
        char text[96];
        es_column column = es_columns_at(app, table, c);
        if (w[c] == 0)
            continue;
        const char *title = strcmp(column.title, "Δ") == 0 && grid->ascii ? "chg" : column.title;
        const char *arrow = set->sort != c ? "" : set->descending ? " ▼" : " ▲";
        (void)snprintf(text, sizeof text, "%s%s", title, arrow);
        if (es_grid_width(grid, text) > w[c]) /* the arrow stays, the title gives way */
            (void)snprintf(text, sizeof text, "%.*s%s", w[c] > 2 ? w[c] - 2 : 0, title, arrow);
        es_role role = set->sort == c ? ES_ROLE_COLUMN_SORTED : ES_ROLE_COLUMN_HEADER;
        if (set->column == c && app->focus[app->view] == ES_PANE_MAIN)
            role = ES_ROLE_SELECTION_BLUR;
        es_grid_field(grid, x, in.y, w[c], column.align, role, text);
        x += w[c] + 1;
    }
}

static void draw_row(const es_app *app, es_grid *grid, es_rect row, es_table_id table, const int *w,
                     size_t item, es_cell_drawer cell) {
    bool selected = item == app->cursor, focused = app->focus[app->view] == ES_PANE_MAIN;
    bool match = app->search[0] != '\0' && es_select_matches(app, app->search, item);
    size_t name = table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME;
    es_role base = !selected ? ES_ROLE_TEXT : focused ? ES_ROLE_SELECTION : ES_ROLE_SELECTION_BLUR;
    int x = row.x + 3;
    es_grid_fill(grid, row, base, ' ');
    es_grid_spot(grid, row, ES_SPOT_ITEM, item);
    if (selected)
        es_grid_text(grid, row.x, row.y, base, "❯");
    if (app->marked[item])
        es_grid_text(grid, row.x + 1, row.y, selected ? base : ES_ROLE_MARK, "●");
    for (size_t c = 0; c < es_columns_count(app, table); c++) {
        char text[600];
        if (w[c] == 0)
            continue;
        es_rect at = {x, row.y, w[c], 1};
        es_role role =
            c == name && match ? (selected ? ES_ROLE_MATCH_CURRENT : ES_ROLE_MATCH) : base;
        if (cell == NULL || !cell(app, grid, at, c, item, base)) {
            es_columns_text(app, table, c, item, text, sizeof text);
            es_grid_field(grid, x, row.y, w[c], es_columns_at(app, table, c).align, role, text);
        }
        x += w[c] + 1;
    }
}

/* How sure the ranking is, and where it begins to mean something. */
static void ranking_text(const es_app *app, bool letters, char *out, size_t capacity) {
    const es_intervals *sure = app->intervals.known;
    double low = 0, high = 0;
    size_t used = 0;
    if (app->results == NULL)
        return;
    size_t same = app->cursor == ES_NONE ? ES_NONE : es_app_model(app, app->cursor)->duplicate_of;
    if (same < app->n)
        used = (size_t)snprintf(out, capacity, " · same contents as %.40s",
                                es_app_model(app, same)->name);
    if (es_results_null_range(app->results, &low, &high) > 0)
        used += (size_t)snprintf(out + used, capacity - used, " · zero line %.3f…%.3f",
                                 fabs(low) < 0.0005 ? 0 : low, fabs(high) < 0.0005 ? 0 : high);
    if (sure != NULL && sure->too_few)
        (void)snprintf(out + used, capacity - used, " · too few embedders for tie groups");
    else if (sure != NULL && letters)
        (void)snprintf(out + used, capacity - used, " · same letter: not separable");
}

/* What the bottom border says: where we are, and everything that is not shown. */
static void bottom_text(const es_app *app, es_table_id table, size_t at, size_t dropped,
                        bool letters, char *out, size_t capacity) {
    const es_list *list = &app->list[es_list_of_view(app->view)];
    size_t hidden = 0, items = es_select_hidden(app), used = 0;
    for (size_t c = 0; c < es_columns_count(app, table); c++)
        hidden += app->set.table[table].hidden[c];
    used += (size_t)snprintf(out, capacity, "%zu/%zu", at, list->count);
    if (items > 0)
        used += (size_t)snprintf(out + used, capacity - used, " · %zu hidden (gx)", items);
    if (hidden > 0)
        used += (size_t)snprintf(out + used, capacity - used, " · %zu column%s hidden (+)", hidden,
                                 hidden == 1 ? "" : "s");
    if (dropped > 0)
        used += (size_t)snprintf(out + used, capacity - used, " · %zu more column%s", dropped,
                                 dropped == 1 ? "" : "s");
    if (table == ES_TABLE_RANK)
        ranking_text(app, letters, out + used, capacity - used);
}

void es_draw_table(const es_app *app, es_grid *grid, es_rect pane, es_table_id table,
                   const char *title, const char *right, es_cell_drawer cell) {
    es_list_id id = es_list_of_view(app->view);
    const es_list *list = &app->list[id];
    es_rect in = es_layout_inside(pane);
    int w[ES_APP_COLUMNS];
    size_t at = es_select_index(app, id, app->cursor),
           dropped = es_columns_fit(app, table, in.w, w);
    char bottom[300];
    bottom_text(app, table, at == ES_NONE ? 0 : at + 1, dropped,
                table == ES_TABLE_RANK && w[ES_RANK_TIE] > 0, bottom, sizeof bottom);
    in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_MAIN, title, right, bottom);
    if (in.h < 1)
        return;
    es_rect old = es_grid_clip(grid, in);
    for (size_t c = 0, x = 3; c < es_columns_count(app, table); c++) {
        if (w[c] > 0)
            es_grid_spot(grid, (es_rect){in.x + (int)x, in.y, w[c] + 1, in.h}, ES_SPOT_COLUMN, c);
        x += w[c] > 0 ? (size_t)w[c] + 1 : 0;
    }
    draw_titles(app, grid, in, table, w);
    for (int y = 1; y < in.h && list->top + (size_t)y - 1 < list->count; y++)
        draw_row(app, grid, (es_rect){in.x, in.y + y, in.w, 1}, table, w,
                 list->item[list->top + (size_t)y - 1], cell);
    es_grid_set_clip(grid, old);
}
