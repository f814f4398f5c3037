/* The table of views, made from view_table.def. */
#include "tui_screen.h"

const es_view *const es_views[ES_VIEW_COUNT] = {
#define V(id, letter, name, word, ...) [ES_VIEW_##id] = &es_view_##word,
#include "view_table.def"
#undef V
};
