/* Coefficients with their intervals, as documents of several commands write them. */
#ifndef ES_CLI_COEFFICIENTS_H
#define ES_CLI_COEFFICIENTS_H

#include "agree_scores.h"
#include "table_out.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): texts that are put together */
/** Three columns: the coefficient and the ends of its interval. name: "spearman", as text. */
#define ES_COEFFICIENT_COLUMNS(name)                                                               \
    {.key = name, .title = name, .kind = ES_COLUMN_NUMBER, .decimals = 2},                         \
        {.key = name "_low",                                                                       \
         .title = "low",                                                                           \
         .kind = ES_COLUMN_NUMBER,                                                                 \
         .decimals = 2,                                                                            \
         .flags = ES_COLUMN_LOW},                                                                  \
    {                                                                                              \
        .key = name "_high", .title = "high", .kind = ES_COLUMN_NUMBER, .decimals = 2              \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/** Fills them; NULL: nothing is known. */
void es_coefficient_put(es_table_out *table, const es_correlation_report *report,
                        es_correlation kind);
/** "spearman": 0.8, "spearman_ci": [0.5, 0.9]. */
void es_coefficient_json(es_json *json, const es_correlation_report *report, es_correlation kind);
/** "; 95 % each; of 37 about 2 are wrong by chance": of so many comparisons with an interval;
 * nothing of a single one. */
void es_comparisons_put(size_t count, es_buf *out);
/** How many columns have an interval of how far they are ahead. */
size_t es_comparisons_of(const es_agree_scores *scores);
/** A line for every measure or estimator whose values here have something to be minded. */
void es_agree_remarks(const es_agree_scores *scores, es_buf *out);
/** "agreement": Kendall's tau-b of every two columns. */
void es_agreement_json(es_json *json, const es_agree_scores *scores);

#endif
