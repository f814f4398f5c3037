/* Corr's state: the score against each column of scores.csv and against the mean rank over them.
 *
 * Coefficients of all tasks are known as soon as the view is open; intervals and permutations come
 * by and by, some draws at every tick, the selected task first. All of it is of the embedders that
 * the lists show (hidden and filtered ones do not count) without the excluded points. Values are
 * kept so that higher is better; es_corr_shown turns them back for the eye. */
#ifndef ES_APP_CORR_H
#define ES_APP_CORR_H

#include "app_state.h"
#include "embedscope/correlate.h"
#include "names.h"

/** Lines through resampled embedders: the middle 95 % of them at places along the score. */
enum { ES_CORR_BOOT = 25 };
typedef struct es_corr_boots {
    double *low, *high; /* (ES_CORR_BOOT) one block; NULL: never needed */
    double from, step;  /* of the places */
    size_t task;
    uint64_t stamp; /* of the task they were made for */
    bool known;
} es_corr_boots;

typedef struct es_corr_task {
    es_correlation_report report;
    /* The baselines: log dimension, and the error of l2, against the task, same points. */
    es_stat size[ES_CORRELATIONS], l2[ES_CORRELATIONS];
    uint64_t stamp;            /* counts the times they were found anew */
    bool fresh;                /* coefficients are of the values shown */
    bool based;                /* and so are the baselines */
    bool settled;              /* so are intervals and p */
    bool held;                 /* intervals and p are of earlier values, while a run is on */
    double begun;              /* when the intervals were last begun */
    double mean, spread, half; /* of the fit: mean of x, sum of squares of x; t times s.d. */
} es_corr_task;

struct es_corr {
    size_t columns, tasks; /* columns of scores.csv; from two on the mean rank is one more */
    size_t task;           /* selected */
    size_t *order;         /* (tasks) as listed */
    es_corr_task *at;      /* (tasks) */
    double *place;         /* (n) score of what the lists show, excluded points too; else NAN */
    double *x, *next_x;    /* (n) NAN: does not count */
    double *y, *next_y;    /* (tasks, n) NAN: missing */
    double *covariate;     /* (n) log dimension; NAN: not known */
    size_t *point, *next;  /* (n) items with both values, excluded ones too, by x; scratch */
    size_t points;         /* of the selected task */
    size_t *partner;       /* (n) row of scores.csv that is, or might be, the item's; ES_NONE */
    es_name_match *how;    /* (n) */
    bool *row_used;        /* (rows) joined exactly */
    size_t rows, joined;   /* rows of scores.csv; exact or accepted */
    bool sized;            /* some dimension is known */
    double *l2, *next_l2;  /* (n) the baseline's score, higher is better; NAN: not known */
    bool asked;            /* for it, since Corr was opened */
    es_correlator *work;   /* intervals under way; NULL: none */
    size_t work_task;
    bool work_old; /* the values have changed since */
    es_corr_boots boot;
};

bool es_corr_new(es_app *app); /* app->corr; false: out of memory */
void es_corr_free(es_app *app);
/** After every message: take up what has changed. `idle`: also go on with the intervals. */
void es_corr_update(es_app *app, bool idle);
/** Have the baseline looked for whenever Corr opens: it may have been stored since. */
void es_corr_ask(es_app *app, es_effects *effects);
/** When there is more to do; INFINITY: nothing. */
double es_corr_deadline(const es_app *app);

es_correlation es_corr_kind(const es_app *app);
const char *es_corr_symbol(const es_app *app, es_correlation kind); /* as the terminal can show */
const char *es_corr_task_name(const es_app *app, size_t task);
bool es_corr_is_mean(const es_app *app, size_t task);
/** Lower is better: an error, a cost, or the mean rank. Kept with its sign turned. */
bool es_corr_is_turned(const es_app *app, size_t task);
/** The score or task value as the user knows it, from the kept one. */
double es_corr_shown_x(const es_app *app, double x);
double es_corr_shown_y(const es_app *app, size_t task, double y);
/** The item's place in the plot; false: it has none. Excluded points have one. */
bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y);
bool es_corr_counts(const es_app *app, size_t task, size_t item);
double es_corr_residual(const es_app *app, size_t task, size_t item); /* NAN: none */
/** The fitted line at x, and the ends of the band that B has chosen, NAN without one; false: no
 * line. */
bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high);
es_status
es_corr_boot(es_app *app); /* the bootstrap's band, where it is wanted and not there yet */
/** Where the plot puts a point of the selected task: as es_corr_place, or its distance from the
 *  line. */
bool es_corr_plot(const es_app *app, size_t item, double *x, double *y);
double es_corr_plot_shown_y(const es_app *app, double y);
/** Rank among the points that count, 1 = best; 0: not among them. */
size_t es_corr_rank(const es_app *app, size_t task, size_t item, bool of_task);
/** The `count` largest residuals of one sign, largest first; returns how many there are. */
size_t es_corr_extremes(const es_app *app, size_t task, bool above, size_t count, size_t *item);
size_t es_corr_excluded(const es_app *app); /* points of the selected task left out by x */
/** Number `index` of the names that wait for a decision: the item; ES_NONE: no more. */
size_t es_corr_proposal(const es_app *app, size_t index);
size_t es_corr_row_unmatched(const es_app *app, size_t index); /* row of scores.csv; ES_NONE */
size_t es_corr_line(const es_app *app, size_t task);           /* its line in the list */
char *es_corr_note(const es_app *app);

#endif
