/* Paths of the command line become data sets: a folder of pools is its pools, and with --set-rows
 * all a pool is its sets of rows. Only headers and rows.csv are read. */
#include "cli_context.h"

#include <string.h>

static const char *const all_sets = "all";

/* "b" of "a/b" and "a/b/", cleaned; the whole where nothing is before a slash. */
static char *last_part(const char *path) {
    size_t length = strlen(path), start = 0;
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (start = length; start > 0 && path[start - 1] != '/';)
        start--;
    return start < length ? es_text_clean(path + start, length - start, 120)
                          : es_text_clean(path, strlen(path), 120);
}

static es_status add_data_set(es_data_list *list, const char *path, const char *set,
                              es_error *err) {
    es_status st = es_words_add(&list->path, path, err);
    if (st == ES_OK)
        st = es_words_add(&list->set, set ? set : "", err);
    if (st == ES_OK)
        list->count++;
    return st;
}

static es_status add_sets(const es_cli *cli, es_data_list *list, const char *path, es_error *err) {
    const es_pool_options options = {.models = cli->models,
                                     .exclude = cli->exclude,
                                     .rows = cli->options->rows,
                                     .without_derived = true};
    es_pool *pool = NULL;
    es_words sets = {0};
    es_status st = ES_OK;
    ES_TRY(es_pool_open(path, &options, &pool, err));
    ES_TRY(es_pool_sets(pool, &sets, err));
    ES_FAIL_IF(sets.count == 0,
               es_fail(err, ES_ENOTFOUND,
                       "%s: --set-rows all needs a column `set` in a rows.csv with a header and a "
                       "line for each row",
                       es_pool_name(pool)));
    for (size_t k = 0; k < sets.count; k++)
        ES_TRY(add_data_set(list, path, sets.word[k], err));
done:
    es_words_deinit(&sets);
    es_pool_close(pool);
    return st;
}

static es_status add_path(const es_cli *cli, es_data_list *list, const char *path, es_error *err) {
    const char *set = cli->options->set_rows;
    es_words folders = {0};
    bool sets = set && strcmp(set, all_sets) == 0;
    es_status st = es_pool_folders(path, &folders, err);
    size_t count = folders.count > 0 ? folders.count : 1;
    for (size_t k = 0; st == ES_OK && k < count; k++) {
        const char *one = folders.count > 0 ? folders.word[k] : path;
        st = sets ? add_sets(cli, list, one, err) : add_data_set(list, one, set, err);
    }
    es_words_deinit(&folders);
    return st;
}

/* True if two of the names have an equal part. */
static bool repeated(char *const *part, size_t count) {
    for (size_t k = 0; k < count; k++)
        for (size_t other = 0; other < k; other++)
            if (strcmp(part[k], part[other]) == 0)
                return true;
    return false;
}

/* What paths end in, where that tells them apart; the set, of one pool alone; else both. */
static es_status make_names(es_data_list *list, es_error *err) {
    es_words pools = {0};
    es_status st = ES_OK;
    bool one_pool = list->count > 1, sets = list->count > 0;
    for (size_t k = 0; k < list->count; k++) {
        ES_TRY(es_words_take(&pools, last_part(list->path.word[k]), err));
        one_pool = one_pool && strcmp(list->path.word[k], list->path.word[0]) == 0;
        sets = sets && list->set.word[k][0] != '\0';
    }
    bool alike = !sets && repeated(pools.word, list->count);
    for (size_t k = 0; k < list->count; k++) {
        const char *path = list->path.word[k], *set = list->set.word[k];
        es_buf name = {0};
        if (sets && one_pool)
            es_buf_puts(&name, set);
        else
            es_buf_printf(&name, "%s%s%s", alike ? path : pools.word[k], sets ? "/" : "", set);
        char *clean = name.failed ? NULL : es_text_clean(name.data, name.length, 160);
        es_buf_free(&name);
        ES_TRY(es_words_take(&list->name, clean, err));
    }
done:
    es_words_deinit(&pools);
    return st;
}

es_status es_data_list_of(es_cli *cli, es_data_list *out, es_error *err) {
    const es_options *o = cli->options;
    es_data_list list = {0};
    es_status st = ES_OK;
    if (o->matrix || o->ranking || (cli->host && !cli->host->of_program))
        return ES_OK;
    for (size_t k = 1; k < cli->n_arguments && !cli->sheet; k++) {
        char label[ES_PATH_LABEL];
        if (!es_path_is_folder(cli->arguments[k]) &&
            es_command_find(cli->commands, cli->arguments[k]))
            return es_usage(cli, err, "'%s' is a command, and comes first: embedscope %s %s",
                            cli->arguments[k], cli->arguments[k],
                            es_path_label(label, cli->arguments[0]));
        if (!es_path_is_folder(cli->arguments[k]))
            return es_usage(cli, err,
                            "'%s' is not a folder: %s%stakes pools, folders with one matrix per "
                            "embedder",
                            es_path_label(label, cli->arguments[k]), cli->command->name,
                            cli->command->name[0] ? " " : "");
    }
    for (size_t k = 0; k < (cli->n_arguments > 0 ? cli->n_arguments : 1); k++) {
        const char *path = cli->n_arguments > 0 ? cli->arguments[k] : ".";
        if (!cli->sheet || es_path_is_folder(path)) /* of those that are open one may be gone */
            ES_TRY(add_path(cli, &list, path, err));
    }
    ES_TRY(make_names(&list, err));
    *out = list;
    list = (es_data_list){0};
done:
    es_data_list_deinit(&list);
    return st;
}

es_status es_data_list_of_folders(const char *path, es_data_list *out, es_error *err) {
    es_data_list list = {0};
    es_words folders = {0};
    es_status st = ES_OK;
    ES_TRY(es_pool_all_folders(path, &folders, err));
    for (size_t k = 0; k < folders.count; k++)
        ES_TRY(add_data_set(&list, folders.word[k], NULL, err));
    ES_TRY(make_names(&list, err));
    *out = list;
    list = (es_data_list){0};
done:
    es_words_deinit(&folders);
    es_data_list_deinit(&list);
    return st;
}

es_status es_data_list_copy(const es_data_list *list, es_data_list *out, es_error *err) {
    es_data_list copy = {0};
    es_status st = ES_OK;
    for (size_t k = 0; k < list->count; k++) {
        ES_TRY(add_data_set(&copy, list->path.word[k], list->set.word[k], err));
        ES_TRY(es_words_add(&copy.name, list->name.word[k], err));
    }
    *out = copy;
    copy = (es_data_list){0};
done:
    es_data_list_deinit(&copy);
    return st;
}

void es_data_list_deinit(es_data_list *list) {
    es_words_deinit(&list->path);
    es_words_deinit(&list->name);
    es_words_deinit(&list->set);
    list->count = 0;
}

es_cli es_data_list_open(const es_cli *cli, const es_data_list *list, size_t k, es_options *options,
                         const char *path[2]) {
    es_cli one = *cli;
    *options = *cli->options;
    options->set_rows = list->set.word[k][0] ? list->set.word[k] : NULL;
    path[0] = list->path.word[k];
    path[1] = NULL;
    one.options = options;
    one.arguments = path;
    one.n_arguments = 1;
    one.export = NULL; /* its note is about one pool */
    return one;
}

es_status es_data_list_asked(es_cli *cli, bool *several, es_error *err) {
    const es_options *o = cli->options;
    es_words folders = {0};
    *several = false;
    if (o->matrix || o->ranking)
        return ES_OK;
    *several = cli->n_arguments > 1 || (o->set_rows && strcmp(o->set_rows, all_sets) == 0);
    if (*several)
        return ES_OK;
    es_status st = es_pool_folders(cli->n_arguments > 0 ? cli->arguments[0] : ".", &folders, err);
    *several = folders.count > 1;
    es_words_deinit(&folders);
    return st;
}
