/* Every combination of the values of settings. */
#include "app_state.h"

#include <string.h>

/* One value of "power=2,3": number `at` of them; returns how many there are, 0: it is no setting.
 */
static size_t value_at(const char *word, size_t length, size_t at, es_buf *out) {
    const char *end = word + length, *value = memchr(word, '=', length);
    size_t count = 1;
    if (value == NULL || value == word)
        return 0;
    for (const char *c = ++value; c < end; c++)
        count += *c == ',';
    for (; at > 0; at--)
        value = (const char *)memchr(value, ',', (size_t)(end - value)) + 1;
    const char *stop = memchr(value, ',', (size_t)(end - value));
    es_buf_add(out, word, (size_t)((const char *)memchr(word, '=', length) - word) + 1);
    es_buf_add(out, value, (size_t)((stop != NULL ? stop : end) - value));
    return count;
}

size_t es_combination(const char *text, size_t at, es_buf *out) {
    size_t length = strcspn(text, " "), count = 1;
    es_buf_add(out, text, length);
    es_buf_putc(out, '[');
    for (const char *word = text + length + strspn(text + length, " "); *word != '\0';) {
        size_t size = strcspn(word, " ");
        es_buf none = {0};
        size_t values = value_at(word, size, 0, &none);
        es_buf_free(&none);
        if (values == 0)
            return 0;
        (void)value_at(word, size, at % values, out);
        at /= values;
        count *= values;
        word += size + strspn(word + size, " ");
        es_buf_puts(out, *word != '\0' ? " " : "");
    }
    es_buf_putc(out, ']');
    return count;
}
