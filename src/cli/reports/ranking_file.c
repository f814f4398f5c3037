/* A ranking read from a file, made elsewhere or by `embedscope rank`: columns of a CSV are found by
 * their headings, so that extra ones do no harm; of a JSON document "ranking" is looked at. */
#include "cli_reports.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void es_ranking_file_deinit(es_ranking_file *file) {
    for (size_t i = 0; file->name && i < file->n; i++)
        es_free(file->name[i]);
    es_free(file->name);
    es_free(file->score);
    es_free(file->dim);
    es_free(file->score_column);
    *file = (es_ranking_file){0};
}

typedef struct places {
    size_t model, score, dim; /* columns; SIZE_MAX: none */
} places;

static size_t find_column(const es_table *t, const char *heading) {
    for (size_t j = 0; j < t->columns; j++)
        if (strcasecmp(es_table_cell(t, 0, j), heading) == 0)
            return j;
    return SIZE_MAX;
}

/* The only column called "score" except an arrow. */
static es_status find_score(const es_table *t, size_t *out, es_error *err) {
    size_t count = 0, found = SIZE_MAX;
    *out = find_column(t, "score");
    for (size_t j = 0; *out == SIZE_MAX && j < t->columns; j++) {
        char *bare = es_score_bare_name(es_table_cell(t, 0, j));
        if (!bare)
            return es_no_memory(err);
        if (strcmp(bare, "score") == 0) {
            found = j;
            count++;
        }
        es_free(bare);
    }
    if (count == 1)
        *out = found;
    return ES_OK;
}

/* The column of scores where none is called so. */
static size_t only_other(const es_table *t, const places *p) {
    size_t found = SIZE_MAX, rank = find_column(t, "rank");
    for (size_t j = 0; j < t->columns; j++) {
        if (j == p->model || j == p->dim || j == rank)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = j;
    }
    return found;
}

static es_status find_places(const es_table *t, places *out, es_error *err) {
    double number = 0;
    places p = {find_column(t, "model"), SIZE_MAX, find_column(t, "dim")};
    ES_PASS(find_score(t, &p.score, err));
    p.model = p.model == SIZE_MAX ? 0 : p.model;
    p.score = p.score == SIZE_MAX ? only_other(t, &p) : p.score;
    const char *heading = p.score == SIZE_MAX ? "" : es_table_cell(t, 0, p.score);
    if (p.score == SIZE_MAX || p.score == p.model)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected the columns 'model' and 'score'",
                       t->label, t->line[0]);
    if (es_text_parse_double(heading, strlen(heading), &number))
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: expected a header (model,score), found a number", t->label,
                       t->line[0]);
    if (t->rows < 2)
        return es_fail(err, ES_EFORMAT, "%s: holds a header but no models", t->label);
    *out = p;
    return ES_OK;
}

static es_status read_name(const es_table *t, size_t row, size_t column, es_ranking_file *file,
                           es_error *err) {
    const char *text = es_table_cell(t, row, column);
    if (text[0] == '\0')
        return es_fail(err, ES_EFORMAT, "%s: line %zu: the name is empty", t->label, t->line[row]);
    char *name = es_text_clean(text, strlen(text), 0);
    if (name == NULL)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", t->label);
    (void)es_plain_cell(name);
    file->name[file->n++] = name;
    for (size_t i = 0; i + 1 < file->n; i++)
        if (strcmp(file->name[i], name) == 0)
            return es_fail(err, ES_EFORMAT, "%s: '%.100s' is in line %zu and again in line %zu",
                           t->label, name, t->line[i + 1], t->line[row]);
    return ES_OK;
}

static es_status read_number(const es_table *t, size_t row, size_t column, double *out,
                             es_error *err) {
    *out = NAN;
    const char *text = column == SIZE_MAX ? "" : es_table_cell(t, row, column);
    if (es_cells_says_missing(text, strlen(text)) || !text[0])
        return ES_OK;
    size_t at = es_table_column(t, column);
    bool percent = false;
    es_status st = ES_OK;
    if (!es_plain_number(t->delimiter, text, out, &percent) || percent)
        st = es_table_number(t, row, column, out, err); /* infinite, or what is wrong with it */
    if (st == ES_OK && isinf(*out))
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the value is infinite", t->label,
                       t->line[row], at);
    if (st == ES_OK && fabs(*out) > ES_VALUE_MOST)
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: %g: values are up to %g",
                       t->label, t->line[row], at, *out, ES_VALUE_MOST);
    return st;
}

static es_status allocate_file(size_t most, const char *heading, es_ranking_file *file,
                               es_error *err) {
    file->name = es_alloc_zero(most, sizeof *file->name);
    file->score = es_alloc(most, sizeof *file->score);
    file->dim = es_alloc(most, sizeof *file->dim);
    file->score_column = es_text_clean(heading, strlen(heading), 0);
    return file->name && file->score && file->dim && file->score_column ? ES_OK : es_no_memory(err);
}

/* Of an estimator it is said where that is named, of a measure with its name. */
static es_status read_direction(const es_json_value *root, bool *lower, es_error *err) {
    static const char *const place[] = {"provenance", "measure"};
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && i < sizeof place / sizeof *place; i++) {
        es_json_value whose;
        bool said = false;
        st = es_json_get(root, place[i], ES_JSON_OBJECT, ES_JSON_OPTIONAL, &whose, err);
        if (st == ES_OK && whose.node)
            st = es_json_get_bool(&whose, "lower_is_better", ES_JSON_OPTIONAL, &said, err);
        *lower = *lower || said;
    }
    return st;
}

/* {"ranking": [{"model", "score", "dim"}]}, as `rank --json` writes it. */
static es_status read_json(const char *path, es_ranking_file *out, es_error *err) {
    es_json_doc *doc = NULL;
    es_ranking_file file = {0};
    es_status st = ES_OK;
    ES_TRY(es_json_read(path, 0, ES_TABLE_LIMIT, &doc, err));
    es_json_value root = es_json_root(doc), list, item;
    ES_TRY(es_json_get(&root, "ranking", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    ES_TRY(read_direction(&root, &file.lower, err));
    ES_TRY(allocate_file(es_json_count(&list), "score", &file, err));
    for (item = es_json_first(&list); item.node; item = es_json_next(&item)) {
        const char *name = NULL;
        size_t at = file.n;
        ES_TRY(es_json_get_text(&item, "model", ES_JSON_REQUIRED, &name, err));
        file.score[at] = file.dim[at] = (double)NAN;
        ES_TRY(es_json_get_number(&item, "score", ES_JSON_OPTIONAL, &file.score[at], err));
        ES_TRY(es_json_get_number(&item, "dim", ES_JSON_OPTIONAL, &file.dim[at], err));
        file.name[at] = es_text_clean(name, strlen(name), 0);
        ES_FAIL_IF(!file.name[at], es_no_memory(err));
        file.n++;
        for (size_t i = 0; i < at; i++)
            ES_FAIL_IF(
                strcmp(file.name[i], file.name[at]) == 0,
                es_fail(err, ES_EFORMAT, "%s: '%.100s' is there twice", path, file.name[at]));
    }
    ES_FAIL_IF(file.n == 0, es_fail(err, ES_EFORMAT, "%s: \"ranking\" holds no models", path));
    *out = file;
    file = (es_ranking_file){0};
done:
    es_ranking_file_deinit(&file);
    es_json_free(doc);
    return st;
}

es_status es_ranking_file_read(const char *path, es_ranking_file *out, es_error *err) {
    es_status st = ES_OK;
    es_table t = {0};
    es_ranking_file file = {0};
    places p = {0};
    const char *ending = strrchr(path, '.');
    if (ending && strcasecmp(ending, ".json") == 0)
        return read_json(path, out, err);
    ES_TRY(es_table_read_any(path, 0, NULL, &t, err));
    ES_TRY(es_table_drop_index(&t, err));
    ES_TRY(find_places(&t, &p, err));
    ES_TRY(allocate_file(t.rows, es_table_cell(&t, 0, p.score), &file, err));
    file.lower = es_score_name_says_lower(es_table_cell(&t, 0, p.score));
    for (size_t row = 1; row < t.rows; row++) {
        ES_TRY(read_name(&t, row, p.model, &file, err));
        ES_TRY(read_number(&t, row, p.score, &file.score[row - 1], err));
        ES_TRY(read_number(&t, row, p.dim, &file.dim[row - 1], err));
    }
    *out = file;
    file = (es_ranking_file){0};
done:
    es_ranking_file_deinit(&file);
    es_table_deinit(&t);
    return st;
}
