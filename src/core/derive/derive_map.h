/* A linear map of derive.h, found in passes over the rows of an embedder and applied to a few rows
 * at a time, so that no matrix is held. es_derive_matrix is its plain twin. */
#ifndef ES_CORE_DERIVE_MAP_H
#define ES_CORE_DERIVE_MAP_H

#include "derive.h"
#include "estimator.h"
#include "pca.h"
#include "run.h"

enum { ES_DERIVE_BLOCK = 512 }; /* rows at a time */

typedef struct es_derive_map {
    es_derive how;
    size_t n, d, out; /* rows; columns before and after */
    double *mean;     /* (d) taken off first; NULL: none is */
    es_pca pca;       /* axes that are taken out or kept */
    double *axes;     /* (d, out) random ones; NULL: none */
} es_derive_map;

/** Of all rows. As es_derive_matrix has it, errors too. With fewer rows than columns, principal
 * axes are found of a matrix that is held meanwhile. */
es_status es_derive_map_new(const es_rows *rows, const es_derive *how, const es_run *run,
                            es_derive_map *out, es_error *err);
void es_derive_map_free(es_derive_map *map); /* all zero bytes is allowed */

/** x (count, d), which is overwritten, to y (count, map->out), count <= ES_DERIVE_BLOCK. */
es_status es_derive_map_apply(const es_derive_map *map, double *x, size_t count, double *y,
                              es_error *err);

/** Bytes at most while it is found and applied. */
double es_derive_map_bytes(size_t n, size_t d, const es_derive *how);

#endif
