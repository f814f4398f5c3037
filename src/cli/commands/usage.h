/* --help, from the tables of commands and options. */
#ifndef ES_CLI_USAGE_H
#define ES_CLI_USAGE_H

#include "command.h"

#include "buf.h"

/** The whole help page of one command; that of the explorer lists the commands too. */
void es_help(const es_subcommands *commands, const es_subcommand *command, es_buf *out);

#endif
