/* The entry goes first and comes back last: whoever is killed in between leaves a list that names
 * only what is there. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_pool_parts.h"
#include "engine_place.h"

enum { SIDE, MATRIX, WEIGHTS };

/* Fails with the file, what could not be done to it, and errno's text. */
static es_status fail_with_errno(const char *path, const char *what, es_error *err) {
    char label[ES_PATH_LABEL];
    int code = errno;
    return es_fail(err, ES_EIO, "%s: cannot %s it: %s", es_path_label(label, path), what,
                   strerror(code));
}

/* True if another entry names the same weights. */
static bool is_shared(const derived_list *list, size_t own) {
    bool shared = false;
    for (size_t i = 0; i < list->count && list->entry[own].model; i++)
        shared = shared || (i != own && list->entry[i].model &&
                            strcmp(list->entry[i].model, list->entry[own].model) == 0);
    return shared;
}

/* The files of the entry that names this matrix of a folder. */
static es_status find_entry(const char *folder, const char *file, es_derived_aside *out,
                            es_error *err) {
    derived_list list = {0};
    size_t at = 0;
    es_status st = derived_list_read(folder, &list, err);
    while (at < list.count && strcmp(list.entry[at].file, file) != 0)
        at++;
    if (st == ES_OK && at == list.count)
        st = es_fail(err, ES_ENOTFOUND, "%s: is not listed any more", file);
    if (st == ES_OK) {
        const derived_entry *e = &list.entry[at];
        bool weights = e->model && !is_shared(&list, at);
        out->path[SIDE] = es_path_join(folder, e->side);
        out->path[WEIGHTS] = weights ? es_path_join(folder, e->model) : NULL;
        if (!out->path[SIDE] || (weights && !out->path[WEIGHTS]))
            st = es_no_memory(err);
    }
    derived_list_deinit(&list);
    return st;
}

/* Finds the files of a derived embedder: its matrix and its description. */
static es_status find_files(const es_model *m, es_derived_aside *out, es_error *err) {
    const char *slash = strrchr(m->path, '/');
    es_status st = ES_OK;
    char *folder = slash ? es_strndup(m->path, (size_t)(slash - m->path)) : NULL;
    out->name = es_strdup(m->name);
    out->path[MATRIX] = es_strdup(m->path);
    ES_FAIL_IF(!folder || !out->name || !out->path[MATRIX], es_no_memory(err));
    ES_TRY(find_entry(folder, slash + 1, out, err));
done:
    es_free(folder);
    return st;
}

/* Out of the way, or for good; what is gone already is no failure. */
static es_status take_away(const char *path, char **aside, uint64_t *freed, es_error *err) {
    struct stat info;
    if (stat(path, &info) != 0)
        return ES_OK;
    es_status st = aside               ? es_file_put_aside(path, aside, err)
                   : unlink(path) == 0 ? ES_OK
                                       : fail_with_errno(path, "remove", err);
    *freed += st == ES_OK ? (uint64_t)info.st_size : 0;
    return st;
}

es_status es_derived_remove(const es_pool *pool, size_t index, es_derived_aside *aside,
                            uint64_t *freed, es_error *err) {
    const es_model *m = es_pool_model(pool, index);
    es_derived_aside found = {0};
    es_status st = ES_OK;
    uint64_t bytes = 0;
    if (!m || !m->derived)
        return es_fail(err, ES_EINVAL, "%s is not derived: only derived embedders are removed",
                       m ? m->name : "it");
    ES_TRY(find_files(m, &found, err));
    for (size_t i = 0; i < ES_DERIVED_FILES; i++)
        if (found.path[i])
            ES_TRY(take_away(found.path[i], aside ? &found.aside[i] : NULL, &bytes, err));
    *freed = bytes;
    if (aside) {
        *aside = found;
        return ES_OK;
    }
done:
    if (st != ES_OK) /* what is left is where it was: so is its entry */
        (void)es_derived_restore(&found, NULL);
    es_derived_forget(&found);
    return st;
}

es_status es_derived_restore(es_derived_aside *aside, es_error *err) {
    for (size_t i = ES_DERIVED_FILES; i-- > 0;) {
        errno = EEXIST;
        if (!aside->aside[i] || !aside->path[i])
            continue;
        if (access(aside->path[i], F_OK) == 0 || rename(aside->aside[i], aside->path[i]) != 0)
            return fail_with_errno(aside->path[i], "bring back", err);
        es_free(aside->aside[i]);
        aside->aside[i] = NULL;
    }
    return ES_OK;
}

void es_derived_forget(es_derived_aside *aside) {
    for (size_t i = 0; i < ES_DERIVED_FILES; i++) {
        if (aside->aside[i])
            (void)unlink(aside->aside[i]);
        es_free(aside->aside[i]);
        es_free(aside->path[i]);
    }
    es_free(aside->name);
    *aside = (es_derived_aside){0};
}

static size_t find_derived(const es_pool *pool, const char *name, const char *ending) {
    char whole[300];
    (void)snprintf(whole, sizeof whole, "%.250s%s", name, ending);
    size_t at = es_pool_find(pool, whole);
    return at != SIZE_MAX && es_pool_model(pool, at)->derived ? at : SIZE_MAX;
}

size_t es_derived_named(const es_pool *pool, const char *name, size_t *at) {
    static const char *const endings[] = {".mu", ".info"};
    size_t count = 0, own = es_pool_find(pool, name);
    if (own != SIZE_MAX && es_pool_model(pool, own)->derived) {
        at[0] = own;
        return 1;
    }
    for (size_t i = 0; i < 2; i++) {
        own = find_derived(pool, name, endings[i]);
        if (own != SIZE_MAX)
            at[count++] = own;
    }
    return count;
}
