/* Cancel token and progress of one running computation. The owner makes it; the computation calls
 * es_run_check once per minibatch or about every millisecond. All fields may be touched from any
 * thread. A NULL run is never cancelled and swallows progress. */
#ifndef ES_BASE_RUN_H
#define ES_BASE_RUN_H

#include <stdatomic.h>

#include "embedscope/status.h"

enum { ES_RUN_TRACE = 64 };

struct es_run {
    atomic_int canceled;
    atomic_uint done, total;           /* steps of the computation; total 0 = not known */
    atomic_uint traced;                /* how many trace values were ever added */
    _Atomic float trace[ES_RUN_TRACE]; /* ring: validation loss per epoch, nats per dimension */
};

void es_run_init(es_run *run);
/** ES_ECANCELED once es_run_cancel was called, else ES_OK. */
es_status es_run_check(const es_run *run, es_error *err);
void es_run_progress(es_run *run, unsigned done, unsigned total);
/** Adds one point of the loss curve. */
void es_run_trace(es_run *run, double loss);

#endif
