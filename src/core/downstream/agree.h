/* How far measures of embedders agree, with each other and with downstream results. */
#ifndef EMBEDSCOPE_AGREE_H
#define EMBEDSCOPE_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/correlate.h"
#include "run.h"
#include "embedscope/status.h"

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

/** The same in steps, for an owner that must not wait. After es_agreer_new the report holds all
 * tau, without intervals (NaN); `against` and `ahead` come column by column: n is 0 until then. The
 *  columns are copied. */
typedef struct es_agreer es_agreer;
es_status es_agreer_new(const double *columns, size_t k, const double *downstream, size_t n,
                        const es_correlate_options *options, es_agreer **out, es_error *err);
/** Before the first step: no tau of columns among each other gets an interval, only `against` and
 *  `ahead` are drawn. */
void es_agreer_only_against(es_agreer *agreer);
/** About so many of the draws, O(draws n log n). *whole: all are made, and the report is
 *  es_agreement_new's, to the bit. */
es_status es_agreer_step(es_agreer *agreer, size_t draws, bool *whole, es_error *err);
const es_agreement *es_agreer_report(const es_agreer *agreer);
void es_agreer_free(es_agreer *agreer); /* NULL is allowed */

/** The mean over tasks of each embedder's scores (n, tasks), for those that have them all; NaN for
 * the others. Returns how many have one. */
size_t es_mean_score(const double *scores, size_t n, size_t tasks, double *out);

#endif
