/* Who stands for a community: the member that covers most of the others, and the cheapest that
 * covers nearly as much. */
#include <math.h>

#include "core_structure.h"

/* Mean of the known is(i, j) over i of a kind and j of a kind. */
typedef struct mean_of {
    double sum;
    size_t n;
} mean_of;

static void add_to_mean(mean_of *mean, double v) {
    if (isfinite(v)) {
        mean->sum += v;
        mean->n++;
    }
}

static void take(mean_of *from, const mean_of *part) {
    from->sum -= part->sum;
    from->n -= part->n;
}

static double mean_value(const mean_of *mean) {
    if (mean->n == 0)
        return NAN;
    return mean->sum / (double)mean->n;
}

/* What is asked again and again: the most that is known about each of the first members. */
enum { KEPT = 256 };
typedef struct ceilings {
    double of[KEPT];
    size_t kept;
} ceilings;

static void find_ceilings(const double *is, size_t m, const uint32_t *members, size_t size,
                          ceilings *c) {
    c->kept = size < KEPT ? size : KEPT;
    for (size_t k = 0; k < c->kept; k++)
        c->of[k] = es_cover_ceiling(is, m, members[k]);
}

/* Mean cover of the other members by `source`, and for a community of one its own. */
static double covers(const double *is, size_t m, const uint32_t *members, size_t size,
                     const ceilings *c, size_t source) {
    mean_of mean = {0};
    for (size_t k = 0; k < size; k++)
        if (members[k] == source)
            add_to_mean(&mean, size == 1 ? 1 : (double)NAN); /* NaN is not counted */
        else
            add_to_mean(&mean, k < c->kept ? es_cover_under(is[source * m + members[k]], c->of[k])
                                           : es_cover(is, m, source, members[k]));
    return mean_value(&mean);
}

/* Rank 0, which is none, comes last. */
static bool ranks_before(const uint32_t *rank, size_t a, size_t b) {
    return rank[a] - 1u < rank[b] - 1u;
}

/* Finds the member that covers most of the others. */
static void find_centre(const double *is, size_t m, const uint32_t *members, size_t size,
                        const ceilings *ceiling, const uint32_t *rank, es_community_facts *out) {
    for (size_t k = 0; k < size; k++) {
        double c = covers(is, m, members, size, ceiling, members[k]);
        bool first = out->centre == SIZE_MAX;
        if (!isnan(c) && (first || c > out->covers ||
                          (c == out->covers && ranks_before(rank, members[k], out->centre)))) {
            out->centre = members[k];
            out->covers = c;
        }
    }
}

static size_t dim_of(const size_t *dim, size_t i) {
    return dim ? dim[i] : 0;
}

/* Among several that cover enough nobody is the cheapest while the dimensions of one are unknown.
 */
static void find_cheapest(const double *is, size_t m, const uint32_t *members, size_t size,
                          const ceilings *ceiling, const size_t *dim, const uint32_t *rank,
                          es_community_facts *out) {
    size_t enough = 0;
    bool known = true;
    out->cheapest = out->centre;
    out->cheapest_covers = out->covers;
    for (size_t k = 0; out->centre != SIZE_MAX && k < size; k++) {
        size_t i = members[k], least = dim_of(dim, out->cheapest);
        double c = covers(is, m, members, size, ceiling, i);
        if (!(c >= 0.95 * out->covers))
            continue;
        enough++;
        known = known && dim_of(dim, i) > 0;
        if (dim_of(dim, i) < least ||
            (dim_of(dim, i) == least && ranks_before(rank, i, out->cheapest))) {
            out->cheapest = i;
            out->cheapest_covers = c;
        }
    }
    if (enough > 1 && !known) {
        out->cheapest = SIZE_MAX;
        out->cheapest_covers = NAN;
    }
}

void es_community_describe(const double *is, size_t m, const uint32_t *members, size_t size,
                           const size_t *dim, const uint32_t *rank, es_community_facts *out) {
    mean_of inside = {0}, outgoing = {0}, incoming = {0};
    *out = (es_community_facts){
        .centre = SIZE_MAX, .covers = NAN, .cheapest = SIZE_MAX, .cheapest_covers = NAN};
    ceilings ceiling;
    find_ceilings(is, m, members, size, &ceiling);
    find_centre(is, m, members, size, &ceiling, rank, out);
    find_cheapest(is, m, members, size, &ceiling, dim, rank, out);
    for (size_t k = 0; k < size; k++) {
        size_t i = members[k];
        for (size_t l = 0; l < size; l++)
            if (l != k)
                add_to_mean(&inside, is[i * m + members[l]]);
        for (size_t j = 0; j < m; j++)
            if (j != i) {
                add_to_mean(&outgoing, is[i * m + j]);
                add_to_mean(&incoming, is[j * m + i]);
            }
    }
    /* What is left of all edges without the inner ones. */
    take(&outgoing, &inside);
    take(&incoming, &inside);
    out->inside = mean_value(&inside);
    out->outgoing = mean_value(&outgoing);
    out->incoming = mean_value(&incoming);
}
