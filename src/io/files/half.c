/* Short floats, bit by bit: what no instruction of every processor does. */
#include "io_files_parts.h"

#include <string.h>

/* A short float of 1 sign, 15 - `fraction` exponent and `fraction` mantissa bits; subnormals are
 * multiples of `least`. Not by way of float: with DAZ set, a subnormal float would be read as 0. */
static inline double widen(uint16_t bits, unsigned fraction, double least) {
    unsigned all = bits, top = (1U << (15 - fraction)) - 1, exponent = all >> fraction & top;
    uint64_t sign = (uint64_t)(all & 0x8000U) << 48, mantissa = all & ((1U << fraction) - 1);
    double value = (double)mantissa * least;
    if (exponent == 0)
        return sign ? -value : value;
    uint64_t wide = exponent == top ? 0x7FF : exponent + 1023 - top / 2;
    wide = sign | wide << 52 | mantissa << (52 - fraction);
    memcpy(&value, &wide, sizeof value);
    return value;
}

double es_f16_to_double(uint16_t bits) {
    return widen(bits, 10, 0x1p-24);
}

double es_bf16_to_double(uint16_t bits) {
    return widen(bits, 7, 0x1p-133);
}
