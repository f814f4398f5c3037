/* Cancel token and progress of one running computation. The owner makes it; the computation calls
 * es_run_check once per minibatch or about every millisecond. All fields may be touched from any
 * thread. A NULL run is never cancelled and swallows progress. */
#ifndef ES_BASE_RUN_H
#define ES_BASE_RUN_H

#include <stdatomic.h>
#include <stddef.h>

#include "buf.h"
#include "embedscope/status.h"

enum { ES_RUN_TRACE = 64, ES_RUN_SUBJECT = 80 };

struct es_run {
    atomic_int canceled;
    atomic_uint done, total;           /* steps of the computation; total 0 = not known */
    atomic_uint traced;                /* how many trace values were ever added */
    _Atomic float trace[ES_RUN_TRACE]; /* ring: validation loss per epoch, nats per dimension */
    atomic_flag naming;                /* held for as long as the text is copied */
    char subject[ES_RUN_SUBJECT];      /* what is at work on, a file; "": not said */
    _Atomic(const char *) doing;       /* what is being done to it, static; NULL: not said */
};

void es_run_init(es_run *run);
/** ES_ECANCELED once es_run_cancel was called, else ES_OK. */
es_status es_run_check(const es_run *run, es_error *err);
void es_run_progress(es_run *run, unsigned done, unsigned total);
/** What is begun, of `subject` (NULL: as before); progress starts at 0. */
void es_run_begin(es_run *run, const char *subject, const char *doing);
/** Bytes of so many, as progress. */
void es_run_bytes(es_run *run, size_t done, size_t total);

/** How far it is, for display. */
typedef struct es_run_view {
    char subject[ES_RUN_SUBJECT];
    const char *doing; /* NULL: nothing is said */
    unsigned done, total;
} es_run_view;
void es_run_look(es_run *run, es_run_view *out);
/** "big.csv: counting its rows, 34 %"; nothing where nothing is said. */
void es_run_view_put(const es_run_view *view, es_buf *out);

/** Adds one point of the loss curve. */
void es_run_trace(es_run *run, double loss);

#endif
