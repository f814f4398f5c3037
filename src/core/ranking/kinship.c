/* Components, copies and kinds of embedders (core_ranking_parts.h). */
#include "core_ranking_parts.h"

#include <math.h>
#include <string.h>

static const double LEAST_SHARED = 0.01, ERRORS = 4, COPY = 0.95;

/* Joins the groups of a and b under the lower number. group (m): of each its root, flat. */
static void join(uint32_t *group, size_t m, size_t a, size_t b) {
    uint32_t low = group[a] < group[b] ? group[a] : group[b];
    uint32_t high = group[a] < group[b] ? group[b] : group[a];
    for (size_t i = 0; low != high && i < m; i++)
        if (group[i] == high)
            group[i] = low;
}

static bool is_edge(const double *is, const double *se, size_t cell) {
    double error = se && isfinite(se[cell]) ? se[cell] : 0;
    return is[cell] > fmax(LEAST_SHARED, ERRORS * error);
}

static size_t count_of(const uint32_t *group, size_t m, uint32_t which) {
    size_t count = 0;
    for (size_t i = 0; i < m; i++)
        count += group[i] == which;
    return count;
}

/* Renumbers roots (numbers of members, flat) to 0, 1, ... in order of size, the largest first. */
static size_t number_by_size(uint32_t *group, size_t m, size_t *largest) {
    size_t numbered = 0;
    for (;;) {
        size_t best = SIZE_MAX, size = 0;
        for (size_t i = 0; i < m; i++) {
            size_t count = group[i] == i ? count_of(group, m, (uint32_t)i) : 0;
            if (count > size) {
                best = i;
                size = count;
            }
        }
        if (best == SIZE_MAX)
            break;
        if (numbered == 0 && largest)
            *largest = size;
        for (size_t i = 0; i < m; i++)
            if (group[i] == best)
                group[i] = (uint32_t)(m + numbered); /* no root any more */
        numbered++;
    }
    for (size_t i = 0; i < m; i++)
        group[i] -= (uint32_t)m;
    return numbered;
}

size_t es_kinship_components(const double *is, const double *se, size_t m, uint32_t *component,
                             size_t *largest) {
    if (largest)
        *largest = 0;
    for (size_t i = 0; i < m; i++)
        component[i] = (uint32_t)i;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            if (a != b && is_edge(is, se, a * m + b))
                join(component, m, a, b);
    return number_by_size(component, m, largest);
}

void es_kinship_copies(const double *is, size_t m, uint32_t *first) {
    for (size_t i = 0; i < m; i++)
        first[i] = (uint32_t)i;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < a; b++) {
            double own_a = is[a * m + a], own_b = is[b * m + b]; /* NaN: no share is known */
            if (own_a > 0 && own_b > 0 && is[a * m + b] >= COPY * own_b &&
                is[b * m + a] >= COPY * own_a)
                join(first, m, a, b);
        }
}

size_t es_kinship_number(size_t n) {
    size_t few = 2 * n / 3, many = 2 * n / 5;
    if (n < 6)
        return n;
    few = few < 5 ? 5 : few > 8 ? 8 : few;
    many = many > 16 ? 16 : many;
    return few > many ? few : many;
}

/* ---- Distances ---- */

static bool is_known(const double *is, size_t m, size_t a, size_t b) {
    return a != b && isfinite(is[a * m + b]);
}

/* top (m): the most that any other embedder predicts of each, at least 1e-9. */
static void most_predicted(const double *is, size_t m, double *top) {
    for (size_t t = 0; t < m; t++) {
        top[t] = 1e-9;
        for (size_t s = 0; s < m; s++)
            if (is_known(is, m, s, t))
                top[t] = fmax(top[t], is[s * m + t]);
    }
}

/* Means over what is known of the rows and columns (m each), and of all. */
typedef struct means {
    double *row, *column, all;
} means;

/* Means of rows and columns without the diagonal. */
static void take_means(const double *is, size_t m, means *x) {
    size_t known = 0;
    memset(x->row, 0, m * sizeof *x->row);
    memset(x->column, 0, m * sizeof *x->column);
    x->all = 0;
    for (size_t i = 0; i < m; i++) {
        size_t in_row = 0, in_column = 0;
        for (size_t j = 0; j < m; j++) {
            x->row[i] += is_known(is, m, i, j) ? is[i * m + j] : 0;
            x->column[i] += is_known(is, m, j, i) ? is[j * m + i] : 0;
            in_row += is_known(is, m, i, j);
            in_column += is_known(is, m, j, i);
        }
        x->all += x->row[i];
        known += in_row;
        x->row[i] /= in_row > 0 ? (double)in_row : 1;
        x->column[i] /= in_column > 0 ? (double)in_column : 1;
    }
    x->all /= known > 0 ? (double)known : 1;
}

/* out (m, m): transposed, so that row t is column t of the matrix, without row and column means and
 * of length 1. On the diagonal, and for pairs that are not known, row mean + column mean - mean
 * stands in. mean (m): scratch. */
static void centre(const double *is, size_t m, const means *x, double *mean, double *out) {
    memset(mean, 0, m * sizeof *mean);
    for (size_t t = 0; t < m; t++)
        for (size_t s = 0; s < m; s++) {
            double value =
                is_known(is, m, s, t) ? is[s * m + t] : x->row[s] + x->column[t] - x->all;
            out[t * m + s] = value;
            mean[s] += value / (double)m;
        }
    for (size_t t = 0; t < m; t++) {
        double *column = out + t * m, sum = 0, squares = 0;
        for (size_t s = 0; s < m; s++)
            sum += column[s] -= mean[s];
        for (size_t s = 0; s < m; s++) {
            column[s] -= sum / (double)m;
            squares += column[s] * column[s];
        }
        for (size_t s = 0; s < m && squares > 0; s++)
            column[s] /= sqrt(squares);
    }
}

static double clamp(double share) {
    return share > 0 ? share < 1 ? share : 1 : 0; /* NaN: 0 */
}

/* out (m, m), symmetric, 0 on the diagonal. */
static es_status distances(const double *is, size_t m, double *out, es_error *err) {
    double *x = es_alloc(m, (m + 4) * sizeof *x);
    if (!x)
        return es_no_memory_for(err, "the kinds of %zu embedders", m);
    double *column = x, *top = x + m * m, *mean = top + m;
    means of = {.row = mean + m, .column = mean + 2 * m};
    most_predicted(is, m, top);
    take_means(is, m, &of);
    centre(is, m, &of, mean, column);
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            double mutual = clamp(is[a * m + b] / top[b]) + clamp(is[b * m + a] / top[a]);
            double alike = 0;
            for (size_t s = 0; s < m; s++)
                alike += column[a * m + s] * column[b * m + s];
            double d = a == b ? 0 : 0.5 * (1 - mutual / 2) + 0.5 * (1 - alike);
            out[a * m + b] = out[b * m + a] = d;
        }
    es_free(x);
    return ES_OK;
}

/* ---- Average linkage ---- */

/* Clusters by their first member; those that went into another have size 0. */
typedef struct linkage {
    size_t m, left;
    double *d;         // (m, m) mean distance of two clusters
    size_t *size;      // (m)
    size_t *nearest;   // (m) among the clusters behind it; SIZE_MAX: none
    uint32_t *cluster; // (m) of each embedder
} linkage;

static void find_nearest(linkage *l, size_t a) {
    l->nearest[a] = SIZE_MAX;
    for (size_t b = a + 1; b < l->m; b++)
        if (l->size[b] > 0 &&
            (l->nearest[a] == SIZE_MAX || l->d[a * l->m + b] < l->d[a * l->m + l->nearest[a]]))
            l->nearest[a] = b;
}

/* Cluster b becomes part of a, a < b. The nearest of others are stale then. */
static void merge(linkage *l, size_t a, size_t b) {
    double na = (double)l->size[a], nb = (double)l->size[b];
    for (size_t k = 0; k < l->m; k++)
        if (l->size[k] > 0 && k != a && k != b) {
            double d = (na * l->d[a * l->m + k] + nb * l->d[b * l->m + k]) / (na + nb);
            l->d[a * l->m + k] = l->d[k * l->m + a] = d;
        }
    for (size_t i = 0; i < l->m; i++)
        if (l->cluster[i] == b)
            l->cluster[i] = (uint32_t)a;
    l->size[a] += l->size[b];
    l->size[b] = 0;
    l->left--;
}

/* Finds the nearest clusters again after b was joined to a. */
static void refresh_nearest(linkage *l, size_t a, size_t b) {
    find_nearest(l, a);
    for (size_t k = 0; k < b; k++) {
        if (l->size[k] == 0 || k == a)
            continue;
        size_t near = l->nearest[k];
        if (near == a || near == b)
            find_nearest(l, k);
        else if (k < a && l->d[k * l->m + a] <= l->d[k * l->m + near] &&
                 (l->d[k * l->m + a] < l->d[k * l->m + near] || a < near))
            l->nearest[k] = a;
    }
}

static void merge_nearest(linkage *l) {
    size_t best = SIZE_MAX;
    for (size_t a = 0; a < l->m; a++) {
        if (l->size[a] == 0 || l->nearest[a] == SIZE_MAX)
            continue;
        if (best == SIZE_MAX ||
            l->d[a * l->m + l->nearest[a]] < l->d[best * l->m + l->nearest[best]])
            best = a;
    }
    size_t other = l->nearest[best];
    merge(l, best, other);
    refresh_nearest(l, best, other);
}

static void merge_given(linkage *l, const uint32_t *together) {
    for (size_t i = 1; together && i < l->m; i++)
        for (size_t j = 0; j < i; j++)
            if (together[j] == together[i] && l->cluster[j] == j && l->cluster[i] == i) {
                merge(l, j, i);
                break;
            }
    for (size_t a = 0; a < l->m; a++)
        find_nearest(l, a);
}

es_status es_kinship_kinds(const double *is, size_t m, const uint32_t *together, const es_run *run,
                           uint32_t *kind, size_t *count, es_error *err) {
    linkage l = {.m = m, .left = m, .cluster = kind};
    l.d = es_alloc(m + 1, (m + 1) * sizeof *l.d);
    l.size = es_alloc(m + 1, 2 * sizeof *l.size);
    l.nearest = l.size ? l.size + m : NULL;
    es_status st = l.d && l.size ? distances(is, m, l.d, err)
                                 : es_no_memory_for(err, "the kinds of %zu embedders", m);
    if (st == ES_OK) {
        for (size_t i = 0; i < m; i++) {
            l.size[i] = 1;
            kind[i] = (uint32_t)i;
        }
        merge_given(&l, together);
    }
    for (size_t wanted = es_kinship_number(l.left); st == ES_OK && l.left > wanted;) {
        merge_nearest(&l);
        st = es_run_check(run, err);
    }
    size_t found = 0;
    for (size_t i = 0; st == ES_OK && i < m; i++)
        kind[i] = kind[i] == i ? (uint32_t)found++ : kind[kind[i]]; /* its first is numbered */
    *count = found;
    es_free(l.d);
    es_free(l.size);
    return st;
}
