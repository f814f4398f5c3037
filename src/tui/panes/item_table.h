/* A table of embedders: Pool and Rank. */
#ifndef ES_TUI_ITEM_TABLE_H
#define ES_TUI_ITEM_TABLE_H

#include "app_state.h"
#include "grid.h"

typedef struct es_item_table {
    es_table_id id;
    size_t name;            /* the column of the embedder's name */
    const size_t *pictures; /* columns that say nothing in words, or nothing new */
    size_t n_pictures;
    /** Draws what is not plain text, and returns true if it did. */
    bool (*cell)(const es_app *app, es_grid *grid, es_rect at, size_t column, size_t item,
                 es_role role);
    /** Is the row in the band at the left? NULL: there is none. */
    bool (*band)(const es_app *app, size_t item);
    /** Adds to the bottom border what the table means; NULL: nothing. w: the columns' widths, 0
     * where there is no room for one. */
    void (*bottom)(const es_app *app, const int *w, char *out, size_t capacity);
} es_item_table;

void es_item_table_draw(const es_app *app, es_grid *grid, es_rect pane, const es_item_table *table,
                        const char *title, const char *right);
/** Lines in `in` that no embedder takes. */
es_rect es_item_table_blank(const es_app *app, es_rect in);
/** What the shown columns say, a line each, as far as there is room, those with the shortest titles
 *  first. Returns the lines. */
int es_item_table_meanings(const es_app *app, es_grid *grid, es_rect blank,
                           const es_item_table *table, const int *w);
/** "e5-large, dim 1024, IS/d 0.412": what a row says, column by column; what is not known is left
 *  out. */
void es_item_table_words(const es_app *app, const es_item_table *table, size_t item, char *out,
                         size_t capacity);

#endif
