/* What a view does otherwise than the others: an object that its own file, NAME_ops.c, defines and
 * view_objects.c lists. A view without one, and a member that is NULL, false or 0, does as the
 * views of a list of embedders do. */
#ifndef ES_APP_VIEW_OPS_H
#define ES_APP_VIEW_OPS_H

#include "dialog_state.h"
#include "messages.h"
#include "view_state.h"

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

#endif
