/* What :set sets, and a line "name = value" of the configuration file. Most are what a command
 * changes, too. */
#ifndef ES_APP_SETTINGS_H
#define ES_APP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "app_state.h"

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

#endif
