/* Tables of numbers that are no embedders, by their names: what this program writes with -o beside
 * the matrices it has read is not to be read as one of them. */
#ifndef ES_IO_TABLE_KIND_H
#define ES_IO_TABLE_KIND_H

#include "file.h"

typedef enum es_table_kind {
    ES_TABLE_UNKNOWN,  /* an embedder perhaps */
    ES_TABLE_OF_PAIRS, /* its rows are called as its columns: `embedscope matrix`, similarities */
    ES_TABLE_OF_MODELS /* its first column is called "model", "task", "rank" or the like */
} es_table_kind;

/** By the first row and the first cells of the next ones. */
es_table_kind es_table_kind_of(const es_map *map, const char *path);

#endif
