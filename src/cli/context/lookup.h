/* Embedders that the user names: found by their exact name, or refused with what was meant. */
#ifndef ES_CLI_MODEL_CLI_H
#define ES_CLI_MODEL_CLI_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** Position of `name` in plan entry `entry`'s results. A usage error (exit code 2) says why a model
 *  of the pool is left out, or which names are near. */
es_status es_cli_model(es_cli *cli, es_session *session, size_t entry, const char *name,
                       size_t *position, es_error *err);

/** A usage error: there is no `what` called `name`; then the names that are near, else the first
 *  ones. */
es_status es_cli_unknown_name(es_cli *cli, const char *what, const char *name,
                              const char *const *names, size_t count, es_error *err);

#endif
