/* Results in SQLite, keyed by digests. */
#ifndef ES_ENGINE_STORE_H
#define ES_ENGINE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "core_measures.h"
#include "core_numerics.h"
#include "engine_place.h"
#include "io_files.h"
#include "embedscope/pool.h"
#include "embedscope/status.h"

/* Results on disk: SQLite, one transaction a pair, shared by any number of processes
 * (store_leases.c). A pair is found by what it was computed from (digests of source, target and row
 * set; estimator, version, settings, seed), never by file names, so a changed file simply has no
 * results yet. */

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
 * values. A pair's reason and values are valid until `each` returns. A non-OK return of `each`
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
/** Counts the stored pairs and measure values of these contents. */
es_status es_store_count_contents(es_store *store, es_digest digest, size_t *out, es_error *err);
/** Take them out, with what earlier versions believed of them. Errors as es_store_put. */
es_status es_store_remove_contents(es_store *store, es_digest digest, es_error *err);

/* Leases: which process is at which pair of a store, so that any number of them share its work.
 *
 * A process enters itself as an owner with its first lease. As long as it has some, it raises its
 * heartbeat, a counter, every few seconds; others see by their own clocks that it stands still, so
 * no two clocks are ever compared. An owner that is gone is recognised at once on its own machine,
 * and elsewhere by its heartbeat. Results do not depend on leases: a pair that two estimate after
 * all (one was stopped for a minute, say) comes out twice the same.
 *
 * All calls may be made from any thread. */

typedef enum es_lease_state {
    ES_LEASE_FREE,
    ES_LEASE_MINE,
    ES_LEASE_THEIRS, /* of an owner that is not known to be gone */
    ES_LEASE_KNOWN   /* it is stored */
} es_lease_state;

/** What counts as known. */
typedef enum es_lease_again {
    ES_AGAIN_NEVER,
    ES_AGAIN_FAILED, /* failures do not */
    ES_AGAIN_ALWAYS  /* nothing does */
} es_lease_again;

typedef struct es_leased {
    es_digest source, target;
    es_lease_state state;
} es_leased;

/** True if this store can hold leases; a read-only one cannot. */
bool es_store_takes_leases(const es_store *store);

/** Lease what is free of `count` pairs, in one transaction; fills their states. *shared (or NULL:
 *  whoever is there): others are at the first pair's source; then nothing is leased. Errors as
 *  es_store_put. */
es_status es_store_lease(es_store *store, const es_store_key *key, es_lease_again again,
                         es_leased *pairs, size_t count, bool *shared, es_error *err);
/** Their states, of which none changes. */
es_status es_store_lease_look(es_store *store, const es_store_key *key, es_leased *pairs,
                              size_t count, es_error *err);
/** Give back one lease of this process, or all; those of others stay. es_store_put takes out the
 *  lease of its pair, whosever. */
es_status es_store_release(es_store *store, const es_store_key *key, es_digest source,
                           es_digest target, es_error *err);
es_status es_store_release_all(es_store *store, es_error *err);

/** Raise this process's heartbeat. *expired: others took it for gone, and its leases with it. */
es_status es_store_beat(es_store *store, bool *expired, es_error *err);

/** Another process with leases. */
typedef struct es_owner {
    int64_t id; /* never used again */
    uint64_t beat;
    es_process process;
} es_owner;

/** Calls `each` for every other owner that has leases. `each` must not call the store. */
typedef es_status (*es_store_each_owner)(void *context, const es_owner *owner, es_error *err);
es_status es_store_owners(es_store *store, es_store_each_owner each, void *context, es_error *err);
/** The newest process with leases, of a store that is only looked at. */
es_status es_store_owner(es_store *store, es_owner *out, bool *found, es_error *err);
/** Take out an owner with its leases. */
es_status es_store_reap(es_store *store, int64_t owner, es_error *err);

/** A number that is another one when another connection has changed the store. */
es_status es_store_version(es_store *store, int *out, es_error *err);

/** es_store_load of what was entered after row *after, which is moved on to the newest. */
es_status es_store_load_after(es_store *store, const es_store_key *key, bool with_pmi,
                              int64_t *after, es_store_each each, void *context, es_error *err);

/* Results of one store into another: of a machine that estimated a share by itself, say. */

/** A value that both stores have, and not the same. Texts are borrowed for the call. */
typedef struct es_merge_conflict {
    es_store_key key;
    es_digest source, target;
    double here, there; /* information sufficiency, or the first field of a measure that differs */
} es_merge_conflict;

/** What may come in, and who is notified. */
typedef struct es_merge_rules {
    const es_digest *contents; // (n_contents) of the pool, by es_digest_order
    size_t n_contents;
    /** This program's version of an estimator ("linear") or measure ("measure cka"); 0: it has
     *  none of that name. */
    unsigned (*version)(const char *estimator);
    void (*conflict)(void *context, const es_merge_conflict *conflict); /* or NULL */
    void *context;
} es_merge_rules;

/** Pairs of estimators and fields of measures alike. */
typedef struct es_merged {
    size_t taken, known; /* known: there already, with the same numbers */
    size_t conflicts;    /* there already with others, which stay */
    size_t contents;     /* of contents that the pool does not have (now) */
    size_t versions;     /* of estimators and measures of another version */
    size_t unreadable;   /* rows that this program cannot have written */
} es_merged;

/** Takes into `to` what `from` holds and the rules let in. What is taken keeps its time, provenance
 *  and values of rows; a value displaces a failure, never the other way round, and of two equal
 *  values the one that was finished first stays, so that the order of stores makes no difference.
 *  Both locks are held, but not for long at a time. ES_EFORMAT: `from` is damaged, and nothing was
 *  taken from it; else as es_store_put, and merging again goes on. */
es_status es_store_merge(es_store *to, es_store *from, const es_merge_rules *rules, es_merged *out,
                         es_error *err);

/** True if both stores are one file. */
bool es_store_same(const es_store *a, const es_store *b);

/* What a store holds, in a few words, for those who asked for something else. */

/** Appends "linear default, knife with other settings over other rows": estimators and presets that
 *  the store has pairs of, with their seeds where one of them or `asked` is not 0, and whether they
 *  are over other rows than `rowset`. Nothing where there are none. Errors as es_store_runs, and
 *  ES_ENOMEM. */
es_status es_store_runs_put(es_store *store, uint64_t asked, es_digest rowset, es_buf *out,
                            es_error *err);

#endif
