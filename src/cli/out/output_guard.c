/* A document must not take the place of what it was made from. */
#include "cli_out.h"

#include <string.h>
#include <sys/stat.h>

/* ---- files named on the command line ---- */

static bool is_same_file(const struct stat *out, const char *path) {
    struct stat in;
    return path && stat(path, &in) == 0 && S_ISREG(in.st_mode) && in.st_dev == out->st_dev &&
           in.st_ino == out->st_ino;
}

/* Those of the options that are read, by the table: their argument is a FILE, and they are not the
 * ones that are written. */
static const char *same_option(const es_cli *cli, const struct stat *out) {
    static const char *const written[] = {"output", "store"};
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool reads = option->kind == ES_OPTION_TEXT && cli->options->given[i] &&
                     strncmp(option->argument, "FILE", 4) == 0;
        for (size_t k = 0; k < sizeof written / sizeof *written; k++)
            reads = reads && strcmp(option->name, written[k]) != 0;
        if (!reads)
            continue;
        const char *path;
        memcpy(&path, (const char *)cli->options + option->field, sizeof(const char *));
        if (is_same_file(out, path))
            return option->name;
    }
    return NULL;
}

static es_status check_named(es_cli *cli, const char *path, es_error *err) {
    struct stat out;
    char label[ES_PATH_LABEL];
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return ES_OK;
    const char *option = same_option(cli, &out);
    if (option)
        return es_usage(cli, err, "%s: --%s is read from it; write to another file",
                        es_path_label(label, path), option);
    for (size_t i = 0; i < cli->n_arguments; i++)
        if (is_same_file(&out, cli->arguments[i]))
            return es_usage(cli, err, "%s: is what is read; write to another file",
                            es_path_label(label, path));
    return ES_OK;
}

/* ---- files of a pool ---- */

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The canonical path of a file that need not be there; NULL: neither is its folder. */
static es_status canonical_file(const char *path, char **out, es_error *err) {
    const char *name = name_of(path);
    es_error why = {0};
    char *real = NULL;
    char *folder = name == path ? es_strdup(".") : es_strndup(path, (size_t)(name - path));
    es_status st = folder ? es_path_canonical(folder, &real, &why) : es_no_memory(err);
    *out = NULL;
    if (st == ES_OK && (*out = es_path_join(real, name)) == NULL)
        st = es_no_memory(err);
    else if (st != ES_OK && st != ES_ENOMEM)
        st = ES_OK; /* writing it says why not */
    es_free(folder);
    es_free(real);
    return st;
}

static es_status check_pool(es_cli *cli, const char *pool, const char *path, const char *real,
                            es_error *err) {
    char *root = NULL, label[ES_PATH_LABEL];
    struct stat info;
    if (stat(pool, &info) != 0 || !S_ISDIR(info.st_mode) ||
        es_path_canonical(pool, &root, NULL) != ES_OK)
        return ES_OK; /* opening it says why */
    size_t length = strlen(root);
    bool inside = strncmp(real, root, length) == 0 && real[length] == '/';
    const char *role = inside ? es_pool_file_role(real, real + length + 1) : NULL;
    es_free(root);
    return role ? es_usage(cli, err, "%s: %s; write to another file", es_path_label(label, path),
                           role)
                : ES_OK;
}

es_status es_output_guard(es_cli *cli, es_error *err) {
    const char *path = cli->options->output;
    struct stat info;
    char *real = NULL;
    if (path == NULL || strcmp(path, "-") == 0)
        return ES_OK;
    es_status st = check_named(cli, path, err);
    if (st != ES_OK || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return st;
    st = canonical_file(path, &real, err);
    bool here = cli->command->name[0] == '\0' && cli->n_arguments == 0; /* the explorer's default */
    if (st == ES_OK && real && here)
        st = check_pool(cli, ".", path, real, err);
    for (size_t i = 0; st == ES_OK && real && i < cli->n_arguments; i++)
        st = check_pool(cli, cli->arguments[i], path, real, err);
    es_free(real);
    return st;
}
