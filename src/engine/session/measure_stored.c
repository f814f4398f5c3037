/* Values of measures that the store has: which measures, their values, and what others store while
 * the session is open. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

/* ---- values ---- */

/* A text that lives as long as these; NULL stays NULL. What cannot be kept is a plain word.
 */
static const char *intern(es_words *texts, const char *text) {
    if (!text)
        return NULL;
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->word[i], text) == 0)
            return texts->word[i];
    es_status st = es_words_add(texts, text, NULL);
    return st == ES_OK ? texts->word[texts->count - 1] : "not known";
}

typedef struct loading {
    const es_session *session;
    es_words *texts;
    es_measured *shown;
    size_t *fields;  /* (of) fields that were there */
    double *seconds; /* (of) NaN: not stored */
} loading;

/* Takes one stored field of a measure, if its embedders are in the pool. */
static es_status take_stored(void *context, es_digest source, es_digest target, size_t field,
                             const es_measure_value *value, es_error *err) {
    loading *l = context;
    es_measured *r = l->shown;
    es_measure_value kept = *value;
    (void)err;
    if (field > r->measure->n_fields)
        return ES_OK;
    kept.why = intern(l->texts, value->why);
    kept.warning = intern(l->texts, value->warning);
    for (size_t a = 0; a < r->m; a++) {
        if (!es_digest_equal(l->session->sources.digest[a], source))
            continue;
        for (size_t b = es_measured_is_pairwise(r) ? 0 : a;
             b < (es_measured_is_pairwise(r) ? r->m : a + 1); b++) {
            if (!es_digest_equal(l->session->sources.digest[b], target))
                continue;
            size_t at = es_measured_place(r, a, b), back = es_measured_place(r, b, a);
            if (field == r->measure->n_fields) {
                l->seconds[at] = value->value;
                continue;
            }
            r->value[es_measured_field(r, at, field)] = kept;
            l->fields[at]++;
            if (es_measured_is_pairwise(r) && r->symmetric && a != b) {
                r->value[es_measured_field(r, back, field)] = kept;
                l->fields[back]++;
            }
        }
    }
    return ES_OK;
}

/* A value is known when all its fields are there. */
es_status es_measure_load_stored(const es_session *s, const es_store_key *key, es_words *texts,
                                 es_measured *r, es_error *err) {
    loading l = {.session = s, .texts = texts, .shown = r};
    es_status st = ES_OK;
    l.fields = es_alloc_zero(r->of, sizeof *l.fields);
    l.seconds = es_alloc(r->of, sizeof *l.seconds);
    ES_FAIL_IF(!l.fields || !l.seconds, es_no_memory(err));
    for (size_t i = 0; i < r->of; i++)
        l.seconds[i] = (double)NAN;
    ES_TRY(es_store_measured_load(s->store, key, take_stored, &l, err));
    for (size_t i = 0; i < r->of; i++)
        if (l.fields[i] >= r->measure->n_fields) {
            bool twin = es_measured_is_pairwise(r) && r->symmetric && i / r->m > i % r->m;
            r->state[i] = ES_PAIR_DONE;
            r->done++;
            r->reused++;
            es_measured_took(r, twin ? 0 : l.seconds[i]);
        }
done:
    es_free(l.fields);
    es_free(l.seconds);
    return st;
}

/* Of what those hold that an embedder is measured among, in their order. */
es_digest es_measure_pool_digest(const es_session *s) {
    es_hasher hasher;
    es_hasher_init(&hasher);
    for (size_t i = 0; i < s->m; i++)
        if (es_measure_is_member(s, i))
            es_hasher_add(&hasher, &s->sources.digest[i], sizeof s->sources.digest[i]);
    return es_hasher_result(&hasher);
}

/* ---- which measures ---- */

typedef struct listing {
    const es_session *session;
    es_digest pool; /* what is measured among others is measured among */
    es_words *out;
} listing;

/* True if the word is one of the space-separated words of `text`. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The settings of a run that are not the measure's own, in brackets. False: among other embedders.
 */
static bool put_settings(const char *settings, const char *standard, es_digest pool, es_buf *out) {
    char word[1024], hex[ES_DIGEST_HEX], own[64];
    size_t put = 0;
    (void)snprintf(own, sizeof own, "pool=%.16s", es_digest_hex(pool, hex));
    for (const char *at = settings; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        if (strncmp(word, "pool=", 5) == 0 && strcmp(word, own) != 0)
            return false;
        if (strncmp(word, "pool=", 5) != 0 && strncmp(word, "data=", 5) != 0 &&
            !has_word(standard, word, length))
            es_buf_printf(out, "%s%s", put++ ? " " : "[", word);
    }
    if (put > 0)
        es_buf_putc(out, ']');
    return true;
}

static es_status list_run(void *context, const es_store_key *key, es_error *err) {
    static const char prefix[] = "measure ";
    const listing *l = context;
    bool named = strncmp(key->estimator, prefix, sizeof prefix - 1) == 0;
    const es_measure *m = named ? es_measure_find(key->estimator + sizeof prefix - 1) : NULL;
    double own[ES_MEASURE_FIELDS], data[ES_ANNOTATIONS_SETTINGS];
    char *standard = NULL;
    es_buf name = {0};
    if (!m || m->version != key->version || key->seed != l->session->seed ||
        !es_digest_equal(key->rowset, es_pool_rowset(l->session->pool)))
        return ES_OK;
    es_status st = es_measure_settings(m, NULL, true, own, data, err);
    if (st == ES_OK)
        st = es_measure_settings_text(m, own, data, l->pool, l->pool, &standard, err);
    es_buf_puts(&name, m->name);
    if (st == ES_OK && put_settings(key->settings, standard, l->pool, &name)) {
        st = es_buf_check(&name, err);
        bool known = false;
        for (size_t i = 0; st == ES_OK && i < l->out->count; i++)
            known = known || strcmp(l->out->word[i], name.data) == 0;
        if (st == ES_OK && !known)
            st = es_words_add(l->out, name.data, err);
    }
    es_buf_free(&name);
    es_free(standard);
    return st;
}

es_status es_session_measures_stored(es_session *s, es_words *out, es_error *err) {
    listing l = {.session = s, .out = out};
    ES_PASS(es_measure_begin(s, err));
    l.pool = es_measure_pool_digest(s);
    if (s->store)
        ES_PASS(es_store_measured_runs(s->store, list_run, &l, err));
    return ES_OK;
}

/* ---- what others store meanwhile ---- */

/* Values of an entry as they are stored, beside those that are shown. */
typedef struct found {
    measure_entry *entry;
    es_measured stored;
} found;

typedef struct look_work {
    listing listing;
    es_words names, texts;
    size_t count;
    found *found; /* (count) of entries that lacked values */
} look_work;

/* In a worker: lists the stored runs of measures and reads those asked for. */
static es_status look_for_stored(void *data, es_run *run, es_error *err) {
    look_work *work = data;
    const es_session *s = work->listing.session;
    es_status st = es_store_measured_runs(s->store, list_run, &work->listing, err);
    for (size_t i = 0; st == ES_OK && i < work->count; i++) {
        found *f = &work->found[i];
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_measure_load_stored(s, &f->entry->key, &work->texts, &f->stored, err);
    }
    return st;
}

static void release_look(void *data) {
    look_work *work = data;
    for (size_t i = 0; i < work->count; i++)
        es_measured_deinit(&work->found[i].stored);
    es_free(work->found);
    es_words_deinit(&work->names);
    es_words_deinit(&work->texts);
}

/* Entries live as long as the session, and their keys do not change. */
static es_status list_entries(es_session *s, look_work *work, es_error *err) {
    size_t count = es_session_measured_count(s);
    if (!(work->found = es_alloc_zero(count + 1, sizeof *work->found)))
        return es_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        measure_entry *e = s->measuring->entry[i];
        found *f = &work->found[work->count];
        if (e->shown.done == e->shown.of)
            continue;
        *f = (found){e, {.measure = e->shown.measure, .symmetric = e->shown.symmetric}};
        work->count++;
        ES_PASS(es_measured_init(&f->stored, s->m, err));
    }
    return ES_OK;
}

uint64_t es_session_elsewhere(const es_session *s) {
    return s->elsewhere;
}

es_status es_session_measures_look(es_session *s, es_error *err) {
    static const es_latest_task_kind kind = {look_for_stored, release_look, 1.0, "stored measures"};
    look_work *work = NULL;
    es_status st = ES_OK;
    if (!s->store || s->refresh || !s->ready || s->m == 0)
        return es_fail(err, ES_EEMPTY, "there are no stored measures to look for");
    if (s->remeasured.job)
        return es_fail(err, ES_EBUSY, "the store is being read");
    if (!(work = es_alloc_zero(1, sizeof *work)))
        return es_no_memory(err);
    work->listing = (listing){.session = s, .pool = es_measure_pool_digest(s), .out = &work->names};
    ES_TRY(list_entries(s, work, err));
    return es_latest_task_start(&s->remeasured, s->workers, s->log, &kind, work, 0, err);
done:
    release_look(work);
    es_free(work);
    return st;
}

/* Shows a stored value unless it is known already. */
static void take_value(es_session *s, es_measured *r, const es_measured *stored, size_t place) {
    es_measure_value value[ES_MEASURE_FIELDS];
    bool pairwise = es_measured_is_pairwise(r);
    for (size_t f = 0; f < r->measure->n_fields; f++) {
        value[f] = stored->value[es_measured_field(stored, place, f)];
        value[f].why = intern(&s->measuring->texts, value[f].why);
        value[f].warning = intern(&s->measuring->texts, value[f].warning);
    }
    es_measured_put(r, pairwise ? place / r->m : place, pairwise ? place % r->m : place, value);
}

/* What was computed here meanwhile is as good. */
static void take_found(es_session *s, const found *f) {
    es_measured *r = &f->entry->shown;
    size_t before = r->done;
    for (size_t i = 0; i < r->of; i++)
        if (f->stored.state[i] == ES_PAIR_DONE && r->state[i] != ES_PAIR_DONE)
            take_value(s, r, &f->stored, i);
    r->reused += r->done - before;
    if (r->done == f->stored.done) /* all of them are the store's */
        r->nanoseconds = f->stored.nanoseconds;
}

es_status es_session_measures_looked(es_session *s, es_words *out, es_error *err) {
    es_status st = es_latest_task_outcome(&s->remeasured, err);
    const look_work *work = s->remeasured.newest;
    if (st != ES_OK)
        return st;
    for (size_t i = 0; i < work->count; i++)
        take_found(s, &work->found[i]);
    for (size_t i = 0; i < work->names.count && st == ES_OK; i++)
        st = es_words_add(out, work->names.word[i], err);
    return st;
}

uint64_t es_session_measures_revision(const es_session *s) {
    uint64_t revision = es_session_measured_count(s);
    for (size_t i = 0; i < es_session_measured_count(s); i++)
        revision += s->measuring->entry[i]->shown.revision;
    return revision;
}
