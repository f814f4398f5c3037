/* Copies a text to where the user can paste it: tmux's buffer, the terminal by OSC 52, else a
 * file. */
#include "tui_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine_place.h"
#include "io_files.h"

static const double PATIENCE = 0.5; /* seconds for tmux to answer */

char *es_clipboard_osc52(const char *text, size_t length) {
    es_buf out = {0};
    if ((length + 2) / 3 * 4 > ES_CLIPBOARD_OSC52_MAX)
        return es_strdup("");
    es_buf_puts(&out, "\033]52;c;");
    es_buf_put_base64(&out, text, length);
    es_buf_puts(&out, "\a");
    return es_buf_take(&out);
}

static bool copy_by_tmux(const char *text, size_t length) {
    static const char *const outer[] = {"tmux", "load-buffer", "-w", "-", NULL};
    static const char *const inner[] = {"tmux", "load-buffer", "-", NULL}; /* before tmux 3.2 */
    const char *inside = getenv("TMUX");
    if (!inside || !inside[0])
        return false;
    return es_spawn(outer, text, length, NULL, 0, PATIENCE) ||
           es_spawn(inner, text, length, NULL, 0, PATIENCE);
}

/* The text console and hardware terminals print such a sequence instead of obeying it; GNU screen
 * keeps it to itself. */
static bool copy_by_terminal(es_term *term, const char *text, size_t length) {
    const char *name = getenv("TERM"), *screen = getenv("STY");
    if (!term || !name || strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0 ||
        (screen && screen[0]))
        return false;
    char *sequence = es_clipboard_osc52(text, length);
    bool sent = sequence && sequence[0];
    if (sent)
        es_term_send(term, sequence, strlen(sequence));
    es_free(sequence);
    return sent;
}

/* Where the file goes: the session's own folder, which only its user can read; else the user's
 * state folder. */
static es_status yank_path(char **out, es_error *err) {
    es_status st = ES_OK;
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char *folder = NULL, *path = NULL;
    if (runtime && runtime[0] == '/') {
        path = es_path_join(runtime, "embedscope-yank");
    } else {
        ES_TRY(es_path_user(ES_USER_STATE, &folder, err));
        ES_TRY(es_dir_make(folder, err));
        path = es_path_join(folder, "yank");
    }
    if (!path)
        st = es_no_memory(err);
    else
        *out = path;
done:
    es_free(folder);
    return st;
}

static bool write_all(int fd, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t n = write(fd, text + at, length - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static es_status copy_to_file(const char *text, size_t length, char said[256], es_error *err) {
    char *path = NULL, label[ES_PATH_LABEL];
    es_status st = yank_path(&path, err);
    if (st != ES_OK)
        return st;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write_all(fd, text, length);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && written) {
        why = errno;
        written = false;
    }
    es_path_label(label, path);
    if (written)
        snprintf(said, 256, "Copied into the file %.230s", label);
    else
        st = es_fail(err, ES_EIO, "%s: %s", label, strerror(why));
    es_free(path);
    return st;
}

es_status es_clipboard_copy(es_term *term, const char *text, char said[256], es_error *err) {
    size_t length = strlen(text);
    if (term && copy_by_tmux(text, length))
        snprintf(said, 256, "Copied %zu bytes to the tmux buffer (tmux show-buffer)", length);
    else if (copy_by_terminal(term, text, length))
        snprintf(said, 256, "Copied %zu bytes through the terminal (OSC 52)", length);
    else
        return copy_to_file(text, length, said, err);
    return ES_OK;
}

/* Starts other programs with signals as a program begins with, and talks to one for a moment: what
 * it reads and writes goes through pipes that nobody waits for longer than a deadline. */

extern char **environ;

typedef struct child {
    pid_t pid;
    int in, out; /* our ends; -1 once closed */
} child;

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return true;
}

static void put_end(posix_spawn_file_actions_t *actions, int from, int to) {
    if (from >= 0)
        posix_spawn_file_actions_adddup2(actions, from, to);
    else
        posix_spawn_file_actions_addopen(actions, to, "/dev/null",
                                         to == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
}

/* Starts argv; ends: our descriptors that become its standard ones, -1: nothing. */
static int spawn(pid_t *pid, const char *const *argv, const int ends[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int to = STDIN_FILENO; to <= STDERR_FILENO; to++)
        put_end(&actions, ends[to], to);
    sigemptyset(&none); /* ours are blocked while the explorer runs, and SIGPIPE is ignored */
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int problem = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

/* Starts a program with pipes to its standard input and output. */
static bool start_child(const char *const *argv, child *c) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (!make_pipe(in))
        return false;
    if (!make_pipe(out)) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    bool started = spawn(&c->pid, argv, (const int[3]){in[0], out[1], -1}) == 0;
    close(in[0]);
    close(out[1]);
    c->in = in[1];
    c->out = out[0];
    if (!started) {
        close_end(&c->in);
        close_end(&c->out);
    }
    return started;
}

/* Feed and drain until the child closes its output; false when time is up. */
static bool talk(child *c, const char *input, size_t length, char *out, size_t capacity,
                 double deadline) {
    size_t sent = 0, got = 0;
    fcntl(c->in, F_SETFL, O_NONBLOCK);
    while (c->out >= 0) {
        if (sent == length)
            close_end(&c->in);
        double left = deadline - es_clock_now();
        if (left <= 0)
            return false;
        struct pollfd fds[2] = {{.fd = c->out, .events = POLLIN}, {.fd = c->in, .events = POLLOUT}};
        if (poll(fds, 2, (int)(left * 1000) + 1) < 0 && errno != EINTR)
            return false;
        if (fds[1].revents) {
            ssize_t n = write(c->in, input + sent, length - sent);
            if (n < 0 && errno != EAGAIN && errno != EINTR)
                sent = length; /* the reader is gone; its exit status says whether that is bad */
            sent += n > 0 ? (size_t)n : 0;
        }
        if (fds[0].revents) {
            char bytes[512];
            ssize_t n = read(c->out, bytes, sizeof bytes);
            if (n == 0 || (n < 0 && errno != EINTR))
                close_end(&c->out);
            for (ssize_t i = 0; i < n; i++)
                if (got + 1 < capacity)
                    out[got++] = bytes[i];
        }
    }
    if (capacity > 0)
        out[got] = '\0';
    return true;
}

static bool wait_until(pid_t pid, double deadline, int *status) {
    const struct timespec step = {.tv_nsec = 1000000};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (es_clock_now() > deadline)
            return false;
        nanosleep(&step, NULL);
    }
    return true;
}

bool es_spawn(const char *const *argv, const char *input, size_t length, char *out, size_t capacity,
              double seconds) {
    child c;
    int status = 1;
    double deadline = es_clock_now() + seconds;
    if (!start_child(argv, &c))
        return false;
    bool done = talk(&c, input, input ? length : 0, out, out ? capacity : 0, deadline);
    close_end(&c.in);
    close_end(&c.out);
    if (!done || !wait_until(c.pid, deadline, &status)) {
        kill(c.pid, SIGKILL);
        waitpid(c.pid, &status, 0);
        return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A child of a child would be nobody's to wait for; this one is waited for by a thread that does
 * nothing else. */
static void *await(void *data) {
    pid_t pid = *(pid_t *)data;
    int status;
    es_free(data);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return NULL;
}

bool es_spawn_away(const char *const *argv) {
    pthread_t thread;
    sigset_t all, before;
    pid_t *pid = es_alloc(1, sizeof *pid);
    if (!pid || spawn(pid, argv, (const int[3]){-1, -1, -1}) != 0) {
        es_free(pid);
        return false;
    }
    (void)sigfillset(&all); /* signals are the owner's */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, await, pid) == 0)
        (void)pthread_detach(thread);
    else
        es_free(pid); /* it stays a zombie until the explorer ends */
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return true;
}
