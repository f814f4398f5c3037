/* Recognises files by their first bytes, whatever they are called. */
#ifndef EMBEDSCOPE_FORMAT_H
#define EMBEDSCOPE_FORMAT_H

#include <stdbool.h>

#include "file.h"
#include "embedscope/status.h"

typedef enum es_format {
    ES_FORMAT_UNKNOWN,
    ES_FORMAT_EMPTY,
    ES_FORMAT_NPY,
    ES_FORMAT_SAFETENSORS,
    ES_FORMAT_TEXT,   /* printable from the start: csv, json, a web page */
    ES_FORMAT_TORCH,  /* PyTorch archive (zip) or its older pickle */
    ES_FORMAT_PICKLE, /* any other Python pickle */
    ES_FORMAT_NPZ,    /* zip of .npy */
    ES_FORMAT_ZIP,
    ES_FORMAT_HDF5,
    ES_FORMAT_GZIP,
    ES_FORMAT_ZSTD,
    ES_FORMAT_XZ,
    ES_FORMAT_PARQUET,
    ES_FORMAT_ARROW,
    ES_FORMAT_MAT,          /* MATLAB's, up to version 7 */
    ES_FORMAT_ARROW_STREAM, /* Arrow without a table of contents, as datasets are saved */
    ES_FORMAT_FRAME,        /* a pickled pandas frame */
    ES_FORMAT_ESM,          /* a PyTorch archive of one protein */
    ES_FORMAT_OBJECTS,      /* Python objects in .npy */
    ES_FORMAT_FASTTEXT,     /* a fastText model */
    ES_FORMAT_POINTER,      /* what Git LFS leaves in place of a file */
    ES_FORMAT_ANNEX,        /* what git-annex leaves */
    ES_FORMAT_HTML,
    ES_FORMAT_XML,
    /* by the ending of the name alone: */
    ES_FORMAT_FAISS,   /* an index */
    ES_FORMAT_NUMBERS, /* float32 without a header */
    ES_FORMAT_FBIN,    /* two int32, rows and columns, then float32; the next two alike */
    ES_FORMAT_U8BIN,
    ES_FORMAT_I8BIN,
    ES_FORMAT_FVECS, /* a row each: int32, its length, then float32; the next alike */
    ES_FORMAT_BVECS,
    ES_FORMAT_COUNT
} es_format;

es_format es_format_of(const es_map *map);
/** Returns the format that a name's ending alone stands for; ES_FORMAT_UNKNOWN: none does. */
es_format es_format_by_name(const char *path);

/** Is a path fit to stand, within quotes or without, in a command that somebody will paste? */
bool es_path_is_plain(const char *path);
/** ES_EUNSUPPORTED (ES_EFORMAT for what is empty or unknown) with one line that says what `path` is
 *  and, where there is one, the command that converts it. A path with unusual characters is
 * replaced in the command by a placeholder, since people paste it into a shell. `wanted` is what
 * was expected, e.g. "an .npy file". */
es_status es_format_refuse(es_format format, const char *path, const char *wanted, es_error *err);

#endif
