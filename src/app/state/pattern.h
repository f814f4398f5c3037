/** Regular expressions on names: Perl's, by PCRE2; case does not count. */
#ifndef ES_PATTERN_H
#define ES_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/** A compiled pattern, kept from one name to the next. */
typedef struct es_pattern es_pattern;
void es_pattern_free(es_pattern *pattern); /* NULL is allowed */

/** True if the pattern matches in the text. Both may be any bytes. *last (NULL at first) is the
 * pattern of the last call, compiled; it is replaced where this is another. A pattern that cannot
 * be read, or that takes too many steps on this text, fills error (capacity, at least 1 byte)
 * and counts as found; else error is left as it is. */
bool es_pattern_holds(es_pattern **last, const char *pattern, const char *text, char *error,
                      size_t capacity);

#endif
