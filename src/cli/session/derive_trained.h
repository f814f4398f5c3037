/* `derive --cmim`: embedders trained on others, one or a sweep of them. */
#ifndef ES_CLI_DERIVE_TRAINED_H
#define ES_CLI_DERIVE_TRAINED_H

#include "command.h"

/** Trains what the options ask for on the sources of the second argument and writes the document.
 *  Settings are those of es_cmim_settings: --cmim K, --mode, --set, and every combination of
 *  --sweep. ES_ECANCELED: what was under way goes on with the same command. */
es_status es_cli_train(es_cli *cli, es_error *err);

#endif
