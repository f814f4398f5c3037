/* Which family of vector kernels to run. */
#ifndef EMBEDSCOPE_ISA_H
#define EMBEDSCOPE_ISA_H

/** Kernel families, slowest first. ES_ISA_REF is plain C and runs everywhere. */
typedef enum es_isa { ES_ISA_REF, ES_ISA_AVX2, ES_ISA_AVX512 } es_isa;

/** The best family that both the processor and the operating system support. */
es_isa es_isa_best(void);

/** The family to use: the environment's ES_CPU=ref|avx2|avx512 if it names one that is supported,
 *  else es_isa_best(). Reads the environment on each call; keeps no state. */
es_isa es_isa_level(void);

/** "ref", "avx2", "avx512". */
const char *es_isa_name(es_isa level);

#endif
