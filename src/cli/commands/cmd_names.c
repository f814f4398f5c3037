/* `embedscope names`: what else can be named on a command line, a name a line. Completions of
 * shells ask it, so it opens no store and reads no values. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cli_out.h"

/* Names come from files: those that would break a line are left out. */
static void put_name(const char *name, es_buf *out) {
    if (strpbrk(name, "\n\r\033") == NULL)
        es_buf_printf(out, "%s\n", name);
}

static es_status put_embedders(const char *path, es_buf *out, es_error *err) {
    const es_pool_options options = {.may_be_empty = true};
    es_pool *pool = NULL;
    es_status st = es_pool_open(path, &options, &pool, err);
    for (size_t i = 0; st == ES_OK && i < es_pool_count(pool); i++)
        put_name(es_pool_model(pool, i)->name, out);
    es_pool_close(pool);
    return st;
}

static es_status put_tasks(const char *path, es_buf *out, es_error *err) {
    es_scores scores = {0};
    es_status st = ES_OK;
    char *file = es_path_join(path, "scores.csv");
    if (file == NULL)
        return es_no_memory(err);
    ES_TRY(es_scores_read(file, 0, NULL, &scores, err));
    for (size_t t = 0; t < scores.tasks; t++)
        put_name(scores.task[t], out);
done:
    es_scores_deinit(&scores);
    es_free(file);
    return st;
}

static es_status put_measures(const char *path, es_buf *out, es_error *err) {
    (void)path, (void)err;
    for (size_t i = 0; es_measures[i]; i++)
        put_name(es_measures[i]->name, out);
    for (size_t i = 0; es_measures_null[i]; i++)
        put_name(es_measures_null[i]->name, out);
    return ES_OK;
}

static es_status put_views(const char *path, es_buf *out, es_error *err) {
    (void)path, (void)err;
    for (size_t i = 0; es_export_view_at(i); i++)
        put_name(es_export_view_at(i), out);
    return ES_OK;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The stems of DIRECTORY/themes. */
static es_status add_themes(const char *directory, es_words *words, es_error *err) {
    es_status st = ES_OK;
    DIR *dir = directory ? opendir(directory) : NULL;
    for (struct dirent *e; dir && st == ES_OK && (e = readdir(dir)) != NULL;) {
        size_t length = strlen(e->d_name), stem = length > 6 ? length - 6 : 0;
        bool again = false;
        if (stem == 0 || strcmp(e->d_name + stem, ".theme") != 0)
            continue;
        e->d_name[stem] = '\0';
        for (size_t i = 0; i < words->count; i++)
            again = again || strcmp(words->word[i], e->d_name) == 0;
        if (!again)
            st = es_words_add(words, e->d_name, err);
    }
    if (dir)
        (void)closedir(dir);
    return st;
}

/* Those that came with the program, and the user's. */
static es_status put_themes(const char *path, es_buf *out, es_error *err) {
    char *shared = NULL, *own = NULL;
    es_words words = {0};
    es_status st = ES_OK;
    (void)path;
    (void)es_path_shared("themes", &shared, NULL);
    (void)es_path_user_file(ES_USER_CONFIG, "themes", &own, NULL);
    ES_TRY(add_themes(shared, &words, err));
    ES_TRY(add_themes(own, &words, err));
    if (words.count > 0)
        qsort(words.word, words.count, sizeof *words.word, by_name);
    for (size_t i = 0; i < words.count; i++)
        put_name(words.word[i], out);
done:
    es_words_deinit(&words);
    es_free(own);
    es_free(shared);
    return st;
}

/* What pictures can look like. */
static es_status put_looks(const char *path, es_buf *out, es_error *err) {
    put_name("light", out);
    put_name("dark", out);
    return put_themes(path, out, err);
}

static const struct {
    const char *name;
    es_status (*put)(const char *path, es_buf *out, es_error *err);
} kinds[] = {{"embedders", put_embedders}, {"tasks", put_tasks},   {"measures", put_measures},
             {"views", put_views},         {"themes", put_themes}, {"looks", put_looks}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *es_names_list(size_t at) {
    return at < KINDS ? kinds[at].name : NULL;
}

es_status es_names_put(const char *list, const char *pool, es_buf *out, es_error *err) {
    size_t k = 0;
    while (k < KINDS && strcmp(list, kinds[k].name) != 0)
        k++;
    if (k == KINDS)
        return es_fail(err, ES_ENOTFOUND, "no list of names is called '%s'", list);
    return kinds[k].put(pool, out, err);
}

es_status es_cmd_names(es_cli *cli, es_error *err) {
    const char *known[KINDS], *list = cli->n_arguments > 0 ? cli->arguments[0] : NULL;
    es_buf out = {0};
    es_status st = ES_OK;
    bool is_known = false;
    if (!list)
        return es_usage(cli, err,
                        "names: which list? embedders, tasks, measures, views, themes or looks");
    for (size_t i = 0; i < KINDS; i++) {
        known[i] = kinds[i].name;
        is_known = is_known || strcmp(list, known[i]) == 0;
    }
    if (strcmp(list, "line") == 0)
        es_complete_line(cli->arguments + 1, cli->n_arguments - 1, &out);
    else if (!is_known)
        return es_cli_unknown_name(cli, "list of names", list, known, KINDS, err);
    else if (cli->n_arguments > 2)
        return es_usage(cli, err, "'%s' is one argument too many", cli->arguments[2]);
    else
        ES_TRY(es_names_put(list, cli->n_arguments > 1 ? cli->arguments[1] : ".", &out, err));
    ES_TRY(es_output_write(cli, &out, err));
done:
    es_buf_free(&out);
    return st;
}
