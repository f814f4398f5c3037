/* Comma- and tab-separated files of numbers. How quotes, blanks and line ends are taken: table.h.
 */
#ifndef ES_IO_TABLE_ARRAY_H
#define ES_IO_TABLE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "array.h"
#include "converted.h"
#include "file.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** A table of numbers as an array, float64, without data, for es_table_fill. Cells are parted by
 * commas, by tabs where the path ends in .tsv, or by semicolons where the first line is; then
 * numbers may have decimal commas. The first row is a header if it holds text, or if it counts 0,
 * 1, 2 ... over three columns or more, as pandas writes it. The first column holds ids where its
 * cells are texts, or its header says "id" or the like; where a header's first cell is empty and
 * the column holds numbers, it is an index and left out. Goes through the file once, looking at
 * line ends and first cells. Errors as es_table_parse, and ES_ECANCELED through run. */
es_status es_table_tensors(const es_map *map, const char *path, es_run *run, es_tensors *out,
                           es_error *err);
/** Its numbers; empty cells become NaN; text below the header is ES_EFORMAT naming line and column.
 */
es_fill es_table_fill;
/** Both at once: an array that owns its values (es_array_deinit). */
es_status es_table_array(const void *data, size_t size, const char *path, es_run *run,
                         es_array *out, es_error *err);

/** Reports whether a file's name is another table's: scores.csv, rows.csv, labels.csv, ... */
bool es_table_is_other(const char *path);

/** Does a file that nobody named look like a matrix? Its first rows hold numbers alone, but for a
 *  header and a column of ids: at least 3 of them without a header or under one that counts
 *  ("0", "1" ... or "x1", "x2" ...), 8 under other names. Never one whose name is another table's:
 *  scores.csv, rows.csv, labels.csv ..., nor one about models (table_kind.h). */
bool es_table_looks(const es_map *map, const char *path);

#endif
