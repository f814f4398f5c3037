/* A correlation as a document. */
#ifndef ES_CLI_CORRELATE_OUT_H
#define ES_CLI_CORRELATE_OUT_H

#include <stddef.h>

#include "command.h"
#include "correlation_view.h"

es_status es_correlation_write(es_cli *cli, const es_correlation_view *view,
                               es_output_format format, es_error *err);

#endif
