/* Runs the program itself for a document on its standard output. */
#include "inquiry.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

enum { MOST = 64 << 20 }; /* bytes of a document */
enum { EMPTY = 4 };       /* exit code of the program: there is nothing to print */

void es_inquiry_init(es_inquiry *inquiry) {
    *inquiry = (es_inquiry){.fd = -1};
}

bool es_inquiry_busy(const es_inquiry *inquiry) {
    return inquiry->pid > 0;
}

es_status es_inquiry_start(es_inquiry *inquiry, const char *program, const char *const *words,
                           es_error *err) {
    int ends[2];
    es_inquiry_close(inquiry);
    if (pipe(ends) != 0)
        return es_fail(err, ES_EIO, "pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++)
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    /* it is asked to be quiet: beside a document it says nothing, and in its place why there is
     * none */
    int problem =
        es_spawn_start(&inquiry->pid, words, program, (const int[3]){-1, ends[1], ends[1]});
    (void)close(ends[1]);
    if (problem != 0) {
        (void)close(ends[0]);
        inquiry->pid = 0;
        return es_fail(err, ES_EIO, "%s: %s", program, strerror(problem));
    }
    inquiry->fd = ends[0];
    return ES_OK;
}

static es_status outcome(const es_inquiry *inquiry, int ended, es_error *err) {
    static const char own[] = "embedscope: ";
    const char *text = inquiry->out.data ? inquiry->out.data : "";
    if (inquiry->out.failed)
        return es_no_memory(err);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) <= 1) /* 1: something is left out, and said so */
        return ES_OK;
    if (WIFSIGNALED(ended))
        return es_fail(err, ES_EIO, "it was ended by signal %d", WTERMSIG(ended));
    if (strncmp(text, own, sizeof own - 1) == 0)
        text += sizeof own - 1;
    bool empty = WIFEXITED(ended) && WEXITSTATUS(ended) == EMPTY;
    return es_fail(err, empty ? ES_EEMPTY : ES_EIO, "%.*s", (int)strcspn(text, "\n"),
                   text[0] != '\0' ? text : "it failed without a word");
}

bool es_inquiry_step(es_inquiry *inquiry, es_status *status, es_error *err) {
    char bytes[4096];
    ssize_t got = 0;
    int ended = 0;
    if (!es_inquiry_busy(inquiry))
        return false;
    while ((got = read(inquiry->fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0 && inquiry->out.length < MOST)
            es_buf_add(&inquiry->out, bytes, (size_t)got);
    if (got < 0)
        return false; /* nothing more for now */
    (void)close(inquiry->fd);
    inquiry->fd = -1;
    while (waitpid(inquiry->pid, &ended, 0) < 0 && errno == EINTR)
        continue;
    inquiry->pid = 0;
    *status = outcome(inquiry, ended, err);
    return true;
}

void es_inquiry_close(es_inquiry *inquiry) {
    if (es_inquiry_busy(inquiry)) {
        (void)kill(inquiry->pid, SIGKILL);
        while (waitpid(inquiry->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        (void)close(inquiry->fd);
    }
    es_buf_free(&inquiry->out);
    es_inquiry_init(inquiry);
}
