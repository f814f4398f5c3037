/* How far the coefficients of Corr's table of tasks change with the seed of the measures: the s.d.
 * of `embedscope agree --by-task --runs`, whose document is asked for in the background
 * (ES_FX_RUNS) and read here. It is of all embedders, so it is shown while none is hidden, filtered
 * or left out. */
#ifndef ES_APP_TASK_RUNS_H
#define ES_APP_TASK_RUNS_H

#include "app_state.h"
#include "embedscope/stat.h"
#include "json.h"

typedef struct es_task_spread {
    const char *score, *task; /* in the document */
    double sd[ES_CORRELATIONS];
} es_task_spread;

struct es_task_runs {
    size_t runs; /* seeds; those asked for while it is asking */
    bool asking;
    char *problem;        /* why there is nothing; NULL: there is, or it is being made */
    es_json_doc *doc;     /* NULL: nothing is known */
    es_task_spread *cell; /* (cells) */
    size_t cells;
};

/** Why nothing can be asked for now; NULL: it can. */
const char *es_task_runs_refusal(const es_app *app);
void es_task_runs_ask(es_app *app, size_t runs, es_effects *effects);
bool es_task_runs_busy(const es_app *app);
void es_task_runs_stop(es_app *app, es_effects *effects);
/** The document that was asked for, or why there is none. */
void es_app_runs_known(es_app *app, const char *json, size_t length);
void es_app_runs_failed(es_app *app, const char *why);
/** NaN: not known, or none over seeds. */
double es_task_runs_sd(const es_app *app, const char *score, const char *task, es_correlation kind);
void es_task_runs_free(es_app *app);

#endif
