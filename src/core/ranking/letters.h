/* Compact letter display: letters such that two items share one exactly when they are tied. */
#ifndef ES_CORE_LETTERS_H
#define ES_CORE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

/** tied (m, m) symmetric; item (n) the indices that get letters, best first. Gives in_letter
 *  (m, letters), letters ordered by their best member: a cover of the graph of ties by cliques,
 * found greedily and without redundant ones. O(letters * m^2). */
es_status es_letters_new(const bool *tied, size_t m, const uint32_t *item, size_t n,
                         bool **in_letter, size_t *letters, es_error *err);

/** Letters of one row of in_letter as text: A-Z, a-z, then A2, B2 ... NULL when out of memory. */
char *es_letters_text(const bool *in_letter, size_t letters);

#endif
