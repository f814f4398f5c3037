/* What completions know of the command line, whatever the shell. */
#ifndef ES_PAGES_SHELLS_H
#define ES_PAGES_SHELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "command_table.h"
#include "options.h"

typedef enum es_shell_kind {
    ES_SHELL_NONE,
    ES_SHELL_WORDS, /* one of those appended to `words` */
    ES_SHELL_NAMES, /* one of what `embedscope names LIST` prints */
    ES_SHELL_FILE,
    ES_SHELL_FOLDER,
    ES_SHELL_ANY
} es_shell_kind;

typedef struct es_shell_value {
    es_shell_kind kind;
    const char *list; /* of ES_SHELL_NAMES */
    bool many;        /* several, separated by commas */
} es_shell_value;

/** What a value of the option can be; words, separated by blanks and each once, are appended. */
es_shell_value es_shell_value_of(const es_option *option, es_buf *words);

/* What an argument can be: bits. */
enum {
    ES_SHELL_A_FOLDER = 1,
    ES_SHELL_A_FILE = 2,
    ES_SHELL_AN_EMBEDDER = 4,
    ES_SHELL_A_MEASURE = 8,
    ES_SHELL_A_VIEW = 16,
    ES_SHELL_A_COMMAND = 32,
    ES_SHELL_A_LIST = 64,
    ES_SHELL_KINDS = 7
};
enum { ES_SHELL_SLOTS = 4 /* arguments that are told apart; those behind are as the last */ };

/** What argument `position` (from 0) of a command can be, from how help writes its arguments. */
unsigned es_shell_slot(const es_subcommand *command, size_t position);
/** The same as words for the scripts' own function: "folder embedders". */
void es_shell_slot_words(unsigned kinds, es_buf *words);

void es_shell_measures(es_buf *words);
void es_shell_commands(es_buf *words);
void es_shell_views(es_buf *words);
void es_shell_lists(es_buf *words); /* what `names` knows */
bool es_shell_has(const es_subcommand *command, const es_option *option);
/** May be given only once: it is not offered again. */
bool es_shell_once(const es_option *option);

/** Text inside single quotes: an apostrophe becomes `quote`, a character of `special` gets a
 *  backslash. */
void es_shell_quoted(const char *text, const char *special, const char *quote, es_buf *out);

#endif
