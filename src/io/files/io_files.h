/* Mapped files, atomic replacement, JSON, arrays of numbers, digests. */
#ifndef ES_IO_FILES_H
#define ES_IO_FILES_H

#include "base.h"

/* A 2-D numeric array as a file holds it: any of these types, byte orders and layouts, read as
 * double. A value type; its bytes belong to a map (es_map) that must outlive it, or to itself (from
 * csv). Reading does not change it: any number of threads may share one. Pages of a map that have
 * been read are let go again every few megabytes, so that a large file does not fill the memory. */

typedef enum es_dtype {
    ES_DTYPE_BOOL,
    ES_DTYPE_I8,
    ES_DTYPE_I16,
    ES_DTYPE_I32,
    ES_DTYPE_I64,
    ES_DTYPE_U8,
    ES_DTYPE_U16,
    ES_DTYPE_U32,
    ES_DTYPE_U64,
    ES_DTYPE_F16,  /* IEEE 754 half */
    ES_DTYPE_BF16, /* upper half of a float */
    ES_DTYPE_F32,
    ES_DTYPE_F64,
    ES_DTYPE_COUNT
} es_dtype;

const char *es_dtype_name(es_dtype dtype); /* as NumPy says: "float32", "uint8", "bool" */
size_t es_dtype_size(es_dtype dtype);      /* bytes of one element */

typedef struct es_array {
    const unsigned char *data; /* first element; no alignment is needed */
    size_t n, d;               /* rows, columns; both in 1..ES_ARRAY_MOST */
    es_dtype dtype;
    bool big_endian; /* false for one-byte types */
    bool fortran;    /* columns are contiguous */
    bool bits;       /* columns are the bits of bytes, the highest first; d is a multiple of 8 */
    unsigned char flips;        /* bits that are turned over: the highest of bytes with a sign */
    double *owned;              /* the bytes, when they are this array's own; else NULL */
    struct es_map_watch *watch; /* of the map that holds them; NULL: none does */
} es_array;

/* Rows and columns are counted in 31 bits, because BLAS does. */
#define ES_ARRAY_MOST ((size_t)INT32_MAX)

/** Check a shape against the bytes there are: ES_EFORMAT with a message that does not name the file
 *  (prefix it) for zero or too many rows or columns and for too few bytes. */
es_status es_array_check(uint64_t n, uint64_t d, es_dtype dtype, size_t available, es_error *err);

/** True where the most significant byte of a number comes first in memory. */
bool es_host_is_big_endian(void);

/** An array that owns `values` (n, d), allocated by es_alloc. */
es_array es_array_own(double *values, size_t n, size_t d);
void es_array_deinit(es_array *array); /* frees owned values; all zero bytes is allowed */

/** Take the bytes of a uint8 or int8 array for eight columns of 0 and 1 each, as np.packbits makes
 *  them. Of int8 the highest bit is turned over, as who shifts packed bits by 128 does.
 * ES_EUNSUPPORTED, without the file's name: other types, or more columns than are read. */
es_status es_array_unpack_bits(es_array *array, es_error *err);
/** The longest row of those that set the scale of the columns: few that are over 20 times as long
 * as the median row, and hold most of the squares. */
typedef struct es_long_row {
    uint64_t row, more; /* more: how many further rows are like it */
    double times;       /* the length of the median row; 0: there are no such rows */
} es_long_row;

/** Looks at `rows` (n), or at the first n where it is NULL; out->row is a place among them.
 *  ES_ENOMEM. */
es_status es_array_find_long(const es_array *array, const uint32_t *rows, size_t n,
                             es_long_row *out, es_error *err);
/** Do the bytes of an array, of any type, look like packed bits? By up to 4,096 rows. *out: how
 * many bytes a value stands for, 0 if they do not. ES_ENOMEM. */
es_status es_array_looks_packed(const es_array *array, uint8_t *out, es_error *err);
/** Finds the first or last column if it holds a different whole number in every row, as ids do,
 *  while other columns hold fractions. *out SIZE_MAX: there is none. ES_ENOMEM. */
es_status es_array_find_ids(const es_array *array, size_t *out, es_error *err);
/** Bytes of all values as they lie in the file. */
size_t es_array_bytes(const es_array *array);

/** Convert rows to double: out (count, d) row-major. `rows` lists them (each below n, any order,
 *  repeats allowed), or is NULL for the first `count`. Exact for every type but 64-bit integers
 *  beyond 2^53, which are rounded to nearest. NaN and infinities pass through, and so do
 * subnormal numbers, also in a thread that flushes them. O(count d). */
void es_array_read(const es_array *array, const uint32_t *rows, size_t count, double *out);

/** The same for the rows start .. start + count - 1. */
void es_array_read_range(const es_array *array, size_t start, size_t count, double *out);

/** A row with the values of an earlier one. */
typedef struct es_copy {
    uint32_t row, of; /* the first such row */
} es_copy;

/** What one pass over an array tells. Rows with a NaN or an infinity are counted and listed, and
 * left out of everything below them. */
typedef struct es_array_stats {
    size_t rows;     /* looked at */
    size_t bad_rows; /* with non-finite values */
    size_t first_row,
        first_column;       /* of the first such value, as rows of the array; else SIZE_MAX */
    double first_value;     /* it; 0 when there is none */
    uint32_t *bad_row_list; /* (bad_rows) rows of the array, in the order read; may be NULL if 0 */
    /* Hashes of the values of all rows, whatever type and layout hold them: the same for the same
     * rows in any order, and for the same rows in the same order. */
    uint64_t any_order[2], in_order[2];
    /* over the good rows: */
    size_t copies; /* rows whose values are those of an earlier one, */
    es_copy *copy; /* (copies) by their places among those read, ascending in `row` */
    size_t constant_columns;
    bool *constant;            /* (d) all values equal (also when there is only one row, or none) */
    double *mean, *sd;         /* (d) sd with divisor N, as np.std; NaN without a good row */
    double norm_mean, norm_sd; /* of the rows' Euclidean norms; NaN without a good row */
    size_t zero_rows;          /* all values 0 */
} es_array_stats;

/** Fill *out (release with es_array_stats_deinit). `rows` and `count` as in es_array_read. Means
 * and deviations by Welford's update in double: a large common offset costs no digits. Values
 * beyond about 1e150 overflow when squared and give an infinite or NaN sd; callers check.
 *  ES_ECANCELED through run, ES_ENOMEM. O(count d), memory O(count + d). */
es_status es_array_scan(const es_array *array, const uint32_t *rows, size_t count, es_run *run,
                        es_array_stats *out, es_error *err);
void es_array_stats_deinit(es_array_stats *stats);

/* Content digests: XXH3, 128 bits. For telling contents apart, not against an attacker. The same
 * content gives the same digest on every machine. */

typedef struct es_digest {
    uint64_t hi, lo;
} es_digest;

enum { ES_DIGEST_HEX = 33 }; /* 32 digits and the NUL */

es_digest es_digest_bytes(const void *data, size_t size);
bool es_digest_equal(es_digest a, es_digest b);
/** Lower-case hexadecimal, hi first; returns out. */
const char *es_digest_hex(es_digest digest, char out[ES_DIGEST_HEX]);
/** Below, at or above 0, as for qsort. */
int es_digest_order(es_digest a, es_digest b);
/** Reads exactly what es_digest_hex writes; false, *out unchanged, otherwise. */
bool es_digest_parse(const char *hex, es_digest *out);
/** es_digest_order for qsort and bsearch. */
int es_digest_compare(const void *a, const void *b);

/** Digest of something with several parts. Needs no memory and nothing at its end. */
typedef struct es_hasher {
    _Alignas(64) unsigned char state[576]; /* XXH3_state_t */
} es_hasher;
void es_hasher_init(es_hasher *hasher);
void es_hasher_add(es_hasher *hasher, const void *data, size_t size);
void es_hasher_add_u64(es_hasher *hasher, uint64_t value); /* same bytes on every host */
void es_hasher_add_digest(es_hasher *hasher, es_digest digest);
/** The length goes first, so that "ab" and "c" differ from "a" and "bc". */
void es_hasher_add_text(es_hasher *hasher, const char *text);
es_digest es_hasher_result(const es_hasher *hasher);

/** Digest of an array: type, byte order, layout, shape and the bytes of the values. How a file's
 *  header is spaced, where the data starts and what follows it do not matter. ES_ECANCELED through
 *  run, ES_ENOMEM. O(bytes): the file is read once, about 10 GB/s from memory. */
es_status es_array_digest(const es_array *array, const es_run *run, es_digest *out, es_error *err);

/* Files as a whole: mapped for reading, read into memory, replaced atomically.
 *
 * io at a glance
 *   file.c         this
 *   map_watch.c    mapped files that are cut short
 *   reading.c      how far a file is read
 *   format.c       recognises files by their first bytes; how to convert what is not read
 *   array.c        2-D numeric arrays in a mapped file or in memory: read as double, statistics
 *   npy.c          .npy
 *   table.c        csv and tsv, read and written
 *   cells.c        their cells in one pass
 *   lines.c        lines and numbers of large text files
 *   rows.c         rows.csv
 *   row_ids.c      who the rows are; rows of one list found in another
 *   scores.c       scores.csv
 *   labels.c       labels.csv, pairs.csv, pairs_graded.csv, qrels.csv
 *   json_*.c       JSON, read with located errors, and written as a stream
 *   digest.c       128-bit content digests
 * and in readers, files of embedders
 *   loader.c       any of them by its name's ending, and where to add a format
 *   converted.c    values that cannot be used where they lie
 *   safetensors.c  .safetensors, read and written
 *   cmim_file.c    trained embedders
 *   npz.c          .npz
 *   table_array.c  matrices in csv and tsv
 *   jsonl.c        .jsonl
 *   word_*.c       word2vec's two formats, GloVe's, numbers in lines
 *
 * Paths are raw bytes; messages show es_path_label's cleaned form. */

enum { ES_PATH_LABEL = 160 };

/** A path fit for a message: cleaned, and when it is long only its end, after an ellipsis.
 *  Returns out. */
const char *es_path_label(char out[ES_PATH_LABEL], const char *path);

/** The same for the length of a call: es_path_shown(path).text. */
typedef struct es_shown_path {
    char text[ES_PATH_LABEL];
} es_shown_path;
es_shown_path es_path_shown(const char *path);
/** What stands behind the last slash. */
const char *es_path_base(const char *path);
/** True if a name ends so, whatever the case, and has something before that. */
bool es_path_ends(const char *path, const char *ending);
/** "DIRECTORY/NAME", a new string; NULL when out of memory. */
char *es_path_join(const char *directory, const char *name) __attribute__((warn_unused_result));

enum {
    ES_FILE_NOFOLLOW = 1 /* refuse a path whose last component is a symbolic link */
};

/** A whole file, mapped read-only and private. The identity fields say which content this is. */
typedef struct es_map {
    const unsigned char *data; /* NULL when size is 0 */
    size_t size;
    uint64_t dev, ino;
    int64_t mtime_ns, ctime_ns;
    struct es_map_watch *watch; /* over the bytes; the map's own */
} es_map;

/** Map a regular file. ES_ENOTFOUND: no such file; ES_EIO: cannot be opened or mapped, or is no
 *  regular file (never waits for a FIFO's writer). An empty file gives size 0. Reading `data` is
 *  safe from any thread, even when somebody cuts the file short: what is gone reads as zeros, and
 *  es_map_check tells. (For this the first call installs a handler of SIGBUS.) */
es_status es_map_open(const char *path, unsigned flags, es_map *out, es_error *err);
void es_map_close(es_map *map); /* all zero bytes is allowed */

/** After reading from a map, before believing it: ES_EIO when the file behind it was cut short or
 *  written to meanwhile, or its medium failed. It goes by the time of the last change (ctime),
 * which cannot be put back as that of the last modification can; so a change of permissions counts
 * too. A file that was replaced by another of the same name is still there for us, whole. */
es_status es_map_check(const es_map *map, const char *path, es_error *err);
/** The first half of that, without a look at the file: nothing was cut off of what was read. */
bool es_map_is_whole(const es_map *map);
/** Are these the same file, as far as its entry says: device, inode, size and both times? */
bool es_map_same_file(const es_map *a, const es_map *b);
/** Let go of the pages that were read so far; reading goes on as before, in any thread. */
void es_map_rest(const es_map *map);

/** The identity fields without opening the file (data stays NULL). Follows links unless
 * ES_FILE_NOFOLLOW. */
es_status es_file_identify(const char *path, unsigned flags, es_map *out, es_error *err);

/** Read a whole regular file of at most `limit` bytes; *out is NUL-terminated (the NUL is not
 *  counted) and released by es_free. `length` may be NULL. ES_EINVAL when the file is larger. */
es_status es_file_read(const char *path, unsigned flags, size_t limit, char **out, size_t *length,
                       es_error *err);

/** Put `size` bytes in the place of `path` so that readers and crashes see the old file or the new
 *  one, never a part: a temporary file beside it, fsync, rename, fsync of the directory. `mode` as
 * in open(2), the umask applies: 0600 for our own files, 0666 for what the user asked for. A path
 * that exists and is no regular file (a link, a device) is refused with ES_EIO. */
es_status es_file_replace(const char *path, const void *data, size_t size, unsigned mode,
                          es_error *err);

/** The same piece by piece. What is dropped leaves the old file; after a failure of `add` it is to
 *  be dropped, `end` drops by itself. `path` is borrowed until then. */
typedef struct es_replacing {
    const char *path;
    char *temporary, *directory;
    int fd;
} es_replacing;
es_status es_replacing_begin(const char *path, unsigned mode, es_replacing *out, es_error *err);
es_status es_replacing_add(es_replacing *replacing, const void *data, size_t size, es_error *err);
es_status es_replacing_end(es_replacing *replacing, es_error *err);
void es_replacing_drop(es_replacing *replacing); /* all zero bytes is allowed */

/** Write where the user asked for it: es_file_replace, but a device, a pipe or /dev/stdout is
 *  written to as it stands. */
es_status es_file_write(const char *path, const void *data, size_t size, unsigned mode,
                        es_error *err);

/** Rename a file to a temporary name in its folder, as es_file_replace gives one, and as of now:
 * who is killed before it is renamed back or removed leaves it to es_file_sweep. *aside is from
 *  es_alloc. ES_EIO. */
es_status es_file_put_aside(const char *path, char **aside, es_error *err);

/** A new file in `directory` that nobody else has, named so that es_file_sweep finds it; open for
 *  reading and writing, -1 and errno otherwise. *name is from es_alloc. */
int es_file_temporary(const char *directory, unsigned mode, char **name);

/** Remove from a folder of ours what es_file_replace was killed in the middle of: its temporary
 * files, if they are yours, plain, a day old, and of no process that runs here: clocks may be
 * wrong. Another machine may be writing younger ones. What cannot be removed stays, without a word.
 */
void es_file_sweep(const char *directory);
/** Remove from a folder of ours the plain files with this suffix that were last written more than
 * so many days ago. */
void es_file_expire(const char *directory, const char *suffix, unsigned days);

/** Make a directory and its missing parents with user-only permissions; fine when it exists. */
es_status es_dir_make(const char *path, es_error *err);

/* Recognises files by their first bytes, whatever they are called. */

typedef enum es_format {
    ES_FILE_UNKNOWN,
    ES_FILE_EMPTY,
    ES_FILE_NPY,
    ES_FILE_SAFETENSORS,
    ES_FILE_TEXT,   /* printable from the start: csv, json, a web page */
    ES_FILE_TORCH,  /* PyTorch archive (zip) or its older pickle */
    ES_FILE_PICKLE, /* any other Python pickle */
    ES_FILE_NPZ,    /* zip of .npy */
    ES_FILE_ZIP,
    ES_FILE_HDF5,
    ES_FILE_UTF16, /* text of two bytes a character, after its mark */
    ES_FILE_GZIP,
    ES_FILE_ZSTD,
    ES_FILE_XZ,
    ES_FILE_PARQUET,
    ES_FILE_ARROW,
    ES_FILE_MAT,          /* MATLAB's, up to version 7 */
    ES_FILE_ARROW_STREAM, /* Arrow without a table of contents, as datasets are saved */
    ES_FILE_FRAME,        /* a pickled pandas frame */
    ES_FILE_ESM,          /* a PyTorch archive of one protein */
    ES_FILE_OBJECTS,      /* Python objects in .npy */
    ES_FILE_FASTTEXT,     /* a fastText model */
    ES_FILE_POINTER,      /* what Git LFS leaves in place of a file */
    ES_FILE_ANNEX,        /* what git-annex leaves */
    ES_FILE_HTML,
    ES_FILE_XML,
    /* by the ending of the name alone: */
    ES_FILE_FAISS,   /* an index */
    ES_FILE_NUMBERS, /* float32 without a header */
    ES_FILE_FBIN,    /* two int32, rows and columns, then float32; the next two alike */
    ES_FILE_U8BIN,
    ES_FILE_I8BIN,
    ES_FILE_FVECS, /* a row each: int32, its length, then float32; the next alike */
    ES_FILE_BVECS,
    ES_FILE_COUNT
} es_format;

es_format es_format_of(const es_map *map);
/** Returns the format that a name's ending alone stands for; ES_FILE_UNKNOWN: none does. */
es_format es_format_by_name(const char *path);

/** Is a path fit to stand, within quotes or without, in a command that somebody will paste? */
bool es_path_is_plain(const char *path);
/** ES_EUNSUPPORTED (ES_EFORMAT for what is empty or unknown) with one line that says what `path` is
 *  and, where there is one, the command that converts it. A path with unusual characters is
 * replaced in the command by a placeholder, since people paste it into a shell. `wanted` is what
 * was expected, e.g. "an .npy file". */
es_status es_format_refuse(es_format format, const char *path, const char *wanted, es_error *err);

/* JSON: read with errors that say where, written as a stream.
 *
 * Reading stands on cJSON. A value knows its way from the root, so that a wrong type is reported as
 * "pool.json: models[3].dim: expected a number, found a string":
 *
 *     es_json_value root = es_json_root(doc), models, m;
 *     ES_TRY(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_OPTIONAL, &models, err));
 *     for (m = es_json_first(&models); m.node; m = es_json_next(&m))
 *         ES_TRY(es_json_get_text(&m, "name", ES_JSON_REQUIRED, &name, err));
 */

enum { ES_JSON_DEPTH = 64 }; /* deepest nesting that is read or written */

typedef struct es_json_doc es_json_doc;

typedef enum es_json_type {
    ES_JSON_ABSENT,
    ES_JSON_NULL,
    ES_JSON_BOOL,
    ES_JSON_NUMBER,
    ES_JSON_TEXT,
    ES_JSON_ARRAY,
    ES_JSON_OBJECT
} es_json_type;

enum { ES_JSON_OPTIONAL = 0, ES_JSON_REQUIRED = 1 };

/** A value in a document. Valid while the document and the value it was taken from live. */
typedef struct es_json_value {
    const struct cJSON *node;           /* NULL: there is none */
    const struct es_json_value *parent; /* NULL for the root */
    const es_json_doc *doc;
    size_t index; /* position in the parent */
} es_json_value;

/** Parse text[0..length); `path` is for messages. ES_EFORMAT with line and column for what is not
 *  JSON, nested more deeply than ES_JSON_DEPTH, or followed by more than blanks. The text is not
 *  needed afterwards. */
es_status es_json_parse(const char *text, size_t length, const char *path, es_json_doc **out,
                        es_error *err);
/** Reads and parses a JSON file. */
es_status es_json_read(const char *path, unsigned flags, size_t limit, es_json_doc **out,
                       es_error *err);
void es_json_free(es_json_doc *doc);

es_json_value es_json_root(const es_json_doc *doc);
es_json_type es_json_type_of(const es_json_value *value);
const char *es_json_key_of(const es_json_value *value); /* NULL for what is no member */
/** Items of an array or members of an object, in their order; node == NULL ends them. `container`
 *  must stay where it is while its items are in use. Cost O(1) each. */
es_json_value es_json_first(const es_json_value *container);
es_json_value es_json_next(const es_json_value *item);
size_t es_json_count(const es_json_value *container);

/** Member `key` (case matters) of an object. When it is absent or null: ES_EFORMAT if required,
 * else the output says nothing is there (node NULL; for the typed forms it stays as it was). A
 * value of another type, or an `object` that is none, is ES_EFORMAT. Text is borrowed from the
 * document. */
es_status es_json_get(const es_json_value *object, const char *key, es_json_type type, int required,
                      es_json_value *out, es_error *err);
es_status es_json_get_text(const es_json_value *object, const char *key, int required,
                           const char **out, es_error *err);
es_status es_json_get_number(const es_json_value *object, const char *key, int required,
                             double *out, es_error *err);
/** A whole number from 0 to 2^53. */
es_status es_json_get_size(const es_json_value *object, const char *key, int required,
                           uint64_t *out, es_error *err);
es_status es_json_get_bool(const es_json_value *object, const char *key, int required, bool *out,
                           es_error *err);

/** The value itself. */
es_status es_json_expect(const es_json_value *value, es_json_type type, es_error *err);
es_status es_json_as_number(const es_json_value *value, double *out, es_error *err);
es_status es_json_as_size(const es_json_value *value, uint64_t *out, es_error *err);
es_status es_json_as_text(const es_json_value *value, const char **out, es_error *err);

/** Report something else about a value: "pool.json: models[3].file: <what>". Returns ES_EFORMAT. */
es_status es_json_complain(const es_json_value *value, const char *what, es_error *err);

/* ---- writing ----
 *
 * Values take the key under which they go, or NULL inside an array and at the top. Misuse (a key in
 * an array, an end without a begin) is a bug and asserted. Failed allocations show in
 * es_buf_check(out) at the end. */
typedef struct es_json {
    es_buf *out;
    int indent; /* blanks a level; 0: one line without blanks */
    unsigned depth;
    struct {
        bool is_object, one_line, has_items;
    } level[ES_JSON_DEPTH + 1]; /* the first is the top, outside everything */
} es_json;

void es_json_init(es_json *json, es_buf *out, int indent);
void es_json_begin_object(es_json *json, const char *key);
void es_json_begin_array(es_json *json, const char *key);
/** An array that stays on one line, whatever the indentation: a row of a matrix. */
void es_json_begin_row(es_json *json, const char *key);
void es_json_end(es_json *json); /* of whatever was begun last */
/** An array of n objects, which begin and end by themselves:
 *
 *     for (size_t i = es_json_list(json, "tasks"); es_json_list_next(json, &i, n);)
 *         es_json_text(json, "task", name[i]);
 */
size_t es_json_list(es_json *json, const char *key);
bool es_json_list_next(es_json *json, size_t *i, size_t n);

/** NULL becomes null. Control characters and whatever must not reach a terminal are escaped,
 * invalid UTF-8 becomes U+FFFD. */
void es_json_text(es_json *json, const char *key, const char *text);
/** Shortest digits that read back as the same double; NaN and infinities become null. */
void es_json_double(es_json *json, const char *key, double value);
void es_json_uint(es_json *json, const char *key, uint64_t value);
void es_json_bool(es_json *json, const char *key, bool value);
void es_json_null(es_json *json, const char *key);

/* What happens when a mapped file is cut short while it is read: the system sends SIGBUS. The
 * handler here puts zeros where the file was, notes it, and lets the reader go on; whoever reads a
 * map asks es_map_check afterwards, before the values are used. It is installed with the first map
 * and passes on every fault that is not in one. */

typedef struct es_map_watch es_map_watch;

/** Watch a mapped range, until es_map_watch_free, which comes before it is unmapped. NULL when out
 *  of memory. */
es_map_watch *es_map_watch_new(const void *data, size_t size);
/** Has a part of it gone? */
bool es_map_watch_cut(const es_map_watch *watch); /* NULL: no */
void es_map_watch_free(es_map_watch *watch);      /* NULL is allowed */

/** Let the pages go that were read: they stay in the system's cache while there is room, but are no
 *  longer counted as this process's memory. Reading goes on as before, in any thread. */
void es_map_watch_rest(es_map_watch *watch); /* NULL is allowed */
/** About so many bytes of pages were read: lets them go whenever 16 MB have come together. */
void es_map_watch_use(es_map_watch *watch, size_t bytes); /* NULL is allowed */

/** For other handlers of SIGBUS: mends a map if `address` is in one. Async-signal-safe. */
bool es_map_mend(const void *address);

/* How a reader goes through a mapped file: one place for what is to be done about every megabyte.
 */

typedef struct es_reading {
    const es_map *map;
    es_run *run;
    size_t looked; /* bytes at the last look */
} es_reading;

enum { ES_READING_STEP = 1 << 20 }; /* bytes between looks */

/** All bytes before `at` are read: pages are let go, run gets the progress, and may cancel.
 * ES_ECANCELED. */
es_status es_reading_look(es_reading *reading, size_t at, es_error *err);
/** The same, about every megabyte: to be called as often as one likes. */
static inline es_status es_reading_at(es_reading *reading, size_t at, es_error *err) {
    return at - reading->looked < ES_READING_STEP ? ES_OK : es_reading_look(reading, at, err);
}

#endif
