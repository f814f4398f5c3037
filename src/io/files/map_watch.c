/* A handler of SIGBUS for mapped files that are cut short: zeros are mapped over what has gone,
 * and the reader asks afterwards. */
#include "io_files.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REST_BYTES = 16 << 20 };

/* One mapped range. Nodes are never freed, only used again, so that the handler can walk the list
 * at any moment without a lock. */
struct es_map_watch {
    atomic_uintptr_t start, end; /* 0: free */
    atomic_size_t used;          /* bytes read since pages were let go */
    atomic_bool taken, cut;
    es_map_watch *next; /* fixed once the node is in the list */
};

/* A signal handler knows no context, hence these. */
static _Atomic(es_map_watch *) list;
static int zeros = -1; /* /dev/zero, to map from */
static uintptr_t page;
static struct sigaction before;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Put zeros in the place of everything from the page of `address` on: it cannot be read any more.
 */
static bool mend(es_map_watch *watch, uintptr_t address) {
    uintptr_t start = atomic_load(&watch->start), end = atomic_load(&watch->end);
    if (address < start || address >= end)
        return false;
    uintptr_t from = address & ~(page - 1);
    atomic_store(&watch->cut, true);
    return mmap((void *)from, end - from, PROT_READ, MAP_PRIVATE | MAP_FIXED, zeros, 0) !=
           MAP_FAILED;
}

bool es_map_mend(const void *address) {
    for (es_map_watch *w = atomic_load(&list); w; w = w->next)
        if (atomic_load(&w->taken) && mend(w, (uintptr_t)address))
            return true;
    return false;
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
    if (es_map_mend(info->si_addr))
        return; /* the instruction is repeated and reads zeros */
    if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction)
        before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
    else
        (void)sigaction(number, &before, NULL); /* and the fault again, to die of it */
}

static void install(void) {
    struct sigaction action = {.sa_sigaction = on_bus_error};
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (zeros >= 0)
        (void)sigaction(SIGBUS, &action, &before);
}

static es_map_watch *reuse(void) {
    for (es_map_watch *w = atomic_load(&list); w; w = w->next) {
        bool free_one = false;
        if (atomic_compare_exchange_strong(&w->taken, &free_one, true))
            return w;
    }
    return NULL;
}

static es_map_watch *add(void) {
    es_map_watch *w = es_alloc_zero(1, sizeof *w);
    if (!w)
        return NULL;
    atomic_store(&w->taken, true);
    w->next = atomic_load(&list);
    while (!atomic_compare_exchange_weak(&list, &w->next, w)) {
    }
    return w;
}

es_map_watch *es_map_watch_new(const void *data, size_t size) {
    (void)pthread_once(&once, install);
    es_map_watch *w = reuse();
    if (!w)
        w = add();
    if (w) {
        atomic_store(&w->cut, false);
        atomic_store(&w->used, (size_t)0);
        atomic_store(&w->start, (uintptr_t)data);
        atomic_store(&w->end, (uintptr_t)data + size);
    }
    return w;
}

bool es_map_watch_cut(const es_map_watch *watch) {
    return watch && atomic_load(&watch->cut);
}

void es_map_watch_rest(es_map_watch *watch) {
    if (!watch)
        return;
    uintptr_t start = atomic_load(&watch->start);
    atomic_store(&watch->used, (size_t)0);
    (void)madvise((void *)start, atomic_load(&watch->end) - start, MADV_DONTNEED);
}

void es_map_watch_use(es_map_watch *watch, size_t bytes) {
    if (watch && atomic_fetch_add(&watch->used, bytes) + bytes > REST_BYTES)
        es_map_watch_rest(watch);
}

void es_map_watch_free(es_map_watch *watch) {
    if (!watch)
        return;
    atomic_store(&watch->end, (uintptr_t)0);
    atomic_store(&watch->start, (uintptr_t)0);
    atomic_store(&watch->taken, false);
}
