/* Vectors in a .json file, which is no format of embedders: what holds some is reported, with the
 * line that makes a .npy or .jsonl of it, and not skipped as a file about something. */
#ifndef ES_IO_JSON_ROWS_H
#define ES_IO_JSON_ROWS_H

#include "io_files.h"

typedef enum es_json_rows {
    ES_JSON_NO_ROWS,      /* settings, a document of this program, no JSON */
    ES_JSON_LIST_OF_ROWS, /* [[1, 2], [3, 4]] */
    ES_JSON_OBJECTS,      /* [{"id": "a", "embedding": [1, 2]}, ...] */
    ES_JSON_BY_ID,        /* {"a": [1, 2], "b": [3, 4], "c": [5, 6]} */
    ES_JSON_OTHER_ROWS    /* vectors of one length somewhere in it */
} es_json_rows;

/** By the first two vectors in succession, of one length of at least two numbers, within its first
 *  megabyte; under the keys of an object by three. */
es_json_rows es_json_rows_of(const es_map *map);

#endif
