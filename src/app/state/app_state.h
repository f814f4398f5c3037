/* The state of the explorer: what it reads, what it shows, and what may be asked of both. */
#ifndef ES_APP_STATE_H
#define ES_APP_STATE_H

#include <math.h>

#include "view_settings.h"
#include "app_bindings.h"
#include "engine_session.h"
#include "report.h"
#include "engine_results.h"
#include "core_ranking.h"

/* A line being typed. */

typedef struct es_line {
    char text[ES_APP_LINE];
    size_t length, cursor; /* bytes */
} es_line;

bool es_line_key(es_line *line, uint32_t key); /* editing keys; false: not one */
void es_line_set(es_line *line, const char *text);
/** At the cursor; what has no room is left out. */
void es_line_insert(es_line *line, const char *bytes, size_t count);

/* Rectangles of panes for any screen size. */

typedef enum es_pane {
    ES_PANE_MAIN,
    ES_PANE_SIDE,    /* Pool: checks and plan; Heatmap: cell; Tree: community; Jobs: detail */
    ES_PANE_EXTRA,   /* Heatmap: extremes or scale; Tree: between communities */
    ES_PANE_THREADS, /* Heatmap: threads at work */
    ES_PANE_RUN,     /* Jobs */
    ES_PANE_LOG,     /* Jobs */
    ES_PANE_COUNT,
    /* Compare's names for them */
    ES_PANE_TARGETS = ES_PANE_MAIN,
    ES_PANE_TASKS = ES_PANE_SIDE,
    ES_PANE_ROWS = ES_PANE_EXTRA,
    ES_PANE_WHO = ES_PANE_THREADS,
    ES_PANE_CARDS = ES_PANE_RUN,
    /* The overview's tiles, in the order in which Tab walks them */
    ES_TILE_FIRST = ES_PANE_MAIN,
    ES_TILE_MATRIX = ES_PANE_SIDE,
    ES_TILE_FAMILIES = ES_PANE_EXTRA,
    ES_TILE_DOWNSTREAM = ES_PANE_THREADS,
    ES_TILE_RUN = ES_PANE_RUN,
    ES_TILE_ANSWER = ES_PANE_LOG
} es_pane;

typedef enum es_layout_class {
    ES_LAYOUT_TINY,
    ES_LAYOUT_SMALL,
    ES_LAYOUT_NARROW,
    ES_LAYOUT_NORMAL,
    ES_LAYOUT_WIDE
} es_layout_class;

typedef struct es_layout {
    es_layout_class size;
    es_rect header, answer, body, run, footer; /* answer.h 0: not shown */
    es_rect pane[ES_PANE_COUNT];               /* w == 0: not shown */
} es_layout;

/** answer: lines above the panes for what the ranking comes to; as many as es_layout_answer allows
 *  are taken. */
es_layout es_layout_make(es_view_id view, es_pane focus, int w, int h, int answer);
/** The most of them that a screen has room for, and their columns. */
int es_layout_answer(es_view_id view, int w, int h);
int es_layout_answer_width(es_view_id view, int w);
es_rect es_layout_inside(es_rect pane);
int es_between(int value, int low, int high);
bool es_pane_focusable(es_view_id view, es_pane pane);

/* Where the explorer reads from: a snapshot of a session (source_session.c) or of a test's mock,
 * and functions for what is looked up when it is shown. The owner's thread refreshes it, which is
 * cheap and never blocks; borrowed pointers stay valid until the source next changes and is
 * refreshed. */

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
    const es_pool *pool;          /* of es_pool_findings; NULL likewise */
    es_full_look full_look;       /* es_session_full_look */
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
    const es_cmim_live *training; /* NULL: none is */

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
/** The sum of the revisions of the entries' results, and of their pairs that are done. */
uint64_t es_source_revision(const es_source *source, size_t *done);
es_source *es_source_of_session(es_session *session);
/** The run is that of another session, whose results are not shown yet; NULL: its own again. */
void es_source_follow(es_source *source, es_session *session);
void es_source_free(es_source *source); /* of es_source_of_session; NULL is allowed */

/* What each view has worked out of the results and holds between frames. */

/* ---- The live ranking ---- */

typedef struct es_live_rank {
    double score;       /* the one ranked by; NAN when it is not ranked yet */
    double low, high;   /* 95 % interval, NAN when not known */
    double published;   /* median over the other targets by the best complete estimator; NAN */
    double simulated;   /* by the same, median of the item as a target; NAN when none is known */
    double entropy;     /* H(V), nats per dimension; NAN when not known */
    double information; /* lead in the information matrix; NAN when not known */
    double width;       /* shared dimensions; NAN when not known */
    size_t kind;        /* numbered from 1; 0: not ranked */
    size_t pairs, of, failed;
    size_t place;               /* 1 = best; 0 = not ranked */
    size_t baseline;            /* place when the run began; 0 = none */
    size_t rank_low, rank_high; /* 95 % interval of the place; 0 = not known */
    bool best; /* a candidate for the best (es_decision); false while that is not known */
} es_live_rank;

/** How an embedder stands to the one under the cursor. */
typedef enum es_apart {
    ES_APART_UNKNOWN,
    ES_APART_SELF,
    ES_APART_NOT,  /* no difference is shown */
    ES_APART_SHOWN /* one of them is shown ahead of the other */
} es_apart;

/** What is ranked: one estimator's results, whatever the heatmap shows. */
typedef struct es_app_ranked {
    const es_results *results; /* NULL: nothing is known; `originals`, or the source's */
    const es_results *of;      /* the source's */
    es_results *originals;     /* without derived embedders; NULL: there are none, or they rank */
    size_t *place;             /* (n) of an item in `results`; ES_NONE: it is not ranked */
    uint32_t *order;           /* (n) positions by name */
    bool derived;              /* derived embedders vote and rank */
    size_t entry;              /* of the plan; ES_NONE */
    uint64_t revision;
    bool lower;      /* the lowest is the best, as of what was ranked last */
    bool by_wish;    /* the published score was asked for */
    bool published;  /* by the published score, else by the lead */
    double *width;   /* (m) shared dimensions of the decision's embedders; NULL: not known. Owned */
    double *is;      /* (m, m) what may be compared, where not all is known; owned */
    size_t compared; /* embedders that are */
    struct es_ranking *live;   /* of what is known; NULL: nothing, or not since then. Owned */
    double *live_is;           /* (m, m) what that is made of, while a run goes on; else NULL */
    struct es_ranking *spare;  /* `live` of before, by the same rule, to be renewed; NULL: none */
    size_t placed;             /* embedders that have a place in it */
    struct es_ranking *beside; /* the published score of the results `beside_of`. Owned */
    const es_results *beside_of;
    uint64_t beside_revision;
    struct es_bottom_line *line;      /* the newest; NULL: none yet. Owned */
    bool so_far;                      /* it was said while a run went on */
    struct es_downstream *downstream; /* of the same decision; NULL: no scores. Owned */
} es_app_ranked;

/** What the ranking comes to, above the views that list embedders. */
typedef struct es_headline {
    char *text;  /* whole statements, as many as there is room for; NULL: nothing to say. Owned */
    size_t lead; /* bytes of the first */
    int lines;
} es_headline;

/** What the ranking decides, which workers compute. */
typedef struct es_ranking_intervals {
    const es_decision *known;    /* newest that fits what is shown; NULL: none yet */
    uint64_t tag, shown;         /* of the last request, and of the intervals */
    uint64_t width_asked, width; /* tags of decisions whose widths were asked for, and came */
    bool asking;                 /* a request is under way */
    double asked_at, changed_at; /* seconds; changed: results */
    uint64_t revision;           /* of the results asked about */
    size_t asked_done;           /* pairs known or failed then */
    bool asked_complete;         /* and these were all of them */
    size_t entry;                /* of the plan, that was asked about */
    bool published, derived;     /* and by which score, with derived embedders or without */
} es_ranking_intervals;

/* ---- The matrix ---- */

typedef struct es_limits {
    double low, high; /* ends of the colour map */
    double least, most, median;
    size_t known; /* cells they were taken from; 0: no limits yet */
    bool robust;  /* 5th to 95th percentile, else least to most */
} es_limits;

/** The pair with the most or the least; ES_NONE: nothing is known. */
typedef struct es_extreme {
    size_t source, target; /* items */
    double value;
} es_extreme;

/** Sums of the known values of an item's pairs, and how many they are. */
typedef struct es_summary_item {
    double as_source, as_target;
    size_t targets, sources;
} es_summary_item;

/** What a summary was made from. */
typedef struct es_summary_key {
    bool made;
    const es_results *results;
    uint64_t revision, items;
    size_t entry, matrix, count;
    es_heat_metric metric;
    double fitted_at;
} es_summary_key;

/** Over the embedders that the matrix shows. */
typedef struct es_summary {
    es_extreme most, least;
    es_extreme skew;       /* the larger direction of the pair with most asymmetry */
    es_summary_item *item; /* (n) only of those shown */
    es_summary_key key;
} es_summary;

typedef struct es_screen_sizes {
    int label_w;        /* columns of row labels, with cursor, mark and dendrogram */
    int tree_w;         /* of the dendrogram; 0: none */
    int bar_w;          /* between labels and cells: room for the communities' bar */
    int head_h;         /* lines of column labels, the last for marks and the cursor */
    int cell_w, cell_h; /* of one matrix cell; cell_h 1 in half mode */
    bool half;          /* two matrix rows in one text row */
    size_t pool;        /* > 1: overview, each drawn cell is the mean of pool x pool */
    bool digits;
    size_t rows, columns; /* drawn cells that fit */
    size_t total;         /* drawn cells a side: ceil(count / pool) */
} es_screen_sizes;

/* ---- Compare ---- */

/** Which rows are listed. */
typedef enum es_compare_way {
    ES_COMPARE_BOTH,
    ES_COMPARE_FIRST, /* that the first of the pair captures and the second does not */
    ES_COMPARE_SECOND,
    ES_COMPARE_WAYS
} es_compare_way;

/** What is known about those in es_settings.compare; made anew by es_compare_refresh. */
typedef struct es_compare_state {
    es_comparison *known;   /* NULL: nothing chosen, or a chosen one is not in the results */
    es_compared_rows *rows; /* of `pair`; NULL: no values per row */
    size_t *line;           /* (lines) places in known->targets, as listed */
    size_t lines, others;   /* targets listed; all that are not compared themselves */
    size_t passed;          /* that are known and the filter passes; */
    size_t judged, clear;   /* of these: with an error; beyond the interval */
    uint32_t *row;          /* (row_lines) value numbers, as listed */
    size_t row_lines;
    uint64_t seen, rows_seen; /* what `known` and `rows` were made from */

    size_t target;     /* item under the cursor of the targets; ES_NONE */
    size_t aimed;      /* item that the user has put it on: it comes back to it when that does */
    size_t side;       /* which a assigns and w moves; count: a third to add */
    size_t pair;       /* of known->pair, for rows and heatmap */
    size_t task, at;   /* cursors of downstream and of rows */
    size_t row_target; /* item the rows are for; ES_NONE: mean over all */
    es_compare_way way;
    es_view_id from; /* where c was pressed */
    bool away;       /* drilled into the heatmap; Esc comes back */
} es_compare_state;

/* ---- Tree ---- */

enum {
    ES_TREE_ALL = 0,            /* depth of the line above all communities, they are at 1 */
    ES_TREE_ITEM = 1000,        /* depth the cursor wants when it is on an embedder */
    ES_TREE_LEVELS = 8,         /* foldable levels; finer ones are always open */
    ES_TREE_STABLE_PERCENT = 80 /* groups found in fewer runs get a warning */
};
#define ES_TREE_PAUSE 4.0 /* seconds between two looks at live results */
#define ES_TREE_SOON 0.5  /* the same where twice as many are known by now, or all */
#define ES_TREE_STEP 0.05 /* of the resolution, by + and - */
#define ES_TREE_RESOLUTION_MAX 5.0

/** One line: everything (group and item ES_NONE), a community (item ES_NONE) or an embedder. */
typedef struct es_tree_row {
    size_t group; /* in found->list; of an embedder: the part it is in; ES_NONE: all */
    size_t item;
    unsigned depth;
    uint32_t rails; /* bit d: a line of depth d follows below */
} es_tree_row;

/** What workers were asked for. */
typedef struct es_tree_request {
    uint64_t tag;
    bool waiting, settle; /* settle: with how stable communities are */
    const es_results *results;
    uint64_t revision;
    double resolution;
    size_t known;
} es_tree_request;

enum { ES_TREE_CLOSEST = 4 };

/** A community near another one, with the means from it and to it; NAN. */
typedef struct es_tree_near {
    size_t group; /* in found->list */
    double to, from;
} es_tree_near;

typedef struct es_tree {
    /* Communities. Members are positions in `results`. */
    es_communities *found; /* NULL: not known (yet) */
    const es_results *results;
    uint64_t revision; /* of the results they were found in */
    double resolution, made_at;
    size_t known, pairs; /* pairs that were known then, and all */
    bool settled;        /* found->list has its stability, of all runs */
    bool watched;        /* Tree shows them: a frozen order keeps its lines */
    double *inside;      /* (listed) mean IS between members; NAN */
    double *between;     /* (groups, groups) mean IS from row to column, inside on the diagonal */
    uint32_t *label;     /* (groups) number shown, from 0; its colour follows it */
    uint32_t *by_label;  /* (groups) group of each number */
    size_t *place;       /* (n) item's place in the order of the tree */
    size_t *part;        /* (n) the smallest listed community that an item is in; ES_NONE */
    size_t *leaf;        /* (n) item's place among the leaves of the dendrogram */
    es_linkage *linkage; /* the dendrogram, of positions in leaf_results; NULL: not made yet */
    uint64_t leaf_revision;
    const es_results *leaf_results;
    double leaf_at;

    es_communities_search *search; /* for the stability; NULL: none is on */
    unsigned runs_left;
    es_tree_request asked, leaf_asked, graph_asked; /* of large pools */

    /* Lines. */
    es_tree_row *row; /* (rows) */
    size_t rows, top;
    unsigned depth; /* of the cursor's line; it holds app->cursor */
    bool *shown;    /* (n) */

    /* The community under the cursor. */
    size_t facts_of; /* in found->list; ES_NONE: everything */
    bool have_facts;
    es_community_facts facts; /* positions in results */
    es_tree_near closest[ES_TREE_CLOSEST];
    size_t closests;

    /* The graph. Nodes are positions in results. */
    es_force *force; /* NULL: not made yet */
    uint64_t graph_revision;
    const es_results *graph_results;
} es_tree;

/* What is open over the view: a prompt, a list, a question, a text, the dialogs. */

typedef enum es_mode {
    ES_MODE_NORMAL,
    ES_MODE_PROMPT, /* a line is being typed */
    ES_MODE_HELP,
    ES_MODE_PICK, /* a list to choose from */
    ES_MODE_ASK,  /* yes or no */
    ES_MODE_NOTE, /* a text to read */
    ES_MODE_EXPORT,
    ES_MODE_PLANNER, /* the run dialog */
    ES_MODE_DUEL     /* questions about rows */
} es_mode;

typedef enum es_prompt_kind {
    ES_PROMPT_COMMAND,
    ES_PROMPT_SEARCH,
    ES_PROMPT_FILTER,
    ES_PROMPT_COUNT
} es_prompt_kind;

typedef struct es_history {
    char *line[ES_APP_HISTORY]; /* oldest first */
    size_t count, fresh;        /* the last `fresh` were typed in this session */
} es_history;

typedef struct es_prompt {
    es_prompt_kind kind;
    es_line line;
    es_history history[ES_PROMPT_COUNT];
    bool sourcing;              /* lines are taken from a file */
    size_t browsing;            /* steps back in the history; 0: the new line */
    char draft[ES_APP_LINE];    /* the new line while browsing */
    char complete[ES_APP_LINE]; /* what was typed before Tab */
    size_t complete_at;         /* which candidate is shown + 1; 0: not completing */
    char error[256];            /* of a filter being typed */
    size_t origin, place;       /* cursor item, and its place, when a search began */
    char before[ES_APP_LINE];   /* filter when the prompt opened */
} es_prompt;

typedef enum es_pick_kind {
    ES_PICK_ORDER,
    ES_PICK_HIDDEN,
    ES_PICK_COLUMNS,
    ES_PICK_THEME,
    ES_PICK_SIDE,    /* an embedder for Compare's side */
    ES_PICK_MEASURE, /* a measure to compute */
    ES_PICK_DERIVE,  /* a way to derive an embedder */
    ES_PICK_OPTIONS  /* what :set sets; each is changed in its line */
} es_pick_kind;
typedef struct es_pick {
    es_pick_kind kind;
    size_t at, count, all; /* all: without what is typed */
    size_t
        *item; /* (count, with room for `room`) what each line is of: an order, an embedder ... */
    size_t room;
    es_line typed;                                         /* lines that hold it are shown */
    char before[64];                                       /* theme in use when the list opened */
    bool (*line)(size_t item, char *out, size_t capacity); /* of ES_PICK_OPTIONS; false: no more */
    bool typing; /* the value of an option is typed into `value` */
    es_line value;
} es_pick;

typedef enum es_ask {
    ES_ASK_QUIT,
    ES_ASK_CANCEL,
    ES_ASK_OVERWRITE,
    ES_ASK_FOLDERS,
    ES_ASK_NAMES, /* of scores.csv: are they those of embedders? */
    ES_ASK_FAMILY /* is families.csv to be written? */
} es_ask;

typedef enum es_export_form {
    ES_EXPORT_TEX,
    ES_EXPORT_MD,
    ES_EXPORT_CSV,
    ES_EXPORT_JSON,
    ES_EXPORT_JSONL, /* of the matrix alone, as ES_EXPORT_NPZ */
    ES_EXPORT_NPZ,
    ES_EXPORT_SVG,
    ES_EXPORT_PDF,
    ES_EXPORT_PNG,
    ES_EXPORT_HTML, /* of the report alone */
    ES_EXPORT_FORMS
} es_export_form;

typedef enum es_export_width {
    ES_EXPORT_USUAL,
    ES_EXPORT_SINGLE,
    ES_EXPORT_DOUBLE
} es_export_width;

typedef enum es_export_look { ES_EXPORT_LIGHT, ES_EXPORT_DARK, ES_EXPORT_THEME } es_export_look;

enum { ES_EXPORT_FILE = 512 };

typedef struct es_export_request {
    es_export_view view;
    es_export_form form;
    es_export_width width; /* of a picture */
    es_export_look look;   /* of a picture: ES_EXPORT_THEME is the theme shown */
    bool all;              /* although some are marked */
    bool named;            /* the file's name was typed: it does not follow view and format */
    char file[ES_EXPORT_FILE];
} es_export_request;

typedef struct es_export_state {
    const char *const *base[ES_EXPORT_VIEWS]; /* es_app_exporter; NULL: none */
    es_export_form form[ES_EXPORT_VIEWS];     /* used last */
    es_export_request now, last;
    bool has_last, busy; /* for E; one is being written */
    bool naming;         /* the file's name is being typed */
    es_line line_edit;
    es_words line; /* for ES_FX_EXPORT */
} es_export_state;

typedef struct es_note {
    char title[128];
    char *text; /* owned; lines */
    size_t scroll;
} es_note;

typedef struct es_help {
    es_line filter;
    size_t at, count; /* of `match` */
    size_t ready;     /* of `match`, those that work now; they come first */
    uint8_t match[ES_COMMAND_COUNT];
    bool all;                                                      /* all views */
    const char *(*refusal)(const es_app *app, es_command command); /* NULL: it works now */
} es_help;

/** What the run dialog begins with. */
typedef struct es_planning {
    const char *open; /* the plan of this session: lines "option=value" as on the command line */
    const char *const *command; /* how the line begins that estimates this pool; ends with NULL */
    es_status (*check)(const char *lines, es_error *err); /* can the pool be opened with it? */
} es_planning;
typedef enum es_planner_field {
    ES_PLANNER_ESTIMATOR,
    ES_PLANNER_PRESET,
    ES_PLANNER_ROWS,
    ES_PLANNER_SEED,
    ES_PLANNER_THREADS,
    ES_PLANNER_FIELDS
} es_planner_field;

enum { ES_PLANNER_VALUE = 32 };

/** What each option is to be; "": as without it. */
typedef struct es_planner_request {
    char value[ES_PLANNER_FIELDS][ES_PLANNER_VALUE];
} es_planner_request;

typedef struct es_planner_state {
    es_planning from; /* command NULL: there is none */
    es_planner_request open, now;
    unsigned threads; /* when the session was opened */
    es_planner_field field;
    bool fresh; /* a digit begins the number anew */
} es_planner_state;

/** How y writes what it copies. */
typedef enum es_copy_form {
    ES_COPY_TSV,
    ES_COPY_MARKDOWN,
    ES_COPY_LATEX,
    ES_COPY_JSON
} es_copy_form;

/* The explorer's state: everything that a message may change and a view may draw. What is set and
 * kept is in view_settings.h. */

#define ES_APP_HOLD 4.0   /* seconds that an order is held after a key */
#define ES_APP_COUNT 0.25 /* seconds in which the rest of a sequence takes its first key back */
#define ES_APP_MENU                                                                                \
    0.5                  /* seconds after the first key of a sequence until the others are listed  \
                          */
#define ES_APP_TOAST 4.0 /* seconds that a notice stays */
#define ES_APP_READ 1.0  /* seconds after which a key or a click ends it, too */

/* ---- Everything ---- */

typedef struct es_list {
    size_t *item; /* (count) */
    size_t count;
    size_t top; /* first item shown */
} es_list;

/** Several data sets, one of which is open; all zero: one pool. */
typedef struct es_sets {
    const char *const *name; /* (count) */
    size_t count, here;
    bool due; /* the others are to be estimated once the open one is */
} es_sets;

/** What is estimated beside the session (beside.h). */
typedef struct es_beside {
    bool on, again; /* again: it is to be begun anew */
    bool of_sets;   /* else of what set.sweep says */
    char says[ES_RUN_SUBJECT];
} es_beside;

struct es_app {
    es_source *source;                         /* refreshed at the beginning of every message */
    const struct es_view_ops *const *view_ops; /* (ES_VIEW_COUNT) app_commands.h */
    es_log *log;
    double now;
    int w, h;
    bool ascii, coarse, mono; /* of the terminal */
    bool baseline_set;        /* standing[].baseline holds a complete ranking */
    bool frozen, order_stale; /* F; the order held is not the current one */
    bool ordered;             /* Rank is in an order in which all are ranked */
    bool fit_late;            /* values of a measure are newer than its limits */
    bool moved;               /* the cursor was, by the user: until then Rank has it on the best */
    bool rank_seen;           /* Rank was shown with an order, or one moved in it */
    bool theme_saved;         /* the last session ended with one that was chosen */
    bool autostart;           /* a run that takes under a minute begins by itself ... */
    bool may_start;           /* ... as soon as that is known: somebody sits before the terminal */
    bool began;               /* that was decided for this session */
    bool partial;             /* what began by itself is not all: r starts the rest */
    bool dirty;               /* something visible changed since es_app_drawn */
    bool urgent;              /* and so shortly after a key that a frame must not wait */
    bool starved;             /* of memory, while it was made */
    bool torn;                /* frames need not be shown as a whole */
    bool counting;            /* # was typed: digits are a count */
    bool names_said;          /* that there are names of scores to accept */
    bool newcomer; /* no session came before this one: until a key, the footer explains */

    void **kept; /* (kept_count) blocks of es_app_keep */
    size_t kept_count;

    /* Read from the source at the last ES_MSG_SESSION. */
    size_t n;                  /* items */
    size_t *position;          /* (n) in results; ES_NONE */
    const es_results *results; /* NULL: nothing known */
    size_t entry;              /* of the plan; ES_NONE */
    size_t wanted_entry;       /* chosen by :estimator; ES_NONE = the best */
    uint64_t revision;
    es_results *merged;               /* best known values; NULL: never needed. Arrays owned */
    struct es_merged_row *merged_row; /* (m) refine.c */
    char merged_title[160];           /* "linear → knife" */
    uint8_t *origin;                  /* (m, m) plan entry of each merged value */
    size_t previews, refined; /* pairs of two embedders among the merged ones that are done */
    es_phase phase;
    es_progress progress;
    size_t usable, unchecked;
    uint8_t score_digits[ES_APP_SCORES]; /* decimals of each column of scores.csv */
    size_t first;                        /* item whose pairs come first; ES_NONE */
    size_t newest_source, newest_target; /* items of the last new cell; ES_NONE */
    double newest_at;
    uint8_t *known;      /* (n, n) states at the last look, to find new cells */
    uint64_t *known_row; /* (n) revisions of rows at the last look */

    es_live_rank *live; /* (n) */
    es_app_ranked ranked;
    es_ranking_intervals intervals;
    es_headline headline;
    uint8_t *urgency, *urgency_scratch; /* (n) by position in the results */
    es_limits limits[ES_METRIC_COUNT];
    es_summary summary;
    double fitted_at; /* limits of a measure, while its values come in */

    /* What the user looks at. */
    es_view_id view;
    es_pane focus[ES_VIEW_COUNT];
    size_t cursor, column;       /* items; ES_NONE when there is none */
    bool *marked, *hidden;       /* (n) */
    bool *passes;                /* (n) the filter shows it */
    struct es_pattern **pattern; /* (1) of the filter, compiled */
    uint8_t *folded;           /* (n) bit l: the community of level l that begins with this item */
    bool *excluded, *accepted; /* (n) Corr: left out by x; proposed name taken as the item's */
    es_scores scores;          /* the source's; accepted names are their embedders' */
    double *score_value;       /* values of MTEB's scores with accepted names; NULL: the source's */
    size_t *score_row;         /* (n) of an item, accepted ones too; SIZE_MAX: none */
    size_t *score_taken;       /* (n) row that was accepted as the item's; SIZE_MAX */
    struct es_corr *corr;      /* app_corr.h */
    es_sets sets;
    es_beside beside;
    struct es_sheets_state *sheets;              /* app_sheets.h; NULL: never asked for */
    struct es_sheets_state *tabs[ES_VIEW_COUNT]; /* those of the views that are not shown */
    es_view_id tab, tab_from; /* the view whose sheet `sheets` is; where Compare goes back */
    struct es_duels *duels;   /* app_dialogs.h; likewise */
    char viewer[ES_APP_LINE]; /* command that shows the file of a row, %s; "": none */
    es_list list[ES_LIST_COUNT];
    es_tree tree;
    size_t left; /* Heatmap: first column shown (rows: list.top) */
    size_t pane_top[ES_VIEW_COUNT][ES_PANE_COUNT]; /* scroll of text panes */
    float pace[ES_APP_PACE]; /* pairs a second, a sample a second while the run is on; a ring */
    size_t paces;            /* samples ever taken */
    double paced_at;         /* of the last one */
    size_t paced_done;       /* pairs by then */
    struct es_took *took;    /* app_values.h; NULL: a run is on, or nothing is done */
    size_t job;              /* Jobs: selected line (threads, then failures) */
    size_t job_entry, job_source, job_target; /* of a selected failure, to stay on it */
    es_settings set;
    es_compare_state compare;
    size_t range;     /* v: item where a range of marks began; ES_NONE */
    bool *range_base; /* (n) marks before the range */
    char search[ES_APP_LINE];
    es_log_level log_level;

    /* Order hold. */
    double hold_until;
    size_t *held_place; /* (n) places when the order was frozen */
    size_t *scratch;    /* (3 n) for sorting */
    double *values;     /* (n * n) for percentiles */

    /* Undo: snapshots of `set`, marked, hidden, folded, excluded and accepted; newest last. */
    struct es_snapshot *undo[ES_APP_UNDO], *redo[ES_APP_UNDO];
    size_t undo_count, redo_count;
    uint64_t changes; /* steps ever made */

    /* Keys. */
    es_keymap keymap;
    uint32_t prefix;     /* first key of a sequence; 0 = none */
    bool prefix_ran;     /* it has run as a command of its own, which a sequence takes back */
    bool prefix_changed; /* ... and it made a step for undo */
    bool mouse;          /* its events are asked for */
    bool mouse_said;     /* how to select text was shown, after the first click */
    double prefix_at;
    double clicked_at; /* for double clicks */
    es_mouse clicked;
    size_t count; /* typed before a command; 0 = none */

    es_mode mode;
    es_prompt prompt;
    es_pick pick;
    es_ask ask;
    size_t quit_code; /* of a yes to ES_ASK_QUIT */
    char family[256]; /* of a yes to ES_ASK_FAMILY; "": none */
    es_note note;
    es_help help;
    es_export_state export;
    es_planner_state planner;

    char *recent; /* paths of other pools, a line each; NULL: none */
    es_words themes;
    char theme[64];
    const char *theme_dir; /* where themes are looked for first; NULL: nowhere else. Borrowed */
    char theme_first[64];  /* in use when the explorer opened */
    char *scores_file;     /* what o has opened; NULL: nothing */

    char toast[512];
    es_status toast_status;
    double toast_until;  /* 0: none */
    uint64_t toasts;     /* notices ever given */
    uint64_t start_said; /* which of them said that a run had begun; 0: none */
    double interrupt_at; /* of the last Ctrl-C */
};

/* What is read of the state and changed in it. */

/* Settings with several values each, as they are typed after a name: every combination of them. */

/** Appends combination `at` of "retmmd power=2,3 rbf=all" as "retmmd[power=2 rbf=all]"; the first
 *  setting changes fastest. Returns how many combinations there are, 0: something is no setting. */
size_t es_combination(const char *text, size_t at, es_buf *out);

/* Notices for the user, and requests to the event loop. */

/** Tell the user one line, e.g. what became of an effect. Cleaned and cut to one line. */
void es_app_say(es_app *app, double now, es_status status, const char *text);

/** Show a text to read, over the view; `text` is cleaned line by line. */
void es_app_note(es_app *app, const char *title, const char *text);

void es_app_notice(es_app *app, es_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void es_effect_add(es_app *app, es_effects *effects, es_effect_kind kind, size_t number, bool flag,
                   const char *text);
/** Copies `text` and frees it; NULL: there was no memory for it. */
void es_app_copy(es_app *app, char *text, es_effects *effects);
void es_app_show_note(es_app *app, const char *title,
                      char *text); /* takes text; NULL: out of memory */
void es_effects_clear(es_effects *effects);

/* What a view does otherwise than the others: an object that its own file, NAME_ops.c, defines and
 * view_ops.c lists. A view without one, and a member that is NULL, false or 0, does as the
 * views of a list of embedders do. */

/** A table of its own to copy. */
typedef struct es_view_sheet {
    const char *(*title)(const es_app *app, size_t column);
    size_t columns;
    void (*cell)(const es_app *app, size_t column, size_t row, char *out, size_t capacity);
    size_t rows, here; /* rows 0: the embedders that the view lists; here: that under the cursor */
} es_view_sheet;

typedef struct es_view_ops {
    /* ---- Going and moving ---- */

    /** Before it is shown in place of another. */
    void (*enter)(es_app *app);
    /** Motions in its main pane. */
    void (*move)(es_call *call);
    bool move_everywhere;       /* move is for all panes: none merely scrolls */
    size_t wheel;               /* lines a step of the wheel moves; 0: as elsewhere */
    bool (*close)(es_app *app); /* Esc, before it takes the filter; false: nothing was open */
    void (*leave)(es_app *app); /* Esc, when there is nothing else to close */

    /* ---- Lines that are not its list: what / searches ---- */

    size_t (*lines)(const es_app *app);
    size_t (*line)(const es_app *app); /* of the cursor; ES_NONE */
    /** The embedder of a line, and a second (ES_NONE: none); false: it has none. */
    bool (*line_of)(const es_app *app, size_t line, size_t *source, size_t *target);
    void (*to_line)(es_app *app, size_t line);
    /** Is the text searched for in a line? NULL: it is in the embedders' names. */
    bool (*holds)(const es_app *app, size_t line, const char *text);

    /* ---- What the cursor is on ---- */

    /** The pair; false: none. */
    bool (*pair)(const es_app *app, size_t *source, size_t *target);
    /** Those that w is about, together with a measure of pairs: how many, which two of them
     * (0: the first two) and which side the cursor is on. */
    size_t (*compared)(const es_app *app, size_t item[ES_COMPARE_MOST], size_t *pair, size_t *side);
    /** The measure of one embedder that is looked at; ES_NONE. */
    size_t (*measure)(const es_app *app);
    /** Marks what is there; false: it is an embedder like any other. */
    bool (*mark)(es_app *app);
    const char *no_marks, *no_list; /* why embedders cannot be marked, or sorted and hidden */
    const char *no_filter;          /* why a filter would hide nothing */
    const char *no_copy;            /* why there is no table, row or cell to copy */

    /* ---- Copying ---- */

    /** False: that of its table in view_table.def, or the matrix. */
    bool (*sheet)(const es_app *app, es_view_sheet *out);
    /** All of what y copies, in place of a sheet; NULL: out of memory. */
    char *(*copy)(const es_app *app, es_copy_form form, bool row);
    void (*cell)(const es_app *app, char *out, size_t capacity);

    /* ---- The rest ---- */

    void (*zoom)(es_app *app, es_command command);
    void (*update)(es_app *app);           /* after each message, while it is shown */
    double (*deadline)(const es_app *app); /* when update has more to do */
    double tick;      /* seconds between its frames while a run is on; 0: as elsewhere */
    bool communities; /* it shows them: they are found for it */
} es_view_ops;

extern const es_view_ops es_view_ops_overview, es_view_ops_heatmap, es_view_ops_tree,
    es_view_ops_rank, es_view_ops_corr, es_view_ops_compare, es_view_ops_jobs, es_view_ops_sheets;

/* What the state says of itself in a word: used everywhere, so it stands below everything. */

const es_view_ops *es_view_ops_of(const es_app *app, es_view_id view); /* never NULL */
const es_view_ops *es_view_shown(const es_app *app);
/** Of a sample of rows: "2000 of 60000 rows, agreement 0.97"; empty: all rows. brief: without the
 *  agreement. */
void es_app_sample_text(const es_app *app, bool brief, char *out, size_t capacity);
/** The estimator that the user chose, else the best of what is stored, as on the command line;
 * NULL: nothing is known. */
const es_results *es_app_chosen(const es_app *app);
bool es_app_merged(const es_app *app);       /* the best known value of each pair is shown */
bool es_app_mixed(const es_app *app);        /* and the matrix holds those of two estimators */
const char *es_app_title(const es_app *app); /* of the plan entry shown; "" when none */
/** A pool of fewer than two embedders that can be used: nothing can be compared. */
bool es_app_too_few(const es_app *app);
/** A finished matrix from a file: there are no rows to measure or estimate from. */
bool es_app_of_file(const es_app *app);
/** Says of such a file, and of a table of scores, that it has no rows. */
const char *es_app_without_rows(const es_app *app);
/** While no pair of what is shown is known: the plan entry of which most are; ES_NONE: none, or
 * some of what is shown are. */
size_t es_app_known_elsewhere(const es_app *app);
size_t es_app_pairs(const es_app *app); /* of one plan entry; with self where it is estimated */
bool es_app_running(const es_app *app); /* running or paused with work left */
const es_model *es_app_model(const es_app *app, size_t item);
/** Lists the first `most` marked embedders (item NULL: none); returns how many are marked. */
size_t es_app_marked(const es_app *app, size_t *item, size_t most);
/** Returns how many of the embedders that can be used, or of all, are controls, or derived. */
size_t es_app_controls(const es_app *app, bool all);
size_t es_app_derived(const es_app *app, bool all);
/** Returns an embedder's name as views show it; derived ones with their mark. */
const char *es_app_name(const es_app *app, size_t item);
/** The embedder of that name; ES_NONE: there is none. */
size_t es_app_find(const es_app *app, const char *name);
bool es_app_lower(const es_app *app); /* of what is shown, lower values are better */
es_rect es_pane_inside(const es_app *app, es_pane pane); /* its frame; of the view shown */
/** Zeroed room for one more than `count`, for as long as the app is there. NULL: out of memory, as
 *  app->starved says from then on. */
void *es_app_keep(es_app *app, size_t count, size_t size);
es_pair_state es_app_pair_state(const es_app *app, size_t source, size_t target); /* items */
/** Why opening the pool again would lose results, as part of a sentence; NULL: it would not. */
const char *es_app_unsaved(const es_app *app);

/** True if a sequence of keys was begun ES_APP_MENU seconds ago: the keys that can follow are then
 *  listed. */
bool es_app_lists_keys(const es_app *app);

/* What u and ^r go through: whole snapshots of what the user looks at, they are small. */

enum { ES_SNAPSHOT_FLAGS = 5 }; /* marked, hidden, folded, excluded, accepted */

typedef struct es_snapshot {
    es_settings set;
    uint8_t flags[]; /* (ES_SNAPSHOT_FLAGS, n) */
} es_snapshot;

/** Default settings and no flags, for n items; NULL when out of memory. Freed with es_free. */
es_snapshot *es_snapshot_new(size_t n);
es_snapshot *es_snapshot_copy(const es_snapshot *shot, size_t n);
es_snapshot *es_snapshot_take(const es_app *app);
void es_snapshot_show(es_app *app, const es_snapshot *shot);

void es_history_push(es_app *app);   /* before a view change */
void es_history_edited(es_app *app); /* an embedder was derived or removed: one step */
bool es_history_move(es_app *app, bool redo);
/** Writes what undo (or redo) would change: "filter, marks". */
void es_history_tell(const es_app *app, bool redo, char *out, size_t capacity);
void es_history_cancel(es_app *app); /* take the last change back as if it had not been made */
void es_history_free(es_app *app);

/** Put these in the place of everything that can be taken back and done again; the arrays'
 *  elements are taken. */
void es_history_replace(es_app *app, es_snapshot *const *undo, size_t undos,
                        es_snapshot *const *redo, size_t redos);

/* Downstream scores under the names of the embedders: the file's own, and rows whose names were
 * accepted. What asks for scores by name asks here (app->scores), and then finds them. */

bool es_app_scores_init(es_app *app); /* false: out of memory */

/** taken (n): for each item the row that was accepted as its, or SIZE_MAX. True: that is news. */
bool es_app_scores_take(es_app *app, const size_t *taken);

/** NAN: none. */
double es_app_score(const es_app *app, size_t item, size_t column);

/** FNV-1a, begun with ES_FINGERPRINT: of all that something depends on, to see whether it changes.
 */
#define ES_FINGERPRINT 14695981039346656037u
uint64_t es_fingerprint(uint64_t seen, const void *bytes, size_t count);

/* Numbers, times and sizes as the views write them. */

void es_format_time(double seconds, char *out,
                    size_t capacity); /* 3:12, 1:02:03; ? when not known */
/** With so many decimals, or as 1.2e30 where that takes too much room (ES_FORMAT_E decimals:
 * always);
 *  "-" when it is not a number, no "-0.00". */
enum { ES_FORMAT_E = 15 };
void es_format_number(double value, int digits, char *out, size_t capacity);
/** The same as a value, for lines of several: es_figure_of(x, 3).text. */
typedef struct es_figure {
    char text[32];
} es_figure;
es_figure es_figure_of(double value, int digits);
void es_format_bytes(uint64_t bytes, char *out, size_t capacity); /* 81M */
const char *es_format_dtype(const char *dtype);                   /* f32 */
/** Returns the value as printed with so many decimals: what rounds to 0 is 0, never "-0.00". */
double es_rounded_off(double value, int digits);
int es_name_width(const char *name); /* columns, about; for choosing widths only */

/** Regular expressions on names: Perl's, by PCRE2; case does not count. */

/** A compiled pattern, kept from one name to the next. */
typedef struct es_pattern es_pattern;
void es_pattern_free(es_pattern *pattern); /* NULL is allowed */

/** True if the pattern matches in the text. Both may be any bytes. *last (NULL at first) is the
 * pattern of the last call, compiled; it is replaced where this is another. A pattern that cannot
 * be read, or that takes too many steps on this text, fills error (capacity, at least 1 byte)
 * and counts as found; else error is left as it is. */
bool es_pattern_holds(es_pattern **last, const char *pattern, const char *text, char *error,
                      size_t capacity);

#endif
