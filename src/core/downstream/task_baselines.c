/* Each task left out in turn and predicted from the others, from ranks and normal scores that are
 * made once. */
#include "core_downstream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_numerics.h"

enum { MOST_CHOICES = 50, LEAST_CHOICES = 10, ALL_CHOICES = 2000, MOST_CHOSEN = 4 };

typedef struct work {
    size_t tasks, n, choices; /* choices of k tasks for each task left out, at most */
    const double *score;      /* NULL: none */
    double *task;             /* (tasks, n) as given */
    double *share;            /* (tasks, n) rank within the task, 0 .. 1; NaN missing */
    double *normal;           /* (tasks, n) normal score; 0 missing */
    double *lead;             /* (n) normal scores of the ranking */
    double *value, *x, *y;    /* (n) scratch */
    uint64_t seed;
} work;

static void work_deinit(work *w) {
    es_free(w->task);
}

/* Copies a task and its normal scores. */
static es_status take_task(work *w, size_t t, const double *from, es_error *err) {
    double *share = w->share + t * w->n, *normal = w->normal + t * w->n;
    memcpy(w->task + t * w->n, from, w->n * sizeof *from);
    es_status st = es_normal_scores(from, w->n, normal, err);
    for (size_t i = 0; st == ES_OK && i < w->n; i++) {
        share[i] = es_normal_cdf(normal[i]);
        normal[i] = isnan(normal[i]) ? 0 : normal[i];
    }
    return st;
}

static es_status work_init(const double *score, const double *task, size_t tasks, size_t n,
                           uint64_t seed, work *w, es_error *err) {
    size_t taken = tasks < ES_WORTH_TASKS ? tasks : ES_WORTH_TASKS;
    *w = (work){.tasks = taken, .n = n, .score = score, .seed = seed};
    w->task = es_alloc((3 * taken + 4) * n + 1, sizeof *w->task);
    if (w->task == NULL)
        return es_no_memory_for(err, "the baselines of %zu tasks", tasks);
    w->share = w->task + taken * n;
    w->normal = w->share + taken * n;
    w->lead = w->normal + taken * n;
    w->value = w->lead + n;
    w->x = w->value + n;
    w->y = w->x + n;
    w->choices = ALL_CHOICES / (taken + 1);
    w->choices = w->choices > MOST_CHOICES    ? MOST_CHOICES
                 : w->choices < LEAST_CHOICES ? LEAST_CHOICES
                                              : w->choices;
    es_status st = score ? es_normal_scores(score, n, w->lead, err) : ES_OK;
    for (size_t t = 0; st == ES_OK && t < taken; t++)
        st = take_task(w, t, task + t * tasks / taken * n, err);
    return st;
}

/* ---- a prediction ---- */

/* value: mean over the chosen tasks (count) that an embedder has, or, with the ranking, of all. */
static void predict(work *w, const size_t *chosen, size_t count, bool combined) {
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0, known = 0;
        for (size_t k = 0; k < count; k++) {
            double share = w->share[chosen[k] * w->n + i];
            if (combined) {
                sum += w->normal[chosen[k] * w->n + i];
            } else if (!isnan(share)) {
                sum += share;
                known += 1;
            }
        }
        double value = combined    ? sum + ES_COMBINE_TASKS * w->lead[i]
                       : known > 0 ? sum / known
                                   : (double)NAN;
        w->value[i] = rint(value * 1e9) / 1e9; /* of equal parts it is equal */
    }
}

/* Spearman of `value` with task `out`, over the embedders that also have a score. */
static es_status judge(work *w, size_t out, double *sum, size_t *count, es_error *err) {
    size_t both = 0;
    es_stat rho;
    for (size_t i = 0; i < w->n; i++) {
        double y = w->task[out * w->n + i];
        if (!isfinite(w->value[i]) || !isfinite(y) || (w->score && !isfinite(w->score[i])))
            continue;
        w->x[both] = w->value[i];
        w->y[both++] = y;
    }
    if (both < 3)
        return ES_OK;
    es_status st = es_correlate(ES_SPEARMAN, w->x, w->y, both, &rho, err);
    if (st == ES_OK && !rho.why) {
        *sum += rho.value;
        ++*count;
    }
    return st;
}

/* ---- which tasks ---- */

/* Choices of k of n, or MOST_CHOICES + 1 if there are more. */
static size_t choices_of(size_t n, size_t k) {
    double count = 1;
    for (size_t i = 0; i < k; i++)
        count = count * (double)(n - i) / (double)(i + 1);
    return count > MOST_CHOICES ? MOST_CHOICES + 1 : (size_t)rint(count);
}

/* The next choice of k of 0 .. n - 1 in order; false: that was the last. */
static bool next_choice(size_t *chosen, size_t k, size_t n) {
    size_t at = k;
    while (at > 0 && chosen[at - 1] == n - k + at - 1)
        at--;
    if (at == 0)
        return false;
    chosen[at - 1]++;
    for (; at < k; at++)
        chosen[at] = chosen[at - 1] + 1;
    return true;
}

static void draw_choice(es_rng *rng, size_t *chosen, size_t k, size_t n) {
    for (size_t i = 0; i < k; i++) {
        bool taken = true;
        while (taken) {
            chosen[i] = es_rng_below(rng, n);
            taken = false;
            for (size_t j = 0; j < i; j++)
                taken = taken || chosen[j] == chosen[i];
        }
    }
}

/* The numbers of others than `out`. */
static void step_over(const size_t *chosen, size_t k, size_t out, size_t *tasks) {
    for (size_t i = 0; i < k; i++)
        tasks[i] = chosen[i] + (chosen[i] >= out);
}

/* Mean over choices of k other tasks of how well they predict task `out`. */
static es_status leave_out(work *w, size_t out, size_t k, bool combined, double *mean,
                           es_error *err) {
    size_t others = w->tasks - 1, all = choices_of(others, k), count = 0;
    size_t chosen[MOST_CHOSEN] = {0, 1, 2, 3}, tasks[MOST_CHOSEN];
    bool draws = all > w->choices, more = true;
    double sum = 0;
    es_status st = ES_OK;
    es_rng rng;
    es_rng_init(&rng, w->seed, es_rng_stream(ES_STREAM_SAMPLE, out * (MOST_CHOSEN + 1) + k));
    for (size_t d = 0; more && st == ES_OK; d++) {
        if (draws)
            draw_choice(&rng, chosen, k, others);
        step_over(chosen, k, out, tasks);
        predict(w, tasks, k, combined);
        st = judge(w, out, &sum, &count, err);
        more = draws ? d + 1 < w->choices : next_choice(chosen, k, others);
    }
    *mean = count > 0 ? sum / (double)count : (double)NAN;
    return st;
}

/* The same of all other tasks. */
static es_status leave_one_out(work *w, size_t out, bool combined, double *mean, es_error *err) {
    size_t count = 0, at = 0;
    double sum = 0;
    size_t *others = es_alloc(w->tasks, sizeof *others);
    if (others == NULL)
        return es_no_memory(err);
    for (size_t t = 0; t < w->tasks; t++)
        if (t != out)
            others[at++] = t;
    predict(w, others, at, combined);
    es_free(others);
    es_status st = judge(w, out, &sum, &count, err);
    *mean = count > 0 ? sum : (double)NAN;
    return st;
}

/* Averages over tasks how well the others predict one: all others (k = 0), or k of them. */
static es_status mean_over_tasks(work *w, size_t k, bool combined, es_task_baseline *out,
                                 es_error *err) {
    double sum = 0, one = 0;
    size_t known = 0;
    es_status st = ES_OK;
    for (size_t t = 0; t < w->tasks && st == ES_OK; t++) {
        st = k == 0 ? leave_one_out(w, t, combined, &one, err)
                    : leave_out(w, t, k, combined, &one, err);
        if (st == ES_OK && !isnan(one)) {
            sum += one;
            known++;
        }
    }
    *out = (es_task_baseline){.tasks = k == 0 ? w->tasks - 1 : k,
                              .combined = combined,
                              .spearman = known > 0 ? sum / (double)known : (double)NAN};
    if (k == 0)
        (void)snprintf(out->name, sizeof out->name, "leaderboard%s", combined ? " + ranking" : "");
    else
        (void)snprintf(out->name, sizeof out->name, "%u task%s%s", (unsigned)k % 100,
                       k == 1 ? "" : "s", combined ? " + ranking" : "");
    return st;
}

es_status es_task_baselines_of(const double *score, const double *task, size_t tasks, size_t n,
                               uint64_t seed, es_task_baseline *out, size_t *count, es_error *err) {
    static const size_t chosen[] = {0, 1, 2, MOST_CHOSEN}; /* 0: all others */
    work w = {0};
    es_status st = ES_OK;
    *count = 0;
    if (tasks < 2)
        return ES_OK;
    ES_TRY(work_init(score, task, tasks, n, seed, &w, err));
    for (size_t c = 0; c < sizeof chosen / sizeof *chosen; c++)
        for (int combined = 0; combined < (score ? 2 : 1); combined++) {
            if (chosen[c] + 1 >= w.tasks)
                continue;
            ES_TRY(mean_over_tasks(&w, chosen[c], combined == 1, &out[*count], err));
            ++*count;
        }
done:
    work_deinit(&w);
    return st;
}
