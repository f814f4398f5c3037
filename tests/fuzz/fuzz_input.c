/* Bytes of a terminal: through a pseudo-terminal, ncurses and term_curses.c to keys and pastes, and
 * these to the explorer, which is drawn on that terminal. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "app/mock.h"
#include "fuzz.h"
#include "tui_terminal.h"
#include "tui_screen.h"
#include "app_state.h"

enum { PIECE = 256, MOST = 4096 };

static int master = -1;
static es_mock *mock;
static es_term *term;

/* What the program draws must be taken, or writing would wait. */
static void *drain(void *unused) {
    char bytes[4096];
    (void)unused;
    while (read(master, bytes, sizeof bytes) > 0 || errno == EINTR)
        ;
    return NULL;
}

/* A crash is for the sanitizer and for libFuzzer to report, which keeps the input: the terminal's
 * own handlers give way to those that were there before. */
static void open_unguarded(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
    enum { FATAL = sizeof fatal / sizeof *fatal };
    const es_term_options options = {.color = "256", .mouse = true};
    struct sigaction before[FATAL];
    es_error err = {0};
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], NULL, &before[i]);
    es_status st = es_term_open(&options, &term, &err);
    es_guard_disarm();
    for (size_t i = 0; i < FATAL; i++)
        sigaction(fatal[i], &before[i], NULL);
    if (st != ES_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

static void open_terminal(void) {
    pthread_t thread;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    setenv("ESCDELAY", "0", 1); /* no waiting for the rest of a sequence */
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setlocale(LC_ALL, "");
    master = posix_openpt(O_RDWR | O_NOCTTY);
    fuzz_require(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    int user_stderr = dup(2);
    fuzz_require(slave >= 0 && user_stderr >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0);
    fuzz_require(dup2(slave, 0) == 0 && dup2(slave, 1) == 1);
    fuzz_require(pthread_create(&thread, NULL, drain, NULL) == 0);
    fuzz_require(pthread_detach(thread) == 0);
    open_unguarded();
    dup2(user_stderr, 2);
    mock = mock_new(7, NULL, 1);
    mock_fill(mock, 0.8);
}

static void read_all(es_app *app, es_effects *effects) {
    for (;;) {
        es_input input = es_term_read(term);
        es_msg msg = {.kind = ES_MSG_KEY, .now = app->now + 0.01, .key = input.key};
        if (input.kind == ES_INPUT_NONE)
            return;
        if (input.kind == ES_INPUT_PASTE) {
            msg.kind = ES_MSG_PASTE;
            msg.text = input.text;
        }
        mock_send(app, msg, effects);
        es_effects_clear(effects);
    }
}

static void type(es_app *app, const void *bytes, size_t size, es_effects *effects) {
    for (size_t at = 0; at < size;) {
        ssize_t sent = write(master, (const char *)bytes + at, size - at);
        fuzz_require(sent >= 0 || errno == EINTR || errno == EAGAIN);
        at += sent > 0 ? (size_t)sent : 0;
        read_all(app, effects);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_effects effects = {0};
    es_grid grid = {0};
    if (master < 0)
        open_terminal();
    es_app *app = es_app_new(&mock->source, NULL);
    fuzz_require(app && es_grid_resize(&grid, 80, 24));
    mock_send(app, (es_msg){.kind = ES_MSG_RESIZE, .w = 80, .h = 24}, &effects);
    size = size < MOST ? size : MOST;
    for (size_t at = 0; at < size; at += PIECE) {
        size_t n = size - at < PIECE ? size - at : PIECE;
        int waiting = 0;
        type(app, data + at, n, &effects);
        fuzz_require(ioctl(0, FIONREAD, &waiting) == 0);
        es_screen_draw(app, &grid);
        (void)es_term_draw(term, &grid);
    }
    static const char end[] = "\033[201~\033\033"; /* of a paste, and of whatever was begun */
    type(app, end, sizeof end - 1, &effects);
    es_effects_clear(&effects);
    es_grid_free(&grid);
    es_app_free(app);
    return 0;
}
