/* Results of one store into another: of a machine that estimated a share by itself, say. */
#ifndef EMBEDSCOPE_STORE_MERGE_H
#define EMBEDSCOPE_STORE_MERGE_H

#include "store.h"

/** A value that both stores have, and not the same. Texts are borrowed for the call. */
typedef struct es_merge_conflict {
    es_store_key key;
    es_digest source, target;
    double here, there; /* information sufficiency, or the first field of a measure that differs */
} es_merge_conflict;

/** What may come in, and who is told. */
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

/** Are they one file? */
bool es_store_same(const es_store *a, const es_store *b);

#endif
