/* Small shapes that several views draw: bars, sparks, wrapped text, overlays, a pen for panes of
 * text, and what stands where a view has nothing to show. */
#include "tui_panes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

static const char *const blocks[9] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

void es_draw_bar(es_grid *grid, int x, int y, int w, double fraction, es_role full, es_role empty) {
    static const char *const part[8] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (w <= 0)
        return;
    fraction = !(fraction > 0) ? 0 : fraction > 1 ? 1 : fraction;
    int eighths = (int)(fraction * 8 * w), whole = eighths / 8;
    es_grid_fill(grid, (es_rect){x, y, w, 1}, empty, 0x2591);
    es_grid_fill(grid, (es_rect){x, y, whole, 1}, full, 0x2588);
    if (whole < w && eighths % 8 > 0 && !grid->ascii)
        es_grid_text(grid, x + whole, y, full, part[eighths % 8]);
}

void es_draw_level(es_grid *grid, int x, int y, es_role role, int step) {
    es_grid_text(grid, x, y, role, blocks[1 + step * 7 / 255]);
}

int es_draw_spark(es_grid *grid, int x, int y, es_role role, const float *value, size_t count) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t i = 0; i < count; i++)
        if (isfinite(value[i])) {
            low = fmin(low, (double)value[i]);
            high = fmax(high, (double)value[i]);
        }
    for (size_t i = 0; i < count; i++)
        if (isfinite(value[i]))
            es_draw_level(grid, x + (int)i, y, role,
                          high > low ? (int)(((double)value[i] - low) / (high - low) * 255) : 0);
    return (int)count;
}

void es_draw_sentence(es_grid *grid, int x, int y, int w, es_role role, const char *text) {
    int width = es_grid_width(grid, text);
    if (w < 1)
        return;
    es_rect old = es_grid_clip(grid, (es_rect){x, y, w, 1});
    es_grid_text(grid, x, y, role, text);
    if (width > w && w >= es_grid_width(grid, "…"))
        es_grid_text(grid, x + w - es_grid_width(grid, "…"), y, role, "…");
    es_grid_set_clip(grid, old);
}

int es_draw_typed(es_grid *grid, es_rect r, const es_line *line) {
    char head[ES_APP_LINE];
    (void)snprintf(head, sizeof head, "%.*s", (int)line->cursor, line->text);
    int at = es_text_width(head), x = at > r.w - 1 ? r.x - at + r.w - 1 : r.x;
    es_grid_fill(grid, r, ES_ROLE_PROMPT, ' ');
    es_rect old = es_grid_clip(grid, r);
    es_grid_text(grid, x, r.y, ES_ROLE_PROMPT, line->text);
    es_grid_set_clip(grid, old);
    grid->cursor_x = x + at;
    grid->cursor_y = r.y;
    grid->cursor_visible = true;
    return x + es_text_width(line->text);
}

/* Bytes of the first line of `text` that fits into w columns; *next: where the line after it
 * starts. */
static size_t line_end(const es_grid *grid, const char *text, int w, size_t *next) {
    size_t at = 0, blank = 0, length = strlen(text);
    int width = 0;
    while (at < length && text[at] != '\n') {
        uint32_t code;
        size_t used = es_utf8_decode(text + at, length - at, &code);
        int columns = es_grid_code_width(grid, code);
        if (width + columns > w && at > 0) {
            size_t end = blank > 0 ? blank : at;
            *next = end + (text[end] == ' ');
            return end;
        }
        if (code == ' ' && at > 0)
            blank = at;
        width += columns;
        at += used;
    }
    *next = at + (text[at] == '\n');
    return at;
}

/* Columns before the text in a line "  word  text"; 0: it has no such form. */
static int hanging(const es_grid *grid, const char *text, size_t length, int most) {
    size_t at = strspn(text, " ");
    char head[64];
    while (at + 1 < length && !(text[at] == ' ' && text[at + 1] == ' '))
        at++;
    while (at < length && text[at] == ' ')
        at++;
    if (at == 0 || at >= length || at >= sizeof head || text[at - 1] != ' ')
        return 0;
    (void)snprintf(head, sizeof head, "%.*s", (int)at, text);
    int columns = es_grid_width(grid, head);
    return columns <= most ? columns : 0;
}

/* Wraps text into rect from line `skip` on; `list`: lines are indented below their first word.
 * Returns the lines of the whole text. */
static int wrap(es_grid *grid, es_rect rect, es_role role, const char *text, int skip, bool list) {
    int lines = 0, indent = 0;
    bool first = true; /* of its paragraph: what goes on has no word before it */
    if (rect.w < 1)
        return 0;
    while (*text != '\0') {
        size_t next, end = line_end(grid, text, rect.w - indent, &next);
        if (lines >= skip && lines - skip < rect.h)
            es_grid_printf(grid, rect.x + indent, rect.y + lines - skip, role, "%.*s", (int)end,
                           text);
        bool last = next > 0 && text[next - 1] == '\n';
        if (last)
            indent = 0;
        else if (list && first)
            indent = hanging(grid, text, end, rect.w / 2);
        first = last;
        text += next;
        lines++;
    }
    return lines;
}

int es_draw_wrap(es_grid *grid, es_rect rect, es_role role, const char *text, int skip) {
    return wrap(grid, rect, role, text, skip, false);
}

int es_draw_list(es_grid *grid, es_rect rect, es_role role, const char *text, int skip) {
    return wrap(grid, rect, role, text, skip, true);
}

es_rect es_draw_centred(const es_grid *grid, int w, int h) {
    w = w > grid->w - 2 ? grid->w - 2 : w;
    h = h > grid->h - 2 ? grid->h - 2 : h;
    w = w < 0 ? 0 : w;
    h = h < 0 ? 0 : h;
    return (es_rect){(grid->w - w) / 2, (grid->h - h) / 2, w, h};
}

es_rect es_draw_overlay(es_grid *grid, es_rect rect, const char *title, const char *right,
                        const char *bottom) {
    es_grid_role(grid, (es_rect){rect.x + 1, rect.y + rect.h, rect.w, 1}, ES_ROLE_OVERLAY_SHADOW);
    es_grid_role(grid, (es_rect){rect.x + rect.w, rect.y + 1, 1, rect.h - 1},
                 ES_ROLE_OVERLAY_SHADOW);
    es_grid_ground(grid, rect, ES_ROLE_OVERLAY);
    es_grid_click_area(grid, rect, ES_CLICK_COVER, 0);
    return es_grid_pane(grid, rect, true, title, right, bottom);
}

void es_draw_pair(es_grid *grid, int x, int y, int w, es_role role, const char *source,
                  const char *target) {
    static const char arrow[] = " → ";
    int a = es_grid_width(grid, source), b = es_grid_width(grid, target);
    int gap = es_grid_width(grid, arrow), room = w - gap;
    if (room < 2) {
        es_grid_field(grid, x, y, w, -1, role, source);
        return;
    }
    if (a + b > room) { /* both give, the longer one first */
        int half = room / 2;
        if (a <= half)
            b = room - a;
        else if (b <= room - half)
            a = room - b;
        else {
            a = half;
            b = room - half;
        }
    }
    es_grid_field(grid, x, y, a, -1, role, source);
    es_grid_text(grid, x + a, y, ES_ROLE_TEXT_DIM, arrow);
    es_grid_field(grid, x + a + gap, y, b, -1, role, target);
}

/* ---- Pen ---- */

es_pen es_pen_begin(es_grid *grid, es_rect rect, size_t top) {
    es_pen pen = {grid, rect, rect.y - (int)(top > 9999 ? 9999 : top), {0}};
    pen.old_clip = es_grid_clip(grid, rect);
    return pen;
}

void es_pen_end(es_pen *pen) {
    es_grid_set_clip(pen->grid, pen->old_clip);
}

void es_pen_tell_more(const es_pen *pen, es_rect pane, bool focused) {
    const char *text = focused ? " more: j " : " more: Tab, j ";
    int w = es_grid_width(pen->grid, text);
    if (pen->y > pen->rect.y + pen->rect.h && pane.w > w + 3 && pane.h > 2)
        es_grid_text(pen->grid, pane.x + pane.w - w - 2, pane.y + pane.h - 1,
                     focused ? ES_ROLE_TITLE_FOCUS : ES_ROLE_TITLE, text);
}

void es_pen_line(es_pen *pen, es_role role, const char *format, ...) {
    char text[1024];
    if (format != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        int width = es_grid_width(pen->grid, text);
        es_grid_field(pen->grid, pen->rect.x, pen->y, width < pen->rect.w ? width : pen->rect.w, -1,
                      role, text);
    }
    pen->y++;
}

void es_pen_item(es_pen *pen, es_role glyph_role, const char *glyph, es_role role,
                 const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    es_grid_text(pen->grid, pen->rect.x + 1, pen->y, glyph_role, glyph);
    es_rect rest = {pen->rect.x + 3, pen->y, pen->rect.w - 3, (int)sizeof text};
    int lines = es_draw_wrap(pen->grid, rest, role, text, 0);
    pen->y += lines < 1 ? 1 : lines;
}

/* ---- Nothing to show ---- */

void es_draw_empty(es_grid *grid, es_rect inside, const char *head, const char *text) {
    int w = inside.w - 6 < 64 ? inside.w - 6 : 64;
    es_rect box = {inside.x + (inside.w - w) / 2, inside.y + inside.h / 3, w,
                   inside.h - inside.h / 3};
    es_grid_field(grid, box.x, box.y, w, -1, ES_ROLE_TEXT_STRONG, head);
    es_draw_wrap(grid, (es_rect){box.x, box.y + 2, box.w, box.h - 2}, ES_ROLE_TEXT, text, 0);
}

void es_draw_no_pairs(const es_app *app, es_grid *grid, es_rect inside, const char *what) {
    const es_source *source = app->source;
    size_t other = es_app_known_elsewhere(app);
    char head[128] = "No pair is known yet", text[300];
    (void)snprintf(text, sizeof text, "%s", what);
    if (other != ES_NONE) {
        (void)snprintf(head, sizeof head, "No pair by %s is known yet", es_app_title(app));
        (void)snprintf(text, sizeof text, "%zu by %s are: the ranking (4) stands on these. %s",
                       source->results[other]->done, source->title[other], what);
    }
    es_draw_empty(grid, inside, head, text);
}

void es_draw_no_embedders(const es_app *app, es_grid *grid, es_rect inside) {
    enum { NAMES = 6 };
    const es_unused *unused = app->source->unused;
    char head[300];
    es_buf text = {0};
    (void)snprintf(head, sizeof head, "No embedders under %s", app->source->path);
    for (size_t i = 0; unused && i < unused->file.count; i++)
        if (es_unused_line(unused, i, NAMES, &text))
            es_buf_puts(&text, ". ");
    es_buf_puts(&text, "An embedder is a file with one row of numbers for each item: .npy, .npz, "
                       ".safetensors, .csv, .jsonl, word2vec's or HDF5, up to 3 levels deep in "
                       "this folder. man embedscope-pool shows how to write one. a opens another "
                       "folder, q quits; \"embedscope demo\" opens a sample pool of 14.");
    es_draw_empty(grid, inside, head, text.data ? text.data : "");
    es_buf_free(&text);
}

void es_draw_none_listed(const es_app *app, es_grid *grid, es_rect inside) {
    es_draw_empty(grid, inside, "No embedder to show",
                  app->set.filter[0] != '\0'
                      ? "No embedder matches the filter. Esc clears it, f changes it."
                      : "All are hidden. gx lists them, u takes the last change back.");
}

bool es_draw_nothing(const es_app *app, es_grid *grid, es_rect inside) {
    const es_error *problem = &app->source->problem;
    char text[1400];
    if (app->phase == ES_PHASE_CHECKING && app->results == NULL) {
        es_buf file = {0};
        if (app->source->reads)
            es_run_view_put(&app->source->reading, &file);
        (void)snprintf(text, sizeof text,
                       "%zu of %zu matrices are read; the views fill as soon as all are. r starts "
                       "the estimation then.%s%s",
                       app->progress.checked, app->progress.to_check, file.data ? "\n\n" : "",
                       file.data ? file.data : "");
        es_buf_free(&file);
        es_draw_empty(grid, inside, "Reading the embedders", text);
    } else if (problem->code != ES_OK) {
        (void)snprintf(text, sizeof text,
                       "%s\n\nPool (1) lists every embedder with the reason why it is left out; "
                       "Enter there explains.",
                       problem->message);
        es_draw_empty(grid, inside, "This pool cannot be compared", text);
    } else if (es_app_too_few(app)) {
        (void)snprintf(
            text, sizeof text,
            "Two embedders are needed, and of this pool %s. Pool (1) lists them; a opens "
            "another folder.",
            app->usable == 1 ? "one can be used" : "none can be used");
        es_draw_empty(grid, inside, "Nothing to compare", text);
    } else if (app->list[ES_LIST_HEAT].count == 0)
        es_draw_none_listed(app, grid, inside);
    else
        return false;
    return true;
}

es_role es_draw_community(const es_app *app, size_t group) {
    return (es_role)(ES_ROLE_COMMUNITY_1 + (int)es_tree_colour(app, group));
}

size_t es_draw_first_line(size_t at, size_t count, int page) {
    size_t lines = page < 1 ? 1 : (size_t)page, half = lines / 2;
    if (count <= lines || at == ES_NONE || at <= half)
        return 0;
    return at - half + lines > count ? count - lines : at - half;
}

/* A score with its interval, drawn on the axis that all strips of the ranking share. */

bool es_strip_axis(const es_app *app, double *low, double *high) {
    const es_list *list = &app->list[ES_LIST_RANK];
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        const es_live_rank *s = &app->live[list->item[i]];
        if (isnan(s->score))
            continue;
        *low = fmin(*low, isnan(s->low) ? s->score : s->low);
        *high = fmax(*high, isnan(s->high) ? s->score : s->high);
    }
    return *high >= *low;
}

int es_strip_place(double value, double low, double high, int w) {
    double at = high > low ? (value - low) / (high - low) * (w - 1) : 0;
    return !(at > 0) ? 0 : at >= w - 1 ? w - 1 : (int)lround(at);
}

void es_draw_interval(es_grid *grid, es_rect at, const double axis[2], const double value[3],
                      es_role role, const char *point) {
    int from = es_strip_place(value[0], axis[0], axis[1], at.w),
        here = es_strip_place(value[1], axis[0], axis[1], at.w),
        to = es_strip_place(value[2], axis[0], axis[1], at.w);
    if (isfinite(value[0]) && isfinite(value[2]))
        es_grid_fill(grid, (es_rect){at.x + from, at.y, to - from + 1, 1},
                     role == ES_ROLE_TEXT ? ES_ROLE_INTERVAL : role, 0x2500);
    if (isfinite(value[1]))
        es_grid_text(grid, at.x + here, at.y, role == ES_ROLE_TEXT ? ES_ROLE_POINT : role, point);
}

void es_draw_strip(const es_app *app, es_grid *grid, es_rect at, size_t item, es_role role) {
    const es_live_rank *s = &app->live[item];
    double low, high;
    bool plain = role != ES_ROLE_TEXT;
    int w = at.w - 2;
    es_grid_fill(grid, at, role, ' ');
    es_grid_text(grid, at.x, at.y, plain ? role : ES_ROLE_AXIS, "▏");
    es_grid_text(grid, at.x + at.w - 1, at.y, plain ? role : ES_ROLE_AXIS, grid->ascii ? "|" : "▕");
    if (grid->ascii)
        es_grid_text(grid, at.x, at.y, plain ? role : ES_ROLE_AXIS, "|");
    if (w < 3 || isnan(s->score) || !es_strip_axis(app, &low, &high))
        return;
    es_draw_interval(grid, (es_rect){at.x + 1, at.y, w, 1}, (double[]){low, high},
                     (double[]){s->low, s->score, s->high}, role, "●");
}
