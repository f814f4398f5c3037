/* Gives the terminal back when the program dies: handlers of fatal signals write the bytes that
 * undo our modes, a backtrace to the log and last words to the user, and die of the same signal. */
#include "tui_terminal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <execinfo.h>
#endif

#include "io_files.h"

/* Sanitizers end the program without a signal; the symbol exists only in their builds. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { STACK_SIZE = 64 * 1024, FRAMES = 64 };

static struct {
    atomic_bool armed;
    int tty, report, log;
    struct termios modes;
    char reset[512];
    size_t reset_length;
    char words[600]; /* after the signal's name */
    volatile sig_atomic_t exit_signal;
    bool installed;
} state;

/* A crash by stack overflow has no stack left to run the handler on. */
static char alternate_stack[STACK_SIZE];

static void write_all(int fd, const char *text, size_t length) {
    while (fd >= 0 && length > 0) {
        ssize_t written = write(fd, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

/* True when the terminal had to be restored. Async-signal-safe. */
static bool restore(void) {
    if (!atomic_exchange(&state.armed, false))
        return false;
    tcflush(state.tty, TCOFLUSH); /* a terminal that takes nothing must not keep us from dying */
    write_all(state.tty, state.reset, state.reset_length);
    tcsetattr(state.tty, TCSANOW, &state.modes);
    return true;
}

static void restore_at_exit(void) {
    restore();
}

static void put_backtrace(void) {
#ifdef __GLIBC__
    void *frames[FRAMES];
    if (state.log >= 0)
        backtrace_symbols_fd(frames, backtrace(frames, FRAMES), state.log);
#endif
}

static const char *signal_name(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    case SIGABRT:
        return "SIGABRT";
    case SIGSYS:
        return "SIGSYS";
    default:
        return "SIGTRAP";
    }
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    (void)context;
    if (number == SIGBUS && es_map_mend(info->si_addr))
        return; /* a mapped file was cut short; its reader will say so */
    if (restore()) {
        static const char start[] = "embedscope: a fault ended the program (";
        const char *name = signal_name(number);
        write_all(state.report, start, sizeof start - 1);
        write_all(state.report, name, strlen(name));
        write_all(state.report, state.words, strlen(state.words));
        put_backtrace();
    }
    struct sigaction usual = {.sa_handler = SIG_DFL}; /* so that the exit status tells the truth */
    sigaction(number, &usual, NULL);
    raise(number);
}

static void on_deadline(int number) {
    (void)number;
    restore();
    _exit(128 + (int)state.exit_signal);
}

/* Installs the handlers that restore the terminal after a crash. */
static void install_handlers(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = on_fatal};
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(restore_at_exit);
    atexit(restore_at_exit);
#ifdef __GLIBC__
    void *frames[2];
    (void)backtrace(frames, 2); /* the first call loads libgcc, which a handler must not do */
#endif
}

void es_guard_arm(const es_guard *guard) {
    atomic_store(&state.armed, false);
    state.tty = guard->tty;
    state.report = guard->report;
    state.log = guard->log;
    state.modes = *guard->modes;
    state.reset_length = strlen(guard->reset);
    if (state.reset_length > sizeof state.reset)
        state.reset_length = sizeof state.reset;
    memcpy(state.reset, guard->reset, state.reset_length);
    snprintf(state.words, sizeof state.words, "). Finished results are kept.%s%s\n",
             guard->log_path ? " Details are in " : "", guard->log_path ? guard->log_path : "");
    if (!state.installed)
        install_handlers();
    state.installed = true;
    atomic_store(&state.armed, true);
}

void es_guard_disarm(void) {
    atomic_store(&state.armed, false);
}

void es_guard_deadline(unsigned seconds, int signal) {
    struct sigaction action = {.sa_handler = on_deadline};
    sigemptyset(&action.sa_mask);
    state.exit_signal = signal;
    sigaction(SIGALRM, &action, NULL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
    alarm(seconds);
}
