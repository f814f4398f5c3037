/* Writes .npy of float32, row by row from doubles, and headers for others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io.h"

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
    char label[ES_PATH_LABEL], header[ES_NPY_HEADER], shape[64];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
    size_t start = es_npy_header(header, "<f4", shape);
    if (d > 0 && n > (SIZE_MAX - start) / 4 / d)
        return es_fail(err, ES_EINVAL, "%s: too large", es_path_label(label, path));
    es_npy_writer w = {.d = d, .bytes = es_alloc(BLOCK, 1)};
    if (!w.bytes)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_label(label, path));
    es_status st = es_replacing_begin(path, mode, &w.file, err);
    if (st == ES_OK)
        st = es_replacing_add(&w.file, header, start, err);
    if (st == ES_OK)
        *out = w;
    else
        es_npy_drop(&w);
    return st;
}

es_status es_npy_add(es_npy_writer *w, const double *values, size_t rows, es_error *err) {
    char label[ES_PATH_LABEL];
    size_t count = rows * w->d, used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite((float)values[i]))
            return es_fail(err, ES_ENONFINITE,
                           "%s: row %zu, column %zu does not fit single precision",
                           es_path_label(label, w->file.path), w->rows + i / w->d, i % w->d);
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
