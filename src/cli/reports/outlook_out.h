/* `embedscope estimate --dry-run`: what a run would take. */
#ifndef ES_CLI_OUTLOOK_OUT_H
#define ES_CLI_OUTLOOK_OUT_H

#include "command.h"

es_status es_outlook_write(es_cli *cli, es_error *err);

#endif
