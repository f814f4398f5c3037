/* Other programs: tmux, asked for what it can do or given a text, and this one, writing an export.
 */
#ifndef ES_TUI_CHILD_H
#define ES_TUI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Run argv (NULL-terminated, searched in PATH), give it `input` (NULL: none), and put the start of
 *  what it prints into out[capacity] (NULL: thrown away). False when it cannot be run, fails, or is
 *  not ready after `seconds`; it is killed then. */
bool es_spawn(const char *const *argv, const char *input, size_t length, char *out, size_t capacity,
              double seconds);

/** Start `program` (searched in PATH) with these words (NULL-terminated; the first is what it is
 *  called) and signals as a program begins with. ends: our descriptors that become its standard
 * ones; -1: nothing. Returns 0, or what errno would be. */
int es_spawn_start(pid_t *pid, const char *const *argv, const char *program, const int ends[3]);

#endif
