/* A study: a pool, what is asked of it in the words of the command line, and the documents that the
 * command line prints of it, as texts. For programs in other languages: everything is numbers,
 * texts and three plain structs, and the numbers are those of the command line, to the last bit.
 *
 *     es_study_options how = {.size = sizeof how, .arrays = arrays, .n_arrays = 3};
 *     es_study *study = NULL;
 *     es_status st = es_study_open(&how, &study, &err);
 *     const char *const words[] = {"rank", "--csv"};
 *     if (st == ES_OK)
 *         st = es_study_document(study, words, 2, &text, &length, &err);
 *     es_study_close(study);
 *
 * One study is at work at a time in a process. While it is, OpenBLAS runs on one thread a call, as
 * the study's own threads share the cores, with the kernels that suit the processor (releases
 * before 0.3.25 pick those of a much older one); its number of threads is put back. Neither the
 * user's configuration file nor the locale has a say. */
#ifndef EMBEDSCOPE_STUDY_H
#define EMBEDSCOPE_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/pool.h"
#include "embedscope/session.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Asked about fifty times a second while pairs are estimated, from the thread that opens. Not 0:
 *  stop, which takes well under a tenth of a second; pairs that are stored stay so. */
typedef int (*es_study_told)(void *context, const es_progress *progress);

/** All zero bytes but `size` and one of `pool` and `arrays` is enough. */
typedef struct es_study_options {
    size_t size;                 /* sizeof(es_study_options), of the caller's */
    const char *pool;            /* a folder; NULL: the arrays */
    const es_array_view *arrays; /* (n_arrays) borrowed until the study is closed */
    size_t n_arrays;
    const char *const *words; /* (n_words) options of `embedscope estimate`, one word each:
                                 "--estimator", "linear" */
    size_t n_words;
    const char *scores; /* CSV of downstream scores, read when the study is opened; NULL: the
                           folder's own scores.csv */
    es_study_told told; /* NULL: nobody is */
    void *context;      /* of told */
} es_study_options;

typedef struct es_study es_study;

/** Checks the pool and estimates what is missing, as `embedscope estimate` does. Returns when all
 *  is known. Pairs that failed are no error but a note. ES_ECANCELED: it was told to stop;
 * ES_EINVAL: a struct of another size, words that the command line would refuse, with its message,
 * or those that are of its output alone (--dry-run, --json); es_session_open's, es_session_start's
 * and es_session_wait's errors. */
es_status es_study_open(const es_study_options *options, es_study **out, es_error *err);
void es_study_close(es_study *study);

/** What a command prints: words as on the command line, without program and pool: "rank", "--json";
 *  "compare", "e5", "gte", "--csv"; "export", "ranking", "--format", "svg"; "report". There are
 *  compare, correlate, export, frontier, matrix, rank, report, rivals, rows and tree. What was
 *  said when the study was opened holds here, too. *text (*length bytes and a NUL) stays until the
 *  next document or the end of the study. ES_EINVAL: words that the command line would refuse, or
 *  that would take other embedders, rows or settings than those that were estimated. */
es_status es_study_document(es_study *study, const char *const *words, size_t n_words,
                            const char **text, size_t *length, es_error *err);

/** What the command line says on stderr, so far: embedders that were left out and why, pairs that
 *  failed, which rows were taken; lines, each once, "" without any. Stays until the next document.
 */
const char *es_study_notes(const es_study *study);

/** The session behind it, for results.h; it is the study's to close. NULL of NULL. */
es_session *es_study_session(es_study *study);

/** sizeof of a struct by its name: "es_error", "es_array_view", "es_progress", "es_study_options".
 *  Whoever mirrors them in another language compares. 0: none of these. */
size_t es_struct_size(const char *name);

#ifdef __cplusplus
}
#endif
#endif
