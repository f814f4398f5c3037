/* CKA, Procrustes, canonical correlations, representational similarity and shared neighbours as
 * matrix products of two prepared sides. Equations are at the functions' declarations. */
#include "core_alike.h"

#include <math.h>

/* What singular values of thousands of directions may be wrong by, all together. */
static const double SUM_TOLERANCE = 1e-6;

const char ES_WHY_NO_SPREAD[] = "no spread beyond chance";

static es_status check_sides(const es_side *a, const es_side *b, unsigned part_a, unsigned part_b,
                             es_error *err) {
    if (a->n != b->n)
        return es_fail(err, ES_EINVAL, "embedders of %zu and %zu rows cannot be compared", a->n,
                       b->n);
    if ((a->rules.parts & part_a) != part_a || (b->rules.parts & part_b) != part_b)
        return es_fail(err, ES_EINVAL, "an embedder was not prepared for this measure");
    return ES_OK;
}

/* A^T B (a->x.d, b->x.d); NULL when out of memory. */
static double *cross(const es_side *a, const es_side *b) {
    double *c = es_alloc_aligned(a->x.d * b->x.d, sizeof *c);
    if (c)
        es_dgemm(true, false, a->x.d, b->x.d, a->n, a->x.x, b->x.x, c);
    return c;
}

/* |X^T S|^2 for the rows S of a side of which there are products: the sum of X times S S^T X, over
 * the first `count` columns of x (n, width). */
static es_status along_products(const es_side *s, const double *x, size_t width, size_t count,
                                double *out, es_error *err) {
    size_t n = s->n;
    double *all = es_alloc_aligned(n * n, sizeof *all);
    double *moved = es_alloc_aligned(n * width + 1, sizeof *moved), sum = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!all || !moved, es_no_memory_for(err, "products of %zu rows", n));
    es_side_products(s, all);
    es_dgemm(false, false, n, width, n, all, x, moved);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count; k++)
            sum += x[i * width + k] * moved[i * width + k];
    *out = sum;
done:
    es_free(all);
    es_free(moved);
    return st;
}

/* The sum of squares of A^T B, which is the sum of A A^T times B B^T, entry by entry: of columns,
 * of products of rows, or of one and the other. */
static es_status square_of_cross(const es_side *a, const es_side *b, double *out, es_error *err) {
    double *c = NULL, sum = 0;
    if (a->gram && b->gram) {
        for (size_t i = 0, at = 0; i < a->n; i++)
            for (size_t j = 0; j <= i; j++, at++)
                sum += (i == j ? 1 : 2) * a->gram[at] * b->gram[at];
    } else if (a->gram || b->gram) {
        const es_matrix *x = a->gram ? &b->x : &a->x;
        return along_products(a->gram ? a : b, x->x, x->d, x->d, out, err);
    } else {
        c = cross(a, b);
        if (!c)
            return es_no_memory_for(err, "%zu by %zu columns", a->d, b->d);
        for (size_t i = 0; i < a->x.d * b->x.d; i++)
            sum += c[i] * c[i];
    }
    es_free(c);
    *out = sum;
    return ES_OK;
}

static unsigned products(const es_side *s) {
    return s->gram ? ES_SIDE_GRAM : s->rules.parts & ES_SIDE_GRAM ? 0 : ES_SIDE_CENTRED;
}

es_status es_cka(const es_side *a, const es_side *b, bool debiased, es_stat *out, es_error *err) {
    ES_PASS(check_sides(a, b, products(a), products(b), err));
    if (!(a->length2 > 0 && b->length2 > 0)) {
        *out = es_stat_undefined(ES_WHY_CONSTANT);
        return ES_OK;
    }
    double n = (double)a->n, sum = 0, dots = 0;
    ES_PASS(square_of_cross(a, b, &sum, err));
    if (debiased) {
        for (size_t i = 0; i < a->n; i++)
            dots += a->norm2[i] * b->norm2[i];
        sum += a->length2 * b->length2 / ((n - 1) * (n - 2)) - n / (n - 2) * dots;
    }
    double self_a = a->self[debiased], self_b = b->self[debiased];
    *out = self_a > 0 && self_b > 0 ? es_stat_of(sum / sqrt(self_a) / sqrt(self_b))
                                    : es_stat_undefined(ES_WHY_NO_SPREAD);
    return ES_OK;
}

es_status es_cka_rbf(const es_side *a, const es_side *b, es_stat *out, es_error *err) {
    ES_PASS(check_sides(a, b, ES_SIDE_KERNEL, ES_SIDE_KERNEL, err));
    if (a->rules.seed != b->rules.seed)
        return es_fail(err, ES_EINVAL, "two embedders were prepared with different rows");
    double sum = 0;
    size_t diagonal = 0, step = 2;
    for (size_t i = 0; i < a->kernels; i++) {
        double v = a->kernel[i] * b->kernel[i];
        sum += i == diagonal ? v : 2 * v;
        if (i == diagonal)
            diagonal += step++;
    }
    /* what rounding leaves of a constant kernel is no spread */
    *out = a->kernel2 > 1e-20 && b->kernel2 > 1e-20
               ? es_stat_of(sum / sqrt(a->kernel2) / sqrt(b->kernel2))
               : es_stat_undefined(ES_WHY_CONSTANT);
    return ES_OK;
}

es_status es_procrustes(const es_side *a, const es_side *b, es_stat *out, es_error *err) {
    double *c = NULL, *s = NULL, nuclear = 0;
    size_t k = a->x.d < b->x.d ? a->x.d : b->x.d;
    es_status st = ES_OK;
    ES_TRY(check_sides(a, b, ES_SIDE_CENTRED, ES_SIDE_CENTRED, err));
    if (!(a->length2 > 0 && b->length2 > 0)) {
        *out = es_stat_undefined(ES_WHY_CONSTANT);
        goto done;
    }
    c = cross(a, b);
    s = es_alloc(k, sizeof *s);
    ES_FAIL_IF(!c || !s, es_no_memory_for(err, "%zu by %zu columns", a->d, b->d));
    ES_TRY(es_singular_values(a->x.d, b->x.d, c, SUM_TOLERANCE, s, err));
    for (size_t i = 0; i < k; i++)
        nuclear += s[i];
    *out = es_stat_of(2 - 2 * nuclear / sqrt(a->length2) / sqrt(b->length2));
done:
    es_free(c);
    es_free(s);
    return st;
}

/* So many directions of centred rows are all there are: whatever is set against them lies within.
 */
static bool is_everything(const es_side *s, size_t directions) {
    return directions + 1 >= s->n;
}

es_status es_linear_r2(const es_side *a, const es_side *b, es_stat *out, es_error *err) {
    es_status st = check_sides(a, b, ES_SIDE_FACTORS, products(b), err);
    if (st != ES_OK)
        return st;
    if (a->rank == 0 || !(b->length2 > 0)) {
        *out = es_stat_undefined(ES_WHY_CONSTANT);
        return ES_OK;
    }
    if (is_everything(a, a->rank)) {
        *out = es_stat_of(1);
        return ES_OK;
    }
    double *c = NULL, sum = 0;
    if (b->gram) {
        st = along_products(b, a->u, a->factors, a->rank, &sum, err);
    } else if (!(c = es_alloc_aligned(a->factors * b->x.d, sizeof *c))) {
        st = es_no_memory_for(err, "%zu by %zu columns", a->d, b->d);
    } else {
        es_dgemm(true, false, a->factors, b->x.d, a->n, a->u, b->x.x, c);
        for (size_t i = 0; i < a->rank * b->x.d; i++)
            sum += c[i] * c[i];
    }
    es_free(c);
    if (st != ES_OK)
        return st;
    *out = es_stat_of(sum / b->length2);
    return ES_OK;
}

/* Canonical correlations between the first p and q left singular vectors, from their products
 * (a->factors, b->factors): rho (min), and w (p, min) when asked: a's directions, as columns. */
static es_status correlations(const double *product, size_t width, size_t p, size_t q, double *rho,
                              double *w, es_error *err) {
    size_t k = p < q ? p : q;
    double *part = es_alloc_aligned(p * q, sizeof *part);
    double *vt = w ? es_alloc_aligned(k * q, sizeof *vt) : NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!part || (w && !vt), es_no_memory_for(err, "%zu by %zu directions", p, q));
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < q; j++)
            part[i * q + j] = product[i * width + j];
    ES_TRY(w ? es_svd(p, q, part, w, rho, vt, err)
             : es_singular_values(p, q, part, SUM_TOLERANCE, rho, err));
done:
    es_free(part);
    es_free(vt);
    return st;
}

/* Mean of canonical correlations, each at most 1, or of their squares. */
static double mean_correlation(const double *v, size_t n, bool squares) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double one = v[i] < 1 ? v[i] : 1;
        sum += squares ? one * one : one;
    }
    return sum / (double)n;
}

/* Each correlation weighs as much as its direction h matters for a: sum over columns |<h, column>|.
 */
static es_status weighted_mean(const es_side *a, const double *rho, const double *w, size_t k,
                               es_stat *out, es_error *err) {
    double *h = es_alloc(k * a->d, sizeof *h), sum = 0, weights = 0;
    if (!h)
        return es_no_memory_for(err, "%zu directions", k);
    es_dgemm(true, false, k, a->d, a->rank, w, a->loadings, h);
    for (size_t i = 0; i < k; i++) {
        double weight = 0;
        for (size_t j = 0; j < a->d; j++)
            weight += fabs(h[i * a->d + j]);
        sum += weight * (rho[i] < 1 ? rho[i] : 1);
        weights += weight;
    }
    *out = es_stat_of(sum / weights);
    es_free(h);
    return ES_OK;
}

/* All but SVCCA, of the directions of the whole rank. */
static es_status of_all(const es_side *a, const es_side *b, unsigned parts, const double *product,
                        es_cca *out, es_error *err) {
    size_t k = a->rank < b->rank ? a->rank : b->rank;
    bool weigh = parts & ES_CCA_PWCCA;
    double *rho = es_alloc(k, sizeof *rho), *w = weigh ? es_alloc(a->rank * k, sizeof *w) : NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!rho || (weigh && !w), es_no_memory_for(err, "%zu directions", k));
    ES_TRY(correlations(product, b->factors, a->rank, b->rank, rho, w, err));
    out->mean = es_stat_of(mean_correlation(rho, k, false));
    out->mean_square = es_stat_of(mean_correlation(rho, k, true));
    if (weigh)
        ES_TRY(weighted_mean(a, rho, w, k, &out->pwcca, err));
done:
    es_free(rho);
    es_free(w);
    return st;
}

/* Computes SVCCA: canonical correlations of the leading directions of both sides. */
static es_status svcca_of(const es_side *a, const es_side *b, const double *product, es_stat *svcca,
                          es_error *err) {
    size_t kept = a->kept < b->kept ? a->kept : b->kept;
    double *rho = es_alloc(kept, sizeof *rho);
    if (!rho)
        return es_no_memory_for(err, "%zu directions", kept);
    es_status st = correlations(product, b->factors, a->kept, b->kept, rho, NULL, err);
    if (st == ES_OK)
        *svcca = es_stat_of(mean_correlation(rho, kept, false));
    es_free(rho);
    return st;
}

/* Which part holds the directions that are asked for. */
static unsigned directions(const es_side *s, unsigned parts) {
    bool leading = parts == ES_CCA_SVCCA && s->rules.parts & ES_SIDE_LEADING;
    return leading ? ES_SIDE_LEADING : ES_SIDE_FACTORS;
}

/* U_a^T U_b (a->factors, b->factors). ES_EINVAL where a side has none, since it spans everything.
 */
static es_status product_of_factors(const es_side *a, const es_side *b, double **out,
                                    es_error *err) {
    if (!a->u || !b->u)
        return es_fail(err, ES_EINVAL, "an embedder was not prepared for this measure");
    *out = es_alloc_aligned(a->factors * b->factors, sizeof **out);
    if (!*out)
        return es_no_memory_for(err, "%zu by %zu columns", a->d, b->d);
    es_dgemm(true, false, a->factors, b->factors, a->n, a->u, b->u, *out);
    return ES_OK;
}

es_status es_cca_of(const es_side *a, const es_side *b, unsigned parts, es_cca *out,
                    es_error *err) {
    double *product = NULL;
    bool weigh = parts & ES_CCA_PWCCA, all = parts & (ES_CCA_MEAN | ES_CCA_PWCCA);
    es_stat none = es_stat_undefined(a->rank && b->rank ? "not asked for" : ES_WHY_CONSTANT);
    es_cca cca = {.mean = none,
                  .mean_square = none,
                  .svcca = none,
                  .pwcca = none,
                  .rank = {a->rank, b->rank},
                  .kept = {a->kept, b->kept},
                  .unreliable = a->n <= a->d + b->d};
    es_status st = ES_OK;
    ES_TRY(check_sides(a, b, directions(a, parts) | (weigh ? ES_SIDE_LOADINGS : 0),
                       directions(b, parts), err));
    if (a->rank == 0 || b->rank == 0)
        goto given;
    if (all && (is_everything(a, a->rank) || is_everything(b, b->rank))) {
        cca.mean = cca.mean_square = cca.pwcca = es_stat_of(1);
        all = false;
    }
    if (all || parts & ES_CCA_SVCCA)
        ES_TRY(product_of_factors(a, b, &product, err));
    if (all)
        ES_TRY(of_all(a, b, parts, product, &cca, err));
    if (parts & ES_CCA_SVCCA)
        ES_TRY(svcca_of(a, b, product, &cca.svcca, err));
given:
    *out = cca;
done:
    es_free(product);
    return st;
}

es_status es_rsa(const es_side *a, const es_side *b, es_stat *out, es_error *err) {
    ES_PASS(check_sides(a, b, ES_SIDE_DISTANCES, ES_SIDE_DISTANCES, err));
    if (a->rules.distance != b->rules.distance || a->rules.seed != b->rules.seed)
        return es_fail(err, ES_EINVAL, "two embedders were prepared with different distances");
    double middle = ((double)a->distances + 1) / 2, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < a->distances; i++) {
        double x = (double)a->distance_rank[i] - middle, y = (double)b->distance_rank[i] - middle;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    *out = aa > 0 && bb > 0 ? es_stat_of(ab / sqrt(aa) / sqrt(bb))
                            : es_stat_undefined(ES_WHY_CONSTANT);
    return ES_OK;
}

/* Counts the entries that two ascending lists of k share. */
static size_t count_shared(const uint32_t *a, const uint32_t *b, size_t k) {
    size_t i = 0, j = 0, both = 0;
    while (i < k && j < k) {
        both += a[i] == b[j];
        size_t step_a = a[i] <= b[j], step_b = b[j] <= a[i];
        i += step_a;
        j += step_b;
    }
    return both;
}

es_status es_neighbour_overlap(const es_side *a, const es_side *b, uint32_t *per_row,
                               es_overlap *out, es_error *err) {
    ES_PASS(check_sides(a, b, ES_SIDE_NEIGHBOURS, ES_SIDE_NEIGHBOURS, err));
    if (a->k != b->k || a->rules.metric != b->rules.metric)
        return es_fail(err, ES_EINVAL, "two embedders were prepared with different neighbours");
    double mutual = 0, jaccard = 0, k = (double)a->k, n = (double)a->n;
    for (size_t i = 0; i < a->n; i++) {
        size_t both = count_shared(a->neighbour + i * a->k, b->neighbour + i * a->k, a->k);
        mutual += (double)both / k;
        jaccard += (double)both / (2 * k - (double)both);
        if (per_row)
            per_row[i] = (uint32_t)both;
    }
    *out = (es_overlap){mutual / n, jaccard / n, k / (n - 1)};
    return ES_OK;
}
