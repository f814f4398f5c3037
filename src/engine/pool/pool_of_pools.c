/* A folder may be one pool with folders in it, as names of owners are (intfloat/e5), or a folder of
 * pools, each over data of its own. Files rarely say which: a subfolder with rows.csv, pool.json or
 * results of its own is a pool, and so are two that hold embedders of one name over different
 * numbers of rows. Over equal numbers both can be meant: a finding asks the user. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

enum { FOLDERS_MOST = 256, NAMED_MOST = 3 };

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

/* ---- folders of one pool ---- */

/* One pool with folders in it: row i of one is taken for row i of the others. A finding reports
 * that, and asks if the folders hold embedders of one name. */

/* Length of the first folder in a model's file; 0: it lies in the pool itself. */
static size_t folder_of(const pool_item *item) {
    const char *file = item->model.file, *slash = file ? strchr(file, '/') : NULL;
    bool counts = item->model.state != ES_MODEL_EXCLUDED && !item->model.derived;
    return counts && slash ? (size_t)(slash - file) : 0;
}

/* By the path below the first folder. */
static int by_path_below(const void *x, const void *y) {
    const pool_item *a = *(const pool_item *const *)x, *b = *(const pool_item *const *)y;
    return strcmp(a->model.file + folder_of(a), b->model.file + folder_of(b));
}

/* Two that have the same path below different folders. */
static void find_same_name(const es_pool *pool, const pool_item **one, const pool_item **other) {
    const pool_item **item = es_alloc(pool->count, sizeof(const pool_item *));
    size_t n = 0;
    for (size_t i = 0; item && i < pool->count; i++)
        if (folder_of(&pool->item[i]) > 0)
            item[n++] = &pool->item[i];
    if (n > 1)
        qsort((void *)item, n, sizeof(const pool_item *), by_path_below);
    for (size_t i = 1; i < n && *one == NULL; i++)
        if (by_path_below(&item[i - 1], &item[i]) == 0) {
            bool first = item[i - 1] < item[i]; /* in the pool's order */
            *one = item[first ? i - 1 : i];
            *other = item[first ? i : i - 1];
        }
    es_free(item);
}

/* The first folders that embedders lie in, as the files have them. */
static void list_first(const es_pool *pool, es_words *out) {
    for (size_t i = 0; i < pool->count; i++) {
        size_t length = folder_of(&pool->item[i]);
        bool known = length == 0 || out->count >= FOLDERS_MOST;
        for (size_t k = 0; k < out->count && !known; k++)
            known = strlen(out->word[k]) == length &&
                    memcmp(out->word[k], pool->item[i].model.file, length) == 0;
        if (!known)
            (void)es_words_take(out, es_strndup(pool->item[i].model.file, length), NULL);
    }
}

void pool_warn_folders(es_pool *pool) {
    const pool_item *one = NULL, *other = NULL;
    es_words folders = {0};
    es_buf text = {0};
    find_same_name(pool, &one, &other);
    list_first(pool, &folders);
    if (folders.count < 2)
        goto done;
    for (size_t k = 0; k < folders.count && k < NAMED_MOST; k++)
        es_buf_printf(&text, "%s%.60s", k ? ", " : "", folders.word[k]);
    es_buf_printf(&text,
                  "%s: %zu folders with embedders over %zu rows each, and row i of one is taken "
                  "for row i of the others",
                  folders.count > NAMED_MOST ? ", ..." : "", folders.count, pool->common_rows);
    if (one)
        es_buf_printf(
            &text,
            ", though %.60s and %.60s have one name; if the folders are other data, put a "
            "rows.csv or pool.json into each, or name them: `embedscope rank FOLDER1 "
            "FOLDER2`. If the rows are the same, \"same_rows\": true in pool.json says so",
            one->model.name, other->model.name);
    if (!text.failed)
        pool_report_line(pool, (pool_finding){one ? POOL_FOLDERS : POOL_NOTED, .whole = !one}, NULL,
                         text.data);
done:
    es_words_deinit(&folders);
    es_buf_free(&text);
}
