/* The rows of an embedder on a plane: their first two principal components (Darrin et al. 2024,
 * Figures 18 and 19, colour rows in such pictures by what captures them). */
#ifndef ES_CORE_ROW_MAP_H
#define ES_CORE_ROW_MAP_H

#include <stddef.h>

#include "matrix.h"

typedef struct es_row_map {
    size_t n;
    double *x, *y;   /* (n) along the first and the second axis; 0 where there is none */
    double share[2]; /* of the variance; NaN: there is none */
} es_row_map;

/** Of the rows, centred. The largest entry of each axis is positive, so that the same rows give the
 *  same picture. ES_EINVAL: fewer than 2 rows; es_pca_new's errors. */
es_status es_row_map_new(const es_matrix *rows, es_row_map *out, es_error *err);
void es_row_map_free(es_row_map *map);

#endif
