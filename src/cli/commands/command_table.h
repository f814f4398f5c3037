/* The table of commands.
 *
 * To add a command: a file cmd_NAME.c with its function, declared in cmd.h, and a row in
 * command_table.c. Its options come from the groups that it names, its --help from the row. */
#ifndef ES_CLI_COMMAND_TABLE_H
#define ES_CLI_COMMAND_TABLE_H

#include "command.h"

extern const es_subcommands es_cli_commands;

/** "'rank', 'export'": who takes options of a group. */
void es_command_put_owners(es_option_group group, es_buf *out);

#endif
