/* Which of the vector kernels this machine runs. */
#ifndef ES_CORE_SIMD_H
#define ES_CORE_SIMD_H

#include "isa.h"
#include "simd_kernels.h"

/** The kernels of a level; of the best level below it where this build lacks them. Never NULL. */
const es_simd *es_simd_get(es_isa level);

#endif
