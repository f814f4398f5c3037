/* The progress of an estimation on stderr: on a terminal one line that is redrawn four times a
 * second, else a line every 5 %. */
#include "cli_session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli_out.h"

static const double redraw_seconds = 0.2;
enum { STEP_PERCENT = 5 };

size_t es_duration_text(char *out, size_t capacity, double seconds) {
    int length = 0;
    if (!isfinite(seconds) || seconds < 0 || seconds > 1e8) {
        length = snprintf(out, capacity, "-");
    } else {
        unsigned long whole = (unsigned long)(seconds + 0.5);
        if (whole >= 3600)
            length = snprintf(out, capacity, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60,
                              whole % 60);
        else
            length = snprintf(out, capacity, "%lu:%02lu", whole / 60, whole % 60);
    }
    return length < 0 ? 0 : (size_t)length;
}

static unsigned percent_of(const es_progress *progress) {
    size_t over = progress->done + progress->failed;
    return progress->total ? (unsigned)(100 * over / progress->total) : 0;
}

static size_t reading_text(char *out, size_t capacity, const es_run_view *view) {
    es_buf text = {0};
    es_run_view_put(view, &text);
    int length = snprintf(out, capacity, "%s", text.data ? text.data : "");
    es_buf_free(&text);
    return length < 0 ? 0 : (size_t)length;
}

size_t es_progress_text(char *out, size_t capacity, const es_progress *progress) {
    char eta[32];
    if (progress->total == 0) {
        int length = snprintf(out, capacity, "reading %zu/%zu matrices", progress->checked,
                              progress->to_check);
        return length < 0 ? 0 : (size_t)length;
    }
    (void)es_duration_text(eta, sizeof eta, progress->eta);
    char failed[40] = "";
    if (progress->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", progress->failed);
    char elsewhere[60] = "";
    if (progress->elsewhere > 0)
        (void)snprintf(elsewhere, sizeof elsewhere, ", %zu by other processes",
                       progress->elsewhere);
    char waits[80] = "";
    if (progress->waits > 0)
        (void)snprintf(waits, sizeof waits,
                       "waiting %.0f s for the store, which another process holds; ",
                       progress->waits);
    int length = snprintf(out, capacity, "%s%zu/%zu pairs, %u %%, %.1f pairs/s, ETA %s%s%s", waits,
                          progress->done + progress->failed, progress->total, percent_of(progress),
                          isfinite(progress->rate) ? progress->rate : 0.0, eta, failed, elsewhere);
    return length < 0 ? 0 : (size_t)length;
}

/* Measures under way take the place of pairs. True when there are any. */
static bool measures_text(const es_session *session, char *out, size_t capacity,
                          unsigned *percent) {
    es_measure_progress p;
    es_session_measure_progress(session, &p);
    if (p.total == 0)
        return false;
    *percent = (unsigned)(100 * (p.done + p.failed) / p.total);
    char failed[40] = "";
    if (p.failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", p.failed);
    (void)snprintf(out, capacity, "%zu/%zu values, %u %%%s", p.done + p.failed, p.total, *percent,
                   failed);
    return true;
}

/* So does training. */
static bool training_text(const es_session *session, char *out, size_t capacity,
                          unsigned *percent) {
    const es_cmim_live *live = es_session_training(session);
    if (!live)
        return false;
    unsigned step = live->step, steps = live->steps;
    *percent = steps > 0 ? (unsigned)(100ULL * step / steps) : 0;
    (void)snprintf(out, capacity,
                   "step %u/%u, loss of its batch %.3f (reconstruction %.3f, contrastive %.3f), "
                   "mean cosine %.3f",
                   step, steps, (double)live->loss, (double)live->reconstruction,
                   (double)live->contrastive, (double)live->cosine);
    return true;
}

void es_progress_line_init(es_progress_line *line, bool quiet) {
    *line = (es_progress_line){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .drawn = (double)-INFINITY};
}

static void redraw_line(es_progress_line *line, const char *text) {
    struct winsize size = {0};
    /* a line that wraps could not be redrawn */
    int most =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
    (void)fprintf(stderr, "\r%.*s\033[K", most, text);
    (void)fflush(stderr);
    line->on_screen = true;
}

void es_progress_line_update(es_progress_line *line, const es_session *session, double now) {
    es_progress progress;
    if (line->quiet)
        return;
    es_session_progress(session, &progress);
    bool checking = es_session_phase(session) == ES_PHASE_CHECKING;
    if (checking)
        progress.total = 0; /* what is stored is not known yet */
    char text[200];
    unsigned percent = percent_of(&progress);
    bool told = !checking && (training_text(session, text, sizeof text, &percent) ||
                              measures_text(session, text, sizeof text, &percent));
    if (!told && !checking && es_session_deriving(session)) /* which estimates no pair */
        return;
    if (!told)
        (void)es_progress_text(text, sizeof text, &progress);
    es_run_view view;
    size_t length = strlen(text);
    if (checking && es_session_reading(session, &view) && length + 4 < sizeof text) {
        memcpy(text + length, "; ", 3);
        (void)reading_text(text + length + 2, sizeof text - length - 2, &view);
    }
    if (line->terminal) {
        if (now - line->drawn >= redraw_seconds) {
            line->drawn = now;
            redraw_line(line, text);
        }
        return;
    }
    if (checking)
        return;
    if (progress.waits > 0 && !line->waited)
        (void)fprintf(stderr, "embedscope: %s\n", text);
    line->waited = progress.waits > 0;
    percent = percent / STEP_PERCENT * STEP_PERCENT;
    if (percent > line->shown) {
        line->shown = percent;
        (void)fprintf(stderr, "embedscope: %s\n", text);
    }
}

void es_progress_line_reading(es_progress_line *line, const es_run_view *view, double now) {
    char text[200] = "reading ";
    if (line->quiet || !line->terminal || !view->doing || now - line->drawn < redraw_seconds)
        return;
    line->drawn = now;
    (void)reading_text(text + 8, sizeof text - 8, view);
    redraw_line(line, text);
}

void es_progress_line_clear(es_progress_line *line) {
    if (line->on_screen)
        (void)fputs("\r\033[K", stderr);
    line->on_screen = false;
}

/* The ranks of an MPI job have the same command line, so rank 0 sends only what it has made of
 * it: which data set, which rows, which estimator and settings. */

/* The words of es_team_open, in this order; settings follow. An empty one was not said. */
enum { PATH, SET_ROWS, ROWS, ESTIMATOR, PRESET, ZERO_LINE, WORDS };

/* ---- any other rank ---- */

typedef struct opener {
    const es_cli *cli;
    unsigned threads;
} opener;

static const char *unless_empty(const char *word) {
    return word[0] ? word : NULL;
}

/* The lists of the options point into the words, and are read while the session is opened. */
static es_status open_here(void *context, const es_words *words, es_session **out, es_error *err) {
    const opener *o = context;
    const char *path[2] = {0};
    es_options options = *o->cli->options;
    es_cli cli = *o->cli;
    if (words->count < WORDS)
        return es_fail(err, ES_EFORMAT, "rank 0 is another version of this program");
    size_t count = words->count - WORDS;
    es_texts settings = {.count = count};
    settings.items = es_alloc_zero(count + 1, sizeof *settings.items);
    if (!settings.items)
        return es_no_memory(err);
    for (size_t i = 0; i < count; i++)
        settings.items[i] = words->word[WORDS + i];
    path[0] = words->word[PATH];
    options.settings = settings;
    options.set_rows = unless_empty(words->word[SET_ROWS]);
    options.estimator = unless_empty(words->word[ESTIMATOR]);
    options.preset = unless_empty(words->word[PRESET]);
    options.null = words->word[ZERO_LINE][0] != '\0';
    options.shard = options.store = NULL;
    options.no_store = options.quiet = true;
    if (options.threads == 0)
        options.threads = o->threads;
    cli.options = &options;
    cli.arguments = path;
    cli.n_arguments = 1;
    es_status st = es_row_request_parse(words->word[ROWS], &options.rows, err);
    if (st == ES_OK)
        st = es_cli_open(&cli, ES_ACCESS_ESTIMATE, true, out, err);
    es_free(settings.items);
    return st;
}

/* ---- rank 0 ---- */

static void say(void *context, const char *text) {
    es_output_note(context, "%s", text);
}

static es_status put_words(const es_cli *cli, es_session *session, es_words *out, es_error *err) {
    const es_options *o = cli->options;
    es_pool *pool = es_session_pool(session);
    es_row_request rows = o->rows;
    es_buf text = {0};
    es_status st = ES_OK;
    if (es_pool_chooses_rows(pool))
        rows = (es_row_request){ES_ROWS_SAMPLE, es_pool_rows(pool)};
    es_row_request_put(&rows, &text);
    ES_TRY(es_buf_check(&text, err));
    ES_TRY(es_words_add(out, cli->n_arguments > 0 ? cli->arguments[0] : ".", err));
    ES_TRY(es_words_add(out, o->set_rows ? o->set_rows : "", err));
    ES_TRY(es_words_add(out, text.data, err));
    ES_TRY(es_words_add(out, o->estimator ? o->estimator : "", err));
    ES_TRY(es_words_add(out, o->preset ? o->preset : "", err));
    ES_TRY(es_words_add(out, o->null ? "1" : "", err));
    for (size_t i = 0; i < o->settings.count; i++)
        ES_TRY(es_words_add(out, o->settings.items[i], err));
done:
    es_buf_free(&text);
    return st;
}

static es_status open_there(const es_cli *cli, es_session *session, es_error *err) {
    es_words words = {0};
    es_status st = put_words(cli, session, &words, err);
    if (st == ES_OK)
        es_team_open(cli->team, &words);
    es_words_deinit(&words);
    return st;
}

es_status es_ranks_open_early(es_cli *cli, es_session *session, es_error *err) {
    const es_pool *pool = es_session_pool(session);
    return cli->team && pool && !es_pool_chooses_rows(pool) ? open_there(cli, session, err) : ES_OK;
}

es_status es_ranks_begin(es_cli *cli, es_session *session, es_error *err) {
    const es_pool *pool = es_session_pool(session);
    es_status st = ES_OK;
    if (!cli->team)
        return ES_OK;
    if (pool && es_pool_chooses_rows(pool))
        st = open_there(cli, session, err);
    if (st == ES_OK)
        es_team_attach(cli->team, session);
    return st;
}

void es_ranks_end(es_cli *cli) {
    if (cli->team)
        es_team_detach(cli->team);
}

void es_ranks_put(const es_cli *cli, es_buf *out) {
    es_team_counts counts;
    if (!cli->team)
        return;
    es_team_count(cli->team, &counts);
    es_buf_printf(out, "%zu ranks: %zu pairs by the others", counts.ranks + 1, counts.pairs);
    if (counts.dead > 0)
        es_buf_printf(out, ", of which %zu died", counts.dead);
    es_buf_printf(out, "; handing them out took %.2f s of processor time\n", counts.seconds);
}

es_status es_ranks_join(es_cli *cli, es_options *options, bool *served, es_error *err) {
    es_wire wire = {.size = 1};
    *served = false;
    *options = *cli->options;
    if (!es_launched() || options->shard)
        return ES_OK;
    if (!cli->hooks->join) {
        *served = es_launched_rank() > 0; /* one of them says it */
        return *served ? ES_OK
                       : es_usage(cli, err,
                                  "mpirun has started this several times, and it is without MPI: "
                                  "install embedscope-mpi, or share the work by --shard");
    }
    es_status st = cli->hooks->join(&wire, err);
    if (st != ES_OK || wire.size < 2)
        return st;
    if (wire.rank > 0) {
        opener o = {.cli = cli, .threads = wire.threads};
        *served = true;
        return es_team_serve(&wire, open_here, &o, err);
    }
    if (options->threads == 0)
        options->threads = wire.threads;
    cli->options = options;
    return es_team_new(&wire, say, cli, &cli->team, err);
}

void es_ranks_leave(es_cli *cli, bool whole) {
    es_team_free(cli->team, whole);
    cli->team = NULL;
}
