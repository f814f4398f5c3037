/* Numbers, times, sizes and types as the views write them, and how many columns a name takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

void es_format_time(double seconds, char *out, size_t capacity) {
    if (!(seconds >= 0) || seconds > 1e8) {
        (void)snprintf(out, capacity, "?");
        return;
    }
    long s = lround(seconds);
    if (s < 3600)
        (void)snprintf(out, capacity, "%ld:%02ld", s / 60, s % 60);
    else
        (void)snprintf(out, capacity, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

/* "1.2e+030" as "1.2e30". */
static void format_power(double value, char *out, size_t capacity) {
    char text[32], *power;
    (void)snprintf(text, sizeof text, "%.1e", value);
    power = strchr(text, 'e');
    if (power == NULL) { /* not finite */
        (void)snprintf(out, capacity, "%s", text);
        return;
    }
    *power++ = '\0';
    (void)snprintf(out, capacity, "%se%d", text, atoi(power));
}

double es_rounded_off(double value, int digits) {
    return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

void es_format_number(double value, int digits, char *out, size_t capacity) {
    if (isnan(value))
        (void)snprintf(out, capacity, "-");
    else if ((digits == ES_FORMAT_E && (value > 0 || value < 0)) || fabs(value) >= 999999.5)
        format_power(value, out, capacity);
    else if (digits == ES_FORMAT_E)
        (void)snprintf(out, capacity, "%.0f", 0.0);
    else
        (void)snprintf(out, capacity, "%.*f", digits, es_rounded_off(value, digits));
}

es_figure es_figure_of(double value, int digits) {
    es_figure out = {{0}};
    es_format_number(value, digits, out.text, sizeof out.text);
    return out;
}

void es_format_bytes(uint64_t bytes, char *out, size_t capacity) {
    static const char unit[] = "BKMGTP";
    double value = (double)bytes;
    int u = 0;
    while (value >= 999.5 && u < 5) {
        value /= 1024;
        u++;
    }
    if (u == 0 || value >= 9.95)
        (void)snprintf(out, capacity, "%.0f%c", value, unit[u]);
    else
        (void)snprintf(out, capacity, "%.1f%c", value, unit[u]);
}

const char *es_format_dtype(const char *dtype) {
    static const char *const names[][2] = {
        {"float16", "f16"}, {"float32", "f32"}, {"float64", "f64"}, {"bfloat16", "bf16"},
        {"int8", "i8"},     {"int16", "i16"},   {"int32", "i32"},   {"int64", "i64"},
        {"uint8", "u8"},    {"uint16", "u16"},  {"uint32", "u32"},  {"uint64", "u64"},
    };
    if (dtype == NULL)
        return "?";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(dtype, names[i][0]) == 0)
            return names[i][1];
    return dtype;
}

/* Columns of a name, for choosing a width only: wide characters by their blocks. */
int es_name_width(const char *name) {
    int width = 0;
    for (size_t at = 0, length = strlen(name); at < length;) {
        uint32_t code;
        at += es_utf8_decode(name + at, length - at, &code);
        bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                    (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                    (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                    (code >= 0x1f300 && code <= 0x1faff);
        bool mark = code >= 0x300 && code <= 0x36f;
        width += mark ? 0 : wide ? 2 : 1;
    }
    return width;
}
