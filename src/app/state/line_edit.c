/* A line being typed: UTF-8 text with a cursor, and the editing keys that every line understands.
 */
#include "app_state.h"

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
