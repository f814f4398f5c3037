/* Pipes that wake a thread, and resting until one does. */
#define _XOPEN_SOURCE 700
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

es_status es_pipe_open(int ends[2], es_error *err) {
    if (pipe(ends) != 0) {
        ends[0] = ends[1] = -1;
        return es_fail(err, ES_EIO, "cannot make a pipe: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return ES_OK;
}

void es_pipe_close(int ends[2]) {
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0)
            (void)close(ends[i]);
        ends[i] = -1;
    }
}

void es_pipe_wake(const int ends[2], int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    while (write(ends[1], &byte, 1) < 0 && errno == EINTR) {
    }
    errno = saved;
}

bool es_fd_drain(int fd) {
    char bytes[4096];
    bool any = false;
    while (read(fd, bytes, sizeof bytes) > 0)
        any = true;
    return any;
}

bool es_pipe_rest(const int stop[2], int other, double seconds) {
    struct pollfd watched[2] = {{.fd = stop[0], .events = POLLIN},
                                {.fd = seconds < 0 ? other : -1, .events = POLLIN}};
    int code;
    do
        code = poll(watched, 2, seconds < 0 ? -1 : (int)(1000 * seconds));
    while (code < 0 && errno == EINTR);
    if (watched[1].revents)
        (void)es_fd_drain(other);
    return code >= 0 && watched[0].revents == 0;
}
