/* A score against tasks. */
#ifndef ES_CORE_DOWNSTREAM_H
#define ES_CORE_DOWNSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base.h"
#include "embedscope/correlate.h"
#include "embedscope/stat.h"

/* How far measures of embedders agree, with each other and with downstream results. */

/** Kendall's tau-b of two columns over the embedders that both have. */
typedef struct es_agreement_cell {
    size_t n;
    es_stat tau;
    double low, high; /* 95 %, percentiles over resampled embedders, of `ahead` over resampled
                         families; NaN: undefined */
} es_agreement_cell;

/** Families from which on a difference of two scores has an interval. */
enum { ES_AGREE_FAMILIES = 5 };

typedef struct es_agreement {
    size_t k, n;
    es_agreement_cell *cell;        /* (k, k) symmetric; 1 on the diagonal */
    es_correlation_report *against; /* (k) each column with the downstream results; NULL: none */
    /* (k) Spearman with downstream minus that of the first column, over the same resamples of
     * whole families: does it predict better? Undefined for the first. NULL: none */
    es_agreement_cell *ahead;
    uint32_t *rank; /* (k, n) of each embedder by each column, 1 = best; 0: no value */
} es_agreement;

/** columns (k, n): a measure each, "higher is better", NaN where missing; downstream (n) likewise,
 * or NULL. The same 1,000 resamples of embedders for all tau, and of families (options->family) for
 * all differences (options->draws), by options->seed, so that differences are of pairs. O(draws k^2
 * n log n). ES_ENOMEM, ES_ECANCELED. */
es_status es_agreement_new(const double *columns, size_t k, const double *downstream, size_t n,
                           const es_correlate_options *options, const es_run *run,
                           es_agreement **out, es_error *err);
/** Only `against` and `ahead`; tau of the columns among each other has no interval (NaN). */
es_status es_agreement_of_downstream(const double *columns, size_t k, const double *downstream,
                                     size_t n, const es_correlate_options *options,
                                     es_agreement **out, es_error *err);
void es_agreement_free(es_agreement *agreement); /* NULL is allowed */

/* What a table of scores settles: models against tasks.
 *
 *   delta(a, b) = mean over the tasks that both have of score(a) - score(b)
 *   lead(a)     = mean over the other models of delta(a, .)
 *
 * Tasks are the sample. Those of one category share their errors if five categories are known; else
 * each task stands for itself. a is shown ahead of b if delta(a, b) is above what the largest of
 * the differences to b reaches in `level` of random draws under equal means (Gaussian multipliers
 * over categories, studentised), for as many other tasks as these: the variance of a difference is
 * that of both samples. Models that nobody is shown ahead of may be the best on those other tasks.
 * The lowest and the highest rank of a model count who is shown ahead of it, and behind it. */

/** Categories, or tasks, that are needed to say anything of other tasks. */
enum { ES_BOARD_CLUSTERS = 5 };

typedef struct es_board_problem {
    const double *value; /* (m, tasks) higher is better; NaN: missing */
    size_t m, tasks;
    const uint32_t
        *category;  /* (tasks) equal numbers below `tasks` are a category; NULL: unknown */
    unsigned draws; /* 0: 1,000, fewer for thousands of models */
    double level;   /* 0: 0.95 */
    uint64_t seed;
} es_board_problem;

typedef struct es_board {
    size_t m, tasks;
    size_t clusters;  /* that errors go by: categories, or tasks */
    bool by_category; /* clusters are categories */
    bool said;        /* there are enough of them for `best` and `ahead` */
    double level;
    size_t *count;     /* (m) tasks with a score */
    double *mean;      /* (m) over these; NaN: none */
    double *mean_rank; /* (m) over these, 1 the best, equal scores share the mean; NaN */
    double *borda;     /* (m) mean share of the others that it beats, an equal one half; NaN */
    double *lead;      /* (m) NaN: no task in common with anybody */
    uint32_t *order;   /* (m) by lead, highest first; equal ones by number; unknown ones last */
    uint32_t *rank;    /* (m) from 1, equal leads share it; 0: not ranked */
    uint32_t *rank_low, *rank_high; /* (m) 1 and m unless more is known; 0: not ranked */
    bool *best;                     /* (m) nobody is shown ahead of it; all false unless `said` */
    bool *ahead;                    /* (m, m) row is shown ahead of column */
    double *need; /* (tasks) share of the variance between the first and the other candidates
                     that is of this task; NaN unless two are candidates */
} es_board;

/** Seeded. ES_EINVAL: no model or no task.
 * ES_ENOMEM, ES_ECANCELED. O(m^2 clusters draws): 181 models, 41 tasks in .3 s. */
es_status es_board_new(const es_board_problem *problem, const es_run *run, es_board **out,
                       es_error *err);
void es_board_free(es_board *board);

/** Two models over the tasks that both have. */
typedef struct es_board_pair {
    size_t tasks, clusters; /* that both have */
    bool by_category;       /* clusters are categories */
    double lead;            /* mean of the first less the second; NaN: no task in common */
    double low, high; /* interval of the lead by Student's t, errors by cluster; NaN: fewer than
                         ES_BOARD_CLUSTERS clusters in common */
} es_board_pair;

/** Compares models a and b of a board. The interval is of this pair alone, and of tasks like these;
 *  es_board.ahead is of all pairs at once, and of as many other tasks. ES_ENOMEM. O(tasks). */
es_status es_board_pair_of(const es_board_problem *problem, size_t a, size_t b, es_board_pair *out,
                           es_error *err);

/* Rivals that are scored in several settings (a task with a classifier), as papers on training
 * objectives sum them up: the mean z-score and the mean rank of the accuracy, and how accuracy goes
 * with a number that was varied, such as the size of a batch. */

/** score (settings, rivals), higher is better, NaN missing. z (settings, rivals): score less the
 *  mean of its setting over the standard deviation (divisor n - 1), NaN where that is 0 or the
 *  score is missing. mean_z, mean_rank (rivals): over the settings that are known; rank 1 is the
 *  best, ties share. NaN: none is. ES_ENOMEM. */
es_status es_rivals_summarise(const double *score, size_t settings, size_t rivals, double *z,
                              double *mean_z, double *mean_rank, es_error *err);

/** Of z on x over rivals, one slope a setting. */
typedef struct es_rivals_slope {
    size_t settings;        /* in which two different x are known */
    double mean, low, high; /* 95 % interval of the mean, by Student's t */
    double t, p;            /* that the mean is 0, two-sided; df is settings - 1 */
} es_rivals_slope;

/** Least squares for each setting over the rivals listed (count) with x (count): z (settings, of).
 *  Everything that takes more settings than there are is NaN. A large p is no proof that x does not
 *  matter: that is what the interval says. */
es_rivals_slope es_rivals_slope_of(const double *z, size_t settings, size_t of, const size_t *rival,
                                   const double *x, size_t count);

/* What labelled tasks say of another task, each task left out in turn: the baselines that a ranking
 * without labels is measured by. */

/** All other tasks, and one, two and four of them, each alone and combined with the ranking. */
enum { ES_TASK_BASELINES = 8 };

typedef struct es_task_baseline {
    char name[32];   /* "leaderboard", "2 tasks + ranking" */
    size_t tasks;    /* labelled tasks that it takes */
    bool combined;   /* with the ranking, which counts as ES_COMBINE_TASKS tasks (worth.c) */
    double spearman; /* mean over the tasks left out; NaN: undefined of all */
} es_task_baseline;

/** Fills out (ES_TASK_BASELINES) and returns in *count how many there are: 0 of fewer than two
 * tasks; k tasks only if that is not all of the others; combined ones only with a score. score (n)
 * or NULL; task (tasks, n): higher is better, NaN missing. Tasks alone are the mean of the ranks
 * within each task, combined ones the mean of normal scores. Of the choices of k tasks all are
 * taken or, of many, up to 50 drawn by the seed; of more than ES_WORTH_TASKS tasks as many, evenly
 * spread. O(tasks (2000 + tasks) n log n). ES_ENOMEM. */
es_status es_task_baselines_of(const double *score, const double *task, size_t tasks, size_t n,
                               uint64_t seed, es_task_baseline *out, size_t *count, es_error *err);

/* What a ranking adds to labelled tasks: how many tasks it is worth, and a ranking by both. */

/** The ranking counts as this many tasks in a combination. */
#define ES_COMBINE_TASKS 2.0
/** Of more tasks than this many, as many are taken, evenly spread. */
enum { ES_WORTH_TASKS = 100 };

typedef struct es_worth {
    double with_task, between; /* mean Spearman of the score with a task, and between two tasks */
    double tasks; /* labelled tasks that predict another task as well as the score does: 0 if
                     with_task <= 0, INFINITY if all other tasks together do not, NaN: not known */
} es_worth;

/** Computes q^2 (1 - c) / (c (c - q^2)), where q is with_task and c is between: the mean of k tasks
 *  reaches a correlation of k c / sqrt(k + k (k - 1) c) with another task. Everything is NaN if no
 *  task or no two tasks have a correlation, and the worth if fewer than seven embedders have the
 *  score and a task. score (n), task (tasks, n): higher is better, NaN
 *  missing; a pair of columns is correlated over the embedders with both values.
 *  O(tasks^2 n log n). ES_ENOMEM. */
es_status es_worth_of(const double *score, const double *task, size_t tasks, size_t n,
                      es_worth *out, es_error *err);

/** Computes with_task alone; NaN if it is undefined. O(tasks n log n). ES_ENOMEM. */
es_status es_worth_with_task(const double *score, const double *task, size_t tasks, size_t n,
                             double *out, es_error *err);

/** Normal scores of v (n), NaN missing: the standard normal quantile of (mid-rank - 1/2) / known.
 *  ES_ENOMEM. */
es_status es_normal_scores(const double *v, size_t n, double *out, es_error *err);
/** out (n): mean of the normal scores of the tasks (tasks, n), a missing value counting as 0, and
 * of `weight` times those of score (n); score NULL: of the tasks alone. NaN if the embedder has no
 *  score. Higher is better. ES_ENOMEM. */
es_status es_combine_tasks(const double *score, double weight, const double *task, size_t tasks,
                           size_t n, double *out, es_error *err);

/* Spearman's correlation of two rankings whose embedders come in families. */

/** Everything is NaN if rho is undefined. */
typedef struct es_independent {
    es_stat rho;        /* undefined: "n < 3", "constant" */
    size_t n, families; /* embedders with both values, and families among them */
    double effective;   /* number of independent embedders that these count as; 1 .. n */
    double p;           /* two-sided: that rho is 0 */
    double low, high;   /* interval of rho */
} es_independent;

/** Computes Spearman's rho of x and y (n), NaN missing, and how sure it is. family (n): equal
 *  numbers belong together; NULL: each embedder is its own family. level: of the interval, such as
 *  0.95.
 *
 *  Let P and Q be the centred correlation matrices of the embedders in the two rankings: 1 on the
 *  diagonal, the intraclass correlation of the ranks (one-way analysis of variance, within 0 .. 1)
 *  inside a family. Then effective = min(n, 1 + tr(P) tr(Q) / tr(PQ)) (Clifford, Richardson and
 *  Hemon 1989). p is of Student's t with effective - 2 degrees of freedom (at least 1), the
 *  interval Fisher's, with the standard error sqrt((1 + rho^2 / 2) / (effective - 3)) of Bonett and
 *  Wright (2000); effective - 3 is at least 1. For both a rho of 1 counts as half a step less.
 *  O(n log n). ES_ENOMEM. */
es_status es_independent_spearman(const double *x, const double *y, const uint32_t *family,
                                  size_t n, double level, es_independent *out, es_error *err);

/** Numbers the families of the embedders with keep[i] (NULL: all) from 0 in `out` (n; others
 *  UINT32_MAX), in the order of their first embedder. Returns how many there are. O(n^2). */
size_t es_independent_families(const uint32_t *family, const bool *keep, size_t n, uint32_t *out);

#endif
