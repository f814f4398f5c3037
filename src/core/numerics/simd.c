/* The table of kernels for a level; of plain C where the build has no other. */
#include "simd.h"

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
