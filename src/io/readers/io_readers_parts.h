/* Formats that the table of formats calls. */
#ifndef ES_IO_READERS_PARTS_H
#define ES_IO_READERS_PARTS_H

#include "io_readers.h"

/* HDF5 (.h5, .hdf5) and AnnData (.h5ad), where libhdf5 was found when the program was built.
 *
 * Every dataset of two dimensions of numbers is an embedder, NAME/PATH where there are several; a
 * dataset `ids` of texts or numbers at the top, a list or one column, says who the rows are. Of
 * AnnData X and what lies in obsm are taken, with the names of the observations as ids. Contiguous
 * values of the usual types are used where they lie; others are read by the library.
 *
 * The library is not made for hostile files, so it works in a process of its own: whatever happens
 * to it there is an error here. */

/** All datasets of two dimensions; what cannot be used has `skipped` set. ES_EFORMAT: no HDF5 file,
 *  or one that the library fails on; ES_ECANCELED through run. Linked and external datasets and
 *  datasets of other files are not followed. */
es_status es_hdf5_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                        es_error *err);

/** The values of one, chunk by chunk. */
es_fill es_hdf5_fill;

/* What the process that reads HDF5 says to the one that asked: records through a pipe. */

typedef enum es_hdf5_kind {
    ES_HDF5_ARRAY,   /* text: its path */
    ES_HDF5_SKIPPED, /* text: its path, NUL, the reason */
    ES_HDF5_ID,      /* text: of the next row, or of the list that was begun last */
    ES_HDF5_LIST,    /* text: its path; of one that may be of ids under another name */
    ES_HDF5_NOTE,    /* text: what whoever takes the file has to know */
    ES_HDF5_FAILED,  /* text: why */
    ES_HDF5_END
} es_hdf5_kind;

typedef struct es_hdf5_record {
    uint32_t kind, dtype, big_endian, fortran;
    uint32_t length, unused; /* length: of the text behind the record */
    uint64_t n, d;
    uint64_t offset; /* in the file, of values that can be used where they lie; else UINT64_MAX */
} es_hdf5_record;

enum { ES_HDF5_NO_MEMORY = 6 }; /* what the process ends with when it has run out of it */

/** Load the library, once, before a process is started that uses it. False: it is not there. */
bool es_hdf5_load(void);

/** In the new process: write records of all that lies in the file to `fd`; or, where member is not
 *  SIZE_MAX, the values of the array of that number alone, raw. `size`: bytes of the file. Does not
 *  return. */
_Noreturn void es_hdf5_walk(const char *path, uint64_t size, size_t member, int fd);

/* JSON lines: an object a row, {"id": "doc-17", "embedding": [0.1, ...]}, or a bare array. The
 * vector stands under "embedding", "embeddings", "vector" or "values", else under the only member
 * of the first line that is an array of numbers; the id under "id", "_id", "doc_id", "key", "name"
 * or "token", as a text or a number. Other members are skipped. */

/** Does it begin with a line that holds a vector? Looks at the first line alone. */
bool es_jsonl_looks(const es_map *map, const char *path);

/** One array (rows, numbers of the first line), float64, without data, with ids where the first
 * line has one. Goes through the file once, by far faster than reading its numbers. ES_EFORMAT
 * naming the line: no JSON object with a vector, a vector that cannot be as long as the first. */
es_status es_jsonl_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                         es_error *err);

/** Its numbers; null is NaN. ES_EFORMAT naming line and what was found. */
es_fill es_jsonl_fill;

/* Tables with a vector in a cell, as pandas writes a column of lists: "[0.1, 0.2, ...]" beside
 * texts and numbers. Numbers in it are parted by commas or, as NumPy prints them, by blanks. */

/** Reports whether the first row below a header has such a cell, of two numbers at least. */
bool es_list_table_looks(const es_map *map, const char *path);
/** One array, float64, without data: the column "embedding", "vector" or the like, else the first
 *  one of lists; a note says which where there are several. Ids are a column headed so that tells
 *  the rows apart, else an index; columns of labels go to tensors.label. ES_EFORMAT naming the
 * line: a row whose list has another length, or was cut short ("..."); es_cells_read's errors. */
es_status es_list_table_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                              es_error *err);
es_fill es_list_table_fill;

/* Comma- and tab-separated files of numbers. How quotes, blanks and line ends are taken: io.h.
 */

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

/** Does a file that nobody named look like a matrix? Its first rows hold numbers alone, except a
 *  header and a column of ids: at least 3 of them without a header or under one that counts
 *  ("0", "1" ... or "x1", "x2" ...), 8 under other names. Never one whose name is another table's:
 *  scores.csv, rows.csv, labels.csv ..., nor one about models (io_readers.h). */
bool es_table_looks(const es_map *map, const char *path);

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
