/* JSON written as a stream into a buffer: no tree is built, numbers keep the digits they need, NaN
 * becomes null. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io_files.h"

void es_json_init(es_json *json, es_buf *out, int indent) {
    memset(json, 0, sizeof *json);
    json->out = out;
    json->indent = indent;
}

static void break_line(es_json *json) {
    if (json->indent > 0)
        es_buf_printf(json->out, "\n%*s", json->indent * (int)json->depth, "");
}

/* The letter of JSON's short escapes; 0 where there is none. */
static char short_escape(uint32_t c) {
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return '\0';
    }
}

static void put_text(es_buf *out, const char *text) {
    size_t length = strlen(text);
    es_buf_putc(out, '"');
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        char bytes[4], letter = '\0';
        i += es_utf8_decode(text + i, length - i, &c);
        if ((letter = short_escape(c)) != '\0')
            es_buf_printf(out, "\\%c", letter);
        else if (!es_text_is_unsafe(c))
            es_buf_add(out, bytes, es_utf8_encode(c, bytes));
        else if (c < 0x10000)
            es_buf_printf(out, "\\u%04" PRIx32, c);
        else /* a surrogate pair */
            es_buf_printf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 + ((c - 0x10000) >> 10),
                          0xDC00 + ((c - 0x10000) & 0x3FF));
    }
    es_buf_putc(out, '"');
}

/* Comma, line break and key before the next value. */
static void begin_item(es_json *json, const char *key) {
    unsigned depth = json->depth;
    bool one_line = json->level[depth].one_line;
    assert((key != NULL) == json->level[depth].is_object);
    if (json->level[depth].has_items)
        es_buf_puts(json->out, one_line && json->indent > 0 ? ", " : ",");
    if (depth > 0 && !one_line)
        break_line(json);
    json->level[depth].has_items = true;
    if (key) {
        put_text(json->out, key);
        es_buf_puts(json->out, json->indent > 0 ? ": " : ":");
    }
}

static void begin(es_json *json, const char *key, bool is_object, bool one_line) {
    begin_item(json, key);
    assert(json->depth < ES_JSON_DEPTH);
    one_line = one_line || json->level[json->depth].one_line;
    json->depth++;
    json->level[json->depth].is_object = is_object;
    json->level[json->depth].one_line = one_line;
    json->level[json->depth].has_items = false;
    es_buf_putc(json->out, is_object ? '{' : '[');
}

void es_json_begin_object(es_json *json, const char *key) {
    begin(json, key, true, false);
}

void es_json_begin_array(es_json *json, const char *key) {
    begin(json, key, false, false);
}

void es_json_begin_row(es_json *json, const char *key) {
    begin(json, key, false, true);
}

void es_json_end(es_json *json) {
    assert(json->depth > 0);
    unsigned depth = json->depth--;
    if (json->level[depth].has_items && !json->level[depth].one_line)
        break_line(json);
    es_buf_putc(json->out, json->level[depth].is_object ? '}' : ']');
}

size_t es_json_list(es_json *json, const char *key) {
    es_json_begin_array(json, key);
    return SIZE_MAX; /* before the first */
}

bool es_json_list_next(es_json *json, size_t *i, size_t n) {
    if (*i != SIZE_MAX)
        es_json_end(json);
    ++*i;
    if (*i < n)
        es_json_begin_object(json, NULL);
    else
        es_json_end(json);
    return *i < n;
}

void es_json_text(es_json *json, const char *key, const char *text) {
    if (!text) {
        es_json_null(json, key);
        return;
    }
    begin_item(json, key);
    put_text(json->out, text);
}

void es_json_double(es_json *json, const char *key, double value) {
    begin_item(json, key);
    if (isfinite(value))
        es_buf_put_double(json->out, value);
    else
        es_buf_puts(json->out, "null");
}

void es_json_uint(es_json *json, const char *key, uint64_t value) {
    begin_item(json, key);
    es_buf_printf(json->out, "%" PRIu64, value);
}

void es_json_bool(es_json *json, const char *key, bool value) {
    begin_item(json, key);
    es_buf_puts(json->out, value ? "true" : "false");
}

void es_json_null(es_json *json, const char *key) {
    begin_item(json, key);
    es_buf_puts(json->out, "null");
}
