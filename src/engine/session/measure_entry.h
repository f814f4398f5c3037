/* A measure that was asked for, as its jobs see it. */
#ifndef ES_MEASURE_ENTRY_H
#define ES_MEASURE_ENTRY_H

#include "measured.h"
#include "session_state.h"
#include "words.h"

typedef struct measure_entry {
    es_measured shown;
    es_digest data; /* of what people said */
    bool started;
    struct es_pairing *pairing; /* NULL: none under way */
    es_job **job;               /* (m) of embedder measures under way; tickets of pairwise ones */
    struct es_pooling *pooling; /* of measures of one embedder among all; NULL: not needed yet */
    /* fixed once jobs run */
    es_measure_data given;
    double values[ES_MEASURE_FIELDS];
    char estimator[80]; /* of the key */
    es_store_key key;
} measure_entry;

struct es_measuring {
    es_annotations **annotations; /* (n_annotations) one for each set of their settings */
    double (*annotations_values)[ES_ANNOTATIONS_SETTINGS];
    size_t n_annotations;
    measure_entry **entry; /* (count) */
    size_t count;
    es_words texts; /* what values refer to */
};

/** Measures can be asked for; ES_EEMPTY, ES_EBUSY: not now. */
es_status es_measure_begin(es_session *session, es_error *err);
/** Fills an es_measured that has no values with what is stored of it. Any thread. */
es_status es_measure_load_stored(const es_session *session, const es_store_key *key,
                                 es_words *texts, es_measured *shown, es_error *err);
/** Digest of the contents of all embedders that others are measured among, in their order. */
es_status es_measure_pool_digest(const es_session *session, es_digest *out, es_error *err);

/** Queue what is not known of an entry that has room for its jobs and none under way. */
es_status es_measure_jobs_start(es_session *session, measure_entry *entry, es_error *err);
/** No more pairs are begun. */
void es_measure_jobs_stop(measure_entry *entry);
void es_measure_jobs_free(measure_entry *entry);

#endif
