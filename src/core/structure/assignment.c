/* The cheapest match by shortest augmenting paths with dual prices (Jonker and Volgenant 1987),
 * row by row. */
#include "core_structure.h"

#include <math.h>

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
