/* models.csv: what is known about embedders, as columns beside measured ones, and how these agree.
 */
#include <math.h>

#include "cli_measures.h"
#include "fuzz.h"

enum { N = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *names[N] = {"a", "b", "model-10", "\xc3\xa9"};
    const es_results results = {.m = N, .name = names};
    const es_correlate_options options = {.draws = 8, .permutations = 19, .level = 0.95, .seed = 1};
    const double downstream[N] = {1, 3, 2, (double)NAN};
    es_agree_scores s = {.n = N};
    es_error err = {0};
    const char *path = fuzz_file("models.csv", data, size);
    es_status st = es_agree_read_models(path, &results, &s, &err);
    fuzz_require_told(st, &err);
    fuzz_require(s.k <= ES_AGREE_MODELS);
    for (size_t c = 0; c < s.k; c++)
        fuzz_require_clean(s.name[c]);
    for (size_t i = 0; i < s.k * N; i++)
        fuzz_require(!isinf(s.column[i]));
    size_t few = s.k < 6 ? s.k : 6; /* the time grows with their square */
    if (st == ES_OK) {
        fuzz_require(es_agreement_new(s.column, few, downstream, N, &options, NULL, &s.agreement,
                                      &err) == ES_OK);
        for (size_t i = 0; i < few * few; i++) {
            double tau = s.agreement->cell[i].tau.value;
            fuzz_require(isnan(tau) || fabs(tau) <= 1 + 1e-12);
        }
    }
    es_agree_scores_deinit(&s);
    return 0;
}
