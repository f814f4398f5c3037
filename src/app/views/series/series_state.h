/* Series: training runs over their steps (report/series.h), made anew whenever the ranking or what
 * is decided of it has changed. The cursor is on a step; m chooses what is drawn over the steps. */
#ifndef ES_APP_SERIES_STATE_H
#define ES_APP_SERIES_STATE_H

#include "app_state.h"
#include "series.h"

struct es_series_state {
    es_series known;
    es_series_of of;      /* that it was made of; arrays belong to the session or to `score` */
    double *score;        /* (m) */
    size_t *lines;        /* (points) 0, 1, ... */
    uint64_t revision;    /* of the ranking then */
    const void *decision; /* and what was decided */
    uint64_t measured;    /* and of the measures */
    bool made;
    double made_at;
    char *words; /* what the run under the cursor comes to; NULL: nothing */
};

/** Is any embedder a step of a series? */
bool es_series_there(const es_app *app);
void es_series_update(es_app *app, bool idle); /* after every message, while it is shown */
void es_series_forget(es_app *app);            /* at the end */

/** Of what is shown; 0, ES_NONE, NULL before there is anything. */
size_t es_series_lines(const es_app *app);
size_t es_series_line(const es_app *app); /* the point under the cursor; ES_NONE */
/** The run under the cursor, else the first: what is said and drawn strongly is of it. */
size_t es_series_run_at(const es_app *app);
size_t es_series_item(const es_app *app, size_t line);
const es_series_column *es_series_shown(const es_app *app); /* over the steps */
size_t es_series_shown_at(const es_app *app);               /* its number */

#endif
