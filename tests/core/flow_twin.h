/* The flow of core_estimators_parts.h written down plainly in double precision, one row at a time:
 * what the fast one must have. Parameters lie as es_flow_save lays them. */
#ifndef TESTS_CORE_FLOW_TWIN_H
#define TESTS_CORE_FLOW_TWIN_H

#include <math.h>
#include <string.h>

#include "core_estimators_parts.h"
#include "net_twin.h"

/* log p(x | c) of one row; z (d): what x became; log_det: log |dz/dx|. */
static inline double flow_twin(const es_flow *flow, const double *p, const double *x,
                               const double *c, double *z, double *log_det) {
    const es_flow_shape *s = &flow->shape;
    double square = 0;
    memcpy(z, x, s->d * sizeof *z);
    *log_det = 0;
    for (size_t i = 0; i < s->couplings; i++) {
        const es_coupling *k = &flow->coupling[i];
        const double *act = p + k->net.n_params;
        double seen[TWIN_WIDEST] = {0};
        twin_trace t;
        for (size_t j = 0; j < s->d; j++) {
            double a = s->range * tanh(act[j] / s->range);
            z[j] = exp(a) * (z[j] - act[s->d + j]);
            *log_det += a;
        }
        for (size_t j = 0; j < k->kept; j++)
            seen[j] = fmax(-s->clip, fmin(s->clip, z[k->columns[j]]));
        for (size_t j = 0; j < s->c; j++)
            seen[k->kept + j] = c[j];
        twin_forward(k->net.layer, 2, p, seen, &t);
        for (size_t j = 0; j < k->moved; j++) {
            double scale = s->range * tanh(t.value[1][k->moved + j] / s->range);
            double *moved = &z[k->columns[k->kept + j]];
            *moved = exp(scale) * (*moved - t.value[1][j]);
            *log_det += scale;
        }
        p = act + 2 * s->d;
    }
    for (size_t j = 0; j < s->d; j++)
        square += z[j] * z[j];
    return *log_det - square / 2 - (double)s->d * log(2 * acos(-1)) / 2;
}

#endif
