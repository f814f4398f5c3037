/* The views: what each is called and which of the shared lists and tables it shows
 * (view_table.def). */
#ifndef ES_APP_VIEW_TABLE_H
#define ES_APP_VIEW_TABLE_H

#include <stddef.h>

typedef enum es_view_id {
#define V(id, ...) ES_VIEW_##id,
#include "view_table.def"
#undef V
    ES_VIEW_COUNT
} es_view_id;

typedef enum es_list_id {
    ES_LIST_POOL,
    ES_LIST_HEAT,
    ES_LIST_RANK,
    ES_LIST_TREE, /* the embedders of the tree; its lines are in tree.row */
    ES_LIST_COUNT
} es_list_id;
typedef enum es_table_id { ES_TABLE_POOL, ES_TABLE_RANK, ES_TABLE_COUNT } es_table_id;
/** What `embedscope export` can write. */
typedef enum es_export_view {
    ES_EXPORT_RANKING,
    ES_EXPORT_MATRIX,
    ES_EXPORT_TREE,
    ES_EXPORT_CORRELATION,
    ES_EXPORT_COMPARE,
    ES_EXPORT_RIVALS,
    ES_EXPORT_SETS,
    ES_EXPORT_MAP,
    ES_EXPORT_BY_TASK,
    ES_EXPORT_SERIES,
    ES_EXPORT_AGREEMENT,
    ES_EXPORT_PANELS,
    ES_EXPORT_MATRICES,
    ES_EXPORT_SWEEP,
    ES_EXPORT_LEADERBOARD, /* this and the next three: of a table of scores */
    ES_EXPORT_TASKS,
    ES_EXPORT_TASK_TREE,
    ES_EXPORT_VERSUS,
    ES_EXPORT_REPORT, /* `embedscope report`: all of it, on a page */
    ES_EXPORT_SHEET,  /* the sheet that is shown, by its own command */
    ES_EXPORT_VIEWS
} es_export_view;

typedef struct es_view_info {
    const char *name;
    es_list_id list;
    es_table_id table;
    es_export_view exports;
    char letter;
} es_view_info;

extern const es_view_info es_view_table[ES_VIEW_COUNT];
extern const char *const es_view_words[ES_VIEW_COUNT + 1]; /* the same words; then NULL */
/** The word; "*" for ES_VIEW_COUNT, which stands for all. */
const char *es_view_word(es_view_id view);
es_view_id es_view_find(const char *word); /* ES_VIEW_COUNT: none */

#endif
