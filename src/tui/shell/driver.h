/* The explorer without its surroundings: one app over one session, drawn into one grid. The event
 * loop (loop.c) drives it from a terminal, a script (script.c) from a file; what the app asks for
 * is carried out here for both. */
#ifndef ES_TUI_DRIVER_H
#define ES_TUI_DRIVER_H

#include "app.h"
#include "grid.h"
#include "embedscope/session.h"
#include "terminal.h"
#include "theme.h"
#include "tui.h"
#include "writer.h"

typedef struct es_driver {
    es_session *session;
    const es_tui_options *options;
    es_source *source;
    es_app *app;
    es_term *term; /* NULL when scripted */
    es_theme theme;
    es_theme look;        /* the theme with the colour map that was chosen */
    uint8_t colours;      /* which one that was */
    bool theme_chosen;    /* by option, configuration or session, not by default */
    double theme_look;    /* when its file is to be read again; INFINITY: not watched */
    char theme_said[512]; /* what was wrong with it then */
    es_grid grid;
    bool torn;          /* frames need not be shown as a whole */
    bool ascii;         /* ASCII only, whatever the terminal can show */
    es_writer writer;   /* of exports */
    char *session_path; /* where this session is kept; NULL: nowhere */
    char *pending;      /* the last session, while its measures wait for the pool to be checked */
    size_t loaded;      /* of these measures so far */
    char measure[64];   /* files are being read for this one; empty: for none */
    char waiting[256];  /* measures asked for meanwhile, with blanks between */
    bool load;          /* that is only to be loaded: nothing is computed unasked */
    bool touched;       /* a key or a click has come */
    bool grown;         /* a derived embedder waits to be taken into the pool */
    double save_at;     /* when it is to be written again; INFINITY: nothing has changed */
    double save_latest; /* the same, however busy the user is */
    bool kept;          /* what lasts was written for the last time */
    bool quit;          /* the app asked to end */
    int exit_code;
} es_driver;

/** Builds app and theme, and goes on where the last session ended if the options say so; a theme
 * asked for by name that cannot be read is an error. On failure nothing is left to close. The
 * terminal is opened by the caller and handed to es_driver_attach.
 */
es_status es_driver_open(es_driver *driver, es_session *session, const es_tui_options *options,
                         es_error *err);
/** Write what lasts, for the last time. */
void es_driver_keep(es_driver *driver);
/** The same, unless it was done, and frees everything but the terminal. */
void es_driver_close(es_driver *driver);

/** Begin with the default for a light background. */
void es_driver_light(es_driver *driver);

/** Show on this terminal (NULL: only in the grid) of w x h cells. */
es_status es_driver_attach(es_driver *driver, es_term *term, int w, int h, es_error *err);

/** One message to the app, and the effects that it asks for. `now` is filled in. */
void es_driver_send(es_driver *driver, es_msg msg);
void es_driver_carry_out(es_driver *driver, const es_effect *effect);
void es_driver_key(es_driver *driver, uint32_t key); /* Ctrl-C becomes ES_MSG_SIGNAL */
/** A click or a turn of the wheel, on the screen as it was drawn last. */
void es_driver_mouse(es_driver *driver, es_mouse_kind kind, int x, int y);
es_status es_driver_resize(es_driver *driver, int w, int h, es_error *err);
/** Take in what the workers delivered, for at most budget_ms (0: all). True when there was any. */
bool es_driver_pump(es_driver *driver, double budget_ms);
/** Take in what the export says that is being written; true when it is over. */
bool es_driver_written(es_driver *driver);
/** Send ES_MSG_TICK when the app waits for one, and keep the session after a quiet while. */
void es_driver_tick(es_driver *driver);
/** When es_driver_tick has something to do; INFINITY: nothing. */
double es_driver_deadline(const es_driver *driver);
/** Have a measure shown: computed, or only loaded as far as it is stored. What it needs of the
 *  pool's files is read in the background first; true: they are. */
bool es_driver_measure(es_driver *driver, const char *name, bool load);
/** Draw the grid. */
void es_driver_draw(es_driver *driver);
/** Write the grid to a file: as text, as a picture when the name ends in .svg, or its roles. */
es_status es_driver_dump(es_driver *driver, const char *path, bool roles, es_error *err);

#endif
