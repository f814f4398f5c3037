/* .safetensors: a JSON header, then the tensors' bytes
 * (https://github.com/huggingface/safetensors). Little-endian, C order. */
#ifndef EMBEDSCOPE_SAFETENSORS_H
#define EMBEDSCOPE_SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array.h"
#include "file.h"
#include "json.h"
#include "row_ids.h"
#include "embedscope/status.h"

/** One array of a file. */
typedef struct es_tensor {
    char *name; /* within the file, cleaned; NULL where the format has one array without a name */
    es_array array;  /* 2-D; all zero bytes when skipped; data is NULL until its values are made */
    char *skipped;   /* why it cannot be an embedder, one line; NULL when it can */
    es_row_ids *ids; /* its own, an id a row; NULL when the file has none */
    es_map map;      /* its own, of values that do not lie in the file as they are used */
    size_t member;   /* the reader's own: where in the file */
    /* Bytes in the file with a checksum, the array among them, which nobody has compared yet (of an
     * array that is used where it lies); NULL: there is none. */
    const unsigned char *summed;
    size_t summed_size;
    uint32_t crc; /* CRC-32 */
} es_tensor;

/** A text for every row of a matrix in a file. */
typedef struct es_named_list {
    char *name; /* of the array or column, cleaned; NULL: a column without a heading */
    es_row_ids *ids;
    bool column; /* the first column of the file's only matrix, which is among its values */
} es_named_list;

void es_named_lists_free(es_named_list *list, size_t count); /* NULL is allowed */

typedef struct es_tensors {
    es_tensor *items;
    size_t count;
    es_named_list *maybe; /* (n_maybe) lists that may say which row is which, although their names
                             do not: no two of their texts are alike; none where the file names its
                             ids */
    size_t n_maybe;
    es_named_list *label; /* (n_labels) columns of labels, which are no values */
    size_t n_labels;
    es_row_ids *ids; /* of the rows of all that have as many; owned (es_row_ids_free); NULL: none */
    char *note;      /* how it was read, where that is not plain: one line; NULL: nothing to say */
} es_tensors;

void es_tensors_deinit(es_tensors *tensors); /* all zero bytes is allowed */
/** Ids that a file says are those of all its rows: a copy to every matrix that has as many; where
 *  none has, they become tensors->ids, for the caller to refuse. Takes them from `ids`. ES_ENOMEM.
 */
es_status es_tensors_share_ids(es_tensors *tensors, es_row_ids *ids, es_error *err);

/** Adds a list under a name (copied; NULL: a column without a heading) to tensors->maybe, if it
 * tells the rows of a matrix of several columns apart; *added false: it does not. Takes the ids if
 * it is added. ES_ENOMEM. */
es_status es_tensors_add_maybe(es_tensors *tensors, const char *name, bool column, es_row_ids *ids,
                               bool *added, es_error *err);
/** Removes an array: a list of ids is none of values. */
void es_tensors_drop(es_tensors *tensors, size_t place);
/** Takes the first column of the only matrix as its ids, as tensors->maybe says it may be; its
 *  values, which are not made yet, are without it then. Nothing happens without such a column. */
void es_tensors_take_column(es_tensors *tensors);

/** All tensors of a mapped file in the header's order; arrays point into `map`, which must outlive
 *  them. F16 BF16 F32 F64, I8 to I64, U8 to U64 and BOOL of two dimensions are usable, others come
 *  with `skipped` set. ES_EFORMAT: a malformed header, or a tensor whose bytes lie outside the
 * file, differ from its shape, or overlap another's; ES_EUNSUPPORTED: another format under this
 * name. `path` is for messages. O(header), sorted once. Ids of the rows are taken from "ids" in
 * "__metadata__": a JSON array, or an id a line; else from a tensor `ids` of numbers, 1-D or one
 * column, beside others. A file of vectors alone, of one length and type, is one matrix: a row a
 * tensor, whose name is its id. */
es_status es_safetensors_parse(const es_map *map, const char *path, es_tensors *out, es_error *err);

/** The header alone, checked for its length; its object "__metadata__" holds texts. */
es_status es_safetensors_header(const es_map *map, const char *path, es_json_doc **out,
                                es_error *err);

/** A matrix to write: one of the two, row-major. */
typedef struct es_tensor_out {
    const char *name;
    const float *floats;   /* (rows, columns), F32 */
    const double *doubles; /* F64, where floats is NULL */
    size_t rows, columns;
} es_tensor_out;

typedef struct es_tensor_note {
    const char *key, *text;
} es_tensor_note;

/** Write tensors (count) with notes (n_notes) as "__metadata__", atomically and for the user only.
 *  Errors as es_file_replace; ES_ENOMEM. */
es_status es_safetensors_write(const char *path, const es_tensor_out *tensors, size_t count,
                               const es_tensor_note *notes, size_t n_notes, es_error *err);

#endif
