/* Equal numbers are found by sorting them, the shortest spelling of each first. */
#include "io_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
