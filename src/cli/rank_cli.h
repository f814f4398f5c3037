/* The ranking of results, with everything that is said beside a score. */
#ifndef ES_CLI_RANK_CLI_H
#define ES_CLI_RANK_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

#include "bootstrap.h"
#include "buf.h"
#include "embedscope/ranking.h"
#include "embedscope/results.h"

/** es_ranking_new, the right way round for an estimator where lower is better. */
es_status es_rank_results(const es_results *results, const es_score_rule *rule, es_ranking **out,
                          es_error *err);

/** order (m): positions by name, so that results do not depend on the order of a file. */
es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err);

/** True for an estimator of errors. */
bool es_rank_lower_is_better(const es_results *results);

/** Communities of the matrix with the defaults of `tree`: group (m) gets 0, 1, ... largest first.
 *  *known is false where lower values are better, which is no weight of an edge. */
es_status es_rank_communities(const es_results *results, uint64_t seed, uint32_t *group,
                              bool *known, es_error *err);

/** A line on the zero line of the results, for below a table; nothing where there is none. */
void es_rank_null_caption(const es_results *results, es_buf *out);

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

/** Scores, intervals, ties and families as the options ask. Seeded; the rows that were stored with
 * the pairs are resampled where they are loaded. */
es_status es_rank_report_new(const es_results *results, const es_options *options,
                             bool with_intervals, es_rank_report **out, es_error *err);
void es_rank_report_free(es_rank_report *report);

#endif
