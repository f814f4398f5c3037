/* Lines are found by memchr, so that a file is gone through as fast as it comes from memory. */
#include "io.h"

#include <string.h>

es_lines es_lines_of(const es_map *map, es_run *run) {
    es_lines lines = {.reading = {map, run, 0}};
    if (map->size >= 3 && memcmp(map->data, "\xEF\xBB\xBF", 3) == 0)
        lines.at = 3;
    enum { START = 1 << 20 };
    lines.feeds = map->size > 0 && memchr(map->data, '\n', map->size < START ? map->size : START);
    return lines;
}

static bool may_go_on(es_lines *lines) {
    lines->status = es_reading_at(&lines->reading, lines->at, NULL);
    return lines->status == ES_OK;
}

/* In stretches that grow, so that a file with one kind of line ends is not searched to its end for
 * the other again and again. */
size_t es_line_length(const char *text, size_t length) {
    enum { FIRST = 512 };
    for (size_t from = 0, span = FIRST; from < length; from += span, span = from) {
        span = span < length - from ? span : length - from;
        const char *at = text + from, *lf = memchr(at, '\n', span);
        const char *cr = memchr(at, '\r', lf ? (size_t)(lf - at) : span);
        if (cr) {
            size_t size = (size_t)(cr - text) + 1;
            return size + (size < length && text[size] == '\n');
        }
        if (lf)
            return (size_t)(lf - text) + 1;
    }
    return length;
}

bool es_lines_next(es_lines *lines, const char **text, size_t *length) {
    const es_map *map = lines->reading.map;
    const char *data = (const char *)map->data;
    while (lines->at < map->size && may_go_on(lines)) {
        const char *start = data + lines->at;
        size_t left = map->size - lines->at, size = left;
        const char *feed = lines->feeds ? memchr(start, '\n', left) : NULL;
        if (feed)
            size = (size_t)(feed - start) + 1;
        else if (!lines->feeds)
            size = es_line_length(start, left);
        lines->at += size;
        lines->number++;
        while (size > 0 && es_ascii_is_blank(start[size - 1]))
            size--;
        if (size == 0)
            continue;
        *text = start;
        *length = size;
        return true;
    }
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool es_field_next(const char *text, size_t length, size_t *at, const char **field, size_t *size) {
    size_t from = *at, to;
    while (from < length && is_blank(text[from]))
        from++;
    for (to = from; to < length && !is_blank(text[to]); to++) {
    }
    *at = to;
    *field = text + from;
    *size = to - from;
    return to > from;
}

size_t es_field_count(const char *text, size_t length) {
    size_t count = length > 0 && !is_blank(text[0]);
    for (size_t i = 1; i < length; i++)
        count += (size_t)(is_blank(text[i - 1]) && !is_blank(text[i]));
    return count;
}

/* Markup around names and numbers: links, tags, marks for bold, spreads. */

/* Returns the end of a tag such as <b> or <a href="..."> at the start of a text; NULL: there is
 * none. */
static const char *plain_after_tag(const char *at) {
    const char *end =
        *at == '<' && (at[1] == '/' || es_ascii_lower(at[1]) >= 'a') ? strchr(at, '>') : NULL;
    return end ? end + 1 : NULL;
}

/* The text of "[text](address)"; false: it is something else. */
static bool take_link_off(char *cell) {
    char *end = cell[0] == '[' ? strstr(cell, "](") : NULL;
    if (!end)
        return false;
    *end = '\0';
    memmove(cell, cell + 1, (size_t)(end - cell));
    return true;
}

static bool take_tags_off(char *cell) {
    bool any = false;
    for (char *at = strchr(cell, '<'); at; at = strchr(at, '<')) {
        const char *end = plain_after_tag(at);
        if (!end) {
            at++;
            continue;
        }
        memmove(at, end, strlen(end) + 1);
        any = true;
    }
    return any;
}

/* "**name**" and "`name`". */
static bool take_bold_off(char *cell) {
    size_t length = strlen(cell), marks_at = 0;
    while (2 * (marks_at + 1) < length && strchr("*`", cell[marks_at]) &&
           cell[marks_at] == cell[length - 1 - marks_at])
        marks_at++;
    if (marks_at == 0)
        return false;
    cell[length - marks_at] = '\0';
    memmove(cell, cell + marks_at, length - 2 * marks_at + 1);
    return true;
}

static void trim(char *cell) {
    size_t from = strspn(cell, " \t"), length = strlen(cell + from);
    memmove(cell, cell + from, length + 1);
    while (length > 0 && strchr(" \t", cell[length - 1]))
        cell[--length] = '\0';
}

bool es_plain_cell(char *cell) {
    size_t length = strlen(cell);
    for (bool any = strpbrk(cell, "[<*`") != NULL; any && cell[0];) {
        any = take_tags_off(cell);
        any = take_bold_off(cell) || any;
        any = take_link_off(cell) || any;
        trim(cell);
    }
    return strlen(cell) < length;
}

/* ---- numbers ---- */

static const char *const opening[] = {"\\textbf{", "\\underline{",
                                      "\\mathbf{", "\\textit{",
                                      "\\emph{",   "**",
                                      "__",        "~~",
                                      "*",         "_",
                                      "`",         "$",
                                      "{",         NULL},
                         *const closing[] = {"**", "__", "~~", "*", "_", "`", "$", "}", NULL},
                         *const marks[] = {"\xe2\x80\xa0", /* † */
                                           "\xe2\x80\xa1", /* ‡ */
                                           "\xc2\xa7",     /* § */
                                           "\xc2\xb6",     /* ¶ */
                                           "\xe2\x86\x91", /* ↑ */
                                           "\xe2\x86\x93", /* ↓ */
                                           "\\dagger",     "\\ddagger", "\\ast", "^", "#", NULL},
                         *const spreads[] = {"\xc2\xb1", /* ± */
                                             "+/-", "+-", "\\pm", NULL};

/* Behind the one of `list` that begins here; NULL: none does. */
static const char *after_any(const char *at, const char *const *list) {
    for (; *list; list++) {
        size_t length = strlen(*list);
        if (strncmp(at, *list, length) == 0)
            return at + length;
    }
    return NULL;
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '~' || strncmp(at, "\xc2\xa0", 2) == 0)
        at += *at == '\xc2' ? 2 : 1;
    return at;
}

/* The number that begins here, in `out`; NULL: none does. U+2212 is a minus. */
static const char *take_number(char delimiter, const char *at, double *out) {
    char text[64];
    size_t n = 0;
    bool digits = false;
    if (strncmp(at, "\xe2\x88\x92", 3) == 0) {
        text[n++] = '-';
        at += 3;
    } else if (*at == '-' || *at == '+') {
        text[n++] = *at++;
    }
    for (; n + 1 < sizeof text; at++) {
        bool digit = *at >= '0' && *at <= '9';
        bool exponent = digits && (*at == 'e' || *at == 'E') &&
                        ((at[1] >= '0' && at[1] <= '9') ||
                         ((at[1] == '-' || at[1] == '+') && at[2] >= '0' && at[2] <= '9'));
        bool sign = (*at == '-' || *at == '+') && n > 0 && es_ascii_lower(text[n - 1]) == 'e';
        if (!digit && !exponent && !sign && *at != '.' && (*at != ',' || delimiter == ','))
            break;
        digits = digits || digit;
        text[n++] = *at;
    }
    return digits && es_cells_number(delimiter, text, n, out) ? at : NULL;
}

/* Behind "± 0.02", "(0.02)", "[0.81, 0.85]" or "_{0.02}"; NULL: none of them is here. */
static const char *after_spread(char delimiter, const char *at) {
    static const char *const pairs[] = {"()", "[]", "{}"};
    const char *next = after_any(at, spreads);
    double value;
    for (const char *more = next; more; more = after_any(next, closing))
        next = skip_blanks(more);
    if (next)
        return take_number(delimiter, next, &value);
    if ((*at == '_' || *at == '^') && (at[1] == '{' || (at[1] >= '0' && at[1] <= '9')))
        at++;
    if (*at >= '0' && *at <= '9')
        return take_number(delimiter, at, &value);
    for (size_t i = 0; i < 3; i++)
        if (*at == pairs[i][0] && (next = strchr(at, pairs[i][1])) != NULL)
            return next + 1;
    return NULL;
}

bool es_plain_number(char delimiter, const char *text, double *value, bool *percent) {
    const char *at = skip_blanks(text), *next;
    *percent = false;
    while ((next = plain_after_tag(at)) || (next = after_any(at, opening)))
        at = skip_blanks(next);
    if (!(at = take_number(delimiter, at, value)))
        return false;
    for (at = skip_blanks(at); *at; at = skip_blanks(next)) {
        size_t sign = strncmp(at, "\\%", 2) == 0 ? 2 : *at == '%';
        *percent = *percent || sign > 0;
        bool is_number = *at >= '0' && *at <= '9';
        next = sign > 0 ? at + sign : is_number ? NULL : after_spread(delimiter, at);
        if (!next && !(next = after_any(at, closing)) && !(next = after_any(at, marks)) &&
            !(next = plain_after_tag(at)))
            return false;
    }
    return true;
}
