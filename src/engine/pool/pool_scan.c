/* Walks the folders breadth first: plain ones before linked ones, so that a folder is listed under
 * its own name whatever the order of the directory, and none twice. */
#include "engine_pool_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_readers.h"
#include "engine_place.h"

/* Files of unknown endings whose first bytes are looked at: enough for a folder of models that were
 * saved under odd names, and no burden in a folder of a hundred thousand pictures. */
enum { SNIFF_MOST = 256 };
/* Tables and texts that may be embedders, by their first lines. */
enum { LOOK_MOST = 4096 };

/* A folder still to be read. */
typedef struct folder {
    char *path; /* below the root, "" for the root itself */
    unsigned depth;
    bool linked; /* reached through a link: read last, and only if not read before */
} folder;

typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

typedef struct scan {
    const char *root;
    pool_listing *listing;
    folder *todo; /* grows while it is read */
    size_t todo_count, todo_capacity;
    identity *seen;
    size_t seen_count, seen_capacity;
    unsigned sniffed, peeked, looked;
    bool entries_only; /* of other files nothing is to be told, and they are not read for it */
} scan;

/* Takes `path` in any case; `reason` is copied. */
static es_status add_entry(pool_listing *listing, char *path, const char *reason, es_error *err) {
    const pool_entry entry = {path, reason ? es_strdup(reason) : NULL};
    es_status st = reason && !entry.reason
                       ? es_no_memory(err)
                       : es_append(&listing->entry, &listing->count, &listing->capacity, &entry,
                                   sizeof entry, err);
    if (st != ES_OK) {
        es_free(path);
        es_free(entry.reason);
    }
    return st;
}

/* Takes `path` in any case. */
static es_status add_folder(scan *s, char *path, unsigned depth, bool linked, es_error *err) {
    const folder f = {path, depth, linked};
    es_status st = es_append(&s->todo, &s->todo_count, &s->todo_capacity, &f, sizeof f, err);
    if (st != ES_OK)
        es_free(path);
    return st;
}

es_status pool_contains(const char *root, const char *path, es_error *err) {
    char *real = NULL, *full = es_path_join(root, path);
    es_status st = full ? es_path_canonical(full, &real, err) : es_no_memory(err);
    es_free(full);
    if (st != ES_OK)
        return st;
    size_t length = strlen(root);
    bool inside = strncmp(real, root, length) == 0 &&
                  (real[length] == '/' || real[length] == '\0' || strcmp(root, "/") == 0);
    es_free(real);
    return inside ? ES_OK
                  : es_fail(err, ES_EINVAL, "%s: a link out of the pool, not followed",
                            es_path_shown(path).text);
}

/* The entry of a folder that spells `name` in another way, a new string; NULL: none does. */
static char *other_spelling(const char *in, const char *name) {
    DIR *dir = opendir(in);
    char *found = NULL;
    for (const struct dirent *e; !found && dir && (e = readdir(dir)) != NULL;)
        if (es_text_same(e->d_name, name))
            found = es_strdup(e->d_name);
    if (dir)
        (void)closedir(dir);
    return found;
}

/* One more part of a path below root; both are taken. NULL when out of memory. */
static char *spell_part(const char *root, char *before, char *part) {
    struct stat info;
    char *path = before && part ? *before ? es_path_join(before, part) : es_strdup(part) : NULL;
    char *full = path ? es_path_join(root, path) : NULL;
    if (full && lstat(full, &info) != 0) {
        char *in = es_path_join(root, before);
        char *own = in ? other_spelling(in, part) : NULL;
        es_free(in);
        if (own) {
            es_free(path);
            path = *before ? es_path_join(before, own) : es_strdup(own);
            es_free(own);
        }
    }
    es_free(full);
    es_free(before);
    es_free(part);
    return path;
}

es_status pool_spelling(const char *root, const char *path, char **out, es_error *err) {
    bool plain = es_text_is_ascii(path, strlen(path));
    char *spelled = es_strdup(plain ? path : "");
    for (const char *at = path; !plain && spelled && *at;) {
        size_t length = strcspn(at, "/");
        if (length > 0)
            spelled = spell_part(root, spelled, es_strndup(at, length));
        at += length + (at[length] == '/');
    }
    *out = spelled;
    return spelled ? ES_OK : es_no_memory(err);
}

es_status pool_beside(const char *root, const char *name, char **out, es_error *err) {
    es_error why = {0};
    char *spelled = NULL;
    *out = NULL;
    ES_PASS(pool_spelling(root, name, &spelled, err));
    es_status st = pool_contains(root, spelled, &why);
    if (st == ES_OK || (st != ES_ENOTFOUND && st != ES_ENOMEM && st != ES_EINVAL))
        *out = es_path_join(root, spelled);
    es_free(spelled);
    if (st == ES_ENOTFOUND)
        return ES_OK;
    if (st == ES_EINVAL)
        return es_fail(err, ES_EFORMAT, "%s", why.message);
    return *out ? ES_OK : es_no_memory(err);
}

/* Endings that are never an archive of embeddings, so not worth a look. */
static bool is_boring(const char *path) {
    static const char *const endings[] = {
        "csv", "tsv", "txt", "md",  "json", "jsonl", "yaml", "yml", "toml", "py",   "ipynb", "c",
        "h",   "sh",  "log", "png", "jpg",  "jpeg",  "gif",  "svg", "pdf",  "html", "wav",   "mp3",
        "mp4", "gz",  "zst", "xz",  "tar",  "db",    "tex",  "xml", "smi",  "sdf",  "fasta", NULL};
    const char *dot = strrchr(path, '.');
    for (const char *const *e = endings; dot && *e; e++)
        if (strcasecmp(dot + 1, *e) == 0)
            return true;
    return false;
}

static bool is_queries(const char *path) {
    size_t length = strlen(path), tail = strlen(ES_POOL_QUERIES);
    return length > tail && strcmp(path + length - tail, ES_POOL_QUERIES) == 0;
}

/* In any case of letters: only the exact one is read, and any other is reported. */
static bool is_ids(const char *path) {
    return es_path_ends(path, ES_ROW_IDS_TEXT) || es_path_ends(path, ES_ROW_IDS_CSV);
}

/* True if the ending alone shows that the file holds embeddings. */
static bool is_embedder(const char *path) {
    const es_loader *loader = es_loader_find(path);
    return loader && !loader->looks && !is_queries(path);
}

/* True if the file may hold embeddings; its first lines decide. */
static bool may_be_embedder(const char *path) {
    const es_loader *loader = es_loader_find(path);
    return loader && loader->looks && !pool_is_companion(path) && !is_ids(path);
}

static bool looks_like_embedder(const char *full) {
    es_map map = {0};
    if (es_map_open(full, 0, &map, NULL) != ES_OK)
        return false;
    bool looks = es_loader_find(full)->looks(&map, full);
    es_map_close(&map);
    return looks;
}

/* True if a file of unknown ending is an archive of embeddings; *err says how to convert it. */
static bool is_archive(const char *full, es_error *err) {
    es_map map = {0};
    if (es_map_open(full, 0, &map, NULL) != ES_OK)
        return false;
    es_format format = es_format_of(&map);
    es_map_close(&map);
    if (format != ES_FILE_TORCH && format != ES_FILE_NPZ)
        return false;
    es_format_refuse(format, full, "an embedder (.npy or .safetensors)", err);
    return true;
}

/* True if a .json file holds rows of numbers and is no description of a pool. */
static bool is_json_of_rows(const char *full) {
    es_map map = {0};
    if (es_map_open(full, 0, &map, NULL) != ES_OK)
        return false;
    bool rows = es_json_rows_of(&map) != ES_JSON_NO_ROWS;
    es_map_close(&map);
    return rows;
}

/* A file of the pool: an embedder, an archive, or nothing of ours. Takes `path`. */
static es_status add_file(scan *s, char *path, const char *full, bool linked, es_error *err) {
    es_error why = {0};
    bool embedder = is_embedder(path);
    bool maybe = may_be_embedder(path) && s->looked < LOOK_MOST;
    bool look = !embedder && !is_boring(path) && s->sniffed < SNIFF_MOST;
    bool json = es_path_ends(path, ".json") && !pool_is_annotation(path) && s->peeked < SNIFF_MOST;
    es_status inside =
        linked && (embedder || maybe || look || json) ? pool_contains(s->root, path, &why) : ES_OK;
    if (inside == ES_ENOMEM) {
        es_free(path);
        return es_no_memory(err);
    }
    s->looked += maybe;
    embedder = embedder || (maybe && inside == ES_OK && looks_like_embedder(full));
    if (embedder)
        return add_entry(s->listing, path, inside == ES_OK ? NULL : why.message, err);
    s->sniffed += look;
    if (look && inside == ES_OK && is_archive(full, &why))
        return add_entry(s->listing, path, why.message, err);
    if (s->entries_only) {
        es_free(path);
        return ES_OK;
    }
    s->peeked += json;
    es_status st = ES_OK;
    bool companion = pool_is_companion(path) && !(json && inside == ES_OK && is_json_of_rows(full));
    if (is_queries(path) || is_ids(path)) {
        if (s->listing->beside.count < POOL_UNUSED_MOST)
            st = es_words_add(&s->listing->beside, path, err);
    } else if (!companion && s->listing->unused.file.count < POOL_UNUSED_MOST)
        st = pool_unused_add(&s->listing->unused, path, inside == ES_OK ? full : NULL, err);
    es_free(path);
    return st;
}

/* Files of embeddings below a folder that is not read, down to where nobody puts any. */
static size_t count_deep(const char *full, unsigned depth) {
    enum { DEEPEST = 12, FILES_MOST = 100000 };
    size_t count = 0;
    DIR *dir = depth < DEEPEST ? opendir(full) : NULL;
    for (struct dirent *e; dir && count < FILES_MOST && (e = readdir(dir)) != NULL;) {
        struct stat info;
        char *path = e->d_name[0] == '.' ? NULL : es_path_join(full, e->d_name);
        if (path && lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
            count += count_deep(path, depth + 1);
        else if (path && S_ISREG(info.st_mode) && is_embedder(path))
            count++;
        es_free(path);
    }
    if (dir)
        (void)closedir(dir);
    return count;
}

/* A folder below those that are read; `path` is taken. */
static es_status note_deep(pool_listing *listing, char *path, const char *full) {
    size_t files = count_deep(full, 0);
    listing->too_deep += files;
    if (!listing->deep_first && files > 0)
        listing->deep_first = path;
    else
        es_free(path);
    return ES_OK;
}

/* One name of a folder. */
static es_status visit(scan *s, int fd, const folder *in, const char *name, es_error *err) {
    struct stat info;
    es_error why = {0};
    es_status st = ES_OK;
    if (fstatat(fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return ES_OK; /* removed meanwhile */
    bool linked = S_ISLNK(info.st_mode);
    char *path = in->path[0] ? es_path_join(in->path, name) : es_strdup(name);
    char *full = path ? es_path_join(s->root, path) : NULL;
    if (!full) {
        es_free(path);
        return es_no_memory(err);
    }
    if (linked && fstatat(fd, name, &info, 0) != 0) {
        /* A link to nothing or to itself matters only where an embedder should be. */
        char to[PATH_MAX + 1] = "";
        const char *gone = strerror(errno);
        bool annex = readlinkat(fd, name, to, PATH_MAX) > 0 && strstr(to, ".git/annex/objects/");
        es_error_set(&why, ES_ENOTFOUND, "%s: a link that leads nowhere (%s)%s",
                     es_path_shown(path).text, gone,
                     annex ? "; git annex get fetches the file" : "");
        if (is_embedder(path))
            st = add_entry(s->listing, path, why.message, err);
        else
            es_free(path);
    } else if (S_ISREG(info.st_mode)) {
        st = add_file(s, path, full, linked, err);
    } else if (S_ISDIR(info.st_mode) && in->depth <= POOL_DEPTH) {
        st = linked ? pool_contains(s->root, path, &why) : ES_OK;
        if (st == ES_OK)
            st = add_folder(s, path, in->depth + 1, linked || in->linked, err);
        else if (st != ES_ENOMEM)
            st = add_entry(s->listing, path, why.message, err);
        else
            es_free(path);
    } else if (S_ISDIR(info.st_mode)) {
        st = note_deep(s->listing, path, full);
    } else if (is_embedder(path)) {
        es_error_set(&why, ES_EUNSUPPORTED, "%s: not a regular file", es_path_shown(path).text);
        st = add_entry(s->listing, path, why.message, err);
    } else {
        es_free(path);
    }
    es_free(full);
    return st;
}

/* True the first time a folder is met; linked folders are compared with all that were read. */
static es_status is_new(scan *s, int fd, bool linked, bool *out, es_error *err) {
    struct stat info;
    *out = true;
    if (fstat(fd, &info) != 0)
        return ES_OK;
    for (size_t i = 0; linked && i < s->seen_count; i++)
        if (s->seen[i].device == info.st_dev && s->seen[i].inode == info.st_ino) {
            *out = false;
            return ES_OK;
        }
    const identity own = {info.st_dev, info.st_ino};
    return es_append(&s->seen, &s->seen_count, &s->seen_capacity, &own, sizeof own, err);
}

/* A folder that cannot be read: the pool's own is an error, any other is left out with its reason.
 */
static es_status add_unreadable(scan *s, const folder *in, int code, es_error *err) {
    es_error why = {0};
    const char *shown = in->path[0] ? in->path : s->root;
    es_status st = es_fail(&why, ES_EIO, "%s: this folder cannot be read: %s",
                           es_path_shown(shown).text, strerror(code));
    if (!in->path[0])
        return es_fail(err, st, "%s", why.message);
    char *path = es_strdup(in->path);
    return path ? add_entry(s->listing, path, why.message, err) : es_no_memory(err);
}

static es_status read_folder(scan *s, const folder *in, es_error *err) {
    bool fresh = true;
    char *full = in->path[0] ? es_path_join(s->root, in->path) : es_strdup(s->root);
    if (!full)
        return es_no_memory(err);
    int fd = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    int code = errno;
    es_free(full);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return add_unreadable(s, in, code, err);
    }
    es_status st = is_new(s, fd, in->linked, &fresh, err);
    for (struct dirent *e; fresh && st == ES_OK && (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.')
            st = visit(s, fd, in, e->d_name, err);
    closedir(dir);
    return st;
}

static int compare_entries(const void *a, const void *b) {
    return strcmp(((const pool_entry *)a)->path, ((const pool_entry *)b)->path);
}

/* Reads the folders of one kind. Linked ones wait until all plain ones have been read, so that a
 * folder is listed under its own name whatever the order of the directory. */
static es_status read_folders(scan *s, bool linked, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < s->todo_count && st == ES_OK; i++) {
        folder f = s->todo[i]; /* the list may move while it is read */
        if (f.linked == linked)
            st = read_folder(s, &f, err);
    }
    return st;
}

static es_status list_all(const char *root, bool entries_only, pool_listing *out, es_error *err) {
    pool_listing listing = {0};
    scan s = {.root = root, .listing = &listing, .entries_only = entries_only};
    char *top = es_strdup("");
    es_status st = top ? add_folder(&s, top, 1, false, err) : es_no_memory(err);
    if (st == ES_OK)
        st = read_folders(&s, false, err);
    if (st == ES_OK)
        st = read_folders(&s, true, err);
    for (size_t i = 0; i < s.todo_count; i++)
        es_free(s.todo[i].path);
    es_free(s.todo);
    es_free(s.seen);
    if (st == ES_OK) {
        if (listing.count > 1)
            qsort(listing.entry, listing.count, sizeof *listing.entry, compare_entries);
        pool_unused_sort(&listing.unused);
        es_words_sort(&listing.beside);
        *out = listing;
    } else {
        pool_listing_deinit(&listing);
    }
    return st;
}

es_status pool_scan(const char *root, pool_listing *out, es_error *err) {
    return list_all(root, false, out, err);
}

void pool_listing_deinit(pool_listing *listing) {
    for (size_t i = 0; i < listing->count; i++) {
        es_free(listing->entry[i].path);
        es_free(listing->entry[i].reason);
    }
    es_free(listing->entry);
    es_unused_deinit(&listing->unused);
    es_words_deinit(&listing->beside);
    es_free(listing->deep_first);
    *listing = (pool_listing){0};
}

static void hash_file(es_hasher *hasher, const char *root, const char *path) {
    char *full = es_path_join(root, path);
    struct stat info;
    bool there = full && stat(full, &info) == 0;
    es_free(full);
    es_hasher_add_text(hasher, path);
    es_hasher_add_u64(hasher, there);
    if (!there)
        return;
    es_hasher_add_u64(hasher, (uint64_t)info.st_size);
    es_hasher_add_u64(hasher, (uint64_t)info.st_mtim.tv_sec);
    es_hasher_add_u64(hasher, (uint64_t)info.st_mtim.tv_nsec);
    es_hasher_add_u64(hasher, (uint64_t)info.st_ino);
}

/* The ids beside an embedder are part of what the folder holds. */
static void hash_ids(es_hasher *hasher, const char *root, const char *path) {
    static const char *const endings[] = {ES_ROW_IDS_TEXT, ES_ROW_IDS_CSV};
    for (size_t i = 0; i < 2; i++) {
        es_buf name = {0};
        es_buf_add(&name, path, es_loader_stem(path));
        es_buf_puts(&name, endings[i]);
        if (!name.failed)
            hash_file(hasher, root, name.data);
        es_buf_free(&name);
    }
}

/* What another process has derived stands in lists beside the results, a file each. */
static es_status hash_derived(es_hasher *hasher, const char *path, es_error *err) {
    es_words names = {0};
    es_status st = ES_OK;
    DIR *dir = opendir(path);
    for (struct dirent *e; st == ES_OK && dir && (e = readdir(dir)) != NULL;)
        if (derived_is_side(e->d_name))
            st = es_words_add(&names, e->d_name, err);
    if (dir)
        (void)closedir(dir);
    es_words_sort(&names);
    for (size_t i = 0; st == ES_OK && i < names.count; i++)
        hash_file(hasher, path, names.word[i]);
    es_words_deinit(&names);
    return st;
}

es_status pool_listing_digest(const char *root, const pool_listing *listing, es_digest *out,
                              es_error *err) {
    char *derived[2] = {NULL, NULL};
    es_hasher hasher;
    es_status st = es_derived_places(root, derived, err);
    es_hasher_init(&hasher);
    for (size_t i = 0; st == ES_OK && i < listing->count; i++) {
        hash_file(&hasher, root, listing->entry[i].path);
        hash_ids(&hasher, root, listing->entry[i].path);
    }
    for (size_t i = 0; st == ES_OK && pool_annotations[i]; i++)
        if (strcmp(pool_annotations[i], ES_POOL_DUELS) != 0) /* the explorer writes it itself */
            hash_file(&hasher, root, pool_annotations[i]);
    for (size_t i = 0; st == ES_OK && i < 2; i++)
        if (derived[i])
            st = hash_derived(&hasher, derived[i], err);
    if (st == ES_OK)
        *out = es_hasher_result(&hasher);
    es_free(derived[0]);
    es_free(derived[1]);
    return st;
}

es_status pool_folder_digest(const char *root, es_digest *out, es_error *err) {
    pool_listing listing = {0};
    es_status st = list_all(root, true, &listing, err);
    if (st == ES_OK)
        st = pool_listing_digest(root, &listing, out, err);
    pool_listing_deinit(&listing);
    return st;
}
