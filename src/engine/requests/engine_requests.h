/* What people ask a session for in words. */
#ifndef ES_ENGINE_REQUESTS_H
#define ES_ENGINE_REQUESTS_H

#include "engine_session.h"

/* What was derived and removed while the explorer is open, so that it can be undone and done again.
 * Each edit has a number, which the explorer's settings count: es_edits_reach goes to one. What is
 * aside is deleted at the end. */

typedef struct es_edit {
    char *name;
    bool removal;              /* else it was made */
    es_derived_aside aside[2]; /* while it is out of the pool; of a trained one, both */
} es_edit;

/** All zero bytes is empty. */
typedef struct es_edits {
    es_edit *item;    /* (count) oldest first */
    size_t count, at; /* so many of them stand */
    size_t before;    /* edits of earlier sessions, which cannot be undone */
} es_edits;

/** Another edit stands, the one after `number`; those that were undone are forgotten. A removal
 *  takes *aside; NULL: it was made. ES_ENOMEM: then *aside is forgotten, too. */
es_status es_edits_add(es_edits *edits, size_t number, const char *name, es_derived_aside *aside,
                       es_error *err);
/** Undoes or redoes edits until those up to `number` stand. The pool is as it was opened last: of
 *  several edits of one embedder each needs it opened again. */
es_status es_edits_reach(es_edits *edits, const es_pool *pool, size_t number, es_error *err);
void es_edits_deinit(es_edits *edits);

/* A measure as people name it, with settings of its own: "retmmd.c-rbf[power=2 rbf=all]". */

enum { ES_MEASURE_CALLED = 8 /* settings at most */, ES_MEASURE_CALL = 256 /* bytes of a name */ };

typedef struct es_measure_call {
    const es_measure *measure;
    size_t field;                               /* 0 where none is named */
    bool named;                                 /* a field is */
    const char *setting[ES_MEASURE_CALLED + 1]; /* "power=2" each, NULL-terminated; into text */
    char label[ES_MEASURE_CALL];                /* "power=2 rbf=all"; "": none */
    char text[ES_MEASURE_CALL];
} es_measure_call;

/** Takes "NAME", "NAME.FIELD", either with "[KEY=VALUE KEY=VALUE]" behind it, apart. ES_ENOTFOUND:
 *  there is no such measure or field; ES_EINVAL: what is in brackets is no list of settings that it
 *  knows. `out` holds its own texts: it must not be copied. */
es_status es_measure_call_parse(const char *text, es_measure_call *out, es_error *err);

/* A session opened in a thread of its own: text is gone through to know its rows, and nobody waits
 * for that. */

struct es_session;

/** Opens, on so many rows where that is a choice; run gets the progress, and may cancel. */
typedef es_status es_opener(void *context, size_t rows, es_run *run, struct es_session **out,
                            es_error *err);
typedef struct es_open_beside es_open_beside;

/** Begins open(context, rows), under the locale of who asks. ES_ENOMEM, ES_EIO: there can be no
 * thread, or no descriptor. */
es_status es_open_beside_new(es_opener *open, void *context, size_t rows, es_open_beside **out,
                             es_error *err);
/** The run of the opening: tells how far it is, and cancels it. */
es_run *es_open_beside_run(es_open_beside *beside);
/** A descriptor that ends when it is open, or cannot be opened. */
int es_open_beside_fd(const es_open_beside *beside);
/** True once the opening has ended; waits at most `seconds` for that. */
bool es_open_beside_done(const es_open_beside *beside, double seconds);
/** Waits for the opening and gives its session or its error; frees *beside. */
es_status es_open_beside_take(es_open_beside **beside, struct es_session **session, es_error *err);
/** Interrupts the opening, waits for its thread, and closes what was opened. */
void es_open_beside_free(es_open_beside *beside);

/* Duels over a pool (core_duel.h): neighbours over all rows of the files, whichever are in use, so
 * that answers stay what they are on a sample. */

/** Finds nearest rows of some embedders and keeps what was found. Any thread; the pool, settled,
 *  outlives it. */
typedef struct es_duel_finder es_duel_finder;

typedef struct es_duel_question {
    uint32_t row, left, right; /* rows of the files */
    uint64_t at;               /* draw that it came of */
} es_duel_question;

/** item (k): embedders of the pool, copied. ES_ENOMEM. */
es_status es_duel_finder_new(const es_pool *pool, const size_t *item, size_t k,
                             es_duel_finder **out, es_error *err);
/** Returns it, with one call of es_duel_finder_free more to come. */
es_duel_finder *es_duel_finder_hold(es_duel_finder *finder);
void es_duel_finder_free(es_duel_finder *finder); /* NULL is allowed */
size_t es_duel_finder_count(const es_duel_finder *finder);
size_t es_duel_finder_item(const es_duel_finder *finder, size_t embedder);
size_t es_duel_finder_rows(const es_duel_finder *finder);

/** Finds the nearest other row of each row (count) by one embedder; ES_DUEL_NONE: a row without a
 *  direction. Reads the embedder once, three times when it is asked first. ES_ECANCELED, ES_ENOMEM,
 *  errors of reading. */
es_status es_duel_finder_nearest(es_duel_finder *finder, size_t embedder, const uint32_t *row,
                                 size_t count, const es_run *run, uint32_t *out, es_error *err);
/** Finds the next question from draw `from` on, about a row that none of `asked` (count) is about;
 *  once all rows have been drawn, another question. ES_EEMPTY: the embedders agree on hundreds of
 *  draws, or nothing is left to ask. */
es_status es_duel_finder_next(es_duel_finder *finder, const es_duel_order *order,
                              const es_duel_question *asked, size_t count, uint64_t from,
                              const es_run *run, es_duel_question *out, es_error *err);
/** Finds who proposes which side. side (count, k) as in es_duel_answer. */
es_status es_duel_finder_sides(es_duel_finder *finder, const es_duel_question *question,
                               size_t count, const es_run *run, int8_t *side, es_error *err);

/** Reads the answers of a pool: POOL/duels.csv, then those in the user's data directory, which are
 *  written where the pool cannot be. Empty if there are none. ES_EFORMAT names file and line. */
es_status es_duel_answers_read(const es_pool *pool, es_duel_list *out, es_error *err);
/** Adds an answer, or removes the last one like it (es_duel_list_edit). ES_EUNSUPPORTED: matrices
 * in memory. */
es_status es_duel_answers_edit(const es_pool *pool, const es_duel_line *line, bool remove,
                               es_error *err);

/* The rows behind per-row values, and what stands in rows.csv for them. */

/** Where per-row values of a plan entry come from. Borrowed from the session. */
typedef struct es_row_source {
    es_pool *pool;
    const es_row_texts *texts; /* NULL: no rows.csv, or one of another length */
    const uint32_t *eval;      /* row of the row set for each value; NULL: the same number */
} es_row_source;

/** Reads rows.csv on first use. ES_EEMPTY: a matrix from a file has no rows. */
es_status es_row_source_init(es_session *session, size_t entry, es_row_source *out, es_error *err);

/** Row of the files, from 0, for value number `k`. */
size_t es_row_number(const es_row_source *source, size_t k);

#define ES_ROW_EXACT SIZE_MAX

/** Its id, and its text with all further columns, both cleaned, with a blank for a tab or a line
 *  break, and cut to max_bytes (0: no limit). ES_ROW_EXACT: as in the file, for JSON and CSV alone,
 *  whose writers escape or replace what must not be shown. NULL without rows.csv, or when out of
 *  memory. Release with es_free. */
char *es_row_id(const es_row_source *source, size_t k, size_t max_bytes);
char *es_row_text(const es_row_source *source, size_t k, size_t max_bytes);
/** The text of a row of the files, whichever rows are in use. texts: NULL is allowed. */
char *es_file_row_text(const es_row_texts *texts, size_t row, size_t max_bytes);

#endif
