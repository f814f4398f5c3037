/* A matrix from files that looks like one that was computed: the values from a CSV, and where they
 * are given the means of every value over blocks of rows, and who is of which family. */
#include "engine_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io.h"

/* ---- The values ---- */

/* A name of the header, to be found by it. */
typedef struct heading {
    char *name;
    size_t column; /* from 0, without the index and the sources */
} heading;

/* Values go to the row and column they have in the file; what they are called is matched as names
 * come. */
typedef struct matrix_sink {
    heading *heading; /* (m) as in the header, by name once that has ended */
    size_t m, capacity;
    size_t line;    /* of the header */
    bool indexed;   /* its first cell may be that of an index or a rank */
    size_t first;   /* column of the sources: 1 behind an index or a rank, else 0 */
    size_t *source; /* (m) row of the name over each column, SIZE_MAX until it is met */
    es_results *r;
} matrix_sink;

static int by_name(const void *a, const void *b) {
    const heading *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static heading *find_heading(const matrix_sink *sink, char *name) {
    const heading key = {.name = name};
    return bsearch(&key, sink->heading, sink->m, sizeof key, by_name);
}

static es_status fail_twice(const es_cells *r, size_t line, const char *what, const char *name) {
    return es_fail(r->err, ES_EFORMAT, "%s: line %zu: two %ss are called \"%s\"", r->label, line,
                   what, name);
}

static es_status fail_alone(const es_cells *r, const char *name, const char *is,
                            const char *is_not) {
    return es_fail(r->err, ES_EFORMAT,
                   "%s: \"%s\" is a %s but not a %s; both must name the same models", r->label,
                   name, is, is_not);
}

/* Without markup; *out is NULL after an error. */
static es_status take_name(const es_cells *r, const char *text, size_t length, char **out) {
    *out = es_text_clean(text, length, 0);
    if (!*out)
        return es_cells_no_memory(r);
    (void)es_plain_cell(*out);
    return ES_OK;
}

static es_status fail_unnamed(const es_cells *r, size_t line, const char *what, size_t at) {
    return es_fail(r->err, ES_EFORMAT, "%s: line %zu: %s %zu has no name", r->label, line, what,
                   at + 1);
}

/* Sets *out if a column under this heading is an index before the sources. */
static es_status heads_index(const es_cells *r, const char *text, size_t length, bool *out) {
    char *name = NULL;
    es_status st = take_name(r, text, length, &name);
    if (st == ES_OK)
        *out = es_table_heads_index(name) || strcasecmp(name, "rank") == 0;
    es_free(name);
    return st;
}

/* A target, or a heading that end_header drops. A file that is no matrix may have a million
 * columns: those are counted alone. */
static es_status take_heading(es_cells *r, const char *text, size_t length) {
    matrix_sink *sink = r->sink;
    sink->line = r->start;
    if (r->column == 0)
        return heads_index(r, text, length, &sink->indexed);
    if (r->column > ES_RESULTS_MOST + 1)
        return ES_OK;
    heading *held = es_grow(sink->heading, sink->m, &sink->capacity, sizeof *held);
    if (!held)
        return es_cells_no_memory(r);
    sink->heading = held;
    held += sink->m++;
    held->column = r->column - 1;
    return take_name(r, text, length, &held->name);
}

/* Whether the first cell under the header belongs to an index: a number that names no target. */
static bool is_index(const es_cells *r, const char *text, size_t length) {
    const matrix_sink *sink = r->sink;
    double number = 0;
    if (!sink->indexed || sink->m == 0 || !es_text_parse_double(text, length, &number))
        return false;
    if (strcmp(sink->heading[0].name, "source") == 0)
        return true;
    for (size_t c = 0; c < sink->m; c++)
        if (strlen(sink->heading[c].name) == length &&
            memcmp(sink->heading[c].name, text, length) == 0)
            return false;
    return true;
}

/* Drops the heading of the sources after an index, and columns at the end without a name. */
static void drop_headings(matrix_sink *sink, bool indexed) {
    if (indexed) {
        es_free(sink->heading[0].name);
        memmove(sink->heading, sink->heading + 1, --sink->m * sizeof *sink->heading);
        sink->first = 1;
    }
    while (sink->m > 0 && !sink->heading[sink->m - 1].name[0])
        es_free(sink->heading[--sink->m].name);
    for (size_t c = 0; c < sink->m; c++)
        sink->heading[c].column = c;
}

/* Called with the first cell under the header. */
static es_status end_header(es_cells *r, const char *text, size_t length) {
    matrix_sink *sink = r->sink;
    drop_headings(sink, is_index(r, text, length));
    size_t m = sink->m;
    for (size_t c = 0; c < m; c++)
        if (!sink->heading[c].name[0])
            return fail_unnamed(r, sink->line, "column", sink->first + 1 + c);
    if (m == 0)
        return ES_OK; /* refused at the end */
    ES_PASS(es_results_new_values(m, &sink->r, r->err));
    sink->source = es_alloc(m, sizeof *sink->source);
    if (!sink->source)
        return es_cells_no_memory(r);
    for (size_t c = 0; c < m; c++)
        sink->source[c] = SIZE_MAX;
    qsort(sink->heading, m, sizeof *sink->heading, by_name);
    for (size_t c = 1; c < m; c++)
        if (by_name(&sink->heading[c - 1], &sink->heading[c]) == 0)
            return fail_twice(r, sink->line, "column", sink->heading[c].name);
    return ES_OK;
}

/* More rows than columns do not get past here. */
static es_status take_source(es_cells *r, const char *text, size_t length) {
    matrix_sink *sink = r->sink;
    char *name = NULL;
    es_status st = take_name(r, text, length, &name);
    if (!name)
        return st;
    if (!name[0]) {
        es_free(name);
        return fail_unnamed(r, r->start, "row", r->row);
    }
    const heading *same = find_heading(sink, name);
    if (!same)
        st = fail_alone(r, name, "row", "column");
    else if (sink->source[same->column] != SIZE_MAX)
        st = fail_twice(r, r->start, "row", name);
    if (!same || st != ES_OK) {
        es_free(name);
        return st;
    }
    sink->source[same->column] = r->row - 1;
    sink->r->name[r->row - 1] = name;
    return ES_OK;
}

/* "**0.83**" or "0.83 ± 0.02". Percentages would stand beside fractions: they are refused. */
static bool is_marked_number(char delimiter, const char *text, size_t length, double *value) {
    char cell[128];
    bool percent = false;
    if (length >= sizeof cell)
        return false;
    memcpy(cell, text, length);
    cell[length] = '\0';
    return es_plain_number(delimiter, cell, value, &percent) && !percent;
}

/* Reads a cell of the matrix as a number, or as missing. */
static es_status take_value(es_cells *r, const char *text, size_t length) {
    const matrix_sink *sink = r->sink;
    double value = 0;
    if (es_cells_is_empty(text, length))
        return ES_OK;
    if (r->column > sink->first + sink->m)
        return fail_unnamed(r, sink->line, "column", r->column);
    if (!es_cells_number(r->delimiter, text, length, &value)) {
        if (es_cells_says_missing(text, length)) /* NaN is a number: one that went wrong */
            return ES_OK;
        if (!is_marked_number(r->delimiter, text, length, &value))
            return es_cells_not_a_number(r->label, r->start, r->column, text, length, r->err);
    }
    if (!isfinite(value)) {
        char shown[48];
        es_text_clean_into(shown, sizeof shown, text, length);
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu, column %zu: %s is not a finite number; leave the cell empty "
                       "where a value is missing",
                       r->label, r->start, r->column + 1, shown);
    }
    if (!es_cells_in_range(value))
        return es_fail(r->err, ES_EFORMAT,
                       "%s: line %zu, column %zu: %g cannot be compared: values are up to %g, and "
                       "0 or at least %g; scale all of them",
                       r->label, r->start, r->column + 1, value, ES_VALUE_MOST, 1 / ES_VALUE_MOST);
    es_results_give(sink->r, r->row - 1, r->column - 1 - sink->first, value);
    return ES_OK;
}

/* Reads the next cell: a heading, a source's name or a value. */
static es_status take_cell(es_cells *r, const char *text, size_t length) {
    const matrix_sink *sink = r->sink;
    if (r->row == 0)
        return take_heading(r, text, length);
    if (r->row == 1 && r->column == 0) {
        ES_PASS(end_header(r, text, length));
    }
    if (sink->m == 0 || r->column < sink->first)
        return ES_OK;
    return r->column == sink->first ? take_source(r, text, length) : take_value(r, text, length);
}

/* A table of very many columns is refused by its header. */
static es_status end_row(es_cells *r) {
    es_results *none = NULL;
    return r->row == 0 && r->columns > ES_RESULTS_MOST + 2
               ? es_results_new_values(r->columns - 1, &none, r->err)
               : ES_OK;
}

static es_status check_rows(const es_cells *r) {
    const matrix_sink *sink = r->sink;
    const heading *first = NULL;
    if (r->row < 2 || sink->m == 0)
        return es_fail(
            r->err, ES_EFORMAT,
            "%s: no matrix: the first line names the targets, the first column the sources",
            r->label);
    for (size_t i = 0; i < sink->m; i++) {
        const heading *h = &sink->heading[i];
        if (sink->source[h->column] == SIZE_MAX && (!first || h->column < first->column))
            first = h;
    }
    return first ? fail_alone(r, first->name, "column", "row") : ES_OK;
}

/* Columns come into the order of the rows. */
static es_status order_columns(const matrix_sink *sink, es_error *err) {
    es_results *r = sink->r;
    size_t m = sink->m, same = 0;
    while (same < m && sink->source[same] == same)
        same++;
    if (same == m)
        return ES_OK;
    double *is = es_alloc(m, sizeof *is);
    uint8_t *state = es_alloc(m, sizeof *state);
    for (size_t i = 0; is && state && i < m; i++) {
        memcpy(is, r->is + i * m, m * sizeof *is);
        memcpy(state, r->state + i * m, m * sizeof *state);
        for (size_t c = 0; c < m; c++) {
            r->is[i * m + sink->source[c]] = is[c];
            r->state[i * m + sink->source[c]] = state[c];
        }
    }
    bool done = is && state;
    es_free(is);
    es_free(state);
    return done ? ES_OK : es_no_memory(err);
}

/* ---- What is no matrix ---- */

/* True if the text begins with this; case does not count. */
static bool begins(const es_map *map, const char *with) {
    if (map->size == 0)
        return false;
    const char *text = (const char *)map->data, *end = text + map->size;
    size_t length = strlen(with);
    if (map->size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    text = es_ascii_after_blanks(text, end);
    return (size_t)(end - text) >= length && strncasecmp(text, with, length) == 0;
}

/* What people have at hand that holds a matrix in another form; NULL: none of it. */
static const char *other_form(const es_map *map) {
    es_format format = es_format_of(map);
    if (format == ES_FILE_NPZ)
        return "an .npz archive";
    if (format == ES_FILE_NPY)
        return "a NumPy array";
    if (begins(map, "{") || begins(map, "["))
        return "JSON";
    return begins(map, "source,target,") ? "a line a pair" : NULL;
}

/* An error of the reader, or that the file is something else and how to make what is wanted. */
static es_status explain(const es_map *map, const char *path, es_status st, es_error *err) {
    char label[ES_PATH_LABEL];
    const char *form = st == ES_EFORMAT || st == ES_EUNSUPPORTED ? other_form(map) : NULL;
    if (!form)
        return st;
    return es_fail(err, st,
                   "%s: is %s; --matrix takes a csv file whose first line names the targets and "
                   "whose first column the sources: `embedscope matrix POOL --csv -o FILE.csv` "
                   "writes one",
                   es_path_label(label, path), form);
}

/* Rows are in the file's order; *columns (m, to be freed) says where its columns are. */
static es_status read_matrix(const char *path, es_run *run, es_results **out, size_t **columns,
                             es_error *err) {
    char label[ES_PATH_LABEL];
    matrix_sink sink = {0};
    es_map map = {0};
    es_cells r = {.label = es_path_label(label, path),
                  .run = run,
                  .map = &map,
                  .err = err,
                  .may_lead = true,
                  .cell = take_cell,
                  .end = end_row,
                  .sink = &sink};
    es_run_begin(run, label, "reading its values");
    ES_PASS(es_map_open(path, 0, &map, err));
    r.delimiter = es_cells_delimiter_of(path, map.data, map.size);
    es_status st = es_cells_read(&r, map.data, map.size, path);
    ES_TRY(st == ES_OK ? es_map_check(&map, path, err) : explain(&map, path, st, err));
    ES_TRY(explain(&map, path, check_rows(&r), err));
    ES_TRY(order_columns(&sink, err));
    *out = sink.r;
    *columns = sink.source;
    sink.r = NULL;
    sink.source = NULL;
done:
    es_results_free(sink.r);
    es_free(sink.source);
    for (size_t i = 0; i < sink.m; i++)
        es_free(sink.heading[i].name);
    es_free(sink.heading);
    es_map_close(&map);
    return st;
}

/* ---- Blocks of rows ---- */

/* How a value of the file is found: (blocks, sources, targets), or (sources, targets, blocks). */
typedef struct block_values {
    size_t m, blocks;
    bool blocks_first;
    double *value; /* all of them, in the file's order */
} block_values;

static double value_of(const block_values *v, size_t source, size_t column, size_t block) {
    size_t cell = source * v->m + column;
    return v->value[v->blocks_first ? block * v->m * v->m + cell : cell * v->blocks + block];
}

/* The mean over blocks is the value of the matrix, or they are not of this matrix. */
static bool fits(const block_values *v, const es_results *r, const size_t *column, size_t *at) {
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        size_t source = cell / r->m, c = cell % r->m;
        double mean = 0, is = r->is[source * r->m + column[c]];
        for (size_t h = 0; h < v->blocks && !isnan(is); h++)
            mean += value_of(v, source, c, h) / (double)v->blocks;
        if (isnan(is) || fabs(mean - is) <= 1e-4 * fmax(1, fabs(is)))
            continue;
        *at = cell;
        return false;
    }
    return true;
}

/* Puts the values per block of rows beside the matrix. */
static es_status put_blocks(const block_values *v, es_results *r, const size_t *column,
                            const char *label, es_error *err) {
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        size_t source = cell / r->m, c = cell % r->m, at = source * r->m + column[c];
        if (isnan(r->is[at]))
            continue;
        r->pmi[at] = es_alloc(v->blocks, sizeof **r->pmi);
        if (!r->pmi[at])
            return es_no_memory(err);
        for (size_t h = 0; h < v->blocks; h++) {
            double value = value_of(v, source, c, h);
            if (!(fabs(value) <= ES_VALUE_MOST))
                return es_fail(err, ES_EFORMAT, "%s: block %zu of %s -> %s: %g is beyond %g", label,
                               h + 1, r->name[source], r->name[column[c]], value, ES_VALUE_MOST);
            r->pmi[at][h] = (float)value;
        }
    }
    r->n_eval = v->blocks;
    return ES_OK;
}

static es_status read_blocks(const char *path, es_results *r, const size_t *column, es_error *err) {
    es_map map = {0};
    es_array array = {0};
    block_values v = {.m = r->m};
    size_t shape[3] = {0}, m = r->m, at = 0;
    char label[ES_PATH_LABEL];
    es_status st = es_map_open(path, 0, &map, err);
    if (st != ES_OK)
        return st;
    es_path_label(label, path);
    ES_TRY(es_npy_parse_cube(&map, path, shape, &array, err));
    bool first = shape[1] == m && shape[2] == m, last = shape[0] == m && shape[1] == m;
    v.blocks_first = first;
    v.blocks = first ? shape[0] : shape[2];
    ES_FAIL_IF(m == 0 || (!first && !last) || v.blocks < 2,
               es_fail(err, ES_EFORMAT,
                       "%s: is %zu x %zu x %zu, expected two blocks of rows or more for %zu x %zu "
                       "pairs: (blocks, sources, targets)",
                       label, shape[0], shape[1], shape[2], m, m));
    v.value = es_alloc(v.blocks * m, m * sizeof *v.value);
    ES_FAIL_IF(!v.value, es_no_memory(err));
    es_array_read_range(&array, 0, array.n, v.value);
    bool fit = fits(&v, r, column, &at);
    if (!fit && first && last) { /* as many blocks as embedders: the other order? */
        v.blocks_first = false;
        size_t ignored = 0;
        fit = fits(&v, r, column, &ignored);
    }
    ES_FAIL_IF(!fit, es_fail(err, ES_EFORMAT,
                             "%s: the mean over the blocks of %s -> %s is not the value of the "
                             "matrix (%g)",
                             label, r->name[at / m], r->name[column[at % m]],
                             r->is[at / m * m + column[at % m]]));
    ES_TRY(put_blocks(&v, r, column, label, err));
done:
    es_free(v.value);
    es_map_close(&map);
    return st;
}

/* ---- Families ---- */

static es_status read_families(const char *path, es_results *r, es_error *err) {
    es_family_file f = {0};
    es_status st = es_family_file_read(path, 0, &f, err);
    for (size_t i = 0; st == ES_OK && i < f.count; i++) {
        es_family_line *line = &f.item[i];
        size_t at = es_results_find(r, line->model);
        ES_FAIL_IF(at == SIZE_MAX,
                   es_fail(err, ES_EFORMAT, "%s: line %zu: \"%s\" is not in the matrix", f.label,
                           line->line, line->model));
        if (!line->family[0])
            continue;
        r->family[at] = line->family;
        line->family = NULL;
    }
done:
    es_family_file_deinit(&f);
    return st;
}

es_status es_matrix_files_read(const es_matrix_files *files, es_results **out, es_error *err) {
    es_results *r = NULL;
    size_t *column = NULL;
    es_status st = read_matrix(files->matrix, files->run, &r, &column, err);
    if (st == ES_OK && files->blocks)
        st = read_blocks(files->blocks, r, column, err);
    if (st == ES_OK && files->families)
        st = read_families(files->families, r, err);
    es_free(column);
    if (st == ES_OK)
        *out = r;
    else
        es_results_free(r);
    return st;
}
