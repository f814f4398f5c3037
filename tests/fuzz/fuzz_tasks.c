/* tasks.csv beside fixed scores, and the same bytes as a ranking of JSON. */
#include <math.h>

#include "fuzz.h"
#include "cli_reports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char fixed[] = "model,up,STS12,cost (lower)\na,1,2,3\nb,2,3,4\n";
    es_scores scores = {0};
    es_ranking_file ranking = {0};
    es_error err = {0};
    fuzz_require(es_scores_read(fuzz_file("scores.csv", (const uint8_t *)fixed, sizeof fixed - 1),
                                0, NULL, &scores, &err) == ES_OK);
    es_status st = es_scores_describe(&scores, fuzz_file("tasks.csv", data, size), &err);
    fuzz_require_told(st, &err);
    if (scores.remark)
        fuzz_require_clean(scores.remark);
    for (size_t t = 0; st == ES_OK && t < scores.tasks; t++) {
        const es_task_about *about = &scores.about[t];
        fuzz_require(about->weight > 0 && isfinite(about->weight));
        fuzz_require(isnan(about->size) || (about->size > 0 && isfinite(about->size)));
        if (about->category)
            fuzz_require_clean(about->category);
    }
    es_scores_deinit(&scores);
    st = es_ranking_file_read(fuzz_file("ranking.json", data, size), &ranking, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < ranking.n; i++)
        fuzz_require_clean(ranking.name[i]);
    es_ranking_file_deinit(&ranking);
    return 0;
}
