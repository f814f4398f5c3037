/** Colours of pictures, for those that take them from a theme of the explorer. */
#ifndef ES_BASE_PICTURE_COLOURS_H
#define ES_BASE_PICTURE_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ES_PICTURE_GROUPS = 8, ES_PICTURE_STOPS = 16 };

/** All colours are 0xRRGGBB. Plain: copy it freely. */
typedef struct es_picture_colours {
    bool dark; /* is the paper? */
    uint32_t paper, text, faint, grid;
    uint32_t line[3];                                             /* the first three things drawn */
    uint32_t group[ES_PICTURE_GROUPS];                            /* of community 1, 2, ... */
    uint32_t heat[ES_PICTURE_STOPS], two_sided[ES_PICTURE_STOPS]; /* low to high, evenly spaced */
    size_t heat_stops, two_sided_stops;                           /* at least 2 */
} es_picture_colours;

#endif
