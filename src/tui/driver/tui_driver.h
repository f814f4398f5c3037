/* The driver: threads and files for one app. */
#ifndef ES_TUI_DRIVER_H
#define ES_TUI_DRIVER_H

#include <poll.h>

#include "app_update.h"
#include "engine_requests.h"
#include "explorer.h"
#include "report_answer.h"
#include "report_sheet.h"
#include "tui_terminal.h"

/* Runs commands of the program in a thread of its own, one at a time: for a sheet, to write a file,
 * to estimate beside the session that is shown. */

typedef struct es_worker {
    struct es_worker_job *now; /* under way; NULL: nothing is */
    es_words next;             /* asked for meanwhile; empty: nothing */
    const es_explorer_commands *how;
    bool sheets; /* what is printed is taken in as a sheet; else it is dropped */
    int fd;      /* readable when the one under way has ended; -1: nothing is under way */
} es_worker;

/** how: NULL where commands cannot be run. */
void es_worker_init(es_worker *worker, const es_explorer_commands *how, bool sheets);
/** Begins a command line, which is taken. It cancels the one under way. */
es_status es_worker_ask(es_worker *worker, es_words *words, es_error *err);
bool es_worker_busy(const es_worker *worker);
/** Returns true when the newest request has just ended: then err->code is its status, with its
 * message, and *sheet (the caller's) its sheet where it succeeded. */
bool es_worker_step(es_worker *worker, es_sheet **sheet, es_error *err);
/** Returns how far an estimation under way is; "" while it says nothing. */
const char *es_worker_says(const es_worker *worker, es_run_view *room);
/** Cancels what is under way; es_worker_step reports the end. */
void es_worker_stop(es_worker *worker);
/** Waits for what is under way, `seconds` at most; then cancels it and waits for its end. */
void es_worker_close(es_worker *worker, double seconds);

/* What the driver knows: one app over one session, drawn into one grid, and what lasts of it. The
 * parts of the driver (theme, measures, saved session, opening again) work on it; driver.c alone
 * sends messages and carries out effects. */

/* A sample of rows that grows. */
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
    bool behind;                   /* the last es_driver_pump had no time for all */
    bool grown;                    /* a derived embedder waits to be taken into the pool */
    double save_at;     /* when it is to be written again; INFINITY: nothing has changed */
    double save_latest; /* the same, however busy the user is */
    bool kept;          /* what lasts was written for the last time */
    struct es_pool_watcher *watcher; /* of the pool's folder; NULL: none */
    struct es_open_beside *opening;  /* it, while it is not open yet; NULL: none */
    es_session *coming; /* the pool as it is now, on its way into the session's place; NULL: none */
    es_driver_growth growth;
    const es_session *turned_from; /* whose full look has found other contents */
    struct es_duel_finder *duel;   /* of the dialog of questions; NULL: none was opened */
    const es_session *duel_of;     /* whose pool it is of */
    double hold;                   /* frames wait until then for what a new session works out */
    bool turns;                    /* the pool is to be opened again when the export is written */
    bool quit;                     /* the app asked to end */
    int exit_code;
} es_driver;

/** Carries out one kind of effect. A failure becomes a notice; ES_OK where all that there is to
 * tell was told. */
typedef es_status es_carry_out(es_driver *driver, const es_effect *effect, es_error *err);

/** A line for the user: what went well or wrong. */
void es_driver_say(es_driver *driver, es_status status, const char *text);
/** What went wrong and what happens therefore, to the log too. */
void es_driver_say_then(es_driver *driver, const es_error *why, const char *then);

/* What :paths and :doctor show. */

es_carry_out es_about_paths, es_about_doctor;

/* The explorer without its surroundings: one app over one session, drawn into one grid. The event
 * loop (loop.c) drives it from a terminal, a script (script.c) from a file; what the app asks for
 * is carried out here for both. */

enum { ES_DRIVER_WORKERS = 3 };

/** Builds app and theme, and goes on where the last session ended if the options say so; a theme
 * asked for by name that cannot be read is an error. On failure nothing is left to close. The
 * terminal is opened by the caller and handed to es_driver_attach.
 */
es_status es_driver_open(es_driver *driver, es_session *session, const es_explorer *options,
                         es_error *err);
/** Write what lasts, for the last time. */
void es_driver_keep(es_driver *driver);
/** The same, unless it was done, and frees everything but the terminal. */
void es_driver_close(es_driver *driver);

/** Show on this terminal (NULL: only in the grid) of w x h cells. */
es_status es_driver_attach(es_driver *driver, es_term *term, int w, int h, es_error *err);

/** One message to the app, and the effects that it asks for. `now` is filled in. */
void es_driver_send(es_driver *driver, es_msg msg);
void es_driver_key(es_driver *driver, uint32_t key); /* Ctrl-C becomes ES_MSG_SIGNAL */
/** A click or a turn of the wheel, on the screen as it was drawn last. */
void es_driver_mouse(es_driver *driver, es_mouse_kind kind, int x, int y);
es_status es_driver_resize(es_driver *driver, int w, int h, es_error *err);
/** Take in what the workers delivered, for at most budget_ms (0: all). True when there was any. */
bool es_driver_pump(es_driver *driver, double budget_ms);
/** Puts the descriptors that are readable when a command has ended. */
void es_driver_put_fds(const es_driver *driver, struct pollfd fds[ES_DRIVER_WORKERS]);
/** Takes in exports, sheets and estimations that have ended; true when any has. */
bool es_driver_read(es_driver *driver);
/** Send ES_MSG_TICK when the app waits for one, and keep the session after a quiet while. */
void es_driver_tick(es_driver *driver);
/** When es_driver_tick has something to do; INFINITY: nothing. */
double es_driver_deadline(const es_driver *driver);
/** Another session has just taken the place of the one shown, and the last frame says more than
 * this one could so far. */
bool es_driver_holds(es_driver *driver);
/** Draw the grid. */
void es_driver_draw(es_driver *driver);
/** Write the grid to a file: as text, as a picture when the name ends in .svg, or its roles. */
es_status es_driver_dump(es_driver *driver, const char *path, bool roles, es_error *err);

/* Duels: questions found and answers counted by the session's workers, duels.csv, and the files of
 * rows shown by the user's own command. */

es_carry_out es_driver_duel_ask, es_driver_duel_count;
/** The text is "row,left,right,answer", which is added to duels.csv, or taken back. */
es_carry_out es_driver_duel_say;
/** Runs the text, a viewer, with the file of a row in the place of %s, as one word whatever it
 * holds: no shell reads it. Does not wait for its end. */
es_carry_out es_driver_show_row;
void es_driver_duel_close(es_driver *driver);

/* A pool of many rows whose choice is left open: a sample of them is shown while one of twice as
 * many rows is estimated beside it, until the ranking has settled. */

/** Sets whether the rest of the plan waits for the sample, when a pool is opened. */
void es_driver_grow_begin(es_driver *driver);
/** Look whether a larger sample is needed, and go on with one that is under way. */
void es_driver_step_growth(es_driver *driver);
/** True if the sample is to be judged soon without any event. */
bool es_driver_growth_due(const es_driver *driver);
/** es_driver.coming is a larger sample that can take the session's place. */
bool es_driver_grown_ready(const es_driver *driver);
/** Once it has: what is known of samples goes on with `next`. */
void es_driver_growth_pass(es_driver *driver, es_driver *next);
/** The run was started, paused, or stopped by the user. */
void es_driver_growth_run(es_driver *driver, bool on);
void es_driver_growth_pause(es_driver *driver, bool paused);
void es_driver_growth_close(es_driver *driver);

/* The driver's measures, intervals and communities. */

/** Have a measure shown. What it needs of the pool's files is read in the background first; true:
 *  they are. */
bool es_driver_measure(es_driver *driver, const char *name, es_driver_how how);
/** Once a session is checked: has the measures shown whose values its store has. */
void es_driver_load_stored(es_driver *driver);
/** While a view shows measures and others have written to the store, looks there in the background
 *  for more: to be called at es_driver_measures_due. */
void es_driver_watch_measures(es_driver *driver, double now);
/** INFINITY: not before others write. */
double es_driver_measures_due(const es_driver *driver);
/** Has what that found shown. */
void es_driver_take_stored(es_driver *driver);
/** Files may have been read: go on with the measure that waits for them, and with the next ones. */
void es_driver_prepared(es_driver *driver);
/** Have the intervals of the ranking, or its shared dimensions, computed; what Corr shows
 * correlated; communities or the dendrogram found: the effect's tag comes back with them. */
es_carry_out es_driver_intervals, es_driver_width, es_driver_correlate, es_driver_structure;

/* What makes the pool be opened again. */

/** An export is written: what waited for that is done. */
void es_driver_turn(es_driver *driver);
/** Begin to make an embedder out of another one: "whiten 64", or "concat NAME". */
es_carry_out es_driver_derive;
/** Removes a derived embedder, so that it can be brought back. */
es_carry_out es_driver_remove;
/** Undoes or redoes what was derived and removed: so many edits are to stand. */
es_carry_out es_driver_edits;
/** A derived embedder may be ready: it is taken in when nothing is lost by it. */
void es_driver_look_for_derived(es_driver *driver);
void es_driver_take_grown(es_driver *driver);
/** A file of scores, another pool, as typed; what cannot be read is reported at once. */
es_carry_out es_driver_take_scores, es_driver_take_pool;
/** Writes families.csv of the pool: es_family_items are of this family, or of none (""). */
es_carry_out es_driver_name_family;
/** Another of the data sets; the pool's folders as data sets. */
es_carry_out es_driver_take_set, es_driver_take_folders;
/** Another plan, whose run begins then. */
es_carry_out es_driver_take_plan;

/* The stores of data sets that are not open, which another process may fill. */

/** A sheet of all of them is asked for: changes are counted from here. */
void es_driver_saw_sets(es_driver *driver);
/** While such a sheet is shown, looks now and then whether anybody has written there, and tells the
 * app: to be called at driver->sets_look, and after keys. */
void es_driver_watch_sets(es_driver *driver, double now);

/* The driver's theme: the first one, another one, and the one whose file is being edited. */

/** Load the theme that the options name, which must be right; else the default, or the built-in one
 *  where no file of ours is to be found. */
es_status es_driver_first_theme(es_driver *driver, es_error *err);
/** Begin with the default for a light background. */
void es_driver_light(es_driver *driver);
/** Draw with driver->theme from now on, and the colour map that the app has. */
void es_driver_show_theme(es_driver *driver);
/** The same, if the app has another map than is drawn with. */
void es_driver_follow_colours(es_driver *driver);
/** Tell the app which themes there are and which one is in use. */
void es_driver_list_themes(es_driver *driver);
/** Take another one by its name; one that cannot be read changes nothing. */
es_carry_out es_driver_change_theme;
/** While the list of themes is open, the screen follows the file of the selected one, and of those
 *  it inherits from: to be called at driver->theme_look, and after keys. A file that is not right
 *  is named with its line, once, and what is shown stays. */
void es_driver_watch_theme(es_driver *driver, double now);

/* A pool whose folder changes while it is shown: checkpoints of a run in training, say. */

/** Begin to watch, where the pool can be opened again. */
void es_driver_watch_folder(es_driver *driver);
/** A descriptor that becomes readable when there is something to do; -1: none. */
int es_driver_folder_fd(const es_driver *driver);
/** Look for a change, and go on with one that is under way. */
void es_driver_step_folder(es_driver *driver);
/** Tells what the full look at the files has found, once; of other contents opens the pool again.
 */
void es_driver_full_look(es_driver *driver);
/** When that has more to do whatever happens; INFINITY: never. */
double es_driver_folder_deadline(const es_driver *driver);
/** es_driver.coming can take the session's place. */
bool es_driver_folder_ready(const es_driver *driver);
void es_driver_folder_close(es_driver *driver);

/* Pools that were opened lately, newest first: a line each in the file "recent" of the user's state
 * folder. */

/** Put the pool of this session first, and tell the app of the others. Without a word where nothing
 *  can be kept. */
void es_recent_note(es_driver *driver);

/* What lasts: reads the session of a pool when the explorer opens, and writes it when nobody has
 * typed for a while and when it ends, so that no key waits for a disk. */

/** Go on where the last session ended, as the options say; the caller carries out the effects. What
 *  cannot be read or written is reported in one notice, and everything else works. driver->quit:
 * the pool is to be opened again with the scores that the session names. */
void es_saved_open(es_driver *driver, es_effects *effects);
/** When the pool has been checked: load the measures of the last session, as far as they are
 * stored. True: all are there, the app is to be told and then es_saved_measured called. */
bool es_saved_measures(es_driver *driver);
/** Go on where that session ended, now that its measures are there. */
void es_saved_measured(es_driver *driver, es_effects *effects);
/** Leave it to who opens the pool again (options->next), where no file keeps it. */
void es_saved_hand_over(es_driver *driver);
/** Write it all, as a whole or not at all: at the end, before the program is suspended, and from
 *  es_driver_tick. Problems go to the log. */
void es_saved_save(es_driver *driver);
es_carry_out es_saved_save_now; /* because the user asked; says how it went */
void es_saved_close(es_driver *driver);

/* Settings, keys and files of commands. */

/** The settings of the configuration file and the keys of the user's own. A file of keys that was
 *  asked for must be there. The caller carries out the effects. */
es_status es_user_configure(es_driver *driver, es_effects *effects, es_error *err);
/** Put one line into the configuration file or the file of keys, because the user asked to; the
 *  rest of the file stays as it is. */
es_carry_out es_user_save_line;
/** Run the commands of a file; the caller carries out the effects. */
es_status es_user_source(es_driver *driver, const char *path, es_effects *effects, es_error *err);

#endif
