/* A growing byte string. After a failed allocation it takes no more and says so at the end, so
 * that writers need not check every call. */
#include "base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void es_buf_free(es_buf *buf) {
    es_free(buf->data);
    memset(buf, 0, sizeof *buf);
}

void es_buf_end(es_buf *scratch, es_buf *out) {
    out->failed |= scratch->failed;
    es_buf_free(scratch);
}

void es_buf_clear(es_buf *buf) {
    buf->length = 0;
    buf->failed = false;
    if (buf->data)
        buf->data[0] = '\0';
}

/* Room for `extra` more bytes and the final NUL. */
static bool reserve(es_buf *buf, size_t extra) {
    if (buf->failed)
        return false;
    if (extra < buf->capacity - buf->length) /* capacity > length, or both are 0 */
        return true;
    size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
    while (capacity - buf->length <= extra && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char *data = capacity - buf->length > extra ? es_realloc(buf->data, capacity, 1) : NULL;
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

void es_buf_add(es_buf *buf, const void *bytes, size_t length) {
    if (!reserve(buf, length))
        return;
    if (length > 0)
        memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void es_buf_puts(es_buf *buf, const char *text) {
    es_buf_add(buf, text, strlen(text));
}

void es_buf_putc(es_buf *buf, char byte) {
    es_buf_add(buf, &byte, 1);
}

__attribute__((format(printf, 2, 0))) static void put_formatted(es_buf *buf, const char *format,
                                                                va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        buf->failed = true;
    else if (reserve(buf, (size_t)length)) {
        (void)vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
}

void es_buf_printf(es_buf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_formatted(buf, format, args);
    va_end(args);
}

void es_buf_put_double(es_buf *buf, double value) {
    if (isnan(value)) {
        es_buf_puts(buf, "nan");
        return;
    }
    if (isinf(value)) {
        es_buf_puts(buf, value < 0 ? "-inf" : "inf");
        return;
    }
    /* 17 digits always read back; most values need no more than 15. Printing and reading agree on
     * the locale's decimal point, whatever it is; it is replaced only in what is kept. */
    char text[48];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    char out[48];
    size_t length = 0;
    for (const char *p = text; *p;) {
        size_t plain = strspn(p, "0123456789+-e");
        memcpy(out + length, p, plain);
        length += plain;
        p += plain;
        if (*p) {
            out[length++] = '.';
            p += strcspn(p, "0123456789+-e");
        }
    }
    es_buf_add(buf, out, length);
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f;
}

/* In $'...', which the shells of people and POSIX.1-2024 read: a line stays a line. */
static void put_escaped(es_buf *buf, const char *word) {
    es_buf_puts(buf, "$'");
    for (const char *c = word; *c; c++)
        if (is_control(*c))
            es_buf_printf(buf, "\\%03o", (unsigned)(unsigned char)*c);
        else if (*c == '\'' || *c == '\\')
            es_buf_printf(buf, "\\%c", *c);
        else
            es_buf_putc(buf, *c);
    es_buf_putc(buf, '\'');
}

void es_buf_put_shell(es_buf *buf, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        es_buf_puts(buf, word);
        return;
    }
    for (const char *c = word; *c; c++)
        if (is_control(*c)) {
            put_escaped(buf, word);
            return;
        }
    es_buf_putc(buf, '\'');
    for (; *word; word++)
        if (*word == '\'')
            es_buf_puts(buf, "'\\''");
        else
            es_buf_putc(buf, *word);
    es_buf_putc(buf, '\'');
}

void es_buf_name(es_buf *buf, size_t *count, size_t most, const char *name) {
    if ((*count)++ < most)
        es_buf_printf(buf, "%s%s", *count > 1 ? ", " : "", name);
}

void es_buf_names_end(es_buf *buf, size_t count, size_t most) {
    if (count > most)
        es_buf_printf(buf, " and %zu more", count - most);
}

void es_buf_list(es_buf *buf, const char *const *name, size_t n, size_t most, const char *last) {
    size_t shown = n < most ? n : most, more = n - shown;
    for (size_t k = 0; k < shown; k++)
        es_buf_printf(buf, "%s%s", k == 0 ? "" : k + 1 == n ? last : ", ", name[k]);
    if (more == 1)
        es_buf_printf(buf, "%sone more", last);
    else if (more > 1)
        es_buf_printf(buf, strcmp(last, " or ") == 0 ? " or one of %zu more" : " and %zu more",
                      more);
}

es_status es_buf_check(const es_buf *buf, es_error *err) {
    return buf->failed ? es_no_memory(err) : ES_OK;
}

void es_buf_put_base64(es_buf *buf, const void *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned word = (unsigned)byte[i] << 16 | (left > 1 ? (unsigned)byte[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)byte[i + 2] : 0);
        es_buf_putc(buf, digits[word >> 18 & 63]);
        es_buf_putc(buf, digits[word >> 12 & 63]);
        es_buf_putc(buf, left > 1 ? digits[word >> 6 & 63] : '=');
        es_buf_putc(buf, left > 2 ? digits[word & 63] : '=');
    }
}

char *es_buf_take(es_buf *buf) {
    if (buf->failed)
        es_buf_free(buf);
    char *text = buf->data;
    *buf = (es_buf){0};
    return text;
}

es_status es_buf_give(es_buf *buf, char **out, es_error *err) {
    es_buf_puts(buf, "");
    *out = es_buf_take(buf);
    return *out ? ES_OK : es_no_memory(err);
}

es_status es_text_new(char **out, es_error *err, const char *format, ...) {
    es_buf text = {0};
    va_list args;
    va_start(args, format);
    put_formatted(&text, format, args);
    va_end(args);
    return es_buf_give(&text, out, err);
}
