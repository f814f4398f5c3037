/* `embedscope measure --list`: the tables of measures, their fields and settings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_measures.h"

#define ROW(C)                                                                                     \
    C(TEXT, "measure", "measure", ES_COLUMN_KEY, (*m)->name)                                       \
    C(TEXT, "kind", "of", 0, (*m)->pair ? "two embedders" : "an embedder")                         \
    C(TEXT, "better", "better", 0, es_measure_is_lower_better(*m, 0) ? "lower" : "higher")         \
    C(TEXT, "needs", "needs", 0, needs_of(*m))                                                     \
    C(TEXT, "here", "here", 0, session ? here : NULL)                                              \
    C(TEXT, "title", "what", 0, (*m)->title)                                                       \
    C(TEXT, "caveat", "mind", 0, (*m)->caveat)

static const es_out_column list_columns[] = ES_COLUMNS_OF(ROW);

static const char *needs_of(const es_measure *m) {
    return m->needs & ES_NEED_POSITIVES    ? "pairs"
           : m->needs & ES_NEED_GRADED     ? "scored pairs"
           : m->needs & ES_NEED_TASK       ? "labels"
           : m->needs & ES_NEED_QUERIES    ? "queries or classes"
           : m->needs & ES_NEED_JUDGEMENTS ? "qrels"
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
    es_table_out *t = ES_TABLE_OUT(list_columns);
    for (const es_measure *const *m = es_measures; t && *m; m++) {
        if (session)
            look(session, *m, here, sizeof here);
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

#define DETAIL(C)                                                                                  \
    C(TEXT, "kind", "kind", 0, kind)                                                               \
    C(TEXT, "name", "name", ES_COLUMN_KEY, name)                                                   \
    C(TEXT, "value", "default", 0, value)                                                          \
    C(TEXT, "about", "about", 0, about)

static const es_out_column detail_columns[] = ES_COLUMNS_OF(DETAIL);

static void put_detail(es_table_out *t, const char *kind, const char *name, const char *value,
                       const char *about) {
    ES_PUT_ROW(DETAIL, t);
}

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
    put_detail(t, "setting", setting->key, value ? value + 1 : text, about);
}

static es_table_out *list_one(const es_measure *m) {
    es_table_out *t = ES_TABLE_OUT(detail_columns);
    for (size_t f = 0; f < m->n_fields; f++)
        put_detail(t, m->fields[f].fact ? "fact" : "field", m->fields[f].name, NULL,
                   m->fields[f].title);
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        if (es_annotations_setting_needs(i) & m->needs)
            put_setting(t, &es_annotations_settings[i]);
    for (size_t i = 0; i < m->n_settings; i++)
        put_setting(t, &m->settings[i]);
    return t;
}

/* One measure, or all of them. */
typedef struct listing {
    es_session *session;
    const es_measure *only;
} listing;

static es_table_out *make_table(const es_document *d) {
    const listing *l = d->what;
    return l->only ? list_one(l->only) : list_all(l->session);
}

static void put_json(const es_document *d, es_json *json) {
    es_document_table(json, ((const listing *)d->what)->only ? "details" : "measures",
                      make_table(d));
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_measure *m = ((const listing *)d->what)->only;
    if (m)
        es_buf_printf(out, "\n%s: %s; %s\n%s%s", m->name, m->title, m->caveat,
                      m->about ? m->about : "", m->about ? "\n" : "");
    else
        es_buf_puts(out, "\n" ES_DATASET_DISTANCE
                         " --other POOL2: how far two data sets are apart to each embedder\n");
}

es_status es_measure_list(es_cli *cli, es_session *session, const char *only, es_error *err) {
    listing l = {.session = session};
    static const es_document_parts parts = {
        .schema = "measures", .table = make_table, .caption = put_caption, .json = put_json};
    size_t field = 0;
    es_error why = {0};
    if (only && es_measure_parse(only, &l.only, &field, &why) != ES_OK)
        return es_usage(cli, err, "%s", why.message);
    return es_document_write(&parts, (es_document){cli, session, SIZE_MAX, &l, ES_FORMAT_DEFAULT},
                             err);
}

/* Where a measure ranks an embedder on average over label columns or sets of pairs: ranks can be
 * averaged where values of different columns cannot. */

static bool is_same(const es_choice *a, const es_choice *b) {
    return a->measured->task && b->measured->task && strcmp(a->label, b->label) == 0 &&
           a->measured->measure == b->measured->measure && a->field == b->field;
}

/* The label columns or sets of the measure of choice number `first`; 0 where an earlier one says
 * it. */
static size_t count_tasks(const es_choices *choices, size_t first) {
    size_t tasks = 0;
    for (size_t k = 0; k < choices->count; k++) {
        bool same = is_same(&choices->item[first], &choices->item[k]);
        if (same && k < first)
            return 0;
        tasks += same;
    }
    return tasks;
}

/* A measure of classes has no value for a column of numbers, whatever the embedder: such a column
 * says nothing of ranks. */
static bool any_known(const double *value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i]))
            return true;
    return false;
}

/* Columns are "higher is better". Fewer than two that have values: out->tasks says so, and there
 * are no ranks. */
static es_status rank_tasks(const es_cli *cli, const es_choices *choices, size_t first,
                            size_t tasks, es_mean_ranks *out, es_error *err) {
    const es_choice *lead = &choices->item[first];
    size_t m = lead->measured->m, t = 0;
    double *all = es_cli_room(cli, m * tasks, sizeof *all); // (m, t) of the columns with values
    double *one = es_cli_room(cli, m * tasks, sizeof *one); // (t, m)
    out->measure = lead->measured->measure;
    out->label = lead->label;
    out->field = lead->field == SIZE_MAX ? 0 : lead->field;
    out->rank = es_cli_room(cli, m, sizeof *out->rank);
    if (!all || !one || !out->rank)
        return es_no_memory(err);
    for (size_t k = first; k < choices->count; k++) {
        if (!is_same(lead, &choices->item[k]))
            continue;
        ES_PASS(es_measured_column(choices->item[k].measured, out->field, one + t * m, err));
        t += any_known(one + t * m, m);
    }
    out->tasks = t;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < t; k++)
            all[i * t + k] = one[k * m + i];
    return t > 1 ? es_mean_rank(all, m, t, NULL, out->rank, &out->ranked, err) : ES_OK;
}

es_status es_mean_ranks_new(const es_cli *cli, const es_choices *choices, es_mean_ranks **out,
                            size_t *count, es_error *err) {
    *out = es_cli_room(cli, choices->count, sizeof **out);
    *count = 0;
    if (*out == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < choices->count; k++) {
        size_t tasks = choices->item[k].measured->measure->pair ? 0 : count_tasks(choices, k);
        if (tasks < 2)
            continue;
        ES_PASS(rank_tasks(cli, choices, k, tasks, &(*out)[*count], err));
        *count += (*out)[*count].tasks > 1;
    }
    return ES_OK;
}
