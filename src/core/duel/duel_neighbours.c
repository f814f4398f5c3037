/* Nearest rows, in blocks: what is kept of an embedder is three vectors. */
#include "core_duel.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64, LANES = 4 };

/* Calls `take` with rows `from` to `from + count - 1` as (count, d), for all rows in turn. */
typedef void (*take_block)(void *context, const double *values, size_t from, size_t count);

static es_status each_block(const es_rows *rows, const es_run *run, take_block take, void *context,
                            es_error *err) {
    es_status st = ES_OK;
    uint32_t list[BLOCK];
    double *values = es_alloc(BLOCK * rows->d, sizeof *values);
    if (!values)
        return es_no_memory_for(err, "%zu columns", rows->d);
    for (size_t from = 0; from < rows->n; from += BLOCK) {
        size_t count = rows->n - from < BLOCK ? rows->n - from : BLOCK;
        for (size_t i = 0; i < count; i++)
            list[i] = (uint32_t)(from + i);
        ES_TRY(es_run_check(run, err));
        ES_TRY(rows->read(rows->context, list, count, values, err));
        take(context, values, from, count);
    }
done:
    es_free(values);
    return st;
}

static bool is_finite_row(const double *x, size_t d) {
    for (size_t j = 0; j < d; j++)
        if (!isfinite(x[j]))
            return false;
    return true;
}

/* ---- columns ---- */

typedef struct sums {
    es_duel_space *space;
    double *first; /* (d) of the first finite row: sums are of differences from it */
    double *square;
    size_t count;
} sums;

static void add_block(void *context, const double *values, size_t from, size_t count) {
    sums *s = context;
    size_t d = s->space->d;
    (void)from;
    for (size_t i = 0; i < count; i++) {
        const double *x = values + i * d;
        if (!is_finite_row(x, d))
            continue;
        if (s->count++ == 0)
            memcpy(s->first, x, d * sizeof *x);
        for (size_t j = 0; j < d; j++) {
            double off = x[j] - s->first[j];
            s->space->mean[j] += off;
            s->square[j] += off * off;
        }
    }
}

static void end_sums(const sums *s) {
    double n = (double)s->count;
    for (size_t j = 0; j < s->space->d && s->count > 0; j++) {
        double off = s->space->mean[j] / n, variance = s->square[j] / n - off * off;
        bool varies = variance > 1e-12 * (s->square[j] / n) && variance > 0;
        s->space->mean[j] = s->first[j] + off;
        s->space->weight[j] = varies ? 1 / variance : 0;
    }
}

/* Sums in lanes, which the compiler may do at once. */
static double weighted_square(const double *x, const double *mean, const double *weight, size_t d) {
    double lane[LANES] = {0}, rest = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t l = 0; l < LANES; l++) {
            double off = x[j + l] - mean[j + l];
            lane[l] += weight[j + l] * off * off;
        }
    for (; j < d; j++)
        rest += weight[j] * (x[j] - mean[j]) * (x[j] - mean[j]);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]) + rest;
}

static void norm_block(void *context, const double *values, size_t from, size_t count) {
    es_duel_space *s = context;
    for (size_t i = 0; i < count; i++) {
        double norm = sqrt(weighted_square(values + i * s->d, s->mean, s->weight, s->d));
        s->norm[from + i] = isfinite(norm) ? norm : 0;
    }
}

es_status es_duel_space_new(const es_rows *rows, const es_run *run, es_duel_space *out,
                            es_error *err) {
    es_status st = ES_OK;
    es_duel_space space = {.n = rows->n, .d = rows->d};
    sums s = {.space = &space};
    space.mean = es_alloc_zero(rows->d, sizeof *space.mean);
    space.weight = es_alloc_zero(rows->d, sizeof *space.weight);
    space.norm = es_alloc_zero(rows->n, sizeof *space.norm);
    s.first = es_alloc_zero(rows->d, sizeof *s.first);
    s.square = es_alloc_zero(rows->d, sizeof *s.square);
    ES_FAIL_IF(!space.mean || !space.weight || !space.norm || !s.first || !s.square,
               es_no_memory_for(err, "neighbours of %zu rows", rows->n));
    ES_TRY(each_block(rows, run, add_block, &s, err));
    end_sums(&s);
    ES_TRY(each_block(rows, run, norm_block, &space, err));
    *out = space;
    space = (es_duel_space){0};
done:
    es_duel_space_deinit(&space);
    es_free(s.first);
    es_free(s.square);
    return st;
}

void es_duel_space_deinit(es_duel_space *space) {
    es_free(space->mean);
    es_free(space->weight);
    es_free(space->norm);
    *space = (es_duel_space){0};
}

size_t es_duel_space_bytes(const es_duel_space *space) {
    return (2 * space->d + space->n) * sizeof(double);
}

/* ---- search ---- */

typedef struct search {
    const es_duel_space *space;
    const uint32_t *row; /* (count) */
    size_t count;
    double *query; /* (count, d) weight (x - mean) */
    double *shift; /* (count) dot with the mean */
    double *best;  /* (count) similarity */
    uint32_t *out; /* (count) */
} search;

static double dot(const double *a, const double *b, size_t d) {
    double lane[LANES] = {0}, rest = 0;
    size_t j = 0;
    for (; j + LANES <= d; j += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += a[j + l] * b[j + l];
    for (; j < d; j++)
        rest += a[j] * b[j];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]) + rest;
}

static void search_block(void *context, const double *values, size_t from, size_t count) {
    search *s = context;
    size_t d = s->space->d;
    for (size_t i = 0; i < count; i++) {
        double norm = s->space->norm[from + i];
        for (size_t q = 0; q < s->count && norm > 0; q++) {
            if (s->row[q] == from + i || !(s->space->norm[s->row[q]] > 0))
                continue;
            double like = (dot(s->query + q * d, values + i * d, d) - s->shift[q]) / norm;
            if (like > s->best[q]) {
                s->best[q] = like;
                s->out[q] = (uint32_t)(from + i);
            }
        }
    }
}

static es_status read_queries(search *s, const es_rows *rows, es_error *err) {
    size_t d = s->space->d;
    es_status st = rows->read(rows->context, s->row, s->count, s->query, err);
    for (size_t q = 0; st == ES_OK && q < s->count; q++) {
        double *x = s->query + q * d;
        for (size_t j = 0; j < d; j++)
            x[j] = s->space->weight[j] * (x[j] - s->space->mean[j]);
        s->shift[q] = dot(x, s->space->mean, d);
        s->best[q] = -(double)INFINITY;
        s->out[q] = ES_DUEL_NONE;
    }
    return st;
}

es_status es_duel_nearest(const es_duel_space *space, const es_rows *rows, const uint32_t *row,
                          size_t count, const es_run *run, uint32_t *out, es_error *err) {
    es_status st = ES_OK;
    search s = {.space = space, .row = row, .count = count, .out = out};
    s.query = es_alloc(count * rows->d + 1, sizeof *s.query);
    s.shift = es_alloc(count + 1, sizeof *s.shift);
    s.best = es_alloc(count + 1, sizeof *s.best);
    ES_FAIL_IF(!s.query || !s.shift || !s.best, es_no_memory(err));
    ES_TRY(read_queries(&s, rows, err));
    ES_TRY(each_block(rows, run, search_block, &s, err));
done:
    es_free(s.query);
    es_free(s.shift);
    es_free(s.best);
    return st;
}
