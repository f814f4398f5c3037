/* Where derived embedders lie, what their files are called, and the .json that lists each. */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine_pool_parts.h"
#include "engine_place.h"

void es_derived_stem(const char *name, char out[ES_DERIVED_STEM]) {
    const size_t capacity = ES_DERIVED_STEM;
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
    char hex[ES_DIGEST_HEX];
    bool changed = name[0] == '.' || strlen(name) > capacity - 24;
    size_t n = 0;
    for (; n < capacity - 24 && name[n]; n++) {
        bool keep = strchr(plain, name[n]) && !(n == 0 && name[n] == '.');
        out[n] = keep ? name[n] : '_';
        changed = changed || !keep;
    }
    out[n] = '\0';
    if (changed)
        (void)snprintf(out + n, capacity - n, "-%.8s",
                       es_digest_hex(es_digest_bytes(name, strlen(name)), hex));
}

static bool is_named(const derived_list *list, const char *file) {
    bool named = false;
    for (size_t i = 0; i < list->count && !named; i++)
        named = strcmp(list->entry[i].file, file) == 0 ||
                (list->entry[i].model && strcmp(list->entry[i].model, file) == 0);
    return named;
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), own = strlen(ending);
    return length > own && strcmp(name + length - own, ending) == 0;
}

/* What a removal was killed in the middle of: a matrix or weights that no entry names, ours and a
 * day old. When an entry cannot be read it may name any of them. */
static void sweep(const char *folder) {
    enum { DAY = 24 * 60 * 60 };
    derived_list list = {0};
    time_t now = time(NULL);
    es_file_sweep(folder);
    DIR *dir =
        derived_list_read(folder, &list, NULL) == ES_OK && !list.problem ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        struct stat info;
        bool ours = ends_with(e->d_name, ".npy") || ends_with(e->d_name, ".safetensors");
        if (ours && !is_named(&list, e->d_name) &&
            fstatat(dirfd(dir), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid() && now - info.st_mtime > DAY)
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (dir)
        (void)closedir(dir);
    derived_list_deinit(&list);
}

es_status es_derived_folder(const es_pool *pool, char **out, es_error *err) {
    struct stat info;
    char label[ES_PATH_LABEL], *results = NULL, *folder = NULL;
    es_status st = es_store_place_write(es_pool_path(pool), &results, err);
    if (st != ES_OK)
        return st;
    char *slash = strrchr(results, '/');
    if (slash)
        *slash = '\0';
    folder = es_path_join(results, "derived");
    es_free(results);
    if (!folder)
        return es_no_memory(err);
    st = es_dir_make(folder, err);
    if (st == ES_OK && (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
        st = es_fail(err, ES_EIO, "%s: is a symbolic link; remove it",
                     es_path_label(label, folder)); /* to anywhere */
    if (st != ES_OK) {
        es_free(folder);
        return st;
    }
    sweep(folder);
    *out = folder;
    return ES_OK;
}

static void put_source(es_json *json, const es_model *m) {
    char hex[ES_DIGEST_HEX];
    es_json_begin_object(json, NULL);
    es_json_text(json, "name", m->name);
    es_json_text(json, "digest", es_digest_hex(m->digest, hex));
    es_json_end(json);
}

es_status es_derived_list_side(const es_pool *pool, const char *folder, const es_derived_side *side,
                               es_error *err) {
    char file[ES_DERIVED_STEM + 8];
    es_buf out = {0};
    es_json json;
    es_json_init(&json, &out, 2);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "name", side->name);
    (void)snprintf(file, sizeof file, "%s.npy", side->stem);
    es_json_text(&json, "file", file);
    if (side->family)
        es_json_text(&json, "family", side->family);
    es_json_text(&json, "notes", side->notes);
    if (side->recipe)
        es_json_text(&json, "recipe", side->recipe);
    if (side->model)
        es_json_text(&json, "model", side->model);
    es_json_uint(&json, "seed", side->seed);
    es_json_begin_array(&json, "sources");
    for (size_t k = 0; k < side->n_sources; k++)
        put_source(&json, es_pool_model(pool, side->source[k]));
    es_json_end(&json);
    es_json_end(&json);
    es_buf_putc(&out, '\n');
    es_status st = es_buf_check(&out, err);
    (void)snprintf(file, sizeof file, "%s.json", side->stem);
    char *path = es_path_join(folder, file);
    if (st == ES_OK && !path)
        st = es_no_memory(err);
    if (st == ES_OK)
        st = es_file_replace(path, out.data, out.length, 0600, err);
    es_buf_free(&out);
    es_free(path);
    return st;
}
