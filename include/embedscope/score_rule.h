/* How the values of a source are summed up into its score. */
#ifndef EMBEDSCOPE_SCORE_RULE_H
#define EMBEDSCOPE_SCORE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum es_aggregate {
    ES_AGGREGATE_MEDIAN, /* over targets; the published score (Darrin et al. 2024) */
    ES_AGGREGATE_MEAN,
    ES_AGGREGATE_QUANTILE, /* linear interpolation, es_score_rule.quantile */
    ES_AGGREGATE_TRIMMED,  /* mean without floor(trim n) values at each end */
    ES_AGGREGATE_BALANCED, /* weighted median, each target weighing 1 / so many of its family as
                              vote on the source: without itself, and what is not known */
    ES_AGGREGATE_FAMILIES  /* mean over families of the mean over their targets */
} es_aggregate;

/** How targets are summed up into the score of a source. All zero bytes: the published score. */
typedef struct es_score_rule {
    es_aggregate aggregate;
    double quantile;        /* 0: 0.75 */
    double trim;            /* 0: 0.1; below 0.5 */
    bool include_self;      /* the pair of an embedder with itself votes too */
    bool leave_family_out;  /* targets of the source's own family do not vote */
    const uint32_t *family; /* (m) family numbers below m; NULL: each its own. For BALANCED,
                               FAMILIES and leave_family_out only */
    const bool *voting;     /* (m) targets that vote; NULL: all */
    bool sources_alone;     /* a ranking need not say how easily targets are simulated */
} es_score_rule;

/** Reads "median", "mean", "q75" (any q00 to q100), "trimmed", "balanced" into rule->aggregate and
 *  rule->quantile. ES_EINVAL names the choices. */
es_status es_score_rule_parse(const char *text, es_score_rule *rule, es_error *err);

/** ES_EINVAL: quantile or trim out of range, a family number of m or more. */
es_status es_score_rule_check(const es_score_rule *rule, size_t m, es_error *err);

#ifdef __cplusplus
}
#endif
#endif
