/* What people said about a pool's rows, made ready for measures: labels.csv, pairs.csv,
 * pairs_graded.csv, background.csv and qrels.csv beside the matrices, counted in the rows that are
 * in use. Files are read when a measure needs them, so that a bad one troubles nobody else. Owner's
 * thread; what it gives may be read from any thread until it is freed. */
#ifndef ES_ENGINE_ANNOTATIONS_H
#define ES_ENGINE_ANNOTATIONS_H

#include <stddef.h>

#include "annotations_settings.h"
#include "digest.h"
#include "measure.h"
#include "pool.h"
#include "embedscope/status.h"

typedef struct es_annotations es_annotations;

/** The pool must be settled. values (ES_ANNOTATIONS_SETTINGS), or NULL for the defaults. */
es_status es_annotations_new(es_pool *pool, const double *values, uint64_t seed,
                             es_annotations **out, es_error *err);
void es_annotations_free(es_annotations *annotations);

/** How many times a measure with these needs is computed: once, once a label column, or, where
 * there are several sets of pairs, for all together and for each. Reads
 * files. ES_ENOTFOUND: the pool lacks what is needed, and which file would give it; file errors as
 * in labels.h. */
es_status es_annotations_times(es_annotations *annotations, unsigned needs, size_t *out,
                               es_error *err);

/** Time number `k`: the data, the name of the label column or set of pairs (NULL: none) and a
 * digest of all that the result depends on. Everything is borrowed. */
es_status es_annotations_take(es_annotations *annotations, unsigned needs, size_t k,
                              es_measure_data *data, const char **task, es_digest *digest,
                              es_error *err);

/** What was counted and left out, one line each; they grow as files are read. */
size_t es_annotations_notes(const es_annotations *annotations);
const char *es_annotations_note(const es_annotations *annotations, size_t i);

#endif
