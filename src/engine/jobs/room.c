/* A sum under a mutex. */
#include "engine_jobs.h"

#include <pthread.h>
#include <time.h>

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
