/* A row a step: its dual variable goes to where the gradient ends, and the weights follow. */
#include "probe_svm.h"

#include <math.h>
#include <string.h>

enum { PASSES = 1000 };
#define PRECISION 1e-9 /* of the steps of a pass, against the largest so far */

typedef struct machine {
    const es_matrix *x;
    const double *y;
    bool classes;
    double ridge; /* on the diagonal of the dual: penalty n */
    double *dual; /* (n) */
    double *size; /* (n) |x|^2 + 1 + ridge */
    double *w;    /* (d + 1) */
} machine;

static double output(const machine *m, size_t i) {
    const double *row = m->x->x + i * m->x->d;
    double sum = m->w[m->x->d];
    for (size_t j = 0; j < m->x->d; j++)
        sum += m->w[j] * row[j];
    return sum;
}

/* Where the i-th dual variable is best, the others held. Of classes it is y times a number above 0.
 */
static double best_dual(const machine *m, size_t i) {
    double own = m->dual[i], slope = output(m, i) - m->y[i] + m->ridge * own;
    if (m->classes) {
        double best = own - slope / m->size[i];
        return best * m->y[i] > 0 ? best : 0;
    }
    double below = own - (slope + ES_PROBE_TUBE) / m->size[i],
           above = own - (slope - ES_PROBE_TUBE) / m->size[i];
    return below > 0 ? below : above < 0 ? above : 0;
}

/* Returns the largest change of an output. */
static double pass(machine *m) {
    size_t d = m->x->d;
    double largest = 0;
    for (size_t i = 0; i < m->x->n; i++) {
        double step = best_dual(m, i) - m->dual[i];
        if (step == 0)
            continue;
        const double *row = m->x->x + i * d;
        m->dual[i] += step;
        for (size_t j = 0; j < d; j++)
            m->w[j] += step * row[j];
        m->w[d] += step;
        largest = fmax(largest, fabs(step) * m->size[i]);
    }
    return largest;
}

es_status es_probe_svm(const es_matrix *x, const double *y, bool classes, double penalty,
                       const es_run *run, double *w, es_error *err) {
    size_t n = x->n, d = x->d;
    double *dual = es_alloc_zero(n, 2 * sizeof *dual), first = 0;
    es_status st = ES_OK;
    if (!dual)
        return es_no_memory_for(err, "%zu rows", n);
    machine m = {x, y, classes, penalty * (double)n, dual, dual + n, w};
    memset(w, 0, (d + 1) * sizeof *w);
    for (size_t i = 0; i < n; i++) {
        m.size[i] = 1 + m.ridge;
        for (size_t j = 0; j < d; j++)
            m.size[i] += x->x[i * d + j] * x->x[i * d + j];
    }
    for (size_t k = 0; k < PASSES; k++) {
        ES_TRY(es_run_check(run, err));
        double moved = pass(&m);
        first = fmax(first, moved);
        if (moved <= PRECISION * first)
            break;
    }
done:
    es_free(dual);
    return st;
}
