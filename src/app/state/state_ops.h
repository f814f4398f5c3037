/* What is read of the state and changed in it. */
#ifndef ES_STATE_OPS_H
#define ES_STATE_OPS_H

#include "app_state.h"

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
 * view_objects.c lists. A view without one, and a member that is NULL, false or 0, does as the
 * views of a list of embedders do. */

/** A table of its own to copy. */
typedef struct es_view_sheet {
    const char *const *titles; /* (columns) */
    size_t columns;
    void (*cell)(const es_app *app, size_t column, size_t item, char *out, size_t capacity);
    const size_t *item; /* (count) its rows; NULL: the embedders that the view lists */
    size_t count, here; /* here: the row under the cursor */
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
    void (*update)(es_app *app, bool idle); /* after each message, while it is shown */
    double (*deadline)(const es_app *app);  /* when update has more to do */
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
/** Returns how many of the embedders that can be used are controls. */
size_t es_app_controls(const es_app *app);
/** Counts the derived embedders. */
size_t es_app_derived(const es_app *app);
/** Returns an embedder's name as views show it; derived ones with their mark. */
const char *es_app_name(const es_app *app, size_t item);
/** The embedder of that name; ES_NONE: there is none. */
size_t es_app_find(const es_app *app, const char *name);
bool es_app_lower(const es_app *app); /* of what is shown, lower values are better */
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
void es_app_scores_free(es_app *app);

/** taken (n): for each item the row that was accepted as its, or SIZE_MAX. True: that is news. */
bool es_app_scores_take(es_app *app, const size_t *taken);

/** NAN: none. */
double es_app_score(const es_app *app, size_t item, size_t column);

/* The measures there are, for lists. (core_measures.h and the explorer's state both name a
 * "metric", so they do not meet in one file.) */

/** Name and title of measure number k; NULL behind the last. */
const char *es_measure_name_at(size_t k);
const char *es_measure_title_at(size_t k);
/** True if the measure is of pairs of embedders. */
bool es_measure_of_pairs_at(size_t k);

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
