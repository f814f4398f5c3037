/* Names and numbers as papers, spreadsheets and web pages mark them up: "**e5**",
 * "[e5](https://...)", "<a href=...>e5</a>", "0.83 ± 0.02", "83 %". */
#ifndef ES_IO_PLAIN_CELL_H
#define ES_IO_PLAIN_CELL_H

#include <stdbool.h>

/** Takes links, tags, marks for bold and blanks around them off a name, in place. False: it had
 *  none. */
bool es_plain_cell(char *cell);
/** Returns the end of a tag such as <b> or <a href="..."> at the start of a text; NULL: there is
 *  none. */
const char *es_plain_after_tag(const char *text);

/** What stands around a number: a spread (± 0.02, in brackets), footnote marks, bold or a tag are
 *  taken off, "83 %" is 83 with *percent set. False: no number, or text beside it. */
bool es_plain_number(char delimiter, const char *text, double *value, bool *percent);

#endif
