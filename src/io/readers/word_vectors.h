/* A vector a line of text, behind its token or alone, and word2vec's binary format.
 *
 *   word2vec, fastText:  "n d", then n lines "token v1 ... vd"
 *   GloVe:               the same without the first line
 *   np.savetxt:          "v1 ... vd": lines whose first field is a number throughout, and
 *                        comments behind '#'
 *   R's write.table:     a line of names, then the same, or behind a row name; texts in quotes
 *   binary:              "n d\n", then n times: token, blank, d little-endian float32
 *
 * The token is the row's id; it may hold blanks (GloVe's 840B has such). */
#ifndef ES_IO_WORD_VECTORS_H
#define ES_IO_WORD_VECTORS_H

#include <stdbool.h>

#include "converted.h"
#include "file.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** Lines of vectors or word2vec's binary format: of names that stand for either (.emb, .w2v). */
bool es_word_looks(const es_map *map, const char *path);
es_status es_word_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                        es_error *err);
es_fill es_word_fill;

/** Do its first lines hold as many numbers each, at least 3? */
bool es_word_text_looks(const es_map *map, const char *path);
/** One array, float64, without data. Goes through the file once and counts fields. ES_EFORMAT
 * naming the line: fewer fields than a row needs; other than the first line promised. */
es_status es_word_text_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                             es_error *err);
es_fill es_word_text_fill;

/** Does it begin as word2vec's binary format does, with counts that the file's size allows? */
bool es_word_binary_looks(const es_map *map, const char *path);
/** One array, float32, without data. ES_EFORMAT naming the row where the file ends too early. */
es_status es_word_binary_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                               es_error *err);
es_fill es_word_binary_fill;

#endif
