/* Several data sets, one of which is open: what `embedscope rank` says of all of them, embedders
 * best first. The document is asked for in the background (ES_FX_SETS) and read here. */
#ifndef ES_APP_SETS_H
#define ES_APP_SETS_H

#include "app_state.h"
#include "data_sets.h"

/** One embedder over all data sets. */
typedef struct es_set_row {
    char *name;
    size_t rank, in, first; /* rank 0: none */
    double share, low, high;
    bool best;   /* may be the best on another data set */
    size_t item; /* in the data set that is open; ES_NONE: not in it */
} es_set_row;

/** One data set. */
typedef struct es_set_about {
    char *name;
    size_t column; /* in es_sets_known.value; ES_NONE: nothing is estimated there, or not known */
    size_t rows, embedders, pairs, known;
    char *missing; /* why there is nothing; NULL: there is, or it is not known yet */
} es_set_about;

typedef struct es_sets {
    es_set_about *set;  /* (count) as they were named */
    size_t count, here; /* here: the one that is open */
    bool asking, asked; /* a document is being made; one was ever asked for */
    bool elsewhere;     /* others than the open one have had new results since then */
    bool silent;        /* it was asked for by that alone: what is shown stays until it is there */
    bool said;          /* the answer holds for another data set, too */
    double asked_at;
    uint64_t revision; /* of the results that were shown then */
    es_phase phase;    /* and of the run */
    bool published;    /* by which score it was asked for */
    char *problem;     /* why there is no document; NULL: there is, or it is being made */
    char *sentence;    /* what it comes to; NULL: nothing is known */
    es_set_row *row;   /* (rows) best first */
    size_t rows, columns;
    double *value;              /* (es_within, rows, columns) NaN: not in it */
    bool due;                   /* the others are to be estimated, once the open one is */
    size_t next, tried, failed; /* the first that was not tried; how many were, and in vain */
    size_t at_work;             /* the one that is being estimated; ES_NONE: none is */
    char work[64];              /* how far it is */
    size_t line, at, top, left; /* cursor: embedder and data set; first ones shown */
    es_view_id from;            /* where 8 was pressed */
} es_sets;

/** These are open together, `here` is shown. Names are copied. */
void es_app_sets(es_app *app, const char *const *names, size_t count, size_t here);
/** The document of `embedscope rank ... --json`, or why there is none. */
void es_app_sets_known(es_app *app, const char *json, size_t length);
/** The document is of the others: its folder is gone. */
void es_app_set_gone(es_app *app, size_t set);
void es_app_sets_failed(es_app *app, const char *why);
/** Results of others than the open one have changed. */
void es_app_sets_elsewhere(es_app *app);
/** The pool is open: first, all of them are shown, else not the view that lists them. */
void es_app_show_sets(es_app *app, bool first);
/** The others are to be estimated one after the other, once the open one is. */
void es_app_sets_start(es_app *app);
/** How far the one at work is, or how its estimation ended. */
void es_app_set_progress(es_app *app, const char *text);
void es_app_set_estimated(es_app *app, es_status status, const char *why);
/** Has the next one estimated (ES_FX_SET_ESTIMATE) if it is due. After every message. */
void es_sets_estimate(es_app *app, es_effects *effects);
void es_sets_stop(es_app *app, es_effects *effects);
/** Is one of the others being estimated, or about to be? */
bool es_sets_estimating(const es_app *app);
/** Asks what es_source.folders_question says, unless it was answered before. */
void es_app_ask_folders(es_app *app);
/** Asks for it while it is shown and the results of any of them have changed. */
void es_sets_ask(es_app *app, es_effects *effects);
/** When that may be due; INFINITY: it is not. */
double es_sets_deadline(const es_app *app);
/** What is shown is of results of the open one that are no more: another document is due. */
bool es_sets_soon(const es_app *app);
void es_sets_free(es_app *app);

/** NaN: not in it, or not known. */
double es_sets_value(const es_sets *sets, es_within what, size_t row, size_t set);

#endif
