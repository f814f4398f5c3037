/* Two or three embedders side by side: does one contain the other? */
#ifndef EMBEDSCOPE_COMPARE_H
#define EMBEDSCOPE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the IS between two embedders A and B says. c(A->B) is the cover: IS(A->B) over IS(B->B). g
 * = c(B->A) - c(A->B). z is the normal quantile for 95 %, errors are the pairs' standard errors (0
 * where not known) times 1.2 for the noise of fitting; that of g is of the rows that both pairs
 * share, where their values are known, else as if the pairs were independent. Where only values by
 * blocks of rows are given, they make the errors, and z is Student's, as in a ranking. What A and B
 * say of themselves counts as exact. c is surely at least half where c - z error(c) >= 0.5, surely
 * less where c + z error(c) < 0.5. With the thresholds below:
 *
 *   - CONTAINS: the container surely simulates at least half of the other, and surely more than it
 *     is simulated, by 0.05 or more: g >= 0.05, and g - z error(g) > 0
 *   - EQUIVALENT: both surely at least half, and g is surely small: |g| + z error(g) < 0.05
 *   - NEITHER: both surely less
 *   - NOT_SEPARABLE: what lies between
 *   - UNKNOWN: one of the two pairs is missing, or what A or B says of itself is missing or not
 *     above 0, or no whole (es_comparison_without_shares) */
typedef enum es_verdict {
    ES_VERDICT_UNKNOWN,
    ES_VERDICT_A_CONTAINS_B,
    ES_VERDICT_B_CONTAINS_A,
    ES_VERDICT_EQUIVALENT,
    ES_VERDICT_NEITHER,
    ES_VERDICT_NOT_SEPARABLE
} es_verdict;

/** "equivalent", "neither contains the other", "not settled", "not known"; "contains" for both
 *  containments: write the name of the container before it and the other's behind. */
const char *es_verdict_text(es_verdict verdict);

enum { ES_COMPARE_MOST = 3 };

typedef struct es_compared_pair {
    size_t a, b; /* positions in the list given, a < b */
    es_verdict verdict;
    double gap, gap_error; /* g and its standard error; NaN: not known */
    bool without_errors;   /* a known value has no standard error, and a verdict takes it as 0 */
} es_compared_pair;

/** A target and how the compared embedders simulate it. */
typedef struct es_compared_target {
    size_t target;
    double value[ES_COMPARE_MOST];
    double difference; /* first minus second of two; largest minus smallest of three */
    double error; /* its standard error: from paired rows where both are known, times 1.2 for the
                     noise of fitting; NaN: not known */
    bool clear;   /* |difference| > z error, where z is for all pairs of the compared at once
                     (Bonferroni): which two of three differ most is seen from the values */
} es_compared_target;

typedef struct es_comparison {
    size_t count, model[ES_COMPARE_MOST];
    double is[ES_COMPARE_MOST][ES_COMPARE_MOST], se[ES_COMPARE_MOST][ES_COMPARE_MOST];
    double cover[ES_COMPARE_MOST][ES_COMPARE_MOST];
    double z; /* errors to either side of a 95 % interval */
    es_compared_pair pair[ES_COMPARE_MOST];
    size_t pairs;                /* 1 or 3: (0,1), (0,2), (1,2) */
    es_compared_target *targets; /* (n_targets) known for all compared, by falling |difference| */
    size_t n_targets;
    bool without_shares; /* es_comparison_without_shares */
    bool *left_out;      /* (m) es_comparison_leave_out; NULL: none */
} es_comparison;

/** se (m, m) may be NULL; pmi (m, m) pointers to (n_eval) or NULL, as in es_bootstrap: where se has
 * none, the standard error of their mean is taken. models: count (2 or 3) different indices.
 * Targets include the compared themselves. ES_EINVAL otherwise.
 */
es_status es_comparison_new(const double *is, const double *se, float *const *pmi, size_t n_eval,
                            size_t m, const size_t *models, size_t count, es_comparison **out,
                            es_error *err);
void es_comparison_free(es_comparison *comparison);

/** For values by an estimator whose value of an embedder with itself is no whole: none that others
 *  can reach, or less than they do. Covers become NaN, verdicts UNKNOWN; the rest stays. */
void es_comparison_without_shares(es_comparison *comparison);

/** Embedders that are no targets: those of out (m), except the compared themselves. They leave
 *  the targets, and es_compared_rows_new goes without them. ES_ENOMEM. */
es_status es_comparison_leave_out(es_comparison *comparison, const bool *out, size_t m,
                                  es_error *err);

/** Is c(a->b) of two positions surely at least half (1), surely less (-1), or neither is sure (0)?
 *  0 where it is not known. */
int es_compared_half(const es_comparison *comparison, size_t a, size_t b);

/** Is |g| of a pair surely small, |g| + z error(g) < 0.05? False where it is not known. */
bool es_compared_near(const es_comparison *comparison, size_t pair);

/** Evaluated rows by falling |a - b| of their per-row values for one target: what one embedder
 * captures and the other does not. row (n): all rows in that order, rows that are not finite last.
 */
es_status es_compare_rows(const float *pmi_a, const float *pmi_b, size_t n, uint32_t *row,
                          es_error *err);

/** What one of a pair captures and the other does not, by rows: the difference of their per-row
 * values, each the mean over the targets that both have values for. The compared themselves count
 * as targets only where there is no other. */
typedef struct es_compared_rows {
    size_t n;           /* evaluated rows */
    double *difference; /* (n) first minus second of the pair; not finite: not known */
    uint32_t *row;      /* (n) rows by falling |difference|, those not known last */
    size_t targets;     /* the means are over so many */
} es_compared_rows;

/** pmi (m, m) as in es_comparison_new; target: this one alone, SIZE_MAX: the mean over all.
 *  ES_EEMPTY: no values per row are known for both. O(m n_eval). */
es_status es_compared_rows_new(float *const *pmi, size_t n_eval, size_t m,
                               const es_comparison *comparison, size_t pair, size_t target,
                               es_compared_rows **out, es_error *err);
void es_compared_rows_free(es_compared_rows *rows);

/* Whether one row decides what a pair of embedders scores. */

/** The row of pmi (n), nats per dimension and row, without which their mean would differ by more
 * than both two of the standard errors and a quarter of the mean that are left: a standard error
 * that such a row makes as well says nothing (-115 +- 117 was one row of 300). SIZE_MAX: no row
 * does, or there are fewer than three, or a value is not finite. *without: the mean of the others.
 * Of 1,488 pairs of three real pools by three estimators none had such a row; of 96 whose target
 * has one spoiled row, where targets are not limited, 84 (the others have no information to spoil).
 * (A share of more than a tenth of the absolute deviation, which marks as many of the spoiled,
 * marks 14 of the 1,488, though none of them changes by a quarter without it.) O(n). */
size_t es_row_decides(const float *pmi, size_t n, double *without);

#ifdef __cplusplus
}
#endif
#endif
