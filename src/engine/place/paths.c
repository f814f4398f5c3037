/* Folders by the XDG Base Directory rules, and files that come with the program: beside it, in the
 * source tree it was built in, or where it was installed. */
#define _XOPEN_SOURCE 700 /* realpath is of the XSI part of POSIX */
#include "engine_place.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_files.h"

char *es_path_at_home(const char *path) {
    const char *home = getenv("HOME");
    if (path[0] != '~' || (path[1] != '/' && path[1] != '\0') || home == NULL || home[0] != '/')
        return es_strdup(path);
    return path[1] == '\0' ? es_strdup(home) : es_path_join(home, path + 2);
}

bool es_path_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

es_status es_path_canonical(const char *path, char **out, es_error *err) {
    char *found = realpath(path, NULL);
    if (!found && errno == ENOMEM)
        return es_no_memory(err);
    if (!found)
        return es_fail(err, errno == ENOENT ? ES_ENOTFOUND : ES_EIO, "%s: %s",
                       es_path_shown(path).text, strerror(errno));
    char *copy = es_strdup(found);
    free(found); /* the C library's allocation, not ours */
    if (!copy)
        return es_no_memory(err);
    *out = copy;
    return ES_OK;
}

/* The home directory: $HOME, else what the system's user list says. NULL when out of memory or
 * when there is none. */
static char *home_directory(void) {
    const char *home = getenv("HOME");
    if (home && home[0] == '/')
        return es_strdup(home);
    struct passwd entry, *found = NULL;
    char text[4096];
    if (getpwuid_r(getuid(), &entry, text, sizeof text, &found) != 0 || !found)
        return NULL;
    return entry.pw_dir && entry.pw_dir[0] == '/' ? es_strdup(entry.pw_dir) : NULL;
}

es_status es_path_user(es_user_dir which, char **out, es_error *err) {
    static const struct {
        const char *variable, *below_home;
    } kinds[] = {
        [ES_USER_DATA] = {"XDG_DATA_HOME", ".local/share"},
        [ES_USER_STATE] = {"XDG_STATE_HOME", ".local/state"},
        [ES_USER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    };
    const char *set = getenv(kinds[which].variable);
    char *base = NULL, *path = NULL;
    if (set && set[0] == '/') {
        base = es_strdup(set);
    } else {
        char *home = home_directory();
        if (!home)
            return es_fail(err, ES_ENOTFOUND, "no home directory: set HOME or %s",
                           kinds[which].variable);
        base = es_path_join(home, kinds[which].below_home);
        es_free(home);
    }
    path = base ? es_path_join(base, "embedscope") : NULL;
    es_free(base);
    if (!path)
        return es_no_memory(err);
    *out = path;
    return ES_OK;
}

es_status es_path_user_file(es_user_dir which, const char *name, char **out, es_error *err) {
    char *folder = NULL;
    ES_PASS(es_path_user(which, &folder, err));
    char *path = es_path_join(folder, name);
    es_free(folder);
    if (!path)
        return es_no_memory(err);
    *out = path;
    return ES_OK;
}

/* "<directory of the executable>/../share/embedscope"; *out NULL where the system does not say. */
static es_status beside_executable(char **out, es_error *err) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    *out = NULL;
    if (length <= 0)
        return ES_OK;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return ES_OK;
    *slash = '\0';
    *out = es_path_join(path, "../share/embedscope");
    return *out ? ES_OK : es_no_memory(err);
}

bool es_path_is_installed(const char *canonical) {
    char *beside = NULL, *root = NULL;
    bool inside = false;
    if (beside_executable(&beside, NULL) == ES_OK && beside &&
        es_path_canonical(beside, &root, NULL) == ES_OK) {
        size_t length = strlen(root);
        inside = strncmp(canonical, root, length) == 0 && canonical[length] == '/';
    }
    es_free(root);
    es_free(beside);
    return inside;
}

es_status es_path_shared(const char *below, char **out, es_error *err) {
    /* Beside the executable comes first, so that an installed program never picks up a source tree
     * that happens to be on the same machine; a freshly built one has nothing beside it. */
    char *beside = NULL;
    ES_PASS(beside_executable(&beside, err));
    const char *roots[] = {beside, ES_SOURCE_DATA_DIR, ES_INSTALL_DATA_DIR};
    char *path = NULL;
    es_status st = ES_ENOTFOUND;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && st == ES_ENOTFOUND; i++) {
        if (!roots[i])
            continue;
        es_free(path);
        path = es_path_join(roots[i], below);
        if (!path)
            st = es_no_memory(err);
        else if (access(path, F_OK) == 0)
            st = ES_OK;
    }
    if (st == ES_OK)
        *out = path;
    else {
        if (st == ES_ENOTFOUND)
            es_error_set(err, st, "%s: not found; reinstall the program", path);
        es_free(path);
    }
    es_free(beside);
    return st;
}
