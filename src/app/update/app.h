/* The explorer's state and the one function that changes it: es_app_update(app, message) ->
 * effects. No ncurses, no blocking call, no clock: time comes in with messages, so tests replay
 * everything.
 *
 * Views (src/tui/view_*.c) only read this state and draw it into a grid. The event loop
 * (src/tui/loop.c) turns input into messages and carries out effects. */
#ifndef ES_APP_APP_H
#define ES_APP_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bootstrap.h"
#include "log.h"
#include "source.h"

typedef enum es_view_id {
    ES_VIEW_POOL,
    ES_VIEW_HEATMAP,
    ES_VIEW_TREE,
    ES_VIEW_RANK,
    ES_VIEW_CORR,
    ES_VIEW_COMPARE,
    ES_VIEW_JOBS,
    ES_VIEW_COUNT
} es_view_id;

/** Keys are Unicode code points; the rest start above them. */
typedef enum es_key {
    ES_KEY_ESC = 27,
    ES_KEY_ENTER = 13,
    ES_KEY_TAB = 9,
    ES_KEY_BACKSPACE = 127,
    ES_KEY_UP = 0x110000,
    ES_KEY_DOWN,
    ES_KEY_LEFT,
    ES_KEY_RIGHT,
    ES_KEY_HOME,
    ES_KEY_END,
    ES_KEY_PAGE_UP,
    ES_KEY_PAGE_DOWN,
    ES_KEY_INSERT,
    ES_KEY_DELETE,
    ES_KEY_BACKTAB,
    ES_KEY_F1
} es_key;
enum { ES_KEY_CTRL = 0x60 }; /* Ctrl-L arrives as 'l' - ES_KEY_CTRL, as terminals send it */

/** What a place on the screen stands for. Views note it in the grid while they draw, so that a
 * click means what was seen, whatever has changed since. */
typedef enum es_spot {
    ES_SPOT_PANE,    /* es_pane */
    ES_SPOT_COMMAND, /* es_command: an entry of the footer, a tab */
    ES_SPOT_ITEM,    /* an embedder: a row of a table or of the matrix, a point */
    ES_SPOT_OTHER,   /* the second embedder of the same place: the lower half of a cell */
    ES_SPOT_TARGET,  /* the embedder of a column of the matrix */
    ES_SPOT_COLUMN,  /* a column of a table */
    ES_SPOT_LINE,    /* a line of a list, counted from 0 */
    ES_SPOT_KEY,     /* a key that answers a question */
    ES_SPOT_COVER,   /* an overlay: what lies below cannot be meant */
    ES_SPOT_COUNT
} es_spot;

typedef enum es_mouse_kind { ES_MOUSE_CLICK, ES_MOUSE_WHEEL_UP, ES_MOUSE_WHEEL_DOWN } es_mouse_kind;

typedef struct es_mouse {
    es_mouse_kind kind;
    size_t at[ES_SPOT_COUNT]; /* SIZE_MAX: nothing of this kind is there */
} es_mouse;

typedef enum es_msg_kind {
    ES_MSG_KEY,     /* key */
    ES_MSG_MOUSE,   /* mouse */
    ES_MSG_PASTE,   /* text */
    ES_MSG_RESIZE,  /* w, h */
    ES_MSG_SESSION, /* the session has changed (after es_session_pump) */
    ES_MSG_TICK,    /* `now` has passed es_app_deadline */
    ES_MSG_COMMAND, /* text: a command line, as typed after ':' (scripts, tests) */
    ES_MSG_SIGNAL   /* the user asked to interrupt (Ctrl-C) */
} es_msg_kind;

typedef struct es_msg {
    es_msg_kind kind;
    double now; /* seconds, monotonic */
    uint32_t key;
    int w, h;
    const char *text;
    es_mouse mouse;
} es_msg;

/** What the loop is to do. Carried out in order. */
typedef enum es_effect_kind {
    ES_FX_START,
    ES_FX_PAUSE, /* flag */
    ES_FX_CANCEL,
    ES_FX_RETRY,
    ES_FX_PRIORITISE, /* es_app_urgency has changed */
    ES_FX_INTERVALS,  /* number: tag; compute es_app_bootstrap in the background */
    ES_FX_THREADS,    /* number */
    ES_FX_MEASURE,    /* text: name of a measure to compute */
    ES_FX_DERIVE,     /* text: "whiten", "abtt 2"; number: item */
    ES_FX_WORST,      /* flag: list es_app_worst in the background; else: no more */
    ES_FX_BASELINE,   /* look in the store for the ranking's baseline, in the background */
    ES_FX_REDRAW,     /* repaint the whole terminal */
    ES_FX_SUSPEND,    /* Ctrl-Z */
    ES_FX_THEME,      /* text: name; flag: without a word when all is well */
    ES_FX_COPY,       /* text */
    ES_FX_MOUSE,      /* flag: ask the terminal for the mouse's events */
    ES_FX_ASCII,      /* flag: draw with ASCII only */
    ES_FX_SYNC,       /* flag: let the terminal show frames as a whole */
    ES_FX_SAVE,       /* number: es_save; text: the line to put into that file */
    ES_FX_KEEP,       /* write what lasts, and say so */
    ES_FX_SOURCE,     /* text: a file for es_app_source */
    ES_FX_OPEN,       /* text: another pool, to be opened in the place of this one */
    ES_FX_PLAN,       /* text: lines "option=value", to open the pool with and begin to estimate */
    ES_FX_SCORES,     /* text: a CSV of downstream scores, to open the pool with */
    ES_FX_PATHS,      /* show where files are */
    ES_FX_DOCTOR,     /* show what this machine and terminal offer */
    ES_FX_DUMP,       /* text: path of a screen dump */
    ES_FX_EXPORT,     /* run es_app_export; flag: also when the file is there */
    ES_FX_QUIT        /* number: exit code */
} es_effect_kind;

typedef enum es_save { ES_SAVE_SETTING, ES_SAVE_KEY } es_save;

typedef struct es_effect {
    es_effect_kind kind;
    bool flag;
    size_t number;
    char *text; /* owned */
} es_effect;

typedef struct es_effects {
    es_effect *items;
    size_t count, capacity;
} es_effects;

typedef struct es_app es_app; /* defined in app_state.h, for views and tests */

/** `source` is read by update and views; it and `log` (may be NULL) outlive the app. */
es_app *es_app_new(const es_source *source, es_log *log); /* NULL when out of memory */
void es_app_free(es_app *app);                            /* NULL is allowed */

/** What the terminal can show, before the first frame and whenever it changes. `coarse`: fewer than
 *  256 colours, so two matrix rows cannot share a cell and glyphs carry the values. */
void es_app_display(es_app *app, bool ascii, bool coarse);
void es_app_mouse(es_app *app, bool on); /* whether the terminal sends the mouse's events */
/** The theme that is shown unless somebody chooses another: the session does not keep it. */
void es_app_first_theme(es_app *app, const char *id);
/** The themes that T and :theme offer, and the one in use. Copied; ES_ENOMEM keeps the old list. */
es_status es_app_themes(es_app *app, const char *const *names, size_t count, const char *current);
/** Tell the user one line, e.g. what became of an effect. Cleaned and cut to one line. */
void es_app_say(es_app *app, double now, es_status status, const char *text);

/** Show a text to read, over the view; `text` is cleaned line by line. */
void es_app_note(es_app *app, const char *title, const char *text);
/** A setting as in the configuration file, before the first message: u does not take it back. */
es_status es_app_set(es_app *app, const char *name, const char *value, es_effects *effects,
                     es_error *err);

/** Apply one message; effects are appended. Never blocks, never computes for more than 5 ms. */
void es_app_update(es_app *app, const es_msg *msg, es_effects *effects);
void es_effects_clear(es_effects *effects);

/** Keys of the user's own, in the place of those before (keymap.h). What is wrong in the file is
 *  said in one notice and left out. `label` is its name. */
es_status es_app_keys(es_app *app, const char *text, size_t length, const char *label,
                      es_error *err);

/** What lasts until the next session on the same pool: where the user is, what is marked, hidden,
 *  sorted, how far u goes back. NULL when out of memory; free with es_free. */
char *es_app_state(const es_app *app);
/** Go on from there. What is no longer in the pool is passed over, and so are keys of later
 *  versions. ES_EFORMAT, ES_EUNSUPPORTED (a newer version's), ES_ENOMEM: nothing has changed. */
es_status es_app_restore(es_app *app, const char *text, size_t length, es_effects *effects,
                         es_error *err);

/** Measures that were shown in that session, which the owner loads before it restores a second
 * time: name `number` of them; 0: no more. */
size_t es_app_state_measure(const char *text, size_t number, char *out, size_t capacity);
/** The CSV of scores that was opened in that session: its length, 0: none, or too long for `out`.
 */
size_t es_app_state_scores(const char *text, char *out, size_t capacity);
/** The one that the session is to name, copied; NULL: none. A path of more lines is not kept. */
void es_app_scores(es_app *app, const char *path);
/** Why opening the pool again would lose results, as part of a sentence; NULL: it would not. */
const char *es_app_unkept(const es_app *app);
/** The lines typed before, of this session and, first, of `before`: such a text that another one
 *  left (NULL: none). The newest ES_APP_HISTORY of each prompt. NULL when out of memory; es_free.
 */
char *es_app_history(const es_app *app, const char *before, size_t length);
void es_app_history_kept(es_app *app); /* they are in the text that is read next time */
/** Up recalls these, too. Lines that are not understood are passed over. */
/** Pools that :open offers: paths, a line each. Copied; without memory there are none. */
void es_app_recent(es_app *app, const char *lines);
void es_app_recall(es_app *app, const char *text, size_t length);

/** Command lines from a file, as typed after ':'; blank lines and those that begin with '#' say
 *  nothing. Ends at the first that cannot be run, which is named. `label` is the file's name. */
void es_app_source(es_app *app, const char *label, const char *text, size_t length,
                   es_effects *effects);
/** The keys so far are complete: what comes next does not make a count or a sequence with them. */
void es_app_settle(es_app *app);

/** For ES_FX_PRIORITISE: how urgent each model is as a source, by position in the results; as
 *  es_session_prioritise takes it. */
const uint8_t *es_app_urgency(const es_app *app);
/** For ES_FX_INTERVALS: what is shown, borrowed until the next message. m 0: nothing is. */
es_bootstrap es_app_bootstrap(const es_app *app);

/** For ES_FX_WORST: where this measure does worst for an item, or for two; other SIZE_MAX: one. */
typedef struct es_worst_wish {
    const char *measure;
    size_t item, other;
} es_worst_wish;
es_worst_wish es_app_worst(const es_app *app);

/** What `embedscope export` can write. */
typedef enum es_export_view {
    ES_EXPORT_RANKING,
    ES_EXPORT_MATRIX,
    ES_EXPORT_TREE,
    ES_EXPORT_CORRELATION,
    ES_EXPORT_COMPARE,
    ES_EXPORT_VIEWS
} es_export_view;

/** How command lines of exports begin, a view each: "embedscope" "export" POOL VIEW and the options
 *  that this pool was opened with. Borrowed; each ends with NULL, or is NULL. */
void es_app_exporter(es_app *app, const char *const *const base[ES_EXPORT_VIEWS]);
/** For ES_FX_EXPORT: the words, ended by NULL, and the file they name; until the next message. */
const char *const *es_app_export(const es_app *app);
const char *es_app_export_file(const es_app *app);
/** What became of it: the file is there, and the user is to be asked; it is being written; it is
 *  over, `problem` says what went wrong. */
void es_app_export_exists(es_app *app);
void es_app_export_begun(es_app *app);
void es_app_export_done(es_app *app, double now, es_status status, const char *problem);

/** What the run dialog begins with. */
typedef struct es_planning {
    const char *open; /* the plan of this session: lines "option=value" as on the command line */
    const char *const *command; /* how the line begins that estimates this pool; ends with NULL */
    es_status (*check)(const char *lines, es_error *err); /* can the pool be opened with it? */
} es_planning;
/** Borrowed texts; without it there is no run dialog. */
void es_app_planning(es_app *app, const es_planning *planning);

/** True when something visible changed since es_app_drawn. */
bool es_app_dirty(const es_app *app);
void es_app_drawn(es_app *app);
/** When the next ES_MSG_TICK is wanted (end of an order hold, a toast, a flash, ETA while running);
 *  INFINITY: never, so an idle explorer sleeps. */
double es_app_deadline(const es_app *app);
/** Is nothing being worked out that the screen will show: intervals, stability, correlations? */
bool es_app_settled(const es_app *app);
/** For the loop: true while a key was pressed so recently that a frame must not wait. */
bool es_app_urgent(const es_app *app);

#endif
