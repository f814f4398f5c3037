/* Reading a pool's files: mapped on first use, their rows given out, and watched while something is
 * computed from them.
 *
 * What is guaranteed of a computation between es_pool_watch_begin and an es_pool_watch_end that
 * succeeds: after its last read the contents had the digest under which its results are kept, and
 * from before its first read to that moment the file had the same device, inode, size and times. On
 * a local file system nobody but the administrator can put a change time back, so whoever writes to
 * the file meanwhile is seen even when he puts contents and modification time back. Where change
 * times come late (shared mappings) or not at all (some network folders), what is left is the
 * digest: contents that are others only while they are read, and right again afterwards, are not
 * seen there. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

enum { READ_BLOCK = 64 }; /* rows converted at once where columns are left out */
enum { TRIES = 4 };       /* of reading a file that somebody touches again and again */

const es_array *pool_array(const pool_item *item, const es_loaded *loaded) {
    return &loaded->tensors.items[item->tensor].array;
}

/* What a file with this one array would be. */
static es_status load_memory(const pool_item *item, es_loaded *out, es_error *err) {
    es_tensor *tensor = es_alloc_zero(1, sizeof *tensor);
    if (!tensor)
        return es_no_memory(err);
    tensor->array = item->memory;
    *out = (es_loaded){.tensors = {.items = tensor, .count = 1}};
    return ES_OK;
}

es_status pool_load(const pool_item *item, es_run *run, es_loaded *out, es_error *err) {
    const es_model *m = &item->model;
    es_loaded loaded = {0};
    if (item->memory.data)
        return load_memory(item, out, err);
    es_status st =
        es_loaded_open(m->path, item->ids_first ? ES_LOADED_IDS_FIRST : 0, run, &loaded, err);
    if (st != ES_OK)
        return st;
    if (item->bits && item->tensor < loaded.tensors.count &&
        (st = es_array_unpack_bits(&loaded.tensors.items[item->tensor].array, err)) != ES_OK) {
        es_loaded_close(&loaded);
        return st;
    }
    if (loaded.map.size != m->file_bytes || loaded.map.mtime_ns != m->mtime_ns ||
        item->tensor >= loaded.tensors.count || pool_array(item, &loaded)->n != m->rows ||
        pool_array(item, &loaded)->d != m->dim) {
        es_loaded_close(&loaded);
        return es_fail(err, ES_EIO, "%s: changed since the pool was opened; start again", m->file);
    }
    *out = loaded;
    return ES_OK;
}

es_status pool_verify(const pool_item *item, const es_loaded *loaded, es_run *run, es_error *err) {
    return es_npz_verify(&loaded->tensors.items[item->tensor], item->model.file, run, err);
}

es_status pool_check_loaded(const pool_item *item, const es_loaded *loaded, es_error *err) {
    if (item->memory.data || es_map_check(&loaded->map, item->model.path, NULL) == ES_OK)
        return ES_OK;
    return es_fail(err, ES_EIO, "%s: was changed or cut short while it was read; start again",
                   item->model.file);
}

es_status pool_check_digest(const pool_item *item, const es_loaded *loaded, const es_run *run,
                            es_error *err) {
    es_digest now;
    es_status st = es_array_digest(pool_array(item, loaded), run, &now, err);
    if (st == ES_OK)
        pool_ids_digest(item, &now);
    if (st == ES_OK && !es_digest_equal(now, item->model.digest))
        st = es_fail(err, ES_EIO, "%s: was changed since it was checked; start again",
                     item->model.file);
    return st;
}

/* ---- rows ---- */

/* Cheap enough for every row: what is gone reads as zeros. All else is es_pool_watch_end's. */
static es_status check_whole(const pool_item *item, es_error *err) {
    if (es_loaded_is_whole(&item->loaded))
        return ES_OK;
    return es_fail(err, ES_EIO, "%s: was cut short while it was read; start again",
                   item->model.file);
}

/* Of rows of so many columns: of giant ones one. */
static size_t at_once(size_t d) {
    enum { VALUES = 1 << 18 };
    size_t rows = VALUES / (d ? d : 1);
    return rows < 1 ? 1 : rows > READ_BLOCK ? READ_BLOCK : rows;
}

/* es_rows.read: rows of the row set, columns in use. */
static es_status read_rows(const void *context, const uint32_t *rows, size_t count, double *out,
                           es_error *err) {
    const pool_item *item = context;
    const uint32_t *map = item->pool->file_row;
    size_t d = item->model.dim, used = item->model.dim_used;
    if (!item->column && !map && !item->place) {
        es_array_read(pool_array(item, &item->loaded), rows, count, out);
        return check_whole(item, err);
    }
    uint32_t file_row[READ_BLOCK];
    size_t block = item->column ? at_once(d) : READ_BLOCK;
    double *whole = item->column ? es_alloc(block * d, sizeof *whole) : NULL;
    if (item->column && !whole)
        return es_no_memory_for(err, "%zu columns", d);
    for (size_t at = 0; at < count; at += block) {
        size_t n = count - at < block ? count - at : block;
        for (size_t i = 0; i < n; i++)
            file_row[i] = pool_place(item, map ? map[rows[at + i]] : rows[at + i]);
        double *to = out + at * used;
        es_array_read(pool_array(item, &item->loaded), file_row, n, whole ? whole : to);
        for (size_t i = 0; whole && i < n; i++)
            for (size_t j = 0; j < used; j++)
                to[i * used + j] = whole[i * d + item->column[j]];
    }
    es_free(whole);
    return check_whole(item, err);
}

/* es_rows.read: rows of the row set, all columns. */
static es_status read_whole_rows(const void *context, const uint32_t *rows, size_t count,
                                 double *out, es_error *err) {
    const pool_item *item = context;
    const uint32_t *map = item->pool->file_row;
    uint32_t file_row[READ_BLOCK];
    for (size_t at = 0; at < count; at += READ_BLOCK) {
        size_t n = count - at < READ_BLOCK ? count - at : READ_BLOCK;
        for (size_t i = 0; i < n; i++)
            file_row[i] = pool_place(item, map ? map[rows[at + i]] : rows[at + i]);
        es_array_read(pool_array(item, &item->loaded), file_row, n, out + at * item->model.dim);
    }
    return check_whole(item, err);
}

/* es_rows.read: rows of the files in the pool's order, all columns. */
static es_status read_file_rows(const void *context, const uint32_t *rows, size_t count,
                                double *out, es_error *err) {
    const pool_item *item = context;
    uint32_t file_row[READ_BLOCK];
    for (size_t at = 0; at < count; at += READ_BLOCK) {
        size_t n = count - at < READ_BLOCK ? count - at : READ_BLOCK;
        for (size_t i = 0; i < n; i++)
            file_row[i] = pool_place(item, rows[at + i]);
        es_array_read(pool_array(item, &item->loaded), file_row, n, out + at * item->model.dim);
    }
    return check_whole(item, err);
}

es_status es_pool_file_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err) {
    es_status st = es_pool_whole_rows_of(pool, index, out, err);
    if (st == ES_OK) {
        out->n = pool->common_rows;
        out->read = read_file_rows;
    }
    return st;
}

es_status es_pool_whole_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err) {
    es_status st = es_pool_rows_of(pool, index, out, err);
    if (st == ES_OK) {
        out->d = pool->item[index].model.dim;
        out->read = read_whole_rows;
    }
    return st;
}

es_status es_pool_rows_of(const es_pool *pool, size_t index, es_rows *out, es_error *err) {
    pool_item *item = &pool->item[index];
    es_pool *open = (es_pool *)pool; /* the map is a cache: logically nothing changes */
    es_status st = ES_OK;
    if (!pool->settled || item->model.state != ES_MODEL_READY)
        return es_fail(err, ES_EINVAL, "%s is not in use", item->model.name);
    pthread_mutex_lock(&open->lock);
    if (!item->mapped) {
        st = pool_load(item, NULL, &item->loaded, err);
        item->mapped = st == ES_OK;
    }
    pthread_mutex_unlock(&open->lock);
    if (st != ES_OK)
        return st;
    *out = (es_rows){.n = pool->rows,
                     .d = item->model.dim_used,
                     .kind = item->model.kind,
                     .id = item->model.digest.lo,
                     .context = item,
                     .read = read_rows};
    return ES_OK;
}

void es_pool_rest(const es_pool *pool, size_t index) {
    es_pool *open = (es_pool *)pool; /* as above */
    const pool_item *item = &pool->item[index];
    pthread_mutex_lock(&open->lock);
    if (item->mapped)
        es_loaded_rest(&item->loaded);
    pthread_mutex_unlock(&open->lock);
}

/* ---- watching ---- */

/* Notes size and times of the file, to see after reading whether it was changed meanwhile. */
static void note_file_state(const pool_item *item, es_pool_watch *out) {
    *out = (es_pool_watch){0};
    out->found =
        !item->memory.data && es_file_identify(item->model.path, 0, &out->before, NULL) == ES_OK;
}

/* A file of this very moment may be written to once more without its time showing it. */
void es_pool_watch_begin(const es_pool *pool, size_t index, es_pool_watch *out) {
    const int64_t tick = 20000000, second = 1000000000; /* kernels count in steps of 1 to 10 ms */
    struct timespec now;
    note_file_state(&pool->item[index], out);
    if (!out->found || clock_gettime(CLOCK_REALTIME, &now) != 0)
        return;
    int64_t age = (int64_t)now.tv_sec * second + (int64_t)now.tv_nsec - out->before.ctime_ns;
    if (age < 0 || age >= tick)
        return;
    (void)nanosleep(&(struct timespec){0, (long)(tick - age)}, NULL);
    note_file_state(&pool->item[index], out);
}

es_status es_pool_watch_end(const es_pool *pool, size_t index, const es_pool_watch *watch,
                            const es_run *run, es_error *err) {
    const pool_item *item = &pool->item[index];
    es_pool_watch now;
    es_status st = pool_check_digest(item, &item->loaded, run, err);
    if (st != ES_OK)
        return st;
    note_file_state(item, &now);
    if (now.found == watch->found && (!now.found || es_map_same_file(&now.before, &watch->before)))
        return ES_OK;
    return es_fail(err, ES_EBUSY, "%s: is written to or touched again and again while it is read",
                   item->model.file);
}

es_status es_pool_read_watched(const es_pool *pool, size_t index, const es_run *run,
                               es_pool_reader reader, es_pool_undo undo, void *context,
                               es_error *err) {
    es_status st = ES_EBUSY;
    for (int i = 0; i < TRIES && st == ES_EBUSY; i++) {
        es_pool_watch watch;
        es_error why = {0};
        es_pool_watch_begin(pool, index, &watch);
        es_status done = reader(context, err);
        if (done == ES_ENOMEM || done == ES_ECANCELED)
            return done;
        st = es_pool_watch_end(pool, index, &watch, run, &why);
        if (st == ES_OK)
            return done; /* the reader's own failure, of the right contents */
        if (done == ES_OK && undo)
            undo(context);
        (void)es_fail(err, st, "%s", why.message);
    }
    return st == ES_EBUSY ? ES_EIO : st;
}

typedef struct whole_read {
    const es_rows *rows;
    es_matrix *out;
} whole_read;

static es_status read_whole(void *context, es_error *err) {
    const whole_read *w = context;
    return es_matrix_read(w->rows, NULL, w->rows->n, w->out, err);
}

static void undo_whole(void *context) {
    es_matrix_free(((whole_read *)context)->out);
}

es_status es_pool_matrix(const es_pool *pool, size_t index, const es_run *run, es_matrix *out,
                         es_error *err) {
    es_rows rows = {0};
    whole_read w = {&rows, out};
    es_status st = es_pool_whole_rows_of(pool, index, &rows, err);
    if (st == ES_OK) {
        st = es_pool_read_watched(pool, index, run, read_whole, undo_whole, &w, err);
        es_pool_rest(pool, index);
    }
    return st;
}

/* ---- looks ---- */

/* What was seen of a pool's files, from process to process: a file of the user's state folder that
 * ends with the digest of what is before it. Without it, or with a damaged one, all files are read
 * again. */

void pool_looks_read(es_pool *pool) {
    char *path = NULL, *bytes = NULL;
    size_t size = 0, tail = sizeof(es_digest);
    es_digest digest;
    if (pool->looks && es_state_pool_path("looks", pool->root, NULL, &path, NULL) == ES_OK &&
        es_state_read(path, &bytes, &size, NULL) == ES_OK && size >= tail) {
        memcpy(&digest, bytes + size - tail, tail);
        if (es_digest_equal(digest, es_digest_bytes(bytes, size - tail)))
            es_looks_unpack(pool->looks, bytes, size - tail);
    }
    es_free(bytes);
    es_free(path);
}

void es_pool_looks_write(es_pool *pool) {
    es_buf bytes = {0};
    char *path = NULL;
    es_error why = {0};
    es_status st = ES_OK;
    if (!pool->looks || !pool->looked)
        return;
    for (size_t i = 0; i < pool->count; i++)
        es_looks_pack(pool->looks, pool->item[i].question, &bytes);
    pool->looked = false;
    if (bytes.length == 0)
        goto done;
    const es_digest digest = es_digest_bytes(bytes.data, bytes.length);
    es_buf_add(&bytes, &digest, sizeof digest);
    st = bytes.failed ? es_no_memory(&why)
                      : es_state_pool_path("looks", pool->root, NULL, &path, &why);
    if (st == ES_OK)
        st = es_state_write(path, bytes.data, bytes.length, &why);
    if (st == ES_OK)
        es_state_expire(path);
    else
        es_log_write(pool->log, ES_LOG_WARN, "what was seen of the files is not kept: %s",
                     why.message);
done:
    es_free(path);
    es_buf_free(&bytes);
}

/* ---- files of a vector each ---- */

/* Reads .npy files of one vector each as rows of one matrix in memory, with their names as ids. */

/* Paths below the pool, sorted. */
static es_status list_files(const char *root, const char *pattern, es_words *out, es_error *err) {
    const char *last = es_path_base(pattern);
    char *folder = es_strndup(pattern, last > pattern ? (size_t)(last - pattern - 1) : 0);
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
    es_words_sort(out);
    return st;
}

/* Row i of `values`, which is made for the first one's length. */
static es_status read_one(const char *root, const es_words *files, size_t i, double **values,
                          size_t *d, es_error *err) {
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
                     es_path_shown(path).text, array.d, *d);
    if (st == ES_OK)
        es_array_read_range(&array, 0, 1, *values + i * *d);
    es_map_close(&map);
    return st;
}

static es_status push_stem(const char *path, es_row_ids *ids, es_error *err) {
    const char *last = es_path_base(path);
    const char *dot = strrchr(last, '.');
    return es_row_ids_push(ids, last, dot && dot > last ? (size_t)(dot - last) : strlen(last), err);
}

es_status pool_vectors_read(const char *root, const char *pattern, es_tensor *out, es_error *err) {
    es_words files = {0};
    es_tensor tensor = {0};
    double *values = NULL;
    size_t d = 0;
    es_status st = list_files(root, pattern, &files, err);
    if (st == ES_OK && files.count == 0)
        st = es_fail(err, ES_ENOTFOUND, "%s: no such files, although pool.json lists them",
                     es_path_shown(pattern).text);
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
