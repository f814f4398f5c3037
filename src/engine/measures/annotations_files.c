/* Labels, pairs and rows that compete, as the files have them, in the rows that are in use. */
#include "engine_measures_parts.h"

#include <math.h>
#include <string.h>

/* ---- labels ---- */

static es_digest digest_doubles(const double *v, size_t n, const char *what) {
    es_hasher h;
    es_hasher_init(&h);
    es_hasher_add_text(&h, what);
    es_hasher_add(&h, v, n * sizeof *v);
    return es_hasher_result(&h);
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

static void note_ids(es_annotations *e, const char *name, bool by_ids) {
    if (by_ids)
        annotations_note(e, "%s: its rows go by their ids, not by their numbers", name);
}

/* Notes how many labels a column has, and of what kind. */
static void note_column(es_annotations *e, size_t k) {
    const es_label_column *c = &e->labels.task[k];
    size_t labelled = 0; /* of the rows in use */
    for (size_t i = 0; i < e->n; i++)
        labelled += isnan(e->task[k].value[i]) ? 0 : 1;
    if (labelled < e->n)
        annotations_note(e, "%s: %s: %zu of %zu rows have a label; the others are left out",
                         e->labels_from, c->name, labelled, e->n);
    if (c->singletons > 0)
        annotations_note(e, "%s: %s: %zu of %zu classes have one row", e->labels_from, c->name,
                         c->singletons, c->n_classes);
    if (c->respelled == 1)
        annotations_note(e, "%s: %s: %s and %s are taken as one class", e->labels_from, c->name,
                         c->spelling[0], c->spelling[1]);
    else if (c->respelled > 1)
        annotations_note(e,
                         "%s: %s: %s and %s are taken as one class, and so are the "
                         "spellings of %zu more",
                         e->labels_from, c->name, c->spelling[0], c->spelling[1], c->respelled - 1);
    if (c->like_missing > 0)
        annotations_note(e,
                         "%s: %s: NA, None and the like are classes here, of %zu rows; "
                         "leave the cell empty where there is no label",
                         e->labels_from, c->name, c->like_missing);
    if (c->classes && c->n_classes == 1)
        annotations_note(e, "%s: %s: one class only, so classes cannot be compared", e->labels_from,
                         c->name);
    if (c->classes && c->n_classes > 20 && 3 * c->n_classes > c->labelled)
        annotations_note(e,
                         "%s: %s: %zu classes among %zu labels; if they are numbers, --set "
                         "labels=numbers",
                         e->labels_from, c->name, c->n_classes, c->labelled);
}

void annotations_drop_labels(es_annotations *e) {
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

es_status annotations_read_labels(es_annotations *e, es_error *err) {
    es_error why = {0};
    es_status st = ES_OK;
    if (e->labels_read)
        return ES_OK;
    st = es_pool_labels(e->pool, (es_label_kind)e->values[SET_LABELS], &e->labels, &e->labels_from,
                        &why);
    ES_FAIL_IF(st != ES_OK, annotations_shorten(st, e->labels_from, &why, err));
    e->task = es_alloc_zero(e->labels.tasks, sizeof *e->task);
    e->task_digest = es_alloc(e->labels.tasks, sizeof *e->task_digest);
    e->used = es_alloc_zero(e->labels.tasks, sizeof *e->used);
    ES_FAIL_IF(!e->task || !e->task_digest || !e->used, es_no_memory(err));
    note_ids(e, e->labels_from, e->labels.by_ids);
    for (size_t k = 0; k < e->labels.tasks; k++) {
        ES_TRY(take_column(e, k, err));
        e->task_digest[k] =
            digest_doubles(e->task[k].value, e->n, e->task[k].classes ? "classes" : "numbers");
        note_column(e, k);
    }
    e->labels_read = true;
done:
    if (st != ES_OK)
        annotations_drop_labels(e);
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
    es_row_naming naming = es_pool_row_naming(e->pool);
    es_status st = es_pool_beside(e->pool, name, &path, err);
    *there = path != NULL;
    if (st == ES_OK && path) {
        st = es_pair_list_read(path, 0, e->files, &naming, out, &why);
        if (st != ES_OK)
            st = annotations_shorten(st, name, &why, err);
    }
    es_free(path);
    if (st != ES_OK || !*there)
        return st;
    note_ids(e, name, out->by_ids);
    size_t dropped = keep_used(e, out);
    if (dropped > 0)
        annotations_note(e, "%s: left out as their rows are not in use: %zu of the pairs", name,
                         dropped);
    return ES_OK;
}

/* Notes how many pairs of rows were read and skipped. */
static void note_positives(es_annotations *e, const char *name, const es_pair_list *list) {
    const es_positives *p = &e->pairs.item[0].positives;
    if (e->pairs.count > 1)
        annotations_note(
            e, "%s: %zu sets of pairs; together they are the positives of each by its own scores",
            name, e->pairs.count - 1);
    if (p->self > 0)
        annotations_note(e, "%s: left out as a row is paired with itself: %zu of the pairs", name,
                         p->self);
    if (p->duplicates > 0)
        annotations_note(e, "%s: counted once, as they are given again: %zu of the pairs", name,
                         p->duplicates);
    if (p->unpositive > 0 && e->pairs.count > 1)
        annotations_note(e, "%s: %zu pairs of all sets count as positive (quantile=%g of each set)",
                         name, p->groups, e->values[SET_QUANTILE]);
    else if (p->unpositive > 0)
        annotations_note(
            e,
            "%s: %zu of %zu pairs, with a score of %g or more, count as positive (quantile=%g; "
            "--set "
            "quantile=1 takes all)",
            name, p->groups, p->groups + p->unpositive, p->threshold, e->values[SET_QUANTILE]);
    else
        annotations_note(e, "%s: %zu positive pair%s of %zu line%s", name, p->groups,
                         p->groups == 1 ? "" : "s", list->count, list->count == 1 ? "" : "s");
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
es_status annotations_read_positives(es_annotations *e, es_error *err) {
    const es_pair_rules rules = {e->values[SET_DIRECTED] > 0, e->values[SET_QUANTILE]};
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
es_status annotations_read_graded(es_annotations *e, es_error *err) {
    es_pair_list list = {0};
    bool there = false;
    es_status st = ES_OK;
    if (e->graded_read)
        return ES_OK;
    ES_TRY(read_pairs(e, "pairs_graded.csv", &list, &there, err));
    if (!there)
        ES_TRY(read_pairs(e, "pairs.csv", &list, &there, err));
    if (list.scored > 0 && list.scored < list.count)
        annotations_note(e, "similarity task: %zu of %zu pairs have no score and are left out",
                         list.count - list.scored, list.count);
    if (list.scored > 0)
        ES_TRY(es_pair_sets_graded(&list, &e->graded, err));
    if (e->graded.count > 1)
        annotations_note(
            e, "similarity task: %zu sets of pairs; together their scores are ranks within a set",
            e->graded.count - 1);
    e->graded_read = true;
done:
    es_pair_list_deinit(&list);
    return st;
}

/* background.csv, where the setting asks for it. */
es_status annotations_read_background(es_annotations *e, es_error *err) {
    char *path = NULL;
    es_error why = {0};
    es_row_list list = {0};
    es_status st = ES_OK;
    if (e->background_read || !(e->values[SET_BACKGROUND] > 0))
        return ES_OK;
    ES_TRY(es_pool_beside(e->pool, "background.csv", &path, err));
    ES_FAIL_IF(!path, es_fail(err, ES_ENOTFOUND,
                              "with background=list needs the rows that compete: put "
                              "background.csv (row) into the pool"));
    st = es_row_list_read(path, 0, e->files, &list, &why);
    ES_FAIL_IF(st != ES_OK, annotations_shorten(st, "background.csv", &why, err));
    for (size_t i = 0; i < list.count; i++) {
        uint32_t row = e->row ? e->row[list.row[i]] : list.row[i];
        if (row != UINT32_MAX)
            list.row[e->background.count++] = row;
    }
    e->background.row = list.row;
    list.row = NULL;
    annotations_note(e, "background.csv: %zu rows compete, beside those of the pairs",
                     e->background.count);
    e->background_read = true;
done:
    es_row_list_deinit(&list);
    es_free(path);
    return st;
}
