/* Names cut to the room there is, so that no two of a set read the same. What many of them share
 * goes first (who published a model, how all begin), what tells one from those like it stays. Every
 * part that is left out is marked. For terminals (columns) and figures (points) alike. */
#ifndef EMBEDSCOPE_SHORT_NAMES_H
#define EMBEDSCOPE_SHORT_NAMES_H

#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_ruler {
    /** The room that a text takes: a letter with its marks, or what stands for parts left out. */
    double (*room_of)(const void *context, const char *utf8);
    const void *context;
    const char *gap; /* "…" */
} es_ruler;

/** out[i]: name[i] in at most `room`, whole where it fits; (n) new texts, freed by
 *  es_short_names_free. Different names differ in what is shown of them; by a number at their end
 *  ("e5~2") where that is all there is room for, and not at all in less than three letters' room.
 *  Texts are as cleaned by their owner: any valid or invalid UTF-8. O(n log n) comparisons.
 *  ES_ENOMEM. */
es_status es_short_names_make(const char *const *name, size_t n, double room, const es_ruler *ruler,
                              char **out, es_error *err);
void es_short_names_free(char **out, size_t n);

#endif
