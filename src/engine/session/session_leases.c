/* Several processes at one store. A worker leases pairs in the store before they are computed, a
 * block at a time; what others are at is away from the queue until it is known or free again. One
 * thread, the keeper, raises this process's heartbeat, takes up what others have finished and looks
 * whether they are still there. It sleeps while this session does nothing and nobody else does; of
 * an explorer until the kernel tells (inotify) that somebody writes to the store, or, on file
 * systems of other machines, for a few seconds. */
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "engine_session_parts.h"

enum {
    BLOCK_MOST = 256, /* pairs that are leased together */
    REST = 4,         /* of what is left, a thread leases at most this part at a time */
    AGAIN_SECONDS = 2 /* after leases could not be stored */
};
static const double block_seconds = 0.5, /* of work */
    look_seconds = 0.25,                 /* between two looks at what others do */
    untold_seconds = 5,                  /* the same, idle, where nobody tells of writing */
    owners_seconds = 2;                  /* and at whether they are there */

struct es_leases {
    es_session *session;
    pthread_mutex_t lock; /* around what follows, up to the keeper's own */
    int wake[2];          /* a pipe: there is something for the keeper */
    int notify;           /* inotify's, of who writes to the store; -1: nobody tells */
    bool follows;         /* what others do while nobody works here, and before somebody does */
    pthread_t thread;
    bool started, quit;
    bool watching;     /* others are at work, and nobody here */
    unsigned working;  /* jobs that lease */
    double *seconds;   // (entries) that a pair takes, of late; 0: not known
    double lease_next; /* leases are not tried before */
    /* the keeper's own */
    int version;
    double turned, beaten, looked;
    es_expiry expiry;
};

/* ---- the keeper ---- */

typedef struct judging {
    es_leases *leases;
    double now;
    size_t there, gone;
    int64_t gone_id[ES_EXPIRY_MOST];
} judging;

/* Collects an owner of leases whose process is gone or has been silent for too long. */
static es_status judge_owner(void *context, const es_owner *owner, es_error *err) {
    judging *j = context;
    (void)err;
    j->there++;
    bool silent = es_expiry_note(&j->leases->expiry, owner->id, owner->beat, j->now);
    if ((!silent && !es_process_gone(&owner->process)) || j->gone == ES_EXPIRY_MOST)
        return ES_OK;
    j->gone_id[j->gone++] = owner->id;
    es_log_write(j->leases->session->log, ES_LOG_WARN,
                 "process %lld on %s is gone; what it was at is estimated again",
                 (long long)owner->process.pid,
                 owner->process.host[0] ? owner->process.host : "another machine");
    return ES_OK;
}

/* Takes out owners that are gone. Returns how many; *there: how many others there were. */
static size_t look_at_owners(es_leases *c, size_t *there) {
    judging j = {.leases = c, .now = es_clock_now()};
    (void)es_store_owners(c->session->store, judge_owner, &j, NULL);
    for (size_t i = 0; i < j.gone; i++)
        (void)es_store_reap(c->session->store, j.gone_id[i], NULL);
    c->looked = j.now;
    *there = j.there - j.gone;
    return j.gone;
}

/* Looks up the pairs leased by other processes. `taken`: some were just taken up, so known ones are
 * on their way. */
static void look_at_away(es_session *s, bool taken) {
    es_lease away[BLOCK_MOST];
    bool back = false;
    size_t count = es_pair_queue_list_away(s->queue, away, BLOCK_MOST);
    for (size_t i = 0; i < count; i++) {
        es_leased at = {.source = es_source_digest(s, away[i]),
                        .target = s->targets.digest[away[i].target]};
        if (es_store_lease_look(s->store, &s->entries[away[i].entry].key, &at, 1, NULL) != ES_OK)
            return;
        if (at.state == ES_LEASE_KNOWN && !taken &&
            es_stored_take(s, away[i], NULL) == ES_ENOTFOUND)
            at.state = ES_LEASE_FREE; /* what is stored is not whole */
        if (at.state != ES_LEASE_FREE && at.state != ES_LEASE_MINE)
            continue;
        es_pair_queue_back(s->queue, away[i]);
        back = true;
    }
    if (back)
        es_item_wake(s->workers);
}

/* Renews this process's leases; if they had expired, the queue forgets what it held. */
static void renew_leases(es_leases *c) {
    bool expired = false;
    c->beaten = es_clock_now();
    (void)es_store_beat(c->session->store, &expired, NULL);
    if (expired)
        es_pair_queue_forget_held(c->session->queue);
}

typedef struct es_elsewhere_item {
    es_item item;
    es_session *session;
} es_elsewhere_item;

static void note_elsewhere(es_item *item, const es_event *event) {
    (void)event;
    ((es_elsewhere_item *)item)->session->elsewhere++;
}

/* Posts that other processes have stored something. */
static void post_elsewhere(es_session *s) {
    es_elsewhere_item *item = es_alloc(1, sizeof *item);
    if (!item)
        return; /* the next change is reported */
    *item = (es_elsewhere_item){.item = {.apply = note_elsewhere}, .session = s};
    (void)es_item_tell(s->workers, &item->item, NULL);
}

/* One look around. Returns whether others are there. */
static bool turn(es_leases *c, bool working) {
    es_session *s = c->session;
    double now = es_clock_now();
    int version = c->version;
    size_t found = 0, gone = 0, there = 1;
    if (working && now - c->beaten >= ES_BEAT_SECONDS)
        renew_leases(c);
    (void)es_store_version(s->store, &version, NULL);
    bool changed = version != c->version;
    c->version = version;
    for (size_t e = 0; e < s->n_entries && changed && !s->refresh; e++) {
        size_t new = 0;
        (void)es_stored_load(s, e, NULL, &new, NULL);
        found += new;
    }
    if (changed)
        post_elsewhere(s);
    if (now - c->looked >= owners_seconds)
        gone = look_at_owners(c, &there);
    if (es_pair_queue_count_away(s->queue) > 0)
        look_at_away(s, found > 0);
    if (gone > 0)
        es_item_wake(s->workers);
    return there > 0;
}

/* With the lock. */
static bool is_active(const es_leases *c) {
    return c->working > 0 || c->watching || es_pair_queue_count_away(c->session->queue) > 0;
}

/* When to look next; HUGE_VAL: not before somebody says so. With the lock. */
static double next_turn(const es_leases *c) {
    return is_active(c)                  ? c->turned + look_seconds
           : c->follows && c->notify < 0 ? c->turned + untold_seconds
                                         : HUGE_VAL;
}

/* With the lock, which is free meanwhile. Who is active writes to the store as well, so writing
 * says something only to who is not. */
static void wait_until(es_leases *c, double until) {
    struct pollfd told[2] = {{.fd = c->wake[0], .events = POLLIN},
                             {.fd = is_active(c) ? -1 : c->notify, .events = POLLIN}};
    double left = until - es_clock_now();
    pthread_mutex_unlock(&c->lock);
    (void)poll(told, 2, until == HUGE_VAL ? -1 : left > 0 ? (int)(1e3 * left) + 1 : 0);
    (void)es_fd_drain(c->wake[0]);
    bool written = told[1].revents != 0 && es_fd_drain(told[1].fd);
    pthread_mutex_lock(&c->lock);
    c->watching = c->watching || written;
}

/* The thread that renews leases and collects those of dead processes. */
static void *lease_thread(void *data) {
    es_leases *c = data;
    pthread_mutex_lock(&c->lock);
    while (!c->quit) {
        double until = next_turn(c);
        if (es_clock_now() < until) {
            wait_until(c, until);
            continue;
        }
        bool working = c->working > 0;
        pthread_mutex_unlock(&c->lock);
        bool others = turn(c, working);
        pthread_mutex_lock(&c->lock);
        c->turned = es_clock_now();
        c->watching = c->watching && others;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* With the lock. Without a keeper there would be no heartbeat, so there are no leases either. */
static bool start_keeper(es_leases *c) {
    if (!c->started && !c->quit)
        c->started = es_workers_thread(&c->thread, lease_thread, c) == 0;
    if (c->started)
        es_pipe_wake(c->wake, 0);
    return c->started;
}

/* ---- the session's ---- */

/* Watches the store's files for writes by others (inotify); -1: not available. */
static int watch_file(const char *file) {
#ifdef __linux__
    char folder[4096];
    const char *end = file ? strrchr(file, '/') : NULL;
    if (!end || end == file || (size_t)(end - file) >= sizeof folder)
        return -1;
    memcpy(folder, file, (size_t)(end - file));
    folder[end - file] = '\0';
    int notify = es_folder_listen(folder);
    if (notify >= 0 && inotify_add_watch(notify, folder, IN_MODIFY) < 0) {
        (void)close(notify);
        notify = -1;
    }
    return notify;
#else
    (void)file;
    return -1;
#endif
}

es_status es_leases_new(es_session *s, es_error *err) {
    if (!s->store || !es_store_takes_leases(s->store))
        return ES_OK;
    es_leases *c = es_alloc_zero(1, sizeof *c);
    double *seconds = es_alloc_zero(s->n_entries, sizeof *seconds);
    es_status st = c && seconds ? es_pipe_open(c->wake, err) : es_no_memory(err);
    if (st != ES_OK) {
        es_free(c);
        es_free(seconds);
        return st;
    }
    c->notify = -1;
    c->session = s;
    c->seconds = seconds;
    (void)es_store_version(s->store, &c->version, NULL); /* what is stored is read after this */
    pthread_mutex_init(&c->lock, NULL);
    s->leases = c;
    return ES_OK;
}

void es_leases_stop(es_session *s) {
    es_leases *c = s->leases;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    bool started = c->started;
    c->quit = true;
    es_pipe_wake(c->wake, 0);
    pthread_mutex_unlock(&c->lock);
    if (started)
        (void)pthread_join(c->thread, NULL);
    pthread_mutex_lock(&c->lock);
    c->started = false;
    pthread_mutex_unlock(&c->lock);
}

void es_leases_free(es_session *s) {
    es_leases *c = s->leases;
    if (!c)
        return;
    es_pipe_close(c->wake);
    if (c->notify >= 0)
        (void)close(c->notify);
    pthread_mutex_destroy(&c->lock);
    es_free(c->seconds);
    es_free(c);
    s->leases = NULL;
}

static es_status find_any(void *context, const es_owner *owner, es_error *err) {
    (void)err;
    bool *any = context;
    *any = *any || !es_process_gone(&owner->process);
    return ES_OK;
}

bool es_leases_others(es_session *s) {
    bool any = false;
    if (s->leases)
        (void)es_store_owners(s->store, find_any, &any, NULL);
    return any;
}

void es_leases_follow(es_session *s) {
    es_leases *c = s->leases;
    if (!c || c->follows)
        return;
    int notify = watch_file(es_store_file(s->store));
    pthread_mutex_lock(&c->lock);
    c->notify = notify;
    c->follows = true;
    (void)start_keeper(c);
    pthread_mutex_unlock(&c->lock);
}

void es_leases_watch(es_session *s) {
    es_leases *c = s->leases;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->watching = true;
    (void)start_keeper(c);
    pthread_mutex_unlock(&c->lock);
}

void es_leases_enter(es_session *s) {
    es_leases *c = s->leases;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    if (c->working++ == 0)
        (void)start_keeper(c);
    pthread_mutex_unlock(&c->lock);
}

/* The lock is held on the way to the store: nobody enters, and leases, in between. */
void es_leases_leave(es_session *s) {
    es_leases *c = s->leases;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    if (--c->working == 0) {
        (void)es_store_release_all(s->store, NULL);
        es_pair_queue_forget_held(s->queue);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- leasing ---- */

/* How many pairs to lease at a time; 0: none, as the store fails. */
static size_t block_size(es_leases *c, size_t entry) {
    es_session *s = c->session;
    size_t left = es_pair_queue_left(s->queue), threads = es_workers_threads(s->workers);
    size_t most = left / (REST * (threads > 0 ? threads : 1));
    pthread_mutex_lock(&c->lock);
    double seconds = c->seconds[entry];
    bool able = c->started && es_clock_now() >= c->lease_next;
    pthread_mutex_unlock(&c->lock);
    double in_time = seconds > 0 ? block_seconds / seconds : 1;
    most = most < BLOCK_MOST ? most : BLOCK_MOST;
    most = in_time < (double)most ? (size_t)in_time : most;
    return !able ? 0 : most > 0 ? most : 1;
}

static es_lease_again what_again(const es_session *s) {
    return s->refresh ? ES_AGAIN_ALWAYS : s->retried ? ES_AGAIN_FAILED : ES_AGAIN_NEVER;
}

/* Notes in the queue what came of the leases. */
static es_pair_taken take_in(es_session *s, const es_lease *ahead, const es_leased *asked,
                             size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (asked[i].state == ES_LEASE_MINE)
            es_pair_queue_hold(s->queue, ahead[i]);
        if (asked[i].state == ES_LEASE_THEIRS)
            es_pair_queue_away(s->queue, ahead[i], i == 0);
    }
    return asked[0].state == ES_LEASE_MINE     ? ES_TAKEN_MINE
           : asked[0].state == ES_LEASE_THEIRS ? ES_TAKEN_OTHER
                                               : ES_TAKEN_LOOK;
}

static void note_failing(es_leases *c) {
    pthread_mutex_lock(&c->lock);
    c->lease_next = es_clock_now() + AGAIN_SECONDS;
    pthread_mutex_unlock(&c->lock);
}

es_pair_taken es_leases_take(es_session *s, es_lease *pair, bool arrived) {
    es_lease ahead[BLOCK_MOST];
    es_leased asked[BLOCK_MOST];
    if (!s->leases)
        return ES_TAKEN_LOOK;
    if (es_pair_queue_is_held(s->queue, *pair))
        return ES_TAKEN_MINE;
    size_t count = block_size(s->leases, pair->entry);
    if (count == 0)
        return ES_TAKEN_LOOK;
    count = es_pair_queue_ahead(s->queue, *pair, ahead, count);
    for (size_t i = 0; i < count; i++)
        asked[i] = (es_leased){.source = es_source_digest(s, ahead[i]),
                               .target = s->targets.digest[ahead[i].target]};
    bool shared = false, polite = arrived && es_pair_queue_may_yield(s->queue, *pair);
    es_status st = es_store_lease(s->store, &s->entries[pair->entry].key, what_again(s), asked,
                                  count, polite ? &shared : NULL, NULL);
    if (st != ES_OK) {
        note_failing(s->leases);
        return ES_TAKEN_LOOK;
    }
    if (!shared)
        return take_in(s, ahead, asked, count);
    if (!es_pair_queue_yield(s->queue, pair)) /* the others were taken meanwhile */
        return es_leases_take(s, pair, false);
    return ES_TAKEN_OTHER;
}

void es_leases_took(es_session *s, size_t entry, double seconds) {
    es_leases *c = s->leases;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    double *known = &c->seconds[entry];
    *known = *known > 0 ? 0.8 * *known + 0.2 * seconds : seconds;
    pthread_mutex_unlock(&c->lock);
}

void es_leases_give_back(es_session *s, es_lease pair) {
    if (s->leases && es_pair_queue_is_held(s->queue, pair))
        (void)es_store_release(s->store, &s->entries[pair.entry].key, es_source_digest(s, pair),
                               s->targets.digest[pair.target], NULL);
}
