/* Results on disk: SQLite, one transaction a pair, shared by any number of processes
 * (store_claims.h). A pair is found by what it was computed from (digests of source, target and row
 * set; estimator, version, settings, seed), never by file names, so a changed file simply has no
 * results yet. */
#ifndef EMBEDSCOPE_STORE_H
#define EMBEDSCOPE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "digest.h"
#include "estimator.h"
#include "measure.h"
#include "embedscope/pool.h"
#include "embedscope/status.h"

enum { ES_STORE_SCHEMA = 1 };

typedef struct es_store es_store;

/** What a set of pairs has in common. `settings` is es_estimator_text's. */
typedef struct es_store_key {
    const char *estimator;
    unsigned version;
    const char *settings;
    uint64_t seed;
    es_digest rowset;
} es_store_key;

typedef struct es_store_pair {
    es_digest source, target;
    bool failed;
    char *reason;          /* of a failure */
    es_pair_result result; /* pmi NULL unless asked for */
    double seconds;
} es_store_pair;

/** Open or create the store of a pool: POOL/.embedscope/results.db where that can be written, else
 *  $XDG_DATA_HOME/embedscope/<pool key>/results.db. pool_path NULL: in memory (--no-store).
 *  read_only: never creates; ES_ENOTFOUND when there is none. User-only permissions, WAL, waits up
 * to 10 s for another process. ES_EFORMAT: corrupted or of a newer version (says which, and the
 * path to move away). */
es_status es_store_open(const char *pool_path, bool read_only, es_store **out, es_error *err);

/** es_store_open, saying when it waits. */
es_status es_store_open_saying(const char *pool_path, bool read_only,
                               const es_store_waiting *waiting, es_store **out, es_error *err);
/** The store in this file, which is made unless it is read_only; then ES_ENOTFOUND: it is not
 * there, or nothing is in it. A link in its place is refused. It has a rollback journal in place of
 * WAL, so that it may lie on a network file system and be read from there. */
es_status es_store_open_file(const char *file, bool read_only, const es_store_waiting *waiting,
                             es_store **out, es_error *err);
/** A store that another machine may be writing at this moment, to look at: nothing about it
 * changes. What it cannot be read for now (somebody writes, or died writing) is an error. */
es_status es_store_open_look(const char *file, es_store **out, es_error *err);
void es_store_close(es_store *store);
const char *es_store_path(const es_store *store); /* cleaned, for messages */
const char *es_store_file(const es_store *store); /* raw; NULL: in memory */

/* All calls below may be made from any thread. */

/** Seconds that the statement under way has waited for another process, which holds the store; 0:
 *  none waits, or not yet for half a second. Never waits itself. */
double es_store_waits(const es_store *store);

/** Commit one finished or failed pair. It replaces an older one, but a failure never displaces a
 *  value. result.pmi may be NULL. `provenance` (may be NULL): one line of JSON with BLAS core, CPU,
 *  threads, program version. ES_EIO: full disk; ES_EBUSY: locked for more than 10 s. Either leaves
 *  the file as it was, and the store can be used again. ES_EINVAL on a read-only store. */
es_status es_store_put(es_store *store, const es_store_key *key, const es_store_pair *pair,
                       const char *provenance, es_error *err);

/** A finished pair and what it is stored under. */
typedef struct es_store_finished {
    const es_store_key *key;
    const es_store_pair *pair;
} es_store_finished;

/** es_store_put of several, in one transaction: all are stored, or none. */
es_status es_store_put_all(es_store *store, const es_store_finished *pairs, size_t count,
                           const char *provenance, es_error *err);

/** Calls `each` for every stored pair of `key`, passing over rows that hold no finite value or no
 *  digests (damage that SQLite cannot see): those pairs are not stored. with_pmi loads the per-row
 * values, which `each` may take by setting pair->result.pmi to NULL. A non-OK return of `each`
 * stops and is returned. `each` must not call the store: its lock is held. */
typedef es_status (*es_store_each)(void *context, es_store_pair *pair, es_error *err);
es_status es_store_load(es_store *store, const es_store_key *key, bool with_pmi, es_store_each each,
                        void *context, es_error *err);

/** One pair, e.g. to see whether another process has finished it meanwhile. ES_ENOTFOUND when it is
 *  not stored. reason and result.pmi of *out are the caller's to free. */
es_status es_store_get(es_store *store, const es_store_key *key, es_digest source, es_digest target,
                       bool with_pmi, es_store_pair *out, es_error *err);

/** Values of one measure for an embedder (source and target are the same) or a pair of them. */
typedef struct es_store_measured {
    es_digest source, target;
    size_t fields;
    const es_measure_value *value; /* (fields) */
} es_store_measured;

/** Commit the values under a key whose estimator names the measure; they replace older ones. Errors
 *  as es_store_put. */
es_status es_store_measured_put(es_store *store, const es_store_key *key,
                                const es_store_measured *measured, const char *provenance,
                                es_error *err);

/** Calls `each` for every stored field of `key`; the value's texts are borrowed for the call, which
 *  must not call the store. */
typedef es_status (*es_store_measured_each)(void *context, es_digest source, es_digest target,
                                            size_t field, const es_measure_value *value,
                                            es_error *err);
es_status es_store_measured_load(es_store *store, const es_store_key *key,
                                 es_store_measured_each each, void *context, es_error *err);

enum { ES_STORE_FAULTS = 12 };

/** What a store looks like from outside. */
typedef struct es_store_survey {
    char pages[256]; /* "ok", or what SQLite finds wrong with the file */
    size_t pairs, measured;
    size_t fault[ES_STORE_FAULTS]; /* rows that this program cannot have written, by kind */
} es_store_survey;

/** What is wrong with such rows: "pairs without a finite value". */
const char *es_store_fault_text(size_t fault);
/** Read everything there is. Errors as es_store_load. */
es_status es_store_check(es_store *store, es_store_survey *out, es_error *err);
/** Take out the rows that es_store_check counts under `fault`. Errors as es_store_put. */
es_status es_store_mend(es_store *store, es_error *err);

/** Calls `each` for every set of pairs, in the order of their keys. `each` must not call the store,
 *  and the key's texts are borrowed for the call. */
typedef es_status (*es_store_each_run)(void *context, const es_store_key *key, es_error *err);
es_status es_store_runs(es_store *store, es_store_each_run each, void *context, es_error *err);
/** The same for every set of values of measures. */
es_status es_store_measured_runs(es_store *store, es_store_each_run each, void *context,
                                 es_error *err);

/** The provenance of a pair as it was put, the caller's to free; NULL: none. */
es_status es_store_origin(es_store *store, const es_store_key *key, es_digest source,
                          es_digest target, char **out, es_error *err);
/** Take out one pair. Errors as es_store_put. */
es_status es_store_remove(es_store *store, const es_store_key *key, es_digest source,
                          es_digest target, es_error *err);

/** The digest that an earlier version took this file's array to have by path, name, size and time
 *  of modification alone; what it stored under that digest may be of other contents. */
bool es_store_believed(es_store *store, const char *path, const char *tensor, uint64_t size,
                       int64_t mtime_ns, es_digest *out);
/** How many pairs and values of measures are stored of these contents. */
es_status es_store_count_contents(es_store *store, es_digest digest, size_t *out, es_error *err);
/** Take them out, with what earlier versions believed of them. Errors as es_store_put. */
es_status es_store_remove_contents(es_store *store, es_digest digest, es_error *err);

#endif
