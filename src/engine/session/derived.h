/* Derived embedders: members of a pool that are made from others (whitened, without their strongest
 * directions, two side by side), kept as float32 .npy in POOL/.embedscope/derived, or beside the
 * results in the user's directory where the pool cannot be written, and found whenever the pool is
 * opened. Each lies beside a .json that says what it was made from; when that has changed it is
 * left out with this reason until it is made again. */
#ifndef EMBEDSCOPE_DERIVED_H
#define EMBEDSCOPE_DERIVED_H

#include "cmim_derive.h"
#include "derive.h"
#include "derived_remove.h"
#include "pool.h"
#include "run.h"
#include "session.h"

typedef struct es_derivation {
    size_t source; /* in the pool */
    size_t other;  /* put beside the source, `how` is not looked at; SIZE_MAX: none */
    es_derive how;
    const char *name; /* NULL: es_derived_name's */
} es_derivation;

typedef struct es_derived {
    char *name, *path; /* released by es_derived_deinit */
    size_t n, d;
    char remark[160]; /* such as that the rank is less than the dimension; "" */
} es_derived;

/** "sif+abtt2", "sif+whiten", "sif+glove"; owned by the caller, NULL when out of memory. */
char *es_derived_name(const es_pool *pool, const es_derivation *derivation);

/** Computes and writes one, of all rows of the files and all columns. The pool must be settled with
 *  the source in use, and is not changed: open it again to see the new member. Any thread.
 * ES_EINVAL: the name belongs to an embedder that is not derived, a number of axes out of range, or
 * the pool is open with fewer rows than its files have. */
es_status es_derived_make(const es_pool *pool, const es_derivation *derivation, const es_run *run,
                          es_derived *out, es_error *err);
/** Bytes that it takes at most. */
double es_derived_bytes(const es_pool *pool, const es_derivation *derivation);
/** Does that fit into the memory that may be used? ES_EUNSUPPORTED: the figure and the remedy. */
es_status es_session_derive_fits(const es_session *session, const es_derivation *derivation,
                                 es_error *err);
/** The same of training, which holds its sources side by side. */
es_status es_session_train_fits(const es_session *session, const es_cmim_order *order,
                                es_error *err);
void es_derived_deinit(es_derived *derived); /* all zero bytes is allowed */

/** The same in the background of a session, one at a time (ES_EBUSY). derivation->name is not
 * looked at. */
es_status es_session_derive(es_session *session, const es_derivation *derivation, es_error *err);
/** Training in the background likewise; the order is copied. */
es_status es_session_train(es_session *session, const es_cmim_order *order, es_error *err);
/** One of the two is under way. */
bool es_session_deriving(const es_session *session);
/** How far training is; NULL: none has begun. */
const es_cmim_live *es_session_training(const es_session *session);
/** What training has made, once es_session_derived has said so; NULL: it was a linear map. Borrowed
 *  until the next start. */
const es_cmim_made *es_session_trained(const es_session *session);
/** What has become of either: ES_OK with its name, or the error; ES_EBUSY: under way; ES_ENOTFOUND:
 * none was asked for since the last answer. name is borrowed until the next es_session_derive. */
es_status es_session_derived(es_session *session, const char **name, es_error *err);
/** "whiten", "abtt 2", "center" ... as the command line's options say it. ES_EINVAL names the ways.
 */
es_status es_derive_parse(const char *text, es_derive *out, es_error *err);

#endif
