/* The ranking as a document, for `rank` and `embedscope` without a terminal. */
#ifndef ES_CLI_RANK_OUT_H
#define ES_CLI_RANK_OUT_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** Rank plan entry `entry` as the options ask, and write it in a format. */
es_status es_rank_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                        es_error *err);

#endif
