/* A session opened as the options ask and waited for, with progress and Ctrl-C: a signal writes to
 * a pipe that the waiting loop polls beside the session's descriptor, so what is finished is kept.
 */
#include "cli_session.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_out.h"
#include "engine_requests.h"

/* ---- opening ---- */

/* Notes on options that say nothing to a command that only shows. */
static void note_idle_options(const es_cli *cli) {
    es_output_note_idle(cli, "refresh", "only 'estimate' and the explorer estimate");
    es_output_note_idle(cli, "null", "a zero line is shown where it is stored");
}

/* Notes lines of --families that match no embedder; those of the pool's own file are for info. */
static void note_families(const es_cli *cli, const es_pool *pool) {
    const char *file = cli->options->families;
    const char *name = file ? es_path_base(file) : NULL;
    for (size_t w = 0; name && w < es_pool_warnings(pool); w++)
        if (strncmp(es_pool_warning(pool, w), name, strlen(name)) == 0)
            es_output_note(cli, "%s", es_pool_warning(pool, w));
}

/* A note of this moment is not one to write again. */
static void mark_passing(const es_cli *cli) {
    if (cli->written)
        cli->written->passing = true;
}

static void tell_waiting(void *context, const char *path) {
    mark_passing(context);
    es_output_note(context, "%s: another process holds it; waiting up to 10 s", path);
}

static void tell_had(void *context, const char *path, double seconds) {
    es_output_note(context, "%s: free again after %.1f s", path, seconds);
}

es_store_waiting es_cli_waiting(es_cli *cli) {
    return (es_store_waiting){tell_waiting, cli, tell_had};
}

/* A folder of pools is none: one of them is to be named. */
static es_status check_one_pool(es_cli *cli, const char *path, es_error *err) {
    char folder[ES_PATH_LABEL], first[ES_PATH_LABEL];
    es_words pools = {0};
    es_status st = es_pool_folders(path, &pools, err);
    if (st == ES_OK && pools.count > 0)
        st =
            es_usage(cli, err,
                     "%s is a folder of %zu pools: name one of them, such as %s; estimate, rank, "
                     "correlate, export and the explorer take all",
                     es_path_label(folder, path), pools.count, es_path_label(first, pools.word[0]));
    es_words_deinit(&pools);
    return st;
}

/* --shard K/N, which needs a store of its own: machines must not share the pool's. */
static es_status read_shard(es_cli *cli, size_t *shard, size_t *shards, es_error *err) {
    enum { MOST = 1000000 };
    const char *text = cli->options->shard;
    char *slash = NULL, *end = NULL;
    *shard = *shards = 0;
    if (!text)
        return ES_OK;
    bool digits = text[0] && strspn(text, "0123456789/") == strlen(text);
    unsigned long long k = digits ? strtoull(text, &slash, 10) : 0;
    unsigned long long n =
        slash && slash != text && *slash == '/' ? strtoull(slash + 1, &end, 10) : 0;
    if (!end || *end != '\0' || end == slash + 1 || n < 1 || n > MOST)
        return es_usage(cli, err, "--shard %s: expected K/N, share K of N, such as 2/8", text);
    if (k < 1 || k > n)
        return es_usage(cli, err,
                        "--shard %s: shares are numbered from 1 to %llu; with sbatch that is "
                        "--array=1-%llu",
                        text, n, n);
    if (!cli->options->store || cli->options->no_store)
        return es_usage(cli, err,
                        "--shard needs a store of its own: --store FILE; `embedscope merge` puts "
                        "it to the pool's");
    *shard = (size_t)k;
    *shards = (size_t)n;
    return ES_OK;
}

/* The explorer is what is seen of it: nothing else may write there. */
static bool on_screen(const es_cli *cli, es_access access) {
    const es_options *o = cli->options;
    return access == ES_ACCESS_EXPLORE && !cli->hooks->scripted && !o->plain && !cli->beside &&
           isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

es_status es_cli_open(es_cli *cli, es_access access, bool with_pmi, es_session **out,
                      es_error *err) {
    const es_options *o = cli->options;
    const char *path = cli->n_arguments > 0 ? cli->arguments[0] : ".";
    const es_host *host = cli->host;
    if (host && host->session) {
        es_session_keep(host->session);
        *out = host->session;
        return ES_OK;
    }
    if (access == ES_ACCESS_SHOW)
        note_idle_options(cli);
    if (o->matrix) {
        const es_matrix_files files = {o->matrix, o->blocks, o->families, o->scores, NULL};
        es_opening what = {o->matrix, NULL, &files, on_screen(cli, access)};
        return es_opening_run(cli, &what, out, err);
    }
    if (cli->of_table) {
        const es_matrix_files files = {.scores = path};
        es_opening what = {path, NULL, &files, on_screen(cli, access)};
        return es_opening_run(cli, &what, out, err);
    }
    bool folder = access != ES_ACCESS_EXPLORE && !(host && host->arrays);
    es_status one = folder ? check_one_pool(cli, path, err) : ES_OK;
    if (one != ES_OK)
        return one;
    es_row_request rows = o->rows;
    one = es_row_request_check(&rows, err); /* before its lack is taken for one of the files */
    if (one != ES_OK)
        return one;
    if (access == ES_ACCESS_EXPLORE && rows.choice >= ES_ROWS_AUTO)
        rows.count = ES_ROWS_FIRST_SAMPLE; /* from where it grows */
    if (cli->rows > 0)
        rows = (es_row_request){ES_ROWS_GROWN, cli->rows};
    size_t shard = 0, shards = 0;
    one = read_shard(cli, &shard, &shards, err);
    if (one != ES_OK)
        return one;
    if (shards > 0 && rows.choice == ES_ROWS_AUTO)
        return es_usage(cli, err,
                        "--rows auto grows by what all pairs say: with --shard name a "
                        "number of rows, or all");
    if (shards > 0 && rows.choice == ES_ROWS_AUTO_LARGE)
        rows = (es_row_request){ES_ROWS_ALL, 0};
    const es_session_options options = {
        .shard = shard,
        .shards = shards,
        .store = o->store,
        .pool = {.models = cli->models,
                 .exclude = cli->exclude,
                 .rows = rows,
                 .set_rows = o->set_rows,
                 .families = o->families,
                 .drop_rows = o->drop_rows,
                 .may_be_empty = access == ES_ACCESS_EXPLORE,
                 .without_derived = cli->command->of_originals && !o->with_derived,
                 .log = cli->log,
                 .looks = cli->looks},
        .estimator = o->estimator,
        .preset = o->preset,
        .settings = o->settings.items,
        .seed = o->seed,
        .threads = (unsigned)o->threads,
        .memory = o->memory,
        .refresh = o->refresh && access != ES_ACCESS_SHOW,
        .strict = o->strict,
        .no_store = o->no_store,
        .deferred = cli->deferred,
        .read_only = access == ES_ACCESS_SHOW,
        .as_stored = access == ES_ACCESS_MEASURE,
        .with_pmi = with_pmi,
        .with_null = o->null,
        .with_derived = o->with_derived,
        .with_shards = access == ES_ACCESS_EXPLORE && !o->refresh,
        .scores = o->scores,
        .waiting = es_cli_waiting(cli),
        .log = cli->log,
    };
    es_opening what = {path, &options, NULL, on_screen(cli, access)};
    es_session *session = NULL;
    es_status st = host && host->arrays ? es_session_open_arrays(host->arrays, host->n_arrays,
                                                                 &options, &session, err)
                                        : es_opening_run(cli, &what, &session, err);
    if (st == ES_OK)
        st = es_named_models_check(cli, es_session_pool(session), err);
    if (st == ES_OK) {
        note_families(cli, es_session_pool(session));
        *out = session;
    } else if (session)
        es_session_close(session);
    return st;
}

/* ---- interrupts ---- */

/* Written to by the handler, read by the waiting loop. A process has one set of signal handlers, so
 * this is the one place with state outside of any object. */
static int wake_pipe[2] = {-1, -1};
static struct sigaction before_late; /* of SIGALRM */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_CAUGHT = sizeof caught / sizeof *caught };

/* Nobody has looked at the pipe: the program is between two looks, settling the rows of a giant
 * pool say, with nothing under way that could be lost. */
static void on_late(int number) {
    static const char says[] = "embedscope: interrupted\n";
    (void)number;
    ssize_t ignored = write(STDERR_FILENO, says, sizeof says - 1);
    (void)ignored;
    _exit(ES_EXIT_INTERRUPTED);
}

static void on_signal(int number) {
    (void)alarm(1);
    es_pipe_wake(wake_pipe, number);
}

static es_status catch_signals(const es_cli *cli, struct sigaction old[N_CAUGHT], es_error *err) {
    if (cli->host) /* whose signals are its own */
        return ES_OK;
    ES_PASS(es_pipe_open(wake_pipe, err));
    /* one-shot: a second Ctrl-C ends the program at once */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_CAUGHT; i++) {
        (void)sigaction(caught[i], NULL, &old[i]);
        if (old[i].sa_handler != SIG_IGN) /* nohup stays in force */
            (void)sigaction(caught[i], &action, NULL);
    }
    struct sigaction late = {.sa_handler = on_late};
    (void)sigemptyset(&late.sa_mask);
    (void)sigaction(SIGALRM, &late, &before_late);
    return ES_OK;
}

/* True when a signal came after the last look at the pipe: it is not to be lost. */
static bool restore_signals(const es_cli *cli, const struct sigaction old[N_CAUGHT]) {
    if (cli->host)
        return false;
    for (int i = 0; i < N_CAUGHT; i++)
        (void)sigaction(caught[i], &old[i], NULL);
    bool late = es_fd_drain(wake_pipe[0]);
    if (late)
        (void)alarm(0);
    (void)sigaction(SIGALRM, &before_late, NULL);
    es_pipe_close(wake_pipe);
    return late;
}

/* ---- waiting ---- */

static bool is_busy(const es_session *session) {
    es_phase phase = es_session_phase(session);
    es_measure_progress measures;
    es_session_measure_progress(session, &measures);
    return phase == ES_PHASE_CHECKING || phase == ES_PHASE_RUNNING || measures.running ||
           es_session_deriving(session);
}

static const es_model *first_excluded(const es_pool *pool) {
    for (size_t i = 0; i < es_pool_count(pool); i++)
        if (es_pool_model(pool, i)->state == ES_MODEL_EXCLUDED)
            return es_pool_model(pool, i);
    return NULL;
}

/* Makes the error of a pool with one usable embedder: where the others are. */
static es_status refuse_single(const es_pool *pool, es_error *err) {
    size_t named = es_pool_all_names(pool)->count;
    if (first_excluded(pool))
        return es_fail(err, ES_EEMPTY,
                       "%s: one embedder is usable, two are needed; `embedscope info` explains why "
                       "others are excluded",
                       es_pool_name(pool));
    if (named > 1)
        return es_fail(err, ES_EEMPTY,
                       "%s: one embedder of %zu is selected by --models and --exclude, two are "
                       "needed",
                       es_pool_name(pool), named);
    return es_fail(err, ES_EEMPTY, "%s: there is one embedder, two are needed", es_pool_name(pool));
}

/* What the session says, and that one embedder has nothing to be compared with. Around a library
 * there is nobody who could ask `info` why. */
static es_status find_problem(const es_cli *cli, es_session *session, es_error *err) {
    es_status st = es_session_problem(session, err);
    es_pool *pool = es_session_pool(session);
    const es_model *out = cli->host && pool ? first_excluded(pool) : NULL;
    if (out && (st == ES_EEMPTY || (st == ES_OK && es_pool_usable(pool) < 2)))
        return es_fail(err, ES_EEMPTY, "two embedders are needed; %s is left out: %s", out->name,
                       out->reason);
    if (st == ES_OK && pool && es_pool_usable(pool) < 2)
        return refuse_single(pool, err);
    return st;
}

/* Whoever interrupts is not kept waiting by a worker in the middle of something long. */
static es_status interrupted(es_cli *cli, es_session *session, es_progress_line *line,
                             es_error *err) {
    static const double patience = 0.4; /* seconds */
    es_session_cancel(session);
    cli->exit_code = ES_EXIT_INTERRUPTED;
    if (!cli->host && !es_session_settles(session, patience)) { /* a program around us goes on */
        es_progress_line_clear(line);
        es_output_note(cli, "interrupted; finished pairs are kept, the same command continues");
        _exit(ES_EXIT_INTERRUPTED);
    }
    return es_fail(err, ES_ECANCELED, "interrupted");
}

static void say_news(const es_cli *cli, es_session *session, es_progress_line *line) {
    es_buf news = {0};
    if (cli->watch && !cli->options->quiet)
        cli->watch(cli, session, &news);
    if (news.length > 0 && !news.failed) {
        es_progress_line_clear(line);
        mark_passing(cli);
        es_output_note(cli, "%s", news.data);
    }
    es_buf_free(&news);
}

/* Estimating has come to the end of its budget. */
static bool is_late(const es_cli *cli) {
    return cli->until > 0 && es_clock_now() >= cli->until;
}

static int ms_left(const es_cli *cli) {
    double left = cli->until - es_clock_now();
    return left > 60 ? 60000 : left > 0 ? (int)(1000 * left) + 1 : 0;
}

/* How long to wait for news, in milliseconds. */
static int timeout_of(const es_cli *cli, const es_session *session, const es_progress_line *line) {
    enum { ASKED_MS = 20, DRAWN_MS = 250, LOOKED_MS = 500 };
    bool looks = line->terminal || es_session_deriving(session); /* which posts no events */
    if (cli->host)
        return ASKED_MS;
    int until = cli->until > 0 ? ms_left(cli) : INT_MAX;
    int look = line->quiet ? INT_MAX : looks ? DRAWN_MS : LOOKED_MS; /* is the store to be had? */
    int least = look < until ? look : until;
    return least < INT_MAX ? least : -1;
}

static bool is_interrupted(const es_cli *cli, es_session *session) {
    if (cli->host)
        return cli->host->stop(cli->host->context, session);
    if (!es_fd_drain(wake_pipe[0]))
        return false;
    (void)alarm(0); /* from here on finished pairs are being kept */
    return true;
}

es_status es_cli_wait_checked(es_cli *cli, es_session *session, es_error *err) {
    struct sigaction old[N_CAUGHT];
    es_progress_line line;
    es_progress progress;
    es_measure_progress measures;
    es_status st = catch_signals(cli, old, err);
    if (st != ES_OK)
        return st;
    es_progress_line_init(&line, cli->options->quiet || cli->host);
    (void)es_session_pump(session, 0);
    while (is_busy(session)) {
        if (is_late(cli)) { /* while the pool is read there is nothing to keep */
            es_session_cancel(session);
            break;
        }
        struct pollfd watched[2] = {{.fd = es_session_fd(session), .events = POLLIN},
                                    {.fd = wake_pipe[0], .events = POLLIN}};
        es_progress_line_update(&line, session, es_clock_now());
        (void)poll(watched, 2, watched[0].fd < 0 ? 0 : timeout_of(cli, session, &line));
        if (is_interrupted(cli, session)) {
            st = interrupted(cli, session, &line, err);
            break;
        }
        (void)es_session_pump(session, 0);
        say_news(cli, session, &line);
    }
    if (st == ES_OK && cli->host && is_interrupted(cli, session)) /* which hears of the end, too */
        st = interrupted(cli, session, &line, err);
    es_session_progress(session, &progress);
    es_session_measure_progress(session, &measures);
    bool ran = progress.elapsed > 0 && progress.done + progress.failed > progress.reused;
    if (st == ES_OK && (ran || measures.total > 0))
        es_progress_line_update(&line, session, es_clock_now()); /* there was a run: say its end */
    es_progress_line_clear(&line);
    if (restore_signals(cli, old) && st == ES_OK)
        st = interrupted(cli, session, &line, err);
    return st == ES_OK ? es_session_problem(session, err) : st;
}

es_status es_cli_wait(es_cli *cli, es_session *session, es_error *err) {
    es_status st = es_cli_wait_checked(cli, session, err);
    const es_pool *pool = es_session_pool(session);
    if (st == ES_EEMPTY && pool && es_pool_usable(pool) == 0) /* why, and what to do */
        es_cli_note_excluded(cli, session);
    return st == ES_OK || (cli->host && st == ES_EEMPTY) ? find_problem(cli, session, err) : st;
}

static void note_derived(const es_cli *cli, const es_words *derived) {
    es_buf text = {0};
    es_answer_put_left_out(derived, "--with-derived", &text);
    if (text.length > 0 && !text.failed)
        es_output_note(cli, "%s", text.data);
    es_buf_free(&text);
}

/* What somebody may take for one of those that are ranked. */
static void note_unused(const es_cli *cli, const es_pool *pool) {
    enum { NAMED = 3 };
    const es_unused *unused = es_pool_unused(pool);
    es_buf text = {0};
    size_t count = 0;
    for (size_t u = 0; u < unused->file.count; u++)
        if (es_unused_may_be_embedder(unused, u))
            es_buf_name(&text, &count, NAMED, unused->file.word[u]);
    es_buf_names_end(&text, count, NAMED);
    if (count > 0 && !text.failed)
        es_output_note(cli, "not read as %s: %s; `embedscope info` explains why",
                       count == 1 ? "an embedder" : "embedders", text.data);
    es_buf_free(&text);
}

void es_cli_note_excluded(const es_cli *cli, es_session *session) {
    es_pool *pool = es_session_pool(session);
    for (size_t i = 0; pool && i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state == ES_MODEL_EXCLUDED)
            es_output_note(cli, "%s is left out: %s", model->name, model->reason);
        else if (model->duplicate_of != SIZE_MAX)
            es_output_note(cli,
                           "%s and %s hold the same values and have one vote; --exclude leaves one "
                           "out",
                           es_pool_model(pool, model->duplicate_of)->name, model->name);
    }
    for (size_t i = 0; pool && i < es_pool_derived_outdated(pool)->count; i++)
        es_output_note(cli, "%s", es_pool_derived_outdated(pool)->word[i]);
    if (pool)
        note_unused(cli, pool);
    const es_words *grave = es_pool_grave_list(pool);
    for (size_t i = 0; grave && i < grave->count; i++)
        es_output_note(cli, "%s", grave->word[i]);
    const char *const notes[] = {es_pool_folders_question(pool), es_pool_rows_note(pool)};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i])
            es_output_note(cli, "%s", notes[i]);
    const es_row_request *rows = &cli->options->rows;
    bool sampled = rows->choice == ES_ROWS_FIRST || rows->choice == ES_ROWS_SAMPLE;
    if (pool && sampled && rows->count > es_pool_rows_whole(pool))
        es_output_note(cli, "--rows asks for %zu of %zu rows: all are taken", rows->count,
                       es_pool_rows_whole(pool));
    if (pool && strcmp(cli->command->name, "rank") != 0) /* whose document says it */
        note_derived(cli, es_pool_derived_left_out(pool));
}

static bool takes_kinds(const es_estimator *estimator) {
    return es_estimator_setting(estimator, "target") < estimator->n_settings;
}

/* How many are binary, and the names of the first few. */
static size_t put_binary(es_pool *pool, es_buf *out) {
    enum { NAMED = 3 };
    size_t count = 0;
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state == ES_MODEL_READY && model->kind == ES_KIND_BINARY)
            es_buf_name(out, &count, NAMED, model->name);
    }
    es_buf_names_end(out, count, NAMED);
    return count;
}

void es_cli_note_kinds(const es_cli *cli, es_session *session, size_t entry) {
    es_buf names = {0};
    const es_estimator *blind = NULL, *known = NULL;
    for (size_t e = 0; e < es_session_plan(session); e++) {
        const es_estimator *estimator = es_session_config(session, e)->estimator;
        if ((entry == SIZE_MAX || entry == e) && estimator && !takes_kinds(estimator))
            blind = estimator;
    }
    for (size_t e = 0; !known && es_estimators[e]; e++)
        known = takes_kinds(es_estimators[e]) ? es_estimators[e] : NULL;
    const es_pool *pool = es_session_pool(session);
    const char *said = pool && es_pool_path(pool) ? "pool.json says" : "given as";
    if (blind && known && put_binary(es_session_pool(session), &names) > 0 && !names.failed)
        es_output_note(cli, "%s takes %s as continuous, though %s binary; %s knows the kind",
                       blind->name, names.data, said, known->name);
    es_buf_free(&names);
}

/* ---- what is stored ---- */

/* Missing things are listed only beside what is there. */
static es_status nothing_of_these(const es_cli *cli, const es_session *session, es_error *err) {
    es_buf stored = {0}, remedy = {0};
    const char *pool = cli->n_arguments > 0 ? cli->arguments[0] : ".";
    es_status st = es_stored_runs_remedy(cli, session, &remedy, err);
    es_stored_runs_put(session, &stored);
    if (st == ES_OK)
        st = es_fail(err, ES_EEMPTY, "%s: no results %s stored%s%s; run `%s`", pool,
                     stored.length ? "with these options are" : "are",
                     stored.length ? ", but those of " : "", stored.length ? stored.data : "",
                     remedy.data);
    es_buf_free(&stored);
    es_buf_free(&remedy);
    return st;
}

static es_status nothing_stored(const es_cli *cli, const es_session *session, es_error *err) {
    const es_options *o = cli->options;
    const char *pool = cli->n_arguments > 0 ? cli->arguments[0] : ".";
    if (o->matrix)
        return es_fail(err, ES_EEMPTY, "%s: no pair of the matrix has a value", o->matrix);
    if (o->no_store)
        return es_fail(err, ES_EEMPTY,
                       "--no-store leaves nothing to show; run `embedscope estimate %s --no-store "
                       "--json`",
                       pool);
    return nothing_of_these(cli, session, err);
}

es_status es_cli_best(const es_cli *cli, const es_session *session, size_t *entry, es_error *err) {
    size_t best = es_session_best(session);
    if (best == SIZE_MAX || es_session_results(session, best)->done == 0)
        return nothing_stored(cli, session, err);
    if (es_session_results(session, best)->m < 2)
        return es_fail(err, ES_EEMPTY, "%s: one embedder is in the matrix, two are needed",
                       cli->options->matrix);
    *entry = best;
    return ES_OK;
}

/* The document says it too. */
static void note_rows(const es_cli *cli, es_session *session) {
    es_buf text = {0};
    es_rows_put(session, &text);
    if (text.length > 0 && !text.failed)
        es_output_note(cli, "%s", text.data);
    es_buf_free(&text);
}

es_status es_cli_open_stored(es_cli *cli, bool with_pmi, es_session **out, size_t *entry,
                             es_error *err) {
    es_session *session = NULL;
    es_status st = ES_OK;
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, with_pmi, &session, err));
    ES_TRY(es_cli_wait(cli, session, err));
    /* a part of what is stored would be shown as if it were all */
    ES_TRY(es_session_store_problem(session, err));
    st = es_cli_best(cli, session, entry, err);
    const char *rows = es_pool_rows_note(es_session_pool(session));
    if (st != ES_OK && rows) /* why not */
        es_output_note(cli, "%s", rows);
    ES_TRY(st);
    es_cli_note_excluded(cli, session);
    es_cli_note_kinds(cli, session, cli->command->of_originals ? SIZE_MAX : *entry);
    note_rows(cli, session);
    ES_TRY(es_export_attach(cli, session, *entry, err));
    *out = session;
    session = NULL;
done:
    es_session_close(session);
    return st;
}

/* One thread opens, this one waits for it. Who interrupts the program at this time ends it: there
 * is nothing yet to be kept. */

#define PATIENCE 0.08 /* seconds before anything is shown: small pools are open by then */
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
