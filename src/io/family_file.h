/* families.csv: which embedders are of one origin, a line an embedder:
 *
 *     model,family
 *     bge-small,bge
 *
 * The first line holds headings, in any case and order: "model", "models", "model name", "name"
 * or "embedder"; "family", "families" or "group". Further columns are ignored, and so is markup
 * around names. A line without a family, or with a dash, says that its embedder has none. */
#ifndef ES_IO_FAMILY_FILE_H
#define ES_IO_FAMILY_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "file.h"
#include "embedscope/status.h"

typedef struct es_family_line {
    char *model, *family; /* cleaned; family "": none */
    size_t line;          /* in the file, from 1 */
} es_family_line;

typedef struct es_family_file {
    es_family_line *item; /* (count) in the file's order, each model once */
    size_t count;
    char label[ES_PATH_LABEL];
} es_family_file;

/** Reads a file. Names are cut to `most` bytes, 0: not. ES_ENOTFOUND: there is no such file.
 *  ES_EFORMAT names the line: a heading is missing, a line names no model, a model is there twice;
 *  errors of es_table_read_any. O(n log n). */
es_status es_family_file_read(const char *path, size_t most, es_family_file *out, es_error *err);
void es_family_file_deinit(es_family_file *file); /* all zero bytes is allowed */

/** Writes the file with other families for some models. Replaces it atomically, or makes it; all
 *  other lines and columns keep their cells.
 *  most: as above; model: (n) names; family: the new one of all, "" for none; blank: (n) with an
 * empty family, does the model keep a line that says so, or lose its line. Errors as
 * es_family_file_read and es_file_replace. */
es_status es_family_file_edit(const char *path, size_t most, const char *const *model,
                              const bool *blank, size_t n, const char *family, es_error *err);

#endif
