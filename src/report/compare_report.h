/* What is said about two or three embedders side by side. */
#ifndef ES_REPORT_COMPARE_REPORT_H
#define ES_REPORT_COMPARE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "rank_report.h"

#include "embedscope/compare.h"
#include "engine_requests.h"
#include "io_scores.h"
#include "engine_session.h"

typedef struct es_compared_of {
    const size_t *model; /* (count, 2 or 3) positions in the results */
    size_t count;
    bool with_derived; /* as targets, too */
} es_compared_of;
/** Computes the comparison that every surface shows. ES_ENOMEM. */
es_status es_compared_new(const es_results *results, const es_compared_of *of, es_comparison **out,
                          es_error *err);

/** A row that one of a pair captures and the other does not. */
typedef struct es_captured {
    size_t by, not_by; /* positions among the compared */
    size_t k;          /* number of the per-row value */
    double difference; /* of their per-row values, mean over targets; above 0 */
} es_captured;

typedef struct es_compare_report {
    const es_results *results; /* borrowed */
    es_comparison *comparison;
    es_rank_report *rank;
    const es_scores *scores; /* NULL: none */
    size_t in_scores[ES_COMPARE_MOST];
    es_row_source rows;
    es_captured *captured; /* (n_captured) pair by pair, largest first */
    size_t n_captured;
} es_compare_report;

typedef struct es_compare_choices {
    const size_t *models; /* (count, 2 or 3) positions in the results */
    size_t count;
    size_t top;              /* rows each way for each pair, where values per row are loaded */
    const es_scores *scores; /* joined by equal names; NULL: none */
    es_rank_choices rank;    /* with intervals */
} es_compare_choices;

es_status es_compare_report_new(es_session *session, size_t entry, const es_compare_choices *how,
                                es_compare_report **out, es_error *err);
void es_compare_report_free(es_compare_report *report);

/** How an embedder stands in the ranking; NaN, 0 and NULL where it is not ranked, as a derived one
 *  is not. `model`: position in the results. */
typedef struct es_standing {
    double score, low, high, in;
    size_t sources, of;                 /* whose values `in` is the median of, and of how many */
    uint32_t rank, rank_low, rank_high; /* its interval; 0: none */
} es_standing;
es_standing es_compare_standing(const es_compare_report *report, size_t model);

/** es_compared_sentence with the embedders' names. */
void es_compare_put_verdict(const es_compare_report *report, size_t pair, es_buf *out);

#endif
