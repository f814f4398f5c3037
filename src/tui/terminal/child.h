/* Other programs: tmux, asked for what it can do or given a text. */
#ifndef ES_TUI_CHILD_H
#define ES_TUI_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/** Run argv (NULL-terminated, searched in PATH), give it `input` (NULL: none), and put the start of
 *  what it prints into out[capacity] (NULL: thrown away). False when it cannot be run, fails, or is
 *  not ready after `seconds`; it is killed then. */
bool es_spawn(const char *const *argv, const char *input, size_t length, char *out, size_t capacity,
              double seconds);

/** Runs argv without a terminal and does not wait for it: it outlives this program if it likes.
 *  False when it cannot be run. */
bool es_spawn_away(const char *const *argv);

#endif
