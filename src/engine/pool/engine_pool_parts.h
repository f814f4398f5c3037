/* How a pool is found: its scan, its ids, its vectors, its findings. */
#ifndef ES_ENGINE_POOL_PARTS_H
#define ES_ENGINE_POOL_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base.h"
#include "core_numerics.h"
#include "engine_pool.h"
#include "io.h"
#include "io_files.h"
#include "io_readers.h"
#include "embedscope/status.h"

/* The derived embedders that a pool has: what lies in a folder of them. */

/** What one was made from, as it was then. */
typedef struct derived_source {
    char *name;
    es_digest digest;
} derived_source;

typedef struct derived_entry {
    char *side;  /* name of the .json in the folder */
    char *file;  /* of the .npy */
    char *model; /* of a trained one: of its weights; NULL: none */
    char *name, *family, *notes;
    derived_source *source; /* (n_sources) */
    size_t n_sources;
} derived_entry;

typedef struct derived_list {
    derived_entry *entry;
    size_t count;
    char *problem; /* the first file that could not be understood; NULL: none */
} derived_list;

/** Whether a file of the folder is the list beside a derived embedder, by its name. */
bool derived_is_side(const char *file);
/** What lies in `folder`, sorted by file. */
es_status derived_list_read(const char *folder, derived_list *out, es_error *err);
void derived_list_deinit(derived_list *list);
void derived_sources_free(derived_source *source, size_t count); /* NULL is allowed */

/* pool.json: what a pool says about itself. */

typedef struct pool_description_model {
    char *name, *file; /* at least one of the three; files are below the pool, without ".." */
    char *rows;        /* in place of file: files of a row each, stars in the last part */
    char *family, *notes, *series;
    double step; /* in the series; NaN: not said */
    size_t dim;  /* 0: not said */
    es_kind kind;
    bool bits; /* bytes are eight columns each */
} pool_description_model;

typedef struct pool_description {
    char *name, *modality;
    bool lists;     /* there is a list of models: it says which embedders there are */
    es_words lower; /* tasks of the scores where lower is better */
    bool same_rows; /* row i is the same item in all folders: nobody need be asked */
    double rows;    /* "rows"; NaN: not said */
    es_words odd;   /* sentences about keys that are not known but near to one that is */
    pool_description_model *model;
    size_t count;
} pool_description;

/** Read ROOT/pool.json; all fields empty when there is none. Unknown keys are ignored, except
 * `odd`. ES_EFORMAT names the line of a syntax error, or the place of a wrong type ("pool.json:
 * models[2].dim"), or a file that is not below the pool. */
es_status pool_description_read(const char *root, pool_description *out, es_error *err);
void pool_description_deinit(pool_description *description);

/* What lies in a pool's directory, by names and kinds: no file is opened unless its name says too
 * little. */

/** Ending of the vectors of queries that are no rows; its stem is the embedder's name. */
#define ES_POOL_QUERIES ".queries.npy"
/** And of their ids. */
#define ES_POOL_QUERIES_TEXT ".queries.ids.txt"
#define ES_POOL_QUERIES_CSV ".queries.ids.csv"

enum { POOL_UNUSED_MOST = 1000 };
enum { POOL_DEPTH = 3 }; /* folders below the pool that are read: POOL/x/y/z/a.npy is found */

typedef struct pool_entry {
    char *path;   /* below the pool, raw bytes */
    char *reason; /* why it cannot be used although it belongs to the pool; NULL when it can */
} pool_entry;

typedef struct pool_listing {
    pool_entry *entry;
    size_t count, capacity;
    es_unused unused; /* other files, except companions (pool_unused.c), the first
                         POOL_UNUSED_MOST of them */
    es_words beside;  /* ids and vectors of queries, paths below the pool: as many, sorted */
    size_t too_deep;  /* files of embeddings in folders that are not read, by their names */
    char *deep_first; /* the first such folder, below the pool; NULL: none */
} pool_listing;

/** List files of embeddings by their names (es_loader_find; tables and texts by a look at their
 * first lines), PyTorch and NumPy archives under any other name, and folders and links that cannot
 * be followed, each with its reason. Hidden entries are skipped. Links to files are followed where
 * they stay inside `root`; links to folders where that folder is in the pool and was not listed
 * under its own name. Sorted by path. `root` is canonical. ES_EIO: the pool's own directory cannot
 * be read. */
es_status pool_scan(const char *root, pool_listing *out, es_error *err);
void pool_listing_deinit(pool_listing *listing);

/** What the folder holds, by names, sizes, times and identities of its files: those that pool_scan
 *  lists, pool.json, scores.csv and tasks.csv, and the lists of what was derived. Errors as
 *  pool_scan. */
es_status pool_folder_digest(const char *root, es_digest *out, es_error *err);
/** The same of what was listed just now. */
es_status pool_listing_digest(const char *root, const pool_listing *listing, es_digest *out,
                              es_error *err);

/** Warns of ids and queries that no embedder has by its name, which are not read, with the name
 *  that they would be read by; once all models have their names. lists: pool.json says which files
 *  are embedders, so that those of the others are nobody's mistake. */
es_status pool_tell_orphans(es_pool *pool, const pool_listing *listing, bool lists, es_error *err);

/** Is root/path, with all links resolved, below the canonical directory `root`? ES_OK; ES_EINVAL
 * when it is not; ES_ENOTFOUND or ES_EIO when it cannot be resolved. */
es_status pool_contains(const char *root, const char *path, es_error *err);

/** Writes a path below root as its folders spell it, a new string: a name that is the same in form
 * C (es_text_same) stands for one that is not there, as files copied from macOS are spelled.
 * Without such a name it is a copy. ES_ENOMEM. */
es_status pool_spelling(const char *root, const char *path, char **out, es_error *err);

/** The path of a file beside the matrices, rows.csv say, a new string; NULL: there is none. Links
 *  are held to the same rule as those to matrices: ES_EFORMAT for one out of the pool. What cannot
 *  be resolved is there: reading it says why. */
es_status pool_beside(const char *root, const char *name, char **out, es_error *err);

/* The inside of a pool, shared by the pool_*.c files.
 *
 *   pool_scan.c        which files lie in the directory
 *   pool_unused.c      what is to be done about files that are not used
 *   pool_watcher.c     whether they are still the same
 *   pool_describe.c    pool.json; families.csv, and which embedders are steps of one series
 *   derived_files.c    embedders made from others: where they are kept, found, removed
 *   pool_findings.c    files that are taken for what they are not
 *   pool_told.c        the list of findings
 *   pool_state.c       what the state says; leaving a model out; whether all rows are in
 *                      use
 *   pool_open.c        opening: from files to models; names, selection, the common row count
 *   pool_ids.c         rows matched by their ids; lists that are ids although nothing is called so
 *   pool_labels.c      labels of the rows, from labels.csv or from files of embedders; queries
 *   pool_read.c        files mapped, their rows, and whether they are still what they were
 *   pool_contents.c    checking contents, the row set, rows that stand more than once
 *   pool_beside.c      rows.csv and scores.csv
 *   pool_sample.c      samples of rows, and sets by a column of rows.csv
 *   pool_of_pools.c    folders of pools, and folders of one pool that may be other data
 *   annotations.c      what people said about the rows */

/* Bytes of a name. Names are labels, keys of scores and parts of documents: longer ones are cut. */
enum { POOL_NAME_MOST = 240 };

/* One model with what only the engine sees of it. */
typedef struct pool_item {
    es_model model;
    const es_pool *pool;
    es_array memory;  /* of a model in memory, which has no file: data is not NULL */
    double *own;      /* its values, where they are the pool's */
    size_t tensor;    /* which of the file's arrays */
    es_loaded loaded; /* mapped by the first es_pool_rows_of; guarded by the pool's lock until
                         `mapped` is seen under it, constant afterwards */
    bool mapped;
    uint32_t *bad_row; /* (n_bad_rows) as checked; only with drop_rows */
    size_t n_bad_rows;
    bool *constant;   /* (dim) columns to leave out, once checked */
    uint32_t *varies; /* (dim) how many rows a sample needs for the column to vary in it;
                         UINT32_MAX: never. NULL unless samples are taken */
    es_digest any_order, in_order; /* of the rows' values */
    es_digest question;            /* under which its look is kept */
    bool remembered;               /* known by an earlier look: its contents were not read */
    double look_seconds;           /* that reading them took */
    es_copy *copy; /* (n_copies) rows with the values of an earlier one, of the pool's rows */
    size_t n_copies;
    size_t ids;    /* its list of ids while the pool is opened; SIZE_MAX: none */
    size_t maybe;  /* lists of its file that may be ids, while the pool is opened; SIZE_MAX: none */
    size_t labels; /* columns of labels of its file, likewise */
    bool ids_first;  /* the first column of its file holds ids, although it is not headed so */
    uint32_t *place; /* (common rows) its row for a row of the pool, ES_ROW_NONE: it has none;
                        NULL: the same row */
    derived_source *source; /* (n_sources) of a derived one: what it was made from */
    size_t n_sources;
    size_t vector;      /* length of the one vector that its file holds; 0: it is a matrix */
    bool named_in_json; /* pool.json lists it */
    bool bits;          /* its bytes are to be unpacked */
    uint8_t packed;     /* bytes a value, if they look so; once checked */
    uint8_t ids_among;  /* es_model_check.ids; once checked */
    es_long_row longest;
    bool named;       /* families.csv gives its family */
    bool has_family;  /* it has one without that, by pool.json or its sources */
    uint32_t *column; /* (dim_used) columns in use after settling; NULL: all of them */
} pool_item;

/* What a derived embedder that is left out was made from. */
typedef struct pool_left {
    derived_source *source; /* (n_sources) */
    size_t n_sources;
    bool changed; /* one of these is not what it was */
} pool_left;

/** Who reports a finding, beside info and the view Pool, which list them all. */
typedef enum pool_gravity {
    POOL_NOTED,  /* nobody else */
    POOL_GRAVE,  /* whatever shows values (es_pool_grave_list) */
    POOL_ROWS,   /* what counts rows, the last one (es_pool_rows_note) */
    POOL_FOLDERS /* it is asked (es_pool_folders_question) */
} pool_gravity;

/** A finding of reading, as "FILE: WHAT; REMEDY" in es_pool.warnings. */
typedef struct pool_finding {
    pool_gravity gravity;
    bool whole; /* it holds no remedy, whatever semicolons are in it */
    char *file; /* NULL: of all of the pool */
} pool_finding;

struct es_pool {
    char *path, *root; /* as given; canonical; NULL: there is no folder */
    char *name, *modality;
    es_digest folder; /* as it was opened (pool_scan.c) */
    es_row_request request;
    uint64_t seed;
    bool sampled;    /* samples may be taken */
    uint32_t *drawn; /* (n_drawn) rows of the files in the order in which samples take them, as far
                        as it is known: drawn on as larger samples are asked for */
    size_t n_drawn, n_looked; /* of these, the contents of so many were looked at */
    size_t available;         /* rows of which `rows` are taken */
    size_t dropped;           /* of those that were there to be taken: not finite; once settled */
    size_t copied;            /* of those in use: copies of others in every embedder */
    bool drop_rows, all_binary;
    bool looked; /* a file was read that no look was kept of */
    bool of_set; /* a set was asked for: the first so many rows are those of it */
    es_log *log;
    es_looks *looks; /* of files that were looked at before, or NULL */
    pool_item *item; /* (count) in natural order of names */
    size_t count;
    size_t common_rows; /* of every usable file; 0 when none is usable */
    bool *in_set;       /* (considered rows) that all embedders have, of the set that was asked for;
                           NULL: all */
    size_t set_rows;    /* in the set, once it is known; 0: none was asked for */
    size_t set_end;     /* rows up to the last of the first so many of it; 0: all, or not known */
    size_t rows;        /* in use */
    uint32_t *file_row; /* (rows) row of the files, or of the order they are matched in
                           (pool_ids.c); NULL: the first `rows` */
    es_digest rowset;
    bool settled;
    es_row_texts texts;
    es_buf label_text; /* as labels.csv would be, from the file label_file; NULL: none has any */
    char *label_file;
    size_t id_column;        /* of rows.csv, where rows are matched by it: matches_texts */
    es_scores scores, known; /* scores.csv, models.csv */
    bool texts_read, has_texts, scores_read, has_scores; /* asked for; there are any */
    bool known_read, has_known, matches_texts;
    bool scores_of_mteb;  /* scores are from results/ */
    char *scores_problem; /* why they are not used */
    es_words lower_tasks; /* of pool.json: tasks where lower is better */
    es_words all_names;   /* before --models and --exclude; empty: neither was given */
    es_words derived;     /* names of those that were left out */
    pool_left *left;      /* (derived.count) of each */
    es_words outdated;    /* of what was left out besides: why it is nothing to let in */
    size_t left_room;
    es_row_ids ids; /* of the rows, where embedders were matched by theirs; else none */
    es_words warnings, grave;
    pool_finding *finding; /* (warnings.count) */
    size_t finding_room;
    es_unused unused; /* files of the folder that are neither embedders nor said to be anything */
    pthread_mutex_t lock; /* around pool_item.loaded and .mapped; nothing else is taken inside */
};

/** Rows that are looked at: the common count, or the first so many of them; of a set as many as
 * hold the first so many of it. */
size_t pool_considered_rows(const es_pool *pool);

/** Only the rows of this set from now on. ES_ENOTFOUND: there is no such set; the message says
 * which there are. */
es_status pool_choose_set(es_pool *pool, const char *name, es_error *err);

/** Draws the order in which samples take rows, if any are asked for. */
es_status pool_draw(es_pool *pool, es_error *err);
/** Adds what another process has seen of the pool's files to the looks, if there are any. */
void pool_looks_read(es_pool *pool);
/** How many of the drawn rows each column of an array needs to vary in: (d), es_free. */
es_status pool_find_varying(const pool_item *item, const es_array *array, const bool *constant,
                            const es_run *run, uint32_t **out, es_error *err);
/** The first `count` drawn rows that are not `bad` (NULL: none is), ascending; *used: of how many
 * drawn ones. */
es_status pool_take_sample(es_pool *pool, size_t count, const bool *bad, uint32_t **out,
                           size_t *taken, size_t *used, es_error *err);

/** Where folders of the pool may be other data over as many rows: says so. */
void pool_warn_folders(es_pool *pool);

#define ES_POOL_FAMILIES "families.csv"
#define ES_POOL_DUELS "duels.csv"

typedef struct pool_families {
    const char *name; /* of the file, borrowed */
    es_family_file file;
    bool *used; /* (file.count) the line's model is an embedder of the pool */
} pool_families;

/** Reads `file` (borrowed as long as *out), or if it is NULL POOL/families.csv; all zero bytes if
 * there is none. ES_EFORMAT as es_family_file_read, and for a link out of the pool. */
es_status pool_families_read(const es_pool *pool, const char *file, pool_families *out,
                             es_error *err);
void pool_families_deinit(pool_families *families); /* all zero bytes is allowed */
/** Gives embedders that have no family by this file yet the one that it names. Call it after names
 *  have been settled. ES_ENOMEM. O(lines x embedders). */
es_status pool_families_take(es_pool *pool, pool_families *families, es_error *err);
/** Warns of lines that match no embedder. */
void pool_families_warn(es_pool *pool, const pool_families *families);

void pool_item_deinit(pool_item *item);

/** The row of a model's file for a row of the pool's files. */
static inline uint32_t pool_place(const pool_item *item, uint32_t row) {
    return item->place ? item->place[row] : row;
}

/** The array of a model in its loaded file. */
const es_array *pool_array(const pool_item *item, const es_loaded *loaded);

/** Map a model's file, and see that it is still the one whose header was read. */
es_status pool_load(const pool_item *item, es_run *run, es_loaded *out, es_error *err);

/** Are the bytes those that the file's own checksum is of, where it has one? ES_EFORMAT: no. */
es_status pool_verify(const pool_item *item, const es_loaded *loaded, es_run *run, es_error *err);

/** After reading: has nobody written to the file since it was mapped? ES_EIO. */
es_status pool_check_loaded(const pool_item *item, const es_loaded *loaded, es_error *err);

/** Are the contents those that were checked? Reads all of them. ES_EIO: no. */
es_status pool_check_digest(const pool_item *item, const es_loaded *loaded, const es_run *run,
                            es_error *err);

/** What ends the reason of a model some of whose rows hold values that are not finite. */
#define ES_POOL_DROP_ADVICE "--drop-rows leaves those rows out"

/** A message without the pool's path where it starts with that. */
const char *pool_below(const es_pool *pool, const char *message);

/** Leave a model out. The reason is copied, without the pool's path where it starts with that. */
es_status pool_exclude(es_pool *pool, pool_item *item, const char *reason, es_error *err);

/** Adds a finding that is no reason to stop, as "FILE: WHAT; REMEDY" (file NULL: "WHAT; REMEDY", of
 *  all of the pool): what stands behind its first semicolon is what to do. Lost when out of memory.
 */
void pool_report(es_pool *pool, pool_gravity gravity, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define pool_warn(pool, file, ...) pool_report(pool, POOL_NOTED, file, __VA_ARGS__)
/** The same of a line that is there as it is shown; as.file is set to a copy of `file`. */
void pool_report_line(es_pool *pool, pool_finding as, const char *file, const char *line);
void pool_findings_deinit(es_pool *pool);

/* What a file is not, although it can be read: weights of a network, parts of one matrix, a matrix
 * that lies on its side. Told with the line that helps. */

/** Writes why the arrays of a file at path (as it can be opened) are no embedders, although each is
 *  a matrix: weights, a benchmark of nearest neighbours, a matrix for each item. False: they may
 *  be. */
bool pool_find_in_arrays(const es_tensors *all, const char *path, es_buf *why);

/** Returns the length of the vector that an .npy file at path holds, 1-D or of one row; 0: none. */
size_t pool_vector_length(const char *path);

/** Puts one model that is left out in place of three or more .npy files of a folder that hold a
 *  vector each, or ten or more that hold a matrix of as many columns each but of different rows.
 *  Once items are sorted by their names. ES_ENOMEM. */
es_status pool_gather_items(es_pool *pool, es_error *err);

/** Leaves out models whose names and shapes say that they are parts of one matrix (NAME_part1,
 *  shard-00001-of-00003; NAME_0 where the rows add up). Named ones (pool.json) are not asked.
 *  ES_ENOMEM. */
es_status pool_leave_out_parts(es_pool *pool, es_error *err);

/** Writes, with "; " before it, what may be the matter with a model of other rows than the pool's
 *  `rows`: it is transposed, or a row or two are missing. Nothing else writes nothing. */
void pool_put_count_finding(const es_model *m, size_t rows, es_buf *out);

/** Puts the pool's rows in place of ROWS in reasons. After they are settled. ES_ENOMEM. */
es_status pool_fill_in_rows(es_pool *pool, es_error *err);

/** Warns of files of embeddings that pool.json does not list. */
void pool_warn_hidden(es_pool *pool, const pool_listing *listing);

/** Warns of models many rows of which are zero or one row, one after the other, and of bytes whose
 *  bits look like eight columns each. After settling. */
void pool_warn_contents(es_pool *pool);

/* Rows of a pool that have ids: read beside or with the matrices, and matched, so that every
 * embedder's rows are read in one order, whatever order they stand in. */

/** The lists of a file that may be ids although nothing is called so. */
typedef struct pool_maybe_ids {
    char *file;          /* cleaned, for messages */
    es_named_list *list; /* (count) */
    size_t count;
    bool confirmed; /* pool.json gives as many columns as there are without the first */
} pool_maybe_ids;

/** Lists of ids, one a file; while a pool is opened. */
typedef struct pool_id_lists {
    struct pool_id_list {
        es_row_ids *ids;
        es_digest digest;
    } * list;
    size_t count, capacity;
    pool_maybe_ids *maybe; /* (n_maybe) pool_item.maybe */
    size_t n_maybe, maybe_room;
    struct pool_id_list *reference; /* in whose order rows are read, and whose it is; NULL: none */
    char *whose;
    bool some;         /* --models, --exclude: not all embedders are opened */
    size_t all_shared; /* then: rows that all of the pool share */
} pool_id_lists;

/** The ids of all arrays of a file of embedders at root/path: those of NAME.ids.txt or NAME.ids.csv
 * beside it, or those it holds, which are taken from it; *out SIZE_MAX: there are none. ES_EFORMAT:
 * they cannot be read, or fit no array. */
es_status pool_ids_read(pool_id_lists *lists, const char *root, const char *path, es_loaded *file,
                        size_t *out, es_error *err);
/** The ids that an array of the file has of its own, which are taken from it. *out SIZE_MAX: it has
 * none. */
es_status pool_ids_take(pool_id_lists *lists, es_tensor *tensor, size_t *out, es_error *err);
void pool_ids_deinit(pool_id_lists *lists); /* all zero bytes is allowed */

/** Keeps the lists of a file that may be ids, which are taken from it. *out: pool_item.maybe of its
 *  embedders. ES_ENOMEM. */
es_status pool_ids_offer(pool_id_lists *lists, const char *path, es_tensors *from, size_t *out,
                         es_error *err);
/** Decides, once all files are known, which of these lists are ids: those that name the same rows
 * in several files, named ids and rows.csv among them. Their embedders get them, and columns of ids
 *  are dimensions no longer. What was taken and what was not is a warning each. ES_ENOMEM. */
es_status pool_ids_settle_maybe(es_pool *pool, pool_id_lists *lists, es_error *err);

/** Before some of them are selected: in whose order rows are to be read, so that the same pair has
 * the same rows in the same order whichever embedders are opened beside it. */
es_status pool_ids_choose(es_pool *pool, pool_id_lists *lists, bool some, es_error *err);

/** Match the embedders that have ids (pool_item.ids; those of an excluded one do not count) with
 * each other and with rows.csv, and settle the common rows: pool_item.place, pool->common_rows, and
 * pool->in_set where not all have them all. *out false: there is nothing to match, and nothing was
 * done. Leaves out whoever shares fewer than half of the rows that others share; says what was
 * done. */
es_status pool_ids_match(es_pool *pool, const pool_id_lists *lists, bool *out, es_error *err);

/** A digest of contents with where their rows go; the contents' own where that is the same row. */
void pool_ids_digest(const pool_item *item, es_digest *contents);

/** Warns of embedders that hold another's rows in another order. After settling. */
void pool_warn_shuffled(es_pool *pool);

/* Columns of labels in files of embedders, while a pool is opened. */

/** Columns of labels that files of embedders hold; while a pool is opened. */
typedef struct pool_label_file {
    char *name;          /* cleaned, for messages */
    es_named_list *list; /* (count) columns */
    size_t count;
} pool_label_file;

typedef struct pool_label_files {
    pool_label_file *file; /* (count) pool_item.labels */
    size_t count, room;
} pool_label_files;

/** Keeps the columns of labels of a file, which are taken from it. *out: pool_item.labels. */
es_status pool_labels_keep(pool_label_files *labels, const char *path, es_tensors *from,
                           size_t *out, es_error *err);
/** Once rows are matched: the labels of the first embedder that has any become the pool's. Warns of
 *  what was taken, and of files that contradict each other. ES_ENOMEM. */
es_status pool_labels_settle(es_pool *pool, const pool_label_files *labels, es_error *err);
void pool_labels_deinit(pool_label_files *labels); /* all zero bytes is allowed */

/* Embedders that belong together in time: checkpoints of one training run, a model and what was
 * tuned from it. */

/** Once names are settled: embedders without a series of pool.json get that of their names, if two
 *  share it. ES_ENOMEM. */
es_status pool_series_settle(es_pool *pool, es_error *err);

/* Files of a pool's folder that are not used, and what to do about them. */

/** Is it a file that says something about the pool, or none of embeddings: rows.csv, a README, a
 *  picture? path: below the pool. */
bool pool_is_companion(const char *path);
/** Files that say something about the pool, beside its embedders: pool.json, scores.csv ...; NULL
 *  after the last. */
extern const char *const pool_annotations[];
/** Is it one of these? */
bool pool_is_annotation(const char *name);

/** A file that is not used, with the reason. path: below the pool; full: where its first bytes are
 *  looked at, NULL: they are not. */
es_status pool_unused_add(es_unused *unused, const char *path, const char *full, es_error *err);
/** By the names of the files. */
void pool_unused_sort(es_unused *unused);
/** A folder that is not searched, with the reason; sorts. */
es_status pool_unused_add_folder(es_unused *unused, const char *path, const char *why,
                                 es_error *err);
void es_unused_deinit(es_unused *unused); /* all zero bytes is allowed */

/* A folder of .npy files that hold a vector each, read as one matrix. */

/** Reads the files of root/pattern (stars in its last part) into memory: a
 *  row each, in the order of their names, which are the ids without ".npy". Links out of the pool
 *  are skipped. ES_ENOTFOUND: there is no such file; ES_EFORMAT: one that holds no vector, or one
 * of another length; messages name it below the pool. ES_ENOMEM. */
es_status pool_vectors_read(const char *root, const char *pattern, es_tensor *out, es_error *err);

#endif
