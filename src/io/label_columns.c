/* Columns by their headings. What is compared is a heading's letters and digits in lower case, so
 * that "query-id", "query_id" and "QueryID" are one. */
#include "io_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- headings ---- */

enum { HEADING = 24 };

/* Empty where it is longer than any that is known. */
static void fold(const char *heading, char out[HEADING]) {
    size_t n = 0;
    for (; *heading; heading++) {
        char c = es_ascii_lower(*heading);
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80))
            continue;
        if (n + 1 == HEADING) {
            n = 0;
            break;
        }
        out[n++] = c;
    }
    out[n] = '\0';
}

static bool is_one_of(const char *heading, const char *const *names) {
    char folded[HEADING];
    fold(heading, folded);
    for (; folded[0] && *names; names++)
        if (strcmp(folded, *names) == 0)
            return true;
    return false;
}

/* The only column with such a name; SIZE_MAX: none, or several. */
static size_t only(const es_table *t, const char *const *names) {
    size_t found = SIZE_MAX;
    for (size_t c = 0; c < t->columns; c++)
        if (is_one_of(es_table_cell(t, 0, c), names)) {
            if (found != SIZE_MAX)
                return SIZE_MAX;
            found = c;
        }
    return found;
}

static const char *const row_names[] = {"row", "rows", NULL};
static const char *const label_names[] = {"label", "labels", "class", "target", "y", NULL};
static const char *const score_names[] = {"score", "similarity", NULL};
static const char *const query_names[] = {"query", "queryid", "qid", "topic", "topicid", NULL};
static const char *const doc_names[] = {"doc",   "docid",   "document",  "documentid", "corpusid",
                                        "docno", "passage", "passageid", "documentno", NULL};
static const char *const relevance_names[] = {"rel",   "relevance", "relevancy", "score",
                                              "label", "judgment",  "judgement", NULL};
static const char *const frequency_names[] = {"freq", "frequency", NULL};
static const char *const iteration_names[] = {"iter", "iteration", "q0", NULL};
static const char *const id_names[] = {"id",         "ids",        "rowid", "docid",   "queryid",
                                       "qid",        "corpusid",   "docno", "topicid", "passageid",
                                       "documentid", "documentno", NULL};

/* What two columns of rows are called beside their ending. */
static const char *const stems[] = {"",     "row",    "rowid", "id",       "doc",        "docid",
                                    "item", "itemid", "text",  "sentence", "sentenceid", NULL};
static const char *const endings[][2] = {{"i", "j"}, {"a", "b"}, /* these also by themselves */
                                         {"1", "2"}, {"0", "1"}, {"x", "y"}, {"", "2"},
                                         {"", ""},   {"", "1"} /* pandas: row, row.1 */};

static size_t endings_of(const char *stem) {
    return *stem ? sizeof endings / sizeof *endings : 2;
}

/* Is it a stem with this ending? */
static bool is_ended(const char *folded, const char *stem, const char *ending) {
    size_t length = strlen(stem);
    return folded[0] && strncmp(folded, stem, length) == 0 && strcmp(folded + length, ending) == 0;
}

bool es_heads_ids(const char *heading) {
    char folded[HEADING];
    if (es_column_is_id(heading) || is_one_of(heading, id_names))
        return true;
    fold(heading, folded);
    for (const char *const *stem = stems; *stem; stem++) {
        size_t length = strlen(*stem);
        bool of_ids = length >= 2 && strcmp(*stem + length - 2, "id") == 0;
        for (size_t e = 0; of_ids && e < endings_of(*stem); e++)
            if (is_ended(folded, *stem, endings[e][0]) || is_ended(folded, *stem, endings[e][1]))
                return true;
    }
    return false;
}

static es_status refuse(const es_table *t, const char *expected, size_t column, es_error *err) {
    char shown[80];
    const char *name = es_table_cell(t, 0, column);
    (void)es_text_clean_into(shown, sizeof shown, name, strlen(name));
    return es_fail(err, ES_EFORMAT, "%s: line %zu: columns are %s; found '%s'", t->label,
                   t->line[0], expected, shown);
}

/* ---- labels.csv ---- */

void es_label_columns_find(const es_table *t, es_label_columns *out) {
    size_t row = only(t, row_names), id = SIZE_MAX;
    for (size_t c = 0; c < t->columns && c < 2 && id == SIZE_MAX; c++)
        if (is_one_of(es_table_cell(t, 0, c), id_names))
            id = c;
    *out = (es_label_columns){.row = 0, .index = SIZE_MAX};
    if (t->columns > 2 && es_column_is_nameless(es_table_cell(t, 0, 0)) && (row == 1 || id == 1)) {
        out->row = 1;
        out->index = 0;
    } else if (is_one_of(es_table_cell(t, 0, 0), label_names)) {
        out->row = row != SIZE_MAX ? row : id == 1 ? 1 : 0;
    }
}

/* ---- pairs.csv ---- */

/* Two columns that are headed alike. */
static bool find_alike(const es_table *t, es_pair_columns *p) {
    char one[HEADING], other[HEADING];
    for (size_t a = 0; a < t->columns; a++) {
        fold(es_table_cell(t, 0, a), one);
        for (size_t b = 0; b < t->columns; b++) {
            fold(es_table_cell(t, 0, b), other);
            for (const char *const *stem = stems; a != b && *stem; stem++)
                for (size_t e = 0; e < endings_of(*stem); e++)
                    if (is_ended(one, *stem, endings[e][0]) &&
                        is_ended(other, *stem, endings[e][1])) {
                        p->a = a;
                        p->b = b;
                        return true;
                    }
        }
    }
    return false;
}

static bool has_place(const es_pair_columns *p, size_t c) {
    return c == p->a || c == p->b || c == p->score || c == p->set;
}

es_status es_pair_columns_find(const es_table *t, es_pair_columns *out, es_error *err) {
    static const char *const expected = "row,row[,score][,set]", *const sets[] = {"set", NULL};
    es_pair_columns p = {SIZE_MAX, SIZE_MAX, only(t, score_names), only(t, sets)};
    bool alike = find_alike(t, &p);
    size_t index = SIZE_MAX, left = 0;
    for (size_t c = 0; c < t->columns; c++)
        left += !has_place(&p, c);
    size_t wanted = 2u + (p.score == SIZE_MAX);
    if (es_column_is_nameless(es_table_cell(t, 0, 0)) && !has_place(&p, 0) &&
        (alike || (left > wanted && es_column_counts(t, 1, 0))))
        index = 0;
    for (size_t c = 0; c < t->columns; c++) {
        bool of_pair = alike && es_heads_ids(es_table_cell(t, 0, c)); /* the id of the pair */
        if (c == index || has_place(&p, c) || of_pair)
            continue;
        size_t *to = p.a == SIZE_MAX ? &p.a : p.b == SIZE_MAX ? &p.b : &p.score;
        if (*to != SIZE_MAX || is_one_of(es_table_cell(t, 0, c), sets))
            return refuse(t, expected, c, err);
        *to = c;
    }
    if (p.b == SIZE_MAX)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: columns are %s; there are no two of rows",
                       t->label, t->line[0], expected);
    *out = p;
    return ES_OK;
}

/* ---- qrels.csv ---- */

static bool is_judged(const es_judgement_columns *j, size_t c) {
    return c == j->query || c == j->doc || c == j->relevance || c == j->frequency;
}

/* The next role without a column. */
static size_t *next_role(es_judgement_columns *j) {
    size_t *const roles[] = {&j->query, &j->doc, &j->relevance, &j->frequency};
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
        if (*roles[k] == SIZE_MAX)
            return roles[k];
    return NULL;
}

es_status es_judgement_columns_find(const es_table *t, es_judgement_columns *out, es_error *err) {
    static const char *const expected = "query,doc,rel[,freq]";
    es_judgement_columns j = {only(t, query_names), only(t, doc_names), only(t, relevance_names),
                              only(t, frequency_names)};
    size_t iteration = only(t, iteration_names), index = SIZE_MAX, left = 0, wanted = 0;
    bool named = j.query != SIZE_MAX && j.doc != SIZE_MAX;
    if (!named) /* one of them alone may be what both are */
        j.query = j.doc = SIZE_MAX;
    for (size_t c = 0; c < t->columns; c++)
        left += !is_judged(&j, c) && c != iteration;
    wanted += (j.query == SIZE_MAX) * 2u + (j.relevance == SIZE_MAX);
    if (es_column_is_nameless(es_table_cell(t, 0, 0)) && left > wanted &&
        (wanted == 0 || es_column_counts(t, 1, 0)))
        index = 0;
    for (size_t c = 0; c < t->columns; c++) {
        bool of_line = named && es_heads_ids(es_table_cell(t, 0, c));
        if (c == index || c == iteration || is_judged(&j, c) || of_line)
            continue;
        size_t *to = next_role(&j);
        if (!to)
            return refuse(t, expected, c, err);
        *to = c;
    }
    if (j.query == SIZE_MAX || j.doc == SIZE_MAX || j.relevance == SIZE_MAX)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: columns are %s; one of them is missing",
                       t->label, t->line[0], expected);
    *out = j;
    return ES_OK;
}

/* Equal numbers are found by sorting them, the shortest spelling of each first. */

static const double exact = 9007199254740992; /* 2^53 */

typedef struct spelling {
    double value;
    const char *text;
    size_t row;
} spelling;

/* The shortest spelling first, and whatever the order of rows. */
static int compare(const void *x, const void *y) {
    const spelling *a = x, *b = y;
    size_t m = strlen(a->text), n = strlen(b->text);
    int order = (a->value > b->value) - (a->value < b->value);
    if (order == 0)
        order = (m > n) - (m < n);
    return order != 0 ? order : strcmp(a->text, b->text);
}

static size_t take_numbers(const es_table *t, const char *const *text, spelling *out) {
    size_t count = 0;
    for (size_t i = 1; i < t->rows; i++) {
        double v = 0;
        if (es_cells_number(t->delimiter, text[i], strlen(text[i]), &v) && fabs(v) < exact)
            out[count++] = (spelling){v, text[i], i};
    }
    return count;
}

es_status es_label_spellings_unite(const es_table *t, const char **text, size_t *respelled,
                                   const char **one, const char **other, es_error *err) {
    spelling *s = es_alloc(t->rows, sizeof *s);
    if (!s)
        return es_no_memory_for(err, "%zu labels", t->rows);
    *respelled = 0;
    size_t count = take_numbers(t, text, s);
    qsort(s, count, sizeof *s, compare);
    for (size_t from = 0, to = 0; from < count; from = to) {
        for (; to < count && !(s[to].value > s[from].value); to++)
            text[s[to].row] = s[from].text;
        if (strcmp(s[from].text, s[to - 1].text) == 0)
            continue;
        if ((*respelled)++ == 0) {
            *one = s[from].text;
            *other = s[to - 1].text;
        }
    }
    es_free(s);
    return ES_OK;
}
