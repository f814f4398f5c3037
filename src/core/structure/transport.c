/* Rows send m / g units each, columns take n / g, where g is the greatest common divisor. Prices
 * keep cost - u - v >= 0, and 0 where something is carried, so that the cheapest way for more is
 * found by Dijkstra's algorithm among them. */
#include "core_structure.h"

#include <math.h>
#include <string.h>

#define NOWHERE SIZE_MAX

typedef struct transport {
    const double *cost; /* (n, m) */
    size_t n, m;
    uint32_t *carried;   /* (n, m) units */
    uint32_t *open;      /* (m) units that a column still takes */
    double *u, *v;       /* (n), (m) prices */
    double *to_row;      /* (n) length of the cheapest way; INFINITY: not reached */
    double *to_column;   /* (m) */
    size_t *from_row;    /* (m) row before a column on its way */
    size_t *from_column; /* (n) column before a row; NOWHERE: the way begins there */
    bool *done;          /* (m) its cheapest way is known */
} transport;

static void free_all(transport *t) {
    es_free(t->carried);
    es_free(t->open);
    es_free(t->u);
    es_free(t->to_row);
    es_free(t->from_row);
    es_free(t->done);
}

static es_status allocate_transport(transport *t, es_error *err) {
    size_t all = t->n + t->m;
    t->carried = es_alloc_zero(t->n * t->m, sizeof *t->carried);
    t->open = es_alloc(t->m, sizeof *t->open);
    t->u = es_alloc_zero(all, sizeof *t->u);
    t->to_row = es_alloc(all, sizeof *t->to_row);
    t->from_row = es_alloc(all, sizeof *t->from_row);
    t->done = es_alloc(t->m, sizeof *t->done);
    if (!t->carried || !t->open || !t->u || !t->to_row || !t->from_row || !t->done)
        return es_no_memory_for(err, "%zu and %zu points", t->n, t->m);
    t->v = t->u + t->n;
    t->to_column = t->to_row + t->n;
    t->from_column = t->from_row + t->m;
    return ES_OK;
}

/* A row is reached: columns may be nearer by it. */
static void reach_row(transport *t, size_t i, double length, size_t by) {
    const double *cost = t->cost + i * t->m;
    t->to_row[i] = length;
    t->from_column[i] = by;
    for (size_t j = 0; j < t->m; j++) {
        double way = length + cost[j] - t->u[i] - t->v[j];
        if (!t->done[j] && way < t->to_column[j]) {
            t->to_column[j] = way;
            t->from_row[j] = i;
        }
    }
}

/* Returns the column not yet reached with the shortest path; NOWHERE: none. */
static size_t nearest_open_column(const transport *t) {
    size_t best = NOWHERE;
    for (size_t j = 0; j < t->m; j++)
        if (!t->done[j] && (best == NOWHERE || t->to_column[j] < t->to_column[best]))
            best = j;
    return best;
}

/* The nearest column that takes more, from row `start`; prices are moved so that its way costs
 * nothing. There is one, as there is as much to take as to give. */
static size_t find_way(transport *t, size_t start) {
    size_t end = NOWHERE;
    for (size_t i = 0; i < t->n; i++)
        t->to_row[i] = INFINITY;
    for (size_t j = 0; j < t->m; j++) {
        t->to_column[j] = INFINITY;
        t->done[j] = false;
    }
    reach_row(t, start, 0, NOWHERE);
    for (;;) {
        end = nearest_open_column(t);
        t->done[end] = true;
        if (t->open[end] > 0)
            break;
        for (size_t i = 0; i < t->n; i++) /* what it takes may come from elsewhere */
            if (t->carried[i * t->m + end] > 0 && isinf(t->to_row[i]))
                reach_row(t, i, t->to_column[end], end);
    }
    double length = t->to_column[end];
    for (size_t i = 0; i < t->n; i++)
        if (t->to_row[i] < length)
            t->u[i] += length - t->to_row[i];
    for (size_t j = 0; j < t->m; j++)
        if (t->done[j] && t->to_column[j] < length)
            t->v[j] -= length - t->to_column[j];
    return end;
}

/* As much as the way allows, at most `supply`; returns how much. */
static uint32_t send(transport *t, size_t end, uint32_t supply) {
    uint32_t units = supply < t->open[end] ? supply : t->open[end];
    for (size_t j = end, i = t->from_row[j]; t->from_column[i] != NOWHERE; i = t->from_row[j]) {
        j = t->from_column[i];
        uint32_t back = t->carried[i * t->m + j];
        units = back < units ? back : units;
    }
    t->open[end] -= units;
    for (size_t j = end;;) {
        size_t i = t->from_row[j];
        t->carried[i * t->m + j] += units;
        if (t->from_column[i] == NOWHERE)
            return units;
        j = t->from_column[i];
        t->carried[i * t->m + j] -= units;
    }
}

static size_t common_divisor(size_t a, size_t b) {
    while (b > 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

es_status es_transport(const double *cost, size_t n, size_t m, const es_run *run, double *mean,
                       es_error *err) {
    transport t = {.cost = cost, .n = n, .m = m};
    double sum = 0;
    es_status st = ES_OK;
    if (n == 0 || m == 0)
        return es_fail(err, ES_EINVAL, "nothing to carry");
    size_t divisor = common_divisor(n, m), each = m / divisor, takes = n / divisor;
    ES_TRY(allocate_transport(&t, err));
    for (size_t j = 0; j < m; j++)
        t.open[j] = (uint32_t)takes;
    for (size_t i = 0; i < n; i++) {
        ES_TRY(es_run_check(run, err));
        for (uint32_t left = (uint32_t)each; left > 0;)
            left -= send(&t, find_way(&t, i), left);
    }
    for (size_t c = 0; c < n * m; c++)
        sum += t.carried[c] * cost[c];
    *mean = sum / ((double)n * (double)each);
done:
    free_all(&t);
    return st;
}

/* The cheapest match by shortest augmenting paths with dual prices (Jonker and Volgenant 1987),
 * row by row. */

/* Rows are matched one after the other. Prices keep cost - u - v >= 0, and 0 for matched pairs, so
 * that a path of smallest reduced cost to a free column leaves the match the cheapest there is.
 * Column n stands for "no column" and carries the row that looks for one. */
typedef struct search {
    size_t n;
    const double *cost;
    double *u, *v, *best; /* prices of rows (n), of columns (n + 1); best way to a column (n + 1) */
    size_t *owner;        /* (n + 1) row of a column; n: free */
    size_t *before;       /* (n + 1) column before it on the path */
    bool *seen;           /* (n + 1) */
} search;

/* Looks at all columns from the row that owns `at`; returns the nearest unseen one. */
static size_t step(search *s, size_t at) {
    size_t row = s->owner[at], next = s->n;
    double least = HUGE_VAL;
    s->seen[at] = true;
    for (size_t j = 0; j < s->n; j++) {
        if (s->seen[j])
            continue;
        double reduced = s->cost[row * s->n + j] - s->u[row] - s->v[j];
        if (reduced < s->best[j]) {
            s->best[j] = reduced;
            s->before[j] = at;
        }
        if (s->best[j] < least) {
            least = s->best[j];
            next = j;
        }
    }
    for (size_t j = 0; j <= s->n; j++)
        if (s->seen[j]) {
            s->u[s->owner[j]] += least;
            s->v[j] -= least;
        } else {
            s->best[j] -= least;
        }
    return next;
}

static void match_row(search *s, size_t row) {
    size_t at = s->n;
    for (size_t j = 0; j <= s->n; j++) {
        s->best[j] = HUGE_VAL;
        s->seen[j] = false;
    }
    s->owner[s->n] = row;
    do {
        at = step(s, at);
    } while (s->owner[at] != s->n);
    for (; at != s->n; at = s->before[at])
        s->owner[at] = s->owner[s->before[at]];
}

es_status es_assign(const double *cost, size_t n, const es_run *run, uint32_t *match,
                    es_error *err) {
    search s = {.n = n, .cost = cost};
    es_status st = ES_OK;
    s.u = es_alloc_zero(n, sizeof *s.u);
    s.v = es_alloc_zero(n + 1, sizeof *s.v);
    s.best = es_alloc(n + 1, sizeof *s.best);
    s.owner = es_alloc(n + 1, sizeof *s.owner);
    s.before = es_alloc(n + 1, sizeof *s.before);
    s.seen = es_alloc(n + 1, sizeof *s.seen);
    ES_FAIL_IF(!s.u || !s.v || !s.best || !s.owner || !s.before || !s.seen,
               es_no_memory_for(err, "%zu points", n));
    for (size_t j = 0; j <= n; j++)
        s.owner[j] = n;
    for (size_t i = 0; i < n; i++) {
        ES_TRY(es_run_check(run, err));
        match_row(&s, i);
    }
    for (size_t j = 0; j < n; j++)
        match[s.owner[j]] = (uint32_t)j;
done:
    es_free(s.u);
    es_free(s.v);
    es_free(s.best);
    es_free(s.owner);
    es_free(s.before);
    es_free(s.seen);
    return st;
}
