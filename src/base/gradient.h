/** Colour maps for values from low to high, by name: the explorer's and those of pictures. Each
 * rises in lightness and keeps values apart for colour-blind eyes. */
#ifndef EMBEDSCOPE_GRADIENT_H
#define EMBEDSCOPE_GRADIENT_H

#include <stddef.h>
#include <stdint.h>

enum { ES_GRADIENTS = 4, ES_GRADIENT_STOPS = 10 };

typedef struct es_gradient {
    const char *name;
    uint32_t stop[ES_GRADIENT_STOPS]; /* (stops) 0xRRGGBB, low to high, evenly spaced in sRGB */
    size_t stops;
} es_gradient;

extern const es_gradient es_gradients[ES_GRADIENTS];

#endif
