/* `embedscope help [COMMAND|TOPIC]`, --help and `embedscope version`. */
#include "cmd.h"
#include "cli_out.h"

#include <string.h>

static es_status refuse_topic(es_cli *cli, const char *name, es_error *err) {
    es_suggestion near = {.word = name};
    for (size_t i = 0; i < cli->commands->count; i++)
        es_suggestion_offer(&near, cli->commands->item[i].name);
    for (size_t i = 0; es_help_topic_at(i); i++)
        es_suggestion_offer(&near, es_help_topic_at(i));
    return es_usage(cli, err, "help: no command or topic is called '%s'%s%s%s", name,
                    near.best ? "; did you mean '" : "; 'embedscope help' lists them",
                    near.best ? near.best : "", near.best ? "'?" : "");
}

es_status es_help_print(es_cli *cli, const es_subcommand *command, const char *what,
                        es_error *err) {
    es_buf text = {0};
    es_status st = ES_OK;
    if (what[0] == '\0')
        es_help(cli->commands, command, &text);
    else if (strcmp(what, "all") == 0)
        es_help_all(cli->commands, command, &text);
    else if (!es_help_topic(what, &text))
        ES_TRY(refuse_topic(cli, what, err));
    ES_TRY(es_output_write(cli, &text, err));
done:
    es_buf_free(&text);
    return st;
}

/* A topic wins over the explorer, whose name is empty. */
es_status es_cmd_help(es_cli *cli, es_error *err) {
    const char *name = cli->n_arguments > 0 ? cli->arguments[0] : "";
    const es_subcommand *command = es_command_find(cli->commands, name);
    if (command)
        return es_help_print(cli, command, "", err);
    return es_help_print(cli, es_command_find(cli->commands, ""), name, err);
}

es_status es_cmd_version(es_cli *cli, es_error *err) {
    es_buf text = {0};
    es_buf_puts(&text, "embedscope " ES_VERSION "\n");
    es_status st = es_output_write(cli, &text, err);
    es_buf_free(&text);
    return st;
}
