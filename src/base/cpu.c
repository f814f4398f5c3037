/* What the processor calls itself and which vector instructions it has: for `info`, for stored
 * results, and to choose kernels. */
#include "base.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static void read_name(char *out, size_t capacity) {
    es_text_clean_into(out, capacity, "unknown", 7);
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        const char *start = colon + 1 + strspn(colon + 1, " \t");
        size_t length = strcspn(start, "\n");
        if (length > 0)
            es_text_clean_into(out, capacity, start, length);
        break;
    }
    (void)fclose(file); /* opened for reading: nothing to lose */
}

void es_cpu_detect(es_cpu *out) {
    memset(out, 0, sizeof *out);
    read_name(out->name, sizeof out->name);
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    out->avx2 = __builtin_cpu_supports("avx2") != 0;
    out->fma = __builtin_cpu_supports("fma") != 0;
    out->avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    out->avx512_bf16 = out->avx512 && __builtin_cpu_supports("avx512bf16");
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    out->cores = cores < 1 ? 1 : cores > 4096 ? 4096 : (int)cores;
}

enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };

void es_cpu_flush_denormals(void) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
#endif
}

unsigned es_cpu_denormals_keep(void) {
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~(unsigned)(FLUSH_TO_ZERO | DENORMALS_ARE_ZERO));
    return before;
#else
    return 0;
#endif
}

void es_cpu_denormals_restore(unsigned before) {
#if defined(__x86_64__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

/* Chooses the fastest kernels that the processor can run. ES_CPU in the environment asks for
 * slower ones, so that tests reach them all. */

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
