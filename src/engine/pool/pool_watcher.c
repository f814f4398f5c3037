/* One thread that is told by the kernel (inotify) or, of file systems of other machines, looks
 * again and again, lists the folder and compares a digest. An idle explorer is not woken by it.
 * Watcher and thread share what they know and count who needs it: whoever is last frees it, so that
 * the end of a watch never waits for a file system. */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

#include "engine_place.h"
#include "engine_pool_parts.h"

static const double EVERY = 5; /* seconds between looks where nobody tells */

struct es_pool_watcher {
    pthread_mutex_t lock; /* around what follows */
    unsigned owners;      /* the watcher, the thread */
    bool changed;
    /* fixed */
    char *root;
    double seconds;
    int pipe[2], stop[2];
    /* the thread's */
    int notify;      /* inotify's; -1: the folder is looked at again and again */
    es_digest known; /* what was opened or told of */
};

/* Gives up one of the two references; the last one frees the watcher. */
static void release(es_pool_watcher *w) {
    pthread_mutex_lock(&w->lock);
    bool last = --w->owners == 0;
    pthread_mutex_unlock(&w->lock);
    if (!last)
        return;
    es_pipe_close(w->pipe);
    es_pipe_close(w->stop);
    if (w->notify >= 0)
        (void)close(w->notify);
    pthread_mutex_destroy(&w->lock);
    es_free(w->root);
    es_free(w);
}

/* ---- waiting ---- */

#ifdef __linux__
int es_folder_listen(const char *path) {
    static const unsigned long remote[] = {0x6969,     0x517B,     0xFE534D42, 0xFF534D42,
                                           0x0BD00BD0, 0x65735546, 0x47504653, 0x00C36400,
                                           0x01021997, 0x19830326};
    struct statfs info;
    if (statfs(path, &info) != 0)
        return -1;
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if ((unsigned long)info.f_type == remote[i])
            return -1;
    return inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
}

/* A folder and those below it; what is hidden is no part of a pool. */
static void notice(int notify, const char *path, unsigned depth) {
    enum { WHAT = IN_CREATE | IN_MOVE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE };
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    (void)inotify_add_watch(notify, path, WHAT);
    for (struct dirent *entry; depth < POOL_DEPTH && (entry = readdir(folder)) != NULL;) {
        struct stat info;
        char *below = entry->d_name[0] == '.' ? NULL : es_path_join(path, entry->d_name);
        if (below != NULL && lstat(below, &info) == 0 && S_ISDIR(info.st_mode))
            notice(notify, below, depth + 1);
        es_free(below);
    }
    (void)closedir(folder);
}

/* The folders of what was derived, or what they will be made in: there the results are written all
 * the time, and only a new name is of interest. */
static void notice_derived(int notify, const char *root) {
    char *derived[2] = {NULL, NULL}, *folder[2] = {NULL, NULL};
    if (es_derived_places(root, derived, NULL) == ES_OK &&
        es_store_folders(root, folder, NULL) == ES_OK)
        for (size_t i = 0; i < 2; i++) {
            if (derived[i])
                (void)inotify_add_watch(notify, derived[i], IN_MOVE | IN_DELETE | IN_CLOSE_WRITE);
            else if (folder[i])
                (void)inotify_add_watch(notify, folder[i], IN_CREATE | IN_ONLYDIR);
        }
    for (size_t i = 0; i < 2; i++) {
        es_free(derived[i]);
        es_free(folder[i]);
    }
}

/* Begin to be told; false: nobody tells. */
static bool listen(es_pool_watcher *w) {
    if (w->notify < 0)
        w->notify = es_folder_listen(w->root);
    if (w->notify >= 0) {
        notice(w->notify, w->root, 0);
        notice_derived(w->notify, w->root);
    }
    return w->notify >= 0;
}
#else
int es_folder_listen(const char *path) {
    (void)path;
    return -1;
}

static bool listen(es_pool_watcher *w) {
    (void)w;
    return false;
}
#endif

/* Until there may be a change; false: it is over. */
static bool wait_for_change(es_pool_watcher *w) {
    return es_pipe_rest(w->stop, w->notify, w->notify < 0 ? EVERY : -1);
}

/* ---- looking ---- */

/* Marks the pool as changed and wakes the owner's thread, once. */
static void wake_owner(es_pool_watcher *w) {
    pthread_mutex_lock(&w->lock);
    bool first = !w->changed;
    w->changed = true;
    pthread_mutex_unlock(&w->lock);
    if (first)
        es_pipe_wake(w->pipe, 0);
}

/* Looks until two in a row have found the same; false: it is over. A folder that cannot be read for
 * a while is no change. */
static bool settle(es_pool_watcher *w) {
    es_digest before = {0}, now = {0};
    bool first = true;
    for (;; first = false, before = now) {
        (void)listen(w); /* new folders too */
        if (pool_folder_digest(w->root, &now, NULL) != ES_OK)
            now = w->known;
        if (es_digest_equal(now, w->known) || (!first && es_digest_equal(now, before)))
            break;
        if (!es_pipe_rest(w->stop, -1, w->seconds))
            return false;
    }
    if (!es_digest_equal(now, w->known))
        wake_owner(w);
    w->known = now;
    return true;
}

/* What came before somebody told is found by the first look. */
static void *watch(void *data) {
    es_pool_watcher *w = data;
    while (settle(w) && wait_for_change(w))
        continue;
    release(w);
    return NULL;
}

/* Signals are the owner's, but those of a crash. */
static int start_thread(es_pool_watcher *w) {
    static const int crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    pthread_t thread;
    sigset_t all, before;
    (void)sigfillset(&all);
    for (size_t i = 0; i < sizeof crash / sizeof *crash; i++)
        (void)sigdelset(&all, crash[i]);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&thread, NULL, watch, w);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code == 0)
        (void)pthread_detach(thread);
    return code;
}

static es_status watcher_init(es_pool_watcher *w, const es_pool *pool, double seconds,
                              es_error *err) {
    *w = (es_pool_watcher){.owners = 1,
                           .seconds = seconds,
                           .pipe = {-1, -1},
                           .stop = {-1, -1},
                           .notify = -1,
                           .known = pool->folder};
    (void)pthread_mutex_init(&w->lock, NULL);
    w->root = es_strdup(pool->root);
    if (w->root == NULL)
        return es_no_memory(err);
    ES_PASS(es_pipe_open(w->pipe, err));
    return es_pipe_open(w->stop, err);
}

es_status es_pool_watcher_new(const es_pool *pool, double seconds, es_pool_watcher **out,
                              es_error *err) {
    if (pool == NULL || pool->root == NULL)
        return es_fail(err, ES_EUNSUPPORTED, "matrices in memory have no folder");
    es_pool_watcher *w = es_alloc(1, sizeof *w);
    if (w == NULL)
        return es_no_memory(err);
    es_status st = watcher_init(w, pool, seconds, err);
    if (st == ES_OK) {
        w->owners = 2;
        int code = start_thread(w);
        if (code != 0) {
            w->owners = 1;
            st = es_fail(err, ES_EIO, "thread: %s", strerror(code));
        }
    }
    if (st == ES_OK)
        *out = w;
    else
        release(w);
    return st;
}

void es_pool_watcher_free(es_pool_watcher *w) {
    if (w == NULL)
        return;
    es_pipe_wake(w->stop, 0);
    release(w);
}

int es_pool_watcher_fd(const es_pool_watcher *w) {
    return w ? w->pipe[0] : -1;
}

bool es_pool_watcher_changed(es_pool_watcher *w) {
    if (w == NULL)
        return false;
    (void)es_fd_drain(w->pipe[0]);
    pthread_mutex_lock(&w->lock);
    bool changed = w->changed;
    w->changed = false;
    pthread_mutex_unlock(&w->lock);
    return changed;
}
