/* The side that asks: starts the process that reads, takes what comes through the pipe, and trusts
 * none of it. */
#define _XOPEN_SOURCE 700
#include "io_readers_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 100 /* ms between looks at the run */ };

/* ---- the other process ---- */

typedef struct reader {
    pid_t process;
    int fd;
} reader;

/* Bytes of data that this process has, its parent's among them; 0: not known. */
static size_t data_in_use(void) {
    char text[160] = "";
    size_t pages[6] = {0}; /* the last is data and stack */
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        (void)close(fd);
    const char *at = text, *end = text + (length > 0 ? length : 0);
    for (size_t i = 0; i < 6; i++) {
        at = es_ascii_after_blanks(at, end);
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            pages[i] = 10 * pages[i] + (size_t)(*at - '0');
    }
    return pages[5] * (size_t)sysconf(_SC_PAGESIZE);
}

/* A damaged file may have the library ask for any number of bytes: the machine's memory is not for
 * it. A gigabyte is for chunks, which the library unpacks as a whole. */
static void bound_memory(size_t size) {
    const size_t in_use = data_in_use(), most = in_use + ((size_t)1 << 30) + 16 * size;
    const struct rlimit memory = {most, most};
    if (in_use > 0)
        (void)setrlimit(RLIMIT_DATA, &memory);
}

_Noreturn static void be_reader(const es_map *map, const char *path, size_t member, int fd) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL,
                                SIGTERM, SIGINT, SIGPIPE, SIGXCPU};
    const struct rlimit no_core = {0, 0};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        (void)signal(fatal[i], SIG_DFL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL); /* a worker may hold all of them back */
    (void)setrlimit(RLIMIT_CORE, &no_core);
    bound_memory(map->size);
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; null >= 0 && i < 3; i++)
        (void)dup2(null, i);
    es_hdf5_walk(path, map->size, member, fd);
}

static es_status start(const es_map *map, const char *path, size_t member, reader *out,
                       es_error *err) {
    char label[ES_PATH_LABEL];
    int ends[2] = {-1, -1};
    es_path_label(label, path);
    if (!es_hdf5_load())
        return es_format_refuse(ES_FILE_HDF5, path, "an .npy file", err);
    if (pipe(ends) != 0)
        return es_fail(err, ES_EIO, "%s: cannot make a pipe to read it: %s", label,
                       strerror(errno));
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0)
        be_reader(map, path, member, ends[1]);
    (void)close(ends[1]);
    if (process < 0) {
        (void)close(ends[0]);
        return es_fail(err, ES_EIO, "%s: cannot start a process to read it: %s", label,
                       strerror(errno));
    }
    *out = (reader){process, ends[0]};
    return ES_OK;
}

/* Up to `size` bytes; *got is 0 at the end. */
static es_status receive(const reader *r, es_run *run, void *out, size_t size, size_t *got,
                         es_error *err) {
    for (;;) {
        struct pollfd wait = {.fd = r->fd, .events = POLLIN};
        ES_PASS(es_run_check(run, err));
        if (poll(&wait, 1, PATIENCE) <= 0)
            continue;
        ssize_t count = read(r->fd, out, size);
        if (count < 0 && errno == EINTR)
            continue;
        *got = count > 0 ? (size_t)count : 0;
        return ES_OK;
    }
}

/* How the process ended; ES_OK for a good end. */
static es_status finish(reader *r, bool stop, const char *path, es_error *err) {
    char label[ES_PATH_LABEL];
    int state = 0;
    (void)close(r->fd);
    if (stop)
        (void)kill(r->process, SIGKILL);
    while (waitpid(r->process, &state, 0) < 0 && errno == EINTR) {
    }
    if (stop || (WIFEXITED(state) && WEXITSTATUS(state) == 0))
        return ES_OK;
    if (WIFEXITED(state) && WEXITSTATUS(state) == ES_HDF5_NO_MEMORY)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_label(label, path));
    if (WIFSIGNALED(state) && WTERMSIG(state) == SIGXCPU)
        return es_fail(
            err, ES_EFORMAT,
            "%s: the HDF5 library comes to no end with it, as with a damaged file; write "
            "it again",
            es_path_label(label, path));
    return es_fail(err, ES_EFORMAT,
                   "%s: the HDF5 library fails on it (%s %d): it is damaged, or packed by a filter "
                   "that is not installed; unpack it: h5repack -f NONE %s FILE.h5",
                   es_path_label(label, path), WIFSIGNALED(state) ? "signal" : "code",
                   WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state), label);
}

/* ---- records ---- */

static es_status receive_all(const es_map *map, const char *path, es_run *run, es_buf *out,
                             es_error *err) {
    char chunk[1 << 14];
    reader r = {.fd = -1};
    size_t got = 1, most = ((size_t)64 << 20) + 16 * map->size;
    es_status st = start(map, path, SIZE_MAX, &r, err);
    if (st != ES_OK)
        return st;
    while (st == ES_OK && got > 0 && out->length < most) {
        st = receive(&r, run, chunk, sizeof chunk, &got, err);
        es_buf_add(out, chunk, st == ES_OK ? got : 0);
    }
    bool stop = st != ES_OK || got > 0;
    es_status ended = finish(&r, stop, path, err);
    return st == ES_OK ? es_buf_check(out, err) == ES_OK ? ended : ES_ENOMEM : st;
}

/* Its values where they lie, if they do. */
static void find_values(const es_map *map, const es_hdf5_record *r, es_array *array) {
    size_t bytes = array->n * array->d * es_dtype_size(array->dtype);
    bool plain = map->size >= 8 && memcmp(map->data, "\x89HDF\r\n\x1a\n", 8) == 0;
    if (!plain || r->offset == 0 || r->offset > map->size || bytes > map->size - r->offset)
        return;
    array->data = map->data + r->offset;
    array->watch = map->watch;
}

static es_status take_array(const es_map *map, const es_hdf5_record *r, const char *text,
                            es_tensor *out, es_error *err) {
    const char *end = memchr(text, '\0', r->length);
    size_t name = r->kind == ES_HDF5_SKIPPED && end ? (size_t)(end - text) : r->length;
    out->name = es_text_clean(text, name, 0);
    if (!out->name)
        return es_no_memory(err);
    if (r->kind == ES_HDF5_ARRAY && r->dtype < ES_DTYPE_COUNT && r->n > 0 && r->d > 0 &&
        r->n <= ES_ARRAY_MOST && r->d <= ES_ARRAY_MOST) {
        out->array = (es_array){.n = (size_t)r->n,
                                .d = (size_t)r->d,
                                .dtype = (es_dtype)r->dtype,
                                .big_endian = r->big_endian != 0,
                                .fortran = r->fortran != 0};
        find_values(map, r, &out->array);
        return ES_OK;
    }
    const char *why = name < r->length ? text + name + 1 : "it cannot be read";
    out->skipped = es_text_clean(why, name < r->length ? r->length - name - 1 : strlen(why), 0);
    return out->skipped ? ES_OK : es_no_memory(err);
}

typedef struct contents {
    es_tensors tensors;
    size_t capacity;
    es_row_ids ids;
    es_row_ids list; /* under another name, where list_name is not NULL */
    char *list_name;
    bool ended;
} contents;

/* Offers the list that was begun last to the pool. */
static es_status end_list(contents *c, es_error *err) {
    bool added;
    es_status st =
        c->list_name ? es_tensors_add_maybe(&c->tensors, c->list_name, false, &c->list, &added, err)
                     : ES_OK;
    es_row_ids_deinit(&c->list);
    es_free(c->list_name);
    c->list_name = NULL;
    return st;
}

static es_status begin_list(contents *c, const char *text, size_t length, es_error *err) {
    es_status st = end_list(c, err);
    if (st == ES_OK && !(c->list_name = es_strndup(text, length)))
        st = es_no_memory(err);
    return st;
}

static es_status take_record(const es_map *map, const char *path, const es_hdf5_record *r,
                             const char *text, contents *c, es_error *err) {
    char why[200];
    if (r->kind == ES_HDF5_ID)
        return es_row_ids_push(c->list_name ? &c->list : &c->ids, text, r->length, err);
    if (r->kind == ES_HDF5_LIST)
        return begin_list(c, text, r->length, err);
    if (r->kind == ES_HDF5_FAILED) {
        es_text_clean_into(why, sizeof why, text, r->length);
        return es_fail(err, ES_EFORMAT, "%s: %s", es_path_shown(path).text, why);
    }
    if (r->kind == ES_HDF5_NOTE && !c->tensors.note) {
        c->tensors.note = es_text_clean(text, r->length, 0);
        return c->tensors.note ? ES_OK : es_no_memory(err);
    }
    c->ended = r->kind == ES_HDF5_END;
    if (r->kind != ES_HDF5_ARRAY && r->kind != ES_HDF5_SKIPPED)
        return ES_OK;
    es_tensor item = {.member = c->tensors.count};
    ES_PASS(es_append(&c->tensors.items, &c->tensors.count, &c->capacity, &item, sizeof item, err));
    return take_array(map, r, text, &c->tensors.items[item.member], err);
}

es_status es_hdf5_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                        es_error *err) {
    char label[ES_PATH_LABEL];
    es_buf said = {0};
    contents c = {0};
    es_format format = es_format_of(map);
    es_path_label(label, path);
    if (format != ES_FILE_HDF5)
        return es_format_refuse(format, path, "an HDF5 file", err);
    es_error failed = {0};
    es_status st = receive_all(map, path, run, &said, &failed), told = ES_OK;
    es_hdf5_record r;
    for (size_t at = 0; told == ES_OK && said.length - at >= sizeof r; at += r.length) {
        memcpy(&r, said.data + at, sizeof r);
        at += sizeof r;
        if (r.length > said.length - at)
            break;
        told = take_record(map, path, &r, said.data + at, &c, err);
    }
    es_buf_free(&said);
    if (told != ES_OK)
        st = told;
    else if (st != ES_OK)
        st = es_fail(err, st, "%s", failed.message);
    else if (!c.ended)
        st = es_fail(err, ES_EFORMAT, "%s: the HDF5 library stops in the middle of it", label);
    else if (c.tensors.count == 0)
        st = es_fail(err, ES_EUNSUPPORTED, "%s: holds no dataset of two dimensions", label);
    if (st == ES_OK && c.ids.n > 0)
        st = es_tensors_share_ids(&c.tensors, &c.ids, err);
    es_error lost = {0};
    es_status ended = end_list(&c, &lost);
    if (st == ES_OK && ended != ES_OK)
        st = es_fail(err, ended, "%s", lost.message);
    es_row_ids_deinit(&c.ids);
    if (st != ES_OK)
        es_tensors_deinit(&c.tensors);
    else
        *out = c.tensors;
    return st;
}

es_status es_hdf5_fill(const es_filling *f, es_error *err) {
    const es_array *a = &f->tensor->array;
    size_t bytes = a->n * a->d * es_dtype_size(a->dtype), at = 0, got = 1;
    reader r = {.fd = -1};
    es_status st = start(f->map, f->path, f->tensor->member, &r, err);
    if (st != ES_OK)
        return st;
    while (st == ES_OK && at < bytes && got > 0) {
        st = receive(&r, f->run, f->out + at, bytes - at, &got, err);
        if (st != ES_OK)
            break;
        at += got;
        es_filling_wrote(f, got);
        es_run_bytes(f->run, at, bytes); /* the source is read elsewhere */
    }
    es_status ended = finish(&r, st != ES_OK, f->path, err);
    if (st == ES_OK && ended != ES_OK)
        return ended;
    if (st == ES_OK && at < bytes)
        st = es_fail(err, ES_EFORMAT, "%s: expected %zu bytes of values, found %zu",
                     es_path_shown(f->path).text, bytes, at);
    return st;
}
