/* Expectation maximisation for mixtures of Gaussians or of Bernoulli products (Dempster, Laird and
 * Rubin 1977), in double precision and the plain twin of head.c. */
#include "core_estimators_parts.h"

#include <math.h>
#include <string.h>

static const double half_log_2pi = 0.91893853320467274178;
static const double floor_mass = 1e-8;

/* Energy of one mode; with derivatives by location and scale when asked. */
static double gauss_mode(const es_mixture *x, const double *y, size_t k, double *dm, double *dl) {
    double sum = 0;
    for (size_t j = 0; j < x->d; j++) {
        double bent = tanh(x->scale[k * x->d + j] / x->bend), s = exp(x->bend * bent);
        double z = y[j] - x->location[k * x->d + j];
        sum += log(s + floor_mass) - s * s * z * z / 2 - half_log_2pi;
        if (dm) {
            dm[j] = s * s * z;
            dl[j] = (1 - bent * bent) * (s / (s + floor_mass) - s * s * z * z);
        }
    }
    return sum;
}

static double bernoulli_mode(const es_mixture *x, const double *y, size_t k, double *dm) {
    double sum = 0;
    for (size_t j = 0; j < x->d; j++) {
        double sign = y[j] > 0.5 ? x->bend : -x->bend, a = sign * x->location[k * x->d + j];
        double q = 1 / (1 + exp(-a)), rest = 1 / (1 + exp(a));
        sum += log(q + floor_mass);
        if (dm)
            dm[j] = sign * rest * (q / (q + floor_mass));
    }
    return sum;
}

static double log_sum_exp(const double *x, size_t n) {
    double top = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        top = x[i] > top ? x[i] : top;
    if (!isfinite(top))
        return top;
    for (size_t i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

double es_mixture_log(const es_mixture *x, const double *y, double *d_location, double *d_scale,
                      double *d_logit) {
    double joint[ES_MODES_MAX] = {0}, total_logit = log_sum_exp(x->logit, x->modes);
    for (size_t k = 0; k < x->modes; k++) {
        double *dm = d_location ? d_location + k * x->d : NULL;
        double *dl = d_scale ? d_scale + k * x->d : NULL;
        double energy =
            x->kind == ES_KIND_BINARY ? bernoulli_mode(x, y, k, dm) : gauss_mode(x, y, k, dm, dl);
        joint[k] = x->logit[k] - total_logit + energy;
    }
    double total = log_sum_exp(joint, x->modes);
    for (size_t k = 0; d_logit && k < x->modes; k++) {
        double share = exp(joint[k] - total);
        d_logit[k] = share - exp(x->logit[k] - total_logit);
        for (size_t j = 0; j < x->d; j++) {
            d_location[k * x->d + j] *= share;
            if (d_scale)
                d_scale[k * x->d + j] *= share;
        }
    }
    return total;
}

void es_mixture_log_rows(const es_mixture *x, const float *rows, size_t n, double *row,
                         double *out) {
    for (size_t r = 0; r < n; r++) {
        for (size_t j = 0; j < x->d; j++)
            row[j] = (double)rows[r * x->d + j];
        out[r] = es_mixture_log(x, row, NULL, NULL, NULL);
    }
}

/* EM works with what the densities need per value: precisions, or the log odds of a one. `share`
 * holds the responsibilities (n, modes), then their sums. */
typedef struct em {
    es_mixture *x;
    const float *rows;
    size_t n;
    double *precision; /* (modes, d) 1 / variance */
    double *offset;    /* (modes) what does not depend on the row */
    double *share;     /* (n, modes) */
    double *weight;    /* (modes) sums of shares */
    double *square;    /* (modes, d) sums of share y^2 */
} em;

/* Computes what the densities of all rows share: log weights and precisions. */
static void prepare_terms(em *e) {
    const es_mixture *x = e->x;
    double total = log_sum_exp(x->logit, x->modes);
    for (size_t k = 0; k < x->modes; k++) {
        e->offset[k] = x->logit[k] - total;
        for (size_t j = k * x->d; j < (k + 1) * x->d; j++) {
            if (x->kind == ES_KIND_BINARY) {
                e->offset[k] += log(1 / (1 + exp(x->bend * x->location[j])) + floor_mass);
                continue;
            }
            double log_s = x->bend * tanh(x->scale[j] / x->bend);
            e->precision[j] = exp(2 * log_s);
            e->offset[k] += log_s - half_log_2pi;
        }
    }
}

/* E step: the share of each mode in each row. Returns the mean log density. */
static double e_step(em *e) {
    const es_mixture *x = e->x;
    double sum = 0;
    for (size_t r = 0; r < e->n; r++) {
        const float *y = e->rows + r * x->d;
        double *share = e->share + r * x->modes;
        for (size_t k = 0; k < x->modes; k++) {
            const double *m = x->location + k * x->d, *p = e->precision + k * x->d;
            double energy = 0;
            for (size_t j = 0; j < x->d; j++) {
                double z = (double)y[j] - m[j];
                energy +=
                    x->kind == ES_KIND_BINARY ? (double)y[j] * x->bend * m[j] : -p[j] * z * z / 2;
            }
            share[k] = e->offset[k] + energy;
        }
        double total = log_sum_exp(share, x->modes);
        for (size_t k = 0; k < x->modes; k++)
            share[k] = exp(share[k] - total);
        sum += total;
    }
    return sum / (double)e->n;
}

static double clamp(double x, double bound) {
    return x > bound ? bound : x < -bound ? -bound : x;
}

/* The scale whose bent value is ln s, short of the end of its range. */
static double unbend(double log_s, double bend) {
    return bend * atanh(clamp(log_s / bend, 0.9999));
}

/* M step: weights, locations and scales from the shares. */
static void m_step(em *e) {
    es_mixture *x = e->x;
    size_t cells = x->modes * x->d;
    memset(e->weight, 0, x->modes * sizeof *e->weight);
    memset(x->location, 0, cells * sizeof *x->location);
    memset(e->square, 0, cells * sizeof *e->square);
    for (size_t r = 0; r < e->n; r++)
        for (size_t k = 0; k < x->modes; k++) {
            double share = e->share[r * x->modes + k];
            e->weight[k] += share;
            if (share < 1e-12)
                continue;
            double *m = x->location + k * x->d, *q = e->square + k * x->d;
            for (size_t j = 0; j < x->d; j++) {
                double y = (double)e->rows[r * x->d + j];
                m[j] += share * y;
                q[j] += share * y * y;
            }
        }
    for (size_t k = 0; k < x->modes; k++) {
        double w = e->weight[k] > 1e-6 ? e->weight[k] : 1e-6;
        x->logit[k] = log(w);
        for (size_t j = k * x->d; j < (k + 1) * x->d; j++) {
            if (x->kind == ES_KIND_BINARY) {
                double p = (x->location[j] + 0.5) / (w + 1);
                x->location[j] = log(p / (1 - p)) / x->bend;
                continue;
            }
            double mean = x->location[j] / w, variance = e->square[j] / w - mean * mean;
            x->location[j] = mean;
            x->scale[j] = unbend(-0.5 * log(variance > 1e-30 ? variance : 1e-30), x->bend);
        }
    }
}

/* Every mode starts at a row of its own: half of the way from the rows' centre, unit scale. */
static void start(em *e, es_rng *rng, uint32_t *order) {
    es_mixture *x = e->x;
    for (size_t r = 0; r < e->n; r++)
        order[r] = (uint32_t)r;
    es_rng_shuffle(rng, order, e->n);
    for (size_t k = 0; k < x->modes; k++) {
        x->logit[k] = 0;
        for (size_t j = 0; j < x->d; j++) {
            double y = (double)e->rows[order[k] * x->d + j];
            x->location[k * x->d + j] = x->kind == ES_KIND_BINARY ? (y - 0.5) / x->bend : y / 2;
            if (x->scale)
                x->scale[k * x->d + j] = 0;
        }
    }
}

es_status es_mixture_fit(es_kind kind, const float *rows, size_t n, size_t d, size_t modes,
                         double bend, es_rng *rng, es_arena *arena, es_run *run, es_mixture *out,
                         es_error *err) {
    enum { ROUNDS = 100 };
    if (modes > n || modes > ES_MODES_MAX)
        return es_fail(err, ES_EINVAL, "%zu modes for %zu rows: at most %zu", modes, n,
                       n < ES_MODES_MAX ? n : (size_t)ES_MODES_MAX);
    size_t cells = modes * d;
    es_mixture x = {.kind = kind, .modes = modes, .d = d, .bend = bend};
    em e = {.x = &x, .rows = rows, .n = n};
    double *block = es_arena_alloc(arena, 2 * modes + 4 * cells + n * modes, sizeof *block);
    double *kept = es_arena_alloc(arena, modes + 2 * cells, sizeof *kept);
    uint32_t *order = es_arena_alloc(arena, n, sizeof *order);
    if (!block || !kept || !order)
        return es_no_memory(err);
    x.logit = kept;
    x.location = kept + modes;
    x.scale = kind == ES_KIND_BINARY ? NULL : kept + modes + cells;
    e.offset = block;
    e.weight = block + modes;
    e.precision = block + 2 * modes;
    e.square = e.precision + cells;
    e.share = e.square + cells;
    start(&e, rng, order);
    double last = -INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        ES_PASS(es_run_check(run, err));
        prepare_terms(&e);
        double now = e_step(&e);
        m_step(&e);
        if (now - last < 1e-5 * (double)d)
            break;
        last = now;
    }
    *out = x;
    return ES_OK;
}
