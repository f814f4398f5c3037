/* The published score in other units, against plain medians of rescaled values. */
#include "testing.h"
#include "report_answer.h"

enum { M = 6, ROWS = 64 };

typedef struct pool {
    double is[M * M], se[M * M], h[M];
    uint8_t state[M * M];
    size_t dim[M], used[M];
    float *pmi[M * M], value[M * M][ROWS];
    char *name[M], *family[M];
    es_results results;
} pool;

static void pool_init(pool *p) {
    static char *const names[M] = {"a", "b", "c", "d", "e", "f"};
    static const size_t used[M] = {3, 40, 7, 200, 12, 5};
    static const double h[M] = {1.4, 0.7, 1.1, -0.05, 1.3, 0.9};
    memset(p, 0, sizeof *p);
    memcpy(p->name, names, sizeof names);
    memcpy(p->used, used, sizeof used);
    memcpy(p->dim, used, sizeof used);
    memcpy(p->h, h, sizeof h);
    es_rng rng = test_rng(11, 0);
    for (size_t cell = 0; cell < (size_t)M * M; cell++) {
        double sum = 0, level = 0.2 + 0.1 * (double)(cell / M) + 0.3 * es_rng_uniform(&rng);
        for (size_t r = 0; r < ROWS; r++) {
            p->value[cell][r] = (float)(level + es_rng_uniform(&rng) - 0.5);
            sum += (double)p->value[cell][r];
        }
        p->pmi[cell] = p->value[cell];
        p->is[cell] = sum / ROWS;
        p->se[cell] = 0.01;
        p->state[cell] = ES_PAIR_DONE;
    }
    p->results = (es_results){.m = M,
                              .name = p->name,
                              .family = p->family,
                              .dim = p->dim,
                              .dim_used = p->used,
                              .h = p->h,
                              .is = p->is,
                              .se = p->se,
                              .state = p->state,
                              .pmi = p->pmi,
                              .n_eval = ROWS,
                              .estimator = es_estimator_find("knife")};
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median over the other targets of is times by; targets without `by` are left out. */
static double plain_median(const pool *p, const double *by, size_t source) {
    double v[M];
    size_t n = 0;
    for (size_t j = 0; j < M; j++)
        if (j != source && isfinite(by[j]))
            v[n++] = p->is[source * M + j] * by[j];
    qsort(v, n, sizeof *v, compare);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static es_rank_report *report_in(const pool *p, es_unit unit) {
    es_rank_report *report = NULL;
    const es_rank_choices how = {
        .score = ES_SCORE_PUBLISHED, .unit = unit, .with_intervals = true, .seed = 5};
    assert_ok(es_rank_report_new(&p->results, &how, &report, NULL));
    return report;
}

TEST(score__in_nats__is_a_median_of_totals) {
    pool p;
    double by[M];
    pool_init(&p);
    for (size_t j = 0; j < M; j++)
        by[j] = (double)p.used[j];
    es_rank_report *report = report_in(&p, ES_UNIT_NATS);
    assert_int_equal(report->unit, ES_UNIT_NATS);
    assert_string_equal(es_rank_report_unit(report), "nats");
    for (size_t i = 0; i < M; i++)
        assert_true(fabs(report->ranking->score[i] - plain_median(&p, by, i)) < 1e-9);
    es_rank_report_free(report);
}

TEST(score__by_entropy__leaves_out_targets_without_one) {
    pool p;
    double by[M];
    pool_init(&p);
    for (size_t j = 0; j < M; j++)
        by[j] = p.h[j] > 0 ? 1 / p.h[j] : (double)NAN;
    es_rank_report *report = report_in(&p, ES_UNIT_ENTROPY);
    for (size_t i = 0; i < M; i++) {
        assert_true(fabs(report->ranking->score[i] - plain_median(&p, by, i)) < 1e-12);
        assert_int_equal(report->ranking->pairs[i], i == 3 ? M - 1 : M - 2);
    }
    es_rank_report_free(report);
}

TEST(intervals__equal_dimensions__scale_with_the_score) {
    pool p;
    const double d = 7;
    pool_init(&p);
    for (size_t j = 0; j < M; j++)
        p.used[j] = (size_t)d;
    es_rank_report *usual = report_in(&p, ES_UNIT_DIMENSION), *nats = report_in(&p, ES_UNIT_NATS);
    for (size_t i = 0; i < M; i++) {
        assert_true(isfinite(usual->decision->low[i]));
        assert_true(fabs(nats->decision->low[i] - d * usual->decision->low[i]) < 1e-5);
        assert_true(fabs(nats->decision->high[i] - d * usual->decision->high[i]) < 1e-5);
        assert_int_equal(nats->ranking->rank[i], usual->ranking->rank[i]);
        assert_int_equal(nats->decision->kind[i], usual->decision->kind[i]);
    }
    es_rank_report_free(usual);
    es_rank_report_free(nats);
}

TEST(unit__nothing_to_count_in__is_an_error) {
    pool p;
    es_rank_report *report = NULL;
    es_rank_choices how = {.score = ES_SCORE_PUBLISHED, .unit = ES_UNIT_NATS};
    pool_init(&p);
    memset(p.used, 0, sizeof p.used);
    assert_int_equal(es_rank_report_new(&p.results, &how, &report, test_err()), ES_EEMPTY);
    pool_init(&p);
    p.results.estimator = es_estimator_find("l2");
    assert_int_equal(es_rank_report_new(&p.results, &how, &report, test_err()), ES_EINVAL);
    assert_null(report);
}
