/* The explorer's state, for the files of this layer, the views and tests. Views read it only.
 *
 *   app.c       messages in, effects out; deadlines, notices
 *   commands.c  the table of commands (commands.def), looked up by key and by name
 *   mouse.c     clicks and the wheel
 *   keymap.c    keys of the user's own (keymap.h)
 *   keys.c      keys to commands: counts, two-key sequences, overlays
 *   prompt.c    the line at the bottom: search, filter, command line
 *   do_*.c      what each command does
 *   select.c    which items a list shows and in which order; the cursor; holding the order
 *   filter.c    the filter language
 *   export.c    the command line that writes what is shown (export.h); export_dialog.c: its dialog
 *   planner.c   the plan of a run, as the run dialog has it (planner.h); planner_dialog.c: its keys
 *   recall.c    lines typed before, and lines from a file
 *   preferences.c  what :set and the configuration file set (settings.h)
 *   refine.c    the best known value of every pair, previews among them
 *   live_ranking.c  the live ranking
 *   ranking_intervals.c      its intervals, from the workers
 *   urgency.c   which pairs the user waits for
 *   jobs.c      lines of Jobs: threads, failures of all estimators
 *   heat.c      cell values, colour limits and geometry of the matrix
 *   summary.c   the matrix on the whole: its extremes and profiles
 *   columns.c   columns of the two tables
 *   saved_session.c     what lasts from session to session, as text; saved_fields.c: each setting
 * of it tree*.c     communities: state of the Tree view (tree.h) corr*.c     the score against
 * downstream results (its state is in corr.h) worst_list.c     where a measure does worst: pairs,
 * queries, rows; from the workers agreement.c how measures agree, with each other and with
 * downstream (agreement.h) layout.c    rectangles of panes for any screen size compare_*.c two or
 * three embedders side by side: what is known, what is said
 */
#ifndef ES_APP_APP_STATE_H
#define ES_APP_APP_STATE_H

#include <math.h>

#include "app.h"
#include "commands.h"
#include "embedscope/compare.h"
#include "export.h"
#include "keymap.h"
#include "order.h"
#include "planner.h"
#include "rect.h"
#include "preferences.h"
#include "tree.h"

enum {
    ES_APP_LINE = 512,   /* bytes of a prompt's line */
    ES_APP_UNDO = 200,   /* view changes that can be taken back */
    ES_APP_HISTORY = 50, /* lines each prompt remembers */
    ES_APP_PACE = 64,    /* samples of the run's pace that Jobs shows */
    ES_APP_SCORES = 24,  /* columns of scores.csv that the ranking can show */
    ES_APP_COLUMNS = 12 + ES_APP_SCORES
};
enum { ES_CORR_ZOOM = 8 }; /* steps closer, each by 1.5 */
#define ES_APP_HOLD 4.0    /* seconds that an order is held after a key */
#define ES_APP_COUNT 0.25  /* seconds in which a digit and a motion make a count */
#define ES_APP_TOAST 4.0   /* seconds that a notice stays */
#define ES_APP_READ 1.0    /* seconds after which a key or a click ends it, too */
#define ES_NONE SIZE_MAX

/* ---- Settings of the views: everything that u and ^r take back ---- */

typedef enum es_list_id {
    ES_LIST_POOL,
    ES_LIST_HEAT,
    ES_LIST_RANK,
    ES_LIST_TREE, /* the embedders of the tree; its lines are in tree.row */
    ES_LIST_COUNT
} es_list_id;
typedef enum es_table_id { ES_TABLE_POOL, ES_TABLE_RANK, ES_TABLE_COUNT } es_table_id;

typedef enum es_pool_column {
    ES_POOL_NAME,
    ES_POOL_DIM,
    ES_POOL_DTYPE,
    ES_POOL_ROWS,
    ES_POOL_NORM,
    ES_POOL_SIZE,
    ES_POOL_DIGEST,
    ES_POOL_STATE,
    ES_POOL_COLUMNS
} es_pool_column;

typedef enum es_rank_column {
    ES_RANK_PLACE,
    ES_RANK_TIE,
    ES_RANK_NAME,
    ES_RANK_DIM,
    ES_RANK_SCORE,
    ES_RANK_INTERVAL,
    ES_RANK_RANKS,
    ES_RANK_STRIP,
    ES_RANK_SIMULATED,
    ES_RANK_DELTA,
    ES_RANK_COMMUNITY,
    ES_RANK_PAIRS,
    ES_RANK_SCORES /* columns of scores.csv from here */
} es_rank_column;

typedef es_order_kind es_order;
#define ES_ORDER_COUNT ((es_order)((int)ES_ORDER_CLUSTER + 1))

typedef enum es_heat_metric {
    ES_METRIC_IS,
    ES_METRIC_NATS, /* IS of all dimensions together */
    ES_METRIC_SE,
    ES_METRIC_ASYMMETRY,
    ES_METRIC_REFINED, /* the plan's last estimator less its first */
    ES_METRIC_SECONDS,
    ES_METRIC_H_COND,
    ES_METRIC_MEASURE, /* the pairwise measure of set.matrix */
    ES_METRIC_COUNT
} es_heat_metric;

/** How large a cell of the matrix is drawn. AUTO takes the largest that fits, else HALF and
 * scrolls. */
typedef enum es_zoom {
    ES_ZOOM_OVERVIEW,
    ES_ZOOM_HALF,
    ES_ZOOM_SQUARE,
    ES_ZOOM_LARGE,
    ES_ZOOM_AUTO
} es_zoom;

/** Which points of Corr are named; L goes through them. */
typedef enum es_corr_labels {
    ES_LABELS_EXTREMES,
    ES_LABELS_ALL,
    ES_LABELS_CURSOR,
    ES_LABELS_OFF,
    ES_LABELS_COUNT
} es_corr_labels;

/** What is drawn around Corr's line; B goes through them. */
typedef enum es_corr_bands {
    ES_BAND_LINE,      /* 95 % of the fitted line, if residuals are normal */
    ES_BAND_BOOTSTRAP, /* of lines through resampled embedders */
    ES_BAND_OFF,
    ES_BANDS
} es_corr_bands;

typedef struct es_table_settings {
    uint8_t column; /* under the cursor */
    uint8_t sort;
    bool descending;
    bool hidden[ES_APP_COLUMNS];
    int8_t width[ES_APP_COLUMNS]; /* added to the natural width */
} es_table_settings;

/** How the targets of Compare are sorted. */
typedef enum es_compare_order {
    ES_COMPARE_BY_SIZE,       /* largest |difference| first */
    ES_COMPARE_BY_DIFFERENCE, /* from the first's lead to the second's */
    ES_COMPARE_BY_NAME,
    ES_COMPARE_ORDERS
} es_compare_order;

typedef struct es_compare_settings {
    size_t item[ES_COMPARE_MOST];
    size_t count; /* of item: 0, 2 or 3 */
    es_compare_order order;
    bool clear_only; /* only targets that differ beyond the interval */
} es_compare_settings;

typedef struct es_settings {
    es_table_settings table[ES_TABLE_COUNT];
    es_compare_settings compare;
    es_order order;
    es_heat_metric metric;
    es_zoom zoom;
    uint8_t colours; /* of the matrix: an es_colormap_name, 0 is the theme's */
    bool transposed, digits, full_range;
    int label_width;                /* added to the natural width of the matrix's labels */
    double resolution;              /* of the communities; 0: the recommended one */
    bool graph;                     /* Tree: the graph instead of the tree */
    bool corr_sorted;               /* Corr: tasks by coefficient */
    size_t matrix;                  /* Heatmap: which pairwise measure ES_METRIC_MEASURE shows */
    size_t axis;                    /* Corr: the score; 0: IS, else a measure's number + 1 */
    uint8_t corr_kind, corr_labels; /* es_corr_kind; es_corr_labels */
    uint8_t corr_zoom;              /* 0: all points; each step shows less around the cursor */
    uint8_t corr_band;              /* es_corr_bands */
    bool corr_residuals;            /* Corr: residuals of the line against the score */
    bool corr_agree;                /* Corr: how measures agree */
    char filter[ES_APP_LINE];
} es_settings;

/* ---- The live ranking ---- */

typedef struct es_standing {
    double score;     /* median over known targets without self; NAN when none is known */
    double low, high; /* 95 % interval, NAN when not known */
    double simulated; /* median of the item as a target; NAN when none is known */
    size_t pairs, of, failed;
    size_t place;               /* 1 = best; 0 = not ranked */
    size_t baseline;            /* place when the run began; 0 = none */
    size_t rank_low, rank_high; /* 95 % interval of the place; 0 = not known */
    char tie[24];               /* letters: who shares one is not separable; "" = not known */
} es_standing;

/** Intervals of the ranking, which workers compute. */
typedef struct es_sure {
    const es_intervals *intervals; /* newest that fit what is shown; NULL: none yet */
    uint64_t tag, shown;           /* of the last request, and of the intervals */
    bool asking;                   /* a request is under way */
    double asked_at, changed_at;   /* seconds; changed: results */
    uint64_t revision;             /* of the results asked about */
    size_t asked_done;             /* pairs known then */
    size_t wanted_entry;
    double *asked, *base; /* (n) scores of the last request, and of the intervals */
} es_sure;

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
    int head_h;         /* lines of column labels */
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
    double *is;             /* (m, m) of what `known` was made, while values are being refined: */
    float **pmi;            /* those that do not go together are left out; else NULL */
    es_compared_rows *rows; /* of `pair`; NULL: no values per row */
    size_t *line;           /* (lines) places in known->targets, as listed */
    size_t lines, others;   /* targets listed; all that are not compared themselves */
    size_t clear;           /* of those that are known: beyond the interval */
    uint32_t *row;          /* (row_lines) value numbers, as listed */
    size_t row_lines;
    uint64_t seen, rows_seen; /* what `known` and `rows` were made from */

    size_t target;     /* item under the cursor of the targets; ES_NONE */
    size_t side;       /* which a assigns and w moves; count: a third to add */
    size_t pair;       /* of known->pair, for rows and heatmap */
    size_t task, at;   /* cursors of downstream and of rows */
    size_t row_target; /* item the rows are for; ES_NONE: mean over all */
    es_compare_way way;
    es_view_id from; /* where c was pressed */
    bool away;       /* drilled into the heatmap; Esc comes back */
} es_compare_state;

/* ---- Overlays and prompts ---- */

typedef enum es_mode {
    ES_MODE_NORMAL,
    ES_MODE_PROMPT, /* a line is being typed */
    ES_MODE_HELP,
    ES_MODE_PICK, /* a list to choose from */
    ES_MODE_ASK,  /* yes or no */
    ES_MODE_NOTE, /* a text to read */
    ES_MODE_EXPORT,
    ES_MODE_PLANNER, /* the run dialog */
    ES_MODE_WORST    /* where a measure does worst */
} es_mode;

typedef enum es_prompt_kind {
    ES_PROMPT_COMMAND,
    ES_PROMPT_SEARCH,
    ES_PROMPT_FILTER,
    ES_PROMPT_COUNT
} es_prompt_kind;

typedef struct es_line {
    char text[ES_APP_LINE];
    size_t length, cursor; /* bytes */
} es_line;

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
    ES_PICK_DERIVE   /* a way to derive an embedder */
} es_pick_kind;
typedef struct es_pick {
    es_pick_kind kind;
    size_t at, count;
    size_t *item;    /* (max(models, ES_APP_COLUMNS)) ES_PICK_HIDDEN: item of each row */
    char before[64]; /* theme in use when the list opened */
} es_pick;

typedef enum es_ask { ES_ASK_QUIT, ES_ASK_CANCEL, ES_ASK_OVERWRITE } es_ask;

typedef struct es_export_state {
    const char *const *base[ES_EXPORT_VIEWS]; /* es_app_exporter; NULL: none */
    es_export_form form[ES_EXPORT_VIEWS];     /* used last */
    es_export_wish now, last;
    bool has_last, busy; /* for E; one is being written */
    bool naming;         /* the file's name is being typed */
    es_line line_edit;
    es_export_line line; /* for ES_FX_EXPORT */
} es_export_state;

typedef struct es_note {
    char title[128];
    char *text; /* owned; lines */
    size_t scroll;
} es_note;

/** A list of where a measure does worst, and the one that Tab goes on to. */
typedef struct es_worst_stop {
    bool pairwise;      /* the measure is of two embedders, */
    size_t measure;     /* and this one of those */
    size_t item, other; /* other ES_NONE: of one embedder */
} es_worst_stop;

typedef struct es_worst_state {
    bool wanted; /* ES_FX_WORST is to be taken back */
    es_worst_kind kind;
    es_worst_stop now, next;
    bool more; /* there is a next one */
    size_t at; /* line under the cursor */
} es_worst_state;

typedef struct es_help {
    es_line filter;
    size_t at, count; /* of `match` */
    uint8_t match[ES_COMMAND_COUNT];
    bool all; /* all views */
} es_help;

/* ---- Panes ---- */

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
    ES_PANE_PROFILE = ES_PANE_LOG
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
    es_rect header, body, run, footer;
    es_rect pane[ES_PANE_COUNT]; /* w == 0: not shown */
} es_layout;

/* ---- Everything ---- */

typedef struct es_list {
    size_t *item; /* (count) */
    size_t count;
    size_t top; /* first item shown */
} es_list;

struct es_app {
    const es_source *source;
    es_log *log;
    double now;
    int w, h;
    bool ascii, coarse;       /* of the terminal */
    bool baseline_set;        /* standing[].baseline holds a complete ranking */
    bool frozen, order_stale; /* F; the order held is not the current one */
    bool count_switched;      /* the digit typed last went to a view */
    bool dirty, urgent;

    /* Read from the source at the last ES_MSG_SESSION. */
    size_t n;                  /* items */
    size_t *position;          /* (n) in results; ES_NONE */
    const es_results *results; /* NULL: nothing known */
    size_t entry;              /* of the plan; ES_NONE */
    size_t wanted_entry;       /* chosen by :estimator; ES_NONE = the best */
    uint64_t revision;
    es_results *merged;       /* best known values; NULL: never needed. Arrays owned */
    char merged_title[160];   /* "linear → knife" */
    uint8_t *origin;          /* (m, m) plan entry of each merged value */
    size_t previews, refined; /* pairs of two embedders among the merged ones that are done */
    es_phase phase;
    es_progress progress;
    size_t usable, unchecked;
    uint8_t score_digits[ES_APP_SCORES]; /* decimals of each column of scores.csv */
    size_t first;                        /* item whose pairs come first; ES_NONE */
    size_t newest_source, newest_target; /* items of the last new cell; ES_NONE */
    double newest_at;
    uint8_t *known; /* (n, n) states at the last look, to find new cells */

    es_standing *standing; /* (n) */
    es_sure sure;
    uint8_t *urgency, *urgency_scratch; /* (n) by position in the results */
    es_limits limits[ES_METRIC_COUNT];
    es_summary summary;
    double fitted_at; /* limits of a measure, while its values come in */
    bool fit_late;    /* there are newer values */

    /* What the user looks at. */
    es_view_id view;
    es_pane focus[ES_VIEW_COUNT];
    size_t cursor, column;     /* items; ES_NONE when there is none */
    bool *marked, *hidden;     /* (n) */
    bool *passes;              /* (n) the filter shows it */
    uint8_t *folded;           /* (n) bit l: the community of level l that begins with this item */
    bool *excluded, *accepted; /* (n) Corr: left out by x; proposed name taken as the item's */
    struct es_corr *corr;      /* corr.h */
    struct es_agree_state *agree; /* agreement.h; NULL: never asked for */
    es_list list[ES_LIST_COUNT];
    es_tree tree;
    size_t left; /* Heatmap: first column shown (rows: list.top) */
    size_t pane_top[ES_VIEW_COUNT][ES_PANE_COUNT]; /* scroll of text panes */
    float pace[ES_APP_PACE]; /* pairs a second, a sample a second while the run is on; a ring */
    size_t paces;            /* samples ever taken */
    double paced_at;         /* of the last one */
    size_t paced_done;       /* pairs by then */
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
    size_t *scratch;    /* (n) for sorting */
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
    double prefix_at;
    bool mouse;        /* its events are asked for */
    bool torn;         /* frames need not be shown as a whole */
    double clicked_at; /* for double clicks */
    es_mouse clicked;
    size_t count; /* typed before a command; 0 = none */
    double count_at;
    es_view_id count_view; /* view before a digit switched it */

    es_mode mode;
    es_prompt prompt;
    es_pick pick;
    es_ask ask;
    es_note note;
    es_help help;
    es_export_state export;
    es_planner_state planner;
    es_worst_state worst;

    char *recent; /* paths of other pools, a line each; NULL: none */
    char **themes;
    size_t theme_count;
    char theme[64];
    char theme_first[64]; /* in use when the explorer opened */
    char *scores_file;    /* what o has opened; NULL: nothing */
    bool theme_kept;      /* the last session ended with one that was chosen */

    char toast[512];
    es_status toast_status;
    double toast_until;  /* 0: none */
    uint64_t toasts;     /* notices ever given */
    double interrupt_at; /* of the last Ctrl-C */
};

/* app.c */
void es_app_notice(es_app *app, es_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void es_effect_add(es_app *app, es_effects *effects, es_effect_kind kind, size_t number, bool flag,
                   const char *text);
/** Copies `text` and frees it; NULL: there was no memory for it. */
void es_app_copy(es_app *app, char *text, es_effects *effects);
const char *es_app_title(const es_app *app); /* of the plan entry shown; "" when none */
size_t es_app_pairs(const es_app *app); /* of one plan entry; with self where it is estimated */
bool es_app_running(const es_app *app); /* running or paused with work left */
const es_model *es_app_model(const es_app *app, size_t item);
void es_app_show_note(es_app *app, const char *title,
                      char *text); /* takes text; NULL: out of memory */

bool es_app_lower(const es_app *app); /* of what is shown, lower values are better */

/* history.c */
void es_settings_init(es_settings *set); /* the defaults */
void es_history_push(es_app *app);       /* before a view change */
bool es_history_move(es_app *app, bool redo);
void es_history_cancel(es_app *app); /* take the last change back as if it had not been made */
void es_history_free(es_app *app);

/* select.c */
es_list_id es_list_of_view(es_view_id view); /* ES_LIST_COUNT: no list of items */
/** Put the lists in order. `now`: also when the order is held (the user asked for it). */
void es_select_refresh(es_app *app, bool now);
size_t es_select_index(const es_app *app, es_list_id list, size_t item); /* ES_NONE: not shown */
void es_select_cursor(es_app *app, size_t item);                         /* and scroll to it */
void es_select_scroll(es_app *app);          /* keep cursors inside their panes */
size_t es_select_changes(const es_app *app); /* places changed since the order was frozen */
void es_select_freeze(es_app *app, bool frozen);
bool es_select_matches(const es_app *app, const char *text, size_t item); /* search */
size_t es_select_hidden(const es_app *app);
bool es_select_in_matrix(const es_app *app, size_t item);
const char *es_order_title(es_order order);
es_order es_order_find(const char *name); /* ES_ORDER_COUNT: none */

/* filter.c */
/** Does the item pass? A filter that cannot be read passes everything and fills error. */
bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity);
/** Can the filter be read, whichever item it is tried on? Else error says why not. */
bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity);

/* refine.c */
/** Best known values of the plan; NULL when one entry alone is to be shown. */
const es_results *es_refine_merge(es_app *app);
void es_refine_free(es_app *app);
/** Plan entry that the value of a cell is of. */
size_t es_refine_entry(const es_app *app, size_t source, size_t target);
/** The value of a cell is of an earlier estimator than the one that is to come. */
bool es_refine_preview(const es_app *app, size_t source, size_t target);

/* ranking_intervals.c */
double es_sure_due(const es_app *app);              /* for the deadline */
void es_sure_ask(es_app *app, es_effects *effects); /* when it is time */
bool es_sure_take(es_app *app);                     /* true: what is shown changes */
void es_sure_fill(const es_app *app, size_t item, es_standing *standing);

/* urgency.c */
void es_urgency_update(es_app *app, es_effects *effects);

/* live_ranking.c */
void es_standing_update(es_app *app);
void es_standing_baseline(es_app *app, bool restart);

/* heat.c */
double es_metric_value(const es_app *app, es_heat_metric metric, size_t source,
                       size_t target); /* items */
es_pair_state es_heat_state(const es_app *app, size_t source, size_t target);
/** What the estimator of this cell gives for the target where nothing is known; NAN: not measured.
 */
double es_heat_null(const es_app *app, size_t source, size_t target, double *se);
const char *es_metric_name(es_heat_metric metric);
const char *es_metric_title(const es_app *app, es_heat_metric metric);
bool es_metric_possible(const es_app *app, es_heat_metric metric); /* with this plan */
bool es_metric_diverging(es_heat_metric metric);
es_heat_metric es_metric_find(const char *name);
void es_metric_format(es_heat_metric metric, double value, int digits, char *out, size_t capacity);
void es_limits_fit(es_app *app, bool now);
int es_limits_step(const es_limits *limits, double value); /* 0..255 */
es_screen_sizes es_heat_geometry(const es_app *app, es_rect inside);
void es_digits_show(es_app *app, bool on); /* command_view.c */

/* summary.c */
bool es_summary_new(es_app *app);
void es_summary_free(es_app *app);
void es_summary_update(es_app *app); /* O(count^2) when something has changed, else O(count) */
int es_name_width(const char *name); /* columns, about; for choosing widths only */

/* columns.c */
typedef struct es_column {
    const char *title;
    int width;    /* natural */
    int priority; /* 0 stays longest */
    int align;
    bool numeric; /* first sort is descending */
} es_column;
size_t es_columns_count(const es_app *app, es_table_id table);
es_column es_columns_at(const es_app *app, es_table_id table, size_t column);
/** Which columns fit into `width` after the marks; widths into w (0: not shown). Returns how many
 *  are not shown for lack of room. */
size_t es_columns_fit(const es_app *app, es_table_id table, int width, int w[ES_APP_COLUMNS]);
void es_columns_text(const es_app *app, es_table_id table, size_t column, size_t item, char *out,
                     size_t capacity);
int es_columns_compare(const es_app *app, es_table_id table, size_t column, size_t a, size_t b);
size_t es_columns_find(const es_app *app, es_table_id table, const char *name);
es_table_id es_table_of_view(es_view_id view); /* ES_TABLE_COUNT: none */

/* layout.c */
es_layout es_layout_make(es_view_id view, es_pane focus, int w, int h);
es_rect es_layout_inside(es_rect pane);
bool es_pane_focusable(es_view_id view, es_pane pane);

/* jobs.c */
size_t es_jobs_threads(const es_app *app);
size_t es_jobs_lines(const es_app *app);    /* threads, then failures */
size_t es_jobs_failures(const es_app *app); /* of all estimators, the zero line included */
size_t es_jobs_shown(const es_app *app);    /* of the failures: what the filter shows */
void es_jobs_pace(es_app *app);             /* take a sample when it is time */
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

/* command_move.c */
/** The new place of something at `at` of count after a vertical motion. */
size_t es_moved(const es_call *call, size_t at, size_t count, size_t page);
void es_go(es_app *app, es_view_id view);
bool es_view_exists(es_view_id view);
const char *es_view_name(es_view_id view);
/** Next item that matches app->search, from `from` on in the list shown; ES_NONE: none. */
size_t es_search_find(const es_app *app, size_t from, bool backward, bool skip);
size_t es_search_place(const es_app *app); /* of the cursor in what is searched; ES_NONE */
void es_search_go(es_app *app, size_t place);

/* compare_state.c */
void es_compare_refresh(es_app *app); /* after every message while Compare is shown */
void es_compare_free(es_app *app);
/** Compare these, 2 or 3 different items; one step for undo. */
void es_compare_choose(es_app *app, const size_t *item, size_t count);
void es_compare_assign(es_app *app, size_t item); /* to the side chosen */
const es_compared_target *es_compare_target(const es_app *app, size_t line);
size_t es_compare_item(const es_app *app, size_t line); /* of a line's target */
size_t es_compare_line(const es_app *app);              /* of the cursor; ES_NONE */
const char *es_compare_missing_rows(const es_app *app); /* why; NULL: there are rows */
bool es_compare_lower(const es_app *app);               /* the estimator is an error */
/** Takes out, into state.is and .pmi, what is not to be set against each other while values are
 * being refined; model: positions in the results. */
es_status es_compare_mask(es_app *app, const size_t *model, size_t count);
void es_compare_unmask(es_compare_state *state);
/** Is the pair known as a preview alone, while others of the comparison are refined? */
bool es_compare_waits(const es_app *app, size_t source, size_t target);
/** Scores of a task; returns the best side, `lead` over the next; ES_NONE: fewer than two known, or
 *  equal. */
size_t es_compare_task(const es_app *app, size_t task, double value[ES_COMPARE_MOST], double *lead);
/** Mean over the tasks known for all compared; returns how many. */
size_t es_compare_mean(const es_app *app, double mean[ES_COMPARE_MOST]);
/** The task in which the item has the best place in the pool; its place, 0: none known. */
size_t es_compare_best_task(const es_app *app, size_t item, size_t *task);
/** Tasks that put the compared in the order of IS out, of those that know them all. */
size_t es_compare_agreement(const es_app *app, size_t *of);
/** Place of an item by how well it is simulated, 1 = best; 0: not known. */
size_t es_compare_place_in(const es_app *app, size_t item);

/* compare_text.c: what is said about pairs and verdicts */
const char *es_compare_sign(es_verdict verdict, bool ascii); /* between two letters */
/** "B ⊃ A", or of three "B ⊃ A ⊃ C" where the pairs make a chain, else each pair. */
void es_compare_verdict(const es_app *app, char *out, size_t capacity);
/** What the signs in it mean. */
void es_compare_legend(const es_app *app, char *out, size_t capacity);
/** How sure it is: whether the gaps exceed their intervals. */
const char *es_compare_sureness(const es_app *app);
/** One pair in words. */
void es_compare_reading(const es_app *app, size_t pair, char *out, size_t capacity);
/* command_compare.c */
void es_compare_move(es_call *call);

/* copy.c */
typedef enum es_copy_form {
    ES_COPY_TSV,
    ES_COPY_MARKDOWN,
    ES_COPY_LATEX,
    ES_COPY_JSON
} es_copy_form;
/** The table on screen (marked rows if any, or the row under the cursor only); NULL: out of memory.
 */
char *es_copy_table(const es_app *app, es_copy_form form, bool row);
char *es_copy_cell(const es_app *app);
void es_copy_escaped(struct es_buf *out, es_copy_form form, const char *text);
/** Targets of Compare, in the order shown; NULL: out of memory. */
char *es_compare_copy(const es_app *app, es_copy_form form, bool row);

/* notes.c: texts of the note overlay; NULL: out of memory */
/* ---- Measures (measure_columns.c) */

size_t es_app_measures(const es_app *app, bool pairwise);
const char *es_measure_title(const es_app *app, bool pairwise, size_t k);
double es_measure_of(const es_app *app, bool pairwise, size_t k, size_t a, size_t b);
/* Why the value of a pair is not known, or says little, such as "n <= d1 + d2"; NULL: it is sound.
 */
const char *es_measure_doubt(const es_app *app, size_t k, size_t a, size_t b);
/* Columns of scores.csv, then measures of embedders, as one list. */
size_t es_score_count(const es_app *app);
const char *es_score_title(const es_app *app, size_t k);
double es_score_value(const es_app *app, size_t item, size_t k);
int es_score_digits(const es_app *app, size_t k);
bool es_score_lower(const es_app *app, size_t k); /* lower is better: an error, a cost */
/* "IS", or the measure that stands for it in Corr. */
const char *es_corr_axis(const es_app *app);
/* Ways to derive: what the list shows, and what ES_FX_DERIVE gets. NULL behind the last. */
const char *es_derive_way(size_t k);
const char *es_derive_about(size_t k);

char *es_note_model(const es_app *app, size_t item);
char *es_note_cell(const es_app *app, size_t source, size_t target);

/* worst_list.c */
const char *es_worst_refusal(const es_app *app);
double es_worst_score(const es_app *app);     /* the measure's value that the list is about */
const char *es_worst_next(const es_app *app); /* what Tab shows, in a word or two */
void es_worst_key(es_app *app, uint32_t key, es_effects *effects);
void es_worst_update(es_app *app, es_effects *effects); /* after every message */

/* pick.c */
void es_pick_open(es_app *app, es_pick_kind kind);
void es_pick_themes(es_app *app); /* while it lists themes: they have changed */
void es_pick_key(es_app *app, uint32_t key, es_effects *effects);
void es_pick_moved(es_app *app, es_effects *effects); /* after a change of pick.at */

/* mouse.c */
void es_mouse_act(es_app *app, const es_mouse *mouse, es_effects *effects);

/* keys.c */
void es_keys_hold(es_app *app); /* rows keep their places for a while */
void es_keys_press(es_app *app, uint32_t key, es_effects *effects);
void es_keys_paste(es_app *app, const char *text, es_effects *effects);

/* prompt.c */
void es_prompt_open(es_app *app, es_prompt_kind kind);
/** The command line, with its first words. */
void es_prompt_open_with(es_app *app, const char *begin);
void es_prompt_key(es_app *app, uint32_t key, es_effects *effects);
void es_prompt_insert(es_app *app, const char *text);
void es_prompt_take(es_app *app, size_t candidate); /* into the line, as Tab does */
void es_prompt_run(es_app *app, const char *line, es_effects *effects); /* a command line */
void es_prompt_free(es_app *app);
void es_prompt_remember(es_history *history, const char *text);
bool es_line_key(es_line *line, uint32_t key); /* editing keys; false: not one */
void es_line_set(es_line *line, const char *text);
/** Candidate number `index` (from 0) to complete `line`; false when there is none. */
bool es_prompt_candidate(const es_app *app, const char *line, size_t index, char *out,
                         size_t capacity);

/* help_list.c */
/** The keys of a command in a view, as they are shown; ":name" when it has none. */
void es_help_keys(const es_app *app, es_view_id view, es_command command, char *out,
                  size_t capacity);
void es_help_open(es_app *app, const char *filter);
void es_help_key(es_app *app, uint32_t key, es_effects *effects);

/** Path number `index` of the pools opened lately, cleaned; false: there are no more. */
bool es_app_recent_at(const es_app *app, size_t index, char *out, size_t capacity);

/* topics.c */
const char *es_topic_name(size_t index); /* NULL beyond the last */
/** Show the page of a topic, a view or a subject; false: there is none of that name. */
bool es_topic_show(es_app *app, const char *name);

/* number_text.c */
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
const char *es_model_reason(const es_model *model);               /* without the file's name */
const char *es_format_dtype(const char *dtype);                   /* f32 */

#endif
