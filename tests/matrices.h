/* Matrices that are kept until the test ends. */
#ifndef ES_TESTS_MATRICES_H
#define ES_TESTS_MATRICES_H

#include "testing.h"
#include "core_numerics.h"

/** (n, d), of zeros. */
static inline es_matrix matrix_kept(size_t n, size_t d) {
    es_matrix m = {0};
    assert_ok(es_matrix_new(n, d, &m, test_err()));
    test_keep(m.x, es_free);
    return m;
}

#endif
