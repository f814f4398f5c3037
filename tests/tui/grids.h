/* Grids for tests of what is drawn. */
#ifndef ES_TESTS_GRIDS_H
#define ES_TESTS_GRIDS_H

#include "testing.h"
#include "tui_draw.h"

static void free_grid(void *grid) {
    es_grid_free(grid);
    free(grid);
}

/* An empty grid, kept until the test ends. */
static inline es_grid *grid_kept(void) {
    return test_keep(calloc(1, sizeof(es_grid)), free_grid);
}

#endif
