/* What -o and --trace may not write to. */
#ifndef ES_CLI_OUTPUT_GUARD_H
#define ES_CLI_OUTPUT_GUARD_H

#include "command.h"

/** Refuses (usage) a file to be written that the command reads: one named on the command line, by
 *  whatever name or link; and below the folders named there what a pool reads or would read:
 *  embedders, scores.csv and its like, .embedscope. Devices and pipes are let through. */
es_status es_output_guard(es_cli *cli, es_error *err);

#endif
