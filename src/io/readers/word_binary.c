/* word2vec's binary format: tokens of any length between the vectors, so that rows have no fixed
 * distance and are copied. */
#include <string.h>

#include "io_readers_parts.h"

enum { TOKEN_MOST = 1 << 16 };

typedef struct header {
    size_t n, d, start; /* start: of the first row */
} header;

/* "n d\n", digits alone. */
static bool read_header(const es_map *map, header *out) {
    enum { LONGEST = 42 };
    uint64_t value[2] = {0};
    size_t digits = 0, which = 0;
    for (size_t i = 0; i < map->size && i < LONGEST; i++) {
        unsigned char c = map->data[i];
        if (c >= '0' && c <= '9' && value[which] <= ES_ARRAY_MOST) {
            value[which] = value[which] * 10 + (uint64_t)(c - '0');
            digits++;
        } else if (c == (which == 0 ? ' ' : '\n') && digits > 0) {
            digits = 0;
            if (++which == 2) {
                *out = (header){(size_t)value[0], (size_t)value[1], i + 1};
                return value[0] > 0 && value[1] > 0 && value[0] <= ES_ARRAY_MOST &&
                       value[1] <= ES_ARRAY_MOST;
            }
        } else {
            return false;
        }
    }
    return false;
}

/* A row takes its numbers, a blank and a byte of token at least. */
static bool fits(const es_map *map, const header *h) {
    return h->n <= (map->size - h->start) / (4 * h->d + 1);
}

/* Steps over the line end before a token, if there is one, the token and the blank: to the numbers,
 * which lie inside the file. False: they do not. */
static bool find_row(const es_map *map, size_t d, size_t *at, const char **token, size_t *length) {
    size_t from = *at;
    if (from < map->size && map->data[from] == '\n')
        from++;
    size_t left = map->size - from;
    const unsigned char *start = map->data + from;
    const unsigned char *blank = memchr(start, ' ', left < TOKEN_MOST ? left : TOKEN_MOST);
    if (!blank)
        return false;
    *token = (const char *)start;
    *length = (size_t)(blank - start);
    *at = from + *length + 1;
    return (map->size - *at) / 4 >= d;
}

bool es_word_binary_looks(const es_map *map, const char *path) {
    header h;
    const char *token;
    size_t length;
    (void)path;
    return read_header(map, &h) && find_row(map, h.d, &(size_t){h.start}, &token, &length);
}

/* What stands behind the last row, except a line end: somebody miscounted, or joined two files. */
static es_status note_rest(size_t rows, size_t rest, char **note, es_error *err) {
    return es_text_new(note, err,
                       "%zu bytes follow the %zu rows that its first line promises: they are not "
                       "read; is that line right?",
                       rest, rows);
}

es_status es_word_binary_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                               es_error *err) {
    char label[ES_PATH_LABEL];
    header h;
    es_path_label(label, path);
    if (!read_header(map, &h))
        return es_fail(
            err, ES_EFORMAT,
            "%s: is not word2vec's binary format, which begins with \"rows columns\"; "
            "numbers alone: np.save(FILE, np.fromfile(\"%s\", \"float32\").reshape(rows, "
            "-1))",
            label, label);
    if (!fits(map, &h))
        return es_fail(err, ES_EFORMAT,
                       "%s: is cut short: %zu rows of %zu numbers need more than %zu bytes", label,
                       h.n, h.d, map->size);
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    es_row_ids *ids = es_alloc_zero(1, sizeof *ids);
    es_status st = tensor && ids ? ES_OK : es_no_memory(err);
    size_t at = h.start;
    es_reading reading = {map, run, 0};
    for (size_t i = 0; i < h.n && st == ES_OK; i++) {
        const char *token = NULL;
        size_t length = 0;
        if (!find_row(map, h.d, &at, &token, &length)) {
            st = es_fail(err, ES_EFORMAT,
                         "%s: row %zu (counted from 0): expected a token and %zu numbers at byte "
                         "%zu; is the file whole?",
                         label, i, h.d, at);
            break;
        }
        st = es_row_ids_push(ids, token, length, err);
        at += 4 * h.d;
        if (st == ES_OK)
            st = es_reading_at(&reading, at, err);
    }
    char *note = NULL;
    at += at < map->size && map->data[at] == '\n';
    if (st == ES_OK && at < map->size)
        st = note_rest(h.n, map->size - at, &note, err);
    if (st != ES_OK) {
        es_row_ids_free(ids);
        es_free(tensor);
        return st;
    }
    *tensor = (es_tensor){.array = {.n = h.n, .d = h.d, .dtype = ES_DTYPE_F32}, .ids = ids};
    *out = (es_tensors){.items = tensor, .count = 1, .note = note};
    return ES_OK;
}

bool es_word_looks(const es_map *map, const char *path) {
    return es_word_text_looks(map, path) || es_word_binary_looks(map, path);
}

es_status es_word_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                        es_error *err) {
    bool text = es_word_text_looks(map, path) || !es_word_binary_looks(map, path);
    return text ? es_word_text_parse(map, path, run, out, err)
                : es_word_binary_parse(map, path, run, out, err);
}

es_status es_word_fill(const es_filling *f, es_error *err) {
    return f->tensor->array.dtype == ES_DTYPE_F64 ? es_word_text_fill(f, err)
                                                  : es_word_binary_fill(f, err);
}

es_status es_word_binary_fill(const es_filling *f, es_error *err) {
    const es_array *a = &f->tensor->array;
    header h;
    size_t at = 0, row = 4 * a->d;
    es_reading reading = {f->map, f->run, 0};
    es_status st = ES_OK;
    bool good = read_header(f->map, &h) && h.n == a->n && h.d == a->d;
    at = good ? h.start : 0;
    for (size_t i = 0; good && i < a->n && st == ES_OK; i++) {
        const char *token;
        size_t length;
        good = find_row(f->map, a->d, &at, &token, &length);
        if (!good)
            break;
        memcpy(f->out + i * row, f->map->data + at, row);
        at += row;
        es_filling_wrote(f, row);
        st = es_reading_at(&reading, at, err);
    }
    if (!good)
        return es_fail(err, ES_EIO, "the file was changed while it was read; start again");
    return st;
}
