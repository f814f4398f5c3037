/* Scores, gradients and steps of a critic in single precision, one batch at a time. Both softmaxes
 * go along rows: that over columns works on the matrix turned over. */
#include "core_alike.h"

#include <math.h>
#include <string.h>

const double es_critic_coldest = 0.05, es_critic_warmest = 1;

/* Under the root of a length, so that a zero row has a direction: none. */
static const float tiny = 1e-12F;

enum { LANES = 8, TILE = 16 };

static bool has_tower(const es_critic_shape *s, size_t side) {
    return side == 0 || !s->fixed;
}

static size_t tower_params(const es_critic_shape *s, size_t side) {
    if (!has_tower(s, side))
        return 0;
    return s->kind == ES_CRITIC_MLP ? (s->d[side] + 1 + s->h) * s->hidden : s->d[side] * s->h;
}

size_t es_critic_params(const es_critic_shape *s) {
    return tower_params(s, 0) + tower_params(s, 1) + 1;
}

es_status es_critic_new(const es_critic_shape *shape, size_t batch, const es_simd *simd,
                        es_critic **out, es_error *err) {
    if (batch < 2 || (shape->fixed && shape->d[1] != shape->h))
        return es_fail(err, ES_EINVAL, "a critic needs two rows, and a fixed side of its width");
    size_t n = es_critic_params(shape);
    es_critic *c = es_alloc_zero(1, sizeof *c);
    if (!c)
        return es_no_memory(err);
    *c = (es_critic){.shape = *shape, .batch = batch, .n_params = n, .simd = simd};
    size_t scratch = (batch + shape->hidden) * shape->h + batch * shape->hidden;
    bool whole = (c->param = es_alloc_aligned(n, sizeof(float))) &&
                 (c->grad = es_alloc_aligned(n, sizeof(float))) &&
                 (c->moment1 = es_alloc_aligned(n, sizeof(float))) &&
                 (c->moment2 = es_alloc_aligned(n, sizeof(float))) &&
                 (c->s = es_alloc_aligned(batch * batch, sizeof(float))) &&
                 (c->turned = es_alloc_aligned(batch * batch, sizeof(float))) &&
                 (c->share = es_alloc_aligned(batch * batch, sizeof(float))) &&
                 (c->wide = es_alloc_aligned(scratch, sizeof(float)));
    for (size_t k = 0; k < 2 && whole; k++)
        whole = (c->out[k] = es_alloc_aligned(batch * shape->h, sizeof(float))) &&
                (c->unit[k] = es_alloc_aligned(batch * shape->h, sizeof(float))) &&
                (c->length[k] = es_alloc_aligned(batch, sizeof(float))) &&
                (c->hidden[k] = es_alloc_aligned(batch * shape->hidden, sizeof(float)));
    if (!whole) {
        es_critic_free(c);
        return es_no_memory_for(err, "a critic of %zu parameters", n);
    }
    *out = c;
    return ES_OK;
}

void es_critic_free(es_critic *c) {
    if (!c)
        return;
    for (size_t k = 0; k < 2; k++) {
        es_free(c->out[k]);
        es_free(c->unit[k]);
        es_free(c->length[k]);
        es_free(c->hidden[k]);
    }
    es_free(c->param);
    es_free(c->grad);
    es_free(c->moment1);
    es_free(c->moment2);
    es_free(c->s);
    es_free(c->turned);
    es_free(c->share);
    es_free(c->wide);
    es_free(c);
}

static void draw(es_rng *rng, float *w, size_t in, size_t out) {
    for (size_t i = 0; i < in * out; i++)
        w[i] = (float)(es_rng_normal(rng) / sqrt((double)in));
}

void es_critic_random(es_critic *c, uint64_t seed, double temperature) {
    const es_critic_shape *s = &c->shape;
    float *w = c->param;
    for (size_t side = 0; side < 2; side++) {
        es_rng rng; /* the same for both, so that it does not matter which side comes first */
        es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_INIT, s->d[side]));
        if (has_tower(s, side) && s->kind == ES_CRITIC_MLP) {
            float *bias = w + s->d[side] * s->hidden;
            draw(&rng, w, s->d[side], s->hidden);
            memset(bias, 0, s->hidden * sizeof *bias);
            draw(&rng, bias + s->hidden, s->hidden, s->h);
        } else if (has_tower(s, side)) {
            draw(&rng, w, s->d[side], s->h);
        }
        w += tower_params(s, side);
    }
    *w = (float)-log(temperature);
    memset(c->moment1, 0, c->n_params * sizeof(float));
    memset(c->moment2, 0, c->n_params * sizeof(float));
    c->steps = 0;
}

/* ---- forward ---- */

static void forward_tower(es_critic *c, size_t side, const float *x, size_t rows) {
    const es_critic_shape *s = &c->shape;
    const float *w = c->param + (side ? tower_params(s, 0) : 0);
    size_t d = s->d[side];
    if (!has_tower(s, side)) {
        memcpy(c->out[side], x, rows * s->h * sizeof *x);
    } else if (s->kind != ES_CRITIC_MLP) {
        es_sgemm(false, rows, s->h, d, 1, x, w, c->out[side]);
    } else {
        es_sgemm(false, rows, s->hidden, d, 1, x, w, c->hidden[side]);
        for (size_t i = 0; i < rows; i++)
            c->simd->activate(c->hidden[side] + i * s->hidden, w + d * s->hidden, true, s->hidden);
        es_sgemm(false, rows, s->h, s->hidden, 1, c->hidden[side], w + (d + 1) * s->hidden,
                 c->out[side]);
    }
}

static bool is_cosine(const es_critic_shape *s) {
    return s->kind != ES_CRITIC_BILINEAR;
}

/* Rows of length 1, or as they are. */
static void scale_rows(es_critic *c, size_t side, size_t rows) {
    size_t h = c->shape.h;
    for (size_t i = 0; i < rows; i++) {
        const float *p = c->out[side] + i * h;
        double sum = (double)tiny;
        for (size_t k = 0; k < h; k++)
            sum += (double)p[k] * (double)p[k];
        float length = is_cosine(&c->shape) ? (float)sqrt(sum) : 1;
        c->length[side][i] = length;
        for (size_t k = 0; k < h; k++)
            c->unit[side][i * h + k] = p[k] / length;
    }
}

/* to (n, m) from (m, n). */
static void turn(const float *from, size_t m, size_t n, float *to) {
    for (size_t a = 0; a < m; a += TILE)
        for (size_t b = 0; b < n; b += TILE)
            for (size_t i = a; i < a + TILE && i < m; i++)
                for (size_t j = b; j < b + TILE && j < n; j++)
                    to[j * m + i] = from[i * n + j];
}

static float scale_of(const es_critic *c) {
    return is_cosine(&c->shape) ? expf(c->param[c->n_params - 1]) : 1;
}

/* The mean cosine of the images of matching rows. */
static double mean_cosine(const es_critic *c, size_t rows) {
    size_t h = c->shape.h;
    double sum = 0;
    for (size_t i = 0; i < rows; i++) {
        double dot = 0, square[2] = {(double)tiny, (double)tiny};
        for (size_t k = 0; k < h; k++) {
            double p = (double)c->out[0][i * h + k], q = (double)c->out[1][i * h + k];
            dot += p * q;
            square[0] += p * p;
            square[1] += q * q;
        }
        sum += dot / sqrt(square[0] * square[1]);
    }
    return sum / (double)rows;
}

void es_critic_face(es_critic *c, const float *u, const float *v, size_t rows) {
    const es_critic_shape *s = &c->shape;
    float *w = c->param + tower_params(s, 0);
    size_t count = tower_params(s, 1);
    if (s->kind == ES_CRITIC_MLP) /* a ReLU of -u is not that of u turned round */
        return;
    forward_tower(c, 0, u, rows);
    forward_tower(c, 1, v, rows);
    bool turns = mean_cosine(c, rows) < 0;
    for (size_t i = 0; turns && i < count; i++)
        w[i] = -w[i];
}

const float *es_critic_scores(es_critic *c, const float *u, const float *v, size_t rows) {
    size_t h = c->shape.h;
    forward_tower(c, 0, u, rows);
    forward_tower(c, 1, v, rows);
    scale_rows(c, 0, rows);
    scale_rows(c, 1, rows);
    turn(c->unit[1], rows, h, c->wide);
    es_sgemm(false, rows, rows, h, scale_of(c), c->unit[0], c->wide, c->s);
    return c->s;
}

/* ---- backward ---- */

static double sum_of(const float *x, size_t n) {
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += (double)x[i + k];
    for (; i < n; i++)
        sum += (double)x[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static double dot_of(const float *x, const float *y, size_t n) {
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += (double)x[i + k] * (double)y[i + k];
    for (; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* The softmax of every row, over 2 n, to share, which may be s; returns the sum of log-sum-exp less
 * the diagonal. */
static double softmax(const es_simd *simd, const float *s, size_t n, float *share) {
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        const float *from = s + i * n;
        float *to = share + i * n, most = from[0], pair = from[i];
        for (size_t j = 1; j < n; j++)
            most = from[j] > most ? from[j] : most;
        for (size_t j = 0; j < n; j++)
            to[j] = from[j] - most;
        simd->exp(to, to, n);
        double sum = sum_of(to, n);
        float factor = (float)(1 / (sum * 2 * (double)n));
        for (size_t j = 0; j < n; j++)
            to[j] *= factor;
        loss += log(sum) + (double)most - (double)pair;
    }
    return loss;
}

/* The loss; c->share becomes its derivative by the scores. */
static double loss_of(es_critic *c, size_t n) {
    float *other = c->turned, step = (float)(1 / (double)n);
    double loss = softmax(c->simd, c->s, n, c->share);
    turn(c->s, n, n, other);
    loss += softmax(c->simd, other, n, other);
    for (size_t a = 0; a < n; a += TILE)
        for (size_t b = 0; b < n; b += TILE)
            for (size_t i = a; i < a + TILE && i < n; i++)
                for (size_t j = b; j < b + TILE && j < n; j++)
                    c->share[i * n + j] += other[j * n + i];
    for (size_t i = 0; i < n; i++)
        c->share[i * n + i] -= step;
    return loss / (2 * (double)n);
}

/* Through the division by length: d (rows, h) by the unit rows becomes that by the output. */
static void back_through_length(const es_critic *c, size_t side, size_t rows, float *d) {
    size_t h = c->shape.h;
    for (size_t i = 0; is_cosine(&c->shape) && i < rows; i++) {
        const float *unit = c->unit[side] + i * h;
        float *row = d + i * h, along = (float)dot_of(row, unit, h), length = c->length[side][i];
        for (size_t k = 0; k < h; k++)
            row[k] = (row[k] - unit[k] * along) / length;
    }
}

/* d (rows, h): the derivative by the tower's output. */
static void back_tower(es_critic *c, size_t side, const float *x, size_t rows, const float *d) {
    const es_critic_shape *s = &c->shape;
    size_t at = side ? tower_params(s, 0) : 0, in = s->d[side], m = s->hidden;
    const float *w = c->param + at;
    float *g = c->grad + at;
    if (!has_tower(s, side))
        return;
    if (s->kind != ES_CRITIC_MLP) {
        es_sgemm(true, in, s->h, rows, 1, x, d, g);
        return;
    }
    float *hidden = c->hidden[side], *weight = c->wide, *d_hidden = c->wide + s->h * m;
    es_sgemm(true, m, s->h, rows, 1, hidden, d, g + (in + 1) * m);
    turn(w + (in + 1) * m, m, s->h, weight);
    es_sgemm(false, rows, m, s->h, 1, d, weight, d_hidden);
    memset(g + in * m, 0, m * sizeof *g);
    for (size_t i = 0; i < rows; i++)
        c->simd->activate_back(d_hidden + i * m, hidden + i * m, NULL, 1, true, g + in * m, m);
    es_sgemm(true, in, m, rows, 1, x, d_hidden, g);
}

double es_critic_loss(es_critic *c, const float *u, const float *v, size_t rows) {
    es_critic_scores(c, u, v, rows);
    return loss_of(c, rows);
}

double es_critic_gradient(es_critic *c, const float *u, const float *v, size_t rows) {
    size_t h = c->shape.h;
    float scale = scale_of(c);
    double loss = es_critic_loss(c, u, v, rows);
    c->grad[c->n_params - 1] =
        is_cosine(&c->shape) ? (float)dot_of(c->share, c->s, rows * rows) : 0;
    /* the outputs are not needed any more and take their derivatives */
    es_sgemm(false, rows, h, rows, scale, c->share, c->unit[1], c->out[0]);
    es_sgemm(true, rows, h, rows, scale, c->share, c->unit[0], c->out[1]);
    for (size_t side = 0; side < 2; side++) {
        back_through_length(c, side, rows, c->out[side]);
        back_tower(c, side, side ? v : u, rows, c->out[side]);
    }
    return loss;
}

void es_critic_step(es_critic *c, double rate, double decay) {
    const es_adam_step step = es_adam_at(++c->steps, rate);
    const es_adam_row row = {.p = c->param, .m = c->moment1, .v = c->moment2, .g = c->grad};
    float keep = (float)(1 - rate * decay), *last = &c->param[c->n_params - 1];
    for (size_t i = 0; i + 1 < c->n_params; i++)
        c->param[i] *= keep;
    c->simd->adam(&row, c->n_params, &step);
    *last = fminf(fmaxf(*last, (float)-log(es_critic_warmest)), (float)-log(es_critic_coldest));
}

/* ---- the twin ---- */

/* What it works with: of either side the hidden layer, the output, its length, and derivatives. */
typedef struct twin {
    const es_critic_shape *shape;
    size_t rows;
    double *hidden[2], *out[2], *unit[2], *length[2], *s, *d_s, *d_out, *d_hidden;
} twin;

static void twin_forward(const twin *t, size_t side, const double *w, const double *x) {
    const es_critic_shape *s = t->shape;
    size_t d = s->d[side], m = s->hidden;
    bool deep = s->kind == ES_CRITIC_MLP && has_tower(s, side);
    for (size_t i = 0; i < t->rows; i++) {
        for (size_t k = 0; deep && k < m; k++) {
            double sum = w[d * m + k];
            for (size_t j = 0; j < d; j++)
                sum += x[i * d + j] * w[j * m + k];
            t->hidden[side][i * m + k] = fmax(sum, 0);
        }
        const double *from = deep ? t->hidden[side] + i * m : x + i * d,
                     *map = deep ? w + (d + 1) * m : w;
        double square = (double)tiny;
        for (size_t k = 0; k < s->h; k++) {
            double sum = has_tower(s, side) ? 0 : from[k];
            for (size_t j = 0; has_tower(s, side) && j < (deep ? m : d); j++)
                sum += from[j] * map[j * s->h + k];
            t->out[side][i * s->h + k] = sum;
            square += sum * sum;
        }
        t->length[side][i] = is_cosine(s) ? sqrt(square) : 1;
        for (size_t k = 0; k < s->h; k++)
            t->unit[side][i * s->h + k] = t->out[side][i * s->h + k] / t->length[side][i];
    }
}

/* The derivative by the output of one side. */
static void twin_back_scores(const twin *t, size_t side, double scale) {
    size_t h = t->shape->h, n = t->rows;
    for (size_t i = 0; i < n; i++) {
        double along = 0, *d = t->d_out + i * h;
        const double *unit = t->unit[side] + i * h;
        for (size_t k = 0; k < h; k++) {
            d[k] = 0;
            for (size_t j = 0; j < n; j++)
                d[k] += scale * t->d_s[side ? j * n + i : i * n + j] * t->unit[1 - side][j * h + k];
            along += d[k] * unit[k];
        }
        for (size_t k = 0; is_cosine(t->shape) && k < h; k++)
            d[k] = (d[k] - unit[k] * along) / t->length[side][i];
    }
}

/* g += x^T d for x (rows, in), d (rows, out). */
static void twin_outer(const double *x, const double *d, size_t rows, size_t in, size_t out,
                       double *g) {
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < in; j++)
            for (size_t k = 0; k < out; k++)
                g[j * out + k] += x[i * in + j] * d[i * out + k];
}

static void twin_back_tower(const twin *t, size_t side, const double *w, const double *x,
                            double *g) {
    const es_critic_shape *s = t->shape;
    size_t d = s->d[side], m = s->hidden;
    if (!has_tower(s, side))
        return;
    if (s->kind != ES_CRITIC_MLP) {
        twin_outer(x, t->d_out, t->rows, d, s->h, g);
        return;
    }
    twin_outer(t->hidden[side], t->d_out, t->rows, m, s->h, g + (d + 1) * m);
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < m; j++) {
            double sum = 0;
            for (size_t k = 0; k < s->h; k++)
                sum += t->d_out[i * s->h + k] * w[(d + 1) * m + j * s->h + k];
            t->d_hidden[i * m + j] = t->hidden[side][i * m + j] > 0 ? sum : 0;
            g[d * m + j] += t->d_hidden[i * m + j];
        }
    twin_outer(x, t->d_hidden, t->rows, d, m, g);
}

static double twin_run(const twin *t, const double *param, const double *const x[2],
                       double *gradient) {
    const es_critic_shape *s = t->shape;
    size_t n = t->rows, n_params = es_critic_params(s), at[2] = {0, tower_params(s, 0)};
    double scale = is_cosine(s) ? exp(param[n_params - 1]) : 1, by_t = 0;
    for (size_t side = 0; side < 2; side++)
        twin_forward(t, side, param + at[side], x[side]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            t->s[i * n + j] = 0;
            for (size_t k = 0; k < s->h; k++)
                t->s[i * n + j] += scale * t->unit[0][i * s->h + k] * t->unit[1][j * s->h + k];
        }
    double loss = es_infonce_loss_ref(t->s, n, t->d_s);
    if (!gradient)
        return loss;
    memset(gradient, 0, n_params * sizeof *gradient);
    for (size_t side = 0; side < 2; side++) {
        twin_back_scores(t, side, scale);
        twin_back_tower(t, side, param + at[side], x[side], gradient + at[side]);
    }
    for (size_t k = 0; k < n * n; k++)
        by_t += t->d_s[k] * t->s[k];
    gradient[n_params - 1] = is_cosine(s) ? by_t : 0;
    return loss;
}

double es_critic_loss_ref(const es_critic_shape *shape, const double *param, const double *u,
                          const double *v, size_t rows, double *gradient, double *scores) {
    size_t each = rows * (shape->hidden + 2 * shape->h + 1);
    size_t all = 2 * each + 2 * rows * rows + rows * (shape->h + shape->hidden);
    double *block = es_alloc_zero(all, sizeof *block), *at = block;
    const double *const x[2] = {u, v};
    if (!block)
        return (double)NAN;
    twin t = {.shape = shape, .rows = rows};
    for (size_t side = 0; side < 2; side++) {
        t.hidden[side] = at;
        t.out[side] = at + rows * shape->hidden;
        t.unit[side] = t.out[side] + rows * shape->h;
        t.length[side] = t.unit[side] + rows * shape->h;
        at += each;
    }
    t.s = at;
    t.d_s = t.s + rows * rows;
    t.d_out = t.d_s + rows * rows;
    t.d_hidden = t.d_out + rows * shape->h;
    double loss = twin_run(&t, param, x, gradient);
    if (scores)
        memcpy(scores, t.s, rows * rows * sizeof *scores);
    es_free(block);
    return loss;
}

/* The Mantel test (Mantel 1967) on ranks of distances: a shuffle of rows permutes both indices, so
 * only the sum of products has to be made again. */

/* Distances i < j of n rows, row by row. */
static double sum_of_products(const es_side *a, const es_side *b, const uint32_t *order, size_t n,
                              double middle) {
    const float *x = a->distance_rank;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++, x++) {
            size_t r = order[i] < order[j] ? order[i] : order[j];
            size_t c = order[i] < order[j] ? order[j] : order[i];
            size_t at = r * (2 * n - r - 1) / 2 + c - r - 1;
            sum += ((double)*x - middle) * ((double)b->distance_rank[at] - middle);
        }
    return sum;
}

es_status es_mantel(const es_side *a, const es_side *b, size_t permutations, uint64_t seed,
                    es_stat *out, es_error *err) {
    es_stat r = {0};
    es_status st = es_rsa(a, b, &r, err);
    if (st != ES_OK || r.why) {
        *out = r;
        return st;
    }
    size_t n = (size_t)((1 + sqrt(1 + 8 * (double)a->distances)) / 2 + 0.5), as_far = 0;
    uint32_t *order = es_alloc(n, sizeof *order);
    if (!order)
        return es_no_memory_for(err, "%zu rows", n);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_PERMUTE, n));
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    double middle = ((double)a->distances + 1) / 2;
    double found = fabs(sum_of_products(a, b, order, n, middle));
    for (size_t k = 0; k < permutations; k += 2) { /* both ways, so that sides can change places */
        es_rng_shuffle(&rng, order, n);
        as_far += fabs(sum_of_products(a, b, order, n, middle)) >= found * (1 - 1e-9);
        as_far += fabs(sum_of_products(b, a, order, n, middle)) >= found * (1 - 1e-9);
    }
    *out = es_stat_of((1 + (double)as_far) / (1 + (double)(permutations + permutations % 2)));
    es_free(order);
    return ES_OK;
}

/* Lower bounds of information from one matrix of scores: each is a mean over the diagonal less a
 * normaliser of the rest, always by log-sum-exp. */

/* A running log of a sum of exponentials. */
typedef struct log_sum {
    double most, sum;
} log_sum;

static const log_sum empty = {-INFINITY, 0};

/* Adds exp(x) to a sum kept with its largest exponent, so that nothing overflows. */
static void add_exponential(log_sum *l, double x) {
    if (x <= l->most) {
        l->sum += exp(x - l->most);
        return;
    }
    l->sum = l->sum * exp(l->most - x) + 1;
    l->most = x;
}

static double value_of(const log_sum *l) {
    return l->most + log(l->sum);
}

static double softplus(double x) {
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double clip(double x) {
    return fmin(fmax(x, -ES_SMILE_CLIP), ES_SMILE_CLIP);
}

/* Row i, or column i, of s: every score is s[i * own + j * other]. */
static void add_line(const double *s, size_t n, size_t i, size_t own, size_t other, int way,
                     es_score_values *out) {
    log_sum all = empty, rest = empty;
    double pair = s[i * own + i * other], rows = (double)n;
    for (size_t j = 0; j < n; j++) {
        add_exponential(&all, s[i * own + j * other]);
        if (j != i)
            add_exponential(&rest, s[i * own + j * other]);
    }
    double margin = pair - value_of(&rest) + log(rows - 1);
    out->infonce[way] += (pair - value_of(&all)) / rows;
    out->margin[way] += margin / rows;
    out->match[way] += exp(-softplus(-margin)) / rows;
    out->surprise[way] += softplus(-margin) / rows;
}

void es_score_values_of(const double *s, size_t n, es_score_values *out) {
    es_score_values v = {0};
    log_sum rest = empty, clipped = empty;
    double rows = (double)n, others = rows * (rows - 1), pairs = 0;
    for (size_t i = 0; i < n; i++) {
        add_line(s, n, i, n, 1, 0, &v);
        add_line(s, n, i, 1, n, 1, &v);
        pairs += s[i * n + i] / rows;
        v.js -= softplus(-s[i * n + i]) / rows;
        for (size_t j = 0; j < n; j++) {
            if (j == i)
                continue;
            add_exponential(&rest, s[i * n + j]);
            add_exponential(&clipped, clip(s[i * n + j]));
            v.js -= softplus(s[i * n + j]) / others;
        }
    }
    double normaliser = value_of(&rest) - log(others);
    v.infonce[0] += log(rows);
    v.infonce[1] += log(rows);
    v.dv = pairs - normaliser;
    v.nwj = pairs - exp(normaliser - 1);
    v.smile = pairs - value_of(&clipped) + log(others);
    *out = v;
}

double es_infonce_loss_ref(const double *s, size_t n, double *gradient) {
    double rows = (double)n, loss = 0;
    for (size_t k = 0; gradient && k < n * n; k++)
        gradient[k] = 0;
    for (size_t i = 0; i < n; i++) {
        log_sum row = empty, column = empty;
        for (size_t j = 0; j < n; j++) {
            add_exponential(&row, s[i * n + j]);
            add_exponential(&column, s[j * n + i]);
        }
        loss += (value_of(&row) + value_of(&column) - 2 * s[i * n + i]) / (2 * rows);
        if (!gradient)
            continue;
        double by_row = value_of(&row), by_column = value_of(&column);
        for (size_t j = 0; j < n; j++) {
            gradient[i * n + j] += exp(s[i * n + j] - by_row) / (2 * rows);
            gradient[j * n + i] += exp(s[j * n + i] - by_column) / (2 * rows);
        }
        gradient[i * n + i] -= 1 / rows;
    }
    return loss;
}
