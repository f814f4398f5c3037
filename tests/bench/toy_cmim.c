/* Prints the points of the toy before and after, for the figure of docs/derive.md (./dev toy). */
#include <stdio.h>

#include "toy_cmim.h"

static void tell(const char *when, const float *z, size_t n) {
    toy_facts f = toy_facts_of(z, n);
    printf("# %s ks=%.4f rayleigh=%.2g radius_cv=%.3f\n", when, f.ks, f.rayleigh, f.radius_cv);
}

int main(void) {
    enum { N = 1000 };
    static float before[2 * N], after[2 * N];
    if (!toy_run(0, N, before, after))
        return 1;
    tell("before", before, N);
    tell("after", after, N);
    for (size_t i = 0; i < N; i++)
        printf("%.5g,%.5g,%.5g,%.5g\n", (double)before[2 * i], (double)before[2 * i + 1],
               (double)after[2 * i], (double)after[2 * i + 1]);
    return 0;
}
