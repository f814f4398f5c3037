/* Mapping, reading, writing and replacing of whole files. Files that are cut short or exchanged
 * meanwhile are told from whole ones. */
#include "io_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *es_path_label(char out[ES_PATH_LABEL], const char *path) {
    enum { KEPT = (ES_PATH_LABEL - 8) / 3 }; /* a cleaned byte can become three */
    size_t length = strlen(path);
    if (length < ES_PATH_LABEL && es_text_clean_into(out, ES_PATH_LABEL, path, length) >= length)
        return out; /* cleaning never shortens text without losing some of it */
    const char *tail = length > KEPT ? path + length - KEPT : path;
    while ((*tail & 0xC0) == 0x80) /* start at a character */
        tail++;
    (void)es_utf8_encode(0x2026, out); /* an ellipsis: three bytes */
    es_text_clean_into(out + 3, ES_PATH_LABEL - 3, tail, strlen(tail));
    return out;
}

es_shown_path es_path_shown(const char *path) {
    es_shown_path shown;
    (void)es_path_label(shown.text, path);
    return shown;
}

const char *es_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool es_path_ends(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

char *es_path_join(const char *directory, const char *name) {
    size_t length = strlen(directory), extra = strlen(name);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    bool slash = length > 0 && directory[length - 1] != '/';
    char *out = es_alloc(length + extra + 2, 1);
    if (out) {
        memcpy(out, directory, length);
        out[length] = '/';
        memcpy(out + length + slash, name, extra);
        out[length + slash + extra] = '\0';
    }
    return out;
}

static es_status system_fail(es_error *err, const char *path, const char *what, int code) {
    char label[ES_PATH_LABEL];
    es_path_label(label, path);
    if (code == ENOENT || code == ENOTDIR)
        return es_fail(err, ES_ENOTFOUND, "%s: no such file or directory", label);
    if (code == ELOOP)
        return es_fail(err, ES_EIO, "%s: is a symbolic link; name the file itself", label);
    if (code == ENOMEM)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", label);
    return es_fail(err, ES_EIO, "%s: cannot %s: %s", label, what, strerror(code));
}

static int64_t nanoseconds(struct timespec t) {
    return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_nsec;
}

/* Identity of what `info` describes, after checking that it is a regular file we can address. */
static es_status identify(const char *path, const struct stat *info, es_map *out, es_error *err) {
    if (S_ISDIR(info->st_mode))
        return es_fail(err, ES_EIO, "%s: is a directory, not a file", es_path_shown(path).text);
    if (!S_ISREG(info->st_mode))
        return es_fail(err, ES_EIO, "%s: is not a regular file; save its contents to one",
                       es_path_shown(path).text);
    if (info->st_size < 0 || (uintmax_t)info->st_size > (uintmax_t)PTRDIFF_MAX)
        return es_fail(err, ES_EIO, "%s: is too large to be mapped", es_path_shown(path).text);
    *out = (es_map){
        .size = (size_t)info->st_size,
        .dev = (uint64_t)info->st_dev,
        .ino = (uint64_t)info->st_ino,
        .mtime_ns = nanoseconds(info->st_mtim),
        .ctime_ns = nanoseconds(info->st_ctim),
    };
    return ES_OK;
}

static es_status open_regular(const char *path, unsigned flags, int *fd, es_map *out,
                              es_error *err) {
    /* O_NONBLOCK: opening a FIFO must not wait for its other end. */
    int mode = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    if (flags & ES_FILE_NOFOLLOW)
        mode |= O_NOFOLLOW;
    *fd = open(path, mode);
    if (*fd < 0)
        return system_fail(err, path, "open", errno);
    struct stat info;
    es_status st = fstat(*fd, &info) != 0 ? system_fail(err, path, "examine", errno)
                                          : identify(path, &info, out, err);
    if (st != ES_OK) {
        (void)close(*fd);
        *fd = -1;
    }
    return st;
}

es_status es_map_open(const char *path, unsigned flags, es_map *out, es_error *err) {
    es_status st = ES_OK;
    int fd = -1;
    es_map map = {0};
    ES_TRY(open_regular(path, flags, &fd, &map, err));
    if (map.size > 0) {
        void *data = mmap(NULL, map.size, PROT_READ, MAP_PRIVATE, fd, 0);
        ES_FAIL_IF(data == MAP_FAILED, system_fail(err, path, "map into memory", errno));
        map.data = data;
        map.watch = es_map_watch_new(data, map.size);
        if (!map.watch) {
            es_map_close(&map);
            st = system_fail(err, path, "map into memory", ENOMEM);
            goto done;
        }
    }
    *out = map;
done:
    if (fd >= 0)
        (void)close(fd);
    return st;
}

void es_map_close(es_map *map) {
    es_map_watch_free(map->watch);
    if (map->data)
        (void)munmap((void *)(uintptr_t)map->data, map->size);
    memset(map, 0, sizeof *map);
}

void es_map_rest(const es_map *map) {
    es_map_watch_rest(map->watch);
}

bool es_map_is_whole(const es_map *map) {
    return !es_map_watch_cut(map->watch);
}

bool es_map_same_file(const es_map *a, const es_map *b) {
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
           a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

es_status es_map_check(const es_map *map, const char *path, es_error *err) {
    char label[ES_PATH_LABEL];
    struct stat info;
    es_map now = {0};
    if (!es_map_is_whole(map))
        return es_fail(err, ES_EIO, "%s: was cut short, or cannot be read to its end",
                       es_path_label(label, path));
    /* Within its last page a file can shrink unseen, and be written to anywhere. */
    if (stat(path, &info) == 0 && identify(path, &info, &now, NULL) == ES_OK &&
        now.dev == map->dev && now.ino == map->ino && !es_map_same_file(&now, map))
        return es_fail(err, ES_EIO, "%s: was changed while it was read; start again",
                       es_path_label(label, path));
    return ES_OK;
}

es_status es_file_identify(const char *path, unsigned flags, es_map *out, es_error *err) {
    struct stat info;
    if ((flags & ES_FILE_NOFOLLOW ? lstat(path, &info) : stat(path, &info)) != 0)
        return system_fail(err, path, "examine", errno);
    if (S_ISLNK(info.st_mode))
        return system_fail(err, path, "examine", ELOOP);
    return identify(path, &info, out, err);
}

/* Fill text[0..size); *used is less when the file has become shorter. */
static bool read_all(int fd, char *text, size_t size, size_t *used) {
    for (*used = 0; *used < size;) {
        ssize_t got = read(fd, text + *used, size - *used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        *used += (size_t)got;
    }
    return true;
}

es_status es_file_read(const char *path, unsigned flags, size_t limit, char **out, size_t *length,
                       es_error *err) {
    es_status st = ES_OK;
    int fd = -1;
    size_t used = 0;
    es_map info = {0};
    char *text = NULL, label[ES_PATH_LABEL];
    ES_TRY(open_regular(path, flags, &fd, &info, err));
    ES_FAIL_IF(info.size > limit, es_fail(err, ES_EINVAL, "%s: has %zu bytes; at most %zu are read",
                                          es_path_label(label, path), info.size, limit));
    text = es_alloc(info.size + 1, 1);
    ES_FAIL_IF(!text || !read_all(fd, text, info.size, &used),
               system_fail(err, path, "read", text ? errno : ENOMEM));
    text[used] = '\0';
    if (length)
        *length = used;
    *out = text;
    text = NULL;
done:
    es_free(text);
    if (fd >= 0)
        (void)close(fd);
    return st;
}

/* The directory part of path, "." when there is none; a new string. */
static char *directory_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return es_strdup(".");
    return slash == path ? es_strdup("/") : es_strndup(path, (size_t)(slash - path));
}

int es_file_temporary(const char *directory, unsigned mode, char **name) {
    size_t capacity = strlen(directory) + 64;
    int fd = -1, code = ENOMEM;
    char *path = es_alloc(capacity, 1);
    for (unsigned attempt = 0; path && attempt < 100; attempt++) {
        (void)snprintf(path, capacity, "%s/.embedscope-%ld-%u.tmp", directory, (long)getpid(),
                       attempt);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
        code = errno;
        if (fd >= 0 || code != EEXIST)
            break;
    }
    if (fd >= 0) {
        *name = path;
        return fd;
    }
    es_free(path);
    errno = code;
    return -1;
}

static bool write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            data += put;
            size -= (size_t)put;
        }
    }
    return true;
}

/* So that the new name survives a power cut. Some file systems cannot; the data is safe anyway. */
static void sync_directory(const char *directory) {
    int fd = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

es_status es_replacing_begin(const char *path, unsigned mode, es_replacing *out, es_error *err) {
    struct stat info;
    /* Renaming over a device or a link would destroy it. */
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return es_fail(err, ES_EIO, "%s: is not a regular file, so it is left alone",
                       es_path_shown(path).text);
    es_replacing r = {.path = path, .fd = -1, .directory = directory_of(path)};
    if (r.directory)
        r.fd = es_file_temporary(r.directory, mode, &r.temporary);
    if (r.fd < 0) {
        es_status st = system_fail(err, path, "write", r.directory ? errno : ENOMEM);
        es_replacing_drop(&r);
        return st;
    }
    *out = r;
    return ES_OK;
}

es_status es_replacing_add(es_replacing *r, const void *data, size_t size, es_error *err) {
    return write_all(r->fd, data, size) ? ES_OK : system_fail(err, r->path, "write", errno);
}

es_status es_replacing_end(es_replacing *r, es_error *err) {
    es_status st = ES_OK;
    if (fsync(r->fd) != 0) {
        st = system_fail(err, r->path, "write", errno);
    } else {
        int closed = close(r->fd);
        r->fd = -1;
        if (closed != 0 || rename(r->temporary, r->path) != 0) {
            st = system_fail(err, r->path, "replace", errno);
        } else {
            es_free(r->temporary);
            r->temporary = NULL;
            sync_directory(r->directory);
        }
    }
    es_replacing_drop(r);
    return st;
}

void es_replacing_drop(es_replacing *r) {
    if (r->temporary && r->fd >= 0)
        (void)close(r->fd);
    if (r->temporary)
        (void)unlink(r->temporary);
    es_free(r->temporary);
    es_free(r->directory);
    *r = (es_replacing){0};
}

es_status es_file_replace(const char *path, const void *data, size_t size, unsigned mode,
                          es_error *err) {
    es_replacing r;
    ES_PASS(es_replacing_begin(path, mode, &r, err));
    es_status st = es_replacing_add(&r, data, size, err);
    if (st == ES_OK)
        return es_replacing_end(&r, err);
    es_replacing_drop(&r);
    return st;
}

/* Only the name is wanted: what stands under it is replaced in one step. */
es_status es_file_put_aside(const char *path, char **aside, es_error *err) {
    char *name = NULL, *directory = directory_of(path);
    int fd = directory ? es_file_temporary(directory, 0600, &name) : -1;
    es_status st = !directory ? es_no_memory(err) : ES_OK;
    if (directory && fd < 0)
        st = system_fail(err, path, "put aside", errno);
    if (fd >= 0)
        (void)close(fd);
    if (st == ES_OK && rename(path, name) != 0) {
        st = system_fail(err, path, "put aside", errno);
        (void)unlink(name);
    }
    es_free(directory);
    if (st != ES_OK) {
        es_free(name);
        return st;
    }
    (void)utimensat(AT_FDCWD, name, NULL, 0);
    *aside = name;
    return ES_OK;
}

/* True if the name is a temporary file of es_file_temporary whose process has ended or ran
 * elsewhere. */
static bool is_left(const char *name) {
    long process;
    unsigned attempt;
    int end = -1;
    return sscanf(name, ".embedscope-%ld-%u.tmp%n", &process, &attempt, &end) == 2 && end > 0 &&
           name[end] == '\0' && (process <= 0 || kill((pid_t)process, 0) != 0);
}

void es_file_sweep(const char *directory) {
    enum { DAY = 24 * 60 * 60 };
    DIR *dir = opendir(directory);
    if (dir == NULL)
        return;
    int folder = dirfd(dir);
    time_t now = time(NULL);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct stat info;
        if (is_left(entry->d_name) &&
            fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid() && now - info.st_mtime > DAY)
            (void)unlinkat(folder, entry->d_name, 0);
    }
    (void)closedir(dir);
}

/* A name of an open file of this process, such as /dev/stdout, behind which a shell may have put a
 * file to append to. Other files below /dev, in /dev/shm say, are files. */
static bool names_open_file(const char *path) {
    static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/stdin"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0;
}

/* Things that take bytes and keep none: terminals, /dev/null, pipes, and what stands for an open
 * file. */
static bool takes_bytes(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    return S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode) ||
           (S_ISREG(info.st_mode) && names_open_file(path));
}

es_status es_file_write(const char *path, const void *data, size_t size, unsigned mode,
                        es_error *err) {
    if (!takes_bytes(path))
        return es_file_replace(path, data, size, mode, err);
    int fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return system_fail(err, path, "open", errno);
    es_status st = write_all(fd, data, size) || errno == EPIPE /* the reader has had enough */
                       ? ES_OK
                       : system_fail(err, path, "write", errno);
    if (close(fd) != 0 && st == ES_OK)
        st = system_fail(err, path, "write", errno);
    return st;
}

es_status es_dir_make(const char *path, es_error *err) {
    es_status st = ES_OK;
    struct stat info;
    char *copy = es_strdup(path);
    if (!copy)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_shown(path).text);
    for (char *p = copy; *p; p++) {
        if (p[1] != '/' && p[1] != '\0')
            continue;
        char after = p[1];
        p[1] = '\0';
        /* For an existing directory mkdir may say EEXIST, EROFS or EACCES, so look first. */
        ES_FAIL_IF(stat(copy, &info) != 0 && mkdir(copy, S_IRWXU) != 0 && errno != EEXIST,
                   es_fail(err, ES_EIO, "%s: cannot make the directory: %s",
                           es_path_shown(copy).text, strerror(errno)));
        ES_FAIL_IF(stat(copy, &info) != 0 || !S_ISDIR(info.st_mode),
                   es_fail(err, ES_EIO, "%s: is not a directory", es_path_shown(copy).text));
        p[1] = after;
    }
done:
    es_free(copy);
    return st;
}

void es_file_expire(const char *directory, const char *suffix, unsigned days) {
    DIR *dir = opendir(directory);
    time_t now = time(NULL);
    size_t end = strlen(suffix);
    if (!dir)
        return;
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        struct stat info;
        size_t length = strlen(e->d_name);
        if (length > end && strcmp(e->d_name + length - end, suffix) == 0 &&
            fstatat(dirfd(dir), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && now - info.st_mtime > (time_t)days * 24 * 60 * 60)
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    }
    (void)closedir(dir);
}

/* Progress, cancelling and memory of whoever reads a mapped file from its beginning to its end. */

es_status es_reading_look(es_reading *reading, size_t at, es_error *err) {
    es_map_watch_use(reading->map->watch, at - reading->looked);
    reading->looked = at;
    es_run_bytes(reading->run, at, reading->map->size);
    return es_run_check(reading->run, err);
}
