/* A table of items, for Pool and Rank: titles with the order, the rows that fit, and a bottom
 * border that says what is not shown. */
#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

#include "tui_panes.h"
#include "tui_draw.h"

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
        const char *title = column.title;
        bool sorted = set->sort == c && !(table == ES_TABLE_RANK && c == ES_RANK_SCORE &&
                                          !es_ranked_some(app)); /* then it is by name */
        const char *arrow = !sorted ? "" : set->descending ? " ▼" : " ▲";
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

static void draw_row(const es_app *app, es_grid *grid, es_rect row, const es_item_table *table,
                     const int *w, size_t item) {
    bool selected = item == app->cursor, focused = app->focus[app->view] == ES_PANE_MAIN;
    bool match = app->search[0] != '\0' && es_select_matches(app, app->search, item);
    es_role base = !selected ? ES_ROLE_TEXT : focused ? ES_ROLE_SELECTION : ES_ROLE_SELECTION_BLUR;
    int x = row.x + 3;
    es_grid_fill(grid, row, base, ' ');
    es_grid_click_area(grid, row, ES_CLICK_ITEM, item);
    if (selected)
        es_grid_text(grid, row.x, row.y, base, "❯");
    if (app->marked[item])
        es_grid_text(grid, row.x + 1, row.y, selected ? base : ES_ROLE_MARK, "●");
    if (table->band != NULL && table->band(app, item))
        es_grid_text(grid, row.x + 2, row.y, selected ? base : ES_ROLE_BEST,
                     grid->ascii ? "|" : "▌");
    for (size_t c = 0; c < es_columns_count(app, table->id); c++) {
        char text[600];
        if (w[c] == 0)
            continue;
        es_rect at = {x, row.y, w[c], 1};
        es_role role =
            c == table->name && match ? (selected ? ES_ROLE_MATCH_CURRENT : ES_ROLE_MATCH) : base;
        if (!table->cell(app, grid, at, c, item, base)) {
            es_columns_text(app, table->id, c, item, text, sizeof text);
            es_grid_field(grid, x, row.y, w[c], es_columns_at(app, table->id, c).align, role, text);
        }
        x += w[c] + 1;
    }
}

/* What the column under the cursor says, once it was moved from the name and the score. */
static void put_column(const es_app *app, const es_item_table *table, const int *w, char *out,
                       size_t capacity) {
    size_t column = app->set.table[table->id].column;
    char text[200];
    out[0] = '\0';
    if (column >= es_columns_count(app, table->id) || w[column] == 0 || column == table->name ||
        (table->id == ES_TABLE_RANK && column == ES_RANK_SCORE))
        return;
    es_columns_meaning(app, table->id, column, text, sizeof text);
    const char *title = es_columns_at(app, table->id, column).title;
    (void)snprintf(out, capacity, "%s%s%.150s · ", title, title[0] == '\0' ? "" : ": ", text);
}

/* What the bottom border says: where we are, and everything that is not shown. */
static void bottom_text(const es_app *app, const es_item_table *table, size_t at, size_t dropped,
                        const int *w, char *out, size_t capacity) {
    const es_list *list = &app->list[es_view_table[app->view].list];
    size_t hidden = 0, items = es_select_hidden(app);
    for (size_t c = 0; c < es_columns_count(app, table->id); c++)
        hidden += app->set.table[table->id].hidden[c];
    (void)snprintf(out, capacity, "%zu/%zu", at, list->count);
    if (items > 0)
        es_phrase_add(out, capacity, " · %zu hidden (gx)", items);
    if (hidden > 0)
        es_phrase_add(out, capacity, " · %zu column%s hidden (+)", hidden, hidden == 1 ? "" : "s");
    if (dropped > 0)
        es_phrase_add(out, capacity, " · %zu more column%s", dropped, dropped == 1 ? "" : "s");
    if (table->bottom != NULL)
        table->bottom(app, w, out, capacity);
}

void es_item_table_draw(const es_app *app, es_grid *grid, es_rect pane, const es_item_table *table,
                        const char *title, const char *right) {
    es_list_id id = es_view_table[app->view].list;
    const es_list *list = &app->list[id];
    es_rect in = es_layout_inside(pane);
    int w[ES_APP_COLUMNS];
    size_t at = es_select_index(app, id, app->cursor),
           dropped = es_columns_fit(app, table->id, in.w, w);
    char bottom[520], rest[300], column[200];
    put_column(app, table, w, column, sizeof column);
    bottom_text(app, table, at == ES_NONE ? 0 : at + 1, dropped, w, rest, sizeof rest);
    bool room = es_grid_width(grid, rest) + es_grid_width(grid, column) + 6 <= pane.w;
    (void)snprintf(bottom, sizeof bottom, "%s%s", room ? column : "", rest);
    in = es_grid_pane(grid, pane, app->focus[app->view] == ES_PANE_MAIN, title, right, bottom);
    if (in.h < 1)
        return;
    es_rect old = es_grid_clip(grid, in);
    for (size_t c = 0, x = 3; c < es_columns_count(app, table->id); c++) {
        if (w[c] > 0)
            es_grid_click_area(grid, (es_rect){in.x + (int)x, in.y, w[c] + 1, in.h},
                               ES_CLICK_COLUMN, c);
        x += w[c] > 0 ? (size_t)w[c] + 1 : 0;
    }
    draw_titles(app, grid, in, table->id, w);
    for (int y = 1; y < in.h && list->top + (size_t)y - 1 < list->count; y++)
        draw_row(app, grid, (es_rect){in.x, in.y + y, in.w, 1}, table, w,
                 list->item[list->top + (size_t)y - 1]);
    es_grid_set_clip(grid, old);
}

es_rect es_item_table_blank(const es_app *app, es_rect in) {
    const es_list *list = &app->list[es_view_table[app->view].list];
    size_t below = list->count - (list->top < list->count ? list->top : list->count);
    int used = 1 + (below < (size_t)in.h ? (int)below : in.h);
    return (es_rect){in.x, in.y + used, in.w, in.h > used ? in.h - used : 0};
}

int es_item_table_meanings(const es_app *app, es_grid *grid, es_rect blank,
                           const es_item_table *table, const int *w) {
    enum { TITLES = 9 };
    int y = 1; /* a blank line below the table */
    for (int width = 1; width < TITLES; width++)
        for (size_t c = 0; c < es_columns_count(app, table->id) && y < blank.h; c++) {
            es_column column = es_columns_at(app, table->id, c);
            const char *title = column.title;
            char text[200];
            if (w[c] == 0 || c == table->name || es_grid_width(grid, title) != width ||
                (table->id == ES_TABLE_RANK &&
                 (c == ES_RANK_PLACE || c == ES_RANK_DIM || c >= ES_RANK_SCORES)))
                continue; /* what says itself */
            es_columns_meaning(app, table->id, c, text, sizeof text);
            es_grid_text(grid, blank.x + 3, blank.y + y, ES_ROLE_COLUMN_HEADER, title);
            es_draw_sentence(grid, blank.x + 3 + TITLES, blank.y + y++, blank.w - 4 - TITLES,
                             ES_ROLE_TEXT_DIM, text);
        }
    return y > 1 ? y : 0;
}

static bool is_picture(const es_item_table *table, size_t column) {
    for (size_t i = 0; i < table->n_pictures; i++)
        if (table->pictures[i] == column)
            return true;
    return false;
}

void es_item_table_words(const es_app *app, const es_item_table *table, size_t item, char *out,
                         size_t capacity) {
    const es_table_settings *set = &app->set.table[table->id];
    (void)snprintf(out, capacity, "%s", es_app_name(app, item));
    for (size_t c = 0; c < es_columns_count(app, table->id); c++) {
        char text[600];
        if (c == table->name || is_picture(table, c) || set->hidden[c])
            continue;
        es_columns_text(app, table->id, c, item, text, sizeof text);
        const char *value = text + strspn(text, " ");
        if (*value && strcmp(value, "-") != 0 && strcmp(value, "·") != 0) /* known */
            es_phrase_add(out, capacity, ", %s %s", es_columns_at(app, table->id, c).title, value);
    }
}
