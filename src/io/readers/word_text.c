/* Vectors in lines of text: word2vec's and fastText's, GloVe's, np.savetxt's. */
#include <string.h>

#include "io_readers_parts.h"

enum { LOOKED_LINES = 64 }; /* whose first fields say whether there are tokens */

/* How the lines are made up. */
typedef struct layout {
    bool header;   /* the first line says how many */
    size_t n;      /* as it says */
    size_t d;      /* numbers of a line */
    bool tokens;   /* stand before them */
    size_t more;   /* numbers than the first line promises, that every line has */
    bool comments; /* any line that begins with '#' is one; else those without a vector behind it */
    bool names;    /* the first line names the columns, as R's write.table does */
    bool counted;  /* and its names end in numbers that follow each other */
    bool heads_ids; /* and its first name is one over ids */
    size_t rows;    /* of the first lines */
} layout;

static bool is_number(const char *text, size_t length) {
    double value;
    return es_text_parse_double(text, length, &value);
}

/* Digits alone, as a count; false for more than counts rows. */
static bool read_count(const char *text, size_t length, size_t *out) {
    size_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > SIZE_MAX / 20)
            return false;
        value = value * 10 + (size_t)(text[i] - '0');
    }
    *out = value;
    return length > 0;
}

/* "n d" and nothing else. */
static bool read_header(const char *text, size_t length, layout *out) {
    const char *field;
    size_t at = 0, size;
    return es_field_count(text, length) == 2 && es_field_next(text, length, &at, &field, &size) &&
           read_count(field, size, &out->n) && es_field_next(text, length, &at, &field, &size) &&
           read_count(field, size, &out->d) && out->n > 0 && out->d > 0;
}

/* The start of the last `count` fields. */
static size_t last_fields(const char *text, size_t length, size_t count) {
    size_t at = length;
    while (count-- > 0) {
        while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
            at--;
        while (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\t')
            at--;
    }
    return at;
}

/* Are the `more` fields before the last d numbers, too? Then they are no part of a token. */
static bool are_more_numbers(const char *text, size_t length, size_t d, size_t more) {
    const char *field;
    size_t at = last_fields(text, length, d + more), size;
    while (more-- > 0)
        if (!es_field_next(text, length, &at, &field, &size) || !is_number(field, size))
            return false;
    return true;
}

/* A comment of np.savetxt, not the vector of the token "#". */
static bool is_comment(const layout *l, const char *text, size_t length) {
    const char *field;
    size_t at = 0, size, numbers = 0;
    if (text[0] != '#' || l->comments)
        return text[0] == '#';
    (void)es_field_next(text, length, &at, &field, &size);
    while (es_field_next(text, length, &at, &field, &size)) {
        if (!is_number(field, size))
            return true;
        numbers++;
    }
    return numbers == 0;
}

/* The next line that is no comment. */
static bool next_line(es_lines *lines, const layout *l, const char **text, size_t *length) {
    bool any = es_lines_next(lines, text, length);
    while (any && is_comment(l, *text, *length))
        any = es_lines_next(lines, text, length);
    return any;
}

/* Behind what says how many or names the columns. */
static bool next_row(es_lines *lines, const layout *l, bool first, const char **text,
                     size_t *length) {
    return (!first || !(l->header || l->names) || next_line(lines, l, text, length)) &&
           next_line(lines, l, text, length);
}

/* A name of a column, or what stands between its quotes; false: there is none. */
static bool next_name(const char *text, size_t length, size_t *at, const char **name,
                      size_t *size) {
    while (*at < length && (text[*at] == ' ' || text[*at] == '\t'))
        ++*at;
    const char *end =
        *at < length && text[*at] == '"' ? memchr(text + *at + 1, '"', length - *at - 1) : NULL;
    if (!end)
        return es_field_next(text, length, at, name, size);
    *name = text + *at + 1;
    *size = (size_t)(end - *name);
    *at = (size_t)(end - text) + 1;
    return true;
}

/* How many names a first line has; 0: it holds a number, or is a single word. */
static size_t read_names(const char *text, size_t length, layout *out) {
    const char *name;
    size_t at = 0, size, count = 0;
    double value = 0, before = 0;
    for (; next_name(text, length, &at, &name, &size); count++) {
        bool quoted = name > text && name[-1] == '"';
        if (!quoted && is_number(name, size))
            return 0;
        bool counts = es_cells_trailing_number(name, size, &value);
        bool starts = count == 0 || (count == 1 && !out->counted); /* behind a name over ids */
        out->counted = (starts || out->counted) && counts && (starts || value == before + 1.0);
        if (count == 0)
            out->heads_ids = es_column_sort_of(name, size) != ES_COLUMN_OTHER;
        before = value;
    }
    return count > 1 ? count : 0;
}

/* From the first lines; comments: every line that begins with '#' is one. False: no vectors. */
static bool find_layout_of(const es_map *map, bool comments, layout *out) {
    const char *text, *field;
    size_t length, seen = 0, fields = 0, most = 0, names = 0;
    es_map start = *map;
    start.watch = NULL;
    es_lines lines = es_lines_of(&start, NULL);
    *out = (layout){.comments = comments};
    while (seen < LOOKED_LINES && next_line(&lines, out, &text, &length)) {
        size_t at = 0, size = 0, count = es_field_count(text, length);
        bool first = seen == 0 && !out->header && !out->names;
        if (first && read_header(text, length, out)) {
            out->header = true;
            continue;
        }
        if (first && (names = read_names(text, length, out)) > 0) {
            out->names = true;
            continue;
        }
        es_field_next(text, length, &at, &field, &size);
        out->tokens = out->tokens || !is_number(field, size);
        fields = seen == 0 || count < fields ? count : fields;
        most = count > most ? count : most;
        bool longer = out->header && count > out->d + 1 && (seen == 0 || out->more > 0) &&
                      are_more_numbers(text, length, out->d, count - out->d - 1);
        size_t more = longer ? count - out->d - 1 : 0;
        out->more = seen == 0 || more == out->more ? more : 0;
        seen++;
    }
    out->rows = seen;
    out->more = seen > 1 ? out->more : 0; /* of a single line it may be a token like "Route 66" */
    if (out->header && seen == 0) {       /* two numbers and no more: a row, not a header */
        *out = (layout){.d = 2, .comments = comments};
        return true;
    }
    if (out->names && fields < names)
        return false;
    if (out->names)
        out->tokens = out->tokens || fields > names || out->heads_ids;
    if (out->header)
        out->tokens = out->tokens || most > out->d;
    else
        out->d = out->names && fields > names ? names : fields - out->tokens;
    return seen > 0 && fields > out->tokens && (!out->header || out->d <= most);
}

/* Where no line has a token, every line that begins with '#' is a comment, of numbers or not. */
static bool find_layout(const es_map *map, layout *out) {
    layout plain;
    if (find_layout_of(map, true, &plain) && !plain.tokens && plain.rows > 0) {
        *out = plain;
        return true;
    }
    return find_layout_of(map, false, out);
}

/* Digits of the text of bits that a row ends in; 0: it does not. */
static size_t bits_of(const char *text, size_t length) {
    size_t at = last_fields(text, length, 1);
    return es_cells_are_bits(text + at, length - at) ? length - at : 0;
}

bool es_word_text_looks(const es_map *map, const char *path) {
    enum { START = 1 << 18, LEAST = 3, LEAST_NAMED = 8 };
    const char *text, *field;
    size_t length, seen = 0;
    es_map start = *map;
    layout l;
    (void)path;
    start.watch = NULL;
    if (start.size > START) { /* whole lines alone */
        start.size = START;
        while (start.size > 0 && map->data[start.size - 1] != '\n')
            start.size--;
    }
    if (!find_layout(&start, &l))
        return false;
    es_lines lines = es_lines_of(&start, NULL);
    if (next_row(&lines, &l, true, &text, &length) && bits_of(text, length) > 0)
        return true; /* to be refused with its reason */
    lines = es_lines_of(&start, NULL);
    if (l.d < (l.names && !l.counted ? LEAST_NAMED : LEAST))
        return false;
    while (seen < LOOKED_LINES && next_row(&lines, &l, seen == 0, &text, &length)) {
        size_t at, size, count = es_field_count(text, length);
        if (count < l.d || (!l.tokens && count != l.d))
            return false;
        at = last_fields(text, length, l.d);
        while (es_field_next(text, length, &at, &field, &size))
            if (!is_number(field, size))
                return false;
        seen++;
    }
    return seen >= 2;
}

/* Without the quotes that R puts around row names. */
static es_status push_token(const char *text, size_t length, const layout *l, es_row_ids *ids,
                            es_error *err) {
    size_t end = last_fields(text, length, l->d), start = 0;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    while (start < end && (text[start] == ' ' || text[start] == '\t'))
        start++;
    bool quoted = l->names && end - start > 1 && text[start] == '"' && text[end - 1] == '"';
    return es_row_ids_push(ids, text + start + quoted, end - start - 2u * quoted, err);
}

/* A line that is a row; its token goes to `ids`, if there are any. */
static es_status look_at_row(const layout *l, const char *label, size_t line, const char *text,
                             size_t length, es_row_ids *ids, es_error *err) {
    const char *field;
    size_t at = 0, size = 0, count = es_field_count(text, length);
    if (count < l->d || (!l->tokens && count != l->d))
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected %s%zu numbers, found %zu fields",
                       label, line, l->tokens ? "a token and " : "", l->d, count);
    if (!ids)
        return ES_OK;
    if (count == l->d) { /* no token, or a number less than the first line promises */
        es_field_next(text, length, &at, &field, &size);
        if (!is_number(field, size))
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: expected a token and %zu numbers%s, found %zu", label,
                           line, l->d, l->header ? ", as the first line promises" : "", count - 1);
        at = 0;
    }
    if (count != l->d + 1 || l->names) /* none, one with blanks, or one in quotes */
        return push_token(text, length, l, ids, err);
    es_field_next(text, length, &at, &field, &size);
    return es_row_ids_push(ids, field, size, err);
}

static es_status check_shape(const layout *l, const char *label, size_t n, es_error *err) {
    if (l->header && n != l->n)
        return es_fail(err, ES_EFORMAT,
                       "%s: the first line promises %zu rows, found %zu; is the file whole?", label,
                       l->n, n);
    es_status st = es_array_check(n, l->d, ES_DTYPE_F64, SIZE_MAX, err);
    if (st != ES_OK)
        es_error_prefix(err, label);
    return st;
}

static es_status add_first(es_column_ids *first, const char *text, size_t length, es_error *err) {
    const char *field, *next;
    size_t at = 0, size, next_size;
    if (first->first.other || !es_field_next(text, length, &at, &field, &size))
        return ES_OK;
    (void)es_field_next(text, length, &at, &next, &next_size);
    return es_column_ids_add(first, field, size, next, next_size, err);
}

/* Row names that only count the rows, as R writes them, say who they are as an index does. */
static es_status count_ids(es_row_ids *ids, es_error *err) {
    size_t n = ids->n, from;
    if (!es_row_ids_counts(ids, &from))
        return ES_OK;
    es_row_ids_deinit(ids);
    return es_row_ids_count(from, n, ids, err);
}

/* The first number of all lines counts them: it is their token. */
static es_status take_index(const es_row_counting *counting, size_t n, es_row_ids **ids,
                            char **note, es_error *err) {
    *ids = es_alloc_zero(1, sizeof **ids);
    *note = es_strdup(ES_COLUMN_COUNTS);
    if (!*ids || !*note) {
        es_free(*note);
        return es_no_memory(err);
    }
    es_status st = es_row_ids_count(counting->from, n, *ids, err);
    if (st != ES_OK)
        es_free(*note);
    return st;
}

es_status es_word_text_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                             es_error *err) {
    char label[ES_PATH_LABEL];
    const char *text = NULL;
    size_t length = 0, n = 0;
    layout l;
    es_format format = es_format_of(map);
    es_path_label(label, path);
    if (format != ES_FILE_TEXT && format != ES_FILE_UNKNOWN)
        return es_format_refuse(format, path, "text with a vector a line", err);
    if (!find_layout(map, &l))
        return es_fail(err, ES_EFORMAT,
                       "%s: holds no vectors; expected lines \"token v1 v2 ...\", or numbers alone",
                       label);
    if (l.more > 0)
        return es_fail(err, ES_EFORMAT,
                       "%s: line 2: expected a token and %zu numbers, as the first line promises, "
                       "found %zu numbers, as in the lines below it; correct the first line",
                       label, l.d, l.d + l.more);
    es_row_ids *ids = l.tokens ? es_alloc_zero(1, sizeof *ids) : NULL;
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    es_status st = tensor && (ids || !l.tokens) ? ES_OK : es_no_memory(err);
    es_column_ids first = {0};
    if (l.header || l.tokens || l.d < 2)
        first.first = (es_row_counting)ES_ROW_COUNTING_OFF;
    es_lines lines = es_lines_of(map, run);
    for (; st == ES_OK && next_row(&lines, &l, n == 0, &text, &length); n++) {
        if (n == 0 && bits_of(text, length) > 0)
            st = es_cells_refuse_bits(label, lines.number, bits_of(text, length), err);
        if (st == ES_OK)
            st = look_at_row(&l, label, lines.number, text, length, ids, err);
        if (st == ES_OK)
            st = add_first(&first, text, length, err);
    }
    if (st == ES_OK && lines.status != ES_OK)
        st = es_fail(err, lines.status, "canceled");
    if (st == ES_OK)
        st = check_shape(&l, label, n, err);
    if (st == ES_OK && l.names && ids)
        st = count_ids(ids, err);
    char *note = NULL;
    if (st == ES_OK && n >= ES_COLUMN_COUNTS_SURE && es_row_counting_holds(&first.first)) {
        st = take_index(&first.first, n, &ids, &note, err);
        l.d--;
    }
    if (st != ES_OK) {
        es_column_ids_deinit(&first);
        es_row_ids_free(ids);
        es_free(tensor);
        return st;
    }
    *tensor = (es_tensor){
        .array = {.n = n, .d = l.d, .dtype = ES_DTYPE_F64, .big_endian = es_host_is_big_endian()},
        .ids = ids};
    *out = (es_tensors){.items = tensor, .count = 1, .note = note};
    if (!ids)
        st = es_column_ids_offer(&first, NULL, out, err);
    es_column_ids_deinit(&first);
    return st;
}

static es_status read_row(const es_filling *f, size_t line, const char *text, size_t length,
                          double *out, es_error *err) {
    char label[ES_PATH_LABEL], shown[48];
    const char *field = NULL;
    size_t d = f->tensor->array.d, found = 0, size = 0;
    size_t at = f->tensor->ids ? last_fields(text, length, d) : 0;
    es_path_label(label, f->path);
    for (; found < d && es_field_next(text, length, &at, &field, &size); found++)
        if (!es_text_parse_double(field, size, &out[found])) {
            es_text_clean_into(shown, sizeof shown, field, size);
            return es_fail(err, ES_EFORMAT, "%s: line %zu, number %zu: '%s' is not a number", label,
                           line, found + 1, shown);
        }
    if (found < d)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected %zu numbers, found %zu", label,
                       line, d, found);
    return ES_OK;
}

es_status es_word_text_fill(const es_filling *f, es_error *err) {
    const es_array *a = &f->tensor->array;
    const char *text = NULL;
    size_t length = 0, n = 0;
    es_lines lines = es_lines_of(f->map, f->run);
    es_status st = ES_OK;
    layout l;
    if (!find_layout(f->map, &l))
        l = (layout){0};
    for (; st == ES_OK && n < a->n && next_row(&lines, &l, n == 0, &text, &length); n++) {
        st = read_row(f, lines.number, text, length, (double *)(void *)f->out + n * a->d, err);
        es_filling_wrote(f, a->d * sizeof(double));
    }
    return st == ES_OK ? es_text_ended(f, &lines, n, err) : st;
}
