/* A line being typed: UTF-8 text with a cursor, and the editing keys that every line understands.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "app_state.h"

#include <stdio.h>
#include <string.h>

void es_line_set(es_line *line, const char *text) {
    line->length = es_text_clean_into(line->text, sizeof line->text, text, strlen(text));
    line->cursor = line->length;
}

static size_t step_back(const es_line *line, size_t at) {
    do
        at -= at > 0;
    while (at > 0 && ((unsigned char)line->text[at] & 0xc0) == 0x80);
    return at;
}

static size_t step_on(const es_line *line, size_t at) {
    do
        at += at < line->length;
    while (at < line->length && ((unsigned char)line->text[at] & 0xc0) == 0x80);
    return at;
}

static void cut_bytes(es_line *line, size_t from, size_t to) {
    memmove(line->text + from, line->text + to, line->length - to + 1);
    line->length -= to - from;
    line->cursor = from;
}

void es_line_insert(es_line *line, const char *bytes, size_t count) {
    if (line->length + count + 1 > sizeof line->text)
        return;
    memmove(line->text + line->cursor + count, line->text + line->cursor,
            line->length - line->cursor + 1);
    memcpy(line->text + line->cursor, bytes, count);
    line->length += count;
    line->cursor += count;
}

bool es_line_key(es_line *line, uint32_t key) {
    char bytes[4];
    size_t word = line->cursor;
    switch (key) {
    case ES_KEY_LEFT:
        line->cursor = step_back(line, line->cursor);
        return true;
    case ES_KEY_RIGHT:
        line->cursor = step_on(line, line->cursor);
        return true;
    case ES_KEY_HOME:
    case 'a' - ES_KEY_CTRL:
        line->cursor = 0;
        return true;
    case ES_KEY_END:
    case 'e' - ES_KEY_CTRL:
        line->cursor = line->length;
        return true;
    case ES_KEY_BACKSPACE:
        cut_bytes(line, step_back(line, line->cursor), line->cursor);
        return true;
    case ES_KEY_DELETE:
        cut_bytes(line, line->cursor, step_on(line, line->cursor));
        return true;
    case 'u' - ES_KEY_CTRL:
        cut_bytes(line, 0, line->cursor);
        return true;
    case 'k' - ES_KEY_CTRL:
        cut_bytes(line, line->cursor, line->length);
        return true;
    case 'w' - ES_KEY_CTRL:
        while (word > 0 && line->text[word - 1] == ' ')
            word--;
        while (word > 0 && line->text[word - 1] != ' ')
            word--;
        cut_bytes(line, word, line->cursor);
        return true;
    default:
        if (key < ' ' || key >= ES_KEY_UP || es_text_is_unsafe(key))
            return false;
        es_line_insert(line, bytes, es_utf8_encode(key, bytes));
        return true;
    }
}

/* Regular expressions of the filter, on PCRE2, with a bound on what one match may cost: what people
 * type may be slow to try. */

/* What people write takes some hundred steps on a name; this many take a few milliseconds. */
enum { STEPS = 100000, HEAP_KB = 4096 };

enum {
    OPTIONS =
        PCRE2_CASELESS | PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
};

/* What pcre2_match says: at least 0 when the pattern is found. */
static int try_on(const pcre2_code *regex, const char *text) {
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *bounds = pcre2_match_context_create(NULL);
    int found = PCRE2_ERROR_NOMEMORY;
    if (data != NULL && bounds != NULL) {
        (void)pcre2_set_match_limit(bounds, STEPS);
        (void)pcre2_set_heap_limit(bounds, HEAP_KB);
        found = pcre2_match(regex, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0, data, bounds);
    }
    pcre2_match_context_free(bounds);
    pcre2_match_data_free(data);
    return found;
}

struct es_pattern {
    char *text;
    pcre2_code *regex;
};

void es_pattern_free(es_pattern *pattern) {
    if (pattern == NULL)
        return;
    pcre2_code_free(pattern->regex);
    es_free(pattern->text);
    es_free(pattern);
}

/* The one of last time, or another in its place. Out of memory: NULL, with an error. */
static const pcre2_code *compiled(es_pattern **last, const char *pattern, char *error,
                                  size_t capacity) {
    int code = PCRE2_ERROR_NOMEMORY;
    size_t at = 0;
    if (*last != NULL && strcmp((*last)->text, pattern) == 0)
        return (*last)->regex;
    es_pattern_free(*last);
    *last = es_alloc_zero(1, sizeof **last);
    if (*last != NULL && ((*last)->text = es_strdup(pattern)) != NULL)
        (*last)->regex =
            pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, OPTIONS, &code, &at, NULL);
    if (*last != NULL && (*last)->regex != NULL)
        return (*last)->regex;
    es_pattern_free(*last);
    *last = NULL;
    (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)error, capacity);
    return NULL;
}

bool es_pattern_holds(es_pattern **last, const char *pattern, const char *text, char *error,
                      size_t capacity) {
    const pcre2_code *regex = compiled(last, pattern, error, capacity);
    if (regex == NULL)
        return true;
    int found = try_on(regex, text);
    if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_HEAPLIMIT)
        (void)snprintf(error, capacity, "that pattern takes too long; try a simpler one");
    else if (found < 0 && found != PCRE2_ERROR_NOMATCH)
        (void)pcre2_get_error_message(found, (PCRE2_UCHAR *)error, capacity);
    return found != PCRE2_ERROR_NOMATCH;
}
