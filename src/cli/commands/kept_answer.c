/* Answers that are kept from process to process. A command whose document comes from the files of
 * one pool, its store and the command line alone writes the document of the last time again while
 * all of these are the same: files by device, inode, size and the times of both changes, of which
 * the second cannot be put back. Nothing is opened, checked or ranked then. Whatever is not sure to
 * be the same is computed. */
#include "cmd.h"

#include <dirent.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "cli_out.h"
#include "engine_place.h"
#include "engine_session.h"
#include "io_files.h"

enum { FILES_MOST = 20000, DEPTH_MOST = 16, SETTLED = 3 }; /* seconds; FAT counts in twos */

struct es_kept_answer {
    char *path; /* of the kept answer */
    es_digest state;
};

/* What the files of a pool come to. */
typedef struct looking {
    es_hasher hasher;
    time_t newest; /* last change of any */
    size_t files;
    bool unsure; /* a file that this does not see through, or too many */
} looking;

/* ---- what an answer depends on ---- */

static void add_state(looking *l, const struct stat *info) {
    const uint64_t of[] = {info->st_dev,
                           info->st_ino,
                           info->st_mode,
                           (uint64_t)info->st_size,
                           (uint64_t)info->st_mtim.tv_sec,
                           (uint64_t)info->st_mtim.tv_nsec,
                           (uint64_t)info->st_ctim.tv_sec,
                           (uint64_t)info->st_ctim.tv_nsec};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        es_hasher_add_u64(&l->hasher, of[i]);
    l->newest = info->st_ctim.tv_sec > l->newest ? info->st_ctim.tv_sec : l->newest;
}

/* Adds a file, or that there is none. */
static void add_file(looking *l, const char *path) {
    struct stat info;
    bool there = stat(path, &info) == 0;
    es_hasher_add_text(&l->hasher, path);
    es_hasher_add_u64(&l->hasher, there);
    if (there)
        add_state(l, &info);
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), own = strlen(ending);
    return length >= own && strcmp(name + length - own, ending) == 0;
}

/* SQLite makes these two for whoever reads, and removes them. */
static bool is_of_readers(const char *name, const struct stat *info) {
    return ends_with(name, ".db-shm") || (ends_with(name, ".db-wal") && info->st_size == 0);
}

static void add_folder(looking *l, const char *path, unsigned depth);

static void add_entry(looking *l, const char *path, const char *name, unsigned depth) {
    struct stat own, info;
    if (lstat(path, &own) != 0 || stat(path, &info) != 0) {
        l->unsure = true; /* it went just now, or leads nowhere */
        return;
    }
    if (is_of_readers(name, &info))
        return;
    es_hasher_add_text(&l->hasher, path);
    if (S_ISDIR(own.st_mode))
        add_folder(l, path, depth + 1);
    else if (S_ISDIR(info.st_mode))
        l->unsure = true; /* a link to what may be anywhere */
    else
        add_state(l, &info);
    if (S_ISLNK(own.st_mode))
        add_state(l, &own);
}

/* Adds all files of a folder, in the order of their names. */
static void add_folder(looking *l, const char *path, unsigned depth) {
    struct dirent **entry = NULL;
    int count = depth < DEPTH_MOST ? scandir(path, &entry, NULL, alphasort) : -1;
    l->unsure = l->unsure || count < 0;
    for (int i = 0; i < count; i++) {
        const char *name = entry[i]->d_name;
        bool is_entry = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        l->unsure = l->unsure || ++l->files > FILES_MOST;
        char *below = is_entry && !l->unsure ? es_path_join(path, name) : NULL;
        if (below)
            add_entry(l, below, name, depth);
        else
            l->unsure = l->unsure || is_entry;
        es_free(below);
        free(entry[i]); /* not ours: of scandir */
    }
    free((void *)entry); /* not ours */
}

/* Adds the program and what it runs on: documents name them. */
static es_status add_program(looking *l, es_error *err) {
    char *provenance = NULL, *config = NULL;
    struct rlimit room;
    es_cpu cpu;
    es_status st = ES_OK;
    add_file(l, "/proc/self/exe");
    es_cpu_detect(&cpu);
    es_hasher_add_u64(&l->hasher, (uint64_t)cpu.cores);
    es_hasher_add_u64(&l->hasher, getrlimit(RLIMIT_AS, &room) == 0 ? room.rlim_cur : 0);
    es_hasher_add_text(&l->hasher, nl_langinfo(CODESET));
    ES_TRY(es_provenance_new(0, &provenance, err));
    es_hasher_add_text(&l->hasher, provenance);
    st = es_path_user_file(ES_USER_CONFIG, "config", &config, err);
    if (st == ES_OK)
        add_file(l, config);
    else if (st == ES_ENOTFOUND)
        st = ES_OK;
done:
    es_free(provenance);
    es_free(config);
    return st;
}

/* Adds the pool, and what is kept of it in the user's data folder; the store is in the pool. */
static es_status add_pool(looking *l, const char *root, es_error *err) {
    char *store[2] = {NULL, NULL};
    es_status st = es_store_folders(root, store, err);
    if (st == ES_OK) {
        add_folder(l, root, 0);
        if (store[1] && es_path_is_folder(store[1]))
            add_folder(l, store[1], 0);
        es_hasher_add_u64(&l->hasher, store[1] && es_path_is_folder(store[1]));
    }
    es_free(store[0]);
    es_free(store[1]);
    return st;
}

/* True if the document comes from one pool, its store and the command line alone. */
static bool may_keep(const es_cli *cli) {
    const es_options *o = cli->options;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    return cli->command->is_kept && !cli->host && !cli->capture && cli->n_arguments == 1 &&
           (format == ES_FORMAT_JSON || format == ES_FORMAT_CSV) && !o->output && !o->config &&
           !o->families && !o->matrix && !o->blocks && !o->scores && !o->ranking && !o->no_store &&
           !o->refresh;
}

/* The store is in the pool, which can be written: no other one is read. */
static bool has_store(const char *root) {
    char *path = NULL;
    size_t length = strlen(root);
    bool there = es_store_place_read(root, &path, NULL) == ES_OK &&
                 strncmp(path, root, length) == 0 && path[length] == '/';
    es_free(path);
    return there;
}

es_status es_kept_answer_new(const es_cli *cli, es_digest typed, es_kept_answer **out,
                             es_error *err) {
    char hex[ES_DIGEST_HEX], *root = NULL;
    looking l = {.unsure = false};
    es_kept_answer *place = NULL;
    es_status st = ES_OK;
    *out = NULL;
    if (!may_keep(cli) || es_path_canonical(cli->arguments[0], &root, NULL) != ES_OK)
        return ES_OK;
    if (!es_path_is_folder(root) || !has_store(root))
        goto done;
    place = es_alloc_zero(1, sizeof *place);
    es_hasher_init(&l.hasher);
    ES_FAIL_IF(!place, es_no_memory(err));
    if (es_state_pool_path("answers", root, es_digest_hex(typed, hex), &place->path, NULL) != ES_OK)
        goto done; /* no home */
    es_hasher_add_text(&l.hasher, cli->command->name);
    es_hasher_add_text(&l.hasher, root);
    ES_TRY(add_program(&l, err));
    ES_TRY(add_pool(&l, root, err));
    if (l.unsure || time(NULL) - l.newest < SETTLED)
        goto done;
    place->state = es_hasher_result(&l.hasher);
    *out = place;
    place = NULL;
done:
    es_kept_answer_free(place);
    es_free(root);
    return st;
}

void es_kept_answer_free(es_kept_answer *place) {
    if (place)
        es_free(place->path);
    es_free(place);
}

/* ---- what is kept ---- */

/* Notes and the document follow; at the end is the digest of what is before it. */
typedef struct kept_head {
    es_digest state;
    uint64_t notes; /* bytes */
} kept_head;

bool es_kept_answer_find(const es_kept_answer *place, es_buf *notes, es_buf *document) {
    char *bytes = NULL;
    size_t size = 0, tail = sizeof(es_digest);
    kept_head head;
    es_digest digest;
    bool found =
        es_state_read(place->path, &bytes, &size, NULL) == ES_OK && size >= sizeof head + tail;
    if (found) {
        size -= tail;
        memcpy(&digest, bytes + size, tail);
        memcpy(&head, bytes, sizeof head);
        found = es_digest_equal(digest, es_digest_bytes(bytes, size)) &&
                es_digest_equal(head.state, place->state) && head.notes <= size - sizeof head;
    }
    if (found) {
        const char *text = bytes + sizeof head;
        es_buf_add(notes, text, head.notes);
        es_buf_add(document, text + head.notes, size - sizeof head - head.notes);
        found = !notes->failed && !document->failed;
    }
    es_free(bytes);
    return found;
}

void es_kept_answer_put(const es_kept_answer *place, const es_written *written) {
    es_buf bytes = {0};
    const kept_head head = {place->state, written->notes.length};
    if (written->passing || written->notes.failed || written->document.failed ||
        written->document.length == 0)
        return;
    es_buf_add(&bytes, &head, sizeof head);
    es_buf_add(&bytes, written->notes.data, written->notes.length);
    es_buf_add(&bytes, written->document.data, written->document.length);
    if (!bytes.failed) {
        const es_digest digest = es_digest_bytes(bytes.data, bytes.length);
        es_buf_add(&bytes, &digest, sizeof digest);
    }
    /* if it cannot be kept, it is computed again */
    if (!bytes.failed && es_state_write(place->path, bytes.data, bytes.length, NULL) == ES_OK)
        es_state_expire(place->path);
    es_buf_free(&bytes);
}
