/* Times what a view of a finished matrix needs, on one thread.
 *
 *   bench_analysis [--json] [EMBEDDERS ROWS TASKS]     default 200 1200 20
 *
 * One result per step and the total: ranking with intervals over rows and targets
 * (2,000 draws), communities with 200 runs, all orders, correlations, curves. Then the intervals
 * alone and what is recomputed after each finished pair, for 50 embedders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core_numerics.h"
#include "embedscope/ranking.h"
#include "base.h"
#include "embedscope/correlate.h"
#include "core_ranking.h"
#include "embedscope/communities.h"
#include "core_structure.h"
#include "report.h"

enum { NOISE = 1 << 20 };

typedef struct pool {
    size_t m, rows;
    double *is;  /* (m, m) */
    float **pmi; /* (m, m) */
    char **name;
    size_t *dim;
    double *a; /* (m) quality */
} pool;

static void need(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "bench_analysis: %s\n", what);
        exit(1);
    }
}

static void check(es_status st, const es_error *err) {
    need(st == ES_OK, err->message);
}

/* Five families around a common level, rows with noise from one long list. */
static pool make_pool(size_t m, size_t rows) {
    pool p = {.m = m, .rows = rows};
    float *noise = malloc(NOISE * sizeof *noise);
    p.is = malloc(m * m * sizeof *p.is);
    p.pmi = (float **)malloc(m * m * sizeof *p.pmi);
    p.name = (char **)malloc(m * sizeof *p.name);
    p.dim = malloc(m * sizeof *p.dim);
    p.a = malloc(m * sizeof *p.a);
    need(noise && p.is && p.pmi && p.name && p.dim && p.a, "out of memory");
    es_rng rng;
    es_rng_init(&rng, 1, 1);
    for (size_t k = 0; k < NOISE; k++)
        noise[k] = (float)(0.3 * es_rng_normal(&rng));
    for (size_t i = 0; i < m; i++) {
        p.name[i] = malloc(32);
        need(p.name[i] != NULL, "out of memory");
        snprintf(p.name[i], 32, "model-%zu", i * 7919 % 1000);
        p.dim[i] = (size_t)32 << es_rng_below(&rng, 7);
        p.a[i] = 0.5 + 0.07 * es_rng_normal(&rng);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double level = p.a[i] + (i % 5 == j % 5 ? 0.1 : 0) + 0.1 * es_rng_normal(&rng), sum = 0;
            size_t from = es_rng_below(&rng, NOISE - rows);
            float *v = malloc(rows * sizeof *v);
            need(v != NULL, "out of memory");
            for (size_t r = 0; r < rows; r++) {
                v[r] = (float)level + noise[from + r];
                sum += (double)v[r];
            }
            p.pmi[i * m + j] = v;
            p.is[i * m + j] = sum / (double)rows;
        }
    free(noise);
    return p;
}

static void free_pool(pool *p) {
    for (size_t k = 0; k < p->m * p->m; k++)
        free(p->pmi[k]);
    for (size_t i = 0; i < p->m; i++)
        free(p->name[i]);
    free((void *)p->pmi);
    free((void *)p->name);
    free(p->is);
    free(p->dim);
    free(p->a);
}

static double total, total_cpu;

/* Wall and processor time; they differ on a busy machine. */
typedef struct timer {
    double wall, cpu;
} timer;

static timer start_timer(void) {
    return (timer){es_clock_now(), (double)clock() / CLOCKS_PER_SEC};
}

static void print(const char *step, timer start) {
    timer now = start_timer();
    total += now.wall - start.wall;
    total_cpu += now.cpu - start.cpu;
    report("analysis", step, now.wall - start.wall, NAN, NAN, "cpu_ms=%.1f",
           1e3 * (now.cpu - start.cpu));
}

static void time_intervals(const pool *p, const char *step) {
    es_error err;
    es_intervals *x = NULL;
    es_bootstrap b = {.is = p->is, .pmi = p->pmi, .m = p->m, .n_eval = p->rows};
    timer start = start_timer();
    check(es_intervals_new(&b, NULL, &x, &err), &err);
    print(step, start);
    es_intervals_free(x);
}

/* What the ranking decides: kinds, leads, the set of the best and rank intervals; ten families. */
static void time_decision(const pool *p, const char *step) {
    es_error err;
    es_decision *x = NULL;
    uint32_t *family = malloc(p->m * sizeof *family);
    need(family != NULL, "out of memory");
    for (size_t j = 0; j < p->m; j++)
        family[j] = (uint32_t)(j % 10);
    const es_decision_problem problem = {.is = p->is,
                                         .pmi = p->pmi,
                                         .m = p->m,
                                         .n_eval = p->rows,
                                         .by_lead = true,
                                         .family = family};
    timer start = start_timer();
    check(es_decision_new(&problem, NULL, &x, &err), &err);
    print(step, start);
    need(x->said, "nothing is said of the made-up pool");
    es_decision_free(x);
    free(family);
}

/* Communities and every order of matrix and lists. */
static void time_structure(const pool *p, unsigned runs, const char *step) {
    es_error err;
    es_communities *c = NULL;
    es_ranking *r = NULL;
    es_linkage *l[10] = {NULL};
    uint32_t *order = malloc(p->m * sizeof *order);
    need(order != NULL, "out of memory");
    timer start = start_timer();
    es_louvain louvain = {.is = p->is, .m = p->m, .resolution = 1.1, .runs = runs};
    check(es_communities_new(&louvain, NULL, &c, &err), &err);
    print(step, start);
    start = start_timer();
    check(es_ranking_new(p->is, p->m, &(es_score_rule){0}, &r, &err), &err);
    for (int k = 0; k < (runs == 1 ? 1 : 10); k++)
        check(es_linkage_new(p->is, p->m, (es_linkage_method)(k % 5), (es_linkage_of)(k / 5),
                             ES_DIAGONAL_KEEP, NULL, l + k, &err),
              &err);
    es_order_keys keys = {p->m,       (const char *const *)p->name, r->rank, p->dim, c->group,
                          l[0]->order};
    for (int k = ES_ORDER_NAME; k <= ES_ORDER_CLUSTER; k++)
        check(es_order_make((es_order_kind)k, &keys, order, &err), &err);
    print(runs == 1 ? "ranking, one dendrogram, all orders" : "ten dendrograms, all orders", start);
    for (int k = 0; k < 10; k++)
        es_linkage_free(l[k]);
    es_communities_free(c);
    es_ranking_free(r);
    free(order);
}

static void time_correlations(const pool *p, size_t tasks) {
    es_error err;
    double *x = malloc(4 * p->m * sizeof *x);
    need(x != NULL, "out of memory");
    double *y = x + p->m, *covariate = y + p->m, *residual = covariate + p->m;
    es_rng rng;
    es_rng_init(&rng, 2, 2);
    timer start = start_timer();
    for (size_t t = 0; t < tasks; t++) {
        for (size_t i = 0; i < p->m; i++) {
            x[i] = p->a[i];
            y[i] = p->a[i] + 0.05 * es_rng_normal(&rng);
            covariate[i] = log((double)p->dim[i]);
        }
        es_correlation_report report;
        es_correlate_options options = {.seed = t};
        check(es_correlate_task(x, y, covariate, p->m, &options, NULL, residual, &report, &err),
              &err);
    }
    print("correlations", start);
    free(x);
}

static void time_coverage(const pool *p) {
    es_error err;
    es_pool_curve *c = NULL;
    es_cover_step *step = malloc(p->m * sizeof *step);
    need(step != NULL, "out of memory");
    size_t steps = 0;
    timer start = start_timer();
    check(es_pool_curve_new(p->is, p->m, &(es_pool_curve_options){0}, NULL, &c, &err), &err);
    check(es_cover_greedy(p->is, p->m, 0.8, p->dim, NULL, step, &steps, &err), &err);
    print("curve and cover (not in the total)", start);
    es_pool_curve_free(c);
    free(step);
}

int main(int argc, char **argv) {
    es_blas_guard(argv);
    argc = report_begin(argc, argv);
    size_t m = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    size_t rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 1200;
    size_t tasks = argc > 3 ? strtoul(argv[3], NULL, 10) : 20;
    need(m >= 2 && m <= 1000 && rows >= 2 && rows < NOISE, "2 to 1000 EMBEDDERS, 2 or more ROWS");
    pool p = make_pool(m, rows);
    time_intervals(&p, "ranking with intervals");
    time_decision(&p, "what a ranking decides");
    time_structure(&p, ES_LOUVAIN_RUNS, "communities with stability");
    time_correlations(&p, tasks);
    report("analysis", "total", total, NAN, NAN, "embedders=%zu cpu_ms=%.1f", m, 1e3 * total_cpu);
    time_coverage(&p);
    free_pool(&p);
    p = make_pool(50, rows);
    time_intervals(&p, "50 embedders: intervals");
    time_structure(&p, 1, "50 embedders, live: communities");
    free_pool(&p);
    return 0;
}
