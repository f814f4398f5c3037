/* The event loop: waits for keys, results, signals and deadlines, and decides when a frame is worth
 * sending. One thread; nothing in here computes. */

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui_driver.h"
#include "tui.h"

enum {
    KEYS_AT_ONCE = 256, /* before a frame is shown in between */
    FAST_FRAMES = 5,    /* frames in time until the rate goes up again */
    SLOW_FRAMES = 3,
    END_SECONDS = 5 /* for an orderly end after SIGTERM or SIGHUP */
};
static const double PUMP_MS = 4, PUMP_MS_MOST = 80;
static const double PUMP_REST = 100;    /* pauses are so many times longer than taking results in */
static const double PUMP_PAUSE = 0.25;  /* seconds, at most: results are to be seen as they come */
static const double PUMP_LEAST = 4;     /* times as long, at least, unless results pile up */
static const double INTERVAL = 0.1;     /* seconds between frames that only results ask for */
static const double INTERVAL_MAX = 0.5; /* on a slow link */
static const double SLOW_FRAME = 0.1;   /* a frame that took longer says that the link is slow */
static const double BYTES_PER_SECOND = 60e3;
static const double DEBT_MAX = 1;       /* seconds; what a key asked for is not held against it */
static const double RETRY = 0.02;       /* seconds until a terminal that is behind is asked again */
static const double ANSWER_LIMIT = 0.1; /* seconds to wait for the colour of the background */

typedef struct loop {
    es_driver driver;
    es_term *term;
    es_log *log;
    double next_frame, interval;
    double next_pump; /* results are taken in once a frame */
    double pump_took; /* milliseconds, the last time */
    bool results;     /* there are some */
    double sending;   /* when the frame that is under way began; NAN: none is */
    int slow, fast;
    size_t keys_pending;
    bool show; /* a frame is due although the app did not change */
    int end_signal;
} loop;

/* ---- signals ---- */

/* Handlers may run in any thread (OpenBLAS has some that block nothing), so an interrupted wait in
 * this one cannot be relied on: every signal becomes a byte in a pipe. */
static int signal_pipe[2] = {-1, -1};

static void on_signal(int number) {
    es_pipe_wake(signal_pipe, number);
}

/* SIGXCPU comes at a limit on processor time, SIGUSR1 and SIGUSR2 from batch systems before they
 * end a job, the next three from whoever sends them: all that would kill without restoring the
 * terminal. */
static const int HANDLED[] = {SIGTERM, SIGHUP,  SIGINT,    SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2,
                              SIGALRM, SIGPROF, SIGVTALRM, SIGTSTP, SIGCONT, SIGWINCH};
enum { N_HANDLED = sizeof HANDLED / sizeof *HANDLED };

typedef struct old_signals {
    struct sigaction actions[N_HANDLED], pipe;
} old_signals;

/* Sends signals through a pipe, so that the loop handles them between frames. */
static es_status take_signals(old_signals *old, es_error *err) {
    ES_PASS(es_pipe_open(signal_pipe, err));
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_HANDLED; i++)
        sigaction(HANDLED[i], &action, &old->actions[i]);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &old->pipe);
    return ES_OK;
}

/* A program that a signal ends keeps the handler of its deadline: the alarm is still to come. */
static void return_signals(const old_signals *old, bool deadline) {
    for (int i = 0; i < N_HANDLED; i++)
        if (!deadline || HANDLED[i] != SIGALRM)
            sigaction(HANDLED[i], &old->actions[i], NULL);
    sigaction(SIGPIPE, &old->pipe, NULL);
    es_pipe_close(signal_pipe);
}

static void end_by(loop *l, int number) {
    if (l->end_signal == 0)
        l->end_signal = number;
    es_guard_deadline(END_SECONDS, number);
    es_log_write(l->log, ES_LOG_INFO, "signal %d: ending", number);
}

static void on_resize(loop *l) {
    int w, h;
    es_error err = {0};
    es_term_resize(l->term, &w, &h);
    if (es_driver_resize(&l->driver, w, h, &err) != ES_OK)
        es_app_say(l->driver.app, es_clock_now(), err.code, err.message);
}

static void handle_signals(loop *l) {
    unsigned char number;
    bool resized = false;
    while (read(signal_pipe[0], &number, 1) == 1) {
        if (number == SIGWINCH) {
            resized = true; /* only the last size counts */
        } else if (number == SIGTSTP) {
            es_term_suspend(l->term);
            resized = true;
        } else if (number == SIGCONT) {
            es_term_resume(l->term);
            resized = true;
            l->show = true;
        } else {
            end_by(l, number);
        }
    }
    if (resized)
        on_resize(l);
}

/* ---- input ---- */

static void handle_input(loop *l) {
    for (int i = 0; i < KEYS_AT_ONCE && !l->driver.quit; i++) {
        es_input input = es_term_read(l->term);
        if (input.kind == ES_INPUT_NONE)
            break;
        if (input.kind == ES_INPUT_PASTE) {
            es_driver_send(&l->driver, (es_msg){.kind = ES_MSG_PASTE, .text = input.text});
        } else if (input.kind == ES_INPUT_MOUSE) {
            es_driver_mouse(&l->driver, input.mouse, input.x, input.y);
        } else {
            es_driver_key(&l->driver, input.key);
        }
        l->keys_pending++;
    }
}

/* ---- frames ---- */

/* Frames that the terminal takes long to swallow mean a link that cannot carry more: fewer frames.
 */
static void adapt_rate(loop *l, double took) {
    l->slow = took > SLOW_FRAME ? l->slow + 1 : 0;
    l->fast = took > SLOW_FRAME / 3 ? 0 : l->fast + 1;
    if (l->slow >= SLOW_FRAMES && l->interval < INTERVAL_MAX) {
        l->interval = l->interval < 0.25 ? 0.25 : INTERVAL_MAX;
        l->slow = 0;
        es_log_write(l->log, ES_LOG_INFO, "slow link: %.0f frames a second", 1 / l->interval);
        es_app_say(l->driver.app, es_clock_now(), ES_OK, "Slow link: fewer frames a second");
    } else if (l->fast >= FAST_FRAMES && l->interval > INTERVAL) {
        l->interval = l->interval > 0.25 ? 0.25 : INTERVAL;
        l->fast = 0;
    }
}

static void send_on(loop *l) {
    if (isnan(l->sending) || !es_term_flush(l->term))
        return;
    adapt_rate(l, es_clock_now() - l->sending);
    l->sending = NAN;
}

/* Frames that only results ask for pay for each of their bytes, so that they stay below
 * BYTES_PER_SECOND however much they change. */
static void show_frame(loop *l) {
    bool asked = l->keys_pending > 0 || l->show || l->driver.app->urgent;
    l->sending = es_clock_now();
    l->show = false;
    es_driver_draw(&l->driver);
    double drawn = es_clock_now() - l->sending;
    double pause = (double)es_term_draw(l->term, &l->driver.grid) / BYTES_PER_SECOND;
    send_on(l);
    pause = asked ? fmin(pause, DEBT_MAX) : fmax(pause, PUMP_LEAST * drawn);
    l->next_frame = es_clock_now() + (pause > l->interval ? pause : l->interval);
    l->keys_pending = 0;
}

/* When the next frame may be shown; INFINITY: nothing has changed. */
static double frame_time(loop *l) {
    if (l->keys_pending == 0 && !l->show && es_driver_holds(&l->driver))
        return l->driver.hold;
    if (!l->driver.app->dirty && l->keys_pending == 0 && !l->show)
        return INFINITY;
    return l->keys_pending > 0 || l->show || l->driver.app->urgent ? 0 : l->next_frame;
}

/* ---- the loop ---- */

enum {
    FD_TTY,
    FD_SIGNAL,
    FD_SESSION,
    FD_OUT,
    FD_FOLDER,
    FD_WORKERS,
    FD_COUNT = FD_WORKERS + ES_DRIVER_WORKERS
};

static void wait_until(loop *l, double until, struct pollfd fds[FD_COUNT]) {
    double left = until - es_clock_now();
    int timeout = -1; /* idle: not one wake-up */
    if (!isinf(until))
        timeout = left > 60 ? 60000 : left > 0 ? (int)ceil(left * 1e3) : 0;
    fds[FD_TTY] = (struct pollfd){.fd = es_term_fd(l->term), .events = POLLIN};
    fds[FD_SIGNAL] = (struct pollfd){.fd = signal_pipe[0], .events = POLLIN};
    fds[FD_SESSION] =
        (struct pollfd){.fd = l->results ? -1 : es_session_fd(l->driver.session), .events = POLLIN};
    fds[FD_OUT] = (struct pollfd){.fd = es_term_waits(l->term), .events = POLLOUT};
    fds[FD_FOLDER] = (struct pollfd){.fd = es_driver_folder_fd(&l->driver), .events = POLLIN};
    es_driver_put_fds(&l->driver, fds + FD_WORKERS);
    if (poll(fds, FD_COUNT, timeout) < 0)
        for (int i = 0; i < FD_COUNT; i++)
            fds[i].revents = 0; /* EINTR; the pipe tells the rest */
}

/* INFINITY, or when the frame is to be tried again. */
static double show_if_ready(loop *l) {
    double now = es_clock_now(), frame = frame_time(l);
    if (frame > now)
        return frame;
    if (es_term_waits(l->term) >= 0)
        return INFINITY; /* the descriptor tells when the last one is through */
    if (!es_term_ready(l->term))
        return now + RETRY;
    show_frame(l);
    return frame_time(l);
}

/* Taking results in costs the more the larger the pool is, since the ranking is made anew: of a
 * small pool they are taken as they come, of a large one some times a second or less, since threads
 * that estimate need the processor, and then more of them: half as long as the rest took. */
static void take_results(loop *l) {
    double start = es_clock_now();
    if (!l->results || start < l->next_pump)
        return;
    l->results = false;
    es_driver_pump(&l->driver, fmin(fmax(PUMP_MS, l->pump_took / 2), PUMP_MS_MOST));
    double end = es_clock_now(), took = end - start;
    l->pump_took = 1e3 * took;
    l->next_pump =
        end + fmax(fmin(PUMP_REST * took, PUMP_PAUSE), l->driver.behind ? 0 : PUMP_LEAST * took);
}

static void one_turn(loop *l) {
    struct pollfd fds[FD_COUNT];
    double frame = show_if_ready(l), until = es_driver_deadline(&l->driver);
    until = until < frame ? until : frame;
    until = es_term_deadline(l->term) < until ? es_term_deadline(l->term) : until;
    until = l->results && l->next_pump < until ? l->next_pump : until;
    wait_until(l, until, fds);
    if (fds[FD_SIGNAL].revents)
        handle_signals(l);
    if (es_term_is_gone(&fds[FD_TTY]))
        end_by(l, SIGHUP);
    else
        handle_input(l);
    l->results = l->results || fds[FD_SESSION].revents;
    if (fds[FD_OUT].revents)
        send_on(l);
    (void)es_driver_read(&l->driver);
    if (l->keys_pending == 0) /* what was typed is shown first */
        take_results(l);
    es_driver_tick(&l->driver);
}

/* Starts the session, then reads keys, messages and signals and draws, until q. */
static es_status run_explorer(loop *l, es_error *err) {
    int w, h;
    const es_explorer *options = l->driver.options;
    if (!l->driver.theme_chosen && es_term_background(l->term, ANSWER_LIMIT) == ES_BACKGROUND_LIGHT)
        es_driver_light(&l->driver);
    es_term_size(l->term, &w, &h);
    ES_PASS(es_driver_attach(&l->driver, l->term, w, h, err));
    if (options->start) {
        es_error why = {0};
        if (es_session_start(l->driver.session, &why) != ES_OK) {
            es_app_say(l->driver.app, es_clock_now(), why.code, why.message);
            l->driver.app->may_start = true; /* once there are files */
        }
    } else
        l->driver.app->may_start = true;
    show_frame(l);
    while (!l->driver.quit && l->end_signal == 0)
        one_turn(l);
    return ES_OK;
}

es_status es_tui_run(es_session *session, const es_explorer *options, int *exit_code,
                     es_error *err) {
    es_status st = ES_OK;
    old_signals old;
    bool signals = false;
    loop l = {.log = options->log, .interval = INTERVAL, .sending = NAN};
    const char *term_name = getenv("TERM");
    bool dumb = term_name && strcmp(term_name, "dumb") == 0;
    if (dumb && !options->plain)
        puts("TERM=dumb cannot place a cursor, so this is the explorer in lines (--plain).");
    if (dumb || options->plain)
        return es_plain_run(session, options, exit_code, err);
    ES_TRY(es_driver_open(&l.driver, session, options, err));
    if (l.driver.quit) /* the pool is opened again first */
        goto done;
    ES_TRY(take_signals(&old, err)); /* before ncurses, which takes only signals nobody wants */
    signals = true;
    es_term_options term_options = {.color = options->color,
                                    .ascii = options->ascii,
                                    .mouse = options->mouse,
                                    .background = !l.driver.theme_chosen,
                                    .log = options->log};
    ES_TRY(es_term_open(&term_options, &l.term, err));
    ES_TRY(run_explorer(&l, err));
    *exit_code = l.end_signal ? 128 + l.end_signal : l.driver.exit_code;
done:
    es_term_close(l.term);
    /* A terminal that closes says so twice, by the kernel and by its shell: the second SIGHUP must
     * not end us while the session is being written. */
    es_driver_keep(&l.driver);
    if (signals)
        return_signals(&old, l.end_signal != 0);
    if (es_worker_busy(&l.driver.writer))
        fputs("embedscope: an export is still being written; Ctrl-C ends it\n", stderr);
    es_driver_close(&l.driver);
    return st;
}
