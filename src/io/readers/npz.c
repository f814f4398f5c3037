/* The directory at the end of a zip archive says where its members lie (APPNOTE.TXT 6.3, sections
 * 4.3.7 to 4.3.16); every offset is held against the file before it is followed. */
#include "io_readers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
    END_SIZE = 22,
    END_SEARCH = 65535 + END_SIZE, /* a comment may stand behind it */
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    HEAD_MOST = 1 << 17, /* bytes unpacked for an .npy header: the longest of format 1.0 and more */
    RATIO_MOST = 1032    /* deflate cannot do better */
};

typedef struct member {
    const char *name; /* in the directory */
    size_t name_length;
    unsigned method, flags;
    uint32_t crc;
    uint64_t packed, size, local; /* bytes in the archive, unpacked; offset of its local header */
} member;

static uint64_t number(const unsigned char *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i > 0; i--)
        value = value << 8 | at[i - 1];
    return value;
}

static es_status damaged(const char *path, const char *what, es_error *err) {
    char label[ES_PATH_LABEL];
    return es_fail(
        err, ES_EFORMAT,
        "%s: %s, so the archive is cut short or damaged; copy it again, or save it again "
        "with np.savez",
        es_path_label(label, path), what);
}

/* ---- the directory ---- */

typedef struct directory {
    size_t at, end; /* what is left of it */
} directory;

/* The record behind everything, or SIZE_MAX. */
static size_t find_end(const es_map *map) {
    size_t lowest = map->size > END_SEARCH ? map->size - END_SEARCH : 0;
    if (map->size < END_SIZE)
        return SIZE_MAX;
    for (size_t at = map->size - END_SIZE + 1; at > lowest; at--)
        if (memcmp(map->data + at - 1, "PK\x05\x06", 4) == 0)
            return at - 1;
    return SIZE_MAX;
}

static es_status find_directory(const es_map *map, const char *path, directory *out,
                                es_error *err) {
    size_t end = find_end(map);
    if (end == SIZE_MAX)
        return damaged(path, "has no zip directory at its end", err);
    const unsigned char *e = map->data + end;
    uint64_t size = number(e + 12, 4), start = number(e + 16, 4);
    if (end >= 20 && memcmp(e - 20, "PK\x06\x07", 4) == 0) { /* zip64 */
        uint64_t at = number(e - 20 + 8, 8);
        if (at > map->size || map->size - at < 56 || memcmp(map->data + at, "PK\x06\x06", 4) != 0)
            return damaged(path, "its zip64 directory is not where it should be", err);
        size = number(map->data + at + 40, 8);
        start = number(map->data + at + 48, 8);
    }
    if (start > end || size > end - start)
        return damaged(path, "its zip directory does not fit the file", err);
    *out = (directory){(size_t)start, (size_t)(start + size)};
    return ES_OK;
}

/* Sizes and offset that do not fit 32 bits stand in an extra field, in this order. */
static void read_zip64(const unsigned char *extra, size_t length, member *m) {
    uint64_t *const wide[] = {&m->size, &m->packed, &m->local};
    for (size_t at = 0; at + 4 <= length;) {
        size_t id = (size_t)number(extra + at, 2), size = (size_t)number(extra + at + 2, 2);
        at += 4;
        if (size > length - at)
            return;
        size_t used = at;
        for (size_t i = 0; id == 1 && i < 3; i++)
            if (*wide[i] == UINT32_MAX && used + 8 <= at + size) {
                *wide[i] = number(extra + used, 8);
                used += 8;
            }
        at += size;
    }
}

/* The next member; false with ES_OK at the end. */
static bool next_member(const es_map *map, directory *d, const char *path, member *m, es_status *st,
                        es_error *err) {
    *st = ES_OK;
    if (d->at == d->end)
        return false;
    const unsigned char *e = map->data + d->at;
    size_t left = d->end - d->at;
    if (left < ENTRY_SIZE || memcmp(e, "PK\x01\x02", 4) != 0) {
        *st = damaged(path, "its zip directory is malformed", err);
        return false;
    }
    size_t name = (size_t)number(e + 28, 2), extra = (size_t)number(e + 30, 2),
           comment = (size_t)number(e + 32, 2);
    if (name + extra + comment > left - ENTRY_SIZE) {
        *st = damaged(path, "its zip directory is malformed", err);
        return false;
    }
    *m = (member){.name = (const char *)e + ENTRY_SIZE,
                  .name_length = name,
                  .flags = (unsigned)number(e + 8, 2),
                  .method = (unsigned)number(e + 10, 2),
                  .crc = (uint32_t)number(e + 16, 4),
                  .packed = number(e + 20, 4),
                  .size = number(e + 24, 4),
                  .local = number(e + 42, 4)};
    read_zip64(e + ENTRY_SIZE + name, extra, m);
    d->at += ENTRY_SIZE + name + extra + comment;
    return true;
}

static bool has_name(const member *m, const char *name) {
    return m->name_length == strlen(name) && memcmp(m->name, name, m->name_length) == 0;
}

static bool is_array(const member *m) {
    return m->name_length > 4 && memcmp(m->name + m->name_length - 4, ".npy", 4) == 0;
}

/* Where the member's bytes are; NULL with a reason when they cannot be. */
static const unsigned char *find_bytes(const es_map *map, const member *m, const char **why) {
    *why = "it is outside the archive, which is cut short or damaged";
    if (m->local > map->size || map->size - m->local < LOCAL_SIZE)
        return NULL;
    const unsigned char *l = map->data + m->local;
    if (memcmp(l, "PK\x03\x04", 4) != 0)
        return NULL;
    uint64_t start = m->local + LOCAL_SIZE + number(l + 26, 2) + number(l + 28, 2);
    if (start > map->size || m->packed > map->size - start)
        return NULL;
    *why = "it is encrypted; save it without a password";
    if (m->flags & 1)
        return NULL;
    *why = "it is packed in a way that is not read; save it with np.savez";
    if (m->method != METHOD_STORED && m->method != METHOD_DEFLATED)
        return NULL;
    *why = "its sizes contradict each other; the archive is damaged";
    if (m->method == METHOD_STORED ? m->size != m->packed
                                   : m->size / RATIO_MOST > m->packed || m->size > PTRDIFF_MAX)
        return NULL;
    return map->data + start;
}

/* ---- unpacking ---- */

static void *z_alloc(void *context, unsigned count, unsigned size) {
    (void)context;
    return es_alloc(count, size);
}

static void z_free(void *context, void *block) {
    (void)context;
    es_free(block);
}

typedef struct unpacking {
    z_stream z;
    const unsigned char *next; /* packed bytes not handed over yet */
    uint64_t left;
    bool ended;
    bool starved; /* of memory */
} unpacking;

static es_status unpack_begin(unpacking *u, const unsigned char *bytes, uint64_t packed,
                              es_error *err) {
    *u = (unpacking){.next = bytes, .left = packed};
    u->z.zalloc = z_alloc;
    u->z.zfree = z_free;
    return inflateInit2(&u->z, -MAX_WBITS) == Z_OK ? ES_OK : es_no_memory(err);
}

/* Up to `size` more bytes; *got is less at the end alone. False: what is packed is malformed, or
 * there is no memory to unpack it, which zlib asks for on the way. */
static bool unpack(unpacking *u, unsigned char *out, size_t size, size_t *got) {
    enum { MOST = 1 << 20 };
    *got = 0;
    while (*got < size && !u->ended) {
        if (u->z.avail_in == 0) {
            u->z.next_in = (unsigned char *)(uintptr_t)u->next; /* zlib only reads it */
            u->z.avail_in = (unsigned)(u->left < MOST ? u->left : MOST);
            u->next += u->z.avail_in;
            u->left -= u->z.avail_in;
        }
        unsigned room = (unsigned)(size - *got < MOST ? size - *got : MOST);
        u->z.next_out = out + *got;
        u->z.avail_out = room;
        unsigned before = u->z.avail_in;
        int code = inflate(&u->z, Z_NO_FLUSH);
        *got += room - u->z.avail_out;
        u->ended = code == Z_STREAM_END;
        u->starved = code == Z_MEM_ERROR;
        bool stuck = u->z.avail_out == room && u->z.avail_in == before;
        if (code != Z_OK && code != Z_STREAM_END && !(code == Z_BUF_ERROR && !stuck))
            return false;
        if (code == Z_OK && stuck && u->left == 0)
            return false;
    }
    return true;
}

/* The first bytes of a deflated member, or all of a small one: an es_map whose data are es_free'd.
 */
static es_status unpack_head(const unsigned char *bytes, const member *m, size_t most, es_map *out,
                             const char **why, es_error *err) {
    unpacking u;
    size_t size = m->size < most ? (size_t)m->size : most, got = 0;
    unsigned char *data = es_alloc(size ? size : 1, 1);
    if (!data)
        return es_no_memory(err);
    es_status st = unpack_begin(&u, bytes, m->packed, err);
    if (st == ES_OK) {
        if (!unpack(&u, data, size, &got) || got < size)
            *why = "what is packed is malformed; the archive is damaged";
        (void)inflateEnd(&u.z);
        st = u.starved ? es_no_memory(err) : ES_OK;
    }
    if (st != ES_OK) {
        es_free(data);
        return st;
    }
    *out = (es_map){.data = data, .size = got};
    return ES_OK;
}

/* ---- arrays ---- */

static es_status read_array(const es_map *map, const member *m, const char *label, es_array *array,
                            const char **why, es_error *said, es_error *err) {
    const unsigned char *bytes = find_bytes(map, m, why);
    size_t start = 0;
    if (!bytes)
        return ES_OK;
    *why = NULL;
    if (m->method == METHOD_STORED) {
        const es_map part = {
            .data = m->size ? bytes : NULL, .size = (size_t)m->size, .watch = map->watch};
        if (es_npy_parse(&part, label, array, said) != ES_OK)
            *why = said->message;
        return ES_OK; /* its checksum: es_npz_verify */
    }
    es_map head = {0};
    es_status st = unpack_head(bytes, m, HEAD_MOST, &head, why, err);
    if (st == ES_OK && !*why &&
        es_npy_parse_head(&head, (size_t)m->size, label, array, &start, said) != ES_OK)
        *why = said->message;
    es_free((void *)(uintptr_t)head.data);
    return st;
}

/* What is used where it lies is compared with its checksum by whoever reads all of it. */
static void note_sum(const es_map *map, const member *m, es_tensor *out) {
    const char *why;
    out->summed = find_bytes(map, m, &why);
    out->summed_size = (size_t)m->size;
    out->crc = m->crc;
}

es_status es_npz_verify(const es_tensor *tensor, const char *path, es_run *run, es_error *err) {
    enum { STEP = 1 << 20 };
    uLong crc = crc32(0, NULL, 0);
    for (size_t at = 0; tensor->summed && at < tensor->summed_size; at += STEP) {
        size_t left = tensor->summed_size - at, count = left < STEP ? left : STEP;
        ES_PASS(es_run_check(run, err));
        crc = crc32(crc, tensor->summed + at, (unsigned)count);
        es_map_watch_use(tensor->array.watch, count);
    }
    if (tensor->summed && (uint32_t)crc != tensor->crc)
        return damaged(path, "an array's checksum is wrong", err);
    return ES_OK;
}

static es_status add_member(const es_map *map, const member *m, size_t place, es_tensor *out,
                            es_error *err) {
    char label[ES_PATH_LABEL];
    const char *why = NULL;
    es_error said = {0};
    es_array array = {0};
    es_buf full = {0};
    *out = (es_tensor){.name = es_text_clean(m->name, m->name_length - 4, 0), .member = place};
    if (!out->name)
        return es_no_memory(err);
    es_buf_printf(&full, "array %s", out->name);
    es_status st = es_buf_check(&full, err);
    if (st == ES_OK)
        st = read_array(map, m, es_path_label(label, full.data), &array, &why, &said, err);
    es_buf_free(&full);
    if (st != ES_OK)
        return st;
    if (why) {
        out->skipped = es_text_clean(why, strlen(why), 0);
        return out->skipped ? ES_OK : es_no_memory(err);
    }
    out->array = array;
    if (m->method == METHOD_STORED)
        note_sum(map, m, out);
    return ES_OK;
}

/* ---- ids ---- */

static es_status take_ids(const es_map *map, es_row_ids *out, es_error *err) {
    es_npy_list list = {0};
    ES_PASS(es_npy_parse_list(map, map->size, "array ids", &list, err));
    return es_npy_list_ids(&list, out, err);
}

static es_status read_ids(const es_map *map, const member *m, es_row_ids *out, es_error *err) {
    const char *why = NULL;
    const unsigned char *bytes = find_bytes(map, m, &why);
    if (!bytes)
        return es_fail(err, ES_EFORMAT, "%s", why);
    if (m->method == METHOD_STORED)
        return take_ids(&(es_map){.data = bytes, .size = (size_t)m->size}, out, err);
    es_map whole = {0};
    why = NULL;
    es_status st = unpack_head(bytes, m, SIZE_MAX, &whole, &why, err);
    if (st == ES_OK && why)
        st = es_fail(err, ES_EFORMAT, "%s", why);
    if (st == ES_OK)
        st = take_ids(&whole, out, err);
    es_free((void *)(uintptr_t)whole.data);
    return st;
}

static bool has_matrix(const es_tensors *tensors, size_t but) {
    for (size_t i = 0; i < tensors->count; i++)
        if (i != but && !tensors->items[i].skipped)
            return true;
    return false;
}

/* To every matrix of as many rows; that there is none is for the caller to tell. What cannot be
 * read as ids is told, since rows are taken as they stand then. */
static es_status share_ids(const es_map *map, const member *m, es_tensors *tensors, size_t place,
                           es_error *err) {
    es_row_ids ids = {0};
    es_error why = {0};
    if (!has_matrix(tensors, place))
        return ES_OK;
    es_status st = read_ids(map, m, &ids, &why);
    if (st == ES_OK) {
        es_tensors_drop(tensors, place);
        st = es_tensors_share_ids(tensors, &ids, err);
    } else if (st == ES_ENOMEM) {
        st = es_no_memory(err);
    } else {
        es_tensors_drop(tensors, place);
        st = es_text_new(&tensors->note, err,
                         "%s, so that rows are not matched by it but taken in their order; save "
                         "it as text: ids=np.array(ids, dtype=str)",
                         why.message);
    }
    es_row_ids_deinit(&ids);
    return st;
}

/* Is a member a list of texts or numbers, by its header? *real: of floats; *items: of how
 * many. */
static es_status is_list(const es_map *map, const member *m, bool *out, bool *real, size_t *items,
                         es_error *err) {
    const char *why = NULL;
    const unsigned char *bytes = find_bytes(map, m, &why);
    es_npy_list list = {0};
    es_map head = {.data = bytes, .size = (size_t)m->size}, packed = {0};
    es_status st = ES_OK;
    *out = false;
    if (!bytes)
        return ES_OK;
    why = NULL;
    if (m->method == METHOD_DEFLATED) {
        st = unpack_head(bytes, m, HEAD_MOST, &packed, &why, err);
        head = packed;
    }
    *out = st == ES_OK && !why && head.size > 0 &&
           es_npy_parse_list(&head, (size_t)m->size, "", &list, NULL) == ES_OK;
    *items = list.n;
    *real = list.kind == 'f';
    es_free((void *)(uintptr_t)packed.data);
    return st;
}

/* True if every id is a whole number, as those are that were read as floats. */
static bool are_whole(const es_row_ids *ids) {
    bool whole = true;
    for (size_t i = 0; i < ids->n && whole; i++) {
        size_t length = 0;
        const char *id = es_row_ids_get(ids, i, &length);
        for (size_t k = 0; k < length && whole; k++)
            whole = (id[k] >= '0' && id[k] <= '9') || (id[k] == '-' && k == 0);
    }
    return whole;
}

/* Offers the array at `place` to the pool, if it tells the rows of a matrix apart; then it is none
 * of values. */
static es_status offer_list(const es_map *map, const member *m, es_tensors *tensors, size_t place,
                            es_error *err) {
    const es_tensor *t = &tensors->items[place];
    bool list = false, added = false, real = false;
    size_t items = 0, matrices = 0;
    es_row_ids ids = {0};
    es_error why = {0};
    if (!t->skipped && t->array.d > 1)
        return ES_OK;
    es_status st = is_list(map, m, &list, &real, &items, err);
    for (size_t i = 0; i < tensors->count; i++)
        matrices += i != place && !tensors->items[i].skipped && tensors->items[i].array.n == items;
    if (st != ES_OK || !list || matrices == 0)
        return st;
    st = read_ids(map, m, &ids, &why);
    if (st == ES_OK && (!real || are_whole(&ids)))
        st = es_tensors_add_maybe(tensors, t->name, false, &ids, &added, err);
    else if (st != ES_OK)
        st = st == ES_ENOMEM ? es_no_memory(err) : ES_OK; /* damaged: it stays what it was */
    if (st == ES_OK && added)
        es_tensors_drop(tensors, place);
    es_row_ids_deinit(&ids);
    return st;
}

static es_status offer_lists(const es_map *map, directory d, const char *path, es_tensors *tensors,
                             es_error *err) {
    member m = {0};
    es_status st = ES_OK, read = ES_OK;
    for (size_t place = 0, k = 0; st == ES_OK && next_member(map, &d, path, &m, &read, err);
         place++) {
        while (k < tensors->count && tensors->items[k].member < place)
            k++;
        if (k < tensors->count && tensors->items[k].member == place)
            st = offer_list(map, &m, tensors, k, err);
    }
    return st == ES_OK ? read : st;
}

/* ---- the file ---- */

static bool has_array(const es_tensors *tensors, const char *name) {
    for (size_t i = 0; i < tensors->count; i++)
        if (strcmp(tensors->items[i].name, name) == 0)
            return true;
    return false;
}

/* Of SciPy: the parts of one, by rows, by columns or by places. */
static bool is_sparse(const es_tensors *tensors) {
    return has_array(tensors, "data") && has_array(tensors, "shape") &&
           ((has_array(tensors, "indices") && has_array(tensors, "indptr")) ||
            (has_array(tensors, "row") && has_array(tensors, "col")));
}

static es_status read_members(const es_map *map, directory d, const char *path, es_tensors *out,
                              es_error *err) {
    member m = {0}, ids = {0};
    const directory start = d;
    size_t ids_place = SIZE_MAX;
    es_status st = ES_OK;
    size_t capacity = 0;
    for (size_t place = 0; next_member(map, &d, path, &m, &st, err); place++) {
        if (!is_array(&m))
            continue;
        es_tensor *larger = es_grow(out->items, out->count, &capacity, sizeof *larger);
        if (!larger)
            return es_no_memory(err);
        out->items = larger;
        ES_PASS(add_member(map, &m, place, &out->items[out->count++], err));
        if (has_name(&m, "ids.npy") && ids_place == SIZE_MAX) {
            ids_place = out->count - 1;
            ids = m;
        }
    }
    if (st == ES_OK && ids_place != SIZE_MAX)
        st = share_ids(map, &ids, out, ids_place, err);
    else if (st == ES_OK)
        st = offer_lists(map, start, path, out, err);
    return st;
}

es_status es_npz_parse(const es_map *map, const char *path, es_tensors *out, es_error *err) {
    char label[ES_PATH_LABEL];
    directory d = {0};
    es_tensors tensors = {0};
    es_format format = es_format_of(map);
    if (format != ES_FILE_NPZ && format != ES_FILE_ZIP)
        return es_format_refuse(format, path, "an .npz archive", err);
    es_status st = find_directory(map, path, &d, err);
    if (st == ES_OK)
        st = read_members(map, d, path, &tensors, err);
    if (st == ES_OK && tensors.count == 0)
        st = es_fail(err, ES_EUNSUPPORTED,
                     "%s: is a zip archive without .npy files; unpack it, or save its arrays with "
                     "np.savez",
                     es_path_label(label, path));
    if (st == ES_OK && is_sparse(&tensors) && !has_matrix(&tensors, SIZE_MAX))
        st = es_fail(err, ES_EUNSUPPORTED,
                     "%s: is a sparse matrix, as scipy.sparse.save_npz writes it; save it dense: "
                     "np.save(\"NAME.npy\", scipy.sparse.load_npz(\"NAME.npz\").toarray())",
                     es_path_label(label, path));
    if (st != ES_OK) {
        es_tensors_deinit(&tensors);
        return st;
    }
    *out = tensors;
    return ES_OK;
}

/* ---- values ---- */

static es_status find_member(const es_filling *f, member *out, es_error *err) {
    directory d = {0};
    es_status st = find_directory(f->map, f->path, &d, err);
    if (st != ES_OK)
        return st;
    for (size_t place = 0; next_member(f->map, &d, f->path, out, &st, err); place++)
        if (place == f->tensor->member)
            return ES_OK;
    return st == ES_OK ? damaged(f->path, "its zip directory has changed", err) : st;
}

/* Past the header into the array, what is behind it into nothing, all into the checksum. */
static es_status unpack_all(const es_filling *f, unpacking *u, const member *m, size_t start,
                            es_error *err) {
    enum { STEP = 1 << 20 };
    const es_array *a = &f->tensor->array;
    size_t wanted = a->n * a->d * es_dtype_size(a->dtype), done = 0, got = 0;
    uLong crc = crc32(0, NULL, 0);
    es_reading reading = {f->map, f->run, (size_t)(u->next - f->map->data)};
    unsigned char *spare = es_alloc(STEP, 1);
    if (!spare)
        return es_no_memory(err);
    es_status st = ES_OK;
    for (uint64_t at = 0; at < m->size && st == ES_OK; at += got) {
        bool inside = at >= start && done < wanted;
        unsigned char *to = inside ? f->out + done : spare;
        uint64_t room = inside ? wanted - done : at < start ? start - at : m->size - at;
        if (!unpack(u, to, room < STEP ? (size_t)room : STEP, &got) || got == 0) {
            st = u->starved ? es_no_memory(err)
                            : damaged(f->path, "what is packed is malformed", err);
            break;
        }
        crc = crc32(crc, to, (unsigned)got);
        done += inside ? got : 0;
        es_filling_wrote(f, got);
        st = es_reading_look(&reading, (size_t)(u->next - f->map->data), err);
    }
    if (st == ES_OK && (uint32_t)crc != m->crc)
        st = damaged(f->path, "an array's checksum is wrong", err);
    es_free(spare);
    return st;
}

es_status es_npz_fill(const es_filling *f, es_error *err) {
    member m = {0};
    unpacking u;
    es_map head = {0};
    es_array array = {0};
    size_t start = 0;
    const char *why = NULL;
    ES_PASS(find_member(f, &m, err));
    const unsigned char *bytes = find_bytes(f->map, &m, &why);
    if (!bytes)
        return damaged(f->path, why, err);
    why = NULL;
    es_status st = unpack_head(bytes, &m, HEAD_MOST, &head, &why, err);
    if (st == ES_OK && why)
        st = damaged(f->path, why, err);
    if (st == ES_OK)
        st = es_npy_parse_head(&head, (size_t)m.size, f->path, &array, &start, err);
    es_free((void *)(uintptr_t)head.data);
    if (st == ES_OK)
        st = unpack_begin(&u, bytes, m.packed, err);
    if (st != ES_OK)
        return st;
    st = unpack_all(f, &u, &m, start, err);
    (void)inflateEnd(&u.z);
    return st;
}

/* Writes .npz: stored members, then the directory (APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16).
 */

enum { NEEDS = 20, DAY = 0x21 /* the first that zip knows: 1 January 1980 */ };
#define LARGEST 0xffffffffU

static void put_number(es_buf *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        es_buf_putc(out, (char)(value >> (8 * i) & 0xff));
}

/* What a member's own header and its line in the directory share. */
static void put_about(es_buf *out, const es_npz_member *m) {
    put_number(out, NEEDS, 2);
    put_number(out, 0, 2); /* no flags */
    put_number(out, 0, 2); /* stored */
    put_number(out, 0, 2); /* midnight */
    put_number(out, DAY, 2);
    put_number(out, m->crc, 4);
    put_number(out, m->size, 4);
    put_number(out, m->size, 4);
    put_number(out, strlen(m->name), 2);
    put_number(out, 0, 2);
}

enum { CRC_AT = 14, SIZE_AT = 18, HEADER = 30 /* of a member, before its name */ };

/* A member begins with its array's header; its sizes are known when it ends. */
static void begin_member(es_npz *npz, const char *name, const char *type, const char *shape) {
    char header[ES_NPY_HEADER];
    assert(npz->count < ES_NPZ_MEMBERS);
    es_npz_member *m = &npz->member[npz->count];
    *m = (es_npz_member){.offset = (uint32_t)npz->out->length};
    (void)snprintf(m->name, sizeof m->name, "%s.npy", name);
    put_number(npz->out, 0x04034b50, 4);
    put_about(npz->out, m);
    es_buf_puts(npz->out, m->name);
    es_buf_add(npz->out, header, es_npy_header(header, type, shape));
}

static void end_member(es_npz *npz) {
    es_npz_member *m = &npz->member[npz->count++];
    es_buf *out = npz->out;
    if (out->failed || out->length > LARGEST)
        return;
    char *at = out->data + m->offset, *bytes = at + HEADER + strlen(m->name);
    m->size = (uint32_t)(out->length - (size_t)(bytes - out->data));
    m->crc = (uint32_t)crc32(crc32(0, NULL, 0), (const unsigned char *)bytes, m->size);
    for (int i = 0; i < 4; i++) {
        at[CRC_AT + i] = (char)(m->crc >> (8 * i) & 0xff);
        at[SIZE_AT + i] = at[SIZE_AT + 4 + i] = (char)(m->size >> (8 * i) & 0xff);
    }
}

void es_npz_put_doubles(es_npz *npz, const char *name, const double *values, size_t n, size_t d) {
    char shape[48];
    (void)snprintf(shape, sizeof shape, "%zu, %zu", n, d);
    begin_member(npz, name, "<f8", shape);
    for (size_t i = 0; i < n * d; i++) {
        uint64_t bits = 0;
        memcpy(&bits, &values[i], sizeof bits);
        put_number(npz->out, bits, 8);
    }
    end_member(npz);
}

/* Characters of a text; where `out`, they go there, filled up with zeros to `width`. */
static size_t put_text(es_buf *out, const char *text, size_t width) {
    size_t length = strlen(text), count = 0;
    for (size_t i = 0; i < length; count++) {
        uint32_t code = 0;
        i += es_utf8_decode(text + i, length - i, &code);
        if (out)
            put_number(out, code, 4);
    }
    for (size_t k = count; out && k < width; k++)
        put_number(out, 0, 4);
    return count;
}

void es_npz_put_texts(es_npz *npz, const char *name, const char *const *texts, size_t n) {
    char type[24], shape[24];
    size_t width = 1;
    for (size_t i = 0; i < n; i++) {
        size_t own = put_text(NULL, texts[i], 0);
        width = own > width ? own : width;
    }
    (void)snprintf(type, sizeof type, "<U%zu", width);
    (void)snprintf(shape, sizeof shape, "%zu,", n);
    begin_member(npz, name, type, shape);
    for (size_t i = 0; i < n; i++)
        (void)put_text(npz->out, texts[i], width);
    end_member(npz);
}

es_status es_npz_end(es_npz *npz, es_error *err) {
    es_buf *out = npz->out;
    size_t start = out->length;
    for (size_t i = 0; i < npz->count; i++) {
        const es_npz_member *m = &npz->member[i];
        put_number(out, 0x02014b50, 4);
        put_number(out, NEEDS, 2);
        put_about(out, m);
        put_number(out, 0, 2); /* no comment */
        put_number(out, 0, 2); /* on the first disk */
        put_number(out, 0, 2); /* bytes */
        put_number(out, 0, 4); /* no attributes */
        put_number(out, m->offset, 4);
        es_buf_puts(out, m->name);
    }
    size_t end = out->length;
    put_number(out, 0x06054b50, 4);
    put_number(out, 0, 4); /* one disk */
    put_number(out, npz->count, 2);
    put_number(out, npz->count, 2);
    put_number(out, end - start, 4);
    put_number(out, start, 4);
    put_number(out, 0, 2);
    if (out->length > LARGEST)
        return es_fail(err, ES_EINVAL, "a zip file holds 4 GB, the arrays are larger");
    return es_buf_check(out, err);
}
