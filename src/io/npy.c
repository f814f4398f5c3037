/* Reads .npy headers: a Python literal in a few lines of hand-written parsing that takes nothing
 * it does not know. */
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIMENSIONS = 64 };

/* What a header says. `descr` points into the file. */
typedef struct header {
    const char *descr;
    size_t descr_length;
    bool structured; /* descr is a list of fields */
    bool fortran;
    size_t dimensions;
    uint64_t shape[MOST_DIMENSIONS];
    bool has_descr, has_order, has_shape;
} header;

/* strchr would take the NUL for one of them. */
static bool is_order(char c) {
    return c == '<' || c == '>' || c == '=' || c == '|';
}

/* A place in the header's text. `start` is that of the file, for byte numbers in messages. */
typedef struct cursor {
    const char *start, *at, *end;
    const char *label;
    es_error *err;
} cursor;

static es_status malformed(const cursor *c, const char *what) {
    return es_fail(c->err, ES_EFORMAT, "%s: malformed .npy header at byte %zu: %s", c->label,
                   (size_t)(c->at - c->start), what);
}

static void skip_blanks(cursor *c) {
    c->at = es_ascii_after_blanks(c->at, c->end);
}

/* Step over `byte`, blanks before it included. */
static bool accept(cursor *c, char byte) {
    skip_blanks(c);
    if (c->at == c->end || *c->at != byte)
        return false;
    c->at++;
    return true;
}

static bool accept_word(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A string in either kind of quotes. Python 2 may have put a 'u' or 'b' before it. */
static es_status read_string(cursor *c, const char **text, size_t *length) {
    skip_blanks(c);
    if (c->end - c->at >= 2 && (*c->at == 'u' || *c->at == 'b') &&
        (c->at[1] == '\'' || c->at[1] == '"'))
        c->at++;
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return malformed(c, "expected a string");
    char quote = *c->at++;
    const char *start = c->at;
    while (c->at < c->end && *c->at != quote && *c->at != '\\' && *c->at != '\n')
        c->at++;
    if (c->at == c->end || *c->at != quote)
        return malformed(c, "the string is not closed");
    *text = start;
    *length = (size_t)(c->at++ - start);
    return ES_OK;
}

/* One length of the shape; what does not fit in 64 bits becomes the largest number, which every
 * later check refuses. */
static es_status read_length(cursor *c, uint64_t *out) {
    skip_blanks(c);
    if (c->at < c->end && *c->at == '-')
        return malformed(c, "a length is negative");
    if (c->at == c->end || *c->at < '0' || *c->at > '9')
        return malformed(c, "expected a length");
    uint64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        unsigned digit = (unsigned)(*c->at - '0');
        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    if (c->at < c->end && *c->at == 'L') /* long integers of Python 2 */
        c->at++;
    *out = value;
    return ES_OK;
}

static es_status read_shape(cursor *c, header *h) {
    if (!accept(c, '('))
        return malformed(c, "expected a tuple of lengths");
    h->dimensions = 0;
    while (!accept(c, ')')) {
        if (h->dimensions == MOST_DIMENSIONS)
            return malformed(c, "too many dimensions");
        ES_PASS(read_length(c, &h->shape[h->dimensions]));
        h->dimensions++;
        if (accept(c, ','))
            continue;
        if (h->dimensions == 1)
            return malformed(c, "expected a comma: (n) is not a tuple");
        skip_blanks(c);
        if (c->at == c->end || *c->at != ')')
            return malformed(c, "expected ',' or ')'");
    }
    return ES_OK;
}

/* Step over a list of fields: brackets in balance, strings skipped. */
static es_status skip_list(cursor *c) {
    size_t depth = 0, length = 0;
    const char *text = NULL;
    do {
        skip_blanks(c);
        if (c->at == c->end)
            return malformed(c, "the list of fields is not closed");
        if (*c->at == '\'' || *c->at == '"') {
            ES_PASS(read_string(c, &text, &length));
            continue;
        }
        depth += *c->at == '[' || *c->at == '(';
        depth -= *c->at == ']' || *c->at == ')';
        c->at++;
    } while (depth > 0);
    return ES_OK;
}

static es_status read_value(cursor *c, const char *key, size_t length, header *h) {
    if (length == 5 && memcmp(key, "descr", 5) == 0 && !h->has_descr) {
        h->has_descr = true;
        skip_blanks(c);
        h->structured = c->at < c->end && *c->at == '[';
        return h->structured ? skip_list(c) : read_string(c, &h->descr, &h->descr_length);
    }
    if (length == 13 && memcmp(key, "fortran_order", 13) == 0 && !h->has_order) {
        h->has_order = true;
        h->fortran = accept_word(c, "True");
        return h->fortran || accept_word(c, "False") ? ES_OK
                                                     : malformed(c, "expected True or False");
    }
    if (length == 5 && memcmp(key, "shape", 5) == 0 && !h->has_shape) {
        h->has_shape = true;
        return read_shape(c, h);
    }
    return malformed(c, "unexpected or repeated key");
}

static es_status read_header(cursor *c, header *h) {
    if (!accept(c, '{'))
        return malformed(c, "expected '{'");
    while (!accept(c, '}')) {
        const char *key = NULL;
        size_t length = 0;
        ES_PASS(read_string(c, &key, &length));
        if (!accept(c, ':'))
            return malformed(c, "expected ':'");
        ES_PASS(read_value(c, key, length, h));
        if (accept(c, ','))
            continue;
        skip_blanks(c);
        if (c->at == c->end || *c->at != '}')
            return malformed(c, "expected ',' or '}'");
    }
    skip_blanks(c);
    if (c->at < c->end)
        return malformed(c, "unexpected text behind '}'");
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return malformed(c, !h->has_descr   ? "descr is missing"
                            : !h->has_order ? "fortran_order is missing"
                                            : "shape is missing");
    return ES_OK;
}

/* 'f16' and the like: a size in bytes, and more than 8. */
static bool is_wide_float(const header *h) {
    size_t at = is_order(*h->descr) ? 2 : 1, size = 0;
    for (size_t i = at; i < h->descr_length; i++) {
        if (h->descr[i] < '0' || h->descr[i] > '9' || size > 999)
            return false;
        size = size * 10 + (size_t)(h->descr[i] - '0');
    }
    return size > 8;
}

static es_status refuse_dtype(const header *h, const char *label, es_error *err) {
    static const char cast[] = "np.save(FILE, x.astype(np.float32))";
    int shown = h->descr_length < 40 ? (int)h->descr_length : 40;
    const char *descr = h->descr, *what = "is not a plain number";
    char kind = '\0';
    for (size_t i = 0; i < h->descr_length && !kind; i++)
        kind = is_order(descr[i]) ? '\0' : descr[i];
    if (h->structured)
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: the dtype is a structure of fields; save one number per column: "
                       "np.save(FILE, np.lib.recfunctions.structured_to_unstructured(x))",
                       label);
    switch (kind) {
    case 'O':
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: dtype object ('%.*s') holds Python objects, not numbers; save numbers: "
                       "np.save(FILE, np.stack(list(x)).astype(np.float32))",
                       label, shown, descr);
    case 'U':
    case 'S':
    case 'a':
        if (h->dimensions == 1)
            return es_fail(err, ES_EUNSUPPORTED,
                           "%s: dtype '%.*s' holds strings, not numbers; if they are the ids of "
                           "the rows of NAME.npy: np.savetxt('NAME.ids.txt', x, fmt='%%s')",
                           label, shown, descr);
        what = "holds strings, not numbers";
        break;
    case 'V':
        what = "holds raw bytes (bfloat16 is stored so)";
        break;
    case 'c':
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: dtype '%.*s' holds complex numbers; save real and imaginary parts as "
                       "columns: np.save(FILE, np.hstack([x.real, x.imag]))",
                       label, shown, descr);
    case 'm':
    case 'M':
        what = "holds dates or times";
        break;
    case 'f':
        what = is_wide_float(h) ? "is a float wider than 64 bits" : "is not a known float";
        break;
    default:
        break;
    }
    return es_fail(err, ES_EUNSUPPORTED, "%s: dtype '%.*s' %s; save numbers: %s", label, shown,
                   descr, what, cast);
}

/* '<f4' and the like: byte order (may be left out), kind, size in bytes; or as NumPy calls it. */
static bool find_dtype(const header *h, es_dtype *dtype, bool *big_endian) {
    static const struct {
        const char *text;
        es_dtype dtype;
    } known[] = {
        {"?", ES_DTYPE_BOOL},      {"b1", ES_DTYPE_BOOL},     {"i1", ES_DTYPE_I8},
        {"i2", ES_DTYPE_I16},      {"i4", ES_DTYPE_I32},      {"i8", ES_DTYPE_I64},
        {"u1", ES_DTYPE_U8},       {"u2", ES_DTYPE_U16},      {"u4", ES_DTYPE_U32},
        {"u8", ES_DTYPE_U64},      {"f2", ES_DTYPE_F16},      {"f4", ES_DTYPE_F32},
        {"f8", ES_DTYPE_F64},      {"bool", ES_DTYPE_BOOL},   {"int8", ES_DTYPE_I8},
        {"int16", ES_DTYPE_I16},   {"int32", ES_DTYPE_I32},   {"int64", ES_DTYPE_I64},
        {"uint8", ES_DTYPE_U8},    {"uint16", ES_DTYPE_U16},  {"uint32", ES_DTYPE_U32},
        {"uint64", ES_DTYPE_U64},  {"float16", ES_DTYPE_F16}, {"float32", ES_DTYPE_F32},
        {"float64", ES_DTYPE_F64},
    };
    const char *text = h->descr;
    size_t length = h->descr_length;
    if (h->structured || length == 0)
        return false;
    char order = is_order(*text) ? *text : '=';
    if (is_order(*text))
        text++, length--;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].text) != length || memcmp(known[i].text, text, length) != 0)
            continue;
        *dtype = known[i].dtype;
        *big_endian = es_dtype_size(*dtype) > 1 &&
                      (order == '>' || (order != '<' && es_host_is_big_endian()));
        return true;
    }
    return false;
}

static es_status refuse_dimensions(const header *h, const char *label, es_error *err) {
    if (h->dimensions == 0)
        return es_fail(err, ES_EUNSUPPORTED, "%s: holds a single value, expected rows and columns",
                       label);
    if (h->dimensions == 1)
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: is 1-D (%llu values), expected 2-D (rows, columns); for one dimension "
                       "save x.reshape(-1, 1), for ids of the rows of NAME.npy "
                       "np.savetxt('NAME.ids.txt', x, fmt='%%s')",
                       label, (unsigned long long)h->shape[0]);
    bool first = h->dimensions == 3 && h->shape[0] == 1 && h->shape[1] > 1 && h->shape[2] > 1;
    return es_fail(err, ES_EUNSUPPORTED,
                   "%s: is %zu-D (%llu x %llu x %llu%s), expected 2-D (rows, columns); %s", label,
                   h->dimensions, (unsigned long long)h->shape[0], (unsigned long long)h->shape[1],
                   (unsigned long long)h->shape[2], h->dimensions > 3 ? " ..." : "",
                   first ? "save x[0]" : "pool it or save x.reshape(len(x), -1)");
}

/* Where the header's text starts and ends, from the bytes before it. */
static es_status find_header(const es_map *map, const char *label, size_t *start, size_t *length,
                             es_error *err) {
    const unsigned char *p = map->data;
    if (map->size < 10)
        return es_fail(err, ES_EFORMAT, "%s: the .npy header is cut short: the file has %zu bytes",
                       label, map->size);
    unsigned major = p[6], minor = p[7];
    if (major < 1 || major > 3 || minor != 0)
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: .npy format %u.%u is not known (1.0, 2.0 and 3.0 are)", label, major,
                       minor);
    *start = major == 1 ? 10 : 12;
    if (map->size >= *start) {
        *length = (size_t)p[8] | (size_t)p[9] << 8;
        if (major > 1)
            *length |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
    }
    if (map->size < *start || *length > map->size - *start)
        return es_fail(err, ES_EFORMAT,
                       "%s: the .npy header is cut short: expected %zu bytes, found %zu", label,
                       *start + *length, map->size);
    return ES_OK;
}

static es_status refuse_cube(const header *h, const char *label, es_error *err) {
    if (h->dimensions != 3)
        return es_fail(err, ES_EFORMAT, "%s: is %zu-D, expected 3-D", label, h->dimensions);
    return es_fail(err, ES_EUNSUPPORTED, "%s: is in Fortran order; save np.ascontiguousarray(x)",
                   label);
}

/* `dimensions` are wanted, 1 to 3; all but the last are joined into rows. The map may hold the
 * beginning alone of `total` bytes, with all of the header. */
static es_status parse(const es_map *map, const char *path, size_t dimensions, size_t total,
                       header *h, es_array *out, es_error *err) {
    char label[ES_PATH_LABEL];
    size_t start = 0, length = 0;
    es_array array = {0};
    es_path_label(label, path);
    es_format format = es_format_of(map);
    if (format != ES_FILE_NPY)
        return es_format_refuse(format, path, "an .npy file", err);
    ES_PASS(find_header(map, label, &start, &length, err));
    const char *text = (const char *)map->data;
    cursor c = {text, text + start, text + start + length, label, err};
    ES_PASS(read_header(&c, h));
    if (!find_dtype(h, &array.dtype, &array.big_endian))
        return refuse_dtype(h, label, err);
    bool cube = dimensions == 3;
    if (cube && (h->dimensions != 3 || h->fortran))
        return refuse_cube(h, label, err);
    if (h->dimensions != dimensions)
        return refuse_dimensions(h, label, err);
    uint64_t rows = dimensions > 1 ? h->shape[0] : 1, columns = h->shape[dimensions - 1];
    if (cube) /* what does not fit is more than any file holds */
        rows = h->shape[1] > 0 && rows > UINT32_MAX / h->shape[1] ? UINT64_MAX : rows * h->shape[1];
    es_status st = es_array_check(rows, columns, array.dtype, total - start - length, err);
    if (st != ES_OK) {
        es_error_prefix(err, label);
        return st;
    }
    array.data = map->data + start + length;
    array.n = (size_t)rows;
    array.d = (size_t)columns;
    array.fortran = h->fortran;
    array.watch = map->watch;
    *out = array;
    return ES_OK;
}

es_status es_npy_parse(const es_map *map, const char *path, es_array *out, es_error *err) {
    header h = {0};
    return parse(map, path, 2, map->size, &h, out, err);
}

bool es_npy_holds_objects(const es_map *map) {
    header h = {0};
    es_array array;
    return parse(map, "", 2, map->size, &h, &array, NULL) == ES_EUNSUPPORTED && h.has_descr &&
           !h.structured && memchr(h.descr, 'O', h.descr_length);
}

es_status es_npy_parse_vector(const es_map *map, const char *path, es_array *out, es_error *err) {
    header h = {0};
    es_status st = parse(map, path, 1, map->size, &h, out, err);
    if (st != ES_OK && h.dimensions == 2 && h.shape[0] == 1)
        return es_npy_parse(map, path, out, err);
    if (st != ES_OK && h.dimensions == 2)
        return es_fail(err, st,
                       "%s: is a matrix (%llu x %llu), expected one vector a file; \"file\" in "
                       "pool.json takes a matrix",
                       es_path_shown(path).text, (unsigned long long)h.shape[0],
                       (unsigned long long)h.shape[1]);
    return st;
}

es_status es_npy_parse_cube(const es_map *map, const char *path, size_t shape[3], es_array *out,
                            es_error *err) {
    header h = {0};
    es_status st = parse(map, path, 3, map->size, &h, out, err);
    for (size_t i = 0; i < 3; i++)
        shape[i] = st == ES_OK ? (size_t)h.shape[i] : 0;
    return st;
}

es_status es_npy_parse_head(const es_map *head, size_t total, const char *path, es_array *out,
                            size_t *start, es_error *err) {
    header h = {0};
    es_array array = {0};
    ES_PASS(parse(head, path, 2, total, &h, &array, err));
    *start = (size_t)(array.data - head->data);
    *out = array;
    out->data = NULL;
    out->watch = NULL;
    return ES_OK;
}

es_status es_npy_parse_list(const es_map *map, size_t total, const char *path, es_npy_list *out,
                            es_error *err) {
    char label[ES_PATH_LABEL];
    header h = {0};
    es_npy_list list = {0};
    size_t start = 0, length = 0, width = 0;
    es_path_label(label, path);
    if (es_format_of(map) != ES_FILE_NPY)
        return es_format_refuse(es_format_of(map), path, "an .npy file", err);
    ES_PASS(find_header(map, label, &start, &length, err));
    const char *text = (const char *)map->data;
    cursor c = {text, text + start, text + start + length, label, err};
    ES_PASS(read_header(&c, &h));
    size_t skip = !h.structured && h.descr_length > 0 && is_order(h.descr[0]);
    list.kind = h.structured || h.descr_length <= skip ? '\0' : h.descr[skip];
    for (size_t i = skip + 1; i < h.descr_length && width <= ES_NPY_WIDEST; i++)
        width = h.descr[i] >= '0' && h.descr[i] <= '9' ? width * 10 + (size_t)(h.descr[i] - '0')
                                                       : ES_NPY_WIDEST + 1;
    list.width = list.kind == 'U' ? 4 * width : width;
    bool integer = list.kind == 'i' || list.kind == 'u', real = list.kind == 'f';
    bool line = h.dimensions == 1 || (h.dimensions == 2 && h.shape[1] == 1);
    if (!h.structured && list.kind == 'O')
        return es_fail(err, ES_EUNSUPPORTED, "%s: holds Python objects", label);
    if (!line || !(list.kind == 'U' || list.kind == 'S' || integer || real) ||
        width > ES_NPY_WIDEST || (real && width != 2 && width != 4 && width != 8) ||
        (integer && width != 1 && width != 2 && width != 4 && width != 8))
        return es_fail(err, ES_EUNSUPPORTED, "%s: is not a list of texts or numbers", label);
    size_t bytes = total - start - length;
    if (h.shape[0] > ES_ARRAY_MOST || (list.width > 0 && h.shape[0] > bytes / list.width) ||
        (list.width == 0 && h.shape[0] > total))
        return es_fail(err, ES_EFORMAT, "%s: the data is cut short", label);
    list.data = map->data + start + length;
    list.n = (size_t)h.shape[0];
    list.big_endian = skip && h.descr[0] == '>';
    *out = list;
    return ES_OK;
}

size_t es_npy_rest(const es_map *map, const es_array *array, size_t *arrays) {
    const unsigned char *end = map->data + map->size;
    es_array next = *array;
    size_t left = 0, rest = 0;
    for (*arrays = 0;; ++*arrays) {
        const unsigned char *at = next.data + next.n * next.d * es_dtype_size(next.dtype);
        left = (size_t)(end - at);
        rest = *arrays == 0 ? left : rest;
        const es_map behind = {.data = at, .size = left};
        if (left == 0 || es_npy_parse(&behind, "", &next, NULL) != ES_OK)
            return rest;
    }
}

/* Ids from arrays of texts and numbers. */

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

/* Writes .npy of float32, row by row from doubles, and headers for others. */

enum { HEADER_ALIGN = 64, MAGIC = 10, BLOCK = 1 << 18 /* bytes written at a time */ };

static const char magic[] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};

size_t es_npy_header(char out[ES_NPY_HEADER], const char *type, const char *shape) {
    int text = snprintf(out + MAGIC, ES_NPY_HEADER - MAGIC,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t used = MAGIC + (size_t)text + 1;
    size_t length = (used + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
    memset(out + MAGIC + text, ' ', length - MAGIC - (size_t)text);
    out[length - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[8] = (char)((length - MAGIC) & 0xff);
    out[9] = (char)((length - MAGIC) >> 8);
    return length;
}

static void put_float(double value, char *out) {
    float f = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &f, sizeof bits);
    for (int i = 0; i < 4; i++)
        out[i] = (char)(bits >> (8 * i) & 0xff);
}

es_status es_npy_begin(const char *path, size_t n, size_t d, unsigned mode, es_npy_writer *out,
                       es_error *err) {
    char text[ES_NPY_HEADER], shape[64];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
    size_t start = es_npy_header(text, "<f4", shape);
    if (d > 0 && n > (SIZE_MAX - start) / 4 / d)
        return es_fail(err, ES_EINVAL, "%s: too large", es_path_shown(path).text);
    es_npy_writer w = {.d = d, .bytes = es_alloc(BLOCK, 1)};
    if (!w.bytes)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_shown(path).text);
    es_status st = es_replacing_begin(path, mode, &w.file, err);
    if (st == ES_OK)
        st = es_replacing_add(&w.file, text, start, err);
    if (st == ES_OK)
        *out = w;
    else
        es_npy_drop(&w);
    return st;
}

es_status es_npy_add(es_npy_writer *w, const double *values, size_t rows, es_error *err) {
    size_t count = rows * w->d, used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite((float)values[i]))
            return es_fail(err, ES_ENONFINITE,
                           "%s: row %zu, column %zu does not fit single precision",
                           es_path_shown(w->file.path).text, w->rows + i / w->d, i % w->d);
        put_float(values[i], w->bytes + used);
        used += 4;
        if (used < BLOCK && i + 1 < count)
            continue;
        ES_PASS(es_replacing_add(&w->file, w->bytes, used, err));
        used = 0;
    }
    w->rows += rows;
    return ES_OK;
}

es_status es_npy_end(es_npy_writer *w, es_error *err) {
    es_status st = es_replacing_end(&w->file, err);
    es_npy_drop(w);
    return st;
}

void es_npy_drop(es_npy_writer *w) {
    es_replacing_drop(&w->file);
    es_free(w->bytes);
    *w = (es_npy_writer){0};
}

es_status es_npy_write(const char *path, const double *values, size_t n, size_t d, unsigned mode,
                       es_error *err) {
    es_npy_writer w;
    ES_PASS(es_npy_begin(path, n, d, mode, &w, err));
    es_status st = es_npy_add(&w, values, n, err);
    if (st == ES_OK)
        return es_npy_end(&w, err);
    es_npy_drop(&w);
    return st;
}
