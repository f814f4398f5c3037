/* What was seen of a pool's files, from process to process: a file of the user's state folder that
 * ends with the digest of what is before it. Without it, or with a damaged one, all files are read
 * again. */
#include <string.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

void pool_looks_read(es_pool *pool) {
    char *path = NULL, *bytes = NULL;
    size_t size = 0, tail = sizeof(es_digest);
    es_digest digest;
    if (pool->looks && es_state_pool_path("looks", pool->root, NULL, &path, NULL) == ES_OK &&
        es_state_read(path, &bytes, &size, NULL) == ES_OK && size >= tail) {
        memcpy(&digest, bytes + size - tail, tail);
        if (es_digest_equal(digest, es_digest_bytes(bytes, size - tail)))
            es_looks_unpack(pool->looks, bytes, size - tail);
    }
    es_free(bytes);
    es_free(path);
}

void es_pool_looks_write(es_pool *pool) {
    es_buf bytes = {0};
    char *path = NULL;
    es_error why = {0};
    es_status st = ES_OK;
    if (!pool->looks || !pool->looked)
        return;
    for (size_t i = 0; i < pool->count; i++)
        es_looks_pack(pool->looks, pool->item[i].question, &bytes);
    pool->looked = false;
    if (bytes.length == 0)
        goto done;
    const es_digest digest = es_digest_bytes(bytes.data, bytes.length);
    es_buf_add(&bytes, &digest, sizeof digest);
    st = bytes.failed ? es_no_memory(&why)
                      : es_state_pool_path("looks", pool->root, NULL, &path, &why);
    if (st == ES_OK)
        st = es_state_write(path, bytes.data, bytes.length, &why);
    if (st == ES_OK)
        es_state_expire(path);
    else
        es_log_write(pool->log, ES_LOG_WARN, "what was seen of the files is not kept: %s",
                     why.message);
done:
    es_free(path);
    es_buf_free(&bytes);
}
