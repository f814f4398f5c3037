/* Joint draws: with Gaussian multipliers on the influences of hands and families, differences of
 * all pairs vary together as they would over samples (a multiplier bootstrap). Divided by one
 * chi-square variable a draw they are jointly Student's t. Of each draw, the largest t against an
 * embedder gives the critical value of "somebody is surely better" (Hsu 1981), and the order gives
 * a rank. Draws go through in blocks, so that memory does not grow with them. */
#include "separation.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "linalg.h"
#include "rng.h"
#include "stats.h"

void es_separations_free(es_separations *x) {
    if (!x)
        return;
    es_differences_free(x->differences);
    for (size_t s = 0; s < ES_SCOPES; s++) {
        es_free(x->in[s].se);
        es_free(x->in[s].separated);
        es_free(x->in[s].rank_low);
    }
    es_free(x);
}

static bool scope_alloc(size_t m, es_separation *in) {
    in->se = es_alloc(m * m, 2 * sizeof *in->se);
    in->separated = es_alloc_zero(m * (m + 1), sizeof *in->separated);
    in->rank_low = es_alloc_zero(m, 2 * sizeof *in->rank_low);
    if (!in->se || !in->separated || !in->rank_low)
        return false;
    in->t = in->se + m * m;
    in->best = in->separated + m * m;
    in->rank_high = in->rank_low + m;
    for (size_t i = 0; i < 2 * m * m; i++)
        in->se[i] = (double)NAN;
    return true;
}

const char *es_separation_few(double judges) {
    return judges < ES_SEPARATION_FAMILIES ? "fewer than 5 families" : NULL;
}

/* ---- Pairs, each for itself ---- */

static void tell_pairs_apart(const es_differences *d, es_scope scope, double level,
                             es_separation *in) {
    double cut = es_student_quantile((1 + level) / 2, (size_t)in->nu);
    for (size_t i = 0; i < d->m * d->m; i++) {
        bool self = i / d->m == i % d->m;
        double variance = d->hands > 0 ? d->var_rows[i] : 0;
        if (scope == ES_SCOPE_NEW)
            variance += d->var_families[i];
        in->se[i] = self ? 0 : sqrt(variance) + 1e-12; /* equal embedders have no spread */
        in->t[i] = self ? 0 : d->delta[i] / in->se[i];
        in->separated[i] = fabs(in->t[i]) > cut;
    }
}

/* What can be said in each scope, and of which pairs. */
static es_status judge_pairs(const es_judged *judged, double level, es_separations *x,
                             es_error *err) {
    const es_differences *d = x->differences;
    es_separation *here = &x->in[ES_SCOPE_HERE], *elsewhere = &x->in[ES_SCOPE_NEW];
    double judges;
    es_status st = es_usual_judges(judged, &judges, err);
    if (st != ES_OK)
        return st;
    here->nu = (double)d->hands - 1;
    elsewhere->nu = fmax(judges - 1, 1);
    if (d->hands == 0)
        here->why_not = "no values of rows";
    elsewhere->why_not = es_separation_few(judges);
    if (d->m < 2)
        here->why_not = elsewhere->why_not = "one embedder";
    for (size_t s = 0; s < ES_SCOPES; s++)
        if (!x->in[s].why_not)
            tell_pairs_apart(d, (es_scope)s, level, &x->in[s]);
    return ES_OK;
}

/* ---- Joint draws ---- */

/* Draws at a time, if their differences fit. */
enum { BLOCK = 64, BLOCK_BYTES = 128 << 20 };

typedef struct space {
    size_t block;      // draws at a time
    float *multiplier; // (block, the most of hands and families)
    float *rows;       // (block, pairs) differences by rows
    float *both;       // (block, pairs) by rows and families
    float *inverse_se; // (ES_SCOPES, pairs)
    float *delta;      // (pairs)
    float *largest;    // (ES_SCOPES, m, draws) over others of t against an embedder
    uint32_t *seen;    // (ES_SCOPES, m, m) draws in which it had rank k + 1
    float *top;        // (m) of one draw: largest so far
    uint32_t *above;   // (m) of one draw: embedders that are better
    double *sorted;    // (draws)
} space;

static void space_free(space *w) {
    es_free(w->multiplier);
    es_free(w->rows);
    es_free(w->both);
    es_free(w->inverse_se);
    es_free(w->delta);
    es_free(w->largest);
    es_free(w->seen);
    es_free(w->top);
    es_free(w->above);
    es_free(w->sorted);
}

static es_status space_new(const es_differences *d, const es_separation_rule *rule, space *w,
                           es_error *err) {
    size_t widest = d->hands > d->families ? d->hands : d->families;
    size_t most = rule->bytes / (2 * d->pairs * sizeof *w->rows), draws = rule->draws;
    w->block = most < 1 ? 1 : most < BLOCK ? most : BLOCK;
    w->multiplier = es_alloc(w->block * widest, sizeof *w->multiplier);
    w->rows = es_alloc(w->block * d->pairs, sizeof *w->rows);
    w->both = es_alloc(w->block * d->pairs, sizeof *w->both);
    w->inverse_se = es_alloc(ES_SCOPES * d->pairs, sizeof *w->inverse_se);
    w->delta = es_alloc(d->pairs, sizeof *w->delta);
    w->largest = es_alloc(ES_SCOPES * d->m * draws, sizeof *w->largest);
    w->seen = es_alloc_zero(ES_SCOPES * d->m * d->m, sizeof *w->seen);
    w->top = es_alloc(d->m, sizeof *w->top);
    w->above = es_alloc(d->m, sizeof *w->above);
    w->sorted = es_alloc(draws, sizeof *w->sorted);
    return w->multiplier && w->rows && w->both && w->inverse_se && w->delta && w->largest &&
                   w->seen && w->top && w->above && w->sorted
               ? ES_OK
               : es_no_memory_for(err, "the ranks of %zu embedders", d->m);
}

static void prepare(const es_separations *x, space *w) {
    const es_differences *d = x->differences;
    size_t k = 0;
    for (size_t a = 0; a < d->m; a++)
        for (size_t b = a + 1; b < d->m; b++, k++) {
            double delta = d->delta[a * d->m + b];
            w->delta[k] = isfinite(delta) ? (float)delta : 0;
            for (size_t s = 0; s < ES_SCOPES; s++) {
                double se = x->in[s].se[a * d->m + b];
                w->inverse_se[s * d->pairs + k] = isfinite(se) ? (float)(1 / se) : 0;
            }
        }
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

/* out (n, pairs) += multipliers (n, k) times influence (k, pairs). */
static void spread(size_t pairs, es_rng *rng, size_t n, size_t k, const float *influence, space *w,
                   float *out) {
    for (size_t i = 0; i < n * k; i++)
        w->multiplier[i] = (float)es_rng_normal(rng);
    if (k > 0)
        es_sgemm_add(false, n, pairs, k, 1, w->multiplier, influence, out);
}

/* What one draw of differences, z (pairs) times scale, says of each embedder. */
static void tally(const es_differences *d, size_t scope, unsigned draws, size_t draw,
                  const float *z, float scale, space *w) {
    const float *inverse_se = w->inverse_se + scope * d->pairs;
    size_t k = 0;
    memset(w->top, 0, d->m * sizeof *w->top); /* against itself: 0 */
    memset(w->above, 0, d->m * sizeof *w->above);
    for (size_t a = 0; a < d->m; a++) {
        uint32_t above = 0;
        float top = w->top[a];
        for (size_t b = a + 1; b < d->m; b++, k++) {
            float difference = z[k] * scale, t = difference * inverse_se[k];
            float truth = difference + w->delta[k]; /* where it may be */
            w->top[b] = t > w->top[b] ? t : w->top[b];
            top = -t > top ? -t : top;
            w->above[b] += truth > 0;
            above += truth < 0;
        }
        w->top[a] = top;
        w->above[a] += above;
    }
    for (size_t j = 0; j < d->m; j++) {
        w->largest[(scope * d->m + j) * draws + draw] = w->top[j];
        w->seen[(scope * d->m + j) * d->m + w->above[j]]++;
    }
}

/* Hands, families and chi have a generator each, so that none depends on the others' number. */
typedef struct generators {
    es_rng hands, families, chi;
} generators;

static void draw_block(const es_separations *x, generators *rng, unsigned draws, size_t first,
                       size_t n, space *w) {
    const es_differences *d = x->differences;
    memset(w->rows, 0, n * d->pairs * sizeof *w->rows);
    spread(d->pairs, &rng->hands, n, d->hands, d->by_hand, w, w->rows);
    memcpy(w->both, w->rows, n * d->pairs * sizeof *w->both);
    spread(d->pairs, &rng->families, n, d->families, d->by_family, w, w->both);
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < ES_SCOPES; s++) {
            const float *z = (s == ES_SCOPE_HERE ? w->rows : w->both) + i * d->pairs;
            double nu = x->in[s].nu;
            if (!x->in[s].why_not)
                tally(d, s, draws, first + i, z, (float)(1 / sqrt(chi_square(&rng->chi, nu) / nu)),
                      w);
        }
}

/* How surely somebody is better than j: the largest t against it; 0 when nobody is better. NaN: j
 * cannot be compared with anybody. */
static double strongest(const double *t, size_t m, size_t j) {
    double top = (double)NAN;
    for (size_t a = 0; a < m; a++)
        if (a != j && isfinite(t[a * m + j]))
            top = fmax(isnan(top) ? 0 : top, t[a * m + j]);
    return top;
}

/* Order statistics of the ranks that were seen (m): as many draws lie below as above. */
static void rank_interval(const es_separation_rule *rule, const uint32_t *seen, size_t m,
                          uint32_t *low, uint32_t *high) {
    size_t first = (size_t)((1 - rule->level) / 2 * rule->draws), below = 0;
    size_t last = (size_t)((1 + rule->level) / 2 * rule->draws) - 1;
    for (size_t k = 0; k < m; k++) {
        below += seen[k];
        if (*low == 0 && below > first)
            *low = (uint32_t)k + 1;
        if (*high == 0 && below > last)
            *high = (uint32_t)k + 1;
    }
}

static void conclude(const es_separation_rule *rule, size_t m, size_t scope, space *w,
                     es_separation *out) {
    for (size_t j = 0; j < m; j++) {
        const float *largest = w->largest + (scope * m + j) * rule->draws;
        double top = strongest(out->t, m, j);
        if (isnan(top))
            continue;
        for (size_t i = 0; i < rule->draws; i++)
            w->sorted[i] = (double)largest[i];
        out->best[j] = top <= es_stat_quantile(w->sorted, rule->draws, rule->level);
        rank_interval(rule, w->seen + (scope * m + j) * m, m, &out->rank_low[j],
                      &out->rank_high[j]);
    }
}

static es_status judge_jointly(const es_separation_rule *rule, const es_run *run, es_separations *x,
                               es_error *err) {
    generators rng;
    space w = {0};
    es_status st = space_new(x->differences, rule, &w, err);
    es_rng_init(&rng.hands, rule->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a0));
    es_rng_init(&rng.families, rule->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a1));
    es_rng_init(&rng.chi, rule->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a2));
    if (st == ES_OK)
        prepare(x, &w);
    for (size_t first = 0; st == ES_OK && first < rule->draws; first += w.block) {
        size_t left = rule->draws - first;
        draw_block(x, &rng, rule->draws, first, left < w.block ? left : w.block, &w);
        st = es_run_check(run, err);
    }
    for (size_t s = 0; st == ES_OK && s < ES_SCOPES; s++)
        if (!x->in[s].why_not)
            conclude(rule, x->differences->m, s, &w, &x->in[s]);
    space_free(&w);
    return st;
}

es_status es_separations_new(const es_judged *judged, const es_separation_rule *given,
                             const es_run *run, es_separations **out, es_error *err) {
    es_separation_rule rule = *given;
    es_separations *x = NULL;
    es_status st = ES_OK;
    rule.level = rule.level != 0 ? rule.level : 0.95;
    rule.draws = rule.draws ? rule.draws : ES_SEPARATION_DRAWS;
    rule.bytes = rule.bytes ? rule.bytes : BLOCK_BYTES;
    if (!(rule.level > 0.5 && rule.level < 1))
        return es_fail(err, ES_EINVAL, "a confidence level of %g is not between 0.5 and 1",
                       rule.level);
    if (rule.draws < 100 || rule.draws > 1000000)
        return es_fail(err, ES_EINVAL, "%u draws: use 100 to 1000000", rule.draws);
    x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return es_no_memory(err);
    ES_TRY(es_differences_new(judged, run, &x->differences, err));
    for (size_t s = 0; s < ES_SCOPES; s++)
        if (!scope_alloc(x->differences->m, &x->in[s])) {
            st = es_no_memory_for(err, "the ranks of %zu embedders", x->differences->m);
            goto done;
        }
    ES_TRY(judge_pairs(judged, rule.level, x, err));
    bool anything = !x->in[ES_SCOPE_HERE].why_not || !x->in[ES_SCOPE_NEW].why_not;
    if (x->differences->pairs > 0 && anything)
        ES_TRY(judge_jointly(&rule, run, x, err));
    *out = x;
    x = NULL;
done:
    es_separations_free(x);
    return st;
}
