/* Shared dimensions beside a ranking: whose they are, and back to where the ranking has them. */
#ifndef ES_REPORT_RANK_WIDTH_H
#define ES_REPORT_RANK_WIDTH_H

#include "rank_report.h"

/** What a session is asked; owns its arrays. */
typedef struct es_rank_width {
    es_width_ask ask;
    uint32_t *number; /* (3, m) */
    bool *votes;      /* (m) */
} es_rank_width;

/** The ranked of a decision, which is of `ranked`; positions are those in `all`. ES_EEMPTY: none is
 *  ranked by lead. */
es_status es_rank_width_init(const es_decision *decision, const es_results *ranked,
                             const es_results *all, es_rank_width *out, es_error *err);
void es_rank_width_deinit(es_rank_width *width); /* all zero bytes is allowed */
/** width (m of the decision): values (in the order of the question) where they belong, NaN
 *  elsewhere. */
void es_rank_width_spread(const es_decision *decision, const double *values, double *width);

/** Fills report->width from the session's store, or computes and stores it. A session that cannot
 *  read its embedders leaves it unknown. ES_ENOMEM, ES_ECANCELED. */
es_status es_rank_width_of(es_session *session, es_rank_report *report, es_error *err);

#endif
