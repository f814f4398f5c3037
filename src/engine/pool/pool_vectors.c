/* Reads .npy files of one vector each as rows of one matrix in memory, with their names as ids. */
#include "engine_pool_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "engine_place.h"

static int compare_words(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Paths below the pool, sorted. */
static es_status list_files(const char *root, const char *pattern, es_words *out, es_error *err) {
    const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
    char *folder = es_strndup(pattern, slash ? (size_t)(slash - pattern) : 0);
    char *full = folder ? es_path_join(root, folder) : NULL;
    DIR *dir = full ? opendir(full) : NULL;
    es_status st = full ? ES_OK : es_no_memory(err);
    for (struct dirent *e; dir && st == ES_OK && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.' || !es_text_glob(last, e->d_name))
            continue;
        char *path = *folder ? es_path_join(folder, e->d_name) : es_strdup(e->d_name);
        if (path && pool_contains(root, path, NULL) != ES_OK)
            es_free(path);
        else
            st = es_words_take(out, path, err);
    }
    if (dir)
        (void)closedir(dir);
    es_free(folder);
    es_free(full);
    if (out->count > 1)
        qsort(out->word, out->count, sizeof *out->word, compare_words);
    return st;
}

/* Row i of `values`, which is made for the first one's length. */
static es_status read_one(const char *root, const es_words *files, size_t i, double **values,
                          size_t *d, es_error *err) {
    char label[ES_PATH_LABEL];
    const char *path = files->word[i];
    es_map map = {0};
    es_array array = {0};
    char *full = es_path_join(root, path);
    es_status st = full ? es_map_open(full, 0, &map, err) : es_no_memory(err);
    es_free(full);
    if (st == ES_OK)
        st = es_npy_parse_vector(&map, path, &array, err);
    if (st == ES_OK && i == 0) {
        *d = array.d;
        *values = es_alloc(files->count, *d * sizeof **values);
        st = *values ? ES_OK : es_no_memory_for(err, "%zu rows", files->count);
    }
    if (st == ES_OK && array.d != *d)
        st = es_fail(err, ES_EFORMAT, "%s: %zu values, the first file has %zu",
                     es_path_label(label, path), array.d, *d);
    if (st == ES_OK)
        es_array_read_range(&array, 0, 1, *values + i * *d);
    es_map_close(&map);
    return st;
}

static es_status push_stem(const char *path, es_row_ids *ids, es_error *err) {
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    const char *dot = strrchr(last, '.');
    return es_row_ids_push(ids, last, dot && dot > last ? (size_t)(dot - last) : strlen(last), err);
}

es_status pool_vectors_read(const char *root, const char *pattern, es_tensor *out, es_error *err) {
    char label[ES_PATH_LABEL];
    es_words files = {0};
    es_tensor tensor = {0};
    double *values = NULL;
    size_t d = 0;
    es_status st = list_files(root, pattern, &files, err);
    if (st == ES_OK && files.count == 0)
        st = es_fail(err, ES_ENOTFOUND, "%s: no such files, although pool.json lists them",
                     es_path_label(label, pattern));
    tensor.ids = st == ES_OK ? es_alloc_zero(1, sizeof *tensor.ids) : NULL;
    if (st == ES_OK && !tensor.ids)
        st = es_no_memory(err);
    for (size_t i = 0; i < files.count && st == ES_OK; i++) {
        st = read_one(root, &files, i, &values, &d, err);
        if (st == ES_OK)
            st = push_stem(files.word[i], tensor.ids, err);
    }
    if (st == ES_OK) {
        tensor.array = es_array_own(values, files.count, d);
        *out = tensor;
    } else {
        es_free(values);
        es_row_ids_free(tensor.ids);
    }
    es_words_deinit(&files);
    return st;
}
