/* Joint draws: with Gaussian multipliers on the influences of hands and families, differences of
 * all pairs vary together as they would over samples (a multiplier bootstrap). Divided by one
 * chi-square variable a draw they are jointly Student's t. Of each draw, the largest t against an
 * embedder gives the critical value of "somebody is surely better" (Hsu 1981), and the order gives
 * a rank. Pairs go through part by part and draws in blocks, which stay in the cache. */
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

static double se_of(const es_differences *d, size_t scope, size_t cell) {
    double variance = d->hands > 0 ? d->var_rows[cell] : 0;
    if (scope == ES_SCOPE_NEW)
        variance += d->var_families[cell];
    double se = sqrt(variance); /* NaN: not known, and stays so */
    return se < ES_SEPARATION_ROUNDING ? ES_SEPARATION_ROUNDING : se;
}

static void tell_pairs_apart(const es_differences *d, size_t scope, double level,
                             es_separation *in) {
    double cut = es_student_quantile((1 + level) / 2, (size_t)in->nu);
    for (size_t i = 0; i < d->m * d->m; i++) {
        bool self = i / d->m == i % d->m;
        in->se[i] = self ? 0 : se_of(d, scope, i);
        in->t[i] = self ? 0 : d->delta[i] / in->se[i];
        in->separated[i] = fabs(in->t[i]) > cut;
    }
}

/* What can be said in each scope. */
static es_status find_scopes(const es_judged *judged, es_separations *x, es_error *err) {
    es_separation *here = &x->in[ES_SCOPE_HERE], *elsewhere = &x->in[ES_SCOPE_NEW];
    size_t hands = judged->hand ? judged->hands : 0;
    double judges;
    es_status st = es_usual_judges(judged, &judges, err);
    if (st != ES_OK)
        return st;
    here->nu = (double)hands - 1;
    elsewhere->nu = fmax(judges - 1, 1);
    if (judges < 1)
        here->why_not = "no target judges both of two embedders";
    if (hands == 0)
        here->why_not = "no values of rows";
    elsewhere->why_not = es_separation_few(judges);
    if (judged->m < 2)
        here->why_not = elsewhere->why_not = "one embedder";
    return ES_OK;
}

/* ---- Joint draws ---- */

/* Draws at a time, if their differences fit. */
enum { BLOCK = 64, BLOCK_BYTES = 2 << 20 };

typedef struct space {
    const es_separations *x;
    size_t m, draws, block;     // block: draws at a time
    float *multiplier[2];       // (draws, hands) and (draws, families)
    float *scale;               // (ES_SCOPES, draws) Student's t of normal variables
    size_t most;                // pairs that there is room for
    float *rows;                // (block, pairs) differences by rows
    float *both;                // (block, pairs) by rows and families
    float *delta;               // (pairs)
    float *inverse_se;          // (ES_SCOPES, pairs)
    float *top[ES_SCOPES];      // (draws, m) over others of t against an embedder; NULL: not said
    uint32_t *above[ES_SCOPES]; // (draws, m) embedders that are better
} space;

static void space_free(space *w) {
    es_free(w->multiplier[0]);
    es_free(w->multiplier[1]);
    es_free(w->scale);
    es_free(w->rows);
    es_free(w->delta);
    for (size_t s = 0; s < ES_SCOPES; s++) {
        es_free(w->top[s]);
        es_free(w->above[s]);
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

/* Hands, families and chi have a generator each, so that none depends on the others' number. */
static void draw(uint64_t seed, const size_t number[2], space *w) {
    es_rng rng;
    for (size_t k = 0; k < 2; k++) {
        es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a0 + k));
        for (size_t i = 0; i < w->draws * number[k]; i++)
            w->multiplier[k][i] = (float)es_rng_normal(&rng);
    }
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, 0x5e9a2));
    for (size_t i = 0; i < w->draws; i++)
        for (size_t s = 0; s < ES_SCOPES; s++)
            if (!w->x->in[s].why_not) {
                double nu = w->x->in[s].nu;
                w->scale[s * w->draws + i] = (float)(1 / sqrt(chi_square(&rng, nu) / nu));
            }
}

static es_status space_new(const es_judged *judged, const es_separation_rule *rule,
                           const es_separations *x, space *w, es_error *err) {
    size_t hands = judged->hand ? judged->hands : 0, families = 0;
    for (size_t j = 0; j < judged->targets; j++) {
        size_t family = judged->family ? judged->family[j] : j;
        families = family >= families ? family + 1 : families;
    }
    const size_t number[2] = {hands, families};
    *w = (space){.x = x, .m = judged->m, .draws = rule->draws};
    w->most = w->m - 1 > ES_INFLUENCES_AT_ONCE ? w->m - 1 : ES_INFLUENCES_AT_ONCE;
    size_t fit = rule->bytes / (2 * w->most * sizeof *w->rows);
    w->block = fit < 1 ? 1 : fit < BLOCK ? fit : BLOCK;
    for (size_t k = 0; k < 2; k++)
        w->multiplier[k] = es_alloc(w->draws * number[k], sizeof *w->multiplier[k]);
    w->scale = es_alloc(ES_SCOPES * w->draws, sizeof *w->scale);
    w->rows = es_alloc(2 * w->block * w->most, sizeof *w->rows);
    w->delta = es_alloc((1 + ES_SCOPES) * w->most, sizeof *w->delta);
    bool fits = w->multiplier[0] && w->multiplier[1] && w->scale && w->rows && w->delta;
    for (size_t s = 0; s < ES_SCOPES; s++)
        if (!x->in[s].why_not) {
            w->top[s] = es_alloc_zero(w->draws * w->m, sizeof *w->top[s]); /* itself: 0 */
            w->above[s] = es_alloc_zero(w->draws * w->m, sizeof *w->above[s]);
            fits = fits && w->top[s] && w->above[s];
        }
    if (!fits)
        return es_no_memory_for(err, "the ranks of %zu embedders", w->m);
    w->both = w->rows + w->block * w->most;
    w->inverse_se = w->delta + w->most;
    draw(rule->seed, number, w);
    return ES_OK;
}

/* What a draw of a source's differences from the n behind it, z (n) times scale, says of it and of
 * them, whose top and above follow its own. Lanes make vectors of the loop: of a largest value and
 * of counts the order makes no difference. */
static void tally(size_t n, const float *z, float scale, const float *delta,
                  const float *inverse_se, float *top, uint32_t *above) {
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
            above[1 + k + l] += truth > 0;
            better[l] += truth < 0;
        }
    for (; k < n; k++) {
        float difference = z[k] * scale, t = difference * inverse_se[k];
        float truth = difference + delta[k];
        top[1 + k] = t > top[1 + k] ? t : top[1 + k];
        own[0] = -t > own[0] ? -t : own[0];
        above[1 + k] += truth > 0;
        better[0] += truth < 0;
    }
    for (size_t l = 0; l < LANES; l++) {
        top[0] = own[l] > top[0] ? own[l] : top[0];
        above[0] += better[l];
    }
}

/* out (n, pairs) = multipliers (n, k) times influence (k, pairs), of the draws from `first` on;
 * added to what is there. */
static void spread(size_t pairs, size_t first, size_t n, size_t k, const float *multiplier,
                   const float *influence, bool add, float *out) {
    if (k > 0)
        (add ? es_sgemm_add : es_sgemm)(false, n, pairs, k, 1, multiplier + first * k, influence,
                                        out);
    else if (!add)
        memset(out, 0, n * pairs * sizeof *out);
}

static void prepare(const es_differences *d, const es_influences *part, space *w) {
    size_t k = 0;
    for (size_t a = part->first; a < part->first + part->sources; a++)
        for (size_t b = a + 1; b < d->m; b++, k++) {
            size_t cell = a * d->m + b;
            w->delta[k] = isfinite(d->delta[cell]) ? (float)d->delta[cell] : 0;
            for (size_t s = 0; s < ES_SCOPES; s++) {
                double se = se_of(d, s, cell);
                w->inverse_se[s * w->most + k] = isfinite(se) ? (float)(1 / se) : 0;
            }
        }
}

/* A draw of a part's differences in one scope. */
static void tally_part(const es_influences *part, size_t scope, size_t draw, const float *z,
                       space *w) {
    float *top = w->top[scope] + draw * w->m;
    uint32_t *above = w->above[scope] + draw * w->m;
    const float *inverse_se = w->inverse_se + scope * w->most;
    size_t k = 0;
    for (size_t a = part->first; a < part->first + part->sources; k += w->m - 1 - a, a++)
        tally(w->m - 1 - a, z + k, w->scale[scope * w->draws + draw], w->delta + k, inverse_se + k,
              top + a, above + a);
}

static es_status take_part(void *context, const es_differences *d, const es_influences *part,
                           const es_run *run, es_error *err) {
    space *w = context;
    es_status st = ES_OK;
    prepare(d, part, w);
    for (size_t first = 0; st == ES_OK && part->pairs > 0 && first < w->draws; first += w->block) {
        size_t n = w->draws - first < w->block ? w->draws - first : w->block;
        spread(part->pairs, first, n, d->hands, w->multiplier[0], part->by_hand, false, w->rows);
        memcpy(w->both, w->rows, n * part->pairs * sizeof *w->both);
        spread(part->pairs, first, n, d->families, w->multiplier[1], part->by_family, true,
               w->both);
        for (size_t i = 0; i < n; i++)
            for (size_t s = 0; s < ES_SCOPES; s++)
                if (w->top[s])
                    tally_part(part, s, first + i,
                               (s == ES_SCOPE_HERE ? w->rows : w->both) + i * part->pairs, w);
        st = es_run_check(run, err);
    }
    return st;
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

/* largest (draws), seen (m): scratch. */
static void conclude(const es_separation_rule *rule, const space *w, size_t scope, double *largest,
                     uint32_t *seen, es_separation *out) {
    for (size_t j = 0; j < w->m; j++) {
        double top = strongest(out->t, w->m, j);
        if (isnan(top))
            continue;
        memset(seen, 0, w->m * sizeof *seen);
        for (size_t i = 0; i < w->draws; i++) {
            largest[i] = (double)w->top[scope][i * w->m + j];
            seen[w->above[scope][i * w->m + j]]++;
        }
        out->best[j] = top <= es_stat_quantile(largest, w->draws, rule->level);
        rank_interval(rule, seen, w->m, &out->rank_low[j], &out->rank_high[j]);
    }
}

static es_status conclude_all(const es_separation_rule *rule, const space *w, es_separations *x,
                              es_error *err) {
    double *largest = es_alloc(w->draws, sizeof *largest);
    uint32_t *seen = es_alloc(w->m, sizeof *seen);
    es_status st =
        largest && seen ? ES_OK : es_no_memory_for(err, "the ranks of %zu embedders", w->m);
    for (size_t s = 0; st == ES_OK && s < ES_SCOPES; s++)
        if (!x->in[s].why_not) {
            tell_pairs_apart(x->differences, s, rule->level, &x->in[s]);
            conclude(rule, w, s, largest, seen, &x->in[s]);
        }
    es_free(largest);
    es_free(seen);
    return st;
}

es_status es_separations_new(const es_judged *judged, const es_separation_rule *given,
                             const es_run *run, es_separations **out, es_error *err) {
    es_separation_rule rule = *given;
    es_separations *x = NULL;
    space w = {0};
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
    ES_TRY(find_scopes(judged, x, err));
    for (size_t s = 0; s < ES_SCOPES; s++)
        if (!scope_alloc(judged->m, &x->in[s])) {
            st = es_no_memory_for(err, "the ranks of %zu embedders", judged->m);
            goto done;
        }
    bool anything = !x->in[ES_SCOPE_HERE].why_not || !x->in[ES_SCOPE_NEW].why_not;
    const es_influences_to to = {take_part, &w};
    if (anything)
        ES_TRY(space_new(judged, &rule, x, &w, err));
    ES_TRY(es_differences_new(judged, anything ? &to : NULL, run, &x->differences, err));
    if (anything)
        ES_TRY(conclude_all(&rule, &w, x, err));
    *out = x;
    x = NULL;
done:
    space_free(&w);
    es_separations_free(x);
    return st;
}
