/* In-memory embedders for tests of estimators. */
#ifndef ES_TESTS_SYNTHETIC_H
#define ES_TESTS_SYNTHETIC_H

#include "core_numerics.h"

typedef struct synthetic {
    size_t n, d;
    double *x; /* (n, d) */
} synthetic;

static inline es_status synthetic_read(const void *context, const uint32_t *rows, size_t count,
                                       double *out, es_error *err) {
    (void)err;
    const synthetic *s = context;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < s->d; j++)
            out[i * s->d + j] = s->x[rows[i] * s->d + j];
    return ES_OK;
}

static inline es_rows synthetic_rows(const synthetic *s) {
    return (es_rows){s->n, s->d, ES_KIND_CONTINUOUS, 0, s, synthetic_read};
}

static inline void synthetic_normal(synthetic *s, uint64_t seed) {
    es_rng rng;
    es_rng_init(&rng, seed, 7);
    for (size_t i = 0; i < s->n * s->d; i++)
        s->x[i] = es_rng_normal(&rng);
}

#endif
