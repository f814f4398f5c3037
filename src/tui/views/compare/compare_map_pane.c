/* The rows of two embedders on a plane each, and the text of the one under the cursor. */
#include <math.h>
#include <stdio.h>

#include "compare_panes.h"
#include "compare_map.h"
#include "compare_state.h"
#include "facts.h"
#include "number_text.h"
#include "phrase.h"
#include "axes.h"
#include "shapes.h"

enum { FOOT = 5, NARROW_FOOT = 4 };

/* Are the groups what one of two embedders captures and the other does not? */
static bool is_captured(const es_compare_map *map) {
    return map->rows > 0 && isfinite(map->row[0].difference);
}

/* Of two embedders the colours of their sides; all others stay behind. */
static es_role group_role(const es_app *app, size_t group) {
    if (group == ES_NONE)
        return ES_ROLE_TEXT_DIM;
    if (is_captured(app->map))
        return group == 0 ? es_side_role(0) : group == 1 ? es_side_role(1) : ES_ROLE_TEXT_DIM;
    return es_draw_community(app, group);
}

/* Without colours a letter for a group, since dots of all look the same; what stays behind stays a
 * dot. Groups beyond the letters share a sign. */
static void group_letter(const es_app *app, size_t group, char out[2]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    out[0] = group_role(app, group) == ES_ROLE_TEXT_DIM ? '.'
             : group < sizeof letters - 1               ? letters[group]
                                                        : '+';
    out[1] = '\0';
}

typedef struct scale {
    double low[2], width; /* of a square in which all points lie */
} scale;

static scale scale_of(const es_compare_map *map, size_t side) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    scale s = {.width = 1};
    for (size_t k = 0; k < map->rows; k++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], map->row[k].at[side][a]);
            high[a] = fmax(high[a], map->row[k].at[side][a]);
        }
    for (int a = 0; a < 2; a++)
        s.low[a] = low[a];
    s.width = fmax(high[0] - low[0], high[1] - low[1]);
    for (int a = 0; a < 2 && s.width > 0; a++) /* the shorter side in the middle */
        s.low[a] = (low[a] + high[a] - s.width) / 2;
    return s;
}

/* A dot is about as high as it is wide: a cell holds 2 x 4 of them. */
static void dot_of(const scale *s, const es_plot *plot, const double at[2], int *x, int *y) {
    int side = plot->w < plot->h ? plot->w : plot->h;
    double unit = s->width > 0 ? (side - 2) / s->width : 0;
    *x = (plot->w - side) / 2 + (int)lround((at[0] - s->low[0]) * unit);
    *y = plot->h - 1 - (plot->h - side) / 2 - (int)lround((at[1] - s->low[1]) * unit);
}

static void draw_side(const es_app *app, es_grid *grid, es_rect pane, size_t side) {
    const es_compare_map *map = app->map;
    char title[200], right[64] = "";
    if (map->sides > 1)
        (void)snprintf(title, sizeof title, "%c  %.150s", es_side_letter(side),
                       es_app_name(app, map->item[side]));
    else
        (void)snprintf(title, sizeof title, "%.150s", es_app_name(app, map->item[side]));
    if (map->rows > 0 && isfinite(map->share[side][0]) && pane.w >= 36)
        (void)snprintf(right, sizeof right, "%.0f + %.0f %% of variance", 100 * map->share[side][0],
                       isfinite(map->share[side][1]) ? 100 * map->share[side][1] : 0);
    es_rect in = es_grid_pane(grid, pane, false, title, right, NULL);
    if (map->rows == 0 || in.w < 2 || in.h < 2)
        return;
    es_rect old = es_grid_clip(grid, in);
    es_plot plot = es_plot_begin(grid, in, es_axes_style(app), ES_ROLE_BACKGROUND);
    scale s = scale_of(map, side);
    char letter[2];
    int x, y;
    for (int pass = 0; pass < 2; pass++) /* what stands out is drawn last */
        for (size_t k = 0; k < map->rows; k++) {
            es_role role = group_role(app, map->row[k].group);
            if ((role == ES_ROLE_TEXT_DIM) != (pass == 0))
                continue;
            dot_of(&s, &plot, map->row[k].at[side], &x, &y);
            if (pass == 0)
                es_plot_dot(&plot, x, y, role);
            else if (app->mono) {
                group_letter(app, map->row[k].group, letter);
                es_plot_glyph(&plot, x, y, role, letter);
            } else
                es_plot_point(&plot, x, y, role);
        }
    dot_of(&s, &plot, map->row[map->line].at[side], &x, &y);
    es_plot_glyph(&plot, x, y, ES_ROLE_POINT_CURSOR, app->ascii ? "@" : "◆");
    es_grid_set_clip(grid, old);
}

static void draw_groups(const es_app *app, es_grid *grid, int x, int y, int end) {
    const es_compare_map *map = app->map;
    size_t count;
    char text[160], letter[2];
    for (size_t g = 0; g < map->groups && x < end; g++) {
        count = 0;
        for (size_t k = 0; k < map->rows; k++)
            count += map->row[k].group == g;
        (void)snprintf(text, sizeof text, "%.100s %zu", map->group[g], count);
        char more[32];
        (void)snprintf(more, sizeof more, "+%zu", map->groups - g);
        bool last = g + 1 == map->groups;
        int after = last ? 0 : 3 + es_grid_width(grid, more);
        if (x + 2 + es_grid_width(grid, text) + after > end) {
            es_grid_text(grid, x, y, ES_ROLE_TEXT_DIM, more); /* classes without room */
            break;
        }
        group_letter(app, g, letter);
        x += es_grid_printf(grid, x, y, group_role(app, g), "%s ",
                            app->mono    ? letter
                            : app->ascii ? "o"
                                         : "●");
        x += es_grid_text(grid, x, y, ES_ROLE_TEXT, text) + 3;
    }
}

static void about_row(const es_app *app, char *out, size_t capacity) {
    const es_compare_map *map = app->map;
    const es_map_row *row = &map->row[map->line];
    char number[24];
    (void)snprintf(out, capacity, "row %zu", row->number);
    if (row->id[0] != '\0')
        es_phrase_add(out, capacity, "  %.60s", row->id);
    if (isfinite(row->difference)) {
        es_format_number(row->difference, 3, number, sizeof number);
        es_phrase_add(out, capacity, "  %s %s",
                      es_compare_lower(app) ? "error of B less A" : "A less B", number);
    }
    if (row->group != ES_NONE)
        es_phrase_add(out, capacity, "  %.100s", map->group[row->group]);
}

static void draw_foot(const es_app *app, es_grid *grid, es_rect r) {
    const es_compare_map *map = app->map;
    char text[300], bottom[128];
    if (map->rows < map->of)
        (void)snprintf(bottom, sizeof bottom, "a sample: %zu of %zu %srows · %zu/%zu", map->rows,
                       map->of, map->evaluated ? "evaluated " : "", map->line + 1, map->rows);
    else
        (void)snprintf(bottom, sizeof bottom, "%s%zu/%zu",
                       map->evaluated ? "evaluated rows · " : "", map->line + 1, map->rows);
    char by[96] = "";
    if (map->asking)
        (void)snprintf(by, sizeof by, "being made anew");
    else if (map->by != NULL)
        (void)snprintf(by, sizeof by, "coloured by %.60s", map->by);
    else if (map->columns > 1)
        (void)snprintf(by, sizeof by, "C colours it by %.60s", map->column[0]);
    es_rect in = es_grid_pane(grid, r, true, "Row", by, bottom);
    es_rect old = es_grid_clip(grid, in);
    draw_groups(app, grid, in.x + 1, in.y, in.x + in.w - 1);
    about_row(app, text, sizeof text);
    es_draw_sentence(grid, in.x + 1, in.y + 1, in.w - 2, ES_ROLE_TEXT_DIM, text);
    if (in.h > 2)
        es_draw_wrap(grid, (es_rect){in.x + 1, in.y + 2, in.w - 2, in.h - 2}, ES_ROLE_TEXT,
                     map->row[map->line].text, 0);
    es_grid_set_clip(grid, old);
}

void es_compare_map_draw(const es_app *app, es_grid *grid, es_rect body) {
    const es_compare_map *map = app->map;
    bool known = map != NULL && map->rows > 0;
    int foot = known ? (body.h >= 24 ? FOOT + 1 : FOOT) : 0, left = body.w / 2;
    if (!known) {
        es_rect in = es_grid_pane(grid, body, true, "Map of rows", NULL, NULL);
        es_draw_empty(grid, in, map != NULL && map->problem ? "There is no map" : "Map of rows",
                      map != NULL && map->problem ? map->problem
                                                  : "The rows are being put on a plane ...");
        return;
    }
    size_t first, sides = es_compare_map_sides(app, &first);
    if (sides == 1) {
        draw_side(app, grid, (es_rect){body.x, body.y, body.w, body.h - foot}, first);
    } else {
        draw_side(app, grid, (es_rect){body.x, body.y, left, body.h - foot}, 0);
        draw_side(app, grid, (es_rect){body.x + left, body.y, body.w - left, body.h - foot}, 1);
    }
    draw_foot(app, grid, (es_rect){body.x, body.y + body.h - foot, body.w, foot});
}

bool es_compare_map_place(const es_app *app, char *out, size_t capacity) {
    if (!es_compare_map_shown(app) || app->map == NULL || app->map->rows == 0)
        return false;
    about_row(app, out, capacity);
    es_phrase_add(out, capacity, ": %.200s", app->map->row[app->map->line].text);
    return true;
}
