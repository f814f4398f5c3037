/* What is set against downstream scores: one number an embedder. */
#ifndef ES_REPORT_SCORED_H
#define ES_REPORT_SCORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine_session.h"
#include "rank_report.h"

/** What is correlated: a score of each embedder, higher is better, NaN where there is none. */
typedef struct es_scored {
    size_t n;
    const char *const *name; /* (n) borrowed */
    double *score;           /* (n) */
    double *dim;             /* (n) NaN: not known */
    double *l2;              /* (n) a baseline, its sign turned so that higher is better; NaN */
    bool *counts;            /* (n) downstream (es_downstream_groups) */
    uint32_t *family;        /* (n) as there */
    bool negated;            /* lower was better */
} es_scored;

/** All NaN; each embedder counts, and is its own family. */
es_status es_scored_new(const char *const *name, size_t n, es_scored *out, es_error *err);
void es_scored_deinit(es_scored *scored); /* all zero bytes is allowed */

/** The ranking of a session, with the dimension and, where its default results are stored, l2
 * beside it. *report: what it is (rank_report.h), the caller's. */
es_status es_scored_of_ranking(es_session *session, const es_rank_choices *how, es_scored *out,
                               es_rank_report **report, es_error *err);
/** The same of a report that is there. */
es_status es_scored_of_report(es_session *session, const es_rank_report *report, es_scored *out,
                              es_error *err);
/** A measure in place of the ranking. */
es_status es_scored_of_measure(es_session *session, const es_measured *measured, size_t field,
                               es_scored *out, es_error *err);

#endif
