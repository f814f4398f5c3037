/* A small table; whoever was not looked at for longest gives up the place. */
#include "engine_jobs.h"

bool es_expiry_note(es_expiry *expiry, int64_t id, uint64_t beat, double now) {
    es_watched *at = &expiry->watched[0];
    for (size_t i = 0; i < ES_EXPIRY_MOST; i++) {
        es_watched *w = &expiry->watched[i];
        if (w->id == id) {
            at = w;
            break;
        }
        if (at->id != 0 && (w->id == 0 || w->seen < at->seen))
            at = w;
    }
    if (at->id != id || at->beat != beat)
        *at = (es_watched){.id = id, .beat = beat, .since = now};
    at->seen = now;
    return now - at->since >= ES_LEASE_SECONDS;
}
