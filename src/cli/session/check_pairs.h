/* Stored pairs estimated again, to see whether they are what the store says. */
#ifndef ES_CLI_CHECK_PAIRS_H
#define ES_CLI_CHECK_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

#include "session.h"
#include "store.h"

typedef enum es_check_outcome {
    ES_CHECK_OPEN,   /* not estimated again */
    ES_CHECK_SAME,   /* to the last bit */
    ES_CHECK_NEAR,   /* of another build or processor, and within its standard error */
    ES_CHECK_OTHER,  /* not what the store says */
    ES_CHECK_FAILED, /* could not be estimated again: nothing can be said */
    ES_CHECK_OUTCOMES
} es_check_outcome;

/** A stored pair of the pool as it is now. */
typedef struct es_checked_pair {
    double stored, again;         /* of what is otherwise; again: NaN until estimated */
    const char *what;             /* is otherwise; NULL: nothing */
    uint32_t run, source, target; /* place in runs; indices in the pool */
    uint8_t outcome;              /* es_check_outcome */
    bool wanted;
} es_checked_pair;

/** What pairs have in common. The key's texts are owned. */
typedef struct es_checked_run {
    es_store_key key;
    size_t begin, end; /* its pairs */
} es_checked_run;

typedef struct es_checked_pairs {
    es_checked_run *run;
    size_t runs;
    es_checked_pair *pair;
    size_t pairs;
    size_t count[ES_CHECK_OUTCOMES];
    double farthest; /* between stored and again, of those that are near */
} es_checked_pairs;

/** Lists the pairs that are stored of the pool's contents and rows by this version's estimators
 *  (those of --estimator, --preset and --set where they are given), and estimates `sample` of them
 *  again (0: all), drawn by --seed, and as many more as it takes to have each embedder as source
 * and as target in every run; then, of every embedder of a pair that comes out otherwise, all the
 * others. `shown` is a checked session of the pool. ES_ECANCELED with exit code 130. */
es_status es_check_pairs(es_cli *cli, es_session *shown, es_store *store, size_t sample,
                         es_checked_pairs *out, es_error *err);
void es_checked_pairs_deinit(es_checked_pairs *checked); /* all zero bytes is allowed */

/** The digests that a pair is stored under. */
void es_checked_digests(const es_pool *pool, const es_checked_pair *pair, es_digest *source,
                        es_digest *target);

#endif
