/* Which of the vector kernels this machine runs. */
#ifndef ES_CORE_SIMD_H
#define ES_CORE_SIMD_H

#include "isa.h"
#include "simd_kernels.h"

/** The kernels of a level; of the best level below it where this build lacks them. Never NULL. */
const es_simd *es_simd_get(es_isa level);

/** Constants of Adam's step number t (1, 2, ...) with PyTorch's defaults 0.9, 0.999, 1e-8. */
es_adam_step es_adam_at(unsigned t, double rate);

#endif
