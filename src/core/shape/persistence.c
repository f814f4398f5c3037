/* Total persistence: components by Prim's tree over all distances of a sample, loops by persistent
 * cohomology of a smaller one. An edge's column is its coboundary, the triangles over it; most
 * columns have a pivot that nobody owns, and are never made. */
#include "core_shape.h"

#include <math.h>
#include <string.h>

/* ---- components ---- */

es_status es_persistence_h0(const double *distance, size_t n, const es_run *run, double *out,
                            es_error *err) {
    double *near = es_alloc(n, sizeof *near), sum = 0; /* of each row to the tree; NaN: in it */
    es_status st = ES_OK;
    ES_FAIL_IF(!near, es_no_memory_for(err, "%zu rows", n));
    for (size_t i = 0; i < n; i++)
        near[i] = i == 0 ? (double)NAN : HUGE_VAL;
    for (size_t added = 1, last = 0; added < n; added++) {
        size_t next = SIZE_MAX;
        if (added % 64 == 0)
            ES_TRY(es_run_check(run, err));
        for (size_t i = 0; i < n; i++) {
            if (isnan(near[i]))
                continue;
            near[i] = fmin(near[i], distance[last * n + i]);
            if (next == SIZE_MAX || near[i] < near[next])
                next = i;
        }
        if (next == SIZE_MAX)
            break;
        sum += near[next];
        near[next] = (double)NAN;
        last = next;
    }
    *out = sum;
done:
    es_free(near);
    return st;
}

double es_persistence_h0_ref(const double *distance, size_t n) {
    uint32_t *tree = es_alloc(n, sizeof *tree);
    double sum = 0;
    for (size_t i = 0; tree && i < n; i++)
        tree[i] = (uint32_t)i;
    for (size_t added = 1; tree && added < n; added++) {
        size_t a = SIZE_MAX, b = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                if (tree[i] != tree[j] &&
                    (a == SIZE_MAX || distance[i * n + j] < distance[a * n + b])) {
                    a = i;
                    b = j;
                }
        if (a == SIZE_MAX)
            break;
        sum += distance[a * n + b];
        for (size_t i = 0, from = tree[a], to = tree[b]; i < n; i++)
            tree[i] = tree[i] == from ? (uint32_t)to : tree[i];
    }
    double result = tree ? sum : (double)NAN;
    es_free(tree);
    return result;
}

/* ---- loops ---- */

/* A growing list of numbers. */
typedef struct list {
    uint32_t *at;
    size_t count, room;
} list;

static es_status list_add(list *l, uint32_t value, es_error *err) {
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 1024;
        uint32_t *more = es_realloc(l->at, room, sizeof *more);
        if (!more)
            return es_no_memory_for(err, "%zu simplices", room);
        l->at = more;
        l->room = room;
    }
    l->at[l->count++] = value;
    return ES_OK;
}

/* A simplex is known by a number in the order of the filtration: an edge by its rank among all by
 * length, a triangle by that of its longest edge, times n, plus the corner opposite to it. */
typedef struct filtration {
    size_t n, edges;
    uint32_t *rank;   /* (n, n) of the edge between two rows */
    uint32_t *end[2]; /* (edges) the rows of an edge */
    double *length;   /* (edges) ascending */
    bool *tree;       /* (edges) of the minimum spanning tree: they end a component */
    uint32_t *owner;  /* (edges, n) of a triangle: the edge that it ends, plus 1; 0: none */
    list sums;        /* edges that were added to a column, its own among them, one column after
                         the other */
    size_t *from;     /* (edges + 1, 2) where those of an edge begin and end; equal: itself alone */
    list heap;        /* triangles of the column at work, the first on top; twice is none */
} filtration;

static void filtration_free(filtration *f) {
    es_free(f->rank);
    es_free(f->end[0]);
    es_free(f->end[1]);
    es_free(f->length);
    es_free(f->tree);
    es_free(f->owner);
    es_free(f->sums.at);
    es_free(f->from);
    es_free(f->heap.at);
}

static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static es_status filtration_new(const double *distance, size_t n, filtration *f, es_error *err) {
    size_t edges = f->edges = n * (n - 1) / 2;
    double *raw = es_alloc(edges, sizeof *raw);
    uint32_t *order = es_alloc(edges, 2 * sizeof *order), *scratch = order ? order + edges : NULL;
    uint32_t *parent = es_alloc(n, sizeof *parent);
    es_status st = ES_OK;
    f->n = n;
    f->rank = es_alloc_zero(n * n, sizeof *f->rank);
    f->length = es_alloc(edges, sizeof *f->length);
    f->tree = es_alloc_zero(edges, sizeof *f->tree);
    f->owner = es_alloc_zero(edges * n, sizeof *f->owner);
    f->from = es_alloc_zero(edges + 1, 2 * sizeof *f->from);
    for (size_t k = 0; k < 2; k++)
        f->end[k] = es_alloc(edges, sizeof *f->end[k]);
    ES_FAIL_IF(!raw || !order || !parent || !f->rank || !f->length || !f->tree || !f->owner ||
                   !f->from || !f->end[0] || !f->end[1],
               es_no_memory_for(err, "triangles of %zu rows", n));
    for (size_t i = 0, e = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            raw[e++] = distance[i * n + j];
    es_sort_order(raw, order, scratch, edges);
    for (size_t r = 0; r < edges; r++)
        scratch[order[r]] = (uint32_t)r;
    for (size_t i = 0, e = 0; i < n; i++) {
        parent[i] = (uint32_t)i;
        for (size_t j = i + 1; j < n; j++, e++) {
            uint32_t r = scratch[e];
            f->rank[i * n + j] = f->rank[j * n + i] = r;
            f->end[0][r] = (uint32_t)i;
            f->end[1][r] = (uint32_t)j;
            f->length[r] = raw[e];
        }
    }
    for (size_t r = 0; r < edges; r++) {
        uint32_t a = root_of(parent, f->end[0][r]), b = root_of(parent, f->end[1][r]);
        f->tree[r] = a != b;
        parent[a] = b;
    }
done:
    es_free(raw);
    es_free(order);
    es_free(parent);
    return st;
}

/* The triangle over edge e with row v, which is none of its ends. */
static uint32_t triangle(const filtration *f, uint32_t e, size_t v) {
    uint32_t i = f->end[0][e], j = f->end[1][e], a = f->rank[i * f->n + v],
             b = f->rank[j * f->n + v], most = a > b ? a : b;
    size_t corner = e > most ? v : a > b ? j : i;
    return (uint32_t)((e > most ? e : most) * f->n + corner);
}

static bool is_end(const filtration *f, uint32_t e, size_t v) {
    return v == f->end[0][e] || v == f->end[1][e];
}

static es_status heap_push(list *h, uint32_t value, es_error *err) {
    ES_PASS(list_add(h, value, err));
    size_t at = h->count - 1;
    for (; at > 0 && h->at[(at - 1) / 2] > value; at = (at - 1) / 2)
        h->at[at] = h->at[(at - 1) / 2];
    h->at[at] = value;
    return ES_OK;
}

static uint32_t heap_pop(list *h) {
    uint32_t top = h->at[0], last = h->at[--h->count];
    size_t at = 0;
    for (size_t next; (next = 2 * at + 1) < h->count; at = next) {
        next += next + 1 < h->count && h->at[next + 1] < h->at[next];
        if (h->at[next] >= last)
            break;
        h->at[at] = h->at[next];
    }
    h->at[at] = last;
    return top;
}

/* The first triangle that is there an odd number of times; false: there is none. */
static bool take_pivot(list *h, uint32_t *out) {
    while (h->count > 0) {
        uint32_t top = heap_pop(h);
        if (h->count == 0 || h->at[0] != top) {
            *out = top;
            return true;
        }
        (void)heap_pop(h);
    }
    return false;
}

/* Adds the triangles over an edge to the column at work. */
static es_status add_edge(filtration *f, uint32_t e, es_error *err) {
    es_status st = list_add(&f->sums, e, err);
    for (size_t v = 0; st == ES_OK && v < f->n; v++)
        if (!is_end(f, e, v))
            st = heap_push(&f->heap, triangle(f, e, v), err);
    return st;
}

/* Adds columns of earlier edges until the pivot is nobody's. */
static es_status reduce(filtration *f, uint32_t e, uint32_t *pivot, es_error *err) {
    size_t first = f->sums.count;
    f->heap.count = 0;
    ES_PASS(add_edge(f, e, err));
    while (take_pivot(&f->heap, pivot)) {
        uint32_t other = f->owner[*pivot];
        if (other == 0)
            break;
        ES_PASS(heap_push(&f->heap, *pivot, err));
        const size_t *part = f->from + 2 * (size_t)(other - 1);
        if (part[0] == part[1])
            ES_PASS(add_edge(f, other - 1, err));
        for (size_t k = part[0]; k < part[1]; k++)
            ES_PASS(add_edge(f, f->sums.at[k], err));
    }
    f->from[2 * (size_t)e] = first;
    f->from[2 * (size_t)e + 1] = f->sums.count;
    return ES_OK;
}

es_status es_persistence_h1(const double *distance, size_t n, const es_run *run, double *out,
                            size_t *loops, es_error *err) {
    filtration f = {0};
    es_status st = ES_OK;
    double sum = 0;
    size_t count = 0;
    if (n > ES_PERSISTENCE_LOOP_ROWS)
        return es_fail(err, ES_EINVAL, "loops of at most %d rows, not %zu",
                       (int)ES_PERSISTENCE_LOOP_ROWS, n);
    if (n < 3) {
        *out = 0;
        *loops = 0;
        return ES_OK;
    }
    ES_TRY(filtration_new(distance, n, &f, err));
    for (size_t r = f.edges; r-- > 0;) {
        uint32_t e = (uint32_t)r, pivot = UINT32_MAX;
        if (f.tree[e])
            continue;
        if (r % 64 == 0)
            ES_TRY(es_run_check(run, err));
        for (size_t v = 0; v < n; v++)
            if (!is_end(&f, e, v)) {
                uint32_t t = triangle(&f, e, v);
                pivot = t < pivot ? t : pivot;
            }
        if (f.owner[pivot] != 0)
            ES_TRY(reduce(&f, e, &pivot, err));
        f.owner[pivot] = e + 1;
        double life = f.length[pivot / n] - f.length[e];
        sum += life;
        count += life > 0;
    }
    *out = sum;
    *loops = count;
done:
    filtration_free(&f);
    return st;
}

/* ---- of an embedder ---- */

/* Stores one row of distances; nearly equal rows have distance 0. */
static void put_row(void *context, const es_space *space, size_t i, const double *d2) {
    double *to = (double *)context + i * space->n;
    for (size_t j = 0; j < space->n; j++) {
        bool close = d2[j] < 1e-6 * (space->norm2[i] + space->norm2[j]);
        to[j] = i == j ? 0 : sqrt(close ? es_space_exact(space, i, j) : d2[j]);
    }
}

/* All distances (count, count) of a sample, over their root mean square unless raw; *scale is that,
 * 0 where all rows are equal. */
static es_status sample_distances(const es_matrix *m, const es_persistence_rules *rules,
                                  size_t count, const es_run *run, double **out, double *scale,
                                  es_error *err) {
    uint32_t *rows = es_alloc(count, sizeof *rows);
    es_matrix part = {0};
    es_space space = {0};
    double *d = es_alloc(count, count * sizeof *d), squares = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!rows || !d, es_no_memory_for(err, "distances of %zu rows", count));
    ES_TRY(es_sample_rows(m->n, count, rules->seed, rows, err));
    ES_TRY(es_matrix_rows(m, rows, count, &part, err));
    ES_TRY(es_space_new(&part, rules->metric, &space, err));
    ES_TRY(es_space_each(&space, run, put_row, d, err));
    for (size_t i = 0; i < count * count; i++)
        squares += d[i] * d[i];
    *scale = sqrt(squares / ((double)count * (double)(count - 1)));
    for (size_t i = 0; i < count * count && !rules->raw && *scale > 0; i++)
        d[i] /= *scale;
    *out = d;
    d = NULL;
done:
    es_free(rows);
    es_free(d);
    es_matrix_free(&part);
    es_space_free(&space);
    return st;
}

es_status es_persistence_of(const es_matrix *m, const es_persistence_rules *rules,
                            const es_run *run, es_persistence *out, es_error *err) {
    es_persistence p = {.h0 = NAN, .h1 = NAN, .rows = m->n < rules->rows ? m->n : rules->rows};
    size_t few = m->n < rules->loop_rows ? m->n : rules->loop_rows;
    double *d = NULL, scale = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(p.rows < 2, es_fail(err, ES_EEMPTY, "fewer than 2 rows"));
    ES_TRY(sample_distances(m, rules, p.rows, run, &d, &scale, err));
    if (scale > 0)
        ES_TRY(es_persistence_h0(d, p.rows, run, &p.h0, err));
    es_free(d);
    d = NULL;
    if (few >= 2) {
        ES_TRY(sample_distances(m, rules, few, run, &d, &scale, err));
        if (scale > 0)
            ES_TRY(es_persistence_h1(d, few, run, &p.h1, &p.loops, err));
    }
    *out = p;
done:
    es_free(d);
    return st;
}
