/* Sweeps of settings: the program itself ranks what is stored, and estimates what is not. */
#ifndef ES_TUI_DRIVER_SWEEP_H
#define ES_TUI_DRIVER_SWEEP_H

#include "driver_state.h"

/** Carries out ES_FX_SWEEP. */
void es_driver_ask_sweep(es_driver *driver, size_t value);
bool es_driver_sweeps(const es_driver *driver); /* one of the two runs */
/** Readable when es_driver_read_sweep has something to do; -1: nothing runs. */
int es_driver_sweep_fd(const es_driver *driver);
/** Takes in what there is, without waiting; true when something has ended. */
bool es_driver_read_sweep(es_driver *driver);

#endif
