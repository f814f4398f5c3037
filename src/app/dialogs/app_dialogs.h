/* Dialogs over the views, and what they write. */
#ifndef ES_APP_DIALOGS_H
#define ES_APP_DIALOGS_H

#include "app_state.h"

/* What is copied, as text. */

/** The table on screen (marked rows if any, or the row under the cursor only); NULL: out of memory.
 */
char *es_copy_table(const es_app *app, es_copy_form form, bool row);
char *es_copy_cell(const es_app *app);
/** Appends a text escaped for the form: markdown, TeX, CSV, ... */
void es_copy_escaped(es_buf *out, es_copy_form form, const char *text);

/* Duels: ten questions that decide between candidates (core_duel.h). Questions are found and
 * answers counted in the background; the next question is found while this one is read.
 *
 *   duels.c          what is asked, was answered and is to be found
 *   duel_dialog.c    the keys, in app/commands */

enum { ES_DUELS_GOAL = 10 /* questions that a session begins with */ };

/** A question with the texts of row, left and right; NULL: there are none. */
typedef struct es_duels_asked {
    es_duel_question question;
    char *text[3];
    es_duel_choice answer;
} es_duels_asked;

typedef struct es_duels {
    size_t *item, k;      /* (k) candidates, best first */
    es_duels_asked *next; /* (count) the first is shown */
    size_t count;
    es_duels_asked *said; /* (answered) in this session, newest last */
    size_t answered;
    es_duel_question *skipped; /* (skips) */
    size_t skips;
    bool asking;      /* a question is being found */
    uint64_t tag, at; /* of the search; draw that it begins with */
    es_error why;     /* no more are found; code ES_OK: not so */
    int scroll;       /* lines of the texts that are above */
} es_duels;

/** Opens the dialog about these embedders (k, best first). False: out of memory. */
bool es_duels_open(es_app *app, const size_t *item, size_t k, es_effects *effects);
/** Takes up what was found, and has the next question found; after every message. */
void es_duels_follow(es_app *app, es_effects *effects);
/** The answer to the question that is shown, if one is. */
void es_duels_answer(es_app *app, es_duel_choice answer, es_effects *effects);
void es_duels_skip(es_app *app);
void es_duels_undo(es_app *app, es_effects *effects); /* the last answer of this session */
/** Reports that the search for questions could not begin. */
void es_duels_failed(es_app *app, const es_error *why);
void es_duels_forget(es_app *app);

/** The questions that are not to be found again: shown, waiting or skipped. es_free. NULL: out of
 *  memory. */
es_duel_question *es_duels_held(const es_app *app, size_t *count);
/** What the answers say so far; NULL: not known yet. */
const char *es_duels_sentence(const es_app *app);

/* Exports: what e asks, and the command line that writes it. The explorer writes no export itself:
 * it runs the command that the dialog shows, `embedscope export POOL VIEW ... -o FILE`, in a
 * thread, so that both give the same bytes.
 *
 *   export.c     what is asked for, and the command line made of it and of what is on the screen
 *   export_dialog.c  the dialog's keys, :export, E */

/** Which embedders are written. */
typedef struct es_export_choice {
    size_t shown, of; /* of those with results */
    bool marked;      /* the marked ones; else those neither hidden nor filtered out */
} es_export_choice;

extern const char es_export_keys[ES_EXPORT_FORMS];    /* "lmcjJnspgh" */
const char *es_export_view_name(es_export_view view); /* as after `export POOL` */
/** Returns the export of this name, of the command line or of a view; ES_EXPORT_VIEWS: none. */
es_export_view es_export_view_find(const char *name, size_t length);
const char *es_export_form_name(es_export_form form);  /* the file's ending */
const char *es_export_form_title(es_export_form form); /* "LaTeX" */
es_export_form es_export_form_of(const char *file);    /* by its ending; ES_EXPORT_FORMS: none */
bool es_export_is_picture(es_export_form form);
/** Returns the export that e offers in the shown view. */
es_export_view es_export_of_view(const es_app *app);
/** Why a view has no such file, a few words; NULL where it has one. */
const char *es_export_form_refusal(const es_app *app, es_export_view view, es_export_form form);

/** What is true of some exports. */
typedef enum es_export_trait {
    ES_EXPORT_OF_ALL = 1,        /* of all embedders, whichever are chosen */
    ES_EXPORT_COUNTS_ALL = 2,    /* a choice cuts what is drawn; coefficients stay those over all */
    ES_EXPORT_OF_RANKING = 4,    /* of those that are ranked */
    ES_EXPORT_OF_VALUES = 8,     /* of the estimator that was chosen, if one was */
    ES_EXPORT_NAMELESS = 16,     /* asks for no scores by name */
    ES_EXPORT_NEEDS_SCORES = 32, /* downstream */
    ES_EXPORT_TAKES_DERIVED = 64, /* --with-derived */
    /* Of a table of scores; 128 tells them from the others. */
    ES_EXPORT_OF_BOARD = 128 + ES_EXPORT_OF_ALL + ES_EXPORT_NEEDS_SCORES
} es_export_trait;
bool es_export_is(es_export_view view, es_export_trait trait);
/** Why nothing can be exported now, a few words; NULL when it can. */
const char *es_export_refusal(const es_app *app);
/** The same of one view. */
const char *es_export_view_refusal(const es_app *app, es_export_view view);
/** The file's name: */
void es_export_name(const es_app *app,
                    es_export_request *request); /* "ranking.tex", unless one was typed */
es_export_choice es_export_choose(const es_app *app, const es_export_request *request);
/** Writes what of the screen the file will not show; "" for nothing. */
void es_export_remark(const es_app *app, const es_export_request *request, char *out,
                      size_t capacity);
/** The command line; ES_ENOMEM leaves *out empty. */
es_status es_export_words(const es_app *app, const es_export_request *request, es_words *out);
/** Returns the export's command line, quoted for a shell. Free with es_free; NULL: out of memory.
 */
char *es_export_text(const es_app *app, const es_export_request *request);

/* The export dialog, and what became of an export. */

void es_export_key(es_app *app, uint32_t key, es_effects *effects);
void es_export_paste(es_app *app, const char *text);
void es_export_write(es_app *app, bool over, es_effects *effects); /* what app->export.now wants */

/** How command lines of exports begin, a view each: "embedscope" "export" POOL VIEW and the options
 *  that this pool was opened with. Borrowed; each ends with NULL, or is NULL. */
void es_app_exporter(es_app *app, const char *const *const base[ES_EXPORT_VIEWS]);
/** Report what became of the export: the file exists and the user is asked; it is being written; it
 * is over, `path` is the whole path of what was written (NULL: as it was named), `problem` says
 * what went wrong. */
void es_app_export_exists(es_app *app);
void es_app_export_begun(es_app *app);
void es_app_export_done(es_app *app, double now, es_status status, const char *path,
                        const char *problem);

/* The help overlay: the table of commands, filtered. */

/** The keys of a command in a view, as they are shown; ":name" when it has none. */
void es_help_keys(const es_app *app, es_view_id view, es_command command, char *out,
                  size_t capacity);
void es_help_open(es_app *app, const char *filter,
                  const char *(*refusal)(const es_app *app, es_command command));
void es_help_filter(es_app *app); /* after a change of the filter's line or of `all` */

/* Texts of the note overlay; NULL: out of memory. */

/** Facts of an embedder: file, shape, rows, norms, and why it is excluded. */
char *es_note_model(const es_app *app, size_t item);
/** Why an embedder stands where it does in the ranking; whole: and what the ranking comes to. */
char *es_note_rank(const es_app *app, size_t item, bool whole);
/** Why a pair is not known that is not at work, and what to press. */
const char *es_note_why_pending(const es_app *app);
char *es_note_cell(const es_app *app, size_t source, size_t target);

/* Lists to choose from. */

void es_pick_open(es_app *app, es_pick_kind kind);
void es_pick_themes(es_app *app); /* while it lists themes: they have changed */
void es_pick_fill(es_app *app);   /* anew, after a change of what it lists */
/** Fills the list after its filter was typed; the cursor goes to the first line that begins with
 * it.
 */
void es_pick_typed(es_app *app);

/** The line of what item[k] is. */
void es_pick_text(const es_app *app, size_t item, char *out, size_t capacity);

/** Where the keys of every list (j k ^d ^u g G and those of their names) take the cursor of `count`
 *  lines; false: another key. */
bool es_pick_move(size_t *at, size_t count, size_t page, uint32_t key);

/* Ways to derive: what the list shows, and what ES_FX_DERIVE gets. NULL behind the last. */
const char *es_derive_way(size_t k);

/* The run dialog: estimator, preset, rows, seed and threads of a run, and the command line that
 * does the same. The names are those of the command line, and so is what may stand behind them:
 * another plan is handed out as lines "option=value", with which the pool is opened again.
 *
 *   planner.c       what is asked for: its values, what it costs, the lines made of it
 *   planner_dialog.c    the dialog's keys, and :run */

/** What a run would be; m pairs squared of each estimator. */
typedef struct es_planner_outlook {
    size_t pairs, known; /* known: already, where that can be told */
    double seconds; /* for the rest, all threads together, by what each costs; NAN: not known */
} es_planner_outlook;

const char *es_planner_name(es_planner_field field);                   /* "rows", as after -- */
es_planner_field es_planner_field_of(const char *name, size_t length); /* FIELDS: none */
bool es_planner_is_number(es_planner_field field);
/** Values of estimator or preset, in the order of the tables; NULL behind the last. The first is
 * "".
 */
const char *es_planner_choice(const es_planner_request *request, es_planner_field field,
                              size_t index);
/** The estimator, NULL for the standard plan; and its preset, "default" if none is given. */
const es_estimator *es_planner_estimator(const es_planner_request *request);
const es_preset *es_planner_preset(const es_planner_request *request);
size_t es_planner_rows(const es_app *app); /* of the pool's files, whatever is taken of them */
/** Writes the value of a field that is in force: number of rows, threads, ... */
void es_planner_shown(const es_app *app, const es_planner_request *request, es_planner_field field,
                      char *out, size_t capacity);

void es_planner_begin(const es_app *app, es_planner_request *out); /* the plan that is open */
/** True if the request can only run after the pool is opened again. Threads alone are no reason. */
bool es_planner_differs(const es_app *app, const es_planner_request *request);
/** Returns the error that the command line would report for the request; ES_OK: none. */
es_status es_planner_problem(const es_app *app, const es_planner_request *request, es_error *err);
es_planner_outlook es_planner_look(const es_app *app, const es_planner_request *request);
/** Writes what to know before this run starts, in a sentence or two; "" for nothing. */
void es_planner_remark(const es_app *app, const es_planner_request *request, char *out,
                       size_t capacity);
/** For ES_FX_PLAN, and as a shell takes it. NULL when out of memory; es_free. */
char *es_planner_lines(const es_app *app, const es_planner_request *request);
char *es_planner_text(const es_app *app, const es_planner_request *request);

const char *es_planner_refusal(const es_app *app); /* why there is no dialog; NULL: there is one */
/** Borrowed texts; without it there is no run dialog. */
void es_app_planning(es_app *app, const es_planning *planning);

/* The line at the bottom, when it opens and what it remembers. */

void es_prompt_open(es_app *app, es_prompt_kind kind);
/** The command line, with its first words. */
void es_prompt_open_with(es_app *app, const char *begin);
void es_prompt_free(es_app *app);
void es_prompt_remember(es_history *history, const char *text);

/* Searching in what the view lists. */

/** Next item that matches app->search, from `from` on in the list shown; ES_NONE: none. */
size_t es_search_find(const es_app *app, size_t from, bool backward, bool skip);
size_t es_search_place(const es_app *app); /* of the cursor in what is searched; ES_NONE */
void es_search_go(es_app *app, size_t place);

/* Pages of :help TOPIC. */

const char *es_topic_name(size_t index); /* NULL beyond the last */
/** Returns the page on how to read a view: paragraphs, the most needed first; "": it has none. */
const char *es_topic_text(es_view_id view);
/** Show the page of a topic, a view or a subject; false: there is none of that name. */
bool es_topic_show(es_app *app, const char *name);

#endif
