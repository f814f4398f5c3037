/* Columns of the two tables, Pool and Rank. */
#ifndef ES_APP_COLUMNS_H
#define ES_APP_COLUMNS_H

#include "app_state.h"

typedef struct es_column {
    const char *title;
    int width;    /* natural; counts of a large pool take more */
    int priority; /* 0 stays longest */
    int align;
    bool numeric; /* first sort is descending */
    int decimals; /* of its numbers; below 0: text */
    const char *meaning;
} es_column;
size_t es_columns_count(const es_app *app, es_table_id table);
es_column es_columns_at(const es_app *app, es_table_id table, size_t column);
/** Which columns fit into `width` after the marks; widths into w (0: not shown). Returns how many
 *  are not shown for lack of room. */
size_t es_columns_fit(const es_app *app, es_table_id table, int width, int w[ES_APP_COLUMNS]);
void es_columns_text(const es_app *app, es_table_id table, size_t column, size_t item, char *out,
                     size_t capacity);
int es_columns_compare(const es_app *app, es_table_id table, size_t column, size_t a, size_t b);
/** Writes what a column means, in a few words. */
void es_columns_meaning(const es_app *app, es_table_id table, size_t column, char *out,
                        size_t capacity);
size_t es_columns_find(const es_app *app, es_table_id table, const char *name);

const char *es_model_reason(const es_model *model); /* without the file's name */
#endif
