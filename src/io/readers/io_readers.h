/* Files of embedders, by the endings of their names. */
#ifndef ES_IO_READERS_H
#define ES_IO_READERS_H

#include "cmim_train.h"
#include "core_derive.h"
#include "io.h"
#include "io_files.h"

/* Trained embedders as files: .safetensors with one tensor for each weight, and in its metadata
 * what it takes to use them, so that Python can. Training that is not over is kept in the same form
 * with the rest of its state.
 *
 * Tensors: the weights by name (cmim.h; a bias is one row), F32; "columns" (3, d), F64: which
 * column of the input, shift and factor, so that a network takes (x[column] - shift) * factor;
 * "curve" (points, 8), F64: step, loss, reconstruction, contrastive, log_q, log_p, cosine,
 * validation. */

typedef struct es_cmim_model {
    char *name;
    double values[ES_CMIM_SETTINGS_MOST]; /* the recipe, with the k and batch that were used */
    uint64_t seed;
    char *sources; /* what it was trained on, a JSON array of objects "name", "digest", "columns" */
    es_cmim_shape shape;
    es_cmim_columns columns;
    size_t n_params;
    float *param; /* (n_params) in the order of es_cmim_tensors */
    size_t step, best_step;
    double best_loss;
    es_cmim_point *curve; /* (n_points) */
    size_t n_points;
    /* of training that is not over; NULL: it is */
    float *moment1, *moment2, *best; /* (n_params) */
} es_cmim_model;

void es_cmim_model_deinit(es_cmim_model *model); /* all zero bytes is allowed */

/** Atomically; errors as es_file_replace. */
es_status es_cmim_model_write(const char *path, const es_cmim_model *model, es_error *err);

/** ES_ENOTFOUND, ES_EIO; ES_EFORMAT: not such a file, or one whose parts do not fit each other. */
es_status es_cmim_model_read(const char *path, es_cmim_model *out, es_error *err);

/** Writes a linear map of kind ES_DERIVE_NONE, ES_DERIVE_FIRST or ES_DERIVE_PCA with its levels as
 *  .safetensors, so that new rows can be mapped; `source`: the name of what it was fitted on.
 *  Atomically; errors as es_file_replace. */
es_status es_map_file_write(const char *path, const es_derive_map *map, const char *source,
                            es_error *err);
/** Reads such a file: out for es_derive_map_apply, to be freed. *is_map false, with ES_OK and
 *  nothing read: its metadata say that it is something else. ES_ENOTFOUND, ES_EIO; ES_EFORMAT: no
 *  .safetensors, or parts that do not fit each other. */
es_status es_map_file_read(const char *path, es_derive_map *out, bool *is_map, es_error *err);

/* .safetensors: a JSON header, then the tensors' bytes
 * (https://github.com/huggingface/safetensors). Little-endian, C order. */

/** One array of a file. */
typedef struct es_tensor {
    char *name; /* within the file, cleaned; NULL where the format has one array without a name */
    es_array array;  /* 2-D; all zero bytes when skipped; data is NULL until its values are made */
    char *skipped;   /* why it cannot be an embedder, one line; NULL when it can */
    es_row_ids *ids; /* its own, an id a row; NULL when the file has none */
    es_map map;      /* its own, of values that do not lie in the file as they are used */
    size_t member;   /* the reader's own: where in the file */
    /* Bytes in the file with a checksum, the array among them, which nobody has compared yet (of an
     * array that is used where it lies); NULL: there is none. */
    const unsigned char *summed;
    size_t summed_size;
    uint32_t crc; /* CRC-32 */
} es_tensor;

/** A text for every row of a matrix in a file. */
typedef struct es_named_list {
    char *name; /* of the array or column, cleaned; NULL: a column without a heading */
    es_row_ids *ids;
    bool column; /* the first column of the file's only matrix, which is among its values */
} es_named_list;

void es_named_lists_free(es_named_list *list, size_t count); /* NULL is allowed */

typedef struct es_tensors {
    es_tensor *items;
    size_t count;
    es_named_list *maybe; /* (n_maybe) lists that may say which row is which, although their names
                             do not: no two of their texts are alike; none where the file names its
                             ids */
    size_t n_maybe;
    es_named_list *label; /* (n_labels) columns of labels, which are no values */
    size_t n_labels;
    es_row_ids *ids; /* of the rows of all that have as many; owned (es_row_ids_free); NULL: none */
    char *note;      /* how it was read, where that is not plain: one line; NULL: nothing to say */
} es_tensors;

void es_tensors_deinit(es_tensors *tensors); /* all zero bytes is allowed */
/** Ids that a file says are those of all its rows: a copy to every matrix that has as many; where
 *  none has, they become tensors->ids, for the caller to refuse. Takes them from `ids`. ES_ENOMEM.
 */
es_status es_tensors_share_ids(es_tensors *tensors, es_row_ids *ids, es_error *err);

/** Adds a list under a name (copied; NULL: a column without a heading) to tensors->maybe, if it
 * tells the rows of a matrix of several columns apart; *added false: it does not. Takes the ids if
 * it is added. ES_ENOMEM. */
es_status es_tensors_add_maybe(es_tensors *tensors, const char *name, bool column, es_row_ids *ids,
                               bool *added, es_error *err);
/** Removes an array: a list of ids is none of values. */
void es_tensors_drop(es_tensors *tensors, size_t place);
/** Takes the first column of the only matrix as its ids, as tensors->maybe says it may be; its
 *  values, which are not made yet, are without it then. Nothing happens without such a column. */
void es_tensors_take_column(es_tensors *tensors);

/** All tensors of a mapped file in the header's order; arrays point into `map`, which must outlive
 *  them. F16 BF16 F32 F64, I8 to I64, U8 to U64 and BOOL of two dimensions are usable, others come
 *  with `skipped` set. ES_EFORMAT: a malformed header, or a tensor whose bytes lie outside the
 * file, differ from its shape, or overlap another's; ES_EUNSUPPORTED: another format under this
 * name. `path` is for messages. O(header), sorted once. Ids of the rows are taken from "ids" in
 * "__metadata__": a JSON array, or an id a line; else from a tensor `ids` of numbers, 1-D or one
 * column, beside others. A file of vectors alone, of one length and type, is one matrix: a row a
 * tensor, whose name is its id. */
es_status es_safetensors_parse(const es_map *map, const char *path, es_tensors *out, es_error *err);

/** The header alone, checked for its length; its object "__metadata__" holds texts. */
es_status es_safetensors_header(const es_map *map, const char *path, es_json_doc **out,
                                es_error *err);

/** A matrix to write: one of the two, row-major. */
typedef struct es_tensor_out {
    const char *name;
    const float *floats;   /* (rows, columns), F32 */
    const double *doubles; /* F64, where floats is NULL */
    size_t rows, columns;
} es_tensor_out;

typedef struct es_tensor_note {
    const char *key, *text;
} es_tensor_note;

/** Write tensors (count) with notes (n_notes) as "__metadata__", atomically and for the user only.
 *  Errors as es_file_replace; ES_ENOMEM. */
es_status es_safetensors_write(const char *path, const es_tensor_out *tensors, size_t count,
                               const es_tensor_note *notes, size_t n_notes, es_error *err);

/* Values of files that cannot be used where they lie: text, packed arrays. Small ones are kept in
 * memory. Larger ones are written once into a folder of the user's,
 * $XDG_CACHE_HOME/embedscope/converted (default ~/.cache), as .npy files that are mapped like any
 * other, so that a pool may be larger than memory whatever its format. A file there is named by the
 * digest of all bytes of the source, so it can never stand for another content, and ends with that
 * of its values, so that damage is seen and the values made again; it may be removed at any time,
 * and goes by itself when it was not used for a month. */

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
 * whether it was cancelled, is reported and asked where the source is read: es_reading. */
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

/* Any file of embeddings, by the ending of its name.
 *
 * To add a format, write its parser in a file of its own and add a line to the table in
 * src/io/readers/loader.c; scanning of pools, messages and `info` follow from it. */

typedef struct es_loader {
    const char *ending; /* of the file's name, with its dot, lower case */
    const char *wanted; /* "an .npy file", for messages */
    /* Endings that may stand for anything (.csv, .txt): does this file look like embeddings? Where
     * pool.json names it, it is not asked. NULL: the ending says it. */
    bool (*looks)(const es_map *map, const char *path);
    /* All arrays by their headers: shapes, ids, and data where they can be used as they lie. NULL
     * for formats that are recognised and refused, so that nobody's file is skipped silently.
     */
    es_status (*load)(const es_map *map, const char *path, es_run *run, es_tensors *out,
                      es_error *err);
    es_fill *fill;     /* the values of arrays that `load` leaves without data (converted.c) */
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
 *  arrays: converted.c). ES_EUNSUPPORTED with a line to convert it for formats that are refused and
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

/* NumPy's .npz: a zip archive of .npy files, stored (np.savez) or deflated (np.savez_compressed).
 * What is stored is used where it lies. Every 2-D array of numbers is an embedder; an array `ids`
 * of texts or numbers, 1-D or one column, says who the rows of all of them are. */

/** All arrays of a mapped archive in its order. Stored ones point into `map`; deflated ones come
 *  without data, for es_npz_fill. What is no 2-D array of numbers comes with `skipped` set.
 *  Archives above 4 GB (zip64) are read. ES_EFORMAT: no zip, a directory that does not fit the
 * file; ES_EUNSUPPORTED: another format under this name. O(directory). */
es_status es_npz_parse(const es_map *map, const char *path, es_tensors *out, es_error *err);

/** Unpack a deflated array; its checksum is compared. */
es_fill es_npz_fill;

/** Compare the checksum of a stored one, if it has any (es_tensor.summed): one pass over its bytes.
 *  ES_EFORMAT: it is wrong; ES_ECANCELED. */
es_status es_npz_verify(const es_tensor *tensor, const char *path, es_run *run, es_error *err);

/* Writes NumPy's .npz: a zip file of stored .npy members, which numpy.load reads and which lie in
 * it as they would in files of their own. The same arrays give the same bytes: no dates. */

enum { ES_NPZ_MEMBERS = 8, ES_NPZ_NAME = 32 };

typedef struct es_npz_member {
    char name[ES_NPZ_NAME];
    uint32_t crc, size, offset;
} es_npz_member;

/** `out` is borrowed and empty at first. Failed allocations show in it; what zip cannot hold (4 GB)
 *  is reported by es_npz_end. */
typedef struct es_npz {
    es_buf *out;
    size_t count;
    es_npz_member member[ES_NPZ_MEMBERS];
} es_npz;

/** values (n, d) row-major as little-endian float64; NaN stays NaN. `name` without ".npy". */
void es_npz_put_doubles(es_npz *npz, const char *name, const double *values, size_t n, size_t d);
/** (n) texts of clean UTF-8 as NumPy's unicode. */
void es_npz_put_texts(es_npz *npz, const char *name, const char *const *texts, size_t n);
/** The directory. ES_EINVAL: 4 GB or more; ES_ENOMEM. */
es_status es_npz_end(es_npz *npz, es_error *err);

/* Tables of numbers that are no embedders, by their names: what this program writes with -o beside
 * the matrices it has read is not to be read as one of them. */

typedef enum es_table_kind {
    ES_TABLE_UNKNOWN,  /* an embedder perhaps */
    ES_TABLE_OF_PAIRS, /* its rows are called as its columns: `embedscope matrix`, similarities */
    ES_TABLE_OF_MODELS /* its first column is called "model", "task", "rank" or the like */
} es_table_kind;

/** By the first row and the first cells of the next ones. */
es_table_kind es_table_kind_of(const es_map *map, const char *path);

/* Vectors in a .json file, which is no format of embedders: what holds some is reported, with the
 * line that makes a .npy or .jsonl of it, and not skipped as a file about something. */

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
