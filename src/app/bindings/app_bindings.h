/* Commands, views, keys and messages as data. */
#ifndef ES_APP_BINDINGS_H
#define ES_APP_BINDINGS_H

#include "base.h"

/* What comes in and what goes out: keys, clicks and messages to the explorer, effects that it asks
 * the event loop for. */

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
    ES_FX_EXPORT,     /* run app->export.line; flag: also when the file is there */
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

/* The views: what each is called and which of the shared lists and tables it shows
 * (view_table.def). */

typedef enum es_view_id {
#define V(id, ...) ES_VIEW_##id,
#include "view_table.def"
#undef V
    ES_VIEW_COUNT
} es_view_id;

typedef enum es_list_id {
    ES_LIST_POOL,
    ES_LIST_HEAT,
    ES_LIST_RANK,
    ES_LIST_TREE, /* the embedders of the tree; its lines are in tree.row */
    ES_LIST_COUNT
} es_list_id;
typedef enum es_table_id { ES_TABLE_POOL, ES_TABLE_RANK, ES_TABLE_COUNT } es_table_id;
/** What `embedscope export` can write. */
typedef enum es_export_view {
    ES_EXPORT_RANKING,
    ES_EXPORT_MATRIX,
    ES_EXPORT_TREE,
    ES_EXPORT_CORRELATION,
    ES_EXPORT_COMPARE,
    ES_EXPORT_RIVALS,
    ES_EXPORT_SETS,
    ES_EXPORT_MAP,
    ES_EXPORT_BY_TASK,
    ES_EXPORT_SERIES,
    ES_EXPORT_AGREEMENT,
    ES_EXPORT_PANELS,
    ES_EXPORT_MATRICES,
    ES_EXPORT_SWEEP,
    ES_EXPORT_LEADERBOARD, /* this and the next three: of a table of scores */
    ES_EXPORT_TASKS,
    ES_EXPORT_TASK_TREE,
    ES_EXPORT_VERSUS,
    ES_EXPORT_REPORT, /* `embedscope report`: all of it, on a page */
    ES_EXPORT_SHEET,  /* the sheet that is shown, by its own command */
    ES_EXPORT_VIEWS
} es_export_view;

typedef struct es_view_info {
    const char *name;
    es_list_id list;
    es_table_id table;
    es_export_view exports;
    char letter;
} es_view_info;

extern const es_view_info es_view_table[ES_VIEW_COUNT];
extern const char *const es_view_words[ES_VIEW_COUNT + 1]; /* the same words; then NULL */
/** The word; "*" for ES_VIEW_COUNT, which stands for all. */
const char *es_view_word(es_view_id view);
es_view_id es_view_find(const char *word); /* ES_VIEW_COUNT: none */

/* The table of commands, built from commands.def. */

typedef enum es_command {
#define C(id, ...) ES_COMMAND_##id,
#include "commands.def"
#undef C
    ES_COMMAND_COUNT
} es_command;

typedef enum es_command_group {
    ES_GROUP_VIEW,
    ES_GROUP_RUN,
    ES_GROUP_MARK,
    ES_GROUP_FIND,
    ES_GROUP_MOVE,
    ES_GROUP_GO,
    ES_GROUP_COPY,
    ES_GROUP_MORE,
    ES_GROUP_COUNT
} es_command_group;

/** One run of a command. */
typedef struct es_call {
    es_app *app;
    es_effects *effects;
    es_command command;
    size_t count;         /* typed before it; 0 = none */
    const char *argument; /* after the name on a command line; NULL = none */
} es_call;

typedef struct es_command_info {
    const char *name, *keys, *views;
    es_command_group group;
    const char *footer_keys, *footer; /* footer NULL: not in the footer */
    const char *help;
    const char *argument; /* NULL: takes none */
} es_command_info;

enum { ES_COMMAND_KEYS = 2 }; /* longest sequence */

extern const es_command_info es_commands[ES_COMMAND_COUNT];
const char *es_command_group_name(es_command_group group);

/** True if the command belongs to this view (`own`: to it and not to all). */
bool es_command_in_view(es_command command, es_view_id view);
bool es_command_is_own(es_command command);
/** True if the view uses a key of this command for one of its own. */
bool es_command_is_shadowed(es_command command, es_view_id view);
/** The command behind a key or sequence in a view; ES_COMMAND_COUNT when there is none. *longer: a
 *  longer sequence begins like this. */
es_command es_command_of_keys(es_view_id view, const uint32_t *keys, size_t count, bool *longer);
/** Returns the command of this name or unambiguous beginning; ES_COMMAND_COUNT: none. */
es_command es_command_of_name(const char *name, size_t length);
/** One spelling of a command's keys, e.g. number 1 of "gg Home" is "Home"; false when there is
 * none. */
bool es_command_spelling(es_command command, size_t number, char *out, size_t capacity);
/** Key codes of one spelling; returns how many, 0 when it cannot be read. */
size_t es_command_parse(const char *spelling, uint32_t keys[ES_COMMAND_KEYS]);
/** True for commands that move the cursor and take a count. */
bool es_command_moves(es_command command);

/* What runs each command, and what says why it cannot: "nothing is running". Several rows may share
 * one; declaring it again does no harm. Each is defined beside its subject. */
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    void run(es_call *call);                                                                       \
    const char *refuse(const es_app *app);
#include "commands.def"
#undef C

/* Keys of the user's own, from a file of lines:
 *
 *     # comment
 *     map VIEW KEY COMMAND [ARGUMENT]
 *     unmap VIEW KEY
 *
 * VIEW is overview, pool, heatmap, tree, rank, corr, compare, jobs, sets, sheets, or * for all.
 *
 * KEY is written as in help: a character, two of them for a sequence (gz), ^x for Ctrl-X, or Up
 * Down Left Right Home End PgUp PgDn Enter Esc Tab S-Tab Space F1 F10 Backspace. A line for one
 * view goes before one for all, and both go before what is built in. */

typedef struct es_binding {
    es_view_id view; /* ES_VIEW_COUNT: all */
    uint32_t key[ES_COMMAND_KEYS];
    size_t keys;
    char spelling[16];  /* of the key */
    es_command command; /* ES_COMMAND_COUNT: the key does nothing */
    char *argument;     /* NULL: none */
    size_t line;        /* of the file; 0: typed */
} es_binding;

typedef struct es_keymap {
    es_binding *item;
    size_t count, capacity;
} es_keymap;

void es_keymap_free(es_keymap *map);
/** Read a file. A line that is not right is left out, and a key that an earlier line has taken:
 *  *problems counts them, the first is in *problem as "label:line: message", all go to the log (may
 *  be NULL). Only ES_ENOMEM is a failure. */
es_status es_keymap_parse(const char *text, size_t length, const char *label, es_log *log,
                          es_keymap *out, size_t *problems, es_error *problem, es_error *err);
/** One line, "map ..." or "unmap ...", number 0 for a typed one, which may replace others.
 *  ES_EINVAL says what is wrong with it and what is near. */
es_status es_keymap_add(es_keymap *map, const char *line, size_t number, es_error *err);
/** A binding as a line of the file. */
void es_keymap_put(const es_binding *binding, char *out, size_t capacity);

/** The command behind a key or sequence in a view; ES_COMMAND_COUNT: none. *longer: a longer
 *  sequence begins like this. *argument: borrowed, NULL when there is none. */
es_command es_keymap_find(const es_keymap *map, es_view_id view, const uint32_t *keys, size_t count,
                          bool *longer, const char **argument);
/** One spelling of the keys that run a command in a view, without an argument; false: no more. */
bool es_keymap_spelling(const es_keymap *map, es_view_id view, es_command command, size_t number,
                        char *out, size_t capacity);
/** True if the user has changed the keys of this command. */
bool es_keymap_changed(const es_keymap *map, es_view_id view, es_command command);

/** A text with this line in the place of the first that is the same, without others of these, or at
 *  its end; all else stays as it is. NULL: out of memory. The same of a key file is the same view
 *  and key. */
char *es_lines_edit(const char *text, size_t length, const char *line,
                    bool (*is_same)(const char *line, size_t length, const void *like),
                    const void *like);
char *es_keymap_edit(const char *text, size_t length, const char *line);

/* A rectangle of screen cells, shared by the layout (app) and the grid (tui). */

typedef struct es_rect {
    int x, y, w, h;
} es_rect;

#endif
