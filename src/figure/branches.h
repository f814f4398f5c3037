/* Lines of a dendrogram, for whatever stands beside its leaves. */
#ifndef ES_FIGURE_BRANCHES_H
#define ES_FIGURE_BRANCHES_H

#include "canvas.h"

typedef enum es_branch_side {
    ES_BRANCH_LEFT,  /* of its leaves, which go down from y; they end at x */
    ES_BRANCH_ABOVE, /* its leaves go right from x; they end at y */
    ES_BRANCH_RIGHT  /* of its leaves, which go down from y; they begin at x */
} es_branch_side;

/** Leaves are `pitch` apart in the tree's order, the highest merge is `length` away from them. In
 *  the current colour. ES_ENOMEM. */
es_status es_put_branches(const es_canvas *canvas, const es_linkage *tree, double pitch,
                          double length, es_branch_side side, double x, double y, es_error *err);

/** Height of the highest merge; 0 without any. */
double es_branch_height(const es_linkage *tree);

#endif
