/* Lines below a table that several documents say in the same words. */
#include "captions.h"

#include <math.h>

void es_caption_null(const es_results *results, es_buf *out) {
    double low, high;
    size_t known = es_results_null_range(results, &low, &high);
    if (known == 0)
        return;
    low = fabs(low) < 0.0005 ? 0 : low; /* no "-0.000" */
    high = fabs(high) < 0.0005 ? 0 : high;
    es_buf_printf(out, "no information gives %.3f to %.3f (%zu target%s, rows shuffled)\n", low,
                  high, known, known == 1 ? "" : "s");
}
