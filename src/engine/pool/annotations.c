/* Each file is read and counted once, for the first measure that needs it. Settings are values in
 * one array, so that a set of annotations is known by them; what was left out is kept as notes. */
#include "annotations.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "labels.h"
#include "pair_sets.h"
#include "paths.h"
#include "pool_scan.h"
#include "text.h"
#include "words.h"

/* ---- settings ---- */

enum {
    QUANTILE,
    DIRECTED,
    LABELS,
    FROM,
    QUERY_IDS,
    QUERIES,
    POSITIVES,
    NEGATIVES,
    RUNS,
    BACKGROUND
};
enum { IDS_AUTO, IDS_ROWS, IDS_OWN };
enum { FROM_AUTO, FROM_QRELS, FROM_LABELS, FROM_PAIRS };

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
        [QUANTILE] = ES_NEED_POSITIVES | ES_NEED_QUERIES,
        [DIRECTED] = ES_NEED_POSITIVES,
        [LABELS] = ES_NEED_TASK,
        [FROM] = ES_NEED_QUERIES,
        [QUERY_IDS] = ES_NEED_QUERIES | ES_NEED_JUDGEMENTS,
        [QUERIES] = ES_NEED_QUERIES,
        [POSITIVES] = ES_NEED_QUERIES,
        [NEGATIVES] = ES_NEED_QUERIES,
        [RUNS] = ES_NEED_QUERIES,
        [BACKGROUND] = ES_NEED_BACKGROUND,
    };
    return needs[i];
}

/* ---- the object ---- */

/* Draws of queries for one label column, or for judgements. */
typedef struct draws {
    bool drawn;
    es_query_set *set; /* (runs) */
    size_t runs;
    es_digest digest;
} draws;

struct es_annotations {
    es_pool *pool;
    char *root;      /* of the pool; NULL: there is no folder */
    size_t n, files; /* rows in use, rows of the files */
    uint32_t *row;   /* (files) row in use, UINT32_MAX: not; NULL: the same number */
    uint64_t seed;
    double values[ES_ANNOTATIONS_SETTINGS];
    es_words notes;
    bool labels_read, pairs_read, graded_read, background_read;
    es_labels labels;
    es_task *task;              /* (labels.tasks) */
    double **used;              /* (labels.tasks) values of the rows in use; NULL: all are */
    es_digest *task_digest;     /* (labels.tasks) */
    es_pair_sets pairs, graded; /* count 0: none */
    es_row_list background;     /* rows in use */
    draws *queries;             /* (n_queries) of label columns, or one */
    size_t n_queries;
    bool own_ids; /* queries of qrels.csv are no rows */
    bool judged_read;
    es_judgement_list judged; /* count 0: none */
    es_digest judged_digest;
    int from; /* resolved source of queries; FROM_AUTO: not yet */
};

static void note(es_annotations *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lost when out of memory. */
static void note(es_annotations *e, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)es_words_take(&e->notes, es_text_clean(text, strlen(text), 0), NULL);
}

static void drop_labels(es_annotations *e);

/* The rows of the files and which of them are in use. */
static es_status map_rows(es_annotations *e, es_error *err) {
    e->n = es_pool_rows(e->pool);
    for (size_t i = 0; i < es_pool_count(e->pool); i++)
        if (es_pool_model(e->pool, i)->state == ES_MODEL_READY)
            e->files = es_pool_model(e->pool, i)->rows;
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
    es_status st =
        es_pool_path(pool) ? es_path_canonical(es_pool_path(pool), &e->root, err) : ES_OK;
    if (st == ES_OK)
        st = map_rows(e, err);
    e->own_ids = e->values[QUERY_IDS] == IDS_OWN ||
                 (e->values[QUERY_IDS] == IDS_AUTO && es_pool_has_queries(pool));
    if (st == ES_OK)
        *out = e;
    else
        es_annotations_free(e);
    return st;
}

static void draws_free(draws *d) {
    for (size_t r = 0; d->set && r < d->runs; r++)
        es_queries_free(&d->set[r]);
    es_free(d->set);
}

void es_annotations_free(es_annotations *e) {
    if (!e)
        return;
    for (size_t i = 0; e->queries && i < e->n_queries; i++)
        draws_free(&e->queries[i]);
    drop_labels(e);
    es_pair_sets_deinit(&e->pairs);
    es_pair_sets_deinit(&e->graded);
    es_row_list_deinit(&e->background);
    es_judgement_list_deinit(&e->judged);
    es_words_deinit(&e->notes);
    es_free(e->queries);
    es_free(e->row);
    es_free(e->root);
    es_free(e);
}

size_t es_annotations_notes(const es_annotations *e) {
    return e->notes.count;
}

const char *es_annotations_note(const es_annotations *e, size_t i) {
    return e->notes.word[i];
}

/* A file of the pool; *there says whether it exists. */
static es_status find_file(const es_annotations *e, const char *name, char **path, bool *there,
                           es_error *err) {
    *path = NULL;
    es_status st = e->root ? pool_beside(e->root, name, path, err) : ES_OK;
    *there = *path != NULL;
    return st;
}

/* An error of a file in the pool, without the pool's path. */
static es_status shorten(es_status st, const char *name, const es_error *why, es_error *err) {
    const char *from = strstr(why->message, name);
    return es_fail(err, st, "%s", from ? from : why->message);
}

/* ---- labels ---- */

static es_status digest_doubles(const double *v, size_t n, const char *what, es_digest *out,
                                es_error *err) {
    es_hasher *h = es_hasher_new();
    if (!h)
        return es_no_memory(err);
    es_hasher_add_text(h, what);
    es_hasher_add(h, v, n * sizeof *v);
    *out = es_hasher_result(h);
    es_hasher_free(h);
    return ES_OK;
}

/* The values of the rows in use. */
static es_status take_column(es_annotations *e, size_t k, es_error *err) {
    const es_label_column *c = &e->labels.task[k];
    e->task[k] = (es_task){.n = e->n, .value = c->value, .classes = c->classes};
    if (!e->row)
        return ES_OK;
    double *used = e->used[k] = es_alloc(e->n, sizeof *used);
    if (!used)
        return es_no_memory(err);
    for (size_t i = 0; i < e->n; i++)
        used[i] = c->value[es_pool_file_row(e->pool, i)];
    e->task[k].value = used;
    return ES_OK;
}

static void note_column(es_annotations *e, const es_label_column *c) {
    if (c->labelled < e->files)
        note(e, "labels.csv: %s: %zu of %zu rows have a label; the others are left out", c->name,
             c->labelled, e->files);
    if (c->singletons > 0)
        note(e, "labels.csv: %s: %zu of %zu classes have one member", c->name, c->singletons,
             c->n_classes);
    if (c->classes && c->n_classes == 1)
        note(e, "labels.csv: %s: one class only, so nothing can be told apart", c->name);
    if (c->classes && c->n_classes > 20 && 3 * c->n_classes > c->labelled)
        note(e,
             "labels.csv: %s: %zu classes among %zu labels; if they are numbers, --set "
             "labels=numbers",
             c->name, c->n_classes, c->labelled);
}

static void drop_labels(es_annotations *e) {
    for (size_t k = 0; e->used && k < e->labels.tasks; k++)
        es_free(e->used[k]);
    es_free(e->task);
    es_free(e->task_digest);
    es_free(e->used);
    e->task = NULL;
    e->task_digest = NULL;
    e->used = NULL;
    es_labels_deinit(&e->labels);
}

static es_status read_labels(es_annotations *e, es_error *err) {
    char *path = NULL;
    bool there = false;
    es_error why = {0};
    es_status st = ES_OK;
    if (e->labels_read)
        return ES_OK;
    ES_TRY(find_file(e, "labels.csv", &path, &there, err));
    if (there) {
        st = es_labels_read(path, 0, e->files, (es_label_kind)e->values[LABELS], &e->labels, &why);
        if (st != ES_OK) {
            st = shorten(st, "labels.csv", &why, err);
            goto done;
        }
    }
    e->task = es_alloc_zero(e->labels.tasks, sizeof *e->task);
    e->task_digest = es_alloc(e->labels.tasks, sizeof *e->task_digest);
    e->used = es_alloc_zero(e->labels.tasks, sizeof *e->used);
    ES_FAIL_IF(!e->task || !e->task_digest || !e->used, es_no_memory(err));
    for (size_t k = 0; k < e->labels.tasks; k++) {
        ES_TRY(take_column(e, k, err));
        ES_TRY(digest_doubles(e->task[k].value, e->n, e->task[k].classes ? "classes" : "numbers",
                              &e->task_digest[k], err));
        note_column(e, &e->labels.task[k]);
    }
    e->labels_read = true;
done:
    if (st != ES_OK)
        drop_labels(e);
    es_free(path);
    return st;
}

/* ---- pairs ---- */

/* Pairs of rows in use, by their numbers there; the others are counted. */
static size_t keep_used(const es_annotations *e, es_pair_list *list) {
    size_t kept = 0;
    list->scored = 0;
    for (size_t i = 0; i < list->count; i++) {
        es_graded_pair p = list->pair[i];
        if (e->row) {
            p.a = e->row[p.a];
            p.b = e->row[p.b];
        }
        if (p.a == UINT32_MAX || p.b == UINT32_MAX)
            continue;
        list->scored += isnan(p.score) ? 0 : 1;
        list->line[kept] = list->line[i];
        if (list->set)
            list->set[kept] = list->set[i];
        list->pair[kept++] = p;
    }
    size_t dropped = list->count - kept;
    list->count = kept;
    return dropped;
}

static es_status read_pairs(es_annotations *e, const char *name, es_pair_list *out, bool *there,
                            es_error *err) {
    char *path = NULL;
    es_error why = {0};
    es_status st = find_file(e, name, &path, there, err);
    if (st == ES_OK && *there) {
        st = es_pair_list_read(path, 0, e->files, out, &why);
        if (st != ES_OK)
            st = shorten(st, name, &why, err);
    }
    es_free(path);
    if (st != ES_OK || !*there)
        return st;
    size_t dropped = keep_used(e, out);
    if (dropped > 0)
        note(e, "%s: left out as their rows are not in use: %zu of the pairs", name, dropped);
    return ES_OK;
}

static void note_positives(es_annotations *e, const char *name, const es_pair_list *list) {
    const es_positives *p = &e->pairs.item[0].positives;
    if (e->pairs.count > 1)
        note(e, "%s: %zu sets of pairs; together they are the positives of each by its own scores",
             name, e->pairs.count - 1);
    if (p->self > 0)
        note(e, "%s: left out as a row is paired with itself: %zu of the pairs", name, p->self);
    if (p->duplicates > 0)
        note(e, "%s: counted once, as they are given again: %zu of the pairs", name, p->duplicates);
    if (p->unpositive > 0 && e->pairs.count > 1)
        note(e, "%s: %zu pairs of all sets count as positive (quantile=%g of each set)", name,
             p->groups, e->values[QUANTILE]);
    else if (p->unpositive > 0)
        note(e,
             "%s: %zu of %zu pairs, with a score of %g or more, count as positive (quantile=%g; "
             "--set "
             "quantile=1 takes all)",
             name, p->groups, p->groups + p->unpositive, p->threshold, e->values[QUANTILE]);
    else
        note(e, "%s: %zu positive pairs of %zu lines", name, p->groups, list->count);
}

static es_status check_scores(const char *name, const es_pair_list *list, es_error *err) {
    for (size_t i = 0; list->scored > 0 && i < list->count; i++)
        if (isnan(list->pair[i].score))
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: no score, but other pairs have one; fill the cell or "
                           "remove the line",
                           name, list->line[i]);
    return ES_OK;
}

/* pairs.csv; without it, pairs_graded.csv. */
static es_status read_positives(es_annotations *e, es_error *err) {
    const es_pair_rules rules = {e->values[DIRECTED] > 0, e->values[QUANTILE]};
    const char *name = "pairs.csv";
    es_pair_list list = {0};
    es_error why = {0};
    bool there = false;
    es_status st = ES_OK;
    if (e->pairs_read)
        return ES_OK;
    ES_TRY(read_pairs(e, name, &list, &there, err));
    if (!there) {
        name = "pairs_graded.csv";
        ES_TRY(read_pairs(e, name, &list, &there, err));
    }
    if (there) {
        ES_TRY(check_scores(name, &list, err));
        st = es_pair_sets_positives(&list, e->n, &rules, &e->pairs, &why);
        ES_FAIL_IF(st != ES_OK,
                   es_fail(err, st == ES_EEMPTY ? ES_EFORMAT : st, "%s: %s", name, why.message));
        note_positives(e, name, &list);
    }
    e->pairs_read = true;
done:
    es_pair_list_deinit(&list);
    return st;
}

/* pairs_graded.csv; without it, pairs.csv where it has scores. */
static es_status read_graded(es_annotations *e, es_error *err) {
    es_pair_list list = {0};
    bool there = false;
    es_status st = ES_OK;
    if (e->graded_read)
        return ES_OK;
    ES_TRY(read_pairs(e, "pairs_graded.csv", &list, &there, err));
    if (!there)
        ES_TRY(read_pairs(e, "pairs.csv", &list, &there, err));
    if (list.scored > 0 && list.scored < list.count)
        note(e, "similarity task: %zu of %zu pairs have no score and are left out",
             list.count - list.scored, list.count);
    if (list.scored > 0)
        ES_TRY(es_pair_sets_graded(&list, &e->graded, err));
    if (e->graded.count > 1)
        note(e, "similarity task: %zu sets of pairs; together their scores are ranks within a set",
             e->graded.count - 1);
    e->graded_read = true;
done:
    es_pair_list_deinit(&list);
    return st;
}

/* background.csv, where the setting asks for it. */
static es_status read_background(es_annotations *e, es_error *err) {
    char *path = NULL;
    bool there = false;
    es_error why = {0};
    es_row_list list = {0};
    es_status st = ES_OK;
    if (e->background_read || !(e->values[BACKGROUND] > 0))
        return ES_OK;
    ES_TRY(find_file(e, "background.csv", &path, &there, err));
    ES_FAIL_IF(!there, es_fail(err, ES_ENOTFOUND,
                               "with background=list needs the rows that compete: put "
                               "background.csv (row) into the pool"));
    st = es_row_list_read(path, 0, e->files, &list, &why);
    ES_FAIL_IF(st != ES_OK, shorten(st, "background.csv", &why, err));
    for (size_t i = 0; i < list.count; i++) {
        uint32_t row = e->row ? e->row[list.row[i]] : list.row[i];
        if (row != UINT32_MAX)
            list.row[e->background.count++] = row;
    }
    e->background.row = list.row;
    list.row = NULL;
    note(e, "background.csv: %zu rows compete, beside those of the pairs", e->background.count);
    e->background_read = true;
done:
    es_row_list_deinit(&list);
    es_free(path);
    return st;
}

/* ---- queries ---- */

static es_status has_file(const es_annotations *e, const char *name, bool *there, es_error *err) {
    char *path = NULL;
    es_status st = find_file(e, name, &path, there, err);
    es_free(path);
    return st;
}

/* Where queries come from; FROM_AUTO: nowhere. */
static es_status choose_source(es_annotations *e, es_error *err) {
    bool qrels = false;
    es_status st = ES_OK;
    if (e->from != FROM_AUTO)
        return ES_OK;
    e->from = (int)e->values[FROM];
    if (e->from != FROM_AUTO)
        return ES_OK;
    ES_TRY(has_file(e, "qrels.csv", &qrels, err));
    if (qrels) {
        e->from = FROM_QRELS;
        goto done;
    }
    ES_TRY(read_labels(e, err));
    for (size_t k = 0; k < e->labels.tasks && e->from == FROM_AUTO; k++)
        if (e->task[k].classes && e->labels.task[k].n_classes > 1)
            e->from = FROM_LABELS;
    if (e->from == FROM_LABELS)
        goto done;
    ES_TRY(read_positives(e, err));
    e->from = e->pairs.count > 0 ? FROM_PAIRS : FROM_AUTO;
done:
    return st;
}

/* Label column of query source number k: columns of numbers give none. */
static size_t class_column(const es_annotations *e, size_t k) {
    for (size_t c = 0; c < e->labels.tasks; c++)
        if (e->task[c].classes && k-- == 0)
            return c;
    return SIZE_MAX;
}

static size_t class_columns(const es_annotations *e) {
    size_t count = 0;
    for (size_t c = 0; c < e->labels.tasks; c++)
        count += e->task[c].classes;
    return count;
}

/* Judgements in the rows in use. */
static void keep_judgements(const es_annotations *e, es_judgement_list *list, size_t *dropped) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        es_judgement j = list->judgement[i];
        if (e->row) {
            j.query = e->own_ids ? j.query : e->row[j.query];
            j.doc = e->row[j.doc];
        }
        if (j.query == UINT32_MAX || j.doc == UINT32_MAX)
            continue;
        if (list->frequency)
            list->frequency[kept] = list->frequency[i];
        list->judgement[kept++] = j;
    }
    *dropped = list->count - kept;
    list->count = kept;
}

static es_status read_judgements(es_annotations *e, es_judgement_list *out, es_error *err) {
    char *path = NULL;
    bool there = false;
    size_t dropped = 0;
    es_error why = {0};
    es_status st = find_file(e, "qrels.csv", &path, &there, err);
    if (st == ES_OK && !there)
        st = es_fail(err, ES_ENOTFOUND, "the pool has no qrels.csv (query,doc,rel)");
    else if (st == ES_OK &&
             (st = es_judgement_list_read(path, 0, e->files, e->own_ids, out, &why)) != ES_OK)
        st = shorten(st, "qrels.csv", &why, err);
    es_free(path);
    if (st != ES_OK)
        return st;
    keep_judgements(e, out, &dropped);
    if (dropped > 0)
        note(e, "qrels.csv: left out as their rows are not in use: %zu of the judgements", dropped);
    if (out->self > 0)
        note(e, "qrels.csv: left out as a query is among its own documents: %zu of the judgements",
             out->self);
    return ES_OK;
}

/* With the vectors of queries that are no rows: what is computed hangs on them, too. */
static es_status digest_judged(es_annotations *e, es_error *err) {
    es_hasher *h = es_hasher_new();
    es_status st = ES_OK;
    if (!h)
        return es_no_memory(err);
    es_hasher_add_text(h, "judgements");
    for (size_t i = 0; i < e->judged.count; i++) {
        es_hasher_add_u64(h, e->judged.judgement[i].query);
        es_hasher_add_u64(h, e->judged.judgement[i].doc);
        es_hasher_add(h, &e->judged.judgement[i].relevance, sizeof(double));
    }
    for (size_t i = 0; e->own_ids && i < es_pool_count(e->pool); i++) {
        es_digest digest = {0};
        es_error why = {0};
        /* without: only its own embedder fails, and says so */
        st = es_pool_queries_digest(e->pool, i, &digest, &why);
        es_hasher_add(h, &digest, sizeof digest);
    }
    if (st != ES_ENOMEM) {
        e->judged_digest = es_hasher_result(h);
        st = ES_OK;
    }
    es_hasher_free(h);
    return st == ES_OK ? ES_OK : es_no_memory(err);
}

static es_status read_judged(es_annotations *e, es_error *err) {
    bool there = false;
    es_status st = ES_OK;
    if (e->judged_read)
        return ES_OK;
    ES_TRY(has_file(e, "qrels.csv", &there, err));
    if (there)
        ES_TRY(read_judgements(e, &e->judged, err));
    ES_TRY(digest_judged(e, err));
    e->judged_read = true;
done:
    if (st != ES_OK)
        es_judgement_list_deinit(&e->judged);
    return st;
}

/* Positive pairs as judgements: a row is answered by its partners. */
static es_status judgements_of_pairs(es_annotations *e, es_judgement_list *out, es_error *err) {
    static const es_positives none = {0};
    es_status st = read_positives(e, err);
    if (st != ES_OK)
        return st;
    const es_positives *p = e->pairs.count > 0 ? &e->pairs.item[0].positives : &none;
    out->judgement = es_alloc(p->count, sizeof *out->judgement);
    if (!out->judgement)
        return es_no_memory(err);
    for (size_t i = 0; i < p->count; i++)
        out->judgement[out->count++] = (es_judgement){p->item[i].query, p->item[i].partner, 1};
    return ES_OK;
}

/* Weights 1 / frequency where the file says it. */
static void weigh(const es_judgement_list *list, es_query_set *set) {
    for (size_t q = 0; list->frequency && q < set->count; q++)
        for (size_t i = 0; i < list->count; i++)
            if (list->judgement[i].query == set->query[q].row) {
                set->query[q].weight = 1 / list->frequency[i];
                break;
            }
}

static es_status digest_draws(draws *d, es_error *err) {
    es_hasher *h = es_hasher_new();
    if (!h)
        return es_no_memory(err);
    es_hasher_add_text(h, "queries");
    for (size_t r = 0; r < d->runs; r++)
        for (size_t q = 0; q < d->set[r].count; q++) {
            const es_query *one = &d->set[r].query[q];
            es_hasher_add_u64(h, one->row);
            es_hasher_add_u64(h, one->positives);
            es_hasher_add(h, &one->weight, sizeof one->weight);
            es_hasher_add(h, one->doc, (one->positives + one->negatives) * sizeof *one->doc);
        }
    d->digest = es_hasher_result(h);
    es_hasher_free(h);
    return ES_OK;
}

static es_status draw(es_annotations *e, size_t k, es_error *err) {
    draws d = {.runs = (size_t)e->values[RUNS]};
    es_query_rules rules = {.queries = (size_t)e->values[QUERIES],
                            .positives = (size_t)e->values[POSITIVES],
                            .negatives = (size_t)e->values[NEGATIVES],
                            .seed = e->seed,
                            .own_ids = e->from == FROM_QRELS && e->own_ids};
    es_judgement_list list = {0};
    es_error why = {0};
    es_status st = ES_OK;
    size_t column = e->from == FROM_LABELS ? class_column(e, k) : SIZE_MAX;
    const char *name = e->from == FROM_QRELS    ? "qrels.csv"
                       : e->from == FROM_LABELS ? "labels.csv"
                                                : "pairs.csv";
    if (e->from == FROM_QRELS)
        ES_TRY(read_judgements(e, &list, err));
    else if (e->from == FROM_PAIRS)
        ES_TRY(judgements_of_pairs(e, &list, err));
    d.set = es_alloc_zero(d.runs, sizeof *d.set);
    ES_FAIL_IF(!d.set, es_no_memory(err));
    for (size_t r = 0; r < d.runs; r++) {
        rules.run = r;
        st = column != SIZE_MAX
                 ? es_queries_from_classes(e->task[column].value, e->n, &rules, &d.set[r], &why)
                 : es_queries_from_judgements(list.judgement, list.count, e->n, &rules, &d.set[r],
                                              &why);
        ES_FAIL_IF(st != ES_OK,
                   es_fail(err, st == ES_EEMPTY ? ES_EFORMAT : st, "%s: %s", name, why.message));
        weigh(&list, &d.set[r]);
    }
    if (d.set[0].skipped > 0)
        note(e, "%s: left out for fewer than 2 documents of a kind: %zu of the queries", name,
             d.set[0].skipped);
    if (d.set[0].fewer > 0)
        note(e, "%s: %zu of %zu queries have fewer than %zu answers; theirs are used", name,
             d.set[0].fewer, d.set[0].count, rules.positives);
    ES_TRY(digest_draws(&d, err));
    d.drawn = true;
    e->queries[k] = d;
    d = (draws){0};
done:
    es_judgement_list_deinit(&list);
    draws_free(&d);
    return st;
}

static es_status need_queries(es_annotations *e, es_error *err) {
    es_status st = choose_source(e, err);
    if (st != ES_OK || e->queries)
        return st;
    if (e->from == FROM_LABELS && (st = read_labels(e, err)) != ES_OK)
        return st;
    e->n_queries = e->from == FROM_AUTO ? 0 : e->from == FROM_LABELS ? class_columns(e) : 1;
    e->queries = es_alloc_zero(e->n_queries, sizeof *e->queries);
    return e->queries ? ES_OK : es_no_memory(err);
}

/* ---- for measures ---- */

es_status es_annotations_times(es_annotations *e, unsigned needs, size_t *out, es_error *err) {
    es_status st = ES_OK;
    *out = 1;
    if (needs & ES_NEED_POSITIVES) {
        ES_TRY(read_positives(e, err));
        if (e->pairs.count == 0)
            return es_fail(
                err, ES_ENOTFOUND,
                "needs pairs of rows that belong together: put pairs.csv (row,row[,score]) "
                "into the pool");
        *out = e->pairs.count;
    }
    if (needs & ES_NEED_BACKGROUND)
        ES_TRY(read_background(e, err));
    if (needs & ES_NEED_GRADED) {
        ES_TRY(read_graded(e, err));
        if (e->graded.count == 0)
            return es_fail(err, ES_ENOTFOUND,
                           "needs pairs of rows with scores: put pairs_graded.csv (row,row,score) "
                           "into the pool");
        *out = e->graded.count;
    }
    if (needs & ES_NEED_TASK) {
        ES_TRY(read_labels(e, err));
        if (e->labels.tasks == 0)
            return es_fail(err, ES_ENOTFOUND,
                           "needs labels: put labels.csv (row,label) into the pool");
        *out = e->labels.tasks;
    }
    if (needs & ES_NEED_QUERIES) {
        ES_TRY(need_queries(e, err));
        if (e->n_queries == 0)
            return es_fail(
                err, ES_ENOTFOUND,
                "needs queries: put qrels.csv (query,doc,rel), labels.csv with two classes or "
                "more, or pairs.csv into the pool");
        *out = e->n_queries;
    }
    if (needs & ES_NEED_JUDGEMENTS) {
        ES_TRY(read_judged(e, err));
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
    es_hasher *h = NULL;
    es_status st = ES_OK;
    ES_TRY(es_annotations_times(e, needs, &times, err));
    h = es_hasher_new();
    ES_FAIL_IF(!h, es_no_memory(err));
    if (needs & ES_NEED_POSITIVES) {
        d.positives = &e->pairs.item[k].positives;
        name = e->pairs.item[k].name;
        es_hasher_add(h, &e->pairs.item[k].digest, sizeof e->pairs.item[k].digest);
    }
    if ((needs & ES_NEED_BACKGROUND) && e->background_read) {
        d.background = e->background.row;
        d.background_count = e->background.count;
        es_hasher_add(h, e->background.row, e->background.count * sizeof *e->background.row);
    }
    if (needs & ES_NEED_GRADED) {
        d.graded = e->graded.item[k].graded;
        d.graded_count = e->graded.item[k].count;
        name = e->graded.item[k].name;
        es_hasher_add(h, &e->graded.item[k].digest, sizeof e->graded.item[k].digest);
    }
    if (needs & ES_NEED_TASK) {
        d.task = &e->task[k];
        name = e->labels.task[k].name;
        es_hasher_add(h, &e->task_digest[k], sizeof e->task_digest[k]);
    }
    if (needs & ES_NEED_QUERIES) {
        if (!e->queries[k].drawn)
            ES_TRY(draw(e, k, err));
        d.queries = e->queries[k].set;
        d.runs = e->queries[k].runs;
        if (e->from == FROM_LABELS)
            name = e->labels.task[class_column(e, k)].name;
        es_hasher_add(h, &e->queries[k].digest, sizeof e->queries[k].digest);
    }
    if (needs & ES_NEED_JUDGEMENTS) {
        d.judgements = e->judged.judgement;
        d.judgement_count = e->judged.count;
        d.own_queries = e->own_ids;
        es_hasher_add(h, &e->judged_digest, sizeof e->judged_digest);
    }
    *digest = es_hasher_result(h);
    *data = d;
    *task = name;
done:
    es_hasher_free(h);
    return st;
}
