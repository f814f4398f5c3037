/* Writes .npz: stored members, then the directory (APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16).
 */
#include "io_readers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { NEEDS = 20, DAY = 0x21 /* the first that zip knows: 1 January 1980 */ };
#define LARGEST 0xffffffffU

static void put_number(es_buf *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        es_buf_putc(out, (char)(value >> (8 * i) & 0xff));
}

/* What a member's own header and its line in the directory share. */
static void put_about(es_buf *out, const es_npz_member *m) {
    put_number(out, NEEDS, 2);
    put_number(out, 0, 2); /* no flags */
    put_number(out, 0, 2); /* stored */
    put_number(out, 0, 2); /* midnight */
    put_number(out, DAY, 2);
    put_number(out, m->crc, 4);
    put_number(out, m->size, 4);
    put_number(out, m->size, 4);
    put_number(out, strlen(m->name), 2);
    put_number(out, 0, 2);
}

enum { CRC_AT = 14, SIZE_AT = 18, HEADER = 30 /* of a member, before its name */ };

/* A member begins with its array's header; its sizes are known when it ends. */
static void begin_member(es_npz *npz, const char *name, const char *type, const char *shape) {
    char header[ES_NPY_HEADER];
    assert(npz->count < ES_NPZ_MEMBERS);
    es_npz_member *m = &npz->member[npz->count];
    *m = (es_npz_member){.offset = (uint32_t)npz->out->length};
    (void)snprintf(m->name, sizeof m->name, "%s.npy", name);
    put_number(npz->out, 0x04034b50, 4);
    put_about(npz->out, m);
    es_buf_puts(npz->out, m->name);
    es_buf_add(npz->out, header, es_npy_header(header, type, shape));
}

static void end_member(es_npz *npz) {
    es_npz_member *m = &npz->member[npz->count++];
    es_buf *out = npz->out;
    if (out->failed || out->length > LARGEST)
        return;
    char *at = out->data + m->offset, *bytes = at + HEADER + strlen(m->name);
    m->size = (uint32_t)(out->length - (size_t)(bytes - out->data));
    m->crc = (uint32_t)crc32(crc32(0, NULL, 0), (const unsigned char *)bytes, m->size);
    for (int i = 0; i < 4; i++) {
        at[CRC_AT + i] = (char)(m->crc >> (8 * i) & 0xff);
        at[SIZE_AT + i] = at[SIZE_AT + 4 + i] = (char)(m->size >> (8 * i) & 0xff);
    }
}

void es_npz_put_doubles(es_npz *npz, const char *name, const double *values, size_t n, size_t d) {
    char shape[48];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
    begin_member(npz, name, "<f8", shape);
    for (size_t i = 0; i < n * d; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &values[i], sizeof bits);
        put_number(npz->out, bits, 8);
    }
    end_member(npz);
}

/* Characters of a text; where `out`, they go there, filled up with zeros to `width`. */
static size_t put_text(es_buf *out, const char *text, size_t width) {
    size_t length = strlen(text), count = 0;
    for (size_t i = 0; i < length; count++) {
        uint32_t code = 0;
        i += es_utf8_decode(text + i, length - i, &code);
        if (out)
            put_number(out, code, 4);
    }
    for (size_t k = count; out && k < width; k++)
        put_number(out, 0, 4);
    return count;
}

void es_npz_put_texts(es_npz *npz, const char *name, const char *const *texts, size_t n) {
    char type[24], shape[24];
    size_t width = 1;
    for (size_t i = 0; i < n; i++) {
        size_t own = put_text(NULL, texts[i], 0);
        width = own > width ? own : width;
    }
    (void)snprintf(type, sizeof type, "<U%zu", width);
    (void)snprintf(shape, sizeof shape, "%zu,", n);
    begin_member(npz, name, type, shape);
    for (size_t i = 0; i < n; i++)
        (void)put_text(npz->out, texts[i], width);
    end_member(npz);
}

es_status es_npz_end(es_npz *npz, es_error *err) {
    es_buf *out = npz->out;
    size_t start = out->length;
    for (size_t i = 0; i < npz->count; i++) {
        const es_npz_member *m = &npz->member[i];
        put_number(out, 0x02014b50, 4);
        put_number(out, NEEDS, 2);
        put_about(out, m);
        put_number(out, 0, 2); /* no comment */
        put_number(out, 0, 2); /* on the first disk */
        put_number(out, 0, 2); /* bytes */
        put_number(out, 0, 4); /* no attributes */
        put_number(out, m->offset, 4);
        es_buf_puts(out, m->name);
    }
    size_t end = out->length;
    put_number(out, 0x06054b50, 4);
    put_number(out, 0, 4); /* one disk */
    put_number(out, npz->count, 2);
    put_number(out, npz->count, 2);
    put_number(out, end - start, 4);
    put_number(out, start, 4);
    put_number(out, 0, 2);
    if (out->length > LARGEST)
        return es_fail(err, ES_EINVAL, "a zip file holds 4 GB, the arrays are larger");
    return es_buf_check(out, err);
}
