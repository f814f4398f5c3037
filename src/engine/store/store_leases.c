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
    sqlite3_stmt *s = store->statement[SQL_OWNER_GET];
    int code = sqlite3_bind_int64(s, 1, store->owner);
    if (code != SQLITE_OK)
        return store_explain(store, code, err);
    es_status st = store_fetch_id(store, SQL_OWNER_GET, &id, &found, err);
    if (st != ES_OK || found)
        return st;
    es_process self;
    es_process_self(&self);
    s = store->statement[SQL_OWNER_ADD];
    code = store_bind_text(s, 1, self.machine);
    STORE_BIND(store_bind_text(s, 2, self.host));
    STORE_BIND(sqlite3_bind_int64(s, 3, self.pid));
    STORE_BIND(sqlite3_bind_int64(s, 4, (sqlite3_int64)self.began));
    if (code != SQLITE_OK)
        return store_explain(store, code, err);
    st = store_run_statement(store, SQL_OWNER_ADD, err);
    if (st == ES_OK)
        store->owner = sqlite3_last_insert_rowid(store->db);
    return st;
}

es_status es_store_beat(es_store *store, bool *expired, es_error *err) {
    *expired = false;
    pthread_mutex_lock(&store->lock);
    es_status st = store->owner ? store_begin_writing(store, err) : ES_OK;
    if (store->owner) {
        int code = sqlite3_bind_int64(store->statement[SQL_OWNER_BEAT], 1, store->owner);
        if (st == ES_OK && code != SQLITE_OK)
            st = store_explain(store, code, err);
        if (st == ES_OK)
            st = store_run_statement(store, SQL_OWNER_BEAT, err);
        *expired = st == ES_OK && sqlite3_changes(store->db) == 0;
        st = store_end_writing(store, st, err);
    }
    pthread_mutex_unlock(&store->lock);
    return st;
}

static void column_text(sqlite3_stmt *s, int column, char *out, size_t capacity) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    es_text_clean_into(out, capacity, text ? text : "",
                       text ? (size_t)sqlite3_column_bytes(s, column) : 0);
}

static void read_owner(sqlite3_stmt *s, es_owner *out) {
    *out = (es_owner){.id = sqlite3_column_int64(s, 0),
                      .beat = (uint64_t)sqlite3_column_int64(s, 1),
                      .process = {.pid = sqlite3_column_int64(s, 4),
                                  .began = (uint64_t)sqlite3_column_int64(s, 5)}};
    column_text(s, 2, out->process.machine, sizeof out->process.machine);
    column_text(s, 3, out->process.host, sizeof out->process.host);
}

es_status es_store_owner(es_store *store, es_owner *out, bool *found, es_error *err) {
    static const char text[] = "SELECT id, beat, machine, host, pid, began FROM owner"
                               " WHERE id IN (SELECT owner FROM claim) ORDER BY id DESC LIMIT 1";
    sqlite3_stmt *s = NULL;
    *found = false;
    pthread_mutex_lock(&store->lock);
    int code = sqlite3_prepare_v2(store->db, text, -1, &s, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        *found = true;
        read_owner(s, out);
    }
    sqlite3_finalize(s);
    es_status st =
        code == SQLITE_ROW || code == SQLITE_DONE ? ES_OK : store_explain(store, code, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_owners(es_store *store, es_store_each_owner each, void *context, es_error *err) {
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_OWNERS];
    int code = sqlite3_bind_int64(s, 1, store->owner);
    while (st == ES_OK && code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        es_owner owner;
        read_owner(s, &owner);
        st = each(context, &owner, err);
        code = SQLITE_OK;
    }
    if (st == ES_OK && code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* In a transaction. */
static es_status run_for_owner(es_store *store, int which, int64_t owner, es_error *err) {
    int code = sqlite3_bind_int64(store->statement[which], 1, owner);
    return code == SQLITE_OK ? store_run_statement(store, which, err)
                             : store_explain(store, code, err);
}

/* Takes out the leases of an owner, and with `all` the owner too. */
static es_status drop_owner(es_store *store, int64_t owner, bool all, es_error *err) {
    es_status st = store_begin_writing(store, err);
    if (st == ES_OK)
        st = run_for_owner(store, SQL_LEASE_DROP_ALL, owner, err);
    if (st == ES_OK && all)
        st = run_for_owner(store, SQL_OWNER_DROP, owner, err);
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
    es_status st = store_fetch_id(store, SQL_VERSION, &version, &found, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = (int)version;
    return st;
}

/* ---- leasing ---- */

static es_status bind_pair(es_store *store, int which, sqlite3_int64 run, es_digest source,
                           es_digest target, es_error *err) {
    sqlite3_stmt *s = store->statement[which];
    int code = sqlite3_bind_int64(s, 1, run);
    STORE_BIND(store_bind_digest(s, 2, source));
    STORE_BIND(store_bind_digest(s, 3, target));
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

es_status store_drop_lease(es_store *store, sqlite3_int64 run, es_digest source, es_digest target,
                           es_error *err) {
    if (!store->leases)
        return ES_OK;
    es_status st = bind_pair(store, SQL_LEASE_DROP, run, source, target, err);
    return st == ES_OK ? store_run_statement(store, SQL_LEASE_DROP, err) : st;
}

/* In a transaction: a statement about one pair and this process. */
static es_status run_for_pair(es_store *store, int which, sqlite3_int64 run, es_digest source,
                              es_digest target, es_error *err) {
    es_status st = bind_pair(store, which, run, source, target, err);
    int code = sqlite3_bind_int64(store->statement[which], 4, store->owner);
    if (st == ES_OK && code != SQLITE_OK)
        st = store_explain(store, code, err);
    return st == ES_OK ? store_run_statement(store, which, err) : st;
}

static bool counts(sqlite3_int64 failed, es_lease_again again) {
    return again == ES_AGAIN_NEVER || (again == ES_AGAIN_FAILED && failed == 0);
}

/* `waits`: a value that another process is about to replace is not known yet. */
static es_status look_at(es_store *store, sqlite3_int64 run, es_lease_again again, bool waits,
                         es_leased *pair, es_error *err) {
    sqlite3_int64 value = 0;
    bool found = false;
    es_status st = bind_pair(store, SQL_LEASE_GET, run, pair->source, pair->target, err);
    if (st == ES_OK)
        st = store_fetch_id(store, SQL_LEASE_GET, &value, &found, err);
    pair->state = !found ? ES_LEASE_FREE : value == store->owner ? ES_LEASE_MINE : ES_LEASE_THEIRS;
    if (pair->state == ES_LEASE_THEIRS && waits)
        return st;
    if (st == ES_OK)
        st = bind_pair(store, SQL_PAIR_FAILED, run, pair->source, pair->target, err);
    if (st == ES_OK)
        st = store_fetch_id(store, SQL_PAIR_FAILED, &value, &found, err);
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
    sqlite3_stmt *s = store->statement[SQL_LEASE_OTHERS];
    sqlite3_int64 one = 0;
    int code = sqlite3_bind_int64(s, 1, run);
    STORE_BIND(store_bind_digest(s, 2, source));
    STORE_BIND(sqlite3_bind_int64(s, 3, store->owner));
    return code == SQLITE_OK ? store_fetch_id(store, SQL_LEASE_OTHERS, &one, out, err)
                             : store_explain(store, code, err);
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
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    int code = store_bind_key(store->statement[SQL_RUN_GET], key);
    if (code != SQLITE_OK)
        st = store_explain(store, code, err);
    if (st == ES_OK)
        st = store_fetch_id(store, SQL_RUN_GET, &run, &found, err);
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
