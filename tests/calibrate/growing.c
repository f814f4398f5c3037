/* Whether what is promised of a ranking by a sample of rows is kept by the ranking by all of them:
 * samples that double, judged as a run judges them. */
#include "calibrating.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "embedscope/stat.h"
#include "engine_pool.h"
#include "report_answer.h"

/* Scores (m) by name, of a sample of `rows` rows; what is said of it goes to *record unless NULL.
 */
static size_t rank_sample(const char *path, size_t rows, uint64_t seed, es_sampling *sampling,
                          es_growth_record *record, double *score, size_t most) {
    const es_session_options options = {.estimator = ES_PREDICTIVE_ESTIMATOR,
                                        .preset = ES_PREDICTIVE_PRESET,
                                        .pool = {.rows = {ES_ROWS_SAMPLE, rows}},
                                        .seed = seed,
                                        .no_store = true,
                                        .with_pmi = true};
    es_session *session = NULL;
    es_error err = {0};
    es_growth_record unread;
    if (es_session_open(path, &options, &session, &err) != ES_OK)
        calibrate_die(path, &err);
    calibrate_estimate(session);
    if (es_sampling_look(sampling, session, record ? record : &unread, &err) != ES_OK)
        calibrate_die(path, &err);
    for (size_t i = 0; i < sampling->m && i < most; i++)
        score[i] = sampling->last[i].score;
    es_session_close(session);
    return sampling->m;
}

growth_kept grow_samples(const pool_values *pool, const char *path, size_t first, size_t draws,
                         uint64_t seed) {
    size_t all = es_pool_rows(es_session_pool(pool->session)), m = pool->m;
    double *truth = calibrate_alloc(m, sizeof *truth), *score = calibrate_alloc(m, sizeof *score);
    growth_kept out = {.draws = draws, .lowest = 1};
    for (size_t k = 0; k < draws; k++) {
        es_sampling whole = {0}, sampling = {0};
        bool stopped = false;
        (void)rank_sample(path, all, seed + k, &whole, NULL, truth, m);
        for (size_t rows = first; rows < all; rows *= 2) {
            es_growth_record record = {0};
            es_stat tau = {0};
            (void)rank_sample(path, rows, seed + k, &sampling, &record, score, m);
            if (!isfinite(record.growth.expected))
                continue;
            if (es_correlate(ES_KENDALL, truth, score, m, &tau, NULL) != ES_OK)
                continue;
            bool kept = tau.value >= record.growth.low - 1e-12;
            out.looks.of++;
            out.looks.hits += kept;
            if (stopped || record.growth.expected < ES_GROWTH_ENOUGH)
                continue;
            stopped = true;
            out.stops.of++;
            out.stops.hits += kept;
            out.rows += (double)rows;
            out.expected += record.growth.expected;
            out.actual += tau.value;
            out.lowest = fmin(out.lowest, tau.value);
        }
        es_sampling_deinit(&whole);
        es_sampling_deinit(&sampling);
    }
    es_free(truth);
    es_free(score);
    return out;
}
