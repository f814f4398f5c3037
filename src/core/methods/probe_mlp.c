/* One hidden layer trained by cross-entropy or squared error. Rows are dealt to batches epoch by
 * epoch. */

#include <math.h>
#include <string.h>

#include "probe_parts.h"

enum { HIDDEN = 400, STEPS = 1000, BATCH = 200 };

static const double rate = 1e-3;

typedef struct fit {
    es_net net;
    es_arena *arena;
    size_t n, d, width, batch;
    bool classes;
    float *x, *rows; /* (n, d) and (batch, d) */
    float *d_bias;   /* (width) */
    uint32_t *order; /* (n) */
} fit;

static es_status fit_init(fit *f, const es_matrix *x, uint64_t seed, es_error *err) {
    const es_layer layers[] = {{x->d, HIDDEN, false, true}, {HIDDEN, f->width, false, false}};
    es_rng rng;
    f->arena = es_arena_new();
    if (!f->arena)
        return es_no_memory(err);
    es_status st =
        es_net_init(&f->net, es_simd_get(es_isa_level()), layers, 2, BATCH, f->arena, err);
    if (st != ES_OK)
        return st;
    f->x = es_arena_alloc(f->arena, x->n * x->d, sizeof *f->x);
    f->rows = es_arena_alloc(f->arena, BATCH * x->d, sizeof *f->rows);
    f->d_bias = es_arena_alloc(f->arena, f->width, sizeof *f->d_bias);
    f->order = es_arena_alloc(f->arena, x->n, sizeof *f->order);
    if (!f->x || !f->rows || !f->d_bias || !f->order)
        return es_no_memory_for(err, "%zu rows", x->n);
    for (size_t i = 0; i < x->n * x->d; i++)
        f->x[i] = (float)x->x[i];
    for (size_t i = 0; i < x->n; i++)
        f->order[i] = (uint32_t)i;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_INIT, x->d));
    es_net_random(&f->net, &rng, 1);
    return ES_OK;
}

/* Becomes the derivative of the mean loss by a row of the output, which has its bias already. */
static void derive_row(const fit *f, const double *y, float *o, size_t count) {
    double most = -INFINITY, sum = 0, share = 1 / (double)count;
    for (size_t c = 0; f->classes && c < f->width; c++)
        most = fmax(most, (double)o[c]);
    for (size_t c = 0; f->classes && c < f->width; c++)
        sum += exp((double)o[c] - most);
    for (size_t c = 0; c < f->width; c++) {
        double value = f->classes ? exp((double)o[c] - most) / sum : (double)o[c];
        o[c] = (float)((value - y[c]) * share);
    }
}

static void train_step(fit *f, const double *y, const uint32_t *rows, size_t count) {
    const float *bias = f->net.bias[1];
    for (size_t i = 0; i < count; i++)
        memcpy(f->rows + i * f->d, f->x + (size_t)rows[i] * f->d, f->d * sizeof *f->x);
    float *out = es_net_forward(&f->net, f->rows, count);
    memset(f->d_bias, 0, f->width * sizeof *f->d_bias);
    for (size_t i = 0; i < count; i++) {
        float *o = out + i * f->width;
        for (size_t c = 0; c < f->width; c++)
            o[c] += bias[c];
        derive_row(f, y + (size_t)rows[i] * f->width, o, count);
        for (size_t c = 0; c < f->width; c++)
            f->d_bias[c] += o[c];
    }
    es_net_step(&f->net, f->rows, count, out, f->d_bias, rate);
}

static es_status train_mlp(fit *f, const double *y, uint64_t seed, const es_run *run,
                           es_error *err) {
    size_t first = f->n;
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SHUFFLE, f->n));
    for (size_t step = 0; step < STEPS; step++) {
        ES_PASS(es_run_check(run, err));
        if (first + f->batch > f->n) {
            es_rng_shuffle(&rng, f->order, f->n);
            first = 0;
        }
        train_step(f, y, f->order + first, f->batch);
        first += f->batch;
    }
    return ES_OK;
}

static es_status predict_mlp(fit *f, const es_matrix *test, const es_run *run, double *out,
                             es_error *err) {
    for (size_t first = 0; first < test->n; first += BATCH) {
        size_t count = test->n - first < BATCH ? test->n - first : BATCH;
        ES_PASS(es_run_check(run, err));
        for (size_t i = 0; i < count * f->d; i++)
            f->rows[i] = (float)test->x[first * f->d + i];
        const float *o = es_net_forward(&f->net, f->rows, count);
        for (size_t i = 0; i < count * f->width; i++)
            out[first * f->width + i] = (double)o[i] + (double)f->net.bias[1][i % f->width];
    }
    return ES_OK;
}

es_status es_probe_mlp(const es_matrix *x, const double *y, size_t width, bool classes,
                       const es_matrix *test, uint64_t seed, const es_run *run, double *out,
                       es_error *err) {
    fit f = {.n = x->n,
             .d = x->d,
             .width = width,
             .classes = classes,
             .batch = x->n < BATCH ? x->n : BATCH};
    es_status st = ES_OK;
    ES_TRY(fit_init(&f, x, seed, err));
    ES_TRY(train_mlp(&f, y, seed, run, err));
    ES_TRY(predict_mlp(&f, test, run, out, err));
done:
    if (f.arena)
        es_arena_free(f.arena);
    return st;
}

/* A row a step: its dual variable goes to where the gradient ends, and the weights follow. */

enum { PASSES = 1000 };
#define PRECISION 1e-9 /* of the steps of a pass, against the largest so far */

typedef struct machine {
    const es_matrix *x;
    const double *y;
    bool classes;
    double ridge; /* on the diagonal of the dual: penalty n */
    double *dual; /* (n) */
    double *size; /* (n) |x|^2 + 1 + ridge */
    double *w;    /* (d + 1) */
} machine;

static double output(const machine *m, size_t i) {
    const double *row = m->x->x + i * m->x->d;
    double sum = m->w[m->x->d];
    for (size_t j = 0; j < m->x->d; j++)
        sum += m->w[j] * row[j];
    return sum;
}

/* Where the i-th dual variable is best, the others held. Of classes it is y times a number above 0.
 */
static double best_dual(const machine *m, size_t i) {
    double own = m->dual[i], slope = output(m, i) - m->y[i] + m->ridge * own;
    if (m->classes) {
        double best = own - slope / m->size[i];
        return best * m->y[i] > 0 ? best : 0;
    }
    double below = own - (slope + ES_PROBE_TUBE) / m->size[i],
           above = own - (slope - ES_PROBE_TUBE) / m->size[i];
    return below > 0 ? below : above < 0 ? above : 0;
}

/* Returns the largest change of an output. */
static double pass(machine *m) {
    size_t d = m->x->d;
    double largest = 0;
    for (size_t i = 0; i < m->x->n; i++) {
        double step = best_dual(m, i) - m->dual[i];
        if (step == 0)
            continue;
        const double *row = m->x->x + i * d;
        m->dual[i] += step;
        for (size_t j = 0; j < d; j++)
            m->w[j] += step * row[j];
        m->w[d] += step;
        largest = fmax(largest, fabs(step) * m->size[i]);
    }
    return largest;
}

es_status es_probe_svm(const es_matrix *x, const double *y, bool classes, double penalty,
                       const es_run *run, double *w, es_error *err) {
    size_t n = x->n, d = x->d;
    double *dual = es_alloc_zero(n, 2 * sizeof *dual), first = 0;
    es_status st = ES_OK;
    if (!dual)
        return es_no_memory_for(err, "%zu rows", n);
    machine m = {x, y, classes, penalty * (double)n, dual, dual + n, w};
    memset(w, 0, (d + 1) * sizeof *w);
    for (size_t i = 0; i < n; i++) {
        m.size[i] = 1 + m.ridge;
        for (size_t j = 0; j < d; j++)
            m.size[i] += x->x[i * d + j] * x->x[i * d + j];
    }
    for (size_t k = 0; k < PASSES; k++) {
        ES_TRY(es_run_check(run, err));
        double moved = pass(&m);
        first = fmax(first, moved);
        if (moved <= PRECISION * first)
            break;
    }
done:
    es_free(dual);
    return st;
}
