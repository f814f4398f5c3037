/* One step: rows drawn, loss and gradient, the gradient's length limited, Adam. Nothing is kept
 * from step to step but weights and moments, so that a state is small and any step can be the
 * first. */
#include "cmim_train.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

/* Streams of validation noise, away from those of steps. */
static const uint64_t apart = (uint64_t)1 << 40;
/* Streams of the codes that rows are embedded at. */
static const uint64_t row_codes = (uint64_t)1 << 48;

/* ---- making one ---- */

static bool is_views(const es_cmim_recipe *r) {
    return r->goal.mode == ES_CMIM_INFONCE;
}

/* Rows that a network sees at once. */
static size_t rows_of(const es_cmim_recipe *r) {
    return is_views(r) ? 2 * r->batch : r->batch;
}

static void draw_weights(es_cmim_trainer *t) {
    es_rng rng;
    es_rng_init(&rng, t->recipe.seed, es_rng_stream(ES_STREAM_INIT, t->d));
    for (size_t k = 0; k < t->net->n_tensors; k++) {
        const es_cmim_tensor *w = &t->net->tensor[k];
        float *at = t->net->param + w->at;
        double spread = 1 / sqrt((double)(w->rows > 0 ? w->rows : 1));
        for (size_t i = 0; i < w->columns * (w->rows > 0 ? w->rows : 1); i++)
            at[i] = w->rows > 0 ? (float)(spread * es_rng_normal(&rng)) : 0;
    }
}

/* All rows in an order of their own; the first are for validation. */
static void split_rows(es_cmim_trainer *t) {
    es_rng rng;
    size_t most = ES_CMIM_VALIDATION_MOST, n = (size_t)(t->recipe.validation * (double)t->n);
    for (size_t i = 0; i < t->n; i++)
        t->validation[i] = (uint32_t)i;
    es_rng_init(&rng, t->recipe.seed, es_rng_stream(ES_STREAM_SPLIT, t->n));
    es_rng_shuffle(&rng, t->validation, t->n);
    n = n > most ? most : n;
    t->n_validation = t->recipe.validation > 0 && n < 2 ? 2 : n;
    t->train = t->validation + t->n_validation;
    t->n_train = t->n - t->n_validation;
}

/* Allocates moments, best weights and batches. */
static es_status allocate_state(es_cmim_trainer *t, es_error *err) {
    size_t params = t->net->n_params, rows = rows_of(&t->recipe);
    t->moment1 = es_alloc_aligned(params, sizeof *t->moment1);
    t->moment2 = es_alloc_aligned(params, sizeof *t->moment2);
    t->best = es_alloc_aligned(params, sizeof *t->best);
    t->validation = es_alloc(t->n, sizeof *t->validation);
    t->batch = es_alloc_aligned(rows * t->d, sizeof *t->batch);
    t->noise = es_alloc_aligned(rows * t->recipe.k, sizeof *t->noise);
    t->swap = es_alloc(t->recipe.batch, sizeof *t->swap);
    t->curve = es_alloc(ES_CMIM_POINTS_MOST, sizeof *t->curve);
    if (!t->moment1 || !t->moment2 || !t->best || !t->validation || !t->batch || !t->noise ||
        !t->swap || !t->curve)
        return es_no_memory_for(err, "training %zu weights", params);
    memset(t->moment1, 0, params * sizeof *t->moment1);
    memset(t->moment2, 0, params * sizeof *t->moment2);
    return ES_OK;
}

es_status es_cmim_trainer_new(const es_cmim_recipe *recipe, const float *x, size_t n, size_t d,
                              const es_simd *simd, es_cmim_trainer **out, es_error *err) {
    es_status st = ES_OK;
    es_cmim_recipe r = *recipe;
    if (r.k == 0)
        r.k = d < 64 ? d : 64;
    if (n < ES_CMIM_ROWS_LEAST)
        return es_fail(err, ES_EINVAL, "%zu rows are too few to train on (at least %d)", n,
                       ES_CMIM_ROWS_LEAST);
    if (r.k > d)
        return es_fail(err, ES_EINVAL,
                       "a code of k=%zu columns for %zu columns that vary: choose "
                       "k of at most %zu",
                       r.k, d, d);
    if (!(r.goal.tau > 0) || r.batch < 2 || r.steps == 0)
        return es_fail(err, ES_EINVAL, "training needs tau > 0, batches of 2 rows and a step");
    r.batch = r.batch > n / 4 ? n / 4 : r.batch;
    const es_cmim_shape shape = {d, r.h, r.k, r.layers, r.relu, r.bernoulli, r.learned};
    es_cmim_trainer *t = es_alloc_zero(1, sizeof *t);
    if (!t)
        return es_no_memory(err);
    *t = (es_cmim_trainer){.recipe = r, .n = n, .d = d, .x = x, .best_loss = INFINITY};
    ES_TRY(es_cmim_net_new(&shape, rows_of(&r), simd, &t->net, err));
    ES_TRY(allocate_state(t, err));
    split_rows(t);
    draw_weights(t);
    memcpy(t->best, t->net->param, t->net->n_params * sizeof *t->best);
    *out = t;
    t = NULL;
done:
    es_cmim_trainer_free(t);
    return st;
}

void es_cmim_trainer_free(es_cmim_trainer *t) {
    if (!t)
        return;
    es_cmim_net_free(t->net);
    es_free(t->moment1);
    es_free(t->moment2);
    es_free(t->best);
    es_free(t->validation);
    es_free(t->batch);
    es_free(t->noise);
    es_free(t->swap);
    es_free(t->curve);
    es_free(t);
}

/* ---- batches ---- */

static void put_row(es_cmim_trainer *t, size_t place, uint32_t row) {
    memcpy(t->batch + place * t->d, t->x + (size_t)row * t->d, t->d * sizeof *t->batch);
}

/* Two views of each of the first `count` rows of the batch: a share of the columns is taken from
 * other rows of training (Bahri et al., "SCARF", ICLR 2022). */
static void make_views(es_cmim_trainer *t, size_t count, es_rng *rng) {
    size_t d = t->d;
    memcpy(t->batch + count * d, t->batch, count * d * sizeof *t->batch);
    for (size_t i = 0; i < 2 * count * d; i++)
        if (es_rng_uniform(rng) < t->recipe.corrupt)
            t->batch[i] = t->x[(size_t)t->train[es_rng_below(rng, t->n_train)] * d + i % d];
}

static es_cmim_parts loss_of(es_cmim_trainer *t, size_t count, uint64_t stream, bool gradient) {
    es_rng rng;
    size_t rows = count;
    es_rng_init(&rng, t->recipe.seed, es_rng_stream(ES_STREAM_SAMPLE, stream));
    if (is_views(&t->recipe)) {
        make_views(t, count, &rng);
        rows = 2 * count;
    } else if (es_cmim_has_noise(t->recipe.goal.mode)) {
        for (size_t i = 0; i < count * t->recipe.k; i++)
            t->noise[i] = (float)es_rng_normal(&rng);
    }
    return es_cmim_net_loss(t->net, &t->recipe.goal, t->batch, t->noise, rows, gradient);
}

/* Rows of step number `step`, without replacement: a shuffle that is stopped early and undone, so
 * that the order of rows stays what it was. */
static void draw_rows(es_cmim_trainer *t, size_t step) {
    es_rng rng;
    size_t count = t->recipe.batch;
    es_rng_init(&rng, t->recipe.seed, es_rng_stream(ES_STREAM_SHUFFLE, step));
    for (size_t i = 0; i < count; i++) {
        size_t j = i + (size_t)es_rng_below(&rng, t->n_train - i);
        uint32_t row = t->train[j];
        t->train[j] = t->train[i];
        t->train[i] = row;
        t->swap[i] = (uint32_t)j;
        put_row(t, i, row);
    }
    for (size_t i = count; i-- > 0;) {
        uint32_t row = t->train[t->swap[i]];
        t->train[t->swap[i]] = t->train[i];
        t->train[i] = row;
    }
}

static void add_parts(es_cmim_parts *sum, const es_cmim_parts *p, double weight) {
    sum->loss += weight * p->loss;
    sum->reconstruction += weight * p->reconstruction;
    sum->contrastive += weight * p->contrastive;
    sum->log_q += weight * p->log_q;
    sum->log_p += weight * p->log_p;
    sum->cosine += weight * p->cosine;
}

bool es_cmim_validate(es_cmim_trainer *t, es_cmim_parts *out) {
    es_cmim_parts sum = {0}, mean = {0};
    double rows = 0;
    for (size_t first = 0; first < t->n_validation; first += t->recipe.batch) {
        size_t left = t->n_validation - first,
               count = left < t->recipe.batch ? left : t->recipe.batch;
        if (count < 2)
            break;
        for (size_t i = 0; i < count; i++)
            put_row(t, i, t->validation[first + i]);
        es_cmim_parts p = loss_of(t, count, apart + first, false);
        add_parts(&sum, &p, (double)count);
        rows += (double)count;
    }
    if (rows > 0)
        add_parts(&mean, &sum, 1 / rows);
    *out = mean;
    return rows > 0;
}

/* ---- steps ---- */

double es_cmim_rate(const es_cmim_recipe *r, size_t t) {
    double steps = (double)r->steps, at = (double)t, rise = floor(r->warmup * steps),
           fall = floor(r->decay * steps), factor = 1;
    if (at < rise)
        factor = at / rise;
    if (steps - at < fall)
        factor = fmin(factor, (steps - at + 1) / (fall + 1));
    return r->rate * factor;
}

static double length_of(const float *x, size_t n) {
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += (double)x[i + l] * (double)x[i + l];
    for (; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    for (size_t l = 0; l < LANES; l++)
        sum += lane[l];
    return sqrt(sum);
}

/* One step of Adam with the gradient clipped to its norm. */
static void take_step(es_cmim_trainer *t, double length) {
    es_cmim_net *net = t->net;
    size_t step = t->step + 1;
    const es_adam_step adam = es_adam_at((unsigned)step, es_cmim_rate(&t->recipe, step));
    const es_adam_row row = {.p = net->param, .m = t->moment1, .v = t->moment2, .g = net->grad};
    float shrink = (float)(t->recipe.clip / length);
    for (size_t i = 0; length > t->recipe.clip && i < net->n_params; i++)
        net->grad[i] *= shrink;
    net->simd->adam(&row, net->n_params, &adam);
}

/* True if the validation rows are evaluated after step t->step. */
static bool is_point(const es_cmim_trainer *t) {
    size_t every = t->recipe.steps / ES_CMIM_POINTS;
    every = every > 0 ? every : 1;
    return t->step % every == 0 || t->step == t->recipe.steps;
}

/* Brings the best weights back and fails: the loss is not finite. */
static es_status fail_not_finite(es_cmim_trainer *t, size_t step, es_error *err) {
    memcpy(t->net->param, t->best, t->net->n_params * sizeof *t->best);
    if (t->best_step == 0)
        return es_fail(err, ES_ENONFINITE,
                       "the loss is not finite any more at step %zu, before there were weights to "
                       "keep: a smaller rate may help",
                       step);
    return es_fail(err, ES_ENONFINITE,
                   "the loss is not finite any more at step %zu: the weights of step %zu are kept",
                   step, t->best_step);
}

es_status es_cmim_trainer_step(es_cmim_trainer *t, const es_run *run, es_cmim_parts *parts,
                               es_error *err) {
    if (t->step >= t->recipe.steps)
        return es_fail(err, ES_EINVAL, "all %zu steps are done", t->step);
    t->net->run = run;
    draw_rows(t, t->step);
    es_cmim_parts p = loss_of(t, t->recipe.batch, t->step, true);
    es_status st = es_run_check(run, err);
    if (st != ES_OK)
        return st; /* what was computed is void */
    double length = length_of(t->net->grad, t->net->n_params);
    if (!isfinite(p.loss) || !isfinite(length))
        return fail_not_finite(t, t->step + 1, err);
    take_step(t, length);
    t->step++;
    *parts = p;
    if (!is_point(t))
        return ES_OK;
    t->net->run = NULL;     /* a step is whole, with its look at the validation rows */
    es_cmim_parts held = p; /* without validation rows the last batch is what is known */
    bool validated = t->n_validation > 1 && es_cmim_validate(t, &held);
    if (!isfinite(held.loss))
        return fail_not_finite(t, t->step, err);
    t->curve[t->n_points++] = (es_cmim_point){t->step, p, validated ? held.loss : (double)NAN};
    if (!validated || held.loss < t->best_loss) {
        t->best_loss = validated ? held.loss : p.loss;
        t->best_step = t->step;
        memcpy(t->best, t->net->param, t->net->n_params * sizeof *t->best);
    }
    return ES_OK;
}

void es_cmim_finish(es_cmim_trainer *t) {
    memcpy(t->net->param, t->best, t->net->n_params * sizeof *t->best);
}

/* Of rows first ..., each from a stream of its own. noise (count, k). */
static void draw_codes(const es_cmim_recipe *recipe, size_t first, size_t count, size_t k,
                       float *noise) {
    for (size_t i = 0; i < count; i++) {
        es_rng rng;
        es_rng_init(&rng, recipe->seed, es_rng_stream(ES_STREAM_SAMPLE, row_codes + first + i));
        for (size_t j = 0; j < k; j++)
            noise[i * k + j] = (float)es_rng_normal(&rng);
    }
}

es_status es_cmim_embed_rows(const es_cmim_shape *shape, const float *param,
                             const es_cmim_recipe *recipe, const es_simd *simd, const float *x,
                             size_t n, double *mu, double *info, const es_run *run, es_error *err) {
    enum { BLOCK = 256 };
    size_t k = shape->k, h = shape->h, d = shape->d;
    es_cmim_net *net = NULL;
    float *code = NULL, *hidden = NULL, *block = NULL, *noise = NULL;
    es_status st = ES_OK;
    ES_TRY(es_cmim_net_new(shape, BLOCK, simd, &net, err));
    code = es_alloc(BLOCK * k, sizeof *code);
    hidden = es_alloc(BLOCK * h, sizeof *hidden);
    block = es_alloc_zero(BLOCK * d, sizeof *block);
    noise = es_alloc_zero(BLOCK * k, sizeof *noise);
    ES_FAIL_IF(!code || !hidden || !block || !noise,
               es_no_memory_for(err, "blocks of %d rows", BLOCK));
    memcpy(net->param, param, net->n_params * sizeof *param);
    net->run = run;
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        memcpy(block, x + first * d, count * d * sizeof *x);
        if (recipe->sample)
            draw_codes(recipe, first, count, k, noise);
        es_cmim_net_embed(net, &recipe->goal, block, recipe->sample ? noise : NULL, BLOCK, code,
                          hidden);
        ES_TRY(es_run_check(run, err));
        for (size_t i = 0; mu && i < count * k; i++)
            mu[first * k + i] = (double)code[i];
        for (size_t i = 0; info && i < count * h; i++)
            info[first * h + i] = (double)hidden[i];
    }
done:
    es_cmim_net_free(net);
    es_free(code);
    es_free(hidden);
    es_free(block);
    es_free(noise);
    return st;
}
