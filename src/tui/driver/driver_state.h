/* What the driver knows: one app over one session, drawn into one grid, and what lasts of it. The
 * parts of the driver (theme, measures, saved session, opening again) work on it; driver.c alone
 * sends messages and carries out effects. */
#ifndef ES_TUI_DRIVER_STATE_H
#define ES_TUI_DRIVER_STATE_H

#include "app.h"
#include "explorer.h"
#include "sampling.h"
#include "grid.h"
#include "engine_session.h"
#include "terminal.h"
#include "engine_requests.h"
#include "term_look.h"
#include "theme.h"
#include "worker.h"

/* A sample of rows that grows (driver_grow.h). */
typedef struct es_driver_growth {
    es_sampling sampling;
    es_growth_record *record; /* (records) of each size, the smallest first */
    size_t records;
    size_t rows;          /* of the sample that is coming */
    bool opening;         /* es_driver.opening is one */
    bool coming;          /* es_driver.coming is one */
    bool read;            /* what an earlier run has found was asked for */
    bool looked;          /* the sample that is shown was taken in; `end` is what came of it */
    bool over;            /* no more rows are taken */
    bool stopped, paused; /* by the user */
    es_growth_end end;
} es_driver_growth;

/** How a measure is to be shown, and what its line begins with while it waits. */
typedef enum es_driver_how {
    ES_MEASURE_ASKED = '+',
    ES_MEASURE_ANY = '?', /* without a word if the pool lacks what it needs */
    ES_MEASURE_LOADED =
        '-' /* as far as it is stored, without a word: nothing is computed unasked */
} es_driver_how;

typedef struct es_driver {
    es_session *session;
    const es_explorer *options;
    es_source *source;
    es_app *app;
    es_term *term; /* NULL when scripted */
    es_theme theme;
    es_look look;           /* the theme with the map that was chosen, at the depth in force */
    uint8_t colours;        /* which one that was */
    bool theme_chosen;      /* by option, configuration or session, not by default */
    double sets_look;       /* when the other data sets' stores are; INFINITY: not watched */
    uint64_t sets_seen;     /* what they looked like when the document on all was asked for */
    double theme_look;      /* when its file is to be read again; INFINITY: not watched */
    char theme_said[1024];  /* what was wrong with it then */
    es_error theme_missing; /* the configuration names one that cannot be had; code ES_OK: not so */
    es_grid grid;
    bool torn;          /* frames need not be shown as a whole */
    bool ascii;         /* ASCII only, whatever the terminal can show */
    es_worker writer;   /* of exports */
    es_worker sheets;   /* of what Sheets shows */
    es_worker beside;   /* of estimations beside the session */
    double beside_look; /* when it is asked how far it is; INFINITY: nothing is estimated */
    char *session_path; /* where this session is kept; NULL: nowhere */
    char *pending;      /* the last session, while its measures wait for the pool to be checked */
    size_t loaded;      /* of these measures so far */
    char measure[ES_MEASURE_CALL]; /* files are being read for this one; empty: for none */
    char waiting[4096];            /* measures asked for meanwhile, a line each */
    const es_session *stored_of;   /* whose stored measures were loaded */
    es_words stored;               /* these, with those that others have stored since then */
    uint64_t elsewhere;            /* es_session_elsewhere at the last look at them */
    double measures_look;          /* when that was */
    es_driver_how how;             /* that one is to be shown */
    bool news;                     /* the session has something that the app is to be told of */
    bool touched;                  /* a key or a click has come */
    bool grown;                    /* a derived embedder waits to be taken into the pool */
    double save_at;     /* when it is to be written again; INFINITY: nothing has changed */
    double save_latest; /* the same, however busy the user is */
    bool kept;          /* what lasts was written for the last time */
    struct es_pool_watcher *watcher; /* of the pool's folder; NULL: none */
    struct es_open_beside *opening;  /* it, while it is not open yet; NULL: none */
    es_session *coming; /* the pool as it is now, on its way into the session's place; NULL: none */
    es_driver_growth growth;
    struct es_duel_finder *duel; /* of the dialog of questions; NULL: none was opened */
    const es_session *duel_of;   /* whose pool it is of */
    double hold;                 /* frames wait until then for what a new session works out */
    bool turns;                  /* the pool is to be opened again when the export is written */
    bool quit;                   /* the app asked to end */
    int exit_code;
} es_driver;

/** A line for the user: what went well or wrong. */
void es_driver_say(es_driver *driver, es_status status, const char *text);
/** What went wrong and what happens therefore, to the log too. */
void es_driver_say_then(es_driver *driver, const es_error *why, const char *then);

#endif
