/* Appending to a text of limited room: titles and borders say what holds, one piece after the
 * other. */
#include "tui_draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void es_phrase_add(char *out, size_t capacity, const char *format, ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + used, capacity - used, format, arguments);
    va_end(arguments);
}
