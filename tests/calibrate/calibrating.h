/* What the calibration of rankings is made of: a pool's values once estimated, and figures. */
#ifndef ES_CALIBRATING_H
#define ES_CALIBRATING_H

#include "core_ranking.h"
#include "engine_session.h"

/** A pool by what the lead is made of, with the values of rows; nothing is stored. */
typedef struct pool_values {
    es_session *session;
    const es_results *results; /* with pmi, every pair known */
    size_t m, rows;            /* embedders; evaluated rows */
} pool_values;

/** Ends the program with a message where a pool cannot be estimated. */
pool_values pool_values_open(const char *path);
void pool_values_close(pool_values *pool);
/** An error that leaves nothing to be measured. */
_Noreturn void calibrate_die(const char *where, const es_error *err);
/** Block (count, size), never NULL. */
void *calibrate_alloc(size_t count, size_t size);
/** Starts a session and waits for all its pairs. */
void calibrate_estimate(es_session *session);

/** So many of so many. */
typedef struct share {
    double hits, of;
} share;
double share_of(share s); /* NaN of none */

/** Pairs of two decisions about disjoint rows, each seen by the other. */
typedef struct sides {
    size_t draws;
    share ahead; /* pairs in which one is shown ahead, of all */
    share wrong; /* of these those in which the unseen rows have the other one ahead */
} sides;

/** Two disjoint halves of the evaluated rows, `draws` times. */
sides cover_halves(const pool_values *pool, size_t draws, uint64_t seed);
/** The same with estimators fitted on each half alone, which is what is leased: half as many rows
 *  are then fitted and evaluated as usual. */
sides cover_refits(const pool_values *pool, size_t draws, uint64_t seed);
/** Adds two decisions about disjoint rows. */
void cover_sides(const es_decision *one, const es_decision *other, sides *out);

/** A made-up pool: value = quality of the source + effect of source and target's kind + effect of
 *  source and target + noise of rows, all normal. */
typedef struct simulation {
    const char *name;
    size_t kinds, each; /* embedders in a kind; 0: one in the first, two in the second ... */
    double spread, effects, within, noise; /* standard deviations; noise: of a mean over rows */
} simulation;
enum { SIMULATIONS = 6 };
extern const simulation simulations[SIMULATIONS];

/** What is said of simulated pools whose kinds are independent, as is assumed, against the
 *  qualities that they were made of. */
typedef struct simulated {
    size_t draws;
    share best;      /* the set holds the best */
    share members;   /* of the set, of embedders */
    share ranks;     /* rank intervals that hold the rank */
    share intervals; /* intervals of the lead that hold the true lead */
    share ahead;     /* pairs in which one is shown ahead, of all */
    share wrong;     /* of these those in which that one is the worse one */
    share twins;     /* two of equal quality and different kinds: one is shown ahead of the other */
} simulated;
simulated simulate(const simulation *how, size_t draws, uint64_t seed);

/** The predictive ranking fitted anew on some rows, against that on all of them. */
typedef struct steadiness {
    size_t draws;
    double lowest, mean; /* Kendall's tau-b over the pool's embedders */
    share turned;        /* pairs in which all rows show one ahead, in the other order */
} steadiness;

/** rows: random rows a draw. out[0]: the pool as it is; out[1]: beside a member of cubes of
 *  Student's t with 3 degrees of freedom, 32 columns that know nothing of the others; out[2]: the
 *  second against the first, of the same rows. settings: of the estimator, or NULL. */
void steady_rows(const pool_values *pool, size_t rows, size_t draws, const char *settings,
                 uint64_t seed, steadiness out[3]);

/** Samples of rows that double, judged as a run judges them. */
typedef struct growth_kept {
    size_t draws;
    share looks, stops; /* sizes judged, and those at which a run would end: all rows agree at least
                           as well as the lower end of what was promised */
    double rows, expected, actual; /* at the ends, summed: size, Kendall's tau promised and found */
    double lowest;                 /* found at an end */
} growth_kept;

/** From `first` rows on, `draws` seeds: of the sample, of the split, of all rows too. */
growth_kept grow_samples(const pool_values *pool, const char *path, size_t first, size_t draws,
                         uint64_t seed);

#endif
