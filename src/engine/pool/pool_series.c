/* Which embedders are steps of one series, by pool.json or by their names. */
#include "engine_pool_parts.h"

#include <math.h>
#include <string.h>

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

bool pool_series_of_name(const char *name, size_t *stem, double *step) {
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
                      : pool_series_of_name(m->name, &stem, &step) && stem == length &&
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
        bool by_name = pool_series_of_name(m->name, &stem, &step);
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
