/* "Did you mean": the known word that is nearest to a mistyped one. */
#ifndef EMBEDSCOPE_SUGGEST_H
#define EMBEDSCOPE_SUGGEST_H

#include <stddef.h>

/** Edits between two words: insert, delete, replace, or swap two neighbours, each costs 1. Words of
 *  more than 63 bytes count as far apart. */
size_t es_edit_distance(const char *a, const char *b);

/** Collects the best candidate: start with {word, NULL, 0}, offer all, read best. */
typedef struct es_suggestion {
    const char *word;
    const char *best; /* NULL: nothing is near enough (a third of the word's letters, at least 1) */
    size_t distance;
} es_suggestion;
void es_suggestion_offer(es_suggestion *suggestion, const char *candidate);

#endif
