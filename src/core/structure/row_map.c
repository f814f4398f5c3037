/* Two principal components of centred rows, with a sign that does not depend on the library. */
#include "core_structure.h"

#include <math.h>
#include <string.h>

static void fix_sign(double *axis, size_t d) {
    size_t largest = 0;
    for (size_t j = 1; j < d; j++)
        if (fabs(axis[j]) > fabs(axis[largest]))
            largest = j;
    for (size_t j = 0; j < d && axis[largest] < 0; j++)
        axis[j] = j == largest ? axis[j] : -axis[j];
    axis[largest] = fabs(axis[largest]);
}

/* Projects the centred rows on the first two axes, with fixed signs. */
static es_status project_rows(const es_pca *pca, const es_matrix *centred, es_row_map *map,
                              es_error *err) {
    size_t axes = pca->rank < 2 ? pca->rank : 2;
    es_matrix flat = {0};
    if (axes == 0)
        return ES_OK;
    for (size_t a = 0; a < axes; a++) {
        fix_sign(pca->axis + a * pca->d, pca->d);
        map->share[a] = pca->var[a] / pca->total;
    }
    es_status st = es_pca_project(pca, centred, axes, &flat, err);
    for (size_t i = 0; st == ES_OK && i < map->n; i++) {
        map->x[i] = flat.x[i * axes];
        map->y[i] = axes > 1 ? flat.x[i * axes + 1] : 0;
    }
    es_matrix_free(&flat);
    return st;
}

es_status es_row_map_new(const es_matrix *rows, es_row_map *out, es_error *err) {
    es_row_map map = {.n = rows->n, .share = {(double)NAN, (double)NAN}};
    es_matrix centred = {0};
    es_pca pca = {0};
    es_status st = ES_OK;
    if (rows->n < 2)
        return es_fail(err, ES_EINVAL, "%zu rows make no map", rows->n);
    map.x = es_alloc_zero(rows->n, 2 * sizeof *map.x);
    ES_FAIL_IF(!map.x, es_no_memory_for(err, "%zu rows", rows->n));
    map.y = map.x + rows->n;
    ES_TRY(es_matrix_centred(rows, &centred, NULL, err));
    ES_TRY(es_pca_new(&centred, 2, &pca, err));
    ES_TRY(project_rows(&pca, &centred, &map, err));
    *out = map;
    map.x = NULL;
done:
    es_pca_free(&pca);
    es_matrix_free(&centred);
    es_free(map.x);
    return st;
}

void es_row_map_free(es_row_map *map) {
    es_free(map->x);
    *map = (es_row_map){0};
}
