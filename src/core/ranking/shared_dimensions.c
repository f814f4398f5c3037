/* Widths by one joined matrix of leading components (core_ranking.h). Embedders of one kind
 * and family see the same columns of it, so that its Gram matrix is made once. */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

static const double RIDGE = 0.003; /* of the trace */

typedef struct joined {
    const es_width_problem *p;
    size_t columns, most; /* in use; of one embedder */
    uint32_t *owner;      // (columns) embedder
    float *train, *test;  // (n, columns)
    double *gram;         // (columns, columns) lower triangle, of the fitting rows / n_train
    size_t taken;         /* columns that predict the embedder at hand */
    uint32_t *take;       // (taken)
    double *part;         // (taken, taken) of the Gram matrix
    float *narrow[2];     // (n, taken) of both parts of the rows
} joined;

static void joined_free(joined *j) {
    es_free(j->owner);
    es_free(j->train);
    es_free(j->test);
    es_free(j->gram);
    es_free(j->take);
    es_free(j->part);
    es_free(j->narrow[0]);
    es_free(j->narrow[1]);
}

static es_status joined_new(const es_width_problem *p, joined *j, es_error *err) {
    size_t voters = 0, pool = p->pool > p->m ? p->pool : p->m;
    for (size_t i = 0; i < p->m; i++)
        voters += p->votes[i];
    *j = (joined){.p = p, .most = 1024 / (pool > 0 ? pool : 1)};
    j->most = j->most < 4 ? 4 : j->most > 64 ? 64 : j->most;
    size_t room = voters * j->most + 1;
    j->owner = es_alloc(room, 2 * sizeof *j->owner);
    j->train = es_alloc_zero(p->n_train + 1, room * sizeof *j->train);
    j->test = es_alloc_zero(p->n_test + 1, room * sizeof *j->test);
    if (!j->owner || !j->train || !j->test)
        return es_no_memory_for(err, "the shared dimensions of %zu embedders", p->m);
    return ES_OK;
}

static double total_variance(const es_width_side *side) {
    double sum = 0;
    for (size_t k = 0; k < side->components; k++)
        sum += side->variance[k];
    return sum;
}

/* Of the components, which may be in either order, the `count` largest: the first or the last. */
static size_t first_leading(const es_width_side *side, size_t count) {
    size_t n = side->components;
    return n > 1 && side->variance[0] < side->variance[n - 1] ? n - count : 0;
}

/* Rows of an embedder's leading components as columns of the joined matrix, `stride` wide. */
static void put_columns(const float *rows, size_t n, size_t d, size_t from, size_t count,
                        float scale, float *to, size_t stride) {
    for (size_t r = 0; r < n; r++)
        for (size_t k = 0; k < count; k++)
            to[r * stride + k] = rows[r * d + from + k] * scale;
}

/* Joins the leading directions of all voters into one matrix. */
static es_status join_voters(joined *j, es_run *run, es_error *err) {
    const es_width_problem *p = j->p;
    size_t voters = 0, stride = 0;
    for (size_t i = 0; i < p->m; i++)
        voters += p->votes[i];
    stride = voters * j->most;
    for (size_t i = 0; i < p->m; i++) {
        es_width_side side;
        if (!p->votes[i])
            continue;
        ES_PASS(p->side(p->context, i, run, &side, err));
        size_t count = side.components < j->most ? side.components : j->most;
        size_t from = first_leading(&side, count);
        float scale = (float)(1 / sqrt(total_variance(&side)));
        put_columns(side.train, p->n_train, side.components, from, count, scale,
                    j->train + j->columns, stride);
        put_columns(side.test, p->n_test, side.components, from, count, scale, j->test + j->columns,
                    stride);
        for (size_t k = 0; k < count; k++)
            j->owner[j->columns++] = (uint32_t)i;
    }
    for (size_t r = 1; r < p->n_train; r++) /* narrower embedders have left room */
        memmove(j->train + r * j->columns, j->train + r * stride, j->columns * sizeof *j->train);
    for (size_t r = 1; r < p->n_test; r++)
        memmove(j->test + r * j->columns, j->test + r * stride, j->columns * sizeof *j->test);
    return ES_OK;
}

/* In double, a band of rows at a time. */
static es_status make_gram(joined *j, es_run *run, es_error *err) {
    enum { BAND = 512 };
    size_t n = j->p->n_train, d = j->columns;
    double *band = es_alloc(BAND, (d + 1) * sizeof *band);
    j->gram = es_alloc_zero(d + 1, (d + 1) * sizeof *j->gram);
    j->take = es_alloc(d + 1, sizeof *j->take);
    j->part = es_alloc(d + 1, (d + 1) * sizeof *j->part);
    j->narrow[0] = es_alloc(n + 1, (d + 1) * sizeof *j->narrow[0]);
    j->narrow[1] = es_alloc(j->p->n_test + 1, (d + 1) * sizeof *j->narrow[1]);
    bool fits = band && j->gram && j->take && j->part && j->narrow[0] && j->narrow[1];
    es_status st = fits ? ES_OK : es_no_memory_for(err, "the shared dimensions of %zu columns", d);
    for (size_t at = 0; st == ES_OK && at < n; at += BAND) {
        size_t count = n - at < BAND ? n - at : BAND;
        for (size_t k = 0; k < count * d; k++)
            band[k] = (double)j->train[at * d + k];
        es_dsyrk_add(count, d, band, j->gram);
        st = es_run_check(run, err);
    }
    for (size_t k = 0; st == ES_OK && k < d * d; k++)
        j->gram[k] /= (double)n;
    es_free(band);
    return st;
}

/* ---- One group of embedders that the same columns predict ---- */

static bool is_other(const es_width_problem *p, size_t a, size_t b) {
    return p->kind[a] != p->kind[b] && (!p->family || p->family[a] != p->family[b]);
}

static bool is_alike(const es_width_problem *p, size_t a, size_t b) {
    return p->kind[a] == p->kind[b] && (!p->family || p->family[a] == p->family[b]);
}

static void keep_columns(const float *rows, size_t n, const joined *j, float *out) {
    for (size_t r = 0; r < n; r++)
        for (size_t k = 0; k < j->taken; k++)
            out[r * j->taken + k] = rows[r * j->columns + j->take[k]];
}

/* The columns that predict embedder `of`, and its likes. */
static void take_columns(joined *j, size_t of) {
    const es_width_problem *p = j->p;
    j->taken = 0;
    for (size_t k = 0; k < j->columns; k++)
        if (is_other(p, j->owner[k], of))
            j->take[j->taken++] = (uint32_t)k;
    keep_columns(j->train, p->n_train, j, j->narrow[0]);
    keep_columns(j->test, p->n_test, j, j->narrow[1]);
}

/* Lower triangle of the taken columns' Gram matrix with the penalty on its diagonal. */
static void penalised(joined *j) {
    double trace = 0;
    for (size_t k = 0; k < j->taken; k++)
        trace += j->gram[(size_t)j->take[k] * j->columns + j->take[k]];
    for (size_t a = 0; a < j->taken; a++)
        for (size_t b = 0; b <= a; b++)
            j->part[a * j->taken + b] = j->gram[(size_t)j->take[a] * j->columns + j->take[b]] +
                                        (a == b ? RIDGE * trace : 0);
}

typedef struct fit {
    float *cross;     // (taken, components)
    double *coef;     // (components, taken)
    float *turned;    // (taken, components)
    float *predicted; // (n_test, components)
} fit;

static void fit_free(fit *f) {
    es_free(f->cross);
    es_free(f->coef);
    es_free(f->predicted);
}

static es_status fit_new(const joined *j, size_t components, fit *f, es_error *err) {
    size_t cells = (j->taken + 1) * (components + 1);
    f->cross = es_alloc(cells, sizeof *f->cross);
    f->coef = es_alloc(cells, sizeof *f->coef);
    f->predicted = es_alloc(j->p->n_test + 1, (components + 1) * sizeof *f->predicted);
    f->turned = f->cross;
    return f->cross && f->coef && f->predicted
               ? ES_OK
               : es_no_memory_for(err, "%zu components", components);
}

/* Sum over components of 1 - squared error / square, at least 0; components are not whitened here,
 * which changes neither. */
static double explained(const float *test, const float *predicted, size_t n, size_t d) {
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        double error = 0, square = 0;
        for (size_t r = 0; r < n; r++) {
            double value = (double)test[r * d + k];
            double off = value - (double)predicted[r * d + k];
            error += off * off;
            square += value * value;
        }
        sum += square > 0 && error < square ? 1 - error / square : 0;
    }
    return sum;
}

static es_status shared_of(joined *j, size_t of, es_run *run, double *out, es_error *err) {
    const es_width_problem *p = j->p;
    es_width_side side;
    fit f = {0};
    es_status st = ES_OK;
    ES_PASS(p->side(p->context, of, run, &side, err));
    size_t d = side.components;
    if (j->taken == 0 || d == 0) {
        *out = (double)d;
        return ES_OK;
    }
    ES_TRY(fit_new(j, d, &f, err));
    es_sgemm(true, j->taken, d, p->n_train, 1 / (float)p->n_train, j->narrow[0], side.train,
             f.cross);
    for (size_t a = 0; a < j->taken; a++)
        for (size_t k = 0; k < d; k++)
            f.coef[k * j->taken + a] = (double)f.cross[a * d + k];
    penalised(j);
    ES_TRY(es_solve(j->taken, j->part, d, f.coef, err));
    for (size_t a = 0; a < j->taken; a++)
        for (size_t k = 0; k < d; k++)
            f.turned[a * d + k] = (float)f.coef[k * j->taken + a];
    es_sgemm(false, p->n_test, d, j->taken, 1, j->narrow[1], f.turned, f.predicted);
    *out = explained(side.test, f.predicted, p->n_test, d);
    st = es_run_check(run, err);
done:
    fit_free(&f);
    return st;
}

es_status es_width_shared(const es_width_problem *p, es_run *run, double *out, es_error *err) {
    joined j = {0};
    bool *done_with = es_alloc_zero(p->m + 1, sizeof *done_with);
    es_status st = done_with ? joined_new(p, &j, err) : es_no_memory(err);
    if (st == ES_OK)
        st = join_voters(&j, run, err);
    if (st == ES_OK)
        st = make_gram(&j, run, err);
    for (size_t a = 0; st == ES_OK && a < p->m; a++) {
        if (done_with[a])
            continue;
        take_columns(&j, a);
        for (size_t b = a; st == ES_OK && b < p->m; b++)
            if (!done_with[b] && is_alike(p, a, b)) {
                done_with[b] = true;
                st = shared_of(&j, b, run, &out[b], err);
            }
    }
    joined_free(&j);
    es_free(done_with);
    return st;
}
