/* Maps of rows against NumPy's singular value decomposition, and rows that span less than a plane.
 */
#include "methods.h"

#include "core_structure.h"

TEST(map__of_iris__equals_numpy) {
    char path[512];
    double row, x, y;
    size_t lines = 0;
    es_matrix iris = methods_npy("iris.npy");
    es_row_map map = {0};
    assert_ok(es_row_map_new(&iris, &map, NULL));
    assert_int_equal(map.n, 150);
    (void)snprintf(path, sizeof path, "%s/reference/row_map/expected.csv", ES_TEST_DATA);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(fscanf(in, "row,x,y\n"), 0);
    for (; fscanf(in, "%lf,%lf,%lf\n", &row, &x, &y) == 3; lines++) {
        size_t i = row < 0 ? 0 : (size_t)row;
        assert_near(row < 0 ? map.share[0] : map.x[i], x, 1e-11);
        assert_near(row < 0 ? map.share[1] : map.y[i], y, 1e-11);
    }
    assert_int_equal(lines, 16);
    fclose(in);
    es_row_map_free(&map);
}

/* Fewer rows than columns go another way through the components. */
TEST(map__of_wide_rows__keeps_distances) {
    enum { N = 3, D = 40 };
    es_row_map map = {0};
    es_matrix m = matrix_kept(N, D);
    for (size_t i = 0; i < N * D; i++)
        m.x[i] = sin((double)(i * i) + 0.3);
    assert_ok(es_row_map_new(&m, &map, NULL));
    for (size_t a = 0; a < N; a++) /* three points lie in a plane */
        for (size_t b = 0; b < a; b++) {
            double square = 0;
            for (size_t j = 0; j < D; j++)
                square += (m.x[a * D + j] - m.x[b * D + j]) * (m.x[a * D + j] - m.x[b * D + j]);
            assert_near(hypot(map.x[a] - map.x[b], map.y[a] - map.y[b]), sqrt(square), 1e-11);
        }
    assert_near(map.share[0] + map.share[1], 1, 1e-12);
    es_row_map_free(&map);
}

TEST(map__of_less_than_a_plane__is_flat) {
    es_row_map map = {0};
    es_matrix m = matrix_kept(4, 2);
    for (size_t i = 0; i < 4; i++) {
        m.x[2 * i] = (double)i;
        m.x[2 * i + 1] = 2 * (double)i;
    }
    assert_ok(es_row_map_new(&m, &map, NULL));
    assert_near(map.share[0], 1, 1e-12);
    assert_true(isnan(map.share[1]));
    for (size_t i = 0; i < 4; i++) {
        assert_near(map.x[i], ((double)i - 1.5) * sqrt(5), 1e-12);
        assert_true(map.y[i] == 0);
    }
    es_row_map_free(&map);
    m.n = 1;
    assert_int_equal(es_row_map_new(&m, &map, test_err()), ES_EINVAL);
    m.n = 4;
}
