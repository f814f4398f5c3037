/* Writes .safetensors: the header is made first, since it says where every tensor lies. */
#include "io_readers.h"

#include <string.h>

static size_t size_of(const es_tensor_out *t) {
    return t->rows * t->columns * (t->floats ? sizeof(float) : sizeof(double));
}

static void put_header(const es_tensor_out *tensors, size_t count, const es_tensor_note *notes,
                       size_t n_notes, es_buf *out) {
    es_json json;
    uint64_t at = 0;
    es_json_init(&json, out, 0);
    es_json_begin_object(&json, NULL);
    es_json_begin_object(&json, "__metadata__");
    for (size_t i = 0; i < n_notes; i++)
        es_json_text(&json, notes[i].key, notes[i].text);
    es_json_end(&json);
    for (size_t i = 0; i < count; i++) {
        const es_tensor_out *t = &tensors[i];
        es_json_begin_object(&json, t->name);
        es_json_text(&json, "dtype", t->floats ? "F32" : "F64");
        es_json_begin_array(&json, "shape");
        es_json_uint(&json, NULL, t->rows);
        es_json_uint(&json, NULL, t->columns);
        es_json_end(&json);
        es_json_begin_array(&json, "data_offsets");
        es_json_uint(&json, NULL, at);
        es_json_uint(&json, NULL, at += size_of(t));
        es_json_end(&json);
        es_json_end(&json);
    }
    es_json_end(&json);
    /* Values lie aligned in a mapped file. Counted first: a buffer out of memory never gets longer.
     */
    for (size_t pad = (8 - out->length % 8) % 8; pad > 0; pad--)
        es_buf_putc(out, ' ');
}

/* Little-endian, whatever the host. */
static void put_values(const es_tensor_out *t, es_buf *out) {
    size_t size = t->floats ? sizeof(float) : sizeof(double);
    const char *bytes = t->floats ? (const char *)t->floats : (const char *)t->doubles;
    if (!es_host_is_big_endian()) {
        es_buf_add(out, bytes, size_of(t));
        return;
    }
    for (size_t i = 0; i < size_of(t); i += size)
        for (size_t k = size; k-- > 0;)
            es_buf_putc(out, bytes[i + k]);
}

es_status es_safetensors_write(const char *path, const es_tensor_out *tensors, size_t count,
                               const es_tensor_note *notes, size_t n_notes, es_error *err) {
    es_buf header = {0}, file = {0};
    put_header(tensors, count, notes, n_notes, &header);
    for (int i = 0; i < 8; i++)
        es_buf_putc(&file, (char)((uint64_t)header.length >> (8 * i) & 0xff));
    if (header.data)
        es_buf_add(&file, header.data, header.length);
    for (size_t i = 0; i < count; i++)
        put_values(&tensors[i], &file);
    es_status st = es_buf_check(&header, err);
    if (st == ES_OK)
        st = es_buf_check(&file, err);
    if (st == ES_OK)
        st = es_file_replace(path, file.data, file.length, 0600, err);
    es_buf_free(&header);
    es_buf_free(&file);
    return st;
}
