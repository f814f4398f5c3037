/* What the program itself needs of a pool beyond embedscope/pool.h: the models in full, checking
 * and settling, and reading rows.
 *
 * Opening reads headers only, so that a pool of 200 embedders shows in well under 100 ms. Contents
 * are checked one model at a time by es_pool_check_model, from any thread; the owner applies each
 * outcome with es_pool_apply. When all models are checked, es_pool_settle fixes the row set. */
#ifndef ES_ENGINE_POOL_H
#define ES_ENGINE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "digest.h"
#include "embedscope/pool.h"
#include "estimator.h"
#include "file.h"
#include "log.h"
#include "looks.h"
#include "matrix.h"
#include "row_cells.h"
#include "rows.h"
#include "scores.h"
#include "words.h"

/** Before the name of a derived embedder, wherever it is shown; one for all views, terminals and
 *  figures. */
#define ES_DERIVED_MARK "~"

/** How it is known which row of an embedder is which row of the pool. */
typedef enum es_row_order {
    ES_ORDER_PLAIN,   /* no embedder has ids: by their numbers */
    ES_ORDER_SAME,    /* by ids, which stand in the pool's order */
    ES_ORDER_MATCHED, /* by ids, which do not: read in the pool's order all the same */
    ES_ORDER_ASSUMED  /* others have ids, this one has none: by their numbers */
} es_row_order;

/** "same", "matched", "assumed"; NULL for ES_ORDER_PLAIN. */
const char *es_row_order_name(es_row_order order);

struct es_model {
    char *name;   /* unique, cleaned, shown and matched against scores */
    char *path;   /* as opened; raw bytes, never shown; NULL: in memory */
    char *file;   /* path below the pool, cleaned, for messages */
    char *family; /* from families.csv, else pool.json; NULL: none */
    char *notes;  /* from pool.json; NULL: none */
    char *series; /* that it is a step of (pool_series.h); NULL: none */
    double step;  /* in it; NaN: none */
    char *label;  /* of a derived one: the name with its mark, as views show it; else NULL */
    es_kind kind;
    const char *dtype; /* "float32" ... */
    size_t rows, dim;  /* as the header says */
    uint64_t file_bytes;
    char *tensor;     /* tells the arrays of one file apart; NULL when it is the only one */
    int64_t mtime_ns; /* of the file, when its header was read */
    es_row_order order;
    size_t strangers, doubled_ids; /* rows that others do not have; whose id stood before */
    es_model_state state;
    char *reason; /* of an exclusion, one line; else NULL */
    /* known once checked */
    es_digest digest; /* of the contents and, where rows are matched, of which goes where */
    size_t dropped_columns, dim_used; /* constant columns over the pool's rows */
    double norm_mean, norm_sd;        /* of the rows, raw units */
    size_t zero_rows;
    bool derived;        /* made from others by this program (derived.h) */
    size_t duplicate_of; /* index of an earlier model with equal contents, or SIZE_MAX */
};

/** Scan `path` (3 folders deep, hidden entries skipped, symbolic links not followed out of the
 * pool). ES_ENOTFOUND: no such directory; ES_EEMPTY: nothing that looks like an embedder;
 *  ES_EFORMAT: pool.json is not what it should be. Fewer than two usable embedders is not an error
 *  here: the explorer shows why. */
es_status es_pool_open(const char *path, const es_pool_options *options, es_pool **out,
                       es_error *err);
/** Over matrices in memory, which stay the caller's; ES_EINVAL as es_session_open_arrays. */
es_status es_pool_open_arrays(const es_array_view *arrays, size_t count,
                              const es_pool_options *options, es_pool **out, es_error *err);
void es_pool_close(es_pool *pool);

const char *es_pool_modality(const es_pool *pool); /* NULL when not said */
/** Returns how many of the models that are not excluded are controls. */
size_t es_pool_controls(const es_pool *pool);
/** Writes how many usable models there are: "27 embedders + 2 controls". Returns out. */
const char *es_pool_count_text(const es_pool *pool, char *out, size_t capacity);
/** The name as views show it: of a derived embedder with its mark. */
const char *es_model_label(const es_model *model);
/** Names of the derived embedders that es_pool_options.without_derived has left out. */
const es_words *es_pool_derived_left_out(const es_pool *pool);
/** Of such whose source has changed since, which are not among them: why, once settled. */
const es_words *es_pool_derived_outdated(const es_pool *pool);

/** Under which the model is stored as a target: its own digest, or another one for binary values.
 */
es_digest es_model_target_digest(const es_model *model);
/** The same for any contents. */
es_digest es_target_digest(es_digest contents, es_kind kind);

/** Read model `index`: digest, non-finite values, constant columns. Any thread, any order; does not
 *  touch the pool. ES_ECANCELED and ES_ENOMEM are returned, everything else is in *out. The digest
 *  is that of all the bytes: sizes and times of files do not say what is in them (Nix,
 *  `tar --mtime`, `rsync -t`), and every value is read here anyhow; but where this process has
 * looked at the same file before (looks.h). */
es_status es_pool_check_model(const es_pool *pool, size_t index, es_run *run, es_model_check *out,
                              es_error *err);

/** Owner's thread: record an outcome. */
es_status es_pool_apply(es_pool *pool, size_t index, const es_model_check *check, es_error *err);

/** Owner's thread, once all models are checked: fixes the row set (drop_rows), constant columns
 * over it, the row-set digest. Idempotent. ES_EEMPTY: no embedder or too few rows are left. */
es_status es_pool_settle(es_pool *pool, es_error *err);

/** Between checking and settling, where ES_ROWS_AUTO leaves it open: the samples that there may be,
 * each twice as large as the one before (the first: ES_ROWS_FIRST_SAMPLE) and at the end all rows,
 * with the digest of their row set. ES_ENOTFOUND: step is behind the last. */
bool es_pool_chooses_rows(const es_pool *pool);
es_status es_pool_sample(es_pool *pool, size_t step, size_t *rows, es_digest *rowset,
                         es_error *err);
/** The choice of rows was left open, and there are samples of them. */
bool es_pool_grows(const es_pool *pool);
/** "all", "first" or "sample". */
const char *es_pool_rows_choice(const es_pool *pool);
/** Of how many rows all samples, sets and shared rows are: those of the files, or of the order that
 * they are matched in. */
size_t es_pool_all_rows(const es_pool *pool);
/** Of how many rows those in use are a part: of a sample those that it is drawn from, of the first
 * so many all that there are. */
size_t es_pool_rows_whole(const es_pool *pool);
/** Rows that were left out for values that are not finite (drop_rows); 0 before it is known. */
size_t es_pool_rows_dropped(const es_pool *pool);
/** Are all rows in use, and `source` (n), for what is to be made of these? ES_EINVAL: no, why not,
 * and how the pool is to be opened for it, where that helps. Once settled. */
es_status es_pool_check_whole(const es_pool *pool, const size_t *source, size_t n, es_error *err);
/** Why a model is left out, to whoever needs all its rows: to drop some is no advice there. */
void es_pool_put_reason(const es_model *model, es_buf *out);
/** Are the rows in use a sample? */
bool es_pool_is_sample(const es_pool *pool);
/** The sample to settle on. */
void es_pool_use_sample(es_pool *pool, size_t rows);

es_digest es_pool_rowset(const es_pool *pool);

/** Names before --models and --exclude chose among them, unusable ones too; empty: neither was
 * said.
 */
const es_words *es_pool_all_names(const es_pool *pool);
/** What es_pool_warning gives one by one; borrowed, and it grows while the pool is checked. */
const es_words *es_pool_warning_list(const es_pool *pool);
/** Those of them by which values mean nothing, or less than they seem to. */
const es_words *es_pool_grave_list(const es_pool *pool);
/** Files of the folder that are not used and say nothing about it, at most a thousand; none where
 * pool.json names the embedders. */
typedef struct es_unused {
    es_words file; /* below the pool, cleaned */
    es_words why;  /* with the line that converts it, where FILE stands for the file as it can be
                      opened, NAME for it below the pool, ROWS for the pool's rows: equal for files
                      of a kind */
    char *folder;  /* the pool as the user called it; NULL: not fit for a command */
    size_t rows;   /* of the pool; 0: not known */
} es_unused;
const es_unused *es_pool_unused(const es_pool *pool);
/** What a pool that holds this file makes of it, there or about to be written, as "PATH: ...": "is
 * a file that the pool is read from". NULL: nothing. path as it can be opened, below: in the pool.
 */
const char *es_pool_file_role(const char *path, const char *below);
/** Whether file `at` may hold an embedder all the same: it is no table that embedscope writes. */
bool es_unused_may_be_embedder(const es_unused *unused, size_t at);
/** Why file `at` is not used, with its name in it. */
void es_unused_put(const es_unused *unused, size_t at, es_buf *out);
/** One line for file `at` of the list and all others of which the same is to be said, so many of
 *  them by name: "a.txt, b.txt and 3 more: why". False: it was said with an earlier one. */
bool es_unused_line(const es_unused *unused, size_t at, size_t names, es_buf *out);

/** Writes POOL/families.csv so that embedders `item` (n, indices) are of one family; other lines
 *  stay. Replaces the file atomically; the open pool does not change.
 *  family: its name; "": the embedders have none. A line goes if neither needs it.
 *  ES_EUNSUPPORTED: the pool has no folder. ES_EIO names the folder if it cannot be written.
 *  ES_EFORMAT as es_family_file_read. */
es_status es_pool_name_family(const es_pool *pool, const size_t *item, size_t n, const char *family,
                              es_error *err);

/** The pools below a folder that is no pool itself, in natural order; none: it is one, or nothing.
 *  pool_of_pools.c says how that is decided. Reads headers. */
es_status es_pool_folders(const char *path, es_words *out, es_error *err);
/** All folders with embedders below one without, whether they are pools or not. */
es_status es_pool_all_folders(const char *path, es_words *out, es_error *err);
/** What is to be asked of the user: folders with embedders of one name over equal numbers of rows,
 *  taken for one pool, may be other data. NULL: nothing. Borrowed. */
const char *es_pool_folders_question(const es_pool *pool);
/** That rows are left out which not all embedders have by their ids; or that those that were
 * selected share others than all of the pool: what is stored of all is not known of them. NULL:
 * neither; pool may be NULL. Among the warnings too. */
const char *es_pool_rows_note(const es_pool *pool);

/** What the column `set` of rows.csv holds, in the order of its first rows; empty: there is no such
 *  column. Raw text. Owner's thread. */
es_status es_pool_sets(es_pool *pool, es_words *out, es_error *err);

/** A model's file as it was before something was read of it. */
typedef struct es_pool_watch {
    es_map before;
    bool found; /* there was a file */
} es_pool_watch;

/** Watch a model's file while something is computed from its rows, which have been asked for
 *  before. What the two guarantee is said in pool_read.c. Any thread. */
void es_pool_watch_begin(const es_pool *pool, size_t index, es_pool_watch *out);
/** ES_OK: what was read since is what the model's digest stands for. ES_EIO: the contents are
 *  others now. ES_EBUSY: they are right, but somebody wrote to the file or its entry (permissions,
 *  a further name) in between: read again. ES_ECANCELED through run. Reads the whole file. */
es_status es_pool_watch_end(const es_pool *pool, size_t index, const es_pool_watch *watch,
                            const es_run *run, es_error *err);

/** Call `reader`, which reads rows of one model, watching; again when the file was touched
 *  meanwhile, after `undo` (may be NULL) has taken back what the reader did. ES_EIO when what was
 *  read cannot be trusted; what the reader returned otherwise. */
typedef es_status (*es_pool_reader)(void *context, es_error *err);
typedef void (*es_pool_undo)(void *context);
es_status es_pool_read_watched(const es_pool *pool, size_t index, const es_run *run,
                               es_pool_reader reader, es_pool_undo undo, void *context,
                               es_error *err);

/** Vectors of queries that are no rows, NAME.queries.npy beside embedder NAME: whether any embedder
 *  has them; those of one; a digest of them. ES_ENOTFOUND: there is no such file; ES_ENONFINITE;
 * errors of reading. */
bool es_pool_has_queries(const es_pool *pool);
es_status es_pool_queries(const es_pool *pool, size_t index, es_matrix *out, es_error *err);
/** The ids of the queries in that order: those of the first embedder that has NAME.queries.ids.txt
 * or .csv beside its vectors; the vectors of others that have such a file are put in that order. n
 * is 0 if there are none. ES_EFORMAT: they cannot be read, or are not as many as the vectors. */
es_status es_pool_query_ids(const es_pool *pool, es_row_ids *out, es_error *err);
es_status es_pool_queries_digest(const es_pool *pool, size_t index, es_digest *out, es_error *err);

/** All rows and columns of a model as a matrix, read like that; `free` with es_matrix_free. */
es_status es_pool_matrix(const es_pool *pool, size_t index, const es_run *run, es_matrix *out,
                         es_error *err);

/** Read access for estimators; valid after es_pool_settle until close; maps the file on first use.
 *  Any thread. The constant columns are left out. */
es_status es_pool_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err);
/** The same with all columns, constant ones too: what measures are defined on. */
es_status es_pool_whole_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err);
/** Done with a model's rows for now: its file need not stay in memory. Any thread, also while
 * others read it; nothing if it is not mapped. */
void es_pool_rest(const es_pool *pool, size_t index);

/** The path of a file that lies beside the matrices, a new string; *out NULL: there is none.
 *  ES_EFORMAT: a link out of the pool. */
es_status es_pool_beside(const es_pool *pool, const char *name, char **out, es_error *err);

/** The ids of the files' rows, for files that name rows by them: those by which embedders were
 *  matched, else the first column of rows.csv. Any thread; the pool must outlive it. */
es_row_naming es_pool_row_naming(es_pool *pool);

/** rows.csv, scores.csv (else the folder `results` of MTEB) and models.csv (numbers known about
 * embedders), loaded on first use; *out NULL when the pool has none. Scores of many tasks take a
 * while: run (or NULL) is told how far, and asked; after ES_ECANCELED they are read when they are
 * asked for again. Owner's thread. */
es_status es_pool_texts(es_pool *pool, const es_row_texts **out, es_error *err);
/** Scores from any file, read as those of the pool's embedders (scores_read.h); facts: its columns
 *  are facts about them. */
es_status es_pool_read_scores(const es_pool *pool, const char *path, bool facts, es_run *run,
                              es_scores *out, es_error *err);
es_status es_pool_scores(es_pool *pool, es_run *run, const es_scores **out, es_error *err);
/** Why the pool's scores are not used although there is a file of them, naming line and column;
 * NULL: they are, or there is none. After es_pool_scores, which leaves them out then. */
const char *es_pool_scores_problem(const es_pool *pool);
/** What the scores that were read are from: "scores.csv", or MTEB's folder "results". */
const char *es_pool_scores_file(const es_pool *pool);
es_status es_pool_models(es_pool *pool, const es_scores **out, es_error *err);

#endif
