/* Squared distances in blocks from one matrix product, exact ones by difference, and how far the
 * first may be off. */
#include "core_numerics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double length2(const double *x, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += x[j] * x[j];
    return sum;
}

/* Rows of length 1. The largest value is divided out first, so that no square overflows. */
static void normalise(es_space *s) {
    for (size_t i = 0; i < s->n; i++) {
        double *x = s->x + i * s->d, largest = 0;
        for (size_t j = 0; j < s->d; j++)
            largest = fabs(x[j]) > largest ? fabs(x[j]) : largest;
        s->zero[i] = largest == 0;
        s->norm2[i] = 1;
        if (s->zero[i])
            continue;
        for (size_t j = 0; j < s->d; j++)
            x[j] /= largest;
        double scale = 1 / sqrt(length2(x, s->d));
        for (size_t j = 0; j < s->d; j++)
            x[j] *= scale;
    }
    s->mean2 = 2;
}

es_status es_space_new(const es_matrix *m, es_metric metric, es_space *out, es_error *err) {
    es_space s = {.n = m->n, .d = m->d};
    es_matrix copy = {0};
    es_status st = ES_OK;
    s.norm2 = es_alloc(m->n, sizeof *s.norm2);
    s.zero = es_alloc_zero(m->n, sizeof *s.zero);
    ES_FAIL_IF(!s.norm2 || !s.zero, es_no_memory_for(err, "%zu rows", m->n));
    if (metric == ES_COSINE) {
        ES_TRY(es_matrix_new(m->n, m->d, &copy, err));
        memcpy(copy.x, m->x, m->n * m->d * sizeof *copy.x);
    } else {
        ES_TRY(es_matrix_centred(m, &copy, NULL, err));
    }
    s.x = copy.x;
    if (metric == ES_COSINE) {
        normalise(&s);
    } else {
        double sum = 0;
        for (size_t i = 0; i < s.n; i++)
            sum += s.norm2[i] = length2(s.x + i * s.d, s.d);
        s.mean2 = s.n > 0 ? 2 * sum / (double)s.n : 0;
    }
    *out = s;
done:
    if (st != ES_OK)
        es_space_free(&s);
    return st;
}

void es_space_free(es_space *space) {
    es_free(space->x);
    es_free(space->norm2);
    es_free(space->zero);
    *space = (es_space){0};
}

void es_space_block(const es_space *space, const uint32_t *rows, size_t count, double *scratch,
                    double *out) {
    size_t n = space->n, d = space->d;
    for (size_t i = 0; i < count; i++)
        memcpy(scratch + i * d, space->x + rows[i] * d, d * sizeof *scratch);
    es_dgemm(false, true, count, n, d, scratch, space->x, out);
    for (size_t i = 0; i < count; i++) {
        double own = space->norm2[rows[i]], *to = out + i * n;
        for (size_t k = 0; k < n; k++) {
            double v = own + space->norm2[k] - 2 * to[k];
            to[k] = v > 0 ? v : 0;
        }
    }
}

double es_space_exact(const es_space *space, size_t i, size_t j) {
    const double *x = space->x + i * space->d, *y = space->x + j * space->d;
    if (space->zero[i] || space->zero[j])
        return 2;
    double sum = 0;
    for (size_t k = 0; k < space->d; k++)
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
}

double es_space_slack(const es_space *space, size_t i, size_t j) {
    return 1e-9 * (space->norm2[i] + space->norm2[j]);
}

bool es_space_tied(const es_space *space, double a, double b) {
    double scale = a > space->mean2 ? a : space->mean2;
    return fabs(a - b) <= ES_SPACE_TIE * scale;
}

es_status es_space_each(const es_space *space, const es_run *run, es_space_visit *visit,
                        void *context, es_error *err) {
    double *scratch = es_alloc(ES_SPACE_BLOCK * space->d, sizeof *scratch);
    double *block = es_alloc(ES_SPACE_BLOCK * space->n, sizeof *block);
    es_status st = ES_OK;
    ES_FAIL_IF(!scratch || !block, es_no_memory_for(err, "distances of %zu rows", space->n));
    for (size_t at = 0; at < space->n; at += ES_SPACE_BLOCK) {
        uint32_t rows[ES_SPACE_BLOCK];
        size_t count = space->n - at < ES_SPACE_BLOCK ? space->n - at : ES_SPACE_BLOCK;
        for (size_t i = 0; i < count; i++)
            rows[i] = (uint32_t)(at + i);
        ES_TRY(es_run_check(run, err));
        es_space_block(space, rows, count, scratch, block);
        for (size_t i = 0; i < count; i++)
            visit(context, space, at + i, block + i * space->n);
    }
done:
    es_free(scratch);
    es_free(block);
    return st;
}

/* Appends to *context the row's distances to the rows behind it. */
static void append_row(void *context, const es_space *space, size_t i, const double *d2) {
    double **out = context;
    for (size_t j = i + 1; j < space->n; j++) {
        bool close = d2[j] < 1e-6 * (space->norm2[i] + space->norm2[j]);
        *(*out)++ = close ? es_space_exact(space, i, j) : d2[j];
    }
}

es_status es_space_all(const es_space *space, const es_run *run, double *out, es_error *err) {
    return es_space_each(space, run, append_row, &out, err);
}

static int by_distance(const void *x, const void *y) {
    const es_near *a = x, *b = y;
    int order = (a->d2 > b->d2) - (a->d2 < b->d2);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

void es_near_sort(es_near *list, size_t count) {
    qsort(list, count, sizeof *list, by_distance);
}
