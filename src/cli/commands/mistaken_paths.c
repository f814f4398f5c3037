/* Paths on the command line: files of embedders that stand for a pool, and what to type in place of
 * a path that is none. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "io_readers.h"

static bool is_file(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static bool is_there(const char *path) {
    struct stat found;
    return stat(path, &found) == 0;
}

/* ---- files of embedders as a pool ---- */

/* Length of the folder's part of a path, without its slash; 0: the current folder, 1: of "/x". */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
}

/* Length of the deepest folder that holds all paths, with its slash; 0: the current folder. */
static size_t common_folder(const char *const *path, size_t n) {
    size_t common = 0;
    for (size_t end = 1; path[0][end - 1]; end++)
        if (path[0][end - 1] == '/') {
            size_t i = 1;
            while (i < n && strncmp(path[0], path[i], end) == 0)
                i++;
            common = i == n ? end : common;
        }
    return common;
}

/* A file that holds one embedder and whose name is no glob. */
static bool is_embedder(const char *path) {
    static const char *const several[] = {".npz", ".safetensors", ".h5", ".h5ad"};
    const es_loader *loader = es_loader_find(path);
    if (!loader || !loader->load || strpbrk(path, "*?[]\\,") || !is_file(path))
        return false;
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (strcmp(loader->ending, several[i]) == 0)
            return false;
    return true;
}

es_status es_paths_take_files(es_cli *cli, es_options *options, es_error *err) {
    const char *const *path = cli->arguments;
    size_t n = cli->n_arguments;
    const char *folder = ".";
    es_status st = ES_OK;
    if (n < 2 || !strstr(cli->command->arguments, "...") || strstr(cli->command->arguments, " "))
        return ES_OK;
    for (size_t i = 0; i < n; i++) {
        if (!is_embedder(path[i]))
            return ES_OK;
        while (strncmp(cli->arguments[i], "./", 2) == 0)
            cli->arguments[i] += 2;
    }
    size_t length = common_folder(path, n);
    for (size_t i = 0; i < n && st == ES_OK; i++) {
        char *name = es_strndup(path[i] + length, es_loader_stem(path[i]) - length);
        st = es_words_take(&options->kept, name, err);
        if (st == ES_OK)
            st =
                es_options_use(options, "models", options->kept.word[options->kept.count - 1], err);
    }
    ES_TRY(st);
    if (length > 0) {
        ES_TRY(es_words_take(&options->kept, es_strndup(path[0], length - (length > 1)), err));
        folder = options->kept.word[options->kept.count - 1];
    }
    cli->arguments[0] = folder;
    cli->n_arguments = 1;
done:
    return st;
}

/* ---- tables of scores ---- */

bool es_path_may_be_board(const char *path) {
    static const char *const of_pool[] = {"scores.csv", "scores.tsv", "pool.json", ".embedscope"};
    bool board = true;
    for (size_t i = 0; es_path_is_folder(path) && i < sizeof of_pool / sizeof *of_pool; i++) {
        char *inside = es_path_join(path, of_pool[i]);
        board = board && (inside == NULL || !is_there(inside));
        es_free(inside);
    }
    return board;
}

/* A file whose format is that of embedders alone; a text may be anything. */
static bool is_vectors(const char *path) {
    const es_loader *loader = es_loader_find(path);
    return loader && loader->load && !loader->looks;
}

static bool holds_vectors(const char *folder) {
    DIR *dir = opendir(folder);
    bool found = false;
    for (struct dirent *e; dir && !found && (e = readdir(dir)) != NULL;)
        found = e->d_name[0] != '.' && is_vectors(e->d_name);
    if (dir)
        (void)closedir(dir);
    return found;
}

bool es_path_is_board(const char *path) {
    es_scores scores = {0};
    if (is_file(path))
        return !is_vectors(path);
    if (!es_path_is_folder(path) || !es_path_may_be_board(path) || holds_vectors(path))
        return false;
    bool board = es_scores_read(path, 0, NULL, &scores, NULL) == ES_OK && scores.tasks > 0;
    es_scores_deinit(&scores);
    return board;
}

/* ---- paths that are none ---- */

/* The folder that is nearest by its name to the part of `path` from `from` on, up to `length`; or
 * NULL. Free it. */
static char *near_folder(const char *path, size_t from, size_t length) {
    char *parent = from > 0 ? es_strndup(path, from) : es_strdup(".");
    char *best = NULL;
    char *word = es_strndup(path + from, length - from);
    DIR *dir = parent && word ? opendir(parent) : NULL;
    es_suggestion near = {.word = word};
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char *full = e->d_name[0] == '.' ? NULL : es_path_join(parent, e->d_name);
        const char *before = near.best;
        if (full && es_path_is_folder(full))
            es_suggestion_offer(&near, e->d_name);
        if (near.best != before) {
            es_free(best);
            best = es_strdup(e->d_name);
            near.best = best;
        }
        es_free(full);
    }
    if (dir)
        (void)closedir(dir);
    es_free(parent);
    es_free(word);
    return best;
}

/* Names the first part of the path that is not there, and the folder that was meant. */
static es_status refuse_missing(const char *path, const char *else_say, es_error *err) {
    char label[ES_PATH_LABEL], clean[ES_PATH_LABEL];
    size_t from = 0, length = 0;
    for (size_t end = path[0] == '/';; end++) { /* of each part in turn */
        end += strcspn(path + end, "/");
        char *head = es_strndup(path, end);
        bool there = head && is_there(head);
        es_free(head);
        if (!there || path[end] == '\0') {
            length = end;
            break;
        }
        from = end + 1;
    }
    char *near = near_folder(path, from, length);
    es_status st = ES_ENOTFOUND;
    if (near)
        (void)es_fail(err, st, "%s: no such folder; did you mean '%.*s%s%s'?",
                      es_path_label(label, path), (int)from, path, es_path_label(clean, near),
                      path + length);
    else if (path[length] != '\0')
        (void)es_fail(err, st, "%s: there is no folder '%.*s'", es_path_label(label, path),
                      (int)length, path);
    else
        (void)es_fail(err, st, "%s: no such folder%s", es_path_label(label, path), else_say);
    es_free(near);
    return st;
}

/* A file stands where a pool should: what to type depends on what it holds. */
static es_status refuse_file(es_cli *cli, const char *path, es_error *err) {
    const char *name = cli->command->name;
    char label[ES_PATH_LABEL], folder[ES_PATH_LABEL];
    es_scores scores = {0};
    bool board = es_scores_read(path, 0, NULL, &scores, NULL) == ES_OK && scores.tasks > 0;
    es_scores_deinit(&scores);
    if (board)
        return es_usage(cli, err, "%s is a table of scores: embedscope leaderboard %s",
                        es_path_label(label, path), label);
    if (!is_vectors(path))
        return ES_OK;
    size_t length = folder_length(path);
    char *parent = length > 0 ? es_strndup(path, length) : es_strdup(".");
    if (!parent)
        return es_no_memory(err);
    es_status st = es_usage(
        cli, err,
        "%s is one file of embedders; a pool is the folder that holds them all: "
        "embedscope %s%s%s",
        es_path_label(label, path), name, name[0] ? " " : "", es_path_label(folder, parent));
    es_free(parent);
    return st;
}

/* `embedscope rnak`: a word that is no path but nearly a command. */
static es_status refuse_word(es_cli *cli, const char *word, es_error *err) {
    es_suggestion near = {.word = word};
    for (size_t i = 0; i < cli->commands->count; i++)
        if (cli->commands->item[i].name[0] != '\0')
            es_suggestion_offer(&near, cli->commands->item[i].name);
    if (near.best)
        return es_usage(cli, err, "no command and no folder is called '%s'; did you mean '%s'?",
                        word, near.best);
    return refuse_missing(word,
                          " or command; 'embedscope --help' lists commands, 'embedscope demo' "
                          "opens a sample",
                          err);
}

/* `embedscope compare a b`: the pool was forgotten. */
static es_status refuse_without_pool(es_cli *cli, es_error *err) {
    char first[ES_PATH_LABEL], second[ES_PATH_LABEL];
    return es_usage(cli, err, "%s: which pool? Name its folder first: embedscope %s POOL %s %s",
                    cli->command->name, cli->command->name, es_path_label(first, cli->arguments[0]),
                    es_path_label(second, cli->arguments[1]));
}

es_status es_paths_check(es_cli *cli, es_error *err) {
    const es_subcommand *command = cli->command;
    const char *path = cli->n_arguments > 0 ? cli->arguments[0] : ".";
    bool explorer = command->name[0] == '\0', compares = strstr(command->arguments, " A B") != NULL;
    if (!explorer && strncmp(command->arguments, "POOL", 4) != 0)
        return ES_OK;
    if (!explorer && cli->n_arguments < 2 && !command->missing) /* measure NAME */
        return ES_OK;
    if (compares && cli->n_arguments == 2 && !es_path_is_folder(path))
        return refuse_without_pool(cli, err);
    if (explorer && es_path_is_board(path))
        return ES_OK;
    if (is_file(path) && !command->pictures) /* export FILE leaderboard */
        return refuse_file(cli, path, err);
    if (is_there(path) || (command->pictures && cli->n_arguments < 2))
        return ES_OK;
    if (explorer && !strchr(path, '/'))
        return refuse_word(cli, path, err);
    return refuse_missing(path, "", err);
}

es_status es_paths_check_order(es_cli *cli, int argc, char **argv, es_error *err) {
    char label[ES_PATH_LABEL];
    if (cli->command->name[0] != '\0' || argc < 3 || argv[2][0] == '-' || argv[2][0] == '\0' ||
        !es_path_is_folder(argv[1]) || es_path_is_folder(argv[2]) ||
        !es_command_find(cli->commands, argv[2]))
        return ES_OK;
    return es_usage(cli, err, "'%s' is a command, and comes first: embedscope %s %s", argv[2],
                    argv[2], es_path_label(label, argv[1]));
}
