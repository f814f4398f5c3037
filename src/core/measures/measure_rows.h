/* The rows of es_measures, by file. */
#ifndef ES_CORE_MEASURE_ROWS_H
#define ES_CORE_MEASURE_ROWS_H

#include "embedscope/measure.h"

/* measure_evalrank.c */
extern const es_measure es_measure_evalrank;
/* measure_pairs.c */
extern const es_measure es_measure_similarity, es_measure_alignment;
/* measure_shape.c */
extern const es_measure es_measure_uniformity, es_measure_effective_rank,
    es_measure_intrinsic_dimension;
/* measure_labels.c */
extern const es_measure es_measure_smoothness, es_measure_logme, es_measure_gbc;
/* measure_probe.c */
extern const es_measure es_measure_probe;
/* measure_retmmd.c */
extern const es_measure es_measure_retmmd;
/* measure_lssvm.c */
extern const es_measure es_measure_lssvm;
/* measure_mantel.c */
extern const es_measure es_measure_mantel;
/* measure_alike.c */
extern const es_measure es_measure_cka, es_measure_cka_biased, es_measure_cka_rbf, es_measure_rsa,
    es_measure_rsa_correlation, es_measure_knn_overlap, es_measure_knn_jaccard,
    es_measure_procrustes, es_measure_linear_r2, es_measure_cca, es_measure_svcca, es_measure_pwcca;

#endif
