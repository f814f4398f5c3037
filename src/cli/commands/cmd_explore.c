/* `embedscope [PATH]`: the explorer, or its summary where there is no terminal. */
#include <stdio.h>
#include <unistd.h>

#include "cli.h"
#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

/* The log of explorer sessions; in memory only where the user's folder cannot be written. */
static es_log *open_log(void) {
    char *directory = NULL, *path = NULL;
    es_log *log = NULL;
    if (es_path_user(ES_USER_STATE, &directory, NULL) == ES_OK &&
        es_dir_make(directory, NULL) == ES_OK)
        path = es_path_join(directory, "log");
    if (path == NULL || es_log_open(path, ES_LOG_INFO, &log, NULL) != ES_OK)
        (void)es_log_open(NULL, ES_LOG_INFO, &log, NULL);
    es_free(path);
    es_free(directory);
    return log;
}

/* Some of a pool's embedders, or of its rows, make a session of their own. */
static const char *part_of(const es_cli *cli, const char *set, es_buf *out) {
    es_buf_clear(out);
    if (cli->models || cli->exclude)
        es_buf_printf(out, "models=%s\nexclude=%s", cli->models ? cli->models : "",
                      cli->exclude ? cli->exclude : "");
    if (set)
        es_buf_printf(out, "%sset=%s", out->length > 0 ? "\n" : "", set);
    return out->length > 0 ? out->data : NULL;
}

/* The user's own files, whether they are there or not; NULL without a home. */
static es_status find_files(char **config, char **keys, es_error *err) {
    if (es_path_user_file(ES_USER_CONFIG, "config", config, err) == ES_ENOTFOUND)
        return ES_OK;
    return es_path_user_file(ES_USER_CONFIG, "keys", keys, err);
}

static bool on_terminal(void) {
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

static void end_exports(es_words begin[ES_EXPORT_COMMANDS]) {
    for (size_t view = 0; view < ES_EXPORT_COMMANDS; view++)
        es_words_deinit(&begin[view]);
}

/* How the command lines of exports begin: by what is open. */
static es_status begin_exports(const es_cli *cli, const es_data_list *sets,
                               es_words begin[ES_EXPORT_COMMANDS],
                               const char *const *exports[ES_EXPORT_COMMANDS], es_error *err) {
    end_exports(begin);
    for (size_t view = 0; view < ES_EXPORT_COMMANDS; view++) {
        if (view == ES_EXPORT_OF_SETS && sets->count > 1)
            ES_PASS(es_sets_begin(cli, sets, "export", "sets", &begin[view], err));
        else
            ES_PASS(es_export_begin(cli, view, &begin[view], err));
        exports[view] = (const char *const *)begin[view].word;
    }
    return ES_OK;
}

/* Where the store cannot be written, as on a full disk, what it holds can still be looked at:
 * *notice then says why nothing is estimated. */
static es_status open_pool(es_cli *cli, es_access access, es_session **out, es_error *notice,
                           es_error *err) {
    es_session *stored = NULL;
    es_status st = es_cli_open(cli, access, true, out, err);
    if (st != ES_EIO || access != ES_ACCESS_EXPLORE || cli->options->matrix != NULL)
        return st;
    if (es_cli_open(cli, ES_ACCESS_SHOW, true, &stored, NULL) != ES_OK)
        return st;
    if (es_session_store_path(stored) == NULL) {
        es_session_close(stored);
        return st;
    }
    *notice = *err;
    *out = stored;
    return ES_OK;
}

/* What was open before another pool, to come back to should that not open. */
typedef struct place {
    bool known;
    es_options own;
    const char *models, *exclude, *argument, *part, *subject;
    size_t n_arguments;
    bool scores_asked;
    char *pool, *scores; /* the strings that these point to */
    es_data_list sets;   /* a pool turned to may have others */
    size_t set;
} place;

static void free_place(place *p) {
    es_free(p->pool);
    es_free(p->scores);
    es_data_list_deinit(&p->sets);
    *p = (place){0};
}

/* Takes *pool and *scores. */
static void remember_place(place *p, const es_cli *cli, const es_options *own,
                           const es_explorer *explorer, char **pool, char **scores) {
    free_place(p);
    *p = (place){.known = true,
                 .own = *own,
                 .models = cli->models,
                 .exclude = cli->exclude,
                 .argument = cli->arguments[0],
                 .part = explorer->part,
                 .subject = explorer->subject,
                 .n_arguments = cli->n_arguments,
                 .scores_asked = explorer->scores_asked,
                 .pool = *pool,
                 .scores = *scores};
    *pool = *scores = NULL;
}

/* Restores options and arguments to those of the pool that stays open. */
static void come_back(place *p, es_cli *cli, es_options *own, es_explorer *explorer, char **pool,
                      char **scores) {
    *own = p->own;
    cli->models = p->models;
    cli->exclude = p->exclude;
    cli->arguments[0] = p->argument;
    cli->n_arguments = p->n_arguments;
    explorer->part = p->part;
    explorer->subject = p->subject;
    explorer->scores_asked = p->scores_asked;
    es_free(*pool);
    es_free(*scores);
    *pool = p->pool;
    *scores = p->scores;
    *p = (place){0};
}

/* Another pool: what the command line said about the first one does not hold for it. */
static void turn_to(es_cli *cli, es_options *own, es_explorer *explorer, const char *pool) {
    static const char *const gone[] = {"matrix", "scores", "models", "exclude", "set-rows"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        es_options_forget(own, gone[i]);
    cli->models = cli->exclude = NULL;
    cli->arguments[0] = pool; /* there is room for one more than was given */
    cli->n_arguments = 1;
    explorer->part = NULL;
    explorer->scores_asked = false;
    explorer->subject = cli->hooks->scripted && !own->resume ? NULL : pool;
}

/* ---- several data sets ---- */

typedef struct sets {
    es_data_list list; /* one entry, or none: one pool */
    size_t at;         /* the one that is open */
    es_buf part;
    bool first, asked; /* they are shown first; asked: what is open came by choosing one */
} sets;

static void end_sets(sets *s) {
    es_data_list_deinit(&s->list);
    es_buf_free(&s->part);
}

/* What the command line, or a pool turned to, names. */
static es_status find_sets(es_cli *cli, sets *s, es_error *err) {
    bool several = false;
    es_data_list_deinit(&s->list);
    s->at = 0;
    s->first = true;
    es_status st = es_data_list_asked(cli, &several, err);
    return st == ES_OK && several ? es_data_list_of(cli, &s->list, err) : st;
}

/* The one at s->at is what is opened now. */
static void take_set(es_cli *cli, es_options *own, sets *s, es_explorer *explorer) {
    bool several = s->list.count > 1;
    if (s->list.count > 0) {
        const char *set = s->list.set.word[s->at];
        cli->arguments[0] = s->list.path.word[s->at]; /* there is room for one more */
        cli->n_arguments = 1;
        own->set_rows = set[0] ? set : NULL;
        explorer->subject = cli->hooks->scripted && !own->resume ? NULL : cli->arguments[0];
    }
    explorer->part = part_of(cli, own->set_rows, &s->part);
    explorer->sets = several ? (const char *const *)s->list.name.word : NULL;
    explorer->set_path = several ? (const char *const *)s->list.path.word : NULL;
    explorer->estimate_sets = several && own->start;
    explorer->n_sets = several ? s->list.count : 0;
    explorer->set = s->at;
    explorer->sets_first = several && s->first;
}

/* A plan that the run dialog asks for, and the one before, should the pool not open with it. */
typedef struct planning {
    const es_options *given;
    es_options before; /* own settings then */
    char *text, *old;  /* options point into it */
    bool pending;      /* the pool has not been opened with it so far */
    es_buf open;       /* the plan of the session */
    es_words begin;
} planning;

/* A list of settings belongs to the command line, or to one plan. */
static void free_settings(const planning *p, const es_options *options) {
    if (options->settings.items != p->given->settings.items)
        es_free(options->settings.items);
}

/* Takes *wanted. */
static es_status try_plan(planning *p, es_options *own, char **wanted, es_error *err) {
    p->before = *own;
    p->old = p->text;
    p->text = *wanted;
    *wanted = NULL;
    p->pending = true;
    return es_plan_use(own, p->text, err);
}

/* Keeps the options of a planned run if its pool was opened, else the old ones. */
static void settle_plan(planning *p, es_options *own, bool opened) {
    if (!p->pending)
        return;
    free_settings(p, opened ? &p->before : own);
    es_free(opened ? p->old : p->text);
    if (!opened) {
        *own = p->before;
        p->text = p->old;
    }
    p->old = NULL;
    p->pending = false;
}

/* Describes the present options as a plan that the explorer can change. */
static es_status say_plan(planning *p, const es_cli *cli, const es_session *session,
                          es_explorer *explorer, es_error *err) {
    es_status st = ES_OK;
    es_words_deinit(&p->begin);
    es_buf_clear(&p->open);
    if (cli->options->matrix || cli->of_table)
        return ES_OK;
    ES_TRY(es_plan_text(cli->options, session, &p->open, err));
    ES_TRY(es_plan_begin(cli, &p->begin, err));
done:
    explorer->plan = p->open.length > 0 ? p->open.data : "";
    explorer->estimate = (const char *const *)p->begin.word;
    return st;
}

static void end_planning(planning *p, es_options *own) {
    settle_plan(p, own, true);
    free_settings(p, own);
    es_free(p->text);
    es_buf_free(&p->open);
    es_words_deinit(&p->begin);
}

/* Of what is open, before another takes its place. */
static es_status remember_sets(place *p, const sets *s, es_error *err) {
    es_data_list_deinit(&p->sets);
    p->set = s->at;
    return es_data_list_copy(&s->list, &p->sets, err);
}

/* ---- a folder that changes ---- */

typedef struct turning {
    es_cli *cli;
    es_session **session; /* the one that is shown */
} turning;

static es_status open_turn(void *context, size_t rows, es_run *run, es_session **out,
                           es_error *err) {
    const turning *t = context;
    es_options options = *t->cli->options;
    es_cli cli = *t->cli;
    options.refresh = false; /* that was done, or is */
    cli.options = &options;
    cli.deferred = rows == 0;
    cli.beside = run;
    if (rows > 0) /* still open: a sample of so many for now */
        cli.rows = rows;
    return es_cli_open(&cli, ES_ACCESS_EXPLORE, true, out, err);
}

static void take_turn(void *context, es_session *session) {
    const turning *t = context;
    es_session_leave(*t->session, 0);
    *t->session = session;
}

/* ---- commands in the explorer ---- */

typedef struct opened {
    const es_cli *cli;
    const sets *all;
} opened;

/* Writes the beginning of a command line about the open pool. */
static es_status begin_command(void *context, const char *command, bool several, es_words *out,
                               es_error *err) {
    const opened *o = context;
    const es_subcommand *about = es_command_find(o->cli->commands, command);
    if (several)
        return es_sets_begin(o->cli, &o->all->list, command, NULL, out, err);
    return es_rows_begin(o->cli, command, about->scores_of_pool || o->cli->options->matrix, out,
                         err);
}

static es_status run_command(void *context, const es_words *words, es_run *run, es_sheet **out,
                             es_error *err) {
    const opened *o = context;
    return es_cli_call_run(o->cli, words, run, out, err);
}

static es_status write_ranking(es_cli *cli, es_session *session, es_error *err) {
    size_t entry = 0;
    ES_PASS(es_cli_best(cli, session, &entry, err));
    ES_PASS(es_rank_write(cli, session, err));
    return es_session_store_problem(session, err);
}

/* The explorer ranks by one rule. Another one that was typed is not skipped; of the
 * configuration file, which is of all commands, it is said. */
static es_status check_rule(es_cli *cli, es_options *o, char *said, size_t capacity,
                            es_error *err) {
    static const char *const of_printed[] = {"aggregate", "include-self", "leave-family-out",
                                             "within"};
    const char *name = es_options_given(o, "aggregate") ? "aggregate"
                       : o->include_self                ? "include-self"
                       : o->leave_family_out            ? "leave-family-out"
                       : es_options_typed(o, "within")  ? "within"
                                                        : NULL;
    if (name && es_options_typed(o, name))
        return es_usage(cli, err,
                        "--%s is of a printed ranking, 'embedscope rank': the explorer "
                        "does not rank by it",
                        name);
    if (name)
        (void)snprintf(
            said, capacity,
            "%s of the configuration applies to printed rankings: the explorer does not rank by it",
            name);
    for (size_t i = 0; i < sizeof of_printed / sizeof *of_printed;
         i++) /* nor does what it begins */
        es_options_forget(o, of_printed[i]);
    return ES_OK;
}

static bool is_table(const es_cli *cli) {
    return !cli->options->matrix && cli->n_arguments == 1 && es_path_is_board(cli->arguments[0]);
}

static es_status explore(es_cli *cli, es_error *err) {
    static const double patience = 0.5; /* seconds, with a worker in a long step */
    es_options own = *cli->options;     /* scores may come later */
    const es_options *given = cli->options, *o = cli->options = &own;
    const char *path = o->matrix ? o->matrix : cli->n_arguments > 0 ? cli->arguments[0] : ".";
    es_session *session = NULL;
    sets all = {0};
    char *config = NULL, *keys = NULL;
    /* without a terminal nobody would read the screen: exit code 4 says it */
    es_access access = o->plain && !on_terminal() ? ES_ACCESS_ESTIMATE : ES_ACCESS_EXPLORE;
    es_edits edits = {0};
    es_explorer_next next = {.again = true, .set = SIZE_MAX, .edits = &edits};
    char *pool = NULL; /* the one turned to */
    place before = {0};
    es_error refused = {0};
    char rule[160] = ""; /* of the configuration, and not followed */
    es_words begin[ES_EXPORT_COMMANDS] = {{0}};
    const char *const *exports[ES_EXPORT_COMMANDS] = {NULL};
    planning plan = {.given = given};
    bool start_all = o->start, asked = true;
    es_status st = ES_OK;
    ES_TRY(check_rule(cli, &own, rule, sizeof rule, err));
    ES_TRY(find_files(&config, &keys, err));
    ES_TRY(find_sets(cli, &all, err));
    es_explorer explorer = {
        .theme = o->theme,
        .theme_dir = o->theme_dir,
        .color = es_color_names[o->color],
        .ascii = o->ascii,
        .mouse = o->mouse,
        .plain = o->plain,
        .asked = &asked,
        .start = o->start,
        .with_derived = o->with_derived,
        .scripted = cli->hooks->scripted,
        .subject = cli->hooks->scripted && !o->resume ? NULL : path,
        .fresh = o->fresh && (es_options_typed(o, "fresh") || !es_options_typed(o, "resume")),
        .theme_asked = es_options_typed(o, "theme"),
        .config = o->config ? o->config : config,
        .keys = o->keys                ? o->keys
                : cli->hooks->scripted ? NULL
                                       : keys,
        .keys_asked = o->keys != NULL,
        .settings = o->views.items,
        .scores_asked = o->scores != NULL,
        .doctor = es_cli_doctor,
        .exports = exports,
        .check_plan = es_plan_check,
        .next = cli->hooks->scripted || !o->plain ? &next : NULL,
    };
    turning turns = {cli, &session};
    const es_explorer_turn turn = {open_turn, take_turn, &turns};
    opened here = {cli, &all};
    const es_explorer_commands commands = {begin_command, run_command, &here};
    explorer.commands = &commands;
    cli->log = explorer.log = open_log();
    while (next.again) {
        next.again = next.turned = false;
        if (next.scores != NULL)
            es_options_use_scores(&own, next.scores);
        take_set(cli, &own, &all, &explorer);
        ES_TRY(begin_exports(cli, &all.list, begin, exports, err));
        es_error notice = {0};
        cli->of_table = is_table(cli);
        st = open_pool(cli, access, &session, &notice, err);
        if (st != ES_OK && plan.pending) {
            refused = *err;
            settle_plan(&plan, &own, false);
            explorer.start = false;
            next.again = true;
            continue;
        }
        if (st != ES_OK && before.known) {
            refused = *err;
            es_data_list_deinit(&all.list);
            all.list = before.sets;
            all.at = before.set;
            before.sets = (es_data_list){0};
            come_back(&before, cli, &own, &explorer, &pool, &next.scores);
            next.again = true;
            continue;
        }
        if (st != ES_OK)
            goto done;
        free_place(&before);
        settle_plan(&plan, &own, true);
        ES_TRY(say_plan(&plan, cli, session, &explorer, err));
        explorer.shown_only = notice.code != ES_OK;
        bool folder = own.matrix == NULL && !cli->of_table;
        explorer.turn = folder && !explorer.shown_only ? &turn : NULL;
        explorer.notice = notice.code != ES_OK    ? notice.message
                          : refused.code != ES_OK ? refused.message
                                                  : NULL;
        explorer.remark = rule[0] != '\0' ? rule : NULL;
        next.reopened = false;
        ES_TRY(cli->hooks->explore(session, &explorer, &cli->exit_code, err));
        rule[0] = '\0'; /* it is said once */
        if ((st = es_session_save(session, err)) != ES_OK) {
            es_error_prefix(err, "some results are not stored");
            goto done;
        }
        if (!asked && !on_terminal()) { /* nobody types: what there is without a terminal */
            ES_TRY(write_ranking(cli, session, err));
            break;
        }
        if (!next.reopened) {
            explorer.fresh = explorer.start = explorer.with_derived =
                false; /* goes on where it was */
            refused.code = ES_OK;
        }
        if (next.again) {
            es_session_leave(session, patience);
            session = NULL;
        }
        all.first = false;
        if (next.set < all.list.count) {
            es_edits_deinit(&edits);
            remember_place(&before, cli, &own, &explorer, &pool, &next.scores);
            ES_TRY(remember_sets(&before, &all, err));
            all.at = next.set;
            explorer.start = start_all;
            es_free(next.state);
            next.state = NULL;
        }
        if (next.folders) {
            es_edits_deinit(&edits);
            remember_place(&before, cli, &own, &explorer, &pool, &next.scores);
            ES_TRY(remember_sets(&before, &all, err));
            es_data_list_deinit(&all.list);
            ES_TRY(es_data_list_of_folders(cli->arguments[0], &all.list, err));
            all.at = 0;
            all.first = true;
            es_free(next.state);
            next.state = NULL;
        }
        next.set = SIZE_MAX;
        next.folders = false;
        if (next.pool != NULL) {
            es_edits_deinit(&edits); /* of the pool before */
            remember_place(&before, cli, &own, &explorer, &pool, &next.scores);
            ES_TRY(remember_sets(&before, &all, err));
            turn_to(cli, &own, &explorer, next.pool);
            es_free(next.state);
            pool = next.pool;
            next.pool = next.state = NULL;
            next.settled = true; /* --start was about the first one */
            ES_TRY(find_sets(cli, &all, err));
        }
        if (next.plan != NULL) {
            ES_TRY(try_plan(&plan, &own, &next.plan, err));
            explorer.start = true;
        }
    }
done:
    if (session)
        es_session_leave(session, patience);
    es_edits_deinit(&edits);
    if (es_sessions_ending() == 0) /* which still write to it */
        es_log_close(cli->log);
    cli->log = NULL;
    end_exports(begin);
    end_planning(&plan, &own);
    cli->options = given;
    es_free(next.scores);
    es_free(next.state);
    es_free(next.pool);
    es_free(next.plan);
    es_free(pool);
    free_place(&before);
    end_sets(&all);
    es_free(config);
    es_free(keys);
    return st;
}

/* The same of several data sets. */
static es_status summarise_all(es_cli *cli, es_error *err) {
    es_status st = cli->options->start ? es_estimate_data_sets(cli, err) : ES_OK;
    return st == ES_OK ? es_sets_rank(cli, err) : st;
}

/* Without a terminal: estimates if asked to, writes the ranking. */
static es_status summarise_one(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    if (cli->options->start && cli->options->matrix == NULL)
        ES_TRY(es_estimate_pool(cli, &session, err));
    else
        ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(write_ranking(cli, session, err));
done:
    es_session_close(session);
    return st;
}

es_status es_cmd_explore(es_cli *cli, es_error *err) {
    bool document = es_output_asked(cli) || cli->options->output, table = is_table(cli);
    bool shown = cli->hooks->scripted ||
                 (cli->hooks->explore && on_terminal() && !cli->options->plain && !document);
    if (table && !shown)
        return es_cmd_leaderboard(cli, err);
    if (table) { /* what is wrong with it is reported as `leaderboard` reports it */
        es_status readable = es_leaderboard_readable(cli->arguments[0], err);
        if (readable != ES_OK)
            return readable;
    }
    if (cli->hooks->explore &&
        (cli->hooks->scripted || ((on_terminal() || cli->options->plain) && !document)))
        return explore(cli, err);
    bool several = false;
    es_status st = es_data_list_asked(cli, &several, err);
    /* nothing is drawn, but a theme that does not exist is still a mistake */
    if (st == ES_OK && es_options_typed(cli->options, "theme") && cli->hooks->find_theme)
        st = cli->hooks->find_theme(cli->options->theme, cli->options->theme_dir, err);
    if (st != ES_OK)
        return st;
    return several ? summarise_all(cli, err) : summarise_one(cli, err);
}

/* `embedscope demo`: the explorer on the sample pool, wherever that was installed. */

es_status es_cmd_demo(es_cli *cli, es_error *err) {
    const es_options *given = cli->options;
    es_options options = *given;
    char *pool = NULL;
    ES_PASS(es_path_shared("sample_data/molecules", &pool, err));
    options.start = true;
    options.plain = given->plain && isatty(STDIN_FILENO) == 1; /* nobody types: print the ranking */
    cli->options = &options;
    cli->arguments[0] = pool; /* there is room for one more than was given */
    cli->n_arguments = 1;
    es_status st = es_cmd_explore(cli, err);
    cli->n_arguments = 0;
    cli->options = given;
    es_free(pool);
    return st;
}
