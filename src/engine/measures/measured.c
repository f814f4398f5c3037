/* Columns of embedders and matrices of pairs alike. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_measures.h"
#include "engine_measures_parts.h"

const char *es_measured_caveat(const es_measured *r) {
    const es_measure *m = r->measure;
    return m->symmetric && !r->symmetric && m->caveat_directed ? m->caveat_directed : m->caveat;
}

bool es_measured_is_pairwise(const es_measured *r) {
    return r->measure->pair != NULL;
}

es_status es_measured_init(es_measured *r, size_t m, es_error *err) {
    bool pairs = es_measured_is_pairwise(r);
    r->m = m;
    r->width = pairs ? m : r->measure->n_fields;
    r->of = pairs ? m * m : m;
    size_t values = r->of * r->measure->n_fields;
    r->value = es_alloc(values, sizeof *r->value);
    r->state = es_alloc_zero(r->of, sizeof *r->state);
    r->reason = es_alloc_zero(r->of, sizeof *r->reason);
    if (!r->value || !r->state || !r->reason)
        return es_no_memory(err);
    for (size_t i = 0; i < values; i++)
        r->value[i] = (es_measure_value){NAN, NAN, NAN, "not computed yet", NULL};
    return ES_OK;
}

void es_measured_deinit(es_measured *r) {
    for (size_t i = 0; r->reason && i < r->of; i++)
        es_free(r->reason[i]);
    es_free(r->reason);
    es_free(r->value);
    es_free(r->state);
    es_free(r->task);
    for (size_t f = 0; r->field && f < r->measure->n_fields; f++)
        es_free(r->field[f]);
    es_free(r->field);
    es_free(r->name);
    es_free(r->settings);
}

size_t es_measured_place(const es_measured *r, size_t source, size_t target) {
    return es_measured_is_pairwise(r) ? source * r->m + target : source;
}

size_t es_measured_field(const es_measured *r, size_t place, size_t f) {
    return es_measured_is_pairwise(r) ? f * r->m * r->m + place : place * r->width + f;
}

/* Stores the values of a pair or embedder and counts it as done. */
static void set_values(es_measured *r, size_t place, const es_measure_value *value) {
    for (size_t f = 0; f < r->measure->n_fields; f++)
        r->value[es_measured_field(r, place, f)] = value[f];
    if (r->state[place] == ES_PAIR_FAILED)
        r->failed--;
    if (r->state[place] != ES_PAIR_DONE)
        r->done++;
    r->state[place] = ES_PAIR_DONE;
    es_free(r->reason[place]);
    r->reason[place] = NULL;
    r->revision++;
}

/* Counts a pair or embedder as failed, with the reason. */
static void set_failed(es_measured *r, size_t place, const char *reason) {
    if (r->state[place] == ES_PAIR_DONE)
        return;
    if (r->state[place] != ES_PAIR_FAILED)
        r->failed++;
    r->state[place] = ES_PAIR_FAILED;
    es_free(r->reason[place]);
    r->reason[place] = es_strdup(reason);
    r->revision++;
}

void es_measured_put(es_measured *r, size_t source, size_t target, const es_measure_value *value) {
    set_values(r, es_measured_place(r, source, target), value);
    if (es_measured_is_pairwise(r) && r->symmetric && source != target)
        set_values(r, es_measured_place(r, target, source), value);
}

void es_measured_fail(es_measured *r, size_t source, size_t target, const char *reason) {
    set_failed(r, es_measured_place(r, source, target), reason);
    if (es_measured_is_pairwise(r) && r->symmetric)
        set_failed(r, es_measured_place(r, target, source), reason);
}

void es_measured_took(es_measured *r, double seconds) {
    r->nanoseconds += rint(1e9 * seconds);
}

double es_measured_seconds(const es_measured *r) {
    return r->nanoseconds / 1e9;
}

const es_measure_value *es_measured_matrix(const es_measured *r, size_t field) {
    return r->value + field * r->m * r->m;
}

es_status es_measured_column(const es_measured *r, size_t field, double *out, es_error *err) {
    double *row = es_alloc(r->m, sizeof *row);
    if (!row)
        return es_no_memory(err);
    bool lower = es_measure_is_lower_better(r->measure, field);
    for (size_t i = 0; i < r->m; i++) {
        double v = (double)NAN;
        if (es_measured_is_pairwise(r)) {
            size_t n = 0;
            for (size_t j = 0; j < r->m; j++)
                if (j != i && isfinite(r->value[es_measured_field(r, i * r->m + j, field)].value))
                    row[n++] = r->value[es_measured_field(r, i * r->m + j, field)].value;
            v = es_stat_median(row, n);
        } else if (r->state[i] == ES_PAIR_DONE) {
            v = r->value[i * r->width + field].value;
        }
        out[i] = lower ? -v : v;
    }
    es_free(row);
    return ES_OK;
}

/* The first field of an embedder, or of two, each pair once; NULL: not known. */
static const es_measure_value *value_at(const es_measured *r, size_t i) {
    size_t source = i / r->m, target = i % r->m;
    bool pair = es_measured_is_pairwise(r), twin = pair && r->symmetric && target < source;
    const es_measure_value *v = &r->value[pair ? i : i * r->width];
    return r->state[i] != ES_PAIR_DONE || !isfinite(v->value) || twin || (pair && source == target)
               ? NULL
               : v;
}

typedef struct told {
    const char *warning;
    size_t count;
} told;

/* One more value with this warning; the place of it, or of the last where there is no more room. */
static size_t count_warning(told *list, size_t places, const char *warning) {
    size_t at = 0;
    while (at + 1 < places && list[at].warning && strcmp(list[at].warning, warning) != 0)
        at++;
    list[at].warning = warning;
    list[at].count++;
    return at;
}

/* What is unsteady about one field is so of all. */
bool es_measured_remark(const es_measured *r, char *out, size_t capacity) {
    enum { WARNINGS = 8 }; /* more than any measure has */
    told list[WARNINGS] = {0};
    size_t most = 0, of = 0;
    for (size_t i = 0; i < r->of; i++) {
        const es_measure_value *v = value_at(r, i);
        of += v ? 1 : 0;
        size_t at = v && v->warning ? count_warning(list, WARNINGS, v->warning) : most;
        most = list[at].count > list[most].count ? at : most;
    }
    if (!list[most].warning)
        return false;
    (void)snprintf(out, capacity, "%s (%zu of %zu %s)", list[most].warning, list[most].count, of,
                   es_measured_is_pairwise(r) ? "pairs" : "embedders");
    return true;
}

/* ---- settings ---- */

/* Settings of a measure and of the data it is given: read from "key=value", and written as the text
 * that values are stored under. */

/* Where a setting belongs: 'd' to the data, 'm' to the measure, 0 to neither. */
static char setting_owner(const es_measure *m, const char *assignment) {
    char key[64];
    size_t length = strcspn(assignment, "=");
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), assignment);
    size_t at = es_setting_find(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, key);
    if (at < ES_ANNOTATIONS_SETTINGS && (es_annotations_setting_needs(at) & m->needs))
        return 'd';
    return es_setting_find(m->settings, m->n_settings, key) < m->n_settings ? 'm' : 0;
}

bool es_measure_knows(const es_measure *measure, const char *assignment) {
    return setting_owner(measure, assignment) != 0;
}

/* "a, b" of every setting that a measure has. */
static es_status unknown_setting(const es_measure *m, const char *assignment, es_error *err) {
    char known[300] = "none";
    size_t used = 0;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS + m->n_settings; i++) {
        bool data = i < ES_ANNOTATIONS_SETTINGS;
        if (data && !(es_annotations_setting_needs(i) & m->needs))
            continue;
        int n = snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                         data ? es_annotations_settings[i].key
                              : m->settings[i - ES_ANNOTATIONS_SETTINGS].key);
        used += n > 0 && (size_t)n < sizeof known - used ? (size_t)n : 0;
    }
    return es_fail(err, ES_EINVAL, "--set %.60s: %s has no such setting; it has %s", assignment,
                   m->name, known);
}

es_status es_measure_settings(const es_measure *m, const char *const *settings, bool lenient,
                              double *own, double *data, es_error *err) {
    for (size_t i = 0; i < m->n_settings; i++)
        own[i] = m->settings[i].value;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        data[i] = es_annotations_settings[i].value;
    for (size_t i = 0; settings && settings[i]; i++) {
        char owner = setting_owner(m, settings[i]);
        es_status st = ES_OK;
        if (owner == 'd')
            st = es_setting_assign(es_annotations_settings, ES_ANNOTATIONS_SETTINGS, m->name,
                                   settings[i], data, err);
        else if (owner == 'm')
            st = es_setting_assign(m->settings, m->n_settings, m->name, settings[i], own, err);
        else if (!lenient)
            st = unknown_setting(m, settings[i], err);
        if (st != ES_OK)
            return st;
    }
    return ES_OK;
}

es_status es_measure_settings_text(const es_measure *m, const double *own, const double *data,
                                   es_digest digest, es_digest pool, char **out, es_error *err) {
    char part[1024], hex[ES_DIGEST_HEX];
    es_buf text = {0};
    es_buf_puts(&text, "");
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        if (es_annotations_setting_needs(i) & m->needs) {
            es_setting_text(&es_annotations_settings[i], 1, &data[i], part, sizeof part);
            es_buf_printf(&text, "%s%s", text.length ? " " : "", part);
        }
    if (m->n_settings > 0) {
        es_setting_text(m->settings, m->n_settings, own, part, sizeof part);
        es_buf_printf(&text, "%s%s", text.length ? " " : "", part);
    }
    if (m->needs)
        es_buf_printf(&text, "%sdata=%.16s", text.length ? " " : "", es_digest_hex(digest, hex));
    if (m->among)
        es_buf_printf(&text, "%spool=%.16s", text.length ? " " : "", es_digest_hex(pool, hex));
    char *taken = es_buf_take(&text);
    if (!taken)
        return es_no_memory(err);
    *out = taken;
    return ES_OK;
}

/* Sets of pairs are prepared one by one and then put together. */

void es_pair_sets_deinit(es_pair_sets *sets) {
    for (size_t i = 0; i < sets->count && sets->item; i++) {
        es_free(sets->item[i].name);
        es_positives_free(&sets->item[i].positives);
        es_free(sets->item[i].graded);
    }
    es_free(sets->item);
    *sets = (es_pair_sets){0};
}

static es_digest digest_of(const es_graded_pair *pair, size_t count) {
    es_hasher h;
    es_hasher_init(&h);
    es_hasher_add_text(&h, "pairs");
    for (size_t i = 0; i < count; i++) {
        es_hasher_add_u64(&h, pair[i].a);
        es_hasher_add_u64(&h, pair[i].b);
        es_hasher_add(&h, &pair[i].score, sizeof pair[i].score);
    }
    return es_hasher_result(&h);
}

/* Items with names and the pairs of each, as they stand in the list. */
static es_status begin(const es_pair_list *list, es_pair_sets *x, es_error *err) {
    x->count = list->sets > 1 ? list->sets + 1 : 1;
    x->item = es_alloc_zero(x->count, sizeof *x->item);
    if (!x->item)
        return es_no_memory(err);
    for (size_t k = 0; k < x->count; k++) {
        es_pair_set *s = &x->item[k];
        s->graded = es_alloc(list->count, sizeof *s->graded);
        s->name = k > 0 ? es_strdup(list->set_name[k - 1]) : NULL;
        if (!s->graded || (k > 0 && !s->name))
            return es_no_memory(err);
        for (size_t i = 0; i < list->count; i++)
            if (k == 0 || list->set[i] == k - 1)
                s->graded[s->count++] = list->pair[i];
        s->digest = digest_of(s->graded, s->count);
    }
    return ES_OK;
}

/* ---- positives ---- */

static es_status positives_of(es_pair_set *s, size_t n, const es_pair_rules *rules, es_error *err) {
    es_error why = {0};
    es_status st = es_positives_new(s->graded, s->count, n, rules, &s->positives, &why);
    if (st == ES_OK)
        return ES_OK;
    return s->name ? es_fail(err, st, "set %.80s: %s", s->name, why.message)
                   : es_fail(err, st, "%s", why.message);
}

/* Positives of all sets, without scores. */
static es_status join(es_pair_sets *x, size_t n, const es_pair_rules *rules, es_error *err) {
    size_t count = 0;
    es_positives facts = {0};
    es_error why = {0};
    for (size_t k = 1; k < x->count; k++)
        count += x->item[k].positives.count;
    es_graded_pair *all = es_alloc(count + 1, sizeof *all);
    if (!all)
        return es_no_memory(err);
    count = 0;
    for (size_t k = 1; k < x->count; k++) {
        const es_positives *p = &x->item[k].positives;
        facts.self += p->self;
        facts.duplicates += p->duplicates;
        facts.unpositive += p->unpositive;
        for (size_t i = 0; i < p->count; i++)
            if (rules->directed || p->item[i].query < p->item[i].partner)
                all[count++] = (es_graded_pair){p->item[i].query, p->item[i].partner, NAN};
    }
    es_status st = es_positives_new(all, count, n, rules, &x->item[0].positives, &why);
    es_free(all);
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    x->item[0].positives.self = facts.self;
    x->item[0].positives.duplicates += facts.duplicates;
    x->item[0].positives.unpositive = facts.unpositive;
    return ES_OK;
}

es_status es_pair_sets_positives(const es_pair_list *list, size_t n, const es_pair_rules *rules,
                                 es_pair_sets *out, es_error *err) {
    es_pair_sets x = {0};
    es_status st = ES_OK;
    ES_TRY(begin(list, &x, err));
    for (size_t k = x.count > 1 ? 1 : 0; k < x.count; k++)
        ES_TRY(positives_of(&x.item[k], n, rules, err));
    if (x.count > 1) {
        es_hasher h;
        es_hasher_init(&h);
        es_hasher_add_text(&h, "sets"); /* where sets are cut changes what is positive in all */
        for (size_t k = 1; k < x.count; k++)
            es_hasher_add(&h, &x.item[k].digest, sizeof x.item[k].digest);
        x.item[0].digest = es_hasher_result(&h);
        ES_TRY(join(&x, n, rules, err));
    }
    *out = x;
    x = (es_pair_sets){0};
done:
    es_pair_sets_deinit(&x);
    return st;
}

/* ---- scores ---- */

/* Scores of one set's pairs in the list of all become (mid-rank - 1/2) / pairs. */
static es_status rank_scores(const es_pair_list *list, size_t set, es_graded_pair *all,
                             es_error *err) {
    double *score = es_alloc(2 * list->count + 1, sizeof *score),
           *rank = score ? score + list->count : NULL;
    size_t n = 0;
    if (!score)
        return es_no_memory(err);
    for (size_t i = 0; i < list->count; i++)
        if (list->set[i] == set && !isnan(list->pair[i].score))
            score[n++] = list->pair[i].score;
    es_status st = es_stat_midranks(score, n, rank, err);
    for (size_t i = 0, k = 0; st == ES_OK && i < list->count; i++)
        if (list->set[i] == set && !isnan(list->pair[i].score))
            all[i].score = (rank[k++] - 0.5) / (double)n;
    es_free(score);
    return st;
}

es_status es_pair_sets_graded(const es_pair_list *list, es_pair_sets *out, es_error *err) {
    es_pair_sets x = {0};
    es_status st = ES_OK;
    ES_TRY(begin(list, &x, err));
    for (size_t k = 1; k < x.count; k++)
        ES_TRY(rank_scores(list, k - 1, x.item[0].graded, err));
    if (x.count > 1)
        x.item[0].digest = digest_of(x.item[0].graded, x.item[0].count);
    *out = x;
    x = (es_pair_sets){0};
done:
    es_pair_sets_deinit(&x);
    return st;
}
