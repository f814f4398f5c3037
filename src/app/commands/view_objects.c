/* The table of what views do otherwise than the others. Whatever asks, below as above, finds it
 * through es_app, which es_app_new tells of it. */
#include "app_commands.h"

const es_view_ops *const es_view_objects[ES_VIEW_COUNT] = {
    [ES_VIEW_OVERVIEW] = &es_view_ops_overview, [ES_VIEW_HEATMAP] = &es_view_ops_heatmap,
    [ES_VIEW_TREE] = &es_view_ops_tree,         [ES_VIEW_RANK] = &es_view_ops_rank,
    [ES_VIEW_CORR] = &es_view_ops_corr,         [ES_VIEW_COMPARE] = &es_view_ops_compare,
    [ES_VIEW_JOBS] = &es_view_ops_jobs,         [ES_VIEW_SHEETS] = &es_view_ops_sheets,
};
