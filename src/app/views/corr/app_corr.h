/* Corr: what is asked for, what is shown, and its line. */
#ifndef ES_APP_CORR_H
#define ES_APP_CORR_H

#include "app_state.h"

/* What Corr has worked out. */

/* How the list was last put in order. */
typedef struct es_corr_listed {
    uint64_t tag; /* of the set */
    bool sorted;
    es_correlation kind;
} es_corr_listed;

struct es_corr {
    size_t columns, tasks; /* columns of scores.csv, and with sums over them (report_answer.h) */
    size_t task;           /* selected */
    size_t *order;         /* (tasks) as listed */
    es_corr_listed listed;
    size_t *at;          /* (n) where the newest set has an item; ES_NONE */
    double *place;       /* (n) score of what the lists show, excluded points too; else NAN */
    size_t *point;       /* (n) items with both values, excluded ones too, by x */
    size_t points;       /* of the selected task */
    uint64_t tag;        /* of what was asked for last */
    uint64_t seen;       /* of the values that were asked about */
    bool drawing;        /* intervals were asked for */
    bool asking;         /* at this message */
    bool looked;         /* stored scores were looked for since Corr was opened */
    size_t *partner;     /* (n) row of scores.csv that is, or might be, the item's; ES_NONE */
    es_name_match *how;  /* (n) */
    bool *row_used;      /* (rows) joined exactly */
    size_t rows, joined; /* rows of scores.csv; exact or accepted */
    bool *counts;        /* (n) downstream (report_answer.h) */
    uint32_t *family;    /* (n) as there */
    const struct es_decision *grouped_by; /* the decision that says who is ranked */
    const es_results *grouped;            /* whose embedders these are; NULL: not known yet */
};

/* Corr's state: the score against each column of scores.csv, and against the mean rank and the mean
 * over them.
 *
 * All of it is of the embedders that the lists show (hidden and filtered ones do not count) without
 * the excluded points, and comes from the report.h, made by a worker. Values are
 * kept so that higher is better; es_corr_shown turns them back for the eye. */

bool es_corr_new(es_app *app); /* app->corr; false: out of memory */
/** After every message: takes up what has changed, and asks for what is not known of it. */
void es_corr_update(es_app *app, es_effects *effects);
/** True if a request to the worker is not answered yet. */
bool es_corr_waits(const es_app *app);
/** For ES_FX_CORRELATE: what is shown, the caller's. ES_ENOMEM. */
es_status es_corr_work(const es_app *app, bool draw, es_correlation_work **out, es_error *err);

/** Returns the newest set, borrowed until the next message; NULL: none yet. */
const es_correlation_set *es_corr_set(const es_app *app);
const es_correlation_report *es_corr_report(const es_app *app, size_t task); /* NULL: none yet */
double es_corr_y(const es_app *app, size_t task, size_t item); /* higher is better; NAN */

es_correlation es_corr_kind(const es_app *app);
const char *es_corr_symbol(const es_app *app, es_correlation kind); /* as the terminal can show */
const char *es_corr_task_name(const es_app *app, size_t task);
bool es_corr_is_mean(const es_app *app, size_t task);
/** Lower is better: an error, a cost, or the mean rank. Kept with its sign turned. */
bool es_corr_is_turned(const es_app *app, size_t task);
/** The score or task value as the user knows it, from the kept one. */
double es_corr_shown_x(const es_app *app, double x);
double es_corr_shown_y(const es_app *app, size_t task, double y);
/** True if lower is better on the axis of the score. */
bool es_corr_axis_turned(const es_app *app);
size_t es_corr_excluded(const es_app *app); /* points of the selected task left out by x */
/** Number `index` of the names that wait for a decision: the item; ES_NONE: no more. */
size_t es_corr_proposal(const es_app *app, size_t index);
size_t es_corr_proposals(const es_app *app); /* how many */
/** Joins scores by the accepted names; true: something has changed. */
bool es_corr_join(es_app *app);
/** Lists the proposed joins of names, one a line, at most `most`. */
void es_corr_proposals_put(const es_app *app, size_t most, es_buf *out);
size_t es_corr_row_unmatched(const es_app *app, size_t index); /* row of scores.csv; ES_NONE */
size_t es_corr_line(const es_app *app, size_t task);           /* its line in the list */

/** "IS", or the measure that stands for it in Corr. */
const char *es_corr_axis(const es_app *app);

/* The line through Corr's points: residuals, bands, places. */

/** The item's place in the plot; false: it has none. Excluded points have one. */
bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y);
double es_corr_residual(const es_app *app, size_t task, size_t item); /* NAN: none */
/** The fitted line at x, and the ends of its 95 % band, NAN without one; false: no line. */
bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high);
/** Rank among the points that count, 1 = best; 0: not among them. */
size_t es_corr_rank(const es_app *app, size_t task, size_t item, bool of_task);
/** The `count` largest residuals of one sign, largest first; returns how many there are. */
size_t es_corr_extremes(const es_app *app, size_t task, bool above, size_t count, size_t *item);

#endif
