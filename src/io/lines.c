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
