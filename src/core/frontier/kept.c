/* One embedder: its compressions fold by fold, each as a source that is to explain the whole. */
#include "core_frontier.h"

#include <math.h>
#include <string.h>

#include "core_ranking.h"

/** The end of a list of nearest rows. */
typedef struct frontier_place {
    float last;  /* cosine of the last of them */
    float share; /* of a place, of each row at that distance */
} frontier_place;

/** Queries and the cosines of all rows with them, of the whole embedder and of a compression. */
typedef struct frontier_near {
    size_t n, queries, stride;
    const uint32_t *rows;  /* borrowed: queries are every stride-th of them */
    float *row;            /* (n, columns) of length 1 */
    float *query;          /* (queries, columns) */
    float *of;             /* (2, queries, n) */
    frontier_place *place; /* (2, queries) */
} frontier_near;

/** Queries among the listed rows (count > 0), over n rows of at most d columns. ES_ENOMEM. */
es_status frontier_near_new(const uint32_t *rows, size_t count, size_t n, size_t d,
                            frontier_near *out, es_error *err);
void frontier_near_free(frontier_near *near); /* all zero bytes is allowed */
/** Takes in the whole embedder, x (n, columns). */
void frontier_near_whole(frontier_near *near, const es_matrix *x);
/** Returns the share of its nearest neighbours that a compression x (n, columns) keeps. */
double frontier_near_kept(frontier_near *near, const es_matrix *x);

static const double CLIP = 3;         /* of sources, as estimators have it */
static const double LEVEL = 0.975;    /* one end of an interval */
static const double WIDER = 1.2;      /* what blocks of rows leave out (the ranking's factor) */
static const double RATIO_LEAST = .1; /* of itself that an embedder must explain */

/* Directions count by their variance to this power. By variance itself (1) a few directions hide
 * what tasks use beside them, by standard deviation (0.5) noise counts too much: of the three, 0.75
 * alone had both the order of a probe and a loss below one point at an eighth of the bytes, on two
 * pools with labels. */
static const double POWER = 0.75;

typedef struct measuring {
    const es_frontier_problem *problem;
    es_run *run;
    es_derive grid[ES_FRONTIER_MOST];
    size_t count;
    double *error; /* (count, n_eval) squared errors, directions weighted */
    double *total; /* (n_eval) squares */
    double near[ES_FRONTIER_MOST], probe[ES_FRONTIER_MOST], queries;
} measuring;

/* One fold: the rows, their principal components, and the whole embedder as a target. */
typedef struct folding {
    measuring *m;
    size_t fold;
    es_matrix whole, turned; /* turned: along all principal axes of the training rows */
    es_fold_data *target;    /* along the axes */
    double *weight;          /* (target->d) */
    frontier_near near;
    es_arena *arena;
} folding;

static void folding_free(folding *f) {
    es_matrix_free(&f->whole);
    es_matrix_free(&f->turned);
    es_fold_data_free(f->target);
    es_free(f->weight);
    frontier_near_free(&f->near);
    es_arena_free(f->arena);
}

static const es_fold *fold_of(const folding *f) {
    return &f->m->problem->split->folds[f->fold];
}

/* All rows along the axes of the training rows, which are centred by their means. */
static es_status turn(folding *f, es_error *err) {
    const es_fold *fold = fold_of(f);
    size_t n = f->whole.n, d = f->whole.d;
    const es_derive how = {.kind = ES_DERIVE_PCA, .k = d};
    es_matrix train = {0};
    es_derive_map map = {0};
    double *x = NULL;
    es_status st = ES_OK;
    ES_TRY(es_matrix_rows(&f->whole, fold->train, fold->n_train, &train, err));
    const es_rows rows = es_matrix_as_rows(&train);
    ES_TRY(es_derive_map_new(&rows, &how, f->m->run, &map, err));
    ES_TRY(es_matrix_new(n, map.out, &f->turned, err));
    x = es_alloc_aligned(ES_DERIVE_BLOCK * d, sizeof *x);
    ES_FAIL_IF(!x, es_no_memory_for(err, "%zu columns", d));
    for (size_t at = 0; at < n; at += ES_DERIVE_BLOCK) {
        size_t count = n - at < ES_DERIVE_BLOCK ? n - at : ES_DERIVE_BLOCK;
        memcpy(x, f->whole.x + at * d, count * d * sizeof *x);
        ES_TRY(es_derive_map_apply(&map, x, count, f->turned.x + at * map.out, err));
    }
done:
    es_free(x);
    es_matrix_free(&train);
    es_derive_map_free(&map);
    return st;
}

/* The principal components as `linear` takes a target. */
static es_status make_target(folding *f, es_error *err) {
    const es_rows rows = es_matrix_as_rows(&f->turned);
    double sum = 0;
    ES_PASS(es_fold_data_new(&rows, fold_of(f), ES_TARGET_BOUND, f->m->run, &f->target, err));
    ES_PASS(es_fold_data_centre(f->target, f->m->run, err));
    ES_PASS(es_fold_data_limits(f->target, f->m->run, err));
    ES_PASS(es_fold_data_square(f->target, f->m->run, err));
    size_t d = f->target->d;
    f->weight = es_alloc(d, sizeof *f->weight);
    if (!f->weight)
        return es_no_memory_for(err, "%zu columns", d);
    for (size_t j = 0; j < d; j++)
        sum += f->weight[j] = pow(f->target->sd[j], 2 * POWER);
    for (size_t j = 0; j < d; j++)
        f->weight[j] /= sum;
    return ES_OK;
}

/* A compression of all rows; levels are those of the training rows. *out is empty where there are
 * fewer principal axes. */
static es_status compress(const folding *f, const es_derive *how, es_matrix *out, es_error *err) {
    const es_fold *fold = fold_of(f);
    const es_matrix *from = how->kind == ES_DERIVE_PCA ? &f->turned : &f->whole;
    size_t k = es_frontier_columns(how, f->whole.d);
    k = k < from->d ? k : from->d;
    es_quantiser q = {0};
    es_status st = es_matrix_new(from->n, k, out, err);
    if (st == ES_OK)
        st = es_quantiser_new(how->bits, k, &q, err);
    for (size_t i = 0; st == ES_OK && i < from->n; i++)
        memcpy(out->x + i * k, from->x + i * from->d, k * sizeof *out->x);
    for (size_t i = 0; st == ES_OK && i < fold->n_train; i++)
        es_quantiser_take(&q, out->x + fold->train[i] * k, 1);
    if (st == ES_OK) {
        es_quantiser_settle(&q);
        es_quantiser_apply(&q, out->x, out->n);
    }
    es_quantiser_free(&q);
    return st;
}

/* error (n_eval): of the fold's test rows, by this fit; fit NULL: by the mean alone. */
static es_status take_errors(folding *f, const es_ridge_result *fit, double *error, es_error *err) {
    const es_fold_data *v = f->target;
    const es_split *split = f->m->problem->split;
    es_fold_reader reader;
    es_status st = fit ? ES_OK : es_fold_reader_init(&reader, v, f->arena, err);
    for (size_t at = 0; st == ES_OK && at < v->n_test; at += ES_FOLD_BLOCK) {
        const float *row = NULL, *said = NULL;
        size_t count = es_fold_block(at, v->n_test);
        st = fit ? es_ridge_predict(fit, ES_PART_TEST, at, count, f->m->run, &row, &said, err)
                 : es_fold_reader_read(&reader, ES_PART_TEST, at, count, f->m->run, &row, err);
        for (size_t i = 0; st == ES_OK && i < count; i++) {
            double sum = 0;
            for (size_t j = 0; j < v->d; j++) {
                double e = (double)row[i * v->d + j] - (said ? (double)said[i * v->d + j] : 0);
                sum += f->weight[j] * e * e;
            }
            error[es_split_place(split, f->fold, at + i)] = sum;
        }
    }
    return st;
}

/* Regression of the whole on a compression. Without a column that varies the mean is all there is.
 */
static es_status explain(folding *f, const es_matrix *x, double *error, es_error *err) {
    static const es_ridge_plan plan = {.chosen = true};
    const es_ridge_how how = {.lambda = (double)NAN, .floor = exp(-2)};
    const es_rows rows = es_matrix_as_rows(x);
    es_fold_data *source = NULL;
    es_ridge *ridge = NULL;
    es_ridge_result fit;
    es_error none = {0};
    es_arena_reset(f->arena);
    es_status st = es_fold_data_new(&rows, fold_of(f), CLIP, f->m->run, &source, &none);
    if (st == ES_EINVAL)
        return take_errors(f, NULL, error, err);
    if (st != ES_OK)
        return es_fail(err, st, "%s", none.message);
    ES_TRY(es_ridge_new(source, &plan, f->m->run, &ridge, err));
    ES_TRY(es_ridge_fit(ridge, f->target, &how, f->arena, f->m->run, &fit, err));
    ES_TRY(take_errors(f, isinf(fit.lambda) ? NULL : &fit, error, err));
done:
    es_ridge_free(ridge);
    es_fold_data_free(source);
    return st;
}

/* Mean score of the tasks that can be probed; NaN: none can. */
static es_status probe(const measuring *m, const es_matrix *x, double *out, es_error *err) {
    const es_probe_rules rules = {.kind = ES_PROBE_RIDGE, .seed = m->problem->seed};
    double sum = 0, known = 0;
    for (size_t t = 0; t < m->problem->tasks; t++) {
        es_probe p = {0};
        es_error why = {0};
        es_status st = es_probe_of(x, &m->problem->task[t], &rules, m->run, &p, &why);
        if (st == ES_ENOMEM || st == ES_ECANCELED)
            return es_fail(err, st, "%s", why.message);
        sum += st == ES_OK ? p.score : 0;
        known += st == ES_OK;
    }
    *out = known > 0 ? sum / known : (double)NAN;
    return ES_OK;
}

static es_status measure_one(folding *f, size_t c, es_error *err) {
    measuring *m = f->m;
    size_t n_eval = m->problem->split->n_eval;
    es_matrix x = {0};
    es_status st = ES_OK;
    ES_TRY(es_run_check(m->run, err));
    ES_TRY(compress(f, &m->grid[c], &x, err));
    ES_TRY(explain(f, &x, m->error + c * n_eval, err));
    if (c == 0)
        frontier_near_whole(&f->near, &x);
    m->near[c] += (double)f->near.queries * (c == 0 ? 1 : frontier_near_kept(&f->near, &x));
    if (f->fold == 0)
        ES_TRY(probe(m, &x, &m->probe[c], err));
done:
    es_matrix_free(&x);
    return st;
}

static es_status measure_fold(measuring *m, size_t k, es_error *err) {
    const es_rows *rows = m->problem->rows;
    folding f = {.m = m, .fold = k, .arena = es_arena_new()};
    const es_fold *fold = fold_of(&f);
    es_status st = ES_OK;
    ES_FAIL_IF(!f.arena, es_no_memory(err));
    ES_TRY(es_matrix_read(rows, NULL, rows->n, &f.whole, err));
    ES_TRY(turn(&f, err));
    ES_TRY(make_target(&f, err));
    ES_TRY(frontier_near_new(fold->test, fold->n_test, rows->n, rows->d, &f.near, err));
    ES_TRY(take_errors(&f, NULL, m->total, err));
    for (size_t c = 0; c < m->count; c++)
        ES_TRY(measure_one(&f, c, err));
    m->queries += (double)f.near.queries;
done:
    folding_free(&f);
    return st;
}

/* R^2 without the rows of a block (SIZE_MAX: with all of them). */
static double explained(const measuring *m, const es_row_blocks *blocks, size_t without, size_t c) {
    double error = 0, total = 0;
    for (size_t r = 0; r < blocks->rows; r++)
        if (blocks->of[r] != without) {
            error += m->error[c * blocks->rows + r];
            total += m->total[r];
        }
    return total > 0 ? 1 - error / total : (double)NAN;
}

static double kept_of(const measuring *m, const es_row_blocks *blocks, size_t without, size_t c) {
    return fmax(0, explained(m, blocks, without, c)) / explained(m, blocks, without, 0);
}

/* Content that each compression keeps, with its interval by a jackknife over blocks of rows. */
static es_status summarise_kept(const measuring *m, es_kept *out, es_error *err) {
    es_row_blocks blocks = {0};
    es_status st = ES_OK;
    ES_TRY(es_row_blocks_init(&blocks, m->problem->split->n_eval, ES_FRONTIER_BLOCKS,
                              m->problem->seed, err));
    ES_FAIL_IF(!(explained(m, &blocks, SIZE_MAX, 0) >= RATIO_LEAST),
               es_fail(err, ES_EEMPTY, "it explains too little of itself on rows held out"));
    double n = (double)blocks.count;
    for (size_t c = 0; c < m->count; c++) {
        double one[ES_FRONTIER_BLOCKS], mean = 0, square = 0;
        for (size_t b = 0; b < blocks.count; b++)
            mean += (one[b] = kept_of(m, &blocks, b, c)) / n;
        for (size_t b = 0; b < blocks.count; b++)
            square += (one[b] - mean) * (one[b] - mean);
        double error = WIDER * es_normal_quantile(LEVEL) * sqrt(square * (n - 1) / n);
        double kept = kept_of(m, &blocks, SIZE_MAX, c);
        out[c] = (es_kept){.kept = kept,
                           .low = fmax(0, kept - error),
                           .high = kept + error,
                           .neighbours = m->near[c] / m->queries,
                           .probe = m->probe[c]};
    }
done:
    es_row_blocks_deinit(&blocks);
    return st;
}

es_status es_frontier_measure(const es_frontier_problem *problem, es_run *run, es_kept *out,
                              es_error *err) {
    measuring m = {.problem = problem, .run = run};
    size_t n_eval = problem->split->n_eval;
    es_status st = ES_OK;
    m.count = es_frontier_grid(problem->rows->d, m.grid);
    m.error = es_alloc_zero(m.count + 1, n_eval * sizeof *m.error);
    ES_FAIL_IF(!m.error, es_no_memory_for(err, "%zu compressions", m.count));
    m.total = m.error + m.count * n_eval;
    for (size_t k = 0; k < problem->split->n_folds; k++)
        ES_TRY(measure_fold(&m, k, err));
    ES_TRY(summarise_kept(&m, out, err));
done:
    es_free(m.error);
    return st;
}

/* Nearest neighbours by cosine, with shared places where rows are as near as each other. */

enum { K = ES_FRONTIER_NEAREST };

/* Cosines are sums in single precision: within this they are equal. */
static const float TIE = 2e-6F;

void frontier_near_free(frontier_near *near) {
    es_free(near->row);
    es_free(near->query);
    es_free(near->of);
    es_free(near->place);
    *near = (frontier_near){0};
}

es_status frontier_near_new(const uint32_t *rows, size_t count, size_t n, size_t d,
                            frontier_near *out, es_error *err) {
    frontier_near near = {.n = n,
                          .queries = count < ES_FRONTIER_QUERIES ? count : ES_FRONTIER_QUERIES};
    near.row = es_alloc_aligned(n * d, sizeof *near.row);
    near.query = es_alloc_aligned(near.queries * d, sizeof *near.query);
    near.of = es_alloc_aligned(2 * near.queries * n, sizeof *near.of);
    near.place = es_alloc(2 * near.queries, sizeof *near.place);
    if (!near.row || !near.query || !near.of || !near.place) {
        frontier_near_free(&near);
        return es_no_memory_for(err, "neighbours among %zu rows", n);
    }
    near.rows = rows;
    near.stride = count / near.queries;
    *out = near;
    return ES_OK;
}

static uint32_t query_row(const frontier_near *near, size_t q) {
    return near->rows[q * near->stride];
}

/* Rows of x, of length 1. */
static void normalise(const es_matrix *x, float *out) {
    for (size_t i = 0; i < x->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < x->d; j++)
            sum += x->x[i * x->d + j] * x->x[i * x->d + j];
        double factor = sum > 0 ? 1 / sqrt(sum) : 0;
        for (size_t j = 0; j < x->d; j++)
            out[i * x->d + j] = (float)(factor * x->x[i * x->d + j]);
    }
}

/* The K largest of n values, without the one at `own`: the smallest of them, and the share of a
 * place that each value within TIE of it has. */
static frontier_place place_of(const float *value, size_t n, size_t own) {
    float top[K];
    size_t held = 0, above = 0, tied = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == own || (held == K && value[i] <= top[K - 1]))
            continue;
        size_t at = held < K ? held++ : K - 1;
        for (; at > 0 && top[at - 1] < value[i]; at--)
            top[at] = top[at - 1];
        top[at] = value[i];
    }
    frontier_place p = {held > 0 ? top[held - 1] : 0, 0};
    for (size_t i = 0; i < n; i++) {
        above += i != own && value[i] > p.last + TIE;
        tied += i != own && fabsf(value[i] - p.last) <= TIE;
    }
    p.share = tied > 0 ? (float)(held - above) / (float)tied : 0;
    return p;
}

static float weight(float value, frontier_place p) {
    return value > p.last + TIE ? 1 : value >= p.last - TIE ? p.share : 0;
}

/* `x` has the columns that it has; what was allocated has room for all. */
static void find(frontier_near *near, const es_matrix *x, size_t side) {
    float *out = near->of + side * near->queries * near->n;
    normalise(x, near->row);
    for (size_t q = 0; q < near->queries; q++)
        for (size_t j = 0; j < x->d; j++)
            near->query[q * x->d + j] = near->row[query_row(near, q) * x->d + j];
    es_sgemm_turned(near->queries, near->n, x->d, near->query, near->row, out);
    for (size_t q = 0; q < near->queries; q++)
        near->place[side * near->queries + q] =
            place_of(out + q * near->n, near->n, query_row(near, q));
}

void frontier_near_whole(frontier_near *near, const es_matrix *x) {
    find(near, x, 0);
}

double frontier_near_kept(frontier_near *near, const es_matrix *x) {
    double both = 0, all = 0;
    find(near, x, 1);
    for (size_t q = 0; q < near->queries; q++) {
        const float *a = near->of + q * near->n, *b = a + near->queries * near->n;
        frontier_place pa = near->place[q], pb = near->place[near->queries + q];
        for (size_t i = 0; i < near->n; i++) {
            float wa = i == query_row(near, q) ? 0 : weight(a[i], pa);
            all += (double)wa;
            both += wa > 0 ? (double)fminf(wa, weight(b[i], pb)) : 0;
        }
    }
    return all > 0 ? both / all : (double)NAN;
}

/* Which compressions there are, what they take, and who is on the front. */

enum { FEW_HALVINGS = 3 };

size_t es_frontier_grid(size_t d, es_derive *out) {
    static const unsigned whole[] = {32, 16, 8, 4, 1};
    size_t count = 0, halvings = 0;
    for (size_t k = d / 2; k >= ES_FRONTIER_NARROWEST && halvings < ES_FRONTIER_HALVINGS; k /= 2)
        halvings++;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        out[count++] = (es_derive){.kind = ES_DERIVE_NONE, .bits = whole[i]};
    for (size_t i = 1; i <= halvings; i++) {
        size_t k = d >> i;
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 32};
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 8};
        out[count++] = (es_derive){.kind = ES_DERIVE_FIRST, .k = k, .bits = 1};
        out[count++] = (es_derive){.kind = ES_DERIVE_PCA, .k = k, .bits = 8};
        if (halvings <= FEW_HALVINGS)
            out[count++] = (es_derive){.kind = ES_DERIVE_PCA, .k = k, .bits = 4};
    }
    return count;
}

size_t es_frontier_columns(const es_derive *how, size_t d) {
    return how->kind == ES_DERIVE_NONE ? d : how->k;
}

size_t es_frontier_bytes(const es_derive *how, size_t d) {
    size_t bits = how->bits > 0 ? how->bits : 32;
    return (es_frontier_columns(how, d) * bits + 7) / 8;
}

void es_frontier_put(const es_derive *how, es_buf *out) {
    bool whole = how->bits == 0 || how->bits == 32;
    if (how->kind != ES_DERIVE_NONE)
        es_buf_printf(out, "%s %zu%s", es_derive_name(how->kind), how->k, whole ? "" : ", ");
    if (!whole)
        es_buf_puts(out, es_derive_storage(how->bits));
    else if (how->kind == ES_DERIVE_NONE)
        es_buf_puts(out, "full");
}

void es_frontier_front(size_t n, const double *cost, const double *value, bool *front) {
    for (size_t i = 0; i < n; i++) {
        front[i] = isfinite(cost[i]) && isfinite(value[i]);
        for (size_t j = 0; front[i] && j < n; j++) {
            bool as_good = cost[j] <= cost[i] && value[j] >= value[i]; /* false of NaN */
            front[i] = !as_good || (cost[j] == cost[i] && value[j] == value[i]);
        }
    }
}
