/* Floats of two bytes: IEEE 754's half, and the upper half of a float. */
#ifndef ES_IO_HALF_H
#define ES_IO_HALF_H

#include <stdint.h>

/** Half and brain floats to double, exactly. */
double es_f16_to_double(uint16_t bits);
double es_bf16_to_double(uint16_t bits);

#endif
