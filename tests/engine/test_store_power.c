/* The store on a disk that fails. SQLite's calls to the system are wrapped: at the n-th change of a
 * file, for every n, the process dies, the power goes, or the disk says that it is full.
 *
 * What must hold. The store opens again, and SQLite finds nothing wrong with it; every pair is one
 * that was put, whole; a pair that is stored had all stored before it. After a death nothing is
 * lost whose commit came back. After a power cut the newest commits may be lost, since a commit
 * does not wait for the disk (PRAGMA synchronous=NORMAL); what a close came back from is there.
 * After an error the call says so, nothing that was stored is lost, and the store goes on. */
#include "support.h"

#include <sqlite3.h>

#include "engine_store.h"

enum { FILES = 16, SECTOR = 512, PAIRS = 12, ROWS = 40, MOST_CHANGES = 2000 };

typedef enum fate { FINE, DEATH, POWER_CUT, ONE_ERROR, DISK_FULL } fate;

/* ---- the disk ---- */

/* A file as it would be found after a power cut: `bytes` of it have surely arrived. */
typedef struct arrived {
    char *path;
    unsigned char *bytes;
    size_t size;
} arrived;

static struct {
    sqlite3_vfs vfs, *system;
    arrived file[FILES];
    size_t files;
    fate fate;
    size_t changes, fatal; /* so many so far; the one at which it happens */
} disk;

typedef struct wrapped {
    sqlite3_file base;
    char *path; /* NULL: a temporary file, or shared memory */
    sqlite3_file real[];
} wrapped;

static wrapped *of(sqlite3_file *file) {
    return (wrapped *)(void *)file;
}

/* May the file be changed? SQLITE_OK, or what to answer instead. */
static int change(void) {
    size_t now = ++disk.changes;
    if (disk.fate == FINE || now < disk.fatal)
        return SQLITE_OK;
    if (disk.fate == ONE_ERROR)
        return now == disk.fatal ? SQLITE_IOERR_WRITE : SQLITE_OK;
    return disk.fate == DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static unsigned char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (file == NULL)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    unsigned char *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t)length, file);
    (void)fclose(file);
    return bytes;
}

static arrived *arrived_at(const char *path) {
    for (size_t i = 0; i < disk.files; i++)
        if (strcmp(disk.file[i].path, path) == 0)
            return &disk.file[i];
    assert_true(disk.files < FILES);
    disk.file[disk.files] = (arrived){.path = strdup(path)};
    return &disk.file[disk.files++];
}

static int sync_file(sqlite3_file *file, int flags) {
    wrapped *w = of(file);
    if (disk.fate != FINE && disk.changes >= disk.fatal && disk.fate != ONE_ERROR)
        return SQLITE_IOERR_FSYNC;
    if (w->path) {
        arrived *a = arrived_at(w->path);
        free(a->bytes);
        a->bytes = read_all(w->path, &a->size);
    }
    (void)flags; /* the bytes are with the system, which is enough here */
    return SQLITE_OK;
}

static int write_file(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    int code = of(file)->path ? change() : SQLITE_OK;
    return code == SQLITE_OK ? of(file)->real->pMethods->xWrite(of(file)->real, data, size, at)
                             : code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int code = of(file)->path ? change() : SQLITE_OK;
    return code == SQLITE_OK ? of(file)->real->pMethods->xTruncate(of(file)->real, size) : code;
}

static int close_file(sqlite3_file *file) {
    int code = of(file)->real->pMethods->xClose(of(file)->real);
    free(of(file)->path);
    return code;
}

#define PASS(name, declared, ...)                                                                  \
    static int name##_file declared {                                                              \
        sqlite3_file *real = of(file)->real;                                                       \
        return real->pMethods->__VA_ARGS__;                                                        \
    }
PASS(read, (sqlite3_file * file, void *data, int n, sqlite3_int64 at), xRead(real, data, n, at))
PASS(size, (sqlite3_file * file, sqlite3_int64 *out), xFileSize(real, out))
PASS(lock, (sqlite3_file * file, int how), xLock(real, how))
PASS(unlock, (sqlite3_file * file, int how), xUnlock(real, how))
PASS(reserved, (sqlite3_file * file, int *out), xCheckReservedLock(real, out))
PASS(control, (sqlite3_file * file, int what, void *with), xFileControl(real, what, with))
PASS(map, (sqlite3_file * file, int page, int size, int more, void volatile **out),
     xShmMap(real, page, size, more, out))
PASS(shared, (sqlite3_file * file, int at, int n, int flags), xShmLock(real, at, n, flags))
PASS(unmap, (sqlite3_file * file, int remove), xShmUnmap(real, remove))

static void barrier_file(sqlite3_file *file) {
    of(file)->real->pMethods->xShmBarrier(of(file)->real);
}

static int sector_file(sqlite3_file *file) {
    (void)file;
    return SECTOR;
}

static int traits_file(sqlite3_file *file) {
    (void)file;
    return 0; /* nothing is certain: not even that a sector is written whole before the next */
}

static const sqlite3_io_methods methods = {.iVersion = 2,
                                           .xClose = close_file,
                                           .xRead = read_file,
                                           .xWrite = write_file,
                                           .xTruncate = truncate_file,
                                           .xSync = sync_file,
                                           .xFileSize = size_file,
                                           .xLock = lock_file,
                                           .xUnlock = unlock_file,
                                           .xCheckReservedLock = reserved_file,
                                           .xFileControl = control_file,
                                           .xSectorSize = sector_file,
                                           .xDeviceCharacteristics = traits_file,
                                           .xShmMap = map_file,
                                           .xShmLock = shared_file,
                                           .xShmBarrier = barrier_file,
                                           .xShmUnmap = unmap_file};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got) {
    wrapped *w = of(file);
    (void)vfs;
    w->base.pMethods = NULL;
    w->path = NULL;
    int code = disk.system->xOpen(disk.system, name, w->real, flags, got);
    if (code != SQLITE_OK)
        return code;
    w->base.pMethods = &methods;
    w->path = name ? strdup(name) : NULL;
    if (w->path)
        (void)arrived_at(w->path);
    return SQLITE_OK;
}

/* Of names the disk forgets nothing: a file that is gone is gone. */
static int delete_file(sqlite3_vfs *vfs, const char *name, int sync) {
    int code = change();
    (void)vfs;
    if (code != SQLITE_OK)
        return code == SQLITE_FULL ? SQLITE_IOERR_DELETE : code;
    arrived *a = arrived_at(name);
    free(a->bytes);
    a->bytes = NULL;
    a->size = 0;
    return disk.system->xDelete(disk.system, name, sync);
}

/* What is found once the power is back: of each sector that has changed since the last sync, the
 * old or the new. */
static void cut_power(uint64_t seed) {
    es_rng rng = test_rng(seed, 1);
    for (size_t i = 0; i < disk.files; i++) {
        arrived *a = &disk.file[i];
        size_t size = 0, length = strlen(a->path);
        if (length > 4 && strcmp(a->path + length - 4, "-shm") == 0)
            continue;
        unsigned char *now = read_all(a->path, &size);
        if (now == NULL)
            continue;
        for (size_t at = 0; at < size; at += SECTOR) {
            size_t n = size - at < SECTOR ? size - at : SECTOR;
            if (es_rng_uniform(&rng) < 0.5)
                continue;
            for (size_t k = at; k < at + n; k++)
                now[k] = k < a->size ? a->bytes[k] : 0;
        }
        FILE *file = fopen(a->path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(now, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        free(now);
    }
}

static void new_disk(fate what, size_t when) {
    for (size_t i = 0; i < disk.files; i++) {
        free(disk.file[i].path);
        free(disk.file[i].bytes);
    }
    disk.files = 0;
    disk.changes = 0;
    disk.fate = what;
    disk.fatal = when;
}

/* ---- the work ---- */

static const es_store_key key = {"linear", 1, "a=1", 0, {7, 7}};

static es_store_pair pair_at(size_t i, float *rows) {
    es_store_pair at = {.source = {1, 1}, .target = {i + 1, 2}, .seconds = 0.25};
    at.result = (es_pair_result){
        .is = 0.5 + (double)i, .se = 0.1, .h = 1, .h_cond = 0.5, .n_eval = ROWS, .pmi = rows};
    for (size_t r = 0; r < ROWS; r++)
        rows[r] = (float)(100 * i + r);
    return at;
}

/* Stores the pairs, some one by one and some together. Returns how many came back as stored; all
 * that is stored after an error counts as not asked for. */
static size_t work(es_store *store, bool go_on, size_t *refused) {
    static const size_t together[] = {1, 1, 3, 1, 4, 2};
    size_t stored = 0, next = 0;
    for (size_t t = 0; t < sizeof together / sizeof *together; t++) {
        float rows[PAIRS][ROWS];
        es_store_pair pair[PAIRS];
        es_store_finished finished[PAIRS];
        es_leased leases[PAIRS];
        bool shared = false;
        size_t n = together[t];
        for (size_t i = 0; i < n; i++) {
            pair[i] = pair_at(next + i, rows[i]);
            leases[i] = (es_leased){.source = pair[i].source, .target = pair[i].target};
            finished[i] = (es_store_finished){&key, &pair[i]};
        }
        (void)es_store_lease(store, &key, ES_AGAIN_NEVER, leases, n, &shared, NULL);
        es_status st = es_store_put_all(store, finished, n, "{\"cpu\": \"one\"}", NULL);
        if (st != ES_OK)
            assert_int_equal(st, ES_EIO);
        if (st != ES_OK && go_on) /* as the program does: again later */
            st = es_store_put_all(store, finished, n, NULL, NULL);
        *refused += st != ES_OK;
        if (st == ES_OK && *refused == 0)
            stored += n;
        next += n;
    }
    assert_int_equal(next, PAIRS);
    return stored;
}

typedef struct found {
    bool there[PAIRS];
    size_t count;
} found;

static es_status find_pair(void *context, es_store_pair *pair, es_error *err) {
    found *f = context;
    float rows[ROWS];
    size_t i = (size_t)pair->target.hi - 1;
    (void)err;
    assert_true(i < PAIRS);
    es_store_pair expected = pair_at(i, rows);
    assert_true(pair->result.is == expected.result.is && pair->result.n_eval == ROWS);
    assert_non_null(pair->result.pmi);
    assert_memory_equal(pair->result.pmi, rows, sizeof rows);
    f->there[i] = true;
    f->count++;
    return ES_OK;
}

/* Everything there is, by a store that is opened anew. */
static found look(const char *root) {
    found f = {0};
    es_store_survey survey;
    es_store *store = NULL;
    es_status st = es_store_open(root, false, &store, test_err());
    if (st != ES_OK)
        print_message("%s\n", test_message());
    assert_ok(st);
    assert_ok(es_store_check(store, &survey, NULL));
    assert_string_equal(survey.pages, "ok");
    for (size_t i = 0; i < ES_STORE_FAULTS; i++)
        assert_int_equal(survey.fault[i], 0);
    assert_ok(es_store_load(store, &key, true, find_pair, &f, NULL));
    for (size_t i = 1; i < PAIRS; i++)
        assert_true(f.there[i - 1] || !f.there[i]);
    float rows[ROWS]; /* and it takes what is new */
    es_store_pair pair = pair_at(0, rows);
    assert_ok(es_store_put(store, &key, &pair, NULL, NULL));
    es_store_close(store);
    return f;
}

/* One life of a store. Returns the changes of files in it. */
static size_t live(fate what, size_t when, uint64_t seed) {
    char root[SUPPORT_PATH];
    es_store *store = NULL;
    size_t stored = 0, refused = 0;
    support_temp_dir(root);
    new_disk(what, when);
    es_status st = es_store_open(root, false, &store, NULL);
    if (st == ES_OK)
        stored = work(store, what == ONE_ERROR, &refused);
    else
        assert_true(what != FINE);
    es_store_close(store);
    size_t changes = disk.changes;
    if (what == POWER_CUT)
        cut_power(seed);
    new_disk(FINE, 0);
    found f = look(root);
    if (what == DEATH || what == DISK_FULL || what == FINE)
        assert_true(f.count >= stored);
    if (what == ONE_ERROR && st == ES_OK)
        assert_true(f.count == PAIRS && refused == 0);
    if (changes < when || what == FINE)
        assert_int_equal(f.count, PAIRS);
    support_remove(root);
    return changes;
}

static void at_every_change(fate what, uint64_t seeds) {
    size_t changes = live(FINE, 0, 0);
    assert_true(changes > 20 && changes < MOST_CHANGES);
    for (size_t when = 1; when <= changes + 1; when++)
        for (uint64_t seed = 0; seed < seeds; seed++)
            (void)live(what, when, seed);
}

TEST(store__process_dies_at_any_write__loses_nothing_committed) {
    at_every_change(DEATH, 1);
}

TEST(store__power_goes_at_any_write__is_whole) {
    at_every_change(POWER_CUT, 3);
}

TEST(store__one_error_at_any_write__is_overcome) {
    at_every_change(ONE_ERROR, 1);
}

TEST(store__disk_full_from_any_write_on__keeps_what_it_has) {
    at_every_change(DISK_FULL, 1);
}

/* Before any store is opened: theirs stands on the usual one. */
static int wrap(void **state) {
    disk.system = sqlite3_vfs_find(NULL);
    assert_non_null(disk.system);
    disk.vfs = *disk.system;
    disk.vfs.pNext = NULL;
    disk.vfs.zName = "failing";
    disk.vfs.szOsFile += (int)sizeof(wrapped);
    disk.vfs.xOpen = open_file;
    disk.vfs.xDelete = delete_file;
    return sqlite3_vfs_register(&disk.vfs, 1);
}

TEST_GROUP(wrap, NULL);
