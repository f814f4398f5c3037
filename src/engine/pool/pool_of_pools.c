/* A folder may be one pool with folders in it, as names of owners are (intfloat/e5), or a folder of
 * pools, each over data of its own. Files rarely say which: a subfolder with rows.csv, pool.json or
 * results of its own is a pool, and so are two that hold embedders of one name over different
 * numbers of rows. Over equal numbers both can be meant: pool_folders.c asks. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

enum { FOLDERS_MOST = 256 };

static bool has_file(const char *folder, const char *name) {
    struct stat info;
    char *path = es_path_join(folder, name);
    bool found = path && stat(path, &info) == 0;
    es_free(path);
    return found;
}

static bool is_marked(const char *folder) {
    return has_file(folder, "rows.csv") || has_file(folder, "pool.json") ||
           has_file(folder, ".embedscope");
}

static int by_name(const void *x, const void *y) {
    return es_text_natural_cmp(*(char *const *)x, *(char *const *)y);
}

/* The subfolders of `path`; none where an embedder lies beside them. */
static es_status list_folders(const char *path, es_words *out, es_error *err) {
    es_status st = ES_OK;
    bool embedder = false;
    DIR *dir = opendir(path);
    if (!dir)
        return ES_OK; /* whoever opens it says why */
    for (struct dirent *e; st == ES_OK && !embedder && (e = readdir(dir)) != NULL;) {
        const es_loader *loader = es_loader_find(e->d_name);
        char *full = e->d_name[0] == '.' ? NULL : es_path_join(path, e->d_name);
        if (full && es_path_is_folder(full) && out->count < FOLDERS_MOST)
            st = es_words_add(out, full, err);
        else if (full && loader && !loader->looks)
            embedder = true;
        es_free(full);
    }
    closedir(dir);
    if (embedder)
        es_words_deinit(out);
    else if (out->count > 1)
        qsort(out->word, out->count, sizeof *out->word, by_name);
    return st;
}

/* True if two pools hold an embedder of one name with different numbers of rows. */
static bool differ(const es_pool *a, const es_pool *b) {
    for (size_t i = 0; a->common_rows != b->common_rows && i < a->count; i++)
        if (a->item[i].model.state != ES_MODEL_EXCLUDED &&
            es_pool_find(b, a->item[i].model.name) != SIZE_MAX)
            return true;
    return false;
}

/* Leaves those that hold embedders; true: they are pools. */
static es_status judge(es_words *folders, bool *are_pools, es_error *err) {
    static const es_pool_options options = {.may_be_empty = true};
    es_pool **pool = es_alloc_zero(folders->count, sizeof(es_pool *));
    es_words kept = {0};
    size_t marked = 0, count = 0;
    es_status st = pool ? ES_OK : es_no_memory(err);
    *are_pools = false;
    for (size_t i = 0; st == ES_OK && i < folders->count; i++) {
        es_pool *one = NULL;
        if (es_pool_open(folders->word[i], &options, &one, NULL) != ES_OK ||
            one->common_rows == 0) {
            es_pool_close(one);
            continue;
        }
        marked += is_marked(folders->word[i]);
        for (size_t k = 0; k < count; k++)
            *are_pools = *are_pools || differ(one, pool[k]);
        pool[count++] = one;
        st = es_words_add(&kept, folders->word[i], err);
    }
    *are_pools = *are_pools || marked > 1;
    for (size_t k = 0; k < count; k++)
        es_pool_close(pool[k]);
    es_free(pool);
    es_words_deinit(folders);
    *folders = kept;
    return st;
}

es_status es_pool_folders(const char *path, es_words *out, es_error *err) {
    es_words folders = {0};
    bool are_pools = false;
    es_status st = ES_OK;
    if (!es_path_is_folder(path) || has_file(path, "pool.json") || has_file(path, "rows.csv"))
        return ES_OK;
    st = list_folders(path, &folders, err);
    if (st == ES_OK && folders.count > 1)
        st = judge(&folders, &are_pools, err);
    if (st == ES_OK && are_pools && folders.count > 1) {
        *out = folders;
        return ES_OK;
    }
    es_words_deinit(&folders);
    return st;
}

es_status es_pool_all_folders(const char *path, es_words *out, es_error *err) {
    es_words folders = {0};
    bool are_pools = false;
    es_status st = list_folders(path, &folders, err);
    if (st == ES_OK)
        st = judge(&folders, &are_pools, err);
    if (st == ES_OK)
        *out = folders;
    else
        es_words_deinit(&folders);
    return st;
}
