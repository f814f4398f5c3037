/* Sums over tasks. Ranks are taken among the embedders that have every task. */
#include "report_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The others where a task has that name. */
static const char *const sums[ES_TASK_SUMS] = {"mean rank", "mean"},
                         *const over_tasks[ES_TASK_SUMS] = {"mean rank over tasks",
                                                            "mean over tasks"};

size_t es_task_columns(const es_scores *scores) {
    return scores->tasks + (scores->tasks > 1 ? ES_TASK_SUMS : 0);
}

const char *es_task_column_name(const es_scores *scores, size_t column) {
    if (column < scores->tasks)
        return scores->task[column];
    const char *name = sums[column - scores->tasks];
    for (size_t t = 0; t < scores->tasks; t++)
        if (strcmp(scores->task[t], name) == 0)
            return over_tasks[column - scores->tasks];
    return name;
}

size_t es_task_column_find(const es_scores *scores, const char *name) {
    for (size_t c = 0; c < es_task_columns(scores); c++)
        if (es_text_same(es_task_column_name(scores, c), name))
            return c;
    return SIZE_MAX;
}

bool es_task_column_is_turned(const es_scores *scores, size_t column) {
    return column < scores->tasks ? es_score_is_lower_better(scores, column)
                                  : column == scores->tasks + ES_TASK_MEAN_RANK;
}

static double weight_of(const es_scores *scores, size_t task) {
    return scores->about ? scores->about[task].weight : 1;
}

bool es_task_column_tells(const double *y, size_t n) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = isfinite(y[i]) ? fmin(least, y[i]) : least;
        most = isfinite(y[i]) ? fmax(most, y[i]) : most;
    }
    return most > least;
}

size_t es_task_columns_telling(const es_scores *scores, const size_t *row, size_t n) {
    size_t count = 0;
    for (size_t t = 0; t < scores->tasks; t++)
        count += es_scores_tell(scores, t, row, n);
    return count;
}

size_t es_task_columns_summed(const es_scores *scores, const size_t *row, size_t n) {
    size_t telling = es_task_columns_telling(scores, row, n);
    return telling > 0 ? telling : scores->tasks;
}

static bool has_all(const es_scores *scores, const bool *counts, const double *y, size_t n,
                    size_t i) {
    for (size_t t = 0; t < scores->tasks; t++)
        if (counts[t] && !isfinite(y[t * n + i]))
            return false;
    return true;
}

/* Ranks of a task among `count` embedders, y (n) of theirs, times its weight, taken from `out`. */
static es_status take_ranks(double weight, const double *y, const size_t *whole, size_t count,
                            double *scratch, double *out, es_error *err) {
    double *rank = scratch + count;
    for (size_t k = 0; k < count; k++)
        scratch[k] = -y[whole[k]];
    es_status st = es_stat_midranks(scratch, count, rank, err);
    for (size_t k = 0; st == ES_OK && k < count; k++)
        out[whole[k]] -= weight * rank[k];
    return st;
}

es_status es_task_columns_sum(const es_scores *scores, size_t n, const double *x, double *y,
                              size_t *complete, es_error *err) {
    es_status st = ES_OK;
    size_t tasks = scores->tasks, count = 0, telling = 0;
    double *rank = y + (tasks + ES_TASK_MEAN_RANK) * n, *mean = y + (tasks + ES_TASK_MEAN) * n;
    double weights = 0, *scratch = es_alloc(2 * n + 1, sizeof *scratch);
    size_t *whole = es_alloc(n + 1, sizeof *whole);
    bool *counts = es_alloc(tasks, sizeof *counts);
    ES_FAIL_IF(!scratch || !whole || !counts, es_no_memory(err));
    for (size_t t = 0; t < tasks; t++) {
        counts[t] = es_task_column_tells(y + t * n, n);
        telling += counts[t];
    }
    for (size_t t = 0; t < tasks && telling == 0; t++) /* none does: the sums say so */
        counts[t] = true;
    for (size_t i = 0; i < n; i++) {
        bool all = has_all(scores, counts, y, n, i), ranked = all && !(x && isnan(x[i]));
        rank[i] = ranked ? 0 : (double)NAN;
        if (ranked)
            whole[count++] = i;
        mean[i] = all ? 0 : (double)NAN;
    }
    for (size_t t = 0; t < tasks; t++) {
        if (!counts[t])
            continue;
        weights += weight_of(scores, t);
        ES_TRY(take_ranks(weight_of(scores, t), y + t * n, whole, count, scratch, rank, err));
        for (size_t i = 0; i < n; i++)
            mean[i] += weight_of(scores, t) * y[t * n + i];
    }
    bool weighted = es_scores_are_weighted(scores);
    for (size_t i = 0; i < n; i++) {
        rank[i] = weights > 0 ? rank[i] / weights : (double)NAN;
        rank[i] = weighted ? rint(rank[i] * 1e9) / 1e9 : rank[i]; /* equal ones stay equal */
        mean[i] = weights > 0 && isfinite(mean[i]) ? mean[i] / weights : (double)NAN;
    }
    if (complete)
        *complete = count;
done:
    es_free(scratch);
    es_free(whole);
    es_free(counts);
    return st;
}

es_status es_task_columns_fill(const es_scores *scores, const size_t *row, size_t n, double *y,
                               size_t *complete, es_error *err) {
    for (size_t t = 0; t < scores->tasks; t++) {
        double sign = es_score_is_lower_better(scores, t) ? -1 : 1;
        for (size_t i = 0; i < n; i++)
            y[t * n + i] =
                row[i] == SIZE_MAX ? (double)NAN : sign * scores->value[row[i] * scores->tasks + t];
    }
    return scores->tasks > 1 ? es_task_columns_sum(scores, n, NULL, y, complete, err) : ES_OK;
}

/* A ranking beside the tasks it is for: Spearman with the mean rank over tasks, and what following
 * the ranking would have cost, in points of the mean percentile. Both are of the same embedders;
 * the percentile is the mean rank on a scale from 0 to 100. Dimension alone stands beside them. */

enum { FIRST = 5 };

void es_downstream_free(es_downstream *x) {
    if (x == NULL)
        return;
    es_free(x->percentile);
    es_free(x);
}

/* ---- the embedders and the tasks ---- */

/* True if pool.json names the family of an embedder that is no control. */
static bool names_families(const es_results *r) {
    for (size_t i = 0; r->family && i < r->m; i++)
        if (r->family[i] && !es_is_control(r->family[i]))
            return true;
    return false;
}

void es_downstream_groups(const es_results *r, const es_results *of, const es_decision *d,
                          bool *counts, uint32_t *family) {
    bool named = names_families(r);
    for (size_t i = 0; i < r->m; i++) {
        const char *own = r->family ? r->family[i] : NULL;
        size_t k = 0;
        while (own && k < i && !(r->family[k] && strcmp(r->family[k], own) == 0))
            k++;
        size_t at = !d ? SIZE_MAX : of == r ? i : es_results_find(of, r->name[i]);
        bool ranked =
            !d || (at < d->m && d->standing[at] == ES_STANDING_RANKED && d->first[at] == at);
        bool kin = d && at < d->m && d->kinds > 0 && ranked;
        counts[i] = !es_is_control(own) && !es_results_is_derived(r, i) && ranked;
        family[i] = !named && kin ? d->kind[at] : (uint32_t)(own ? k : i);
    }
}

es_status es_downstream_groups_of(es_session *session, const es_results *r, bool *counts,
                                  uint32_t *family, es_error *err) {
    const es_rank_choices usual = {0};
    es_rank_report *report = NULL;
    es_status st = es_rank_report_of(session, &usual, &report, NULL);
    if (st == ES_ENOMEM || st == ES_ECANCELED)
        return es_fail(err, st, "the embedders that are ranked");
    es_downstream_groups(r, report ? report->results : NULL, report ? report->decision : NULL,
                         counts, family);
    es_rank_report_free(report);
    return ES_OK;
}

size_t es_downstream_column(const es_scores *scores) {
    return scores->tasks > 1 ? scores->tasks + ES_TASK_MEAN_RANK : 0;
}

void es_downstream_rows(const bool *counts, size_t m, size_t *row) {
    for (size_t i = 0; i < m; i++)
        row[i] = counts[i] ? row[i] : SIZE_MAX;
}

/* The embedders, their families and their tasks. */
typedef struct tasks {
    bool *counts;     /* (m) */
    uint32_t *family; /* (m) */
    size_t *row;      /* (m) of the scores; SIZE_MAX: it has none, or does not count */
    double *y;        /* (tasks and their sums, m) as in report_answer.h */
    double *rank;     /* (m) mean rank with its sign turned; in y */
    size_t telling;   /* tasks that tell two embedders apart */
    size_t whole;     /* embedders with a mean rank */
} tasks;

static void tasks_deinit(tasks *t) {
    es_free(t->counts);
    es_free(t->family);
    es_free(t->row);
    es_free(t->y);
}

/* score (m): only embedders that have one take part; NULL: all do. */
static es_status tasks_init(const es_results *r, const es_results *of, const es_decision *d,
                            const es_scores *scores, const double *score, tasks *t, es_error *err) {
    *t = (tasks){.counts = es_alloc(r->m + 1, sizeof *t->counts),
                 .family = es_alloc(r->m + 1, sizeof *t->family),
                 .row = es_alloc(r->m + 1, sizeof *t->row),
                 .y = es_alloc((scores->tasks + ES_TASK_SUMS) * r->m + 1, sizeof *t->y)};
    if (!t->counts || !t->family || !t->row || !t->y)
        return es_no_memory(err);
    es_downstream_groups(r, of, d, t->counts, t->family);
    for (size_t i = 0; i < r->m; i++)
        t->row[i] = score && isnan(score[i]) ? SIZE_MAX : es_scores_find(scores, r->name[i]);
    es_downstream_rows(t->counts, r->m, t->row);
    t->telling = es_task_columns_telling(scores, t->row, r->m);
    t->rank = t->y + (scores->tasks + ES_TASK_MEAN_RANK) * r->m;
    es_status st = es_task_columns_fill(scores, t->row, r->m, t->y, &t->whole, err);
    if (st == ES_OK && scores->tasks == 1)
        st = es_task_columns_sum(scores, r->m, NULL, t->y, &t->whole, err);
    return st;
}

/* The mean rank, from 0 of the last to 100 of the first of all tasks. */
static void take_percentiles(const tasks *t, size_t m, double *percentile) {
    double n = (double)t->whole;
    for (size_t i = 0; i < m; i++)
        percentile[i] = t->telling > 0 && t->whole > 1
                            ? es_percentile_mean(100 * (n + t->rank[i]), n - 1)
                            : (double)NAN;
}

es_status es_downstream_percentiles(const es_results *r, const es_results *of, const es_decision *d,
                                    const double *score, const es_scores *scores,
                                    double *percentile, es_error *err) {
    tasks t = {0};
    es_status st = tasks_init(r, of, d, scores, score, &t, err);
    if (st == ES_OK)
        take_percentiles(&t, r->m, percentile);
    tasks_deinit(&t);
    return st;
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

/* The best of the n embedders, and how many are as good. */
static void find_best(es_downstream *x, size_t m) {
    const double *p = x->percentile, *score = x->score;
    x->best = SIZE_MAX;
    for (size_t i = 0; i < m; i++) {
        if (isnan(p[i]))
            continue;
        x->n++;
        if (x->best == SIZE_MAX || p[i] > p[x->best] ||
            (p[i] >= p[x->best] && score[i] > score[x->best]))
            x->best = i;
    }
    for (size_t i = 0; i < m && x->best != SIZE_MAX; i++)
        x->equal += i != x->best && p[i] >= p[x->best];
}

/* Embedders without every task that are before the fifth that has them. */
static size_t count_unscored(const es_downstream *x, const bool *counts, size_t m) {
    size_t count = 0;
    for (size_t i = 0; i < m; i++) {
        size_t above = 0;
        if (isnan(x->score[i]) || !counts[i] || !isnan(x->percentile[i]))
            continue;
        for (size_t k = 0; k < m; k++)
            above += !isnan(x->percentile[k]) && x->score[k] > x->score[i];
        count += above < FIRST;
    }
    return count;
}

/* Correlates a score with the mean percentile over tasks and finds what picking the first would
 * cost. */
static es_status rank_downstream(const es_downstream *x, const double *score, const tasks *t,
                                 size_t m, es_downstream_rank *out, size_t *families,
                                 es_error *err) {
    const es_correlate_options options = {.family = t->family, .without_draws = true};
    es_correlation_report r;
    ES_PASS(es_correlate_task(score, x->percentile, NULL, m, &options, NULL, NULL, &r, err));
    *families = r.families;
    *out = (es_downstream_rank){
        r.value[ES_SPEARMAN], r.low[ES_SPEARMAN], r.high[ES_SPEARMAN],
        r.n_effective,        r.p_effective,      es_downstream_regret(score, x->percentile, m, 1)};
    return ES_OK;
}

/* Over the embedders of the mean rank. */
static es_status take_worth(es_downstream *x, const es_scores *scores, tasks *t, size_t m,
                            es_error *err) {
    x->worth = (es_worth){(double)NAN, (double)NAN, (double)NAN};
    if (x->tasks < ES_DOWNSTREAM_WORTH)
        return ES_OK;
    for (size_t k = 0; k < scores->tasks; k++)
        for (size_t i = 0; i < m; i++)
            if (isnan(x->percentile[i]))
                t->y[k * m + i] = (double)NAN;
    return es_worth_of(x->score, t->y, scores->tasks, m, &x->worth, err);
}

/* What is counted, and dim (m): the rival that costs nothing. */
static void describe(es_downstream *x, const es_results *r, const es_scores *scores, const tasks *t,
                     double *dim) {
    for (size_t i = 0; i < r->m; i++) {
        x->controls += r->family && es_is_control(r->family[i]);
        dim[i] = r->dim[i] > 0 ? log((double)r->dim[i]) : (double)NAN;
    }
    x->tasks = t->telling;
    x->weighted = es_scores_are_weighted(scores);
    x->unscored = count_unscored(x, t->counts, r->m);
}

es_status es_downstream_new(const es_results *r, const es_decision *d, const double *score,
                            const es_scores *scores, es_downstream **out, es_error *err) {
    es_status st = ES_OK;
    tasks t = {0};
    size_t same = 0;
    double *dim = es_alloc(r->m + 1, sizeof *dim);
    es_downstream *x = es_alloc_zero(1, sizeof *x);
    *out = NULL;
    if (x)
        x->percentile = es_alloc(2 * r->m + 1, sizeof *x->percentile);
    ES_FAIL_IF(!dim || !x || !x->percentile, es_no_memory(err));
    x->score = x->percentile + r->m;
    memcpy(x->score, score, r->m * sizeof *score);
    ES_TRY(tasks_init(r, r, d, scores, score, &t, err));
    take_percentiles(&t, r->m, x->percentile);
    find_best(x, r->m);
    describe(x, r, scores, &t, dim);
    if (x->n < 3)
        goto done;
    ES_TRY(rank_downstream(x, dim, &t, r->m, &x->dimension, &same, err));
    ES_TRY(rank_downstream(x, score, &t, r->m, &x->ranking, &x->families, err));
    ES_TRY(take_worth(x, scores, &t, r->m, err));
    *out = x;
    x = NULL;
done:
    es_free(dim);
    tasks_deinit(&t);
    es_downstream_free(x);
    return st;
}

/* ---- the advice ---- */

/* True if i is among the first five candidates; equal scores share a place. */
static bool is_advised(const es_downstream *x, const bool *best, size_t m, size_t i) {
    size_t before = 0;
    if (!best[i] || isnan(x->score[i]))
        return false;
    for (size_t k = 0; k < m; k++)
        before += best[k] && x->score[k] > x->score[i];
    return before < ES_DOWNSTREAM_ADVICE;
}

double es_downstream_advice_loss(const es_downstream *x, const bool *best, size_t m) {
    double most = -(double)INFINITY;
    for (size_t i = 0; i < m; i++)
        if (!isnan(x->percentile[i]) && is_advised(x, best, m, i))
            most = fmax(most, x->percentile[i]);
    return isfinite(most) ? x->percentile[x->best] - most : (double)NAN;
}

/* ---- in words ---- */

void es_share_put(double value, es_buf *out) {
    char text[16];
    (void)snprintf(text, sizeof text, "%.2f", fabs(rint(value * 100) / 100));
    es_buf_printf(out, "%s%s", rint(value * 100) < 0 ? "-" : "", text[0] == '0' ? text + 1 : text);
}

void es_downstream_put_rho(const es_stat *rho, double low, double high, size_t n, size_t families,
                           double n_effective, es_buf *out) {
    if (!isfinite(rho->value)) {
        es_buf_printf(out, "rho not defined (%s)", rho->why ? rho->why : "not known");
        return;
    }
    es_buf_puts(out, "rho ");
    es_share_put(rho->value, out);
    if (isfinite(low)) {
        es_buf_puts(out, " [");
        es_share_put(low, out);
        es_buf_puts(out, ", ");
        es_share_put(high, out);
        es_buf_putc(out, ']');
    }
    es_buf_printf(out, "; %zu embedders", n);
    if (families < n)
        es_buf_printf(out, " of %zu famil%s count as %.0f independent one%s", families,
                      families == 1 ? "y" : "ies", n_effective, rint(n_effective) > 1 ? "s" : "");
}

void es_downstream_put_check(const es_downstream *x, const char *name, const bool *best,
                             es_buf *out) {
    es_buf_printf(out, "On your tasks the best is %s", name);
    if (x->equal > 0)
        es_buf_printf(out, " (%zu more %s as good)", x->equal, x->equal == 1 ? "is" : "are");
    es_buf_printf(out, "%s.",
                  best == NULL    ? ""
                  : best[x->best] ? ": in the set"
                                  : ": not in the set");
}

static const char *points(double loss) {
    return rint(loss) >= 1 && rint(loss) <= 1 ? "point" : "points";
}

void es_downstream_put_loss(const es_downstream *x, const bool *best, size_t m, es_buf *out) {
    double first = x->ranking.regret_first, dim = x->dimension.regret_first,
           advised = best ? es_downstream_advice_loss(x, best, m) : (double)NAN;
    es_buf_printf(out, "%s the first would have cost %.0f percentile %s downstream",
                  x->unscored > 0 ? "Of those with scores, picking" : "Picking", first,
                  points(first));
    if (isfinite(dim))
        es_buf_printf(out, " (by dimension alone: %.0f)", dim);
    es_buf_putc(out, '.');
    if (isfinite(advised))
        es_buf_printf(out, " The best of those to try would have cost %.0f.", advised);
}

void es_downstream_put_worth(const es_worth *worth, es_buf *out) {
    double count = worth->tasks;
    if (isnan(count))
        return;
    if (worth->with_task <= 0)
        es_buf_puts(out, "The ranking says nothing of a task.");
    else if (isinf(count))
        es_buf_puts(out, "The ranking says more of a task than all other tasks together.");
    else if (rint(count) < 1)
        es_buf_puts(out, "The ranking says less of a task than one labelled task would.");
    else
        es_buf_printf(out, "The ranking says of a task what about %.0f labelled task%s would.",
                      count, rint(count) > 1 ? "s" : "");
}

void es_downstream_put(const es_downstream *x, const char *name, const es_decision *decision,
                       es_buf *out) {
    const es_downstream_rank *r = &x->ranking;
    const bool *best = decision->said ? decision->best : NULL;
    es_buf_printf(out, "Downstream (%zu%s task%s%s): ", x->tasks, x->weighted ? " weighted" : "",
                  x->tasks == 1 ? "" : "s", x->controls > 0 ? ", without controls" : "");
    es_downstream_put_rho(&r->spearman, r->low, r->high, x->n, x->families, r->n_effective, out);
    es_buf_puts(out, ". ");
    es_downstream_put_check(x, name, best, out);
    es_buf_putc(out, ' ');
    es_downstream_put_loss(x, best, decision->m, out);
    if (!isnan(x->worth.tasks))
        es_buf_putc(out, ' ');
    es_downstream_put_worth(&x->worth, out);
}
