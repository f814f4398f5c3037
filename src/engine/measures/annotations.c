/* Each file is read and counted once, for the first measure that needs it. Settings are values in
 * one array, so that a set of annotations is known by them; what was left out is kept as notes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine_measures.h"
#include "engine_measures_parts.h"

/* The rows of the files and which of them are in use. */
static es_status map_rows(es_annotations *e, es_error *err) {
    e->n = es_pool_rows(e->pool);
    e->files = es_pool_all_rows(e->pool); /* an embedder may have others: they are matched by ids */
    if (e->n == e->files)
        return ES_OK;
    e->row = es_alloc(e->files, sizeof *e->row);
    if (!e->row)
        return es_no_memory(err);
    memset(e->row, 0xff, e->files * sizeof *e->row);
    for (size_t i = 0; i < e->n; i++)
        e->row[es_pool_file_row(e->pool, i)] = (uint32_t)i;
    return ES_OK;
}

es_status es_annotations_new(es_pool *pool, const double *values, uint64_t seed,
                             es_annotations **out, es_error *err) {
    es_annotations *e = es_alloc_zero(1, sizeof *e);
    if (!e)
        return es_no_memory(err);
    e->pool = pool;
    e->seed = seed;
    for (size_t i = 0; i < ES_ANNOTATIONS_SETTINGS; i++)
        e->values[i] = values ? values[i] : es_annotations_settings[i].value;
    es_status st = map_rows(e, err);
    e->own_ids = e->values[SET_QUERY_IDS] == IDS_OWN ||
                 (e->values[SET_QUERY_IDS] == IDS_AUTO && es_pool_has_queries(pool));
    if (st == ES_OK)
        *out = e;
    else
        es_annotations_free(e);
    return st;
}
void es_annotations_free(es_annotations *e) {
    if (!e)
        return;
    for (size_t i = 0; e->queries && i < e->n_queries; i++)
        annotations_draws_free(&e->queries[i]);
    annotations_drop_labels(e);
    es_pair_sets_deinit(&e->pairs);
    es_pair_sets_deinit(&e->graded);
    es_row_list_deinit(&e->background);
    es_judgement_list_deinit(&e->judged);
    es_words_deinit(&e->notes);
    es_free(e->queries);
    es_free(e->row);
    es_free(e);
}

size_t es_annotations_notes(const es_annotations *e) {
    return e->notes.count;
}

const char *es_annotations_note(const es_annotations *e, size_t i) {
    return e->notes.word[i];
}
/* ---- for measures ---- */

es_status es_annotations_times(es_annotations *e, unsigned needs, size_t *out, es_error *err) {
    es_status st = ES_OK;
    *out = 1;
    if (needs & ES_NEED_POSITIVES) {
        ES_TRY(annotations_read_positives(e, err));
        if (e->pairs.count == 0)
            return es_fail(
                err, ES_ENOTFOUND,
                "needs pairs of rows that belong together: put pairs.csv (row,row[,score]) "
                "into the pool");
        *out = e->pairs.count;
    }
    if (needs & ES_NEED_BACKGROUND)
        ES_TRY(annotations_read_background(e, err));
    if (needs & ES_NEED_GRADED) {
        ES_TRY(annotations_read_graded(e, err));
        if (e->graded.count == 0)
            return es_fail(err, ES_ENOTFOUND,
                           "needs pairs of rows with scores: put pairs_graded.csv (row,row,score) "
                           "into the pool");
        *out = e->graded.count;
    }
    if (needs & ES_NEED_TASK) {
        ES_TRY(annotations_read_labels(e, err));
        if (e->labels.tasks == 0)
            return es_fail(err, ES_ENOTFOUND,
                           "needs labels: put labels.csv (row,label) into the pool");
        *out = e->labels.tasks;
    }
    if (needs & ES_NEED_QUERIES) {
        ES_TRY(annotations_need_queries(e, err));
        if (e->n_queries == 0)
            return es_fail(
                err, ES_ENOTFOUND,
                "needs queries: put qrels.csv (query,doc,rel), labels.csv with two classes or "
                "more, or pairs.csv into the pool");
        *out = e->n_queries;
    }
    if (needs & ES_NEED_JUDGEMENTS) {
        ES_TRY(annotations_read_judged(e, err));
        if (e->judged.count == 0)
            return es_fail(err, ES_ENOTFOUND,
                           "needs judged documents: put qrels.csv (query,doc,rel) into the pool");
    }
done:
    return st;
}

es_status es_annotations_take(es_annotations *e, unsigned needs, size_t k, es_measure_data *data,
                              const char **task, es_digest *digest, es_error *err) {
    size_t times = 0;
    es_measure_data d = {.seed = e->seed};
    const char *name = NULL;
    es_hasher h;
    ES_PASS(es_annotations_times(e, needs, &times, err));
    es_hasher_init(&h);
    if (needs & ES_NEED_POSITIVES) {
        d.positives = &e->pairs.item[k].positives;
        name = e->pairs.item[k].name;
        es_hasher_add(&h, &e->pairs.item[k].digest, sizeof e->pairs.item[k].digest);
    }
    if ((needs & ES_NEED_BACKGROUND) && e->background_read) {
        d.background = e->background.row;
        d.background_count = e->background.count;
        es_hasher_add(&h, e->background.row, e->background.count * sizeof *e->background.row);
    }
    if (needs & ES_NEED_GRADED) {
        d.graded = e->graded.item[k].graded;
        d.graded_count = e->graded.item[k].count;
        name = e->graded.item[k].name;
        es_hasher_add(&h, &e->graded.item[k].digest, sizeof e->graded.item[k].digest);
    }
    if (needs & ES_NEED_TASK) {
        d.task = &e->task[k];
        name = e->labels.task[k].name;
        es_hasher_add(&h, &e->task_digest[k], sizeof e->task_digest[k]);
    }
    if (needs & ES_NEED_QUERIES) {
        if (!e->queries[k].drawn)
            ES_PASS(annotations_draw(e, k, err));
        d.queries = e->queries[k].set;
        d.runs = e->queries[k].runs;
        if (e->from == FROM_LABELS)
            name = e->labels.task[annotations_class_column(e, k)].name;
        es_hasher_add(&h, &e->queries[k].digest, sizeof e->queries[k].digest);
    }
    if (needs & ES_NEED_JUDGEMENTS) {
        d.judgements = e->judged.judgement;
        d.judgement_count = e->judged.count;
        d.own_queries = e->own_ids;
        es_hasher_add(&h, &e->judged_digest, sizeof e->judged_digest);
    }
    *digest = es_hasher_result(&h);
    *data = d;
    *task = name;
    return ES_OK;
}

/* ---- notes ---- */

/* Words on what was left out and what is wrong. */

void annotations_note(es_annotations *e, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)es_words_take(&e->notes, es_text_clean(text, strlen(text), 0), NULL);
}

es_status annotations_shorten(es_status st, const char *name, const es_error *why, es_error *err) {
    const char *from = strstr(why->message, name);
    return es_fail(err, st, "%s", from ? from : why->message);
}

/* ---- settings ---- */

/* What can be set, as `measure --list` shows it, and which needs each setting is about. */

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const backgrounds[] = {"all", "list", NULL};
static const char *const label_kinds[] = {"auto", "classes", "numbers", NULL};
static const char *const id_kinds[] = {"auto", "rows", "own", NULL};
static const char *const query_sources[] = {"auto", "qrels", "labels", "pairs", NULL};

const es_setting es_annotations_settings[ES_ANNOTATIONS_SETTINGS] = {
    {.key = "quantile",
     .help = "of pairs with scores: the share that is positive",
     .value = 0.25,
     .low = 0.0001,
     .high = 1},
    {.key = "directed", .help = "pairs are asked one way only", .choices = no_yes},
    {.key = "labels",
     .help = "what labels.csv holds (auto: classes, unless a number is not whole)",
     .choices = label_kinds},
    {.key = "from",
     .help = "queries from qrels.csv, labels.csv or pairs.csv (auto: the first there is)",
     .choices = query_sources},
    {.key = "query-ids",
     .help = "queries of qrels.csv are rows of the pool, or have numbers of their own (auto: own "
             "where NAME.queries.npy holds their vectors)",
     .choices = id_kinds},
    {.key = "queries", .help = "at most", .value = 100, .low = 1, .high = 100000, .whole = true},
    {.key = "positives",
     .help = "documents a query, at most",
     .value = 5,
     .low = 2,
     .high = 1000,
     .whole = true},
    {.key = "negatives",
     .help = "other documents a query, at most",
     .value = 50,
     .low = 2,
     .high = 10000,
     .whole = true},
    {.key = "runs", .help = "draws of queries", .value = 5, .low = 1, .high = 100, .whole = true},
    {.key = "background",
     .help = "rows that compete: all, or those of background.csv and of the pairs",
     .choices = backgrounds},
};

unsigned es_annotations_setting_needs(size_t i) {
    static const unsigned needs[ES_ANNOTATIONS_SETTINGS] = {
        [SET_QUANTILE] = ES_NEED_POSITIVES | ES_NEED_QUERIES,
        [SET_DIRECTED] = ES_NEED_POSITIVES,
        [SET_LABELS] = ES_NEED_TASK,
        [SET_FROM] = ES_NEED_QUERIES,
        [SET_QUERY_IDS] = ES_NEED_QUERIES | ES_NEED_JUDGEMENTS,
        [SET_QUERIES] = ES_NEED_QUERIES,
        [SET_POSITIVES] = ES_NEED_QUERIES,
        [SET_NEGATIVES] = ES_NEED_QUERIES,
        [SET_RUNS] = ES_NEED_QUERIES,
        [SET_BACKGROUND] = ES_NEED_BACKGROUND,
    };
    return needs[i];
}
