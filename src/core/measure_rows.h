/* The rows of es_measures, by file; and a value made from a statistic. */
#ifndef ES_CORE_MEASURE_ROWS_H
#define ES_CORE_MEASURE_ROWS_H

#include "embedscope/measure.h"
#include "embedscope/stats.h"

/* measure_pairs.c */
extern const es_measure es_measure_evalrank, es_measure_evalrank_l2, es_measure_hits1,
    es_measure_hits10, es_measure_similarity, es_measure_alignment;
/* measure_shape.c */
extern const es_measure es_measure_uniformity, es_measure_effective_rank,
    es_measure_intrinsic_dimension;
/* measure_labels.c */
extern const es_measure es_measure_smoothness, es_measure_retmmd_m, es_measure_retmmd_c,
    es_measure_logme, es_measure_gbc;
/* measure_alike.c */
extern const es_measure es_measure_cka, es_measure_cka_biased, es_measure_rsa,
    es_measure_knn_overlap, es_measure_procrustes, es_measure_linear_r2, es_measure_svcca,
    es_measure_pwcca;

es_measure_value es_measure_value_of(es_stat stat);

#endif
