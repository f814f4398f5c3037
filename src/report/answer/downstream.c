/* A ranking beside what it is for: agreement with the mean percentile over downstream tasks, and
 * the regret of following it, in points of that percentile; dimension alone beside it, as the rival
 * that costs nothing. Controls are left out, since nobody chooses noise. */
#include "downstream.h"

#include <math.h>
#include <stdio.h>

#include "alloc.h"
#include "control.h"
#include "sorting.h"

enum { FIRST = 5, DRAWS = 1000 };

void es_downstream_free(es_downstream *x) {
    if (x == NULL)
        return;
    for (int k = 0; k < 2; k++)
        es_correlator_free(x->draws[k]);
    es_free(x->percentile);
    es_free(x);
}

double es_percentile_mean(double sum, double weights) {
    static const double step = 1e-9;
    return rint(sum / weights / step) * step;
}

double es_downstream_percentile(const double *value, size_t n, size_t i) {
    double below = 0;
    size_t others = 0, equal = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == i || isnan(value[k]))
            continue;
        others++;
        equal += value[k] >= value[i] && value[k] <= value[i];
        below += value[k] < value[i] ? 1 : value[k] > value[i] ? 0 : 0.5;
    }
    return isnan(value[i]) || equal == others ? (double)NAN : 100 * below / (double)others;
}

/* The percentiles of values (m): added to sum, their weight to weights. */
static void add_percentiles(const double *value, size_t m, double weight, double *sum,
                            double *weights) {
    for (size_t i = 0; i < m; i++) {
        double percentile = es_downstream_percentile(value, m, i);
        if (isnan(percentile))
            continue;
        sum[i] += weight * percentile;
        weights[i] += weight;
    }
}

static bool is_control(const es_results *r, size_t i) {
    return r->family && es_is_control(r->family[i]);
}

/* Each embedder's row of the scores; SIZE_MAX: it has none, or is a control. es_free; NULL: out of
 * memory. */
static size_t *rows_of(const es_results *r, const es_scores *scores) {
    size_t *row = es_alloc(r->m, sizeof *row);
    for (size_t i = 0; row && i < r->m; i++)
        row[i] = is_control(r, i) ? SIZE_MAX : es_scores_find(scores, r->name[i]);
    return row;
}

es_status es_downstream_percentiles(const es_results *r, const es_scores *scores,
                                    double *percentile, es_error *err) {
    es_status st = ES_OK;
    double *value = es_alloc(r->m, sizeof *value);
    double *weights = es_alloc(r->m, sizeof *weights);
    size_t *row = rows_of(r, scores);
    if (value == NULL || weights == NULL || row == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    for (size_t i = 0; i < r->m; i++) {
        percentile[i] = 0;
        weights[i] = 0;
    }
    for (size_t t = 0; t < scores->tasks; t++) {
        double sign = es_score_is_lower_better(scores, t) ? -1 : 1;
        for (size_t i = 0; i < r->m; i++)
            value[i] =
                row[i] == SIZE_MAX ? (double)NAN : sign * scores->value[row[i] * scores->tasks + t];
        add_percentiles(value, r->m, scores->about ? scores->about[t].weight : 1, percentile,
                        weights);
    }
    for (size_t i = 0; i < r->m; i++)
        percentile[i] =
            weights[i] > 0 ? es_percentile_mean(percentile[i], weights[i]) : (double)NAN;
done:
    es_free(value);
    es_free(weights);
    es_free(row);
    return st;
}

/* Of those that have both, how many have a higher score than this one, and how many the same. */
static void count_places(const double *score, const double *percentile, size_t m, double own,
                         size_t *above, size_t *equal) {
    *above = *equal = 0;
    for (size_t k = 0; k < m; k++) {
        if (isnan(score[k]) || isnan(percentile[k]))
            continue;
        *above += score[k] > own;
        *equal += score[k] >= own && score[k] <= own;
    }
}

/* Of that score the one with the largest percentile behind `at`: from the best on, one by one. */
static size_t next_best(const double *score, const double *percentile, size_t m, double own,
                        size_t at) {
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < m; k++) {
        if (isnan(percentile[k]) || !(score[k] >= own && score[k] <= own))
            continue;
        bool behind = at == SIZE_MAX || percentile[k] < percentile[at] ||
                      (percentile[k] <= percentile[at] && k > at);
        if (behind && (best == SIZE_MAX || percentile[k] > percentile[best]))
            best = k;
    }
    return best;
}

/* What the best of `taken` drawn at random from the `equal` ones of that score has on average,
 * where `sure` is there anyhow. */
static double expect_best(const double *score, const double *percentile, size_t m, double own,
                          size_t equal, size_t taken, double sure) {
    double expected = 0, open = 1; /* probability that nobody better was drawn */
    for (size_t at = SIZE_MAX, left = equal; open > 0 && left >= taken; left--) {
        at = next_best(score, percentile, m, own, at);
        double drawn = (double)taken / (double)left;
        expected += open * drawn * fmax(sure, percentile[at]);
        open *= 1 - drawn;
    }
    return expected;
}

double es_downstream_regret(const double *score, const double *percentile, size_t m, size_t count) {
    double best = -(double)INFINITY, most = -(double)INFINITY, last = 0;
    size_t rest = 0, among = 0;
    for (size_t i = 0; i < m; i++) {
        size_t above, equal;
        if (isnan(score[i]) || isnan(percentile[i]))
            continue;
        most = fmax(most, percentile[i]);
        count_places(score, percentile, m, score[i], &above, &equal);
        if (above + equal <= count) {
            best = fmax(best, percentile[i]);
        } else if (above < count) { /* not all of these find room */
            rest = count - above;
            among = equal;
            last = score[i];
        }
    }
    if (rest > 0)
        best = expect_best(score, percentile, m, last, among, rest, best);
    return most - best; /* NaN of -inf - -inf: none has */
}

/* Tasks that compare two embedders, and on how many of these the best has a score. */
static void count_tasks(es_downstream *x, const size_t *row, size_t m, const es_scores *scores) {
    for (size_t t = 0; t < scores->tasks; t++) {
        bool tells = es_scores_tell(scores, t, row, m), best = false;
        if (x->best != SIZE_MAX && row[x->best] != SIZE_MAX)
            best = !isnan(scores->value[row[x->best] * scores->tasks + t]);
        x->tasks += tells;
        x->best_tasks += tells && best;
    }
}

/* How many of those that can be chosen have no downstream score, and are before the fifth that has
 * one. */
static size_t count_unscored(const es_downstream *x, const es_results *r, const double *score) {
    size_t count = 0;
    for (size_t i = 0; i < r->m; i++) {
        size_t above = 0;
        if (isnan(score[i]) || is_control(r, i) || !isnan(x->percentile[i]))
            continue;
        for (size_t k = 0; k < r->m; k++)
            above += !isnan(score[k]) && !isnan(x->percentile[k]) && score[k] > score[i];
        count += above < FIRST;
    }
    return count;
}

/* All but the intervals. */
static es_status judge(const es_downstream *x, const double *score, size_t m, uint64_t seed,
                       es_downstream_rank *out, es_correlator **draws, es_error *err) {
    const es_correlate_options options = {
        .draws = DRAWS, .permutations = 1, .level = 0.95, .seed = seed};
    es_status st = es_correlator_new(score, x->percentile, NULL, m, &options, draws, err);
    if (st != ES_OK)
        return st;
    *out = (es_downstream_rank){es_correlator_report(*draws)->value[ES_SPEARMAN], (double)NAN,
                                (double)NAN, es_downstream_regret(score, x->percentile, m, 1),
                                es_downstream_regret(score, x->percentile, m, FIRST)};
    return ES_OK;
}

bool es_downstream_step(es_downstream *x, unsigned draws) {
    es_downstream_rank *rank[2] = {&x->ranking, &x->dimension};
    for (int k = 0; k < 2; k++) {
        if (x->draws[k] == NULL || !es_correlator_step(x->draws[k], draws))
            continue;
        rank[k]->low = es_correlator_report(x->draws[k])->low[ES_SPEARMAN];
        rank[k]->high = es_correlator_report(x->draws[k])->high[ES_SPEARMAN];
        es_correlator_free(x->draws[k]);
        x->draws[k] = NULL;
    }
    return x->draws[0] == NULL && x->draws[1] == NULL;
}

es_status es_downstream_new(const es_results *r, const double *score, const es_scores *scores,
                            uint64_t seed, es_downstream **out, es_error *err) {
    es_status st = es_downstream_begin(r, score, scores, seed, out, err);
    while (st == ES_OK && *out != NULL && !es_downstream_step(*out, DRAWS))
        ;
    return st;
}

es_status es_downstream_begin(const es_results *r, const double *score, const es_scores *scores,
                              uint64_t seed, es_downstream **out, es_error *err) {
    es_status st = ES_OK;
    double *dim = es_alloc(r->m, sizeof *dim);
    size_t *row = rows_of(r, scores);
    es_downstream *x = es_alloc_zero(1, sizeof *x);
    *out = NULL;
    if (x)
        x->percentile = es_alloc(r->m, sizeof *x->percentile);
    if (dim == NULL || row == NULL || x == NULL || x->percentile == NULL) {
        st = es_no_memory(err);
        goto done;
    }
    x->best = SIZE_MAX;
    ES_TRY(es_downstream_percentiles(r, scores, x->percentile, err));
    for (size_t i = 0; i < r->m; i++) {
        x->controls += is_control(r, i);
        dim[i] = r->dim[i] > 0 ? log((double)r->dim[i]) : (double)NAN;
        if (isnan(score[i]))
            x->percentile[i] = (double)NAN;
        if (isnan(x->percentile[i]))
            continue;
        x->n++;
        if (x->best == SIZE_MAX || x->percentile[i] > x->percentile[x->best] ||
            (x->percentile[i] >= x->percentile[x->best] && score[i] > score[x->best]))
            x->best = i;
    }
    for (size_t i = 0; i < r->m && x->best != SIZE_MAX; i++)
        x->equal += i != x->best && x->percentile[i] >= x->percentile[x->best];
    count_tasks(x, row, r->m, scores);
    x->weighted = es_scores_are_weighted(scores);
    x->unscored = count_unscored(x, r, score);
    if (x->n < 3)
        goto done;
    ES_TRY(judge(x, score, r->m, seed, &x->ranking, &x->draws[0], err));
    ES_TRY(judge(x, dim, r->m, seed, &x->dimension, &x->draws[1], err));
    *out = x;
    x = NULL;
done:
    es_free(dim);
    es_free(row);
    es_downstream_free(x);
    return st;
}

static void put_stat(const es_stat *stat, es_buf *out) {
    if (isfinite(stat->value))
        es_buf_printf(out, "%.2f", stat->value);
    else
        es_buf_puts(out, "not known");
}

const char *es_downstream_taking(const es_downstream *x) {
    return x->unscored > 0 ? "Of those with scores, taking the first" : "Taking the first";
}

void es_downstream_beside(const es_downstream *x, const es_decision *decision, char *out,
                          size_t capacity) {
    char others[48] = "", part[64] = "";
    if (x->best_tasks < x->tasks)
        (void)snprintf(part, sizeof part, " (by %zu of the %zu tasks)", x->best_tasks, x->tasks);
    if (x->equal > 0)
        (void)snprintf(others, sizeof others, " (%zu more %s as good)", x->equal,
                       x->equal == 1 ? "is" : "are");
    (void)snprintf(out, capacity, "%s%s%s", part,
                   !decision->said           ? ""
                   : decision->best[x->best] ? ", among those that may be the best here"
                                             : ", not among those that may be the best here",
                   others);
}

void es_downstream_put(const es_downstream *x, const char *best, const es_decision *decision,
                       es_buf *out) {
    const es_downstream_rank *r = &x->ranking, *d = &x->dimension;
    char beside[160];
    es_buf_printf(out, "Downstream (%zu%s task%s, %zu embedders%s): Spearman ", x->tasks,
                  x->weighted ? " weighted" : "", x->tasks == 1 ? "" : "s", x->n,
                  x->controls > 0 ? ", controls left out" : "");
    put_stat(&r->spearman, out);
    if (isfinite(r->low))
        es_buf_printf(out, " [%.2f, %.2f]", r->low, r->high);
    es_downstream_beside(x, decision, beside, sizeof beside);
    es_buf_printf(out, "; the best there is %s%s.", best, beside);
    es_buf_printf(out, " %s loses %.0f point%s of mean percentile, trying the first five %.0f",
                  es_downstream_taking(x), r->regret_first, round(r->regret_first) == 1 ? "" : "s",
                  r->regret_five);
    if (isfinite(d->regret_first)) {
        es_buf_puts(out, "; by dimension alone Spearman ");
        put_stat(&d->spearman, out);
        es_buf_printf(out, ", and %.0f and %.0f point%s", d->regret_first, d->regret_five,
                      round(d->regret_five) == 1 ? "" : "s");
    }
    es_buf_puts(out, ".");
}
