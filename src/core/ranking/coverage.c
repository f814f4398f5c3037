/* A greedy choice of embedders that together simulate all others, as for the maximum coverage
 * problem (Nemhauser, Wolsey and Fisher 1978). */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_structure.h"

/* cover (m, m), best (m): what the subset covers of each target so far. */
static double gain_of(const double *cover, const double *best, size_t m, size_t i, double share) {
    double gain = 0;
    for (size_t j = 0; j < m; j++) {
        double now = fmin(share, best[j]), then = fmin(share, cover[i * m + j]);
        gain += then > now ? then - now : 0;
    }
    return gain;
}

/* Adds a model to the chosen ones: the best cover of each target, and how many are covered. */
static void add_model(const double *cover, double *best, size_t m, double share,
                      es_cover_step *step) {
    double sum = 0;
    step->covered = 0;
    for (size_t j = 0; j < m; j++) {
        best[j] = fmax(best[j], cover[step->model * m + j]);
        step->covered += best[j] >= share;
        sum += best[j];
    }
    step->mean = sum / (double)m;
}

es_status es_cover_greedy(const double *is, size_t m, double share, const size_t *dim,
                          const uint32_t *order, es_cover_step *step, size_t *steps,
                          es_error *err) {
    if (!(share > 0 && share <= 1))
        return es_fail(err, ES_EINVAL, "a share of %g is not above 0 and at most 1", share);
    ES_PASS(es_order_check(order, m, err));
    double *cover = es_alloc(m + 1, m * sizeof *cover);
    if (!cover)
        return es_no_memory_for(err, "%zu embedders", m);
    double *best = cover + m * m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double c = es_cover(is, m, i, j);
            cover[i * m + j] = isnan(c) ? 0 : c;
        }
    memset(best, 0, m * sizeof *best);
    size_t n = 0, covered = 0;
    while (covered < m) { /* everyone not covered yet would cover itself: each step gains */
        es_cover_step s = {.model = SIZE_MAX};
        for (size_t k = 0; k < m; k++) {
            size_t i = order ? order[k] : k;
            double gain = gain_of(cover, best, m, i, share);
            bool equal = s.model != SIZE_MAX && fabs(gain - s.gain) <= 1e-12;
            if (s.model == SIZE_MAX || (!equal && gain > s.gain) ||
                (equal && dim && dim[i] < dim[s.model])) {
                s.model = i;
                s.gain = gain;
            }
        }
        add_model(cover, best, m, share, &s);
        covered = s.covered;
        step[n++] = s;
    }
    *steps = n;
    es_free(cover);
    return ES_OK;
}
