/* What the processor is and can do. */
#ifndef EMBEDSCOPE_CPU_H
#define EMBEDSCOPE_CPU_H

#include <stdbool.h>

typedef struct es_cpu {
    char name[96]; /* as the system calls it, cleaned; "unknown" where it does not say */
    bool avx2, fma;
    bool avx512;      /* F, DQ, BW and VL together */
    bool avx512_bf16; /* dot products of bfloat16 */
    int cores;        /* on line, at least 1 */
} es_cpu;

/** Ask the processor and the system. Flags are false on other architectures than x86; a flag is
 *  true only when the operating system saves the registers as well. Reads /proc/cpuinfo: call it
 *  once and keep the answer. */
void es_cpu_detect(es_cpu *out);

/** From now on the calling thread treats subnormal numbers as zero, in results and in operands
 *  (FTZ and DAZ): they cost about a hundred cycles each and carry nothing here. Each thread has its
 *  own setting; threads started later inherit it. Does nothing on other architectures than x86-64.
 */
void es_cpu_flush_denormals(void);
/** Subnormal numbers count in the calling thread until es_cpu_denormals_restore, which takes what
 *  this returns: for reading and judging what a file holds. */
unsigned es_cpu_denormals_keep(void);
void es_cpu_denormals_restore(unsigned before);

#endif
