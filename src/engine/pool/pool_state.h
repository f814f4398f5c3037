/* The inside of a pool, shared by the pool_*.c files.
 *
 *   pool_scan.c      which files lie in the directory
 *   pool_unused.c    what is to be done about files that are not used
 *   pool_watcher.c   whether they are still the same
 *   pool_describe.c  pool.json
 *   derived_list.c   embedders made from others, found
 *   derived_files.c  and where they are kept
 *   pool_doubts.c    files that are taken for what they are not
 *   pool_vectors.c   a folder of files with a vector each
 *   pool_state.c     what the state says; leaving a model out; warnings
 *   pool_families.c  families.csv
 *   pool_series.c    which embedders are steps of one series
 *   pool_open.c      opening: from files to models; names, selection, the common row count
 *   pool_ids.c       rows matched by their ids
 *   pool_ids_maybe.c lists that are ids although nothing is called so
 *   pool_labels.c    labels of the rows, from labels.csv or from files of embedders
 *   pool_read.c      files mapped, their rows, and whether they are still what they were
 *   pool_contents.c  checking contents, the row set
 *   pool_beside.c    rows.csv and scores.csv
 *   pool_sets.c      sets of rows, by a column of rows.csv
 *   pool_sample.c    samples of rows
 *   pool_whole.c     whether all rows are in use
 *   pool_of_pools.c  folders of pools
 *   pool_folders.c   folders of one pool that may be other data
 *   pool_copies.c    rows that stand more than once
 *   annotations.c    what people said about the rows */
#ifndef ES_ENGINE_POOL_STATE_H
#define ES_ENGINE_POOL_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "derived_list.h"
#include "buf.h"
#include "family_file.h"
#include "loader.h"
#include "pool.h"
#include "words.h"

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
    bool packed;        /* they look so; once checked */
    bool named;         /* families.csv gives its family */
    bool has_family;    /* it has one without that, by pool.json or its sources */
    uint32_t *column;   /* (dim_used) columns in use after settling; NULL: all of them */
} pool_item;

/* What a derived embedder that is left out was made from. */
typedef struct pool_left {
    derived_source *source; /* (n_sources) */
    size_t n_sources;
    bool changed; /* one of these is not what it was */
} pool_left;

struct es_pool {
    char *path, *root; /* as given; canonical; NULL: there is no folder */
    char *name, *modality;
    es_digest folder; /* as it was opened (pool_scan.h) */
    es_row_request request;
    uint64_t seed;
    bool sampled;    /* samples may be taken */
    uint32_t *drawn; /* (n_drawn) rows of the files in the order in which samples take them, as far
                        as it is known: drawn on as larger samples are asked for */
    size_t n_drawn, n_looked; /* of these, the contents of so many were looked at */
    size_t available;         /* rows of which `rows` are taken */
    size_t dropped;           /* of those that were there to be taken: not finite; once settled */
    bool drop_rows, all_binary;
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
                           (pool_ids.h); NULL: the first `rows` */
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
    es_unused unused; /* files of the folder that are neither embedders nor said to be anything */
    bool asks_folders, tells_rows; /* warnings number folders_warning, rows_warning are
                                      es_pool_folders_question, es_pool_rows_note */
    size_t folders_warning, rows_warning;
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
/** How many of the drawn rows each column of an array needs to vary in: (d), es_free. */
es_status pool_find_varying(const pool_item *item, const es_array *array, const bool *constant,
                            const es_run *run, uint32_t **out, es_error *err);
/** The first `count` drawn rows that are not `bad` (NULL: none is), ascending; *used: of how many
 * drawn ones. */
es_status pool_take_sample(es_pool *pool, size_t count, const bool *bad, uint32_t **out,
                           size_t *taken, size_t *used, es_error *err);

/** How many of the rows in use (NULL: the first `count`) have in every embedder the values of an
 * earlier one. */
es_status pool_count_copies(const es_pool *pool, const uint32_t *rows, size_t count, size_t *out,
                            es_error *err);
/** Says so, where they are one in a hundred or more. */
void pool_warn_copies(es_pool *pool, size_t copies, size_t rows);

/** Where folders of the pool may be other data over as many rows: says so. */
void pool_warn_folders(es_pool *pool);

#define ES_POOL_FAMILIES "families.csv"

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

/** Say something that is no reason to stop, once. Lost when out of memory. */
void pool_warn(es_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The last one is to be told by whatever shows values (es_pool_grave_list). */
void pool_warned_gravely(es_pool *pool);

#endif
