/* Why one embedder is ranked before another, and how sure that is. */
#ifndef ES_REPORT_EXPLAIN_H
#define ES_REPORT_EXPLAIN_H

#include "rank_report.h"

/** What one reference embedder adds to the difference. */
typedef struct es_explained_target {
    size_t target; /* position in the results */
    double a, b;   /* values of the two embedders */
    double adds;   /* to the difference; sums to it. NaN: the score is no mean */
} es_explained_target;

typedef struct es_explanation {
    size_t a, b;       /* positions: a is ranked before b */
    double difference; /* delta(a, b); of a score that is not the lead: of the scores, above 0 if a
                          is better */
    double error;      /* its standard error; NaN: not known */
    bool ahead;        /* a is shown ahead of b */
    size_t kinds;      /* that compare the two */
    es_explained_target *target; /* (targets) that compare both; what adds most to a first */
    size_t targets;
    uint32_t *tied; /* (tied_count) of which no difference from a is shown, best first */
    size_t tied_count;
} es_explanation;

/** report: with its decision. b SIZE_MAX: the next in the ranking, or for the last the one before.
 *  ES_EEMPTY: one of them has no rank, or there is none to compare with. */
es_status es_explanation_new(const es_rank_report *report, size_t a, size_t b, es_explanation **out,
                             es_error *err);
void es_explanation_free(es_explanation *explanation);

#endif
