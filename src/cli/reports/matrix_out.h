/* The matrix as a document, for `matrix` and `estimate`. */
#ifndef ES_CLI_MATRIX_OUT_H
#define ES_CLI_MATRIX_OUT_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** Write plan entry `entry` in a format, ordered and with the value that the options ask for. */
es_status es_matrix_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                          es_error *err);

#endif
