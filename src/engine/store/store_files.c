/* The files that SQLite opens for a store. A pool can come from anywhere, and with it all that lies
 * in its .embedscope. SQLite trusts the journal beside a database: one may name a "super-journal",
 * any file at all, which SQLite deletes once it has rolled back; and it waits for ever in open() of
 * a FIFO. So stores are opened through its own VFS except one call. */
#include "engine_store_parts.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

#include <sqlite3.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sqlite3_vfs guarded; /* filled once, then only read */
static sqlite3_vfs *usual;

/* A store is one database, so no journal of ours names another file; and what is there already must
 * be a plain file. `name` is NULL for temporary files. */
static int open_guarded(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                        int *got) {
    struct stat info;
    file->pMethods = NULL; /* nothing for SQLite to close */
    errno = 0;             /* which it reports with a refusal */
    if (flags & SQLITE_OPEN_SUPER_JOURNAL)
        return SQLITE_CANTOPEN;
    if (name && lstat(name, &info) == 0 && !S_ISREG(info.st_mode))
        return SQLITE_CANTOPEN;
    return usual->xOpen(vfs, name, file, flags, got);
}

static void make_vfs(void) {
    usual = sqlite3_vfs_find(NULL);
    if (!usual)
        return;
    guarded = *usual;
    guarded.pNext = NULL;
    guarded.zName = "embedscope";
    guarded.xOpen = open_guarded;
    if (sqlite3_vfs_register(&guarded, 0) != SQLITE_OK)
        usual = NULL;
}

const char *store_vfs(void) {
    return pthread_once(&once, make_vfs) == 0 && usual ? guarded.zName : NULL;
}
