/* What the files of the frontier share. */
#ifndef ES_CORE_FRONTIER_PARTS_H
#define ES_CORE_FRONTIER_PARTS_H

#include "core_numerics.h"

/** The end of a list of nearest rows. */
typedef struct frontier_place {
    float last;  /* cosine of the last of them */
    float share; /* of a place, of each row at that distance */
} frontier_place;

/** Queries and the cosines of all rows with them, of the whole embedder and of a compression. */
typedef struct frontier_near {
    size_t n, queries, stride;
    const uint32_t *rows;  /* borrowed: queries are every stride-th of them */
    float *row;            /* (n, columns) of length 1 */
    float *query;          /* (queries, columns) */
    float *of;             /* (2, queries, n) */
    frontier_place *place; /* (2, queries) */
} frontier_near;

/** Queries among the listed rows (count > 0), over n rows of at most d columns. ES_ENOMEM. */
es_status frontier_near_new(const uint32_t *rows, size_t count, size_t n, size_t d,
                            frontier_near *out, es_error *err);
void frontier_near_free(frontier_near *near); /* all zero bytes is allowed */
/** Takes in the whole embedder, x (n, columns). */
void frontier_near_whole(frontier_near *near, const es_matrix *x);
/** Returns the share of its nearest neighbours that a compression x (n, columns) keeps. */
double frontier_near_kept(frontier_near *near, const es_matrix *x);

#endif
