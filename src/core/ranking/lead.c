/* Differences over kinds, their influences, and joint draws of them (core_ranking.h). Pairs go
 * through part by part and draws in batches, so that both stay in the cache. */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_numerics.h"

void es_lead_free(es_lead *x) {
    if (!x)
        return;
    es_free(x->lead);
    es_free(x->delta);
    es_free(x->comparing);
    es_free(x->low);
    es_free(x->best);
    es_free(x->rank_low);
    es_free(x);
}

static es_lead *lead_alloc(size_t m, bool drawn) {
    es_lead *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->lead = es_alloc(m + 1, sizeof *x->lead);
    x->delta = es_alloc(m + 1, 3 * (m + 1) * sizeof *x->delta);
    x->comparing = es_alloc_zero(m + 1, (m + 1) * sizeof *x->comparing);
    x->low = drawn ? es_alloc(m + 1, 3 * sizeof *x->low) : NULL;
    x->best = drawn ? es_alloc_zero(m + 1, (m + 1) * sizeof *x->best) : NULL;
    x->rank_low = drawn ? es_alloc_zero(m + 1, 2 * sizeof *x->rank_low) : NULL;
    if (!x->lead || !x->delta || !x->comparing ||
        (drawn && (!x->low || !x->best || !x->rank_low))) {
        es_lead_free(x);
        return NULL;
    }
    x->var_rows = x->delta + m * m;
    x->var_kinds = x->var_rows + m * m;
    if (drawn) {
        x->high = x->low + m;
        x->critical = x->high + m;
        for (size_t i = 0; i < m; i++)
            x->critical[i] = (double)NAN;
        x->ahead = x->best + m;
        x->rank_high = x->rank_low + m;
    }
    return x;
}

/* ---- Reference embedders in cells ----
 *
 * A cell holds the reference embedders of one kind and family; if values are missing, each is a
 * cell of its own. Which cells compare two embedders depends on the two's kinds, families and
 * missing values, and a difference is one of cells' sums. */

typedef struct cells {
    const es_lead_problem *p;
    size_t count, blocks;
    uint32_t *of;            // (m) cell of each reference embedder
    uint32_t *kind, *family; // (count)
    double *size;            // (count)
    double *sum;             // (m, count) of values
    bool *known;             // (m, count) the values of all of its members are
    float *block;            // (m, count, blocks) sums of the blocks' deviations
} cells;

static void cells_free(cells *c) {
    es_free(c->of);
    es_free(c->size);
    es_free(c->sum);
    es_free(c->known);
    es_free(c->block);
}

static bool has_vote(const es_lead_problem *p, size_t t) {
    return p->votes[t] && p->first[t] == t;
}

static bool is_complete(const es_lead_problem *p) {
    for (size_t a = 0; a < p->m; a++)
        for (size_t t = 0; t < p->m; t++)
            if (a != t && has_vote(p, t) && !isfinite(p->is[a * p->m + t]))
                return false;
    return true;
}

/* Ordered by kind, so that those of a kind follow each other. */
static void make_cells(const es_lead_problem *p, bool complete, cells *c) {
    for (uint32_t kind = 0; kind < p->kinds; kind++) {
        size_t begin = c->count;
        for (size_t t = 0; t < p->m; t++) {
            if (p->kind[t] != kind || !has_vote(p, t))
                continue;
            size_t at = complete ? begin : c->count;
            while (at < c->count && p->family && c->family[at] != p->family[t])
                at++;
            if (at == c->count) {
                c->kind[at] = kind;
                c->family[at] = p->family ? p->family[t] : UINT32_MAX;
                c->count++;
            }
            c->of[t] = (uint32_t)at;
            c->size[at]++;
        }
    }
}

/* Adds the values of target t per block of rows to the cell of its kind. */
static bool add_blocks(cells *c, size_t a, size_t t, double *scratch) {
    const es_row_blocks *h = c->p->blocks;
    float *to = c->block + (a * c->count + c->of[t]) * c->blocks;
    if (c->blocks == 0)
        return true;
    if (!es_row_blocks_sum(h, c->p->pmi[a * c->p->m + t], scratch))
        return false;
    double mean = 0;
    for (size_t k = 0; k < c->blocks; k++)
        mean += scratch[k] /= (double)h->size[k];
    for (size_t k = 0; k < c->blocks; k++)
        to[k] += (float)(scratch[k] - mean / (double)c->blocks);
    return true;
}

/* A target with itself is never compared: it is of its own kind. False: a value lacks its rows. */
static bool fill_cells(cells *c, double *scratch) {
    const es_lead_problem *p = c->p;
    for (size_t a = 0; a < p->m; a++)
        for (size_t t = 0; t < p->m; t++) {
            if (a == t || !has_vote(p, t))
                continue;
            size_t at = a * c->count + c->of[t];
            double value = p->is[a * p->m + t];
            if (isfinite(value)) {
                c->sum[at] += value;
                if (!add_blocks(c, a, t, scratch))
                    return false;
            } else
                c->known[at] = false;
        }
    return true;
}

static es_status cells_new(const es_lead_problem *p, cells *c, es_error *err) {
    size_t m = p->m;
    *c = (cells){.p = p, .blocks = p->blocks && p->blocks->count > 1 ? p->blocks->count : 0};
    c->of = es_alloc(m + 1, 3 * sizeof *c->of);
    c->size = es_alloc_zero(m + 1, sizeof *c->size);
    if (!c->of || !c->size)
        return es_no_memory_for(err, "comparing %zu embedders", m);
    c->kind = c->of + m;
    c->family = c->kind + m;
    make_cells(p, is_complete(p), c);
    c->sum = es_alloc_zero(m + 1, (c->count + 1) * sizeof *c->sum);
    c->known = es_alloc(m + 1, (c->count + 1) * sizeof *c->known);
    c->block = es_alloc_zero(m + 1, (c->count * c->blocks + 1) * sizeof *c->block);
    double *scratch = es_alloc(c->blocks + 1, sizeof *scratch);
    bool whole = c->sum && c->known && c->block && scratch;
    if (whole) {
        memset(c->known, true, m * c->count);
        if (!fill_cells(c, scratch)) {
            es_free(scratch);
            return es_fail(err, ES_EINVAL, "a value without values of its rows");
        }
    }
    es_free(scratch);
    return whole ? ES_OK : es_no_memory_for(err, "comparing %zu embedders", m);
}

/* ---- One pair ---- */

/* What compares two embedders. */
typedef struct pair {
    size_t a, b, kinds; /* that compare them */
    double delta;
    double *members; // (kinds) of each kind: members that compare; 0: none
    double *mean;    // (kinds) of the differences
} pair;

/* True: the targets of a cell may compare a with b: of other kinds and families, and known of both.
 */
static bool cell_compares(const cells *c, const pair *x, size_t cell) {
    const es_lead_problem *p = c->p;
    uint32_t kind = c->kind[cell], family = c->family[cell];
    return kind != p->kind[x->a] && kind != p->kind[x->b] &&
           (!p->family || (family != p->family[x->a] && family != p->family[x->b])) &&
           c->known[x->a * c->count + cell] && c->known[x->b * c->count + cell];
}

/* Means over kinds of the difference of a and b. */
static void compare_pair(const cells *c, size_t a, size_t b, pair *x) {
    size_t kinds = c->p->kinds;
    const double *one = c->sum + a * c->count, *two = c->sum + b * c->count;
    x->a = a;
    x->b = b;
    x->kinds = 0;
    x->delta = 0;
    memset(x->members, 0, kinds * sizeof *x->members);
    memset(x->mean, 0, kinds * sizeof *x->mean);
    for (size_t k = 0; k < c->count; k++)
        if (cell_compares(c, x, k)) {
            x->members[c->kind[k]] += c->size[k];
            x->mean[c->kind[k]] += one[k] - two[k];
        }
    for (size_t k = 0; k < kinds; k++)
        if (x->members[k] > 0) {
            x->mean[k] /= x->members[k];
            x->delta += x->mean[k];
            x->kinds++;
        }
    x->delta = x->kinds > 0 ? x->delta / (double)x->kinds : (double)NAN;
}

/* out (kinds) with a stride: influences, whose squares sum up to the variance over kinds. */
static double kind_influences(const cells *c, const pair *x, float *out, size_t stride) {
    double n = (double)x->kinds, scale = sqrt(n / fmax(n - 1, 1)) / fmax(n, 1), squares = 0;
    for (size_t k = 0; k < c->p->kinds; k++) {
        double share = x->members[k] > 0 ? scale * (x->mean[k] - x->delta) : 0;
        squares += share * share;
        out[k * stride] = (float)share;
    }
    return x->kinds > 1 ? squares : (double)NAN;
}

/* out (blocks) with a stride, likewise of rows; scratch (blocks). */
static double row_influences(const cells *c, const pair *x, double *scratch, float *out,
                             size_t stride) {
    size_t blocks = c->blocks;
    double n = (double)blocks, scale = ES_FITTING_NOISE / sqrt(n * (n - 1)), squares = 0;
    memset(scratch, 0, blocks * sizeof *scratch);
    for (size_t k = 0; k < c->count; k++) {
        if (!cell_compares(c, x, k))
            continue;
        double weight = scale / (x->members[c->kind[k]] * (double)x->kinds);
        const float *one = c->block + (x->a * c->count + k) * blocks;
        const float *two = c->block + (x->b * c->count + k) * blocks;
        for (size_t h = 0; h < blocks; h++)
            scratch[h] += weight * ((double)one[h] - (double)two[h]);
    }
    for (size_t h = 0; h < blocks; h++) {
        squares += scratch[h] * scratch[h];
        out[h * stride] = (float)scratch[h];
    }
    return blocks > 1 ? squares : (double)NAN;
}

static void put(double *matrix, size_t m, const pair *x, double value, double mirrored) {
    matrix[x->a * m + x->b] = value;
    matrix[x->b * m + x->a] = mirrored;
}

/* ---- All pairs, and joint draws ---- */

enum { PAIRS_AT_ONCE = 2048, DRAWS_AT_ONCE = 64 };

typedef struct drawing {
    const cells *c;
    es_lead *x;
    size_t m, terms; /* influences of a pair: blocks, then kinds */
    size_t most;     /* pairs at once */
    size_t draws;    /* 0: order only */
    double level;
    pair now;
    double *scratch;     // (blocks)
    float *influence;    // (terms, most)
    float *inverse_se;   // (most)
    float *delta;        // (most)
    float *multiplier;   // (draws, terms) standard normal
    float *scale;        // (draws) makes them Student's t
    float *z;            // (DRAWS_AT_ONCE, most)
    float *top;          // (draws, m) largest t of another against it
    uint32_t *above;     // (draws, m) embedders that are better
    double *of_lead;     // (m, terms) influences on the lead, summed up over its opponents
    uint32_t *opponents; // (m)
    uint32_t *counted;   // (m) 1: has a place; 0: a copy of another
} drawing;

static void drawing_free(drawing *d) {
    es_free(d->now.members);
    es_free(d->scratch);
    es_free(d->influence);
    es_free(d->inverse_se);
    es_free(d->multiplier);
    es_free(d->z);
    es_free(d->top);
    es_free(d->above);
    es_free(d->of_lead);
    es_free(d->opponents);
    es_free(d->counted);
}

static es_status drawing_new(const cells *c, size_t draws, double level, es_lead *x, drawing *d,
                             es_error *err) {
    size_t m = c->p->m, kinds = c->p->kinds;
    *d = (drawing){.c = c, .x = x, .m = m, .terms = c->blocks + kinds, .level = level};
    d->draws = x->best ? draws : 0;
    d->most = m > PAIRS_AT_ONCE ? m : PAIRS_AT_ONCE;
    d->now.members = es_alloc(kinds + 1, 2 * sizeof *d->now.members);
    d->scratch = es_alloc(c->blocks + 1, sizeof *d->scratch);
    d->influence = es_alloc(d->terms + 1, d->most * sizeof *d->influence);
    d->inverse_se = es_alloc(2 * d->most, sizeof *d->inverse_se);
    d->multiplier = es_alloc(d->draws + 1, (d->terms + 1) * sizeof *d->multiplier);
    d->z = es_alloc(DRAWS_AT_ONCE, d->most * sizeof *d->z);
    d->top = es_alloc_zero(d->draws + 1, (m + 1) * sizeof *d->top); /* against itself: 0 */
    d->above = es_alloc_zero(d->draws + 1, (m + 1) * sizeof *d->above);
    d->of_lead = es_alloc_zero(m + 1, (d->terms + 1) * sizeof *d->of_lead);
    d->opponents = es_alloc_zero(m + 1, sizeof *d->opponents);
    d->counted = es_alloc_zero(m + 1, sizeof *d->counted);
    if (!d->now.members || !d->scratch || !d->influence || !d->inverse_se || !d->multiplier ||
        !d->z || !d->top || !d->above || !d->of_lead || !d->opponents || !d->counted)
        return es_no_memory_for(err, "comparing %zu embedders", m);
    for (size_t a = 0; a < m; a++)
        d->counted[a] = c->p->first[a] == a;
    d->now.mean = d->now.members + kinds;
    d->delta = d->inverse_se + d->most;
    d->scale = d->multiplier + d->draws * d->terms;
    return ES_OK;
}

/* Chi-square with nu >= 1 degrees of freedom (Marsaglia and Tsang, "A simple method for generating
 * gamma variables", 2000; what they accept by bounds the density of every shape above 1/3). */
static double chi_square(es_rng *rng, double nu) {
    double d = nu / 2 - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double z = es_rng_normal(rng), v = 1 + c * z;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(1 - es_rng_uniform(rng)) < z * z / 2 + d - d * v + d * log(v))
            return 2 * d * v;
    }
}

/* Blocks, kinds and scales have a generator each, so that none depends on the others' number. */
static void draw_multipliers(drawing *d, uint64_t seed) {
    const size_t from[3] = {0, d->c->blocks, d->terms};
    es_rng rng;
    for (size_t k = 0; k < 2; k++) {
        es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a0 + k));
        for (size_t i = 0; i < d->draws; i++)
            for (size_t j = from[k]; j < from[k + 1]; j++)
                d->multiplier[i * d->terms + j] = (float)es_rng_normal(&rng);
    }
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a2));
    for (size_t i = 0; i < d->draws; i++)
        d->scale[i] = (float)(1 / sqrt(chi_square(&rng, d->x->nu) / d->x->nu));
}

static bool is_opponent(const es_lead_problem *p, size_t a, size_t b) {
    return has_vote(p, b) && p->first[a] != p->first[b];
}

static void add_to_lead(drawing *d, size_t a, size_t k, size_t stride, double sign) {
    double *to = d->of_lead + a * d->terms;
    d->opponents[a]++;
    for (size_t j = 0; j < d->terms; j++)
        to[j] += sign * (double)d->influence[j * stride + k];
}

/* The pair's values, and its influences as the k-th of a part of `pairs`. */
static void one_pair(drawing *d, size_t a, size_t b, size_t k, size_t pairs) {
    const cells *c = d->c;
    es_lead *x = d->x;
    compare_pair(c, a, b, &d->now);
    float *rows = d->influence + k, *kinds = d->influence + c->blocks * pairs + k;
    double by_rows = (double)NAN, by_kinds = kind_influences(c, &d->now, kinds, pairs);
    if (c->blocks > 0)
        by_rows = row_influences(c, &d->now, d->scratch, rows, pairs);
    double se = sqrt(by_kinds + (c->blocks > 0 ? by_rows : 0));
    bool blind = !isfinite(se);
    se = se < ES_LEAD_ROUNDING ? ES_LEAD_ROUNDING : se;
    d->inverse_se[k] = blind ? 0 : (float)(1 / se);
    d->delta[k] = blind ? 0 : (float)d->now.delta;
    put(x->delta, d->m, &d->now, d->now.delta, -d->now.delta);
    put(x->var_rows, d->m, &d->now, by_rows, by_rows);
    put(x->var_kinds, d->m, &d->now, by_kinds, by_kinds);
    x->comparing[a * d->m + b] = x->comparing[b * d->m + a] = (uint32_t)d->now.kinds;
    if (d->now.kinds == 0)
        return;
    if (is_opponent(c->p, a, b))
        add_to_lead(d, a, k, pairs, 1);
    if (is_opponent(c->p, b, a))
        add_to_lead(d, b, k, pairs, -1);
}

/* What a draw of a source's differences from the n behind it, z (n) times scale, says of it and of
 * them, whose top, above and counted follow its own. A copy is above nobody. Lanes make vectors of
 * the loop: of a largest value and of counts the order makes no difference. */
static void tally(size_t n, const float *z, float scale, const float *delta,
                  const float *inverse_se, const uint32_t *counted, float *top, uint32_t *above) {
    enum { LANES = 16 };
    float own[LANES] = {0};
    uint32_t better[LANES] = {0};
    size_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (size_t l = 0; l < LANES; l++) {
            float difference = z[k + l] * scale, t = difference * inverse_se[k + l];
            float truth = difference + delta[k + l]; /* where it may be */
            float *other = top + 1 + k + l;
            *other = t > *other ? t : *other;
            own[l] = -t > own[l] ? -t : own[l];
            above[1 + k + l] += counted[0] & (truth > 0);
            better[l] += counted[1 + k + l] & (truth < 0);
        }
    for (; k < n; k++) {
        float difference = z[k] * scale, t = difference * inverse_se[k];
        float truth = difference + delta[k];
        top[1 + k] = t > top[1 + k] ? t : top[1 + k];
        own[0] = -t > own[0] ? -t : own[0];
        above[1 + k] += counted[0] & (truth > 0);
        better[0] += counted[1 + k] & (truth < 0);
    }
    for (size_t l = 0; l < LANES; l++) {
        top[0] = own[l] > top[0] ? own[l] : top[0];
        above[0] += better[l];
    }
}

/* All draws of the pairs of sources first..end. */
static es_status draw_part(drawing *d, size_t first, size_t end, size_t pairs, const es_run *run,
                           es_error *err) {
    es_status st = ES_OK;
    for (size_t from = 0; st == ES_OK && pairs > 0 && from < d->draws; from += DRAWS_AT_ONCE) {
        size_t n = d->draws - from < DRAWS_AT_ONCE ? d->draws - from : DRAWS_AT_ONCE;
        es_sgemm(false, n, pairs, d->terms, 1, d->multiplier + from * d->terms, d->influence, d->z);
        for (size_t i = 0; i < n; i++) {
            size_t k = 0, at = (from + i) * d->m;
            for (size_t a = first; a < end; k += d->m - 1 - a, a++)
                tally(d->m - 1 - a, d->z + i * pairs + k, d->scale[from + i], d->delta + k,
                      d->inverse_se + k, d->counted + a, d->top + at + a, d->above + at + a);
        }
        st = es_run_check(run, err);
    }
    return st;
}

/* Sources whose pairs go together, one at least: the end of those from `first`, and their pairs. */
static size_t end_of_part(const drawing *d, size_t first, size_t *pairs) {
    size_t a = first;
    *pairs = 0;
    for (; a < d->m && (a == first || *pairs + (d->m - 1 - a) <= d->most); a++)
        *pairs += d->m - 1 - a;
    return a;
}

static es_status all_pairs(drawing *d, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    size_t pairs, end;
    for (size_t first = 0; st == ES_OK && first < d->m; first = end) {
        size_t k = 0;
        end = end_of_part(d, first, &pairs);
        for (size_t a = first; a < end; a++) {
            d->x->delta[a * d->m + a] = 0;
            d->x->var_rows[a * d->m + a] = d->x->var_kinds[a * d->m + a] = 0;
            for (size_t b = a + 1; b < d->m; b++)
                one_pair(d, a, b, k++, pairs);
        }
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = draw_part(d, first, end, pairs, run, err);
    }
    return st;
}

/* The median over pairs of the number of kinds that compare the two; copies aside. */
static es_status usual_kinds(drawing *d, es_error *err) {
    size_t m = d->m, n = 0;
    double *count = es_alloc(m * m + 1, sizeof *count), usual = 0;
    if (!count)
        return es_no_memory_for(err, "comparing %zu embedders", m);
    for (size_t a = 0; a < m; a++)
        for (size_t b = a + 1; d->counted[a] && b < m; b++) {
            compare_pair(d->c, a, b, &d->now);
            count[n] = (double)d->now.kinds;
            n += d->counted[b];
        }
    usual = n > 0 ? es_stat_median(count, n) : 0;
    d->x->usual = (size_t)usual;
    d->x->nu = fmax(usual - 2, 1);
    es_free(count);
    return ES_OK;
}

/* ---- What follows ---- */

/* Computes leads and their errors by kinds and rows. */
static void take_leads(const drawing *d) {
    es_lead *x = d->x;
    const es_lead_problem *p = d->c->p;
    for (size_t a = 0; a < d->m; a++) {
        double sum = 0, squares = 0, n = d->opponents[a];
        for (size_t b = 0; b < d->m; b++)
            if (b != a && is_opponent(p, a, b) && x->comparing[a * d->m + b] > 0)
                sum += x->delta[a * d->m + b];
        x->lead[a] = n > 0 ? sum / n : (double)NAN;
        if (!x->low)
            continue;
        for (size_t j = 0; j < d->terms; j++)
            squares += d->of_lead[a * d->terms + j] * d->of_lead[a * d->terms + j];
        double reach = es_student_quantile((1 + d->level) / 2, (size_t)x->nu) * sqrt(squares) / n;
        x->low[a] = x->lead[a] - reach;
        x->high[a] = x->lead[a] + reach;
    }
}

static double t_of(const es_lead *x, size_t a, size_t b) {
    size_t cell = a * x->m + b;
    double rows = isfinite(x->var_rows[cell]) ? x->var_rows[cell] : 0;
    double se = fmax(sqrt(x->var_kinds[cell] + rows), ES_LEAD_ROUNDING);
    return isfinite(x->var_kinds[cell]) ? x->delta[cell] / se : 0;
}

/* Order statistics of the ranks that were seen (m): as many draws lie below as above; `unknown` so
 * many more may be above. */
static void rank_interval(const drawing *d, const uint32_t *seen, size_t unknown, uint32_t *low,
                          uint32_t *high) {
    size_t first = (size_t)((1 - d->level) / 2 * (double)d->draws), below = 0;
    size_t last = (size_t)((1 + d->level) / 2 * (double)d->draws) - 1;
    for (size_t k = 0; k < d->m; k++) {
        below += seen[k];
        if (*low == 0 && below > first)
            *low = (uint32_t)k + 1;
        if (*high == 0 && below > last)
            *high = (uint32_t)k + 1;
    }
    *low = *low > unknown ? *low - (uint32_t)unknown : 1;
    *high += (uint32_t)unknown;
}

/* Of those with a place, how many no draw compares with j: they may be above or below. */
static size_t count_uncompared(const drawing *d, size_t j) {
    const es_lead *x = d->x;
    size_t count = 0;
    for (size_t k = 0; k < d->m; k++) {
        uint32_t kinds = x->comparing[k * d->m + j];
        bool drawn = kinds > 1 || (kinds > 0 && d->c->blocks > 1);
        count += k != j && d->counted[k] && isfinite(x->lead[k]) && !drawn;
    }
    return count;
}

/* One rule for all signs: those outside the set are exactly those of whom somebody is shown ahead.
 * Whoever has the highest lead stays in, whatever single pairs say. */
static void judge(const drawing *d, size_t j, double critical, double highest) {
    es_lead *x = d->x;
    bool stays = x->lead[j] >= highest;
    x->best[j] = true;
    for (size_t k = 0; k < d->m && !stays; k++)
        if (k != j && t_of(x, k, j) > critical) {
            x->ahead[k * d->m + j] = true;
            x->best[j] = false;
        }
    uint32_t *low = &x->rank_low[j], *high = &x->rank_high[j];
    *low = x->best[j] ? 1 : *low < 2 ? 2 : *low;
    *high = *high < *low ? *low : *high;
}

/* Critical values, intervals and candidates from the draws. */
static es_status conclude_draws(const drawing *d, es_error *err) {
    es_lead *x = d->x;
    double *largest = es_alloc(d->draws + 1, sizeof *largest), highest = -(double)INFINITY;
    uint32_t *seen = es_alloc(d->m + 1, sizeof *seen);
    bool fits = largest && seen;
    for (size_t j = 0; fits && j < d->m; j++)
        highest = x->lead[j] > highest ? x->lead[j] : highest;
    for (size_t j = 0; fits && j < d->m; j++) {
        if (!isfinite(x->lead[j]))
            continue;
        memset(seen, 0, d->m * sizeof *seen);
        size_t place = d->c->p->first[j]; /* of a copy: that of the first */
        for (size_t i = 0; i < d->draws; i++) {
            largest[i] = (double)d->top[i * d->m + j];
            seen[d->above[i * d->m + place]]++;
        }
        rank_interval(d, seen, count_uncompared(d, place), &x->rank_low[j], &x->rank_high[j]);
        x->critical[j] = es_stat_quantile(largest, d->draws, d->level);
        judge(d, j, x->critical[j], highest);
    }
    es_free(largest);
    es_free(seen);
    return fits ? ES_OK : es_no_memory_for(err, "the ranks of %zu embedders", d->m);
}

static es_status check_problem(const es_lead_problem *p, double level, unsigned draws,
                               es_error *err) {
    if (!(level > 0.5 && level < 1))
        return es_fail(err, ES_EINVAL, "a confidence level of %g is not between 0.5 and 1", level);
    if (draws < 100 || draws > 1000000)
        return es_fail(err, ES_EINVAL, "%u draws: use 100 to 1000000", draws);
    for (size_t i = 0; i < p->m; i++)
        if (p->kind[i] >= p->kinds || p->first[i] >= p->m)
            return es_fail(err, ES_EINVAL, "embedder %zu: no such kind or first", i);
    return ES_OK;
}

es_status es_lead_new(const es_lead_problem *p, const es_run *run, es_lead **out, es_error *err) {
    double level = p->level != 0 ? p->level : 0.95;
    unsigned draws = p->draws ? p->draws : ES_LEAD_DRAWS;
    bool drawn = !p->order_only && p->kinds >= ES_LEAD_KINDS;
    cells c = {0};
    drawing d = {0};
    es_lead *x = NULL;
    es_status st = check_problem(p, level, draws, err);
    if (st != ES_OK)
        return st;
    x = lead_alloc(p->m, drawn);
    if (!x)
        return es_no_memory_for(err, "comparing %zu embedders", p->m);
    ES_TRY(cells_new(p, &c, err));
    ES_TRY(drawing_new(&c, draws, level, x, &d, err));
    ES_TRY(usual_kinds(&d, err));
    draw_multipliers(&d, p->seed);
    ES_TRY(all_pairs(&d, run, err));
    take_leads(&d);
    if (drawn)
        ES_TRY(conclude_draws(&d, err));
    *out = x;
    x = NULL;
done:
    drawing_free(&d);
    cells_free(&c);
    es_lead_free(x);
    return st;
}
