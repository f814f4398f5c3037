/* Does a setting of an estimator change the ranking? The score at every value of settings, as
 * `embedscope rank --sweep` says it of what is stored; its document is asked for in the background
 * (ES_FX_SWEEP) and read here, and values that are not whole are estimated one after the other by
 * `embedscope estimate`, also in the background. What is finished is in the store: a sweep that was
 * stopped goes on where it was. */
#ifndef ES_APP_SETTING_SWEEP_H
#define ES_APP_SETTING_SWEEP_H

#include "app_state.h"
#include "embedscope/stat.h"
#include "words.h"

enum { ES_SWEEP_MOST = 64, ES_SWEEP_LABEL = 200 };

/** What is known at one value. */
typedef struct es_sweep_value {
    char label[ES_SWEEP_LABEL]; /* "modes=4 folds=5" */
    size_t known, of, failed;   /* pairs; of 0: it was never said */
    double seconds;
    char best[64];
    double first;             /* Kendall's tau with the first value; NaN: none */
    size_t n;                 /* embedders with a downstream value; 0: nothing downstream */
    double spearman, kendall; /* with downstream */
    double low[2], high[2];   /* of them: 95 % over embedders */
} es_sweep_value;

struct es_setting_sweep {
    char text[ES_APP_LINE]; /* "knife modes=1,2,4", which all of this is of */
    es_sweep_value *value;  /* (values) */
    size_t values, at;      /* at: under the cursor */
    double *score;          /* (values, n) of items; NaN: none */
    uint32_t *rank;         /* (values, n) 0: none */
    bool lower;             /* is better */
    char downstream[96];    /* what that is; "": nothing */
    bool known;             /* the document was read, or there is nothing stored to say */
    bool asking;            /* for it */
    bool stale;             /* it is to be asked for */
    bool running;           /* values are estimated, one after the other, */
    size_t next;            /* this one next, */
    bool working;           /* or at the moment */
    char progress[96];      /* what it said last */
    char *problem;          /* why there is nothing, or no more; NULL: all is well */
};

/** Takes "[estimator] KEY=VALUE,VALUE ..." for what is swept, and begins. False: it cannot be one,
 *  and that was said. Without an estimator the one that is shown, or the first with this setting.
 */
bool es_sweep_begin(es_app *app, const char *text);
bool es_sweep_busy(const es_app *app);
bool es_sweep_whole(const es_app *app); /* every pair of every value is known */
bool es_sweep_seen(const es_app *app);  /* it is what Corr shows */
void es_sweep_stop(es_app *app, es_effects *effects);
/** Asks for what is due: the document, or the next value. After every message. */
void es_sweep_ask(es_app *app, es_effects *effects);
double es_sweep_deadline(const es_app *app);
void es_sweep_free(es_app *app);

/** Behind the command line that begins `rank` or `estimate`: `at` ES_NONE is all values, shown as
 *  they are stored; else the one that is to be estimated. */
es_status es_sweep_words(const es_app *app, size_t at, es_words *line, es_error *err);
/** The document; NULL: nothing of it is stored. */
void es_app_sweep_known(es_app *app, const char *json, size_t length);
void es_app_sweep_failed(es_app *app, const char *why);
/** A value is at work, and said this. */
void es_app_sweep_progress(es_app *app, const char *line);
/** It has ended. */
void es_app_sweep_over(es_app *app, es_status status, const char *why);

/** Items by their rank at a value, the best first; ES_NONE: there are not so many with one. */
size_t es_sweep_ranked(const es_app *app, size_t value, size_t place);
/** The ranking at a value against the first, to read. */
char *es_sweep_note(const es_app *app, size_t value);

#endif
