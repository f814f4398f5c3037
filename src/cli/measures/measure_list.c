/* `embedscope measure --list`: the tables of measures, their fields and settings. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "measure_out.h"
#include "output.h"
#include "table_out.h"

#include "json.h"

static const es_out_column list_columns[] = {
    {.key = "measure", .title = "measure", .flags = ES_COLUMN_KEY},
    {.key = "kind", .title = "of"},
    {.key = "better", .title = "better"},
    {.key = "needs", .title = "needs"},
    {.key = "here", .title = "here"},
    {.key = "title", .title = "what"},
    {.key = "caveat", .title = "mind"},
};

static const char *needs_of(const es_measure *m) {
    return m->needs & ES_NEED_POSITIVES ? "pairs"
           : m->needs & ES_NEED_GRADED  ? "scored pairs"
           : m->needs & ES_NEED_TASK    ? "labels"
           : m->needs & ES_NEED_QUERIES ? "queries or classes"
                                        : NULL;
}

/* "stored", "3 of 14 stored", "yes", or what is missing. */
static void look(es_session *session, const es_measure *m, char *out, size_t capacity) {
    size_t first = 0, count = 0, done = 0, of = 0;
    es_error why = {0};
    es_status st = es_session_measure(session, m, NULL, false, &first, &count, &why);
    for (size_t i = 0; st == ES_OK && i < count; i++) {
        done += es_session_measured(session, first + i)->done;
        of += es_session_measured(session, first + i)->of;
    }
    if (st == ES_ENOTFOUND)
        (void)snprintf(out, capacity, "no data");
    else if (st != ES_OK)
        (void)snprintf(out, capacity, "%s", why.message);
    else if (done == 0)
        (void)snprintf(out, capacity, "can be computed");
    else if (done == of)
        (void)snprintf(out, capacity, "stored");
    else
        (void)snprintf(out, capacity, "%zu of %zu stored", done, of);
}

static es_table_out *list_all(es_session *session) {
    char here[sizeof((es_error *)0)->message + 1];
    es_table_out *t = es_table_out_new(list_columns, sizeof list_columns / sizeof *list_columns);
    for (const es_measure *const *m = es_measures; t && *m; m++) {
        es_table_out_text(t, (*m)->name);
        es_table_out_text(t, (*m)->pair ? "two embedders" : "an embedder");
        es_table_out_text(t, es_measure_is_lower_better(*m, 0) ? "lower" : "higher");
        es_table_out_text(t, needs_of(*m));
        if (session)
            look(session, *m, here, sizeof here);
        es_table_out_text(t, session ? here : NULL);
        es_table_out_text(t, (*m)->title);
        es_table_out_text(t, (*m)->caveat);
    }
    return t;
}

static const es_out_column detail_columns[] = {
    {.key = "kind", .title = "kind"},
    {.key = "name", .title = "name", .flags = ES_COLUMN_KEY},
    {.key = "value", .title = "default"},
    {.key = "about", .title = "about"},
};

static void put_setting(es_table_out *t, const es_setting *setting) {
    char text[128], about[400];
    es_setting_text(setting, 1, &setting->value, text, sizeof text);
    const char *value = strchr(text, '=');
    (void)snprintf(about, sizeof about, "%s", setting->help);
    for (size_t i = 0; setting->choices && setting->choices[i]; i++) {
        size_t used = strlen(about);
        (void)snprintf(about + used, sizeof about - used, "%s%s", i ? ", " : ": ",
                       setting->choices[i]);
    }
    es_table_out_text(t, "setting");
    es_table_out_text(t, setting->key);
    es_table_out_text(t, value ? value + 1 : text);
    es_table_out_text(t, about);
}

static es_table_out *list_one(const es_measure *m) {
    es_table_out *t =
        es_table_out_new(detail_columns, sizeof detail_columns / sizeof *detail_columns);
    for (size_t f = 0; t && f < m->n_fields; f++) {
        es_table_out_text(t, m->fields[f].fact ? "fact" : "field");
        es_table_out_text(t, m->fields[f].name);
        es_table_out_text(t, NULL);
        es_table_out_text(t, m->fields[f].title);
    }
    for (size_t i = 0; t && i < ES_ANNOTATIONS_SETTINGS; i++)
        if (es_annotations_setting_needs(i) & m->needs)
            put_setting(t, &es_annotations_settings[i]);
    for (size_t i = 0; t && i < m->n_settings; i++)
        put_setting(t, &m->settings[i]);
    return t;
}

es_status es_measure_list(es_cli *cli, es_session *session, const char *only, es_error *err) {
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    const es_measure *m = NULL;
    size_t field = 0;
    es_buf out = {0};
    es_error why = {0};
    es_status st = ES_OK;
    if (only && es_measure_parse(only, &m, &field, &why) != ES_OK)
        return es_usage(cli, err, "%s", why.message);
    es_table_out *table = m ? list_one(m) : list_all(session);
    if (!table)
        return es_no_memory(err);
    if (format == ES_FORMAT_JSON) {
        es_json json;
        es_json_init(&json, &out, 2);
        es_document_begin(&json, cli, session, SIZE_MAX);
        es_table_out_json(table, &json, m ? "details" : "measures");
        es_document_end(&json);
    } else {
        st = es_table_out_write(table, format, es_output_width(cli), &out, err);
    }
    if (st == ES_OK && !m && format == ES_FORMAT_TABLE)
        es_buf_puts(&out,
                    "\n" ES_DATASET_DISTANCE " --other POOL2: how far two data sets are apart "
                    "to each embedder\n");
    if (st == ES_OK && m && format == ES_FORMAT_TABLE)
        es_buf_printf(&out, "\n%s: %s; %s\n", m->name, m->title, m->caveat);
    if (st == ES_OK)
        st = es_output_write(cli, &out, err);
    es_table_out_free(table);
    es_buf_free(&out);
    return st;
}
