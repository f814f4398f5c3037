/* Manual pages and shell completions, made from the tables that the program itself runs on, while
 * it is built:
 *
 *   man_program.c   embedscope(1): commands, options, estimators, keys
 *   man_formats.c   embedscope-pool(5) and embedscope-theme(5)
 *   key_tables.c    the explorer's keys, a part of embedscope(1)
 *   shells.c        completions for bash, zsh and fish
 *   roff.c          text in the mdoc language
 *
 * A part of the build, not of the program. */
#ifndef ES_PAGES_PAGES_H
#define ES_PAGES_PAGES_H

#include "buf.h"

/** The head of a page, up to its name line. `date` as "November 21, 2026". */
void es_roff_begin(const char *page, int section, const char *date, const char *what, es_buf *out);

/** A macro line: ".Sh NAME". */
void es_roff_line(es_buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prose: escaped, at most 76 columns wide, a new line after each sentence. */
void es_roff_text(const char *text, es_buf *out);

/** Lines to be shown as they are. */
void es_roff_literal(const char *lines, es_buf *out);

typedef struct es_page_entry {
    const char *name, *text;
} es_page_entry;

/** A list of names in this macro, each with its text; the last entry's name is NULL. */
void es_roff_list(const char *macro, const es_page_entry *entries, es_buf *out);

/** One word as the argument of a macro: escaped and quoted. */
void es_roff_word(const char *word, es_buf *out);

void es_page_program(const char *date, es_buf *out);
void es_page_keys(es_buf *out);
void es_page_pool(const char *date, es_buf *out);
void es_page_theme(const char *date, es_buf *out);

void es_complete_bash(es_buf *out);
void es_complete_zsh(es_buf *out);
void es_complete_fish(es_buf *out);

#endif
