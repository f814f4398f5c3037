/* The table of views, made from view_list.def. */
#include "views.h"

const es_view *const es_views[ES_VIEW_COUNT] = {
#define VIEW(ID, name) [ES_VIEW_##ID] = &es_view_##name,
#include "view_list.def"
#undef VIEW
};
