/* Numbers and names with what papers, spreadsheets and web pages put around them. */
#include "score_cells.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "cells.h"
#include "plain_cell.h"
#include "text.h"

/* ---- numbers ---- */

static const char *const opening[] = {"\\textbf{", "\\underline{",
                                      "\\mathbf{", "\\textit{",
                                      "\\emph{",   "**",
                                      "__",        "~~",
                                      "*",         "_",
                                      "`",         "$",
                                      "{",         NULL},
                         *const closing[] = {"**", "__", "~~", "*", "_", "`", "$", "}", NULL},
                         *const marks[] = {"\xe2\x80\xa0", /* † */
                                           "\xe2\x80\xa1", /* ‡ */
                                           "\xc2\xa7",     /* § */
                                           "\xc2\xb6",     /* ¶ */
                                           "\xe2\x86\x91", /* ↑ */
                                           "\xe2\x86\x93", /* ↓ */
                                           "\\dagger",     "\\ddagger", "\\ast", "^", "#", NULL},
                         *const spreads[] = {"\xc2\xb1", /* ± */
                                             "+/-", "+-", "\\pm", NULL};

/* Behind the one of `list` that begins here; NULL: none does. */
static const char *after_any(const char *at, const char *const *list) {
    for (; *list; list++) {
        size_t length = strlen(*list);
        if (strncmp(at, *list, length) == 0)
            return at + length;
    }
    return NULL;
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '~' || strncmp(at, "\xc2\xa0", 2) == 0)
        at += *at == '\xc2' ? 2 : 1;
    return at;
}

/* The number that begins here, in `out`; NULL: none does. U+2212 is a minus. */
static const char *take_number(char delimiter, const char *at, double *out) {
    char text[64];
    size_t n = 0;
    bool digits = false;
    if (strncmp(at, "\xe2\x88\x92", 3) == 0) {
        text[n++] = '-';
        at += 3;
    } else if (*at == '-' || *at == '+') {
        text[n++] = *at++;
    }
    for (; n + 1 < sizeof text; at++) {
        bool digit = *at >= '0' && *at <= '9';
        bool exponent = digits && (*at == 'e' || *at == 'E') &&
                        ((at[1] >= '0' && at[1] <= '9') ||
                         ((at[1] == '-' || at[1] == '+') && at[2] >= '0' && at[2] <= '9'));
        bool sign = (*at == '-' || *at == '+') && n > 0 && es_ascii_lower(text[n - 1]) == 'e';
        if (!digit && !exponent && !sign && *at != '.' && (*at != ',' || delimiter == ','))
            break;
        digits = digits || digit;
        text[n++] = *at;
    }
    return digits && es_cells_number(delimiter, text, n, out) ? at : NULL;
}

/* Behind "± 0.02", "(0.02)", "[0.81, 0.85]" or "_{0.02}"; NULL: none of them is here. */
static const char *after_spread(char delimiter, const char *at) {
    static const char *const pairs[] = {"()", "[]", "{}"};
    const char *next = after_any(at, spreads);
    double value;
    for (const char *more = next; more; more = after_any(next, closing))
        next = skip_blanks(more);
    if (next)
        return take_number(delimiter, next, &value);
    if ((*at == '_' || *at == '^') && (at[1] == '{' || (at[1] >= '0' && at[1] <= '9')))
        at++;
    if (*at >= '0' && *at <= '9')
        return take_number(delimiter, at, &value);
    for (size_t i = 0; i < 3; i++)
        if (*at == pairs[i][0] && (next = strchr(at, pairs[i][1])) != NULL)
            return next + 1;
    return NULL;
}

bool es_score_cell(char delimiter, const char *text, double *value, bool *percent) {
    const char *at = skip_blanks(text), *next;
    *percent = false;
    while ((next = es_plain_after_tag(at)) || (next = after_any(at, opening)))
        at = skip_blanks(next);
    if (!(at = take_number(delimiter, at, value)))
        return false;
    for (at = skip_blanks(at); *at; at = skip_blanks(next)) {
        size_t sign = strncmp(at, "\\%", 2) == 0 ? 2 : *at == '%';
        *percent = *percent || sign > 0;
        bool is_number = *at >= '0' && *at <= '9';
        next = sign > 0 ? at + sign : is_number ? NULL : after_spread(delimiter, at);
        if (!next && !(next = after_any(at, closing)) && !(next = after_any(at, marks)) &&
            !(next = es_plain_after_tag(at)))
            return false;
    }
    return true;
}

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
        if (!es_score_cell(t->delimiter, cell, &value, percent))
            return refuse(t, row, column, cell, err);
        count(seen, t, row, column);
    }
    if (isinf(value))
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the score is infinite", t->label,
                       t->line[row], at);
    if (fabs(value) > ES_VALUE_MOST)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: a score of %g: they are up to %g", t->label,
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
                es_score_cell(t->delimiter, cell, &value, &percent))
                continue;
            es_score_cells before = *seen;
            count(seen, t, r, j);
            if (!es_plain_cell(cell))
                *seen = before;
        }
}
