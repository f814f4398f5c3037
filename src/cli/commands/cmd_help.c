/* `embedscope help [COMMAND]` and `embedscope version`. */
#include "cmd.h"
#include "output.h"
#include "suggest.h"
#include "usage.h"

/* Of the whole program, or of the command that is named. */
es_status es_cmd_help(es_cli *cli, es_error *err) {
    es_buf text = {0};
    const char *name = cli->n_arguments > 0 ? cli->arguments[0] : "";
    const es_subcommand *command = es_command_find(cli->commands, name);
    es_suggestion near = {.word = name};
    for (size_t i = 0; command == NULL && i < cli->commands->count; i++)
        es_suggestion_offer(&near, cli->commands->item[i].name);
    if (command == NULL)
        return es_usage(cli, err, "help: no command is called '%s'%s%s%s", name,
                        near.best ? "; did you mean '" : "; 'embedscope help' lists them",
                        near.best ? near.best : "", near.best ? "'?" : "");
    es_help(cli->commands, command, &text);
    es_status st = es_output_write(cli, &text, err);
    es_buf_free(&text);
    return st;
}

es_status es_cmd_version(es_cli *cli, es_error *err) {
    es_buf text = {0};
    es_buf_puts(&text, "embedscope " ES_VERSION "\n");
    es_status st = es_output_write(cli, &text, err);
    es_buf_free(&text);
    return st;
}
