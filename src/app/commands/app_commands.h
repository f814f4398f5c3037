/* What commands of the table call. */
#ifndef ES_APP_COMMANDS_H
#define ES_APP_COMMANDS_H

#include "app_dialogs.h"
#include "app_state.h"

/* Commands by their number: why one cannot run, and running it. */

/** Why the command cannot run now, a few words; NULL when it can. */
const char *es_command_refusal(const es_app *app, es_command command);
void es_command_call(es_app *app, es_command command, size_t count, const char *argument,
                     es_effects *effects);
/** Runs it, unless `refuse` says why not, which a notice says. */
void es_command_attempt(es_call *call, void (*run)(es_call *call),
                        const char *(*refuse)(const es_app *app));
/** Say of a command of other views where it works. */
void es_command_say_where(es_app *app, es_command command);

/** Returns the choice after `now`, round, or the one that the argument names; ES_NONE, and a notice
 * with the `others`, if it names none. */
size_t es_choice_next(es_call *call, const char *const *names, size_t now, const char *others);

/* Naming families: which embedders are meant, and what is asked before a file is written. */

enum { ES_FAMILY_QUESTION = 512 };

/** Lists the marked embedders, or the one under the cursor. item: (app->n). Returns their number.
 */
size_t es_family_items(const es_app *app, size_t *item);
/** Writes "Write families.csv in POOL: 3 embedders become family bge?" for es_app.family. */
void es_family_question(const es_app *app, char *out, size_t capacity);
/** Returns number `index` of the families that are named, then "control"; NULL after the last. */
const char *es_family_known(const es_app *app, size_t index);

/* Keys of the user's own. */

/** Keys of the user's own, in the place of those before (app_bindings.h). What is wrong in the file
 * is reported in one notice and left out. `label` is its name. */
es_status es_app_keys(es_app *app, const char *text, size_t length, const char *label,
                      es_error *err);

/* Opening sheets, for commands of other views. */

/** Goes to the sheet of an analysis, or says what it lacks. of: as for es_sheets_show. */
void es_sheet_open(es_app *app, const char *id, const char *of);

/* Sideways motions in Tree. */

/** h and l: close and open in the tree, to the neighbour in the graph. */
void es_tree_sideways(es_app *app, bool right, size_t by);

/* The keys of the dialog that asks about rows. */

void es_duel_key(es_app *app, uint32_t key, es_effects *effects);

/* Where a vertical motion leads. */

/** The new place of something at `at` of count after a vertical motion. */
size_t es_moved(const es_call *call, size_t at, size_t count, size_t page);

/* The run dialog: its keys, and :run. */

/** Why it cannot be started now; NULL when it can. */
const char *es_planner_hindrance(const es_app *app, const es_planner_request *request);
void es_planner_key(es_app *app, uint32_t key, es_effects *effects);
void es_planner_paste(es_app *app, const char *text); /* its digits */
/** Returns what Tab offers as word number `word` after ":run"; the first word is `estimator`. */
const char *es_planner_word(const char *estimator, size_t length, size_t word, size_t index);

/* What :set sets, and a line "name = value" of the configuration file. Most are what a command
 * changes, too. */

/** Checks a setting of the explorer and its value. ES_ENOTFOUND: no such setting; ES_EINVAL says
 * what it takes. */
es_status es_setting_check(const char *name, const char *value, es_error *err);
/** Set it. A step that u takes back where the command would be one. */
es_status es_setting_set(es_app *app, const char *name, const char *value, es_effects *effects,
                         es_error *err);
const char *es_setting_name(size_t index); /* NULL: no more */
/** Value number `index` that a setting can have; NULL: no more, or any. */
const char *es_setting_value(const es_app *app, const char *name, size_t index);
/** Writes the present value of setting number `index`. */
void es_setting_now(const es_app *app, size_t index, char *out, size_t capacity);
/** What it changes, and whether its value is a number to be typed. */
const char *es_setting_help(size_t index);
bool es_setting_is_number(size_t index);
/** Writes the default of setting number `index`, or "" if that depends on the machine. Returns true
 *  if the present value differs from it. */
bool es_setting_default(const es_app *app, size_t index, char *out, size_t capacity);

/** Take " --save" off the end of an argument; true when it was there. */
bool es_setting_take_save(char *argument);
/** A configuration file with this line "name = value" in the place of the one of that name, or at
 *  its end; all else stays as it is. NULL: out of memory. Free with es_free. */
char *es_setting_edit(const char *text, size_t length, const char *line);

/* The views that are more than a list. */

extern const es_view_ops *const es_view_objects[ES_VIEW_COUNT]; /* NULL: a list */

#endif
