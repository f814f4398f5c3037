/* Lists of embedders: columns, filter, order, selection. */
#ifndef ES_APP_LISTS_H
#define ES_APP_LISTS_H

#include "app_state.h"

/* Columns of the two tables, Pool and Rank. */

typedef struct es_column {
    const char *key; /* of its own, for what lasts: titles change with what is known; of scores the
                      * beginning, before the title */
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

/* The filter language, and what a search matches. */

/** True if the item passes the filter. A filter that cannot be read passes everything and fills
 * error. */
bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity);
/** True if the filter is well formed. Else error says why not. */
bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity);
/** True if `part` is in the text; exact: in the same case. */
bool es_text_contains(const char *text, const char *part, bool exact);
/** The same: its case counts if it has a capital. */
bool es_text_holds(const char *text, const char *part);
/** True if the filter names a community (c:C1) and communities are not known yet, so that no item
 * passes. */
bool es_filter_of_communities(const es_app *app);
bool es_filter_awaits(const es_app *app);
bool es_select_matches(const es_app *app, const char *text, size_t item); /* search */

/* Taking up what the source says. */

void es_app_read(es_app *app); /* after every change of the source */
/** Takes up that the score to rank by was changed, by a command or by u. */
void es_app_rerank(es_app *app);
/** Colours of a measure whose values come in, when it is time. */
void es_app_fit_measure(es_app *app);
void es_app_choose_digits(es_app *app); /* of the columns of scores */
#define ES_APP_FIT_PAUSE 0.25           /* seconds between two fits of a measure's colours */

/* Which items a list shows, in which order, and where the cursor is. */

/** Goes to another view, with the cursor on something that it shows. */
void es_go(es_app *app, es_view_id view);
/** Put the lists in order. `now`: also when the order is held (the user asked for it). */
void es_select_refresh(es_app *app, bool now);
size_t es_select_index(const es_app *app, es_list_id list, size_t item); /* ES_NONE: not shown */
void es_select_cursor(es_app *app, size_t item);                         /* and scroll to it */
void es_select_scroll(es_app *app); /* keep cursors inside their panes */
/** Scrolls a list so that the line `at`, or ES_NONE, is on its page. */
void es_scroll_to(size_t *top, size_t at, size_t page, size_t count);
size_t es_select_changes(const es_app *app); /* places changed since the order was frozen */
void es_select_freeze(es_app *app, bool frozen);
size_t es_select_hidden(const es_app *app);
/** True if a list holds this embedder unless it is hidden or filtered out. */
bool es_select_belongs(const es_app *app, es_list_id list, size_t item);
bool es_select_in_matrix(const es_app *app, size_t item);

#endif
