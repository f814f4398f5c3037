/* A score against one downstream task: coefficients, bootstrap intervals, a permutation test,
 * leave-one-out, partial correlation and a fitted line. */
#include "embedscope/correlate.h"

#include <math.h>
#include <string.h>

#include "core_downstream.h"
#include "core_numerics.h"

enum { CHECK_EVERY = 64 };

/* One task under way: the resamples come after everything that is known at once. */
typedef struct work {
    es_pairs pairs;
    es_correlate_options options; /* every default filled in */
    es_correlation_report report;
    uint32_t *count;               /* (n) */
    double *rx, *ry;               /* (n) mid-ranks; permuted in place, around their middle */
    double *draw[ES_CORRELATIONS]; /* (draws) */
    size_t defined[ES_CORRELATIONS];
    es_rng bootstrap, permute;
    double observed; /* sum of products of centred ranks */
} work;

static void work_deinit(work *w) {
    es_pairs_deinit(&w->pairs);
    es_free(w->count);
    es_free(w->rx);
    es_free(w->draw[0]);
}

static es_status allocate_work(const double *x, const double *y, size_t n, work *w, es_error *err) {
    size_t draws = w->options.draws;
    ES_PASS(es_pairs_init(&w->pairs, x, y, n, err));
    w->count = es_alloc(w->pairs.n, sizeof *w->count);
    w->rx = es_alloc(w->pairs.n, 2 * sizeof *w->rx);
    w->draw[0] = es_alloc(draws, ES_CORRELATIONS * sizeof *w->draw[0]);
    if (!w->count || !w->rx || !w->draw[0])
        return es_no_memory_for(err, "the correlation of %zu embedders", n);
    w->ry = w->rx + w->pairs.n;
    for (size_t k = 1; k < ES_CORRELATIONS; k++)
        w->draw[k] = w->draw[0] + k * draws;
    return ES_OK;
}

static void bootstrap_draw(work *w) {
    size_t n = w->pairs.n;
    memset(w->count, 0, n * sizeof *w->count);
    for (size_t i = 0; i < n; i++)
        w->count[es_rng_below(&w->bootstrap, n)]++;
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        if (k == ES_SPEARMAN)
            continue; /* has Fisher's interval */
        es_stat r = es_pairs_stat(&w->pairs, (es_correlation)k, w->count);
        if (!r.why)
            w->draw[k][w->defined[k]++] = r.value;
    }
}

static void bootstrap_end(work *w) {
    double tail = 0.5 * (1 - w->options.level);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        if (w->report.few || 2 * w->defined[k] <= w->options.draws)
            continue;
        w->report.low[k] = es_stat_quantile(w->draw[k], w->defined[k], tail);
        w->report.high[k] = es_stat_quantile(w->draw[k], w->defined[k], 1 - tail);
    }
}

static void shuffle_values(es_rng *rng, double *v, size_t n) {
    for (size_t i = n; i > 1; i--) {
        size_t j = es_rng_below(rng, i);
        double swap = v[i - 1];
        v[i - 1] = v[j];
        v[j] = swap;
    }
}

static double sum_products(const work *w) {
    double sum = 0;
    for (size_t i = 0; i < w->pairs.n; i++)
        sum += w->rx[i] * w->ry[i];
    return sum;
}

/* Under permutation only the products of ranks change. They are multiples of 1/4, so sums are exact
 * and ties with the observed value are seen as such. */
static void permute_begin(work *w) {
    size_t n = w->pairs.n;
    double middle = 0.5 * ((double)n + 1);
    es_pairs_midranks(&w->pairs, w->rx, w->ry);
    for (size_t i = 0; i < n; i++) {
        w->rx[i] -= middle;
        w->ry[i] -= middle;
    }
    w->observed = sum_products(w);
}

/* Counts a permutation that is as extreme as the observed value. */
static bool permute_draw(work *w) {
    shuffle_values(&w->permute, w->ry, w->pairs.n);
    return fabs(sum_products(w)) >= fabs(w->observed);
}

static void leave_one_out(work *w, es_correlation_report *out) {
    es_pairs *p = &w->pairs;
    for (size_t i = 0; i < p->n; i++)
        w->count[i] = 1;
    for (size_t i = 0; i < p->n && p->n > 3; i++) {
        w->count[i] = 0;
        es_stat r = es_pairs_stat(p, ES_SPEARMAN, w->count);
        w->count[i] = 1;
        if (r.why)
            continue;
        if (out->leave_one_low_at == SIZE_MAX || r.value < out->leave_one_low) {
            out->leave_one_low = r.value;
            out->leave_one_low_at = p->from[i];
        }
        if (out->leave_one_high_at == SIZE_MAX || r.value > out->leave_one_high) {
            out->leave_one_high = r.value;
            out->leave_one_high_at = p->from[i];
        }
    }
}

/* The middle downstream value is the last of the top half. */
static void top_half(work *w, es_correlation_report *out) {
    es_pairs *p = &w->pairs;
    memcpy(w->rx, p->y, p->n * sizeof *w->rx);
    double last = es_select(w->rx, p->n, p->n / 2);
    out->n_top = 0;
    for (size_t i = 0; i < p->n; i++) {
        w->count[i] = p->y[i] >= last;
        out->n_top += w->count[i];
    }
    out->top_half =
        out->n_top < 3 ? es_stat_undefined(ES_WHY_FEW) : es_pairs_stat(p, ES_SPEARMAN, w->count);
}

/* Spearman's coefficient of x and y given the covariate. */
static es_status partial_correlation(const es_pairs *p, const double *covariate, es_stat *out,
                                     es_error *err) {
    *out = es_stat_undefined("no covariate");
    if (!covariate)
        return ES_OK;
    double *v = es_alloc(p->n, 3 * sizeof *v);
    if (!v)
        return es_no_memory_for(err, "a covariate of %zu values", p->n);
    double *x = v, *y = v + p->n, *z = y + p->n;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(covariate[p->from[i]]))
            continue;
        x[n] = p->x[i];
        y[n] = p->y[i];
        z[n++] = covariate[p->from[i]];
    }
    es_status st = ES_OK;
    es_stat xy, xz, yz;
    ES_TRY(es_correlate(ES_SPEARMAN, x, y, n, &xy, err));
    ES_TRY(es_correlate(ES_SPEARMAN, x, z, n, &xz, err));
    ES_TRY(es_correlate(ES_SPEARMAN, y, z, n, &yz, err));
    double left = (1 - xz.value * xz.value) * (1 - yz.value * yz.value);
    if (n < 4)
        *out = es_stat_undefined("n < 4");
    else if (xy.why)
        *out = xy;
    else if (xz.why)
        *out = es_stat_undefined("constant covariate");
    else if (left < 1e-12)
        *out = es_stat_undefined("covariate decides");
    else
        *out = es_stat_of(fmax(-1, fmin(1, (xy.value - xz.value * yz.value) / sqrt(left))));
done:
    es_free(v);
    return st;
}

static void fit_line(const es_pairs *p, es_correlation_report *out) {
    double mean_x = es_stat_mean(p->x, p->n), mean_y = es_stat_mean(p->y, p->n), xx = 0, xy = 0;
    for (size_t i = 0; i < p->n; i++) {
        xx += (p->x[i] - mean_x) * (p->x[i] - mean_x);
        xy += (p->x[i] - mean_x) * (p->y[i] - mean_y);
    }
    if (!(xx > 0) || p->x_classes < 2)
        return;
    out->slope = es_stat_of(xy / xx);
    out->intercept = es_stat_of(mean_y - xy / xx * mean_x);
}

/* Marks every field of the report as undefined, for this reason. */
static void clear_report(const char *why, es_correlation_report *out) {
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        out->value[k] = es_stat_undefined(why);
        out->low[k] = out->high[k] = NAN;
    }
    out->p = out->partial = out->top_half = out->slope = out->intercept = es_stat_undefined(why);
    out->leave_one_low = out->leave_one_high = out->n_effective = out->p_effective = NAN;
    out->leave_one_low_at = out->leave_one_high_at = SIZE_MAX;
}

/* Spearman's interval and p, by families. In the pairs' order: that of the caller makes no
 * difference. Overwrites count. */
static es_status by_family(work *w, es_error *err) {
    es_correlation_report *out = &w->report;
    const es_pairs *p = &w->pairs;
    es_independent found;
    for (size_t i = 0; w->options.family && i < p->n; i++)
        w->count[i] = w->options.family[p->from[i]];
    ES_PASS(es_independent_spearman(p->x, p->y, w->options.family ? w->count : NULL, p->n,
                                    w->options.level, &found, err));
    out->families = found.families;
    out->n_effective = found.effective;
    if (!out->few && isfinite(found.low)) { /* so few say nothing */
        out->p_effective = found.p;
        out->low[ES_SPEARMAN] = found.low;
        out->high[ES_SPEARMAN] = found.high;
    }
    return ES_OK;
}

/* What needs no resampling. */
static es_status at_once(work *w, const double *covariate, es_error *err) {
    es_correlation_report *out = &w->report;
    for (size_t k = 0; k < ES_CORRELATIONS; k++)
        out->value[k] = es_pairs_stat(&w->pairs, (es_correlation)k, NULL);
    fit_line(&w->pairs, out);
    if (out->value[ES_SPEARMAN].why)
        return ES_OK;
    out->p = es_stat_undefined("not drawn");
    ES_PASS(by_family(w, err));
    ES_PASS(partial_correlation(&w->pairs, covariate, &out->partial, err));
    leave_one_out(w, out);
    top_half(w, out); /* uses rx */
    permute_begin(w);
    return ES_OK;
}

static es_status draw_all(work *w, const es_run *run, es_error *err) {
    unsigned permutations = w->options.permutations;
    size_t extreme = 0;
    for (unsigned d = 0; d < w->options.draws; d++) {
        if (d % CHECK_EVERY == 0)
            ES_PASS(es_run_check(run, err));
        bootstrap_draw(w);
    }
    bootstrap_end(w);
    for (unsigned d = 0; d < permutations; d++) {
        if (d % CHECK_EVERY == 0)
            ES_PASS(es_run_check(run, err));
        extreme += permute_draw(w);
    }
    w->report.p = es_stat_of((double)(1 + extreme) / (double)(1 + permutations));
    return ES_OK;
}

es_status es_correlate_task(const double *x, const double *y, const double *covariate, size_t n,
                            const es_correlate_options *options, const es_run *run,
                            double *residual, es_correlation_report *out, es_error *err) {
    work w = {.options = *options};
    es_correlate_options *o = &w.options;
    o->draws = o->draws ? o->draws : ES_CORRELATE_DRAWS;
    o->permutations = o->permutations ? o->permutations : ES_CORRELATE_PERMUTATIONS;
    o->level = o->level > 0 ? o->level : ES_CORRELATE_LEVEL;
    if (!(o->level < 1))
        return es_fail(err, ES_EINVAL, "a confidence level of %g is not between 0 and 1", o->level);
    es_status st = ES_OK;
    ES_TRY(allocate_work(x, y, n, &w, err));
    clear_report(w.pairs.n < 3 ? ES_WHY_FEW : ES_WHY_CONSTANT, &w.report);
    w.report.n = w.pairs.n;
    w.report.few = w.report.n < ES_CORRELATE_ENOUGH;
    es_rng_init(&w.bootstrap, o->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, w.pairs.n));
    es_rng_init(&w.permute, o->seed, es_rng_stream(ES_STREAM_PERMUTE, w.pairs.n));
    if (w.report.n >= 3)
        ES_TRY(at_once(&w, covariate, err));
    if (w.report.n >= 3 && w.report.value[ES_SPEARMAN].why == NULL && !o->without_draws)
        ES_TRY(draw_all(&w, run, err));
    *out = w.report;
    for (size_t i = 0; residual && i < n; i++)
        residual[i] = isfinite(x[i]) && isfinite(y[i])
                          ? y[i] - (out->intercept.value + out->slope.value * x[i])
                          : (double)NAN;
done:
    work_deinit(&w);
    return st;
}

es_status es_mean_rank(const double *scores, size_t n, size_t tasks, const bool *lower_is_better,
                       double *out, size_t *complete, es_error *err) {
    double *v = es_alloc(n, 3 * sizeof *v);
    uint32_t *row = es_alloc(n, sizeof *row);
    es_status st = ES_OK;
    ES_FAIL_IF(!v || !row, es_no_memory_for(err, "the ranks of %zu embedders", n));
    double *rank = v + n, *sum = rank + n;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool whole = tasks > 0;
        for (size_t t = 0; t < tasks; t++)
            whole = whole && isfinite(scores[i * tasks + t]);
        if (whole)
            row[kept++] = (uint32_t)i;
    }
    memset(sum, 0, n * sizeof *sum);
    for (size_t t = 0; t < tasks; t++) {
        double largest = 0;
        for (size_t k = 0; k < kept; k++) {
            double score = scores[row[k] * tasks + t];
            v[k] = lower_is_better && lower_is_better[t] ? score : -score;
            largest = fmax(largest, fabs(score));
        }
        ES_TRY(es_stat_midranks_within(v, kept, 1e-12 * largest, rank, err)); /* of rounding */
        for (size_t k = 0; k < kept; k++)
            sum[k] += rank[k];
    }
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
    for (size_t k = 0; k < kept; k++)
        out[row[k]] = sum[k] / (double)tasks;
    if (complete)
        *complete = kept;
done:
    es_free(v);
    es_free(row);
    return st;
}
