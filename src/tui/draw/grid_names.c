/* The names that fields tell apart: a sorted copy, and how they are cut to the few widths that the
 * fields of a frame have. */
#include "grid_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "short_names.h"
#include "text.h"
#include "width.h"

enum { WIDTHS = 12 }; /* kept; the one that was asked for longest ago gives way */

typedef enum short_kind { IN_COLUMNS, IN_ASCII, UPRIGHT } short_kind;

typedef struct short_width {
    int w; /* columns; letters of those upright */
    short_kind kind;
    unsigned long asked;
    char **text; /* (n) NULL: none */
} short_width;

struct es_grid_names {
    size_t n;
    char **name; /* (n) sorted */
    short_width width[WIDTHS];
    unsigned long asked;
    uint64_t mark; /* of the names as they were given */
};

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_texts(char **text, size_t n) {
    if (text != NULL)
        es_short_names_free(text, n);
    es_free(text);
}

void es_grid_names_free(es_grid_names *names) {
    if (names == NULL)
        return;
    for (int i = 0; i < WIDTHS; i++)
        free_texts(names->width[i].text, names->n);
    free_texts(names->name, names->n);
    es_free(names);
}

/* FNV-1a over the names with their ends. */
static uint64_t mark_of(size_t n, const char *(*name)(const void *context, size_t i),
                        const void *context) {
    uint64_t mark = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        for (const char *c = name(context, i);; c++) {
            mark = (mark ^ (unsigned char)*c) * 0x100000001b3u;
            if (*c == '\0')
                break;
        }
    return mark;
}

void es_grid_set_names(es_grid *grid, size_t n, const char *(*name)(const void *context, size_t i),
                       const void *context) {
    uint64_t mark = mark_of(n, name, context);
    if (grid->names != NULL && grid->names->n == n && grid->names->mark == mark)
        return;
    es_grid_names_free(grid->names);
    grid->names = NULL;
    es_grid_names *names = es_alloc_zero(1, sizeof *names);
    bool ok = names != NULL && (names->name = es_alloc_zero(n, sizeof *names->name)) != NULL;
    if (names != NULL) {
        names->n = ok ? n : 0;
        names->mark = mark;
    }
    for (size_t i = 0; ok && i < n; i++)
        ok = (names->name[i] = es_strdup(name(context, i))) != NULL;
    if (!ok) {
        es_grid_names_free(names);
        return;
    }
    qsort(names->name, n, sizeof *names->name, by_text);
    grid->names = names;
}

static double columns_of(const void *context, const char *utf8) {
    return es_grid_width(context, utf8);
}

static double letters_of(const void *context, const char *utf8) {
    (void)context;
    int letters = 0;
    for (size_t left = strlen(utf8), used; left > 0; utf8 += used, left -= used) {
        uint32_t code;
        used = es_utf8_decode(utf8, left, &code);
        letters += es_code_width(code) > 0;
    }
    return letters;
}

static short_width *find_width(es_grid *grid, int w, short_kind kind) {
    es_grid_names *names = grid->names;
    short_width *oldest = &names->width[0];
    for (int i = 0; i < WIDTHS; i++) {
        short_width *width = &names->width[i];
        if (width->text != NULL && width->w == w && width->kind == kind)
            return width;
        if (width->asked < oldest->asked)
            oldest = width;
    }
    char **text = es_alloc_zero(names->n, sizeof *text);
    es_ruler ruler = {kind == UPRIGHT ? letters_of : columns_of, grid,
                      kind == UPRIGHT ? "…" : es_grid_gap(grid, w)};
    if (text == NULL || es_short_names_make((const char *const *)names->name, names->n, w, &ruler,
                                            text, NULL) != ES_OK) {
        es_free(text);
        return NULL;
    }
    free_texts(oldest->text, names->n);
    *oldest = (short_width){w, kind, 0, text};
    return oldest;
}

static const char *short_name(es_grid *grid, const char *utf8, int w, short_kind kind) {
    es_grid_names *names = grid->names;
    if (names == NULL || w < 2)
        return NULL;
    char *const *found = bsearch(&utf8, names->name, names->n, sizeof *names->name, by_text);
    short_width *width = found == NULL ? NULL : find_width(grid, w, kind);
    if (width == NULL)
        return NULL;
    width->asked = ++names->asked;
    return width->text[found - names->name];
}

const char *es_grid_short_name(es_grid *grid, const char *utf8, int w) {
    return short_name(grid, utf8, w, grid->ascii ? IN_ASCII : IN_COLUMNS);
}

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

void es_grid_upright(es_grid *grid, es_rect r, es_role role, const char *name) {
    const char *cut = short_name(grid, name, r.h, UPRIGHT);
    name = cut != NULL ? cut : name;
    int y = r.y + r.h - (int)letters_of(NULL, name);
    es_grid_fill(grid, r, role, ' ');
    for (y = y < r.y ? r.y : y; *name != '\0' && y < r.y + r.h; y++) {
        char letter[LETTER];
        size_t bytes = letter_bytes(name);
        (void)snprintf(letter, sizeof letter, "%.*s", (int)(bytes < LETTER ? bytes : LETTER - 1),
                       name);
        es_rect old = es_grid_clip(grid, r); /* in ASCII what is left out is two dots wide */
        es_grid_text(grid, r.x, y, role, letter);
        es_grid_set_clip(grid, old);
        name += bytes;
    }
}

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

static int wrap(es_grid *grid, es_rect r, int skip, es_role role, const char *text) {
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
    (void)wrap(grid, r, r.h - wrap(grid, r, -1, role, name), role, name);
}
