/* What is said of two compared embedders, the same in the explorer and in documents. */
#ifndef EMBEDSCOPE_COMPARE_WORDS_H
#define EMBEDSCOPE_COMPARE_WORDS_H

#include <stddef.h>

#include "base.h"
#include "embedscope/compare.h"

/** The verdict on comparison->pair[pair] as a sentence, its embedders called a and b: one holds
 * most of the other, they hold each other, neither does, or it is not settled and what would settle
 * it, if rows would. Of three embedders it says of which two. A lopsided pair is never said to be
 * alike. */
void es_compared_sentence(const es_comparison *comparison, size_t pair, const char *a,
                          const char *b, es_buf *out);

/** Position of the first of the two whose own value (its IS with itself) is missing or not above 0,
 * so that no share of it is known; SIZE_MAX: both have one. */
size_t es_compared_without_own(const es_comparison *comparison, size_t pair);

#endif
