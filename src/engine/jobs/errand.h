/* An errand: work in the background of which only the newest counts. Asked for again, it is begun
 * anew, and what was under way is dropped. Owner's thread. */
#ifndef ES_ENGINE_ERRAND_H
#define ES_ENGINE_ERRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "embedscope/status.h"
#include "log.h"
#include "workers.h"

/** A kind of errand. Its data hold what is needed and take what is found. */
typedef struct es_errand_kind {
    es_status (*run)(void *data, const es_run *run, es_error *err); /* in a worker */
    void (*deinit)(void *data); /* releases what they hold, found or not */
    double priority;
    const char *name; /* before an error in the log; NULL: who asks is told, not the log */
} es_errand_kind;

/** One thing that is computed again and again. All zero bytes: nothing was asked for yet. */
typedef struct es_errand {
    es_job *job; /* the one that counts; NULL: none under way */
    const es_errand_kind *kind;
    void *newest;   /* data of the newest that succeeded; NULL: none */
    uint64_t tag;   /* of these */
    double seconds; /* that they took of a worker */
    bool over;      /* one has ended, and nobody was told */
    es_error error; /* how the last one ended; code ES_OK: well, or none has */
} es_errand;

/** Begin one with `data` (by es_alloc, the errand's from now on, and freed should this fail); one
 *  under way is cancelled. The newest data stay until these have succeeded. */
es_status es_errand_start(es_errand *errand, es_workers *workers, es_log *log,
                          const es_errand_kind *kind, void *data, uint64_t tag, es_error *err);
/** Cancel what is under way (workers may be NULL when nothing is), and forget all. */
void es_errand_stop(es_errand *errand, es_workers *workers);
/** What has become of the last one, once: ES_EBUSY: under way; ES_ENOTFOUND, without a message:
 *  none has ended since the last answer. */
es_status es_errand_outcome(es_errand *errand, es_error *err);

#endif
