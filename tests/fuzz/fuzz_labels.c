/* labels.csv, pairs.csv and qrels.csv, and what measures make of them. The first byte says how many
 * rows the pool has and what labels are taken for. */
#include <math.h>

#include "fuzz.h"
#include "io.h"

static void try_positives(const es_pair_list *list, size_t n, bool directed) {
    const es_pair_rules rules = {directed, 0};
    es_positives positives = {0};
    es_error err = {0};
    es_status st = es_positives_new(list->pair, list->count, n, &rules, &positives, &err);
    fuzz_require_told(st, &err);
    for (size_t i = 0; i < positives.count; i++)
        fuzz_require(positives.item[i].query < n && positives.item[i].partner < n &&
                     positives.item[i].group < positives.groups);
    es_positives_free(&positives);
}

static void check_queries(es_status st, const es_error *err, es_query_set *set, size_t n) {
    fuzz_require_told(st, err);
    for (size_t q = 0; q < set->count; q++) {
        const es_query *one = &set->query[q];
        fuzz_require(one->row < n && one->positives >= 2 && one->negatives >= 2);
        for (size_t i = 0; i < one->positives + one->negatives; i++)
            fuzz_require(one->doc[i] < n && one->doc[i] != one->row);
    }
    es_queries_free(set);
}

/* Rows that are called by letters and numbers, two of them alike. */
static es_status name_rows(void *context, es_row_ids *out, es_error *err) {
    const size_t *n = context;
    es_status st = ES_OK;
    for (size_t i = 0; i < *n && st == ES_OK; i++) {
        char id[8];
        int length = snprintf(id, sizeof id, i % 2 ? "%zu" : "r%zu", i == 4 ? 2 : *n - i);
        st = es_row_ids_push(out, id, (size_t)length, err);
    }
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const es_query_rules rules = {.queries = 5, .positives = 3, .negatives = 4};
    es_labels labels = {0};
    es_pair_list pairs = {0};
    es_judgement_list judgements = {0};
    es_query_set set = {0};
    es_error err = {0};
    if (size == 0)
        return 0;
    size_t n = 1 + data[0] % 40;
    const es_row_naming naming = {name_rows, &n};
    const char *path = fuzz_file("x.csv", data + 1, size - 1);
    es_status st =
        es_labels_read(path, 0, n, (es_label_kind)(data[0] / 40 % 3), &naming, &labels, &err);
    fuzz_require_told(st, &err);
    for (size_t k = 0; k < labels.tasks; k++) {
        const es_label_column *c = &labels.task[k];
        size_t labelled = 0;
        fuzz_require_clean(c->name);
        for (size_t i = 0; i < n; i++) {
            labelled += isnan(c->value[i]) ? 0 : 1;
            fuzz_require(!isinf(c->value[i]) &&
                         !(c->classes && c->value[i] >= (double)c->n_classes));
        }
        fuzz_require(labelled == c->labelled);
        if (c->classes)
            check_queries(es_queries_from_classes(c->value, n, &rules, &set, &err), &err, &set, n);
    }
    es_labels_deinit(&labels);
    st = es_pair_list_read(path, 0, n, &naming, &pairs, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK)
        try_positives(&pairs, n, data[0] >= 128);
    es_pair_list_deinit(&pairs);
    st = es_judgement_list_read(path, 0, n, false, NULL, &naming, &judgements, &err);
    fuzz_require_told(st, &err);
    if (st == ES_OK)
        check_queries(es_queries_from_judgements(judgements.judgement, judgements.count, n, &rules,
                                                 &set, &err),
                      &err, &set, n);
    es_judgement_list_deinit(&judgements);
    return 0;
}
