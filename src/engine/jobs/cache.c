/* One mutex guards all slots; a state is made without it, while its slot says so and others wait.
 * Slots that nobody holds form a list by last use, from whose end they go when the budget is
 * exceeded. */
#include <pthread.h>
#include <time.h>

#include "engine_jobs.h"

enum { WAIT_MS = 20 };

/* One place for every (entry, kind, model). Unheld states are in a list from the one used last to
 * the one used first. */
typedef struct place {
    struct place *newer, *older;
    void *state;
    size_t bytes;
    unsigned holders;
    bool making;
    es_error *failure; /* remembered; NULL: none */
    uint32_t entry, kind, model;
} place;

struct es_cache {
    pthread_mutex_t lock;
    pthread_cond_t made; /* some maker has ended */
    es_cache_maker maker;
    size_t models, count;
    size_t budget, bytes;
    size_t idle, spare; /* bytes that nobody holds, and how many there may be */
    place *newest, *oldest;
    place places[];
};

size_t es_cache_budget(size_t memory) {
    return memory / 2;
}

size_t es_cache_rows(size_t budget) {
    static const size_t most = (size_t)256 << 20;
    return budget / 2 < most ? budget / 2 : most;
}

es_status es_cache_new(size_t entries, size_t models, size_t budget, const es_cache_maker *maker,
                       es_cache **out, es_error *err) {
    size_t count = entries * ES_CACHE_KINDS * models;
    es_cache *cache = es_alloc_zero(1, sizeof *cache + count * sizeof(place));
    if (!cache)
        return es_no_memory_for(err, "%zu prepared states", count);
    pthread_mutex_init(&cache->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&cache->made, &attributes);
    pthread_condattr_destroy(&attributes);
    cache->maker = *maker;
    cache->models = models;
    cache->count = count;
    cache->budget = budget;
    cache->spare = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        cache->places[i].model = (uint32_t)(i % models);
        cache->places[i].kind = (uint32_t)(i / models % ES_CACHE_KINDS);
        cache->places[i].entry = (uint32_t)(i / models / ES_CACHE_KINDS);
    }
    *out = cache;
    return ES_OK;
}

static place *place_of(es_cache *cache, size_t entry, es_cache_kind kind, size_t model) {
    return &cache->places[(entry * ES_CACHE_KINDS + (size_t)kind) * cache->models + model];
}

/* ---- the list of unheld states ---- */

/* Takes an idle entry out of the list of those that may be evicted. */
static void unlist(es_cache *cache, place *p) {
    *(p->newer ? &p->newer->older : &cache->newest) = p->older;
    *(p->older ? &p->older->newer : &cache->oldest) = p->newer;
    p->newer = p->older = NULL;
    cache->idle -= p->bytes;
}

/* Puts an entry that nobody holds at the newest end of the list of those that may be evicted. */
static void list(es_cache *cache, place *p) {
    p->older = cache->newest;
    *(p->older ? &p->older->newer : &cache->oldest) = p;
    cache->newest = p;
    cache->idle += p->bytes;
}

/* Frees under the lock: dropping a state is a few calls of free. */
static void drop(es_cache *cache, place *p) {
    unlist(cache, p);
    cache->bytes -= p->bytes;
    cache->maker.drop(cache->maker.context, p->entry, (es_cache_kind)p->kind, p->state);
    p->state = NULL;
}

static void shrink(es_cache *cache, size_t budget) {
    while ((cache->bytes > budget || cache->idle > cache->spare) && cache->oldest)
        drop(cache, cache->oldest);
}

/* ---- making ---- */

static bool is_lasting(es_status st) {
    return st != ES_ECANCELED && st != ES_ENOMEM;
}

/* Called and returns with the lock. */
static es_status make(es_cache *cache, place *p, es_run *run, es_error *err) {
    es_error error = {0};
    void *state = NULL;
    p->making = true;
    pthread_mutex_unlock(&cache->lock);
    const es_cache_maker *maker = &cache->maker;
    es_status st = maker->make(maker->context, p->entry, (es_cache_kind)p->kind, p->model, run,
                               &state, &error);
    size_t bytes =
        st == ES_OK ? maker->bytes(maker->context, p->entry, (es_cache_kind)p->kind, state) : 0;
    pthread_mutex_lock(&cache->lock);
    p->making = false;
    if (st == ES_OK) {
        p->state = state;
        p->bytes = bytes;
        cache->bytes += bytes;
        list(cache, p);
    } else {
        error.code = st;
        if (is_lasting(st) && (p->failure = es_alloc(1, sizeof error)) != NULL)
            *p->failure = error;
        if (err)
            *err = error;
    }
    pthread_cond_broadcast(&cache->made);
    return st;
}

static void wait_a_moment(es_cache *cache) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&cache->made, &cache->lock, &until);
}

es_status es_cache_hold(es_cache *cache, size_t entry, es_cache_kind kind, size_t model,
                        es_run *run, const void **out, es_error *err) {
    place *p = place_of(cache, entry, kind, model);
    es_status st = ES_OK;
    pthread_mutex_lock(&cache->lock);
    while (st == ES_OK && !p->state) {
        st = es_run_check(run, err);
        if (st != ES_OK)
            break;
        if (p->failure) {
            st = p->failure->code;
            if (err)
                *err = *p->failure;
        } else if (p->making) {
            wait_a_moment(cache);
        } else {
            st = make(cache, p, run, err);
        }
    }
    if (st == ES_OK) {
        if (p->holders++ == 0)
            unlist(cache, p);
        shrink(cache, cache->budget);
        *out = p->state;
    }
    pthread_mutex_unlock(&cache->lock);
    return st;
}

void es_cache_release(es_cache *cache, size_t entry, es_cache_kind kind, size_t model, bool keep) {
    place *p = place_of(cache, entry, kind, model);
    pthread_mutex_lock(&cache->lock);
    if (--p->holders == 0) {
        list(cache, p);
        if (!keep)
            drop(cache, p);
    }
    shrink(cache, cache->budget);
    pthread_mutex_unlock(&cache->lock);
}

es_cache_presence es_cache_look(es_cache *cache, size_t entry, es_cache_kind kind, size_t model) {
    pthread_mutex_lock(&cache->lock);
    const place *p = place_of(cache, entry, kind, model);
    es_cache_presence presence = p->state || p->failure ? ES_CACHE_READY
                                 : p->making            ? ES_CACHE_MAKING
                                                        : ES_CACHE_ABSENT;
    pthread_mutex_unlock(&cache->lock);
    return presence;
}

void es_cache_spare(es_cache *cache, size_t bytes) {
    pthread_mutex_lock(&cache->lock);
    cache->spare = bytes;
    shrink(cache, cache->budget);
    pthread_mutex_unlock(&cache->lock);
}

void es_cache_clear(es_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    shrink(cache, 0);
    for (size_t i = 0; i < cache->count; i++) {
        es_free(cache->places[i].failure);
        cache->places[i].failure = NULL;
    }
    pthread_mutex_unlock(&cache->lock);
}

size_t es_cache_bytes(es_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    size_t bytes = cache->bytes;
    pthread_mutex_unlock(&cache->lock);
    return bytes;
}

void es_cache_free(es_cache *cache) {
    if (!cache)
        return;
    es_cache_clear(cache);
    pthread_cond_destroy(&cache->made);
    pthread_mutex_destroy(&cache->lock);
    es_free(cache);
}

/* ---- room in memory ---- */

/* A sum under a mutex. */

struct es_room {
    pthread_mutex_t lock;
    pthread_cond_t less;
    size_t size, used;
};

es_status es_room_new(size_t bytes, es_room **out, es_error *err) {
    es_room *room = es_alloc_zero(1, sizeof *room);
    if (!room)
        return es_no_memory(err);
    pthread_mutex_init(&room->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&room->less, &attributes);
    pthread_condattr_destroy(&attributes);
    room->size = bytes;
    *out = room;
    return ES_OK;
}

void es_room_free(es_room *room) {
    if (!room)
        return;
    pthread_cond_destroy(&room->less);
    pthread_mutex_destroy(&room->lock);
    es_free(room);
}

bool es_room_take(es_room *room, size_t *held, size_t bytes) {
    pthread_mutex_lock(&room->lock);
    size_t others = room->used - *held;
    bool fits =
        bytes <= *held || others == 0 || (others <= room->size && bytes <= room->size - others);
    if (fits) {
        if (bytes < *held)
            pthread_cond_broadcast(&room->less);
        room->used = others + bytes;
        *held = bytes;
    }
    pthread_mutex_unlock(&room->lock);
    return fits;
}

void es_room_wait(es_room *room) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 20 * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&room->lock);
    pthread_cond_timedwait(&room->less, &room->lock, &until);
    pthread_mutex_unlock(&room->lock);
}

size_t es_room_size(const es_room *room) {
    return room->size;
}

size_t es_room_left(es_room *room) {
    pthread_mutex_lock(&room->lock);
    size_t left = room->used < room->size ? room->size - room->used : 0;
    pthread_mutex_unlock(&room->lock);
    return left;
}
