/* A study is the command line without a process of its own: `estimate` is run over matrices in
 * memory or a folder, the session is kept, and other commands show it into a text. */
#include "embedscope/study.h"

#include "embedscope/version.h"

#include <locale.h>
#include <string.h>

#include "cmd.h"
#include "cli_session.h"

struct es_study {
    es_session *session;
    es_host host;
    es_study_told told;
    void *context;
    es_words words; /* the pool, then what was said when it was opened */
    es_buf document, notes;
};

/* What shows a session and nothing else. */
static const char *const shown[] = {"compare", "correlate", "export", "frontier", "matrix",
                                    "rank",    "report",    "rivals", "rows",     "tree"};
enum { SHOWN = sizeof shown / sizeof *shown };

size_t es_struct_size(const char *name) {
    static const struct {
        const char *name;
        size_t size;
    } structs[] = {{"es_error", sizeof(es_error)},
                   {"es_array_view", sizeof(es_array_view)},
                   {"es_progress", sizeof(es_progress)},
                   {"es_study_options", sizeof(es_study_options)}};
    for (size_t i = 0; name && i < sizeof structs / sizeof *structs; i++)
        if (strcmp(structs[i].name, name) == 0)
            return structs[i].size;
    return 0;
}

/* ---- the process that we are a guest in ---- */

typedef struct guest {
    locale_t ours, theirs;
    int blas_threads;
} guest;

/* Numbers with a point, letters as UTF-8, whatever the program has set. */
static guest enter(void) {
    guest g = {.ours = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0)};
    if (g.ours == (locale_t)0)
        g.ours = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (g.ours != (locale_t)0)
        g.theirs = uselocale(g.ours);
    g.blas_threads = es_blas_enter();
    return g;
}

/* Gives the host program its locale and its BLAS threads back. */
static void leave_guest(const guest *g) {
    es_blas_leave(g->blas_threads);
    if (g->ours != (locale_t)0) {
        (void)uselocale(g->theirs);
        freelocale(g->ours);
    }
}

static bool asked_to_stop(void *context, es_session *session) {
    const es_study *study = context;
    es_progress progress;
    if (study->told == NULL)
        return false;
    es_session_progress(session, &progress);
    return study->told(study->context, &progress) != 0;
}

/* ---- words ---- */

/* An option that has a meaning in a process of one's own only. */
static es_status check_words(const es_cli_call *c, es_error *err) {
    const es_options *o = &c->options;
    if (o->help || o->version || o->output || o->matrix || o->ranking || o->config)
        return es_fail(err, ES_EINVAL,
                       "--help, --version, --config, --matrix, --ranking and -o are for the "
                       "command line");
    if (o->sweep.count > 0 || o->shard || (o->set_rows && strcmp(o->set_rows, "all") == 0))
        return es_fail(err, ES_EINVAL,
                       "--sweep, --shard and --set-rows all make several sessions: use the "
                       "command line");
    return ES_OK;
}

/* What `estimate` prints, or does in place of estimating; documents are asked for afterwards. */
static es_status check_estimate(const es_cli_call *c, es_error *err) {
    const es_options *o = &c->options;
    if (o->dry_run || o->nodes > 0 || o->format != ES_FORMAT_DEFAULT)
        return es_fail(
            err, ES_EINVAL,
            "--dry-run, --nodes and --format (--json, --csv) of `embedscope estimate` are "
            "for the command line");
    return ES_OK;
}

static es_status finish_words(es_cli_call *c, es_error *err) {
    es_status st = check_words(c, err);
    return st == ES_OK ? es_cli_call_finish(c, err) : st;
}

static void begin_call(es_cli_call *c, es_study *study) {
    const es_cli of = {.commands = es_cli_commands()};
    es_cli_call_begin(c, &of, &study->host);
}

/* What was said when the study was opened. */
static es_status read_opened(es_cli_call *c, const es_study *study, es_error *err) {
    return es_cli_call_read(c, "estimate", (const char *const *)study->words.word,
                            study->words.count, err);
}

/* ---- opening ---- */

/* Runs `embedscope estimate` with the study's options and scores: a file, or NULL. */
static es_status estimate_study(es_study *study, const char *scores, es_error *err) {
    es_cli_call c;
    begin_call(&c, study);
    es_status st = ES_OK;
    ES_TRY(read_opened(&c, study, err));
    ES_FAIL_IF(c.cli.n_arguments != 1,
               es_fail(err, ES_EINVAL, "'%s': expected options of `embedscope estimate`",
                       c.cli.n_arguments ? c.cli.arguments[c.cli.n_arguments - 1] : ""));
    ES_TRY(finish_words(&c, err));
    ES_TRY(check_estimate(&c, err));
    es_options_use_scores(&c.options, scores);
    if (c.options.budget > 0)
        c.cli.until = es_clock_now() + c.options.budget;
    ES_TRY(es_estimate_pool(&c.cli, &study->session, err));
done:
    es_cli_call_end(&c);
    return st;
}

es_status es_study_open(const es_study_options *options, es_study **out, es_error *err) {
    if (options == NULL || options->size != sizeof *options)
        return es_fail(err, ES_EINVAL,
                       "a struct es_study_options of %zu bytes, this library %s has one of %zu",
                       options ? options->size : 0, es_version(), sizeof *options);
    es_study *study = es_alloc_zero(1, sizeof *study);
    if (study == NULL)
        return es_no_memory(err);
    study->told = options->told;
    study->context = options->context;
    study->host = (es_host){.arrays = options->pool ? NULL : options->arrays,
                            .n_arrays = options->n_arrays,
                            .document = &study->document,
                            .notes = &study->notes,
                            .stop = asked_to_stop,
                            .context = study};
    guest g = enter();
    es_status st = ES_OK;
    ES_FAIL_IF(options->pool == NULL && options->n_arrays == 0,
               es_fail(err, ES_EINVAL, "neither a folder nor arrays"));
    ES_TRY(es_words_add(&study->words, options->pool ? options->pool : "arrays", err));
    for (size_t i = 0; i < options->n_words; i++)
        ES_TRY(es_words_add(&study->words, options->words[i], err));
    ES_TRY(estimate_study(study, options->scores, err));
    study->host.session = study->session;
    study->told = NULL; /* whoever it was may be gone */
done:
    leave_guest(&g);
    if (st == ES_OK)
        *out = study;
    else
        es_study_close(study);
    return st;
}

void es_study_close(es_study *study) {
    if (study == NULL)
        return;
    es_session_close(study->session);
    es_words_deinit(&study->words);
    es_buf_free(&study->document);
    es_buf_free(&study->notes);
    es_free(study);
}

/* ---- documents ---- */

static bool is_shown(const char *name) {
    for (size_t i = 0; i < SHOWN; i++)
        if (strcmp(shown[i], name) == 0)
            return true;
    return false;
}

/* One option that was said, as words of the command line. */
static es_status say_option(const es_options *options, size_t at, es_words *out, es_error *err) {
    const es_option *option = &es_option_table[at];
    es_options one = *options;
    memset(one.given, 0, sizeof one.given);
    one.given[at] = true;
    one.estimator = strcmp(option->name, "estimator") == 0 ? options->estimator : NULL;
    one.preset = strcmp(option->name, "preset") == 0 ? options->preset : NULL;
    return es_words_add_options(out, &one, option->group, err);
}

/* Embedders of a picture, which chooses no part of the pool by them. */
static bool chooses_no_part(const es_cli_call *c, const char *option) {
    return strcmp(option, "models") == 0 && strcmp(c->cli.command->name, "export") == 0 &&
           c->cli.n_arguments > 1 && es_export_is_of_named(c->cli.arguments[1]);
}

/* Embedders, rows and estimator are those of the open session: a document cannot have others. */
static es_status check_session(const es_cli_call *opened, const es_cli_call *asked, es_error *err) {
    es_words before = {0}, now = {0};
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool same = true;
        if (!asked->options.given[i] || chooses_no_part(asked, option->name) ||
            (option->group & (ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR)) == 0)
            continue;
        ES_TRY(say_option(&opened->options, i, &before, err));
        ES_TRY(say_option(&asked->options, i, &now, err));
        bool folds = option->field == offsetof(es_options, folds); /* which has no words */
        same = opened->options.given[i] && before.count == now.count &&
               !(folds && opened->options.folds != asked->options.folds);
        for (size_t k = 0; same && k < now.count; k++)
            same = strcmp(before.word[k], now.word[k]) == 0;
        if (!same)
            st = es_fail(err, ES_EINVAL,
                         "--%s: documents are of the embedders, rows and settings that were "
                         "estimated; say it there%s",
                         option->name,
                         option->group == ES_OPTIONS_POOL ? ", or let --show choose what is drawn"
                                                          : "");
        es_words_deinit(&before);
        es_words_deinit(&now);
    }
done:
    es_words_deinit(&before);
    es_words_deinit(&now);
    return st;
}

/* The pool's place is behind the command; names and options follow. */
static es_status show(es_study *study, const char *const *words, size_t n, es_error *err) {
    es_cli_call c, asked;
    es_words all = {0};
    es_status st = ES_OK;
    begin_call(&c, study);
    begin_call(&asked, study);
    ES_TRY(read_opened(&c, study, err));
    ES_TRY(es_words_add(&all, study->words.word[0], err));
    for (size_t i = 1; i < n; i++)
        ES_TRY(es_words_add(&all, words[i], err));
    ES_TRY(es_cli_call_read(&asked, words[0], (const char *const *)all.word, all.count, err));
    ES_TRY(check_session(&c, &asked, err));
    ES_TRY(es_cli_call_read(&c, words[0], (const char *const *)all.word, all.count, err));
    ES_TRY(finish_words(&c, err));
    ES_TRY(c.cli.command->run(&c.cli, err));
    ES_TRY(es_buf_check(&study->document, err));
done:
    es_cli_call_end(&c);
    es_cli_call_end(&asked);
    es_words_deinit(&all);
    return st;
}

es_status es_study_document(es_study *study, const char *const *words, size_t n_words,
                            const char **text, size_t *length, es_error *err) {
    if (study == NULL)
        return es_fail(err, ES_EINVAL, "no study");
    if (n_words == 0 || words[0] == NULL || !is_shown(words[0]))
        return es_fail(err, ES_EINVAL,
                       "'%s': documents are those of compare, correlate, export, frontier, matrix, "
                       "rank, report, rivals, rows and tree",
                       n_words > 0 && words[0] ? words[0] : "");
    es_buf_clear(&study->document);
    guest g = enter();
    es_status st = show(study, words, n_words, err);
    leave_guest(&g);
    if (st != ES_OK)
        return st;
    *text = study->document.data ? study->document.data : "";
    *length = study->document.length;
    return ES_OK;
}

const char *es_study_notes(const es_study *study) {
    return study && study->notes.data && !study->notes.failed ? study->notes.data : "";
}

es_session *es_study_session(es_study *study) {
    return study ? study->session : NULL;
}
