/* A command as a function: its words are parsed as the command line's are, its document becomes a
 * sheet, its notes become warnings. */
#include "sheet_call.h"

#include "command_table.h"
#include "named_models.h"
#include "options.h"
#include "run.h"

#include "alloc.h"

static bool is_canceled(void *context, es_session *session) {
    (void)session;
    return es_run_check(context, NULL) != ES_OK;
}

static es_status no_setting(const char *name, const char *value, es_error *err) {
    (void)value;
    return es_fail(err, ES_ENOTFOUND, "no setting '%s'", name);
}

static es_status run_words(es_cli *cli, es_options *options, const es_words *words, es_error *err) {
    es_status st = ES_OK;
    cli->command = words->count > 1 ? es_command_find(cli->commands, words->word[1]) : NULL;
    if (cli->command == NULL)
        return es_fail(err, ES_EINVAL, "no such command");
    unsigned groups = cli->command->groups | cli->command->also;
    ES_TRY(es_options_parse(options, groups, words->word[1], (int)words->count - 1, words->word + 1,
                            cli->arguments, &cli->n_arguments, err));
    ES_TRY(es_options_expand(options, err));
    ES_TRY(es_options_join(options, &options->models, &cli->models, err));
    ES_TRY(es_options_join(options, &options->exclude, &cli->exclude, err));
    ES_TRY(cli->command->run(cli, err));
done:
    return st;
}

es_status es_sheet_call(const es_cli *of, const es_words *words, es_run *run, es_sheet **out,
                        es_error *err) {
    static const es_cli_hooks hooks = {.setting = no_setting};
    es_buf document = {0}, notes = {0};
    es_options options;
    const es_host host = {
        .document = &document, .notes = &notes, .stop = is_canceled, .context = run};
    es_named_models named = {0};
    es_cli cli = {.commands = of->commands,
                  .options = &options,
                  .hooks = &hooks,
                  .looks = of->looks,
                  .named = &named,
                  .host = &host,
                  .sheet = es_sheet_new("")};
    es_status st = ES_OK;
    es_options_init(&options);
    options.put_owners = es_command_put_owners;
    cli.arguments = es_alloc_zero(words->count + 1, sizeof *cli.arguments);
    ES_FAIL_IF(cli.arguments == NULL, es_no_memory(err));
    ES_TRY(run_words(&cli, &options, words, err));
    es_sheet_say_lines(cli.sheet, ES_SAYS_NOTE, document.data);
    es_sheet_say_lines(cli.sheet, ES_SAYS_WARNING, notes.data);
    ES_TRY(es_sheet_check(cli.sheet, err));
    *out = cli.sheet;
    cli.sheet = NULL;
done:
    es_sheet_free(cli.sheet);
    es_named_models_deinit(&named);
    es_free(cli.arguments);
    es_options_free(&options);
    es_buf_free(&document);
    es_buf_free(&notes);
    return st;
}
