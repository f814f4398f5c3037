/* A score at every value of a setting: `estimate --sweep`, `rank --sweep`. */
#ifndef ES_CLI_SWEEP_OUT_H
#define ES_CLI_SWEEP_OUT_H

#include <stdbool.h>

#include "command.h"

/** The published score by one estimator, or by --score a measure, once for every combination of
 *  --sweep, and how far the rankings agree. estimate: what is missing of the pairs; else they are
 *  shown as they are stored (measures are computed). ES_EEMPTY: nothing is stored. */
es_status es_sweep_write(es_cli *cli, bool estimate, es_error *err);

#endif
