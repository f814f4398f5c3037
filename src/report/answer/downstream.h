/* The downstream question, asked the same way everywhere: do the embedders that rank high do well
 * on the tasks of scores.csv? Embedders: those of es_downstream_groups. Tasks: their mean rank
 * (task_columns.h), or the only task. */
#ifndef ES_REPORT_DOWNSTREAM_H
#define ES_REPORT_DOWNSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "core_ranking.h"
#include "embedscope/correlate.h"
#include "engine_results.h"
#include "io_scores.h"
#include "engine_session.h"
#include "core_downstream.h"

/** Tasks from which on a score's worth in tasks is reported, and the embedders advised at most. */
enum { ES_DOWNSTREAM_WORTH = 5, ES_DOWNSTREAM_ADVICE = 5 };

/** Finds which embedders count downstream, and which belong together. counts (m): false for
 * controls, derived embedders and those that are not ranked. family (m): equal numbers for
 * embedders of one named family, those without a name being alone; of one kind if none is named.
 * decision, of the embedders of `of`, which are matched by name; NULL: not known, so all are
 * ranked, and each is alone. O(m^2). */
void es_downstream_groups(const es_results *results, const es_results *of,
                          const es_decision *decision, bool *counts, uint32_t *family);
/** The same by the ranking of a session that nothing was chosen for. */
es_status es_downstream_groups_of(es_session *session, const es_results *results, bool *counts,
                                  uint32_t *family, es_error *err);

/** The column of task_columns.h that stands for all tasks: the mean rank, or the only task. */
size_t es_downstream_column(const es_scores *scores);
/** Takes the embedders that do not count out of row (m): SIZE_MAX. */
void es_downstream_rows(const bool *counts, size_t m, size_t *row);

/** Of one way to rank. NaN: not known. */
typedef struct es_downstream_rank {
    es_stat spearman;      /* with the mean rank */
    double low, high;      /* 95 %, by n_effective */
    double n_effective, p; /* correlate.h */
    double regret_first;   /* percentile points that picking the first costs against the best */
} es_downstream_rank;

typedef struct es_downstream {
    size_t n, tasks;    /* embedders with a score and every task; tasks that compare two of them */
    size_t families;    /* of these embedders */
    size_t controls;    /* left out */
    double *percentile; /* (m) mean percentile over tasks, 100 = best; NaN: not among the n */
    double *score;      /* (m) the ranking's, higher is better; NaN: none */
    size_t best;        /* downstream, of equal ones that of the higher score; SIZE_MAX: none */
    size_t equal;       /* others that are as good downstream */
    bool weighted;      /* the mean is, by unequal weights of tasks.csv */
    size_t unscored;    /* without every task, and before the fifth that has them: what picking the
                           first costs is not theirs */
    es_downstream_rank ranking, dimension;
    es_worth worth; /* of the ranking; NaN with fewer than ES_DOWNSTREAM_WORTH tasks */
} es_downstream;

/** decision: of these results (es_downstream_groups). score (m): higher is better, NaN: none.
 * Joined by equal names. *out NULL when fewer than three embedders have a score and every task.
 * O(m^2 + tasks^2 m log m). ES_ENOMEM. */
es_status es_downstream_new(const es_results *results, const es_decision *decision,
                            const double *score, const es_scores *scores, es_downstream **out,
                            es_error *err);
void es_downstream_free(es_downstream *downstream); /* NULL is allowed */

/** Percentile of value i among the known ones of n, 100 = highest; NaN: it is not known, or no
 * other one differs, so that nobody is compared. */
double es_downstream_percentile(const double *value, size_t n, size_t i);
/** percentile (m): mean over tasks among the embedders that count, have a score (m; NULL: all do)
 * and every task; NaN for the others, and for all of them if no task tells two apart. */
es_status es_downstream_percentiles(const es_results *results, const es_results *of,
                                    const es_decision *decision, const double *score,
                                    const es_scores *scores, double *percentile, es_error *err);
/** A weighted mean of percentiles, to nine decimals: equal ones are equal whatever they were added
 *  up from, and their ranks are those of a tie. */
double es_percentile_mean(double sum, double weights);
/** Returns the percentile points lost by choosing the best of the first `count` by score (m),
 * higher is better, against the best of all that have both: of equal scores, what is lost on
 * average over their orders. NaN: none has. O(m^2). */
double es_downstream_regret(const double *score, const double *percentile, size_t m, size_t count);
/** Percentile points that the best of the advised embedders is behind the best of all: the first
 *  five of the set best (m) by score. NaN: none of them has a percentile. O(m^2). */
double es_downstream_advice_loss(const es_downstream *downstream, const bool *best, size_t m);

/* ---- in words ---- */

/** "rho .78 [.47, .93]; 35 embedders of 12 families count as 18 independent ones". */
void es_downstream_put_rho(const es_stat *rho, double low, double high, size_t n, size_t families,
                           double n_effective, es_buf *out);
/** "On your tasks the best is B (1 more is as good): in the set." best (m): the set of the best;
 * NULL: there is none. name: of the downstream best. */
void es_downstream_put_check(const es_downstream *downstream, const char *name, const bool *best,
                             es_buf *out);
/** "Picking the first would have cost 0 percentile points downstream (by dimension alone: 20)."
 * and, with a set, what the advised embedders would have cost. m: of best. */
void es_downstream_put_loss(const es_downstream *downstream, const bool *best, size_t m,
                            es_buf *out);
/** "The ranking says of a task what about 2 labelled tasks would."; nothing if the worth is not
 *  known. */
void es_downstream_put_worth(const es_worth *worth, es_buf *out);
/** All of these, to follow the bottom line. */
void es_downstream_put(const es_downstream *downstream, const char *name,
                       const es_decision *decision, es_buf *out);

/** Writes ".78", "-.02", "1.00". */
void es_share_put(double value, es_buf *out);

#endif
