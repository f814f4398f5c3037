/* A command as a function: its words are parsed as the command line's are, its document becomes a
 * sheet, its notes become warnings. */
#include "cli_call.h"

#include <stdio.h>
#include <string.h>

#include "cli_session.h"
#include "cmd.h"

static es_status no_setting(const char *name, const char *value, es_error *err) {
    (void)value;
    return es_fail(err, ES_ENOTFOUND, "no setting '%s'", name);
}

void es_cli_call_begin(es_cli_call *call, const es_cli *of, const es_host *host) {
    static const es_cli_hooks hooks = {.setting = no_setting};
    *call = (es_cli_call){.cli = {.commands = of->commands,
                                  .hooks = of->hooks ? of->hooks : &hooks,
                                  .looks = of->looks,
                                  .host = host}};
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
