/* Sums over tasks. Ranks are taken among the embedders that have every task. */
#include "report_answer.h"

#include <math.h>
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
