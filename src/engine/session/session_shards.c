/* A thread looks at the stores of a cluster's tasks: one whose file has changed is read from where
 * it was read last. It looks every two seconds while a task runs, since a heartbeat that stays away
 * is told by nobody; else when the kernel tells (inotify) that something has come, so that an idle
 * explorer is not woken. On file systems that tell nothing, of other machines, it looks every two
 * seconds as long as there are tasks; where there are none when the pool is opened, there is no
 * thread. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "engine_session_parts.h"

enum { TASKS_MOST = 4096, PLACES = 2 };
static const double look_seconds = 2, /* between two looks that nobody asks for */
    pause_seconds = 0.2;              /* after something was told: more comes with it */

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
    bool held;   /* by somebody */
    bool unsure; /* not read whole, or just written: nobody need tell again */
} task;

struct es_shard_watch {
    es_session *session;
    pthread_t thread;
    char *root;          /* the pool's, canonical */
    int stop[2], notify; /* inotify's; -1: nobody tells */
    task *tasks;         // (count) by number
    size_t count;
};

/* ---- one task ---- */

static bool read_pairs(es_session *s, es_store *store, task *t) {
    bool whole = true;
    for (size_t e = 0; e < s->n_entries; e++) {
        size_t found = 0;
        if (es_stored_load_from(s, store, e, &t->after[e], &found, NULL) == ES_OK)
            t->pairs[e] += found;
        else
            whole = false;
    }
    return whole;
}

static bool read_owner(es_store *store, task *t, double now) {
    es_owner owner = {0};
    bool found = false, read = es_store_owner(store, &owner, &found, NULL) == ES_OK;
    found = found && read;
    t->held = found && !es_process_gone(&owner.process);
    if (!t->held) {
        t->shown.host[0] = '\0';
        return read;
    }
    if (owner.id != t->owner || owner.beat != t->beat)
        t->shown.heard = now;
    t->owner = owner.id;
    t->beat = owner.beat;
    (void)snprintf(t->shown.host, sizeof t->shown.host, "%s", owner.process.host);
    return true;
}

/* More may be written within the same second, or size: as long as its clock is about ours. */
static bool is_fresh(const struct stat *file) {
    double age = difftime(time(NULL), file->st_mtime);
    return age > -look_seconds - 1 && age < look_seconds + 1;
}

/* Sets the state of a cluster task from its pairs and its last heartbeat. */
static void judge_task(const es_session *s, task *t, double now) {
    es_shard *shown = &t->shown;
    shown->pairs = shown->total = 0;
    for (size_t e = 0; e < s->n_entries; e++) {
        shown->pairs += t->pairs[e];
        shown->total += t->pairs[e] > 0 ? t->share[e] : 0;
    }
    bool complete = shown->total > 0 && shown->pairs >= shown->total;
    if (t->held)
        shown->state = now - shown->heard > ES_LEASE_SECONDS ? ES_SHARD_SILENT : ES_SHARD_RUNNING;
    else
        shown->state = complete ? ES_SHARD_DONE : ES_SHARD_STOPPED;
    if (shown->total == 0)
        shown->total = t->share[0];
}

/* Reads the new pairs of one task's store. */
static void read_task_file(es_session *s, task *t, const char *path, double now) {
    struct stat file;
    es_store *store = NULL;
    if (lstat(path, &file) != 0 || file.st_size == 0)
        return; /* it has not begun, or is just about to */
    bool changed = t->shown.state == ES_SHARD_WAITING || t->shown.state == ES_SHARD_BROKEN ||
                   file.st_mtime != t->mtime || file.st_size != t->size || t->held || t->unsure;
    if (!changed)
        return;
    es_status st = es_store_open_look(path, &store, NULL);
    t->unsure = is_fresh(&file) || st == ES_EBUSY || st == ES_ENOTFOUND;
    if (st == ES_OK) {
        bool pairs = read_pairs(s, store, t), owner = read_owner(store, t, now);
        t->unsure = t->unsure || !pairs || !owner;
        es_store_close(store);
        t->mtime = file.st_mtime;
        t->size = file.st_size;
        judge_task(s, t, now);
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

/* Adds a cluster task to those watched. */
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

/* Reads the stores of all tasks in a folder. */
static void read_folder(es_shard_watch *w, const char *place, double now) {
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
            read_task_file(w->session, t, path, now);
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

/* On the session's thread: takes the tasks' states. */
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

/* Posts the tasks as they are now to the session's thread. */
static void post_tasks(const es_shard_watch *w) {
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

/* ---- when to look ---- */

#ifdef __linux__
static void note_coming(const es_shard_watch *w, const char *folder, uint32_t more) {
    (void)inotify_add_watch(w->notify, folder, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR | more);
}

/* Watches the folders in which task files may come (inotify). */
static void watch_folders(const es_shard_watch *w) {
    char *at[PLACES] = {NULL, NULL};
    if (w->notify < 0)
        return;
    note_coming(w, w->root, 0);
    if (es_store_folders(w->root, at, NULL) == ES_OK)
        for (size_t p = 0; p < PLACES && at[p]; p++)
            note_coming(w, at[p], 0);
    es_free(at[0]);
    es_free(at[1]);
    if (es_shard_places(w->root, at, NULL) == ES_OK)
        for (size_t p = 0; p < PLACES; p++)
            if (at[p])
                note_coming(w, at[p], IN_MODIFY | IN_CLOSE_WRITE);
    es_free(at[0]);
    es_free(at[1]);
}
#else
static void watch_folders(const es_shard_watch *w) {
    (void)w;
}
#endif

static size_t count_state(const es_shard_watch *w, es_shard_state state) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++)
        count += w->tasks[i].shown.state == state;
    return count;
}

static bool is_unsure(const es_shard_watch *w) {
    for (size_t i = 0; i < w->count; i++)
        if (w->tasks[i].unsure)
            return true;
    return false;
}

/* Until it is time to look again; false: there is nothing more to see. */
static bool rest(const es_shard_watch *w) {
    bool untold = w->notify < 0 && count_state(w, ES_SHARD_DONE) < w->count;
    if (untold || is_unsure(w) || count_state(w, ES_SHARD_RUNNING) > 0)
        return es_pipe_rest(w->stop, -1, look_seconds);
    return w->notify >= 0 && es_pipe_rest(w->stop, w->notify, -1) &&
           es_pipe_rest(w->stop, -1, pause_seconds);
}

/* Reads the stores of tasks in all places. */
static void read_folders(es_shard_watch *w) {
    char *place[PLACES] = {NULL, NULL};
    if (es_shard_places(w->root, place, NULL) == ES_OK)
        for (size_t p = 0; p < PLACES; p++)
            if (place[p])
                read_folder(w, place[p], es_clock_now());
    es_free(place[0]);
    es_free(place[1]);
    post_tasks(w);
}

/* The thread that watches the files of cluster tasks. */
static void *shard_thread(void *data) {
    es_shard_watch *w = data;
    do {
        watch_folders(w);
        read_folders(w);
    } while (rest(w));
    return NULL;
}

/* ---- the session's ---- */

static void watch_free(es_shard_watch *w) {
    for (size_t i = 0; i < w->count; i++) {
        es_free(w->tasks[i].after);
        es_free(w->tasks[i].pairs);
        es_free(w->tasks[i].share);
    }
    es_pipe_close(w->stop);
    if (w->notify >= 0)
        (void)close(w->notify);
    es_free(w->tasks);
    es_free(w->root);
    es_free(w);
}

/* Prepares the watch; false if there are no task files and no folder to watch. */
static bool prepare(es_shard_watch *w) {
    char *place[PLACES] = {NULL, NULL};
    if (es_pipe_open(w->stop, NULL) != ES_OK)
        return false;
    w->notify = es_folder_listen(w->root);
    if (w->notify >= 0)
        return true;
    es_status st = es_shard_places(w->root, place, NULL);
    bool there = st == ES_OK && (place[0] || place[1]);
    es_free(place[0]);
    es_free(place[1]);
    return there;
}

void es_shards_start(es_session *s) {
    char *root = NULL;
    if (!s->with_shards || s->watch || s->m == 0 ||
        es_path_canonical(es_pool_path(s->pool), &root, NULL) != ES_OK)
        return;
    es_shard_watch *w = es_alloc_zero(1, sizeof *w);
    if (!w) {
        es_free(root);
        return;
    }
    *w = (es_shard_watch){.session = s, .root = root, .stop = {-1, -1}, .notify = -1};
    if (prepare(w) && es_workers_thread(&w->thread, shard_thread, w) == 0)
        s->watch = w;
    else
        watch_free(w);
}

void es_shards_stop(es_session *s) {
    es_shard_watch *w = s->watch;
    if (!w)
        return;
    es_pipe_wake(w->stop, 0);
    (void)pthread_join(w->thread, NULL);
    watch_free(w);
    s->watch = NULL;
}

const es_shard *es_session_shards(const es_session *s, size_t *count) {
    *count = s ? s->n_tasks : 0;
    return *count > 0 ? s->tasks : NULL;
}
