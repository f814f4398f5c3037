/* Compare's out-profile: how the compared simulate each target. */
#include <math.h>
#include <stdio.h>

#include "compare_panes.h"
#include "phrase.h"
#include "compare_state.h"
#include "heat.h"

/* Told apart without colour; the first side is drawn finer, in braille dots, where targets are
 * many.
 */
static const char *const glyphs[2][4] = {{"⣿", "●", "○", "="}, {"a", "b", "c", "="}};

static bool ends(const es_app *app, double *low, double *high) {
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (size_t line = 0; line < app->compare.lines; line++)
        for (size_t k = 0; k < app->set.compare.count; k++) {
            double value = es_compare_target(app, line)->value[k];
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    return *high > *low;
}

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

/* Adds a dot to a braille cell; (x, y) in dots from the lower left of `in`. */
static void put_dot(es_grid *grid, es_rect in, int x, int y, es_role role) {
    static const uint8_t bit[4][2] = {{0x40, 0x80}, {0x04, 0x20}, {0x02, 0x10}, {0x01, 0x08}};
    es_cell *cell = es_grid_at(grid, in.x + x / 2, in.y + in.h - 1 - y / 4);
    if (cell == NULL)
        return;
    uint32_t dots = cell->code[0] >= 0x2800 && cell->code[0] <= 0x28ff ? cell->code[0] : 0x2800;
    es_grid_fill(grid, (es_rect){in.x + x / 2, in.y + in.h - 1 - y / 4, 1, 1}, role,
                 dots | bit[y % 4][x % 2]);
}

/* Place of line `line` among the lines by falling best value: the targets from left to right. */
static size_t column_of(const es_app *app, size_t line) {
    const es_compared_target *own = es_compare_target(app, line);
    size_t place = 0, last = app->set.compare.count - 1;
    for (size_t i = 0; i < app->compare.lines; i++) {
        const es_compared_target *other = es_compare_target(app, i);
        place += other->value[last] > own->value[last] ||
                 (!(other->value[last] < own->value[last]) && i < line);
    }
    return place;
}

static void draw_dots(const es_app *app, es_grid *grid, es_rect in, double low, double high) {
    size_t lines = app->compare.lines, count = app->set.compare.count;
    int dots_w = in.w * 2 - 1, dots_h = in.h * 4 - 1;
    bool dense = !grid->ascii && (int)lines * 2 > in.w;
    for (size_t line = 0; line < lines; line++) {
        const es_compared_target *target = es_compare_target(app, line);
        int x = lines < 2 ? dots_w / 2 : (int)(column_of(app, line) * (size_t)dots_w / (lines - 1));
        bool chosen = es_compare_item(app, line) == app->compare.target;
        if (chosen)
            for (int y = 0; y < in.h; y++)
                es_grid_text(grid, in.x + x / 2, in.y + y, ES_ROLE_GRID, "│");
        for (size_t k = 0; k < count; k++) {
            int y = clamp((int)lround((target->value[k] - low) / (high - low) * dots_h), dots_h);
            es_cell *cell = es_grid_at(grid, in.x + x / 2, in.y + in.h - 1 - y / 4);
            bool taken = !dense && cell != NULL && k > 0 && cell->role != ES_ROLE_GRID &&
                         cell->code[0] != ' ' && cell->code[0] != 0;
            if (dense && k == 0)
                put_dot(grid, in, x, y, es_side_role(0));
            else
                es_grid_text(grid, in.x + x / 2, in.y + in.h - 1 - y / 4,
                             taken ? ES_ROLE_POINT : es_side_role(k),
                             glyphs[grid->ascii][taken ? 3 : k]);
        }
    }
}

void es_compare_profile_draw(const es_app *app, es_grid *grid, es_rect pane) {
    double low, high;
    char right[80] = "";
    size_t count = app->set.compare.count;
    for (size_t k = 0; k < count; k++)
        es_phrase_add(right, sizeof right, "%c %s  ", es_side_letter(k), glyphs[app->ascii][k]);
    es_phrase_add(right, sizeof right, "= same");
    char bottom[64];
    (void)snprintf(bottom, sizeof bottom, "by what %c simulates", es_side_letter(count - 1));
    es_rect in = es_grid_pane(grid, pane, app->focus[ES_VIEW_COMPARE] == ES_PANE_PROFILE,
                              "Out-profile by target", right, bottom);
    if (in.h < 3 || in.w < 16)
        return;
    if (app->compare.lines == 0 || !ends(app, &low, &high)) {
        es_grid_text(grid, in.x + 1, in.y, ES_ROLE_TEXT_DIM, "No target is known for all of them.");
        return;
    }
    es_rect plot = {in.x + 8, in.y, in.w - 9, in.h};
    for (int y = 0; y < in.h; y++) {
        bool tick = y == 0 || y == in.h - 1 || (y == in.h / 2 && in.h >= 6);
        double value = high - (high - low) * y / (in.h - 1);
        es_grid_text(grid, in.x + 6, in.y + y, ES_ROLE_AXIS, tick ? "┤" : "│");
        if (tick) {
            char text[24];
            es_metric_format(ES_METRIC_IS, value, 2, text, sizeof text);
            es_grid_field(grid, in.x, in.y + y, 5, 1, ES_ROLE_TICK, text);
        }
    }
    es_rect old = es_grid_clip(grid, plot);
    draw_dots(app, grid, plot, low, high);
    es_grid_set_clip(grid, old);
}
