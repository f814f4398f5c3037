/* `measure POOL probe --sweep NAME`: what a sweep of trained embedders comes to. */
#ifndef ES_CLI_MEASURE_SWEEP_H
#define ES_CLI_MEASURE_SWEEP_H

#include "command.h"

/** Probes the members that `derive --cmim --sweep` made under NAME, and what they were trained on,
 *  on every label column with three classifiers (nearest neighbours by cosine and by Euclid, one
 *  hidden layer), and writes for each objective and part the mean z-score, the mean rank, how often
 *  the sources are beaten, and the slope of z on the size of a batch. */
es_status es_measure_write_sweep(es_cli *cli, es_error *err);

#endif
