/* Numbers, times and sizes as the views write them. */
#ifndef ES_APP_NUMBER_TEXT_H
#define ES_APP_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

void es_format_time(double seconds, char *out,
                    size_t capacity); /* 3:12, 1:02:03; ? when not known */
/** With so many decimals, or as 1.2e30 where that takes too much room (ES_FORMAT_E decimals:
 * always);
 *  "-" when it is not a number, no "-0.00". */
enum { ES_FORMAT_E = 15 };
void es_format_number(double value, int digits, char *out, size_t capacity);
/** The same as a value, for lines of several: es_figure_of(x, 3).text. */
typedef struct es_figure {
    char text[32];
} es_figure;
es_figure es_figure_of(double value, int digits);
void es_format_bytes(uint64_t bytes, char *out, size_t capacity); /* 81M */
const char *es_format_dtype(const char *dtype);                   /* f32 */
/** Returns the value as printed with so many decimals: what rounds to 0 is 0, never "-0.00". */
double es_rounded_off(double value, int digits);
int es_name_width(const char *name); /* columns, about; for choosing widths only */

#endif
