/* Writes NumPy's .npz: a zip file of stored .npy members, which numpy.load reads and which lie in
 * it as they would in files of their own. The same arrays give the same bytes: no dates. */
#ifndef ES_IO_NPZ_WRITE_H
#define ES_IO_NPZ_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "embedscope/status.h"

enum { ES_NPZ_MEMBERS = 8, ES_NPZ_NAME = 32 };

typedef struct es_npz_member {
    char name[ES_NPZ_NAME];
    uint32_t crc, size, offset;
} es_npz_member;

/** `out` is borrowed and empty at first. Failed allocations show in it; what zip cannot hold (4 GB)
 *  is told by es_npz_end. */
typedef struct es_npz {
    es_buf *out;
    size_t count;
    es_npz_member member[ES_NPZ_MEMBERS];
} es_npz;

/** values (n, d) row-major as little-endian float64; NaN stays NaN. `name` without ".npy". */
void es_npz_put_doubles(es_npz *npz, const char *name, const double *values, size_t n, size_t d);
/** (n) texts of clean UTF-8 as NumPy's unicode. */
void es_npz_put_texts(es_npz *npz, const char *name, const char *const *texts, size_t n);
/** The directory. ES_EINVAL: 4 GB or more; ES_ENOMEM. */
es_status es_npz_end(es_npz *npz, es_error *err);

#endif
