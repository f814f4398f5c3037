/* Measures whether what the program says of a ranking holds, on simulated and real pools, by the
 * program's own decisions. Prints a table a pool; with --short a few draws and TAP with loose
 * bounds, for the tests.
 *
 *   calibrate [--short] [--draws N] [--set KEY=VALUE] POOL...
 *
 * --set: of the estimator where it is fitted anew on fewer rows; bound=0 shows what one row does.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_numerics.h"
#include "calibrating.h"
#include "embedscope/pool.h"

enum { SEED = 1, QUICK = 4 /* of the simulations, so many are small */ };

typedef struct plan {
    size_t draws, fits, simulated; /* of rows; fitted anew; simulated pools */
    bool tap;
    const char *settings; /* of the estimator where it is fitted anew; NULL: as it is */
    int tests, failed;
} plan;

/* ---- The table ---- */

static void put_row(const char *what, const char *goal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put_row(const char *what, const char *goal, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("| %s | %s | %s |\n", what, text, goal);
}

static void put_percent(const char *what, const char *goal, share s) {
    if (s.of > 0)
        put_row(what, goal, "%.2f %% (%.0f of %.0f)", 100 * share_of(s), s.hits, s.of);
    else
        put_row(what, goal, "none");
}

static void put_steadiness(const char *what, const char *goal, const steadiness *s) {
    put_row(what, goal, "lowest %.3f, mean %.3f; pairs shown ahead that turned %.2f %%", s->lowest,
            s->mean, 100 * share_of(s->turned));
}

/* ---- The tests ---- */

static void test(plan *p, bool holds, const char *what, double value) {
    p->failed += !holds;
    printf("%sok %d %s: %.4f\n", holds ? "" : "not ", ++p->tests, what, value);
}

/* ---- One pool ---- */

static void put_halves(const char *what, const sides *c) {
    put_row(what, "", "%zu draws, both ways", c->draws);
    put_percent("- pairs with one shown ahead", "", c->ahead);
    put_percent("- of these contradicted by unseen rows", "< 1 %", c->wrong);
}

static void show(const pool_values *pool, const sides halves[2],
                 const steadiness *const fitted[2]) {
    printf("\n## %s (%zu embedders, %zu rows evaluated)\n\n| what | measured | goal |\n"
           "| --- | --- | --- |\n",
           es_pool_name(es_session_pool(pool->session)), pool->m, pool->rows);
    put_halves("halves of the evaluated rows", &halves[0]);
    put_halves("halves of all rows, each fitted alone", &halves[1]);
    static const char *const names[2] = {"fitted anew on half of the rows",
                                         "fitted anew on 1,000 rows"};
    for (size_t k = 0; k < 2; k++) {
        if (fitted[k][0].draws == 0)
            continue;
        put_row(names[k], "", "%zu draws; Kendall's tau-b", fitted[k][0].draws);
        put_steadiness("- with all rows", "", &fitted[k][0]);
        put_steadiness("- the same, beside a heavy-tailed member", ">= 0.9", &fitted[k][1]);
        put_steadiness("- with it against without it", ">= 0.9", &fitted[k][2]);
    }
}

static void put_growth(const growth_kept *g) {
    put_row("samples of rows that double from 125", "", "%zu draws; %.0f end before all rows",
            g->draws, g->stops.of);
    if (g->stops.of > 0)
        put_row("- at the end: rows; agreement promised, found", "",
                "%.0f; %.3f, %.3f, lowest %.3f", g->rows / g->stops.of, g->expected / g->stops.of,
                g->actual / g->stops.of, g->lowest);
    put_percent("- ends that keep their promise", ">= 90 %", g->stops);
    put_percent("- sizes that keep it, ends or not", ">= 90 %", g->looks);
}

static void test_pool(plan *p, const sides *halves, const steadiness *half) {
    test(p, share_of(halves->wrong) < 0.02, "contradicted by unseen rows", share_of(halves->wrong));
    test(p, share_of(halves[1].wrong) < 0.03, "contradicted by rows fitted alone",
         share_of(halves[1].wrong));
    test(p, share_of(halves->ahead) > 0.05, "pairs with one shown ahead", share_of(halves->ahead));
    test(p, half[1].mean >= 0.9, "agreement on half of the rows, beside a heavy-tailed member",
         half[1].mean);
    test(p, half[2].lowest >= 0.9, "agreement with it and without it", half[2].lowest);
    test(p, share_of(half[1].turned) < 0.06, "pairs shown ahead that turned",
         share_of(half[1].turned));
}

/* ---- Simulated pools ---- */

static void show_simulated(const simulation *how, const simulated *s) {
    printf("\n## Simulated: %s (%zu draws)\n\n| what | measured | goal |\n| --- | --- | --- |\n",
           how->name, s->draws);
    put_percent("the set holds the best", ">= 94.5 %", s->best);
    put_percent("embedders in the set", "few", s->members);
    put_percent("rank intervals that hold the rank", ">= 95 %", s->ranks);
    put_percent("intervals of the lead that hold it", "95 %", s->intervals);
    put_percent("pairs with one shown ahead", "", s->ahead);
    put_percent("- of these the worse one", "few", s->wrong);
    put_percent("twins of which one is shown ahead", "<= 5 %", s->twins);
}

/* Three standard errors of a share of so many draws. */
static double slack(const plan *p, double expected) {
    return 3 * sqrt(expected * (1 - expected) / (double)p->simulated);
}

/* Among equals no rank is the true one. */
static void test_simulated(plan *p, const simulation *how, const simulated *s) {
    bool equal = how->spread < 1e-3;
    printf("# %s\n", how->name);
    test(p, share_of(equal ? s->members : s->best) >= 0.945 - slack(p, 0.05),
         equal ? "the set holds an embedder" : "the set holds the best",
         share_of(equal ? s->members : s->best));
    if (!equal)
        test(p, share_of(s->ranks) >= 0.95 - slack(p, 0.05), "rank intervals hold the rank",
             share_of(s->ranks));
    test(p, share_of(s->intervals) >= 0.95 - slack(p, 0.05), "intervals of the lead hold it",
         share_of(s->intervals));
    test(p, share_of(s->twins) <= 0.05 + slack(p, 0.05), "twins of which one is shown ahead",
         share_of(s->twins));
}

static void calibrate_simulated(plan *p) {
    for (size_t k = 0; k < (p->tap ? QUICK : SIMULATIONS); k++) {
        simulated s = simulate(&simulations[k], p->simulated, SEED);
        if (p->tap)
            test_simulated(p, &simulations[k], &s);
        else
            show_simulated(&simulations[k], &s);
    }
}

static void calibrate(plan *p, const char *path) {
    pool_values pool = pool_values_open(path);
    const sides halves[2] = {cover_halves(&pool, p->draws, SEED),
                             cover_refits(&pool, p->fits, SEED)};
    size_t rows = es_pool_rows(es_session_pool(pool.session));
    steadiness half[3], thousand[3] = {0};
    const steadiness *const fitted[2] = {half, thousand};
    steady_rows(&pool, rows / 2, p->fits, p->settings, SEED, half);
    if (!p->tap && rows > 1000)
        steady_rows(&pool, 1000, p->fits, p->settings, SEED + 1, thousand);
    growth_kept growth = grow_samples(&pool, path, 125, p->fits, SEED);
    if (p->tap) {
        test_pool(p, halves, half);
        test(p, share_of(growth.looks) >= 0.75, "promises of samples that are kept",
             share_of(growth.looks));
    } else {
        show(&pool, halves, fitted);
        put_growth(&growth);
    }
    fflush(stdout);
    pool_values_close(&pool);
}

int main(int argc, char **argv) {
    plan p = {.draws = 200, .fits = 20, .simulated = 2000};
    int first = 1;
    es_blas_guard(argv);
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
        if (strcmp(argv[first], "--short") == 0) {
            p.tap = true;
            p.draws = 12;
            p.fits = 2;
            p.simulated = 50;
        } else if (strcmp(argv[first], "--draws") == 0 && first + 1 < argc) {
            p.draws = strtoul(argv[++first], NULL, 10);
        } else if (strcmp(argv[first], "--set") == 0 && first + 1 < argc) {
            p.settings = argv[++first];
        } else {
            fprintf(stderr, "calibrate: what is %s?\n", argv[first]);
            return 2;
        }
    }
    if (first == argc || p.draws == 0) {
        fprintf(stderr, "usage: calibrate [--short] [--draws N] [--set KEY=VALUE] POOL...\n");
        return 2;
    }
    calibrate_simulated(&p);
    for (int k = first; k < argc; k++)
        calibrate(&p, argv[k]);
    if (p.tap)
        printf("1..%d\n", p.tests);
    return p.failed > 0;
}
