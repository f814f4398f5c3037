/* The rows of es_measures, by file; and values made from statistics. */
#ifndef ES_CORE_MEASURE_ROWS_H
#define ES_CORE_MEASURE_ROWS_H

#include "derive.h"
#include "embedscope/measure.h"
#include "stats.h"

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

#define ES_COUNT_OF(array) (sizeof(array) / sizeof *(array))

es_measure_value es_measure_value_of(es_stat stat);
/** Undefined when it is not finite. */
es_measure_value es_measure_number(double value);

/* What measures of pairs do to the vectors first: settings "preprocess" and "axes". */
#define ES_PREPROCESS_SETTINGS                                                                     \
    {.key = "preprocess",                                                                          \
     .help = "what is done to the vectors first",                                                  \
     .value = 1,                                                                                   \
     .choices = es_preprocess_names},                                                              \
    {                                                                                              \
        .key = "axes",                                                                             \
        .help = "of abtt and pcr: directions taken out (auto: 2); of whiten: kept (auto: all)",    \
        .value = NAN, .low = 1, .high = 100000, .whole = true, .automatic = true                   \
    }
extern const char *const es_preprocess_names[];
/** `values` begins with the two settings above. */
es_status es_preprocess(const es_matrix *m, const double *values, es_matrix *out, es_error *err);

#endif
