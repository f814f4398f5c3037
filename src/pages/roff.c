/* Text in the mdoc language of manual pages: escaped, wrapped, a new line after each sentence. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "roff.h"

#include "text.h"

enum { WIDTH = 76 };

void es_roff_line(es_buf *out, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    es_buf_puts(out, line);
    es_buf_putc(out, '\n');
}

/* Backslashes, and what is not ASCII by its number. A hyphen stays one that can be copied. */
static void put_escaped(const char *text, size_t length, es_buf *out) {
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += es_utf8_decode(text + at, length - at, &code);
        if (code == '\\')
            es_buf_puts(out, "\\e");
        else if (code == '-')
            es_buf_puts(out, "\\-");
        else if (code == '\'')
            es_buf_puts(out, "\\(aq");
        else if (code == '"')
            es_buf_puts(out, "\\(dq");
        else if (code == '~')
            es_buf_puts(out, "\\(ti");
        else if (code == '^')
            es_buf_puts(out, "\\(ha");
        else if (code == '`')
            es_buf_puts(out, "\\(ga");
        else if (code > 0x7E)
            es_buf_printf(out, "\\[u%04X]", (unsigned)code);
        else
            es_buf_putc(out, (char)code);
    }
}

/* A full stop that does not end an abbreviation. */
static bool ends_sentence(const char *word, size_t length) {
    if (length < 3 || strchr(".!?", word[length - 1]) == NULL)
        return false;
    return !(word[length - 1] == '.' && word[length - 3] == '.');
}

void es_roff_text(const char *text, es_buf *out) {
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > 0 && column + 1 + length > WIDTH) {
            es_buf_putc(out, '\n');
            column = 0;
        }
        if (column > 0)
            es_buf_putc(out, ' ');
        else if (*text == '.' || *text == '\'')
            es_buf_puts(out, "\\&");
        size_t before = out->length;
        put_escaped(text, length, out);
        column += 1 + (out->length - before);
        if (ends_sentence(text, length) && text[length] == ' ') {
            es_buf_putc(out, '\n');
            column = 0;
        }
        text += length + (text[length] != '\0');
    }
    if (column > 0)
        es_buf_putc(out, '\n');
}

void es_roff_literal(const char *lines, es_buf *out) {
    es_roff_line(out, ".Bd -literal -offset 2n");
    for (; *lines; lines++) {
        size_t length = strcspn(lines, "\n");
        if (length > 0 && (*lines == '.' || *lines == '\''))
            es_buf_puts(out, "\\&");
        put_escaped(lines, length, out);
        es_buf_putc(out, '\n');
        lines += length;
        if (*lines == '\0')
            break;
    }
    es_roff_line(out, ".Ed");
}

void es_roff_word(const char *word, es_buf *out) {
    /* punctuation at either end would be taken for the sentence's */
    size_t length = strlen(word);
    es_buf_puts(out, "\"\\&");
    put_escaped(word, length, out);
    es_buf_puts(out, length > 0 && strchr(".,:;!?()[]", word[length - 1]) ? "\\&\"" : "\"");
}

void es_roff_list(const char *macro, const es_page_entry *entries, es_buf *out) {
    es_roff_line(out, ".Bl -tag -width 6n");
    for (; entries->name; entries++) {
        es_buf_printf(out, ".It %s ", macro);
        es_roff_word(entries->name, out);
        es_buf_putc(out, '\n');
        es_roff_text(entries->text, out);
    }
    es_roff_line(out, ".El");
}

void es_roff_begin(const char *page, int section, const char *date, const char *what, es_buf *out) {
    char title[64];
    size_t n = 0;
    for (; page[n] && n + 1 < sizeof title; n++)
        title[n] = (char)(page[n] >= 'a' && page[n] <= 'z' ? page[n] - 'a' + 'A' : page[n]);
    title[n] = '\0';
    es_roff_line(out, ".Dd %s", date);
    es_roff_line(out, ".Dt %s %d", title, section);
    es_roff_line(out, ".Os");
    es_roff_line(out, ".Sh NAME\n.Nm %s\n.Nd %s", page, what);
}
