/* The table of formats of embedder files and the choice between them by the ending of a name. */
#include "loader.h"

#include <string.h>

#include "alloc.h"
#include "format.h"
#include "npy.h"
#include "table.h"
#include "text.h"

/* A container for one array; takes it over. */
static es_status single(es_array *array, es_tensors *out, es_error *err) {
    es_tensor *item = es_alloc_zero(1, sizeof *item);
    if (!item) {
        es_array_deinit(array);
        return es_no_memory(err);
    }
    item->array = *array;
    *out = (es_tensors){.items = item, .count = 1};
    return ES_OK;
}

static es_status load_npy(const es_map *map, const char *path, const es_run *run, es_tensors *out,
                          es_error *err) {
    (void)run;
    es_array array = {0};
    es_status st = es_npy_parse(map, path, &array, err);
    return st == ES_OK ? single(&array, out, err) : st;
}

static es_status load_table(const es_map *map, const char *path, const es_run *run, es_tensors *out,
                            es_error *err) {
    es_array array = {0};
    es_status st = es_table_array(map->data, map->size, path, run, &array, err);
    return st == ES_OK ? single(&array, out, err) : st;
}

static es_status load_safetensors(const es_map *map, const char *path, const es_run *run,
                                  es_tensors *out, es_error *err) {
    (void)run;
    return es_safetensors_parse(map, path, out, err);
}

static const es_loader loaders[] = {
    {".npy", "an .npy file", false, load_npy},
    {".safetensors", "a safetensors file", false, load_safetensors},
    {".csv", "a csv file", true, load_table},
    {".tsv", "a tsv file", true, load_table},
    {".pt", "an .npy file", false, NULL},
    {".pth", "an .npy file", false, NULL},
    {".pkl", "an .npy file", false, NULL},
    {".npz", "an .npy file", false, NULL},
    {".h5", "an .npy file", false, NULL},
    {".hdf5", "an .npy file", false, NULL},
    {".parquet", "an .npy file", false, NULL},
    {".feather", "an .npy file", false, NULL},
    {".npy.gz", "an .npy file", false, NULL},
};

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length <= tail || path[length - tail - 1] == '/')
        return false;
    for (size_t i = 0; i < tail; i++)
        if (es_ascii_lower(path[length - tail + i]) != ending[i])
            return false;
    return true;
}

const es_loader *es_loader_find(const char *path) {
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        if (ends_with(path, loaders[i].ending))
            return &loaders[i];
    return NULL;
}

size_t es_loader_stem(const char *path) {
    const es_loader *loader = es_loader_find(path);
    return strlen(path) - (loader ? strlen(loader->ending) : 0);
}

es_status es_loaded_open(const char *path, unsigned flags, const es_run *run, es_loaded *out,
                         es_error *err) {
    es_status st = ES_OK;
    es_loaded loaded = {0};
    es_error changed = {0};
    const es_loader *loader = es_loader_find(path);
    ES_TRY(es_map_open(path, flags, &loaded.map, err));
    if (!loader || !loader->load)
        st = es_format_refuse(es_format_of(&loaded.map), path,
                              loader ? loader->wanted : "a file of embeddings", err);
    else
        st = loader->load(&loaded.map, path, run, &loaded.tensors, err);
    /* Of a file that was cut short meanwhile the parser saw zeros: that is the better reason. */
    if (st != ES_ENOMEM && st != ES_ECANCELED && es_map_check(&loaded.map, path, &changed) != ES_OK)
        st = es_fail(err, changed.code, "%s", changed.message);
    if (st != ES_OK)
        goto done;
    *out = loaded;
    memset(&loaded, 0, sizeof loaded);
done:
    es_loaded_close(&loaded);
    return st;
}

void es_loaded_close(es_loaded *loaded) {
    es_tensors_deinit(&loaded->tensors);
    es_map_close(&loaded->map);
}
