/* The views there are. To add one: a file view_<name>.c with its draw function, and a line here. */
#include "draw.h"

const es_view es_views[ES_VIEW_COUNT] = {
    [ES_VIEW_POOL] = {"Pool", "Pool", es_view_pool_draw},
    [ES_VIEW_HEATMAP] = {"Heatmap", "Heat", es_view_heatmap_draw},
    [ES_VIEW_TREE] = {"Tree", "Tree", es_view_tree_draw},
    [ES_VIEW_RANK] = {"Rank", "Rank", es_view_rank_draw},
    [ES_VIEW_COMPARE] = {"Compare", "Cmp", es_view_compare_draw},
    [ES_VIEW_CORR] = {"Corr", "Corr", es_view_corr_draw},
    [ES_VIEW_JOBS] = {"Jobs", "Jobs", es_view_jobs_draw},
};
