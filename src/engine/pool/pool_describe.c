/* Reads pool.json, each member by its type, and says where one is not what it should be. */
#include "pool_describe.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "json.h"
#include "pool_scan.h"
#include "text.h"

enum { FILE_MOST = 16 << 20, DIM_MOST = 1 << 30 };

/* A copy of the text under `key`; *out stays NULL when there is none. */
static es_status get_copy(const es_json_value *object, const char *key, char **out, es_error *err) {
    const char *text = NULL;
    es_status st = es_json_get_text(object, key, ES_JSON_OPTIONAL, &text, err);
    if (st != ES_OK || !text)
        return st;
    *out = es_strdup(text);
    return *out ? ES_OK : es_no_memory(err);
}

static es_status get_dim(const es_json_value *object, size_t *out, es_error *err) {
    es_json_value value = {0};
    uint64_t dim = 0;
    es_status st = es_json_get(object, "dim", ES_JSON_NUMBER, ES_JSON_OPTIONAL, &value, err);
    if (st != ES_OK || !value.node)
        return st;
    st = es_json_as_size(&value, &dim, err);
    if (st == ES_OK && (dim == 0 || dim > DIM_MOST))
        st = es_json_complain(&value, "expected a number of columns, from 1", err);
    if (st == ES_OK)
        *out = (size_t)dim;
    return st;
}

static es_status get_kind(const es_json_value *object, es_kind *out, es_error *err) {
    es_json_value value = {0};
    const char *text = NULL;
    es_status st = es_json_get(object, "kind", ES_JSON_TEXT, ES_JSON_OPTIONAL, &value, err);
    if (st != ES_OK || !value.node)
        return st;
    st = es_json_as_text(&value, &text, err);
    if (st == ES_OK && strcmp(text, "binary") == 0)
        *out = ES_KIND_BINARY;
    else if (st == ES_OK && strcmp(text, "continuous") != 0)
        st = es_json_complain(&value, "expected \"continuous\" or \"binary\"", err);
    return st;
}

/* Relative, and without a step upwards. */
static bool stays_below(const char *path) {
    if (path[0] == '/' || path[0] == '\0')
        return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

static es_status get_model(const es_json_value *object, pool_description_model *out,
                           es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_json_expect(object, ES_JSON_OBJECT, err));
    ES_TRY(get_copy(object, "name", &out->name, err));
    ES_TRY(get_copy(object, "file", &out->file, err));
    ES_TRY(get_copy(object, "family", &out->family, err));
    ES_TRY(get_copy(object, "notes", &out->notes, err));
    ES_TRY(get_copy(object, "series", &out->series, err));
    out->step = (double)NAN;
    ES_TRY(es_json_get_number(object, "step", ES_JSON_OPTIONAL, &out->step, err));
    ES_TRY(get_dim(object, &out->dim, err));
    ES_TRY(get_kind(object, &out->kind, err));
    if (!out->file && !out->name)
        st = es_json_complain(object, "has neither \"file\" nor \"name\"", err);
    else if (!stays_below(out->file ? out->file : out->name))
        st = es_json_complain(object,
                              out->file ? "\"file\" is not a path below the pool"
                                        : "\"name\" is not a path below the pool: give a \"file\"",
                              err);
done:
    return st;
}

static es_status get_models(const es_json_value *list, pool_description *out, es_error *err) {
    size_t count = es_json_count(list);
    es_status st = ES_OK;
    out->lists = true;
    out->model = es_alloc_zero(count, sizeof *out->model);
    if (!out->model)
        return es_no_memory(err);
    out->count = count;
    count = 0;
    for (es_json_value m = es_json_first(list); m.node && st == ES_OK; m = es_json_next(&m))
        st = get_model(&m, &out->model[count++], err);
    return st;
}

/* "lower_is_better": ["rmse"]. */
static es_status get_lower(const es_json_value *root, es_words *out, es_error *err) {
    es_json_value list = {0};
    es_status st =
        es_json_get(root, "lower_is_better", ES_JSON_ARRAY, ES_JSON_OPTIONAL, &list, err);
    if (st != ES_OK || !list.node)
        return st;
    for (es_json_value t = es_json_first(&list); t.node && st == ES_OK; t = es_json_next(&t)) {
        const char *task = NULL;
        st = es_json_as_text(&t, &task, err);
        if (st == ES_OK) /* as names of tasks are cleaned */
            st = es_words_take(out, es_text_clean(task, strlen(task), 0), err);
    }
    return st;
}

static es_status get_all(const es_json_doc *doc, pool_description *out, es_error *err) {
    es_json_value root = es_json_root(doc), models = {0};
    es_status st = ES_OK;
    ES_TRY(es_json_expect(&root, ES_JSON_OBJECT, err));
    ES_TRY(get_copy(&root, "name", &out->name, err));
    ES_TRY(get_copy(&root, "modality", &out->modality, err));
    ES_TRY(es_json_get_bool(&root, "same_rows", ES_JSON_OPTIONAL, &out->same_rows, err));
    ES_TRY(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_OPTIONAL, &models, err));
    ES_TRY(get_lower(&root, &out->lower, err));
    if (models.node)
        st = get_models(&models, out, err);
done:
    return st;
}

es_status pool_description_read(const char *root, pool_description *out, es_error *err) {
    pool_description read = {0};
    es_json_doc *doc = NULL;
    es_error why = {0};
    char *path = NULL;
    es_status st = pool_beside(root, "pool.json", &path, err);
    if (st != ES_OK)
        return st;
    st = path ? es_json_read(path, 0, FILE_MOST, &doc, &why) : ES_ENOTFOUND;
    es_free(path);
    if (st == ES_ENOTFOUND) { /* a pool needs none */
        *out = read;
        return ES_OK;
    }
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    st = get_all(doc, &read, err);
    if (st == ES_OK)
        *out = read;
    else
        pool_description_deinit(&read);
    es_json_free(doc);
    return st;
}

void pool_description_deinit(pool_description *description) {
    for (size_t i = 0; i < description->count; i++) {
        pool_description_model *m = &description->model[i];
        es_free(m->name);
        es_free(m->file);
        es_free(m->family);
        es_free(m->notes);
        es_free(m->series);
    }
    es_words_deinit(&description->lower);
    es_free(description->model);
    es_free(description->name);
    es_free(description->modality);
    *description = (pool_description){0};
}
