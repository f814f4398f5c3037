/* Embedders in a folder or in memory, and the files of derived ones. */
#ifndef ES_ENGINE_POOL_H
#define ES_ENGINE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "core_numerics.h"
#include "io.h"
#include "io_files.h"
#include "io_scores.h"
#include "looks.h"
#include "embedscope/pool.h"
#include "embedscope/status.h"

/* What the program itself needs of a pool beyond embedscope/pool.h: the models in full, checking
 * and settling, and reading rows.
 *
 * Opening reads headers only, so that a pool of 200 embedders shows in well under 100 ms. Contents
 * are checked one model at a time by es_pool_check_model, from any thread; the owner applies each
 * outcome with es_pool_apply. When all models are checked, es_pool_settle fixes the row set. */

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
    char *series; /* that it is a step of (engine_pool_parts.h); NULL: none */
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
    bool derived;        /* made from others by this program (session_derive.c) */
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
 * looked at the same file before, or another one has kept its looks (looks.h). */
es_status es_pool_check_model(const es_pool *pool, size_t index, es_run *run, es_model_check *out,
                              es_error *err);
/** How many embedders are known by earlier looks alone, and how long these took to read them. */
size_t es_pool_remembered(const es_pool *pool, double *seconds);
bool es_pool_is_remembered(const es_pool *pool, size_t index);
/** Reads one of these again: *same tells whether its contents are those of the look, in whose place
 *  the new one stands from now on. Any thread. As es_pool_check_model. */
es_status es_pool_look_again(const es_pool *pool, size_t index, es_run *run, bool *same,
                             es_error *err);
/** Owner's thread, where one was not the same: keeps the new looks for other processes. */
void es_pool_looked_again(es_pool *pool);
/** Keeps what was seen of the files for other processes, where any was read. The log says why not.
 */
void es_pool_looks_write(es_pool *pool);

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
/** Checks that all rows and the embedders `source` (n) are in use. ES_EINVAL says why not and how
 * to open the pool. Once settled. */
es_status es_pool_check_whole(const es_pool *pool, const size_t *source, size_t n, es_error *err);
/** Why a model is left out, to whoever needs all its rows: to drop some is no advice there. */
void es_pool_put_reason(const es_model *model, es_buf *out);
/** True if the rows in use are a sample. */
bool es_pool_is_sample(const es_pool *pool);
/** The sample to settle on. */
void es_pool_use_sample(es_pool *pool, size_t rows);

es_digest es_pool_rowset(const es_pool *pool);

/** Names before --models and --exclude chose among them, unusable ones too; empty: neither was
 * said.
 */
const es_words *es_pool_all_names(const es_pool *pool);
/** Of es_pool_warning those by which values mean nothing, or less than they seem to; NULL without a
 * pool. Borrowed, and it grows while the pool is checked. */
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

/** How much a finding matters. */
typedef enum es_gravity {
    ES_GRAVITY_NOTE,    /* harms nothing */
    ES_GRAVITY_WARNING, /* to know */
    ES_GRAVITY_GRAVE,   /* of es_pool_grave_list: whatever shows values shows it */
    ES_GRAVITY_UNUSABLE /* an embedder that is left out */
} es_gravity;
/** "note", "warning", "grave", "unusable". */
const char *es_gravity_name(es_gravity gravity);

/** Something to know about a file or all of the pool. Texts are borrowed for the call. */
typedef struct es_finding {
    size_t model;     /* index; SIZE_MAX: of no embedder alone */
    const char *file; /* below the pool; NULL: of all of the pool */
    const char *what;
    const char *remedy; /* NULL: none is needed, or none is known */
    es_gravity gravity;
} es_finding;
typedef void es_finding_each(void *context, const es_finding *finding);
/** "WHAT; REMEDY". */
void es_finding_put(const es_finding *finding, es_buf *out);

/** What reading the pool has found (es_pool_warning), in the order in which it was found. NULL:
 *  nothing. Owner's thread. */
void es_pool_findings(const es_pool *pool, es_finding_each *each, void *context);
/** What is to be known of each embedder (n), those that can be used first. */
void es_model_findings(const es_model *const *model, size_t n, es_finding_each *each,
                       void *context);
/** A finding for each file that is not used. NULL: nothing. */
void es_unused_findings(const es_unused *unused, es_finding_each *each, void *context);

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
 *  before. pool_read.c lists what the two guarantee. Any thread. */
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
/** All rows of the files with all columns, whichever rows are in use: values need not be finite. */
es_status es_pool_file_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err);
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
 * while: run (or NULL) gets the progress, and may cancel; after ES_ECANCELED they are read when
 * they are asked for again. Owner's thread. */
es_status es_pool_texts(es_pool *pool, const es_row_texts **out, es_error *err);
/** Scores from any file, read as those of the pool's embedders (io_scores.h); facts: its columns
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

/* The files of derived embedders (session_derive.c): a folder, a name for each, and the .json that
 * lists it with what it was made from. engine_pool_parts.h reads them. */

enum { ES_DERIVED_STEM = 200 };

/** A file name for an embedder's, without its ending: what is not plain becomes "_", with a digest
 *  so that two names do not meet. */
void es_derived_stem(const char *name, char out[ES_DERIVED_STEM]);

/** The folder for new ones, made when it is not there; *out is the caller's. ES_EIO: a link lies in
 *  its place, or it cannot be made. */
es_status es_derived_folder(const es_pool *pool, char **out, es_error *err);

/** What the .json of one says. NULL texts are left out. */
typedef struct es_derived_side {
    const char *name, *stem, *notes, *family;
    const char *recipe, *model; /* of a trained one: its settings, the file of its weights */
    uint64_t seed;
    const size_t *source; /* (n_sources) in the pool */
    size_t n_sources;
} es_derived_side;

/** Written last: what is listed is there. */
es_status es_derived_list_side(const es_pool *pool, const char *folder, const es_derived_side *side,
                               es_error *err);

/* Takes a derived embedder (session_derive.c) out of its pool, for good or to be brought back. */

/** A derived embedder that was removed and can come back: its files under other names beside where
 *  they were. Who forgets to end it, or is killed, leaves them to be swept after a day. */
enum { ES_DERIVED_FILES = 3 }; /* its entry in the list, its matrix, the weights of a trained one */
typedef struct es_derived_aside {
    char *name;
    char *path[ES_DERIVED_FILES], *aside[ES_DERIVED_FILES]; /* NULL: none, not aside */
} es_derived_aside;

/** Removes model `index` of a pool: its entry in the list first, which is one step and decides,
 *  then the matrix, and weights that no other entry names; killed in between, files without an
 *  entry are left, which are no embedder and are swept when they are a day old. The pool is not
 *  changed: open it again. Results in the store stay: they are keyed by contents, so that the same
 *  values derived again find them, and what they take is little. aside NULL: for good; else
 *  es_derived_restore undoes it until es_derived_forget. *freed: bytes. ES_EINVAL: it is not
 *  derived. */
es_status es_derived_remove(const es_pool *pool, size_t index, es_derived_aside *aside,
                            uint64_t *freed, es_error *err);
/** Back where it was, with the same bytes: the entry last. ES_EIO: it is not there any more, or
 *  another has its place. */
es_status es_derived_restore(es_derived_aside *aside, es_error *err);
/** Deletes what is aside, and releases the strings; all zero bytes is allowed. */
void es_derived_forget(es_derived_aside *aside);
/** Derived embedders of this name: one, or NAME.mu and NAME.info of what was trained as NAME. Their
 *  number; at (2). */
size_t es_derived_named(const es_pool *pool, const char *name, size_t *at);

/* Looks again and again whether a pool's folder is still what was opened: a run in training writes
 * its checkpoints there. Names, sizes and times of files only; a thread of its own, since a network
 * file system may keep it waiting. */

typedef struct es_pool_watcher es_pool_watcher;

/** An inotify for what lies below this path; -1 where it does not report all changes, as where
 * other machines may write. */
int es_folder_listen(const char *path);

/** Begin; two looks in a row are `seconds` apart. ES_EUNSUPPORTED: matrices in memory. ES_EIO: no
 * thread. */
es_status es_pool_watcher_new(const es_pool *pool, double seconds, es_pool_watcher **out,
                              es_error *err);
/** Ends without waiting for a look under way. NULL is allowed. */
void es_pool_watcher_free(es_pool_watcher *watcher);
/** A descriptor that becomes readable when es_pool_watcher_changed has something to say. */
int es_pool_watcher_fd(const es_pool_watcher *watcher);
/** True once for each change: the folder is another than when the pool was opened, or when this was
 *  last true, and two looks in a row have found it the same, so that nobody is writing to it. */
bool es_pool_watcher_changed(es_pool_watcher *watcher);

/* Labels of a pool's rows, whichever file they are in. */

/** Reads the labels of the pool's rows: labels.csv, or columns of a file of embedders; no tasks if
 *  there are neither. *from: the file, borrowed from the pool. Errors as es_labels_read. */
es_status es_pool_labels(es_pool *pool, es_label_kind kind, es_labels *out, const char **from,
                         es_error *err);

#endif
