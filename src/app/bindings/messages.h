/* What comes in and what goes out: keys, clicks and messages to the explorer, effects that it asks
 * the event loop for. */
#ifndef ES_APP_MESSAGES_H
#define ES_APP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    ES_KEY_F1,
    ES_KEY_F10
} es_key;
enum { ES_KEY_CTRL = 0x60 }; /* Ctrl-L arrives as 'l' - ES_KEY_CTRL, as terminals send it */

/** What a place on the screen stands for. Views note it in the grid while they draw, so that a
 * click means what was seen, whatever has changed since. */
typedef enum es_click {
    ES_CLICK_PANE,    /* es_pane */
    ES_CLICK_COMMAND, /* es_command: an entry of the footer, a tab */
    ES_CLICK_ITEM,    /* an embedder: a row of a table or of the matrix, a point */
    ES_CLICK_OTHER,   /* the second embedder of the same place: the lower half of a cell */
    ES_CLICK_TARGET,  /* the embedder of a column of the matrix */
    ES_CLICK_COLUMN,  /* a column of a table */
    ES_CLICK_LINE,    /* a line of a list, counted from 0 */
    ES_CLICK_KEY,     /* a key that answers a question */
    ES_CLICK_COVER,   /* an overlay: what lies below cannot be meant */
    ES_CLICK_COUNT
} es_click;

typedef enum es_mouse_kind { ES_MOUSE_CLICK, ES_MOUSE_WHEEL_UP, ES_MOUSE_WHEEL_DOWN } es_mouse_kind;

typedef struct es_mouse {
    es_mouse_kind kind;
    size_t at[ES_CLICK_COUNT]; /* SIZE_MAX: nothing of this kind is there */
} es_mouse;

typedef enum es_msg_kind {
    ES_MSG_KEY,     /* key */
    ES_MSG_MOUSE,   /* mouse */
    ES_MSG_PASTE,   /* text */
    ES_MSG_RESIZE,  /* w, h */
    ES_MSG_SESSION, /* the session has changed (after es_session_pump) */
    ES_MSG_TICK,    /* `now` has passed es_app_deadline */
    ES_MSG_CLOCK,   /* what time it is; what takes long is left to a tick */
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
    ES_FX_START, /* number: that many entries of the plan */
    ES_FX_PAUSE, /* flag */
    ES_FX_CANCEL,
    ES_FX_RETRY,
    ES_FX_PRIORITISE,   /* es_app_urgency has changed */
    ES_FX_INTERVALS,    /* number: tag; compute what the ranking decides in the background */
    ES_FX_WIDTH,        /* number: tag of the decision shown; compute its shared dimensions */
    ES_FX_CORRELATE,    /* number: tag; es_corr_work in the background; flag: with intervals */
    ES_FX_FAMILIES,     /* number: tag; find es_app_families in the background */
    ES_FX_DENDROGRAM,   /* number: tag; the dendrogram of what is shown, likewise */
    ES_FX_PLACES,       /* number: tag; where the graph's nodes are, likewise */
    ES_FX_THREADS,      /* number */
    ES_FX_MEASURE,      /* text: name of a measure to compute; flag: where the pool has its data */
    ES_FX_DERIVE,       /* text: "whiten", "abtt 2"; number: item */
    ES_FX_REMOVE,       /* number: item, a derived one */
    ES_FX_EDITS,        /* number: so many of the derivations and removals are to stand */
    ES_FX_STORED,       /* look for the score of the baseline in the store, in the background */
    ES_FX_REDRAW,       /* repaint the whole terminal */
    ES_FX_SUSPEND,      /* Ctrl-Z */
    ES_FX_THEME,        /* text: name; flag: without a word when all is well */
    ES_FX_COPY,         /* text */
    ES_FX_MOUSE,        /* flag: ask the terminal for the mouse's events */
    ES_FX_ASCII,        /* flag: draw with ASCII only */
    ES_FX_SYNC,         /* flag: let the terminal show frames as a whole */
    ES_FX_SAVE,         /* number: es_save; text: the line to put into that file */
    ES_FX_SAVE_SESSION, /* write what lasts, and say so */
    ES_FX_SOURCE,       /* text: a file for es_app_source */
    ES_FX_OPEN,         /* text: another pool, to be opened in the place of this one */
    ES_FX_SHEET,        /* text: an analysis, whose sheet is for es_app_sheet_known */
    ES_FX_BESIDE,       /* estimate in the background; flag: the data sets, else es_sweep_words */
    ES_FX_BESIDE_STOP,  /* no more */
    ES_FX_OPEN_SET,     /* number: another of the data sets, in the place of this one */
    ES_FX_FOLDERS,      /* the pool's folders as data sets, in the place of this pool */
    ES_FX_PLAN,       /* text: lines "option=value", to open the pool with and begin to estimate */
    ES_FX_SCORES,     /* text: a CSV of downstream scores, to open the pool with */
    ES_FX_FAMILY,     /* text: what families.csv calls es_family_items; "": nothing */
    ES_FX_DUEL_ASK,   /* number: tag; find the next question in the background */
    ES_FX_DUEL_SAY,   /* text: "row,left,right,answer" for duels.csv; flag: take it back */
    ES_FX_DUEL_COUNT, /* say in the background what the answers come to */
    ES_FX_SHOW_ROW,   /* number: row of the files; text: the command that shows its file */
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

typedef struct es_app es_app; /* app_state.h */

#endif
