/* Values that views show, made of what the session knows. */
#ifndef ES_APP_VALUES_H
#define ES_APP_VALUES_H

#include "app_state.h"
#include "report_answer.h"

/* The bottom line as the explorer shows it, from the first pair on. */

enum { ES_HEADLINE_STATEMENTS = 16 };
typedef struct es_headline_parts {
    size_t count;
    size_t end[ES_HEADLINE_STATEMENTS]; /* bytes up to the end of each */
    es_statement kind[ES_HEADLINE_STATEMENTS];
} es_headline_parts;

/** Everything there is to say, a statement after the other. False: nothing is known. */
bool es_headline_say(const es_app *app, es_buf *out, es_headline_parts *parts);

/** Cuts it to what this screen has room for, after every message. */
void es_headline_update(es_app *app);
void es_headline_free(es_app *app);

/* Cell values, colour limits and geometry of the matrix. */

double es_metric_value(const es_app *app, es_heat_metric metric, size_t source,
                       size_t target); /* items */
/** Returns the matrix (m, m) that holds a metric as shown, for pairs that are done. For who looks
 * at all of them. NULL: ask es_metric_value. */
const double *es_metric_plain(const es_app *app, es_heat_metric metric);
/** True if both directions of a pair are by one estimator, so that they can be compared. By cell of
 * the results. */
bool es_metric_alike(const es_app *app, size_t cell, size_t back);
/** As es_results_copy_low, by the estimator of this cell. */
bool es_heat_copy_low(const es_app *app, size_t source, size_t target, double *is);
/** Returns the zero line of the target by the estimator of this cell; NAN: not measured. */
double es_heat_null(const es_app *app, size_t source, size_t target, double *se);
/** The value of per-row values that alone decides a cell, and in *entry whose they are; ES_NONE:
 * none does. *without: what the other rows give. Either may be NULL. */
size_t es_heat_deciding(const es_app *app, size_t source, size_t target, size_t *entry,
                        double *without);
/** True if the metric is a mean over rows, so that a single row may decide it. */
bool es_metric_of_rows(es_heat_metric metric);
const char *es_metric_name(es_heat_metric metric);
const char *es_metric_title(const es_app *app, es_heat_metric metric);
bool es_metric_possible(const es_app *app, es_heat_metric metric); /* with this plan */
bool es_metric_diverging(es_heat_metric metric);
es_heat_metric es_metric_find(const char *name);
void es_metric_format(es_heat_metric metric, double value, int digits, char *out, size_t capacity);
void es_limits_fit(es_app *app, bool now);
int es_limits_step(const es_limits *limits, double value); /* 0..255 */
es_screen_sizes es_heat_geometry(const es_app *app, es_rect inside);

/* Lines of Jobs: threads, then failures of all estimators. */

size_t es_jobs_threads(const es_app *app);
size_t es_jobs_lines(const es_app *app);    /* threads, then failures */
size_t es_jobs_failures(const es_app *app); /* of all estimators, the zero line included */
/** Pairs from this item to others, by any estimator of the plan, that nobody has begun. */
size_t es_jobs_left(const es_app *app, size_t item);
void es_jobs_pace(es_app *app); /* take a sample when it is time */
typedef struct es_failure {
    size_t entry;          /* of the plan */
    size_t source, target; /* items; source ES_NONE: the zero line of the target */
    const char *reason;    /* borrowed; NULL: not known */
    size_t cell;           /* where the next one is looked for */
} es_failure;
/** The next failure after *at, which begins as zeros; false: no more. */
bool es_jobs_next(const es_app *app, es_failure *at);
bool es_jobs_failure(const es_app *app, size_t number, es_failure *out);

bool es_jobs_pair(const es_app *app, size_t line, size_t *source, size_t *target); /* of any line */
void es_jobs_select(es_app *app, size_t line); /* and stay on its pair while others fail */
void es_jobs_follow(es_app *app);              /* after a change of the results */

enum { ES_JOBS_SLOWEST = 12 };

/** What the pairs took, stored ones too: seconds of the thread that estimated each. */
typedef struct es_took {
    uint64_t revision; /* of the results, added up */
    size_t entries;    /* of the plan */
    size_t *pairs;     /* (entries) done */
    double *seconds;   /* (entries) their sum */
    struct {
        size_t entry, source, target; /* items */
        double seconds;
    } slow[ES_JOBS_SLOWEST]; /* (slowest) the longest first */
    size_t slowest;
} es_took;

void es_took_free(es_took *took); /* NULL is allowed */

/* The live ranking. */

void es_live_ranking_update(es_app *app);
void es_live_ranking_baseline(es_app *app, bool restart);

/* Measures, as columns beside downstream scores and as a metric of the matrix. */

/* All fields of all measures, in one list to which new ones are added at the end; k below is a
 * place in it. Of each measure the first field is its own, which alone is a column. */
size_t es_app_measures(const es_app *app, bool pairwise);
size_t es_app_columns(const es_app *app, bool pairwise);
size_t es_app_column(const es_app *app, bool pairwise, size_t n); /* the n-th, as a k */
/** Appends the names of all measures as the command line takes them, with commas between. */
void es_measure_names_put(const es_app *app, es_buf *out);
const char *es_measure_title(const es_app *app, bool pairwise, size_t k);
size_t es_measure_titled(const es_app *app, bool pairwise, const char *title); /* ES_NONE: nobody */
/* As it is, whether higher or lower is better; as all values here but es_corr_score. */
double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b);
/* Corr's score as es_settings.axis: 0 is the ranking's, then embedder measures, from
 * ES_AXIS_PAIRS on those of pairs. NULL: none of that number. */
enum { ES_AXIS_PAIRS = 1 << 20 };
const char *es_axis_title(const es_app *app, size_t axis);
size_t es_axis_find(const es_app *app, const char *name); /* ES_NONE: no measure is called that */
bool es_axis_lower(const es_app *app, size_t axis);       /* lower is better; false of 0 */
/* Higher is better: with its sign turned where lower is. Of pairs the median over the others of
 * those that are ranked, as `embedscope agree` has it. scratch (n). */
double es_corr_score(const es_app *app, size_t axis, size_t item, double *scratch);
/* Why the value of a pair is not known, or says little, such as "n <= d1 + d2"; NULL: it is sound.
 */
const char *es_pair_caveat(const es_app *app, size_t k, size_t a, size_t b);
/* Columns of scores.csv, then measures of embedders, as one list. */
size_t es_score_count(const es_app *app);
const char *es_score_title(const es_app *app, size_t k);
double es_score_value(const es_app *app, size_t item, size_t k);
int es_score_digits(const es_app *app, size_t k);
bool es_score_lower(const es_app *app, size_t k); /* lower is better: an error, a cost */

/* What the ranking stands on: always one estimator, whatever the heatmap shows. */

/** Takes up what the source has; true when the ranking is another or of newer results. */
bool es_ranked_read(es_app *app);
void es_ranked_free(es_app *app);

/** Returns an item's index in the ranked results and their decision; ES_NONE: it is not ranked. */
size_t es_ranked_place(const es_app *app, size_t item);
/** True if the item neither votes nor ranks, since derived embedders are left out. */
bool es_ranked_leaves_out(const es_app *app, size_t item);
const char *es_ranked_beside_title(const es_app *app); /* whose medians stand beside the score */
size_t es_ranked_left_out(const es_app *app);          /* so many */
/** (m, m) what may be compared; NULL: nothing is known. */
const double *es_ranked_is(const es_app *app);
bool es_ranked_lower(const es_app *app); /* is better */
/** Every pair of what is ranked has ended, or will not come. */
bool es_ranked_complete(const es_app *app);
/** True if some embedder is ranked. Else lists by rank are by name. */
bool es_ranked_some(const es_app *app);

/** "linear shrunk, one vote a kind": what the score is made of. */
void es_ranked_rule_text(const es_app *app, char *out, size_t capacity);
/** "predictive score", "published score", "reconstruction error"; of a matrix from a file "mean".
 */
const char *es_ranked_score_name(const es_app *app);
/** The same in a word, for axes and columns: "predictive", "published", "error", "mean". */
const char *es_ranked_short(const es_app *app);
/** Returns what the score means and does not mean, in one or two sentences. */
const char *es_ranked_explained(const es_app *app);

/** The facts of the bottom line, and of sentences about single embedders. */
es_bottom_line_of es_ranked_words(const es_app *app, const es_decision *decision);
/** Why an embedder has no rank though its pairs are known, a sentence; NULL: it has, or they are
 *  not. */
const char *es_ranked_standing(const es_app *app, size_t item);
/** Says the bottom line anew, from what was decided last, and how that agrees downstream. */
void es_ranked_say(es_app *app);
/** Replaces sentences about a running estimation once it has ended. */
void es_ranked_say_end(es_app *app);
/** Fills the report that the ranking stands on, for es_explanation_new; borrowed until the next
 * message. False: nothing was decided of it yet. */
bool es_ranked_report(const es_app *app, es_rank_report *out);

/* Intervals of the live ranking, from the workers. */

double es_ranking_intervals_due(const es_app *app);              /* for the deadline */
void es_ranking_intervals_ask(es_app *app, es_effects *effects); /* when it is time */
bool es_ranking_intervals_take(es_app *app);                     /* true: what is shown changes */
/** The decision, unless it is of far fewer embedders than are ranked by now: who is first of those
 *  says nothing of these. NULL: nothing is to be said. */
const struct es_decision *es_ranking_decided(const es_app *app);
/** Returns how the last decision compares `item` with `other`. */
es_apart es_ranking_apart(const es_app *app, size_t item, size_t other);
/** For ES_FX_INTERVALS: what is shown, borrowed until the next message. m 0: nothing is. */
es_status es_app_decision(const es_app *app, es_rank_problem *out, es_error *err);

/* The best known value of every pair, previews among them. */

/** Best known values of the plan; NULL when one entry alone is to be shown. */
const es_results *es_refine_merge(es_app *app);
void es_refine_free(es_app *app);
/** Returns what changes with a row of what is shown; 0: nobody can tell. */
uint64_t es_refine_row_revision(const es_app *app, size_t row);
/** Plan entry that the value of a cell is of. */
size_t es_refine_entry(const es_app *app, size_t source, size_t target);
/** The value of a cell is of an earlier estimator than the one that is to come. */
bool es_refine_preview(const es_app *app, size_t source, size_t target);
/** Returns the estimator of the previews if there is a single one; "" otherwise. */
const char *es_refine_whose(const es_app *app);

/** Returns the plan entry that the last one refines; what the ranking alone stands on comes before
 * it. */
size_t es_refine_base(const es_app *app);
/** Returns the first plan entry whose values stand in: that of the ranking, while es_refine_base
 * has fewer pairs. */
size_t es_refine_first(const es_app *app);

/* What the rest of a run costs, before it is begun; and how far each of its passes is: a pass is an
 * entry of the plan. */

#define ES_RUN_SMALL 60.0 /* seconds that need not be asked for */

/** Seconds that the missing pairs of the plan take, all threads together, by the cost of each
 * (core_estimators.h) and the pace of those that are known, else of this machine; 0: nothing is
 * missing. NAN: it cannot be told, or is being measured. */
double es_run_seconds(const es_app *app);
/** Returns how many entries of the plan, from the first, together take less than limit seconds, and
 * writes what these take. Where samples grow: the first entry of several, or none. */
size_t es_run_passes_within(const es_app *app, double limit, double *seconds);
/** Writes "about 20 s", "about 12 min"; "" for a time that is not finite. */
void es_seconds_about(double seconds, char *out, size_t capacity);
/** es_seconds_about of es_run_seconds, with what it is of where samples grow. */
void es_run_seconds_text(const es_app *app, char *out, size_t capacity);

/** Returns the share of the pass under way that has ended, 0 to 1. */
double es_run_share(const es_app *app);
/** Returns the name of a pass: "ranking", "matrix" or "refining"; "" where there is one alone. */
const char *es_run_pass(const es_app *app, size_t pass);
/** Writes "ranking done, matrix 12 of 841 pairs"; passes to come are left out. */
void es_run_passes_text(const es_app *app, char *out, size_t capacity);

/* The matrix on the whole: its extremes and profiles. */

bool es_summary_new(es_app *app);
void es_summary_update(es_app *app); /* O(count^2) when something has changed, else O(count) */

/* Communities of the embedders, for the Tree view and for whatever names, colours or orders by
 * them: what is known of each. They are found by views/tree/tree_update.c, never before something
 * needs them, and a few milliseconds at a time. */

bool es_tree_init(es_app *app); /* false: out of memory */

double es_tree_resolution(const es_app *app); /* the one in force */
/** True if communities can be found; if not, tree->found is NULL, perhaps since the estimator's
 * numbers are distances. */
bool es_tree_possible(const es_app *app);
/** Returns the results that communities are found in: during refinement those of the first
 * estimator; NULL: none. */
const es_results *es_tree_results(const es_app *app);
/** Name of the estimator whose values the tree is made of. */
const char *es_tree_title(const es_app *app);
/** Order of items in the heatmap: by community, by cluster. */
int es_tree_compare(const es_app *app, size_t a, size_t b);
/** Community of an item, as an index of found->list at level 0; ES_NONE. */
/** Settled, and in too few of the runs to be said without a word of it. */
bool es_tree_unsure(const es_app *app, size_t group);
size_t es_tree_group(const es_app *app, size_t item);
/** Settled, and found in fewer of the runs than ES_TREE_STABLE_PERCENT. */
bool es_tree_unsure(const es_app *app, size_t group);
/** "C2", "C2.1"; a few bytes. */
void es_tree_label(const es_app *app, size_t group, char *out, size_t capacity);
/** Returns a name for a community: the family of its members, else its best embedder. Borrowed. */
const char *es_tree_name(const es_app *app, size_t group);
/** Communities are being looked for that are not those shown, or of which none are. */
bool es_tree_finding(const es_app *app);
/** True while stability is computed: *done of ES_LOUVAIN_RUNS runs. */
bool es_tree_settling(const es_app *app, unsigned *done);
/** The dendrogram that the order by cluster needs is not known yet. */
bool es_tree_leaves_awaited(const es_app *app);
size_t es_tree_top(const es_app *app, size_t group); /* the community of level 0 it is in */
/** Number of the community's colour, 0 to 7. */
unsigned es_tree_colour(const es_app *app, size_t group);

/* For tree_update.c. */
void es_tree_forget(es_tree *tree); /* the communities */
/** Takes `found` and its means (inside, then between) over and derives what the views show; of what
 *  it was found is the caller's to note. False: out of memory, all is freed. */
bool es_tree_adopt(es_app *app, es_communities *found, double *means, bool settled);
bool es_tree_complete(const es_app *app); /* nothing is missing in the results */
/** Too many embedders for the thread that draws: workers find what is to be known of them. */
bool es_tree_is_large(const es_app *app);
/** True if the answer to a request has come, or will not come. */
bool es_tree_has_come(const es_tree_request *asked, const es_structure_look *look);

/* Which pairs the user waits for. */

void es_urgency_update(es_app *app, es_effects *effects);
/** For ES_FX_PRIORITISE: how urgent each model is as a source, by position in the results; as
 *  es_session_prioritise takes it. */
const uint8_t *es_app_urgency(const es_app *app);

#endif
