/* Reads pool.json, each member by its type, and says where one is not what it should be. */
#include "engine_pool_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_place.h"

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

static es_status get_kind(const es_json_value *object, es_kind *out, bool *bits, es_error *err) {
    es_json_value value = {0};
    const char *text = NULL;
    es_status st = es_json_get(object, "kind", ES_JSON_TEXT, ES_JSON_OPTIONAL, &value, err);
    if (st != ES_OK || !value.node)
        return st;
    st = es_json_as_text(&value, &text, err);
    if (st == ES_OK && strcmp(text, "binary") == 0)
        *out = ES_KIND_BINARY;
    else if (st == ES_OK && strcmp(text, "bits") == 0)
        *bits = true;
    else if (st == ES_OK && strcmp(text, "continuous") != 0)
        st = es_json_complain(&value, "expected \"continuous\", \"binary\" or \"bits\"", err);
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
    ES_TRY(get_copy(object, "rows", &out->rows, err));
    ES_TRY(get_copy(object, "family", &out->family, err));
    ES_TRY(get_copy(object, "notes", &out->notes, err));
    ES_TRY(get_copy(object, "series", &out->series, err));
    out->step = (double)NAN;
    ES_TRY(es_json_get_number(object, "step", ES_JSON_OPTIONAL, &out->step, err));
    ES_TRY(get_dim(object, &out->dim, err));
    ES_TRY(get_kind(object, &out->kind, &out->bits, err));
    if (!out->file && !out->name && !out->rows)
        st = es_json_complain(object, "has neither \"file\" nor \"name\"", err);
    else if (out->rows && !stays_below(out->rows))
        st = es_json_complain(object, "\"rows\" is not a path below the pool", err);
    else if (out->rows)
        st = ES_OK;
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

/* ---- keys that are no keys ---- */

static const char *const model_keys[] = {"name",   "file", "dim",  "family", "notes",
                                         "series", "step", "kind", "rows"};
static const char *const root_keys[] = {"name",      "modality", "models",
                                        "same_rows", "rows",     "lower_is_better"};

static bool has_key(const es_json_value *object, const char *key) {
    for (es_json_value m = es_json_first(object); m.node; m = es_json_next(&m))
        if (strcmp(es_json_key_of(&m), key) == 0)
            return true;
    return false;
}

/* The known key that one is near to and that the object lacks; NULL: it is known, or anything. */
static const char *meant(const es_json_value *object, const char *key, const char *const *known,
                         size_t n) {
    char lower[24];
    size_t length = strlen(key);
    if (es_text_index(known, n, key) != SIZE_MAX || length >= sizeof lower)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        lower[i] = es_ascii_lower(key[i]);
    es_suggestion near = {.word = lower};
    for (size_t i = 0; i < n; i++)
        es_suggestion_offer(&near, known[i]);
    return near.best && !has_key(object, near.best) ? near.best : NULL;
}

/* Once a key: a list of models has it in each. */
static es_status note_keys(const es_json_value *object, const char *const *known, size_t n,
                           size_t model, es_words *told, es_words *odd, es_error *err) {
    es_status st = ES_OK;
    for (es_json_value m = es_json_first(object); m.node && st == ES_OK; m = es_json_next(&m)) {
        const char *key = es_json_key_of(&m), *near = meant(object, key, known, n);
        if (!near || es_text_index((const char *const *)told->word, told->count, key) != SIZE_MAX)
            continue;
        es_buf text = {0};
        if (model > 0)
            es_buf_printf(&text, "model %zu ", model);
        es_buf_printf(&text, "has a key '%s', which is not known; did you mean '%s'?", key, near);
        st = es_words_take(odd, text.failed ? NULL : es_strdup(text.data), err);
        es_buf_free(&text);
        if (st == ES_OK)
            st = es_words_add(told, key, err);
    }
    return st;
}

static es_status note_all_keys(const es_json_value *root, const es_json_value *models,
                               es_words *odd, es_error *err) {
    enum {
        ROOT = sizeof root_keys / sizeof *root_keys,
        MODEL = sizeof model_keys / sizeof *model_keys
    };
    es_words told = {0};
    size_t number = 0;
    es_status st = note_keys(root, root_keys, ROOT, 0, &told, odd, err);
    es_words_deinit(&told);
    if (models->node)
        for (es_json_value m = es_json_first(models); m.node && st == ES_OK; m = es_json_next(&m))
            st = note_keys(&m, model_keys, MODEL, ++number, &told, odd, err);
    es_words_deinit(&told);
    return st;
}

/* "rows" of a file that others wrote may be anything; as a number it is how many there are. */
static double get_rows(const es_json_value *root) {
    es_json_value value = {0};
    double rows = (double)NAN;
    if (es_json_get(root, "rows", ES_JSON_NUMBER, ES_JSON_OPTIONAL, &value, NULL) == ES_OK &&
        value.node)
        (void)es_json_as_number(&value, &rows, NULL);
    return rows;
}

/* Reads all of pool.json. */
static es_status read_description(const es_json_doc *doc, pool_description *out, es_error *err) {
    es_json_value root = es_json_root(doc), models = {0};
    es_status st = ES_OK;
    ES_TRY(es_json_expect(&root, ES_JSON_OBJECT, err));
    ES_TRY(get_copy(&root, "name", &out->name, err));
    ES_TRY(get_copy(&root, "modality", &out->modality, err));
    ES_TRY(es_json_get_bool(&root, "same_rows", ES_JSON_OPTIONAL, &out->same_rows, err));
    ES_TRY(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_OPTIONAL, &models, err));
    ES_TRY(get_lower(&root, &out->lower, err));
    out->rows = get_rows(&root);
    if (models.node)
        ES_TRY(get_models(&models, out, err));
    st = note_all_keys(&root, &models, &out->odd, err);
done:
    return st;
}

es_status pool_description_read(const char *root, pool_description *out, es_error *err) {
    pool_description read = {.rows = (double)NAN};
    es_json_doc *doc = NULL;
    es_error why = {0};
    char *path = NULL;
    ES_PASS(pool_beside(root, "pool.json", &path, err));
    es_status st = path ? es_json_read(path, 0, FILE_MOST, &doc, &why) : ES_ENOTFOUND;
    es_free(path);
    if (st == ES_ENOTFOUND) { /* a pool needs none */
        *out = read;
        return ES_OK;
    }
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    st = read_description(doc, &read, err);
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
        es_free(m->rows);
        es_free(m->family);
        es_free(m->notes);
        es_free(m->series);
    }
    es_words_deinit(&description->lower);
    es_words_deinit(&description->odd);
    es_free(description->model);
    es_free(description->name);
    es_free(description->modality);
    *description = (pool_description){0};
}

/* Families that the user names in families.csv, beside those of pool.json. */

es_status pool_families_read(const es_pool *pool, const char *file, pool_families *out,
                             es_error *err) {
    pool_families read = {.name = file ? es_path_base(file) : ES_POOL_FAMILIES};
    char *path = file ? es_strdup(file) : NULL;
    if (file && !path)
        return es_no_memory(err);
    es_status st = file ? ES_OK : pool_beside(pool->root, ES_POOL_FAMILIES, &path, err);
    if (st != ES_OK || !path)
        return st;
    st = es_family_file_read(path, POOL_NAME_MOST, &read.file, err);
    es_free(path);
    if (st != ES_OK)
        return st;
    read.used = es_alloc_zero(read.file.count + 1, sizeof *read.used);
    if (!read.used) {
        pool_families_deinit(&read);
        return es_no_memory(err);
    }
    *out = read;
    return ES_OK;
}

void pool_families_deinit(pool_families *families) {
    es_family_file_deinit(&families->file);
    es_free(families->used);
    *families = (pool_families){0};
}

static size_t find_line(const es_family_file *file, const char *model) {
    size_t i = 0;
    while (i < file->count && strcmp(file->item[i].model, model) != 0)
        i++;
    return i;
}

es_status pool_families_take(es_pool *pool, pool_families *families, es_error *err) {
    for (size_t i = 0; i < pool->count; i++) {
        pool_item *item = &pool->item[i];
        size_t at =
            item->named ? families->file.count : find_line(&families->file, item->model.name);
        if (at == families->file.count)
            continue;
        const char *family = families->file.item[at].family;
        char *copy = family[0] ? es_strdup(family) : NULL;
        if (family[0] && !copy)
            return es_no_memory(err);
        item->named = true;
        item->has_family = item->model.family != NULL;
        es_free(item->model.family);
        item->model.family = copy;
        families->used[at] = true;
    }
    return ES_OK;
}

/* The embedder whose name is nearest to a line's; NULL: none is near. */
static const char *find_near(const es_pool *pool, const char *model) {
    es_suggestion near = {.word = model};
    for (size_t i = 0; i < pool->count; i++)
        es_suggestion_offer(&near, pool->item[i].model.name);
    return near.best;
}

void pool_families_warn(es_pool *pool, const pool_families *families) {
    enum { LINES_MOST = 6 };
    size_t unmatched = 0;
    for (size_t i = 0; i < families->file.count; i++) {
        const es_family_line *line = &families->file.item[i];
        if (families->used[i] || unmatched++ >= LINES_MOST)
            continue;
        const char *near = find_near(pool, line->model);
        pool_warn(pool, families->name, "line %zu: no embedder is called \"%.200s\"%s%.200s%s",
                  line->line, line->model, near ? "; did you mean \"" : "", near ? near : "",
                  near ? "\"?" : "");
    }
    if (unmatched > LINES_MOST)
        pool_warn(pool, families->name, "%zu more line%s match%s no embedder",
                  unmatched - LINES_MOST, unmatched == LINES_MOST + 1 ? "" : "s",
                  unmatched == LINES_MOST + 1 ? "es" : "");
}

/* ---- writing ---- */

/* A folder that cannot be written is what the user has to know, not the file in it. */
static es_status name_folder(const es_pool *pool, const es_error *why, es_error *err) {
    return es_fail(err, ES_EIO, "%s: " ES_POOL_FAMILIES " cannot be written: %s",
                   es_path_shown(pool->path).text, pool_below(pool, why->message));
}

es_status es_pool_name_family(const es_pool *pool, const size_t *item, size_t n, const char *family,
                              es_error *err) {
    es_error why = {0};
    if (!pool || !pool->root)
        return es_fail(err, ES_EUNSUPPORTED,
                       "matrices in memory have no folder for " ES_POOL_FAMILIES);
    const char **name = es_alloc(n + 1, sizeof *name);
    bool *blank = es_alloc(n + 1, sizeof *blank);
    char *path = es_path_join(pool->root, ES_POOL_FAMILIES);
    es_status st = name && blank && path ? ES_OK : es_no_memory(err);
    for (size_t k = 0; st == ES_OK && k < n; k++) {
        const pool_item *one = &pool->item[item[k]];
        name[k] = one->model.name;
        blank[k] = one->named ? one->has_family : one->model.family != NULL;
    }
    if (st == ES_OK)
        st = es_family_file_edit(path, POOL_NAME_MOST, name, blank, n, family, &why);
    es_free(name);
    es_free(blank);
    es_free(path);
    if (why.code == ES_EIO)
        return name_folder(pool, &why, err);
    return why.code != ES_OK ? es_fail(err, why.code, "%s", why.message) : st;
}

/* ---- series ---- */

/* Which embedders are steps of one series, by pool.json or by their names. */

/* A number with "k" or "M" behind it, after "step", "iter" or "epoch" and a dash. */
static bool parse_step(const char *text, double *step) {
    static const char *const words[] = {"step", "iter", "epoch", "ckpt"};
    size_t length;
    double factor = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            text += strlen(words[i]);
            text += *text == '-' || *text == '_';
            break;
        }
    length = strlen(text);
    if (length > 1 && (text[length - 1] == 'k' || text[length - 1] == 'M')) {
        factor = text[length - 1] == 'k' ? 1e3 : 1e6;
        length--;
    }
    if (length == 0 || text[0] < '0' || text[0] > '9' ||
        !es_text_parse_double(text, length, step) || !isfinite(*step * factor))
        return false;
    *step *= factor;
    return true;
}

static bool read_series_name(const char *name, size_t *stem, double *step) {
    const char *at = strrchr(name, '@');
    if (at == NULL || at == name || !parse_step(at + 1, step))
        return false;
    *stem = (size_t)(at - name);
    return true;
}

/* True if another embedder belongs to this series, by its description or its name. */
static bool is_shared(const es_pool *pool, size_t self, const char *series, size_t length) {
    for (size_t i = 0; i < pool->count; i++) {
        const es_model *m = &pool->item[i].model;
        size_t stem = 0;
        double step = 0;
        if (i == self)
            continue;
        if (m->series ? strlen(m->series) == length && strncmp(m->series, series, length) == 0
                      : read_series_name(m->name, &stem, &step) && stem == length &&
                            strncmp(m->name, series, length) == 0)
            return true;
    }
    return false;
}

es_status pool_series_settle(es_pool *pool, es_error *err) {
    for (size_t i = 0; i < pool->count; i++) {
        es_model *m = &pool->item[i].model;
        size_t stem = 0;
        double step = 0;
        bool by_name = read_series_name(m->name, &stem, &step);
        if (m->series && isnan(m->step) && by_name)
            m->step = step;
        if (m->series && isnan(m->step)) {
            pool_warn(pool, m->name,
                      "pool.json gives a series and no step, so it is in none; add \"step\"");
            es_free(m->series);
            m->series = NULL;
        } else if (!m->series && by_name && is_shared(pool, i, m->name, stem)) {
            m->series = es_strndup(m->name, stem);
            if (!m->series)
                return es_no_memory(err);
            m->step = step;
        }
        if (!m->series)
            m->step = (double)NAN;
    }
    return ES_OK;
}
