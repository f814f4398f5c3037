/* The table of formats of embedder files and the choice between them by the ending of a name. */

#include <string.h>

#include "io_readers_parts.h"

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

/* What stands behind the one array is not read, and told. */
static es_status note_rest(const es_map *map, const es_array *first, es_tensors *out,
                           es_error *err) {
    size_t arrays = 0, rest = es_npy_rest(map, first, &arrays);
    es_buf note = {0};
    if (rest == 0)
        return ES_OK;
    es_buf_printf(&note, "%zu bytes after its %zu rows are not read", rest, first->n);
    if (arrays > 0)
        es_buf_printf(&note,
                      ": %zu arrays stand in it one behind the other; join them: f = open(FILE, "
                      "'rb'); np.save(NEW, np.concatenate([np.load(f) for _ in range(%zu)]))",
                      arrays + 1, arrays + 1);
    return es_buf_give(&note, &out->note, err);
}

static es_status load_npy(const es_map *map, const char *path, es_run *run, es_tensors *out,
                          es_error *err) {
    (void)run;
    es_array array = {0};
    es_tensors tensors = {0};
    es_status st = es_npy_parse(map, path, &array, err);
    if (st == ES_EUNSUPPORTED && es_npy_holds_objects(map))
        return es_format_refuse(ES_FILE_OBJECTS, path, "an .npy file", err);
    if (st == ES_OK)
        st = single(&array, &tensors, err);
    if (st == ES_OK)
        st = note_rest(map, &tensors.items[0].array, &tensors, err);
    if (st == ES_OK)
        *out = tensors;
    else
        es_tensors_deinit(&tensors);
    return st;
}

static es_status load_safetensors(const es_map *map, const char *path, es_run *run, es_tensors *out,
                                  es_error *err) {
    (void)run;
    return es_safetensors_parse(map, path, out, err);
}

static es_status load_npz(const es_map *map, const char *path, es_run *run, es_tensors *out,
                          es_error *err) {
    (void)run;
    return es_npz_parse(map, path, out, err);
}

/* A table of numbers, or one with a vector in a cell. */
static bool looks_like_table(const es_map *map, const char *path) {
    return es_table_looks(map, path) ||
           (!es_table_is_other(path) && es_list_table_looks(map, path));
}

static es_status load_table(const es_map *map, const char *path, es_run *run, es_tensors *out,
                            es_error *err) {
    return es_list_table_looks(map, path) ? es_list_table_parse(map, path, run, out, err)
                                          : es_table_tensors(map, path, run, out, err);
}

static es_status fill_table(const es_filling *f, es_error *err) {
    return es_list_table_looks(f->map, f->path) ? es_list_table_fill(f, err)
                                                : es_table_fill(f, err);
}

#ifdef ES_HDF5_LIBRARY
#define LOAD_HDF5 es_hdf5_parse
#define FILL_HDF5 es_hdf5_fill
#else
#define LOAD_HDF5 NULL
#define FILL_HDF5 NULL
#endif

static const es_loader loaders[] = {
    {".npy", "an .npy file", NULL, load_npy, NULL, 0},
    {".safetensors", "a safetensors file", NULL, load_safetensors, NULL, 0},
    {".npz", "an .npz archive", NULL, load_npz, es_npz_fill, 0},
    {".jsonl", "JSON lines", es_jsonl_looks, es_jsonl_parse, es_jsonl_fill, 0},
    {".ndjson", "JSON lines", es_jsonl_looks, es_jsonl_parse, es_jsonl_fill, 0},
    {".csv", "a csv file", looks_like_table, load_table, fill_table, 0},
    {".tsv", "a tsv file", looks_like_table, load_table, fill_table, 0},
    {".vec", "lines of vectors", NULL, es_word_text_parse, es_word_text_fill, 0},
    {".txt", "lines of vectors", es_word_text_looks, es_word_text_parse, es_word_text_fill, 0},
    {".emb", "vectors of words", es_word_looks, es_word_parse, es_word_fill, 0},
    {".emd", "vectors of words", es_word_looks, es_word_parse, es_word_fill, 0},
    {".w2v", "vectors of words", es_word_looks, es_word_parse, es_word_fill, 0},
    {".bin", "word2vec's binary format", es_word_binary_looks, es_word_binary_parse,
     es_word_binary_fill, 0},
    {".pt", "an .npy file", NULL, NULL, NULL, ES_FILE_TORCH},
    {".pth", "an .npy file", NULL, NULL, NULL, ES_FILE_TORCH},
    {".pkl", "an .npy file", NULL, NULL, NULL, ES_FILE_PICKLE},
    {".pickle", "an .npy file", NULL, NULL, NULL, ES_FILE_PICKLE},
    {".h5", "an HDF5 file", NULL, LOAD_HDF5, FILL_HDF5, ES_FILE_HDF5},
    {".hdf5", "an HDF5 file", NULL, LOAD_HDF5, FILL_HDF5, ES_FILE_HDF5},
    {".h5ad", "an HDF5 file", NULL, LOAD_HDF5, FILL_HDF5, ES_FILE_HDF5},
    {".parquet", "an .npy file", NULL, NULL, NULL, ES_FILE_PARQUET},
    {".feather", "an .npy file", NULL, NULL, NULL, ES_FILE_ARROW},
    {".arrow", "an .npy file", NULL, NULL, NULL, ES_FILE_ARROW},
    {".mat", "a MATLAB file", NULL, LOAD_HDF5, FILL_HDF5, ES_FILE_MAT}, /* from 7.3 on */
    {".index", "an .npy file", NULL, NULL, NULL, ES_FILE_FAISS},
    {".faiss", "an .npy file", NULL, NULL, NULL, ES_FILE_FAISS},
    {".npy.gz", "an .npy file", NULL, NULL, NULL, ES_FILE_GZIP},
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

/* What the content says where that is plain, else what the name says. */
static es_status refuse(const es_map *map, const char *path, const es_loader *loader,
                        es_error *err) {
    es_format format = es_format_of(map);
    bool vague = format == ES_FILE_UNKNOWN || format == ES_FILE_TEXT || format == ES_FILE_ZIP ||
                 format == ES_FILE_PICKLE;
    if (loader && vague)
        format = loader->refused;
    return es_format_refuse(format, path, loader ? loader->wanted : "a file of embeddings", err);
}

static es_status load(const es_map *map, const char *path, unsigned flags, bool values, es_run *run,
                      es_tensors *out, es_error *err) {
    const es_loader *loader = es_loader_find(path);
    if (!loader || !loader->load)
        return refuse(map, path, loader, err);
    if (loader->fill)
        es_run_begin(run, NULL, "counting its rows");
    es_status st = loader->load(map, path, run, out, err);
    if (st == ES_OK && (flags & ES_LOADED_IDS_FIRST))
        es_tensors_take_column(out);
    if (st == ES_OK && values && loader->fill)
        st = es_convert(map, path, loader->ending, loader->fill, run, out, err);
    return st;
}

static es_status open_file(const char *path, unsigned flags, bool values, es_run *run,
                           es_loaded *out, es_error *err) {
    es_status st = ES_OK;
    es_loaded loaded = {0};
    es_error changed = {0};
    ES_TRY(es_map_open(path, flags, &loaded.map, err));
    st = load(&loaded.map, path, flags, values, run, &loaded.tensors, err);
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

es_status es_loaded_open(const char *path, unsigned flags, es_run *run, es_loaded *out,
                         es_error *err) {
    return open_file(path, flags, true, run, out, err);
}

es_status es_loaded_head(const char *path, unsigned flags, es_run *run, es_loaded *out,
                         es_error *err) {
    return open_file(path, flags, false, run, out, err);
}

bool es_loaded_is_whole(const es_loaded *loaded) {
    for (size_t i = 0; i < loaded->tensors.count; i++)
        if (!es_map_is_whole(&loaded->tensors.items[i].map))
            return false;
    return es_map_is_whole(&loaded->map);
}

void es_loaded_rest(const es_loaded *loaded) {
    es_map_rest(&loaded->map);
    for (size_t i = 0; i < loaded->tensors.count; i++)
        es_map_rest(&loaded->tensors.items[i].map);
}

void es_loaded_close(es_loaded *loaded) {
    es_tensors_deinit(&loaded->tensors);
    es_map_close(&loaded->map);
}
