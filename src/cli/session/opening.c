/* One thread opens, this one waits for it. Who interrupts the program at this time ends it: there
 * is nothing yet to be kept. */
#include "cli_session.h"

#include <math.h>

#include "engine_requests.h"

#define PATIENCE 0.08 /* seconds before anything is said: small pools are open by then */
#define LOOK 0.05     /* between looks */

static const char TEXT_SAYS[] = "Text files are read once to count their rows. Then the explorer "
                                "opens and reads the values in the background. q quits.";
static const char MATRIX_SAYS[] = "The explorer comes with all values of the file. q leaves.";

/* A million tasks take a while, and the explorer shows them with its first frame. What is wrong
 * with them it says itself. */
static es_status read_scores(es_run *run, es_session *session, es_error *err) {
    const es_scores *scores = NULL;
    es_run_begin(run, "scores.csv", "reading it");
    (void)es_session_scores(session, run, &scores, NULL);
    return es_run_check(run, err);
}

static es_status open_now(void *context, size_t rows, es_run *run, es_session **out,
                          es_error *err) {
    const es_opening *what = context;
    (void)rows;
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

static void look(void *context, es_run_view *out) {
    es_run_look(es_open_beside_run(context), out);
}

/* Until it is done, or somebody wants it to stop. */
static void watch(const es_cli *cli, es_open_beside *beside) {
    es_run *run = es_open_beside_run(beside);
    es_progress_line line;
    es_run_view view;
    es_progress_line_init(&line, cli->options->quiet || cli->host);
    while (!es_open_beside_done(beside, LOOK)) {
        if (cli->host && cli->host->stop(cli->host->context, NULL))
            es_run_cancel(run);
        es_run_look(run, &view);
        es_progress_line_reading(&line, &view, es_clock_now());
    }
    es_progress_line_clear(&line);
}

/* True: somebody wants to leave. */
static bool show(const es_cli *cli, const es_opening *what, es_open_beside *beside) {
    const es_options *options = cli->options;
    const es_explorer_wait wait = {.path = what->path,
                                   .says = what->options ? TEXT_SAYS : MATRIX_SAYS,
                                   .done = es_open_beside_fd(beside),
                                   .look = look,
                                   .context = beside,
                                   .theme = options->theme,
                                   .theme_dir = options->theme_dir,
                                   .color = es_color_names[options->color],
                                   .ascii = options->ascii,
                                   .log = cli->log};
    bool left = false;
    (void)cli->hooks->wait(&wait, &left,
                           NULL); /* what cannot be shown is waited for all the same */
    if (left)
        es_run_cancel(es_open_beside_run(beside));
    return left;
}

es_status es_opening_run(es_cli *cli, es_opening *what, es_session **out, es_error *err) {
    es_open_beside *beside = NULL;
    bool left = false;
    if (cli->beside)
        return open_now(what, 0, cli->beside, out, err);
    if (es_open_beside_new(open_now, what, 0, &beside, NULL) != ES_OK) /* no room: in silence */
        return open_now(what, 0, NULL, out, err);
    if (!es_open_beside_done(beside, PATIENCE) && what->screen && cli->hooks->wait)
        left = show(cli, what, beside);
    watch(cli, beside);
    es_status st = es_open_beside_take(&beside, out, err);
    if (st == ES_OK && left) { /* the key came as it was done */
        es_session_close(*out);
        *out = NULL;
        st = ES_ECANCELED;
    }
    if (st == ES_ECANCELED) {
        cli->exit_code = ES_EXIT_INTERRUPTED;
        return es_fail(err, ES_ECANCELED, "interrupted");
    }
    return st;
}
