/* Which compressions there are, what they take, and who is on the front. */
#include "core_frontier.h"

#include <math.h>

enum { FEW_HALVINGS = 3 };

size_t es_frontier_grid(size_t d, es_derive *out) {
    static const unsigned whole[] = {32, 16, 8, 4, 1};
    size_t count = 0, halvings = 0;
    for (size_t k = d / 2; k >= ES_FRONTIER_NARROWEST && halvings < ES_FRONTIER_HALVINGS; k /= 2)
        halvings++;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        out[count++] = (es_derive){.kind = ES_DERIVE_NONE, .bits = whole[i]};
    for (size_t i = 1; i <= halvings; i++) {
        size_t k = d >> i;
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 32};
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 8};
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 1};
        out[count++] = (es_derive){.kind = ES_DERIVE_PCA, .k = k, .bits = 8};
        if (halvings <= FEW_HALVINGS)
            out[count++] = (es_derive){.kind = ES_DERIVE_PCA, .k = k, .bits = 4};
    }
    return count;
}

size_t es_frontier_columns(const es_derive *how, size_t d) {
    return how->kind == ES_DERIVE_NONE ? d : how->k;
}

size_t es_frontier_bytes(const es_derive *how, size_t d) {
    size_t bits = how->bits > 0 ? how->bits : 32;
    return (es_frontier_columns(how, d) * bits + 7) / 8;
}

void es_frontier_put(const es_derive *how, es_buf *out) {
    bool whole = how->bits == 0 || how->bits == 32;
    if (how->kind != ES_DERIVE_NONE)
        es_buf_printf(out, "%s %zu%s", es_derive_name(how->kind), how->k, whole ? "" : ", ");
    if (!whole)
        es_buf_puts(out, es_derive_storage(how->bits));
    else if (how->kind == ES_DERIVE_NONE)
        es_buf_puts(out, "full");
}

void es_frontier_front(size_t n, const double *cost, const double *value, bool *front) {
    for (size_t i = 0; i < n; i++) {
        front[i] = isfinite(cost[i]) && isfinite(value[i]);
        for (size_t j = 0; front[i] && j < n; j++) {
            bool as_good = cost[j] <= cost[i] && value[j] >= value[i]; /* false of NaN */
            front[i] = !as_good || (cost[j] == cost[i] && value[j] == value[i]);
        }
    }
}
