/* The views there are, in the order of their tabs. */
#ifndef ES_TUI_VIEWS_H
#define ES_TUI_VIEWS_H

#include "view.h"

extern const es_view *const es_views[ES_VIEW_COUNT];

#endif
