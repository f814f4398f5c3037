/* The table of measures and what is read from it: by name, by field, and which data a measure
 * lacks. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core_derive.h"
#include "core_measures.h"
#include "core_measures_parts.h"
#include "measure_rows.h"

#define ENTRY(name) &es_measure_##name,
const es_measure *const es_measures[] = {ES_MEASURES(ENTRY) NULL};

const es_measure *es_measure_find(const char *name) {
    for (const es_measure *const *m = es_measures; name && *m; m++)
        if (strcasecmp((*m)->name, name) == 0)
            return *m;
    for (const es_measure *const *m = es_measures_null; name && *m; m++)
        if (strcasecmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

const es_measure *es_measure_against_null(const es_measure *measure) {
    for (const es_measure *const *m = es_measures_null; *m; m++)
        if (*m == measure || strcmp((*m)->name + strlen(ES_MEASURE_NULL), measure->name) == 0)
            return *m;
    return NULL;
}

const es_measure *es_measure_at(size_t index) {
    size_t count = 0;
    while (es_measures[count])
        count++;
    return index < count ? es_measures[index] : NULL;
}

const char *es_measure_name(const es_measure *measure) {
    return measure ? measure->name : NULL;
}

const char *es_measure_summary(const es_measure *measure) {
    return measure ? measure->title : NULL;
}

const char *es_measure_caveat(const es_measure *measure) {
    return measure ? measure->caveat : NULL;
}

bool es_measure_is_pairwise(const es_measure *measure) {
    return measure && measure->pair;
}

unsigned es_measure_needs(const es_measure *measure) {
    return measure ? measure->needs : 0;
}

const es_measure_field *es_measure_field_at(const es_measure *measure, size_t index) {
    return measure && index < measure->n_fields ? &measure->fields[index] : NULL;
}

const es_setting *es_measure_setting_at(const es_measure *measure, size_t index) {
    return measure && index < measure->n_settings ? &measure->settings[index] : NULL;
}

es_status es_measure_parse(const char *text, const es_measure **measure, size_t *field,
                           es_error *err) {
    char name[64], known[384] = "";
    size_t length = strcspn(text, ".");
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), text);
    const es_measure *m = es_measure_find(name);
    es_suggestion near = {.word = name};
    for (const es_measure *const *k = es_measures; !m && *k; k++) {
        es_text_list_add(known, sizeof known, (*k)->name);
        es_suggestion_offer(&near, (*k)->name);
    }
    if (!m)
        return es_fail(err, ES_ENOTFOUND, "no measure '%s'%s%s%s; there are %s", name,
                       near.best ? "; did you mean '" : "", near.best ? near.best : "",
                       near.best ? "'?" : "", known);
    for (size_t f = 0; f < m->n_fields; f++) {
        if (text[length] == '\0' || strcmp(m->fields[f].name, text + length + 1) == 0) {
            *measure = m;
            *field = f;
            return ES_OK;
        }
        es_text_list_add(known, sizeof known, m->fields[f].name);
    }
    return es_fail(err, ES_ENOTFOUND, "%s has no field '%s'; it has %s", name, text + length + 1,
                   known);
}

bool es_measure_is_lower_better(const es_measure *measure, size_t field) {
    return measure->fields[field].lower_is_better;
}

unsigned es_measure_lacks(const es_measure *measure, const es_measure_data *data) {
    unsigned there = (data->positives ? ES_NEED_POSITIVES : 0U) |
                     (data->graded ? ES_NEED_GRADED : 0U) | (data->task ? ES_NEED_TASK : 0U) |
                     (data->queries ? ES_NEED_QUERIES : 0U) |
                     (data->judgements ? ES_NEED_JUDGEMENTS : 0U) | ES_NEED_BACKGROUND;
    return measure->needs & ~there;
}

const char *es_measure_need(unsigned needs) {
    return needs & ES_NEED_POSITIVES    ? "pairs of rows that belong together"
           : needs & ES_NEED_GRADED     ? "pairs of rows with scores"
           : needs & ES_NEED_TASK       ? "labels"
           : needs & ES_NEED_QUERIES    ? "queries with relevant rows, or classes"
           : needs & ES_NEED_JUDGEMENTS ? "judged documents of queries (qrels.csv)"
                                        : "nothing but the vectors";
}

void es_measure_undefined(const es_measure *measure, es_measure_value *out) {
    for (size_t f = 0; f < measure->n_fields; f++)
        out[f] = es_measure_value_of(es_stat_undefined("not computed"));
}

es_status es_measure_embedder(const es_measure *measure, const es_matrix *m,
                              const es_measure_data *data, const double *values, const es_run *run,
                              es_measure_value *out, es_error *err) {
    double defaults[ES_MEASURE_FIELDS];
    if (!measure->embedder)
        return es_fail(err, ES_EINVAL, "%s compares %s", measure->name,
                       measure->pair ? "two embedders" : "an embedder with all others");
    unsigned lacks = es_measure_lacks(measure, data);
    if (lacks)
        return es_fail(err, ES_ENOTFOUND, "%s needs %s", measure->name, es_measure_need(lacks));
    for (size_t i = 0; i < measure->n_settings; i++)
        defaults[i] = measure->settings[i].value;
    es_measure_undefined(measure, out);
    return measure->embedder(m, data, values ? values : defaults, run, out, err);
}

es_status es_measure_side(const es_measure *measure, const es_matrix *m,
                          const es_measure_data *data, const double *values, const es_run *run,
                          void **out, es_error *err) {
    const es_rows rows = es_matrix_as_rows(m);
    return measure->side_new ? measure->side_new(m, data, values, run, out, err)
                             : measure->side_of_rows(&rows, 0, run, out, err);
}

static double bytes_of(es_measure_load load, double n, double d) {
    double small = n < d ? n : d, sample = n < 3000 ? n : 3000;
    double rows = load.rows > 0 && n > (double)load.rows ? (double)load.rows : n;
    return 8 * (load.copies * rows * d + load.squares * small * small +
                load.lines * (256 + 32) * rows + load.sample * sample * sample + 4 * n);
}

es_measure_memory es_measure_memory_of(const es_measure *measure, size_t n, size_t d,
                                       size_t other_d, size_t keep_bytes, const double *values) {
    double rows = (double)n, wide = (double)d, most = (double)(d > other_d ? d : other_d);
    if (measure->memory)
        return measure->memory(n, d, other_d, keep_bytes, values);
    es_measure_memory need = {.making =
                                  8 * rows * wide + bytes_of(measure->load_making, rows, wide)};
    if (measure->pair) {
        need.side = bytes_of(measure->load_side, rows, wide);
        need.pair = bytes_of(measure->load_pair, rows, most);
    }
    return need;
}

/* Vectors are centred, stripped of their strongest directions or whitened before pairs are
 * measured: without it, one direction that all rows share can hide what tells them apart (Mu and
 * Viswanath, ICLR 2018). */

const char *const es_preprocess_names[] = {"none", "centre", "abtt", "pcr", "whiten", NULL};

static const es_derive_kind kinds[] = {ES_DERIVE_NONE, ES_DERIVE_CENTRE, ES_DERIVE_ABTT,
                                       ES_DERIVE_PCR, ES_DERIVE_WHITEN};

const char *es_preprocess_warning(const es_matrix *m, const double *values) {
    double kept = isfinite(values[1]) ? fmin(values[1], (double)m->d) : (double)m->d;
    return kinds[(size_t)values[0]] == ES_DERIVE_WHITEN && kept + 1 >= (double)m->n
               ? "whitened with n <= d + 1: all rows are equally far apart; see axes"
               : NULL;
}

es_status es_preprocess(const es_matrix *m, const double *values, es_matrix *out, es_error *err) {
    es_derive how = {.kind = kinds[(size_t)values[0]]};
    if (isfinite(values[1]))
        how.k = (size_t)values[1];
    else if (how.kind == ES_DERIVE_ABTT || how.kind == ES_DERIVE_PCR)
        how.k = 2;
    how.k = how.k < m->d ? how.k : m->d;
    return es_derive_matrix(m, &how, out, err);
}

/* Values of measures from statistics and plain numbers: what is not finite is undefined.
 */

es_measure_value es_measure_value_of(es_stat stat) {
    return (es_measure_value){stat.value, NAN, NAN, stat.why, NULL};
}

const char *es_measure_ties(size_t by_number, size_t of) {
    return 20 * by_number > of ? "ties: row numbers chose among equal distances" : NULL;
}

es_measure_value es_measure_number(double value) {
    return es_measure_value_of(isfinite(value) ? es_stat_of(value)
                                               : es_stat_undefined("not defined here"));
}
