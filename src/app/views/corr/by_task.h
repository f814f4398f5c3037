/* Corr's table of every score against every task, as `embedscope agree --by-task` has it:
 * coefficients at once, intervals task by task at ticks. All of it is of the embedders that the
 * lists show, without the excluded points. */
#ifndef ES_APP_BY_TASK_H
#define ES_APP_BY_TASK_H

#include "agree.h"
#include "app_state.h"

struct es_by_task {
    size_t k, columns, n;          /* scores, columns as listed (es_by_task_column), embedders */
    double *value, *next;          /* (k + columns, n) scores, then tasks; being read */
    es_correlation_report *report; /* (k, columns) */
    es_agreer *work;               /* intervals of column `settled`; NULL: none */
    size_t settled;                /* columns that have them */
    size_t at, column;             /* under the cursor */
    double read_at;
    bool known, stale;
    bool panels; /* of es_settings.corr_panels: its scores are fields of measures */
};

void es_by_task_update(es_app *app, bool idle); /* after every message */
double es_by_task_deadline(const es_app *app);
void es_by_task_forget(es_app *app); /* at the end */
/** The column of task_columns.h that is listed there: sums come first. */
size_t es_by_task_column(const es_app *app, size_t listed);
const char *es_by_task_score(const es_app *app, size_t row);
/** What Corr's score is to be for this row, as es_settings.axis; ES_NONE: it cannot be one. */
size_t es_by_task_axis(const es_app *app, size_t row);
/** The same under the cursor of the agreement, or of its table of tasks. */
size_t es_by_task_cursor_axis(const es_app *app);

#endif
