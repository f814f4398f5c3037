/* One pool with folders in it: row i of one is taken for row i of the others, which is said, and
 * asked where the folders hold embedders of one name. */
#include <stdlib.h>
#include <string.h>

#include "engine_pool_parts.h"

enum { FOLDERS_MOST = 256, NAMED_MOST = 3 };

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
                  "%s: %zu folders with embedders over %zu rows each; row i of one is taken "
                  "for row i of the others.",
                  folders.count > NAMED_MOST ? ", ..." : "", folders.count, pool->common_rows);
    pool->asks_folders = one != NULL;
    if (one)
        es_buf_printf(
            &text,
            " %.60s and %.60s have one name: if the folders are other data, put a "
            "rows.csv or pool.json into each, or name them: `embedscope rank FOLDER1 "
            "FOLDER2`. If the rows are the same, \"same_rows\": true in pool.json says so",
            one->model.name, other->model.name);
    if (!text.failed)
        pool_warn(pool, "%s", text.data);
    if (one && pool->warnings.count > 0)
        pool->folders_warning = pool->warnings.count - 1;
done:
    es_words_deinit(&folders);
    es_buf_free(&text);
}

const char *es_pool_folders_question(const es_pool *pool) {
    return pool && pool->asks_folders ? es_pool_warning(pool, pool->folders_warning) : NULL;
}
