/* Finding themes and reading them. */
#ifndef ES_APP_THEME_LOAD_H
#define ES_APP_THEME_LOAD_H

#include "embedscope/status.h"
#include "theme.h"
#include "base.h"

/** The theme inside the program: the terminal's own 16 colours. Every other theme starts from it,
 * so a theme need not be complete. */
es_status es_theme_builtin(es_theme *out, es_error *err);

/** Read a theme by name ("nord") or by path (anything with a '/'). A name is looked for in
 *  `theme_dir` (may be NULL), $XDG_CONFIG_HOME/embedscope/themes, the installed themes and those of
 *  the source tree, in this order. Errors are "file:line: message" and leave *out as it was;
 *  ES_ENOTFOUND lists where was looked. `warning` (may be NULL) receives the first role that this
 *  program does not know, else code ES_OK. */
es_status es_theme_load(const char *name, const char *theme_dir, es_theme *out, es_error *warning,
                        es_error *err);

/** The same for a text in memory; `label` stands for the file's name. */
es_status es_theme_parse(const char *text, size_t length, const char *label, const char *theme_dir,
                         es_theme *out, es_error *warning, es_error *err);

/** True if both themes look the same. Where they were read does not count. */
bool es_theme_equal(const es_theme *a, const es_theme *b);

/** Names of all themes found, sorted, each once. */
es_status es_theme_list(const char *theme_dir, es_words *out, es_error *err);

#endif
