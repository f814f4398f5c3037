/* Files of the user's state folder: named by a digest of what they are about, replaced whole, and
 * never more than 16 MB. */
#include "engine_place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io_files.h"

enum { MOST = 1 << 24 };

es_status es_state_pool_path(const char *kind, const char *subject, const char *part, char **out,
                             es_error *err) {
    char *real = NULL, hex[ES_DIGEST_HEX], name[32 + ES_DIGEST_HEX];
    es_hasher hasher;
    ES_PASS(es_path_canonical(subject, &real, err));
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, real);
    es_hasher_add_text(&hasher, part == NULL ? "" : part);
    (void)snprintf(name, sizeof name, "%.30s/%s", kind,
                   es_digest_hex(es_hasher_result(&hasher), hex));
    es_free(real);
    return es_path_user_file(ES_USER_STATE, name, out, err);
}

/* The folder that a file is in, made where it is missing. */
static es_status make_folder(const char *path, char **out, es_error *err) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    char *folder = slash == NULL ? es_strdup(".") : es_strndup(path, length);
    if (folder == NULL)
        return es_no_memory(err);
    es_status st = es_dir_make(folder, err);
    if (st == ES_OK)
        *out = folder;
    else
        es_free(folder);
    return st;
}

es_status es_state_check(const char *path, es_error *err) {
    char *folder = NULL;
    es_status st = make_folder(path, &folder, err);
    if (st == ES_OK && access(folder, W_OK | X_OK) != 0)
        st = es_fail(err, ES_EIO, "%s: %s", es_path_shown(folder).text, strerror(errno));
    es_free(folder);
    return st;
}

es_status es_state_read(const char *path, char **out, size_t *length, es_error *err) {
    return es_file_read(path, 0, MOST, out, length, err);
}

es_status es_state_write(const char *path, const char *text, size_t length, es_error *err) {
    char *folder = NULL;
    es_status st = make_folder(path, &folder, err);
    es_free(folder);
    return st == ES_OK ? es_file_replace(path, text, length, 0600, err) : st;
}

es_status es_state_set_aside(const char *path, es_error *err) {
    size_t size = strlen(path) + sizeof ".kept";
    char *kept = es_alloc(size, 1);
    es_status st = ES_OK;
    if (kept == NULL)
        return es_no_memory(err);
    (void)snprintf(kept, size, "%s.kept", path);
    if (rename(path, kept) != 0)
        st = es_fail(err, ES_EIO, "%s: %s", es_path_shown(path).text, strerror(errno));
    es_free(kept);
    return st;
}

void es_state_expire(const char *path) {
    enum { DAYS = 30 };
    char *folder = NULL;
    if (make_folder(path, &folder, NULL) == ES_OK)
        es_file_expire(folder, "", DAYS);
    es_free(folder);
}
