/* Beside the pool where that can be written, else in the user's directory: the decision is made by
 * trying, and no link in the way is followed. */
#include "engine_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_files.h"

#define FOLDER ".embedscope"
#define FILE_NAME "results.db"
#define DUELS "duels.csv"

/* What was found in one place. */
typedef enum place_state { PLACE_MISSING, PLACE_READABLE, PLACE_WRITABLE } place_state;

static bool is_refusal(int code) {
    return code == EACCES || code == EPERM || code == EROFS;
}

/* The results file inside the open directory `fd`, which is POOL/.embedscope or our own; messages
 * name it as directory + below. An
 * existing file is looked at without opening it: closing a descriptor would drop the locks of
 * another store that this process may have open on it (POSIX record locks belong to the process).
 */
static es_status look_at_file(int fd, const char *directory, const char *below, bool create,
                              place_state *out, es_error *err) {
    struct stat info;
    bool folder_writable = faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
    if (fstatat(fd, FILE_NAME, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!S_ISREG(info.st_mode))
            return es_fail(err, ES_EIO, "%s%s/" FILE_NAME ": is not a plain file; remove it",
                           directory, below);
        bool writable = folder_writable && faccessat(fd, FILE_NAME, R_OK | W_OK, AT_EACCESS) == 0;
        *out = writable ? PLACE_WRITABLE : PLACE_READABLE;
        return ES_OK;
    }
    *out = PLACE_MISSING;
    if (errno != ENOENT)
        return is_refusal(errno) ? ES_OK
                                 : es_fail(err, ES_EIO, "%s%s/" FILE_NAME ": %s", directory, below,
                                           strerror(errno));
    if (!create)
        return ES_OK;
    int file = openat(fd, FILE_NAME, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    else if (is_refusal(errno))
        return ES_OK;
    else if (errno != EEXIST) /* another process was faster: as good as ours */
        return es_fail(err, ES_EIO, "%s%s/" FILE_NAME ": cannot be created: %s", directory, below,
                       strerror(errno));
    *out = PLACE_WRITABLE;
    return ES_OK;
}

/* Look at (and with `create` make) DIRECTORY/.embedscope/results.db. */
static es_status look_in_pool(const char *directory, bool create, place_state *out, es_error *err) {
    struct stat info;
    es_status st = ES_OK;
    int folder = -1;
    *out = PLACE_MISSING;
    int pool = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (pool < 0)
        return es_fail(err, errno == ENOENT ? ES_ENOTFOUND : ES_EIO, "%s: %s", directory,
                       strerror(errno));
    if (create && mkdirat(pool, FOLDER, 0700) != 0 && errno != EEXIST) {
        if (!is_refusal(errno))
            st = es_fail(err, ES_EIO, "%s/" FOLDER ": cannot be created: %s", directory,
                         strerror(errno));
        goto done;
    }
    if (fstatat(pool, FOLDER, &info, AT_SYMLINK_NOFOLLOW) != 0)
        goto done;
    ES_FAIL_IF(!S_ISDIR(info.st_mode),
               es_fail(err, ES_EIO, "%s/" FOLDER ": is %s; remove it", directory,
                       S_ISLNK(info.st_mode) ? "a symbolic link" : "not a directory"));
    folder = openat(pool, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0)
        st = look_at_file(folder, directory, "/" FOLDER, create, out, err);
    else if (!is_refusal(errno))
        st = es_fail(err, ES_EIO, "%s/" FOLDER ": %s", directory, strerror(errno));
done:
    if (folder >= 0)
        close(folder);
    close(pool);
    return st;
}

/* $XDG_DATA_HOME/embedscope/<digest of the canonical path>. */
static es_status user_folder(const char *canonical, char **out, es_error *err) {
    char key[ES_DIGEST_HEX];
    es_digest_hex(es_digest_bytes(canonical, strlen(canonical)), key);
    return es_path_user_file(ES_USER_DATA, key, out, err);
}

static es_status look_in_user(const char *folder, bool create, place_state *out, es_error *err) {
    *out = PLACE_MISSING;
    if (create) {
        es_status st = es_dir_make(folder, err);
        if (st != ES_OK)
            return st;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return ES_OK;
    es_status st = look_at_file(fd, folder, "", create, out, err);
    close(fd);
    return st;
}

static es_status file_in(const char *folder, const char *below, char **out, es_error *err) {
    char *path = es_path_join(folder, below);
    if (!path)
        return es_no_memory(err);
    *out = path;
    return ES_OK;
}

es_status es_store_place_write(const char *pool_path, char **out, es_error *err) {
    char *canonical = NULL, *folder = NULL;
    place_state found = PLACE_MISSING;
    es_status st = es_path_canonical(pool_path, &canonical, err);
    if (st != ES_OK)
        return st;
    if (!es_path_is_installed(canonical)) /* removing the program must leave nothing behind */
        ES_TRY(look_in_pool(canonical, true, &found, err));
    if (found == PLACE_WRITABLE) {
        st = file_in(canonical, FOLDER "/" FILE_NAME, out, err);
        goto done;
    }
    ES_TRY(user_folder(canonical, &folder, err));
    ES_TRY(look_in_user(folder, true, &found, err));
    if (found == PLACE_WRITABLE)
        st = file_in(folder, FILE_NAME, out, err);
    else
        st = es_fail(err, ES_EIO,
                     "%s: neither the pool nor this directory can be written; set XDG_DATA_HOME or "
                     "use --no-store",
                     folder);
done:
    es_free(folder);
    es_free(canonical);
    return st;
}

es_status es_store_place_read(const char *pool_path, char **out, es_error *err) {
    char *canonical = NULL, *folder = NULL;
    place_state in_pool = PLACE_MISSING, in_user = PLACE_MISSING;
    es_status st = es_path_canonical(pool_path, &canonical, err);
    if (st != ES_OK)
        return st;
    ES_TRY(look_in_pool(canonical, false, &in_pool, err));
    /* In a pool that cannot be written, what we estimated here is newer than what came with it. */
    if (in_pool != PLACE_WRITABLE) {
        ES_TRY(user_folder(canonical, &folder, err));
        ES_TRY(look_in_user(folder, false, &in_user, err));
    }
    if (in_user != PLACE_MISSING)
        st = file_in(folder, FILE_NAME, out, err);
    else if (in_pool != PLACE_MISSING)
        st = file_in(canonical, FOLDER "/" FILE_NAME, out, err);
    else
        st = es_fail(err, ES_ENOTFOUND,
                     "%s: nothing is stored yet; run \"embedscope estimate\" first", pool_path);
done:
    es_free(folder);
    es_free(canonical);
    return st;
}

es_status es_duels_places(const char *pool_path, char *out[2], es_error *err) {
    char *canonical = NULL, *folder = NULL;
    ES_PASS(es_path_canonical(pool_path, &canonical, err));
    out[0] = es_path_join(canonical, DUELS);
    out[1] = NULL;
    if (out[0] && user_folder(canonical, &folder, NULL) == ES_OK)
        out[1] = es_path_join(folder, DUELS);
    es_free(folder);
    es_free(canonical);
    return out[0] ? ES_OK : es_no_memory(err);
}

es_status es_duels_place_write(const char *pool_path, char **out, es_error *err) {
    char *canonical = NULL, *folder = NULL;
    es_status st = es_path_canonical(pool_path, &canonical, err);
    if (st != ES_OK)
        return st;
    if (!es_path_is_installed(canonical) &&
        faccessat(AT_FDCWD, canonical, W_OK | X_OK, AT_EACCESS) == 0) {
        st = file_in(canonical, DUELS, out, err);
        goto done;
    }
    ES_TRY(user_folder(canonical, &folder, err));
    ES_TRY(es_dir_make(folder, err));
    ES_TRY(file_in(folder, DUELS, out, err));
done:
    es_free(folder);
    es_free(canonical);
    return st;
}

/* Makes an empty file where there is none. */
static es_status make_file(const char *file, es_error *err) {
    int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    else if (errno != EEXIST)
        return es_fail(err, ES_EIO, "%s: cannot be created: %s", es_path_shown(file).text,
                       strerror(errno));
    return ES_OK;
}

es_status es_store_place_file(const char *file, bool create, char **out, es_error *err) {
    struct stat info;
    ES_PASS(create ? make_file(file, err) : ES_OK);
    if (lstat(file, &info) != 0)
        return es_fail(err, errno == ENOENT ? ES_ENOTFOUND : ES_EIO, "%s: %s",
                       es_path_shown(file).text, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return es_fail(err, ES_EIO, "%s: is not a plain file", es_path_shown(file).text);
    return es_path_canonical(file, out, err);
}

/* A folder itself, no link. */
static bool is_folder(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static es_status part_below(char *folder, const char *part, char **out, es_error *err) {
    if (!is_folder(folder)) /* asked once: another process may make it at any moment */
        return ES_OK;
    char *path = es_path_join(folder, part);
    if (!path)
        return es_no_memory(err);
    bool there = is_folder(path);
    if (there)
        *out = path;
    else
        es_free(path);
    return ES_OK;
}

es_status es_store_folders(const char *canonical, char *out[2], es_error *err) {
    out[1] = NULL;
    out[0] = es_path_join(canonical, FOLDER);
    if (!out[0])
        return es_no_memory(err);
    (void)user_folder(canonical, &out[1], NULL);
    return ES_OK;
}

/* Finds the two folders that may hold a pool's store: the pool, and the user's data folder. */
static es_status find_places(const char *canonical, const char *part, char *out[2], es_error *err) {
    char *folder[2] = {NULL, NULL};
    out[0] = out[1] = NULL;
    es_status st = es_store_folders(canonical, folder, err);
    for (int i = 0; i < 2 && st == ES_OK; i++)
        if (folder[i])
            st = part_below(folder[i], part, &out[i], err);
    es_free(folder[0]);
    es_free(folder[1]);
    if (st != ES_OK) {
        es_free(out[0]);
        out[0] = NULL;
    }
    return st;
}

es_status es_derived_places(const char *canonical, char *out[2], es_error *err) {
    return find_places(canonical, "derived", out, err);
}

es_status es_shard_places(const char *canonical, char *out[2], es_error *err) {
    return find_places(canonical, "shards", out, err);
}
