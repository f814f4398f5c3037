/* What an owner and its workers pass to each other. Owner's thread, unless it says otherwise. */
#ifndef ES_ENGINE_ITEM_H
#define ES_ENGINE_ITEM_H

#include "embedscope/status.h"
#include "workers.h"

/** First member of the data of every job and of every event (es_workers_post). It knows itself what
 *  is to be done with it, so that whoever empties the queue needs to know no kinds. */
typedef struct es_item {
    /** By the owner: the job has ended (event->final), or this was posted. */
    void (*apply)(struct es_item *item, const es_event *event);
    /** Releases what the item holds, not the item; NULL: nothing. Any thread. */
    void (*deinit)(struct es_item *item);
} es_item;

void es_item_free(es_item *item); /* NULL is allowed; any thread */
/** Apply an event and free its item. */
void es_item_apply(const es_event *event);
/** Queue a job over `item`, which is the workers' from now on, and freed should this fail. Workers
 *  without a thread (of a session that only shows) get one. out as es_workers_add. */
es_status es_item_add(es_workers *workers, es_item *item, es_job_run run, double priority,
                      es_job **out, es_error *err);
/** From inside a job: hand `item` to the owner; freed should this fail. */
es_status es_item_post(es_job_context *context, es_item *item, es_error *err);
/** The same from any other thread. */
es_status es_item_tell(es_workers *workers, es_item *item, es_error *err);

#endif
