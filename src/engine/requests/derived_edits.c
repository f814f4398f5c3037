/* The explorer's edits of a pool: a list of which the first `at` stand. An embedder that is out of
 * the pool lies aside, so undoing is a rename and brings back the same bytes. */
#include "engine_requests.h"

#include <string.h>

/* Forgets the edits from index `from` on, with the files set aside for them. */
static void drop_from(es_edits *edits, size_t from) {
    for (size_t i = from; i < edits->count; i++) {
        es_free(edits->item[i].name);
        for (size_t k = 0; k < 2; k++)
            es_derived_forget(&edits->item[i].aside[k]);
    }
    edits->count = from;
}

void es_edits_deinit(es_edits *edits) {
    drop_from(edits, 0);
    es_free(edits->item);
    *edits = (es_edits){0};
}

es_status es_edits_add(es_edits *edits, size_t number, const char *name, es_derived_aside *aside,
                       es_error *err) {
    if (edits->count == 0)
        edits->before = number;
    drop_from(edits, edits->at);
    es_edit *more = es_realloc(edits->item, edits->count + 1, sizeof *more);
    edits->item = more ? more : edits->item;
    char *copy = more ? es_strdup(name) : NULL;
    if (!copy) {
        if (aside)
            es_derived_forget(aside);
        return es_no_memory(err);
    }
    edits->item[edits->count++] = (es_edit){.name = copy, .removal = aside != NULL};
    if (aside)
        edits->item[edits->count - 1].aside[0] = *aside;
    edits->at = edits->count;
    if (aside)
        *aside = (es_derived_aside){0};
    return ES_OK;
}

/* `in`: it is to be in the pool. */
static es_status move(es_edit *edit, const es_pool *pool, bool in, es_error *err) {
    uint64_t freed;
    size_t at[2], count = in ? 2 : es_derived_named(pool, edit->name, at);
    es_status st = ES_OK;
    if (count == 0)
        return es_fail(err, ES_ENOTFOUND, "%s is not in the pool", edit->name);
    for (size_t k = 0; k < count && st == ES_OK; k++) {
        if (!in)
            st = es_derived_remove(pool, at[k], &edit->aside[k], &freed, err);
        else if ((st = es_derived_restore(&edit->aside[k], err)) == ES_OK)
            es_derived_forget(&edit->aside[k]); /* nothing is aside any more */
    }
    return st;
}

es_status es_edits_reach(es_edits *edits, const es_pool *pool, size_t number, es_error *err) {
    size_t wanted = number > edits->before ? number - edits->before : 0;
    es_status st = ES_OK;
    while (st == ES_OK && edits->at > wanted) {
        es_edit *edit = &edits->item[edits->at - 1];
        st = move(edit, pool, edit->removal, err);
        edits->at -= st == ES_OK ? 1 : 0;
    }
    while (st == ES_OK && edits->at < wanted && edits->at < edits->count) {
        es_edit *edit = &edits->item[edits->at];
        st = move(edit, pool, !edit->removal, err);
        edits->at += st == ES_OK ? 1 : 0;
    }
    return st;
}
