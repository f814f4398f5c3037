/* Cells are parted by libcsv, numbers in the list by a scan of their own. */
#include "io_readers_parts.h"

#include <math.h>
#include <string.h>

enum { LISTS_MOST = 16, KEPT_MOST = 8, NAME_ROOM = 64, LEAST = 2 };

/* What stands before the bracket when Python prints a vector of some library. */
static const char *skip_name(const char *at, const char *end) {
    static const char *const names[] = {"tensor(", "array(", "np.array(", "Vector("};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (length < (size_t)(end - at) && memcmp(at, names[i], length) == 0)
            return at + length;
    }
    return at;
}

static char closing(char c) {
    return c == '[' ? ']' : c == '(' ? ')' : c == '{' ? '}' : '\0';
}

/* Leaves what stands between the brackets of a list, if it is one: "[1, 2]", "{1,2}" of Postgres,
 * "tensor([1., 2.])", "array([1., 2.], dtype=float32)", "[[1, 2]]". */
static bool strip(const char **from, const char **to) {
    const char *at = *from, *end = *to;
    while (at < end && es_ascii_is_blank(*at))
        at++;
    while (end > at && es_ascii_is_blank(end[-1]))
        end--;
    const char *inner = skip_name(at, end);
    if (inner > at) /* up to the last bracket */
        while (end > inner && end[-1] != ']')
            end--;
    at = inner;
    bool twice = end - at > 4 && *at == '[' && at[1] == '[' && end[-2] == ']';
    at += twice;
    end -= twice;
    if (end - at < 2 || !closing(*at) || end[-1] != closing(*at))
        return false;
    *from = at + 1;
    *to = end - 1;
    return true;
}

/* True if a cell begins as a list of numbers does, even one that cannot be read. */
static bool begins_list(const char *text, size_t length) {
    const char *at = text, *end = text + length;
    if (!strip(&at, &end) || *end != ']')
        return false;
    while (at < end && es_ascii_is_blank(*at))
        at++;
    const char *sign = at < end && (*at == '-' || *at == '+') ? at + 1 : at;
    return (sign < end && *sign >= '0' && *sign <= '9') ||
           (end - at > 3 && memcmp(at, "np.float", 3) == 0);
}

static bool parts(char c) {
    return c == ',' || es_ascii_is_blank(c);
}

/* The next number of a list behind its bracket; false: there is none, or something else. */
static bool next_number(const char **at, const char *end, double *out) {
    while (*at < end && parts(**at))
        ++*at;
    const char *start = *at;
    while (*at < end && !parts(**at))
        ++*at;
    return *at > start && es_text_parse_double(start, (size_t)(*at - start), out);
}

/* Numbers of a cell, the first `most` of them to out (may be NULL); SIZE_MAX: it is no list. */
static size_t read_list(const char *text, size_t length, double *out, size_t most) {
    const char *at = text, *end = text + length;
    size_t count = 0;
    if (!strip(&at, &end))
        return SIZE_MAX;
    for (;; count++) {
        double value;
        while (at < end && parts(*at))
            at++;
        if (at == end)
            return count;
        if (!next_number(&at, end, &value))
            return SIZE_MAX;
        if (out && count < most)
            out[count] = value;
    }
}

/* ---- which column holds what ---- */

typedef struct columns {
    size_t list[LISTS_MOST], lists; /* of the first row, and their headings */
    size_t broken;                  /* a list that cannot be read; SIZE_MAX: there is none */
    bool headless;                  /* the first line has a list, too */
    char name[LISTS_MOST][NAME_ROOM];
    bool usual[LISTS_MOST];
    size_t ids, index;
    size_t label[KEPT_MOST], labels;
    char label_name[KEPT_MOST][NAME_ROOM];
    es_buf header; /* headings, each with a NUL */
    size_t at;
} columns;

static bool is_usual(const char *name) {
    static const char *const usual[] = {"embedding", "embeddings", "vector", "values", "features"};
    return es_text_index(usual, sizeof usual / sizeof *usual, name) != SIZE_MAX;
}

static void head(columns *c, size_t column, const char *text, size_t length) {
    es_column_sort sort = es_column_sort_of(text, length);
    if (sort == ES_COLUMN_IDS && c->ids == SIZE_MAX)
        c->ids = column;
    if (sort == ES_COLUMN_NUMBERS && c->index == SIZE_MAX)
        c->index = column;
    if (es_column_is_label(text, length) && c->labels < KEPT_MOST) {
        es_text_clean_into(c->label_name[c->labels], NAME_ROOM, text, length);
        c->label[c->labels++] = column;
    }
    es_buf_add(&c->header, text, length);
    es_buf_putc(&c->header, '\0');
}

static es_status look_at_cell(es_cells *r, const char *text, size_t length) {
    columns *c = r->sink;
    if (r->row == 0) {
        size_t numbers = read_list(text, length, NULL, 0);
        c->headless = c->headless || (numbers != SIZE_MAX && numbers >= LEAST);
        head(c, r->column, text, length);
        return es_buf_check(&c->header, r->err);
    }
    const char *name = c->header.data + c->at;
    c->at += strlen(name) + 1;
    size_t d = read_list(text, length, NULL, 0);
    if (d == SIZE_MAX && c->broken == SIZE_MAX && begins_list(text, length))
        c->broken = r->column;
    if (d == SIZE_MAX || d < LEAST || c->lists == LISTS_MOST)
        return ES_OK;
    es_text_clean_into(c->name[c->lists], NAME_ROOM, name, strlen(name));
    c->usual[c->lists] = is_usual(name);
    c->list[c->lists++] = r->column;
    return ES_OK;
}

static es_status end_row(es_cells *r) {
    (void)r;
    return ES_OK;
}

/* Which of the columns of lists is read. */
static size_t chosen(const columns *c) {
    size_t k = 0;
    while (k < c->lists && !c->usual[k])
        k++;
    return k < c->lists ? k : 0;
}

/* By the first two rows; lists 0: no such table. */
static es_status find_columns(const es_map *map, const char *path, columns *out, es_error *err) {
    columns c = {.ids = SIZE_MAX, .index = SIZE_MAX, .broken = SIZE_MAX};
    es_cells r = {.label = path,
                  .err = err,
                  .delimiter = es_cells_delimiter_of(path, map->data, map->size),
                  .most_rows = 2,
                  .cell = look_at_cell,
                  .end = end_row,
                  .sink = &c};
    es_status st = es_cells_read(&r, map->data, map->size, path);
    es_buf_free(&c.header);
    c.header = (es_buf){0};
    if (c.lists == 0 && c.broken != SIZE_MAX) /* to be refused with its reason */
        c.list[c.lists++] = c.broken;
    *out = c;
    return st;
}

bool es_list_table_looks(const es_map *map, const char *path) {
    columns c = {0};
    return find_columns(map, path, &c, NULL) == ES_OK && c.lists > 0;
}

/* ---- rows ---- */

typedef struct rows {
    const columns *c;
    const es_filling *f; /* NULL: they are only counted */
    size_t d;
    es_row_ids ids, index, label[KEPT_MOST];
} rows;

static es_status refuse_list(const es_cells *r, const char *text, size_t length, size_t found,
                             size_t d) {
    if (found != SIZE_MAX)
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu, column %zu: a list of %zu numbers, as the first has %zu",
                       r->label, r->start, r->column + 1, found, d);
    bool cut = false;
    for (size_t i = 2; i < length; i++)
        cut = cut || memcmp(text + i - 2, "...", 3) == 0;
    return es_fail(r->err, ES_EFORMAT, "%s: line %zu, column %zu: %s", r->label, r->start,
                   r->column + 1,
                   cut ? "the list was cut short (\"...\") when it was written; write "
                         "x.tolist() into the column"
                       : "no list of numbers alone; write x.tolist() into the column");
}

static es_status take_list(es_cells *r, rows *s, const char *text, size_t length) {
    double *out = NULL;
    size_t row = r->row - 1;
    if (s->f && row < s->f->tensor->array.n)
        out = (double *)(void *)s->f->out + row * s->d;
    size_t found = read_list(text, length, out, s->d);
    s->d = row == 0 && !s->f ? found : s->d;
    return found == s->d && found != SIZE_MAX && found >= LEAST
               ? ES_OK
               : refuse_list(r, text, length, found, s->d);
}

static es_status take_cell(es_cells *r, const char *text, size_t length) {
    rows *s = r->sink;
    es_status st = ES_OK;
    if (r->row == 0)
        return ES_OK;
    if (r->column == s->c->list[chosen(s->c)])
        return take_list(r, s, text, length);
    if (s->f)
        return ES_OK;
    if (r->column == s->c->ids)
        st = es_row_ids_push(&s->ids, text, length, r->err);
    else if (r->column == s->c->index)
        st = es_row_ids_push(&s->index, text, length, r->err);
    for (size_t k = 0; k < s->c->labels && st == ES_OK; k++)
        if (r->column == s->c->label[k])
            st = es_row_ids_push(&s->label[k], text, length, r->err);
    return st;
}

static es_status count_row(es_cells *r) {
    const rows *s = r->sink;
    if (s->f && r->row > 0)
        es_filling_wrote(s->f, s->d * sizeof(double));
    return ES_OK;
}

static es_status read_rows(const es_map *map, const char *path, es_run *run, rows *s, size_t *n,
                           es_error *err) {
    char label[ES_PATH_LABEL];
    es_cells r = {.label = es_path_label(label, path),
                  .run = run,
                  .map = map,
                  .err = err,
                  .delimiter = es_cells_delimiter_of(path, map->data, map->size),
                  .cell = take_cell,
                  .end = count_row,
                  .sink = s};
    es_status st = es_cells_read(&r, map->data, map->size, path);
    *n = r.row > 0 ? r.row - 1 : 0;
    return st;
}

/* ---- ids, labels, what is reported ---- */

/* A column headed as ids that tells the rows apart, else an index: *out NULL where there is none.
 */
static es_status settle_ids(rows *s, es_row_ids **out, es_error *err) {
    bool apart = false;
    size_t counted_from;
    es_row_ids *from = &s->ids;
    es_status st = s->ids.n > 0 ? es_row_ids_apart(&s->ids, &apart, err) : ES_OK;
    *out = NULL;
    if (st == ES_OK && !apart && s->index.n > 0) {
        from = &s->index;
        st = es_row_ids_apart(&s->index, &apart, err);
    }
    if (st != ES_OK || !apart)
        return st;
    if (!(*out = es_alloc_zero(1, sizeof **out)))
        return es_no_memory(err);
    **out = *from;
    *from = (es_row_ids){0};
    (*out)->counted = es_row_ids_counts(*out, &counted_from);
    return ES_OK;
}

static es_status put_labels(rows *s, es_tensors *out, es_error *err) {
    out->label = es_alloc_zero(s->c->labels, sizeof *out->label);
    if (!out->label)
        return es_no_memory(err);
    for (size_t k = 0; k < s->c->labels; k++) {
        es_named_list *one = &out->label[out->n_labels++];
        one->name = es_strdup(s->c->label_name[k]);
        one->ids = es_alloc_zero(1, sizeof *one->ids);
        if (!one->name || !one->ids)
            return es_no_memory(err);
        *one->ids = s->label[k];
        s->label[k] = (es_row_ids){0};
    }
    return ES_OK;
}

static es_status note_choice(const columns *c, es_tensors *out, es_error *err) {
    if (c->lists < 2)
        return ES_OK;
    return es_text_new(
        &out->note, err,
        "%zu of its columns hold vectors: \"%s\" is read; remove the others to be sure", c->lists,
        c->name[chosen(c)]);
}

es_status es_list_table_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                              es_error *err) {
    columns c = {0};
    es_row_ids *ids = NULL;
    size_t n = 0;
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    es_status st = tensor ? find_columns(map, path, &c, err) : es_no_memory(err);
    rows s = {.c = &c};
    if (st == ES_OK && c.headless)
        st = es_fail(err, ES_EFORMAT,
                     "%s: line 1: a list of numbers where headings are expected; put a line of "
                     "headings before it, such as id,text,embedding",
                     es_path_label((char[ES_PATH_LABEL]){0}, path));
    if (st == ES_OK)
        st = read_rows(map, path, run, &s, &n, err);
    if (st == ES_OK)
        st = settle_ids(&s, &ids, err);
    st = es_text_matrix(st, path, n, s.d, ids, tensor, out, err);
    if (st == ES_OK) {
        st = c.labels > 0 ? put_labels(&s, out, err) : ES_OK;
        if (st == ES_OK)
            st = note_choice(&c, out, err);
        if (st != ES_OK)
            es_tensors_deinit(out);
    }
    es_row_ids_deinit(&s.ids);
    es_row_ids_deinit(&s.index);
    for (size_t k = 0; k < KEPT_MOST; k++)
        es_row_ids_deinit(&s.label[k]);
    return st;
}

es_status es_list_table_fill(const es_filling *f, es_error *err) {
    columns c = {0};
    size_t n = 0;
    es_status st = find_columns(f->map, f->path, &c, err);
    rows s = {.c = &c, .f = f, .d = f->tensor->array.d};
    if (st == ES_OK && c.lists > 0)
        st = read_rows(f->map, f->path, f->run, &s, &n, err);
    if (st == ES_OK && n != f->tensor->array.n)
        st = es_fail(err, ES_EIO, "the file was changed while it was read; start again");
    return st;
}
