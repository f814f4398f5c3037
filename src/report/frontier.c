/* Points of a pool, who is on the front, and what that comes to in words. */
#include "report.h"

#include <math.h>
#include <string.h>

enum { ANSWERED = 3, NAMED = 5 };

void es_frontier_report_free(es_frontier_report *r) {
    if (r == NULL)
        return;
    es_free(r->point);
    es_free(r);
}

double es_frontier_others(const es_results *r, size_t model) {
    double sum = 0, n = 0;
    for (size_t v = 0; v < r->m; v++) {
        size_t pair = model * r->m + v;
        if (v == model || es_is_control(r->family[v]) || es_results_is_derived(r, v) ||
            !isfinite(r->is[pair]))
            continue;
        sum += r->is[pair];
        n++;
    }
    return n > 0 && sum > 0 ? sum / n : (double)NAN;
}

static es_frontier_by by_what(const es_frontier_report *r) {
    bool probed = true, known = true;
    for (size_t i = 0; i < r->n; i++) {
        probed = probed && isfinite(r->of[i].kept[0].probe);
        known = known && isfinite(r->of[i].others);
    }
    if (r->n == 1)
        return ES_FRONTIER_BY_NOTHING;
    return probed ? ES_FRONTIER_BY_PROBE : known ? ES_FRONTIER_BY_OTHERS : ES_FRONTIER_BY_NOTHING;
}

static double value_of(const es_frontier_report *r, const es_frontier_point *p) {
    return r->by == ES_FRONTIER_BY_PROBE    ? p->kept.probe
           : r->by == ES_FRONTIER_BY_OTHERS ? p->kept.kept * r->of[p->of].others
           : r->n == 1                      ? p->kept.kept
                                            : (double)NAN;
}

static void put_points(es_frontier_report *r, size_t i) {
    es_derive grid[ES_FRONTIER_MOST];
    size_t count = es_frontier_grid(r->of[i].d, grid);
    for (size_t c = 0; c < count; c++) {
        es_frontier_point p = {.of = i,
                               .how = grid[c],
                               .dim = es_frontier_columns(&grid[c], r->of[i].d),
                               .bytes = es_frontier_bytes(&grid[c], r->of[i].d),
                               .bits = grid[c].bits,
                               .kept = r->of[i].kept[c],
                               .cost = r->of[i].cost};
        p.value = value_of(r, &p);
        r->point[r->points++] = p;
    }
}

/* Of points first to last - 1, which are compared by value or, each embedder's own, by `kept`. */
static es_status find_front(es_frontier_report *r, size_t first, size_t last, es_error *err) {
    size_t n = last - first;
    double *cost = es_alloc(n, 2 * sizeof *cost), *value = cost ? cost + n : NULL;
    bool *front = es_alloc(n, sizeof *front);
    es_status st = ES_OK;
    ES_FAIL_IF(!cost || !front, es_no_memory(err));
    for (size_t i = 0; i < n; i++) {
        const es_frontier_point *p = &r->point[first + i];
        bool fits = r->most == 0 || p->bytes <= r->most;
        cost[i] = !fits ? (double)NAN : r->against ? p->cost : (double)p->bytes;
        value[i] = r->by == ES_FRONTIER_BY_NOTHING ? p->kept.kept : p->value;
    }
    es_frontier_front(n, cost, value, front);
    for (size_t i = 0; i < n; i++)
        r->point[first + i].front = front[i];
done:
    es_free(cost);
    es_free(front);
    return st;
}

static size_t end_of(const es_frontier_report *r, size_t first) {
    size_t last = first;
    while (last < r->points && r->point[last].of == r->point[first].of)
        last++;
    return last;
}

es_status es_frontier_report_new(const es_frontier_of *of, size_t n, size_t most,
                                 const char *against, es_frontier_report **out, es_error *err) {
    es_frontier_report *r = es_alloc_zero(1, sizeof *r);
    es_derive grid[ES_FRONTIER_MOST];
    size_t room = 0;
    es_status st = ES_OK;
    ES_FAIL_IF(!r, es_no_memory(err));
    ES_FAIL_IF(n == 0, es_fail(err, ES_EEMPTY, "no embedder was compressed"));
    *r = (es_frontier_report){.of = of, .n = n, .most = most, .against = against};
    for (size_t i = 0; i < n; i++)
        room += es_frontier_grid(of[i].d, grid);
    r->point = es_alloc(room, sizeof *r->point);
    ES_FAIL_IF(!r->point, es_no_memory(err));
    r->by = by_what(r);
    for (size_t i = 0; i < n; i++)
        put_points(r, i);
    bool each = r->by == ES_FRONTIER_BY_NOTHING;
    for (size_t at = 0, end; at < r->points; at = end) {
        end = each ? end_of(r, at) : r->points;
        ES_TRY(find_front(r, at, end, err));
    }
    *out = r;
    r = NULL;
done:
    es_frontier_report_free(r);
    return st;
}

size_t es_frontier_smallest(const es_frontier_report *r, size_t of) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < r->points; i++) {
        const es_frontier_point *p = &r->point[i], *b = best < r->points ? &r->point[best] : NULL;
        if (p->of != of || p->bytes >= es_frontier_bytes(&(es_derive){0}, r->of[of].d) ||
            !(p->kept.low >= ES_FRONTIER_ENOUGH))
            continue;
        if (!b || p->bytes < b->bytes || (p->bytes == b->bytes && p->kept.kept > b->kept.kept))
            best = i;
    }
    return best;
}

size_t es_frontier_best(const es_frontier_report *r, size_t most) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < r->points; i++) {
        const es_frontier_point *p = &r->point[i], *b = best < r->points ? &r->point[best] : NULL;
        if (p->bytes > most || !isfinite(p->value))
            continue;
        if (!b || p->value > b->value || (p->value == b->value && p->bytes < b->bytes))
            best = i;
    }
    return best;
}

/* ---- sentences ---- */

/* "with its first 256 dimensions in int8", "in float16", "in float32". */
static void put_how(const es_frontier_point *p, es_buf *out) {
    if (p->how.kind == ES_DERIVE_FIRST)
        es_buf_printf(out, "with its first %zu dimensions ", p->dim);
    if (p->how.kind == ES_DERIVE_PCA)
        es_buf_printf(out, "with %zu principal components ", p->dim);
    es_buf_printf(out, "in %s", es_derive_storage(p->bits));
}

static void put_bytes(size_t bytes, es_buf *out) {
    if (bytes < 1000)
        es_buf_printf(out, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
    else
        es_buf_printf(out, "%zu,%03zu bytes", bytes / 1000, bytes % 1000);
}

static const es_frontier_point *whole_of(const es_frontier_report *r, size_t of) {
    size_t i = 0;
    while (r->point[i].of != of)
        i++;
    return &r->point[i];
}

/* The widest compression below those that are shown to keep enough; 0: there is none. */
static size_t too_narrow(const es_frontier_report *r, size_t of) {
    size_t least = r->of[of].d, below = 0;
    for (size_t i = 0; i < r->points; i++)
        if (r->point[i].of == of && r->point[i].kept.low >= ES_FRONTIER_ENOUGH &&
            r->point[i].dim < least)
            least = r->point[i].dim;
    for (size_t i = 0; i < r->points; i++)
        if (r->point[i].of == of && r->point[i].dim < least && r->point[i].dim > below &&
            r->point[i].kept.kept < ES_FRONTIER_ENOUGH)
            below = r->point[i].dim;
    return below;
}

static void put_one(const es_frontier_report *r, size_t of, es_buf *out) {
    const es_frontier_point *whole = whole_of(r, of);
    size_t at = es_frontier_smallest(r, of), below = too_narrow(r, of);
    const char *name = r->of[of].name;
    if (at == SIZE_MAX) {
        es_buf_printf(out, "No compression is shown to keep %.0f %% of %s (",
                      100 * ES_FRONTIER_ENOUGH, name);
        put_bytes(whole->bytes, out);
        es_buf_puts(out, "). ");
        return;
    }
    const es_frontier_point *p = &r->point[at];
    es_buf_printf(out, "%s ", name);
    put_how(p, out);
    es_buf_puts(out, " (");
    put_bytes(p->bytes, out);
    es_buf_printf(out, ") keeps %.0f %% of %s at ", 100 * p->kept.kept, name);
    put_bytes(whole->bytes, out);
    if (isfinite(p->kept.probe) && isfinite(whole->kept.probe)) {
        double loss = 100 * (whole->kept.probe - p->kept.probe);
        es_buf_printf(out, "; the probe %s %.1f points", loss < 0 ? "gains" : "loses", fabs(loss));
    }
    if (below > 0)
        es_buf_printf(out, "; with %zu dimensions or fewer it loses more than %.0f %%", below,
                      100 * (1 - ES_FRONTIER_ENOUGH));
    es_buf_puts(out, ". ");
}

/* Embedders by the value of the whole, the best first; at most ANSWERED. Returns how many. */
static size_t first_of(const es_frontier_report *r, size_t out[ANSWERED]) {
    size_t count = 0;
    for (size_t i = 0; i < r->n; i++) {
        size_t at = count < ANSWERED ? count++ : ANSWERED;
        double value = whole_of(r, i)->value;
        for (; at > 0 && value > whole_of(r, out[at - 1])->value; at--)
            if (at < ANSWERED)
                out[at] = out[at - 1];
        if (at < ANSWERED)
            out[at] = i;
    }
    return count;
}

static const char *by_text(es_frontier_by by) {
    return by == ES_FRONTIER_BY_PROBE ? "by the probe" : "by what it predicts of the others";
}

static void put_best(const es_frontier_report *r, size_t most, es_buf *out) {
    size_t at = es_frontier_best(r, most);
    if (at == SIZE_MAX) {
        if (r->most > 0 && (r->n == 1 || r->by != ES_FRONTIER_BY_NOTHING)) {
            es_buf_puts(out, "No compression takes ");
            put_bytes(most, out);
            es_buf_puts(out, " a row or fewer.");
        }
        return;
    }
    es_buf_puts(out, "At ");
    put_bytes(most, out);
    if (r->n == 1)
        es_buf_printf(out, " a row %.0f %% are kept: by %s ", 100 * r->point[at].kept.kept,
                      r->of[0].name);
    else
        es_buf_printf(out, " a row the best of this pool, %s, is %s ", by_text(r->by),
                      r->of[r->point[at].of].name);
    put_how(&r->point[at], out);
    if (r->point[at].bytes < most) {
        es_buf_puts(out, " (");
        put_bytes(r->point[at].bytes, out);
        es_buf_putc(out, ')');
    }
    es_buf_putc(out, '.');
}

/* Embedders on the front by cost, which are on it with whatever compression. */
static void put_against(const es_frontier_report *r, es_buf *out) {
    es_buf name = {0};
    size_t count = 0;
    for (size_t i = 0; i < r->points; i++) {
        const es_frontier_point *p = &r->point[i];
        if (!p->front || (i > 0 && r->point[i - 1].front && r->point[i - 1].of == p->of))
            continue;
        name.length = 0;
        es_buf_printf(&name, "%s (%.4g)", r->of[p->of].name, p->cost);
        if (count == 0)
            es_buf_printf(out, " Nothing is both better and lower in %s than ", r->against);
        es_buf_name(out, &count, NAMED, name.data ? name.data : "");
    }
    if (count > 0) {
        es_buf_names_end(out, count, NAMED);
        es_buf_putc(out, '.');
    }
    es_buf_free(&name);
}

/* How much smaller the embedders of a larger pool can be. */
static void put_median(const es_frontier_report *r, es_buf *out) {
    double *factor = es_alloc(r->n, sizeof *factor);
    for (size_t i = 0; factor && i < r->n; i++) {
        size_t at = es_frontier_smallest(r, i);
        size_t whole = whole_of(r, i)->bytes, bytes = at < SIZE_MAX ? r->point[at].bytes : whole;
        factor[i] = (double)whole / (double)bytes;
    }
    if (factor)
        es_buf_printf(out,
                      "In the median of %zu embedders the smallest compression that is shown to "
                      "keep %.0f %% takes %.1f times fewer bytes. ",
                      r->n, 100 * ES_FRONTIER_ENOUGH, es_stat_median(factor, r->n));
    out->failed |= factor == NULL;
    es_free(factor);
}

void es_frontier_put_answer(const es_frontier_report *r, es_buf *out) {
    size_t first[ANSWERED] = {0}, count = first_of(r, first);
    if (r->n > ANSWERED) {
        count = r->by == ES_FRONTIER_BY_NOTHING ? 0 : 1;
        put_median(r, out);
    }
    for (size_t k = 0; k < count; k++)
        put_one(r, first[k], out);
    size_t smallest = es_frontier_smallest(r, first[0]);
    if (r->most > 0)
        put_best(r, r->most, out);
    else if (smallest != SIZE_MAX && r->n > 1)
        put_best(r, r->point[smallest].bytes, out);
    if (r->against)
        put_against(r, out);
    if (r->by == ES_FRONTIER_BY_NOTHING && r->n > 1)
        es_buf_puts(out, "Embedders are not compared with each other: there are neither labels nor "
                         "estimated pairs.");
}
