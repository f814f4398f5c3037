/* Do the names of --models and --exclude mean anybody? One that matches no embedder is misspelt,
 * and would change who is ranked without a word. */
#ifndef ES_CLI_NAMED_MODELS_H
#define ES_CLI_NAMED_MODELS_H

#include "command.h"

#include "pool.h"

/** After a pool was opened. A usage error says which name or pattern matches nobody; a pattern of
 *  --exclude, and what the configuration file alone says, is noted. Once in a process: an explorer
 * opens its pool again, and in other pools others may be meant. */
es_status es_named_models_check(es_cli *cli, const es_pool *pool, es_error *err);

/** Of several pools a name need be in one: begin before the first is opened, end when all have been
 *  looked at. */
void es_named_models_begin(es_cli *cli);
es_status es_named_models_end(es_cli *cli, es_error *err);
void es_named_models_deinit(es_named_models *named); /* all zero bytes is allowed */

#endif
