/* Tables with a vector in a cell, as pandas writes a column of lists: "[0.1, 0.2, ...]" beside
 * texts and numbers. Numbers in it are parted by commas or, as NumPy prints them, by blanks. */
#ifndef ES_IO_LIST_TABLE_H
#define ES_IO_LIST_TABLE_H

#include <stdbool.h>

#include "converted.h"
#include "file.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** Reports whether the first row below a header has such a cell, of two numbers at least. */
bool es_list_table_looks(const es_map *map, const char *path);
/** One array, float64, without data: the column "embedding", "vector" or the like, else the first
 *  one of lists; a note says which where there are several. Ids are a column headed so that tells
 *  the rows apart, else an index; columns of labels go to tensors.label. ES_EFORMAT naming the
 * line: a row whose list has another length, or was cut short ("..."); es_cells_read's errors. */
es_status es_list_table_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                              es_error *err);
es_fill es_list_table_fill;

#endif
