/* What lies beside a pool's matrices: the texts of rows.csv and the results of scores.csv, read
 * when they are first asked for. */
#include <string.h>
#include <strings.h>

#include "alloc.h"
#include "pool_scan.h"
#include "pool_state.h"
#include "text.h"

/* Is the first line a header, judged by its words? "id", or text above a column of numbers. */
static bool has_header_words(const es_row_texts *texts) {
    double value;
    const char *first = es_row_texts_id(texts, 0);
    if (strcasecmp(first, "id") == 0)
        return true;
    if (texts->count < 3 || es_text_parse_double(first, strlen(first), &value))
        return false;
    for (size_t i = 1; i < texts->count; i++) {
        const char *id = es_row_texts_id(texts, i);
        if (!es_text_parse_double(id, strlen(id), &value))
            return false;
    }
    return true;
}

/* Words that head a column of texts and are unlikely to be one. */
static bool is_heading(const char *text) {
    static const char *const headings[] = {"text",     "texts", "sentence", "smiles", "title",
                                           "document", "name",  "content",  "label",  "caption",
                                           "query",    "item",  "image",    "path",   "abstract"};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (strcasecmp(text, headings[i]) == 0)
            return true;
    return false;
}

static es_status read_texts(es_pool *pool, const char *path, es_error *err) {
    es_row_texts texts = {0};
    es_status st = es_row_texts_read(path, 0, pool->common_rows, &texts, err);
    if (st != ES_OK)
        return st;
    /* One row too few and a header look like a file without a header. */
    size_t header =
        !texts.has_header && (has_header_words(&texts) || is_heading(es_row_texts_text(&texts, 0)));
    if (texts.count - header != pool->common_rows) {
        /* Which text belongs to which row cannot be known: none is better than a wrong one. */
        pool_warn(pool, "rows.csv: %zu rows, the embedders have %zu; its texts are not shown",
                  texts.count - header, pool->common_rows);
        es_row_texts_deinit(&texts);
        return ES_OK;
    }
    pool->texts = texts;
    pool->has_texts = true;
    return ES_OK;
}

static es_status read_scores(es_pool *pool, const char *path, es_error *err) {
    char *tasks = NULL;
    es_status st = es_scores_read(path, 0, &pool->scores, err);
    pool->has_scores = st == ES_OK;
    if (st == ES_OK)
        st = pool_beside(pool->root, "tasks.csv", &tasks, err);
    if (st == ES_OK && tasks)
        st = es_scores_describe(&pool->scores, tasks, err);
    es_free(tasks);
    return st;
}

/* Read POOL/name unless there is no such file. */
static es_status read_beside(es_pool *pool, const char *name,
                             es_status (*read)(es_pool *, const char *, es_error *),
                             es_error *err) {
    es_error why = {0};
    if (!pool->root)
        return ES_OK;
    char *path = NULL;
    es_status st = pool_beside(pool->root, name, &path, err);
    if (st != ES_OK || !path)
        return st;
    st = read(pool, path, &why);
    es_free(path);
    return st == ES_OK || st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
}

es_status es_pool_beside(const es_pool *pool, const char *name, char **out, es_error *err) {
    *out = NULL;
    return pool->root ? pool_beside(pool->root, name, out, err) : ES_OK;
}

es_status es_pool_texts(es_pool *pool, const es_row_texts **out, es_error *err) {
    if (!pool->texts_read) {
        es_status st = read_beside(pool, "rows.csv", read_texts, err);
        if (st != ES_OK)
            return st;
        pool->texts_read = true;
    }
    *out = pool->has_texts ? &pool->texts : NULL;
    return ES_OK;
}

static es_status read_models(es_pool *pool, const char *path, es_error *err) {
    es_status st = es_scores_read(path, 0, &pool->known, err);
    pool->has_known = st == ES_OK;
    return st;
}

es_status es_pool_models(es_pool *pool, const es_scores **out, es_error *err) {
    if (!pool->known_read) {
        es_status st = read_beside(pool, "models.csv", read_models, err);
        if (st != ES_OK)
            return st;
        pool->known_read = true;
    }
    *out = pool->has_known ? &pool->known : NULL;
    return ES_OK;
}

es_status es_pool_scores(es_pool *pool, const es_scores **out, es_error *err) {
    if (!pool->scores_read) {
        es_status st = read_beside(pool, "scores.csv", read_scores, err);
        if (st != ES_OK)
            return st;
        pool->scores_read = true;
    }
    *out = pool->has_scores ? &pool->scores : NULL;
    return ES_OK;
}
