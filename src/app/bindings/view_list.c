/* The list of views, one row each: whatever names, numbers or types one reads it here. */
#include "view_list.h"

#include <string.h>

const char *const es_view_words[ES_VIEW_COUNT + 1] = {
    [ES_VIEW_POOL] = "pool", [ES_VIEW_HEATMAP] = "heatmap", [ES_VIEW_TREE] = "tree",
    [ES_VIEW_RANK] = "rank", [ES_VIEW_CORR] = "corr",       [ES_VIEW_COMPARE] = "compare",
    [ES_VIEW_JOBS] = "jobs",
};
static const struct {
    char letter;
    const char *name;
} views[ES_VIEW_COUNT] = {
    [ES_VIEW_POOL] = {'P', "Pool"}, [ES_VIEW_HEATMAP] = {'H', "Heatmap"},
    [ES_VIEW_TREE] = {'T', "Tree"}, [ES_VIEW_RANK] = {'R', "Rank"},
    [ES_VIEW_CORR] = {'C', "Corr"}, [ES_VIEW_COMPARE] = {'D', "Compare"},
    [ES_VIEW_JOBS] = {'J', "Jobs"},
};

const char *es_view_name(es_view_id view) {
    return views[view].name;
}

const char *es_view_word(es_view_id view) {
    return view == ES_VIEW_COUNT ? "*" : es_view_words[view];
}

char es_view_letter(es_view_id view) {
    return views[view].letter;
}

es_view_id es_view_find(const char *word) {
    int v = 0;
    while (v < ES_VIEW_COUNT && strcmp(es_view_words[v], word) != 0)
        v++;
    return (es_view_id)v;
}
