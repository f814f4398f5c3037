/* Takes the rows that have a label out of a matrix and lists the different classes. */
#include "core_methods.h"

#include <math.h>

/* Numbers the classes that the labels name. */
static es_status find_classes(es_labelled *l, es_error *err) {
    size_t n = l->x.n;
    uint32_t *order = es_alloc(2 * n, sizeof *order);
    l->classes = es_alloc(n, sizeof *l->classes);
    if (!order || !l->classes) {
        es_free(order);
        return es_no_memory_for(err, "%zu labels", n);
    }
    es_sort_order(l->label, order, order + n, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || l->label[order[i]] != l->label[order[i - 1]])
            l->classes[l->n_classes++] = l->label[order[i]];
    es_free(order);
    if (l->n_classes < 2)
        return es_fail(err, ES_EINVAL, "all %zu labels are of one class: nothing to tell apart", n);
    return ES_OK;
}

es_status es_labelled_new(const es_matrix *m, const es_task *task, es_labelled *out,
                          es_error *err) {
    es_labelled l = {0};
    uint32_t *rows = NULL;
    size_t n = 0;
    es_status st = ES_OK;
    if (task->n != m->n)
        return es_fail(err, ES_EINVAL, "labels for %zu rows, but the embedder has %zu", task->n,
                       m->n);
    rows = es_alloc(m->n, sizeof *rows);
    l.label = es_alloc(m->n, sizeof *l.label);
    ES_FAIL_IF(!rows || !l.label, es_no_memory_for(err, "%zu labels", m->n));
    for (size_t i = 0; i < m->n; i++)
        if (isfinite(task->value[i])) {
            l.label[n] = task->value[i];
            rows[n++] = (uint32_t)i;
        }
    if (n < 2) {
        st =
            es_fail(err, ES_EEMPTY, "%zu of %zu rows have a label: at least 2 are needed", n, m->n);
        goto done;
    }
    ES_TRY(es_matrix_rows(m, rows, n, &l.x, err));
    if (task->classes)
        ES_TRY(find_classes(&l, err));
    *out = l;
done:
    es_free(rows);
    if (st != ES_OK)
        es_labelled_free(&l);
    return st;
}

bool es_labels_equal(const double *label, size_t n) {
    size_t first = 0;
    while (first < n && !isfinite(label[first]))
        first++;
    for (size_t i = first; i < n; i++)
        if (isfinite(label[i]) && label[i] != label[first])
            return false;
    return true;
}

void es_labelled_free(es_labelled *labelled) {
    es_matrix_free(&labelled->x);
    es_free(labelled->label);
    es_free(labelled->classes);
    *labelled = (es_labelled){0};
}
