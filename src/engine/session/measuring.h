/* Measures of a session's embedders: asked for by name, taken from the store where they are known,
 * computed by the session's workers where not, and kept in the store. Owner's thread; results
 * arrive with es_session_pump. */
#ifndef EMBEDSCOPE_MEASURING_H
#define EMBEDSCOPE_MEASURING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotations.h"
#include "measure_settings.h"
#include "measured.h"
#include "session.h"
#include "words.h"
#include "worst.h"

/** Set up a measure with settings "key=value" (NULL-terminated list, or NULL), once a label column
 *  where it needs labels, and load what is stored; asked again with the same settings, it is the
 * same. Entries *first to *first + *count - 1 of es_session_measured. ES_ENOTFOUND: the pool lacks
 * what it needs; ES_EINVAL: no such setting; errors of the pool's files; ES_EEMPTY before the
 * session is checked. Settings that only other measures know are passed over when `lenient`. */
es_status es_session_measure(es_session *session, const es_measure *measure,
                             const char *const *settings, bool lenient, size_t *first,
                             size_t *count, es_error *err);

/** The same under a name that says its settings, "retmmd[power=2]": label "power=2", or "" for
 * none. What is known already keeps its name. */
es_status es_session_measure_as(es_session *session, const es_measure *measure,
                                const char *const *settings, bool lenient, const char *label,
                                size_t *first, size_t *count, es_error *err);

/** Have a worker read what this measure with these settings (as es_session_measure's) needs of the
 *  pool's files, so that es_session_measure does not wait for a disk; until it has, that one gives
 *  ES_EBUSY. One at a time (ES_EBUSY); otherwise errors as es_session_measure's before it reads. */
es_status es_session_measure_prepare(es_session *session, const es_measure *measure,
                                     const char *const *settings, es_error *err);
/** What has become of it: ES_OK, or the error of es_session_measure; ES_EBUSY: under way;
 *  ES_ENOTFOUND without a message: none was asked for since the last answer. */
es_status es_session_measure_prepared(es_session *session, es_error *err);

/** Adds the measures whose values the store has for this session's rows, seed and embedders, as
 *  es_measure_call_parse takes them: "cka", "knn-overlap[k=5]"; each once. Errors as es_store_runs,
 *  ES_EEMPTY before the session is checked. */
es_status es_session_measures_stored(es_session *session, es_words *out, es_error *err);

/** How often other processes were found to have written to the store; changes with a pump. */
uint64_t es_session_elsewhere(const es_session *session);
/** Looks in the background for values that other processes have stored meanwhile. ES_EBUSY: the
 *  last look has not ended; ES_EEMPTY: there is nothing to look for. */
es_status es_session_measures_look(es_session *session, es_error *err);
/** Takes in the values that the last look found for entries, and adds the names of all stored
 *  measures to out, as es_session_measures_stored does. Else as es_session_measure_prepared. */
es_status es_session_measures_looked(es_session *session, es_words *out, es_error *err);
/** Changes with every value of a measure, and with every entry. */
uint64_t es_session_measures_revision(const es_session *session);

/** Compute what is not known of an entry. */
es_status es_session_measure_start(es_session *session, size_t entry, es_error *err);
/** Stop: finished values are kept and stored. */
void es_session_measure_stop(es_session *session);

size_t es_session_measured_count(const es_session *session);
const es_measured *es_session_measured(const es_session *session, size_t entry);
/** What the values of an entry are computed from, for a look behind them; borrowed. */
void es_session_measure_inputs(const es_session *session, size_t entry, es_measure_data *data,
                               const double **values);
/** Its data for one embedder: where queries have vectors of their own, those of `model`, in
 * *queries (released with es_matrix_free in any case). */
es_status es_session_measure_queries(es_session *session, size_t model, es_measure_data *data,
                                     es_matrix *queries, es_error *err);
/** All rows and columns of embedder `model` (position in the results). Release with es_matrix_free.
 */
es_status es_session_matrix(es_session *session, size_t model, es_matrix *out, es_error *err);

/** Where a measure does worst (worst.h), for one embedder, or two. */
typedef struct es_worst {
    size_t model, other; /* positions in the results; other SIZE_MAX: of one embedder */
    es_worst_list list;  /* in rows of the row set */
} es_worst;

/** List it for an entry in the background; what was there or under way before is dropped. A failure
 *  to begin is kept for es_session_worst, too. ES_EINVAL: an entry of a measure without such a
 *  list, or no such embedders. */
es_status es_session_worst_start(es_session *session, size_t entry, size_t model, size_t other,
                                 es_error *err);
/** They are no longer wanted: what is under way is cancelled. */
void es_session_worst_stop(es_session *session);
/** What was asked for last, once es_session_pump has delivered it; valid until the next start, stop
 *  or pump. NULL: it is under way (*busy), has failed (*why says how), or nothing was asked for. */
const es_worst *es_session_worst(const es_session *session, bool *busy, es_error *why);

/** What was counted and left out of the files, or NULL before the first measure. */
const es_annotations *es_session_annotations(const es_session *session);

/** Bytes that what is left of the measures asked for takes at most, one at a time; 0: nothing is.
 */
double es_session_measure_memory(const es_session *session);

typedef struct es_measure_progress {
    size_t total, done, failed; /* over the entries that were started */
    bool running;
} es_measure_progress;
void es_session_measure_progress(const es_session *session, es_measure_progress *out);

#endif
