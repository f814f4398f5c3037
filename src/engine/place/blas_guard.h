/* The policy behind es_blas_better_core, apart from the machine it runs on. */
#ifndef ES_ENGINE_BLAS_GUARD_H
#define ES_ENGINE_BLAS_GUARD_H

#include "base.h"

/** The core type to ask OpenBLAS for on `cpu` when it chose `core`; NULL when the choice is as good
 *  as any, or when the name is not known here (a newer library knows better). */
const char *es_blas_choose(const es_cpu *cpu, const char *core);

#endif
