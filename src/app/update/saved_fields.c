/* The settings that a saved session holds, one row of a table each: how it is written as a text and
 * read again, with names for what numbers would not outlive. */
#include "app_update.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app_lists.h"
#include "app_values.h"
#include "app_look.h"

/* A tab separates names: they are cleaned, so none of them holds one. */
static const char TAB = '\t';

bool es_state_number(const char *text, long low, long high, long *out) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    bool sign = text[0] == '-' || text[0] == '+';
    if (text[sign] < '0' || text[sign] > '9' || *end != '\0' || value < low || value > high)
        return false;
    *out = value;
    return true;
}

char *es_state_part(char **rest, char separator) {
    char *part = *rest;
    if (part == NULL || *part == '\0')
        return NULL;
    char *end = strchr(part, separator);
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return part;
}

/* ---- Names of columns ---- */

static void column_name(const es_app *app, es_table_id table, size_t column, es_buf *out) {
    es_column c = es_columns_at(app, table, column);
    es_buf_puts(out, c.key);
    if (table == ES_TABLE_RANK && column >= ES_RANK_SCORES)
        es_buf_puts(out, c.title);
}

static size_t column_find(const es_app *app, es_table_id table, const char *name) {
    size_t count = es_columns_count(app, table), found = ES_NONE;
    es_buf own = {0};
    for (size_t c = 0; c < count && found == ES_NONE; c++) {
        es_buf_clear(&own);
        column_name(app, table, c, &own);
        if (!own.failed && strcmp(own.data, name) == 0)
            found = c;
    }
    es_buf_free(&own);
    return found;
}

/* ---- Kinds of fields ---- */

typedef struct field {
    const char *key;
    void (*put)(const struct field *f, const es_state_place *place, es_buf *out);
    bool (*get)(const struct field *f, es_state_place *place, char *text);
    size_t offset, size; /* of the member of es_settings; number of the flag or table */
    long low, high;
    const char *const *names; /* of a choice */
} field;

static void *member(const field *f, const es_state_place *place) {
    return (char *)&place->shot->set + f->offset;
}

static void put_number(const field *f, const es_state_place *place, es_buf *out) {
    es_buf_printf(out, "%ld", es_settings_load(&place->shot->set, f->offset, f->size));
}

static bool get_number(const field *f, es_state_place *place, char *text) {
    long value;
    if (!es_state_number(text, f->low, f->high, &value))
        return false;
    es_settings_store(&place->shot->set, f->offset, f->size, (long)value);
    return true;
}

static void put_choice(const field *f, const es_state_place *place, es_buf *out) {
    es_buf_puts(out, f->names[es_settings_load(&place->shot->set, f->offset, f->size)]);
}

static bool get_choice(const field *f, es_state_place *place, char *text) {
    size_t value = es_choice_find(f->names, text);
    if (value != ES_NONE)
        es_settings_store(&place->shot->set, f->offset, f->size, (long)value);
    return true;
}

static void put_metric(const field *f, const es_state_place *place, es_buf *out) {
    (void)f;
    es_buf_puts(out, es_metric_name(place->shot->set.metric));
}

/* A metric that there is nothing for stays as it was: measures last as long as the session. */
static bool get_metric(const field *f, es_state_place *place, char *text) {
    size_t metric = 0;
    while (metric < ES_METRIC_COUNT && strcmp(es_metric_name((es_heat_metric)metric), text) != 0)
        metric++;
    if (metric < ES_METRIC_COUNT && es_metric_possible(place->app, (es_heat_metric)metric))
        es_settings_store(&place->shot->set, f->offset, f->size, (long)metric);
    return true;
}

static void put_axis(const field *f, const es_state_place *place, es_buf *out) {
    const char *title = es_axis_title(place->app, place->shot->set.axis);
    (void)f;
    es_buf_puts(out, title != NULL ? title : "is");
}

static bool get_axis(const field *f, es_state_place *place, char *text) {
    size_t found = es_axis_find(place->app, text);
    (void)f;
    place->shot->set.axis = found == ES_NONE ? 0 : found;
    return true;
}

static void put_matrix(const field *f, const es_state_place *place, es_buf *out) {
    size_t k = place->shot->set.matrix;
    (void)f;
    es_buf_puts(out, k < es_app_measures(place->app, true) ? es_measure_title(place->app, true, k)
                                                           : "none");
}

static bool get_matrix(const field *f, es_state_place *place, char *text) {
    size_t found = es_measure_titled(place->app, true, text);
    (void)f;
    place->shot->set.matrix = found == ES_NONE ? 0 : found;
    return true;
}

static void put_double(const field *f, const es_state_place *place, es_buf *out) {
    es_buf_put_double(out, *(const double *)member(f, place));
}

static bool get_double(const field *f, es_state_place *place, char *text) {
    double value;
    if (!es_text_parse_double(text, strlen(text), &value) ||
        !(value >= (double)f->low && value <= (double)f->high))
        return false;
    memcpy(member(f, place), &value, sizeof value);
    return true;
}

static void put_text(const field *f, const es_state_place *place, es_buf *out) {
    es_buf_puts(out, member(f, place));
}

static bool get_text(const field *f, es_state_place *place, char *text) {
    (void)es_text_clean_into(member(f, place), f->size, text, strlen(text));
    return true;
}

/* Items whose flag is set; "7:3" where it is more than yes. */
static void put_flags(const field *f, const es_state_place *place, es_buf *out) {
    const uint8_t *flags = place->shot->flags + f->offset * place->app->n;
    for (size_t i = 0, count = 0; i < place->app->n; i++)
        if (flags[i] != 0) {
            es_buf_printf(out, count++ > 0 ? " %zu" : "%zu", i);
            if (flags[i] != 1)
                es_buf_printf(out, ":%u", (unsigned)flags[i]);
        }
}

static bool get_flags(const field *f, es_state_place *place, char *text) {
    uint8_t *flags = place->shot->flags + f->offset * place->app->n;
    memset(flags, 0, place->app->n);
    for (char *part; (part = es_state_part(&text, ' ')) != NULL;) {
        char *bits = strchr(part, ':');
        long item, value = 1;
        if (bits != NULL)
            *bits++ = '\0';
        if (!es_state_number(part, 0, (long)place->items - 1, &item) ||
            (bits != NULL && !es_state_number(bits, 1, f->high, &value)))
            return false;
        if (place->item[item] != ES_NONE)
            flags[place->item[item]] = (uint8_t)value;
    }
    return true;
}

static void put_compared(const field *f, const es_state_place *place, es_buf *out) {
    const es_compare_settings *compare = &place->shot->set.compare;
    (void)f;
    for (size_t i = 0; i < compare->count; i++)
        es_buf_printf(out, i > 0 ? " %zu" : "%zu", compare->item[i]);
}

static bool get_compared(const field *f, es_state_place *place, char *text) {
    es_compare_settings *compare = &place->shot->set.compare;
    (void)f;
    compare->count = 0;
    for (char *part; (part = es_state_part(&text, ' ')) != NULL;) {
        long number;
        if (!es_state_number(part, 0, (long)place->items - 1, &number))
            return false;
        size_t item = place->item[number];
        place->uncompared = place->uncompared || item == ES_NONE;
        bool known = item == ES_NONE || compare->count == ES_COMPARE_MOST;
        for (size_t i = 0; i < compare->count; i++)
            known = known || compare->item[i] == item;
        if (!known)
            compare->item[compare->count++] = item;
    }
    compare->count = compare->count < 2 ? 0 : compare->count;
    return true;
}

/* ---- Tables: column under the cursor, sort, what is hidden, widths ---- */

static es_table_settings *table_of(const field *f, const es_state_place *place) {
    return &place->shot->set.table[f->offset];
}

static void put_column(const field *f, const es_state_place *place, es_buf *out) {
    column_name(place->app, (es_table_id)f->offset, table_of(f, place)->column, out);
}

static bool get_column(const field *f, es_state_place *place, char *text) {
    size_t column = column_find(place->app, (es_table_id)f->offset, text);
    if (column != ES_NONE)
        table_of(f, place)->column = (uint8_t)column;
    return true;
}

/* By the score it is kept as if the highest were the best: by what it is the next time, nobody
 * knows. */
static bool is_turned(const field *f, const es_state_place *place) {
    return f->offset == ES_TABLE_RANK && table_of(f, place)->sort == ES_RANK_SCORE &&
           place->app->ranked.lower;
}

static void put_sort(const field *f, const es_state_place *place, es_buf *out) {
    es_buf_puts(out, table_of(f, place)->descending != is_turned(f, place) ? "down " : "up ");
    column_name(place->app, (es_table_id)f->offset, table_of(f, place)->sort, out);
}

static bool get_sort(const field *f, es_state_place *place, char *text) {
    const char *way = es_state_part(&text, ' ');
    if (way == NULL || text == NULL || (strcmp(way, "down") != 0 && strcmp(way, "up") != 0))
        return false;
    size_t column = column_find(place->app, (es_table_id)f->offset, text);
    if (column != ES_NONE) {
        table_of(f, place)->sort = (uint8_t)column;
        table_of(f, place)->descending = (strcmp(way, "down") == 0) != is_turned(f, place);
    }
    return true;
}

static void put_hidden(const field *f, const es_state_place *place, es_buf *out) {
    const es_table_settings *set = table_of(f, place);
    size_t count = es_columns_count(place->app, (es_table_id)f->offset);
    for (size_t c = 0, listed = 0; c < count; c++)
        if (set->hidden[c]) {
            es_buf_puts(out, listed++ > 0 ? "\t" : "");
            column_name(place->app, (es_table_id)f->offset, c, out);
        }
}

static bool get_hidden(const field *f, es_state_place *place, char *text) {
    es_table_settings *set = table_of(f, place);
    size_t name = f->offset == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME;
    memset(set->hidden, 0, sizeof set->hidden);
    for (char *part; (part = es_state_part(&text, TAB)) != NULL;) {
        size_t column = column_find(place->app, (es_table_id)f->offset, part);
        if (column != ES_NONE && column != name)
            set->hidden[column] = true;
    }
    return true;
}

static void put_widths(const field *f, const es_state_place *place, es_buf *out) {
    const es_table_settings *set = table_of(f, place);
    size_t count = es_columns_count(place->app, (es_table_id)f->offset);
    for (size_t c = 0, listed = 0; c < count; c++)
        if (set->width[c] != 0) {
            es_buf_printf(out, "%s%+d ", listed++ > 0 ? "\t" : "", set->width[c]);
            column_name(place->app, (es_table_id)f->offset, c, out);
        }
}

static bool get_widths(const field *f, es_state_place *place, char *text) {
    es_table_settings *set = table_of(f, place);
    memset(set->width, 0, sizeof set->width);
    for (char *part; (part = es_state_part(&text, TAB)) != NULL;) {
        const char *number = es_state_part(&part, ' ');
        long width;
        if (number == NULL || part == NULL ||
            !es_state_number(number, SCHAR_MIN, SCHAR_MAX, &width))
            return false;
        size_t column = column_find(place->app, (es_table_id)f->offset, part);
        if (column != ES_NONE)
            set->width[column] = (int8_t)width;
    }
    return true;
}

/* ---- The table ---- */

#define ITEMS(which, most) put_flags, get_flags, which, 0, 0, most, NULL
#define OF_TABLE(what, table) put_##what, get_##what, table, 0, 0, 0, NULL

static const field fields[] = {
    {"pool.column", OF_TABLE(column, ES_TABLE_POOL)},
    {"pool.sort", OF_TABLE(sort, ES_TABLE_POOL)},
    {"pool.hidden", OF_TABLE(hidden, ES_TABLE_POOL)},
    {"pool.widths", OF_TABLE(widths, ES_TABLE_POOL)},
    {"rank.column", OF_TABLE(column, ES_TABLE_RANK)},
    {"rank.sort", OF_TABLE(sort, ES_TABLE_RANK)},
    {"rank.hidden", OF_TABLE(hidden, ES_TABLE_RANK)},
    {"rank.widths", OF_TABLE(widths, ES_TABLE_RANK)},
#define KEPT(what, value, kind, low, high, names, key)                                             \
    {key, put_##kind, get_##kind, ES_SETTING_AT(what), low, high, names},
#define SET(what, value, kind, low, high, names, key, ...)                                         \
    KEPT(what, value, kind, low, high, names, key)
#include "view_settings.def"
#undef SET
#undef KEPT
    {"marked", ITEMS(0, 1)},
    {"hidden", ITEMS(1, 1)},
    {"folded", ITEMS(2, UINT8_MAX)},
    {"excluded", ITEMS(3, 1)},
    {"accepted", ITEMS(4, 1)},
};
const size_t es_state_field_count = sizeof fields / sizeof *fields;

const char *es_state_field_name(size_t f) {
    return fields[f].key;
}

size_t es_state_field_find(const char *name) {
    for (size_t f = 0; f < es_state_field_count; f++)
        if (strcmp(fields[f].key, name) == 0)
            return f;
    return ES_NONE;
}

void es_state_field_put(size_t f, const es_state_place *place, es_buf *out) {
    fields[f].put(&fields[f], place, out);
}

bool es_state_field_get(size_t f, es_state_place *place, char *text) {
    return fields[f].get(&fields[f], place, text);
}
