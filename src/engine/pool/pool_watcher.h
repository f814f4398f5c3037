/* Looks again and again whether a pool's folder is still what was opened: a run in training writes
 * its checkpoints there. Names, sizes and times of files only; a thread of its own, since a network
 * file system may keep it waiting. */
#ifndef ES_ENGINE_POOL_WATCHER_H
#define ES_ENGINE_POOL_WATCHER_H

#include <stdbool.h>

#include "pool.h"

typedef struct es_pool_watcher es_pool_watcher;

/** Does the kernel tell (inotify) of what becomes of files there? Not where other machines write,
 * too.
 */
bool es_folder_tells(const char *path);

/** Begin; two looks in a row are `seconds` apart. ES_EUNSUPPORTED: matrices in memory. ES_EIO: no
 * thread. */
es_status es_pool_watcher_new(const es_pool *pool, double seconds, es_pool_watcher **out,
                              es_error *err);
/** Ends without waiting for a look under way. NULL is allowed. */
void es_pool_watcher_free(es_pool_watcher *watcher);
/** A descriptor that becomes readable when es_pool_watcher_changed has something to say. */
int es_pool_watcher_fd(const es_pool_watcher *watcher);
/** True once for each change: the folder is another than when the pool was opened, or when this was
 *  last true, and two looks in a row have found it the same, so that nobody is writing to it. */
bool es_pool_watcher_changed(es_pool_watcher *watcher);

#endif
