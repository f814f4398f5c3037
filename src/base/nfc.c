/* Unicode's normal form C (UAX 15), by utf8proc in memory of ours. */
#include <string.h>
#include <utf8proc.h>

#include "base.h"

bool es_text_is_ascii(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && (unsigned char)text[i] < 0x80)
        i++;
    return i == length;
}

static char *copy_of(const char *text, size_t length, size_t *length_out) {
    char *copy = es_alloc(length + 1, 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (length_out)
        *length_out = length;
    return copy;
}

char *es_text_nfc(const char *text, size_t length, size_t *length_out) {
    static const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    if (length > PTRDIFF_MAX || es_text_is_ascii(text, length))
        return copy_of(text, length, length_out);
    utf8proc_ssize_t count = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, NULL, 0, form);
    if (count <= 0) /* no valid UTF-8 */
        return copy_of(text, length, length_out);
    utf8proc_int32_t *codes = es_alloc((size_t)count + 1, sizeof *codes);
    if (!codes)
        return NULL;
    count = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, codes, count, form);
    count = count > 0 ? utf8proc_reencode(codes, count, form) : count;
    char *out = count > 0 ? copy_of((const char *)codes, (size_t)count, length_out)
                          : copy_of(text, length, length_out);
    es_free(codes);
    return out;
}

bool es_text_same(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (strcmp(a, b) == 0)
        return true;
    if (es_text_is_ascii(a, n) || es_text_is_ascii(b, m))
        return false;
    char *x = es_text_nfc(a, n, NULL), *y = es_text_nfc(b, m, NULL);
    bool same = x && y && strcmp(x, y) == 0;
    es_free(x);
    es_free(y);
    return same;
}
