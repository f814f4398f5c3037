/* Reads .safetensors: the header is JSON, and every tensor must lie inside the file, apart from
 * the others. */
#include "io_readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER = 100000000 }; /* bytes; the same limit as the format's own library */

void es_named_lists_free(es_named_list *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        es_free(list[i].name);
        es_row_ids_free(list[i].ids);
    }
    es_free(list);
}

void es_tensors_deinit(es_tensors *tensors) {
    for (size_t i = 0; tensors->items && i < tensors->count; i++) {
        es_free(tensors->items[i].name);
        es_free(tensors->items[i].skipped);
        es_array_deinit(&tensors->items[i].array);
        es_row_ids_free(tensors->items[i].ids);
        es_map_close(&tensors->items[i].map);
    }
    es_named_lists_free(tensors->maybe, tensors->n_maybe);
    es_named_lists_free(tensors->label, tensors->n_labels);
    es_free(tensors->items);
    es_free(tensors->note);
    es_row_ids_free(tensors->ids);
    memset(tensors, 0, sizeof *tensors);
}

static bool has_matrix_of(const es_tensors *tensors, size_t rows) {
    for (size_t i = 0; i < tensors->count; i++) {
        const es_tensor *t = &tensors->items[i];
        if (!t->skipped && t->array.n == rows && t->array.d > 1)
            return true;
    }
    return false;
}

/* Do they tell the rows apart, none without an id? */
static es_status name_all(es_row_ids *ids, bool *out, es_error *err) {
    size_t length = 1, from;
    for (size_t i = 0; i < ids->n && length > 0; i++)
        (void)es_row_ids_get(ids, i, &length);
    *out = length > 0;
    ids->counted = *out && es_row_ids_counts(ids, &from);
    return *out ? es_row_ids_apart(ids, out, err) : ES_OK;
}

es_status es_tensors_add_maybe(es_tensors *tensors, const char *name, bool column, es_row_ids *ids,
                               bool *added, es_error *err) {
    es_status st = ES_OK;
    *added = ids->n > 1 && has_matrix_of(tensors, ids->n);
    if (*added)
        st = name_all(ids, added, err);
    if (st != ES_OK || !*added)
        return st;
    es_named_list one = {.column = column};
    one.name = name ? es_text_clean(name, strlen(name), 0) : NULL;
    one.ids = es_alloc_zero(1, sizeof *one.ids);
    es_named_list *list = es_realloc(tensors->maybe, tensors->n_maybe + 1, sizeof *tensors->maybe);
    if (list)
        tensors->maybe = list;
    if (!list || !one.ids || (name && !one.name)) {
        es_free(one.name);
        es_free(one.ids);
        return es_no_memory(err);
    }
    *one.ids = *ids;
    *ids = (es_row_ids){0};
    list[tensors->n_maybe++] = one;
    return ES_OK;
}

void es_tensors_drop(es_tensors *tensors, size_t place) {
    es_tensor *own = &tensors->items[place];
    es_free(own->name);
    es_free(own->skipped);
    memmove(own, own + 1, (tensors->count - place - 1) * sizeof *own);
    tensors->count--;
}

void es_tensors_take_column(es_tensors *tensors) {
    if (tensors->n_maybe == 0 || !tensors->maybe[0].column)
        return;
    es_tensor *only = &tensors->items[0];
    only->ids = tensors->maybe[0].ids;
    only->array.d--;
    tensors->maybe[0].ids = NULL;
    es_free(tensors->maybe[0].name);
    tensors->n_maybe = 0;
}

static es_status give_ids(const es_row_ids *ids, es_tensor *tensor, es_error *err) {
    es_row_ids *own = es_alloc_zero(1, sizeof *own);
    es_status st = own ? es_row_ids_add_all(own, ids, 0, err) : es_no_memory(err);
    if (st == ES_OK)
        tensor->ids = own;
    else
        es_row_ids_free(own);
    return st;
}

es_status es_tensors_share_ids(es_tensors *tensors, es_row_ids *ids, es_error *err) {
    bool used = false;
    es_status st = ES_OK;
    for (size_t i = 0; i < tensors->count && st == ES_OK; i++) {
        es_tensor *t = &tensors->items[i];
        if (t->skipped || t->array.n != ids->n)
            continue;
        used = true;
        st = give_ids(ids, t, err);
    }
    if (st == ES_OK && !used) {
        tensors->ids = es_alloc_zero(1, sizeof *tensors->ids);
        if (!tensors->ids)
            return es_no_memory(err);
        *tensors->ids = *ids;
        *ids = (es_row_ids){0};
    }
    return st;
}

/* What the header says of one tensor. */
typedef struct entry {
    const char *name, *dtype;
    size_t dimensions;
    uint64_t shape[2];   /* the first two */
    uint64_t begin, end; /* within the data */
    uint64_t elements;   /* UINT64_MAX when they overflow */
} entry;

static bool find_dtype(const char *name, es_dtype *dtype) {
    static const struct {
        const char *name;
        es_dtype dtype;
    } known[] = {
        {"F32", ES_DTYPE_F32},   {"F16", ES_DTYPE_F16}, {"BF16", ES_DTYPE_BF16},
        {"F64", ES_DTYPE_F64},   {"I8", ES_DTYPE_I8},   {"I16", ES_DTYPE_I16},
        {"I32", ES_DTYPE_I32},   {"I64", ES_DTYPE_I64}, {"U8", ES_DTYPE_U8},
        {"U16", ES_DTYPE_U16},   {"U32", ES_DTYPE_U32}, {"U64", ES_DTYPE_U64},
        {"BOOL", ES_DTYPE_BOOL},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *dtype = known[i].dtype;
            return true;
        }
    return false;
}

static es_status read_shape(const es_json_value *tensor, entry *e, es_error *err) {
    es_json_value shape = {0};
    es_status st = es_json_get(tensor, "shape", ES_JSON_ARRAY, ES_JSON_REQUIRED, &shape, err);
    e->elements = 1;
    for (es_json_value v = es_json_first(&shape); st == ES_OK && v.node; v = es_json_next(&v)) {
        uint64_t length = 0;
        st = es_json_as_size(&v, &length, err);
        if (e->dimensions < 2)
            e->shape[e->dimensions] = length;
        e->dimensions++;
        if (length != 0 && e->elements > UINT64_MAX / length)
            e->elements = UINT64_MAX;
        else
            e->elements *= length;
    }
    return st;
}

static es_status read_entry(const es_json_value *tensor, size_t data_size, entry *e,
                            es_error *err) {
    es_json_value offsets = {0};
    e->name = es_json_key_of(tensor);
    ES_PASS(es_json_get_text(tensor, "dtype", ES_JSON_REQUIRED, &e->dtype, err));
    ES_PASS(read_shape(tensor, e, err));
    ES_PASS(es_json_get(tensor, "data_offsets", ES_JSON_ARRAY, ES_JSON_REQUIRED, &offsets, err));
    if (es_json_count(&offsets) != 2)
        return es_json_complain(&offsets, "expected two numbers, begin and end", err);
    es_json_value begin = es_json_first(&offsets), end = es_json_next(&begin);
    es_status st = es_json_as_size(&begin, &e->begin, err);
    if (st == ES_OK)
        st = es_json_as_size(&end, &e->end, err);
    if (st == ES_OK && e->begin > e->end)
        st = es_json_complain(&offsets, "the end is before the start", err);
    if (st == ES_OK && e->end > data_size) {
        char what[120];
        (void)snprintf(what, sizeof what, "ends at byte %llu of the data, found %zu: cut short?",
                       (unsigned long long)e->end, data_size);
        st = es_json_complain(&offsets, what, err);
    }
    return st;
}

/* Why the tensor cannot be an embedder; "" when it can. *array gets type and shape. */
static void judge(const entry *e, es_array *array, char *why, size_t capacity) {
    why[0] = '\0';
    if (!find_dtype(e->dtype, &array->dtype))
        (void)snprintf(why, capacity, "its dtype %.20s is not read; save it as F32", e->dtype);
    else if (e->dimensions != 2)
        (void)snprintf(why, capacity, "it is %zu-D, expected 2-D (rows, columns)", e->dimensions);
    else if (e->elements == 0)
        (void)snprintf(why, capacity, "it holds no values");
    else if (e->shape[0] > ES_ARRAY_MOST || e->shape[1] > ES_ARRAY_MOST)
        (void)snprintf(why, capacity, "it has more than %zu rows or columns", ES_ARRAY_MOST);
}

static es_status make_tensor(const es_json_value *value, const entry *e, const unsigned char *data,
                             es_tensor *out, es_error *err) {
    char why[120], what[120];
    es_array array = {0};
    judge(e, &array, why, sizeof why);
    uint64_t bytes = e->end - e->begin;
    size_t size = es_dtype_size(array.dtype);
    if (find_dtype(e->dtype, &array.dtype) && (bytes % size != 0 || bytes / size != e->elements)) {
        (void)snprintf(what, sizeof what, "its shape needs %.0f bytes, its offsets span %llu",
                       (double)e->elements * (double)size, (unsigned long long)bytes);
        return es_json_complain(value, what, err);
    }
    out->name = es_text_clean(e->name, strlen(e->name), 0);
    if (*why)
        out->skipped = es_text_clean(why, strlen(why), 0);
    if (!out->name || (*why && !out->skipped))
        return es_no_memory(err);
    if (*why)
        return ES_OK;
    array.data = data + e->begin;
    array.n = (size_t)e->shape[0];
    array.d = (size_t)e->shape[1];
    out->array = array;
    return ES_OK;
}

/* Numbers as ids may be: such a file holds no texts. */
static bool is_list(const entry *e, es_npy_list *out) {
    es_dtype dtype;
    bool line = e->dimensions == 1 || (e->dimensions == 2 && e->shape[1] == 1);
    if (!line || !find_dtype(e->dtype, &dtype) || dtype == ES_DTYPE_BOOL ||
        dtype == ES_DTYPE_BF16 || e->shape[0] > ES_ARRAY_MOST)
        return false;
    *out = (es_npy_list){.n = (size_t)e->shape[0],
                         .width = es_dtype_size(dtype),
                         .kind = e->dtype[0] == 'I'   ? 'i'
                                 : e->dtype[0] == 'U' ? 'u'
                                                      : 'f'};
    return true;
}

static size_t matrices_of(const es_tensors *tensors, size_t rows, size_t but) {
    size_t count = 0;
    for (size_t i = 0; i < tensors->count; i++)
        count += i != but && !tensors->items[i].skipped && tensors->items[i].array.n == rows;
    return count;
}

/* Offers whole numbers under any name that tell the rows of a matrix apart to the pool. */
static es_status offer_lists(const entry *entries, const unsigned char *data, es_tensors *tensors,
                             es_error *err) {
    es_status st = ES_OK;
    for (size_t i = tensors->count; i-- > 0 && st == ES_OK;) {
        es_npy_list list = {0};
        es_row_ids ids = {0};
        bool added = false;
        if (!is_list(&entries[i], &list) || list.kind == 'f' ||
            matrices_of(tensors, list.n, i) == 0)
            continue;
        list.data = data + entries[i].begin;
        st = es_npy_list_ids(&list, &ids, err);
        if (st == ES_OK)
            st = es_tensors_add_maybe(tensors, entries[i].name, false, &ids, &added, err);
        if (st == ES_OK && added)
            es_tensors_drop(tensors, i);
        es_row_ids_deinit(&ids);
    }
    return st;
}

/* Taken from among the tensors where there is a matrix beside them, and the file's notes have no
 * ids. */
static es_status take_ids(const entry *entries, const unsigned char *data, es_tensors *tensors,
                          es_error *err) {
    es_npy_list list = {0};
    es_row_ids ids = {0};
    size_t place = SIZE_MAX, matrices = 0;
    for (size_t i = 0; i < tensors->count; i++) {
        bool found = strcmp(entries[i].name, "ids") == 0 && is_list(&entries[i], &list);
        place = found ? i : place;
        if (found)
            list.data = data + entries[i].begin;
        matrices += !found && !tensors->items[i].skipped;
    }
    if (place == SIZE_MAX)
        return offer_lists(entries, data, tensors, err);
    if (matrices == 0)
        return ES_OK;
    ES_PASS(es_npy_list_ids(&list, &ids, err));
    es_tensors_drop(tensors, place);
    tensors->ids = es_alloc_zero(1, sizeof *tensors->ids);
    if (!tensors->ids) {
        es_row_ids_deinit(&ids);
        return es_no_memory(err);
    }
    *tensors->ids = ids;
    return ES_OK;
}

static int compare_names(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int compare_offsets(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* No name twice, no byte in two tensors. Reorders the entries. */
static es_status check_entries(entry *entries, size_t count, const char *label, es_error *err) {
    qsort(entries, count, sizeof *entries, compare_names);
    for (size_t i = 1; i < count; i++)
        if (strcmp(entries[i - 1].name, entries[i].name) == 0)
            return es_fail(err, ES_EFORMAT, "%s: tensor '%.100s' is in the header twice", label,
                           entries[i].name);
    qsort(entries, count, sizeof *entries, compare_offsets);
    for (size_t i = 1; i < count; i++)
        if (entries[i].begin < entries[i - 1].end && entries[i].begin < entries[i].end)
            return es_fail(err, ES_EFORMAT, "%s: the data of tensors '%.100s' and '%.100s' overlap",
                           label, entries[i - 1].name, entries[i].name);
    return ES_OK;
}

/* Are all tensors vectors of one length and type, one after the other without a gap? */
static bool are_rows(const entry *entries, size_t count, es_dtype *dtype, uint64_t *length) {
    bool same = count > 1 && find_dtype(entries[0].dtype, dtype);
    for (size_t i = 0; i < count && same; i++) {
        const entry *e = &entries[i];
        bool row = e->dimensions == 1 || (e->dimensions == 2 && e->shape[0] == 1);
        *length = i == 0 ? e->elements : *length;
        same = row && e->elements == *length && strcmp(e->dtype, entries[0].dtype) == 0 &&
               (i == 0 || e->begin == entries[i - 1].end);
    }
    return same && *length > 0 && *length <= ES_ARRAY_MOST && count <= ES_ARRAY_MOST;
}

/* A file of vectors, sorted by their places: one matrix where it lies, with their names as ids. */
static es_status join_rows(const entry *entries, const unsigned char *data, es_tensors *tensors,
                           es_error *err) {
    es_dtype dtype = ES_DTYPE_F32;
    uint64_t length = 0;
    size_t n = tensors->count;
    if (!are_rows(entries, n, &dtype, &length))
        return ES_OK;
    es_tensors joined = {.items = es_alloc_zero(1, sizeof *joined.items), .count = 1};
    es_row_ids *ids = es_alloc_zero(1, sizeof *ids);
    es_status st = joined.items && ids ? ES_OK : es_no_memory(err);
    for (size_t i = 0; i < n && st == ES_OK; i++)
        st = es_row_ids_push(ids, entries[i].name, strlen(entries[i].name), err);
    joined.ids = ids;
    if (st != ES_OK) {
        es_tensors_deinit(&joined);
        return st;
    }
    joined.items->array =
        (es_array){.data = data + entries[0].begin, .n = n, .d = (size_t)length, .dtype = dtype};
    es_tensors_deinit(tensors);
    *tensors = joined;
    return ES_OK;
}

static es_status read_tensors(const es_json_doc *doc, const unsigned char *data, size_t data_size,
                              const char *label, es_tensors *out, es_error *err) {
    es_status st = ES_OK;
    es_json_value root = es_json_root(doc);
    entry *entries = NULL;
    es_tensors tensors = {0};
    ES_TRY(es_json_expect(&root, ES_JSON_OBJECT, err));
    size_t most = es_json_count(&root);
    entries = es_alloc_zero(most, sizeof *entries);
    tensors.items = es_alloc_zero(most, sizeof *tensors.items);
    ES_FAIL_IF(!entries || !tensors.items,
               es_fail(err, ES_ENOMEM, "%s: out of memory for %zu tensors", label, most));
    for (es_json_value v = es_json_first(&root); v.node; v = es_json_next(&v)) {
        if (strcmp(es_json_key_of(&v), "__metadata__") == 0)
            continue;
        entry *e = &entries[tensors.count];
        es_tensor *tensor = &tensors.items[tensors.count++];
        ES_TRY(read_entry(&v, data_size, e, err));
        ES_TRY(make_tensor(&v, e, data, tensor, err));
    }
    size_t count = tensors.count;
    ES_TRY(take_ids(entries, data, &tensors, err)); /* before they are sorted */
    ES_TRY(check_entries(entries, count, label, err));
    if (tensors.count == count && !tensors.ids)
        ES_TRY(join_rows(entries, data, &tensors, err));
    *out = tensors;
    memset(&tensors, 0, sizeof tensors);
done:
    es_free(entries);
    es_tensors_deinit(&tensors);
    return st;
}

/* Offers lists of texts in the file's notes, under any key, to the pool. */
static es_status offer_notes(const es_json_value *notes, const char *path, es_tensors *tensors,
                             es_error *err) {
    es_status st = ES_OK;
    for (es_json_value v = es_json_first(notes); v.node && st == ES_OK; v = es_json_next(&v)) {
        es_row_ids ids = {0};
        es_error why = {0};
        const char *text = NULL;
        bool added;
        if (es_json_as_text(&v, &text, NULL) != ES_OK)
            continue;
        st = es_row_ids_parse(text, strlen(text), path, &ids, &why);
        if (st == ES_OK)
            st = es_tensors_add_maybe(tensors, es_json_key_of(&v), false, &ids, &added, err);
        else
            st = st == ES_ENOMEM ? es_no_memory(err) : ES_OK;
        es_row_ids_deinit(&ids);
    }
    return st;
}

/* Ids of the rows, from the file's own notes; none there is no error. */
static es_status read_ids(const es_json_doc *doc, const char *path, es_tensors *tensors,
                          es_error *err) {
    es_json_value root = es_json_root(doc), notes = {0};
    const char *text = NULL;
    es_status st =
        es_json_get(&root, "__metadata__", ES_JSON_OBJECT, ES_JSON_OPTIONAL, &notes, err);
    if (st == ES_OK && notes.node)
        st = es_json_get_text(&notes, "ids", ES_JSON_OPTIONAL, &text, err);
    if (st == ES_OK && notes.node && !text && !tensors->ids)
        return offer_notes(&notes, path, tensors, err);
    if (st != ES_OK || !text)
        return st;
    es_row_ids *ids = es_alloc_zero(1, sizeof *ids);
    if (!ids)
        return es_no_memory(err);
    st = es_row_ids_parse(text, strlen(text), path, ids, err);
    if (st == ES_OK) {
        es_row_ids_free(tensors->ids); /* of a tensor of that name */
        tensors->ids = ids;
    } else {
        es_row_ids_free(ids);
    }
    return st;
}

static uint64_t header_length(const es_map *map) {
    uint64_t length = 0;
    for (size_t i = 8; i > 0 && map->size >= 8; i--)
        length = length << 8 | map->data[i - 1];
    return length;
}

es_status es_safetensors_header(const es_map *map, const char *path, es_json_doc **out,
                                es_error *err) {
    char label[ES_PATH_LABEL];
    uint64_t length = header_length(map);
    es_path_label(label, path);
    es_format format = es_format_of(map);
    if (format == ES_FILE_UNKNOWN && map->size > 8 && map->data[8] == '{')
        return es_fail(err, ES_EFORMAT,
                       "%s: the safetensors header is cut short: expected %llu bytes, found %zu",
                       label, (unsigned long long)length, map->size - 8);
    if (format != ES_FILE_SAFETENSORS)
        return es_format_refuse(format, path, "a safetensors file", err);
    if (length > MOST_HEADER)
        return es_fail(err, ES_EFORMAT, "%s: the safetensors header has %llu bytes, at most %d",
                       label, (unsigned long long)length, MOST_HEADER);
    return es_json_parse((const char *)map->data + 8, (size_t)length, path, out, err);
}

es_status es_safetensors_parse(const es_map *map, const char *path, es_tensors *out,
                               es_error *err) {
    char label[ES_PATH_LABEL];
    es_json_doc *doc = NULL;
    ES_PASS(es_safetensors_header(map, path, &doc, err));
    size_t start = 8 + (size_t)header_length(map);
    es_status st = read_tensors(doc, map->data + start, map->size - start,
                                es_path_label(label, path), out, err);
    if (st == ES_OK) {
        st = read_ids(doc, path, out, err);
        if (st != ES_OK)
            es_tensors_deinit(out);
    }
    es_json_free(doc);
    for (size_t i = 0; st == ES_OK && i < out->count; i++)
        out->items[i].array.watch = map->watch;
    return st;
}

/* Writes .safetensors: the header is made first, since it says where every tensor lies. */

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
