/** Regular expressions on names: Perl's, by PCRE2; case does not count. */
#ifndef ES_PATTERN_H
#define ES_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/** Is the pattern found in the text? Both may be any bytes. A pattern that cannot be read, or that
 * takes too many steps on this text, is said in error (capacity, at least 1 byte) and counts as
 * found; else error is left as it is. */
bool es_pattern_holds(const char *pattern, const char *text, char *error, size_t capacity);

#endif
