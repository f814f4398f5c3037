/* Who belongs together in a matrix of pairs, found in the background: communities, a dendrogram,
 * and places in a drawing. Of each only what was asked for last counts. Owner's thread. */
#ifndef ES_ENGINE_STRUCTURE_H
#define ES_ENGINE_STRUCTURE_H

#include <stdatomic.h>

#include "engine_jobs.h"
#include "core_structure.h"

/** Whose workers do it, and what came of it. Of a session (es_session_structure). */
typedef struct es_structure {
    es_workers *workers;
    es_log *log;
    const double *kept; /* a matrix that, with its errors, nothing changes while the workers live;
                           NULL: none */
    bool alone;         /* nobody has said how many workers there may be: a few */
    es_latest_task families, dendrogram, places;
    atomic_uint runs, steps;
} es_structure;

/** How far the last request is. */
typedef struct es_structure_look {
    uint64_t tag;  /* of the newest that was found; 0: none */
    bool busy;     /* one is under way; once it is not and the tag is an older one, it has failed */
    unsigned runs; /* that are done of communities; of places, steps */
} es_structure_look;

/** Find communities under the caller's tag; what is under way is dropped. `is` is copied, unless it
 *  is the one that is kept. */
es_status es_structure_families_start(es_structure *structure, const es_louvain *problem,
                                      uint64_t tag, es_error *err);
es_structure_look es_structure_families(const es_structure *structure);
/** The newest, once: the caller's from then on, with its means (inside, then between; see
 *  core_structure.h; es_free). NULL: taken already, or none. */
es_communities *es_structure_families_take(es_structure *structure, double **means);

/** The same of the dendrogram of the order `cluster` of is (m, m); see es_linkage_cluster. */
es_status es_structure_dendrogram_start(es_structure *structure, const double *is, size_t m,
                                        uint64_t tag, es_error *err);
es_structure_look es_structure_dendrogram(const es_structure *structure);
es_linkage *es_structure_dendrogram_take(es_structure *structure);

/** The same of a drawing of is (m, m) by forces, from seeded places, or from those of `before`
 *  (copied; NULL or of other embedders: none), half cooled, from which it does not go far. */
es_status es_structure_places_start(es_structure *structure, const double *is, size_t m,
                                    const es_force *before, uint64_t tag, es_error *err);
es_structure_look es_structure_places(const es_structure *structure);
es_force *es_structure_places_take(es_structure *structure);

/** The workers are gone: forget all. */
void es_structure_deinit(es_structure *structure);

#endif
