/* Why one embedder stands before another, and how sure that is. */
#ifndef ES_REPORT_EXPLAIN_H
#define ES_REPORT_EXPLAIN_H

#include "rank_report.h"

/** What one target, or family of targets with one vote, adds to the difference. */
typedef struct es_explained_target {
    size_t target; /* position in the results */
    double a, b;   /* of the two embedders */
    double adds;   /* to the difference of the means; sums to it. NaN where the score is no mean */
} es_explained_target;

typedef struct es_explanation {
    size_t a, b;       /* positions: a stands before b, or as it was asked for */
    double difference; /* of means over the targets that judge both, above 0: for a. Of the scores
                          where these are no means */
    double se[ES_SCOPES]; /* of it; NaN: not known */
    bool separated[ES_SCOPES];
    es_explained_target *target; /* (targets) that judge both; what adds most to a first */
    size_t targets;
    uint32_t *tied; /* (tied_count) that are not separated from a in the decision's scope, best
                       first */
    size_t tied_count;
    es_settling settling; /* of a and b */
    size_t rows_now;      /* evaluated rows that stand behind it; 0: not known, as of a file */
} es_explanation;

/** report: with its decision. b SIZE_MAX: the next in the ranking, or for the last the one before.
 *  ES_EEMPTY: one of them has no score, or there is nobody to compare with. */
es_status es_explanation_new(const es_rank_report *report, size_t a, size_t b, es_explanation **out,
                             es_error *err);
void es_explanation_free(es_explanation *explanation);

#endif
