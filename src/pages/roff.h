/* Text in the mdoc language of manual pages. */
#ifndef ES_PAGES_ROFF_H
#define ES_PAGES_ROFF_H

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

#endif
