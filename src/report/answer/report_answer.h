/* The ranking of a session: scores, intervals, candidates, and the sentences they come to. */
#ifndef ES_REPORT_ANSWER_H
#define ES_REPORT_ANSWER_H

#include "core_downstream.h"
#include "engine_session.h"

/* What a ranking comes to, in sentences one can act on. All sentences of the answer are made in
 * bottom_line.c, from the facts of a decision (es_decision). */

/** The facts. */
typedef struct es_bottom_line_of {
    const es_decision *decision;
    const es_results *results; /* that it is of; NULL: dimensions and failures are not known */
    const char *const *name;   /* (m) */
    const double *width;       /* (m) shared dimensions; NaN: not known. NULL: of none */
    const char *score;         /* of a ranking that is not by lead: "published score" ... */
    bool default_known;        /* then: the default score is known, too */
    size_t known, of;          /* pairs; unequal while a run goes on */
    const es_words *grave;     /* findings that make values mean less than they seem to
                                  (es_pool_grave_list); NULL: none */
} es_bottom_line_of;

enum { ES_BOTTOM_STATEMENTS = 16 };

/** Kinds of statements; those of lower kinds are left out first for want of room. */
typedef enum es_statement {
    ES_STATEMENT_REST,   /* the reference, information and width, copies */
    ES_STATEMENT_NARROW, /* what would narrow it; how it agrees downstream */
    ES_STATEMENT_SET,    /* the candidates */
    ES_STATEMENT_FIRST,  /* which is first, or why none is */
    ES_STATEMENT_ADVICE, /* what to try */
    ES_STATEMENT_WARNING /* rows in different orders, missing values, damage */
} es_statement;

typedef struct es_bottom_line {
    char *sentence;
    size_t end[ES_BOTTOM_STATEMENTS]; /* (statements) bytes up to the end of each */
    es_statement kind[ES_BOTTOM_STATEMENTS];
    size_t statements;
    size_t first;       /* best of the ranking; SIZE_MAX: none can be named */
    uint32_t *best_set; /* (best_count) the candidates, best first; none if nothing can be said */
    size_t best_count;
    size_t advised;      /* so many at the front of best_set are worth trying: at most five */
    uint32_t *unrelated; /* (unrelated_count) outside the largest group; of no group if none is */
    size_t unrelated_count;
    const char *settled_by; /* what would narrow what is open: "rows", "kinds"; NULL: nothing is */
    double level;
} es_bottom_line;

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err);
void es_bottom_line_free(es_bottom_line *line);

/** "A: 1st by information, 3rd by width (43 of its 100 dimensions are shared with other kinds)."
 *  Adds nothing if neither is known. */
void es_bottom_line_put_parts(const es_bottom_line_of *of, size_t embedder, es_buf *out);
/** "A is ahead of B by .021 ± .009 with 6 kinds as reference" or "no difference shown ...": the
 *  decision about two embedders, as one sentence. */
void es_bottom_line_put_pair(const es_bottom_line_of *of, size_t a, size_t b, es_buf *out);
/** Place of an embedder by width among those ranked, from 1; 0: not known. */
size_t es_bottom_line_width_rank(const es_decision *decision, const double *width, size_t embedder);

/* The downstream question, asked the same way everywhere: do the embedders that rank high do well
 * on the tasks of scores.csv? Embedders: those of es_downstream_groups. Tasks: their mean rank
 * (report_answer.h), or the only task. */

/** Tasks from which on a score's worth in tasks is reported, and the embedders advised at most. */
enum { ES_DOWNSTREAM_WORTH = 5, ES_DOWNSTREAM_ADVICE = 5 };

/** Finds which embedders count downstream, and which belong together. counts (m): false for
 * controls, derived embedders and those that are not ranked. family (m): equal numbers for
 * embedders of one named family, those without a name being alone; of one kind if none is named.
 * decision, of the embedders of `of`, which are matched by name; NULL: not known, so all are
 * ranked, and each is alone. O(m^2). */
void es_downstream_groups(const es_results *results, const es_results *of,
                          const es_decision *decision, bool *counts, uint32_t *family);
/** The same by the ranking of a session that nothing was chosen for. */
es_status es_downstream_groups_of(es_session *session, const es_results *results, bool *counts,
                                  uint32_t *family, es_error *err);

/** The column of report_answer.h that stands for all tasks: the mean rank, or the only task. */
size_t es_downstream_column(const es_scores *scores);
/** Takes the embedders that do not count out of row (m): SIZE_MAX. */
void es_downstream_rows(const bool *counts, size_t m, size_t *row);

/** Of one way to rank. NaN: not known. */
typedef struct es_downstream_rank {
    es_stat spearman;      /* with the mean rank */
    double low, high;      /* 95 %, by n_effective */
    double n_effective, p; /* correlate.h */
    double regret_first;   /* percentile points that picking the first costs against the best */
} es_downstream_rank;

typedef struct es_downstream {
    size_t n, tasks;    /* embedders with a score and every task; tasks that compare two of them */
    size_t families;    /* of these embedders */
    size_t controls;    /* left out */
    double *percentile; /* (m) mean percentile over tasks, 100 = best; NaN: not among the n */
    double *score;      /* (m) the ranking's, higher is better; NaN: none */
    size_t best;        /* downstream, of equal ones that of the higher score; SIZE_MAX: none */
    size_t equal;       /* others that are as good downstream */
    bool weighted;      /* the mean is, by unequal weights of tasks.csv */
    size_t unscored;    /* without every task, and before the fifth that has them: what picking the
                           first costs is not theirs */
    es_downstream_rank ranking, dimension;
    es_worth worth; /* of the ranking; NaN with fewer than ES_DOWNSTREAM_WORTH tasks */
} es_downstream;

/** decision: of these results (es_downstream_groups). score (m): higher is better, NaN: none.
 * Joined by equal names. *out NULL when fewer than three embedders have a score and every task.
 * O(m^2 + tasks^2 m log m). ES_ENOMEM. */
es_status es_downstream_new(const es_results *results, const es_decision *decision,
                            const double *score, const es_scores *scores, es_downstream **out,
                            es_error *err);
void es_downstream_free(es_downstream *downstream); /* NULL is allowed */

/** Percentile of value i among the known ones of n, 100 = highest; NaN: it is not known, or no
 * other one differs, so that nobody is compared. */
double es_downstream_percentile(const double *value, size_t n, size_t i);
/** percentile (m): mean over tasks among the embedders that count, have a score (m; NULL: all do)
 * and every task; NaN for the others, and for all of them if no task tells two apart. */
es_status es_downstream_percentiles(const es_results *results, const es_results *of,
                                    const es_decision *decision, const double *score,
                                    const es_scores *scores, double *percentile, es_error *err);
/** A weighted mean of percentiles, to nine decimals: equal ones are equal whatever they were added
 *  up from, and their ranks are those of a tie. */
double es_percentile_mean(double sum, double weights);
/** Returns the percentile points lost by choosing the best of the first `count` by score (m),
 * higher is better, against the best of all that have both: of equal scores, what is lost on
 * average over their orders. NaN: none has. O(m^2). */
double es_downstream_regret(const double *score, const double *percentile, size_t m, size_t count);
/** Percentile points that the best of the advised embedders is behind the best of all: the first
 *  five of the set best (m) by score. NaN: none of them has a percentile. O(m^2). */
double es_downstream_advice_loss(const es_downstream *downstream, const bool *best, size_t m);

/* ---- in words ---- */

/** "rho .78 [.47, .93]; 35 embedders of 12 families count as 18 independent ones". */
void es_downstream_put_rho(const es_stat *rho, double low, double high, size_t n, size_t families,
                           double n_effective, es_buf *out);
/** "On your tasks the best is B (1 more is as good): in the set." best (m): the set of the best;
 * NULL: there is none. name: of the downstream best. */
void es_downstream_put_check(const es_downstream *downstream, const char *name, const bool *best,
                             es_buf *out);
/** "Picking the first would have cost 0 percentile points downstream (by dimension alone: 20)."
 * and, with a set, what the advised embedders would have cost. m: of best. */
void es_downstream_put_loss(const es_downstream *downstream, const bool *best, size_t m,
                            es_buf *out);
/** "The ranking says of a task what about 2 labelled tasks would."; nothing if the worth is not
 *  known. */
void es_downstream_put_worth(const es_worth *worth, es_buf *out);
/** All of these, to follow the bottom line. */
void es_downstream_put(const es_downstream *downstream, const char *name,
                       const es_decision *decision, es_buf *out);

/** Writes ".78", "-.02", "1.00". */
void es_share_put(double value, es_buf *out);

/* The ranking of results, with all numbers beside a score.
 *
 * The score that ranks by default is the lead in the matrix of `linear` `shrunk` (core_ranking.h):
 * a ranking aid, and not the definition of information sufficiency. The published score (Darrin et
 * al., NeurIPS 2024) is the median over targets of the information sufficiency by the best
 * estimator that is complete. A ranking stands on one estimator. Whichever ranks, the embedders
 * that are ranked are the same: controls and unrelated ones are not.
 */

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

/** How scores are computed, and how much is listed beside them. */
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

/* The answer of a session: the ranking, what it comes to in words, and, where there are downstream
 * scores, how it agrees with them. One for the screen, the command line and what is exported. */

typedef struct es_answer {
    es_rank_report *report;
    es_bottom_line *line;
    es_downstream *downstream; /* NULL: no scores, or of fewer than three embedders */
    es_words derived;          /* embedders that are left out, since they are derived */
} es_answer;

/** Returns the words that the bottom line of a report uses. */
es_bottom_line_of es_answer_words(const es_rank_report *report);

/** choices->with_intervals is set. scores: NULL: none. Errors of es_rank_report_of. */
es_status es_answer_new(es_session *session, const es_rank_choices *choices,
                        const es_scores *scores, es_answer *out, es_error *err);
/** "2 derived embedders are left out (a, b); HOW lets them vote and rank." Nothing when there are
 *  none. */
void es_answer_put_left_out(const es_words *derived, const char *how, es_buf *out);
void es_answer_deinit(es_answer *answer); /* all zero bytes is allowed */

/* Why one embedder is ranked before another, and how sure that is. */

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

/* Families of embedders: communities of the graph of what can be simulated. */

/** How communities are looked for; all zero bytes are the defaults (es_louvain). */
typedef struct es_family_choices {
    double resolution; /* 0: 1 */
    es_weights weights;
    double threshold;
    unsigned runs; /* of stability; 0: the usual number */
    uint64_t seed;
} es_family_choices;

/** The problem that core solves, for who solves it piece by piece; order (m) by name, or NULL where
 *  results are in that order. */
es_louvain es_families_problem(const es_results *results, const es_family_choices *how,
                               const uint32_t *order);

/** es_communities_new over results, in the order of names. */
es_status es_families_new(const es_results *results, const es_family_choices *how,
                          es_communities **out, es_error *err);

/** Communities of one run at this resolution (0: 1): group (m) gets 0, 1, ... largest first. *known
 * is false where lower values are better, which is no weight of an edge. */
es_status es_families_group(const es_results *results, double resolution, uint64_t seed,
                            uint32_t *group, bool *known, es_error *err);

/* Orders of embedders, for rows and columns. */

/** order (m): positions in `results`, first to last. `rank` (m) is each one's place, 0 for none;
 *  NULL: equal ones keep their numbering; `resolution` (0: 1) and `seed` are those of the
 *  communities. Cluster: the sources' dendrogram (average linkage). */
es_status es_order_models(const es_results *results, es_order_kind by, const uint32_t *rank,
                          double resolution, uint64_t seed, uint32_t *order, es_error *err);
/** Computes the dendrogram of the results' sources or targets. Errors of es_linkage_new. */
es_status es_model_linkage(const es_results *results, es_linkage_method method, es_linkage_of of,
                           es_diagonal diagonal, es_linkage **out, es_error *err);

/* What a ranking is decided from, made of results: one for commands and the explorer. */

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

/* What the ranking decides, computed by a session's workers. Only the newest request counts. */

/** Computes es_decision_new in the background, under the caller's tag; a computation under way is
 * cancelled. The matrix, families and controls are copied; per-row values (problem->pmi) are those
 * of this session's results. Two such calls a second are plenty. ES_EEMPTY; ES_ENOMEM. */
es_status es_rank_task_start(es_session *session, const es_decision_problem *problem, uint64_t tag,
                             es_error *err);
/** Returns the newest decision that es_session_pump has delivered, valid until the next pump; NULL:
 * none yet. Its tag, its seconds and whether another one is under way: es_session_task. */
const es_decision *es_rank_task_newest(const es_session *session);

/* Shared dimensions beside a ranking: whose they are, and back to where the ranking has them. */

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

/* Results as core's ranking takes them. */

/** True for an estimator of errors. */
bool es_rank_lower_is_better(const es_results *results);

/** The published score, the median over the other embedders, the right way round. Works on what is
 *  known: pairs that are missing are NaN. Derived embedders do not vote and have no rank; their own
 *  score is over the others. */
es_status es_rank_results(const es_results *results, bool lower_is_better, es_ranking **out,
                          es_error *err);

/** order (m): positions by name, so that results do not depend on the order of a file. */
es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err);

/* A ranking over samples of rows, each twice as large as the one before, until it has settled: who
 * estimates them shows each to es_sampling_look, which says whether another one is needed. */

/** What a sample has said of an embedder. */
typedef struct es_sample_standing {
    char *name;
    double score;
    bool best, worse; /* may be the best; is not, and separated from the first */
} es_sample_standing;

/** All zero bytes: nothing was looked at. */
typedef struct es_sampling {
    es_sample_standing *last; /* (m) of the sample that was looked at last */
    size_t m, rows;
    unsigned unchanged; /* so many times in a row the sets were those of half the rows */
} es_sampling;

/** What a sample has decided. */
typedef struct es_sampling_of {
    const es_decision *decision;
    const char *const *name; /* (m) */
    size_t rows, of;
    uint64_t seed;
} es_sampling_of;

/** Takes in what was decided of all pairs of a sample of rows. record->end is ES_GROWTH_ON: take
 *  twice as many rows. Nothing is kept. ES_ENOMEM. */
es_status es_sampling_take(es_sampling *sampling, const es_sampling_of *of,
                           es_growth_record *record, es_error *err);
/** The same of a session that has all pairs of its plan's first entry, over a sample of rows; what
 * is found is kept in its store. Errors of es_rank_report_of and es_session_growth_put. */
es_status es_sampling_look(es_sampling *sampling, es_session *session, es_growth_record *record,
                           es_error *err);
void es_sampling_deinit(es_sampling *sampling);

/** "4000 of 160000 rows, a random sample: its ranking is expected to agree with that by all rows at
 *  Kendall .97 (.94 to .99)". Nothing where all rows are in use. */
void es_growth_put(const es_growth_record *record, es_buf *out);
/** Why no more rows were taken: "settled", "sets", "all", "time"; NULL: more are to be taken. */
const char *es_growth_end_name(es_growth_end end);
/** The same of the sample that a session uses, by what is kept; nothing where all rows are in use.
 */
void es_rows_put(es_session *session, es_buf *out);

/* What is downstream, a column each: every task of scores.csv, then, where there are several, what
 * sums them up. Whoever says "mean" or "mean rank" of tasks takes it from here. */

/** Behind the tasks, where there are at least two.
 *
 *  "mean rank": the mean over tasks of the rank within each (1 = best, ties share the mean), kept
 *  with its sign turned; it puts tasks of different units on one scale.
 *  "mean": the mean of the scores themselves, the sign turned where lower is better.
 *
 *  Both are weighted as tasks.csv says, and of the embedders that have every task: the others get
 *  NaN, as what is over different tasks does not compare. A task on which all known scores are
 * equal compares nobody: it is none of them, unless all are so. */
enum { ES_TASK_MEAN_RANK, ES_TASK_MEAN, ES_TASK_SUMS };

size_t es_task_columns(const es_scores *scores);
const char *es_task_column_name(const es_scores *scores, size_t column);
/** The column of this name, a task before a sum; SIZE_MAX: there is none. */
size_t es_task_column_find(const es_scores *scores, const char *name);
/** True if lower is better; the columns then hold it with its sign turned. */
bool es_task_column_is_turned(const es_scores *scores, size_t column);

/** True if two known values of a column y (n) differ. */
bool es_task_column_tells(const double *y, size_t n);
/** Counts the tasks whose scores differ among the models at row (n; SIZE_MAX: none). */
size_t es_task_columns_telling(const es_scores *scores, const size_t *row, size_t n);
/** How many the sums are over: these, or all where none does. */
size_t es_task_columns_summed(const es_scores *scores, const size_t *row, size_t n);

/** y (columns, n), higher is better, of the models at row (n) of the scores (SIZE_MAX: none).
 *  *complete (NULL allowed): how many have every task. ES_ENOMEM. */
es_status es_task_columns_fill(const es_scores *scores, const size_t *row, size_t n, double *y,
                               size_t *complete, es_error *err);
/** The sums alone, from y's tasks, which stand in its first columns: the mean rank among those with
 *  a value in x (n; NULL: all). */
es_status es_task_columns_sum(const es_scores *scores, size_t n, const double *x, double *y,
                              size_t *complete, es_error *err);

#endif
