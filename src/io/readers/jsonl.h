/* JSON lines: an object a row, {"id": "doc-17", "embedding": [0.1, ...]}, or a bare array. The
 * vector stands under "embedding", "embeddings", "vector" or "values", else under the only member
 * of the first line that is an array of numbers; the id under "id", "_id", "doc_id", "key", "name"
 * or "token", as a text or a number. Other members are passed over. */
#ifndef ES_IO_JSONL_H
#define ES_IO_JSONL_H

#include <stdbool.h>

#include "converted.h"
#include "file.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** Does it begin with a line that holds a vector? Looks at the first line alone. */
bool es_jsonl_looks(const es_map *map, const char *path);

/** One array (rows, numbers of the first line), float64, without data, with ids where the first
 * line has one. Goes through the file once, by far faster than reading its numbers. ES_EFORMAT
 * naming the line: no JSON object with a vector, a vector that cannot be as long as the first. */
es_status es_jsonl_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                         es_error *err);

/** Its numbers; null is NaN. ES_EFORMAT naming line and what was found. */
es_fill es_jsonl_fill;

#endif
