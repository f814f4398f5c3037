/* Any file of embeddings, by the ending of its name.
 *
 * To add a format, write its parser in a file of its own and add a line to the table in
 * src/io/readers/loader.c; scanning of pools, messages and `info` follow from it. */
#ifndef EMBEDSCOPE_LOADER_H
#define EMBEDSCOPE_LOADER_H

#include <stdbool.h>

#include "converted.h"
#include "file.h"
#include "format.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

typedef struct es_loader {
    const char *ending; /* of the file's name, with its dot, lower case */
    const char *wanted; /* "an .npy file", for messages */
    /* Endings that may stand for anything (.csv, .txt): does this file look like embeddings? Where
     * pool.json names it, it is not asked. NULL: the ending says it. */
    bool (*looks)(const es_map *map, const char *path);
    /* All arrays by their headers: shapes, ids, and data where they can be used as they lie. NULL
     * for formats that are recognised and refused, so that nobody's file is passed over in silence.
     */
    es_status (*load)(const es_map *map, const char *path, es_run *run, es_tensors *out,
                      es_error *err);
    es_fill *fill;     /* the values of arrays that `load` leaves without data (converted.h) */
    es_format refused; /* where load is NULL: what the ending says it is */
} es_loader;

/** The loader for a path, or NULL: no file of embeddings by its name. The case of the ending does
 * not matter. */
const es_loader *es_loader_find(const char *path);

/** What the stem of a file's name is without its loader's ending: length of the part before it. */
size_t es_loader_stem(const char *path);

/** Flag beside ES_FILE_NOFOLLOW: the first column of the file's matrix holds ids, as tensors.maybe
 *  said that it may. */
enum { ES_LOADED_IDS_FIRST = 1 << 8 };

/** A file with its arrays. */
typedef struct es_loaded {
    es_map map;
    es_tensors tensors; /* one without a name, or as many as the container holds */
} es_loaded;

/** Map a file and read its header, then the values of what cannot be used as it lies (text, packed
 *  arrays: converted.h). ES_EUNSUPPORTED with a line to convert it for formats that are refused and
 *  for paths without a loader; the parsers' errors. */
es_status es_loaded_open(const char *path, unsigned flags, es_run *run, es_loaded *out,
                         es_error *err);
/** The same without values: shapes, types and ids. Arrays whose data is NULL cannot be read. Costs
 *  no more than to go through a text file once. */
es_status es_loaded_head(const char *path, unsigned flags, es_run *run, es_loaded *out,
                         es_error *err);
/** es_map_is_whole and es_map_rest for all that is mapped. */
bool es_loaded_is_whole(const es_loaded *loaded);
void es_loaded_rest(const es_loaded *loaded);
void es_loaded_close(es_loaded *loaded); /* all zero bytes is allowed */

#endif
