/* A ranking over samples of rows, each twice as large as the one before, until it has settled: who
 * estimates them shows each to es_sampling_look, which says whether another one is needed. */
#ifndef ES_REPORT_SAMPLING_H
#define ES_REPORT_SAMPLING_H

#include "base.h"
#include "core_ranking.h"
#include "engine_session.h"

/** What a sample has said of an embedder. */
typedef struct es_sample_standing {
    char *name;
    double score;
    bool best, worse; /* may be the best; is not, and separated from the first */
} es_sample_standing;

/** All zero bytes: nothing was looked at. */
typedef struct es_sampling {
    es_sample_standing *last; /* (m) of the sample that was looked at last */
    size_t m, rows;
    unsigned unchanged; /* so many times in a row the sets were those of half the rows */
} es_sampling;

/** What a sample has decided. */
typedef struct es_sampling_of {
    const es_decision *decision;
    const char *const *name; /* (m) */
    size_t rows, of;
    uint64_t seed;
} es_sampling_of;

/** Takes in what was decided of all pairs of a sample of rows. record->end is ES_GROWTH_ON: take
 *  twice as many rows. Nothing is kept. ES_ENOMEM. */
es_status es_sampling_take(es_sampling *sampling, const es_sampling_of *of,
                           es_growth_record *record, es_error *err);
/** The same of a session that has all pairs of its plan's first entry, over a sample of rows; what
 * is found is kept in its store. Errors of es_rank_report_of and es_session_growth_put. */
es_status es_sampling_look(es_sampling *sampling, es_session *session, es_growth_record *record,
                           es_error *err);
void es_sampling_deinit(es_sampling *sampling);

/** "4000 of 160000 rows, a random sample: its ranking is expected to agree with that by all rows at
 *  Kendall .97 (.94 to .99)". Nothing where all rows are in use. */
void es_growth_put(const es_growth_record *record, es_buf *out);
/** Why no more rows were taken: "settled", "sets", "all", "time"; NULL: more are to be taken. */
const char *es_growth_end_name(es_growth_end end);
/** The same of the sample that a session uses, by what is kept; nothing where all rows are in use.
 */
void es_rows_put(es_session *session, es_buf *out);

#endif
