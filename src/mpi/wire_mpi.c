/* Messages by MPI: sends that nobody waits for, and a look whether something has come. Where the
 * MPI library can survive the death of a rank (ULFM) it is asked which have died. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "wire_mpi.h"

#include <limits.h>
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <sched.h>
#include <time.h>

enum { TAG = 0 };
static const double leave_seconds = 10;

/* A message on its way. */
typedef struct sending {
    struct sending *next;
    MPI_Request request;
    char *bytes;
} sending;

/* A message that is coming: who sends it may die in the middle of it, so nobody waits for it. */
typedef struct coming {
    struct coming *next;
    MPI_Request request;
    size_t from, length;
    char *bytes;
} coming;

typedef struct wire {
    MPI_Comm everyone;
    sending *first;
    coming *queue; /* in the order of their arrival */
    bool *lost;    // (size)
    size_t size;
} wire;

/* Frees what has arrived. */
static void sweep(wire *w) {
    for (sending **at = &w->first; *at;) {
        sending *s = *at;
        int done = 0;
        if (MPI_Test(&s->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        es_free(s->bytes);
        es_free(s);
    }
}

/* NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): sweep looks whether it has arrived */
static void send(void *context, size_t to, char *bytes, size_t length) {
    wire *w = context;
    sending *s = length <= INT_MAX ? es_alloc_zero(1, sizeof *s) : NULL;
    if (!s || MPI_Isend(bytes, (int)length, MPI_BYTE, (int)to, TAG, w->everyone, &s->request) !=
                  MPI_SUCCESS) {
        es_free(s);
        es_free(bytes);
        return;
    }
    s->bytes = bytes;
    s->next = w->first;
    w->first = s;
}

/* Begins to take what has been announced. Without memory it stays where it is. */
static void take_next(wire *w) {
    MPI_Status status;
    int there = 0, length = 0;
    coming **end = &w->queue;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, w->everyone, &there, &status) != MPI_SUCCESS || !there ||
        MPI_Get_count(&status, MPI_BYTE, &length) != MPI_SUCCESS || length < 0)
        return;
    coming *c = es_alloc_zero(1, sizeof *c);
    char *bytes = c ? es_alloc((size_t)length, 1) : NULL;
    if (!bytes || MPI_Irecv(bytes, length, MPI_BYTE, status.MPI_SOURCE, TAG, w->everyone,
                            &c->request) != MPI_SUCCESS) {
        es_free(bytes);
        es_free(c);
        return;
    }
    c->bytes = bytes;
    c->length = (size_t)length;
    c->from = (size_t)status.MPI_SOURCE;
    while (*end)
        end = &(*end)->next;
    *end = c;
}

/* True if an earlier message of the same rank has not arrived yet. */
static bool is_behind(const wire *w, const coming *c) {
    for (const coming *before = w->queue; before != c; before = before->next)
        if (before->from == c->from)
            return true;
    return false;
}

/* Takes the next message that has come, in the order of its sender; false: none. */
static bool receive_next(void *context, size_t *from, es_buf *out) {
    wire *w = context;
    sweep(w);
    take_next(w);
    for (coming **at = &w->queue; *at; at = &(*at)->next) {
        coming *c = *at;
        int done = 0;
        if (is_behind(w, c) || MPI_Test(&c->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
            !done)
            continue;
        es_buf_add(out, c->bytes, c->length);
        *from = c->from;
        *at = c->next;
        es_free(c->bytes);
        es_free(c);
        return !out->failed;
    }
    return false;
}
#if defined(OMPI_HAVE_MPI_EXT_FTMPI) && OMPI_HAVE_MPI_EXT_FTMPI
static void find_lost(wire *w) {
    MPI_Group dead = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    int count = 0;
    if (MPIX_Comm_failure_ack(w->everyone) != MPI_SUCCESS ||
        MPIX_Comm_failure_get_acked(w->everyone, &dead) != MPI_SUCCESS)
        return;
    (void)MPI_Group_size(dead, &count);
    (void)MPI_Comm_group(w->everyone, &all);
    for (int i = 0; i < count; i++) {
        int rank = MPI_UNDEFINED;
        (void)MPI_Group_translate_ranks(dead, 1, &i, all, &rank);
        if (rank >= 0 && (size_t)rank < w->size)
            w->lost[rank] = true;
    }
    (void)MPI_Group_free(&all);
    (void)MPI_Group_free(&dead);
}
#else
static void find_lost(wire *w) {
    (void)w; /* the team tells by its heartbeats */
}
#endif

static bool is_lost(void *context, size_t rank) {
    wire *w = context;
    find_lost(w);
    return w->lost[rank];
}

/* Takes what still comes, of which nobody wants to know any more: who sends it waits for that. */
static void drain(wire *w) {
    es_buf message = {0};
    size_t from;
    if (!receive_next(w, &from, &message))
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    es_buf_free(&message);
}

/* MPI_Finalize waits for all, for ever if one has died. So it is called once all have said that
 * they come, and not at all if one does not; then the process ends without. */
static void leave(void *context, bool whole) {
    wire *w = context;
    MPI_Request request;
    int done = 0;
    double until = es_clock_now() + leave_seconds;
    while (whole && w->first && es_clock_now() < until)
        drain(w);
    if (!whole || w->first || MPI_Ibarrier(w->everyone, &request) != MPI_SUCCESS)
        return;
    while (!done && es_clock_now() < until) {
        drain(w);
        (void)MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (done)
        (void)MPI_Finalize();
}

/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

/* Ranks of one machine share its cores: a core that several may use counts in parts. */
static unsigned share_of_cores(void) {
    MPI_Comm machine;
    cpu_set_t mine, *all = NULL;
    int rank = 0, size = 0;
    double share = 0;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) !=
        MPI_SUCCESS)
        return 0;
    (void)MPI_Comm_size(machine, &size);
    (void)MPI_Comm_rank(machine, &rank);
    CPU_ZERO(&mine);
    bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    all = es_alloc_zero((size_t)size, sizeof *all);
    int able = known && all, every = 0;
    (void)MPI_Allreduce(&able, &every, 1, MPI_INT, MPI_MIN, machine);
    if (every)
        (void)MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE,
                            machine);
    for (size_t core = 0; every && core < CPU_SETSIZE; core++) {
        size_t users = 0;
        for (int r = 0; r < size; r++)
            users += CPU_ISSET(core, &all[r]) != 0;
        if (CPU_ISSET(core, &mine))
            share += 1 / (double)users;
    }
    es_free(all);
    (void)MPI_Comm_free(&machine);
    /* a third thrice is nearly one */
    return !every ? 0 : share + 1e-6 < 1 ? 1 : (unsigned)(share + 1e-6);
}

es_status es_wire_mpi(es_wire *out, es_error *err) {
    static wire w;
    int given = 0, rank = 0, size = 1;
    *out = (es_wire){.size = 1};
    if (!es_launched())
        return ES_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return es_fail(err, ES_EIO, "MPI could not be started");
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || given < MPI_THREAD_SERIALIZED) {
        (void)MPI_Finalize();
        return size < 2 ? ES_OK
                        : es_fail(err, ES_EUNSUPPORTED,
                                  "this MPI library lets but one thread call it; one that gives "
                                  "MPI_THREAD_SERIALIZED is needed");
    }
    w.everyone = MPI_COMM_WORLD;
    (void)MPI_Comm_set_errhandler(w.everyone, MPI_ERRORS_RETURN);
    w.size = (size_t)size;
    w.lost = es_alloc_zero(w.size, sizeof *w.lost);
    if (!w.lost)
        return es_no_memory(err);
    *out = (es_wire){.context = &w,
                     .rank = (size_t)rank,
                     .size = w.size,
                     .threads = share_of_cores(),
                     .send = send,
                     .receive = receive_next,
                     .lost = is_lost,
                     .leave = leave};
    return ES_OK;
}
