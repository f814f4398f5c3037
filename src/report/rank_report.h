/* The ranking of results, with everything that is said beside a score. */
#ifndef ES_REPORT_RANK_REPORT_H
#define ES_REPORT_RANK_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/ranking.h"
#include "results.h"

/** How scores are made, and how much is said beside them. */
typedef struct es_rank_choices {
    es_aggregate aggregate;
    bool include_self, leave_family_out;
    bool with_intervals; /* else `intervals` stays NULL */
    uint64_t seed;
} es_rank_choices;

/** Arrays are by position in the results. */
typedef struct es_rank_report {
    es_ranking *ranking;
    es_intervals *intervals; /* NULL when not asked for */
    uint32_t *order;         /* (m) best first, without a score last */
    uint32_t *family;        /* (m) of pool.json, else of the communities */
    uint32_t *community;     /* (m) 0, 1, ... largest first */
    bool has_community;
    es_score_rule rule;   /* in force; its family is the one above */
    const char *dominant; /* a member of the family that dominates the vote; NULL: none does */
} es_rank_report;

/** Scores, intervals, ties and families. Seeded; the rows that were stored with the pairs are
 * resampled where they are loaded. */
es_status es_rank_report_new(const es_results *results, const es_rank_choices *how,
                             es_rank_report **out, es_error *err);
void es_rank_report_free(es_rank_report *report);

#endif
