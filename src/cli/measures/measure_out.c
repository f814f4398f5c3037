/* Measures as tables and documents: embedder measures side by side, pairwise ones a matrix each,
 * with what each number means and minds below. */
#include "cli_measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 160 };

/* What a table of embedders shows, column by column. */
typedef enum part { VALUE, LOW, HIGH, NOTE } part;

typedef struct column {
    const es_choice *choice;
    size_t field;
    part part;
} column;

typedef struct view {
    const es_cli *cli;
    es_session *session;
    const es_choices *choices;
    const es_results *names;
    uint32_t *rank, *order; /* (m) by the first column of an embedder measure */
    column *columns;        /* (n_columns) */
    es_mean_ranks *ranks;   /* (n_ranks) a column each behind the others */
    size_t n_columns, n_ranks;
} view;

static const es_measure_value *value_of(const column *c, size_t i) {
    return &c->choice->measured->value[i * c->choice->measured->width + c->field];
}

/* ---- embedder measures ---- */

/* True if field f of a choice is a column. Alone, a measure shows all that rank; among others its
 * first; data hold everything. */
static bool is_shown(const view *v, const es_choice *c, size_t f, bool data) {
    const es_measure *m = c->measured->measure;
    size_t embedder = v->choices->count - v->choices->pairwise;
    if (m->pair)
        return false;
    if (c->field != SIZE_MAX)
        return f == c->field;
    if (data || v->cli->options->fields)
        return true;
    return f == 0 || (embedder == 1 && !m->fields[f].fact);
}

/* True: some embedder has a note, or an interval, in this field. */
static bool has_any(const es_choice *c, size_t f, part which) {
    for (size_t i = 0; i < c->measured->m; i++) {
        const es_measure_value *value = &c->measured->value[i * c->measured->width + f];
        if (which == NOTE ? value->warning != NULL : isfinite(value->low))
            return true;
    }
    return false;
}

static void add_column(view *v, const es_choice *c, size_t f, part which) {
    v->columns[v->n_columns++] = (column){c, f, which};
}

static void choose_columns(view *v, bool data) {
    for (size_t k = 0; k < v->choices->count; k++) {
        const es_choice *c = &v->choices->item[k];
        for (size_t f = 0; f < c->measured->measure->n_fields; f++) {
            if (!is_shown(v, c, f, data))
                continue;
            add_column(v, c, f, VALUE);
            bool lead = f == 0 || f == c->field;
            if ((data || lead) && has_any(c, f, LOW)) {
                add_column(v, c, f, LOW);
                add_column(v, c, f, HIGH);
            }
            if (lead && has_any(c, f, NOTE))
                add_column(v, c, f, NOTE);
        }
    }
}

static void head_ranks(const view *v, bool data, es_table_out *table) {
    for (size_t r = 0; r < v->n_ranks; r++) {
        const es_mean_ranks *ranks = &v->ranks[r];
        char title[NAME_ROOM];
        const char *field = ranks->measure->fields[ranks->field].name;
        bool swept = ranks->label[0] != '\0';
        (void)snprintf(title, NAME_ROOM, "%s%s%s%smean%crank%s%s%s", ranks->measure->name,
                       ranks->field ? "." : "", ranks->field ? field : "", data ? "." : " ",
                       data ? '-' : ' ', swept ? "[" : "", ranks->label, swept ? "]" : "");
        es_table_out_add(table, (es_out_column)ES_NUMBER(title, title, NULL, 2, 0));
    }
}

/* Of data, behind a field's name: ".low" of its interval, but where another field is called so. */
static const char *name_part(const es_measure *m, part which) {
    static const char *const parts[] = {"", ".low", ".high", ".note"};
    static const char *const taken[] = {"", ".ci-low", ".ci-high", ".note"};
    for (size_t f = 0; f < m->n_fields; f++)
        if (strcmp(m->fields[f].name, parts[which] + (which != VALUE)) == 0)
            return taken[which];
    return parts[which];
}

/* Headings: in data the full names; shown alone, a measure's fields by their own. */
static void head_columns(const view *v, bool data, es_table_out *table) {
    static const char *const shown[] = {"", "low", "high", "note"};
    size_t embedder = v->choices->count - v->choices->pairwise;
    es_table_out_add(table, (es_out_column)ES_HEAD(COUNT, "rank", "rank", NULL, 0, 0));
    es_table_out_add(table, (es_out_column)ES_HEAD(TEXT, "model", "model", NULL, 0, ES_COLUMN_KEY));
    for (size_t k = 0; k < v->n_columns; k++) {
        const column *c = &v->columns[k];
        const es_measure_field *field = &c->choice->measured->measure->fields[c->field];
        char name[NAME_ROOM / 2], title[NAME_ROOM];
        es_choice_name(c->choice, c->field, name, sizeof name);
        if (!data && embedder == 1)
            (void)snprintf(name, sizeof name, "%s", field->name);
        (void)snprintf(title, NAME_ROOM, "%s%s", data || c->part == VALUE ? name : "",
                       data ? name_part(c->choice->measured->measure, c->part) : shown[c->part]);
        es_table_out_add(
            table, (es_out_column){.key = title,
                                   .title = title,
                                   .kind = c->part == NOTE ? ES_COLUMN_TEXT : ES_COLUMN_NUMBER,
                                   .decimals = field->decimals,
                                   .flags = c->part == LOW ? ES_COLUMN_LOW : 0});
    }
    head_ranks(v, data, table);
}

static es_status rank_rows(view *v, es_error *err) {
    const column *c = &v->columns[0];
    const es_measured *m = c->choice->measured;
    double *value = es_cli_room(v->cli, m->m, sizeof *value);
    es_status st = ES_OK;
    if (!value)
        return es_no_memory(err);
    for (size_t i = 0; i < m->m; i++)
        value[i] = value_of(c, i)->value;
    st = es_rank_competition(value, m->m, m->measure->fields[c->field].lower_is_better, v->rank,
                             err);
    /* insertion sort: best first, then by name; without a value last */
    for (size_t i = 0; st == ES_OK && i < m->m; i++) {
        size_t at = i;
        uint32_t own = v->rank[i] > 0 ? v->rank[i] : UINT32_MAX;
        for (; at > 0; at--) {
            uint32_t other = v->rank[v->order[at - 1]];
            if ((other > 0 ? other : UINT32_MAX) <= own)
                break;
            v->order[at] = v->order[at - 1];
        }
        v->order[at] = (uint32_t)i;
    }
    return st;
}

/* Allocates and lists the columns that are shown, and orders the embedders. */
static es_status prepare_columns(view *v, bool data, es_error *err) {
    size_t most = v->choices->count * (ES_MEASURE_FIELDS * 3 + 1) + v->n_ranks;
    v->rank = es_cli_room(v->cli, v->names->m, sizeof *v->rank);
    v->order = es_cli_room(v->cli, v->names->m, sizeof *v->order);
    v->columns = es_cli_room(v->cli, most, sizeof *v->columns);
    if (!v->rank || !v->order || !v->columns)
        return es_no_memory(err);
    v->n_columns = 0;
    choose_columns(v, data);
    return rank_rows(v, err);
}

/* Takes the table. */
static es_status put_part(const view *v, es_table_out *table, es_output_format format, es_buf *out,
                          es_error *err) {
    es_status st = es_table_out_write(table, format, es_output_width(v->cli), out, err);
    es_table_out_free(table);
    return st;
}

static es_status write_columns(view *v, es_output_format format, es_buf *out, es_error *err) {
    ES_PASS(prepare_columns(v, format == ES_FORMAT_CSV, err));
    es_table_out *table = es_table_out_new(NULL, 0);
    head_columns(v, format == ES_FORMAT_CSV, table);
    for (size_t r = 0; r < v->names->m; r++) {
        size_t i = v->order[r];
        if (!es_export_shows(v->cli, i))
            continue;
        es_table_out_count(table, v->rank[i] ? v->rank[i] : SIZE_MAX);
        es_document_name(table, v->names, i);
        for (size_t k = 0; k < v->n_columns; k++) {
            const column *c = &v->columns[k];
            const es_measure_value *value = value_of(c, i);
            if (c->part == NOTE)
                es_table_out_text(table, value->warning);
            else
                es_table_out_number(table, c->part == LOW    ? value->low
                                           : c->part == HIGH ? value->high
                                                             : value->value);
        }
        for (size_t k = 0; k < v->n_ranks; k++)
            es_table_out_number(table, v->ranks[k].rank[i]);
    }
    return put_part(v, table, format, out, err);
}

/* Why values are missing, each reason once with the embedders it is about. */
static void put_reasons(const view *v, const es_choice *c, es_buf *out) {
    const es_measured *m = c->measured;
    for (size_t i = 0; i < m->m; i++) {
        const char *why = m->value[i * m->width].why;
        bool said = false;
        for (size_t j = 0; why && j < i; j++)
            said = said ||
                   (m->value[j * m->width].why && strcmp(m->value[j * m->width].why, why) == 0);
        if (!why || said || m->state[i] != ES_PAIR_DONE)
            continue;
        es_buf_printf(out, "%s: no value (%s):", m->name, why);
        for (size_t j = i; j < m->m; j++)
            if (m->value[j * m->width].why && strcmp(m->value[j * m->width].why, why) == 0)
                es_buf_printf(out, " %s", v->names->name[j]);
        es_buf_putc(out, '\n');
    }
}

/* Embedders with rows that are all zero, whose cosine with any other is 0 by definition, unless
 * they are centred first. */
static void put_zero_rows(const view *v, const es_choice *c, es_buf *out) {
    const es_measured *m = c->measured;
    size_t said = 0, at = 0;
    while (at < m->measure->n_fields && strcmp(m->measure->fields[at].name, "zero-rows") != 0)
        at++;
    for (size_t i = 0; at < m->measure->n_fields && i < m->m; i++) {
        double rows = m->value[i * m->width + at].value;
        if (!(rows > 0))
            continue;
        es_buf_printf(out, "%s%s (%.0f)",
                      said++ ? ", " : "rows that are all zero, which as they are resemble none: ",
                      v->names->name[i], rows);
    }
    es_buf_puts(out, said ? "\n" : "");
}

static void put_caption(const view *v, const es_choice *c, es_buf *out) {
    const es_measure *m = c->measured->measure;
    size_t field = c->field == SIZE_MAX ? 0 : c->field, width = es_output_width(v->cli);
    bool swept = c->label[0] != '\0';
    es_buf_printf(out, "%s%s%s%s: %s; %s%s\n", c->measured->name, swept ? "[" : "", c->label,
                  swept ? "]" : "", m->n_fields > 1 ? m->fields[field].title : m->title,
                  m->fields[field].fact                  ? ""
                  : es_measure_is_lower_better(m, field) ? "lower is better; "
                                                         : "higher is better; ",
                  es_measured_caveat(c->measured));
    if (c->measured->settings[0]) {
        es_buf settings = {0};
        es_buf_printf(&settings, "  %s", c->measured->settings);
        es_caption_fill(out, settings.data ? settings.data : "", width ? width : 100);
        es_buf_free(&settings);
    }
    if (!m->pair) {
        put_reasons(v, c, out);
        put_zero_rows(v, c, out);
    }
}

/* ---- pairwise measures ---- */

static void put_cell(es_table_out *table, const es_measure_value *value, int decimals, bool shown) {
    char text[ES_TABLE_NUMBER + 2], number[ES_TABLE_NUMBER];
    if (!shown) {
        es_table_out_number(table, value->value);
        return;
    }
    (void)snprintf(text, sizeof text, "%s%s", es_table_out_decimals(number, value->value, decimals),
                   value->warning ? "~" : "");
    es_table_out_text(table, isfinite(value->value) ? text : NULL);
}

/* True if field f is written as a matrix: the one asked for, the first, or all. */
static bool is_matrix(const view *v, const es_choice *c, size_t f) {
    if (c->field != SIZE_MAX)
        return f == c->field;
    return f == 0 || v->cli->options->fields;
}

static es_status write_matrix(const view *v, const es_choice *c, size_t field,
                              es_output_format format, es_buf *out, es_error *err) {
    const es_measure_value *value = es_measured_matrix(c->measured, field);
    size_t m = v->names->m;
    bool shown = format == ES_FORMAT_TABLE;
    int decimals = c->measured->measure->fields[field].decimals > 0 ? 3 : 0; /* counts: whole */
    es_table_out *table = es_table_out_new(NULL, 0);
    es_table_out_add(table,
                     (es_out_column)ES_HEAD(TEXT, "source", "source", NULL, 0, ES_COLUMN_KEY));
    for (size_t j = 0; j < m; j++)
        if (es_export_shows(v->cli, j))
            es_table_out_add(table,
                             (es_out_column){.key = v->names->name[j],
                                             .title = v->names->name[j],
                                             .kind = shown ? ES_COLUMN_TEXT : ES_COLUMN_NUMBER,
                                             .decimals = decimals,
                                             .flags = ES_COLUMN_ALWAYS});
    for (size_t i = 0; i < m; i++) {
        if (!es_export_shows(v->cli, i))
            continue;
        es_document_name(table, v->names, i);
        for (size_t j = 0; j < m; j++)
            if (es_export_shows(v->cli, j))
                put_cell(table, &value[i * m + j], decimals, shown);
    }
    return put_part(v, table, format, out, err);
}

#define ROW(C)                                                                                     \
    C(TEXT, "measure", "measure", 0, name)                                                         \
    C(NAME, "source", "source", 0, v->names, i / m)                                                \
    C(NAME, "target", "target", 0, v->names, i % m)                                                \
    C(NUMBER, "value", "value", 3, 0, value[i].value)                                              \
    C(TEXT, "note", "note", 0, value[i].warning)

static const es_out_column pair_columns[] = ES_COLUMNS_OF(ROW);

static bool shows_pair(const view *v, size_t source, size_t target) {
    return es_export_shows(v->cli, source) && es_export_shows(v->cli, target);
}

static void put_pairs(const view *v, const es_choice *c, size_t field, es_table_out *table) {
    const es_measure_value *value = es_measured_matrix(c->measured, field);
    size_t m = v->names->m;
    char name[NAME_ROOM];
    es_choice_name(c, field, name, sizeof name);
    for (size_t i = 0; i < m * m; i++) {
        if (!shows_pair(v, i / m, i % m))
            continue;
        ES_PUT_ROW(ROW, table);
    }
}

/* Several matrices: one line a pair. */
static es_status write_pairs(const view *v, es_buf *out, es_error *err) {
    es_table_out *table = ES_TABLE_OUT(pair_columns);
    for (size_t k = 0; k < v->choices->count; k++) {
        const es_choice *c = &v->choices->item[k];
        for (size_t f = 0; c->measured->measure->pair && f < c->measured->measure->n_fields; f++)
            if (is_matrix(v, c, f))
                put_pairs(v, c, f, table);
    }
    return put_part(v, table, ES_FORMAT_CSV, out, err);
}

/* A text and the number of values that it describes. */
typedef struct said {
    const char *text;
    size_t times;
} said;

/* What is to be minded of a value that is there, or why there is none; what failed has its note. */
static const char *said_of(const es_measured *m, const es_measure_value *value, size_t i,
                           bool missing) {
    return m->state[i] != ES_PAIR_DONE ? NULL : missing ? value[i].why : value[i].warning;
}

/* Each warning, or reason, once, with how many values it is about: a few texts, of any number. */
static void put_said(const es_measured *m, size_t field, bool missing, es_buf *out) {
    const es_measure_value *value = es_measured_matrix(m, field);
    said *all = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < m->of; i++) {
        const char *text = said_of(m, value, i, missing);
        size_t k = 0;
        while (text && k < count && strcmp(all[k].text, text) != 0)
            k++;
        if (text && k == count) {
            said *more = es_grow(all, count, &capacity, sizeof *all);
            out->failed |= more == NULL;
            if (!more)
                break;
            all = more;
            all[count++] = (said){text, 0};
        }
        if (text)
            all[k].times++;
    }
    for (size_t k = 0; k < count; k++)
        es_buf_printf(out, "%s %zu of %zu values: %s\n", missing ? "-" : "~", all[k].times, m->of,
                      all[k].text);
    es_free(all);
}

/* The N of "at most log N", which is less than was set where rows are few. */
static void put_ceiling(const es_choice *c, es_buf *out) {
    const es_measure *m = c->measured->measure;
    size_t f = 0;
    while (f < m->n_fields && strcmp(m->fields[f].name, "ceiling") != 0)
        f++;
    if (f == m->n_fields)
        return;
    const es_measure_value *value = es_measured_matrix(c->measured, f);
    for (size_t i = 0; i < c->measured->of; i++)
        if (isfinite(value[i].value)) {
            es_buf_printf(out, "  N = %.0f: log N is %.3f\n", exp(value[i].value), value[i].value);
            return;
        }
}

static void put_matrix_caption(const view *v, const es_choice *c, size_t field, es_buf *out) {
    const es_measured *m = c->measured;
    es_choice one = *c;
    one.field = field;
    put_caption(v, &one, out);
    put_ceiling(c, out);
    put_said(m, field, false, out);
    put_said(m, field, true, out);
    es_buf_puts(out, m->symmetric ? "" : "rows are the first argument\n");
}

static es_status write_choice(const view *v, const es_choice *c, es_output_format format,
                              es_buf *out, es_error *err) {
    bool table = format == ES_FORMAT_TABLE;
    es_status st = ES_OK;
    for (size_t f = 0; f < c->measured->measure->n_fields && st == ES_OK; f++) {
        if (!is_matrix(v, c, f))
            continue;
        es_buf_puts(out, table && out->length > 0 ? "\n" : "");
        st = write_matrix(v, c, f, format, out, err);
        if (table && st == ES_OK) {
            es_buf_putc(out, '\n');
            put_matrix_caption(v, c, f, out);
        }
    }
    return st;
}

/* ---- json ---- */

static void put_value(es_json *json, const char *key, const es_measure_value *value) {
    es_json_begin_object(json, key);
    es_json_double(json, "value", value->value);
    if (isfinite(value->low)) {
        es_json_double(json, "low", value->low);
        es_json_double(json, "high", value->high);
    }
    if (value->why)
        es_json_text(json, "why", value->why);
    if (value->warning)
        es_json_text(json, "warning", value->warning);
    es_json_end(json);
}

static void put_square_values(es_json *json, const view *v, const es_measured *m, size_t field) {
    const es_measure_value *value = es_measured_matrix(m, field);
    es_json_begin_array(json, "values");
    for (size_t i = 0; i < m->m; i++) {
        if (!es_export_shows(v->cli, i))
            continue;
        es_json_begin_row(json, NULL);
        for (size_t j = 0; j < m->m; j++)
            if (es_export_shows(v->cli, j))
                es_json_double(json, NULL, value[i * m->m + j].value);
        es_json_end(json);
    }
    es_json_end(json);
}

/* Of a pairwise measure each with its matrix. */
static void put_fields(es_json *json, const view *v, const es_measured *m) {
    for (size_t f = es_json_list(json, "fields");
         es_json_list_next(json, &f, m->measure->n_fields);) {
        const es_measure_field *field = &m->measure->fields[f];
        es_json_text(json, "name", field->name);
        es_json_text(json, "title", field->title);
        es_json_bool(json, "lower_is_better", field->lower_is_better);
        es_json_bool(json, "ranks", !field->fact);
        if (m->measure->pair)
            put_square_values(json, v, m, f);
    }
}

static void put_columns(es_json *json, const view *v, const es_measured *m) {
    put_fields(json, v, m);
    es_json_begin_array(json, "values");
    for (size_t i = 0; i < m->m; i++) {
        if (!es_export_shows(v->cli, i))
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "model", v->names->name[i]);
        es_json_bool(json, "derived", es_results_is_derived(v->names, i));
        if (m->state[i] == ES_PAIR_FAILED)
            es_json_text(json, "failed", m->reason[i]);
        for (size_t f = 0; f < m->measure->n_fields; f++)
            put_value(json, m->measure->fields[f].name, &m->value[i * m->width + f]);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_square(es_json *json, const view *v, const es_measured *m) {
    es_json_begin_array(json, "models");
    for (size_t i = 0; i < m->m; i++)
        if (es_export_shows(v->cli, i))
            es_json_text(json, NULL, v->names->name[i]);
    es_json_end(json);
    es_json_bool(json, "symmetric", m->symmetric);
    if (m->measure->n_fields > 1)
        put_fields(json, v, m);
    put_square_values(json, v, m, 0);
    es_json_begin_array(json, "remarks");
    for (size_t i = 0; m->m > 0 && i < m->of; i++) {
        const es_measure_value *value = &m->value[i];
        if ((!value->why && !value->warning && !m->reason[i]) || !shows_pair(v, i / m->m, i % m->m))
            continue;
        es_json_begin_object(json, NULL);
        es_json_text(json, "source", v->names->name[i / m->m]);
        es_json_text(json, "target", v->names->name[i % m->m]);
        es_json_text(json, "warning", value->warning);
        es_json_text(json, "why", m->reason[i] ? m->reason[i] : value->why);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_measure(es_json *json, const view *v, const es_choice *c) {
    const es_measured *m = c->measured;
    char name[NAME_ROOM];
    es_json_text(json, "name", es_choice_name(c, SIZE_MAX, name, sizeof name));
    es_json_text(json, "measure", m->measure->name);
    es_json_text(json, "kind", m->measure->pair ? "pairwise" : "embedder");
    es_json_text(json, "task", m->task);
    es_json_text(json, "title", m->measure->title);
    es_json_text(json, "caveat", es_measured_caveat(m));
    es_json_uint(json, "version", m->measure->version);
    es_json_text(json, "settings", m->settings);
    es_json_bool(json, "lower_is_better", m->measure->fields[0].lower_is_better);
    if (m->measure->pair)
        put_square(json, v, m);
    else
        put_columns(json, v, m);
}

static void put_ranks(es_json *json, const view *v) {
    for (size_t k = es_json_list(json, "mean_ranks"); es_json_list_next(json, &k, v->n_ranks);) {
        const es_mean_ranks *r = &v->ranks[k];
        es_json_text(json, "measure", r->measure->name);
        es_json_text(json, "field", r->measure->fields[r->field].name);
        es_json_text(json, "label", r->label[0] ? r->label : NULL);
        es_json_uint(json, "tasks", r->tasks);
        es_json_uint(json, "ranked", r->ranked);
        es_json_begin_array(json, "ranking");
        for (size_t i = 0; i < v->names->m; i++) {
            if (!es_export_shows(v->cli, i))
                continue;
            es_json_begin_object(json, NULL);
            es_json_text(json, "model", v->names->name[i]);
            es_json_double(json, "mean_rank", r->rank[i]);
            es_json_end(json);
        }
        es_json_end(json);
    }
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = *(view *const *)d->what;
    const es_annotations *evidence = es_session_annotations(v->session);
    for (size_t k = es_json_list(json, "measures"); es_json_list_next(json, &k, v->choices->count);)
        put_measure(json, v, &v->choices->item[k]);
    put_ranks(json, v);
    es_json_begin_array(json, "notes");
    for (size_t i = 0; evidence && i < es_annotations_notes(evidence); i++)
        es_json_text(json, NULL, es_annotations_note(evidence, i));
    es_json_end(json);
    es_document_excluded(json, v->session);
}

/* ---- all other formats ---- */

/* What a measure is computed several times over; several sets of queries are of label columns. */
static const char *times_of(const es_measure *m) {
    bool pairs = (m->needs & (ES_NEED_POSITIVES | ES_NEED_GRADED)) != 0;
    return pairs ? "sets of pairs" : "label columns";
}

/* True if both values of a swept setting give equal numbers for all embedders. */
static bool is_equal(const es_choice *a, const es_choice *b) {
    const es_measured *x = a->measured, *y = b->measured;
    size_t field = a->field == SIZE_MAX ? 0 : a->field, known = 0;
    bool same_task = x->task && y->task ? strcmp(x->task, y->task) == 0 : x->task == y->task;
    if (x->measure != y->measure || a->field != b->field || !same_task || !a->label[0] ||
        strcmp(a->label, b->label) == 0)
        return false;
    size_t count = x->measure->pair ? x->m * x->m : x->m;
    for (size_t i = 0; i < count; i++) {
        double p = x->measure->pair ? es_measured_matrix(x, field)[i].value
                                    : x->value[i * x->width + field].value,
               q = y->measure->pair ? es_measured_matrix(y, field)[i].value
                                    : y->value[i * y->width + field].value;
        if (isfinite(p) != isfinite(q) || (isfinite(p) && p != q))
            return false;
        known += isfinite(p) ? 1 : 0;
    }
    return known > 1;
}

/* Values of a swept setting that change nothing, once for each group of them. */
static void put_equal(const view *v, es_buf *out) {
    const es_choices *all = v->choices;
    char name[NAME_ROOM];
    for (size_t k = 0; k < all->count; k++) {
        const es_choice *c = &all->item[k];
        bool told = false, any_same = false;
        for (size_t i = 0; i < k; i++)
            told = told || is_equal(&all->item[i], c);
        for (size_t i = k + 1; !told && i < all->count; i++) {
            if (!is_equal(c, &all->item[i]))
                continue;
            if (!any_same)
                es_buf_printf(out, "%s has the same values as [%s]",
                              es_choice_name(c, c->field, name, sizeof name), all->item[i].label);
            else
                es_buf_printf(out, ", [%s]", all->item[i].label);
            any_same = true;
        }
        if (any_same)
            es_buf_puts(out,
                        ": the setting does not change this field (--fields shows the others)\n");
    }
}

/* What each number means, below the tables of embedder measures. */
static void put_captions(const view *v, es_buf *out) {
    const char *before = v->choices->count > v->choices->pairwise ? "\n" : "";
    for (size_t k = 0; k < v->choices->count; k++) {
        if (v->choices->item[k].measured->measure->pair)
            continue;
        es_buf_puts(out, before);
        before = "";
        put_caption(v, &v->choices->item[k], out);
    }
    for (size_t k = 0; k < v->n_ranks; k++)
        es_buf_printf(
            out, "%s mean rank%s%s%s: over %zu %s, of the %zu embedders that have a value in all\n",
            v->ranks[k].measure->name, v->ranks[k].label[0] ? "[" : "", v->ranks[k].label,
            v->ranks[k].label[0] ? "]" : "", v->ranks[k].tasks, times_of(v->ranks[k].measure),
            v->ranks[k].ranked);
}

static es_status put_all(const es_document *d, es_buf *out, es_error *err) {
    view *v = *(view *const *)d->what;
    size_t pairwise = v->choices->pairwise;
    if (v->choices->count > pairwise)
        ES_PASS(write_columns(v, d->format, out, err));
    if (d->format == ES_FORMAT_CSV && (pairwise > 1 || (pairwise > 0 && v->cli->options->fields)))
        return write_pairs(v, out, err);
    for (size_t k = 0; k < v->choices->count; k++) {
        const es_choice *c = &v->choices->item[k];
        if (!c->measured->measure->pair)
            continue;
        ES_PASS(write_choice(v, c, d->format, out, err));
    }
    if (d->format == ES_FORMAT_TABLE) {
        put_captions(v, out);
        put_equal(v, out);
    }
    return ES_OK;
}

es_status es_measure_write(es_cli *cli, es_session *session, const es_choices *choices,
                           es_error *err) {
    view v = {.cli = cli,
              .session = session,
              .choices = choices,
              .names = es_session_results(session, 0)};
    view *what = &v; /* its columns are chosen by the format */
    static const es_document_parts parts = {.schema = "measure", .text = put_all, .json = put_json};
    ES_PASS(es_mean_ranks_new(cli, choices, &v.ranks, &v.n_ranks, err));
    return es_document_write(&parts,
                             (es_document){cli, session, SIZE_MAX, &what, ES_FORMAT_DEFAULT}, err);
}
