/* The files that SQLite opens for a store. */
#ifndef ES_ENGINE_STORE_FILES_H
#define ES_ENGINE_STORE_FILES_H

/** The VFS to open databases with; NULL when out of memory. From any thread. */
const char *store_vfs(void);

#endif
