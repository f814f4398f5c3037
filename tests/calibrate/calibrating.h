/* What the calibration of rankings is made of: a pool's values once estimated, and figures. */
#ifndef ES_CALIBRATING_H
#define ES_CALIBRATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "session.h"

/** A pool by what the predictive score is made of, with the values of rows; nothing is stored. */
typedef struct pool_values {
    es_session *session;
    const es_results *results; /* with pmi, every pair known */
    size_t m, rows;            /* embedders; evaluated rows */
    uint32_t *order, *family;  /* (m) by name; named families, each its own where not named */
    bool named;                /* pool.json names families */
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

/** What may be said, and whether it held, over draws of one kind. */
typedef struct coverage {
    size_t draws, said; /* in so many something was said of new targets */
    share best;         /* S held the embedder that is truly best */
    share members;      /* of S, of embedders */
    share ranks;        /* intervals that held the true rank */
    share wrong;        /* separated pairs whose difference truly has the other sign */
    share apart;        /* separated pairs, of all */
    share families;     /* clusters, summed; of draws */
} coverage;

/** How targets are drawn, and what counts as one draw of them. */
typedef enum coverage_kind {
    COVER_NAMED,       /* families of pool.json are drawn, and known */
    COVER_UNNAMED,     /* they are drawn, but pool.json does not name them: communities stand in */
    COVER_COMMUNITIES, /* communities of the whole pool are drawn, and known */
    COVER_KINDS
} coverage_kind;

/** Two disjoint halves of the rows, `draws` times: pairs that one half settles for these targets,
 *  and in which the other half has the other sign. */
coverage cover_halves(const pool_values *pool, size_t draws, uint64_t seed);
/** The same with estimators fitted on each half alone, which is what is claimed: half as many rows
 *  are then fitted and evaluated as usual. */
coverage cover_refits(const pool_values *pool, size_t draws, uint64_t seed);
/** Adds two decisions about disjoint rows, each seen by the other: pairs that one settles for these
 *  targets, and those of them in which the other has the other sign. */
void cover_sides(const es_decision *one, const es_decision *other, coverage *out);
/** Targets drawn with replacement, and half of the rows, against the whole pool. */
coverage cover_targets(const pool_values *pool, coverage_kind kind, size_t draws, uint64_t seed);
/** Does es_decision_new say the same of the pool as the way by which draws are judged? */
bool cover_same_path(const pool_values *pool);

/** The predictive ranking fitted anew on some rows, against that on all of them. */
typedef struct steadiness {
    size_t draws;
    double lowest, mean; /* Kendall's tau-b over the pool's embedders */
    share turned;        /* pairs that all rows settle for these targets, in the other order */
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
