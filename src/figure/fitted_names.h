/* Names of a figure in the room that there is, so that no two read the same. */
#ifndef ES_FIGURE_FITTED_NAMES_H
#define ES_FIGURE_FITTED_NAMES_H

#include "canvas.h"

typedef struct es_fitted_names {
    char **text; /* (n) */
    size_t n;
    double widest; /* of the texts */
} es_fitted_names;

/** Each name in at most `room` at this size (es_short_names_make); NULL stands for an empty one. */
es_status es_fitted_names_make(const es_canvas *canvas, double size, const char *const *name,
                               size_t n, double room, es_fitted_names *out, es_error *err);
void es_fitted_names_deinit(es_fitted_names *names); /* all zero bytes is allowed */

#endif
