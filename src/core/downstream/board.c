/* Paired differences over tasks, studentised multiplier draws, and the set that they leave. */
#include "core_downstream.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

enum { DRAWS = 1000, LEAST_DRAWS = 200 };
static const double MOST_WORK = 4e9; /* multiplications, before draws are saved */

typedef struct work {
    const es_board_problem *problem;
    es_board *out;
    uint32_t *cluster; /* (tasks) */
    size_t draws;
    double *delta, *error;     /* (m, m) row minus column; standard error over these tasks; NaN */
    double *influence;         /* (clusters) of one pair */
    float *multiplier;         /* (clusters, draws) */
    double *spread;            /* (draws) by which a draw is divided */
    float *side, *drawn;       /* (m, clusters), (m, draws) of the differences to one model */
    double *most;              /* (draws) */
    double *key;               /* (m) */
    uint32_t *index, *scratch; /* (m) */
} work;

static double value_of(const work *w, size_t model, size_t task) {
    return w->problem->value[model * w->problem->tasks + task];
}

/* ---- life ---- */

void es_board_free(es_board *board) {
    if (board == NULL)
        return;
    es_free(board->count);
    es_free(board->mean);
    es_free(board->order);
    es_free(board->best);
    es_free(board->need);
    es_free(board);
}

static es_board *board_new(const es_board_problem *p) {
    size_t m = p->m;
    es_board *b = es_alloc_zero(1, sizeof *b);
    if (b == NULL)
        return NULL;
    *b = (es_board){.m = m, .tasks = p->tasks, .level = p->level > 0 ? p->level : 0.95};
    b->count = es_alloc_zero(m, sizeof *b->count);
    b->mean = es_alloc(m, 4 * sizeof *b->mean);
    b->order = es_alloc_zero(m, 4 * sizeof *b->order);
    b->best = es_alloc_zero(m * (m + 1), sizeof *b->best);
    b->need = es_alloc(p->tasks, sizeof *b->need);
    if (!b->count || !b->mean || !b->order || !b->best || !b->need) {
        es_board_free(b);
        return NULL;
    }
    b->mean_rank = b->mean + m;
    b->borda = b->mean_rank + m;
    b->lead = b->borda + m;
    b->rank = b->order + m;
    b->rank_low = b->rank + m;
    b->rank_high = b->rank_low + m;
    b->ahead = b->best + m;
    return b;
}

static void work_deinit(work *w) {
    es_free(w->cluster);
    es_free(w->delta);
    es_free(w->influence);
    es_free(w->multiplier);
    es_free(w->spread);
    es_free(w->side);
    es_free(w->drawn);
    es_free(w->index);
}

static size_t draws_of(const es_board_problem *p, size_t clusters) {
    double each = (double)p->m * (double)p->m * (double)clusters;
    size_t draws = p->draws > 0 ? p->draws : DRAWS;
    if (p->draws == 0 && each * (double)draws > MOST_WORK)
        draws = (size_t)(MOST_WORK / each);
    return draws < LEAST_DRAWS && p->draws == 0 ? LEAST_DRAWS : draws;
}

/* Categories are clusters if there are enough; else tasks. */
static bool find_clusters(work *w) {
    const es_board_problem *p = w->problem;
    size_t found = 0;
    w->cluster = es_alloc(2 * p->tasks, sizeof *w->cluster);
    if (w->cluster == NULL)
        return false;
    uint32_t *number = w->cluster + p->tasks;
    for (size_t t = 0; t < p->tasks; t++)
        number[t] = UINT32_MAX;
    for (size_t t = 0; p->category && t < p->tasks; t++) {
        uint32_t *of = &number[p->category[t]];
        *of = *of == UINT32_MAX ? (uint32_t)found++ : *of;
        w->cluster[t] = *of;
    }
    w->out->by_category = found >= ES_BOARD_CLUSTERS;
    for (size_t t = 0; !w->out->by_category && t < p->tasks; t++)
        w->cluster[t] = (uint32_t)t;
    w->out->clusters = w->out->by_category ? found : p->tasks;
    w->out->said = w->out->clusters >= ES_BOARD_CLUSTERS && p->m > 1;
    return true;
}

static bool allocate_work(work *w) {
    size_t m = w->problem->m, k = w->out->clusters;
    w->draws = draws_of(w->problem, k);
    w->delta = es_alloc(m, 2 * m * sizeof *w->delta);
    w->influence = es_alloc(2 * k, sizeof *w->influence);
    w->multiplier = es_alloc(k, w->draws * sizeof *w->multiplier);
    w->spread = es_alloc(2 * w->draws + m, sizeof *w->spread);
    w->side = es_alloc(m, k * sizeof *w->side);
    w->drawn = es_alloc(m, w->draws * sizeof *w->drawn);
    w->index = es_alloc(2 * m, sizeof *w->index);
    if (!w->delta || !w->influence || !w->multiplier || !w->spread || !w->side || !w->drawn ||
        !w->index)
        return false;
    w->error = w->delta + m * m;
    w->most = w->spread + w->draws;
    w->key = w->most + w->draws;
    w->scratch = w->index + m;
    return true;
}

/* ---- means and ranks ---- */

/* Ranks and shares of one task, into the sums. Equal scores share the mean of their places. */
static void add_task(work *w, size_t t) {
    es_board *b = w->out;
    size_t m = b->m, known = 0;
    for (size_t i = 0; i < m; i++) {
        double value = value_of(w, i, t);
        w->key[i] = isnan(value) ? (double)INFINITY : -value;
        known += isnan(value) ? 0 : 1;
    }
    es_sort_order(w->key, w->index, w->scratch, m);
    for (size_t from = 0, to; from < known; from = to) {
        for (to = from + 1; to < known && w->key[w->index[to]] == w->key[w->index[from]];)
            to++;
        double rank = (double)(from + to + 1) / 2;
        for (size_t k = from; k < to; k++) {
            size_t i = w->index[k];
            b->count[i]++;
            b->mean[i] += value_of(w, i, t);
            b->mean_rank[i] += rank;
            b->borda[i] += known > 1 ? ((double)known - rank) / ((double)known - 1) : 0.5;
        }
    }
}

/* Means of scores, ranks and Borda counts of each model over its tasks. */
static void take_means(work *w) {
    es_board *b = w->out;
    memset(b->mean, 0, 3 * b->m * sizeof *b->mean);
    for (size_t t = 0; t < b->tasks; t++)
        add_task(w, t);
    for (size_t i = 0; i < b->m; i++) {
        double n = b->count[i] > 0 ? (double)b->count[i] : (double)NAN;
        b->mean[i] /= n;
        b->mean_rank[i] /= n;
        b->borda[i] /= n;
    }
}

/* ---- differences ---- */

/* influence (clusters): what each adds to the error of delta(a, b). Returns delta, NaN without a
 * task in common; *clusters: those with such a task. */
static double difference(work *w, size_t a, size_t b, size_t *clusters) {
    size_t k = w->out->clusters, tasks = w->problem->tasks, n = 0;
    double sum = 0, *seen = w->influence + k;
    memset(w->influence, 0, 2 * k * sizeof *w->influence);
    for (size_t t = 0; t < tasks; t++) {
        double d = value_of(w, a, t) - value_of(w, b, t);
        n += isnan(d) ? 0 : 1;
        sum += isnan(d) ? 0 : d;
    }
    *clusters = 0;
    if (n == 0)
        return (double)NAN;
    double delta = sum / (double)n;
    for (size_t t = 0; t < tasks; t++) {
        double d = value_of(w, a, t) - value_of(w, b, t);
        if (isnan(d))
            continue;
        *clusters += seen[w->cluster[t]] == 0;
        seen[w->cluster[t]] = 1;
        w->influence[w->cluster[t]] += (d - delta) / (double)n;
    }
    return delta;
}

static double error_of(const work *w, size_t clusters) {
    double sum = 0;
    if (clusters < ES_BOARD_CLUSTERS)
        return (double)NAN;
    for (size_t k = 0; k < w->out->clusters; k++)
        sum += w->influence[k] * w->influence[k];
    return sqrt(sum * (double)clusters / ((double)clusters - 1));
}

/* Mean differences of every two models over their common tasks, with their errors. */
static void take_differences(work *w) {
    size_t m = w->out->m, clusters;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            double delta = difference(w, a, b, &clusters), error = error_of(w, clusters);
            w->delta[a * m + b] = delta;
            w->delta[b * m + a] = -delta;
            w->error[a * m + b] = w->error[b * m + a] = error;
        }
}

static bool same_lead(double a, double b) {
    return fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b));
}

/* Orders the models by mean and gives ranks. */
static void take_order(work *w) {
    es_board *b = w->out;
    size_t m = b->m;
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        size_t n = 0;
        for (size_t j = 0; j < m; j++)
            if (j != i && !isnan(w->delta[i * m + j])) {
                sum += w->delta[i * m + j];
                n++;
            }
        b->lead[i] = n > 0 ? sum / (double)n : m == 1 && b->count[i] > 0 ? 0 : (double)NAN;
        w->key[i] = isnan(b->lead[i]) ? (double)INFINITY : -b->lead[i];
    }
    es_sort_order(w->key, b->order, w->scratch, m);
    for (size_t k = 0; k < m && !isnan(b->lead[b->order[k]]); k++) {
        size_t i = b->order[k], before = k > 0 ? b->order[k - 1] : i;
        b->rank[i] =
            k > 0 && same_lead(b->lead[i], b->lead[before]) ? b->rank[before] : (uint32_t)k + 1;
    }
}

/* ---- who is shown ahead ---- */

/* multiplier: normal; spread: of as many as there are degrees of freedom, by which they are divided
 * as estimated errors are. */
static void draw(work *w) {
    es_rng rng;
    size_t k = w->out->clusters;
    es_rng_init(&rng, w->problem->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0));
    for (size_t i = 0; i < k * w->draws; i++)
        w->multiplier[i] = (float)es_rng_normal(&rng);
    for (size_t r = 0; r < w->draws; r++) {
        double sum = 0;
        for (size_t i = 1; i < k; i++) {
            double x = es_rng_normal(&rng);
            sum += x * x;
        }
        w->spread[r] = sqrt(sum / (double)(k - 1));
    }
}

/* The differences of others to model j by cluster, in units of their error; returns how many. */
static size_t fill_side(work *w, size_t j) {
    size_t m = w->out->m, k = w->out->clusters, rows = 0, clusters;
    for (size_t a = 0; a < m; a++) {
        double error = w->error[a * m + j];
        if (a == j || isnan(error) || error <= 0)
            continue;
        (void)difference(w, a, j, &clusters);
        double unit = sqrt((double)clusters / ((double)clusters - 1)) / error;
        for (size_t c = 0; c < k; c++)
            w->side[rows * k + c] = (float)(w->influence[c] * unit);
        rows++;
    }
    return rows;
}

/* What the largest of the studentised differences to model j reaches by chance. */
static double critical(work *w, size_t j) {
    size_t rows = fill_side(w, j);
    if (rows == 0)
        return (double)INFINITY;
    es_sgemm(false, rows, w->draws, w->out->clusters, 1, w->side, w->multiplier, w->drawn);
    for (size_t r = 0; r < w->draws; r++)
        w->most[r] = -(double)INFINITY;
    for (size_t i = 0; i < rows; i++)
        for (size_t r = 0; r < w->draws; r++)
            w->most[r] = fmax(w->most[r], (double)w->drawn[i * w->draws + r]);
    for (size_t r = 0; r < w->draws; r++)
        w->most[r] /= w->spread[r];
    return es_stat_quantile(w->most, w->draws, w->out->level);
}

/* sqrt(2): the other tasks are a sample, too. A difference that is the same in every task has no
 * error. */
static void compare_with(work *w, size_t j) {
    es_board *b = w->out;
    double limit = critical(w, j) * sqrt(2);
    for (size_t a = 0; a < b->m; a++) {
        double delta = w->delta[a * b->m + j], error = w->error[a * b->m + j];
        b->ahead[a * b->m + j] =
            a != j && !isnan(error) && delta > 0 && (error <= 0 || delta > limit * error);
    }
}

/* Rank intervals: models that are shown ahead or behind. */
static void take_ranks(es_board *b) {
    size_t ranked = 0;
    for (size_t i = 0; i < b->m; i++)
        ranked += b->rank[i] > 0;
    for (size_t i = 0; i < b->m; i++) {
        size_t above = 0, below = 0;
        for (size_t j = 0; j < b->m; j++) {
            above += b->ahead[j * b->m + i];
            below += b->ahead[i * b->m + j];
        }
        b->rank_low[i] = b->rank[i] > 0 ? (uint32_t)(1 + above) : 0;
        b->rank_high[i] = b->rank[i] > 0 ? (uint32_t)(ranked - below) : 0;
        b->best[i] = b->said && b->rank[i] > 0 && above == 0;
    }
}

/* Of which tasks more would tell the first from the other candidates. */
static void take_need(work *w) {
    es_board *b = w->out;
    size_t first = b->order[0];
    double total = 0;
    for (size_t t = 0; t < b->tasks; t++)
        b->need[t] = 0;
    for (size_t j = 0; j < b->m; j++) {
        double delta = w->delta[first * b->m + j];
        for (size_t t = 0; j != first && b->best[j] && t < b->tasks; t++) {
            double d = value_of(w, first, t) - value_of(w, j, t) - delta;
            b->need[t] += isnan(d) ? 0 : d * d;
            total += isnan(d) ? 0 : d * d;
        }
    }
    for (size_t t = 0; t < b->tasks; t++)
        b->need[t] = total > 0 ? b->need[t] / total : (double)NAN;
}

/* Computes means, differences, the order and simultaneous intervals by the multiplier bootstrap. */
static es_status solve_board(work *w, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    take_means(w);
    take_differences(w);
    take_order(w);
    if (w->out->said)
        draw(w);
    for (size_t j = 0; st == ES_OK && w->out->said && j < w->out->m; j++) {
        compare_with(w, j);
        st = es_run_check(run, err);
    }
    take_ranks(w->out);
    take_need(w);
    return st;
}

es_status es_board_new(const es_board_problem *problem, const es_run *run, es_board **out,
                       es_error *err) {
    if (problem->m == 0 || problem->tasks == 0)
        return es_fail(err, ES_EINVAL, "no model or no task");
    work w = {.problem = problem, .out = board_new(problem)};
    es_status st = ES_OK;
    ES_FAIL_IF(w.out == NULL || !find_clusters(&w) || !allocate_work(&w), es_no_memory(err));
    ES_TRY(solve_board(&w, run, err));
    *out = w.out;
    w.out = NULL;
done:
    es_board_free(w.out);
    work_deinit(&w);
    return st;
}

/* ---- two models ---- */

static size_t common_tasks(const work *w, size_t a, size_t b) {
    size_t n = 0;
    for (size_t t = 0; t < w->problem->tasks; t++)
        n += isnan(value_of(w, a, t) - value_of(w, b, t)) ? 0 : 1;
    return n;
}

es_status es_board_pair_of(const es_board_problem *problem, size_t a, size_t b, es_board_pair *out,
                           es_error *err) {
    es_board board = {.m = problem->m, .tasks = problem->tasks};
    work w = {.problem = problem, .out = &board};
    double level = problem->level > 0 ? problem->level : 0.95;
    es_status st = ES_OK;
    ES_FAIL_IF(!find_clusters(&w) || !(w.influence = es_alloc(2 * board.clusters, sizeof(double))),
               es_no_memory(err));
    *out = (es_board_pair){.tasks = common_tasks(&w, a, b),
                           .by_category = board.by_category,
                           .low = (double)NAN,
                           .high = (double)NAN};
    out->lead = difference(&w, a, b, &out->clusters);
    double error = error_of(&w, out->clusters);
    if (!isnan(error)) {
        double half = error * es_student_quantile((1 + level) / 2, out->clusters - 1);
        out->low = out->lead - half;
        out->high = out->lead + half;
    }
done:
    work_deinit(&w);
    return st;
}
