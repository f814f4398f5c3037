/* Where derived embedders lie, what their files are called, and the .json that lists each. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

void es_derived_stem(const char *name, char out[ES_DERIVED_STEM]) {
    const size_t capacity = ES_DERIVED_STEM;
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
    char hex[ES_DIGEST_HEX];
    bool changed = name[0] == '.' || strlen(name) > capacity - 24;
    size_t n = 0;
    for (; n < capacity - 24 && name[n]; n++) {
        bool keep = strchr(plain, name[n]) && !(n == 0 && name[n] == '.');
        out[n] = keep ? name[n] : '_';
        changed = changed || !keep;
    }
    out[n] = '\0';
    if (changed)
        (void)snprintf(out + n, capacity - n, "-%.8s",
                       es_digest_hex(es_digest_bytes(name, strlen(name)), hex));
}

static bool is_named(const derived_list *list, const char *file) {
    bool named = false;
    for (size_t i = 0; i < list->count && !named; i++)
        named = strcmp(list->entry[i].file, file) == 0 ||
                (list->entry[i].model && strcmp(list->entry[i].model, file) == 0);
    return named;
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), own = strlen(ending);
    return length > own && strcmp(name + length - own, ending) == 0;
}

/* What a removal was killed in the middle of: a matrix or weights that no entry names, ours and a
 * day old. When an entry cannot be read it may name any of them. */
static void sweep(const char *folder) {
    enum { DAY = 24 * 60 * 60 };
    derived_list list = {0};
    time_t now = time(NULL);
    es_file_sweep(folder);
    DIR *dir =
        derived_list_read(folder, &list, NULL) == ES_OK && !list.problem ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        struct stat info;
        bool ours = ends_with(e->d_name, ".npy") || ends_with(e->d_name, ".safetensors");
        if (ours && !is_named(&list, e->d_name) &&
            fstatat(dirfd(dir), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid() && now - info.st_mtime > DAY)
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (dir)
        (void)closedir(dir);
    derived_list_deinit(&list);
}

es_status es_derived_folder(const es_pool *pool, char **out, es_error *err) {
    struct stat info;
    char label[ES_PATH_LABEL], *results = NULL, *folder = NULL;
    es_status st = es_store_place_write(es_pool_path(pool), &results, err);
    if (st != ES_OK)
        return st;
    char *slash = strrchr(results, '/');
    if (slash)
        *slash = '\0';
    folder = es_path_join(results, "derived");
    es_free(results);
    if (!folder)
        return es_no_memory(err);
    st = es_dir_make(folder, err);
    if (st == ES_OK && (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
        st = es_fail(err, ES_EIO, "%s: is a symbolic link; remove it",
                     es_path_label(label, folder)); /* to anywhere */
    if (st != ES_OK) {
        es_free(folder);
        return st;
    }
    sweep(folder);
    *out = folder;
    return ES_OK;
}

static void put_source(es_json *json, const es_model *m) {
    char hex[ES_DIGEST_HEX];
    es_json_begin_object(json, NULL);
    es_json_text(json, "name", m->name);
    es_json_text(json, "digest", es_digest_hex(m->digest, hex));
    es_json_end(json);
}

es_status es_derived_list_side(const es_pool *pool, const char *folder, const es_derived_side *side,
                               es_error *err) {
    char file[ES_DERIVED_STEM + 8];
    es_buf out = {0};
    es_json json;
    es_json_init(&json, &out, 2);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "name", side->name);
    (void)snprintf(file, sizeof file, "%s.npy", side->stem);
    es_json_text(&json, "file", file);
    if (side->family)
        es_json_text(&json, "family", side->family);
    es_json_text(&json, "notes", side->notes);
    if (side->recipe)
        es_json_text(&json, "recipe", side->recipe);
    if (side->model)
        es_json_text(&json, "model", side->model);
    es_json_uint(&json, "seed", side->seed);
    es_json_begin_array(&json, "sources");
    for (size_t k = 0; k < side->n_sources; k++)
        put_source(&json, es_pool_model(pool, side->source[k]));
    es_json_end(&json);
    es_json_end(&json);
    es_buf_putc(&out, '\n');
    es_status st = es_buf_check(&out, err);
    (void)snprintf(file, sizeof file, "%s.json", side->stem);
    char *path = es_path_join(folder, file);
    if (st == ES_OK && !path)
        st = es_no_memory(err);
    if (st == ES_OK)
        st = es_file_replace(path, out.data, out.length, 0600, err);
    es_buf_free(&out);
    es_free(path);
    return st;
}

/* ---- which there are ---- */

/* Reads the .json beside each derived embedder. One that cannot be understood is skipped, and
 * the first of them is reported. */

enum { SIDE_MOST = 1 << 16 };

void derived_sources_free(derived_source *source, size_t count) {
    for (size_t i = 0; source && i < count; i++)
        es_free(source[i].name);
    es_free(source);
}

static void entry_deinit(derived_entry *e) {
    es_free(e->side);
    es_free(e->file);
    es_free(e->model);
    es_free(e->name);
    es_free(e->family);
    es_free(e->notes);
    derived_sources_free(e->source, e->n_sources);
    *e = (derived_entry){0};
}

void derived_list_deinit(derived_list *list) {
    for (size_t i = 0; i < list->count; i++)
        entry_deinit(&list->entry[i]);
    es_free(list->entry);
    es_free(list->problem);
    *list = (derived_list){0};
}

static es_status copy_text(const char *text, char **out, es_error *err) {
    if (text && !(*out = es_strdup(text)))
        return es_no_memory(err);
    return ES_OK;
}

static bool is_plain(const char *file) {
    return !strchr(file, '/') && file[0] != '.' && file[0] != '\0';
}

/* {"name", "file", "model", "family", "notes", "sources": [{"name", "digest"}]} */
static es_status read_entry(const es_json_doc *doc, derived_entry *out, es_error *err) {
    es_json_value root = es_json_root(doc), sources = {0};
    const char *name = NULL, *file = NULL, *family = NULL, *notes = NULL, *model = NULL;
    es_status st = ES_OK;
    ES_TRY(es_json_expect(&root, ES_JSON_OBJECT, err));
    ES_TRY(es_json_get_text(&root, "name", ES_JSON_REQUIRED, &name, err));
    ES_TRY(es_json_get_text(&root, "file", ES_JSON_REQUIRED, &file, err));
    ES_TRY(es_json_get_text(&root, "family", ES_JSON_OPTIONAL, &family, err));
    ES_TRY(es_json_get_text(&root, "notes", ES_JSON_OPTIONAL, &notes, err));
    ES_TRY(es_json_get_text(&root, "model", ES_JSON_OPTIONAL, &model, err));
    ES_TRY(es_json_get(&root, "sources", ES_JSON_ARRAY, ES_JSON_REQUIRED, &sources, err));
    if (!is_plain(file) || (model && !is_plain(model)))
        return es_json_complain(&root, "\"file\" is not a name in this folder", err);
    ES_TRY(copy_text(name, &out->name, err));
    ES_TRY(copy_text(file, &out->file, err));
    ES_TRY(copy_text(model, &out->model, err));
    ES_TRY(copy_text(family, &out->family, err));
    ES_TRY(copy_text(notes, &out->notes, err));
    out->source = es_alloc_zero(es_json_count(&sources), sizeof *out->source);
    ES_FAIL_IF(!out->source, es_no_memory(err));
    for (es_json_value s = es_json_first(&sources); s.node; s = es_json_next(&s)) {
        const char *source = NULL, *digest = NULL;
        derived_source *own = &out->source[out->n_sources];
        ES_TRY(es_json_get_text(&s, "name", ES_JSON_REQUIRED, &source, err));
        ES_TRY(es_json_get_text(&s, "digest", ES_JSON_REQUIRED, &digest, err));
        if (!es_digest_parse(digest, &own->digest))
            return es_json_complain(&s, "\"digest\" is none", err);
        ES_TRY(copy_text(source, &own->name, err));
        out->n_sources++;
    }
done:
    return st;
}

/* Reads the description of one derived embedder; a damaged one is noted and skipped. */
static es_status add_entry(derived_list *list, const char *folder, const char *name,
                           es_error *err) {
    derived_entry entry = {0}, *more = NULL;
    es_json_doc *doc = NULL;
    es_error why = {0};
    char *path = es_path_join(folder, name);
    if (!path)
        return es_no_memory(err);
    es_status st = es_json_read(path, ES_FILE_NOFOLLOW, SIDE_MOST, &doc, &why);
    es_free(path);
    if (st == ES_OK)
        st = read_entry(doc, &entry, &why);
    if (st == ES_OK)
        st = copy_text(name, &entry.side, &why);
    es_json_free(doc);
    if (st == ES_OK && !(more = es_realloc(list->entry, list->count + 1, sizeof *more)))
        st = ES_ENOMEM;
    if (st == ES_OK) {
        list->entry = more;
        list->entry[list->count++] = entry;
        return ES_OK;
    }
    entry_deinit(&entry);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (!list->problem)
        list->problem = es_strdup(why.message); /* lost without memory */
    return ES_OK;
}

static int by_file(const void *a, const void *b) {
    return strcmp(((const derived_entry *)a)->file, ((const derived_entry *)b)->file);
}

bool derived_is_side(const char *file) {
    size_t length = strlen(file);
    return file[0] != '.' && length > 5 && strcmp(file + length - 5, ".json") == 0;
}

es_status derived_list_read(const char *folder, derived_list *out, es_error *err) {
    derived_list list = {0};
    es_status st = ES_OK;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && st == ES_OK && (e = readdir(dir)) != NULL;)
        if (derived_is_side(e->d_name))
            st = add_entry(&list, folder, e->d_name, err);
    if (dir)
        closedir(dir);
    if (st != ES_OK) {
        derived_list_deinit(&list);
        return st;
    }
    if (list.count > 1)
        qsort(list.entry, list.count, sizeof *list.entry, by_file);
    *out = list;
    return ES_OK;
}

/* ---- removing ---- */

/* The entry goes first and comes back last: whoever is killed in between leaves a list that names
 * only what is there. */

enum { SIDE, MATRIX, WEIGHTS };

/* Fails with the file, what could not be done to it, and errno's text. */
static es_status fail_with_errno(const char *path, const char *what, es_error *err) {
    int code = errno;
    return es_fail(err, ES_EIO, "%s: cannot %s it: %s", es_path_shown(path).text, what,
                   strerror(code));
}

/* True if another entry names the same weights. */
static bool is_shared(const derived_list *list, size_t own) {
    bool shared = false;
    for (size_t i = 0; i < list->count && list->entry[own].model; i++)
        shared = shared || (i != own && list->entry[i].model &&
                            strcmp(list->entry[i].model, list->entry[own].model) == 0);
    return shared;
}

/* The files of the entry that names this matrix of a folder. */
static es_status find_entry(const char *folder, const char *file, es_derived_aside *out,
                            es_error *err) {
    derived_list list = {0};
    size_t at = 0;
    es_status st = derived_list_read(folder, &list, err);
    while (at < list.count && strcmp(list.entry[at].file, file) != 0)
        at++;
    if (st == ES_OK && at == list.count)
        st = es_fail(err, ES_ENOTFOUND, "%s: is not listed any more", file);
    if (st == ES_OK) {
        const derived_entry *e = &list.entry[at];
        bool weights = e->model && !is_shared(&list, at);
        out->path[SIDE] = es_path_join(folder, e->side);
        out->path[WEIGHTS] = weights ? es_path_join(folder, e->model) : NULL;
        if (!out->path[SIDE] || (weights && !out->path[WEIGHTS]))
            st = es_no_memory(err);
    }
    derived_list_deinit(&list);
    return st;
}

/* Finds the files of a derived embedder: its matrix and its description. */
static es_status find_files(const es_model *m, es_derived_aside *out, es_error *err) {
    const char *slash = strrchr(m->path, '/');
    es_status st = ES_OK;
    char *folder = slash ? es_strndup(m->path, (size_t)(slash - m->path)) : NULL;
    out->name = es_strdup(m->name);
    out->path[MATRIX] = es_strdup(m->path);
    ES_FAIL_IF(!folder || !out->name || !out->path[MATRIX], es_no_memory(err));
    ES_TRY(find_entry(folder, slash + 1, out, err));
done:
    es_free(folder);
    return st;
}

/* Out of the way, or for good; what is gone already is no failure. */
static es_status take_away(const char *path, char **aside, uint64_t *freed, es_error *err) {
    struct stat info;
    if (stat(path, &info) != 0)
        return ES_OK;
    es_status st = aside               ? es_file_put_aside(path, aside, err)
                   : unlink(path) == 0 ? ES_OK
                                       : fail_with_errno(path, "remove", err);
    *freed += st == ES_OK ? (uint64_t)info.st_size : 0;
    return st;
}

es_status es_derived_remove(const es_pool *pool, size_t index, es_derived_aside *aside,
                            uint64_t *freed, es_error *err) {
    const es_model *m = es_pool_model(pool, index);
    es_derived_aside found = {0};
    es_status st = ES_OK;
    uint64_t bytes = 0;
    if (!m || !m->derived)
        return es_fail(err, ES_EINVAL, "%s is not derived: only derived embedders are removed",
                       m ? m->name : "it");
    ES_TRY(find_files(m, &found, err));
    for (size_t i = 0; i < ES_DERIVED_FILES; i++)
        if (found.path[i])
            ES_TRY(take_away(found.path[i], aside ? &found.aside[i] : NULL, &bytes, err));
    *freed = bytes;
    if (aside) {
        *aside = found;
        return ES_OK;
    }
done:
    if (st != ES_OK) /* what is left is where it was: so is its entry */
        (void)es_derived_restore(&found, NULL);
    es_derived_forget(&found);
    return st;
}

es_status es_derived_restore(es_derived_aside *aside, es_error *err) {
    for (size_t i = ES_DERIVED_FILES; i-- > 0;) {
        errno = EEXIST;
        if (!aside->aside[i] || !aside->path[i])
            continue;
        if (access(aside->path[i], F_OK) == 0 || rename(aside->aside[i], aside->path[i]) != 0)
            return fail_with_errno(aside->path[i], "bring back", err);
        es_free(aside->aside[i]);
        aside->aside[i] = NULL;
    }
    return ES_OK;
}

void es_derived_forget(es_derived_aside *aside) {
    for (size_t i = 0; i < ES_DERIVED_FILES; i++) {
        if (aside->aside[i])
            (void)unlink(aside->aside[i]);
        es_free(aside->aside[i]);
        es_free(aside->path[i]);
    }
    es_free(aside->name);
    *aside = (es_derived_aside){0};
}

static size_t find_derived(const es_pool *pool, const char *name, const char *ending) {
    char whole[300];
    (void)snprintf(whole, sizeof whole, "%.250s%s", name, ending);
    size_t at = es_pool_find(pool, whole);
    return at != SIZE_MAX && es_pool_model(pool, at)->derived ? at : SIZE_MAX;
}

size_t es_derived_named(const es_pool *pool, const char *name, size_t *at) {
    static const char *const endings[] = {".mu", ".info"};
    size_t count = 0, own = es_pool_find(pool, name);
    if (own != SIZE_MAX && es_pool_model(pool, own)->derived) {
        at[0] = own;
        return 1;
    }
    for (size_t i = 0; i < 2; i++) {
        own = find_derived(pool, name, endings[i]);
        if (own != SIZE_MAX)
            at[count++] = own;
    }
    return count;
}
