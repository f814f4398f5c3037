/* Markup around names: links, tags and marks for bold. */
#include "plain_cell.h"

#include <string.h>

#include "text.h"

const char *es_plain_after_tag(const char *at) {
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
        const char *end = es_plain_after_tag(at);
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
