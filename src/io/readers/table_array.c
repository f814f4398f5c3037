/* Tables of numbers: their shape by the first rows and the line ends, then their values. */
#include "io_readers_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io_readers.h"

enum { NAME_ROOM = 64 }; /* for a header that may be known */
enum { LABELS_MOST = 8 };

/* Columns of labels, by their headings. */
typedef struct label_columns {
    size_t at[LABELS_MOST], count;
    char name[LABELS_MOST][NAME_ROOM];
} label_columns;

static size_t labels_before(const label_columns *labels, size_t column) {
    size_t before = 0;
    while (before < labels->count && labels->at[before] < column)
        before++;
    return before;
}

static bool is_label(const label_columns *labels, size_t column) {
    size_t k = labels_before(labels, column);
    return k < labels->count && labels->at[k] == column;
}

/* What the first rows say: is there a header, is the first column no value? */
typedef struct guess {
    /* of the first row */
    bool has_text, others_have_text, first_empty, first_is_text, first_is_missing, has_missing;
    bool has_numbers, has_fractions;        /* behind the first */
    es_column_sort sort;                    /* of its first cell, as a header */
    char heading[NAME_ROOM];                /* that cell, cleaned */
    size_t numbers;                         /* cells from the first on that head an index */
    size_t id_column;                       /* the first behind those that heads ids; 0: none */
    bool key_is_nameless;                   /* the last of the indices */
    bool counts[2], counts_behind_index[2]; /* from 0, from 1 */
    bool plain_digits;                      /* all but the first, and nothing else */
    label_columns labels;
    bool has_x; /* a heading "x", beside which "y" is a coordinate */
    /* of the second */
    bool second_is_text, second_others_are_numbers, second_has_fractions;
    size_t bits, bits_line; /* of the first cell that holds some; 0: none does */
    size_t second_columns;
    bool word_behind; /* the second column has text, and all that follow numbers */
} guess;

static bool is_fraction(bool number, double value) {
    return number && isfinite(value) && value != floor(value);
}

/* Of a cell that is not the first: of columns of values "id" alone can be none. */
static bool heads_ids(const char *text, size_t length) {
    char name[NAME_ROOM];
    es_text_clean_into(name, sizeof name, text, length);
    return es_column_is_id(name);
}

static bool is_nameless(const char *text, size_t length) {
    char name[NAME_ROOM];
    es_text_clean_into(name, sizeof name, text, length);
    return es_column_is_nameless(name);
}

static void guess_label(guess *g, size_t column, const char *text, size_t length) {
    label_columns *l = &g->labels;
    g->has_x = g->has_x || (length == 1 && es_ascii_lower(*text) == 'x');
    if (l->count == LABELS_MOST || !es_column_is_label(text, length))
        return;
    es_text_clean_into(l->name[l->count], NAME_ROOM, text, length);
    l->at[l->count++] = column;
}

/* Without "y" beside "x". */
static void drop_coordinates(guess *g) {
    size_t kept = 0;
    for (size_t k = 0; k < g->labels.count; k++) {
        const char *name = g->labels.name[k];
        if (g->has_x && es_ascii_lower(name[0]) == 'y' && name[1] == '\0')
            continue;
        g->labels.at[kept] = g->labels.at[k];
        memmove(g->labels.name[kept++], name, NAME_ROOM);
    }
    g->labels.count = kept;
}

static void guess_first(guess *g, size_t column, const char *text, size_t length, bool number,
                        double value) {
    bool empty = es_cells_is_empty(text, length),
         missing = !number && es_cells_says_missing(text, length);
    bool word = !empty && !number && !missing;
    if (column == 0) {
        g->first_empty = empty;
        g->first_is_text = word;
        g->first_is_missing = missing;
        g->sort = es_column_sort_of(text, length);
        es_text_clean_into(g->heading, sizeof g->heading, text, length);
        g->plain_digits = true;
    }
    if (column == g->numbers && es_column_sort_of(text, length) == ES_COLUMN_NUMBERS) {
        g->numbers++;
        g->key_is_nameless = is_nameless(text, length);
    } else if (column > 0 && g->id_column == 0 && heads_ids(text, length)) {
        g->id_column = column;
    }
    guess_label(g, column, text, length);
    g->has_text = g->has_text || word;
    g->has_missing = g->has_missing || missing;
    g->has_numbers = g->has_numbers || number;
    g->has_fractions = g->has_fractions || (column > 0 && is_fraction(number, value));
    g->others_have_text = g->others_have_text || (column > 0 && word);
    for (size_t i = 0; i < length && column > 0; i++)
        g->plain_digits = g->plain_digits && text[i] >= '0' && text[i] <= '9';
    for (size_t from = 0; from < 2; from++) {
        bool next = number && value == (double)(column + from);
        bool behind = number && value + 1.0 == (double)(column + from);
        g->counts[from] = (column == 0 || g->counts[from]) && next;
        g->counts_behind_index[from] = column == 0 || (g->counts_behind_index[from] && behind);
    }
}

static es_status guess_cell(es_cells *r, const char *text, size_t length) {
    guess *g = r->sink;
    double value = (double)NAN;
    bool empty = es_cells_is_empty(text, length);
    bool number = !empty && es_cells_number(r->delimiter, text, length, &value);
    enum { LONG = 32 }; /* an id with zeros in front is shorter */
    if (g->bits == 0 && (r->column > 0 || length >= LONG) && es_cells_are_bits(text, length)) {
        g->bits = length;
        g->bits_line = r->start;
    }
    if (r->row == 0) {
        guess_first(g, r->column, text, length, number, value);
    } else if (r->row == 1) {
        g->second_has_fractions = g->second_has_fractions || is_fraction(number, value);
        if (r->column == 0) {
            g->second_is_text = !empty && !number;
            g->second_others_are_numbers = true;
        } else if (!is_label(&g->labels, r->column)) {
            bool value_or_none = empty || number;
            g->second_others_are_numbers = g->second_others_are_numbers && value_or_none;
            g->word_behind = r->column == 1 ? !value_or_none : g->word_behind && value_or_none;
            g->second_columns++;
        }
    }
    return ES_OK;
}

static es_status end_nothing(es_cells *r) {
    (void)r;
    return ES_OK;
}

/* An array before its values are read. */
typedef struct shape {
    bool header, skip_key, ids;
    bool numbered; /* the key is headed as row numbers are, or by nothing: whether it tells the rows
                      apart or counts them takes all of it */
    bool nameless; /* by nothing */
    bool more_ids; /* the key is headed as ids, and another column is */
    char delimiter;
    size_t bits, bits_line;  /* of the first cell that is a text of bits; 0: none is */
    char heading[NAME_ROOM]; /* of the first column; empty without a header */
    size_t columns;          /* cells of a row */
    size_t key;    /* the column that may say which row a line is: the first, but where another one
                      is headed as ids, or the last of several indices */
    size_t before; /* columns from the first on that are left out, whatever the key is */
    label_columns labels; /* left out, too; none of them is the key or stands before it */
} shape;

static bool is_skipped(const shape *s, size_t column) {
    return column < s->before || (s->skip_key && column == s->key) || is_label(&s->labels, column);
}

/* Columns that hold values. */
static size_t values_of(const shape *s) {
    return s->columns - s->before - s->skip_key - s->labels.count;
}

/* The place among the values of a column that is not left out. */
static size_t place_of(const shape *s, size_t column) {
    return column - s->before - (s->skip_key && column > s->key) -
           labels_before(&s->labels, column);
}

/* A first row of whole numbers that follow each other, from 0 or from 1, names the columns. From 1
 * it may be a row of whole numbers like others, if it is short. */
static bool is_counting(const guess *g, size_t columns, bool has_second) {
    enum { SURE = 16 };
    bool index = g->first_empty || g->sort != ES_COLUMN_OTHER;
    if (columns < 3)
        return false;
    if (g->counts[0] || (index && (g->counts_behind_index[0] || g->counts_behind_index[1])))
        return true;
    return g->counts[1] && g->plain_digits && has_second &&
           (g->second_has_fractions || columns >= SURE);
}

/* Where the first column is not headed as ids: "id" behind it, text behind an index, or the index
 * that was there before an index was added. What stands before them and is an index, or no number,
 * is left out. */
static void settle_key(shape *s, const guess *g, bool has_second, bool named) {
    s->more_ids = named && g->id_column > 0;
    if (named || !has_second)
        return;
    size_t id = g->id_column > 0 ? g->id_column : g->numbers == 1 && g->word_behind;
    if (id > 0 && s->columns >= 3) {
        s->key = id;
        s->before = g->numbers > 0 ? g->numbers : s->ids;
        s->ids = true;
        s->numbered = false;
    } else if (g->numbers >= 2 && s->columns > g->numbers && s->numbered) {
        s->key = s->before = g->numbers - 1;
        s->nameless = g->key_is_nameless;
    }
}

/* Columns of labels, where there are others beside them. A first column of them says nothing else.
 */
static void settle_labels(shape *s, guess *g) {
    drop_coordinates(g);
    const label_columns *l = &g->labels;
    bool first = l->count > 0 && l->at[0] == 0;
    bool behind = l->count > 0 && l->at[0] > s->key && l->at[0] >= s->before;
    if (!s->header || l->count == 0 || !(first ? s->key == 0 : behind) ||
        s->columns < s->before + (s->skip_key && !first) + l->count + 1)
        return;
    s->labels = *l;
    s->ids = s->ids && !first;
    s->skip_key = s->skip_key && !first;
    s->numbered = s->numbered && !first;
}

static shape settle_guess(const guess *first, size_t columns, bool has_second) {
    guess g = *first;
    shape s = {.columns = columns, .bits = g.bits, .bits_line = g.bits_line};
    /* Words for missing values among numbers head nothing; alone they may be anybody's names. */
    if (g.first_is_missing && g.second_is_text)
        g.first_is_text = g.has_text = true;
    else if (g.has_missing && !g.has_numbers)
        g.has_text = g.others_have_text = true;
    bool ids_below = columns >= 2 && has_second && g.second_is_text &&
                     g.second_others_are_numbers && g.second_columns > 0;
    bool only_first = g.first_is_text && !g.others_have_text;
    bool named = !g.first_empty && g.sort == ES_COLUMN_IDS;
    bool row = only_first && (g.sort == ES_COLUMN_OTHER || g.has_fractions) && columns >= 2 &&
               (g.second_is_text || !has_second);
    s.header = is_counting(&g, columns, has_second) || (g.has_text && !row);
    if (!s.header) {
        s.ids = only_first && columns >= 2;
    } else {
        memcpy(s.heading, g.heading, sizeof s.heading);
        s.ids = ids_below || (columns >= 2 && named && has_second);
        s.nameless = g.first_empty;
        s.numbered = columns >= 2 && !s.ids && g.sort == ES_COLUMN_NUMBERS;
        settle_key(&s, &g, has_second, named);
    }
    s.skip_key = s.ids || s.numbered;
    settle_labels(&s, &g);
    return s;
}

/* The beginning of a file, with as many whole lines as make two rows, if it has so many. */
static es_status guess_shape(const void *data, size_t size, const char *path, shape *out,
                             es_error *err) {
    char label[ES_PATH_LABEL];
    guess g = {0};
    es_cells r = {.label = es_path_label(label, path),
                  .err = err,
                  .delimiter = es_cells_delimiter_of(path, data, size),
                  .most_rows = 2,
                  .cell = guess_cell,
                  .end = end_nothing,
                  .may_lead = true,
                  .sink = &g};
    ES_PASS(es_cells_read(&r, data, size, path));
    *out = settle_guess(&g, r.columns, r.row > 1);
    out->delimiter = r.delimiter;
    if (out->header && r.row < 2)
        return es_fail(err, ES_EFORMAT, "%s: holds a header but no rows of numbers", label);
    return ES_OK;
}

/* ---- the key column ---- */

/* What it holds, row by row. */
typedef struct key_cells {
    es_row_ids *ids; /* all of them; NULL: nobody wants to know */
    size_t empty, fractions;
    es_row_counting counting;
    es_column_ids column; /* where the column holds values and may be ids all the same */
    es_buf cell, next;    /* the one at hand, and the one behind it */
    es_row_ids label[LABELS_MOST];
} key_cells;

/* The first byte behind the quotes of a cell that begins at `at`, which are skipped; what they
 * hold goes to `cell`, unless that is NULL. `at` where it has none. */
static size_t pass_quotes(const char *text, size_t length, size_t at, es_buf *cell) {
    if (at >= length || text[at] != '"')
        return at;
    for (at++; at < length && (text[at] != '"' || (at + 1 < length && text[at + 1] == '"')); at++) {
        at += text[at] == '"';
        if (cell)
            es_buf_putc(cell, text[at]);
    }
    return at + (at < length);
}

/* A cell of a row, without its quotes. */
static void cut_cell(const char *text, size_t length, char delimiter, size_t column, es_buf *cell) {
    size_t at = 0;
    es_buf_clear(cell);
    for (size_t k = 0; k <= column; k++) {
        while (at < length && es_ascii_is_blank(text[at]) && text[at] != delimiter)
            at++;
        size_t after = pass_quotes(text, length, at, k == column ? cell : NULL);
        const char *end = memchr(text + after, delimiter, length - after);
        size_t stop = end ? (size_t)(end - text) : length;
        if (k == column && after == at) {
            while (stop > at && es_ascii_is_blank(text[stop - 1]))
                stop--;
            es_buf_add(cell, text + at, stop - at);
        }
        at = end ? stop + 1 : length;
    }
}

static es_status take_labels(key_cells *f, const shape *s, const char *text, size_t length,
                             es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; k < s->labels.count && st == ES_OK; k++) {
        cut_cell(text, length, s->delimiter, s->labels.at[k], &f->cell);
        st = es_buf_check(&f->cell, err);
        if (st == ES_OK)
            st = es_row_ids_push(&f->label[k], f->cell.data ? f->cell.data : "", f->cell.length,
                                 err);
    }
    return st;
}

static es_status take_key(key_cells *f, const shape *s, const char *text, size_t length,
                          es_error *err) {
    double value = 0;
    if (!f->ids && f->counting.broken && f->counting.other)
        return ES_OK;
    cut_cell(text, length, s->delimiter, s->key, &f->cell);
    es_status st = es_buf_check(&f->cell, err);
    if (st != ES_OK)
        return st;
    const char *id = f->cell.data ? f->cell.data : "";
    es_row_counting_add(&f->counting, id, f->cell.length);
    if (!f->ids && !f->column.first.other) {
        cut_cell(text, length, s->delimiter, s->key + 1, &f->next);
        st = es_buf_check(&f->next, err);
        return st == ES_OK
                   ? es_column_ids_add(&f->column, id, f->cell.length,
                                       f->next.data ? f->next.data : "", f->next.length, err)
                   : st;
    }
    if (!f->ids)
        return ES_OK;
    bool number = s->numbered && es_cells_number(s->delimiter, id, f->cell.length, &value);
    f->fractions += is_fraction(number, value);
    f->empty += f->cell.length == 0;
    return es_row_ids_push(f->ids, id, f->cell.length, err);
}

static void drop_ids(key_cells *f) {
    es_row_ids_free(f->ids);
    f->ids = NULL;
}

/* What a whole column of n comes to that is not plainly one of ids: an index that counts the rows,
 * ids, or values like any other. f->ids is NULL afterwards where it has none. */
static es_status settle_column(shape *s, key_cells *f, size_t n, const char **why, es_error *err) {
    bool sure = n >= ES_COLUMN_COUNTS_SURE;
    bool counts = es_row_counting_holds(&f->counting) && (s->numbered || sure), apart = false;
    es_status st = ES_OK;
    if (!counts && !s->numbered)
        return ES_OK;
    if (counts && !f->ids)
        f->ids = es_alloc_zero(1, sizeof *f->ids);
    if (!f->ids)
        return es_no_memory(err);
    if (counts) {
        es_row_ids_deinit(f->ids);
        st = es_row_ids_count(f->counting.from, n, f->ids, err);
    } else {
        st = es_row_ids_apart(f->ids, &apart, err);
        apart = apart && f->empty == 0 && (s->nameless || f->fractions == 0);
    }
    if (counts && !s->numbered)
        *why = ES_COLUMN_COUNTS;
    else if (!counts && !apart && (s->nameless || (f->fractions == 0 && f->empty == 0)))
        *why = "its first column is headed as an index, but says the same of several rows: it is "
               "left out, and rows are not matched by it";
    s->skip_key = counts || apart || *why;
    if (!counts && !apart)
        drop_ids(f);
    return st;
}

/* Ids that are not in the first column are ids where they tell the rows apart; "class_id" may not.
 */
static es_status settle_ids(shape *s, key_cells *f, const char **why, es_error *err) {
    bool apart = true;
    ES_PASS(s->key > 0 ? es_row_ids_apart(f->ids, &apart, err) : ES_OK);
    if (!apart) {
        *why = "a column behind its first is headed as ids, but says the same of several rows: it "
               "is taken as values";
        s->skip_key = false;
        drop_ids(f);
    } else if (s->more_ids) {
        *why = "a column behind its first is headed as ids, too: it is taken as values";
    }
    return ES_OK;
}

static es_status settle(shape *s, key_cells *f, size_t n, char **note, es_error *err) {
    const char *why = NULL;
    es_status st = s->ids ? settle_ids(s, f, &why, err) : settle_column(s, f, n, &why, err);
    if (st == ES_OK && why == NULL && s->before > 0)
        why = "of several columns that are headed as an index or as ids the last says which row is "
              "which: those before it are left out";
    if (st == ES_OK && why)
        *note = es_strdup(why);
    return st == ES_OK && why && !*note ? es_no_memory(err) : st;
}

/* ---- the shape ---- */

static bool has_cells(const char *text, size_t length, char delimiter) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == delimiter || !es_ascii_is_blank(text[i]))
            return true;
    return false;
}

/* True when the quotes in text[0..length) leave a cell open; `open` before it. */
static bool quote_open(const char *text, size_t length, bool open) {
    for (const char *p = text; (p = memchr(p, '"', (size_t)(text + length - p))) != NULL; p++)
        open = !open;
    return open;
}

/* Rows of a file by its line ends alone, and their first cells; whether each is well formed is seen
 * when the values are read. A row that quotes stretch over lines counts once. */
static es_status count_rows(const es_map *map, const shape *s, const char *path, es_run *run,
                            size_t *out, key_cells *key, es_error *err) {
    es_status st = ES_OK;
    es_reading reading = {map, run, 0};
    const char *text = (const char *)map->data;
    char delimiter = s->delimiter;
    size_t rows = 0, start = 0, line = 0;
    bool open = false;
    size_t at = map->size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t end = at + es_cells_comments(text + at, map->size - at, delimiter); at < end;
         line++)
        at += es_line_length(text + at, end - at);
    for (size_t length; at < map->size && st == ES_OK; at += length) {
        length = es_line_length(text + at, map->size - at);
        line++;
        if (!open && !has_cells(text + at, length, delimiter))
            continue;
        start = open ? start : at;
        open = quote_open(text + at, length, open);
        if (open && at + length < map->size)
            continue;
        if (!(s->header && rows == 0)) {
            st = take_key(key, s, text + start, at + length - start, err);
            if (st == ES_OK)
                st = take_labels(key, s, text + start, at + length - start, err);
            if (st == ES_OK && s->ids && key->empty > 0)
                st = es_fail(err, ES_EFORMAT, "%s: line %zu: the id is empty, as no other is",
                             es_path_shown(path).text, line);
        }
        rows++;
        if (st == ES_OK)
            st = es_reading_at(&reading, at, err);
    }
    *out = rows - (s->header && rows > 0);
    return st;
}

/* Names the row that is too short for the array that is promised. */
static es_status find_ragged(const es_map *map, const shape *s, const char *path, es_run *run,
                             es_error *err) {
    char label[ES_PATH_LABEL];
    guess g = {0};
    es_cells r = {.label = es_path_label(label, path),
                  .run = run,
                  .err = err,
                  .delimiter = s->delimiter,
                  .cell = guess_cell,
                  .end = end_nothing,
                  .may_lead = true,
                  .sink = &g};
    ES_PASS(es_cells_read(&r, map->data, map->size, path));
    return es_fail(err, ES_EFORMAT, "%s: its rows and columns do not fit its size", label);
}

static es_status put_labels(const shape *s, key_cells *key, es_tensors *out, es_error *err) {
    out->label = es_alloc_zero(s->labels.count, sizeof *out->label);
    if (!out->label)
        return es_no_memory(err);
    for (size_t k = 0; k < s->labels.count; k++) {
        es_named_list *one = &out->label[out->n_labels++];
        one->name = es_strdup(s->labels.name[k]);
        one->ids = es_alloc_zero(1, sizeof *one->ids);
        if (!one->name || !one->ids)
            return es_no_memory(err);
        *one->ids = key->label[k];
        key->label[k] = (es_row_ids){0};
    }
    return ES_OK;
}

es_status es_table_tensors(const es_map *map, const char *path, es_run *run, es_tensors *out,
                           es_error *err) {
    shape s = {0};
    size_t n = 0, d = 0;
    char label[ES_PATH_LABEL];
    es_status st = guess_shape(map->data, map->size, path, &s, err);
    if (st == ES_OK && s.bits > 0)
        st = es_cells_refuse_bits(es_path_label(label, path), s.bits_line, s.bits, err);
    if (st != ES_OK)
        return st;
    key_cells key = {0};
    if (s.ids || s.columns < 2 || is_label(&s.labels, 0))
        key.counting = (es_row_counting)ES_ROW_COUNTING_OFF;
    char *note = NULL;
    bool wanted = s.ids || s.numbered;
    key.ids = wanted ? es_alloc_zero(1, sizeof *key.ids) : NULL;
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    st = tensor && (key.ids || !wanted) ? count_rows(map, &s, path, run, &n, &key, err)
                                        : es_no_memory(err);
    if (st == ES_OK)
        st = settle(&s, &key, n, &note, err);
    es_buf_free(&key.cell);
    es_buf_free(&key.next);
    d = values_of(&s);
    if (st == ES_OK && n > (map->size + 1) / s.columns) /* a cell takes a byte at least */
        st = find_ragged(map, &s, path, run, err);
    st = es_text_matrix(st, path, n, d, key.ids, tensor, out, err);
    if (st == ES_OK)
        out->note = note;
    else
        es_free(note);
    if (st == ES_OK && !out->items[0].ids)
        st = es_column_ids_offer(&key.column, *s.heading ? s.heading : NULL, out, err);
    if (st == ES_OK && s.labels.count > 0 && (st = put_labels(&s, &key, out, err)) != ES_OK)
        es_tensors_deinit(out);
    es_column_ids_deinit(&key.column);
    for (size_t k = 0; k < s.labels.count; k++)
        es_row_ids_deinit(&key.label[k]);
    return st;
}

typedef struct number_sink {
    const es_filling *f;
    shape s;
} number_sink;

static es_status store_number(es_cells *r, const char *text, size_t length) {
    number_sink *sink = r->sink;
    const es_array *a = &sink->f->tensor->array;
    double value = (double)NAN;
    if (r->row < sink->s.header || is_skipped(&sink->s, r->column))
        return ES_OK;
    size_t row = r->row - sink->s.header, column = place_of(&sink->s, r->column);
    if (!es_cells_is_empty(text, length) && !es_cells_number(r->delimiter, text, length, &value))
        return es_cells_not_a_number(r->label, r->line, r->column, text, length, r->err);
    if (row < a->n && column < a->d)
        ((double *)(void *)sink->f->out)[row * a->d + column] = value;
    return ES_OK;
}

static es_status end_numbers(es_cells *r) {
    const number_sink *sink = r->sink;
    es_filling_wrote(sink->f, sink->f->tensor->array.d * sizeof(double));
    return ES_OK;
}

es_status es_table_fill(const es_filling *f, es_error *err) {
    char label[ES_PATH_LABEL];
    number_sink sink = {.f = f};
    es_cells r = {.label = es_path_label(label, f->path),
                  .run = f->run,
                  .map = f->map,
                  .err = err,
                  .cell = store_number,
                  .end = end_numbers,
                  .may_lead = true,
                  .sink = &sink};
    es_status st = guess_shape(f->map->data, f->map->size, f->path, &sink.s, err);
    r.delimiter = sink.s.delimiter;
    sink.s.skip_key = sink.s.columns - sink.s.before - sink.s.labels.count >
                      f->tensor->array.d; /* as was seen when it was parsed */
    if (st == ES_OK)
        st = es_cells_read(&r, f->map->data, f->map->size, f->path);
    if (st == ES_OK && r.row != f->tensor->array.n + sink.s.header)
        st = es_fail(err, ES_EFORMAT,
                     "%s: expected %zu rows by its lines, found %zu: is a quote "
                     "not closed?",
                     label, f->tensor->array.n, r.row - (r.row > 0 && sink.s.header));
    return st;
}

es_status es_table_array(const void *data, size_t size, const char *path, es_run *run,
                         es_array *out, es_error *err) {
    const es_map map = {.data = data, .size = size};
    es_tensors tensors = {0};
    ES_PASS(es_table_tensors(&map, path, run, &tensors, err));
    es_array *a = &tensors.items[0].array;
    double *values = es_alloc(a->n * a->d, sizeof *values);
    const es_filling f = {.map = &map,
                          .path = path,
                          .tensor = &tensors.items[0],
                          .run = run,
                          .out = (unsigned char *)values};
    es_status st = values ? es_table_fill(&f, err) : es_no_memory(err);
    if (st == ES_OK)
        *out = es_array_own(values, a->n, a->d);
    else
        es_free(values);
    es_tensors_deinit(&tensors);
    return st;
}

/* ---- does a file look like a matrix? ---- */

/* Names of files beside a pool that are tables of something else. */
bool es_table_is_other(const char *path) {
    static const char *const names[] = {
        "rows",   "scores", "tasks",      "labels",     "pairs",   "pairs_graded", "qrels",
        "models", "groups", "background", "categories", "results", "ranking",      "matrix"};
    const char *name = es_path_base(path);
    char stem[80];
    size_t length = strlen(name);
    if (length < 5 || length - 4 >= sizeof stem)
        return false;
    for (size_t i = 0; i < length - 4; i++)
        stem[i] = es_ascii_lower(name[i]);
    stem[length - 4] = '\0';
    if (length >= 8 && strcmp(stem + length - 8, ".ids") == 0)
        return true;
    return es_text_index(names, sizeof names / sizeof *names, stem) != SIZE_MAX ||
           strstr(stem, "scores") != NULL;
}

/* The first rows of numbers, all of them as they should be? */
typedef struct sample_sink {
    shape s;
    bool header_counts; /* its cells end in whole numbers that follow each other */
    bool word_first;    /* except the first: a word over whole numbers */
    double before;
    size_t bad, missing, numbers;
} sample_sink;

static es_status sample_cell(es_cells *r, const char *text, size_t length) {
    sample_sink *sink = r->sink;
    double value = 0;
    if (is_skipped(&sink->s, r->column))
        return ES_OK;
    size_t column = place_of(&sink->s, r->column);
    if (r->row < sink->s.header) {
        bool counts = es_cells_trailing_number(text, length, &value);
        bool starts = column == 0 || (column == 1 && sink->word_first);
        sink->word_first = column == 0 ? !counts : sink->word_first;
        sink->header_counts =
            (starts || sink->header_counts) && counts && (starts || value == sink->before + 1.0);
        sink->before = value;
        return ES_OK;
    }
    /* "NA" among rows of numbers alone is a matrix's, which is refused with line and column. */
    bool missing = !sink->s.header && es_cells_says_missing(text, length);
    bool number =
        !es_cells_is_empty(text, length) && es_cells_number(r->delimiter, text, length, &value);
    if (column == 0 && is_fraction(number, value))
        sink->header_counts = sink->header_counts && !sink->word_first;
    sink->missing += missing;
    sink->numbers += number;
    sink->bad += !number && !missing;
    return ES_OK;
}

bool es_table_looks(const es_map *map, const char *path) {
    enum { START = 1 << 18, ROWS = 32, LEAST = 3, LEAST_NAMED = 8 };
    char label[ES_PATH_LABEL];
    size_t size = map->size;
    sample_sink sink = {0};
    es_cells r = {.label = es_path_label(label, path),
                  .most_rows = ROWS,
                  .cell = sample_cell,
                  .end = end_nothing,
                  .may_lead = true,
                  .sink = &sink};
    if (es_table_is_other(path) || size == 0 || es_table_kind_of(map, path) != ES_TABLE_UNKNOWN)
        return false;
    if (size > START) { /* whole lines alone */
        size = START;
        while (size > 0 && map->data[size - 1] != '\n')
            size--;
    }
    es_status st = guess_shape(map->data, size, path, &sink.s, NULL);
    r.delimiter = sink.s.delimiter;
    if (st == ES_OK && sink.s.bits > 0)
        return true; /* to be refused with its reason */
    if (st != ES_OK || es_cells_read(&r, map->data, size, path) != ES_OK || sink.bad > 0 ||
        sink.missing > sink.numbers)
        return false;
    size_t rows = r.row - sink.s.header, d = values_of(&sink.s);
    /* A table of named columns may be anything; so may one of a few. */
    bool plain = !sink.s.header || sink.header_counts;
    return rows >= 2 && d >= (plain ? (size_t)LEAST : (size_t)LEAST_NAMED);
}

/* What tables of named columns are that are no embedders: those that this program writes, and
 * others about models. */

enum { ROWS = 32, START = 1 << 20 }; /* looked at; a header of thousands of names is long */

typedef struct names {
    es_buf header; /* the cells of the first row, each with a NUL behind it */
    size_t next;   /* the one that the next row is to be called as */
    bool about_models, square;
} names;

/* Headers over names of models, or of facts about models. */
static bool names_models(const char *name) {
    static const char *const known[] = {"model", "model_name", "models",   "embedder",
                                        "task",  "task_name",  "rank",     "source",
                                        "pool",  "measure",    "data set", "dataset"};
    char lower[16];
    size_t length = strlen(name);
    for (size_t i = 0; i <= length && length < sizeof lower; i++)
        lower[i] = es_ascii_lower(name[i]);
    return length < sizeof lower &&
           es_text_index(known, sizeof known / sizeof *known, lower) != SIZE_MAX;
}

static es_status take_name(es_cells *r, const char *text, size_t length) {
    names *n = r->sink;
    double value;
    if (r->row == 0) {
        bool number = es_cells_number(r->delimiter, text, length, &value);
        es_buf_add(&n->header, text, length);
        es_buf_putc(&n->header, '\0');
        if (r->column == 0) {
            n->next = length + 1;
            n->about_models = n->header.data && names_models(n->header.data);
        } else
            n->square = n->square && !number && length > 0;
        return es_buf_check(&n->header, NULL);
    }
    if (r->column > 0)
        return ES_OK;
    const char *name = n->next < n->header.length ? n->header.data + n->next : NULL;
    n->square = n->square && name && strlen(name) == length && memcmp(name, text, length) == 0;
    n->next += name ? strlen(name) + 1 : 0;
    return ES_OK;
}

static es_status end_row(es_cells *r) {
    (void)r;
    return ES_OK;
}

es_table_kind es_table_kind_of(const es_map *map, const char *path) {
    size_t size = map->size < START ? map->size : START;
    names n = {.square = true};
    es_table_kind kind = ES_TABLE_UNKNOWN;
    while (size < map->size && size > 0 && map->data[size - 1] != '\n')
        size--;
    es_cells r = {.label = "",
                  .delimiter = es_cells_delimiter_of(path, map->data, size),
                  .most_rows = ROWS,
                  .cell = take_name,
                  .end = end_row,
                  .sink = &n};
    if (size > 0 && es_cells_read(&r, map->data, size, path) == ES_OK && r.row > 1 &&
        r.columns > 1) {
        if (n.square)
            kind = ES_TABLE_OF_PAIRS;
        else if (n.about_models)
            kind = ES_TABLE_OF_MODELS;
    }
    es_buf_free(&n.header);
    return kind;
}
