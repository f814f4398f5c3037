/* 16 lanes: AVX-512F. */
#if defined(__x86_64__)

#include "core_numerics.h"

#include <immintrin.h>
#include <math.h>

/* Without optimisation gcc's intrinsics are macros, and the conversions in them count as ours. */
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define SIMD_TARGET __attribute__((target("avx512f,avx2,fma")))
#define SIMD_TABLE es_simd_avx512
#define LANES 16
#define TILE_ROWS 6
#define TILE_VECTORS 4
#define TILE_LONG 4
#define TILE_LONG_ROWS 6
#define TILE_DEPTH 128
#define TILE_SHALLOW 128
#define OP static inline SIMD_TARGET __attribute__((always_inline))

typedef __m512 vf;
typedef struct vacc {
    __m512d a, b;
} vacc;

OP __mmask16 first(size_t left) {
    return (__mmask16)(left < LANES ? (1U << left) - 1 : 0xFFFFU);
}
OP vf v_load(const float *p, size_t left) {
    return left < LANES ? _mm512_maskz_loadu_ps(first(left), p) : _mm512_loadu_ps(p);
}
OP void v_store(float *p, size_t left, vf x) {
    if (left < LANES)
        _mm512_mask_storeu_ps(p, first(left), x);
    else
        _mm512_storeu_ps(p, x);
}
OP vf v_keep(vf x, size_t left) {
    return _mm512_maskz_mov_ps(first(left), x);
}
OP vf v_set(float x) {
    return _mm512_set1_ps(x);
}
OP vf v_add(vf a, vf b) {
    return _mm512_add_ps(a, b);
}
OP vf v_sub(vf a, vf b) {
    return _mm512_sub_ps(a, b);
}
OP vf v_mul(vf a, vf b) {
    return _mm512_mul_ps(a, b);
}
OP vf v_div(vf a, vf b) {
    return _mm512_div_ps(a, b);
}
OP vf v_sqrt(vf a) {
    return _mm512_sqrt_ps(a);
}
OP vf v_fma(vf a, vf b, vf c) {
    return _mm512_fmadd_ps(a, b, c);
}
OP vf v_fnma(vf a, vf b, vf c) {
    return _mm512_fnmadd_ps(a, b, c);
}
OP vf v_min(vf a, vf b) {
    return _mm512_min_ps(a, b);
}
OP vf v_max(vf a, vf b) {
    return _mm512_max_ps(a, b);
}
OP vf v_round(vf a) {
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/* x 2^k for whole k */
OP vf v_scale2(vf x, vf k) {
    return _mm512_scalef_ps(x, k);
}
OP vf v_where_positive(vf x, vf g) {
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ), g);
}
/* x = 2^k m, m in [sqrt(1/2), sqrt(2)) */
OP vf v_split2(vf x, vf *k) {
    __m512 e = _mm512_getexp_ps(x); /* right for subnormals, too */
    __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);
    __mmask16 high = _mm512_cmp_ps_mask(m, _mm512_set1_ps(0x1.6a09e6p+0F), _CMP_GE_OQ);
    *k = _mm512_mask_add_ps(e, high, e, _mm512_set1_ps(1.0F));
    return _mm512_mask_mul_ps(m, high, m, _mm512_set1_ps(0.5F));
}
/* log of 0 and of +inf; negative numbers and NaN arrive as NaN */
OP vf v_log_edges(vf x, vf y) {
    const __m512 inf = _mm512_set1_ps(INFINITY);
    __mmask16 zero = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_EQ_OQ);
    __mmask16 top = _mm512_cmp_ps_mask(x, inf, _CMP_EQ_OQ);
    y = _mm512_mask_mov_ps(y, zero, _mm512_set1_ps(-INFINITY));
    return _mm512_mask_mov_ps(y, top, inf);
}
OP vacc v_zero_acc(void) {
    return (vacc){_mm512_setzero_pd(), _mm512_setzero_pd()};
}
OP void v_accumulate(vacc *acc, vf x) {
    __m256 low = _mm512_castps512_ps256(x);
    __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1));
    acc->a = _mm512_add_pd(acc->a, _mm512_cvtps_pd(low));
    acc->b = _mm512_add_pd(acc->b, _mm512_cvtps_pd(high));
}
OP double v_total(const vacc *acc) {
    return _mm512_reduce_add_pd(_mm512_add_pd(acc->a, acc->b));
}

#include "simd_body.h"

#endif
