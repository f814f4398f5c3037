/* Text from outside: names of files and models, rows of text. Nothing of it may reach a terminal
 * uncleaned. UTF-8 throughout; no locale is consulted. */
#ifndef EMBEDSCOPE_TEXT_H
#define EMBEDSCOPE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Decode one code point from text[0..length); returns the bytes used (at least 1 when length > 0).
 *  An invalid or overlong sequence gives U+FFFD and uses one byte. */
size_t es_utf8_decode(const char *text, size_t length, uint32_t *code_point);

/** Encode into out[4]; returns the number of bytes (0 for an invalid code point). */
size_t es_utf8_encode(uint32_t code_point, char out[4]);

/** True for what must never be shown: C0, DEL and C1 controls, bidirectional controls, line and
 *  paragraph separators, zero-width and tag characters (invisible text), and non-characters. The
 *  joiners U+200C and U+200D are text: Persian, the scripts of India and emoji are spelled with
 *  them. */
bool es_text_is_unsafe(uint32_t code_point);

/** Returns a new string in Unicode's normal form C, in which "e" with an accent is one character,
 * as keyboards write it and macOS does not. Text that is no valid UTF-8 is copied as it is.
 * length_out (may be NULL): its bytes before the NUL. NULL when out of memory. */
char *es_text_nfc(const char *text, size_t length, size_t *length_out);
/** Returns whether two names are the same bytes, or the same in form C. Out of memory: compares the
 *  bytes. */
bool es_text_same(const char *a, const char *b);

/** Returns a new string in form C with invalid bytes and unsafe code points replaced by U+FFFD, cut
 *  to at most `max_bytes` at a character boundary (0: no limit). NULL when out of memory. */
char *es_text_clean(const char *text, size_t length, size_t max_bytes);

/** The same into out[capacity], cut at a character boundary and NUL-terminated (capacity > 0).
 *  Returns the number of bytes before the NUL. `out` must not overlap `text`. No allocation. */
size_t es_text_clean_into(char *out, size_t capacity, const char *text, size_t length);

/** Read a decimal number that fills text[0..length) but for blanks around it: sign, digits, '.',
 *  exponent, or nan, inf, infinity in any case. The decimal point is '.' whatever the locale, the
 *  result correctly rounded. False, and *out unchanged, for anything else: hexadecimal, an empty
 *  text, more than 1,200 characters. */
bool es_text_parse_double(const char *text, size_t length, double *out);

/** Of ASCII letters alone, whatever the locale. */
char es_ascii_lower(char c);
/** Space, tab, or an end of line. */
bool es_ascii_is_blank(char c);
/** The first byte of at .. end that is none of these, or end. */
const char *es_ascii_after_blanks(const char *at, const char *end);

/** Appends ", word" to a list, or the word alone to an empty one, as far as there is room. */
void es_text_list_add(char *list, size_t capacity, const char *word);

/** Place of a text in a list; SIZE_MAX: it is not there. */
size_t es_text_index(const char *const *list, size_t n, const char *text);

/** Natural order: runs of digits compare as numbers (e5-2 < e5-10), else bytes; total and stable
 *  on every host. */
int es_text_natural_cmp(const char *a, const char *b);

/** Bytes below 0x80 alone. */
bool es_text_is_ascii(const char *text, size_t length);

/** Shell-style match of the whole name, both in form C: * ? [a-z] [!a-z], backslash escapes; '*'
 * also matches '/'. Linear in practice, never exponential. */
bool es_text_glob(const char *pattern, const char *name);

#endif
