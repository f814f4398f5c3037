/* Analyses of a session: what its results come to beside the ranking. */
#ifndef ES_REPORT_H
#define ES_REPORT_H

#include "engine_requests.h"
#include "report_answer.h"
#include "report_sheet.h"

/* Every measure of a pool side by side: columns of embedders, what is downstream, and how they
 * agree. */

typedef struct es_agree_scores {
    char **name;         /* (k) "is", "evalrank", ..., "dimension" */
    char **about;        /* (k) a few words */
    char **remark;       /* (k) what to mind of its values here; NULL: nothing */
    double *column;      /* (k, n) higher is better; NaN: none */
    bool *negated;       /* (k) lower was better */
    double *seconds;     /* (k) of one processor for all values; NaN: not known */
    size_t k, n;         /* columns; embedders, in the order of the session's results */
    double *downstream;  /* (n) a column of report_answer.h; NULL: no scores */
    size_t scored;       /* embedders with a downstream value */
    char *task;          /* "mean of 15 tasks", "mean rank over 15 tasks", or a task */
    bool turned;         /* `downstream` has its sign turned: lower is better */
    size_t ranked_tasks; /* of a mean percentile: those that tell any two apart */
    bool *counts;        /* (n) downstream; the others have no value there */
    uint32_t *family;    /* (n) as es_downstream_groups says */
    bool *control;       /* (n) of the family "control" of pool.json: noise, shuffled rows */
    size_t controls;
    es_agreement *agreement;
} es_agree_scores;

/** True if column k ranks every control below all other embedders; false without controls. */
bool es_agree_scores_controls_last(const es_agree_scores *s, size_t k);

void es_agree_scores_deinit(es_agree_scores *s); /* all zero bytes is allowed */

/* Begun for the embedders of `names`, which later calls take again; then columns in their order,
 * downstream where there is any, and settled. */
es_status es_agree_scores_init(es_agree_scores *s, es_session *session, const es_results *names,
                               es_error *err);
/** name NULL: "is" or "predictive", or the estimator's where lower is better. */
es_status es_agree_scores_add_ranking(es_agree_scores *s, const char *name,
                                      const es_results *results, const es_rank_choices *how,
                                      es_error *err);
/** Adds a score that another plan has stored. */
es_status es_agree_scores_add_stored(es_agree_scores *s, const es_stored_score *stored,
                                     es_error *err);
es_status es_agree_scores_add_measure(es_agree_scores *s, const char *name,
                                      const es_measured *measured, size_t field, es_error *err);
es_status es_agree_scores_add_dimension(es_agree_scores *s, const es_results *names, es_error *err);
/** A column for each task of `known`, numbers by equal names. */
es_status es_agree_scores_add_known(es_agree_scores *s, const es_results *names,
                                    const es_scores *known, const char *about, es_error *err);
/** Columns of report_answer.h for the embedders that count: (columns, n), the caller's. */
es_status es_agree_scores_tasks(const es_agree_scores *s, const es_results *names,
                                const es_scores *scores, double **out, size_t *unknown,
                                es_error *err);
/** column: as in report_answer.h. *unknown: embedders that are not in the scores. */
es_status es_agree_scores_against(es_agree_scores *s, const es_results *names,
                                  const es_scores *scores, size_t column, size_t *unknown,
                                  es_error *err);
/** The mean rank over tasks as a percentile (report_answer.h). */
es_status es_agree_scores_against_ranks(es_agree_scores *s, const es_results *names,
                                        const es_scores *scores, size_t *unknown, es_error *err);
/** Takes the downstream column of `other`, of the same embedders. */
es_status es_agree_scores_against_same(es_agree_scores *s, const es_agree_scores *other,
                                       es_error *err);
es_status es_agree_scores_settle(es_agree_scores *s, uint64_t seed, es_error *err);
/** The same without intervals of the columns among each other. */
es_status es_agree_scores_settle_against(es_agree_scores *s, uint64_t seed, es_error *err);

/* Every analysis that has a sheet: one row each. */

/** What must be there before an analysis can say anything. */
typedef enum es_analysis_need {
    ES_ANALYSIS_NEEDS_PAIRS = 1 << 0,   /* results of some pair */
    ES_ANALYSIS_NEEDS_SCORES = 1 << 1,  /* downstream scores */
    ES_ANALYSIS_NEEDS_SERIES = 1 << 2,  /* checkpoints of a run */
    ES_ANALYSIS_NEEDS_VECTORS = 1 << 3, /* a pool's files, not a finished matrix */
    ES_ANALYSIS_NEEDS_SETS = 1 << 4,    /* several data sets */
    ES_ANALYSIS_NEEDS_TABLE = 1 << 5    /* a pool, or a table of scores that is open alone */
} es_analysis_need;

/** What an analysis is of. */
typedef enum es_analysis_of {
    ES_ANALYSIS_OF_POOL,
    ES_ANALYSIS_OF_SETS,      /* every data set that is open */
    ES_ANALYSIS_OF_EMBEDDERS, /* one or two, whose names are words of its command line */
    ES_ANALYSIS_OF_MODELS,    /* two of a table of scores, likewise */
    ES_ANALYSIS_OF_SETTING,   /* settings of an estimator with their values */
    ES_ANALYSIS_OF_MEASURE    /* a measure, and one or two embedders */
} es_analysis_of;

/** What an analysis may look at; all is borrowed. */
typedef struct es_known {
    const es_pool *pool;          /* NULL: a finished matrix */
    const es_rank_report *report; /* results and their ranking; NULL unless it NEEDS_PAIRS */
    const es_scores *scores;      /* downstream; NULL: there are none */
} es_known;

typedef struct es_analysis {
    const char *id;      /* as it is typed: "rivals" */
    const char *title;   /* "Scores without labels" */
    const char *says;    /* what it answers, one clause */
    const char *command; /* that makes the same document; with `make` its id */
    const char *options; /* further words of its command line, with blanks between; NULL: none */
    unsigned needs;      /* es_analysis_need bits */
    es_analysis_of of;
    /** Fills an empty sheet with statements, tables and a plot. ES_EEMPTY: nothing can be said, and
     *  why. NULL: the command does. */
    es_status (*make)(const es_known *known, es_sheet *sheet, es_error *err);
    const char *details; /* of `make`: a paragraph for the help of its command */
} es_analysis;

extern const es_analysis *const es_analyses[];
extern const size_t es_analysis_count;

/** Returns the analysis with this id; NULL: none. */
const es_analysis *es_analysis_find(const char *id);

/** Returns what is missing, for a reader, of the needs; NULL: nothing is. `there` holds
 * es_analysis_need bits.
 */
const char *es_analysis_lacks(const es_analysis *analysis, unsigned there);

/* What a table of scores settles (core_downstream.h), and its sentences. */

/** Arrays are by position in the board, which leaves out models that do not count or lack every
 * score, and columns that are called a mean beside five others or more. */
typedef struct es_leaderboard {
    const es_scores *scores; /* borrowed */
    es_board *board;
    size_t *row;           /* (board->m) of the scores */
    size_t *task;          /* (board->tasks) of the scores */
    const char **category; /* (board->tasks) borrowed; NULL: not known */
    uint32_t *number;      /* (board->tasks) equal for tasks of one category; a task without
                              one has its own */
    size_t categories;     /* that are known */
    double *value;    /* (board->m, board->tasks) what is compared: scores or percentiles, higher is
                         better; NaN: missing */
    bool percentiles; /* values are percentiles (es_downstream_percentile), since lower is
                         better in some task */
    uint32_t *group;  /* (board->m) from 1: the next begins with the first model that the
                         first of a group is shown ahead of; 0: not ranked, or nothing can
                         be said */
    size_t candidates, ranked; /* in the set; with a rank */
    size_t separated;          /* adjacent ranks of which one is shown ahead */
    size_t sparse;             /* models with fewer than half of the tasks */
} es_leaderboard;

/** Returns ES_EEMPTY unless two of the models that count have a score. */
es_status es_leaderboard_check(const es_scores *scores, const bool *counts, es_error *err);
/** counts (scores->models): models that take part; NULL: all. Errors of es_leaderboard_check
 *  and es_board_new. */
es_status es_leaderboard_new(const es_scores *scores, const bool *counts, uint64_t seed,
                             const es_run *run, es_leaderboard **out, es_error *err);
/** The same without the pool's controls: they are no models that one would take. pool NULL: all
 * take part. */
es_status es_leaderboard_of_pool(const es_pool *pool, const es_scores *scores, uint64_t seed,
                                 const es_run *run, es_leaderboard **out, es_error *err);
void es_leaderboard_free(es_leaderboard *board); /* NULL is allowed */

const char *es_leaderboard_name(const es_leaderboard *board, size_t model);
const char *es_leaderboard_task(const es_leaderboard *board, size_t task);
/** Returns the position of a model; SIZE_MAX: it is not on the board. */
size_t es_leaderboard_find(const es_leaderboard *board, const char *model);
/** The same of a task, by es_scores_find_task. ES_ENOMEM. */
es_status es_leaderboard_find_task(const es_leaderboard *board, const char *task, size_t *out,
                                   es_error *err);
/** The candidates that are worth trying: the first so many of the order that are in the set. */
size_t es_leaderboard_advised(const es_leaderboard *board);
/** "kinds": more tasks of other kinds would narrow the set; NULL: it is one model, or unknown. */
const char *es_leaderboard_settled_by(const es_leaderboard *board);
/** The answer: first, candidates, advice, what would narrow it, what it is of. */
void es_leaderboard_put(const es_leaderboard *board, es_buf *out);

/* How the tasks of a table of scores order the models: each against the mean of the others, or
 * against one task; and the tree of tasks. */

typedef struct es_board_task {
    size_t models;         /* with both values */
    double rho, low, high; /* Spearman with Fisher's 95 % interval; NaN: undefined, or of few */
} es_board_task;

typedef struct es_board_tasks {
    const es_leaderboard *board; /* borrowed */
    size_t against;              /* position of a task; SIZE_MAX: the mean of the others */
    es_board_task *task;         /* (board->board->tasks) that of `against` itself is NaN */
    uint32_t *order;             /* (tasks) highest rho first, unknown ones last */
    size_t known;                /* with a rho */
} es_board_tasks;

/** Correlates each task with the mean share of other models that a model beats in the other tasks
 *  that it has, or with task `against`. ES_EEMPTY: there is one task. ES_ENOMEM, ES_ECANCELED.
 *  O(tasks m log m). */
es_status es_board_tasks_new(const es_leaderboard *board, size_t against, const es_run *run,
                             es_board_tasks **out, es_error *err);
void es_board_tasks_free(es_board_tasks *tasks); /* NULL is allowed */
/** Writes which tasks order the models most and least alike. */
void es_board_tasks_put(const es_board_tasks *tasks, es_buf *out);

typedef struct es_board_tree {
    const es_leaderboard *board; /* borrowed */
    es_linkage_method method;
    es_linkage *linkage; /* of the tasks; heights are 1 - Spearman (ward, median: of its kind) */
    double *rho;         /* (tasks, tasks) Spearman over the models that both have; NaN */
} es_board_tree;

/** Clusters the tasks by 1 - Spearman. ES_EEMPTY: there is one task. ES_ENOMEM, ES_ECANCELED.
 *  O(tasks^2 m log m + tasks^3). */
es_status es_board_tree_new(const es_leaderboard *board, es_linkage_method method,
                            const es_run *run, es_board_tree **out, es_error *err);
void es_board_tree_free(es_board_tree *tree); /* NULL is allowed */
/** Returns the other task that orders the models most like this one; SIZE_MAX: none is known. */
size_t es_board_tree_nearest(const es_board_tree *tree, size_t task);
/** Returns the height at which a task is first joined with another. */
double es_board_tree_joined(const es_board_tree *tree, size_t task);
/** Writes which two tasks are most alike, and which task stands most alone. */
void es_board_tree_put(const es_board_tree *tree, es_buf *out);

/* Two models of a table of scores, paired over the tasks that both have. */

typedef struct es_board_versus {
    const es_leaderboard *board; /* borrowed */
    size_t model[2];
    es_board_pair pair;    /* of the first less the second, in scores or in percentiles */
    size_t wins[2], equal; /* tasks in which each is higher, and in which both are equal */
    double *difference;    /* (board->board->tasks) NaN: one has no score */
    uint32_t *order;       /* (tasks) from the largest lead of the first to that of the second,
                              unknown ones last */
} es_board_versus;

/** a, b: positions on the board. ES_EEMPTY: they have no task in common. ES_ENOMEM. O(tasks). */
es_status es_board_versus_new(const es_leaderboard *board, size_t a, size_t b,
                              es_board_versus **out, es_error *err);
void es_board_versus_free(es_board_versus *versus); /* NULL is allowed */
/** Writes who leads, by how much, in how many tasks, and what the whole board shows of the two. */
void es_board_versus_put(const es_board_versus *versus, es_buf *out);

/* The comparison of two or three embedders. */

typedef struct es_compared_of {
    const size_t *model; /* (count, 2 or 3) positions in the results */
    size_t count;
    bool with_derived; /* as targets, too */
} es_compared_of;
/** Computes the comparison that every surface shows. ES_ENOMEM. */
es_status es_compared_new(const es_results *results, const es_compared_of *of, es_comparison **out,
                          es_error *err);

/** A row that one of a pair captures and the other does not. */
typedef struct es_captured {
    size_t by, not_by; /* positions among the compared */
    size_t k;          /* number of the per-row value */
    double difference; /* of their per-row values, mean over targets; above 0 */
} es_captured;

typedef struct es_compare_report {
    const es_results *results; /* borrowed */
    es_comparison *comparison;
    es_rank_report *rank;
    const es_scores *scores; /* NULL: none */
    size_t in_scores[ES_COMPARE_MOST];
    es_row_source rows;
    es_captured *captured; /* (n_captured) pair by pair, largest first */
    size_t n_captured;
} es_compare_report;

typedef struct es_compare_choices {
    const size_t *models; /* (count, 2 or 3) positions in the results */
    size_t count;
    size_t top;              /* rows each way for each pair, where values per row are loaded */
    const es_scores *scores; /* joined by equal names; NULL: none */
    es_rank_choices rank;    /* with intervals */
} es_compare_choices;

es_status es_compare_report_new(es_session *session, size_t entry, const es_compare_choices *how,
                                es_compare_report **out, es_error *err);
void es_compare_report_free(es_compare_report *report);

/** How an embedder stands in the ranking; NaN, 0 and NULL where it is not ranked, as a derived one
 *  is not. `model`: position in the results. */
typedef struct es_standing {
    double score, low, high, in;
    size_t sources, of;                 /* whose values `in` is the median of, and of how many */
    uint32_t rank, rank_low, rank_high; /* its interval; 0: none */
} es_standing;
es_standing es_compare_standing(const es_compare_report *report, size_t model);

/** es_compared_sentence with the embedders' names. */
void es_compare_put_verdict(const es_compare_report *report, size_t pair, es_buf *out);

/* Facts about two compared embedders, the same in the explorer and in documents. */

/** The verdict on comparison->pair[pair] as a sentence, its embedders called a and b: one holds
 * most of the other, they hold each other, neither does, or it is not settled and what would settle
 * it, if rows would. Of three embedders it says of which two. A lopsided pair is never said to be
 * alike. */
void es_compared_sentence(const es_comparison *comparison, size_t pair, const char *a,
                          const char *b, es_buf *out);

/** Position of the first of the two whose own value (its IS with itself) is missing or not above 0,
 * so that no share of it is known; SIZE_MAX: both have one. */
size_t es_compared_without_own(const es_comparison *comparison, size_t pair);

/* What is set against downstream scores: one number an embedder. */

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
 * beside it. *report: what it is, the caller's. */
es_status es_scored_of_ranking(es_session *session, const es_rank_choices *how, es_scored *out,
                               es_rank_report **report, es_error *err);
/** The same of a report that is there. */
es_status es_scored_of_report(es_session *session, const es_rank_report *report, es_scored *out,
                              es_error *err);
/** A measure in place of the ranking. */
es_status es_scored_of_measure(es_session *session, const es_measured *measured, size_t field,
                               es_scored *out, es_error *err);

/* A ranking against downstream scores, with all statistics about it. */

typedef enum es_baseline { ES_BASELINE_DIM, ES_BASELINE_L2, ES_BASELINES } es_baseline;
extern const char *const es_baseline_names[ES_BASELINES]; /* "dimension", "l2" */

/** A baseline against one task, over the embedders that have both and a score. */
typedef struct es_baseline_report {
    size_t n;
    es_stat value[ES_CORRELATIONS];
} es_baseline_report;

/** Of the joined embedders that count, best score first; columns as in report_answer.h. */
typedef struct es_correlation_set es_correlation_set;
struct es_correlation_set {
    size_t n, tasks, columns;      /* columns: tasks, then what sums them up */
    size_t left_out;               /* joined embedders that do not count downstream */
    const es_scores *scores;       /* borrowed */
    size_t *at, *at_scores;        /* (n) positions in the ranking and in the scores */
    double *score;                 /* (n) */
    uint32_t *family;              /* (n) */
    es_worth worth;                /* of the score in tasks; NaN: not known, or too few tasks */
    double *y;                     /* (columns, n) higher is better: ranks are negated */
    double *residual;              /* (columns, n) */
    es_correlation_report *report; /* (columns) */
    bool *drawn;                   /* (columns) intervals and p of these are drawn */
    size_t complete;               /* embedders with a score and every task: the mean rank's */
    bool has[ES_BASELINES];
    es_baseline_report *baseline[ES_BASELINES]; /* (columns), NULL where not known */
};

/** Every coefficient of x and y (n). */
es_status es_correlation_all(const double *x, const double *y, size_t n,
                             es_stat out[ES_CORRELATIONS], es_error *err);

/** partner (scored->n): each embedder's place in the scores; SIZE_MAX: none. */
es_status es_correlation_set_new(const es_scored *scored, const es_scores *scores,
                                 const size_t *partner, const es_correlate_options *options,
                                 es_correlation_set **out, es_error *err);
void es_correlation_set_free(es_correlation_set *set);

/** A correlation for a session's workers; owns everything except the names themselves. */
typedef struct es_correlation_work {
    es_scored scored; /* to be filled in; NaN, counted, each its own family at first */
    const char **name;
    size_t *partner; /* (n) to be filled in */
    bool *draw;      /* (columns) whose intervals and p are drawn; none at first */
    es_scores scores;
    uint64_t seed;
    es_correlation_set *set; /* what was found; NULL: not run yet */
} es_correlation_work;

/** Copies the table of scores. ES_ENOMEM. */
es_status es_correlation_work_new(size_t n, const es_scores *scores, es_correlation_work **out,
                                  es_error *err);
/** Computes work->set. ES_ECANCELED. */
es_status es_correlation_work_run(void *work, es_run *run, es_error *err);
void es_correlation_work_free(es_correlation_work *work);
/** Runs it in the background under the caller's tag, and frees it; one under way is cancelled. */
es_status es_correlation_take_start(es_session *session, es_correlation_work *work, uint64_t tag,
                                    es_error *err);
/** Returns the newest that es_session_pump has delivered, valid until the next pump; NULL: none. */
const es_correlation_set *es_correlation_newest(const es_session *session);

/** True if lower is better in this column; `y` then holds it with its sign turned. */
bool es_correlation_is_turned(const es_correlation_set *set, size_t column);
/** "average"; "mean rank", "mean". */
const char *es_correlation_task(const es_correlation_set *set, size_t column);
/** The column that says most: the mean rank, or the only task. */
size_t es_correlation_overall(const es_correlation_set *set);

/* One ranking over the rankings of several data sets, embedders matched by name. */

typedef struct es_data_sets {
    size_t count, m;
    const es_rank_report *const *report; /* (count) borrowed, with their decisions */
    es_words name;                       /* (m) of all embedders, in natural order */
    size_t *at;      /* (count, m) positions in each report's results; SIZE_MAX: not in it */
    double *score;   /* (count, m) NaN: none; higher is better; a lead, or 0 if below 0 */
    size_t repeated; /* of them: the same as an earlier one, number for number */
    es_combined *combined;
} es_data_sets;

/** ES_EEMPTY: no embedder is in two of them. */
es_status es_data_sets_new(const es_rank_report *const *reports, size_t count, uint64_t seed,
                           es_data_sets **out, es_error *err);
void es_data_sets_free(es_data_sets *sets);

/** What stands for an embedder in one data set. */
typedef enum es_within { ES_WITHIN_SHARE, ES_WITHIN_SCORE, ES_WITHIN_RANK } es_within;
extern const char *const es_within_names[]; /* "share", "score", "rank"; then NULL */
/** NaN: not in it, or not ranked there. */
double es_data_sets_within(const es_data_sets *sets, size_t set, size_t model, es_within what);

/** Writes the conclusion in sentences. */
void es_data_sets_say(const es_data_sets *sets, es_buf *out);
/** Writes how far each unfinished data set is, a sentence each, with a space before it. name
 * (count). */
void es_data_sets_say_unfinished(const es_data_sets *sets, const char *const *name, es_buf *out);

/* What people's answers show of the candidates (core_duel.h), and its sentences. */

/** Whom the questions are about: embedders of the pool. */
typedef struct es_duel_candidates {
    size_t k;
    size_t *item;    /* (k) of the pool, ascending */
    uint32_t *place; /* (k) in the ranking, or as they are */
} es_duel_candidates;

/** Whom to ask about, best first: the candidates for the best or, where the ranking names none, the
 *  first five of it that are no copies. out: room for five and for the candidates; positions in the
 *  results that were decided on. Returns how many. */
size_t es_duel_choose(const es_bottom_line *line, const es_decision *decision, uint32_t *out);
/** Those of an answer. ES_EEMPTY: there are fewer than two. */
es_status es_duel_candidates_of_answer(const es_answer *answer, es_duel_candidates *out,
                                       es_error *err);
/** All embedders of the pool that are in use. ES_EEMPTY likewise. */
es_status es_duel_candidates_of_pool(const es_pool *pool, es_duel_candidates *out, es_error *err);
/** Those of `item` (k), best first. ES_EEMPTY likewise. */
es_status es_duel_candidates_new(const size_t *item, size_t k, es_duel_candidates *out,
                                 es_error *err);
void es_duel_candidates_deinit(es_duel_candidates *candidates); /* all zero bytes is allowed */

/** Two people who answered the same questions. */
typedef struct es_duel_people {
    size_t a, b; /* of es_duel_report.person */
    es_duel_agreement agreement;
} es_duel_people;

typedef struct es_duel_report {
    const char **name; /* (standing.k) borrowed from the pool */
    es_duel_standing standing;
    size_t answers;       /* that were given */
    size_t questions;     /* that they are about; of several answers to one the mean counts */
    es_words person;      /* who answered; one, perhaps without a name */
    es_duel_people *pair; /* (pairs) */
    size_t pairs;
    size_t more; /* answers like these until one candidate is left, about; SIZE_MAX: not known */
    char *sentence;
} es_duel_report;

/** Reads who proposed what from the embedders. lists (n): answers; their labels name people where a
 *  line does not, if there are several lists. place (k of the finder). Errors of
 *  es_duel_finder_sides. */
es_status es_duel_report_new(es_duel_finder *finder, const es_pool *pool, const uint32_t *place,
                             const es_duel_list *lists, size_t n, const es_run *run,
                             es_duel_report **out, es_error *err);
void es_duel_report_free(es_duel_report *report); /* NULL is allowed */

/** The same of an answer's candidates and the pool's own answers, for other documents; nothing if
 *  there are none, or too few candidates. */
es_status es_duel_put_of_pool(es_session *session, const es_answer *answer, const es_run *run,
                              es_buf *out, es_error *err);

/* In the background of a session. */

/** Finds the next question after draw `from`, about a row that is neither in the pool's answers nor
 *  in `held` (count, copied). The finder is held. */
es_status es_duel_ask_start(es_session *session, es_duel_finder *finder,
                            const es_duel_question *held, size_t count, uint64_t from, uint64_t tag,
                            es_error *err);
/** Returns the newest that es_session_pump has delivered, with its tag; NULL: none. why->code is
 *  ES_OK, or says why there is no question. */
const es_duel_question *es_duel_asked(const es_session *session, uint64_t *tag,
                                      const es_error **why);
/** Reads the pool's answers and says what they come to. place (k of the finder) is copied. */
es_status es_duel_count_start(es_session *session, es_duel_finder *finder, const uint32_t *place,
                              uint64_t tag, es_error *err);
/** Likewise. */
const es_duel_report *es_duel_counted(const es_session *session, uint64_t *tag,
                                      const es_error **why);

/* How small embedders may be (core_frontier.h), over a pool, and its sentences. */

/** By what embedders are compared with each other. */
typedef enum es_frontier_by {
    ES_FRONTIER_BY_NOTHING, /* each only with itself */
    ES_FRONTIER_BY_PROBE,   /* the probe's score */
    ES_FRONTIER_BY_OTHERS   /* what is kept, times what the embedder predicts of the others */
} es_frontier_by;

/** One embedder with what its compressions keep, in the order of es_frontier_grid. */
typedef struct es_frontier_of {
    const char *name; /* borrowed */
    size_t d;
    const es_kept *kept; /* borrowed */
    double others;       /* nats a dimension that it predicts of other embedders; NaN: not known */
    double cost;         /* of --against; NaN: not known */
} es_frontier_of;

typedef struct es_frontier_point {
    size_t of; /* embedder */
    es_derive how;
    size_t dim, bytes;
    unsigned bits;
    es_kept kept;
    double value; /* by which points are compared: of one embedder, kept; NaN: not known */
    double cost;  /* of --against */
    bool front;   /* no other is at most as large (or costs at most as much) and better */
} es_frontier_point;

typedef struct es_frontier_report {
    const es_frontier_of *of; /* (n) borrowed */
    size_t n;
    es_frontier_by by;
    es_frontier_point *point; /* (points) by embedder, in the order of the grid */
    size_t points;
    size_t most;         /* bytes a row at most, of the front and the best; 0: any */
    const char *against; /* what costs are; NULL: bytes */
} es_frontier_report;

/** What a compression must be shown to keep, by the low end of its interval. */
#define ES_FRONTIER_ENOUGH 0.95

/** Points of n embedders with their front: over all of them by probe, if all have one, or by what
 *  they predict of each other; else, and of one, each has its own front by what is kept. most and
 *  against as in the report. Borrows `of`. ES_EEMPTY: no embedder. */
es_status es_frontier_report_new(const es_frontier_of *of, size_t n, size_t most,
                                 const char *against, es_frontier_report **out, es_error *err);
void es_frontier_report_free(es_frontier_report *report); /* NULL is allowed */

/** Returns the smallest compression of an embedder that is shown to keep enough; SIZE_MAX: none. */
size_t es_frontier_smallest(const es_frontier_report *report, size_t of);
/** Returns the best point of at most so many bytes a row, the smaller of equals; SIZE_MAX: none, or
 *  embedders cannot be compared. */
size_t es_frontier_best(const es_frontier_report *report, size_t most);
/** Returns mean nats a dimension that `model` predicts of other embedders, which neither are
 *  controls nor derived; NaN: of none is it known, or it is not above 0. */
double es_frontier_others(const es_results *results, size_t model);
/** Appends the answer: per embedder (the first three by value) the smallest that is shown to keep
 *  enough, then the best of a size. */
void es_frontier_put_answer(const es_frontier_report *report, es_buf *out);

/* Every score that needs no labels against what is downstream: the table by which a new one is
 * judged, with the dimension, which costs nothing, as the line to beat. */

/** One of them: column `column` of the scores. */
typedef struct es_label_free_row {
    size_t column;
    double regret_first,
        regret_five;  /* points of mean percentile (report_answer.h); NaN: not known */
    double each_task; /* mean Spearman with one task; NaN: undefined */
    double worth;     /* labelled tasks that say as much of another one, at most all
                         others; NaN: not known, or too few tasks */
    size_t place;     /* from 1, by Spearman's rho, equal ones sharing the smaller; 0: undefined */
} es_label_free_row;

typedef struct es_label_free {
    /* Columns as they were added, the dimension first: `ahead` is of it. Downstream is the mean
     * rank over tasks, as a percentile; controls have none. Only `against` and `ahead` of the
     * agreement are drawn. */
    es_agree_scores scores;
    es_label_free_row *rival; /* (scores.k) by Spearman's rho, best first, undefined ones last */
    size_t tasks, compared;   /* `compared`: scores with a place, which the first is the best of */
    size_t ranking;           /* column that labelled tasks are combined with; SIZE_MAX: none */
    es_task_baseline baseline[ES_TASK_BASELINES]; /* what labelled tasks say of another one */
    size_t baselines;
} es_label_free;

/** Begun with the dimension; further columns by es_agree_scores_add_*. */
es_status es_label_free_init(es_label_free *rivals, es_session *session, const es_results *names,
                             es_error *err);
/** Downstream, and what becomes of it. *unknown: embedders that are not in the scores. O(k draws m
 *  log m) with 1,000 draws. */
es_status es_label_free_settle(es_label_free *rivals, const es_results *names,
                               const es_scores *scores, uint64_t seed, size_t *unknown,
                               es_error *err);
void es_label_free_deinit(es_label_free *rivals); /* all zero bytes is allowed */

/** True if the row is the dimension. */
bool es_label_free_is_line(const es_label_free *rivals, const es_label_free_row *rival);

/* The numbers that results hold of a pair, by name. */

typedef enum es_pair_value {
    ES_VALUE_IS,
    ES_VALUE_SE,
    ES_VALUE_H_COND,
    ES_VALUE_ASYMMETRY, /* what the source simulates of the target less what that does of it */
    ES_VALUE_SECONDS,
    ES_VALUE_TOTAL, /* is times the columns of the target in use: nats */
    ES_VALUE_H      /* of the target, per dimension: the same in all of its column */
} es_pair_value;

/** Returns this value of a pair; NaN: unknown. */
double es_pair_value_of(const es_results *results, es_pair_value value, size_t source,
                        size_t target);

/** Returns the title of the value if the estimator's number is an error. */
const char *es_pair_value_of_error(es_pair_value value);

/* Columns of a table about rows (rows.csv, labels.csv): what kind each is, and which values it has.
 */

typedef enum es_row_column_kind {
    ES_ROW_COLUMN_EMPTY,  /* no row has a value */
    ES_ROW_COLUMN_TEXT,   /* mostly distinct: ids, sentences */
    ES_ROW_COLUMN_NUMBER, /* numbers only, more than ES_ROW_COLUMN_FEW distinct ones */
    ES_ROW_COLUMN_LABEL   /* few values, each of several rows */
} es_row_column_kind;

enum { ES_ROW_COLUMN_FEW = 20 };

/** A value and how many rows have it; the text is borrowed from the table. */
typedef struct es_row_value {
    const char *text;
    size_t count;
} es_row_value;

typedef struct es_row_column {
    es_row_column_kind kind;
    size_t rows, missing; /* with a value; without one: empty or "nan" */
    es_row_value *value;  /* (distinct) most frequent first, then by text */
    size_t distinct;
    double least, median, most; /* of numbers, else NaN */
} es_row_column;

const char *es_row_column_kind_name(es_row_column_kind kind);

/** Describes a column of a table, from row `first` on. ES_ENOMEM. O(n log n) in the rows. */
es_status es_row_column_new(const es_table *table, size_t first, size_t column, es_row_column *out,
                            es_error *err);
void es_row_column_deinit(es_row_column *column); /* all zero bytes is allowed */

/** Appends the most frequent values with counts, "a 240, b 160 and 3 more", or of numbers "0.1 to
 *  9.5, median 2". */
void es_row_column_put(const es_row_column *column, size_t most, es_buf *out);

/* The same rows on the maps of one or two embedders, in groups: by a column of labels.csv or
 * rows.csv, or by which of the two captures them. */

enum {
    ES_PLACES_MOST = 2,
    ES_PLACES_GROUPS = 8 /* the last then is "others" */,
    ES_PLACES_VALUES = 64 /* a column of rows.csv with more is no column of groups */
};
extern const char *const es_places_captured; /* what `by` is for the difference of two embedders */
extern const char *const es_places_plain;    /* and where rows are in no groups */

typedef struct es_row_places {
    size_t count;                 /* embedders, 1 or 2 */
    size_t model[ES_PLACES_MOST]; /* positions in the session's results */
    es_row_map map[ES_PLACES_MOST];
    size_t n, of;       /* rows drawn, of so many */
    bool evaluated;     /* `of` counts the rows that have values per row, not all */
    uint32_t *row;      /* (n) of the row set */
    char *by;           /* what the groups are of; NULL: there are none */
    es_words group;     /* their names */
    uint32_t *group_of; /* (n) UINT32_MAX: of none */
    es_words column;    /* what `by` could be here, es_places_plain last */
    double *difference; /* (n) of `captured`: values per row, first less second, of errors second
                           less first; NULL: none */
    bool errors;        /* they are */
} es_row_places;

/** Marks the rows (of the row set) that `text` describes: COLUMN=VALUE, or FILE:COLUMN=VALUE if
 * both files have the column. Numbers match whatever their spelling. *out: a new array, es_free.
 *  ES_EINVAL: no '='; ES_ENOTFOUND: no such column; ES_EEMPTY: no row has the value. O(rows). */
es_status es_row_where_new(es_pool *pool, const char *text, bool **out, es_error *err);

/** Which rows are drawn, and in which groups. */
typedef struct es_places_asked {
    const char *by; /* es_places_captured, es_places_plain, a column of labels.csv or rows.csv, or
                       NULL: what there is, in this order: captured, the first label column of
                       classes, the column `set` */
    const bool *where; /* (rows of the row set) only these, es_row_where_new; NULL: all */
    size_t most;       /* rows, a seeded sample; 0: all */
    uint64_t seed;
} es_places_asked;

/** Places rows of one or two embedders. entry: of the plan, whose values per row are taken;
 * SIZE_MAX: none. ES_ENOTFOUND: there is no such column; ES_EEMPTY: no values per row are known.
 * Captured are the tenth of the rows with the largest, and that with the least difference. */
es_status es_row_places_new(es_session *session, size_t entry, const size_t *model, size_t count,
                            const es_places_asked *asked, es_row_places **out, es_error *err);
void es_row_places_free(es_row_places *places);

/* Series: checkpoints of a training run, or a model and what was tuned from it, in the order of
 * their steps (EMIR, Figures 4c and 7; RetMMD, Figure 5). For every step its score, and how much
 * neighbours in time hold of each other. */

/** What is known of a step beside its number. Of information sufficiency, in nats per dimension of
 *  the target: how much this step holds of the one before and that one of this, of the first, and
 *  of the last. By an estimator of errors it is the error, the lower the better. */
typedef enum es_series_known {
    ES_SERIES_SCORE,
    ES_SERIES_OF_BEFORE, /* this -> the one before */
    ES_SERIES_BY_BEFORE, /* the one before -> this */
    ES_SERIES_OF_FIRST,
    ES_SERIES_OF_LAST,
    ES_SERIES_DOWNSTREAM, /* mean percentile over tasks, 100 = best (report_answer.h) */
    ES_SERIES_RANK,       /* in the whole pool, 1 = best (Darrin et al. 2024, Figures 4b and 5b) */
    ES_SERIES_KNOWN       /* measures follow */
} es_series_known;

/** A number for every point. */
typedef struct es_series_column {
    char *name, *title; /* "score"; "information sufficiency for the step before" */
    double *value;      /* (points) NaN: not known, or there is no step before */
    double *low, *high; /* (points) 95 %, of the score; else NULL */
} es_series_column;

typedef struct es_series_point {
    size_t series, model; /* model: position in the results */
    double step;
} es_series_point;

typedef struct es_series_run {
    const char *name; /* of the model's; borrowed */
    size_t first, count;
    size_t best;   /* point of the best score; SIZE_MAX: none has one */
    size_t change; /* the step from which on no two are distinguished; SIZE_MAX: none are at all */
    size_t later;  /* the last step that the one before `change` is distinguished from */
    bool up;       /* which way the score went there */
    bool best_is_last; /* or may be, as in the ranking, or not distinguished from it */
    bool last_unknown; /* it has no score, or of two scores nothing can be said */
} es_series_run;

typedef struct es_series {
    es_series_run *run; /* (runs) by name */
    size_t runs;
    es_series_point *point; /* (points) run after run, by step */
    size_t points;
    size_t baseline;          /* the best embedder of no run, by position in the results, which runs
                                 are seen beside; SIZE_MAX: none has a rank */
    bool repeats;             /* a run has a step twice: names tell them apart */
    es_series_column *column; /* (columns) */
    size_t columns, capacity;
} es_series;

/** What series are of; arrays are by position in the results. */
typedef struct es_series_of {
    const es_results *results;
    const es_model *const *model; /* by es_results.model */
    es_score_kind score_kind;
    const double *score;         /* (m) NaN: none */
    const es_decision *decision; /* of these scores; NULL: not known yet */
    const es_scores *scores;     /* downstream; NULL: none */
} es_series_of;

/** True if the scores are errors, lower being better. False without results. */
bool es_series_of_errors(const es_series_of *of);

/** Lists the training runs and their checkpoints; none is no error. ES_ENOMEM. */
es_status es_series_new(const es_series_of *of, es_series *out, es_error *err);
/** Value number `column` of embedder `model`, or of the pair (before, model); before SIZE_MAX: of
 * one embedder. Positions in the results; NaN: not known. */
typedef double (*es_series_value)(const void *context, size_t column, size_t before, size_t model);
/** A further column: of an embedder its value at each step, of a pair that of (the one before,
 * this).
 */
es_status es_series_add(es_series *series, const char *name, bool pairwise, es_series_value value,
                        const void *context, size_t column, es_error *err);
void es_series_deinit(es_series *series); /* all zero bytes is allowed */

/** What a run comes to, in sentences. */
void es_series_put(const es_series *series, const es_series_of *of, size_t run, es_buf *out);

/* Downstream tasks by category and size, and what communities of embedders reach (Darrin et al.
 * 2024, Figures 3, 9 and 21, Tables 4 and 6). */

/** Tasks of one category against the score. */
typedef struct es_task_kind {
    const char *category; /* borrowed */
    size_t tasks;
    es_correlation_report
        report; /* of the mean percentile over its tasks; weights as in tasks.csv */
} es_task_kind;

/** Embedders of one community. */
typedef struct es_community_reach {
    uint32_t community; /* as in the ranking's report */
    size_t n;           /* with downstream scores */
    double mean, sd;    /* of the mean percentile over all tasks; sd NaN for one */
} es_community_reach;

typedef struct es_task_kinds {
    size_t count;
    es_task_kind *kind; /* (count) in the order in which tasks name them */
    double *y;          /* (count, set->n) mean percentile over a category's tasks */
    size_t sized;       /* tasks whose size is known */
    es_stat size;       /* Spearman of log size and the task's own Spearman */
    size_t communities;
    es_community_reach *community; /* (communities) */
} es_task_kinds;

/** community (results' m, by set->at), or NULL. */
es_status es_task_kinds_new(const es_correlation_set *set, const uint32_t *community,
                            const es_correlate_options *options, es_task_kinds **out,
                            es_error *err);
void es_task_kinds_free(es_task_kinds *kinds);

/* Every score against every task: the table by which measures are judged in papers (EvalRank's
 * Tables 3, 6 and 11, RetMMD's Table 1, EMIR's Tables 9 and 10). */

typedef struct es_task_run {
    double mean, squares; /* of distances from the mean */
    size_t n;
} es_task_run;

typedef struct es_task_table {
    size_t k, columns;             /* scores; columns of report_answer.h */
    double *y;                     /* (columns, n) */
    es_correlation_report *report; /* (k, columns) over the same resamples of embedders */
    size_t runs;                   /* 1: no other seed was tried */
    es_task_run *run;              /* (k, columns, ES_CORRELATIONS) over the runs */
} es_task_table;

/** O(k columns (draws n log n + permutations n)) with 1,000 draws and 4,999 permutations. */
es_status es_task_table_new(const es_agree_scores *scores, const es_results *names,
                            const es_scores *tasks, uint64_t seed, es_task_table **out,
                            es_error *err);
/** Take up the scores that another seed gave the same embedders, joined by the columns' names. */
es_status es_task_table_add_run(es_task_table *table, const es_agree_scores *first,
                                const es_agree_scores *other, es_error *err);
/** Mean and standard deviation (n - 1) over runs; NaN: fewer than two. */
void es_task_table_spread(const es_task_table *table, size_t score, size_t column,
                          es_correlation kind, double *mean, double *sd);
void es_task_table_free(es_task_table *table); /* NULL is allowed */

/* Embedders and what was tuned from them, over several models: does tuning raise the score? (Darrin
 * et al. 2024, Figures 4b and 4c.) */

/** Ups, downs and equal ones of some pairs. */
typedef struct es_signs {
    size_t rose, fell, same;
    double p; /* exact two-sided sign test, equal ones left out; NaN: none rose or fell */
} es_signs;

/** An embedder and what was tuned from it; NaN: not known, 0: without a rank. */
typedef struct es_tuned_pair {
    size_t base, tuned;           /* positions in the report's results */
    double before, after, change; /* scores; errors as they are */
    double low, high;             /* of the change, 95 %, both together with all others; NaN */
    uint32_t rank_before, rank_after;
    double downstream_before, downstream_after; /* mean percentile over tasks, 100 = best */
} es_tuned_pair;

typedef struct es_tuned {
    es_tuned_pair *pair; /* (count) by name of the base */
    size_t count;
    es_signs score, downstream; /* up is better in both */
    size_t absent;              /* bases in models.csv that are no embedders here */
} es_tuned;

/** The exact two-sided sign test: the chance that a fair coin splits as unevenly. NaN of none. */
double es_sign_test(size_t up, size_t down);

/** The number of letters of a name before "-tuned", "-finetuned", "-fine-tuned" or "-ft", with - _
 * + or . between and in any case; 0: it ends in none of these. */
size_t es_tuned_stem(const char *name);

/** Pairs of a report: as `bases` says (of ES_MODEL_BASE; NULL: nothing), else NAME and NAME-tuned.
 *  scores NULL: no downstream. No pair at all is no error. ES_ENOMEM. O(m^2). */
es_status es_tuned_new(const es_rank_report *report, const es_family_file *bases,
                       const es_scores *scores, es_tuned *out, es_error *err);
void es_tuned_deinit(es_tuned *tuned); /* all zero bytes is allowed */

/** "The score rose in 6 of 6 (sign test: p .031)." and the same downstream, each a sentence. */
void es_tuned_put(const es_tuned *tuned, es_buf *out);

/* The ranking combined with the tasks that a user has: "your 3 tasks + ranking". */

/** Arrays are by position in the results. */
typedef struct es_with_tasks {
    size_t n, tasks, ranked; /* embedders; tasks taken; embedders with a rank */
    char title[48];          /* "your 3 tasks + ranking": its name on every surface */
    double *score;           /* (n) combined (core_downstream.h), higher is better; NaN: not ranked,
                                or it does not count (report_answer.h) */
    uint32_t *rank;          /* (n) 1 = best; 0: none */
    uint32_t *by_ranking,
        *by_tasks;   /* (n) rank by the ranking alone, by the tasks alone; 0: none */
    size_t *known;   /* (n) of these tasks that it has a score on */
    uint32_t *order; /* (n) best first, equal ones by name, without a rank last */
} es_with_tasks;

/** lead (n): the ranking's score, higher is better, NaN missing. chosen (scores->tasks): the tasks
 *  that are taken, at least one. Joined by equal names. O(n^2 + tasks n log n). ES_ENOMEM. */
es_status es_with_tasks_new(const es_results *results, const es_decision *decision,
                            const double *lead, const es_scores *scores, const bool *chosen,
                            es_with_tasks **out, es_error *err);
/** The same with the score of a report. chosen NULL: all tasks. */
es_status es_with_tasks_of(const es_rank_report *report, const es_scores *scores,
                           const bool *chosen, es_with_tasks **out, es_error *err);
void es_with_tasks_free(es_with_tasks *with); /* NULL is allowed */

#endif
