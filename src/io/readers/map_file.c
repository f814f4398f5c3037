/* Linear maps of derived embedders as files: what `derive` fitted, so that new rows take the same
 * way. Shapes are held against each other before anything is believed. */
#include "io_readers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char format[] = "embedscope-map-1";
static const char about[] =
    "y = (x - mean) axes^T, or the first columns of x, without axes; stored in `bits` bits: 8 and "
    "4: centre + (clip(floor((y - centre) / step)) + 1/2) step; 1: 1 above centre, else -1";
enum { NOTES = 6, TENSORS = 3, MOST = 1 << 20, NOTE_MOST = 32 };

es_status es_map_file_write(const char *path, const es_derive_map *map, const char *source,
                            es_error *err) {
    es_tensor_out tensors[TENSORS];
    char k[NOTE_MOST], bits[NOTE_MOST], columns[NOTE_MOST];
    size_t count = 0;
    (void)snprintf(k, sizeof k, "%zu", map->out);
    (void)snprintf(bits, sizeof bits, "%u", map->how.bits);
    (void)snprintf(columns, sizeof columns, "%zu", map->d);
    const es_tensor_note notes[NOTES] = {{"format", format}, {"about", about},
                                         {"source", source}, {"columns", k},
                                         {"bits", bits},     {"input_columns", columns}};
    if (map->mean)
        tensors[count++] = (es_tensor_out){"mean", NULL, map->mean, 1, map->d};
    if (map->how.kind == ES_DERIVE_PCA)
        tensors[count++] = (es_tensor_out){"axes", NULL, map->pca.axis, map->out, map->d};
    if (map->how.bits > 0) /* centre and step lie behind each other */
        tensors[count++] =
            (es_tensor_out){"levels", NULL, map->quantiser.centre, 2, map->quantiser.d};
    return es_safetensors_write(path, tensors, count, notes, NOTES, err);
}

typedef struct reader {
    const char *path;
    es_json_doc *doc;
    es_json_value notes;
    es_tensors tensors;
} reader;

static es_status bad(const reader *r, const char *what, es_error *err) {
    char label[ES_PATH_LABEL];
    return es_fail(err, ES_EFORMAT, "%s: %s", es_path_label(label, r->path), what);
}

static es_status read_count(const reader *r, const char *key, size_t *out, es_error *err) {
    const char *text = NULL;
    double value = 0;
    ES_PASS(es_json_get_text(&r->notes, key, ES_JSON_REQUIRED, &text, err));
    if (!es_text_parse_double(text, strlen(text), &value) || !(value >= 0 && value <= MOST) ||
        value != floor(value))
        return bad(r, "a count in its metadata is none", err);
    *out = (size_t)value;
    return ES_OK;
}

/* A tensor of this shape with finite values, into out; *there: whether it exists. */
static es_status read_tensor(const reader *r, const char *name, size_t rows, size_t columns,
                             double **out, es_error *err) {
    for (size_t i = 0; i < r->tensors.count; i++) {
        const es_tensor *t = &r->tensors.items[i];
        if (t->skipped || strcmp(t->name, name) != 0)
            continue;
        if (t->array.n != rows || t->array.d != columns)
            return bad(r, "a tensor has another shape than its metadata say", err);
        *out = es_alloc_aligned(rows * columns, sizeof **out);
        if (!*out)
            return es_no_memory_for(err, "%zu columns", columns);
        es_array_read_range(&t->array, 0, rows, *out);
        for (size_t k = 0; k < rows * columns; k++)
            if (!isfinite((*out)[k]))
                return bad(r, "a tensor has values that are not finite", err);
        return ES_OK;
    }
    return ES_OK;
}

static es_status read_map(const reader *r, es_derive_map *map, es_error *err) {
    size_t bits = 0;
    double *levels = NULL;
    es_status st = ES_OK;
    ES_TRY(read_count(r, "columns", &map->out, err));
    ES_TRY(read_count(r, "input_columns", &map->d, err));
    ES_TRY(read_count(r, "bits", &bits, err));
    ES_FAIL_IF(map->out == 0 || map->out > map->d || es_derive_storage((unsigned)bits) == NULL,
               bad(r, "its metadata contradict each other", err));
    ES_TRY(read_tensor(r, "mean", 1, map->d, &map->mean, err));
    ES_TRY(read_tensor(r, "axes", map->out, map->d, &map->pca.axis, err));
    ES_TRY(read_tensor(r, "levels", 2, map->out, &levels, err));
    map->how = (es_derive){.kind = map->pca.axis ? ES_DERIVE_PCA : ES_DERIVE_FIRST,
                           .k = map->out,
                           .bits = (unsigned)bits};
    map->pca.d = map->d;
    map->pca.axes = map->pca.rank = map->pca.axis ? map->out : 0;
    if (bits == 0)
        goto done;
    ES_FAIL_IF(!levels, bad(r, "it has no tensor levels", err));
    ES_TRY(es_quantiser_new((unsigned)bits, map->out, &map->quantiser, err));
    memcpy(map->quantiser.centre, levels, 2 * map->out * sizeof *levels);
done:
    es_free(levels);
    return st;
}

es_status es_map_file_read(const char *path, es_derive_map *out, bool *is_map, es_error *err) {
    reader r = {.path = path};
    es_map file = {0};
    es_derive_map map = {0};
    const char *said = NULL;
    es_status st = ES_OK;
    *is_map = false;
    ES_TRY(es_map_open(path, 0, &file, err));
    ES_TRY(es_safetensors_header(&file, path, &r.doc, err));
    es_json_value root = es_json_root(r.doc);
    ES_TRY(es_json_get(&root, "__metadata__", ES_JSON_OBJECT, ES_JSON_OPTIONAL, &r.notes, err));
    if (r.notes.node)
        ES_TRY(es_json_get_text(&r.notes, "format", ES_JSON_OPTIONAL, &said, err));
    if (!said || strcmp(said, format) != 0)
        goto done;
    *is_map = true;
    ES_TRY(es_safetensors_parse(&file, path, &r.tensors, err));
    ES_TRY(read_map(&r, &map, err));
    ES_TRY(es_map_check(&file, path, err));
    *out = map;
    map = (es_derive_map){0};
done:
    es_derive_map_free(&map);
    es_tensors_deinit(&r.tensors);
    es_json_free(r.doc);
    es_map_close(&file);
    return st;
}
