/* What Corr has worked out. */
#ifndef ES_APP_CORR_STATE_H
#define ES_APP_CORR_STATE_H

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
    size_t columns, tasks; /* columns of scores.csv, and with sums over them (task_columns.h) */
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
    bool *counts;          /* (n) downstream (report's downstream.h) */
    uint32_t *family;      /* (n) as there */
    const struct es_decision *grouped_by; /* the decision that says who is ranked */
    const es_results *grouped;            /* whose embedders these are; NULL: not known yet */
    size_t *was_row;                      /* (n) of the scores, when y was read */
    const void *was_read;                 /* the scores it was read from; NULL: none yet */
    size_t first;           /* in `order`: all before it have coefficients of the values shown */
    uint64_t found, listed; /* coefficients, so far, and when the list was last put in order */
    double listed_at;
    bool sized;           /* some dimension is known */
    bool asked;           /* for it, since Corr was opened */
    bool work_old;        /* the values have changed since the intervals were begun */
    bool other_y;         /* y was read anew at this update */
    unsigned listed_as;   /* by which coefficient the list was last put in order, or not at all */
    double *l2, *next_l2; /* (n) the baseline's score, higher is better; NAN: not known */
    es_correlator *work;  /* intervals under way; NULL: none */
    size_t work_task;
    es_corr_boots boot;
};

#endif
