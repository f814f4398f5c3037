/* A list of looks, one for each embedder and way of looking; a newer one takes the older one's
 * place. */
#include "looks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "alloc.h"

typedef struct look {
    es_digest what; /* of which embedder, and what was asked of it */
    es_map file;    /* as it was; data NULL */
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

static look *find(es_looks *looks, es_digest what) {
    for (size_t i = 0; i < looks->count; i++)
        if (es_digest_equal(looks->list[i].what, what))
            return &looks->list[i];
    return NULL;
}

static look *add(es_looks *looks) {
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

bool es_looks_find(es_looks *looks, es_digest what, const es_map *file, size_t dim,
                   es_model_check *out) {
    bool known = false;
    if (!looks)
        return false;
    pthread_mutex_lock(&looks->lock);
    const look *kept = find(looks, what);
    if (kept && es_map_same_file(&kept->file, file))
        known = copy(&kept->check, dim, out);
    pthread_mutex_unlock(&looks->lock);
    return known;
}

void es_looks_put(es_looks *looks, es_digest what, const es_map *file, size_t dim,
                  const es_model_check *check) {
    look now = {.what = what, .file = *file};
    now.file.data = NULL;
    now.file.watch = NULL;
    if (!looks || !copy(check, dim, &now.check))
        return;
    pthread_mutex_lock(&looks->lock);
    look *place = find(looks, what);
    if (place)
        es_model_check_deinit(&place->check);
    else
        place = add(looks);
    if (place)
        *place = now;
    else
        es_model_check_deinit(&now.check);
    pthread_mutex_unlock(&looks->lock);
}
