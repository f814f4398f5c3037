/* Who has fallen silent: heartbeats of others are judged by one's own clock alone, so that clocks
 * that differ by an hour make no difference. One thread. */
#ifndef ES_ENGINE_LAPSE_H
#define ES_ENGINE_LAPSE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ES_LAPSE_SECONDS = 30, /* without a heartbeat */
    ES_BEAT_SECONDS = 5,   /* between two */
    ES_LAPSE_MOST = 512    /* who are watched at a time */
};

typedef struct es_watched {
    int64_t id; /* 0: nobody */
    uint64_t beat;
    double since, seen; /* it has had this beat; it was looked at */
} es_watched;

/** All zero bytes: nobody is watched yet. */
typedef struct es_lapse {
    es_watched watched[ES_LAPSE_MOST];
} es_lapse;

/** `id` (above 0) has this heartbeat at the time `now` of es_clock_now. True when it has not
 * changed for ES_LAPSE_SECONDS. Nobody is silent who has not been watched for so long. */
bool es_lapse_note(es_lapse *lapse, int64_t id, uint64_t beat, double now);

#endif
