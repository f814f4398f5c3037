/* Lines of a dendrogram: every merge is a bracket from its two parts to its height. */
#include "canvas.h"

#include <math.h>

/* Where a cluster's line begins: along the leaves, and away from them. */
typedef struct joint {
    double along, away;
} joint;

double es_branch_height(const es_linkage *tree) {
    double highest = 0;
    for (size_t k = 0; k + 1 < tree->m; k++)
        highest = fmax(highest, tree->merge[k].height);
    return highest;
}

/* Draws a line between two joints of a dendrogram on this side of the matrix. */
static void put_branch(const es_canvas *c, es_branch_side side, double x, double y, joint from,
                       joint to) {
    switch (side) {
    case ES_BRANCH_LEFT:
        es_put_line(c, x - from.away, y + from.along, x - to.away, y + to.along, ES_LINE_THIN);
        break;
    case ES_BRANCH_ABOVE:
        es_put_line(c, x + from.along, y - from.away, x + to.along, y - to.away, ES_LINE_THIN);
        break;
    case ES_BRANCH_RIGHT:
        es_put_line(c, x + from.away, y + from.along, x + to.away, y + to.along, ES_LINE_THIN);
        break;
    }
}

es_status es_put_branches(const es_canvas *c, const es_linkage *tree, double pitch, double length,
                          es_branch_side side, double x, double y, es_error *err) {
    double highest = es_branch_height(tree), scale = highest > 0 ? length / highest : 0;
    if (tree->m < 2)
        return ES_OK;
    joint *at = es_alloc(2 * tree->m, sizeof *at);
    if (at == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < tree->m; i++)
        at[tree->order[i]] = (joint){pitch * ((double)i + 0.5), 0};
    for (size_t k = 0; k + 1 < tree->m; k++) {
        const es_merge *merge = &tree->merge[k];
        joint a = at[merge->a], b = at[merge->b];
        double away = scale * fmax(merge->height, 0);
        put_branch(c, side, x, y, a, (joint){a.along, away});
        put_branch(c, side, x, y, b, (joint){b.along, away});
        put_branch(c, side, x, y, (joint){a.along, away}, (joint){b.along, away});
        at[tree->m + k] = (joint){(a.along + b.along) / 2, away};
    }
    es_free(at);
    return ES_OK;
}
