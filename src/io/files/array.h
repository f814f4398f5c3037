/* A 2-D numeric array as a file holds it: any of these types, byte orders and layouts, read as
 * double. A value type; its bytes belong to a map (es_map) that must outlive it, or to itself (from
 * csv). Reading does not change it: any number of threads may share one. Pages of a map that have
 * been read are let go again every few megabytes, so that a large file does not fill the memory. */
#ifndef EMBEDSCOPE_ARRAY_H
#define EMBEDSCOPE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

typedef enum es_dtype {
    ES_DTYPE_BOOL,
    ES_DTYPE_I8,
    ES_DTYPE_I16,
    ES_DTYPE_I32,
    ES_DTYPE_I64,
    ES_DTYPE_U8,
    ES_DTYPE_U16,
    ES_DTYPE_U32,
    ES_DTYPE_U64,
    ES_DTYPE_F16,  /* IEEE 754 half */
    ES_DTYPE_BF16, /* upper half of a float */
    ES_DTYPE_F32,
    ES_DTYPE_F64,
    ES_DTYPE_COUNT
} es_dtype;

const char *es_dtype_name(es_dtype dtype); /* as NumPy says: "float32", "uint8", "bool" */
size_t es_dtype_size(es_dtype dtype);      /* bytes of one element */

typedef struct es_array {
    const unsigned char *data; /* first element; no alignment is needed */
    size_t n, d;               /* rows, columns; both in 1..ES_ARRAY_MOST */
    es_dtype dtype;
    bool big_endian; /* false for one-byte types */
    bool fortran;    /* columns are contiguous */
    bool bits;       /* columns are the bits of bytes, the highest first; d is a multiple of 8 */
    unsigned char flips;        /* bits that are turned over: the highest of bytes with a sign */
    double *owned;              /* the bytes, when they are this array's own; else NULL */
    struct es_map_watch *watch; /* of the map that holds them; NULL: none does */
} es_array;

/* Rows and columns are counted in 31 bits, because BLAS does. */
#define ES_ARRAY_MOST ((size_t)INT32_MAX)

/** Check a shape against the bytes there are: ES_EFORMAT with a message that does not name the file
 *  (prefix it) for zero or too many rows or columns and for too few bytes. */
es_status es_array_check(uint64_t n, uint64_t d, es_dtype dtype, size_t available, es_error *err);

/** True where the most significant byte of a number comes first in memory. */
bool es_host_is_big_endian(void);

/** An array that owns `values` (n, d), allocated by es_alloc. */
es_array es_array_own(double *values, size_t n, size_t d);
void es_array_deinit(es_array *array); /* frees owned values; all zero bytes is allowed */

/** Take the bytes of a uint8 or int8 array for eight columns of 0 and 1 each, as np.packbits makes
 *  them. Of int8 the highest bit is turned over, as who shifts packed bits by 128 does.
 * ES_EUNSUPPORTED, without the file's name: other types, or more columns than are read. */
es_status es_array_unpack_bits(es_array *array, es_error *err);
/** Do the bytes of an array look like packed bits? By up to 4,096 rows. ES_ENOMEM. */
es_status es_array_looks_packed(const es_array *array, bool *out, es_error *err);
/** Bytes of all values as they lie in the file. */
size_t es_array_bytes(const es_array *array);

/** Convert rows to double: out (count, d) row-major. `rows` lists them (each below n, any order,
 *  repeats allowed), or is NULL for the first `count`. Exact for every type but 64-bit integers
 *  beyond 2^53, which are rounded to nearest. NaN and infinities pass through, and so do
 * subnormal numbers, also in a thread that flushes them. O(count d). */
void es_array_read(const es_array *array, const uint32_t *rows, size_t count, double *out);

/** The same for the rows start .. start + count - 1. */
void es_array_read_range(const es_array *array, size_t start, size_t count, double *out);

/** A row with the values of an earlier one. */
typedef struct es_copy {
    uint32_t row, of; /* the first such row */
} es_copy;

/** What one pass over an array tells. Rows with a NaN or an infinity are counted and listed, and
 * left out of everything below them. */
typedef struct es_array_stats {
    size_t rows;     /* looked at */
    size_t bad_rows; /* with non-finite values */
    size_t first_row,
        first_column;       /* of the first such value, as rows of the array; else SIZE_MAX */
    double first_value;     /* it; 0 when there is none */
    uint32_t *bad_row_list; /* (bad_rows) rows of the array, in the order read; may be NULL if 0 */
    /* Hashes of the values of all rows, whatever type and layout hold them: the same for the same
     * rows in any order, and for the same rows in the same order. */
    uint64_t any_order[2], in_order[2];
    /* over the good rows: */
    size_t copies; /* rows whose values are those of an earlier one, */
    es_copy *copy; /* (copies) by their places among those read, ascending in `row` */
    size_t constant_columns;
    bool *constant;            /* (d) all values equal (also when there is only one row, or none) */
    double *mean, *sd;         /* (d) sd with divisor N, as np.std; NaN without a good row */
    double norm_mean, norm_sd; /* of the rows' Euclidean norms; NaN without a good row */
    size_t zero_rows;          /* all values 0 */
} es_array_stats;

/** Fill *out (release with es_array_stats_deinit). `rows` and `count` as in es_array_read. Means
 * and deviations by Welford's update in double: a large common offset costs no digits. Values
 * beyond about 1e150 overflow when squared and give an infinite or NaN sd; callers check.
 *  ES_ECANCELED through run, ES_ENOMEM. O(count d), memory O(count + d). */
es_status es_array_scan(const es_array *array, const uint32_t *rows, size_t count, es_run *run,
                        es_array_stats *out, es_error *err);
void es_array_stats_deinit(es_array_stats *stats);

#endif
