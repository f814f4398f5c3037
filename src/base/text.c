/* UTF-8 by hand, since no locale is to be trusted: decoding, cleaning of what must never reach a
 * terminal, numbers with a point, natural order and shell patterns. */
#include "base.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { REPLACEMENT = 0xFFFD };

size_t es_utf8_decode(const char *text, size_t length, uint32_t *code_point) {
    const unsigned char *s = (const unsigned char *)text;
    *code_point = REPLACEMENT;
    if (length == 0)
        return 0;
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    size_t need = s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : (s[0] & 0xF0) == 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] >= 0xF5 || need > length)
        return 1;
    uint32_t value = s[0] & (0xFFu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[need] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 1;
    *code_point = value;
    return need;
}

size_t es_utf8_encode(uint32_t c, char out[4]) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    size_t count = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = count - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80u | (c & 0x3Fu));
    out[0] = (char)(lead[count] | c);
    return count;
}

bool es_text_is_unsafe(uint32_t c) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1F},           {0x7F, 0x9F}, /* C0, DEL, C1 */
        {0xAD, 0xAD},                         /* soft hyphen: terminals disagree on its width */
        {0x061C, 0x061C},                     /* Arabic letter mark */
        {0x180E, 0x180E},                     /* Mongolian vowel separator */
        {0x200B, 0x200B},                     /* zero-width space */
        {0x200E, 0x200F},                     /* direction marks */
        {0x2028, 0x202E},                     /* separators, embeddings and overrides */
        {0x2060, 0x206F},                     /* invisible operators, isolates */
        {0xD800, 0xDFFF},                     /* surrogates */
        {0xFDD0, 0xFDEF},                     /* non-characters */
        {0xFEFF, 0xFEFF},                     /* byte-order mark */
        {0xFFF9, 0xFFFB},                     /* interlinear annotation */
        {0xE0000, 0xE007F},                   /* tags: text that nobody sees */
        {0x110000, UINT32_MAX},
    };
    if ((c & 0xFFFE) == 0xFFFE)
        return true;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

size_t es_text_clean_into(char *out, size_t capacity, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c = (unsigned char)text[i];
        char bytes[4] = {text[i]};
        size_t count = 1;
        if (c >= ' ' && c < 0x7F) { /* most of all text */
            i++;
        } else {
            i += es_utf8_decode(text + i, length - i, &c);
            count = es_utf8_encode(es_text_is_unsafe(c) ? REPLACEMENT : c, bytes);
        }
        if (count >= capacity - used) /* one byte stays for the NUL */
            break;
        memcpy(out + used, bytes, count);
        used += count;
    }
    out[used] = '\0';
    return used;
}

char *es_text_clean(const char *text, size_t length, size_t max_bytes) {
    if (length > SIZE_MAX / 3 - 1)
        return NULL;
    size_t most = 3 * length; /* one bad byte becomes the three of U+FFFD */
    bool plain = es_text_is_ascii(text, length);
    if (plain && max_bytes > 0 && max_bytes < most)
        most = max_bytes;
    char *out = es_alloc(most + 1, 1);
    if (!out)
        return NULL;
    size_t used = es_text_clean_into(out, most + 1, text, length);
    if (plain)
        return out;
    char *composed = es_text_nfc(out, used, &used);
    es_free(out);
    if (composed && max_bytes > 0 && used > max_bytes) {
        while (max_bytes > 0 && (composed[max_bytes] & 0xC0) == 0x80)
            max_bytes--;
        composed[max_bytes] = '\0';
    }
    return composed;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Compare the numbers at *a and *b by value and step over both. */
static int compare_numbers(const char **a, const char **b) {
    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    const char *x = *a, *y = *b;
    while (is_digit(**a))
        ++*a;
    while (is_digit(**b))
        ++*b;
    size_t n = (size_t)(*a - x), m = (size_t)(*b - y);
    if (n != m)
        return n < m ? -1 : 1;
    return memcmp(x, y, n);
}

int es_text_natural_cmp(const char *a, const char *b) {
    const char *p = a, *q = b;
    while (*p && *q) {
        if (is_digit(*p) && is_digit(*q)) {
            int order = compare_numbers(&p, &q);
            if (order != 0)
                return order < 0 ? -1 : 1;
            continue;
        }
        if (*p != *q)
            return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        p++;
        q++;
    }
    if (*p || *q)
        return *p ? 1 : -1;
    int order = strcmp(a, b); /* "a01" and "a1" are equal so far: keep the order total */
    return order < 0 ? -1 : order > 0;
}

/* ASCII only and in any locale. `word` is in lower case. */
static bool equals_ignoring_case(const char *text, size_t length, const char *word) {
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (es_ascii_lower(text[i]) != word[i])
            return false;
    return true;
}

static bool parse_word(const char *text, size_t length, double *out) {
    if (equals_ignoring_case(text, length, "nan"))
        *out = (double)NAN;
    else if (equals_ignoring_case(text, length, "inf") ||
             equals_ignoring_case(text, length, "infinity"))
        *out = (double)INFINITY;
    else
        return false;
    return true;
}

/* A number without its sign, taken apart. */
typedef struct decimal {
    uint64_t mantissa; /* the digits without the point, when there are at most 19 of them */
    size_t digits;     /* significant ones, leading zeros not counted */
    long exponent;     /* value = mantissa * 10^exponent */
    size_t point;      /* where '.' is in the text, or the text's length */
} decimal;

static void add_digit(decimal *d, char digit) {
    if (d->digits > 0 || digit != '0')
        d->digits++;
    if (d->digits <= 19)
        d->mantissa = d->mantissa * 10 + (uint64_t)(digit - '0');
}

static bool scan_decimal(const char *text, size_t length, decimal *d) {
    size_t i = 0, seen = 0;
    for (; i < length && is_digit(text[i]); i++, seen++)
        add_digit(d, text[i]);
    d->point = length;
    if (i < length && text[i] == '.') {
        d->point = i++;
        for (; i < length && is_digit(text[i]); i++, seen++, d->exponent--)
            add_digit(d, text[i]);
    }
    if (seen == 0)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        bool negative = i < length && text[i] == '-';
        if (i < length && (text[i] == '-' || text[i] == '+'))
            i++;
        if (i == length)
            return false;
        long written = 0;
        for (; i < length && is_digit(text[i]); i++)
            written = written < 100000 ? 10 * written + (text[i] - '0') : written;
        d->exponent += negative ? -written : written;
    }
    return i == length;
}

/* Numbers of up to 19 digits, as float32 prints when it was widened first. Both operands are exact
 * in the 64 bits of an x87 mantissa, so one rounding is all the quotient or product has seen, and
 * it rounds to the right double unless it lies right between two of them. False: left to strtod. */
static bool scale_extended(const decimal *d, double *out) {
#if LDBL_MANT_DIG == 64 && defined __x86_64__
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                         1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    if (d->digits > 19 || d->exponent < -27 || d->exponent > 27)
        return false;
    long double value = (long double)d->mantissa;
    value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits); /* the mantissa comes first */
    if ((bits & 0x7FF) == 0x400)
        return false;
    *out = (double)value;
    return true;
#else
    (void)d;
    (void)out;
    return false;
#endif
}

bool es_text_parse_double(const char *text, size_t length, double *out) {
    enum { LONGEST = 1200 }; /* more than the longest exact decimal of a double */
    while (length > 0 && (*text == ' ' || *text == '\t'))
        text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    bool negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+'))
        text++, length--;
    double value = 0;
    decimal d = {0};
    if (length > LONGEST)
        return false;
    if (!scan_decimal(text, length, &d)) {
        if (!parse_word(text, length, &value))
            return false;
    } else if (FLT_EVAL_METHOD == 0 && d.digits <= 15 && d.exponent >= -22 && d.exponent <= 22) {
        /* Both operands are exact, so the one rounding of * or / is the right one (Clinger 1990).
         * Nearly all numbers take this way, and it is ten times faster than strtod. */
        static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
        value = (double)d.mantissa;
        value = d.exponent < 0 ? value / powers[-d.exponent] : value * powers[d.exponent];
    } else if (!scale_extended(&d, &value)) {
        /* strtod wants the locale's point. */
        const char *point = localeconv()->decimal_point;
        char copy[LONGEST + 16];
        size_t width = strlen(point) < 8 ? strlen(point) : 1, used = d.point;
        memcpy(copy, text, d.point);
        if (d.point < length) {
            memcpy(copy + used, point, width);
            used += width;
            memcpy(copy + used, text + d.point + 1, length - d.point - 1);
            used += length - d.point - 1;
        }
        copy[used] = '\0';
        value = strtod(copy, NULL);
    }
    *out = negative ? -value : value;
    return true;
}

static const char *next_char(const char *text, uint32_t *c) {
    return text + es_utf8_decode(text, strnlen(text, 4), c);
}

/* One character of a pattern, a backslash taken away. */
static const char *next_literal(const char *pattern, uint32_t *c) {
    return next_char(pattern[0] == '\\' && pattern[1] ? pattern + 1 : pattern, c);
}

/* The set that starts at pattern (behind its '['); *matched says whether c is in it. Returns what
 * follows the set, NULL when it is not closed (the bracket then stands for itself). */
static const char *match_set(const char *pattern, uint32_t c, bool *matched) {
    bool inverted = *pattern == '!', found = false;
    if (inverted)
        pattern++;
    for (bool first = true; first || *pattern != ']'; first = false) {
        uint32_t low = 0;
        if (!*pattern)
            return NULL;
        pattern = next_literal(pattern, &low);
        uint32_t high = low;
        if (pattern[0] == '-' && pattern[1] && pattern[1] != ']')
            pattern = next_literal(pattern + 1, &high);
        found = found || (c >= low && c <= high);
    }
    *matched = found != inverted;
    return pattern + 1;
}

/* Match one character c against the pattern's next item (not '*'); NULL when it differs. */
static const char *match_item(const char *pattern, uint32_t c) {
    if (*pattern == '?')
        return pattern + 1;
    if (*pattern == '[') {
        bool matched = false;
        const char *rest = match_set(pattern + 1, c, &matched);
        if (rest)
            return matched ? rest : NULL;
    }
    uint32_t wanted = 0;
    const char *rest = next_literal(pattern, &wanted);
    return *pattern && wanted == c ? rest : NULL;
}

static bool match_glob(const char *pattern, const char *name) {
    /* Only the last star needs to be tried again: whatever an earlier one could take, the last one
     * can take as well. So the cost is at most pattern times name. */
    const char *star = NULL, *star_name = NULL;
    while (*name) {
        uint32_t c = 0;
        const char *rest_name = next_char(name, &c);
        if (*pattern == '*') {
            star = ++pattern;
            star_name = name;
            continue;
        }
        const char *rest = match_item(pattern, c);
        if (rest) {
            pattern = rest;
            name = rest_name;
        } else if (star) {
            pattern = star;
            name = star_name = next_char(star_name, &c);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool es_text_glob(const char *pattern, const char *name) {
    size_t n = strlen(pattern), m = strlen(name);
    if (es_text_is_ascii(pattern, n) || es_text_is_ascii(name, m))
        return match_glob(pattern, name);
    char *x = es_text_nfc(pattern, n, NULL), *y = es_text_nfc(name, m, NULL);
    bool matches = match_glob(x ? x : pattern, y ? y : name);
    es_free(x);
    es_free(y);
    return matches;
}

void es_text_list_add(char *list, size_t capacity, const char *word) {
    size_t used = strlen(list);
    (void)snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", word);
}

size_t es_text_index(const char *const *list, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], text) == 0)
            return i;
    return SIZE_MAX;
}

char es_ascii_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool es_ascii_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *es_ascii_after_blanks(const char *at, const char *end) {
    while (at < end && es_ascii_is_blank(*at))
        at++;
    return at;
}

/* Unicode's normal form C (UAX 15), by utf8proc in memory of ours. */

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

void es_phrase_add(char *out, size_t capacity, const char *format, ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + used, capacity - used, format, arguments);
    va_end(arguments);
}
