/* One thread opens, this one waits for it. Who interrupts the program at this time ends it: there
 * is nothing yet to be kept. */
#define _XOPEN_SOURCE 700 /* uselocale */
#include "opening.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "clock.h"
#include "progress.h"
#include "workers.h"

#define PATIENCE 0.08 /* seconds before anything is said: small pools are open by then */
#define LOOK 0.05     /* between looks */

static const char TEXT_SAYS[] =
    "Text is gone through once to know its rows, and the scores; the explorer comes then, "
    "and reads the values beside it. q leaves.";
static const char MATRIX_SAYS[] = "The explorer comes with all values of the matrix. q leaves.";

typedef struct opening {
    const es_opening *what;
    locale_t locale; /* of the thread that waits */
    es_run run;
    int done[2]; /* a pipe that ends when all is done */
    es_session *session;
    es_status status;
    es_error error;
} opening;

/* A million tasks take a while, and the explorer shows them with its first frame. What is wrong
 * with them it says itself. */
static es_status read_scores(es_run *run, es_session *session, es_error *err) {
    const es_scores *scores = NULL;
    es_run_begin(run, "scores.csv", "reading it");
    (void)es_session_scores(session, run, &scores, NULL);
    return es_run_check(run, err);
}

static es_status open_now(const es_opening *what, es_run *run, es_session **out, es_error *err) {
    if (what->options == NULL) {
        es_matrix_files files = *what->matrix;
        files.run = run;
        return es_session_open_matrix(&files, out, err);
    }
    es_session_options options = *what->options;
    options.pool.run = run;
    es_session *session = NULL;
    es_status st = es_session_open(what->path, &options, &session, err);
    if (st == ES_OK && what->screen)
        st = read_scores(run, session, err);
    if (st == ES_OK)
        *out = session;
    else if (session)
        es_session_close(session);
    return st;
}

static void *open_beside(void *data) {
    opening *o = data;
    (void)uselocale(o->locale);
    o->status = open_now(o->what, &o->run, &o->session, &o->error);
    (void)close(o->done[1]);
    return NULL;
}

static bool is_done(const opening *o, double seconds) {
    struct pollfd wait = {.fd = o->done[0], .events = POLLIN};
    return poll(&wait, 1, (int)(1000 * seconds)) > 0;
}

static void look(void *context, es_run_view *out) {
    es_run_look(&((opening *)context)->run, out);
}

/* Until it is done, or somebody wants it to stop. */
static void watch(const es_cli *cli, opening *o) {
    es_progress_line line;
    es_run_view view;
    es_progress_line_init(&line, cli->options->quiet || cli->host);
    while (!is_done(o, LOOK)) {
        if (cli->host && cli->host->stop(cli->host->context, NULL))
            es_run_cancel(&o->run);
        es_run_look(&o->run, &view);
        es_progress_line_reading(&line, &view, es_clock_now());
    }
    es_progress_line_clear(&line);
}

static es_status show(const es_cli *cli, opening *o, es_error *err) {
    const es_options *options = cli->options;
    const es_explorer_wait wait = {.path = o->what->path,
                                   .says = o->what->options ? TEXT_SAYS : MATRIX_SAYS,
                                   .done = o->done[0],
                                   .look = look,
                                   .context = o,
                                   .theme = options->theme,
                                   .theme_dir = options->theme_dir,
                                   .color = es_color_names[options->color],
                                   .ascii = options->ascii,
                                   .log = cli->log};
    bool left = false;
    es_status st = cli->hooks->wait(&wait, &left, err);
    if (left)
        es_run_cancel(&o->run);
    return st;
}

es_status es_opening_run(es_cli *cli, const es_opening *what, es_session **out, es_error *err) {
    opening o = {.what = what, .locale = uselocale((locale_t)0)};
    pthread_t thread;
    if (cli->beside)
        return open_now(what, cli->beside, out, err);
    es_run_init(&o.run);
    if (pipe(o.done) != 0)
        return open_now(what, NULL, out, err);
    for (int i = 0; i < 2; i++)
        (void)fcntl(o.done[i], F_SETFD, FD_CLOEXEC);
    if (es_workers_thread(&thread, open_beside, &o) != 0) { /* no memory for one: in silence */
        (void)close(o.done[1]);
        (void)close(o.done[0]);
        return open_now(what, NULL, out, err);
    }
    if (!is_done(&o, PATIENCE) && what->screen && cli->hooks->wait)
        (void)show(cli, &o, NULL); /* where it cannot be shown it is waited for all the same */
    watch(cli, &o);
    (void)pthread_join(thread, NULL);
    (void)close(o.done[0]);
    if (o.status == ES_OK)
        *out = o.session;
    else if (err)
        *err = o.error;
    if (o.status == ES_ECANCELED) {
        cli->exit_code = ES_EXIT_INTERRUPTED;
        return es_fail(err, ES_ECANCELED, "interrupted");
    }
    return o.status;
}
