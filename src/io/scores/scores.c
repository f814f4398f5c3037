/* Downstream scores, once they are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io_scores.h"
#include "io_scores_parts.h"

void es_scores_deinit(es_scores *scores) {
    for (size_t i = 0; scores->model && i < scores->models; i++)
        es_free(scores->model[i]);
    for (size_t j = 0; scores->task && j < scores->tasks; j++)
        es_free(scores->task[j]);
    es_free(scores->model);
    es_free(scores->task);
    es_free(scores->value);
    for (size_t j = 0; scores->about && j < scores->tasks; j++)
        es_free(scores->about[j].category);
    es_free(scores->about);
    for (size_t k = 0; scores->fact && k < scores->facts; k++)
        es_free(scores->fact[k]);
    es_free(scores->fact);
    es_free(scores->fact_value);
    es_free(scores->remark);
    es_mteb_parts_release(scores->parts);
    memset(scores, 0, sizeof *scores);
}

static char **copy_names(char *const *names, size_t n) {
    char **copy = es_alloc_zero(n, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = es_strdup(names[i]))) {
            while (i > 0)
                es_free(copy[--i]);
            es_free(copy);
            return NULL;
        }
    return copy;
}

static bool copy_about(const es_scores *from, es_scores *to) {
    bool done = (to->about = es_alloc_zero(from->tasks, sizeof *to->about)) != NULL;
    for (size_t j = 0; done && j < from->tasks; j++) {
        to->about[j] = from->about[j];
        to->about[j].category = from->about[j].category ? es_strdup(from->about[j].category) : NULL;
        done = !from->about[j].category || to->about[j].category;
    }
    return done;
}

static bool copy_facts(const es_scores *from, es_scores *to) {
    if (from->facts == 0)
        return true;
    size_t values = from->models * from->facts;
    to->fact = copy_names(from->fact, from->facts);
    to->facts = to->fact ? from->facts : 0;
    to->fact_value = es_alloc(values, sizeof *to->fact_value);
    if (!to->fact || !to->fact_value)
        return false;
    memcpy(to->fact_value, from->fact_value, values * sizeof *to->fact_value);
    return true;
}

es_status es_scores_copy(const es_scores *from, es_scores *out, es_error *err) {
    es_scores copy = {.models = from->models, .tasks = from->tasks};
    size_t values = from->models * from->tasks;
    copy.model = copy_names(from->model, from->models);
    copy.task = copy_names(from->task, from->tasks);
    copy.value = es_alloc(values, sizeof *copy.value);
    copy.remark = from->remark ? es_strdup(from->remark) : NULL;
    bool done = copy.model && copy.task && copy.value && (copy.remark || !from->remark) &&
                (!from->about || copy_about(from, &copy)) && copy_facts(from, &copy);
    if (!done) {
        es_scores_deinit(&copy);
        return es_no_memory(err);
    }
    memcpy(copy.value, from->value, values * sizeof *copy.value);
    copy.settled = from->settled;
    copy.parts = from->parts ? es_mteb_parts_share(from->parts) : NULL;
    *out = copy;
    return ES_OK;
}

/* ---- what a name says of the direction ---- */

/* Arrows, and words beside a name that say which way is better. */
static const struct {
    const char *text;
    bool lower, last; /* last: only at the end of the name */
} marks[] = {{"$\\downarrow$", true, false},
             {"\\downarrow", true, false},
             {"$\\uparrow$", false, false},
             {"\\uparrow", false, false},
             {"\xe2\x86\x93", true, false},
             /* ↓ */ {"\xe2\xac\x87", true, false}, /* ⬇ */
             {"\xe2\x86\x91", false, false},
             {"\xe2\xac\x86", false, false},
             {"lower is better", true, false},
             {"higher is better", false, false},
             {"lower_is_better", true, false},
             {"higher_is_better", false, false},
             {"lower=better", true, false},
             {"higher=better", false, false},
             {"lower better", true, false},
             {"higher better", false, false},
             {"lower the better", true, false},
             {"higher the better", false, false},
             {"(lower)", true, true},
             {"(higher)", false, true},
             {"[lower]", true, true},
             {"[higher]", false, true},
             {":lower", true, true},
             {":higher", false, true}};

/* The mark that begins here, its length in bytes; SIZE_MAX: none does. */
static size_t mark_at(const char *at) {
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        size_t length = strlen(marks[m].text);
        if (strncasecmp(at, marks[m].text, length) == 0 && !(marks[m].last && at[length]))
            return m;
    }
    return SIZE_MAX;
}

bool es_score_name_says_direction(const char *name) {
    for (const char *at = name; *at; at++)
        if (mark_at(at) != SIZE_MAX)
            return true;
    return false;
}

bool es_score_name_says_lower(const char *name) {
    bool lower = false, named = false;
    for (const char *at = name; *at;) {
        size_t m = mark_at(at);
        if (m == SIZE_MAX) {
            named = named || !strchr(" ()[]{}$", *at);
            at++;
            continue;
        }
        lower = marks[m].lower;
        at += strlen(marks[m].text);
    }
    return lower && named;
}

/* Takes out what is between brackets or dollars that hold nothing any more. */
static void drop_empty(char *text) {
    static const char *const empty[] = {"()", "[]", "{}", "$$", "  "};
    for (size_t e = 0; e < sizeof empty / sizeof *empty;) {
        char *found = strstr(text, empty[e]);
        if (!found) {
            e++;
            continue;
        }
        size_t keep = empty[e][0] == ' ';
        memmove(found + keep, found + 2, strlen(found + 2) + 1);
        e = 0;
    }
}

char *es_score_bare_name(const char *name) {
    static const char *const ends = " ,;:";
    char *out = es_alloc(strlen(name) + 1, 1);
    size_t n = 0;
    if (!out)
        return NULL;
    for (const char *at = name; *at;) {
        size_t m = mark_at(at);
        if (m != SIZE_MAX)
            at += strlen(marks[m].text);
        else if (strncmp(at, "\xef\xb8\x8f", 3) == 0) /* says that an arrow is a picture */
            at += 3;
        else
            out[n++] = es_ascii_lower(*at++);
    }
    out[n] = '\0';
    if (n < 1024) /* else it is no name, and would take long */
        drop_empty(out);
    n = strlen(out);
    while (n > 0 && strchr(ends, out[n - 1]))
        out[--n] = '\0';
    size_t from = strspn(out, ends);
    memmove(out, out + from, n - from + 1);
    return out;
}

es_status es_scores_find_task(const es_scores *scores, const char *name, size_t *out,
                              es_error *err) {
    char *bare = NULL;
    *out = es_text_index((const char *const *)scores->task, scores->tasks, name);
    if (*out != SIZE_MAX)
        return ES_OK;
    if (!(bare = es_score_bare_name(name)))
        return es_no_memory(err);
    size_t found = SIZE_MAX, count = 0;
    for (size_t j = 0; j < scores->tasks; j++) {
        char *own = es_score_bare_name(scores->task[j]);
        if (!own) {
            es_free(bare);
            return es_no_memory(err);
        }
        if (bare[0] && strcmp(own, bare) == 0) {
            found = j;
            count++;
        }
        es_free(own);
    }
    es_free(bare);
    *out = count == 1 ? found : SIZE_MAX;
    return ES_OK;
}

/* ---- remarks ---- */

es_status es_scores_take_remark(es_scores *scores, es_buf *sentence, es_error *err) {
    char *text = NULL;
    es_status st = es_buf_check(sentence, err);
    if (st == ES_OK)
        st = es_text_new(&text, err, "%s%s%s", scores->remark ? scores->remark : "",
                         scores->remark ? "; " : "", sentence->data);
    es_buf_free(sentence);
    ES_PASS(st);
    es_free(scores->remark);
    scores->remark = text;
    return ES_OK;
}

/* ---- models that count ---- */

static bool counts_any(const es_scores *scores, const bool *counts) {
    for (size_t i = 0; counts && i < scores->models; i++)
        if (counts[i])
            return true;
    return false;
}

/* `text` takes the place of what was settled before. */
static es_status replace_settled(es_scores *scores, es_buf *text, es_error *err) {
    size_t settled = text->length;
    const char *rest = scores->remark ? scores->remark + scores->settled : "";
    rest += strspn(rest, "; ");
    es_buf_printf(text, "%s%s", settled > 0 && *rest ? "; " : "", rest);
    ES_PASS(es_buf_check(text, err));
    es_free(scores->remark);
    scores->remark = text->length > 0 ? es_buf_take(text) : NULL;
    scores->settled = settled;
    return ES_OK;
}

/* *value from es_alloc; `text` gets what is left out. */
static es_status settle(const es_scores *scores, const bool *counts, double **value, es_buf *text,
                        es_error *err) {
    const es_mteb_names names = {scores->model, scores->task, scores->models, scores->tasks};
    double *settled = es_alloc(scores->models * scores->tasks, sizeof *settled);
    if (!settled)
        return es_no_memory(err);
    es_status st = es_mteb_parts_settle(
        scores->parts, &names, counts_any(scores, counts) ? counts : NULL, settled, text, err);
    if (st == ES_OK)
        *value = settled;
    else
        es_free(settled);
    return st;
}

es_status es_scores_settled(const es_scores *scores, const bool *counts, double **value,
                            es_error *err) {
    es_buf text = {0};
    es_status st = scores->parts ? settle(scores, counts, value, &text, err) : ES_OK;
    es_buf_free(&text);
    return st;
}

es_status es_scores_settle(es_scores *scores, const bool *counts, es_error *err) {
    es_buf text = {0};
    double *value = NULL;
    es_status st = ES_OK;
    if (!scores->parts)
        return ES_OK;
    ES_TRY(settle(scores, counts, &value, &text, err));
    ES_TRY(replace_settled(scores, &text, err));
    es_free(scores->value);
    scores->value = value;
    value = NULL;
done:
    es_free(value);
    es_buf_free(&text);
    return st;
}

es_status es_scores_settle_names(es_scores *scores, const char *const *name, size_t n,
                                 es_error *err) {
    if (!scores->parts)
        return ES_OK;
    bool *counts = es_alloc_zero(scores->models, sizeof *counts);
    if (!counts)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        size_t row = es_scores_find(scores, name[i]);
        if (row != SIZE_MAX)
            counts[row] = true;
    }
    es_status st = es_scores_settle(scores, counts, err);
    es_free(counts);
    return st;
}

bool es_score_is_lower_better(const es_scores *scores, size_t task) {
    int said = scores->about ? scores->about[task].lower : -1;
    return said >= 0 ? said == 1 : es_score_name_says_lower(scores->task[task]);
}

size_t es_scores_find(const es_scores *scores, const char *model) {
    for (size_t i = 0; i < scores->models; i++)
        if (es_text_same(scores->model[i], model))
            return i;
    return SIZE_MAX;
}

double es_score_turned(const es_scores *scores, size_t model, size_t task) {
    double value = scores->value[model * scores->tasks + task];
    return es_score_is_lower_better(scores, task) ? -value : value;
}

bool es_scores_any(const es_scores *scores, size_t model) {
    for (size_t t = 0; t < scores->tasks; t++)
        if (isfinite(scores->value[model * scores->tasks + t]))
            return true;
    return false;
}

/* Numbers and names with what papers, spreadsheets and web pages put around them. */

static void count(es_score_cells *seen, const es_table *t, size_t row, size_t column) {
    const char *text = es_table_cell(t, row, column);
    if (seen->count++ > 0)
        return;
    seen->line = t->line[row];
    seen->column = es_table_column(t, column);
    (void)es_text_clean_into(seen->first, sizeof seen->first, text, strlen(text));
}

/* "4,310.5", "43,1", "4.310,5" and "4'310" in plain digits. False: it is no number, or as "4,310"
 * may be two. */
static bool ungroup(const char *text, char *out, size_t size) {
    static const char *const groups[] = {",", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
    const char *comma = strrchr(text, ','), *point = strrchr(text, '.');
    bool whole = comma && !point && strspn(comma + 1, "0123456789") == 3;
    const char *decimal = comma > point && !whole ? comma : point;
    double value;
    size_t n = 0;
    if (comma && decimal == comma ? strchr(text, ',') != comma
                                  : whole && strchr(text, ',') == comma)
        return false;
    for (const char *at = text; *at && n + 1 < size; at++) {
        size_t skip = *at == '.' && comma;
        for (size_t m = 0; skip == 0 && m < sizeof groups / sizeof *groups; m++)
            skip = strncmp(at, groups[m], strlen(groups[m])) == 0 ? strlen(groups[m]) : 0;
        if (skip == 0 || at == decimal)
            out[n++] = at == decimal ? '.' : *at;
        at += skip > 1 ? skip - 1 : 0;
    }
    out[n] = '\0';
    return es_text_parse_double(out, n, &value);
}

static es_status refuse(const es_table *t, size_t row, size_t column, const char *text,
                        es_error *err) {
    char shown[48], plain[48];
    (void)es_text_clean_into(shown, sizeof shown, text, strlen(text));
    bool known = ungroup(text, plain, sizeof plain);
    return es_fail(err, ES_EFORMAT,
                   "%s: line %zu, column %zu: '%s' is not a number; write %s, or leave the cell "
                   "empty",
                   t->label, t->line[row], es_table_column(t, column), shown,
                   known ? plain : "a number");
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
    return es_scores_take_remark(scores, &text, err);
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
