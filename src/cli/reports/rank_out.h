/* The ranking as a document, and the bottom line for others to say. */
#ifndef ES_CLI_RANK_OUT_H
#define ES_CLI_RANK_OUT_H

#include "answer.h"
#include "command.h"
#include "json.h"
#include "session.h"

/** What the options ask for, with downstream scores if there are any; with_width: and with shared
 *  dimensions, which may take seconds unless they are stored. */
es_status es_cli_answer(es_cli *cli, es_session *session, bool with_width, es_answer *out,
                        es_error *err);

es_status es_rank_write(es_cli *cli, es_session *session, es_output_format format, es_error *err);

/** The object "bottom_line". */
void es_bottom_line_json(es_json *json, const es_answer *answer);
/** As lines of at most `width` columns (0: 100). */
void es_bottom_line_put(const es_answer *answer, size_t width, es_buf *out);

#endif
