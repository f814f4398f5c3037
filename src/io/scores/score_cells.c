/* Numbers and names with what papers, spreadsheets and web pages put around them. */
#include "io_scores.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static void count(es_score_cells *seen, const es_table *t, size_t row, size_t column) {
    const char *text = es_table_cell(t, row, column);
    if (seen->count++ > 0)
        return;
    seen->line = t->line[row];
    seen->column = es_table_column(t, column);
    (void)es_text_clean_into(seen->first, sizeof seen->first, text, strlen(text));
}

static es_status refuse(const es_table *t, size_t row, size_t column, const char *text,
                        es_error *err) {
    char shown[48];
    (void)es_text_clean_into(shown, sizeof shown, text, strlen(text));
    return es_fail(err, ES_EFORMAT,
                   "%s: line %zu, column %zu: '%s' is not a number; write a number, or leave the "
                   "cell empty",
                   t->label, t->line[row], es_table_column(t, column), shown);
}

es_status es_score_cells_number(const es_table *t, size_t row, size_t column, double *out,
                                bool *percent, es_score_cells *seen, es_error *err) {
    const char *cell = es_table_cell(t, row, column);
    size_t length = strlen(cell), at = es_table_column(t, column);
    double value = (double)NAN;
    *percent = false;
    if (es_cells_says_missing(cell, length) || es_cells_is_empty(cell, length)) {
        *out = value;
        return ES_OK;
    }
    if (!es_cells_number(t->delimiter, cell, length, &value)) {
        if (!es_plain_number(t->delimiter, cell, &value, percent))
            return refuse(t, row, column, cell, err);
        count(seen, t, row, column);
    }
    if (isinf(value))
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the score is infinite", t->label,
                       t->line[row], at);
    if (fabs(value) > ES_VALUE_MOST)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: the score %g is beyond %g; correct it", t->label,
                       t->line[row], at, value, ES_VALUE_MOST);
    *out = value;
    return ES_OK;
}

void es_score_cells_mix(double *value, const bool *percent, size_t n, size_t stride) {
    size_t signs = 0, plain = 0;
    for (size_t i = 0; i < n; i++) {
        double one = value[i * stride];
        signs += percent[i * stride];
        plain += !percent[i * stride] && !isnan(one);
        if (!percent[i * stride] && fabs(one) > 1)
            return;
    }
    for (size_t i = 0; i < n && signs > 0 && plain > 0; i++)
        if (percent[i * stride])
            value[i * stride] /= 100;
}

es_status es_score_cells_remark(const es_score_cells *seen, const char *label, es_scores *scores,
                                es_error *err) {
    es_buf text = {0};
    if (seen->count == 0)
        return ES_OK;
    es_buf_printf(
        &text,
        "%s%s%zu cell%s more than a number or a name, as '%s' in line %zu, column %zu; the "
        "number or the name is read",
        label ? label : "", label ? ": " : "", seen->count, seen->count == 1 ? " holds" : "s hold",
        seen->first, seen->line, seen->column);
    es_status st = es_buf_check(&text, err);
    if (st == ES_OK)
        st = es_scores_add_remark(scores, text.data, err);
    es_buf_free(&text);
    return st;
}

/* ---- names ---- */

void es_score_cells_plain(es_table *t, const char *const *embedder, size_t n,
                          es_score_cells *seen) {
    double value;
    bool percent;
    for (size_t r = 0; r < t->rows; r++)
        for (size_t j = 0; j < t->columns; j++) {
            char *cell = t->text + t->cell[r * t->columns + j];
            if (!cell[0] || !strchr("[<*`", cell[0]) || es_text_index(embedder, n, cell) < n ||
                es_plain_number(t->delimiter, cell, &value, &percent))
                continue;
            es_score_cells before = *seen;
            count(seen, t, r, j);
            if (!es_plain_cell(cell))
                *seen = before;
        }
}
