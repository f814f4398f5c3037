/* What one estimator says about the embedders of a pool: a matrix whose rows are sources and whose
 * columns are targets, in nats per target dimension, NaN where a pair is not known. Ranking,
 * comparison, correlation and communities take such a matrix.
 *
 * Results belong to a session. Pointers are borrowed until it is closed; what they point to changes
 * with es_session_pump and es_session_wait only, and each change raises the revision. Embedders are
 * in natural order of names. Functions answer NULL results, and indices beyond the end, with NULL,
 * 0 or NaN. Owner's thread. */
#ifndef EMBEDSCOPE_RESULTS_H
#define EMBEDSCOPE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum es_pair_state {
    ES_PAIR_PENDING, /* not known, nobody at it */
    ES_PAIR_RUNNING,
    ES_PAIR_DONE,
    ES_PAIR_FAILED
} es_pair_state;

typedef struct es_results es_results;

/** The embedders: m of them, with name, family (NULL: not said) and dimension. */
size_t es_results_count(const es_results *results);
const char *es_results_name(const es_results *results, size_t index);
const char *es_results_family(const es_results *results, size_t index);
size_t es_results_dim(const es_results *results, size_t index);
/** Index of a name; SIZE_MAX when absent. */
size_t es_results_find(const es_results *results, const char *name);

/** Information sufficiency (m, m) row-major, and its standard error; NaN where not known. */
const double *es_results_is(const es_results *results);
const double *es_results_se(const es_results *results);
/** Information sufficiency by a companion fit with a weak penalty (m, m), which the preset "shrunk"
 * of "linear" gives, and its standard error; NaN where not known. */
const double *es_results_information(const es_results *results);
const double *es_results_information_se(const es_results *results);
/** Ridge penalty of each pair (m, m); INFINITY: the pair is silent; NaN: there is none, or the
 *  folds have different ones. */
const double *es_results_lambda(const es_results *results);
/** True for a pair whose value is exactly 0 because the validation rows do not show that the source
 *  predicts the target. */
bool es_results_silent(const es_results *results, size_t source, size_t target);
/** Columns of an embedder as a target that are active too rarely to count fully, and that are
 *  limited in some row; 0 where not known. */
size_t es_results_rare(const es_results *results, size_t index);
size_t es_results_limited(const es_results *results, size_t index);
/** Entropy of each target (m), nats per dimension; NaN where not known. */
const double *es_results_entropy(const es_results *results);
/** Per-row values (m, m) of pointers to *n_eval floats whose mean is `is`; NULL where not known.
 * For rows see es_session_evaluated. n_eval may be NULL. */
float *const *es_results_pmi(const es_results *results, size_t *n_eval);

es_pair_state es_results_state(const es_results *results, size_t source, size_t target);
/** Why a pair has failed, one line; NULL when it has not. */
const char *es_results_reason(const es_results *results, size_t source, size_t target);
/** Pairs that are known, that have failed. */
size_t es_results_done(const es_results *results);
size_t es_results_failed(const es_results *results);
/** What the estimator finds where there is nothing to find: the target with its rows shuffled in
 *  the role of the source. False where it is not known. is and se may be NULL. */
bool es_results_null(const es_results *results, size_t target, double *is, double *se);

/** Raised by every change. */
uint64_t es_results_revision(const es_results *results);
/** Name of the estimator, and every setting in force ("clip=3 folds=1 ..."); NULL for a matrix that
 *  was read from a file. */
const char *es_results_estimator(const es_results *results);
const char *es_results_settings(const es_results *results);

#ifdef __cplusplus
}
#endif
#endif
