/* A list of looks, one for each embedder and way of looking; a newer one takes the older one's
 * place. */
#include "looks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

typedef struct look {
    es_digest what; /* of which embedder, and what was asked of it */
    es_map file;    /* as it was; data NULL */
    size_t rows, dim;
    es_model_check check;
} look;

struct es_looks {
    atomic_uint owners;
    pthread_mutex_t lock; /* around the list; nothing else is taken inside */
    look *list;           /* (count) */
    size_t count, capacity;
};

void es_model_check_deinit(es_model_check *check) {
    es_free(check->bad_row_list);
    es_free(check->copy);
    es_free(check->constant);
    es_free(check->varies);
    check->bad_row_list = NULL;
    check->copy = NULL;
    check->constant = NULL;
    check->varies = NULL;
}

es_looks *es_looks_new(void) {
    es_looks *looks = es_alloc_zero(1, sizeof *looks);
    if (!looks || pthread_mutex_init(&looks->lock, NULL) != 0) {
        es_free(looks);
        return NULL;
    }
    atomic_store(&looks->owners, 1u);
    return looks;
}

es_looks *es_looks_keep(es_looks *looks) {
    if (looks)
        (void)atomic_fetch_add(&looks->owners, 1u);
    return looks;
}

void es_looks_free(es_looks *looks) {
    if (!looks || atomic_fetch_sub(&looks->owners, 1u) > 1)
        return;
    for (size_t i = 0; i < looks->count; i++)
        es_model_check_deinit(&looks->list[i].check);
    es_free(looks->list);
    pthread_mutex_destroy(&looks->lock);
    es_free(looks);
}

/* False: out of memory, *out unchanged. */
static bool copy(const es_model_check *from, size_t dim, es_model_check *out) {
    es_model_check to = *from;
    to.bad_row_list = from->bad_row_list ? es_alloc(from->bad_rows, sizeof(uint32_t)) : NULL;
    to.copy = from->copy ? es_alloc(from->n_copies, sizeof *to.copy) : NULL;
    to.constant = from->constant ? es_alloc(dim, sizeof(bool)) : NULL;
    to.varies = from->varies ? es_alloc(dim, sizeof(uint32_t)) : NULL;
    if ((from->bad_row_list && !to.bad_row_list) || (from->copy && !to.copy) ||
        (from->constant && !to.constant) || (from->varies && !to.varies)) {
        es_model_check_deinit(&to);
        return false;
    }
    if (from->bad_row_list)
        memcpy(to.bad_row_list, from->bad_row_list, from->bad_rows * sizeof(uint32_t));
    if (from->copy)
        memcpy(to.copy, from->copy, from->n_copies * sizeof *to.copy);
    if (from->constant)
        memcpy(to.constant, from->constant, dim * sizeof(bool));
    if (from->varies)
        memcpy(to.varies, from->varies, dim * sizeof(uint32_t));
    *out = to;
    return true;
}

/* Returns what is remembered of these contents; NULL: nothing. */
static look *find(es_looks *looks, es_digest what) {
    for (size_t i = 0; i < looks->count; i++)
        if (es_digest_equal(looks->list[i].what, what))
            return &looks->list[i];
    return NULL;
}

/* Appends an empty entry; NULL: out of memory. */
static look *append_look(es_looks *looks) {
    look *list = es_grow(looks->list, looks->count, &looks->capacity, sizeof *list);
    if (!list)
        return NULL;
    looks->list = list;
    return &list[looks->count++];
}

bool es_looks_settled(const es_map *file) {
    const int64_t second = 1000000000, least = 3 * second; /* FAT counts in steps of two */
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
           (int64_t)now.tv_sec * second + (int64_t)now.tv_nsec - file->ctime_ns >= least;
}

bool es_looks_find(es_looks *looks, es_digest what, const es_map *file, size_t rows, size_t dim,
                   es_model_check *out) {
    bool known = false;
    if (!looks)
        return false;
    pthread_mutex_lock(&looks->lock);
    const look *kept = find(looks, what);
    if (kept && kept->rows == rows && kept->dim == dim && es_map_same_file(&kept->file, file))
        known = copy(&kept->check, dim, out);
    pthread_mutex_unlock(&looks->lock);
    return known;
}

/* Takes the check over: in the place of an earlier one, or only if there is none. */
static void put(es_looks *looks, look *now, bool replace) {
    pthread_mutex_lock(&looks->lock);
    look *place = find(looks, now->what);
    if (place && !replace) {
        es_model_check_deinit(&now->check);
        pthread_mutex_unlock(&looks->lock);
        return;
    }
    if (place)
        es_model_check_deinit(&place->check);
    else
        place = append_look(looks);
    if (place)
        *place = *now;
    else
        es_model_check_deinit(&now->check);
    pthread_mutex_unlock(&looks->lock);
}

void es_looks_put(es_looks *looks, es_digest what, const es_map *file, size_t rows, size_t dim,
                  const es_model_check *check) {
    look now = {.what = what, .file = *file, .rows = rows, .dim = dim};
    now.file.data = NULL;
    now.file.watch = NULL;
    if (looks && copy(check, dim, &now.check))
        put(looks, &now, true);
}

/* ---- from process to process ---- */

/* A look as it is kept: lists follow, in this order, as long as the counts say. */
typedef struct packed {
    uint64_t version;
    es_digest what, digest, any_order, in_order;
    uint64_t dev, ino, size, rows, dim, constant_columns, zero_rows, copies;
    int64_t mtime_ns, ctime_ns;
    double norm_mean, norm_sd, seconds;
    es_long_row longest;
    uint8_t packed_bits, has_varies, ids, unused[5];
} packed;

enum { VERSION = 3 };

/* Writes an entry in the form in which the store keeps it. */
static void pack(const look *l, es_buf *out) {
    const es_model_check *c = &l->check;
    const packed p = {.version = VERSION,
                      .what = l->what,
                      .digest = c->digest,
                      .any_order = c->any_order,
                      .in_order = c->in_order,
                      .dev = l->file.dev,
                      .ino = l->file.ino,
                      .size = l->file.size,
                      .rows = l->rows,
                      .dim = l->dim,
                      .constant_columns = c->constant_columns,
                      .zero_rows = c->zero_rows,
                      .copies = c->n_copies,
                      .mtime_ns = l->file.mtime_ns,
                      .ctime_ns = l->file.ctime_ns,
                      .norm_mean = c->norm_mean,
                      .norm_sd = c->norm_sd,
                      .seconds = c->seconds,
                      .longest = c->longest,
                      .packed_bits = c->packed,
                      .ids = c->ids,
                      .has_varies = c->varies != NULL};
    es_buf_add(out, &p, sizeof p);
    es_buf_add(out, c->constant, l->dim * sizeof *c->constant);
    if (c->varies)
        es_buf_add(out, c->varies, l->dim * sizeof *c->varies);
    if (c->n_copies > 0)
        es_buf_add(out, c->copy, c->n_copies * sizeof *c->copy);
}

void es_looks_pack(es_looks *looks, es_digest what, es_buf *out) {
    if (!looks)
        return;
    pthread_mutex_lock(&looks->lock);
    const look *l = find(looks, what);
    if (l && l->check.status == ES_OK && l->check.constant && !l->check.bad_row_list)
        pack(l, out);
    pthread_mutex_unlock(&looks->lock);
}

/* Takes count elements off the front of what is left; NULL: there are fewer, or no memory. */
static void *take(const char **at, size_t *left, size_t count, size_t size) {
    if (count > *left / size)
        return NULL;
    void *list = es_alloc(count, size);
    if (list && count > 0)
        memcpy(list, *at, count * size);
    *at += count * size;
    *left -= count * size;
    return list;
}

/* A bool of any other byte is none. */
static bool are_bools(const bool *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)list)[i] > 1)
            return false;
    return true;
}

static bool are_rows(const es_copy *copy, size_t count, size_t rows) {
    for (size_t i = 0; i < count; i++)
        if (copy[i].row >= rows || copy[i].of >= rows)
            return false;
    return true;
}

/* Reads one packed entry and moves *at behind it; false: another version, or damaged. */
static bool unpack(es_looks *looks, const char **at, size_t *left) {
    packed p;
    if (*left < sizeof p)
        return false;
    memcpy(&p, *at, sizeof p);
    *at += sizeof p;
    *left -= sizeof p;
    if (p.version != VERSION)
        return false;
    look now = {.what = p.what,
                .file = {.size = p.size,
                         .dev = p.dev,
                         .ino = p.ino,
                         .mtime_ns = p.mtime_ns,
                         .ctime_ns = p.ctime_ns},
                .rows = p.rows,
                .dim = p.dim,
                .check = {.digest = p.digest,
                          .any_order = p.any_order,
                          .in_order = p.in_order,
                          .constant_columns = p.constant_columns,
                          .norm_mean = p.norm_mean,
                          .norm_sd = p.norm_sd,
                          .seconds = p.seconds,
                          .zero_rows = p.zero_rows,
                          .longest = p.longest,
                          .packed = p.packed_bits,
                          .ids = p.ids}};
    es_model_check *c = &now.check;
    c->constant = take(at, left, p.dim, sizeof *c->constant);
    c->varies = p.has_varies && c->constant ? take(at, left, p.dim, sizeof *c->varies) : NULL;
    bool whole = c->constant && (c->varies || !p.has_varies) && are_bools(c->constant, p.dim);
    c->copy = whole ? take(at, left, p.copies, sizeof *c->copy) : NULL;
    c->n_copies = p.copies;
    if (!c->copy || !are_rows(c->copy, p.copies, p.rows)) {
        es_model_check_deinit(c);
        return false;
    }
    put(looks, &now, false); /* this process has seen the file later */
    return true;
}

void es_looks_unpack(es_looks *looks, const char *bytes, size_t size) {
    while (looks && size > 0 && unpack(looks, &bytes, &size))
        ;
}
