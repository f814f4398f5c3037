/* Files are filled through a shared map, whose pages go to the disk while it is filled, and get
 * their name when they are whole: who is killed leaves nothing that could be taken for values. */
#define _XOPEN_SOURCE 700
#include "io_readers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The digest of the values stands behind them. */
enum { HEADER = 128, VERSION = 2, SEAL = sizeof(es_digest), DAY = 24 * 60 * 60, KEPT_DAYS = 30 };

void es_filling_wrote(const es_filling *f, size_t bytes) {
    es_map_watch_use(f->watch, bytes);
}

es_status es_text_matrix(es_status st, const char *path, size_t n, size_t d, es_row_ids *ids,
                         es_tensor *tensor, es_tensors *out, es_error *err) {
    char label[ES_PATH_LABEL];
    es_path_label(label, path);
    if (st == ES_OK && (st = es_array_check(n, d, ES_DTYPE_F64, SIZE_MAX, err)) != ES_OK)
        es_error_prefix(err, label);
    if (st != ES_OK) {
        es_row_ids_free(ids);
        es_free(tensor);
        return st;
    }
    *tensor = (es_tensor){
        .array = {.n = n, .d = d, .dtype = ES_DTYPE_F64, .big_endian = es_host_is_big_endian()},
        .ids = ids};
    *out = (es_tensors){.items = tensor, .count = 1};
    return ES_OK;
}

es_status es_column_ids_offer(es_column_ids *column, const char *heading, es_tensors *tensors,
                              es_error *err) {
    bool may = false, added;
    es_status st = es_column_ids_settle(column, &may, err);
    if (st == ES_OK && may)
        st = es_row_ids_make_whole(&column->ids, err);
    if (st == ES_OK && may)
        st = es_tensors_add_maybe(tensors, heading, true, &column->ids, &added, err);
    if (st != ES_OK)
        es_tensors_deinit(tensors);
    return st;
}

es_status es_text_ended(const es_filling *f, const es_lines *lines, size_t rows, es_error *err) {
    if (lines->status != ES_OK)
        return es_fail(err, lines->status, "canceled");
    if (rows < f->tensor->array.n)
        return es_fail(err, ES_EIO, "the file was changed while it was read; start again");
    return ES_OK;
}

static size_t bytes_of(const es_array *array) {
    return array->n * array->d * es_dtype_size(array->dtype);
}

static es_status fill_in_memory(const es_filling *job, es_fill *fill, es_array *array,
                                es_error *err) {
    es_filling f = *job;
    double *values = es_alloc(bytes_of(array), 1);
    if (!values)
        return es_no_memory_for(err, "%zu rows", array->n);
    f.out = (unsigned char *)values;
    es_run_begin(job->run, NULL, "reading its values");
    es_status st = fill(&f, err);
    if (st != ES_OK) {
        es_free(values);
        return st;
    }
    array->owned = values;
    array->data = f.out;
    return ES_OK;
}

/* ---- the folder ---- */

static es_status find_folder(char **out, es_error *err) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool set = cache && cache[0] == '/';
    if (!set && !(home && home[0] == '/'))
        return es_fail(err, ES_ENOTFOUND, "no folder for converted values: set XDG_CACHE_HOME");
    const char *base = set ? cache : home, *below = set ? "" : "/.cache";
    size_t room = strlen(base) + 40;
    char *folder = es_alloc(room, 1);
    if (!folder)
        return es_no_memory(err);
    (void)snprintf(folder, room, "%s%s/embedscope/converted", base, below);
    *out = folder;
    return ES_OK;
}

static es_status digest_source(const es_map *map, const char *format, es_run *run, es_digest *out,
                               es_error *err) {
    enum { CHUNK = ES_READING_STEP };
    es_reading reading = {map, run, 0};
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_u64(&hasher, VERSION);
    es_hasher_add_text(&hasher, format);
    for (size_t at = 0; at < map->size; at += CHUNK) {
        size_t count = map->size - at < CHUNK ? map->size - at : CHUNK;
        es_hasher_add(&hasher, map->data + at, count);
        ES_PASS(es_reading_look(&reading, at + count, err));
    }
    *out = es_hasher_result(&hasher);
    return ES_OK;
}

/* ---- one file ---- */

static void put_header(const es_array *a, unsigned char out[HEADER]) {
    static const char *const kinds[ES_DTYPE_COUNT] = {
        [ES_DTYPE_BOOL] = "b1", [ES_DTYPE_I8] = "i1",  [ES_DTYPE_I16] = "i2", [ES_DTYPE_I32] = "i4",
        [ES_DTYPE_I64] = "i8",  [ES_DTYPE_U8] = "u1",  [ES_DTYPE_U16] = "u2", [ES_DTYPE_U32] = "u4",
        [ES_DTYPE_U64] = "u8",  [ES_DTYPE_F16] = "f2", [ES_DTYPE_F32] = "f4", [ES_DTYPE_F64] = "f8",
    };
    char text[HEADER];
    int length =
        snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%zu, %zu), }",
                 es_dtype_size(a->dtype) == 1 ? '|'
                 : a->big_endian              ? '>'
                                              : '<',
                 kinds[a->dtype], a->fortran ? "True" : "False", a->n, a->d);
    memset(out, ' ', HEADER);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = HEADER - 10;
    out[9] = 0;
    memcpy(out + 10, text, (size_t)length);
    out[HEADER - 1] = '\n';
}

/* A file of values as it lies there, and the digest of what it holds now. ES_EFORMAT: of others. */
static es_status open_values(const char *path, const es_array *as, const es_run *run, es_map *map,
                             es_array *found, es_digest *now, es_error *err) {
    ES_PASS(es_map_open(path, ES_FILE_NOFOLLOW, map, err));
    es_status st = es_npy_parse(map, path, found, err);
    if (st == ES_OK && (found->n != as->n || found->d != as->d || found->dtype != as->dtype ||
                        found->fortran != as->fortran || found->big_endian != as->big_endian ||
                        map->size != HEADER + bytes_of(as) + SEAL))
        st = es_fail(err, ES_EFORMAT, "%s: holds other values", path);
    if (st == ES_OK)
        st = es_array_digest(found, run, now, err);
    if (st != ES_OK)
        es_map_close(map);
    return st;
}

/* The values of a tensor from a file that was made before and holds what it did then. *taken false:
 * there is none. */
static es_status take(const char *path, es_run *run, es_tensor *tensor, bool *taken,
                      es_error *err) {
    es_map map = {0};
    es_array found = {0};
    es_digest now, then;
    struct stat info;
    es_status st = open_values(path, &tensor->array, run, &map, &found, &now, err);
    *taken = false;
    if (st == ES_ECANCELED || st == ES_ENOMEM)
        return st;
    if (st != ES_OK)
        return ES_OK;
    memcpy(&then, map.data + map.size - SEAL, SEAL);
    if (!es_digest_equal(now, then)) {
        es_map_close(&map);
        return ES_OK;
    }
    if (stat(path, &info) == 0 && time(NULL) - info.st_mtime > DAY)
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* in use */
    tensor->array = found;
    tensor->map = map;
    *taken = true;
    return ES_OK;
}

static es_status no_room(const char *folder, size_t bytes, int code, es_error *err) {
    char label[ES_PATH_LABEL];
    if (code == ENOMEM)
        return es_no_memory(err);
    return es_fail(err, ES_EIO,
                   "%s: no %zu MB for converted values: %s; make room, or set XDG_CACHE_HOME to a "
                   "folder that has it",
                   es_path_label(label, folder), (bytes >> 20) + 1, strerror(code));
}

/* What the values are now is what they are to be from now on. */
static es_status seal(const es_filling *job, const char *path, int fd, es_error *err) {
    es_map map = {0};
    es_array found = {0};
    es_digest now;
    ES_PASS(open_values(path, &job->tensor->array, job->run, &map, &found, &now, err));
    off_t end = (off_t)(map.size - SEAL);
    es_map_close(&map);
    return pwrite(fd, &now, SEAL, end) == SEAL
               ? ES_OK
               : es_fail(err, ES_EIO, "%s: %s", path, strerror(errno));
}

/* Values into an open file of the right size. */
static es_status fill_file(const es_filling *job, es_fill *fill, int fd, const char *folder,
                           es_error *err) {
    es_filling f = *job;
    size_t total = HEADER + bytes_of(&job->tensor->array);
    unsigned char *data = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        return no_room(folder, total, errno, err);
    es_status st = ES_OK;
    f.watch = es_map_watch_new(data, total);
    f.out = data + HEADER;
    if (!f.watch) {
        st = es_no_memory(err);
    } else {
        put_header(&job->tensor->array, data);
        es_run_begin(job->run, NULL, "reading its values");
        st = fill(&f, err);
        if (st == ES_OK && es_map_watch_cut(f.watch))
            st = no_room(folder, total, EIO, err);
    }
    es_map_watch_free(f.watch);
    if (st == ES_OK && msync(data, total, MS_SYNC) != 0)
        st = no_room(folder, total, errno, err);
    (void)munmap(data, total);
    return st;
}

/* Is the source still what the name says? Else the values would stand for another content. */
static es_status check_source(const es_filling *job, const char *format, es_digest key,
                              es_error *err) {
    char label[ES_PATH_LABEL];
    es_digest now;
    es_run_begin(job->run, NULL, "seeing that it is the same");
    es_status st = digest_source(job->map, format, job->run, &now, err);
    if (st == ES_OK && !es_digest_equal(now, key))
        st = es_fail(err, ES_EIO, "%s: was changed while it was read; start again",
                     es_path_label(label, job->path));
    return st == ES_OK ? es_map_check(job->map, job->path, err) : st;
}

static es_status make(const es_filling *job, es_fill *fill, const char *format, es_digest key,
                      const char *folder, const char *path, es_error *err) {
    char *temporary = NULL;
    size_t total = HEADER + bytes_of(&job->tensor->array) + SEAL;
    ES_PASS(es_dir_make(folder, err));
    es_file_expire(folder, ".npy", KEPT_DAYS);
    es_file_sweep(folder);
    int fd = es_file_temporary(folder, 0600, &temporary);
    if (fd < 0)
        return no_room(folder, total, errno, err);
    int code = posix_fallocate(fd, 0, (off_t)total);
    es_status st =
        code == 0 ? fill_file(job, fill, fd, folder, err) : no_room(folder, total, code, err);
    if (st == ES_OK)
        st = seal(job, temporary, fd, err);
    if (st == ES_OK)
        st = check_source(job, format, key, err);
    if (st == ES_OK && fsync(fd) != 0)
        st = no_room(folder, total, errno, err);
    (void)close(fd);
    if (st == ES_OK && rename(temporary, path) != 0)
        st = no_room(folder, total, errno, err);
    if (st != ES_OK)
        (void)unlink(temporary);
    es_free(temporary);
    return st;
}

static es_status fill_by_file(const es_filling *job, es_fill *fill, const char *format,
                              es_digest key, size_t index, es_tensor *tensor, es_error *err) {
    char hex[ES_DIGEST_HEX], *folder = NULL;
    ES_PASS(find_folder(&folder, err));
    size_t room = strlen(folder) + 80;
    char *path = es_alloc(room, 1);
    if (!path) {
        es_free(folder);
        return es_no_memory(err);
    }
    (void)snprintf(path, room, "%s/%s-%zu.npy", folder, es_digest_hex(key, hex), index);
    bool taken = false;
    es_status st = take(path, job->run, tensor, &taken, err);
    if (st == ES_OK && !taken) {
        st = make(job, fill, format, key, folder, path, err);
        if (st == ES_OK)
            st = take(path, job->run, tensor, &taken, err);
        if (st == ES_OK && !taken)
            st = es_fail(err, ES_EIO, "%s: converted values were removed at once; start again",
                         path);
    }
    es_free(path);
    es_free(folder);
    return st;
}

es_status es_convert(const es_map *map, const char *path, const char *format, es_fill *fill,
                     es_run *run, es_tensors *tensors, es_error *err) {
    es_status st = ES_OK;
    es_digest key = {0};
    bool known = false;
    for (size_t i = 0; i < tensors->count && st == ES_OK; i++) {
        es_tensor *tensor = &tensors->items[i];
        const es_filling job = {.map = map, .path = path, .tensor = tensor, .run = run};
        if (tensor->skipped || tensor->array.data)
            continue;
        if (bytes_of(&tensor->array) <= ES_CONVERTED_IN_MEMORY) {
            st = fill_in_memory(&job, fill, &tensor->array, err);
            continue;
        }
        es_run_begin(run, NULL, "looking up its values");
        if (!known)
            st = digest_source(map, format, run, &key, err);
        known = true;
        if (st == ES_OK)
            st = fill_by_file(&job, fill, format, key, i, tensor, err);
    }
    return st;
}
