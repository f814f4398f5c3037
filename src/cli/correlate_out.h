/* A correlation as a document. */
#ifndef ES_CLI_CORRELATE_OUT_H
#define ES_CLI_CORRELATE_OUT_H

#include <stddef.h>

#include "command.h"
#include "correlate_cli.h"

#include "embedscope/session.h"

/** What was computed, from what. session NULL: a ranking from a file. */
typedef struct es_correlation_view {
    es_session *session;
    size_t entry;
    const es_scored *scored;
    const es_join *join;
    const es_correlation_set *set;
    es_correlate_options options; /* in force */
} es_correlation_view;

es_status es_correlation_write(es_cli *cli, const es_correlation_view *view,
                               es_output_format format, es_error *err);

#endif
