/* Two or three embedders side by side: how much of each other they can simulate, a verdict in
 * words, and the targets on which they differ most. */
#include "embedscope/compare.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "core_ranking.h"
#include "core_structure.h"

static const double level = 0.95, half_covered = 0.5, margin = 0.05;

const char *es_verdict_text(es_verdict verdict) {
    switch (verdict) {
    case ES_VERDICT_A_CONTAINS_B:
    case ES_VERDICT_B_CONTAINS_A:
        return "contains";
    case ES_VERDICT_EQUIVALENT:
        return "equivalent";
    case ES_VERDICT_NEITHER:
        return "neither contains the other";
    case ES_VERDICT_NOT_SEPARABLE:
        return "not settled";
    default:
        return "not known";
    }
}

void es_comparison_free(es_comparison *comparison) {
    if (!comparison)
        return;
    es_free(comparison->targets);
    es_free(comparison->left_out);
    es_free(comparison);
}

/* The matrices and sizes that all steps read. */
typedef struct input {
    const double *is, *se;
    float *const *pmi;
    size_t n_eval, m;
} input;

static const float *rows_of(const input *in, size_t i, size_t j) {
    return in->pmi && in->n_eval >= 2 ? in->pmi[i * in->m + j] : NULL;
}

/* Of the mean of x / by_x - y / by_y over the rows, which both share. */
static double paired_error(const float *x, double by_x, const float *y, double by_y, size_t rows) {
    double n = (double)rows, mean = 0, squares = 0;
    for (size_t r = 0; r < rows; r++)
        mean += (double)x[r] / by_x - (double)y[r] / by_y;
    mean /= n;
    for (size_t r = 0; r < rows; r++) {
        double d = (double)x[r] / by_x - (double)y[r] / by_y - mean;
        squares += d * d;
    }
    return ES_FITTING_NOISE * sqrt(squares / (n * (n - 1)));
}

static double mean_error(const float *x, size_t rows) {
    double n = (double)rows, mean = 0, squares = 0;
    for (size_t r = 0; r < rows; r++)
        mean += (double)x[r] / n;
    for (size_t r = 0; r < rows; r++)
        squares += ((double)x[r] - mean) * ((double)x[r] - mean);
    return sqrt(squares / (n * (n - 1)));
}

static double given_error(const input *in, size_t i, size_t j) {
    return in->se ? in->se[i * in->m + j] : (double)NAN;
}

/* A matrix of a file has no errors, but may have blocks of rows. */
static double standard_error(const input *in, size_t i, size_t j) {
    double se = given_error(in, i, j);
    const float *rows = isfinite(se) ? NULL : rows_of(in, i, j);
    return rows ? mean_error(rows, in->n_eval) : se;
}

/* Standard errors to either side of an interval, as a ranking has them where they are of blocks. */
static double quantile(const input *in, const es_comparison *c, double p) {
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = 0; b < c->count; b++)
            if (a != b && isfinite(c->se[a][b]) &&
                !isfinite(given_error(in, c->model[a], c->model[b])))
                return es_student_quantile(p, in->n_eval - 1);
    return es_normal_quantile(p);
}

/* Of the share that a has of b; 0 where it is not known. */
static double cover_error(const es_comparison *c, size_t a, size_t b) {
    double error = ES_FITTING_NOISE * c->se[a][b] / c->is[b][b];
    return isfinite(error) ? error : 0;
}

int es_compared_half(const es_comparison *c, size_t a, size_t b) {
    double width = c->z * cover_error(c, a, b), cover = c->cover[a][b];
    return cover - width >= half_covered ? 1 : cover + width < half_covered ? -1 : 0;
}

static bool is_near(const es_comparison *c, double gap, double gap_error) {
    return fabs(gap) + c->z * gap_error < margin;
}

bool es_compared_near(const es_comparison *c, size_t pair) {
    return is_near(c, c->pair[pair].gap, c->pair[pair].gap_error);
}

/* Returns the verdict on a and b from both halves of the gap and its error. */
static es_verdict verdict_of(const es_comparison *c, size_t a, size_t b, double gap,
                             double gap_error) {
    int ab = es_compared_half(c, a, b), ba = es_compared_half(c, b, a);
    double error = c->z * gap_error;
    if (fabs(gap) >= margin && fabs(gap) > error && (gap > 0 ? ba : ab) > 0)
        return gap > 0 ? ES_VERDICT_B_CONTAINS_A : ES_VERDICT_A_CONTAINS_B;
    if (ab > 0 && ba > 0 && is_near(c, gap, gap_error))
        return ES_VERDICT_EQUIVALENT;
    return ab < 0 && ba < 0 ? ES_VERDICT_NEITHER : ES_VERDICT_NOT_SEPARABLE;
}

/* Of c(b->a) - c(a->b). */
static double gap_error(const input *in, const es_comparison *c, size_t a, size_t b) {
    const float *ba = rows_of(in, c->model[b], c->model[a]);
    const float *ab = rows_of(in, c->model[a], c->model[b]);
    double paired = (double)NAN;
    if (ba && ab)
        paired = paired_error(ba, c->is[a][a], ab, c->is[b][b], in->n_eval);
    return isfinite(paired) ? paired : hypot(cover_error(c, a, b), cover_error(c, b, a));
}

static bool lacks_error(const es_comparison *c, size_t a, size_t b) {
    return isfinite(c->is[a][b]) && !isfinite(c->se[a][b]);
}

static es_compared_pair compare_pair(const input *in, const es_comparison *c, size_t a, size_t b) {
    es_compared_pair p = {a, b, ES_VERDICT_UNKNOWN, NAN, NAN, false};
    double ab = c->cover[a][b], ba = c->cover[b][a];
    p.without_errors = lacks_error(c, a, b) || lacks_error(c, b, a);
    if (isnan(ab) || isnan(ba))
        return p;
    p.gap = ba - ab;
    p.gap_error = gap_error(in, c, a, b);
    p.verdict = verdict_of(c, a, b, p.gap, p.gap_error);
    return p;
}

void es_comparison_without_shares(es_comparison *c) {
    c->without_shares = true;
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = 0; b < c->count; b++)
            c->cover[a][b] = a == b ? 1 : (double)NAN;
    for (size_t p = 0; p < c->pairs; p++)
        c->pair[p] = (es_compared_pair){.a = c->pair[p].a,
                                        .b = c->pair[p].b,
                                        .verdict = ES_VERDICT_UNKNOWN,
                                        .gap = NAN,
                                        .gap_error = NAN,
                                        .without_errors = c->pair[p].without_errors};
}

es_status es_comparison_leave_out(es_comparison *c, const bool *out, size_t m, es_error *err) {
    size_t kept = 0;
    es_free(c->left_out);
    c->left_out = es_alloc(m, sizeof *c->left_out);
    if (!c->left_out)
        return es_no_memory_for(err, "%zu targets", m);
    memcpy(c->left_out, out, m * sizeof *out);
    for (size_t k = 0; k < c->count; k++)
        c->left_out[c->model[k]] = false;
    for (size_t t = 0; t < c->n_targets; t++)
        if (!c->left_out[c->targets[t].target])
            c->targets[kept++] = c->targets[t];
    c->n_targets = kept;
    return ES_OK;
}

/* Standard error of IS(a->t) - IS(b->t). */
static double difference_error(const input *in, size_t a, size_t b, size_t t) {
    const float *x = rows_of(in, a, t), *y = rows_of(in, b, t);
    if (x && y)
        return paired_error(x, 1, y, 1, in->n_eval);
    return ES_FITTING_NOISE * hypot(standard_error(in, a, t), standard_error(in, b, t));
}

/* False when one of the compared is not known to simulate t. */
static bool compare_target(const input *in, const es_comparison *c, size_t t,
                           es_compared_target *out) {
    *out = (es_compared_target){.target = t};
    size_t low = 0, high = 0, asked = c->count * (c->count - 1) / 2;
    double z = quantile(in, c, 1 - (1 - level) / 2 / (double)asked);
    for (size_t k = 0; k < ES_COMPARE_MOST; k++)
        out->value[k] = NAN;
    for (size_t k = 0; k < c->count; k++) {
        out->value[k] = in->is[c->model[k] * in->m + t];
        if (!isfinite(out->value[k]))
            return false;
        low = out->value[k] < out->value[low] ? k : low;
        high = out->value[k] > out->value[high] ? k : high;
    }
    if (c->count == 2) {
        high = 0;
        low = 1;
    } else if (low == high) {
        low = 1;
    }
    out->difference = out->value[high] - out->value[low];
    out->error = difference_error(in, c->model[high], c->model[low], t);
    out->clear =
        fabs(out->difference) > z * fmax(out->error, ES_LEAD_ROUNDING) && isfinite(out->error);
    return true;
}

static es_status compare_targets(const input *in, es_comparison *c, es_error *err) {
    es_status st = ES_OK;
    size_t m = in->m;
    es_compared_target *all = es_alloc(m, sizeof *all);
    double *key = es_alloc(m, sizeof *key);
    uint32_t *index = es_alloc(m, 2 * sizeof *index);
    c->targets = es_alloc(m, sizeof *c->targets);
    ES_FAIL_IF(!all || !key || !index || !c->targets, es_no_memory_for(err, "%zu targets", m));
    for (size_t t = 0; t < m; t++)
        if (compare_target(in, c, t, all + c->n_targets)) {
            key[c->n_targets] = -fabs(all[c->n_targets].difference);
            c->n_targets++;
        }
    es_sort_order(key, index, index + m, c->n_targets);
    for (size_t k = 0; k < c->n_targets; k++)
        c->targets[k] = all[index[k]];
done:
    es_free(all);
    es_free(key);
    es_free(index);
    return st;
}

static es_status check_models(size_t m, const size_t *models, size_t count, es_error *err) {
    if (count < 2 || count > ES_COMPARE_MOST)
        return es_fail(err, ES_EINVAL, "%zu embedders to compare: name two or three", count);
    for (size_t a = 0; a < count; a++) {
        if (models[a] >= m)
            return es_fail(err, ES_EINVAL, "embedder %zu of %zu does not exist", models[a], m);
        for (size_t b = 0; b < a; b++)
            if (models[a] == models[b])
                return es_fail(err, ES_EINVAL, "an embedder cannot be compared with itself");
    }
    return ES_OK;
}

es_status es_comparison_new(const double *is, const double *se, float *const *pmi, size_t n_eval,
                            size_t m, const size_t *models, size_t count, es_comparison **out,
                            es_error *err) {
    es_status st = check_models(m, models, count, err);
    if (st != ES_OK)
        return st;
    input in = {is, se, pmi, n_eval, m};
    es_comparison *c = es_alloc_zero(1, sizeof *c);
    if (!c)
        return es_no_memory_for(err, "%zu embedders", count);
    c->count = count;
    memcpy(c->model, models, count * sizeof *models);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            size_t i = models[a], j = models[b];
            c->is[a][b] = isfinite(is[i * m + j]) ? is[i * m + j] : (double)NAN;
            c->se[a][b] = standard_error(&in, i, j);
            c->cover[a][b] = es_cover(is, m, i, j);
        }
    c->z = quantile(&in, c, (1 + level) / 2);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            c->pair[c->pairs++] = compare_pair(&in, c, a, b);
    ES_TRY(compare_targets(&in, c, err));
    *out = c;
    c = NULL;
done:
    es_comparison_free(c);
    return st;
}

es_status es_compare_rows(const float *pmi_a, const float *pmi_b, size_t n, uint32_t *row,
                          es_error *err) {
    double *key = es_alloc(n, sizeof *key);
    uint32_t *scratch = es_alloc(n, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!key || !scratch, es_no_memory_for(err, "%zu rows", n));
    for (size_t r = 0; r < n; r++) {
        double d = (double)pmi_a[r] - (double)pmi_b[r];
        key[r] = isfinite(d) ? -fabs(d) : 1;
    }
    es_sort_order(key, row, scratch, n);
done:
    es_free(key);
    es_free(scratch);
    return st;
}

/* The rows of the pool on which two embedders differ most, from the per-row values of all targets.
 */

static bool is_compared(const es_comparison *c, size_t model) {
    for (size_t k = 0; k < c->count; k++)
        if (c->model[k] == model)
            return true;
    return false;
}

/* False when the values are not known for both. */
static bool add(size_t n, const float *x, const float *y, float *sum_a, float *sum_b) {
    if (!x || !y)
        return false;
    for (size_t k = 0; k < n; k++) {
        sum_a[k] += x[k];
        sum_b[k] += y[k];
    }
    return true;
}

/* Means over the targets of which both have values. Returns how many there are. */
static size_t mean_values(float *const *pmi, size_t n, size_t m, const es_comparison *c,
                          const es_compared_pair *pair, size_t only, bool compared_too,
                          float *mean_a, float *mean_b) {
    size_t targets = 0, a = c->model[pair->a], b = c->model[pair->b];
    memset(mean_a, 0, n * sizeof *mean_a);
    memset(mean_b, 0, n * sizeof *mean_b);
    for (size_t t = 0; t < m; t++) {
        bool wanted = only == SIZE_MAX
                          ? !(c->left_out && c->left_out[t]) && (compared_too || !is_compared(c, t))
                          : t == only;
        targets += wanted && add(n, pmi[a * m + t], pmi[b * m + t], mean_a, mean_b);
    }
    for (size_t k = 0; targets > 0 && k < n; k++) {
        mean_a[k] /= (float)targets;
        mean_b[k] /= (float)targets;
    }
    return targets;
}

void es_compared_rows_free(es_compared_rows *rows) {
    if (!rows)
        return;
    es_free(rows->difference);
    es_free(rows->row);
    es_free(rows);
}

es_status es_compared_rows_new(float *const *pmi, size_t n_eval, size_t m,
                               const es_comparison *comparison, size_t pair, size_t target,
                               es_compared_rows **out, es_error *err) {
    es_status st = ES_OK;
    const es_compared_pair *p = &comparison->pair[pair];
    float *mean = NULL;
    es_compared_rows *rows = NULL;
    if (!pmi || n_eval == 0)
        return es_fail(err, ES_EEMPTY, "no values per row are known");
    mean = es_alloc(n_eval, 2 * sizeof *mean);
    rows = es_alloc_zero(1, sizeof *rows);
    ES_FAIL_IF(!mean || !rows || !(rows->difference = es_alloc(n_eval, sizeof *rows->difference)) ||
                   !(rows->row = es_alloc(n_eval, sizeof *rows->row)),
               es_no_memory_for(err, "%zu rows", n_eval));
    rows->n = n_eval;
    for (int all = 0; all < 2 && rows->targets == 0; all++)
        rows->targets =
            mean_values(pmi, n_eval, m, comparison, p, target, all == 1, mean, mean + n_eval);
    ES_FAIL_IF(rows->targets == 0, es_fail(err, ES_EEMPTY, "no values per row are known"));
    ES_TRY(es_compare_rows(mean, mean + n_eval, n_eval, rows->row, err));
    for (size_t k = 0; k < n_eval; k++)
        rows->difference[k] = (double)mean[k] - (double)mean[n_eval + k];
    *out = rows;
    rows = NULL;
done:
    es_free(mean);
    es_compared_rows_free(rows);
    return st;
}

/* The row whose absence moves the mean most is the one furthest from it: leaving out value x of n
 * moves a mean of m by (m - x) / (n - 1). Spread is measured without it, or it would hide behind
 * itself. */

static const double ERRORS = 2, SHARE = 0.25;

size_t es_row_decides(const float *pmi, size_t n, double *without) {
    double mean = 0, furthest = -1, squares = 0;
    size_t row = 0;
    if (n < 3)
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        mean += (double)pmi[i];
    mean /= (double)n;
    if (!isfinite(mean))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        double away = fabs((double)pmi[i] - mean);
        if (away > furthest) {
            furthest = away;
            row = i;
        }
    }
    double left = (double)(n - 1), rest = mean - ((double)pmi[row] - mean) / left;
    if (fabs(mean - rest) <= SHARE * fabs(rest))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        double e = i == row ? 0 : (double)pmi[i] - rest;
        squares += e * e;
    }
    if (fabs(mean - rest) <= ERRORS * sqrt(squares / (left - 1) / left))
        return SIZE_MAX;
    *without = rest;
    return row;
}
