/* What a view is: an object that its own file, view_NAME.c, defines, with all that the rest of the
 * explorer asks of it. view_table.def names it. */
#ifndef ES_TUI_VIEW_H
#define ES_TUI_VIEW_H

#include "app_state.h"
#include "grid.h"

typedef struct es_view {
    const char *brief; /* the title of its tab where there is little room */
    bool alone;        /* its commands work in a pool of which no two embedders can be compared */
    void (*draw)(const es_app *app, es_grid *grid, const es_layout *layout);
    /** What the row of an embedder says, in words; NULL: its name. */
    void (*row)(const es_app *app, size_t item, char *out, size_t capacity);
    /** What the cursor is on, in words, where that is not its row; false: it is. NULL: never. */
    bool (*place)(const es_app *app, char *out, size_t capacity);
    /** What the signs mean that only this view has; NULL: there are none, now (as an answer) or
     *  ever. */
    const char *(*signs)(const es_app *app);
} es_view;

#define V(id, letter, name, word, ...) extern const es_view es_view_##word;
#include "view_table.def"
#undef V

#endif
