/* Sheets in the explorer, estimations beside the session, and a table of scores alone. */
#ifndef ES_APP_SHEETS_H
#define ES_APP_SHEETS_H

#include "app_state.h"
#include "report_sheet.h"

/* Sheets: what any analysis comes to, as one kind of view. A sheet is asked for in the background
 * (ES_FX_SHEET), kept while it is shown, and asked for again when results have changed. Without one
 * the view lists the analyses. */

struct es_sheets_state {
    const es_analysis *shown; /* NULL: the list of analyses */
    char *of;                 /* words of its command line, a line each; NULL: none */
    char *where;      /* "labels.csv:kind=fox": sheets about rows show only these; NULL: all */
    es_words command; /* the command line that makes it; none: not asked for yet */
    char *choice;     /* "--within=rank", chosen among what the sheet offers; NULL: none */
    size_t listed;    /* line of the list */
    es_sheet *sheet;  /* of `shown`; NULL: not made yet */
    char *problem;    /* why there is none; NULL: there is, or it is being made */
    bool asking, asked;
    double asked_at;
    bool elsewhere;              /* results that are not shown here have changed since then */
    uint64_t revision, measures; /* of the results and measures that it was asked for */
    es_phase phase;
    bool published, with_derived;
    size_t at;     /* which table of the sheet is shown */
    char **text;   /* (rows, columns) of the table as shown; NULL where a cell is missing */
    size_t *width; /* (columns) 0: not shown */
    size_t *order; /* (rows) as listed */
    size_t rows, columns;
    size_t line, column, value; /* under the cursor; value: which column is drawn */
    size_t sort;                /* column that is sorted by; ES_NONE: as it came */
    bool descending;
    es_view_id from; /* where it was opened */
};

/** The analyses that a pool can have, as es_analysis_need bits that are met. */
unsigned es_sheets_there(const es_app *app);
/** The state, made when it is first asked for; NULL: out of memory. */
struct es_sheets_state *es_sheets(es_app *app);
/** Shows an analysis of what these words name, a line each (NULL: of all there is); NULL: the list.
 */
void es_sheets_show(es_app *app, const es_analysis *analysis, const char *of);
/** True if the values of one column of the rows are shown. */
bool es_sheets_of_values(const es_app *app);
/** Which rows the sheet is limited to, COLUMN=VALUE; NULL: all, or it is not about rows. */
const char *es_sheets_where(const es_app *app);
/** Limits sheets about rows to COLUMN=VALUE (copied); NULL: all rows. */
void es_sheets_limit(es_app *app, const char *where);
/** Adds what is behind the pool in the command line of the sheet that is shown. */
es_status es_sheets_words(const es_app *app, es_words *line, es_error *err);
/** Asks for the sheet of another choice: of this value, or of the next one (NULL). False: it offers
 *  none such. */
bool es_sheets_choose(es_app *app, const char *value);
/** The analysis that is shown; NULL: none is. */
const es_analysis *es_sheets_shown(const es_app *app);
/** The first two embedders that the sheet shown is of; returns how many. */
size_t es_sheets_embedders(const es_app *app, size_t item[2]);
/** Other data sets, or values of a setting, have new results. */
void es_sheets_elsewhere(es_app *app);
/** Asks for what is shown where it is not there, or results have changed. After every message. */
void es_sheets_ask(es_app *app, es_effects *effects);
/** When that may be due; INFINITY: it is not. */
double es_sheets_deadline(const es_app *app);
void es_sheets_forget(es_app *app);

/** The command line by which the sheet is asked for, copied; ES_ENOMEM. */
es_status es_app_sheet_asked(es_app *app, const es_words *command, es_error *err);
/** The sheet that was asked for (taken), or why there is none. */
void es_app_sheet_known(es_app *app, es_sheet *sheet);
void es_app_sheet_failed(es_app *app, const char *why);

/** The main table of the sheet shown; NULL: there is none. */
const es_table_out *es_sheets_table(const es_app *app);
/** Lines of the list, or rows of the sheet. */
size_t es_sheets_lines(const es_app *app);
size_t es_sheets_line(const es_app *app); /* ES_NONE: there are none */
/** The embedder of a line; ES_NONE: it has none. */
size_t es_sheets_item(const es_app *app, size_t line);
/** Moves the cursor among the columns that are shown. */
void es_sheets_move_column(es_app *app, bool right);
/** The column that is drawn, of the plot's table; ES_NONE: nothing is. Lines are drawn beside every
 * table of their sheet. */
size_t es_sheets_drawn(const es_app *app);

/* Estimations beside the session that is shown, one at a time (ES_FX_BESIDE): of the other data
 * sets, or of an estimator at values of its settings. Finished pairs are stored: one that was
 * stopped goes on where it was. */

/** Names the data sets (count, borrowed), of which number `here` is open. */
void es_app_sets(es_app *app, const char *const *names, size_t count, size_t here);
/** Returns the data set of this name; ES_NONE: there is none. */
size_t es_set_find(const es_app *app, const char *name);
/** Shows the sheet of all of them. */
void es_app_show_sets(es_app *app);
/** Asks what es_source.folders_question says, unless it was answered before. */
void es_app_ask_folders(es_app *app);
/** Starts the other data sets when the open one is done. */
void es_app_sets_start(es_app *app);

/** Takes "[estimator] KEY=VALUE,VALUE ..." for what is swept: without an estimator the one that is
 *  shown, or the first with this setting. False: it cannot be one, which a notice says. */
bool es_sweep_take(es_app *app, const char *text);
/** Adds the options that sweep what was taken. */
es_status es_sweep_words(const es_app *app, es_words *line, es_error *err);

/** Begins an estimation: of the data sets, or of what is swept. */
void es_beside_start(es_app *app, bool sets, es_effects *effects);
/** True if an estimation beside the session runs or is due. */
bool es_beside_busy(const es_app *app);
void es_beside_stop(es_app *app, es_effects *effects);
/** Begins what is due. After every message. */
void es_beside_follow(es_app *app, es_effects *effects);
/** Takes in how far it is. */
void es_app_beside_says(es_app *app, const char *text);
/** Reports the end of the estimation beside the session. ES_OK with a message: not all could be
 * estimated. */
void es_app_beside_over(es_app *app, es_status status, const char *why);

/* A table of scores that is open alone: the views that need no matrix are sheets, one kept for each
 * view (tab). */

/** Goes to a view: to its sheet, or, where it needs matrices, a notice says so. */
void es_board_go(es_app *app, es_view_id view);
/** Compares two models by name; Esc comes back to this view. */
void es_board_compare(es_app *app, const char *a, const char *b);
/** Compares the two marked models, or that under the cursor with the first of the board; the first
 *  with the second. A notice says why that cannot be. */
void es_board_compare_here(es_app *app);
/** Enter: compares the model of this line, shows what correlates with its task; false: neither. */
bool es_board_open(es_app *app);
/** Esc: closes what Enter has opened; false: nothing was. */
bool es_board_close(es_app *app);
/** Returns the view after the one whose tab is shown, or the one before it, round. */
es_view_id es_board_next(const es_app *app, bool forward);
/** Returns the view whose tab is shown: where a table is open alone, that of its sheet. */
es_view_id es_board_tab(const es_app *app);

#endif
