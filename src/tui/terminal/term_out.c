/* Collects what ncurses writes for one frame in memory, and sends it without ever waiting for the
 * terminal. */
#include "tui_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { PIECE = 16384, CAREFUL = 256 };

const es_out es_out_none = {.tty = -1, .patient = -1, .memory = -1, .door = -1};

/* ---- opening ---- */

/* A second way to the same terminal, of which O_NONBLOCK is ours alone: on the one we were given it
 * would be the shell's, too. Not possible for a terminal of another user that is not the one that
 * controls us. */
static int open_patient(int tty) {
    enum { HOW = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC };
    struct stat ours, theirs;
    char name[128];
    int fd = ttyname_r(tty, name, sizeof name) == 0 ? open(name, HOW) : -1;
    if (fd >= 0 && fstat(fd, &ours) == 0 && fstat(tty, &theirs) == 0 &&
        ours.st_rdev == theirs.st_rdev && isatty(fd))
        return fd;
    if (fd >= 0)
        close(fd);
    if (tcgetpgrp(tty) >= 0 && (fd = open("/dev/tty", HOW)) >= 0) /* it controls us */
        return fd;
    return tty;
}

/* A file without a name: in memory where the system has such, else where temporary files are. */
static int open_memory(void) {
    char name[64];
    snprintf(name, sizeof name, "/embedscope-%ld", (long)getpid());
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) {
        shm_unlink(name);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        return fd;
    }
    FILE *file = tmpfile();
    if (!file)
        return -1;
    fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    return fd;
}

/* True if the largest frame fits: a limit on the size of files (ulimit -f) also holds for files in
 * memory, and half a frame is worse than none. */
static bool has_room(int memory) {
    enum { LARGEST = 8 << 20 };
    bool room = pwrite(memory, "", 1, LARGEST - 1) == 1;
    int code = errno;
    bool empty = ftruncate(memory, 0) == 0;
    errno = room ? errno : code;
    return room && empty;
}

es_status es_out_open(es_out *out, int tty, es_error *err) {
    es_out opened = es_out_none;
    opened.tty = tty;
    opened.memory = open_memory();
    opened.door = fcntl(tty, F_DUPFD_CLOEXEC, 3);
    if (opened.memory < 0 || opened.door < 0 || !has_room(opened.memory)) {
        es_status st = es_fail(err, ES_EIO,
                               "no room for a screen in memory or where temporary files go (%s); "
                               "--plain needs none",
                               strerror(errno));
        es_out_close(&opened);
        return st;
    }
    opened.patient = open_patient(tty);
    *out = opened;
    return ES_OK;
}

void es_out_close(es_out *out) {
    if (out->patient >= 0 && out->patient != out->tty)
        close(out->patient);
    if (out->memory >= 0)
        close(out->memory);
    if (out->door >= 0)
        close(out->door);
    es_buf_free(&out->waiting);
    *out = es_out_none;
}

void es_out_collect(es_out *out, bool collect) {
    while (dup2(collect ? out->memory : out->tty, out->door) < 0 && errno == EINTR) {
    }
    fcntl(out->door, F_SETFD, FD_CLOEXEC); /* which dup2 takes off */
}

/* ---- frames ---- */

static void truncate_memory(int memory) {
    (void)lseek(memory, 0, SEEK_SET);
    while (ftruncate(memory, 0) != 0 && errno == EINTR) {
    }
}

static bool read_all(int fd, char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t got = pread(fd, bytes + at, length - at, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

es_status es_out_frame(es_out *out, const char *before, const char *after, size_t *bytes) {
    off_t length = lseek(out->memory, 0, SEEK_END);
    *bytes = 0;
    if (length < 0)
        return ES_EIO;
    if (length == 0)
        return ES_OK;
    size_t head = before ? strlen(before) : 0, tail = after ? strlen(after) : 0;
    char *frame = es_alloc(head + (size_t)length + tail, 1);
    if (!frame) {
        truncate_memory(out->memory);
        return ES_ENOMEM;
    }
    memcpy(frame, before ? before : "", head);
    memcpy(frame + head + (size_t)length, after ? after : "", tail);
    es_status st = read_all(out->memory, frame + head, (size_t)length) ? ES_OK : ES_EIO;
    size_t had = es_out_waiting(out);
    if (st == ES_OK)
        es_out_add(out, frame, head + (size_t)length + tail);
    es_free(frame);
    truncate_memory(out->memory);
    *bytes = es_out_waiting(out) - had;
    return st == ES_OK && *bytes == 0 ? ES_ENOMEM : st;
}

/* ---- sending ---- */

size_t es_out_waiting(const es_out *out) {
    return out->waiting.length - out->sent;
}

int es_out_fd(const es_out *out) {
    return out->patient;
}

static void forget(es_out *out) {
    es_buf_free(&out->waiting); /* a frame of a large screen is not kept for small ones */
    out->sent = 0;
}

void es_out_add(es_out *out, const char *bytes, size_t length) {
    size_t had = out->waiting.length;
    es_buf_add(&out->waiting, bytes, length);
    if (out->waiting.failed) { /* what was there stays whole */
        out->waiting.failed = false;
        out->waiting.length = had;
    }
}

bool es_out_flush(es_out *out) {
    while (es_out_waiting(out) > 0) {
        struct pollfd ready = {.fd = out->patient, .events = POLLOUT};
        size_t piece = out->patient == out->tty ? CAREFUL : PIECE, left = es_out_waiting(out);
        if (out->patient == out->tty && poll(&ready, 1, 0) <= 0)
            return false;
        ssize_t wrote =
            write(out->patient, out->waiting.data + out->sent, left < piece ? left : piece);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote == 0 || (wrote < 0 && errno == EAGAIN))
            return false;
        if (wrote < 0) /* nobody is there: the loop learns it from its input */
            break;
        out->sent += (size_t)wrote;
    }
    forget(out);
    return true;
}

bool es_out_discard(es_out *out) {
    bool some = es_out_waiting(out) > 0;
    if (some)
        tcflush(out->tty, TCOFLUSH);
    forget(out);
    return some;
}

bool es_out_is_idle(const es_out *out) {
    struct pollfd tty = {.fd = out->tty, .events = POLLOUT};
    int queued = 0;
#ifdef TIOCOUTQ
    if (ioctl(out->tty, TIOCOUTQ, &queued) != 0)
        queued = 0;
#endif
    return es_out_waiting(out) == 0 && queued == 0 && poll(&tty, 1, 0) > 0 &&
           (tty.revents & POLLOUT);
}

void es_out_write(int tty, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(tty, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

/* Leads stderr to the log file while the screen is ours, and back. */

const es_stderr es_stderr_none = {-1, -1};

void es_stderr_redirect(es_stderr *aside, const char *path) {
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stderr);
    aside->user = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0)
        dup2(fd, STDERR_FILENO);
    aside->log = fd;
}

void es_stderr_restore(es_stderr *aside) {
    fflush(stderr);
    if (aside->user >= 0) {
        dup2(aside->user, STDERR_FILENO);
        close(aside->user);
    }
    if (aside->log >= 0)
        close(aside->log);
    *aside = es_stderr_none;
}
