/* Runs the program itself to write an export or to estimate, in the background, and keeps the last
 * line that it says. */
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"

void es_writer_init(es_writer *writer) {
    *writer = (es_writer){.fd = -1};
}

bool es_writer_busy(const es_writer *writer) {
    return writer->pid > 0;
}

es_status es_writer_start(es_writer *writer, const char *what, const char *program,
                          const char *const *words, es_error *err) {
    int ends[2];
    if (pipe(ends) != 0)
        return es_fail(err, ES_EIO, "pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++)
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    es_writer_init(writer);
    writer->what = what;
    int problem = es_spawn_start(&writer->pid, words, program, (const int[3]){-1, -1, ends[1]});
    (void)close(ends[1]);
    if (problem != 0) {
        (void)close(ends[0]);
        writer->pid = 0;
        return es_fail(err, ES_EIO, "%s: %s", program, strerror(problem));
    }
    writer->fd = ends[0];
    return ES_OK;
}

/* Keeps the last line. */
static void take(es_writer *writer, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (writer->length > 0 && writer->text[writer->length - 1] == '\n')
            writer->length = 0;
        if (writer->length + 1 < sizeof writer->text)
            writer->text[writer->length++] = bytes[i];
        writer->text[writer->length] = '\0';
    }
}

static es_status outcome(const es_writer *writer, int ended, es_error *err) {
    static const char own[] = "embedscope: ";
    const char *text = writer->text;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) <= 1) /* 1: some pairs failed; it is written */
        return ES_OK;
    if (WIFSIGNALED(ended))
        return es_fail(err, ES_EIO, "the %s was ended by signal %d", writer->what, WTERMSIG(ended));
    if (strncmp(text, own, sizeof own - 1) == 0)
        text += sizeof own - 1;
    return es_fail(err, ES_EIO, "%s: %.*s", writer->what, (int)strcspn(text, "\n"),
                   text[0] != '\0' ? text : "it failed without a word");
}

bool es_writer_step(es_writer *writer, es_status *status, es_error *err) {
    char bytes[512];
    ssize_t got = 0;
    int ended = 0;
    if (!es_writer_busy(writer))
        return false;
    while ((got = read(writer->fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        take(writer, bytes, got > 0 ? (size_t)got : 0);
    if (got < 0)
        return false; /* nothing more for now */
    (void)close(writer->fd);
    writer->fd = -1;
    while (waitpid(writer->pid, &ended, 0) < 0 && errno == EINTR)
        continue;
    writer->pid = 0;
    *status = outcome(writer, ended, err);
    return true;
}

void es_writer_stop(es_writer *writer) {
    if (es_writer_busy(writer))
        (void)kill(writer->pid, SIGTERM);
}

void es_writer_close(es_writer *writer, double seconds) {
    double until = es_clock_now() + seconds;
    es_status status;
    while (es_writer_busy(writer) && !es_writer_step(writer, &status, NULL)) {
        double left = until - es_clock_now();
        struct pollfd watched = {.fd = writer->fd, .events = POLLIN};
        if (left <= 0)
            (void)kill(writer->pid, SIGKILL);
        (void)poll(&watched, 1, left <= 0 ? 1000 : (int)(left * 1000) + 1);
    }
}
