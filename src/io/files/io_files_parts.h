/* Kernels that read arrays and texts. */
#ifndef ES_IO_FILES_PARTS_H
#define ES_IO_FILES_PARTS_H

#include "base.h"

/* Floats of two bytes: IEEE 754's half, and the upper half of a float. */

/** Half and brain floats to double, exactly. */
double es_f16_to_double(uint16_t bits);
double es_bf16_to_double(uint16_t bits);

/* The inner loops of a pass over an array, by family of vector instructions. All families give the
 * same bits: lanes and the order of their sums are fixed by the loops, not by the registers. */

typedef struct es_scan_kernels {
    /** Is each of x[0..d) finite? */
    bool (*finite)(const double *x, size_t d);
    /** Welford's update of means and sums of squared deviations, (d) each; weight: one over the
     *  number of rows, this one among them. Returns the sum of squares of x. */
    double (*add)(const double *x, size_t d, double weight, double *mean, double *m2);
    /** `count` half floats in the machine's byte order, at any address, to double, exactly. */
    void (*widen)(const unsigned char *half, size_t count, double *out);
} es_scan_kernels;

/** Of this family, or of the best one below it that this build has. */
const es_scan_kernels *es_scan_kernels_get(es_isa level);

#endif
