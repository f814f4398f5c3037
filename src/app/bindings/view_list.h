/* The views: their numbers, their names, and the letters that stand for them in commands.def. */
#ifndef ES_APP_VIEW_LIST_H
#define ES_APP_VIEW_LIST_H

#include <stddef.h>

typedef enum es_view_id {
    ES_VIEW_POOL,
    ES_VIEW_HEATMAP,
    ES_VIEW_TREE,
    ES_VIEW_RANK,
    ES_VIEW_CORR,
    ES_VIEW_COMPARE,
    ES_VIEW_JOBS,
    ES_VIEW_COUNT
} es_view_id;

extern const char *const es_view_words[ES_VIEW_COUNT + 1]; /* "heatmap", as typed; then NULL */
const char *es_view_name(es_view_id view);                 /* "Heatmap" */
/** "heatmap", as it is typed; "*" for ES_VIEW_COUNT, which stands for all. */
const char *es_view_word(es_view_id view);
es_view_id es_view_find(const char *word); /* ES_VIEW_COUNT: none */
char es_view_letter(es_view_id view);

#endif
