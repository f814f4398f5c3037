/* Writes .npy of float32, row by row from doubles, and headers for others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "npy.h"

enum { HEADER_ALIGN = 64, MAGIC = 10 };

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

es_status es_npy_write(const char *path, const double *values, size_t n, size_t d, es_error *err) {
    char label[ES_PATH_LABEL], header[ES_NPY_HEADER], shape[64];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
    size_t start = es_npy_header(header, "<f4", shape);
    if (d > 0 && n > (SIZE_MAX - start) / 4 / d)
        return es_fail(err, ES_EINVAL, "%s: too large", es_path_label(label, path));
    char *bytes = es_alloc(start + 4 * n * d, 1);
    if (!bytes)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_label(label, path));
    es_status st = ES_OK;
    memcpy(bytes, header, start);
    for (size_t i = 0; i < n * d && st == ES_OK; i++) {
        if (!isfinite((float)values[i]))
            st =
                es_fail(err, ES_ENONFINITE, "%s: row %zu, column %zu does not fit single precision",
                        es_path_label(label, path), i / d, i % d);
        put_float(values[i], bytes + start + 4 * i);
    }
    if (st == ES_OK)
        st = es_file_replace(path, bytes, start + 4 * n * d, 0600, err);
    es_free(bytes);
    return st;
}
