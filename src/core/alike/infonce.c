/* Prepares rows for a critic, trains it with early stopping, and measures what it knows of rows it
 * has not seen. */
#include "core_alike.h"

#include <math.h>
#include <string.h>

enum { TRAINING_BATCH = 128, CHECK_EVERY = 10, PATIENCE = 60, CUT = 5 };

/* ---- a side ---- */

static es_status check_rules(const es_infonce_rules *r, size_t n, es_error *err) {
    if (n < ES_INFONCE_LEAST_ROWS)
        return es_fail(err, ES_EINVAL,
                       "%zu rows are too few to train and test a critic: at least %d", n,
                       ES_INFONCE_LEAST_ROWS);
    if (!(r->temperature > 0))
        return es_fail(err, ES_EINVAL, "a critic's temperature must be above 0, and is %g",
                       r->temperature);
    if (r->batch < 2 || r->width < 1 || !(r->rate > 0) || !(r->decay >= 0))
        return es_fail(err, ES_EINVAL,
                       "a critic needs batches of 2, a width of 1, and a rate above 0");
    return ES_OK;
}

/* The order in which rows are trained on, checked and measured. */
static es_status order_rows(const es_infonce_side *s, uint32_t **out, es_error *err) {
    uint32_t *order = es_alloc(s->n, sizeof *order);
    es_rng rng;
    if (!order)
        return es_no_memory_for(err, "%zu rows", s->n);
    for (size_t i = 0; i < s->n; i++)
        order[i] = (uint32_t)i;
    es_rng_init(&rng, s->rules.seed, es_rng_stream(ES_STREAM_SPLIT, s->n));
    es_rng_shuffle(&rng, order, s->n);
    *out = order;
    return ES_OK;
}

/* Column j to column `to` of x in units of its deviation among the training rows; false when it
 * does not vary there. */
static bool put_column(const es_infonce_side *s, const es_matrix *m, const uint32_t *order,
                       size_t j, size_t to, float *x) {
    double mean = 0, square = 0, rows = (double)s->train;
    for (size_t i = 0; i < s->train; i++)
        mean += m->x[order[i] * m->d + j] / rows;
    for (size_t i = 0; i < s->train; i++) {
        double e = m->x[order[i] * m->d + j] - mean;
        square += e * e / rows;
    }
    double sd = sqrt(square);
    if (!(sd > 1e-6 * fabs(mean)) || !(sd > 0))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        double z = (m->x[order[i] * m->d + j] - mean) / sd;
        x[i * m->d + to] = (float)fmin(fmax(z, -CUT), CUT);
    }
    return true;
}

/* Rows of `wide` values, of which the first s->d count, close up. */
static void close_up(es_infonce_side *s, size_t wide) {
    for (size_t i = 1; i < s->n && s->d < wide; i++)
        memmove(s->x + i * s->d, s->x + i * wide, s->d * sizeof *s->x);
}

/* Orders the rows into train, validation and test, and standardises them. */
static es_status fill_side(es_infonce_side *s, const es_matrix *m, const es_run *run,
                           es_error *err) {
    uint32_t *order = NULL;
    es_status st = order_rows(s, &order, err);
    if (st != ES_OK)
        return st;
    s->x = es_alloc_aligned(s->n * m->d, sizeof *s->x);
    ES_FAIL_IF(!s->x, es_no_memory_for(err, "%zu by %zu values", s->n, m->d));
    for (size_t j = 0; j < m->d; j++) {
        s->d += put_column(s, m, order, j, s->d, s->x);
        ES_TRY(es_run_check(run, err));
    }
    close_up(s, m->d);
done:
    es_free(order);
    return st;
}

/* Axes and their scales come from the training rows. */
static es_status whiten(es_infonce_side *s, es_error *err) {
    es_matrix all = {0}, train = {0}, along = {0};
    es_pca pca = {0};
    double *mean = es_alloc_zero(s->d, sizeof *mean);
    es_status st = ES_OK;
    ES_FAIL_IF(!mean, es_no_memory(err));
    ES_TRY(es_matrix_new(s->n, s->d, &all, err));
    for (size_t i = 0; i < s->n * s->d; i++)
        all.x[i] = (double)s->x[i];
    train = (es_matrix){s->train, s->d, all.x};
    for (size_t i = 0; i < s->train * s->d; i++)
        mean[i % s->d] += all.x[i] / (double)s->train;
    for (size_t i = 0; i < s->n * s->d; i++)
        all.x[i] -= mean[i % s->d];
    size_t most = s->train / 10 < ES_INFONCE_PCA ? s->train / 10 : ES_INFONCE_PCA;
    ES_TRY(es_pca_new(&train, most, &pca, err));
    s->axes = pca.axes;
    ES_TRY(es_pca_project(&pca, &all, s->axes, &along, err));
    s->white = es_alloc_aligned(s->n * s->axes, sizeof *s->white);
    ES_FAIL_IF(!s->white, es_no_memory_for(err, "%zu rows", s->n));
    for (size_t i = 0; i < s->n * s->axes; i++)
        s->white[i] = (float)(along.x[i] / sqrt(pca.var[i % s->axes]));
done:
    es_free(mean);
    es_matrix_free(&all);
    es_matrix_free(&along);
    es_pca_free(&pca);
    return st;
}

es_status es_infonce_side_new(const es_matrix *m, const es_infonce_rules *rules, const es_run *run,
                              es_infonce_side **out, es_error *err) {
    es_status st = check_rules(rules, m->n, err);
    if (st != ES_OK)
        return st;
    es_infonce_side *s = es_alloc_zero(1, sizeof *s);
    if (!s)
        return es_no_memory(err);
    s->rules = *rules;
    s->n = m->n;
    s->train = m->n * 60 / 100;
    s->validate = m->n * 15 / 100;
    s->test = m->n - s->train - s->validate;
    ES_TRY(fill_side(s, m, run, err));
    if (rules->directed && s->d > 0)
        ES_TRY(whiten(s, err));
    *out = s;
    s = NULL;
done:
    es_infonce_side_free(s);
    return st;
}

void es_infonce_side_free(es_infonce_side *side) {
    if (!side)
        return;
    es_free(side->x);
    es_free(side->white);
    es_free(side);
}

size_t es_infonce_side_bytes(const es_infonce_side *side) {
    return sizeof *side + side->n * (side->d + side->axes) * sizeof(float);
}

/* ---- training ---- */

typedef struct training {
    const es_infonce_rules *rules;
    const es_infonce_side *side;
    es_critic *critic;
    const float *x[2];     /* rows in the order of the sides */
    float *rows[2];        /* (batch, d) of a training batch */
    float *best;           /* (parameters) */
    uint32_t *order;       /* (train) */
    size_t batch, next;    /* of training; where the next one starts */
    es_infonce_row *found; /* (batches * batch) of those measured; NULL: nobody asks */
    es_rng rng;
} training;

/* Takes the next batch of training rows; after the last one they are shuffled. */
static void next_batch(training *t) {
    if (t->next + t->batch > t->side->train) {
        es_rng_shuffle(&t->rng, t->order, t->side->train);
        t->next = 0;
    }
    for (size_t k = 0; k < 2; k++) {
        size_t d = t->critic->shape.d[k];
        for (size_t i = 0; i < t->batch; i++)
            memcpy(t->rows[k] + i * d, t->x[k] + t->order[t->next + i] * d, d * sizeof(float));
    }
    t->next += t->batch;
}

/* Rows from..from+count of both sides. */
static const float *rows_at(const training *t, size_t k, size_t from) {
    return t->x[k] + from * t->critic->shape.d[k];
}

static size_t block_size(size_t rows, size_t batch) {
    return rows < batch ? rows : batch;
}

/* The mean loss over the validation rows in blocks. */
static double validation_loss(const training *t) {
    size_t rows = t->side->validate, block = block_size(rows, t->rules->batch),
           count = rows / block;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t from = t->side->train + i * block;
        sum += es_critic_loss(t->critic, rows_at(t, 0, from), rows_at(t, 1, from), block);
    }
    return sum / (double)count;
}

/* Stops when nothing has become better for a while, and at a loss that is no number; what was best
 * is kept. */
static es_status train(training *t, const es_run *run, es_infonce *out, es_error *err) {
    size_t size = t->critic->n_params * sizeof *t->best;
    double least = validation_loss(t);
    memcpy(t->best, t->critic->param, size);
    for (unsigned step = 1; step <= t->rules->steps && step <= out->step + PATIENCE; step++) {
        ES_PASS(es_run_check(run, err));
        next_batch(t);
        double loss = es_critic_gradient(t->critic, t->rows[0], t->rows[1], t->batch);
        if (isfinite(loss))
            es_critic_step(t->critic, t->rules->rate, t->rules->decay);
        if (isfinite(loss) && step % CHECK_EVERY == 0) {
            loss = validation_loss(t);
            if (loss < least) {
                least = loss;
                out->step = step;
                memcpy(t->best, t->critic->param, size);
            }
        }
        if (!isfinite(loss)) {
            out->broke = step;
            break;
        }
    }
    memcpy(t->critic->param, t->best, size);
    return ES_OK;
}

/* ---- measuring ---- */

/* Adds the measured values of a batch to the means. */
static void add_batch_values(const es_score_values *v, es_infonce *out) {
    double share = 1 / (double)out->batches;
    out->match += share * (v->match[0] + v->match[1]) / 2;
    out->margin += share * (v->margin[0] + v->margin[1]) / 2;
    out->dv += share * v->dv;
    out->nwj += share * v->nwj;
    out->smile += share * v->smile;
    out->js += share * v->js;
}

/* A pair's score against the others of its row, or of its column: s (n, n). */
static double margin(const double *s, size_t n, size_t i, bool column, size_t *best) {
    size_t step = column ? n : 1;
    const double *at = s + (column ? i : i * n);
    double most = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        if (j != i && at[j * step] > most) {
            most = at[j * step];
            *best = j;
        }
    for (size_t j = 0; j < n; j++)
        sum += j != i ? exp(at[j * step] - most) : 0;
    return s[i * n + i] - most - log(sum / (double)(n - 1));
}

/* Both ways; the rival is the closer one of the two. out (n): rows are places in the order. */
static void find_rows(const double *s, size_t n, size_t from, es_infonce_row *out) {
    for (size_t i = 0; i < n; i++) {
        size_t best[2] = {i, i};
        double by_row = margin(s, n, i, false, &best[0]),
               by_column = margin(s, n, i, true, &best[1]);
        bool row = s[i * n + best[0]] >= s[best[1] * n + i];
        out[i] = (es_infonce_row){.row = (uint32_t)(from + i),
                                  .rival = (uint32_t)(from + best[row ? 0 : 1]),
                                  .pmi = (by_row + by_column) / 2};
    }
}

/* Measures the trained critic on batches of test rows. */
static es_status measure_batches(const training *t, es_infonce *out, es_error *err) {
    size_t n = out->batch, from = t->side->train + t->side->validate;
    double *s = es_alloc(n * n, sizeof *s), mean = 0, square = 0;
    if (!s)
        return es_no_memory_for(err, "%zu scores", n * n);
    for (size_t b = 0; b < out->batches; b++, from += n) {
        es_score_values v;
        const float *scores =
            es_critic_scores(t->critic, rows_at(t, 0, from), rows_at(t, 1, from), n);
        for (size_t i = 0; i < n * n; i++)
            s[i] = (double)scores[i];
        es_score_values_of(s, n, &v);
        add_batch_values(&v, out);
        if (t->found)
            find_rows(s, n, from, t->found + b * n);
        double value = (v.infonce[0] + v.infonce[1]) / 2, off = value - mean;
        mean += off / (double)(b + 1);
        square += off * (value - mean);
    }
    double count = (double)out->batches;
    out->raw = mean;
    out->value = es_stat_of(fmax(0, mean));
    out->se = count > 1 ? sqrt(square / (count - 1) / count) : (double)NAN;
    out->saturated = mean > 0.9 * log((double)n);
    out->temperature = t->rules->kind == ES_CRITIC_BILINEAR
                           ? (double)NAN
                           : exp(-(double)t->critic->param[t->critic->n_params - 1]);
    es_free(s);
    return ES_OK;
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

static es_status train_and_measure(const es_infonce_side *a, const es_infonce_side *b,
                                   const es_run *run, es_infonce *out, es_infonce_row *found,
                                   es_error *err) {
    const es_infonce_rules *rules = &a->rules;
    bool fixed = rules->directed;
    size_t wide[2] = {a->d, fixed ? b->axes : b->d};
    size_t h = least_of(rules->width, least_of(least_of(a->d, b->d), a->n / 4));
    es_critic_shape shape = {.kind = rules->kind,
                             .d = {wide[0], wide[1]},
                             .h = fixed ? b->axes : h,
                             .hidden = rules->kind == ES_CRITIC_MLP ? rules->hidden : 0,
                             .fixed = fixed};
    training t = {.rules = rules, .side = a, .x = {a->x, fixed ? b->white : b->x}, .found = found};
    size_t most = 0;
    es_status st = ES_OK;
    t.batch = t.next = least_of(TRAINING_BATCH, a->train);
    most = t.batch > out->batch ? t.batch : out->batch;
    ES_TRY(es_critic_new(&shape, most, es_simd_get(es_isa_level()), &t.critic, err));
    t.best = es_alloc(t.critic->n_params, sizeof *t.best);
    t.order = es_alloc(a->train, sizeof *t.order);
    for (size_t k = 0; k < 2; k++)
        t.rows[k] = es_alloc_aligned(t.batch * wide[k], sizeof(float));
    ES_FAIL_IF(!t.best || !t.order || !t.rows[0] || !t.rows[1], es_no_memory_for(err, "a critic"));
    for (size_t i = 0; i < a->train; i++)
        t.order[i] = (uint32_t)i;
    t.next = a->train;
    es_rng_init(&t.rng, rules->seed, es_rng_stream(ES_STREAM_SHUFFLE, a->n));
    es_critic_random(t.critic, rules->seed, rules->temperature);
    es_critic_face(t.critic, t.x[0], t.x[1], t.batch); /* rows that it is trained on */
    ES_TRY(train(&t, run, out, err));
    ES_TRY(measure_batches(&t, out, err));
done:
    es_critic_free(t.critic);
    es_free(t.best);
    es_free(t.order);
    es_free(t.rows[0]);
    es_free(t.rows[1]);
    return st;
}

/* An order of sides that does not depend on which was named first, so that both ways give the same
 * to the last bit. */
static bool comes_first(const es_infonce_side *a, const es_infonce_side *b) {
    if (a->d != b->d)
        return a->d < b->d;
    return memcmp(a->x, b->x, a->n * a->d * sizeof *a->x) <= 0;
}

static bool same_rules(const es_infonce_rules *a, const es_infonce_rules *b) {
    return a->kind == b->kind && a->directed == b->directed && a->batch == b->batch &&
           a->seed == b->seed;
}

static es_status measure_pair(const es_infonce_side *a, const es_infonce_side *b, const es_run *run,
                              es_infonce *out, es_infonce_row **rows, es_error *err) {
    es_infonce v = {.value = es_stat_undefined(ES_WHY_CONSTANT)};
    es_infonce_row *found = NULL;
    es_status st = ES_OK;
    if (a->n != b->n || !same_rules(&a->rules, &b->rules))
        return es_fail(err, ES_EINVAL, "two embedders were prepared with different rows or rules");
    v.batch = least_of(a->rules.batch, a->n / 4);
    if (v.batch == 0)
        return es_fail(err, ES_EINVAL, "%zu rows are too few for a batch", a->n);
    v.batches = a->test / v.batch;
    bool defined = a->d > 0 && b->d > 0, turned = !a->rules.directed && !comes_first(a, b);
    if (rows && defined && !(found = es_alloc(v.batches * v.batch, sizeof *found)))
        return es_no_memory_for(err, "%zu rows", v.batches * v.batch);
    if (defined)
        st = train_and_measure(turned ? b : a, turned ? a : b, run, &v, found, err);
    if (st != ES_OK) {
        es_free(found);
        return st;
    }
    *out = v;
    if (rows)
        *rows = found;
    return ES_OK;
}

es_status es_infonce_of(const es_infonce_side *a, const es_infonce_side *b, const es_run *run,
                        es_infonce *out, es_error *err) {
    return measure_pair(a, b, run, out, NULL, err);
}

es_status es_infonce_rows(const es_infonce_side *a, const es_infonce_side *b, const es_run *run,
                          es_infonce *out, es_infonce_row **rows, es_error *err) {
    uint32_t *order = NULL;
    es_status st = order_rows(a, &order, err);
    if (st == ES_OK)
        st = measure_pair(a, b, run, out, rows, err);
    for (size_t i = 0; st == ES_OK && *rows && i < out->batches * out->batch; i++) {
        (*rows)[i].row = order[(*rows)[i].row];
        (*rows)[i].rival = order[(*rows)[i].rival];
    }
    es_free(order);
    return st;
}
