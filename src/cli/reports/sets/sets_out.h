/* `rank POOL1 POOL2 ...` and `correlate POOL1 POOL2 ...`: several data sets at once. */
#ifndef ES_CLI_SETS_OUT_H
#define ES_CLI_SETS_OUT_H

#include "sets_open.h"

/** One ranking over the pools that are named, of what each has stored. */
es_status es_sets_rank(es_cli *cli, es_error *err);
/** Which data set's ranking goes with which task of --scores. */
es_status es_sets_correlate(es_cli *cli, es_error *err);

/** The array "ranking": of the combination, with each embedder's place in every data set. */
void es_sets_ranking_json(const es_open_sets *sets, es_json *json);

#endif
