/* A scanner of JSON that builds nothing: values are stepped over, the vector is found as a stretch
 * of text. RFC 8259, with NaN and Infinity among the numbers of a vector, as Python writes them. */
#include "io_readers_parts.h"

#include <math.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

/* A stretch of a line; NULL: it has none. */
typedef struct stretch {
    const char *at;
    size_t size;
} stretch;

/* What a line holds. */
typedef struct row {
    stretch vector; /* between the brackets */
    stretch id;     /* a text between its quotes, or a number */
    bool id_is_text;
} row;

/* ---- stepping over JSON ---- */

static void skip_blanks(cursor *c) {
    c->at = es_ascii_after_blanks(c->at, c->end);
}

static bool accept(cursor *c, char byte) {
    skip_blanks(c);
    if (c->at == c->end || *c->at != byte)
        return false;
    c->at++;
    return true;
}

/* At the opening quote; *out is what stands between. */
static bool read_string(cursor *c, stretch *out) {
    const char *start = ++c->at;
    while (c->at < c->end) {
        const char *quote = memchr(c->at, '"', (size_t)(c->end - c->at));
        if (!quote)
            return false;
        size_t slashes = 0;
        for (const char *p = quote; p > start && p[-1] == '\\'; p--)
            slashes++;
        c->at = quote + 1;
        if (slashes % 2 == 0) {
            *out = (stretch){start, (size_t)(quote - start)};
            return true;
        }
    }
    return false;
}

/* At the opening bracket of an array that holds no arrays, objects or texts: one look for its end.
 */
static bool skip_flat(cursor *c) {
    const char *end = memchr(c->at, ']', (size_t)(c->end - c->at));
    if (!end)
        return false;
    size_t size = (size_t)(end - c->at) - 1;
    const char *inside = c->at + 1;
    if (memchr(inside, '"', size) || memchr(inside, '[', size) || memchr(inside, '{', size))
        return false;
    c->at = end + 1;
    return true;
}

static bool skip_scalar(cursor *c) {
    const char *start = c->at;
    while (c->at < c->end && *c->at != ',' && *c->at != ']' && *c->at != '}' && *c->at != ':' &&
           *c->at != '"' && *c->at != '[' && *c->at != '{' && !es_ascii_is_blank(*c->at))
        c->at++;
    return c->at > start;
}

static bool skip_value(cursor *c, unsigned depth);

/* Behind the opening bracket of an array or object. */
static bool skip_items(cursor *c, char closing, unsigned depth) {
    stretch key;
    if (accept(c, closing))
        return true;
    do {
        skip_blanks(c);
        if (closing == '}' &&
            (c->at == c->end || *c->at != '"' || !read_string(c, &key) || !accept(c, ':')))
            return false;
        if (!skip_value(c, depth))
            return false;
    } while (accept(c, ','));
    return accept(c, closing);
}

static bool skip_value(cursor *c, unsigned depth) {
    stretch text;
    skip_blanks(c);
    if (c->at == c->end || depth > ES_JSON_DEPTH)
        return false;
    char first = *c->at;
    if (first == '"')
        return read_string(c, &text);
    if (first == '[' && skip_flat(c))
        return true;
    if (first == '[' || first == '{') {
        c->at++;
        return skip_items(c, first == '[' ? ']' : '}', depth + 1);
    }
    return skip_scalar(c);
}

/* ---- what a line holds ---- */

/* Members of a line that hold its id, whatever else it says. */
static const char *const usual_ids[] = {"id", "_id", "doc_id", "key", "name", "token", NULL};

/* Under which members of the lines vector and id stand, as the first line tells; at NULL: a bare
 * array, or nothing; any of usual_ids. */
typedef struct members {
    stretch vector, id;
    es_column_sort sort; /* of the id */
    bool maybe;          /* the id's name says nothing: the first member that may be one */
} members;

static bool is_one_of(stretch word, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == word.size && memcmp(*list, word.at, word.size) == 0)
            return true;
    return false;
}

/* Is the next value an array whose first item is a number, or null? */
static bool is_vector(cursor c) {
    double value;
    if (!accept(&c, '['))
        return false;
    skip_blanks(&c);
    const char *start = c.at;
    return skip_scalar(&c) && (es_text_parse_double(start, (size_t)(c.at - start), &value) ||
                               ((size_t)(c.at - start) == 4 && memcmp(start, "null", 4) == 0));
}

static bool take_vector(cursor *c, stretch *out) {
    const char *start = c->at + 1;
    if (!skip_flat(c))
        return false;
    *out = (stretch){start, (size_t)(c->at - start) - 1};
    return true;
}

/* Members that are arrays of numbers, of a line. */
typedef struct vectors {
    stretch key, other; /* the first that is called as vectors are, and the next */
    stretch only;       /* the last of all */
    size_t count;
} vectors;

static bool find_vectors(const char *text, size_t length, vectors *out) {
    static const char *const usual[] = {"embedding", "embeddings", "vector", "values", NULL};
    cursor c = {text, text + length};
    stretch key;
    *out = (vectors){0};
    if (!accept(&c, '{') || accept(&c, '}'))
        return false;
    do {
        skip_blanks(&c);
        if (c.at == c.end || *c.at != '"' || !read_string(&c, &key) || !accept(&c, ':'))
            return false;
        skip_blanks(&c);
        if (is_vector(c)) {
            out->only = key;
            out->count++;
            if (is_one_of(key, usual)) {
                stretch *to = out->key.at ? &out->other : &out->key;
                *to = to->at ? *to : key;
            }
        }
        if (!skip_value(&c, 0))
            return out->key.at != NULL;
    } while (accept(&c, ','));
    return true;
}

static size_t count_numbers(stretch vector);

/* Does a line hold a sparse vector: places, and as many values? Of these, "values" is no vector. */
static bool is_sparse(const char *text, size_t length) {
    static const char *const places[] = {"indices", "index",     "indexes", "token_ids",
                                         "tokens",  "positions", "dims",    NULL};
    static const char *const values[] = {"values", "weights", "data", NULL};
    cursor c = {text, text + length};
    stretch key, vector;
    size_t at = 0, weights = 0;
    if (!accept(&c, '{'))
        return false;
    do {
        skip_blanks(&c);
        if (c.at == c.end || *c.at != '"' || !read_string(&c, &key) || !accept(&c, ':'))
            return false;
        skip_blanks(&c);
        cursor list = c;
        if (is_vector(c) && take_vector(&list, &vector)) {
            at = is_one_of(key, places) ? count_numbers(vector) : at;
            weights = is_one_of(key, values) ? count_numbers(vector) : weights;
        }
    } while (skip_value(&c, 0) && accept(&c, ','));
    return at > 0 && at == weights;
}

/* Is the next value a text or a whole number? */
static bool may_be_id(cursor c) {
    const char *start = c.at;
    double value;
    return *c.at == '"' ||
           (skip_scalar(&c) && es_text_parse_double(start, (size_t)(c.at - start), &value) &&
            value == floor(value));
}

/* Of a line without any of usual_ids, the member that is called as ids are elsewhere, else as the
 * index of a table. */
static void choose_id(const char *text, size_t length, members *out) {
    cursor c = {text, text + length};
    stretch key, first = {0};
    if (!accept(&c, '{'))
        return;
    do {
        skip_blanks(&c);
        if (c.at == c.end || *c.at != '"' || !read_string(&c, &key) || !accept(&c, ':'))
            break;
        skip_blanks(&c);
        bool plain = c.at < c.end && *c.at != '[' && *c.at != '{';
        es_column_sort sort =
            plain && key.size > 0 ? es_column_sort_of(key.at, key.size) : ES_COLUMN_OTHER;
        if (is_one_of(key, usual_ids)) {
            out->id = (stretch){0};
            out->sort = ES_COLUMN_OTHER;
            return;
        }
        if (plain && !first.at && may_be_id(c))
            first = key;
        if (sort != ES_COLUMN_OTHER && (out->sort == ES_COLUMN_OTHER || sort < out->sort)) {
            out->id = key;
            out->sort = sort;
        }
    } while (skip_value(&c, 0) && accept(&c, ','));
    out->maybe = !out->id.at && first.at;
    out->id = out->maybe ? first : out->id;
}

/* Chooses, from the first line, the members that hold the vector and the id. */
static members choose_members(const char *text, size_t length) {
    members m = {0};
    vectors v;
    if (!find_vectors(text, length, &v))
        return m;
    m.vector = v.key.at ? v.key : v.count == 1 ? v.only : (stretch){0};
    choose_id(text, length, &m);
    return m;
}

/* Where a line has two vectors under names as usual as each other: which is taken. */
static es_status note_choice(const char *text, size_t length, char **note, es_error *err) {
    vectors v;
    char taken[48], left[48];
    if (!find_vectors(text, length, &v) || !v.other.at)
        return ES_OK;
    es_text_clean_into(taken, sizeof taken, v.key.at, v.key.size);
    es_text_clean_into(left, sizeof left, v.other.at, v.other.size);
    return es_text_new(note, err,
                       "its lines hold vectors under \"%s\" and \"%s\": \"%s\" is taken, which "
                       "stands first; remove one of them to be sure",
                       taken, left, taken);
}

static void take_id(cursor c, row *out) {
    stretch text;
    out->id_is_text = *c.at == '"';
    if (out->id_is_text) {
        if (read_string(&c, &text))
            out->id = text;
        return;
    }
    const char *start = c.at;
    double value;
    if (skip_scalar(&c) && es_text_parse_double(start, (size_t)(c.at - start), &value))
        out->id = (stretch){start, (size_t)(c.at - start)};
}

static bool is_same(stretch a, stretch b) {
    return a.at && a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

/* False with what is wrong. */
static bool read_line(const char *text, size_t length, const members *wanted, row *out,
                      const char **wrong) {
    cursor c = {text, text + length};
    stretch key;
    *out = (row){0};
    *wrong = "is not a JSON object";
    skip_blanks(&c);
    if (!wanted->vector.at && c.at < c.end && *c.at == '[') {
        if (take_vector(&c, &out->vector) && c.at == c.end)
            return true;
        *wrong = "is not an array of numbers";
        return false;
    }
    if (!accept(&c, '{') || accept(&c, '}'))
        return false;
    do {
        skip_blanks(&c);
        if (c.at == c.end || *c.at != '"' || !read_string(&c, &key) || !accept(&c, ':'))
            return false;
        skip_blanks(&c);
        if (c.at == c.end)
            return false;
        if (!out->id.at && (wanted->id.at ? is_same(wanted->id, key) : is_one_of(key, usual_ids)))
            take_id(c, out);
        bool is_wanted = !out->vector.at && is_same(wanted->vector, key);
        if (is_wanted && (*c.at != '[' || !take_vector(&c, &out->vector))) {
            *wrong = "has something else than numbers in its vector";
            return false;
        }
        if (!is_wanted && !skip_value(&c, 0))
            return false;
    } while (accept(&c, ','));
    if (!accept(&c, '}'))
        return false;
    skip_blanks(&c);
    if (c.at != c.end)
        return false;
    *wrong = "has no vector";
    return out->vector.at != NULL;
}

static es_status complain(const char *path, size_t line, const char *wrong, stretch key,
                          es_error *err) {
    char label[ES_PATH_LABEL], shown[60] = "embedding";
    if (key.at)
        es_text_clean_into(shown, sizeof shown, key.at, key.size);
    return es_fail(err, ES_EFORMAT,
                   "%s: line %zu: %s; each line is {\"id\": ..., \"%s\": [numbers]}",
                   es_path_label(label, path), line, wrong, shown);
}

/* ---- ids ---- */

static uint32_t hex4(const char *at, const char *end) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        char c = at + i < end ? es_ascii_lower(at[i]) : '\0';
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return UINT32_MAX;
        value = value << 4 | (uint32_t)(digit - digits);
    }
    return value;
}

/* Behind "\u"; moves *at past what was used. */
static void put_escaped(const char **at, const char *end, es_buf *out) {
    char bytes[4];
    uint32_t code = hex4(*at, end);
    *at += code == UINT32_MAX ? 0 : 4;
    if (code >= 0xD800 && code < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t low = hex4(*at + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            *at += 6;
        }
    }
    size_t used = es_utf8_encode(code, bytes);
    es_buf_add(out, bytes, used > 0 ? used : es_utf8_encode(0xFFFD, bytes));
}

static void put_text(stretch text, es_buf *out) {
    const char *end = text.at + text.size;
    for (const char *p = text.at; p < end;) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        es_buf_add(out, p, (size_t)((slash ? slash : end) - p));
        if (!slash || slash + 1 == end)
            return;
        p = slash + 2;
        static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
        const char *known = strchr(from, slash[1]);
        if (slash[1] == 'u')
            put_escaped(&p, end, out);
        else
            es_buf_putc(out, known && slash[1] ? to[known - from] : slash[1]);
    }
}

static es_status push_id(const row *r, es_buf *text, es_row_ids *ids, es_error *err) {
    es_buf_clear(text);
    if (r->id_is_text)
        put_text(r->id, text);
    else
        es_buf_add(text, r->id.at, r->id.size);
    ES_PASS(es_buf_check(text, err));
    return es_row_ids_push(ids, text->data ? text->data : "", text->length, err);
}

/* ---- shape ---- */

static size_t count_numbers(stretch vector) {
    size_t count = 1;
    bool any = false;
    for (size_t i = 0; i < vector.size; i++) {
        count += vector.at[i] == ',';
        any = any || !es_ascii_is_blank(vector.at[i]);
    }
    return any ? count : 0;
}

bool es_jsonl_looks(const es_map *map, const char *path) {
    enum { FIRST_MOST = 4 << 20 }; /* bytes of a line */
    es_map start = *map;
    const char *text, *wrong;
    size_t length;
    row r;
    (void)path;
    start.watch = NULL;
    if (start.size > FIRST_MOST)
        start.size = FIRST_MOST;
    es_lines lines = es_lines_of(&start, NULL);
    if (!es_lines_next(&lines, &text, &length))
        return false;
    if (is_sparse(text, length))
        return true; /* to be refused with its reason */
    const members m = choose_members(text, length);
    return read_line(text, length, &m, &r, &wrong) && count_numbers(r.vector) >= 2;
}

/* Ids of a member that is not called as ids of lines usually are: *ids is NULL afterwards where
 * they say the same of several rows, with a note. An index that counts is one of no other file's
 * rows. */
static es_status settle_ids(const members *m, const es_row_counting *counting, size_t n,
                            es_row_ids **ids, char **note, es_error *err) {
    bool apart = false;
    char name[48];
    if (m->sort == ES_COLUMN_NUMBERS && es_row_counting_holds(counting)) {
        es_row_ids_deinit(*ids);
        return es_row_ids_count(counting->from, n, *ids, err);
    }
    es_status st = (*ids)->n < n ? ES_OK : es_row_ids_apart(*ids, &apart, err);
    if (st != ES_OK || apart)
        return st;
    es_row_ids_free(*ids);
    *ids = NULL;
    if (*note)
        return ES_OK;
    es_text_clean_into(name, sizeof name, m->id.at, m->id.size);
    return es_text_new(note, err,
                       "\"%s\" does not tell its rows apart, and they are not matched by it; "
                       "call ids \"id\"",
                       name);
}

/* Offers a member whose name says nothing to the pool. */
static es_status offer_member(const members *m, es_row_ids *ids, es_tensors *out, es_error *err) {
    bool added;
    char name[48];
    es_text_clean_into(name, sizeof name, m->id.at, m->id.size);
    es_status st = es_tensors_add_maybe(out, name, false, ids, &added, err);
    if (st != ES_OK)
        es_tensors_deinit(out);
    return st;
}

es_status es_jsonl_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                         es_error *err) {
    char label[ES_PATH_LABEL];
    const char *text = NULL, *wrong = NULL;
    size_t length = 0, n = 0, d = 0;
    members key = {0};
    es_row_ids *ids = NULL;
    es_row_counting counting = {0};
    char *note = NULL;
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    es_buf id = {0};
    es_lines lines = es_lines_of(map, run);
    es_status st = tensor ? ES_OK : es_no_memory(err);
    for (row r; st == ES_OK && es_lines_next(&lines, &text, &length); n++) {
        if (n == 0)
            key = choose_members(text, length);
        if (n == 0 && is_sparse(text, length)) {
            st = es_fail(err, ES_EUNSUPPORTED,
                         "%s: is sparse: its lines hold the places of values and the values; save "
                         "rows with all values, zeros too: np.save(\"NAME.npy\", x)",
                         es_path_label(label, path));
            break;
        }
        if (!read_line(text, length, &key, &r, &wrong)) {
            st = complain(path, lines.number, wrong, key.vector, err);
            break;
        }
        if (n == 0) {
            d = count_numbers(r.vector);
            ids = r.id.at ? es_alloc_zero(1, sizeof *ids) : NULL;
            st = r.id.at && !ids ? es_no_memory(err) : note_choice(text, length, &note, err);
        }
        if (st == ES_OK && (d == 0 || r.vector.size + 1 < 2 * d))
            st = complain(path, lines.number,
                          d ? "has a shorter vector than the first line" : "has an empty vector",
                          key.vector, err);
        if (st == ES_OK && ids && !r.id.at && !key.id.at)
            st = complain(path, lines.number, "has no id, as the first line has", key.vector, err);
        if (st == ES_OK && ids && r.id.at)
            st = push_id(&r, &id, ids, err);
        if (st == ES_OK && key.sort == ES_COLUMN_NUMBERS && r.id.at)
            es_row_counting_add(&counting, r.id.at, r.id.size);
    }
    es_buf_free(&id);
    if (st == ES_OK && lines.status != ES_OK)
        st = es_fail(err, lines.status, "canceled");
    es_path_label(label, path);
    if (st == ES_OK && n == 0)
        st = es_fail(err, ES_EFORMAT, "%s: holds no lines", label);
    if (st == ES_OK && ids && key.id.at && !key.maybe)
        st = settle_ids(&key, &counting, n, &ids, &note, err);
    es_row_ids *maybe = key.maybe ? ids : NULL;
    st = es_text_matrix(st, path, n, d, maybe ? NULL : ids, tensor, out, err);
    if (st == ES_OK)
        out->note = note;
    else
        es_free(note);
    if (st == ES_OK && maybe && maybe->n == n)
        st = offer_member(&key, maybe, out, err);
    es_row_ids_free(maybe);
    return st;
}

/* ---- values ---- */

/* (d) numbers; what was wrong goes to *err. */
static es_status read_vector(const es_filling *f, size_t line, stretch vector, double *out,
                             es_error *err) {
    char label[ES_PATH_LABEL], shown[48];
    size_t d = f->tensor->array.d, found = 0;
    const char *p = vector.at, *end = p + vector.size;
    es_path_label(label, f->path);
    for (; p <= end && found < d; found++) {
        const char *comma = memchr(p, ',', (size_t)(end - p)), *stop = comma ? comma : end;
        const char *from = p, *to = stop;
        while (from < to && es_ascii_is_blank(*from))
            from++;
        while (to > from && es_ascii_is_blank(to[-1]))
            to--;
        bool is_null = to - from == 4 && memcmp(from, "null", 4) == 0;
        out[found] = (double)NAN;
        if (!is_null && !es_text_parse_double(from, (size_t)(to - from), &out[found])) {
            es_text_clean_into(shown, sizeof shown, from, (size_t)(to - from));
            return es_fail(err, ES_EFORMAT, "%s: line %zu, number %zu: '%s' is not a number", label,
                           line, found + 1, shown);
        }
        p = stop + 1;
    }
    if (found < d || p <= end)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected %zu numbers, found %zu", label,
                       line, d, count_numbers(vector));
    return ES_OK;
}

es_status es_jsonl_fill(const es_filling *f, es_error *err) {
    const es_array *a = &f->tensor->array;
    const char *text = NULL, *wrong = NULL;
    size_t length = 0, n = 0;
    members key = {0};
    es_lines lines = es_lines_of(f->map, f->run);
    es_status st = ES_OK;
    for (row r; st == ES_OK && n < a->n && es_lines_next(&lines, &text, &length); n++) {
        if (n == 0)
            key = choose_members(text, length);
        if (!read_line(text, length, &key, &r, &wrong))
            return complain(f->path, lines.number, wrong, key.vector, err);
        st = read_vector(f, lines.number, r.vector, (double *)(void *)f->out + n * a->d, err);
        es_filling_wrote(f, a->d * sizeof(double));
    }
    return st == ES_OK ? es_text_ended(f, &lines, n, err) : st;
}
