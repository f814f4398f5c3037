/* Ids from arrays of texts and numbers. */
#include <math.h>
#include <string.h>

#include "io.h"

static size_t character(const es_npy_list *list, const unsigned char *at, char out[4]) {
    uint32_t code = 0;
    for (size_t i = 0; i < 4; i++)
        code |= (uint32_t)at[i] << 8 * (list->big_endian ? 3 - i : i);
    size_t used = es_utf8_encode(code, out);
    return used > 0 ? used : es_utf8_encode(0xFFFD, out);
}

static void put_integer(const es_npy_list *list, const unsigned char *at, es_buf *out) {
    uint64_t bits = 0;
    if (list->width == 0 || list->width > sizeof bits)
        return; /* es_npy_parse_list gives none */
    for (size_t i = 0; i < list->width; i++)
        bits |= (uint64_t)at[i] << 8 * (list->big_endian ? list->width - 1 - i : i);
    uint64_t sign = (uint64_t)1 << (8 * list->width - 1);
    if (list->kind == 'i' && bits & sign)
        es_buf_printf(out, "-%llu", (unsigned long long)((~bits + 1) & (sign | (sign - 1))));
    else
        es_buf_printf(out, "%llu", (unsigned long long)bits);
}

/* 17.0 is the id 17: a column of whole numbers of which one was missing is one of floats. */
static void put_real(const es_npy_list *list, const unsigned char *at, es_buf *out) {
    const es_array one = {.data = at,
                          .n = 1,
                          .d = 1,
                          .dtype = list->width == 2   ? ES_DTYPE_F16
                                   : list->width == 4 ? ES_DTYPE_F32
                                                      : ES_DTYPE_F64,
                          .big_endian = list->big_endian};
    double value = 0;
    es_array_read_range(&one, 0, 1, &value);
    if (value == floor(value) && fabs(value) <= 0x1p53)
        es_buf_printf(out, "%.0f", value == 0 ? 0.0 : value);
    else
        es_buf_printf(out, "%.17g", value);
}

/* One id; NULs at its end fill the width up. */
static void put_id(const es_npy_list *list, size_t row, es_buf *out) {
    static const unsigned char zeros[4];
    const unsigned char *at = list->data + row * list->width;
    size_t unit = list->kind == 'U' ? 4 : 1, width = list->width;
    if (list->kind == 'i' || list->kind == 'u') {
        put_integer(list, at, out);
        return;
    }
    if (list->kind == 'f') {
        put_real(list, at, out);
        return;
    }
    while (width > 0 && memcmp(at + width - unit, zeros, unit) == 0)
        width -= unit;
    for (size_t i = 0; i < width; i += unit) {
        char text[4] = {(char)at[i]};
        es_buf_add(out, text, unit == 4 ? character(list, at + i, text) : 1);
    }
}

es_status es_npy_list_ids(const es_npy_list *list, es_row_ids *out, es_error *err) {
    es_row_ids ids = {0};
    es_buf text = {0};
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && i < list->n; i++) {
        es_buf_clear(&text);
        put_id(list, i, &text);
        st = es_buf_check(&text, err);
        if (st == ES_OK)
            st = es_row_ids_push(&ids, text.data ? text.data : "", text.length, err);
    }
    es_buf_free(&text);
    if (st == ES_OK)
        *out = ids;
    else
        es_row_ids_deinit(&ids);
    return st;
}
