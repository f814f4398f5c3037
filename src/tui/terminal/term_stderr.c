/* Leads stderr to the log file while the screen is ours, and back. */
#include "tui_terminal.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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
