/* How many embedders there are, in words. */
#include "control.h"

#include <stdio.h>

const char *es_count_text(size_t count, size_t controls, char *out, size_t capacity) {
    size_t embedders = count > controls ? count - controls : 0;
    int length = snprintf(out, capacity, "%zu embedder%s", embedders, embedders == 1 ? "" : "s");
    if (controls > 0 && length > 0 && (size_t)length < capacity)
        (void)snprintf(out + length, capacity - (size_t)length, " + %zu control%s", controls,
                       controls == 1 ? "" : "s");
    return out;
}

const char *es_count_brief(size_t count, size_t controls, char *out, size_t capacity) {
    size_t embedders = count > controls ? count - controls : 0;
    if (controls > 0)
        (void)snprintf(out, capacity, "%zu + %zu", embedders, controls);
    else
        (void)snprintf(out, capacity, "%zu", embedders);
    return out;
}
