/* Tests of vector kernels, which run with those of every instruction set that this machine has. */
#ifndef ES_TESTS_EVERY_ISA_H
#define ES_TESTS_EVERY_ISA_H

#include "testing.h"
#include "core_numerics.h"

/** A test of the kernels `simd`. */
#define TEST_ISA(name)                                                                             \
    static void name##_with(const es_simd *simd);                                                  \
    TEST(name) {                                                                                   \
        for (es_isa level = ES_ISA_REF; level <= es_isa_best(); level++) {                         \
            print_message("ES_CPU=%s\n", es_isa_name(level));                                      \
            name##_with(es_simd_get(level));                                                       \
        }                                                                                          \
    }                                                                                              \
    static void name##_with(const es_simd *simd)

#endif
