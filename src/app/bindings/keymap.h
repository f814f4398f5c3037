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
#ifndef ES_APP_KEYMAP_H
#define ES_APP_KEYMAP_H

#include "commands.h"
#include "base.h"

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

/** A key file with this line in the place of the one for the same view and key, or at its end; all
 *  else stays as it is. NULL: out of memory. */
char *es_keymap_edit(const char *text, size_t length, const char *line);

#endif
