/* Names in several lines. */
#include "tui_draw.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the first letter with the marks on it. */
static size_t letter_bytes(const char *text) {
    uint32_t code;
    size_t left = strlen(text), bytes = es_utf8_decode(text, left, &code);
    while (bytes < left) {
        size_t more = es_utf8_decode(text + bytes, left - bytes, &code);
        if (es_code_width(code) > 0)
            break;
        bytes += more;
    }
    return bytes;
}

enum { LETTER = 48 }; /* bytes of a letter that are drawn */

/* Bytes that a line of w columns takes of the text, whose rest has to fit into `below` lines. */
static size_t line_bytes(const es_grid *grid, const char *text, int w, int below) {
    size_t at = 0, sign = 0;
    int width = 0, rest = es_grid_width(grid, text);
    while (text[at] != '\0') {
        char letter[LETTER];
        size_t bytes = letter_bytes(text + at);
        (void)snprintf(letter, sizeof letter, "%.*s", (int)(bytes < LETTER ? bytes : LETTER - 1),
                       text + at);
        int own = es_grid_width(grid, letter);
        if (width + own > w && at > 0)
            return sign > 0 ? sign : at;
        width += own;
        at += bytes;
        if (strchr("-_/.: ", text[at - 1]) != NULL && rest - width <= below * w)
            sign = at;
    }
    return at;
}

static int wrap_names(es_grid *grid, es_rect r, int skip, es_role role, const char *text) {
    int lines = 0;
    for (; *text != '\0' && lines < r.h; lines++) {
        char line[256];
        size_t bytes = line_bytes(grid, text, r.w, r.h - lines - 1);
        (void)snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line ? bytes : 255), text);
        if (skip >= 0)
            es_grid_field(grid, r.x, r.y + skip + lines, r.w, 0, role, line);
        text += bytes;
    }
    return lines;
}

void es_grid_wrapped(es_grid *grid, es_rect r, es_role role, const char *name) {
    if (r.w < 1 || r.h < 1)
        return;
    if (r.h == 1) {
        es_grid_field(grid, r.x, r.y, r.w, 0, role, name);
        return;
    }
    const char *cut = es_grid_short_name(grid, name, r.w * r.h);
    name = cut != NULL ? cut : name;
    es_grid_fill(grid, r, role, ' ');
    (void)wrap_names(grid, r, r.h - wrap_names(grid, r, -1, role, name), role, name);
}
