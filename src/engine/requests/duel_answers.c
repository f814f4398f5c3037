/* The answers of a pool: its duels.csv, and the user's where the pool cannot be written. */
#include "engine_requests.h"

#include <string.h>

#include "engine_place.h"

es_status es_duel_answers_read(const es_pool *pool, es_duel_list *out, es_error *err) {
    char *place[2] = {NULL, NULL};
    es_duel_list all = {0}, more = {0};
    if (!es_pool_path(pool))
        return ES_OK;
    es_status st = es_duels_places(es_pool_path(pool), place, err);
    for (int i = 0; i < 2 && st == ES_OK && place[i]; i++) {
        es_error why = {0};
        st = es_duel_list_read(place[i], 0, es_pool_all_rows(pool), &more, &why);
        if (st == ES_OK)
            st = es_duel_list_append(&all, &more, err);
        else
            st = st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
    }
    es_free(place[0]);
    es_free(place[1]);
    if (st == ES_OK)
        *out = all;
    else
        es_duel_list_deinit(&all);
    return st;
}

es_status es_duel_answers_edit(const es_pool *pool, const es_duel_line *line, bool remove,
                               es_error *err) {
    char *path = NULL;
    if (!es_pool_path(pool))
        return es_fail(err, ES_EUNSUPPORTED, "matrices in memory have no folder for duels.csv");
    es_status st = es_duels_place_write(es_pool_path(pool), &path, err);
    if (st == ES_OK)
        st = es_duel_list_edit(path, line, remove, err);
    es_free(path);
    return st;
}
