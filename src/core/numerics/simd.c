/* The table of kernels for a level, of plain C where the build has no other; constants of Adam. */
#include "core_numerics.h"

#include <math.h>

const es_simd *es_simd_get(es_isa level) {
#if defined(__x86_64__)
    if (level == ES_ISA_AVX512)
        return &es_simd_avx512;
    if (level == ES_ISA_AVX2)
        return &es_simd_avx2;
#endif
    (void)level;
    return &es_simd_ref;
}

es_adam_step es_adam_at(unsigned t, double rate) {
    const double beta1 = 0.9, beta2 = 0.999;
    return (es_adam_step){.beta1 = (float)beta1,
                          .beta2 = (float)beta2,
                          .eps = 1e-8F,
                          .rate = (float)(rate / (1 - pow(beta1, t))),
                          .root = (float)(1 / sqrt(1 - pow(beta2, t)))};
}
