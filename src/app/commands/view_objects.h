/* The views that are more than a list. */
#ifndef ES_APP_VIEW_OBJECTS_H
#define ES_APP_VIEW_OBJECTS_H

#include "view_ops.h"

extern const es_view_ops *const es_view_objects[ES_VIEW_COUNT]; /* NULL: a list */

#endif
