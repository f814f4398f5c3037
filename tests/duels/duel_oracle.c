/* How good are duels? Labels answer in a person's place: a row of the same class is nearer, and a
 * tenth of the answers are exchanged. Measures what the winner costs downstream, whether intervals
 * hold, and how long the next question takes.
 *
 *   duel_oracle [--runs N] [--models A,B,...] POOL...   pools with labels.csv and scores.csv
 *   duel_oracle --time EMBEDDERS ROWS COLUMNS           the next question, in memory
 *   duel_oracle --short                                 a simulated pool, loose bounds, TAP
 *
 * Without --models: all embedders that have scores and are no controls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "report.h"
#include "embedscope/pool.h"

enum { MOST = 40, TIMES = 3 }; /* answers of a run; when regret is reported */
static const size_t time_of[TIMES] = {10, 20, MOST};

typedef struct oracle {
    es_pool *pool;
    es_duel_finder *finder;
    size_t k, rows;
    int *label;      /* (rows) class */
    double *quality; /* (k) downstream, points */
    uint32_t *place; /* (k) order to begin with */
    uint32_t *near;  /* (k, rows) */
    double *truth;   /* (k) share of all questions that it wins */
} oracle;

static void die(const char *what, const char *why) {
    fprintf(stderr, "duel_oracle: %s: %s\n", what, why);
    exit(2);
}

static void check(es_status st, const char *what, const es_error *err) {
    if (st != ES_OK)
        die(what, err->message);
}

static void *room(size_t count, size_t size) {
    void *block = es_alloc_zero(count + 1, size);
    if (!block)
        die("memory", "there is not enough");
    return block;
}

/* ---- pools ---- */

static void settle(es_pool *pool, const char *path) {
    es_error err = {0};
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        es_model_check found = {0};
        check(es_pool_check_model(pool, i, NULL, &found, &err), path, &err);
        check(es_pool_apply(pool, i, &found, &err), path, &err);
        es_model_check_deinit(&found);
    }
    check(es_pool_settle(pool, &err), path, &err);
}

static bool is_named(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; at && (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static double mean_score(const es_scores *s, size_t row) {
    double sum = 0, n = 0;
    for (size_t t = 0; t < s->tasks; t++) {
        double value = s->value[row * s->tasks + t];
        sum += isfinite(value) ? value : 0;
        n += isfinite(value);
    }
    return 100 * sum / n;
}

static void take_labels(oracle *o, const char *path) {
    es_labels labels = {0};
    const char *from = NULL;
    es_error err = {0};
    check(es_pool_labels(o->pool, ES_LABELS_CLASSES, &labels, &from, &err), path, &err);
    if (labels.tasks == 0)
        die(path, "no labels.csv");
    o->label = room(o->rows, sizeof *o->label);
    for (size_t i = 0; i < o->rows; i++)
        o->label[i] = isnan(labels.task[0].value[i]) ? -1 : (int)labels.task[0].value[i];
    es_labels_deinit(&labels);
}

static void open_pool(const char *path, const char *models, oracle *o) {
    es_error err = {0};
    const es_pool_options options = {0};
    const es_scores *scores = NULL;
    size_t *item;
    check(es_pool_open(path, &options, &o->pool, &err), path, &err);
    settle(o->pool, path);
    check(es_pool_scores(o->pool, NULL, &scores, &err), path, &err);
    if (!scores)
        die(path, "no scores.csv");
    o->rows = es_pool_all_rows(o->pool);
    item = room(es_pool_count(o->pool), sizeof *item);
    o->quality = room(es_pool_count(o->pool), sizeof *o->quality);
    for (size_t i = 0; i < es_pool_count(o->pool); i++) {
        const es_model *model = es_pool_model(o->pool, i);
        size_t row = es_scores_find(scores, model->name);
        bool wanted = models ? is_named(models, model->name) : !es_is_control(model->family);
        if (!wanted || row == SIZE_MAX || model->state != ES_MODEL_READY)
            continue;
        o->quality[o->k] = mean_score(scores, row);
        item[o->k++] = i;
    }
    if (o->k < 2)
        die(path, "fewer than two embedders with scores");
    take_labels(o, path);
    check(es_duel_finder_new(o->pool, item, o->k, &o->finder, &err), path, &err);
    es_free(item);
}

/* Embedders that blur classes, one more than the next; values stay with the caller. */
static double *simulate(size_t k, size_t n, size_t d, size_t classes, uint64_t seed, oracle *o) {
    double *x = room(k * n * d, sizeof *x), *centre = room(classes * d, sizeof *centre);
    es_rng rng;
    es_rng_init(&rng, seed, 1);
    o->label = room(n, sizeof *o->label);
    o->quality = room(k, sizeof *o->quality);
    for (size_t i = 0; i < classes * d; i++)
        centre[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < n; i++)
        o->label[i] = (int)es_rng_below(&rng, classes);
    for (size_t e = 0; e < k; e++) {
        double blur = 0.6 + 1.8 * (double)e / (double)k;
        o->quality[e] = 100 / (1 + blur);
        for (size_t i = 0; i < n * d; i++)
            x[e * n * d + i] =
                centre[(size_t)o->label[i / d] * d + i % d] + blur * es_rng_normal(&rng);
    }
    es_free(centre);
    return x;
}

static void open_simulated(const double *x, size_t k, size_t n, size_t d, oracle *o) {
    es_error err = {0};
    es_array_view *view = room(k, sizeof *view);
    char(*name)[24] = room(k, sizeof *name);
    size_t *item = room(k, sizeof *item);
    const es_pool_options options = {0};
    for (size_t e = 0; e < k; e++) {
        (void)snprintf(name[e], sizeof name[e], "m%03zu", e);
        view[e] = (es_array_view){.name = name[e],
                                  .data = x + e * n * d,
                                  .rows = n,
                                  .dim = d,
                                  .element = ES_ELEMENT_FLOAT64};
        item[e] = e;
    }
    check(es_pool_open_arrays(view, k, &options, &o->pool, &err), "simulated", &err);
    settle(o->pool, "simulated");
    o->k = k;
    o->rows = n;
    check(es_duel_finder_new(o->pool, item, k, &o->finder, &err), "simulated", &err);
    es_free(view);
    es_free(name);
    es_free(item);
}

static void close_oracle(oracle *o) {
    es_duel_finder_free(o->finder);
    es_pool_close(o->pool);
    es_free(o->label);
    es_free(o->quality);
    es_free(o->place);
    es_free(o->near);
    es_free(o->truth);
    *o = (oracle){0};
}

/* ---- the oracle ---- */

static bool same(const oracle *o, uint32_t a, uint32_t b) {
    return o->label[a] >= 0 && o->label[a] == o->label[b];
}

static double answer(const oracle *o, const es_duel_question *q) {
    bool left = same(o, q->row, q->left), right = same(o, q->row, q->right);
    return left == right ? 0.5 : left;
}

/* Over every question that can be drawn: of each embedder, what it wins of those in which it has a
 * side. */
static void find_truth(oracle *o) {
    double *won = room(o->k, sizeof *won), *of = room(o->k, sizeof *of);
    for (size_t r = 0; r < o->rows; r++)
        for (size_t a = 0; a < o->k; a++)
            for (size_t b = 0; b < o->k; b++) {
                es_duel_question q = {.row = (uint32_t)r,
                                      .left = o->near[a * o->rows + r],
                                      .right = o->near[b * o->rows + r]};
                if (q.left == q.right || q.left == ES_DUEL_NONE || q.right == ES_DUEL_NONE)
                    continue;
                double left = answer(o, &q);
                for (size_t i = 0; i < o->k; i++) {
                    uint32_t own = o->near[i * o->rows + r];
                    won[i] += own == q.left ? left : own == q.right ? 1 - left : 0;
                    of[i] += own == q.left || own == q.right;
                }
            }
    o->truth = room(o->k, sizeof *o->truth);
    for (size_t i = 0; i < o->k; i++)
        o->truth[i] = won[i] / of[i];
    es_free(won);
    es_free(of);
}

static void prepare(oracle *o) {
    es_error err = {0};
    uint32_t *row = room(o->rows, sizeof *row);
    o->near = room(o->k * o->rows, sizeof *o->near);
    for (size_t r = 0; r < o->rows; r++)
        row[r] = (uint32_t)r;
    for (size_t i = 0; i < o->k; i++)
        check(es_duel_finder_nearest(o->finder, i, row, o->rows, NULL, o->near + i * o->rows, &err),
              "neighbours", &err);
    es_free(row);
    find_truth(o);
}

typedef struct outcome {
    double regret[TIMES];
    bool lost_best; /* who wins most was out at some time */
    size_t left[TIMES];
    uint8_t *covered; /* (MOST, k) at each time */
} outcome;

static void stand(const oracle *o, const es_duel_answer *answers, size_t t, size_t best, double top,
                  outcome *out) {
    es_duel_standing s = {0};
    es_error err = {0};
    check(es_duel_standing_new(answers, t, o->k, ES_DUEL_LEVEL, o->place, &s, &err), "standing",
          &err);
    for (size_t i = 0; i < o->k; i++)
        out->covered[(t - 1) * o->k + i] = s.low[i] <= o->truth[i] && o->truth[i] <= s.high[i];
    for (int at = 0; at < TIMES; at++)
        if (time_of[at] == t) {
            out->regret[at] = top - o->quality[s.order[0]];
            out->left[at] = s.left;
        }
    out->lost_best = out->lost_best || s.out[best];
    es_duel_standing_deinit(&s);
}

static void run_once(const oracle *o, uint64_t seed, outcome *out) {
    es_duel_order order = {0};
    es_duel_question asked[MOST];
    es_duel_answer answers[MOST];
    int8_t *side = room(MOST * o->k, sizeof *side);
    es_error err = {0};
    es_rng rng;
    double top = 0;
    size_t best = 0;
    for (size_t i = 0; i < o->k; i++) {
        top = fmax(top, o->quality[i]);
        best = o->truth[i] > o->truth[best] ? i : best;
    }
    es_rng_init(&rng, seed, 99);
    check(es_duel_order_new(seed, o->rows, o->k, &order, &err), "order", &err);
    for (size_t t = 0; t < MOST; t++) {
        check(es_duel_finder_next(o->finder, &order, asked, t, t ? asked[t - 1].at + 1 : 0, NULL,
                                  &asked[t], &err),
              "question", &err);
        check(es_duel_finder_sides(o->finder, &asked[t], 1, NULL, side + t * o->k, &err), "sides",
              &err);
        double left = answer(o, &asked[t]);
        bool wrong = es_rng_uniform(&rng) < ES_DUEL_WRONG;
        answers[t] = (es_duel_answer){side + t * o->k, wrong ? 1 - left : left};
        stand(o, answers, t + 1, best, top, out);
    }
    es_duel_order_deinit(&order);
    es_free(side);
}

static int compare_doubles(const void *x, const void *y) {
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

typedef struct summary {
    double mean[TIMES], median[TIMES], left[TIMES];
    double start;   /* regret of the first of the order to begin with */
    double covered; /* least share over times, of embedders and runs */
    double always;  /* of embedders and runs, at all times */
    double lost;    /* runs in which the best was out */
} summary;

static void sum_up(const oracle *o, const outcome *run, size_t runs, summary *s) {
    double *list = room(runs, sizeof *list), n = (double)(runs * o->k);
    s->covered = 1;
    for (int at = 0; at < TIMES; at++) {
        for (size_t r = 0; r < runs; r++) {
            list[r] = run[r].regret[at];
            s->mean[at] += list[r] / (double)runs;
            s->left[at] += (double)run[r].left[at] / (double)runs;
        }
        qsort(list, runs, sizeof *list, compare_doubles);
        s->median[at] = (list[(runs - 1) / 2] + list[runs / 2]) / 2;
    }
    for (size_t t = 0; t < MOST; t++) {
        double hits = 0;
        for (size_t r = 0; r < runs; r++)
            for (size_t i = 0; i < o->k; i++)
                hits += run[r].covered[t * o->k + i];
        s->covered = fmin(s->covered, hits / n);
    }
    for (size_t r = 0; r < runs; r++) {
        s->lost += run[r].lost_best / (double)runs;
        for (size_t i = 0; i < o->k; i++) {
            bool all = true;
            for (size_t t = 0; t < MOST; t++)
                all = all && run[r].covered[t * o->k + i];
            s->always += all / n;
        }
    }
    es_free(list);
}

static summary simulate_runs(oracle *o, size_t runs) {
    summary s = {0};
    outcome *run = room(runs, sizeof *run);
    prepare(o);
    for (size_t r = 0; r < runs; r++) {
        run[r].covered = room(MOST * o->k, 1);
        run_once(o, r, &run[r]);
    }
    sum_up(o, run, runs, &s);
    for (size_t r = 0; r < runs; r++)
        es_free(run[r].covered);
    es_free(run);
    return s;
}

/* ---- what is printed ---- */

static void put_summary(const oracle *o, const summary *s, const char *name, size_t runs) {
    double top = 0, mean = 0;
    size_t best = 0;
    for (size_t i = 0; i < o->k; i++) {
        top = fmax(top, o->quality[i]);
        mean += o->quality[i] / (double)o->k;
        best = o->truth[i] > o->truth[best] ? i : best;
    }
    printf("%s: %zu embedders, %zu rows, %zu runs, a tenth of the answers wrong\n", name, o->k,
           o->rows, runs);
    printf("  regret of one drawn at random %.1f points; of who wins most of all questions %.1f\n",
           top - mean, top - o->quality[best]);
    for (int at = 0; at < TIMES; at++)
        printf("  after %zu answers: regret mean %.1f, median %.1f; %.1f candidates left\n",
               time_of[at], s->mean[at], s->median[at], s->left[at]);
    printf("  interval holds the share without errors: %.3f at the worst time, %.3f at all times\n",
           s->covered, s->always);
    printf("  who wins most was out: %.3f of runs\n", s->lost);
}

static void time_questions(size_t k, size_t n, size_t d) {
    enum { ASKED = 20 };
    oracle o = {0};
    double *x = simulate(k, n, d, 50, 1, &o), seconds[ASKED];
    es_duel_order order = {0};
    es_duel_question asked[ASKED];
    es_error err = {0};
    open_simulated(x, k, n, d, &o);
    check(es_duel_order_new(0, n, k, &order, &err), "order", &err);
    for (size_t t = 0; t < ASKED; t++) {
        double start = es_clock_now();
        check(es_duel_finder_next(o.finder, &order, asked, t, t ? asked[t - 1].at + 1 : 0, NULL,
                                  &asked[t], &err),
              "question", &err);
        seconds[t] = es_clock_now() - start;
    }
    qsort(seconds, ASKED, sizeof *seconds, compare_doubles);
    printf("%zu embedders, %zu rows, %zu columns: next question %.1f ms (median), %.1f ms (most)\n",
           k, n, d, 1000 * seconds[ASKED / 2], 1000 * seconds[ASKED - 1]);
    es_duel_order_deinit(&order);
    close_oracle(&o);
    es_free(x);
}

static int tap(int number, bool ok, const char *what, double value) {
    printf("%sok %d - %s (%.3f)\n", ok ? "" : "not ", number, what, value);
    return !ok;
}

static int run_short(void) {
    enum { K = 3, N = 300, D = 8, RUNS = 40 };
    oracle o = {0};
    double *x = simulate(K, N, D, 20, 2, &o);
    open_simulated(x, K, N, D, &o);
    summary s = simulate_runs(&o, RUNS);
    printf("1..4\n");
    int failed = tap(1, s.median[1] < 5, "regret after 20 answers", s.median[1]);
    failed += tap(2, s.covered >= 0.95, "intervals hold at every time", s.covered);
    failed += tap(3, s.lost <= 0.05, "who wins most is kept", s.lost);
    failed += tap(4, s.left[2] < s.left[0] && s.left[2] < K, "candidates go", s.left[2]);
    close_oracle(&o);
    es_free(x);
    return failed > 0;
}

int main(int argc, char **argv) {
    size_t runs = 100;
    const char *models = NULL;
    if (argc == 2 && strcmp(argv[1], "--short") == 0)
        return run_short();
    if (argc == 5 && strcmp(argv[1], "--time") == 0) {
        time_questions(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                       strtoul(argv[4], NULL, 10));
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        oracle o = {0};
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = strtoul(argv[++i], NULL, 10);
            continue;
        }
        if (strcmp(argv[i], "--models") == 0 && i + 1 < argc) {
            models = argv[++i];
            continue;
        }
        open_pool(argv[i], models, &o);
        summary s = simulate_runs(&o, runs);
        put_summary(&o, &s, argv[i], runs);
        close_oracle(&o);
    }
    return 0;
}
