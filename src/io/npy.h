/* NumPy's .npy: a header in the form of a Python literal, then the values
 * (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#ifndef EMBEDSCOPE_NPY_H
#define EMBEDSCOPE_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "array.h"
#include "file.h"
#include "row_ids.h"
#include "embedscope/status.h"

/** The 2-D array in a mapped .npy file; *out points into `map`, which must outlive it. Format 1.0,
 *  2.0 and 3.0, keys in any order and spacing; every es_dtype but bfloat16, either byte order, C or
 *  Fortran order. Bytes behind the data are ignored (es_npy_rest). `path` is for messages only.
 *  ES_EFORMAT: no .npy, a malformed or cut header, fewer bytes than the shape needs, an absurd
 * shape. ES_EUNSUPPORTED: another format under this name, objects, strings, structures, complex
 * numbers, times, or not 2-D; the message says how to convert. O(header); values are not looked at.
 */
es_status es_npy_parse(const es_map *map, const char *path, es_array *out, es_error *err);
/** Is it of dtype object: a dict or a list that NumPy has pickled? */
bool es_npy_holds_objects(const es_map *map);
/** The same of one vector, 1-D or of one row: *out is (1, values). */
es_status es_npy_parse_vector(const es_map *map, const char *path, es_array *out, es_error *err);

/** The same of a 3-D array in C order, as its first two axes joined: *out is (shape[0] * shape[1],
 *  shape[2]). */
es_status es_npy_parse_cube(const es_map *map, const char *path, size_t shape[3], es_array *out,
                            es_error *err);

/** The same of an array whose beginning alone is at hand, with all of the header: `head` of `total`
 *  bytes. *out has no data; *start is where in the file they begin. */
es_status es_npy_parse_head(const es_map *head, size_t total, const char *path, es_array *out,
                            size_t *start, es_error *err);

/** A 1-D array of texts or numbers, as ids are, or one of a single column. */
typedef struct es_npy_list {
    const unsigned char *data; /* in the map */
    size_t n, width;           /* items, bytes of each: width of 'U' is four a character */
    char kind;                 /* 'U', 'S', 'i', 'u' or 'f', as NumPy's */
    bool big_endian;
} es_npy_list;

enum { ES_NPY_WIDEST = 1 << 20 }; /* characters of a text */

/** ES_EUNSUPPORTED for arrays of anything else. The map may hold the beginning alone of `total`
 *  bytes, with all of the header: the items are not to be read then. */
es_status es_npy_parse_list(const es_map *map, size_t total, const char *path, es_npy_list *out,
                            es_error *err);
/** Its items as ids: whole numbers as 17, whatever their type. ES_ENOMEM. */
es_status es_npy_list_ids(const es_npy_list *list, es_row_ids *out, es_error *err);

/** Bytes behind the array that es_npy_parse found in `map`, and how many arrays of their own these
 *  begin with, as np.save appends them to an open file. */
size_t es_npy_rest(const es_map *map, const es_array *array, size_t *arrays);

/** Write values (n, d), row-major, as little-endian float32, atomically; `mode` as of
 *  es_file_replace. ES_ENONFINITE: a value that float32 cannot hold; ES_EIO as es_file_replace. */
es_status es_npy_write(const char *path, const double *values, size_t n, size_t d, unsigned mode,
                       es_error *err);

/** The same row by row, (n, d) in all. After a failure of `add` it is to be dropped, which leaves
 *  the old file; `end` drops by itself. `path` is borrowed until then. */
typedef struct es_npy_writer {
    es_replacing file;
    size_t d, rows; /* columns; rows so far */
    char *bytes;
} es_npy_writer;
es_status es_npy_begin(const char *path, size_t n, size_t d, unsigned mode, es_npy_writer *out,
                       es_error *err);
es_status es_npy_add(es_npy_writer *writer, const double *values, size_t rows, es_error *err);
es_status es_npy_end(es_npy_writer *writer, es_error *err);
void es_npy_drop(es_npy_writer *writer); /* all zero bytes is allowed */

enum { ES_NPY_HEADER = 192 /* room for one */ };

/** A header of format 1.0 for values in C order; returns its length, a multiple of 64. `type` as
 *  NumPy says it ("<f8", "<U12"), `shape` "3, 4" or "3,", less than 60 characters each. */
size_t es_npy_header(char out[ES_NPY_HEADER], const char *type, const char *shape);

#endif
