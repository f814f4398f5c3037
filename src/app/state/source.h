/* Where the explorer reads from: a snapshot of a session (source_session.c) or of a test's mock,
 * and functions for what is looked up when it is shown. The owner's thread refreshes it, which is
 * cheap and never blocks; borrowed pointers stay valid until the source next changes and is
 * refreshed. */
#ifndef ES_APP_SOURCE_H
#define ES_APP_SOURCE_H

#include "engine_session.h"
#include "report.h"

/** A row of the matrices and what rows.csv says about it; id and text are cleaned, cut to fit, and
 *  empty where there is no rows.csv. */
typedef struct es_source_row {
    size_t number; /* in the files, from 0 */
    char id[64], text[512];
} es_source_row;

/** The baseline of the ranking, l2, as ES_FX_STORED has found it. */
typedef struct es_source_baseline {
    bool possible;       /* there may be one; not for l2 itself, nor for a matrix from a file */
    bool busy;           /* it is being looked for */
    size_t known, of;    /* pairs that are stored */
    const double *score; /* (models) higher is better, NAN where not known */
} es_source_baseline;

/** A field of a measure that was asked for (engine_session.h): the first, by the measure's name,
 * and after it its others, "infonce.match". */
typedef struct es_source_measure {
    const char *name;
    const char *caveat; /* what is to be kept in mind with it, in a line; static */
    es_worst_kind worst;
    size_t entry; /* of es_session_measured */
    bool labels;  /* it needs more than the vectors */
    size_t field; /* 0: the measure's first, which alone is a column of Rank */
    bool fact;    /* it says something of the measure, and ranks nobody */
    bool lower;   /* is better */
    bool part;    /* some of its values are still to come */
} es_source_measure;

typedef struct es_source es_source;
struct es_source {
    void *context;
    void (*refresh)(es_source *source);

    /* The pool. An item is a model's index here; excluded models are items too. The count is fixed
     * for the life of the source. Texts are cleaned. */
    const char *name, *path;      /* for display; never NULL */
    const char *modality;         /* NULL when not said */
    const char *folders_question; /* es_pool_folders_question; NULL: nothing is asked */
    const es_unused *unused;      /* es_pool_unused; NULL: nothing is known */
    const es_words *warnings;     /* es_pool_warning_list; NULL likewise */
    const es_words *grave;        /* es_pool_grave_list; NULL likewise */
    const char *scores_problem;   /* es_pool_scores_problem; NULL: none */
    size_t model_count, rows;
    const es_model **model; /* (model_count) */

    /* The run. */
    es_phase phase;
    es_error problem, store_problem; /* code ES_OK: none */
    es_error no_room;                /* a pair of the plan needs more memory than may be used */
    const char *store_path;          /* NULL when results stay in memory */
    es_progress progress;
    unsigned threads;
    double memory,
        memory_peak,    /* bytes: that may be used, that the plan takes at most; 0: unknown */
        memory_measure; /* that what is left of the measures takes at most; 0: nothing is */
    size_t measured, measured_of; /* values of measures under way, failed ones too; of 0: none is */
    const es_outlook *outlook;    /* what the missing pairs take, as it was when they were not being
                                   * estimated; NULL: it cannot be told, or not yet */
    bool read_only;               /* nothing can be started */

    /* A sample of rows that grows: its sizes so far, with what was found of each (borrowed), and
     * the size that is estimated while another one is shown; 0: none. */
    const es_growth_record *growth; /* (growths) */
    size_t growths, growing_to, rows_of;
    bool grows; /* a larger one follows unless this one settles: the run goes on */
    bool waits; /* one would follow, but the run was stopped, or not started */
    bool table; /* a table of scores is open alone: items are its models */

    /* Tasks of a cluster that estimate shares of the pool, as they were at the last look. */
    const es_shard *shards; /* (shard_count) borrowed */
    size_t shard_count;

    /* The plan and what is known of it. */
    size_t plan, best;
    const es_results **results; /* (plan) NULL until the pool is checked */
    char (*title)[64];          /* (plan) estimator, preset, and a seed that is not 0 */
    bool *lower_is_better;      /* (plan) */

    size_t predictive; /* the entry that the predictive score stands on; SIZE_MAX: none */

    /* What the ranking decides (report_answer.h). */
    struct {
        const es_decision *known;
        uint64_t tag;
        bool busy;
        double seconds;
    } decision;
    /* What Corr has asked for (report.h). */
    struct {
        const struct es_correlation_set *set;
        uint64_t tag;
        bool busy;
    } correlation;
    /* Duels: the question that was asked for, and what the answers come to (report.h). */
    struct {
        const es_duel_question *found;
        const es_error *why; /* NULL: nothing was found yet */
        uint64_t tag;
        const es_duel_report *report; /* NULL: not known */
        const es_error *report_why;
    } duel;
    /* Shared dimensions (es_session_width_known). */
    struct {
        const double *known;
        size_t m;
        uint64_t tag;
    } width;

    /* Communities, the dendrogram and the graph, where workers find them (structure.h). What was
     * found is the caller's once taken; NULL: it was taken already. */
    es_structure_look families, dendrogram, places;
    es_communities *(*take_families)(void *context, double **means);
    es_linkage *(*take_dendrogram)(void *context);
    es_force *(*take_places)(void *context);

    bool reads; /* a large file is being read, and how far (es_session_reading) */
    es_run_view reading;

    /* An embedder that is being trained in the background (es_session_training). */
    struct {
        bool on;
        unsigned step, steps;
        double loss, reconstruction, contrastive, log_q, log_p, cosine; /* of the last batch */
    } training;

    /* scores.csv, or the file that takes its place; names in it need not be embedders'. */
    const char *score_file; /* its name */
    es_scores scores;       /* borrowed; nothing in it where there is none */
    size_t *score_row;      /* (model_count) of an item; SIZE_MAX: not in it */

    /* Measures; [pairwise]. */
    size_t measures[2];
    uint64_t measures_revision; /* changes with every value */
    es_source_measure *measure[2];
    es_source_baseline baseline;
    const char *other_runs; /* where nothing of the plan is: what the store has (es_store_runs_put);
                             * NULL: nothing, or not known */

    /* Not pairwise: columns of numbers, higher is better, by item a; pairwise: matrices, as they
     * are. NAN where not known. k: of `measure`. */
    double (*measure_value)(void *context, bool pairwise, size_t k, size_t a, size_t b);
    /* Why the value of a pair is not known or says little, NULL: nothing. Static texts. */
    const char *(*measure_caveat)(void *context, size_t k, size_t a, size_t b);
    /* es_measured_remark of a measure; NULL: of none. */
    bool (*measure_remark)(void *context, bool pairwise, size_t k, char *out, size_t capacity);
    bool (*activity)(void *context, unsigned worker, es_activity *out);
    size_t (*queue)(void *context, es_queued *out, size_t capacity); /* what comes next */
    /* What stands behind value number `value` of es_results.pmi of a plan entry. Reads rows.csv
     * when it is first asked. False: not known, as for a matrix from a file. NULL: nothing is
     * known. Entry SIZE_MAX: of row `value` of the row set, whatever the entry. */
    bool (*row)(void *context, size_t entry, size_t value, es_source_row *out);
    bool (*row_texts)(void *context, size_t entry); /* is there a rows.csv that fits? */
    /* The text of a row of the files, whichever rows are in use, cleaned; es_free. NULL: there is
     * none. The function is NULL where there are no rows. */
    char *(*row_text)(void *context, size_t row);
};

/** A source over a session, which outlives it. NULL when out of memory. */
es_source *es_source_of_session(es_session *session);
/** The run is that of another session, whose results are not shown yet; NULL: its own again. */
void es_source_follow(es_source *source, es_session *session);
void es_source_free(es_source *source); /* of es_source_of_session; NULL is allowed */

#endif
