/* 8 lanes: AVX2 and FMA3. */
#if defined(__x86_64__)

#include "core_numerics.h"

#include <float.h>
#include <immintrin.h>
#include <math.h>

#define SIMD_TARGET __attribute__((target("avx2,fma")))
#define SIMD_TABLE es_simd_avx2
#define LANES 8
#define TILE_ROWS 6
#define TILE_VECTORS 2
#define TILE_LONG 3
#define TILE_LONG_ROWS 4
#define TILE_DEPTH 256
#define TILE_SHALLOW 96
#define OP static inline SIMD_TARGET __attribute__((always_inline))

typedef __m256 vf;
typedef struct vacc {
    __m256d a, b;
} vacc;

OP __m256i first(size_t left) {
    int count = left < LANES ? (int)left : LANES;
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
OP vf v_load(const float *p, size_t left) {
    return left < LANES ? _mm256_maskload_ps(p, first(left)) : _mm256_loadu_ps(p);
}
OP void v_store(float *p, size_t left, vf x) {
    if (left < LANES)
        _mm256_maskstore_ps(p, first(left), x);
    else
        _mm256_storeu_ps(p, x);
}
OP vf v_keep(vf x, size_t left) {
    return _mm256_and_ps(x, _mm256_castsi256_ps(first(left)));
}
OP vf v_set(float x) {
    return _mm256_set1_ps(x);
}
OP vf v_add(vf a, vf b) {
    return _mm256_add_ps(a, b);
}
OP vf v_sub(vf a, vf b) {
    return _mm256_sub_ps(a, b);
}
OP vf v_mul(vf a, vf b) {
    return _mm256_mul_ps(a, b);
}
OP vf v_div(vf a, vf b) {
    return _mm256_div_ps(a, b);
}
OP vf v_sqrt(vf a) {
    return _mm256_sqrt_ps(a);
}
OP vf v_fma(vf a, vf b, vf c) {
    return _mm256_fmadd_ps(a, b, c);
}
OP vf v_fnma(vf a, vf b, vf c) {
    return _mm256_fnmadd_ps(a, b, c);
}
OP vf v_min(vf a, vf b) {
    return _mm256_min_ps(a, b);
}
OP vf v_max(vf a, vf b) {
    return _mm256_max_ps(a, b);
}
OP vf v_round(vf a) {
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
OP vf power_of_two(__m256i k) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(k, _mm256_set1_epi32(127)), 23));
}
/* x 2^k for whole k in [-152, 129]: two factors, since 2^k alone may not be a normal number */
OP vf v_scale2(vf x, vf k) {
    __m256i whole = _mm256_cvtps_epi32(k), half = _mm256_srai_epi32(whole, 1);
    vf part = _mm256_mul_ps(x, power_of_two(half));
    return _mm256_mul_ps(part, power_of_two(_mm256_sub_epi32(whole, half)));
}
OP vf v_where_positive(vf x, vf g) {
    return _mm256_and_ps(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ), g);
}
/* x = 2^k m, m in [sqrt(1/2), sqrt(2)); the integer constant is the float sqrt(1/2) */
OP vf v_split2(vf x, vf *k) {
    vf subnormal = _mm256_cmp_ps(x, _mm256_set1_ps(FLT_MIN), _CMP_LT_OQ);
    x = _mm256_blendv_ps(x, _mm256_mul_ps(x, _mm256_set1_ps(0x1p23F)), subnormal);
    __m256i bits = _mm256_castps_si256(x);
    __m256i e = _mm256_srai_epi32(_mm256_sub_epi32(bits, _mm256_set1_epi32(0x3F3504F3)), 23);
    vf shift = _mm256_and_ps(subnormal, _mm256_set1_ps(23.0F));
    *k = _mm256_sub_ps(_mm256_cvtepi32_ps(e), shift);
    return _mm256_castsi256_ps(_mm256_sub_epi32(bits, _mm256_slli_epi32(e, 23)));
}
/* log of 0, of negative numbers, of +inf and of NaN */
OP vf v_log_edges(vf x, vf y) {
    const vf zero = _mm256_setzero_ps(), inf = _mm256_set1_ps(INFINITY);
    y = _mm256_blendv_ps(y, _mm256_set1_ps(NAN), _mm256_cmp_ps(x, zero, _CMP_NGE_UQ));
    y = _mm256_blendv_ps(y, _mm256_set1_ps(-INFINITY), _mm256_cmp_ps(x, zero, _CMP_EQ_OQ));
    return _mm256_blendv_ps(y, inf, _mm256_cmp_ps(x, inf, _CMP_EQ_OQ));
}
OP vacc v_zero_acc(void) {
    return (vacc){_mm256_setzero_pd(), _mm256_setzero_pd()};
}
OP void v_accumulate(vacc *acc, vf x) {
    acc->a = _mm256_add_pd(acc->a, _mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    acc->b = _mm256_add_pd(acc->b, _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
}
OP double v_total(const vacc *acc) {
    double lanes[4];
    _mm256_storeu_pd(lanes, _mm256_add_pd(acc->a, acc->b));
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

#include "simd_body.h"

#endif
