/* `rank --explain A [B]` as a document. */
#ifndef ES_CLI_EXPLAIN_OUT_H
#define ES_CLI_EXPLAIN_OUT_H

#include "command.h"
#include "session.h"

/** Why A stands before B, or before the next in the ranking; names as they are given. */
es_status es_explain_write(es_cli *cli, es_session *session, const char *a, const char *b,
                           es_output_format format, es_error *err);

#endif
