/* Tasks of a cluster that estimate shares of a pool (estimate --shard), each into a store of its
 * own beside the pool's: how far they are. What they have found is shown as if this session had it;
 * `embedscope merge` alone stores it. Their stores are looked at, never written. */
#ifndef ES_ENGINE_SHARDS_H
#define ES_ENGINE_SHARDS_H

#include <stddef.h>

#include "embedscope/session.h"

typedef enum es_shard_state {
    ES_SHARD_WAITING, /* it has no store yet */
    ES_SHARD_RUNNING, /* its heart beats, or has not been watched for long enough */
    ES_SHARD_STOPPED, /* nobody is at it, and pairs are left */
    ES_SHARD_SILENT,  /* somebody was, and has not been heard of for half a minute */
    ES_SHARD_BROKEN,  /* its store cannot be read now; sent again, the task mends it */
    ES_SHARD_DONE
} es_shard_state;

typedef struct es_shard {
    size_t number, of;
    es_shard_state state;
    size_t pairs, total; /* of the estimators that it has begun, by this session's plan */
    char host[72];       /* that is at it; empty: nobody */
    double heard;        /* es_clock_now when its heartbeat was last seen to change; 0: never */
} es_shard;

/** By number, as they were at the last look; NULL: there are none. Valid until the next pump.
 * Clocks of machines are not compared: a heartbeat is judged by how long it has not changed here.
 */
const es_shard *es_session_shards(const es_session *session, size_t *count);

#endif
