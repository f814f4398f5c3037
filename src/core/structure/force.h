/* Where to draw the embedders as a graph: those that simulate each other well come close.
 *
 * A force layout (Fruchterman and Reingold, "Graph drawing by force-directed placement", 1991):
 * all nodes repel each other, each pair attracts by its affinity. In portions, so that a program
 * can draw in between; the result depends on affinities and seed only, never on the portions. */
#ifndef EMBEDSCOPE_FORCE_H
#define EMBEDSCOPE_FORCE_H

#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

/** Strength of each pair of embedders as the share of known pairs that are weaker or equal, in
 *  (0, 1]: is (m, m) as in results.h, strength (m, m) symmetric. A pair's value is the mean of its
 *  known directions; NaN where neither is known and on the diagonal. *pairs: how many are known.
 *  Equal values share the mean of their places. run (or NULL) is asked: ES_ECANCELED. O(m^2 log m).
 */
es_status es_pair_strength(const double *is, size_t m, const es_run *run, double *strength,
                           size_t *pairs, es_error *err);

enum { ES_FORCE_STEPS = 240 };

typedef struct es_force {
    size_t m;
    unsigned step;   /* of ES_FORCE_STEPS */
    double *x, *y;   /* (m) about 0; any scale */
    double *pull;    /* (m, m) */
    double *dx, *dy; /* (m) scratch */
    /* of es_force_of: */
    size_t pairs; /* that are known */
    struct es_force_edge {
        uint32_t a, b; /* a < b */
    } * edge;          /* (edges) to be drawn, by a, then b */
    size_t edges;
} es_force;

/** Nodes on seeded places. strength (m, m) as above, copied; NaN does not attract. */
es_status es_force_new(const double *strength, size_t m, uint64_t seed, es_force **out,
                       es_error *err);
/** The same of a matrix is (m, m) by es_pair_strength, with the pairs to be drawn: the strongest,
 *  two a node or, of more than 60 nodes, one. Of those that are tied at the end either all are
 * drawn or none. */
es_status es_force_of(const double *is, size_t m, uint64_t seed, const es_run *run, es_force **out,
                      es_error *err);
/** From these places (m), half cooled: nodes do not go far. */
void es_force_go_on(es_force *force, const double *x, const double *y);
void es_force_free(es_force *force);
/** Up to `steps` more; returns how many are left of ES_FORCE_STEPS. O(steps m^2). */
unsigned es_force_move(es_force *force, unsigned steps);

#endif
