/* What lies beside a pool's matrices: the texts of rows.csv and the results of scores.csv, read
 * when they are first asked for. */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "engine_pool_parts.h"

/* True if the words of the first line are those of a header: "id", or text above a column of
 * numbers. */
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

/* One row too few and a header look like a file without a header. */
static bool hides_header(const es_row_texts *texts) {
    return !texts->has_header &&
           (has_header_words(texts) || is_heading(es_row_texts_text(texts, 0)));
}

static es_status read_texts(es_pool *pool, const char *path, es_run *run, es_error *err) {
    es_row_texts texts = {0};
    (void)run;
    ES_PASS(es_row_texts_read(path, 0, pool->common_rows, &texts, err));
    if (pool->matches_texts && !es_row_texts_take_id(&texts, pool->id_column)) {
        es_row_texts_deinit(&texts); /* another file than when its ids were matched */
        return ES_OK;
    }
    size_t header = hides_header(&texts);
    if (texts.count - header != pool->common_rows) {
        /* Which text belongs to which row cannot be known: none is better than a wrong one. */
        pool_warn(pool, "rows.csv", "%zu rows, the embedders have %zu, and its texts are not shown",
                  texts.count - header, pool->common_rows);
        es_row_texts_deinit(&texts);
        return ES_OK;
    }
    pool->texts = texts;
    pool->has_texts = true;
    return ES_OK;
}

/* What pool.json says of directions goes before what names say, and tasks.csv before both. */
static es_status mark_lower(es_pool *pool, es_error *err) {
    es_scores *s = &pool->scores;
    es_status st = ES_OK;
    for (size_t k = 0; k < pool->lower_tasks.count && st == ES_OK; k++) {
        const char *name = pool->lower_tasks.word[k];
        size_t task = SIZE_MAX;
        st = es_scores_find_task(s, name, &task, err);
        if (st == ES_OK && task != SIZE_MAX)
            st = es_scores_mark(s, task, true, err);
        else if (st == ES_OK)
            pool_warn(pool, "pool.json", "lower_is_better: the scores have no task '%s'", name);
    }
    return st;
}

es_status es_pool_read_scores(const es_pool *pool, const char *path, bool facts, es_run *run,
                              es_scores *out, es_error *err) {
    const char **name = es_alloc(pool->count + 1, sizeof *name);
    es_scores_for whose = {.embedder = name, .facts = facts};
    if (!name)
        return es_no_memory(err);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->item[i].model.state != ES_MODEL_EXCLUDED)
            name[whose.n++] = pool->item[i].model.name;
    es_status st = es_scores_read_for(path, &whose, run, out, err);
    es_free(name);
    return st;
}

static es_status read_scores(es_pool *pool, const char *path, es_run *run, es_error *err) {
    char *tasks = NULL;
    es_status st = es_pool_read_scores(pool, path, false, run, &pool->scores, err);
    pool->has_scores = st == ES_OK;
    if (st == ES_OK)
        st = mark_lower(pool, err);
    if (st == ES_OK)
        st = pool_beside(pool->root, "tasks.csv", &tasks, err);
    if (st == ES_OK && tasks)
        st = es_scores_describe(&pool->scores, tasks, err);
    if (st == ES_OK)
        st = es_scores_remark_lower(&pool->scores, err);
    if (st == ES_OK && pool->scores.remark)
        pool_report_line(pool, (pool_finding){.whole = true}, pool_below(pool, path),
                         pool_below(pool, pool->scores.remark));
    es_free(tasks);
    return st;
}

/* A folder of that name that holds something else is nobody's mistake. */
static es_status read_results(es_pool *pool, const char *path, es_run *run, es_error *err) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return ES_OK;
    es_status st = read_scores(pool, path, run, err);
    return st == ES_EEMPTY ? ES_OK : st;
}

/* Read POOL/name unless there is no such file. */
static es_status read_beside(es_pool *pool, const char *name,
                             es_status (*read)(es_pool *, const char *, es_run *, es_error *),
                             es_run *run, es_error *err) {
    es_error why = {0};
    if (!pool->root)
        return ES_OK;
    char *path = NULL;
    es_status st = pool_beside(pool->root, name, &path, err);
    if (st != ES_OK || !path)
        return st;
    st = read(pool, path, run, &why);
    es_free(path);
    return st == ES_OK || st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
}

es_status es_pool_beside(const es_pool *pool, const char *name, char **out, es_error *err) {
    *out = NULL;
    return pool->root ? pool_beside(pool->root, name, out, err) : ES_OK;
}

es_status es_pool_texts(es_pool *pool, const es_row_texts **out, es_error *err) {
    if (!pool->texts_read) {
        ES_PASS(read_beside(pool, "rows.csv", read_texts, NULL, err));
        pool->texts_read = true;
    }
    *out = pool->has_texts ? &pool->texts : NULL;
    return ES_OK;
}

/* The first column of rows.csv, read anew: whoever draws may be reading its texts. */
static es_status push_first_column(const es_pool *pool, es_row_ids *out, es_error *err) {
    es_row_texts texts = {0};
    char *path = NULL;
    es_status st = es_pool_beside(pool, "rows.csv", &path, err);
    if (st == ES_OK && path)
        st = es_row_texts_read(path, 0, pool->common_rows, &texts, err);
    es_free(path);
    if (st != ES_OK && st != ES_ENOMEM) { /* what it has to say of rows.csv is not of this file */
        *err = (es_error){0};
        st = ES_OK;
        goto done;
    }
    if (st != ES_OK || texts.count != pool->common_rows || hides_header(&texts))
        goto done;
    for (size_t r = 0; r < texts.count && st == ES_OK; r++)
        st = es_row_ids_push(out, es_row_texts_id(&texts, r), strlen(es_row_texts_id(&texts, r)),
                             err);
done:
    es_row_texts_deinit(&texts);
    return st;
}

static es_status name_rows(void *context, es_row_ids *out, es_error *err) {
    const es_pool *pool = context;
    return pool->ids.n == 0 ? push_first_column(pool, out, err)
                            : es_row_ids_add_all(out, &pool->ids, 0, err);
}

es_row_naming es_pool_row_naming(es_pool *pool) {
    return (es_row_naming){name_rows, pool};
}

static es_status read_models(es_pool *pool, const char *path, es_run *run, es_error *err) {
    es_status st = es_pool_read_scores(pool, path, true, run, &pool->known, err);
    pool->has_known = st == ES_OK;
    if (st == ES_OK && pool->known.remark)
        pool_report_line(pool, (pool_finding){.whole = true}, "models.csv",
                         pool_below(pool, pool->known.remark));
    return st;
}

es_status es_pool_models(es_pool *pool, const es_scores **out, es_error *err) {
    if (!pool->known_read) {
        ES_PASS(read_beside(pool, "models.csv", read_models, NULL, err));
        pool->known_read = true;
    }
    *out = pool->has_known ? &pool->known : NULL;
    return ES_OK;
}

static void forget_scores(es_pool *pool) {
    es_scores_deinit(&pool->scores);
    pool->has_scores = false;
}

/* A bad file of scores costs itself: the embedders are what they were. */
static es_status give_up_scores(es_pool *pool, const es_error *why, es_error *err) {
    forget_scores(pool);
    const char *message = pool_below(pool, why->message);
    pool->scores_problem = es_text_clean(message, strlen(message), 0);
    if (!pool->scores_problem)
        return es_no_memory(err);
    pool_warn(pool, NULL, "the scores are not used: %s", pool->scores_problem);
    return ES_OK;
}

es_status es_pool_scores(es_pool *pool, es_run *run, const es_scores **out, es_error *err) {
    if (!pool->scores_read) {
        es_error why = {0};
        es_status st = read_beside(pool, "scores.csv", read_scores, run, &why);
        if (st == ES_OK && !pool->has_scores) {
            st = read_beside(pool, "results", read_results, run, &why);
            pool->scores_of_mteb = st == ES_OK && pool->has_scores;
        }
        if (st == ES_ENOMEM) { /* who asks again begins anew */
            forget_scores(pool);
            return es_no_memory(err);
        }
        if (st == ES_ECANCELED) {
            forget_scores(pool);
            return es_run_check(run, err);
        }
        if (st != ES_OK && (st = give_up_scores(pool, &why, err)) != ES_OK)
            return st;
        pool->scores_read = true;
    }
    *out = pool->has_scores ? &pool->scores : NULL;
    return ES_OK;
}

const char *es_pool_scores_file(const es_pool *pool) {
    return pool->scores_of_mteb ? "results" : "scores.csv";
}

const char *es_pool_scores_problem(const es_pool *pool) {
    return pool->scores_problem;
}
