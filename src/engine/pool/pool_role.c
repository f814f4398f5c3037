/* What a file is to the pool in whose folder it lies, by its name and, where that says too little,
 * its first lines: for those who are about to write one. */
#include <string.h>

#include "engine_pool_parts.h"

const char *es_pool_file_role(const char *path, const char *below) {
    const char *slash = strrchr(below, '/');
    const es_loader *loader = es_loader_find(path);
    es_map map = {0};
    if (strncmp(below, ".embedscope/", 12) == 0)
        return "holds the pool's results";
    if (pool_is_annotation(slash ? slash + 1 : below))
        return "is a file that the pool is read from";
    if (loader == NULL)
        return NULL;
    if (loader->looks == NULL)
        return "is an embedder of the pool by its name";
    if (es_map_open(path, 0, &map, NULL) != ES_OK)
        return NULL;
    bool looks = loader->looks(&map, path);
    es_map_close(&map);
    return looks ? "looks like an embedder of the pool" : NULL;
}
