/* Ids and vectors of queries lie beside an embedder under its name. One whose name is a little
 * different is read by nobody, and rows that it was to match are taken as they stand. */
#include <string.h>
#include <strings.h>

#include "engine_pool_parts.h"

enum { TOLD_MOST = 12 };

/* What the name of a file beside an embedder ends with. */
static const char *const endings[] = {ES_POOL_QUERIES_TEXT, ES_POOL_QUERIES_CSV, ES_ROW_IDS_TEXT,
                                      ES_ROW_IDS_CSV, ES_POOL_QUERIES};
enum { OF_QUERIES_TEXT, OF_QUERIES_CSV, OF_TEXT, OF_CSV, OF_QUERIES, KINDS };

typedef struct orphan {
    const char *path;
    char *stem;  /* what stands before the ending */
    size_t kind; /* of endings[] */
} orphan;

/* Splits a path into its stem and the kind that its ending shows. */
static es_status split_name(const char *path, orphan *out, es_error *err) {
    size_t length = strlen(path), k = 0;
    while (k + 1 < KINDS && (strlen(endings[k]) > length ||
                             strcasecmp(path + length - strlen(endings[k]), endings[k]) != 0))
        k++;
    *out = (orphan){.path = path, .kind = k, .stem = es_strndup(path, length - strlen(endings[k]))};
    return out->stem ? ES_OK : es_no_memory(err);
}

/* What such files are called after, by model: the path below the pool without its ending, and of
 * queries its name. */
typedef struct keys {
    es_words of_ids, of_queries;
} keys;

/* Lists the names under which ids or queries could lie, sorted. */
static es_status make_keys(const es_pool *pool, keys *out, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        const char *path = pool_below(pool, pool->item[i].model.path);
        st = es_words_take(&out->of_ids, es_strndup(path, es_loader_stem(path)), err);
        if (st == ES_OK)
            st = es_words_add(&out->of_queries, pool->item[i].model.name, err);
    }
    return st;
}

static bool is_of_queries(const orphan *o) {
    return o->kind == OF_QUERIES || o->kind == OF_QUERIES_TEXT || o->kind == OF_QUERIES_CSV;
}

static const es_words *keys_of(const keys *all, const orphan *o) {
    return is_of_queries(o) ? &all->of_queries : &all->of_ids;
}

static bool is_called(const orphan *o, const char *key) {
    return strcmp(o->stem, key) == 0 &&
           strcmp(o->path + strlen(o->stem), endings[o->kind]) == 0; /* in these letters */
}

static bool is_listed(const pool_listing *listing, const orphan *o) {
    for (size_t i = 0; i < listing->count; i++) {
        const char *path = listing->entry[i].path;
        size_t stem = es_loader_stem(path);
        if (strlen(o->stem) == stem && strncmp(path, o->stem, stem) == 0)
            return true;
    }
    return false;
}

static bool has_beside(const pool_listing *listing, const orphan *o, const char *ending) {
    size_t stem = strlen(o->stem);
    for (size_t i = 0; i < listing->beside.count; i++) {
        const char *path = listing->beside.word[i];
        if (strncmp(path, o->stem, stem) == 0 && strcmp(path + stem, ending) == 0)
            return true;
    }
    return false;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* True if the names are equal except for case and the ending of a file of embeddings. */
static bool is_nearly(const char *stem, const char *key) {
    const char *a = base_of(stem), *b = base_of(key);
    size_t length = strlen(b);
    return strncasecmp(a, b, length) == 0 &&
           (a[length] == '\0' || (a[length] == '.' && es_loader_stem(a) == length));
}

static bool share_folder(const char *stem, const char *key) {
    size_t length = (size_t)(base_of(key) - key);
    return (size_t)(base_of(stem) - stem) == length && strncmp(stem, key, length) == 0;
}

static bool is_owned(const es_words *names, const orphan *o) {
    for (size_t i = 0; i < names->count; i++)
        if (is_called(o, names->word[i]))
            return true;
    return false;
}

/* Whose it may be; SIZE_MAX: nobody's. */
static size_t find_nearest(const es_words *names, const orphan *o) {
    es_suggestion near = {.word = o->stem};
    size_t found = SIZE_MAX, elsewhere = SIZE_MAX;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->word[i], *before = near.best;
        bool same = is_nearly(o->stem, name);
        if (same && share_folder(o->stem, name))
            return i;
        elsewhere = same && elsewhere == SIZE_MAX ? i : elsewhere;
        es_suggestion_offer(&near, name);
        found = near.best == before ? found : i;
    }
    return elsewhere < SIZE_MAX ? elsewhere : found;
}

/* Warns of a file beside an embedder that does not exist, with the name that it may mean. */
static void warn_of_orphan(es_pool *pool, const keys *all, const orphan *o) {
    char label[ES_PATH_LABEL], wanted[ES_PATH_LABEL];
    const char *what = o->kind == OF_QUERIES ? "queries"
                       : is_of_queries(o)    ? "ids of queries"
                                             : "ids";
    size_t near = find_nearest(keys_of(all, o), o);
    es_path_label(label, o->path);
    if (near == SIZE_MAX) {
        pool_warn(pool, "%s: not read, as there is no embedder of this name", label);
        return;
    }
    const pool_item *item = &pool->item[near];
    pool_warn(pool, "%s: not read; if it holds the %s of %s, call it %s%s", label, what,
              is_of_queries(o) ? item->model.name : item->model.file,
              es_path_label(wanted, keys_of(all, o)->word[near]), endings[o->kind]);
    if (!is_of_queries(o) && item->ids == SIZE_MAX && item->model.state != ES_MODEL_EXCLUDED)
        pool_warned_gravely(pool);
}

/* Warns of a file that looks like ids of an embedder and is not read; the first few are listed. */
static es_status warn_of_one(es_pool *pool, const pool_listing *listing, const keys *all,
                             bool lists, const char *path, size_t *told, es_error *err) {
    orphan o = {0};
    char label[ES_PATH_LABEL];
    es_status st = split_name(path, &o, err);
    if (st != ES_OK)
        return st;
    bool owned = is_owned(keys_of(all, &o), &o);
    bool second = owned && o.kind == OF_CSV && has_beside(listing, &o, ES_ROW_IDS_TEXT);
    bool mistaken = second || (!owned && !(lists && is_listed(listing, &o)));
    if (mistaken && (*told)++ < TOLD_MOST) {
        if (second)
            pool_warn(pool, "%s: not read, as there are ids in the file that ends with %s, too",
                      es_path_label(label, path), ES_ROW_IDS_TEXT);
        else
            warn_of_orphan(pool, all, &o);
    }
    es_free(o.stem);
    return ES_OK;
}

es_status pool_tell_orphans(es_pool *pool, const pool_listing *listing, bool lists, es_error *err) {
    keys all = {0};
    size_t told = 0;
    es_status st = listing->beside.count > 0 ? make_keys(pool, &all, err) : ES_OK;
    for (size_t i = 0; i < listing->beside.count && st == ES_OK; i++)
        st = warn_of_one(pool, listing, &all, lists, listing->beside.word[i], &told, err);
    if (told > TOLD_MOST)
        pool_warn(pool, "%zu more file%s of ids or queries belong%s to no embedder",
                  told - TOLD_MOST, told == TOLD_MOST + 1 ? "" : "s",
                  told == TOLD_MOST + 1 ? "s" : "");
    es_words_deinit(&all.of_ids);
    es_words_deinit(&all.of_queries);
    return st;
}
