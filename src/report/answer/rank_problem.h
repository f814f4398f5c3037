/* What a ranking is decided from, made of results: one for commands and the explorer. */
#ifndef ES_REPORT_RANK_PROBLEM_H
#define ES_REPORT_RANK_PROBLEM_H

#include "core_ranking.h"
#include "engine_results.h"

typedef struct es_rank_source {
    const es_results *results;
    const double *is;            /* (m, m) what may be compared; NULL: results->is */
    const double *unit;          /* (m) by which `is` of each target is multiplied; NULL: 1 */
    const es_results *relations; /* by the default score, which hold the information matrix: of the
                                    same embedders, or with derived ones; NULL: not known */
    bool by_lead;
    es_score_rule rule; /* of other scores; copied, what it points to is borrowed */
    bool order_only;
    uint64_t seed;
} es_rank_source;

typedef struct es_rank_problem {
    es_decision_problem problem; /* borrows from the source and from what follows */
    uint32_t *number;            /* (3, m) order by name, family, series */
    bool *control;               /* (m) */
    es_results *relations;       /* without derived embedders; NULL: borrowed ones or none */
} es_rank_problem;

es_status es_rank_problem_init(const es_rank_source *source, es_rank_problem *out, es_error *err);
void es_rank_problem_deinit(es_rank_problem *problem); /* all zero bytes is allowed */

#endif
