/* What is done to the vectors before pairs of rows are measured, as two settings that come first
 * among a measure's. */
#ifndef ES_CORE_PREPROCESS_H
#define ES_CORE_PREPROCESS_H

#include "matrix.h"

/* The settings "preprocess" and "axes". */
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
/** What that leaves little of; NULL: nothing to mind. */
const char *es_preprocess_warning(const es_matrix *m, const double *values);

#endif
