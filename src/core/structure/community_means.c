/* Sums by community in one pass over the matrix, row by row. */
#include "core_structure.h"

#include <math.h>
#include <string.h>

static double mean(double sum, size_t known) {
    return known == 0 ? (double)NAN : sum / (double)known;
}

static double mean_inside(const double *is, size_t m, const es_community *c) {
    double sum = 0;
    size_t known = 0;
    for (size_t a = 0; a < c->size; a++)
        for (size_t b = 0; b < c->size; b++) {
            double v = is[c->members[a] * m + c->members[b]];
            if (a != b && isfinite(v)) {
                sum += v;
                known++;
            }
        }
    return mean(sum, known);
}

es_status es_communities_means(const double *is, const es_communities *found, double *inside,
                               double *between, es_error *err) {
    size_t m = found->m, groups = found->groups, pairs = groups * groups;
    size_t *known = es_alloc_zero(pairs + 1, sizeof *known);
    if (!known)
        return es_no_memory(err);
    memset(between, 0, pairs * sizeof *between);
    for (size_t i = 0; i < m; i++) {
        double *sum = between + found->group[i] * groups;
        size_t *count = known + found->group[i] * groups;
        for (size_t j = 0; j < m; j++) {
            double v = is[i * m + j];
            if (i == j || !isfinite(v))
                continue;
            sum[found->group[j]] += v;
            count[found->group[j]]++;
        }
    }
    for (size_t k = 0; k < pairs; k++)
        between[k] = mean(between[k], known[k]);
    for (size_t k = 0; k < found->listed; k++)
        inside[k] = k < groups ? between[k * groups + k] : mean_inside(is, m, &found->list[k]);
    es_free(known);
    return ES_OK;
}

es_status es_community_means_of(const double *is, const es_communities *found, size_t group,
                                double *to, double *from, es_error *err) {
    size_t m = found->m;
    const es_community *own = &found->list[group];
    double *sum = es_alloc_zero(4 * m + 1, sizeof *sum);
    if (!sum)
        return es_no_memory(err);
    double *back = sum + m, *known = back + m, *known_back = known + m;
    for (size_t k = 0; k < own->size; k++)
        for (size_t i = own->members[k], j = 0; j < m; j++) {
            double there = is[i * m + j], here = is[j * m + i];
            if (isfinite(there)) {
                sum[j] += there;
                known[j]++;
            }
            if (isfinite(here)) {
                back[j] += here;
                known_back[j]++;
            }
        }
    for (size_t g = 0; g < found->listed; g++) {
        double total[4] = {0};
        for (size_t k = 0; k < found->list[g].size; k++)
            for (size_t s = 0; s < 4; s++)
                total[s] += sum[s * m + found->list[g].members[k]];
        to[g] = mean(total[0], (size_t)total[2]);
        from[g] = mean(total[1], (size_t)total[3]);
    }
    es_free(sum);
    return ES_OK;
}
