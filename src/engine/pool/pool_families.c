/* Families that the user names in families.csv, beside those of pool.json. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

es_status pool_families_read(const es_pool *pool, const char *file, pool_families *out,
                             es_error *err) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    pool_families read = {.name = slash ? slash + 1 : file ? file : ES_POOL_FAMILIES};
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
        pool_warn(pool, "%.200s: line %zu: no embedder is called \"%.200s\"%s%.200s%s",
                  families->name, line->line, line->model, near ? "; did you mean \"" : "",
                  near ? near : "", near ? "\"?" : "");
    }
    if (unmatched > LINES_MOST)
        pool_warn(pool, "%.200s: %zu more line%s match%s no embedder", families->name,
                  unmatched - LINES_MOST, unmatched == LINES_MOST + 1 ? "" : "s",
                  unmatched == LINES_MOST + 1 ? "es" : "");
}

/* ---- writing ---- */

/* A folder that cannot be written is what the user has to know, not the file in it. */
static es_status name_folder(const es_pool *pool, const es_error *why, es_error *err) {
    char label[ES_PATH_LABEL];
    return es_fail(err, ES_EIO, "%s: " ES_POOL_FAMILIES " cannot be written: %s",
                   es_path_label(label, pool->path), pool_below(pool, why->message));
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
            pool_warn(pool, "%s: pool.json gives a series and no step; it is in none", m->name);
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
