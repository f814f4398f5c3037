/* The names that fields tell apart: a sorted copy, and how they are cut to the few widths that the
 * fields of a frame have. */
#include "tui_draw.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 12 }; /* kept; the one that was asked for longest ago gives way */

typedef struct short_width {
    int w; /* columns */
    es_shown_kind kind;
    unsigned long asked;
    char **text; /* (n) NULL: none */
} short_width;

struct es_shown_names {
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

void es_shown_names_free(es_shown_names *names) {
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

void es_shown_names_set(es_shown_names **all, size_t n,
                        const char *(*name)(const void *context, size_t i), const void *context) {
    uint64_t mark = mark_of(n, name, context);
    if (*all != NULL && (*all)->n == n && (*all)->mark == mark)
        return;
    es_shown_names_free(*all);
    *all = NULL;
    es_shown_names *names = es_alloc_zero(1, sizeof *names);
    bool ok = names != NULL && (names->name = es_alloc_zero(n, sizeof *names->name)) != NULL;
    if (names != NULL) {
        names->n = ok ? n : 0;
        names->mark = mark;
    }
    for (size_t i = 0; ok && i < n; i++)
        ok = (names->name[i] = es_strdup(name(context, i))) != NULL;
    if (!ok) {
        es_shown_names_free(names);
        return;
    }
    qsort(names->name, n, sizeof *names->name, by_text);
    *all = names;
}

static short_width *find_width(es_shown_names *names, int w, es_shown_kind kind,
                               const es_ruler *ruler) {
    short_width *oldest = &names->width[0];
    for (int i = 0; i < WIDTHS; i++) {
        short_width *width = &names->width[i];
        if (width->text != NULL && width->w == w && width->kind == kind)
            return width;
        if (width->asked < oldest->asked)
            oldest = width;
    }
    char **text = es_alloc_zero(names->n, sizeof *text);
    if (text == NULL || es_short_names_make((const char *const *)names->name, names->n, w, ruler,
                                            text, NULL) != ES_OK) {
        es_free(text);
        return NULL;
    }
    free_texts(oldest->text, names->n);
    *oldest = (short_width){w, kind, 0, text};
    return oldest;
}

const char *es_shown_name(es_shown_names *names, const char *utf8, int w, es_shown_kind kind,
                          const es_ruler *ruler) {
    if (names == NULL || w < 2)
        return NULL;
    char *const *found = bsearch(&utf8, names->name, names->n, sizeof *names->name, by_text);
    short_width *width = found == NULL ? NULL : find_width(names, w, kind, ruler);
    if (width == NULL)
        return NULL;
    width->asked = ++names->asked;
    return width->text[found - names->name];
}
