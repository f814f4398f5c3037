/* The ranking of results, with everything that is said beside a score.
 *
 * The score that ranks by default is the lead in the matrix of `linear` `shrunk` (core_ranking.h):
 * a ranking aid, and not the definition of information sufficiency. The published score (Darrin et
 * al., NeurIPS 2024) is the median over targets of the information sufficiency by the best
 * estimator that is complete. A ranking stands on one estimator. Whichever ranks, the embedders
 * that are ranked are the same: controls and unrelated ones are not.
 */
#ifndef ES_REPORT_RANK_REPORT_H
#define ES_REPORT_RANK_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "core_ranking.h"
#include "engine_session.h"

typedef enum es_score_kind {
    ES_SCORE_AUTO, /* predictive where it is known, else published */
    ES_SCORE_PREDICTIVE,
    ES_SCORE_PUBLISHED
} es_score_kind;
extern const char *const es_score_kind_names[]; /* "predictive", "published" from 1 on; NULL ends */

/** What a value of a pair is counted in (Darrin et al. 2024, Section 3 and Appendix C.3.4). */
typedef enum es_unit {
    ES_UNIT_DIMENSION, /* nats per dimension of the target, as published */
    ES_UNIT_NATS,      /* nats in all of the target */
    ES_UNIT_ENTROPY, /* share of the target's entropy; targets without a positive one do not vote */
    ES_UNITS
} es_unit;
extern const char *const es_unit_names[]; /* "dimension", "nats", "entropy"; NULL ends */

/** How scores are made, and how much is said beside them. */
typedef struct es_rank_choices {
    es_score_kind score;
    es_aggregate aggregate; /* of the published score */
    es_unit unit;           /* of the published score */
    bool include_self, leave_family_out;
    bool with_intervals;        /* else the decision has the order alone */
    bool with_width;            /* of es_answer_new: shared dimensions, which may take seconds */
    const char *const *targets; /* (n_targets) globs, each perhaps several with commas between */
    size_t n_targets;           /* 0: all embedders are targets */
    bool with_derived;          /* derived embedders vote and rank like others */
    double resolution;          /* of the communities that are shown; 0: 1 */
    uint64_t seed;
} es_rank_choices;

/** Arrays are by position in the results. */
typedef struct es_rank_report {
    const es_results *results; /* that it stands on: `originals`, or borrowed */
    es_results *originals;     /* where derived embedders are left out; NULL: there are none. Arrays
                                  are by position among these */
    size_t entry;              /* of the plan; SIZE_MAX: not said */
    es_score_kind score;       /* never AUTO */
    es_unit unit;              /* in force */
    es_ranking *ranking;       /* the decision's */
    es_decision *decision;
    const es_results *relations; /* whose information matrix says who is ranked, perhaps with
                                    derived embedders; borrowed. NULL: that of `results` */
    uint32_t *order;             /* (m) best first, without a score last */
    double *published; /* (m) the published score by the best estimator; NaN: not known, or not
                          through with its targets */
    double *in;    /* (m) median over sources by that estimator: how easily it is simulated; NaN */
    double *width; /* (m) shared dimensions; NaN: not known */
    uint32_t *family;    /* (m) what --aggregate balanced and --leave-family-out go by */
    uint32_t *community; /* (m) 0, 1, ... largest first, as `tree` shows them: of the values that
                            are shown */
    bool has_community;
    const es_results *grouped;      /* whose communities these are; borrowed */
    const es_results *published_by; /* whose medians `published` are; borrowed. NULL: nobody's */
    es_score_rule rule;             /* in force */
    bool *voting;                   /* (m) targets that vote; NULL: all */
    const char *dominant; /* a member of the family that dominates the vote; NULL: none does */
    size_t
        compared; /* of an incomplete predictive ranking: embedders all of whose pairs are known */
} es_rank_report;

/** ES_EINVAL: `targets` name nobody, or a unit of errors. ES_EEMPTY: no target has what the unit
 * takes (dimensions, entropies), such as those of a file. Scores, what they decide, and families.
 * Seeded; the rows that were stored with the pairs are used where they are loaded. Of incomplete
 * results a predictive ranking compares only embedders that are through with their targets, over
 * the targets that all of these have. */
es_status es_rank_report_new(const es_results *results, const es_rank_choices *how,
                             es_rank_report **out, es_error *err);
/** The same of a session: chooses the plan entry, and puts the published score beside. ES_EEMPTY:
 *  the score that was asked for by name is not known. */
es_status es_rank_report_of(es_session *session, const es_rank_choices *how, es_rank_report **out,
                            es_error *err);
void es_rank_report_free(es_rank_report *report);
/** place (m of `results`, any entry's of the session): each one's place in the ranking that nothing
 *  was chosen for; 0: none. */
es_status es_rank_places(es_session *session, const es_results *results, uint64_t seed,
                         uint32_t *place, es_error *err);
/** Where the report has the embedder of this name; SIZE_MAX: it is not ranked. */
size_t es_rank_report_find(const es_rank_report *report, const char *name);

/** Pairs of results that the report looks at: those of derived embedders only where these rank. */
typedef struct es_rank_pairs {
    size_t known, of, open; /* open: neither known nor failed */
} es_rank_pairs;
es_rank_pairs es_rank_report_pairs(const es_rank_report *report, const es_results *of);

/** Returns what the score averages over: "targets", "targets, itself among them", ... */
const char *es_rank_report_voting(const es_rank_report *report);
/** The name of the rule in documents: "mean", "family-mean", "median" ... */
const char *es_rank_report_aggregate(const es_rank_report *report);
/** Which score it is by, in words: that of a finished matrix is no predictive one. */
const char *es_rank_report_score(const es_rank_report *report);
/** "lead", "published score" ...: as sentences and axes name it. */
const char *es_rank_report_score_name(const es_rank_report *report);
/** "nats per dimension", "nats", "of the target's entropy"; "an error: lower is better". */
const char *es_rank_report_unit(const es_rank_report *report);
void es_rank_report_put_score(const es_rank_report *report, es_buf *out);
/** Returns what the score means and does not mean, in one or two sentences. from_file: of a matrix
 * whose estimator is not known. */
const char *es_score_kind_explained(es_score_kind score, bool from_file);

/** The same of a report whose score may be by another rule than the published one. */
void es_score_explained(const es_rank_report *report, es_buf *out);

/* For who ranks by himself, such as the explorer. */

/** True if all pairs of a source have ended. */
bool es_rank_is_through(const es_results *results, size_t source);
/** Masks incomplete results to what a ranking may compare: the rows of embedders all of whose pairs
 * have ended; is (m, m), NaN elsewhere. Returns their number. */
size_t es_rank_mask(const es_results *results, double *is);
/** Pairs of a source that are known and would vote, whether they are compared or not. */
uint32_t es_rank_known(const es_results *results, const es_score_rule *rule, size_t source);
#endif
