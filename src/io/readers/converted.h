/* Values of files that cannot be used where they lie: text, packed arrays. Small ones are kept in
 * memory. Larger ones are written once into a folder of the user's,
 * $XDG_CACHE_HOME/embedscope/converted (default ~/.cache), as .npy files that are mapped like any
 * other, so that a pool may be larger than memory whatever its format. A file there is named by the
 * digest of all bytes of the source, so it can never stand for another content, and ends with that
 * of its values, so that damage is seen and the values made again; it may be removed at any time,
 * and goes by itself when it was not used for a month. */
#ifndef ES_IO_CONVERTED_H
#define ES_IO_CONVERTED_H

#include <stddef.h>

#include "file.h"
#include "id_column.h"
#include "lines.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

enum { ES_CONVERTED_IN_MEMORY = 2 << 20 }; /* bytes of values up to which they stay in memory */

/** One array to be filled. */
typedef struct es_filling {
    const es_map *map; /* the source */
    const char *path;  /* its, for messages */
    const es_tensor *tensor;
    es_run *run;
    unsigned char *out;         /* (n, d) of the tensor's type, in its byte order and layout */
    struct es_map_watch *watch; /* of `out`; NULL: in memory */
} es_filling;

/** Write all values of f->tensor to f->out, calling es_filling_wrote on the way. How far it is, and
 * whether it was cancelled, is said and asked where the source is read: es_reading. */
typedef es_status es_fill(const es_filling *f, es_error *err);

/** So many more bytes were written, of a row say: their pages are let go now and then. */
void es_filling_wrote(const es_filling *f, size_t bytes);

/** The one matrix of doubles that a text file holds, its values to come; or `st`, what went wrong
 *  before. Takes `ids` (may be NULL) and `tensor`. ES_EFORMAT, ES_ENOMEM as es_array_check. */
es_status es_text_matrix(es_status st, const char *path, size_t n, size_t d, es_row_ids *ids,
                         es_tensor *tensor, es_tensors *out, es_error *err);
/** Offers a first column that may be ids to the pool (tensors->maybe). heading: NULL without one.
 *  *tensors is released on failure. ES_ENOMEM. */
es_status es_column_ids_offer(es_column_ids *column, const char *heading, es_tensors *tensors,
                              es_error *err);
/** After the last of `rows` rows were filled from lines. ES_ECANCELED; ES_EIO: there are fewer now
 *  than when it was looked at. */
es_status es_text_ended(const es_filling *f, const es_lines *lines, size_t rows, es_error *err);

/** Give every tensor that has neither data nor a reason to be skipped its values. `format` tells
 *  readers apart: the same bytes mean other values to another. ES_EIO: no room in the folder, with
 *  what to do; ES_ECANCELED; ES_ENOMEM; the filler's errors. Cost: the source is read once to name
 *  it and its converted values to verify them, or the source twice more where it was never
 * converted before. */
es_status es_convert(const es_map *map, const char *path, const char *format, es_fill *fill,
                     es_run *run, es_tensors *tensors, es_error *err);

#endif
