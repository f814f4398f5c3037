/* How small embedders may be (core_frontier.h), over a pool, and its sentences. */
#ifndef ES_REPORT_FRONTIER_H
#define ES_REPORT_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>

#include "base.h"
#include "core_frontier.h"
#include "engine_results.h"

/** By what embedders are compared with each other. */
typedef enum es_frontier_by {
    ES_FRONTIER_BY_NOTHING, /* each only with itself */
    ES_FRONTIER_BY_PROBE,   /* the probe's score */
    ES_FRONTIER_BY_OTHERS   /* what is kept, times what the embedder predicts of the others */
} es_frontier_by;

/** One embedder with what its compressions keep, in the order of es_frontier_grid. */
typedef struct es_frontier_of {
    const char *name; /* borrowed */
    size_t d;
    const es_kept *kept; /* borrowed */
    double others;       /* nats a dimension that it predicts of other embedders; NaN: not known */
    double cost;         /* of --against; NaN: not known */
} es_frontier_of;

typedef struct es_frontier_point {
    size_t of; /* embedder */
    es_derive how;
    size_t dim, bytes;
    unsigned bits;
    es_kept kept;
    double value; /* by which points are compared: of one embedder, kept; NaN: not known */
    double cost;  /* of --against */
    bool front;   /* no other is at most as large (or costs at most as much) and better */
} es_frontier_point;

typedef struct es_frontier_report {
    const es_frontier_of *of; /* (n) borrowed */
    size_t n;
    es_frontier_by by;
    es_frontier_point *point; /* (points) by embedder, in the order of the grid */
    size_t points;
    size_t most;         /* bytes a row at most, of the front and the best; 0: any */
    const char *against; /* what costs are; NULL: bytes */
} es_frontier_report;

/** What a compression must be shown to keep, by the low end of its interval. */
#define ES_FRONTIER_ENOUGH 0.95

/** Points of n embedders with their front: over all of them by probe, if all have one, or by what
 *  they predict of each other; else, and of one, each has its own front by what is kept. most and
 *  against as in the report. Borrows `of`. ES_EEMPTY: no embedder. */
es_status es_frontier_report_new(const es_frontier_of *of, size_t n, size_t most,
                                 const char *against, es_frontier_report **out, es_error *err);
void es_frontier_report_free(es_frontier_report *report); /* NULL is allowed */

/** Returns the smallest compression of an embedder that is shown to keep enough; SIZE_MAX: none. */
size_t es_frontier_smallest(const es_frontier_report *report, size_t of);
/** Returns the best point of at most so many bytes a row, the smaller of equals; SIZE_MAX: none, or
 *  embedders cannot be compared. */
size_t es_frontier_best(const es_frontier_report *report, size_t most);
/** Returns mean nats a dimension that `model` predicts of other embedders, which neither are
 *  controls nor derived; NaN: of none is it known, or it is not above 0. */
double es_frontier_others(const es_results *results, size_t model);
/** Appends the answer: per embedder (the first three by value) the smallest that is shown to keep
 *  enough, then the best of a size. */
void es_frontier_put_answer(const es_frontier_report *report, es_buf *out);

#endif
