/* The findings of a pool, as one list: what reading it has reported, what is to be known of each
 * embedder (a table of checks), and what is not used. */
#include "engine_pool_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- reports ---- */

void pool_findings_deinit(es_pool *pool) {
    for (size_t i = 0; i < pool->warnings.count; i++)
        es_free(pool->finding[i].file);
    es_free(pool->finding);
    es_words_deinit(&pool->warnings);
    es_words_deinit(&pool->grave);
}

void pool_report_line(es_pool *pool, pool_finding as, const char *file, const char *line) {
    size_t before = pool->warnings.count;
    pool_finding *list = es_grow(pool->finding, before, &pool->finding_room, sizeof *list);
    es_log_write(pool->log, ES_LOG_WARN, "%s", line);
    if (!list)
        return;
    pool->finding = list;
    if (es_words_take(&pool->warnings, es_text_clean(line, strlen(line), 0), NULL) != ES_OK ||
        pool->warnings.count == before)
        return;
    as.file = file ? es_strdup(file) : NULL;
    list[before] = as;
    if (as.gravity == POOL_GRAVE)
        (void)es_words_add(&pool->grave, pool->warnings.word[before], NULL);
}

void pool_report(es_pool *pool, pool_gravity gravity, const char *file, const char *format, ...) {
    char text[1024];
    int start = file ? snprintf(text, sizeof text, "%.300s: ", file) : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + start, sizeof text - (size_t)start, format, arguments);
    va_end(arguments);
    pool_report_line(pool, (pool_finding){.gravity = gravity}, file, text);
}

/* The last finding of a gravity; NULL: there is none. */
static const char *last_finding(const es_pool *pool, pool_gravity gravity) {
    for (size_t i = pool ? pool->warnings.count : 0; i-- > 0;)
        if (pool->finding[i].gravity == gravity)
            return pool->warnings.word[i];
    return NULL;
}

const char *es_pool_rows_note(const es_pool *pool) {
    return last_finding(pool, POOL_ROWS);
}

const char *es_pool_folders_question(const es_pool *pool) {
    return last_finding(pool, POOL_FOLDERS);
}

const es_words *es_pool_grave_list(const es_pool *pool) {
    return pool ? &pool->grave : NULL;
}

size_t es_pool_warnings(const es_pool *pool) {
    return pool ? pool->warnings.count : 0;
}

const char *es_pool_warning(const es_pool *pool, size_t index) {
    return pool && index < pool->warnings.count ? pool->warnings.word[index] : NULL;
}

/* ---- one finding ---- */

const char *es_gravity_name(es_gravity gravity) {
    static const char *const names[] = {[ES_GRAVITY_NOTE] = "note",
                                        [ES_GRAVITY_WARNING] = "warning",
                                        [ES_GRAVITY_GRAVE] = "grave",
                                        [ES_GRAVITY_UNUSABLE] = "unusable"};
    return names[gravity];
}

void es_finding_put(const es_finding *finding, es_buf *out) {
    es_buf_printf(out, "%s%s%s", finding->what, finding->remedy ? "; " : "",
                  finding->remedy ? finding->remedy : "");
}

/* The text without the file's name before it, which says nothing beside the file. */
static const char *without_file(const char *text, const char *file) {
    size_t length = file ? strlen(file) : 0;
    bool same = length > 0 && strncmp(text, file, length) == 0 && text[length] == ':';
    return same ? text + length + 1 + strspn(text + length + 1, " ") : text;
}

/* The first "; " outside brackets and quotes; NULL: there is none. */
static char *find_remedy(char *text) {
    int depth = 0;
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        depth += quoted ? 0 : *text == '(' ? 1 : *text == ')' ? -1 : 0;
        if (!quoted && depth <= 0 && text[0] == ';' && text[1] == ' ')
            return text;
    }
    return NULL;
}

/* Passes on "FILE: WHAT; REMEDY" in parts. */
static void tell_line(es_finding finding, const char *line, bool whole, es_finding_each *each,
                      void *context) {
    char *text = es_strdup(without_file(line, finding.file));
    char *end = text && !whole ? find_remedy(text) : NULL;
    if (end) {
        *end = '\0';
        finding.remedy = end + 2;
    }
    finding.what = text ? text : line;
    each(context, &finding);
    es_free(text);
}

/* ---- lists ---- */

void es_pool_findings(const es_pool *pool, es_finding_each *each, void *context) {
    for (size_t i = 0; pool && i < pool->warnings.count; i++) {
        const pool_finding *f = &pool->finding[i];
        es_gravity gravity = f->gravity == POOL_GRAVE ? ES_GRAVITY_GRAVE : ES_GRAVITY_WARNING;
        es_finding finding = {.model = SIZE_MAX, .file = f->file, .gravity = gravity};
        tell_line(finding, pool->warnings.word[i], f->whole, each, context);
    }
}

/* A constant column or two are common and harm nothing; where they are many, something is odd. */
static bool find_constant(const es_model *m, const es_model *const *model, es_finding *out,
                          es_buf *what) {
    (void)model;
    if (m->dropped_columns == 0)
        return false;
    out->gravity = 2 * m->dropped_columns < m->dim ? ES_GRAVITY_NOTE : ES_GRAVITY_WARNING;
    es_buf_printf(what, "%zu constant column%s left out", m->dropped_columns,
                  m->dropped_columns == 1 ? "" : "s");
    return true;
}

static bool find_zero(const es_model *m, const es_model *const *model, es_finding *out,
                      es_buf *what) {
    (void)model;
    (void)out;
    es_buf_printf(what, "%zu zero row%s", m->zero_rows, m->zero_rows == 1 ? "" : "s");
    return m->zero_rows > 0;
}

static bool find_same(const es_model *m, const es_model *const *model, es_finding *out,
                      es_buf *what) {
    if (m->duplicate_of == SIZE_MAX)
        return false;
    out->remedy = "--exclude leaves one out";
    es_buf_printf(what, "same contents as %s, and both have one vote",
                  model[m->duplicate_of]->name);
    return true;
}

/* What is looked for in each embedder that can be used. True: it was found. The gravity is that of
 * a warning unless said. */
static bool (*const checks[])(const es_model *m, const es_model *const *model, es_finding *out,
                              es_buf *what) = {find_constant, find_zero, find_same};

static void tell_checks(const es_model *const *model, size_t i, es_finding_each *each,
                        void *context) {
    for (size_t c = 0; c < sizeof checks / sizeof *checks; c++) {
        es_finding finding = {.model = i, .file = model[i]->file, .gravity = ES_GRAVITY_WARNING};
        es_buf what = {0};
        if (checks[c](model[i], model, &finding, &what) && !what.failed) {
            finding.what = what.data;
            each(context, &finding);
        }
        es_buf_free(&what);
    }
}

void es_model_findings(const es_model *const *model, size_t n, es_finding_each *each,
                       void *context) {
    for (size_t i = 0; i < n; i++)
        if (model[i]->state == ES_MODEL_READY)
            tell_checks(model, i, each, context);
    for (size_t i = 0; i < n; i++) {
        const es_model *m = model[i];
        es_finding finding = {.model = i, .file = m->file, .gravity = ES_GRAVITY_UNUSABLE};
        if (m->state == ES_MODEL_EXCLUDED)
            tell_line(finding, m->reason ? m->reason : "excluded", false, each, context);
    }
}

void es_unused_findings(const es_unused *unused, es_finding_each *each, void *context) {
    for (size_t i = 0; unused && i < unused->file.count; i++) {
        es_finding finding = {
            .model = SIZE_MAX, .file = unused->file.word[i], .gravity = ES_GRAVITY_NOTE};
        es_buf why = {0};
        es_unused_put(unused, i, &why);
        if (why.data && !why.failed)
            tell_line(finding, why.data, false, each, context);
        es_buf_free(&why);
    }
}
