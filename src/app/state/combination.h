/* Settings with several values each, as they are typed after a name: every combination of them. */
#ifndef ES_APP_COMBINATION_H
#define ES_APP_COMBINATION_H

#include <stddef.h>

#include "base.h"

/** Appends combination `at` of "retmmd power=2,3 rbf=all" as "retmmd[power=2 rbf=all]"; the first
 *  setting changes fastest. Returns how many combinations there are, 0: something is no setting. */
size_t es_combination(const char *text, size_t at, es_buf *out);

#endif
