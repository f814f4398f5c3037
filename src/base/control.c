/* How many embedders, controls and derived ones there are, in words. */
#include "base.h"

#include <stdio.h>

static size_t embedders_of(size_t count, size_t controls, size_t derived) {
    return count > controls + derived ? count - controls - derived : 0;
}

const char *es_count_text(size_t count, size_t controls, size_t derived, char *out,
                          size_t capacity) {
    size_t embedders = embedders_of(count, controls, derived);
    char beside[40] = "", made[40] = "";
    if (controls > 0)
        (void)snprintf(beside, sizeof beside, " + %zu control%s", controls,
                       controls == 1 ? "" : "s");
    if (derived > 0)
        (void)snprintf(made, sizeof made, " + %zu derived", derived);
    (void)snprintf(out, capacity, "%zu embedder%s%s%s", embedders, embedders == 1 ? "" : "s",
                   beside, made);
    return out;
}

const char *es_count_brief(size_t count, size_t controls, size_t derived, char *out,
                           size_t capacity) {
    size_t embedders = embedders_of(count, controls, derived);
    if (controls + derived > 0)
        (void)snprintf(out, capacity, "%zu + %zu", embedders, controls + derived);
    else
        (void)snprintf(out, capacity, "%zu", embedders);
    return out;
}
