/* Coupling flows: forward, backward and steps, a batch at a time (see core_estimators_parts.h). A
 * coupling's network is an es_net whose steps give the derivative by what it saw of the kept
 * columns; the rest is elementwise. */
#include "core_estimators_parts.h"

#include <math.h>
#include <string.h>

static const double half_log_2pi = 0.91893853320467274178;

static size_t inputs(const es_flow *flow, const es_coupling *k) {
    size_t in = k->kept + flow->shape.c;
    return in ? in : 1; /* a constant 0, so that a single column without condition can be scaled */
}

/* The halves of coupling number i: those of the one before turned about, or drawn anew. */
static bool halve(es_flow *flow, size_t i, es_rng *rng, es_arena *arena) {
    es_coupling *k = &flow->coupling[i];
    size_t d = flow->shape.d;
    uint32_t *columns = es_arena_alloc(arena, d, sizeof *columns);
    if (!columns)
        return false;
    if (i % 2) {
        const es_coupling *before = k - 1;
        k->kept = d > 1 ? before->moved : 0;
        memcpy(columns, before->columns + before->kept, before->moved * sizeof *columns);
        memcpy(columns + before->moved, before->columns, before->kept * sizeof *columns);
    } else {
        k->kept = d / 2;
        for (size_t j = 0; j < d; j++)
            columns[j] = (uint32_t)j;
        es_rng_shuffle(rng, columns, d);
    }
    k->moved = d - k->kept;
    k->columns = columns;
    return true;
}

static bool take(es_arena *arena, size_t count, float **out) {
    *out = es_arena_alloc(arena, count, sizeof **out);
    return *out != NULL;
}

static es_status init_coupling(es_flow *flow, size_t i, es_rng *rng, es_arena *arena,
                               const es_run *run, es_error *err) {
    es_coupling *k = &flow->coupling[i];
    size_t d = flow->shape.d, hidden = flow->shape.hidden, batch = flow->batch;
    if (!halve(flow, i, rng, arena))
        return es_no_memory(err);
    const es_layer layers[] = {{inputs(flow, k), hidden, false, true},
                               {hidden, 2 * k->moved, true, false}};
    ES_PASS(es_net_init(&k->net, flow->simd, layers, 2, batch, arena, err));
    if (!take(arena, 2 * d, &k->act) || !take(arena, 4 * d, &k->act1) ||
        !take(arena, batch * inputs(flow, k), &k->in) || !take(arena, batch * d, &k->x) ||
        !take(arena, batch * k->moved, &k->y) || !take(arena, batch * k->moved, &k->bent) ||
        !take(arena, batch * k->moved, &k->grow))
        return es_no_memory_for(err, "a flow of %zu columns", d);
    k->act2 = k->act1 + 2 * d;
    memset(k->act, 0, 2 * d * sizeof *k->act);
    memset(k->act1, 0, 4 * d * sizeof *k->act1);
    k->net.run = run;
    es_net_random(&k->net, rng, 0);
    memset(k->net.tensor[1].bias, 0, 2 * k->moved * sizeof(float));
    es_net_fold(&k->net);
    if (k->kept > 0) {
        k->net.d_in = flow->d_in;
        k->net.d_ins = k->kept;
    }
    flow->n_params += k->net.n_params + 2 * d;
    return es_run_check(run, err);
}

es_status es_flow_init(es_flow *flow, const es_flow_shape *shape, size_t batch, es_rng *rng,
                       es_arena *arena, const es_run *run, es_error *err) {
    size_t d = shape->d;
    *flow = (es_flow){.shape = *shape, .simd = es_simd_get(es_isa_level()), .batch = batch};
    if (!take(arena, batch * d, &flow->d_x) || !take(arena, batch * 2 * d, &flow->d_out) ||
        !take(arena, batch * d, &flow->d_in) || !take(arena, 2 * d, &flow->sum) ||
        !take(arena, 2 * d, &flow->d_act) || !take(arena, batch * shape->c + 1, &flow->c))
        return es_no_memory_for(err, "a flow of %zu columns", d);
    flow->log_density = es_arena_alloc(arena, batch, sizeof *flow->log_density);
    es_status st = flow->log_density ? ES_OK : es_no_memory(err);
    for (size_t i = 0; st == ES_OK && i < shape->couplings; i++)
        st = init_coupling(flow, i, rng, arena, run, err);
    return st;
}

/* a = range tanh(raw / range), per column; their sum is the log determinant of actnorm. */
static double act_scale(const es_flow *flow, const es_coupling *k, float *a, float *grow) {
    size_t d = flow->shape.d;
    float range = (float)flow->shape.range;
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        a[j] = k->act[j] / range;
    flow->simd->tanh(a, a, d);
    for (size_t j = 0; j < d; j++) {
        grow[j] = range * a[j];
        sum += (double)grow[j];
    }
    flow->simd->exp(grow, grow, d);
    return sum;
}

/* k->x = actnorm of the rows x (count, d), and what the network sees. Returns the log determinant.
 */
static double act_rows(const es_flow *flow, const es_coupling *k, const float *x, const float *c,
                       size_t count) {
    size_t d = flow->shape.d, in = inputs(flow, k), dc = flow->shape.c;
    float clip = (float)flow->shape.clip, *grow = flow->sum + d;
    double log_det = act_scale(flow, k, flow->sum, grow);
    for (size_t r = 0; r < count; r++) {
        const float *from = x + r * d;
        float *to = k->x + r * d, *seen = k->in + r * in;
        for (size_t j = 0; j < d; j++)
            to[j] = grow[j] * (from[j] - k->act[d + j]);
        seen[0] = 0;
        for (size_t j = 0; j < k->kept; j++) {
            float v = to[k->columns[j]];
            v = v < -clip ? -clip : v;
            seen[j] = v > clip ? clip : v;
        }
        if (dc > 0)
            memcpy(seen + k->kept, c + r * dc, dc * sizeof *c);
    }
    return log_det;
}

/* Moves the moved columns of x (count, d), given the network's output; adds to log_density. */
static void move_rows(const es_flow *flow, const es_coupling *k, const float *out, float *x,
                      size_t count, double *log_density) {
    size_t d = flow->shape.d, moved = k->moved;
    float range = (float)flow->shape.range;
    const float *bias = k->net.bias[1];
    for (size_t r = 0; r < count; r++) {
        const float *o = out + r * 2 * moved;
        float *bent = k->bent + r * moved, *grow = k->grow + r * moved, *y = k->y + r * moved;
        for (size_t j = 0; j < moved; j++)
            bent[j] = (o[moved + j] + bias[moved + j]) / range;
        flow->simd->tanh(bent, bent, moved);
        double sum = 0;
        for (size_t j = 0; j < moved; j++) {
            grow[j] = range * bent[j];
            sum += (double)grow[j];
        }
        flow->simd->exp(grow, grow, moved);
        const uint32_t *columns = k->columns + k->kept;
        for (size_t j = 0; j < moved; j++) {
            y[j] = grow[j] * (k->x[r * d + columns[j]] - (o[j] + bias[j]));
            x[r * d + columns[j]] = y[j];
        }
        log_density[r] += sum;
    }
}

/* x (count, d) through all couplings in place; log_density gets the log densities. c: the rows'
 * conditions (count, c). */
static void forward(es_flow *flow, float *x, const float *c, size_t count, double *log_density) {
    size_t d = flow->shape.d;
    double log_det = 0;
    memset(log_density, 0, count * sizeof *log_density);
    for (size_t i = 0; i < flow->shape.couplings; i++) {
        es_coupling *k = &flow->coupling[i];
        log_det += act_rows(flow, k, x, c, count);
        const float *out = es_net_forward(&k->net, k->in, count);
        memcpy(x, k->x, count * d * sizeof *x);
        move_rows(flow, k, out, x, count, log_density);
    }
    for (size_t r = 0; r < count; r++) {
        double square = 0;
        for (size_t j = 0; j < d; j++)
            square += (double)x[r * d + j] * (double)x[r * d + j];
        log_density[r] += log_det - 0.5 * square - half_log_2pi * (double)d;
    }
}

/* flow->d_x, the derivative by what a coupling gave, becomes the one by what actnorm gave; the
 * network learns on the way. share: of a row in the mean. */
static void coupling_back(es_flow *flow, es_coupling *k, size_t count, float share, double rate) {
    size_t d = flow->shape.d, moved = k->moved;
    const uint32_t *columns = k->columns + k->kept;
    memset(flow->sum, 0, 2 * moved * sizeof *flow->sum);
    for (size_t r = 0; r < count; r++) {
        float *o = flow->d_out + r * 2 * moved, *dx = flow->d_x + r * d;
        for (size_t j = 0; j < moved; j++) {
            size_t at = r * moved + j;
            float dy = dx[columns[j]], through = k->grow[at] * dy;
            o[j] = -through;
            o[moved + j] = (dy * k->y[at] - share) * (1 - k->bent[at] * k->bent[at]);
            dx[columns[j]] = through;
        }
        for (size_t j = 0; j < 2 * moved; j++)
            flow->sum[j] += o[j];
    }
    es_net_step(&k->net, k->in, count, flow->d_out, flow->sum, rate);
    float clip = (float)flow->shape.clip;
    for (size_t r = 0; r < count; r++)
        for (size_t j = 0; j < k->kept; j++) {
            float x = k->x[r * d + k->columns[j]];
            if (x > -clip && x < clip)
                flow->d_x[r * d + k->columns[j]] += flow->d_in[r * k->kept + j];
        }
}

/* And the one by what went into actnorm, which learns. */
static void act_back(es_flow *flow, const es_coupling *k, size_t count, const es_adam_step *step) {
    size_t d = flow->shape.d;
    float *bent = flow->sum, *grow = flow->sum + d, *d_act = flow->d_act;
    (void)act_scale(flow, k, bent, grow);
    memset(d_act, 0, 2 * d * sizeof *d_act);
    for (size_t r = 0; r < count; r++) {
        float *dx = flow->d_x + r * d;
        const float *x = k->x + r * d;
        for (size_t j = 0; j < d; j++) {
            d_act[j] += dx[j] * x[j];
            dx[j] *= grow[j];
            d_act[d + j] -= dx[j];
        }
    }
    for (size_t j = 0; j < d; j++)
        d_act[j] = (d_act[j] - 1) * (1 - bent[j] * bent[j]);
    es_adam_row row = {.p = k->act, .m = k->act1, .v = k->act2, .g = d_act};
    flow->simd->adam(&row, 2 * d, step);
}

/* Rows of `from` (any, width) one after the other: those of list from `first` on, or as they lie.
 */
static void gather(const float *from, const uint32_t *list, size_t first, size_t count,
                   size_t width, float *to) {
    for (size_t r = 0; r < count && width > 0; r++)
        memcpy(to + r * width, from + (list ? list[first + r] : first + r) * width,
               width * sizeof *to);
}

double es_flow_step(es_flow *flow, const es_flow_rows *rows, const uint32_t *list, size_t count,
                    double rate) {
    float share = 1 / (float)count;
    double sum = 0;
    gather(rows->x, list, 0, count, flow->shape.d, flow->d_x);
    gather(rows->c, list, 0, count, flow->shape.c, flow->c);
    forward(flow, flow->d_x, flow->c, count, flow->log_density);
    for (size_t r = 0; r < count; r++)
        sum += flow->log_density[r];
    for (size_t i = 0; i < count * flow->shape.d; i++)
        flow->d_x[i] *= share; /* the derivative of z^2 / 2 */
    es_adam_step step = es_adam_at(++flow->steps, rate);
    for (size_t i = flow->shape.couplings; i-- > 0;) {
        coupling_back(flow, &flow->coupling[i], count, share, rate);
        act_back(flow, &flow->coupling[i], count, &step);
    }
    return sum;
}

static void set_run(es_flow *flow, const es_run *run) {
    for (size_t i = 0; i < flow->shape.couplings; i++)
        flow->coupling[i].net.run = run;
}

/* Steps over all rows in a new random order (order (n), any permutation, is shuffled), the last
 * batch as short as it comes. */
static es_status flow_epoch(es_flow *flow, const es_flow_rows *rows, uint32_t *order, double rate,
                            es_rng *rng, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    set_run(flow, run);
    es_rng_shuffle(rng, order, rows->n);
    for (size_t first = 0; first < rows->n && st == ES_OK; first += flow->batch) {
        size_t count = rows->n - first < flow->batch ? rows->n - first : flow->batch;
        (void)es_flow_step(flow, rows, order + first, count, rate);
        st = es_run_check(run, err);
    }
    return st;
}

es_status es_flow_eval(es_flow *flow, const es_flow_rows *rows, const uint32_t *turn, float *z,
                       double *log_density, const es_run *run, es_error *err) {
    size_t d = flow->shape.d;
    set_run(flow, run);
    for (size_t first = 0; first < rows->n; first += flow->batch) {
        size_t count = rows->n - first < flow->batch ? rows->n - first : flow->batch;
        ES_PASS(es_run_check(run, err));
        gather(rows->x, NULL, first, count, d, flow->d_x);
        gather(rows->c, turn, first, count, flow->shape.c, flow->c);
        forward(flow, flow->d_x, flow->c, count, log_density + first);
        es_status st = es_run_check(run, err); /* after which the values are void */
        if (st != ES_OK)
            return st;
        if (z)
            memcpy(z + first * d, flow->d_x, count * d * sizeof *z);
    }
    return ES_OK;
}

void es_flow_save(const es_flow *flow, float *out) {
    size_t act = 2 * flow->shape.d;
    for (size_t i = 0; i < flow->shape.couplings; i++) {
        const es_coupling *k = &flow->coupling[i];
        es_net_save(&k->net, out);
        memcpy(out + k->net.n_params, k->act, act * sizeof *out);
        out += k->net.n_params + act;
    }
}

void es_flow_load(es_flow *flow, const float *in) {
    size_t act = 2 * flow->shape.d;
    for (size_t i = 0; i < flow->shape.couplings; i++) {
        es_coupling *k = &flow->coupling[i];
        es_net_load(&k->net, in);
        memcpy(k->act, in + k->net.n_params, act * sizeof *in);
        in += k->net.n_params + act;
    }
}

/* Training of a flow with early stopping (see core_estimators_parts.h). */

es_status es_flow_fit(es_flow *flow, const es_flow_rows *train, const es_flow_rows *val,
                      const es_flow_plan *plan, es_rng *rng, es_arena *arena, const es_run *run,
                      es_flow_fitted *out, es_error *err) {
    size_t n = val->n;
    double *now = es_arena_alloc(arena, 3 * n, sizeof *now);
    float *state = es_arena_alloc(arena, 2 * flow->n_params, sizeof *state);
    uint32_t *order = es_arena_alloc(arena, train->n, sizeof *order);
    if (!now || !state || !order)
        return es_no_memory_for(err, "a flow of %zu parameters", flow->n_params);
    es_flow_fitted f = {.before = now + n, .now = now + 2 * n, .start = state};
    float *best = state + flow->n_params;
    for (size_t i = 0; i < train->n; i++)
        order[i] = (uint32_t)i;
    double highest = -INFINITY;
    for (unsigned epoch = 0; epoch <= plan->epochs && epoch <= f.epoch + plan->patience; epoch++) {
        es_status st = ES_OK;
        if (epoch > 0)
            st = flow_epoch(flow, train, order, plan->rate, rng, run, err);
        if (st == ES_OK)
            st = es_flow_eval(flow, val, NULL, NULL, epoch ? now : f.before, run, err);
        if (st != ES_OK)
            return st;
        double mean, gain = es_gain_over(f.before, epoch ? now : f.before, n, &mean);
        es_run_trace(plan->shown, -mean / (double)flow->shape.d);
        es_run_progress(plan->shown, epoch, 0);
        if (epoch == 0 || mean > highest) {
            highest = mean;
            f.epoch = epoch;
            f.gain = gain;
            es_flow_save(flow, epoch ? best : f.start);
            memcpy(f.now, epoch ? now : f.before, n * sizeof *now);
        }
    }
    es_flow_load(flow, f.epoch > 0 ? best : f.start);
    *out = f;
    return ES_OK;
}

/* Whether validation rows gain by a richer model (see core_estimators_parts.h). */

double es_gain_over(const double *before, const double *now, size_t n, double *mean) {
    double sum = 0, gain = 0, square = 0, sign = 0;
    for (size_t i = 0; i < n; i++) {
        double more = now[i] - before[i];
        sum += now[i];
        gain += more;
        square += more * more;
        sign += more > 0 ? 1 : -1;
    }
    *mean = sum / (double)n;
    gain /= (double)n;
    double variance = (square / (double)n - gain * gain) / (double)(n > 1 ? n - 1 : 1);
    if (!(gain > 0 && variance > 0))
        return 0;
    return fmax(gain / sqrt(variance), sign / sqrt((double)n));
}
