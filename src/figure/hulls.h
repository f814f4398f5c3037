/* Which points of a group one hull may hold together without reaching over another group. */
#ifndef ES_FIGURE_HULLS_H
#define ES_FIGURE_HULLS_H

#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_spot {
    double x, y;
} es_spot;

/** Convex hull of p (n), which is sorted, into hull (2 n + 2): A. M. Andrew's monotone chain, 1979.
 *  Returns its corners. */
size_t es_hull_of(es_spot *p, size_t n, es_spot *hull);

/** piece[i] (n): the first point of the hull that point i belongs to. Every point begins alone;
 *  those of one group (from 1; points of 0 stay alone) are joined, the nearest first, unless the
 *  hull around both came nearer than `air` to a hull of others, or nearer than it is. So no hull
 *  covers a point of another group. Deterministic. ES_ENOMEM. */
es_status es_hull_pieces(const es_spot *at, const unsigned *group, size_t n, double air,
                         size_t *piece, es_error *err);

#endif
