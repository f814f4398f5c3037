/* Two or three embedders side by side, as a document. */
#ifndef ES_CLI_COMPARE_OUT_H
#define ES_CLI_COMPARE_OUT_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** models (count, 2 or 3): positions in plan entry `entry`'s results. An estimator of errors is
 *  refused (exit code 2): only information can be contained. */
es_status es_compare_write(es_cli *cli, es_session *session, size_t entry, const size_t *models,
                           size_t count, es_output_format format, es_error *err);

#endif
