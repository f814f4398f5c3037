/* The explorer's state: everything that a message may change and a view may draw. Nothing is done
 * here; what it is made of is in view_settings.h, view_state.h and dialog_state.h. */
#ifndef ES_APP_APP_STATE_H
#define ES_APP_APP_STATE_H

#include <math.h>

#include "dialog_state.h"
#include "layout.h"
#include "source.h"
#include "view_state.h"

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
    bool dirty, urgent;
    bool torn;       /* frames need not be shown as a whole */
    bool counting;   /* # was typed: digits are a count */
    bool names_said; /* that there are names of scores to accept */
    bool newcomer;   /* no session came before this one: until a key, the footer explains */

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
    uint8_t *known; /* (n, n) states at the last look, to find new cells */

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
    es_scores scores;          /* the source's; accepted names are their embedders' (state_ops.h) */
    double *score_value;       /* values of MTEB's scores with accepted names; NULL: the source's */
    size_t *score_row;         /* (n) of an item, accepted ones too; SIZE_MAX: none */
    size_t *score_taken;       /* (n) row that was accepted as the item's; SIZE_MAX */
    struct es_corr *corr;      /* app_corr.h */
    es_sets sets;
    es_beside beside;
    struct es_sheets_state *sheets; /* sheets_state.h; NULL: never asked for */
    struct es_sheets_state
        *tabs[ES_VIEW_COUNT]; /* board_tabs.h: those of the views that are not shown */
    es_view_id tab,
        tab_from; /* board_tabs.h: the view whose sheet `sheets` is; where Compare goes back */
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

#endif
