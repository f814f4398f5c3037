/* The ranks of an MPI job have the same command line, so they are told but what rank 0 has made of
 * it: which data set, which rows, which estimator and settings. */
#include "cli_session.h"

#include <string.h>

#include "cli_out.h"

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
