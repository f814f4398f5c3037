/* scores.csv, and the same bytes as a ranking from a file. */
#include <math.h>

#include "fuzz.h"
#include "cli_reports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_scores scores = {0};
    es_ranking_file ranking = {0};
    es_error err = {0};
    const char *path = fuzz_file("scores.csv", data, size);
    es_status st = es_scores_read(path, 0, NULL, &scores, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < scores.models; i++)
        fuzz_require_clean(scores.model[i]);
    for (size_t i = 0; i < scores.tasks; i++)
        fuzz_require_clean(scores.task[i]);
    for (size_t i = 0; i < scores.models * scores.tasks; i++)
        fuzz_require(!isinf(scores.value[i]));
    es_scores_deinit(&scores);
    st = es_ranking_file_read(path, &ranking, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < ranking.n; i++)
        fuzz_require(!isinf(ranking.score[i]));
    es_ranking_file_deinit(&ranking);
    return 0;
}
