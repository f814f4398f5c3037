/* Linear maps of derived embedders as files: what `derive` fitted, so that new rows take the same
 * way. Shapes are held against each other before anything is believed. */
#include "io_readers.h"

#include <ctype.h>
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
    return es_fail(err, ES_EFORMAT, "%s: %s", es_path_shown(r->path).text, what);
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

/* Goes through brackets, strings and commas and reads no number: a file that is no JSON has none of
 * these forms, or is refused by whoever converts it. */

enum { START = 1 << 20, DEPTH_MOST = 64 };
enum { BY_ID_LEAST = 3 }; /* settings have two lists of one length now and then */

typedef struct walk {
    const unsigned char *at, *end;
    char open[DEPTH_MOST]; /* the brackets around, '[' or '{' */
    size_t depth;
    bool numbers; /* the innermost bracket is a list of nothing but numbers so far */
    size_t count; /* of them */
} walk;

static void skip_space(walk *w) {
    while (w->at < w->end && isspace(*w->at))
        w->at++;
}

/* False: it does not end. */
static bool skip_text(walk *w) {
    size_t left = (size_t)(w->end - w->at), i = 1;
    while (i < left && w->at[i] != '"')
        i += w->at[i] == '\\' ? 2 : 1;
    w->at += i < left ? i + 1 : left;
    return i < left;
}

/* A number, null or NaN: what may stand in a vector. */
static bool skip_number(walk *w) {
    const unsigned char *from = w->at;
    while (w->at < w->end && (isalnum(*w->at) || *w->at == '+' || *w->at == '-' || *w->at == '.'))
        w->at++;
    return isdigit(*from) || *from == '-' || *from == 'n' || *from == 'N';
}

/* On to the end of the next vector: its length and how deep it lies; 0: there is none. */
static size_t next_vector(walk *w, size_t *depth) {
    while (w->at < w->end) {
        unsigned char c = *w->at;
        if (c == '[' || c == '{') {
            if (w->depth == DEPTH_MOST)
                return 0;
            w->open[w->depth++] = (char)c;
            w->numbers = c == '[';
            w->count = 0;
        } else if (c == ']' || c == '}') {
            if (w->depth == 0 || w->open[w->depth - 1] != (c == ']' ? '[' : '{'))
                return 0;
            bool vector = w->numbers && w->count > 1;
            *depth = w->depth--;
            w->numbers = false;
            if (vector) {
                w->at++;
                return w->count;
            }
        } else if (c == '"') {
            w->numbers = false;
            if (!skip_text(w))
                return 0;
            continue;
        } else if (isalnum(c) || c == '-') {
            bool number = skip_number(w);
            w->numbers = w->numbers && number;
            w->count++;
            continue;
        } else if (!isspace(c) && c != ',' && c != ':') {
            return 0;
        }
        w->at++;
    }
    return 0;
}

/* "[[1": as many brackets and a number, however long the row is. */
static bool begins_with_row(walk w) {
    for (size_t i = 0; i < 2; i++) {
        skip_space(&w);
        if (w.at == w.end || *w.at++ != '[')
            return false;
    }
    skip_space(&w);
    return w.at < w.end && (isdigit(*w.at) || *w.at == '-');
}

/* The documents of this program name it first; {"at": i, "of": n} and the like hold no vector. */
static bool is_own(const walk *start) {
    static const char first[] = "\"embedscope\"";
    walk w = *start;
    w.at++;
    skip_space(&w);
    return *start->at == '{' && (size_t)(w.end - w.at) > sizeof first &&
           memcmp(w.at, first, sizeof first - 1) == 0;
}

es_json_rows es_json_rows_of(const es_map *map) {
    walk w = {.at = map->data, .end = map->data + (map->size < START ? map->size : START)};
    size_t length = 0, depth = 0, same = 0;
    skip_space(&w);
    if (w.at == w.end || is_own(&w))
        return ES_JSON_NO_ROWS;
    if (begins_with_row(w))
        return ES_JSON_LIST_OF_ROWS;
    bool object = *w.at == '{', by_id = false;
    while (same < (by_id ? BY_ID_LEAST : 2)) {
        size_t next_depth = 0, next = next_vector(&w, &next_depth);
        if (next == 0)
            return ES_JSON_NO_ROWS;
        same = next == length && next_depth == depth ? same + 1 : 1;
        length = next;
        depth = next_depth;
        by_id = object && depth == 2;
    }
    return by_id                                                ? ES_JSON_BY_ID
           : depth == 3 && w.open[0] == '[' && w.open[1] == '{' ? ES_JSON_OBJECTS
                                                                : ES_JSON_OTHER_ROWS;
}
