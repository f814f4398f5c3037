/* Leases of pairs. They are asked for in blocks, a transaction each: where pairs take less than a
 * millisecond a transaction a pair would cost as much as the pairs. */

#include "engine_store_parts.h"

enum { LEAVE_MS = 300 }; /* waiting for others at the end, when nothing depends on it */

bool es_store_takes_leases(const es_store *store) {
    return store->leases;
}

/* ---- who is who ---- */

/* In a transaction: this process as an owner, entered where it is not (or no longer) there. */
static es_status enter(es_store *store, es_error *err) {
    bool found = false;
    sqlite3_int64 id = 0;
    es_process self;
    ES_PASS(
        store_fetch(store, SQL_OWNER_GET, STORE_VALUES(store_int(store->owner)), &id, &found, err));
    if (found)
        return ES_OK;
    es_process_self(&self);
    ES_PASS(store_run(store, SQL_OWNER_ADD,
                      STORE_VALUES(store_text(self.machine), store_text(self.host),
                                   store_int(self.pid), store_int((sqlite3_int64)self.began)),
                      err));
    store->owner = sqlite3_last_insert_rowid(store->db);
    return ES_OK;
}

es_status es_store_beat(es_store *store, bool *expired, es_error *err) {
    *expired = false;
    pthread_mutex_lock(&store->lock);
    es_status st = store->owner ? store_begin_writing(store, err) : ES_OK;
    if (store->owner) {
        if (st == ES_OK)
            st = store_run(store, SQL_OWNER_BEAT, STORE_VALUES(store_int(store->owner)), err);
        *expired = st == ES_OK && sqlite3_changes(store->db) == 0;
        st = store_end_writing(store, st, err);
    }
    pthread_mutex_unlock(&store->lock);
    return st;
}

static void read_owner(sqlite3_stmt *s, es_owner *out) {
    *out = (es_owner){.id = sqlite3_column_int64(s, 0),
                      .beat = (uint64_t)sqlite3_column_int64(s, 1),
                      .process = {.pid = sqlite3_column_int64(s, 4),
                                  .began = (uint64_t)sqlite3_column_int64(s, 5)}};
    (void)store_column_text(s, 2, out->process.machine, sizeof out->process.machine);
    (void)store_column_text(s, 3, out->process.host, sizeof out->process.host);
}

typedef struct owners {
    es_store_each_owner each;
    void *context;
} owners;

static es_status tell_owner(void *context, sqlite3_stmt *s, es_error *err) {
    const owners *to = context;
    es_owner owner;
    read_owner(s, &owner);
    return to->each(to->context, &owner, err);
}

/* The last one; its number is 0 until there is one. */
static es_status keep_owner(void *context, const es_owner *owner, es_error *err) {
    (void)err;
    *(es_owner *)context = *owner;
    return ES_OK;
}

es_status es_store_owner(es_store *store, es_owner *out, bool *found, es_error *err) {
    static const char text[] = "SELECT id, beat, machine, host, pid, began FROM owner"
                               " WHERE id IN (SELECT owner FROM claim) ORDER BY id DESC LIMIT 1";
    es_owner newest = {.id = 0};
    owners to = {keep_owner, &newest};
    pthread_mutex_lock(&store->lock);
    es_status st = store_query(store, text, NULL, 0, tell_owner, &to, err);
    pthread_mutex_unlock(&store->lock);
    *found = newest.id > 0;
    if (*found)
        *out = newest;
    return st;
}

es_status es_store_owners(es_store *store, es_store_each_owner each, void *context, es_error *err) {
    owners to = {each, context};
    pthread_mutex_lock(&store->lock);
    es_status st =
        store_list(store, SQL_OWNERS, STORE_VALUES(store_int(store->owner)), tell_owner, &to, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* Takes out the leases of an owner, and with `all` the owner too. */
static es_status drop_owner(es_store *store, int64_t owner, bool all, es_error *err) {
    es_status st = store_begin_writing(store, err);
    if (st == ES_OK)
        st = store_run(store, SQL_LEASE_DROP_ALL, STORE_VALUES(store_int(owner)), err);
    if (st == ES_OK && all)
        st = store_run(store, SQL_OWNER_DROP, STORE_VALUES(store_int(owner)), err);
    return store_end_writing(store, st, err);
}

es_status es_store_reap(es_store *store, int64_t owner, es_error *err) {
    pthread_mutex_lock(&store->lock);
    es_status st = drop_owner(store, owner, true, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_release_all(es_store *store, es_error *err) {
    pthread_mutex_lock(&store->lock);
    es_status st = store->owner ? drop_owner(store, store->owner, false, err) : ES_OK;
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* Should it not succeed, others see that the process is gone. */
void store_leave(es_store *store) {
    if (!store->db || !store->leases || !store->owner)
        return;
    store_be_patient(store, LEAVE_MS);
    (void)drop_owner(store, store->owner, true, NULL);
}

es_status es_store_version(es_store *store, int *out, es_error *err) {
    sqlite3_int64 version = 0;
    bool found = false;
    pthread_mutex_lock(&store->lock);
    es_status st = store_fetch(store, SQL_VERSION, NULL, 0, &version, &found, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = (int)version;
    return st;
}

/* ---- leasing ---- */

es_status store_drop_lease(es_store *store, sqlite3_int64 run, es_digest source, es_digest target,
                           es_error *err) {
    return store->leases
               ? store_run(store, SQL_LEASE_DROP,
                           STORE_VALUES(store_int(run), store_digest(source), store_digest(target)),
                           err)
               : ES_OK;
}

/* In a transaction: a statement about one pair and this process. */
static es_status run_for_pair(es_store *store, int which, sqlite3_int64 run, es_digest source,
                              es_digest target, es_error *err) {
    return store_run(store, which,
                     STORE_VALUES(store_int(run), store_digest(source), store_digest(target),
                                  store_int(store->owner)),
                     err);
}

static bool counts(sqlite3_int64 failed, es_lease_again again) {
    return again == ES_AGAIN_NEVER || (again == ES_AGAIN_FAILED && failed == 0);
}

/* `waits`: a value that another process is about to replace is not known yet. */
static es_status look_at(es_store *store, sqlite3_int64 run, es_lease_again again, bool waits,
                         es_leased *pair, es_error *err) {
    const store_value place[] = {store_int(run), store_digest(pair->source),
                                 store_digest(pair->target)};
    sqlite3_int64 value = 0;
    bool found = false;
    es_status st = store_fetch(store, SQL_LEASE_GET, place, 3, &value, &found, err);
    pair->state = !found ? ES_LEASE_FREE : value == store->owner ? ES_LEASE_MINE : ES_LEASE_THEIRS;
    if (st != ES_OK || (pair->state == ES_LEASE_THEIRS && waits))
        return st;
    st = store_fetch(store, SQL_PAIR_FAILED, place, 3, &value, &found, err);
    if (st == ES_OK && found && counts(value, again))
        pair->state = ES_LEASE_KNOWN;
    return st;
}

static es_status lease_one(es_store *store, sqlite3_int64 run, es_lease_again again,
                           es_leased *pair, es_error *err) {
    es_status st = look_at(store, run, again, again == ES_AGAIN_ALWAYS, pair, err);
    if (st != ES_OK || pair->state != ES_LEASE_FREE)
        return st;
    st = run_for_pair(store, SQL_LEASE_ADD, run, pair->source, pair->target, err);
    if (st == ES_OK)
        pair->state = ES_LEASE_MINE;
    return st;
}

/* Sets *out if another owner has leases of this source. */
static es_status find_others(es_store *store, sqlite3_int64 run, es_digest source, bool *out,
                             es_error *err) {
    sqlite3_int64 one = 0;
    return store_fetch(store, SQL_LEASE_OTHERS,
                       STORE_VALUES(store_int(run), store_digest(source), store_int(store->owner)),
                       &one, out, err);
}

es_status es_store_lease(es_store *store, const es_store_key *key, es_lease_again again,
                         es_leased *pairs, size_t count, bool *shared, es_error *err) {
    sqlite3_int64 run = 0;
    bool others = false;
    es_status st = ES_OK;
    if (!store->leases || count == 0)
        return es_fail(err, ES_EUNSUPPORTED, "%s: holds no leases", store->shown);
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(enter(store, err));
    ES_TRY(store_run_of_key(store, key, &run, err));
    if (shared)
        ES_TRY(find_others(store, run, pairs[0].source, &others, err));
    for (size_t i = 0; i < count && !others; i++)
        ES_TRY(lease_one(store, run, again, &pairs[i], err));
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK && shared)
        *shared = others;
    return st;
}

es_status es_store_lease_look(es_store *store, const es_store_key *key, es_leased *pairs,
                              size_t count, es_error *err) {
    sqlite3_int64 run = 0;
    bool found = false;
    pthread_mutex_lock(&store->lock);
    es_status st = store_fetch(store, SQL_RUN_GET, STORE_VALUES(store_key(key)), &run, &found, err);
    for (size_t i = 0; i < count && st == ES_OK; i++) {
        pairs[i].state = ES_LEASE_FREE;
        if (found)
            st = look_at(store, run, ES_AGAIN_NEVER, true, &pairs[i], err);
    }
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_release(es_store *store, const es_store_key *key, es_digest source,
                           es_digest target, es_error *err) {
    sqlite3_int64 run = 0;
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(store_run_of_key(store, key, &run, err));
    ES_TRY(run_for_pair(store, SQL_LEASE_DROP_MINE, run, source, target, err));
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}
