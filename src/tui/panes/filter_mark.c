/* The mark of a filter: short where it has to be, gone never, since who misses it takes a part of
 * the pool for all of it. */
#include "tui_panes.h"

#include <stdio.h>
#include <string.h>

enum {
    FRAME = 9,    /* columns of a border that neither text has */
    SHORTEST = 12 /* of a mark: its word, a letter or two and that there are more */
};

/* Letters go from the end until it fits, with the sign of it. */
static void cut(const es_grid *grid, char *text, int w) {
    const char *sign = grid->ascii ? "~" : "…";
    size_t length = strlen(text);
    if (es_grid_width(grid, text) <= w)
        return;
    while (length > 0 && es_grid_width(grid, text) > w - 1) {
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        text[length] = '\0';
    }
    memcpy(text + length, sign, strlen(sign) + 1); /* no longer than what went */
}

/* The last of the pieces between dots; false: there is none left. */
static bool drop_piece(char *text) {
    char *last = NULL;
    for (char *at = text; (at = strstr(at, " · ")) != NULL; at++)
        last = at;
    bool some = text[0] != '\0';
    *(last != NULL ? last : text) = '\0';
    return some;
}

/* Returns false: there is no filter. */
static bool mark_text(const es_app *app, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "filter: %.140s", app->set.filter);
    return app->set.filter[0] != '\0';
}

int es_filter_width(const es_app *app, const es_grid *grid) {
    char mark[160];
    return mark_text(app, mark, sizeof mark) ? es_grid_width(grid, mark) + 3 : 0;
}

void es_filter_mark(const es_app *app, const es_grid *grid, int width, char *title, char *right,
                    size_t capacity) {
    char mark[160], rest[300];
    if (!mark_text(app, mark, sizeof mark))
        return;
    (void)snprintf(rest, sizeof rest, "%s", right);
    int full = es_grid_width(grid, mark), least = full < SHORTEST ? full : SHORTEST, room;
    do
        room = width - FRAME - es_grid_width(grid, title) -
               (rest[0] == '\0' ? 0 : es_grid_width(grid, rest) + 3);
    while (room < least && drop_piece(rest));
    if (room < least) {
        cut(grid, title, width - FRAME - least);
        room = width - FRAME - es_grid_width(grid, title);
    }
    cut(grid, mark, room < full ? room : full);
    (void)snprintf(right, capacity, "%s%s%s", mark, rest[0] == '\0' ? "" : " · ", rest);
}
