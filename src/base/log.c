/* A log file with times and levels, one line a message. What a message says of the outside world
 * is cleaned of control characters first. */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 256, LINE = 512 };

typedef struct line {
    es_log_level level;
    char text[LINE];
} line;

/* `lock` guards lines and count; the rest is set once at open. The write to the file happens under
 * the lock too, so that the file has the same order as the ring. */
struct es_log {
    pthread_mutex_t lock;
    int fd; /* -1: memory only */
    char *path;
    es_log_level level;
    size_t count;
    line lines[KEPT];
};

es_status es_log_open(const char *path, es_log_level level, es_log **out, es_error *err) {
    es_status st = ES_OK;
    es_log *log = es_alloc_zero(1, sizeof *log);
    if (!log)
        return es_no_memory(err);
    log->fd = -1;
    log->level = level;
    if (path) {
        log->path = es_strdup(path);
        ES_FAIL_IF(!log->path, es_no_memory(err));
        log->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                       S_IRUSR | S_IWUSR);
        struct stat info;
        ES_FAIL_IF(log->fd < 0,
                   es_fail(err, ES_EIO, "%s: cannot open the log: %s", path, strerror(errno)));
        ES_FAIL_IF(fstat(log->fd, &info) != 0 || !S_ISREG(info.st_mode),
                   es_fail(err, ES_EIO, "%s: the log must be a regular file", path));
    }
    ES_FAIL_IF(pthread_mutex_init(&log->lock, NULL) != 0, es_no_memory(err));
    *out = log;
    return ES_OK;
done:
    if (log->fd >= 0)
        (void)close(log->fd);
    es_free(log->path);
    es_free(log);
    return st;
}

void es_log_close(es_log *log) {
    if (!log)
        return;
    if (log->fd >= 0)
        (void)close(log->fd);
    (void)pthread_mutex_destroy(&log->lock);
    es_free(log->path);
    es_free(log);
}

void es_log_write(es_log *log, es_log_level level, const char *format, ...) {
    static const char *const names[] = {"debug", "info", "warn", "error"};
    if (!log || level < log->level)
        return;
    char body[LINE], raw[LINE + 32], clean[LINE - 1]; /* one byte is kept for the newline */
    va_list args;
    va_start(args, format);
    int length = vsnprintf(body, sizeof body, format, args);
    va_end(args);
    if (length < 0)
        body[0] = '\0';
    time_t now = time(NULL);
    struct tm local = {0};
    (void)localtime_r(&now, &local);
    (void)snprintf(raw, sizeof raw, "%02d:%02d:%02d %s %s", local.tm_hour, local.tm_min,
                   local.tm_sec, names[level], body);
    size_t used = es_text_clean_into(clean, sizeof clean, raw, strlen(raw));

    (void)pthread_mutex_lock(&log->lock);
    line *slot = &log->lines[log->count % KEPT];
    slot->level = level;
    memcpy(slot->text, clean, used + 1);
    log->count++;
    if (log->fd >= 0) {
        clean[used++] = '\n'; /* a full disk must not stop the work: the ring still has the line */
        while (write(log->fd, clean, used) < 0 && errno == EINTR)
            ;
    }
    (void)pthread_mutex_unlock(&log->lock);
}

const char *es_log_path(const es_log *log) {
    return log ? log->path : NULL;
}

size_t es_log_count(es_log *log) {
    if (!log)
        return 0;
    (void)pthread_mutex_lock(&log->lock);
    size_t count = log->count;
    (void)pthread_mutex_unlock(&log->lock);
    return count;
}

int es_log_line(es_log *log, size_t index, char *out, size_t capacity) {
    if (!log || capacity == 0)
        return -1;
    int level = -1;
    (void)pthread_mutex_lock(&log->lock);
    if (index < log->count && log->count - index <= KEPT) {
        const line *slot = &log->lines[index % KEPT];
        es_text_clean_into(out, capacity, slot->text, strlen(slot->text));
        level = (int)slot->level;
    }
    (void)pthread_mutex_unlock(&log->lock);
    return level;
}
