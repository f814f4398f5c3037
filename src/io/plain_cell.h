/* Names as papers and web pages mark them up: "**e5**", "[e5](https://...)", "<a href=...>e5</a>".
 */
#ifndef ES_IO_PLAIN_CELL_H
#define ES_IO_PLAIN_CELL_H

#include <stdbool.h>

/** Takes links, tags, marks for bold and blanks around them off a name, in place. False: it had
 *  none. */
bool es_plain_cell(char *cell);
/** Returns the end of a tag such as <b> or <a href="..."> at the start of a text; NULL: there is
 *  none. */
const char *es_plain_after_tag(const char *text);

#endif
