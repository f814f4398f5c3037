/* A file of MTEB's results: any bytes have a finite main score, none, or an error. */
#include <math.h>

#include "fuzz.h"
#include "io_scores_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_error err = {0};
    double score = 0;
    es_status st = es_mteb_score((const char *)data, size, "x.json", &score, &err);
    fuzz_require_told(st, &err);
    fuzz_require(st != ES_OK || !isinf(score));
    return 0;
}
