/* A preloaded library that makes the system misbehave (LD_PRELOAD), for tests/fault/faults.sh.
 *
 *     ES_SHIM=FAULT[,FAULT...]   short-read short-write eintr  eio-read eio-write enospc  no-sync
 * clock ES_SHIM_AFTER=N            errors begin with the N-th such call (default 0: the first)
 *     ES_SHIM_PATH=TEXT          errors only for files whose path holds TEXT (default: all)
 *     ES_SHIM_LOG=FILE           the number of faults is written there at the end
 *
 * Short calls and interruptions hit every regular file: a program has to live with those. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls, faults;

static bool asked(const char *fault) {
    const char *list = getenv("ES_SHIM"), *at = list ? strstr(list, fault) : NULL;
    size_t length = strlen(fault);
    return at && (at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0');
}

/* Regular files only, and those that are meant. */
static bool is_meant(int fd, bool error) {
    char link[64], path[1024];
    struct stat info;
    const char *part = getenv("ES_SHIM_PATH");
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    if (!error || !part)
        return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return strstr(path, part) != NULL;
}

static bool due(int fd) {
    const char *after = getenv("ES_SHIM_AFTER");
    if (!is_meant(fd, true) || atomic_fetch_add(&calls, 1) < (after ? atol(after) : 0))
        return false;
    atomic_fetch_add(&faults, 1);
    return true;
}

/* Every other call, so that nothing waits for ever. */
static bool every_other(int fd) {
    if (!is_meant(fd, false) || atomic_fetch_add(&calls, 1) % 2)
        return false;
    atomic_fetch_add(&faults, 1);
    return true;
}

static int refuse(int code) {
    errno = code;
    return -1;
}

/* 0: go on; else errno. *size may become smaller. */
static int before_read(int fd, size_t *size) {
    if (asked("eio-read") && due(fd))
        return EIO;
    if (asked("eintr") && every_other(fd))
        return EINTR;
    if (asked("short-read") && *size > 1 && every_other(fd))
        *size = (*size + 1) / 2;
    return 0;
}

static int before_write(int fd, size_t *size) {
    if (asked("enospc") && due(fd))
        return ENOSPC;
    if (asked("eio-write") && due(fd))
        return EIO;
    if (asked("eintr") && every_other(fd))
        return EINTR;
    if (asked("short-write") && *size > 1 && every_other(fd))
        *size = (*size + 1) / 2;
    return 0;
}

#define NEXT(type, name) ((type)(__extension__(void *) dlsym(RTLD_NEXT, name)))

ssize_t read(int fd, void *to, size_t size) {
    int code = before_read(fd, &size);
    return code ? refuse(code) : NEXT(ssize_t(*)(int, void *, size_t), "read")(fd, to, size);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
    int code = before_read(fd, &size);
    return code ? refuse(code)
                : NEXT(ssize_t(*)(int, void *, size_t, off64_t), "pread64")(fd, to, size, at);
}

ssize_t pread(int fd, void *to, size_t size, off_t at) {
    return pread64(fd, to, size, at);
}

ssize_t write(int fd, const void *from, size_t size) {
    int code = before_write(fd, &size);
    return code ? refuse(code)
                : NEXT(ssize_t(*)(int, const void *, size_t), "write")(fd, from, size);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
    int code = before_write(fd, &size);
    return code ? refuse(code)
                : NEXT(ssize_t(*)(int, const void *, size_t, off64_t), "pwrite64")(fd, from, size,
                                                                                   at);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
    return pwrite64(fd, from, size, at);
}

int fsync(int fd) {
    if (asked("no-sync") && due(fd))
        return refuse(EIO);
    return NEXT(int (*)(int), "fsync")(fd);
}

int fdatasync(int fd) {
    if (asked("no-sync") && due(fd))
        return refuse(EIO);
    return NEXT(int (*)(int), "fdatasync")(fd);
}

/* The wall clock jumps by days, to and fro; the monotonic one may not. */
int clock_gettime(clockid_t id, struct timespec *out) {
    int code = NEXT(int (*)(clockid_t, struct timespec *), "clock_gettime")(id, out);
    if (code == 0 && id == CLOCK_REALTIME && asked("clock"))
        out->tv_sec += (atomic_fetch_add(&faults, 1) % 3 - 1) * 200000;
    return code;
}

time_t time(time_t *out) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("ES_SHIM_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (log) {
        fprintf(log, "%ld\n", atomic_load(&faults));
        fclose(log);
    }
}
