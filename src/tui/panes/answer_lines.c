/* The lines above Pool and Rank, and the first tile of the overview: what the ranking comes to. Who
 * is first stands out, the rest is what may be said of it. */
#include "tui_panes.h"

#include <string.h>

void es_draw_answer(const es_app *app, es_grid *grid, es_rect r) {
    const es_headline *headline = &app->headline;
    char lead[512];
    if (r.h < 1 || headline->text == NULL)
        return;
    es_rect old = es_grid_clip(grid, r);
    es_draw_wrap(grid, r, ES_ROLE_TEXT, headline->text, 0);
    size_t length = headline->lead < sizeof lead ? headline->lead : sizeof lead - 1;
    memcpy(lead, headline->text, length);
    lead[length] = '\0';
    for (int left = es_grid_width(grid, lead), y = 0; left > 0 && y < r.h; left -= r.w, y++)
        es_grid_role(grid, (es_rect){r.x, r.y + y, left < r.w ? left : r.w, 1},
                     ES_ROLE_TEXT_STRONG);
    es_grid_set_clip(grid, old);
}
