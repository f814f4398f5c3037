/* Deriving an embedder in the background of a session. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "session_internal.h"
#include "text.h"

#define PRIORITY 0.75

static es_status derive(void *data, es_job_context *context, es_error *err) {
    es_derive_item *item = data;
    return es_derived_make(item->item.session->pool, &item->derivation, context->run, &item->out,
                           err);
}

es_status es_session_derive(es_session *s, const es_derivation *derivation, es_error *err) {
    if (!s->pool || !s->ready)
        return es_fail(err, ES_EEMPTY, "there are no embedders to derive from");
    if (s->derive && !s->derive_over)
        return es_fail(err, ES_EBUSY, "one embedder is being derived already");
    es_derive_item *item = es_alloc_zero(1, sizeof *item);
    if (!item)
        return es_no_memory(err);
    item->item = (es_item){ES_ITEM_DERIVE, s};
    item->derivation = *derivation;
    item->derivation.name = NULL;
    es_status st = ES_OK;
    if (es_workers_threads(s->workers) == 0) /* a session that only shows */
        st = es_workers_resize(s->workers, 1, err);
    if (st == ES_OK)
        st = es_workers_add(s->workers, derive, item, 0, PRIORITY, NULL, err);
    if (st != ES_OK) {
        es_item_free(&item->item);
        return st;
    }
    if (s->derive)
        es_item_free(&s->derive->item);
    s->derive = item;
    s->derive_over = s->derive_told = false;
    return ES_OK;
}

es_status es_session_derived(es_session *s, const char **name, es_error *err) {
    if (!s->derive || s->derive_told)
        return ES_ENOTFOUND;
    if (!s->derive_over)
        return ES_EBUSY;
    s->derive_told = true;
    *name = s->derive->out.name;
    if (s->derive_error.code != ES_OK && err)
        *err = s->derive_error;
    return s->derive_error.code;
}

es_status es_derive_parse(const char *text, es_derive *out, es_error *err) {
    static const struct {
        const char *word;
        es_derive_kind kind;
        bool needs;
    } ways[] = {{"whiten", ES_DERIVE_WHITEN, false},
                {"abtt", ES_DERIVE_ABTT, true},
                {"pcr", ES_DERIVE_PCR, true},
                {"pca", ES_DERIVE_PCA, true},
                {"center", ES_DERIVE_CENTRE, false},
                {"normalize", ES_DERIVE_NORMALISE, false},
                {"random-projection", ES_DERIVE_RANDOM, true}};
    size_t length = strcspn(text, " ");
    const char *number = text + length + strspn(text + length, " ");
    double axes = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strlen(ways[i].word) != length || strncmp(ways[i].word, text, length) != 0)
            continue;
        bool said = *number != '\0';
        if ((ways[i].needs || said) && (!es_text_parse_double(number, strlen(number), &axes) ||
                                        axes < 1 || axes > 1e6 || axes != floor(axes)))
            return es_fail(err, ES_EINVAL, "%s takes a number of directions: %s 2", ways[i].word,
                           ways[i].word);
        *out = (es_derive){.kind = ways[i].kind, .k = (size_t)axes};
        return ES_OK;
    }
    return es_fail(err, ES_EINVAL,
                   "derive: whiten [K], abtt D, pcr D, pca K, center, normalize or "
                   "random-projection K");
}
