/* The views there are. To add one: a file view_NAME.c that defines an es_view, its name in view.h,
 * and a line here. */
#include "views.h"

const es_view *const es_views[ES_VIEW_COUNT] = {
    [ES_VIEW_POOL] = &es_view_pool,       [ES_VIEW_HEATMAP] = &es_view_heatmap,
    [ES_VIEW_TREE] = &es_view_tree,       [ES_VIEW_RANK] = &es_view_rank,
    [ES_VIEW_COMPARE] = &es_view_compare, [ES_VIEW_CORR] = &es_view_corr,
    [ES_VIEW_JOBS] = &es_view_jobs,
};
