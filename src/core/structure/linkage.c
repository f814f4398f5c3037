/* Distances between observations with missing values, then merging: nearest-neighbour chains, a
 * minimum spanning tree or the closest pair of all (Muellner 2011), numbered as SciPy does. */

#include <math.h>
#include <string.h>

#include "core_structure_parts.h"

void es_linkage_free(es_linkage *linkage) {
    if (!linkage)
        return;
    es_free(linkage->merge);
    es_free(linkage->order);
    es_free(linkage);
}

/* The matrix as observations by rows, with the diagonal as asked and NaN for all that is missing.
 */
static void prepare(const double *is, size_t m, es_linkage_of of, es_diagonal diagonal,
                    double *rows) {
    double most = NAN;
    for (size_t k = 0; k < m * m; k++)
        if (isfinite(is[k]) && !(is[k] <= most))
            most = is[k];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double v = of == ES_LINKAGE_SOURCES ? is[i * m + j] : is[j * m + i];
            if (i == j && diagonal == ES_DIAGONAL_MAX)
                v = most;
            if (i == j && diagonal == ES_DIAGONAL_MISSING)
                v = NAN;
            rows[i * m + j] = isfinite(v) ? v : (double)NAN;
        }
}

/* Sums are added up in the order of the coordinates, whoever else is at work beside them, so that a
 * distance is the same by both ways below: of one pair, and of one with several others at once,
 * which do not wait for each other's additions. */
enum { BESIDE = 8 };

static double distance_of(double sum, size_t common, size_t length) {
    if (common == 0)
        return NAN;
    return sqrt(common < length ? sum * (double)length / (double)common : sum);
}

static double distance_between(const double *a, const double *b, size_t length) {
    double sum = 0;
    size_t common = 0;
    for (size_t k = 0; k < length; k++) {
        double d = a[k] - b[k];
        if (isnan(d))
            continue;
        sum += d * d;
        common++;
    }
    return distance_of(sum, common, length);
}

/* From a to the rows b[0] to b[BESIDE - 1]. */
static void distances_beside(const double *a, const double *b, size_t length, double *out) {
    double sum[BESIDE] = {0};
    size_t common[BESIDE] = {0};
    for (size_t k = 0; k < length; k++)
        for (size_t l = 0; l < BESIDE; l++) {
            double d = a[k] - b[l * length + k];
            bool known = d == d; /* adding 0 changes no sum */
            sum[l] += known ? d * d : 0;
            common[l] += known;
        }
    for (size_t l = 0; l < BESIDE; l++)
        out[l] = distance_of(sum[l], common[l], length);
}

/* rows (m, length), distance (m, m) with 0 on the diagonal; NaN: nothing in common. */
static es_status distances(const double *rows, size_t m, size_t length, const es_run *run,
                           double *distance, es_error *err) {
    for (size_t i = 0; i < m; i++) {
        const double *row = rows + i * length;
        double *to = distance + i * m;
        size_t j = 0;
        ES_PASS(es_run_check(run, err));
        for (; j + BESIDE <= i; j += BESIDE)
            distances_beside(row, rows + j * length, length, to + j);
        for (; j < i; j++)
            to[j] = distance_between(row, rows + j * length, length);
        to[i] = 0;
        for (j = 0; j <= i; j++)
            distance[j * m + i] = to[j];
    }
    return ES_OK;
}

/* Distances that are not known become the largest one; returns how many pairs had to. */
static size_t fill(double *distance, size_t m) {
    double most = 0;
    size_t unknown = 0;
    for (size_t k = 0; k < m * m; k++) {
        unknown += isnan(distance[k]) ? 1 : 0;
        most = distance[k] > most ? distance[k] : most;
    }
    for (size_t k = 0; unknown > 0 && k < m * m; k++)
        if (isnan(distance[k]))
            distance[k] = most > 0 ? most : 1;
    return unknown / 2;
}

/* Lance and Williams: distance of cluster i (of size ni) to the union of x and y, which are xy
 * apart. */
static double joined(es_linkage_method method, double xi, double yi, double xy, double nx,
                     double ny, double ni) {
    switch (method) {
    case ES_LINKAGE_WARD: {
        double n = nx + ny + ni;
        return sqrt(((nx + ni) * xi * xi + (ny + ni) * yi * yi - ni * xy * xy) / n);
    }
    case ES_LINKAGE_AVERAGE:
        return (nx * xi + ny * yi) / (nx + ny);
    case ES_LINKAGE_COMPLETE:
        return fmax(xi, yi);
    case ES_LINKAGE_SINGLE:
        return fmin(xi, yi);
    default:
        return sqrt(fmax(0, 0.5 * xi * xi + 0.5 * yi * yi - 0.25 * xy * xy));
    }
}

/* Clusters at work: cluster x lives in row x of distance, size 0 once it was merged away. */
typedef struct clusters {
    size_t m;
    es_linkage_method method;
    double *distance; /* (m, m) */
    double *size;     /* (m) */
    uint32_t *chain;  /* (m) scratch */
} clusters;

/* y becomes the union of x and y. */
static void join(clusters *c, size_t x, size_t y) {
    double xy = c->distance[x * c->m + y], nx = c->size[x], ny = c->size[y];
    c->size[x] = 0;
    for (size_t i = 0; i < c->m; i++) {
        if (c->size[i] == 0 || i == y)
            continue;
        double d = joined(c->method, c->distance[x * c->m + i], c->distance[y * c->m + i], xy, nx,
                          ny, c->size[i]);
        c->distance[y * c->m + i] = c->distance[i * c->m + y] = d;
    }
    c->size[y] = nx + ny;
}

/* The first living cluster closest to x; of equals the preferred one (SIZE_MAX: none). */
static size_t closest(const clusters *c, size_t x, size_t preferred) {
    size_t best = preferred;
    double least = preferred == SIZE_MAX ? (double)INFINITY : c->distance[x * c->m + preferred];
    for (size_t i = 0; i < c->m; i++)
        if (i != x && c->size[i] > 0 && c->distance[x * c->m + i] < least) {
            least = c->distance[x * c->m + i];
            best = i;
        }
    return best;
}

/* Follows nearest neighbours until two are each other's: they merge in every order of merging. */
static void merge_by_chain(clusters *c, es_merge *merge) {
    size_t length = 0;
    for (size_t k = 0; k + 1 < c->m; k++) {
        for (size_t i = 0; length == 0 && i < c->m; i++)
            if (c->size[i] > 0)
                c->chain[length++] = (uint32_t)i;
        size_t x = 0, y = 0;
        for (;;) {
            size_t before = length > 1 ? c->chain[length - 2] : SIZE_MAX;
            x = c->chain[length - 1];
            y = closest(c, x, before);
            if (y == before)
                break;
            c->chain[length++] = (uint32_t)y;
        }
        length -= 2;
        if (x > y) {
            size_t swap = x;
            x = y;
            y = swap;
        }
        merge[k] = (es_merge){(uint32_t)x, (uint32_t)y, c->distance[x * c->m + y], 0};
        join(c, x, y);
    }
}

/* Prim's minimum spanning tree from embedder 0. near (m): distance to the tree. */
static void merge_by_tree(clusters *c, double *near, es_merge *merge) {
    for (size_t i = 0; i < c->m; i++)
        near[i] = (double)INFINITY;
    size_t x = 0;
    for (size_t k = 0; k + 1 < c->m; k++) {
        size_t next = SIZE_MAX;
        c->size[x] = 0;
        for (size_t i = 0; i < c->m; i++) {
            if (c->size[i] == 0)
                continue;
            near[i] = fmin(near[i], c->distance[x * c->m + i]);
            if (next == SIZE_MAX || near[i] < near[next])
                next = i;
        }
        merge[k] = (es_merge){(uint32_t)x, (uint32_t)next, near[next], 0};
        x = next;
    }
}

/* Always the closest pair of all: merges in the order in which they are found. */
static void merge_by_search(clusters *c, es_merge *merge) {
    for (size_t k = 0; k + 1 < c->m; k++) {
        size_t x = SIZE_MAX, y = SIZE_MAX;
        for (size_t i = 0; i < c->m; i++)
            for (size_t j = i + 1; c->size[i] > 0 && j < c->m; j++)
                if (c->size[j] > 0 &&
                    (x == SIZE_MAX || c->distance[i * c->m + j] < c->distance[x * c->m + y])) {
                    x = i;
                    y = j;
                }
        merge[k] = (es_merge){(uint32_t)x, (uint32_t)y, c->distance[x * c->m + y], 0};
        join(c, x, y);
    }
}

static uint32_t root_of(const uint32_t *parent, uint32_t c) {
    while (parent[c] != c)
        c = parent[c];
    return c;
}

/* From embedders that represent clusters to SciPy's numbers. parent (2 m - 1), size (2 m - 1). */
static void number_clusters(es_merge *merge, size_t m, uint32_t *parent, uint32_t *size) {
    for (size_t c = 0; c < 2 * m - 1; c++) {
        parent[c] = (uint32_t)c;
        size[c] = 1;
    }
    for (size_t k = 0; k + 1 < m; k++) {
        uint32_t a = root_of(parent, merge[k].a), b = root_of(parent, merge[k].b);
        uint32_t c = (uint32_t)(m + k);
        parent[a] = parent[b] = c;
        size[c] = size[a] + size[b];
        merge[k] = (es_merge){a < b ? a : b, a < b ? b : a, merge[k].height, size[c]};
    }
}

/* Stably by height; sorted, index, scratch: as long as merge. */
static void sort_merges(es_merge *merge, size_t n, double *key, es_merge *sorted, uint32_t *index) {
    for (size_t k = 0; k < n; k++)
        key[k] = merge[k].height;
    es_sort_order(key, index, index + n, n);
    for (size_t k = 0; k < n; k++)
        sorted[k] = merge[index[k]];
    memcpy(merge, sorted, n * sizeof *merge);
}

static es_status merge_all(es_linkage_method method, const double *distance, size_t m,
                           es_merge *merge, es_error *err) {
    clusters c = {.m = m, .method = method};
    es_status st = ES_OK;
    c.distance = es_alloc(m, m * sizeof *c.distance);
    c.size = es_alloc(m, 2 * sizeof *c.size);
    c.chain = es_alloc(m, 4 * sizeof *c.chain);
    es_merge *sorted = es_alloc(m, sizeof *sorted);
    ES_FAIL_IF(!c.distance || !c.size || !c.chain || !sorted,
               es_no_memory_for(err, "the dendrogram of %zu embedders", m));
    memcpy(c.distance, distance, m * m * sizeof *distance);
    for (size_t i = 0; i < m; i++)
        c.size[i] = 1;
    if (method == ES_LINKAGE_MEDIAN)
        merge_by_search(&c, merge);
    else if (method == ES_LINKAGE_SINGLE)
        merge_by_tree(&c, c.size + m, merge);
    else
        merge_by_chain(&c, merge);
    if (method != ES_LINKAGE_MEDIAN)
        sort_merges(merge, m - 1, c.size, sorted, c.chain);
    number_clusters(merge, m, c.chain, c.chain + 2 * m);
done:
    es_free(c.distance);
    es_free(c.size);
    es_free(c.chain);
    es_free(sorted);
    return st;
}

/* Beyond this the square of a distance, times the size of a cluster, is no number any more. */
static const double most_distance = 1e150;

static es_status check_distances(const double *distance, size_t m, es_error *err) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            if (!(distance[i * m + j] <= most_distance))
                return es_fail(err, ES_ENONFINITE,
                               "embedders %zu and %zu are too far apart for a dendrogram; a value "
                               "of the matrix is too large",
                               i + 1, j + 1);
    return ES_OK;
}

/* Takes the distances, whose unknown ones are filled in place. */
static es_status link_all(double *distance, size_t m, es_linkage_method method, const es_run *run,
                          es_linkage **out, es_error *err) {
    es_status st = ES_OK;
    es_linkage *l = es_alloc_zero(1, sizeof *l);
    if (l) {
        l->m = m;
        l->merge = es_alloc(m, sizeof *l->merge);
        l->order = es_alloc(m, sizeof *l->order);
    }
    ES_FAIL_IF(!l || !l->merge || !l->order,
               es_no_memory_for(err, "the dendrogram of %zu embedders", m));
    l->filled = fill(distance, m);
    ES_TRY(check_distances(distance, m, err));
    if (m > 1)
        ES_TRY(merge_all(method, distance, m, l->merge, err));
    ES_TRY(es_leaf_order(l->merge, distance, m, run, l->order, err));
    *out = l;
    l = NULL;
done:
    es_linkage_free(l);
    return st;
}

es_status es_linkage_of_distances(const double *distance, size_t m, es_linkage_method method,
                                  const es_run *run, es_linkage **out, es_error *err) {
    double *own = es_alloc(m, m * sizeof *own);
    if (!own)
        return es_no_memory_for(err, "the dendrogram of %zu leaves", m);
    memcpy(own, distance, m * m * sizeof *own);
    es_status st = link_all(own, m, method, run, out, err);
    es_free(own);
    return st;
}

es_status es_linkage_of_rows(const double *rows, size_t m, size_t length, es_linkage_method method,
                             const es_run *run, es_linkage **out, es_error *err) {
    double *distance = es_alloc(m, m * sizeof *distance);
    if (!distance)
        return es_no_memory_for(err, "the dendrogram of %zu embedders", m);
    es_status st = distances(rows, m, length, run, distance, err);
    if (st == ES_OK)
        st = link_all(distance, m, method, run, out, err);
    es_free(distance);
    return st;
}

es_status es_linkage_new(const double *is, size_t m, es_linkage_method method, es_linkage_of of,
                         es_diagonal diagonal, const es_run *run, es_linkage **out, es_error *err) {
    double *rows = es_alloc(m, m * sizeof *rows);
    if (!rows)
        return es_no_memory_for(err, "the dendrogram of %zu embedders", m);
    prepare(is, m, of, diagonal, rows);
    es_status st = es_linkage_of_rows(rows, m, m, method, run, out, err);
    es_free(rows);
    return st;
}

es_status es_linkage_cluster(const double *is, size_t m, const es_run *run, es_linkage **out,
                             es_error *err) {
    return es_linkage_new(is, m, ES_LINKAGE_AVERAGE, ES_LINKAGE_SOURCES, ES_DIAGONAL_MISSING, run,
                          out, err);
}
