/* From argv to a running command and its exit code: the command's word, its options, the
 * configuration file, what does not go together, and the one line that an error prints. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "cli_out.h"
#include "cli_session.h"
#include "cmd.h"

static int exit_code_of(es_status status) {
    switch (status) {
    case ES_OK:
        return ES_EXIT_OK;
    case ES_EINVAL:
        return ES_EXIT_USAGE;
    case ES_EEMPTY:
        return ES_EXIT_EMPTY;
    case ES_ECANCELED:
        return ES_EXIT_INTERRUPTED;
    default:
        return ES_EXIT_BAD_INPUT;
    }
}

/* The command is the first word that names one: options may stand before it, as their values never
 * do without an option that takes them. Its word is taken out of argv. */
static const es_subcommand *take_command(int *argc, char **argv) {
    if (*argc < 2 || argv[1][0] == '\0')
        return es_command_find(es_cli_commands(), "");
    const es_subcommand *command = es_command_find(es_cli_commands(), argv[1]);
    if (command == NULL)
        return es_command_find(es_cli_commands(), "");
    for (int i = 1; i < *argc; i++)
        argv[i] = argv[i + 1];
    --*argc;
    return command;
}

static void note_unread(const es_cli *cli) {
    for (const char *const *name = cli->command->unread; name && *name; name++)
        es_output_note_idle(cli, *name, NULL);
}

/* What chooses from a pool cannot choose from a file. */
static es_status check_file_options(es_cli *cli, const char *file, es_error *err) {
    static const char *const of_pool[] = {"models", "exclude", "rows", "drop-rows"};
    static const char *const of_estimates[] = {"estimator", "preset", "set", "folds"};
    static const char *const of_matrix[] = {"aggregate", "include-self", "leave-family-out",
                                            "families"};
    /* of `export compare`, --models are those compared */
    size_t first = cli->command->pictures ? 1 : 0;
    for (size_t i = first; i < sizeof of_pool / sizeof *of_pool; i++)
        if (es_options_given(cli->options, of_pool[i]))
            return es_usage(cli, err, "--%s goes with a pool, not with %s", of_pool[i], file);
    for (size_t i = 0; i < sizeof of_estimates / sizeof *of_estimates; i++)
        es_output_note_idle(cli, of_estimates[i], "the values are those of the file");
    for (size_t i = 0; cli->options->ranking && i < sizeof of_matrix / sizeof *of_matrix; i++)
        es_output_note_idle(cli, of_matrix[i], "the scores are those of the file");
    return ES_OK;
}

/* Refuses an aggregate and a unit for the predictive score: that one is a lead in nats per
 * dimension. */
static es_status check_aggregate(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    if (!o->score || strcmp(o->score, es_score_kind_names[ES_SCORE_PREDICTIVE]) != 0)
        return ES_OK;
    if (es_options_typed(o, "unit"))
        return es_usage(cli, err,
                        "--unit %s belongs to --score published; the default score is in nats per "
                        "dimension",
                        es_unit_choices[o->unit]);
    if (!es_options_typed(o, "aggregate"))
        return ES_OK;
    return es_usage(cli, err,
                    "--aggregate %s belongs to --score published; the default score has one vote a "
                    "kind of embedders",
                    es_aggregate_names[o->aggregate]);
}

static es_status check_arguments(es_cli *cli, es_error *err) {
    const es_subcommand *command = cli->command;
    const es_options *o = cli->options;
    const char *file = o->matrix ? "--matrix" : o->ranking ? "--ranking" : NULL;
    bool from_file = file != NULL;
    if (from_file && command->of_vectors)
        return es_usage(cli, err, "%s does not go with %s, which needs the embedders: name a pool",
                        file, command->name);
    size_t most = from_file && command->most_arguments > 0 ? command->most_arguments - 1
                                                           : command->most_arguments;
    if (command->missing && !from_file && cli->n_arguments == 0)
        return es_usage(cli, err, "%s: %s", command->name, command->missing);
    es_status st = from_file ? ES_OK : es_paths_check(cli, err);
    if (st != ES_OK)
        return st;
    note_unread(cli);
    if (cli->n_arguments > most)
        return es_usage(cli, err, "'%s' is one argument too many%s%s%s", cli->arguments[most],
                        from_file ? ": " : "", from_file ? file : "",
                        from_file ? " takes the place of the pool" : "");
    if (o->ranking && !command->of_rankings)
        return es_usage(cli, err,
                        "--ranking goes with correlate, which sets a finished ranking against "
                        "scores; it has no effect on '%s'",
                        command->name);
    if (o->matrix && o->ranking)
        return es_usage(cli, err, "--matrix and --ranking both name a ranking: give one");
    if (o->blocks && !o->matrix)
        return es_usage(cli, err, "--blocks goes with --matrix");
    if (from_file && (st = check_file_options(cli, file, err)) != ES_OK)
        return st;
    if (o->leave_family_out)
        es_output_note_idle(cli, "include-self", "--leave-family-out leaves out itself, too");
    bool of_labels = (command->groups & ES_OPTIONS_LABEL) != 0;
    if (o->task && of_labels && !es_score_measure(o) && strcmp(command->name, "correlate") != 0)
        return es_usage(cli, err, "--task is a column of labels.csv: it goes with --score MEASURE");
    if (o->scores && !from_file && !command->scores_of_pool)
        return es_usage(cli, err, "--scores goes with --matrix; a pool has its own scores.csv");
    return check_aggregate(cli, err);
}

/* The ending of a file if it reads like that of a format: up to five letters and digits, as in
 * x.xlsx, not in v1.2 or tmp.8aXcQ2mB1z. NULL: it does not. */
static const char *ending_of(const char *path) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    enum { LONGEST = 5 };
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *dot = path ? strrchr(slash ? slash : path, '.') : NULL;
    size_t length = dot ? strspn(dot + 1, letters) : 0;
    bool numbered = dot && dot[1] >= '0' && dot[1] <= '9';
    return length == 0 || length > LONGEST || dot[1 + length] || numbered ? NULL : dot + 1;
}

/* A file holds what its name promises, unless the format was typed. */
static es_status check_ending(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    const char *own = cli->command->ending, *ending = ending_of(o->output);
    char label[ES_PATH_LABEL];
    if (!ending || es_output_asked(cli) || (own && !own[0]) ||
        strncasecmp(ending, own ? own : "txt", strlen(ending)) == 0) /* or its beginning: htm */
        return ES_OK;
    if (own)
        return es_usage(cli, err, "-o %s: %s does not write %s; name it .%s",
                        es_path_label(label, o->output), cli->command->name, ending, own);
    return es_usage(
        cli, err, "-o %s: there is no format %s; use .csv, .json, .md%s, or .txt for the table",
        es_path_label(label, o->output), ending,
        cli->command->groups & ES_OPTIONS_MATRIX ? ", .tex, .jsonl or .npz" : " or .tex");
}

/* The explorer prints the leaderboard of a table. */
static bool writes_fragments(const es_cli *cli) {
    return cli->command->fragments || cli->command->pictures ||
           (cli->command->name[0] == '\0' && cli->n_arguments == 1 &&
            es_path_is_board(cli->arguments[0]));
}

/* Pictures are export's alone, pairs the matrix's. */
static es_status take_format(es_cli *cli, es_output_format format, es_error *err) {
    const es_options *o = cli->options;
    es_output_format ending = es_output_ending(o->output);
    const char *own = cli->command->ending;
    if (ending == ES_FORMAT_HTML && own && strcmp(own, "html") == 0)
        return ES_OK; /* a page, whatever the configuration says of tables */
    if (ending != ES_FORMAT_DEFAULT && format != ending)
        return es_usage(cli, err,
                        "-o %s: the ending means %s and the options say %s: make them agree",
                        o->output, es_format_names[ending], es_format_names[format]);
    bool of_pairs = format == ES_FORMAT_JSONL || format == ES_FORMAT_NPZ;
    if (format == ES_FORMAT_HTML && !writes_fragments(cli))
        return es_usage(cli, err, "there is no format html here; leaderboard and report write it");
    if (of_pairs && (cli->command->groups & ES_OPTIONS_MATRIX) == 0)
        return es_usage(cli, err,
                        "%s is a format of matrices: use 'embedscope matrix POOL --format %s'",
                        es_format_names[format], es_format_names[format]);
    if ((of_pairs || o->long_form) && es_options_typed(o, "value"))
        return es_usage(cli, err, "%s holds is and se; --value is of the square table",
                        of_pairs ? es_format_names[format] : "--long");
    if (o->long_form && format != ES_FORMAT_CSV && format != ES_FORMAT_JSONL)
        return es_usage(cli, err, "--long goes with csv and jsonl, not with %s",
                        es_format_names[format]);
    if (es_options_typed(o, "csv-safe") && format != ES_FORMAT_CSV)
        return es_usage(cli, err, "--csv-safe goes with csv, not with %s", es_format_names[format]);
    bool bytes = format == ES_FORMAT_PDF || format == ES_FORMAT_PNG || format == ES_FORMAT_NPZ;
    bool allowed = !es_format_is_picture(format) || cli->command->pictures;
    if (allowed && bytes && es_output_to_terminal(cli))
        return es_usage(cli, err, "%s cannot be shown in a terminal; use -o FILE.%s",
                        es_format_names[format], es_format_names[format]);
    if (allowed)
        return check_ending(cli, err);
    return es_usage(cli, err, "%s is a picture: use 'embedscope export POOL VIEW -o FILE.%s'",
                    es_format_names[format], es_format_names[format]);
}

static es_status check_format(es_cli *cli, es_error *err) {
    es_status st = take_format(cli, es_output_format_of(cli, ES_FORMAT_TABLE), err);
    if (st != ES_OK)
        es_options_blame_for(cli->options, "format", err);
    return st;
}

/* --config FILE, else the user's file where there is one. */
static es_status read_config(es_options *options, unsigned groups, es_error *err) {
    if (options->config)
        return es_options_read_config(options, groups, options->config, err);
    char *path = NULL;
    struct stat found;
    es_status st = es_path_user_file(ES_USER_CONFIG, "config", &path, err);
    if (st != ES_OK)
        return st == ES_ENOMEM ? st : ES_OK; /* no home, no configuration */
    if (stat(path, &found) == 0)
        st = es_options_read_config(options, groups, path, err);
    es_free(path);
    return st;
}

static es_status print_help(es_cli *cli, es_error *err) {
    if (cli->options->version)
        return es_cmd_version(cli, err);
    return es_help_print(cli, cli->command, cli->options->help, err);
}

/* Runs the command, or writes what it wrote when everything was the same. */
static es_status answer(es_cli *cli, es_digest typed, es_error *err) {
    es_written written = {0};
    es_kept_answer *place = NULL;
    es_status st = ES_OK;
    ES_TRY(es_kept_answer_new(cli, typed, &place, err));
    if (place && es_kept_answer_find(place, &written.notes, &written.document)) {
        if (written.notes.length > 0)
            (void)fwrite(written.notes.data, 1, written.notes.length, stderr);
        st = es_output_write_all(written.document.data, written.document.length, err);
        goto done;
    }
    cli->written = place ? &written : NULL;
    st = cli->command->run(cli, err);
    cli->written = NULL;
    if (place && st == ES_OK && cli->exit_code == ES_EXIT_OK)
        es_kept_answer_put(place, &written);
done:
    es_kept_answer_free(place);
    es_buf_free(&written.notes);
    es_buf_free(&written.document);
    return st;
}

/* Checks and completes the options, opens what they name, and runs the command. */
static es_status run_command(es_cli *cli, es_options *options, es_digest typed, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_options_expand(options, err));
    ES_TRY(es_paths_take_files(cli, options, err));
    ES_TRY(check_arguments(cli, err));
    ES_TRY(check_format(cli, err));
    ES_TRY(es_output_guard(cli, err));
    ES_TRY(es_options_join(options, &options->models, &cli->models, err));
    ES_TRY(es_options_join(options, &options->exclude, &cli->exclude, err));
    ES_TRY(answer(cli, typed, err));
done:
    return st;
}

/* A set that is called "all" may be there; where it is not, all of them may be meant. */
static void say_who_takes_all(const es_options *options, es_error *err) {
    if (err && err->code == ES_ENOTFOUND && options->set_rows &&
        strcmp(options->set_rows, "all") == 0 && strstr(err->message, "in the set 'all'"))
        es_error_set(err, err->code,
                     "%s; rank, correlate, estimate and the explorer take all, each set by itself",
                     err->message);
}

static es_digest digest_words(int argc, char **argv) {
    es_hasher hasher;
    es_hasher_init(&hasher);
    for (int i = 1; i < argc; i++)
        es_hasher_add_text(&hasher, argv[i]);
    return es_hasher_result(&hasher);
}

/* Parses the command's options and runs it. */
static es_status parse_and_run(es_cli *cli, es_options *options, int argc, char **argv,
                               es_error *err) {
    es_status st = ES_OK;
    const char *name = cli->command->name[0] ? cli->command->name : "embedscope";
    unsigned groups = cli->command->groups | cli->command->also;
    es_digest typed = digest_words(argc, argv); /* parsing puts them in another order */
    ES_TRY(es_paths_check_order(cli, argc, argv, err));
    ES_TRY(es_options_parse(options, groups, name, argc, argv, cli->arguments, &cli->n_arguments,
                            err));
    if (options->help || options->version)
        return print_help(cli, err);
    options->check_setting = cli->hooks->setting;
    ES_TRY(read_config(options, groups, err));
    st = run_command(cli, options, typed, err);
    if (st != ES_OK)
        say_who_takes_all(options, err);
    if (st != ES_OK)
        es_options_blame(options, err);
done:
    return st;
}

int es_cli_main(int argc, char **argv, const es_cli_hooks *hooks) {
    es_options options;
    es_options_init(&options);
    options.put_owners = es_command_put_owners;
    es_named_models named = {0};
    es_command_room room = {.arena = es_arena_new()};
    es_cli cli = {.commands = es_cli_commands(),
                  .options = &options,
                  .hooks = hooks,
                  .named = &named,
                  .room = &room};
    es_error err = {0};
    cli.looks = es_looks_new();
    /* a pipe whose reader has gone is an error of write(), not the end of the program */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* and so is a limit on the size of files */
    cli.arguments = es_alloc_zero((size_t)argc + 1, sizeof *cli.arguments);
    cli.command = take_command(&argc, argv);
    es_status st = ES_ENOMEM;
    if (cli.arguments)
        st = parse_and_run(&cli, &options, argc, argv, &err);
    else
        es_error_set(&err, st, "out of memory");
    if (st != ES_OK && st != ES_ECANCELED)
        (void)fprintf(stderr, "embedscope: %s\n", err.message);
    es_named_models_deinit(&named);
    es_looks_free(cli.looks);
    es_command_room_end(&room);
    es_free(cli.arguments);
    es_options_free(&options);
    /* an error outweighs failed pairs */
    int code =
        cli.exit_code > ES_EXIT_FAILED_PAIRS || st == ES_OK ? cli.exit_code : exit_code_of(st);
    if (es_sessions_ending() > 0) { /* a worker in a long step, with nothing left to keep */
        (void)fflush(NULL);
        _exit(code);
    }
    return code;
}

/* A command as a function: its words are parsed as the command line's are, its document becomes a
 * sheet, its notes become warnings. */

static es_status no_setting(const char *name, const char *value, es_error *err) {
    (void)value;
    return es_fail(err, ES_ENOTFOUND, "no setting '%s'", name);
}

void es_cli_call_begin(es_cli_call *call, const es_cli *of, const es_host *host) {
    static const es_cli_hooks hooks = {.setting = no_setting};
    *call = (es_cli_call){.cli = {.commands = of->commands,
                                  .hooks = of->hooks ? of->hooks : &hooks,
                                  .looks = of->looks,
                                  .host = host,
                                  .room = &call->room},
                          .room = {.arena = es_arena_new()}};
    es_options_init(&call->options);
    call->options.put_owners = es_command_put_owners;
    call->cli.options = &call->options;
}

es_status es_cli_call_read(es_cli_call *call, const char *name, const char *const *words, size_t n,
                           es_error *err) {
    es_status st = ES_OK;
    size_t held = call->words.count;
    es_cli *cli = &call->cli;
    cli->command = es_command_find(cli->commands, name);
    if (cli->command == NULL)
        return es_fail(err, ES_EINVAL, "no such command");
    ES_TRY(es_words_add(&call->words, name, err));
    for (size_t i = 0; i < n; i++)
        ES_TRY(es_words_add(&call->words, words[i] ? words[i] : "", err));
    es_free(cli->arguments);
    cli->n_arguments = 0;
    cli->arguments = es_alloc_zero(n + 1, sizeof *cli->arguments);
    ES_FAIL_IF(cli->arguments == NULL, es_no_memory(err));
    st = es_options_parse(&call->options, cli->command->groups | cli->command->also, name,
                          (int)n + 1, &call->words.word[held], cli->arguments, &cli->n_arguments,
                          err);
done:
    return st;
}

es_status es_cli_call_finish(es_cli_call *call, es_error *err) {
    ES_PASS(es_options_expand(&call->options, err));
    ES_PASS(es_options_join(&call->options, &call->options.models, &call->cli.models, err));
    return es_options_join(&call->options, &call->options.exclude, &call->cli.exclude, err);
}

void es_cli_call_end(es_cli_call *call) {
    es_command_room_end(&call->room);
    es_free(call->cli.arguments);
    es_options_free(&call->options);
    es_words_deinit(&call->words);
}

/* ---- in the explorer ---- */

typedef struct surroundings {
    es_run *run;
    es_buf document, notes;
} surroundings;

static const char *last_line(const es_buf *notes) {
    const char *last = notes->data ? notes->data : "";
    for (const char *next = last; (next = strchr(next, '\n')) != NULL && *++next != '\0';)
        last = next;
    return last;
}

/* Looked at again and again while it waits: what it said last is which of several it is at. */
static bool stops(void *context, es_session *session) {
    const surroundings *s = context;
    es_progress progress;
    char text[ES_RUN_SUBJECT], pairs[200];
    if (session != NULL && es_session_phase(session) == ES_PHASE_RUNNING) {
        const char *note = last_line(&s->notes);
        size_t length = strcspn(note, "\n");
        es_session_progress(session, &progress);
        (void)es_progress_text(pairs, sizeof pairs, &progress);
        (void)snprintf(text, sizeof text, "%.*s%s%.42s", length < 32 ? (int)length : 32, note,
                       length > 0 ? ": " : "", pairs);
        es_run_begin(s->run, text, NULL);
    }
    return es_run_check(s->run, NULL) != ES_OK;
}

static void finish_sheet(es_sheet *sheet, const surroundings *s) {
    es_sheet_say_lines(sheet, ES_SAYS_NOTE, s->document.data);
    es_sheet_say_lines(sheet, ES_SAYS_WARNING, s->notes.data);
}

es_status es_cli_call_run(const es_cli *of, const es_words *words, es_run *run, es_sheet **out,
                          es_error *err) {
    surroundings s = {.run = run};
    const es_host host = {.document = &s.document,
                          .notes = &s.notes,
                          .of_program = true,
                          .stop = stops,
                          .context = &s,
                          .run = run};
    es_named_models named = {0};
    es_sheet *sheet = out ? es_sheet_new("") : NULL;
    es_status st = ES_OK;
    es_cli_call call;
    es_cli_call_begin(&call, of, &host);
    call.cli.named = &named;
    call.cli.sheet = sheet;
    ES_FAIL_IF(out && sheet == NULL, es_no_memory(err));
    ES_FAIL_IF(words->count < 2, es_fail(err, ES_EINVAL, "no such command"));
    ES_TRY(es_cli_call_read(&call, words->word[1], (const char *const *)words->word + 2,
                            words->count - 2, err));
    ES_TRY(es_cli_call_finish(&call, err));
    ES_TRY(call.cli.command->run(&call.cli, err));
    if (out) {
        finish_sheet(sheet, &s);
        ES_TRY(es_sheet_check(sheet, err));
        *out = sheet;
        sheet = NULL;
    } else if (call.cli.exit_code != ES_EXIT_OK)
        es_error_set(err, ES_OK, "%.*s", (int)strcspn(last_line(&s.notes), "\n"),
                     last_line(&s.notes));
done:
    es_sheet_free(sheet);
    es_named_models_deinit(&named);
    es_cli_call_end(&call);
    es_buf_free(&s.document);
    es_buf_free(&s.notes);
    return st;
}
