/* The measures there are, embedder measures first: E(NAME) is es_measure_NAME in a measure_*.c. */
#ifndef ES_CORE_MEASURE_ROWS_H
#define ES_CORE_MEASURE_ROWS_H

#include "core_measures.h"

#define ES_MEASURES(E)                                                                             \
    E(evalrank)                                                                                    \
    E(similarity)                                                                                  \
    E(alignment)                                                                                   \
    E(retention)                                                                                   \
    E(uniformity)                                                                                  \
    E(effective_rank)                                                                              \
    E(intrinsic_dimension)                                                                         \
    E(persistence)                                                                                 \
    E(consensus)                                                                                   \
    E(smoothness)                                                                                  \
    E(probe)                                                                                       \
    E(logme)                                                                                       \
    E(gbc)                                                                                         \
    E(retmmd)                                                                                      \
    E(lssvm)                                                                                       \
    E(retrieval)                                                                                   \
    E(cka)                                                                                         \
    E(cka_biased)                                                                                  \
    E(cka_rbf)                                                                                     \
    E(rsa)                                                                                         \
    E(rsa_correlation)                                                                             \
    E(mantel)                                                                                      \
    E(knn_overlap)                                                                                 \
    E(knn_jaccard)                                                                                 \
    E(procrustes)                                                                                  \
    E(linear_r2)                                                                                   \
    E(cca)                                                                                         \
    E(svcca)                                                                                       \
    E(pwcca)                                                                                       \
    E(ica_gap)                                                                                     \
    E(cca_information)                                                                             \
    E(infonce)                                                                                     \
    /* the next one here */

#define ES_MEASURE_DECLARE(name) extern const es_measure es_measure_##name;
ES_MEASURES(ES_MEASURE_DECLARE)

#endif
