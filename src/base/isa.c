/* Chooses the fastest kernels that the processor can run. ES_CPU in the environment asks for
 * slower ones, so that tests reach them all. */
#include "base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"ref", "avx2", "avx512"};

es_isa es_isa_best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
        return ES_ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return ES_ISA_AVX2;
#endif
    return ES_ISA_REF;
}

es_isa es_isa_level(void) {
    static atomic_int known; /* the level and one; 0: not asked before */
    int level = atomic_load(&known) - 1;
    if (level >= 0)
        return (es_isa)level;
    const char *wish = getenv("ES_CPU");
    level = (int)es_isa_best();
    for (int slower = ES_ISA_REF; wish && slower < level; slower++)
        if (strcmp(wish, names[slower]) == 0)
            level = slower;
    atomic_store(&known, level + 1);
    return (es_isa)level;
}

const char *es_isa_name(es_isa level) {
    return names[level];
}
