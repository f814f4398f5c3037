/* `agree` as a document: ranks by every score, how far they agree, and with downstream. */
#ifndef ES_CLI_AGREE_OUT_H
#define ES_CLI_AGREE_OUT_H

#include <stdint.h>

#include "agree_scores.h"
#include "command.h"

#include "buf.h"
#include "session.h"

es_status es_agree_write(es_cli *cli, es_session *session, const es_agree_scores *scores,
                         es_error *err);

/** Embedders (n) by downstream where there is any, else by the first column; unknown ones last. */
void es_agree_order(const es_agree_scores *scores, uint32_t *order);
/** Ranks by every column, and except in csv Kendall's tau-b of every two with intervals. */
es_status es_agree_put_ranks(const es_agree_scores *scores, const es_results *names,
                             es_output_format format, size_t width, es_buf *out, es_error *err);

#endif
