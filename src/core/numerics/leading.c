/* Leading eigenvectors from a block Krylov space that is restarted at its best vectors until their
 * residuals vanish: matrix products alone, where a full decomposition would be bound by memory. */
#include "core_numerics.h"

#include <math.h>
#include <string.h>

enum { MORE = 8, DEPTH = 6, RESTARTS = 40, PATIENCE = 5 };

static const double TOLERANCE = 1e-12, VANISHED = 1e-8;

typedef struct krylov {
    size_t n, block, most; /* vectors of a block, and of the whole space */
    double *basis, *image; /* (most, n) orthonormal rows, and A times them */
    double *part;          /* (block, most) */
    double *small;         /* (most, most) */
    double *value;         /* (most) */
    size_t count;
} krylov;

static void krylov_free(krylov *s) {
    es_free(s->basis);
    es_free(s->image);
    es_free(s->part);
    es_free(s->small);
    es_free(s->value);
}

static es_status krylov_new(size_t n, size_t block, krylov *s, es_error *err) {
    *s = (krylov){.n = n, .block = block, .most = block * DEPTH};
    s->basis = es_alloc_aligned(s->most * n, sizeof *s->basis);
    s->image = es_alloc_aligned(s->most * n, sizeof *s->image);
    s->part = es_alloc_aligned(block * s->most, sizeof *s->part);
    s->small = es_alloc_aligned(s->most * s->most, sizeof *s->small);
    s->value = es_alloc(s->most, sizeof *s->value);
    return s->basis && s->image && s->part && s->small && s->value
               ? ES_OK
               : es_no_memory_for(err, "%zu vectors of %zu rows", s->most, n);
}

static double dot(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Takes from the rows at `w` (count, n) what lies along the basis. */
static void project_out(krylov *s, double *w, size_t count) {
    if (s->count == 0)
        return;
    es_dgemm(false, true, count, s->count, s->n, w, s->basis, s->part);
    for (size_t i = 0; i < count * s->count; i++)
        s->part[i] = -s->part[i];
    es_dgemm_add(count, s->n, s->count, s->part, s->basis, w);
}

/* Adds the block at basis + count (block, n) to the basis, orthonormal; rows that hold nothing new
 * are dropped. Twice is enough (Giraud et al. 2005). */
static void add_block(krylov *s) {
    double *w = s->basis + s->count * s->n;
    size_t kept = 0;
    for (int twice = 0; twice < 2; twice++)
        project_out(s, w, s->block);
    for (size_t i = 0; i < s->block; i++) {
        double *row = w + kept * s->n, before = 0, after = 0;
        if (kept < i)
            memcpy(row, w + i * s->n, s->n * sizeof *row);
        before = sqrt(dot(row, row, s->n));
        for (int twice = 0; twice < 2; twice++)
            for (size_t j = 0; j < kept; j++) {
                double along = dot(w + j * s->n, row, s->n);
                for (size_t t = 0; t < s->n; t++)
                    row[t] -= along * w[j * s->n + t];
            }
        after = sqrt(dot(row, row, s->n));
        if (!(after > VANISHED * before) || !(after > 0))
            continue;
        for (size_t t = 0; t < s->n; t++)
            row[t] /= after;
        kept++;
    }
    s->count += kept;
}

/* The space from the block at the start of the basis. */
static es_status fill(krylov *s, const double *a, const es_run *run, es_error *err) {
    size_t done = 0; /* of basis have an image */
    s->count = 0;
    add_block(s);
    while (done < s->count) {
        ES_PASS(es_run_check(run, err));
        size_t fresh = s->count - done;
        es_dgemm(false, false, fresh, s->n, s->n, s->basis + done * s->n, a,
                 s->image + done * s->n);
        done = s->count;
        if (s->count + s->block > s->most || fresh < s->block)
            break;
        memcpy(s->basis + s->count * s->n, s->image + (done - fresh) * s->n,
               fresh * s->n * sizeof *s->basis);
        add_block(s);
    }
    return ES_OK;
}

/* The best of the space: basis begins with them, value is theirs; *worst residual of the first k
 * over the largest value. */
static es_status best(krylov *s, size_t k, double *worst, es_error *err) {
    size_t q = s->count, n = s->n, b = s->block < q ? s->block : q;
    double *fresh = es_alloc_aligned(2 * b * n, sizeof *fresh),
           *image = fresh ? fresh + b * n : NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!fresh, es_no_memory_for(err, "%zu vectors of %zu rows", b, n));
    es_dgemm(false, true, q, q, n, s->basis, s->image, s->small);
    ES_TRY(es_eigen(q, s->small, s->value, err));
    for (size_t i = 0; i < b; i++) /* ascending: the last are the largest */
        memcpy(s->part + i * q, s->small + (q - 1 - i) * q, q * sizeof *s->part);
    es_dgemm(false, false, b, n, q, s->part, s->basis, fresh);
    es_dgemm(false, false, b, n, q, s->part, s->image, image);
    double largest = s->value[q - 1];
    *worst = 0;
    for (size_t i = 0; i < k && i < b; i++) {
        double square = 0, value = s->value[q - 1 - i];
        for (size_t t = 0; t < n; t++) {
            double off = image[i * n + t] - value * fresh[i * n + t];
            square += off * off;
        }
        *worst = fmax(*worst, largest > 0 ? sqrt(square) / largest : 0);
    }
    memcpy(s->basis, fresh, b * n * sizeof *fresh);
done:
    es_free(fresh);
    return st;
}

/* Of values that lie close together, as those of noise do, residuals fall so slowly that all of
 * them are sooner had: at the rate of the last few restarts these would not do. */
static bool is_hopeless(const double *residual, int restart) {
    if (restart < PATIENCE)
        return false;
    double last = log(residual[restart - 1]), before = log(residual[restart - 3]);
    return last + (RESTARTS - restart) * (last - before) / 2 > log(TOLERANCE);
}

static es_status whole(size_t n, const double *a, size_t k, double *vector, double *value,
                       es_error *err) {
    double *copy = es_alloc_aligned(n * n, sizeof *copy), *all = es_alloc(n, sizeof *all);
    es_status st = ES_OK;
    ES_FAIL_IF(!copy || !all, es_no_memory_for(err, "%zu rows squared", n));
    memcpy(copy, a, n * n * sizeof *copy);
    ES_TRY(es_eigen(n, copy, all, err));
    for (size_t i = 0; i < k; i++) {
        value[i] = all[n - 1 - i];
        memcpy(vector + i * n, copy + (n - 1 - i) * n, n * sizeof *vector);
    }
done:
    es_free(copy);
    es_free(all);
    return st;
}

es_status es_eigen_leading(size_t n, const double *a, size_t k, uint64_t seed, const es_run *run,
                           double *vector, double *value, es_error *err) {
    krylov s = {0};
    double residual[RESTARTS];
    es_status st = ES_OK;
    es_rng rng;
    if (n < 2 * DEPTH * (k + MORE))
        return whole(n, a, k, vector, value, err);
    ES_TRY(krylov_new(n, k + MORE, &s, err));
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_INIT, n));
    for (size_t i = 0; i < s.block * n; i++)
        s.basis[i] = es_rng_normal(&rng);
    for (int restart = 0; restart < RESTARTS; restart++) {
        double worst = 0;
        if (is_hopeless(residual, restart))
            break;
        ES_TRY(fill(&s, a, run, err));
        if (s.count < s.block)
            break; /* of low rank: what is left is not worth a method */
        ES_TRY(best(&s, k, &worst, err));
        residual[restart] = worst;
        if (worst > TOLERANCE)
            continue;
        for (size_t i = 0; i < k; i++)
            value[i] = s.value[s.count - 1 - i];
        memcpy(vector, s.basis, k * n * sizeof *vector);
        goto done;
    }
    st = whole(n, a, k, vector, value, err);
done:
    krylov_free(&s);
    return st;
}
