/* A small table; whoever was not looked at for longest gives up the place. */
#include "lapse.h"

#include <stddef.h>

bool es_lapse_note(es_lapse *lapse, int64_t id, uint64_t beat, double now) {
    es_watched *at = &lapse->watched[0];
    for (size_t i = 0; i < ES_LAPSE_MOST; i++) {
        es_watched *w = &lapse->watched[i];
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
    return now - at->since >= ES_LAPSE_SECONDS;
}
