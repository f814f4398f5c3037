/* The digest cache: what a file's contents were when they were last read, so that a pool that has
 * not changed opens without hashing. */
#include <string.h>
#include <time.h>

#include "store_sql.h"

/* How long after its last change a file's digest is not cached: a second change within the clock's
 * step would go unseen. */
enum { FRESH_SECONDS = 2 };

static int bind_file(sqlite3_stmt *s, const char *path, const char *tensor, uint64_t size,
                     int64_t mtime_ns) {
    int code = sqlite3_bind_blob64(s, 1, path, strlen(path), SQLITE_TRANSIENT);
    STORE_BIND(store_bind_text(s, 2, tensor ? tensor : ""));
    STORE_BIND(sqlite3_bind_int64(s, 3, (sqlite3_int64)size));
    STORE_BIND(sqlite3_bind_int64(s, 4, mtime_ns));
    return code;
}

bool es_store_digest_get(es_store *store, const char *path, const char *tensor, uint64_t size,
                         int64_t mtime_ns, es_digest *out) {
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_DIGEST_GET];
    bool found = bind_file(s, path, tensor, size, mtime_ns) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW && store_column_digest(s, 0, out);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    return found;
}

es_status es_store_digest_put(es_store *store, const char *path, const char *tensor, uint64_t size,
                              int64_t mtime_ns, es_digest digest, es_error *err) {
    int64_t age = (int64_t)time(NULL) - mtime_ns / 1000000000;
    if (store->read_only || age < FRESH_SECONDS)
        return ES_OK;
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_DIGEST_PUT];
    int code = bind_file(s, path, tensor, size, mtime_ns);
    STORE_BIND(store_bind_digest(s, 5, digest));
    es_status st = code == SQLITE_OK ? store_run_statement(store, SQL_DIGEST_PUT, err)
                                     : store_explain(store, code, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}
