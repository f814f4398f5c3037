/* A thread looks every two seconds at the stores of a cluster's tasks: one whose file has changed
 * is read from where it was read last. There is no thread where there is no such folder. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "alloc.h"
#include "clock.h"
#include "lapse.h"
#include "file.h"
#include "paths.h"
#include "session_state.h"
#include "store_claims.h"
#include "store_place.h"

enum { LOOK_SECONDS = 2, TASKS_MOST = 4096, PLACES = 2 };

/* What is known of a task beside what is shown. */
typedef struct task {
    es_shard shown;
    time_t mtime; /* of its file, when it was read */
    off_t size;
    int64_t *after; // (entries) rows of its store that were read
    size_t *pairs;  // (entries)
    size_t *share;  // (entries) pairs that it is to find, the zero line left out
    int64_t owner;
    uint64_t beat;
    bool held; /* by somebody */
} task;

struct es_shard_watch {
    es_session *session;
    pthread_mutex_t lock; /* around quit */
    pthread_cond_t wake;
    pthread_t thread;
    bool quit;
    char *place[PLACES]; /* NULL: none */
    task *tasks;         // (count) by number
    size_t count;
};

/* ---- one task ---- */

static void read_pairs(es_session *s, es_store *store, task *t) {
    for (size_t e = 0; e < s->n_entries; e++) {
        size_t found = 0;
        if (es_stored_load_from(s, store, e, &t->after[e], &found, NULL) == ES_OK)
            t->pairs[e] += found;
    }
}

static void read_owner(es_store *store, task *t, double now) {
    es_owner owner = {0};
    bool found = false;
    if (es_store_owner(store, &owner, &found, NULL) != ES_OK)
        found = false;
    t->held = found && !es_process_gone(&owner.process);
    if (!t->held) {
        t->shown.host[0] = '\0';
        return;
    }
    if (owner.id != t->owner || owner.beat != t->beat)
        t->shown.heard = now;
    t->owner = owner.id;
    t->beat = owner.beat;
    (void)snprintf(t->shown.host, sizeof t->shown.host, "%s", owner.process.host);
}

static void judge(const es_session *s, task *t, double now) {
    es_shard *shown = &t->shown;
    shown->pairs = shown->total = 0;
    for (size_t e = 0; e < s->n_entries; e++) {
        shown->pairs += t->pairs[e];
        shown->total += t->pairs[e] > 0 ? t->share[e] : 0;
    }
    bool complete = shown->total > 0 && shown->pairs >= shown->total;
    if (t->held)
        shown->state = now - shown->heard > ES_LAPSE_SECONDS ? ES_SHARD_SILENT : ES_SHARD_RUNNING;
    else
        shown->state = complete ? ES_SHARD_DONE : ES_SHARD_STOPPED;
    if (shown->total == 0)
        shown->total = t->share[0];
}

static void look_at(es_session *s, task *t, const char *path, double now) {
    struct stat file;
    es_store *store = NULL;
    if (lstat(path, &file) != 0 || file.st_size == 0)
        return; /* it has not begun, or is just about to */
    bool changed = t->shown.state == ES_SHARD_WAITING || t->shown.state == ES_SHARD_BROKEN ||
                   file.st_mtime != t->mtime || file.st_size != t->size || t->held;
    if (!changed)
        return;
    es_status st = es_store_open_look(path, &store, NULL);
    if (st == ES_OK) {
        read_pairs(s, store, t);
        read_owner(store, t, now);
        es_store_close(store);
        t->mtime = file.st_mtime;
        t->size = file.st_size;
        judge(s, t, now);
    } else if (st != ES_ENOTFOUND && st != ES_EBUSY) {
        t->shown.state = ES_SHARD_BROKEN;
    }
}

/* ---- all of them ---- */

static int order_tasks(const void *a, const void *b) {
    const es_shard *x = &((const task *)a)->shown, *y = &((const task *)b)->shown;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static task *find(es_shard_watch *w, size_t number, size_t of) {
    const task key = {.shown = {.number = number, .of = of}};
    return w->count == 0 ? NULL : bsearch(&key, w->tasks, w->count, sizeof key, order_tasks);
}

static bool add_task(es_shard_watch *w, size_t number, size_t of) {
    const es_session *s = w->session;
    task t = {.shown = {.number = number, .of = of},
              .after = es_alloc_zero(s->n_entries, sizeof *t.after),
              .pairs = es_alloc_zero(s->n_entries, sizeof *t.pairs),
              .share = es_alloc_zero(s->n_entries, sizeof *t.share)};
    if (!t.after || !t.pairs || !t.share) {
        es_free(t.after);
        es_free(t.pairs);
        es_free(t.share);
        return false;
    }
    w->tasks[w->count++] = t;
    return true;
}

/* How many pairs each of the last `of` tasks is to find. */
static void count_shares(es_shard_watch *w, size_t of) {
    const es_session *s = w->session;
    task *tasks = w->tasks + w->count - of;
    uint32_t *number = es_alloc_zero(s->m * s->m + s->m, sizeof *number);
    for (size_t e = 0; number && e < s->n_entries; e++) {
        es_share_cut(s, e, of, number);
        for (size_t i = 0; i < s->m * s->m; i++)
            tasks[number[i]].share[e]++;
    }
    for (size_t k = 0; k < of; k++)
        tasks[k].shown.total = tasks[k].share[0];
    es_free(number);
}

/* All that there are with one: the others are still waiting. */
static void add_tasks(es_shard_watch *w, size_t of) {
    if (w->count + of > TASKS_MOST)
        return;
    task *grown = es_realloc(w->tasks, w->count + of, sizeof *grown);
    if (!grown)
        return;
    w->tasks = grown;
    size_t before = w->count;
    for (size_t k = 1; k <= of && add_task(w, k, of);)
        k++;
    if (w->count - before == of)
        count_shares(w, of);
    qsort(w->tasks, w->count, sizeof *w->tasks, order_tasks);
}

/* "3-of-16.db", as `embedscope slurm` names them. */
static bool read_name(const char *name, size_t *number, size_t *of) {
    char *end = NULL, again[64];
    unsigned long k = strtoul(name, &end, 10), n = 0;
    if (end != name && strncmp(end, "-of-", 4) == 0)
        n = strtoul(end + 4, &end, 10);
    (void)snprintf(again, sizeof again, "%lu-of-%lu.db", k, n);
    *number = k;
    *of = n;
    return strcmp(again, name) == 0 && k >= 1 && k <= n && n <= TASKS_MOST;
}

static void look_through(es_shard_watch *w, const char *place, double now) {
    DIR *folder = opendir(place);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        char path[4096];
        size_t number, of;
        if (!read_name(e->d_name, &number, &of))
            continue;
        int used = snprintf(path, sizeof path, "%s/%s", place, e->d_name);
        if (used < 0 || (size_t)used >= sizeof path)
            continue;
        if (!find(w, number, of))
            add_tasks(w, of);
        task *t = find(w, number, of);
        if (t)
            look_at(w->session, t, path, now);
    }
    if (folder)
        (void)closedir(folder);
}

/* ---- to the owner ---- */

typedef struct tasks_item {
    es_item item;
    es_session *session;
    es_shard *tasks;
    size_t count;
} tasks_item;

static void take_tasks(es_item *base, const es_event *event) {
    tasks_item *item = (tasks_item *)base;
    (void)event;
    es_free(item->session->tasks);
    item->session->tasks = item->tasks;
    item->session->n_tasks = item->count;
    item->tasks = NULL;
}

static void drop_tasks(es_item *base) {
    es_free(((tasks_item *)base)->tasks);
}

static void tell(const es_shard_watch *w) {
    tasks_item *item = w->count > 0 ? es_alloc(1, sizeof *item) : NULL;
    es_shard *tasks = item ? es_alloc(w->count, sizeof *tasks) : NULL;
    if (!tasks) {
        es_free(item);
        return; /* the next look tells again */
    }
    for (size_t i = 0; i < w->count; i++)
        tasks[i] = w->tasks[i].shown;
    *item = (tasks_item){{take_tasks, drop_tasks}, w->session, tasks, w->count};
    (void)es_item_tell(w->session->workers, &item->item, NULL);
}

/* Nothing changes any more by itself: all are done. */
static bool all_done(const es_shard_watch *w) {
    size_t done = 0;
    for (size_t i = 0; i < w->count; i++)
        done += w->tasks[i].shown.state == ES_SHARD_DONE;
    return w->count > 0 && done == w->count;
}

static bool rest(es_shard_watch *w) {
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += LOOK_SECONDS;
    pthread_mutex_lock(&w->lock);
    for (int code = 0; !w->quit && code == 0;)
        code = pthread_cond_timedwait(&w->wake, &w->lock, &until);
    bool on = !w->quit;
    pthread_mutex_unlock(&w->lock);
    return on;
}

static void *keep(void *data) {
    es_shard_watch *w = data;
    do {
        double now = es_clock_now();
        for (size_t p = 0; p < PLACES; p++)
            if (w->place[p])
                look_through(w, w->place[p], now);
        tell(w);
    } while (!all_done(w) && rest(w));
    return NULL;
}

/* ---- the session's ---- */

static void watch_free(es_shard_watch *w) {
    for (size_t i = 0; i < w->count; i++) {
        es_free(w->tasks[i].after);
        es_free(w->tasks[i].pairs);
        es_free(w->tasks[i].share);
    }
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    es_free(w->tasks);
    for (size_t p = 0; p < PLACES; p++)
        es_free(w->place[p]);
    es_free(w);
}

void es_shards_start(es_session *s) {
    pthread_condattr_t monotonic;
    char *place[PLACES] = {NULL, NULL}, *path = NULL;
    if (!s->with_shards || s->watch || s->m == 0 ||
        es_path_canonical(es_pool_path(s->pool), &path, NULL) != ES_OK)
        return;
    es_status st = es_shard_places(path, place, NULL);
    es_free(path);
    if (st != ES_OK || (!place[0] && !place[1]))
        return;
    es_shard_watch *w = es_alloc_zero(1, sizeof *w);
    if (!w) {
        es_free(place[0]);
        es_free(place[1]);
        return;
    }
    w->session = s;
    memcpy(w->place, place, sizeof place);
    pthread_mutex_init(&w->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&w->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    if (es_workers_thread(&w->thread, keep, w) == 0)
        s->watch = w;
    else
        watch_free(w);
}

void es_shards_stop(es_session *s) {
    es_shard_watch *w = s->watch;
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    (void)pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    (void)pthread_join(w->thread, NULL);
    watch_free(w);
    s->watch = NULL;
}

const es_shard *es_session_shards(const es_session *s, size_t *count) {
    *count = s ? s->n_tasks : 0;
    return *count > 0 ? s->tasks : NULL;
}
