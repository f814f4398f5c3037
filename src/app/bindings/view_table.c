/* The list of views: whatever names, numbers or types one reads it here. */
#include "app_bindings.h"

const es_view_info es_view_table[ES_VIEW_COUNT] = {
#define V(id, letter, name, word, command, keys, help, list, table, exports)                       \
    [ES_VIEW_##id] = {name, ES_LIST_##list, ES_TABLE_##table, ES_EXPORT_##exports, letter},
#include "view_table.def"
#undef V
};
const char *const es_view_words[ES_VIEW_COUNT + 1] = {
#define V(id, letter, name, word, ...) [ES_VIEW_##id] = #word,
#include "view_table.def"
#undef V
};

const char *es_view_word(es_view_id view) {
    return view == ES_VIEW_COUNT ? "*" : es_view_words[view];
}

es_view_id es_view_find(const char *word) {
    size_t view = es_text_index(es_view_words, ES_VIEW_COUNT, word);
    return view < ES_VIEW_COUNT ? (es_view_id)view : ES_VIEW_COUNT;
}
