/* Everything a ranking decides, by one of two ways (decision.h), in an order of embedders that does
 * not depend on files. */
#include "decision.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "embedscope/communities.h"
#include "hands.h"
#include "letters.h"
#include "order_check.h"
#include "sorting.h"
#include "stats.h"
#include "votes.h"

#define NOT_KNOWN "neither families nor communities are known"

const char es_why_missing[] = "too many pairs are missing";

void es_decision_free(es_decision *x) {
    if (!x)
        return;
    es_ranking_free(x->ranking);
    for (size_t i = 0; x->tie && i < x->m; i++)
        es_free(x->tie[i]);
    es_free(x->tie);
    es_free(x->in_letter);
    es_free(x->order);
    es_free(x->low);
    es_free(x->best);
    es_free(x->delta);
    es_free(x);
}

static es_decision *decision_alloc(size_t m) {
    es_decision *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->order = es_alloc_zero(m, 4 * sizeof *x->order);
    x->low = es_alloc(m, 2 * sizeof *x->low);
    x->best = es_alloc_zero(m, (1 + ES_SCOPES * m) * sizeof *x->best);
    x->tie = es_alloc_zero(m, sizeof *x->tie);
    if (!x->order || !x->low || !x->best || !x->tie) {
        es_decision_free(x);
        return NULL;
    }
    x->rank_low = x->order + m;
    x->rank_high = x->rank_low + m;
    x->cluster = x->rank_high + m;
    x->high = x->low + m;
    for (size_t i = 0; i < 2 * m; i++)
        x->low[i] = (double)NAN;
    for (size_t s = 0; s < ES_SCOPES; s++)
        x->separated[s] = x->best + m + s * m * m;
    return x;
}

static bool is_mean(es_aggregate aggregate) {
    return aggregate == ES_AGGREGATE_MEAN || aggregate == ES_AGGREGATE_FAMILIES;
}

static size_t place_of(const es_decision_problem *p, size_t k) {
    return p->order ? p->order[k] : k;
}

/* Of one value without its rows nothing is said of the rows of any. */
static void count_bare(const es_decision_problem *p, es_decision *x) {
    for (size_t s = 0; s < p->m; s++)
        for (size_t t = 0; t < p->m; t++) {
            size_t cell = s * p->m + t;
            if (!isfinite(p->is[cell]) || !es_votes_admit(&p->rule, s, t))
                continue;
            x->voting++;
            x->bare += !p->pmi || !p->pmi[cell];
        }
    if (x->bare == x->voting)
        x->bare = 0;
}

/* ---- Scores ---- */

static es_status rank(const es_decision_problem *p, es_decision *x, es_error *err) {
    es_status st = es_ranking_new(p->is, p->m, &p->rule, &x->ranking, err);
    if (st == ES_OK && p->lower_is_better)
        st = es_rank_competition(x->ranking->score, p->m, true, x->ranking->rank, err);
    if (st != ES_OK)
        return st;
    double *key = es_alloc(p->m, sizeof *key);
    uint32_t *scratch = es_alloc(p->m, sizeof *scratch);
    if (key && scratch) {
        for (size_t k = 0; k < p->m; k++) {
            size_t i = place_of(p, k);
            uint32_t rank = x->ranking->rank[i];
            key[i] = rank ? (double)rank : (double)INFINITY;
            x->order[k] = (uint32_t)i;
            x->scored += rank > 0;
        }
        es_sort_index(key, x->order, scratch, p->m);
    } else {
        st = es_no_memory_for(err, "%zu embedders", p->m);
    }
    es_free(key);
    es_free(scratch);
    return st;
}

/* ---- Means: paired differences ---- */

/* The problem in canonical order. */
typedef struct judging {
    double *is, *hand;
    uint32_t *family;
    es_judged judged;
} judging;

static void judging_free(judging *j) {
    es_free(j->is);
    es_free(j->hand);
    es_free(j->family);
}

/* group (m): of each embedder, numbered in canonical order; NULL: each is alone. */
static void number_clusters(const es_decision_problem *p, const uint32_t *group, es_decision *x) {
    uint32_t clusters = 0;
    for (size_t k = 0; k < p->m; k++) {
        size_t i = place_of(p, k), same = SIZE_MAX;
        for (size_t l = 0; group && l < k && same == SIZE_MAX; l++)
            if (group[place_of(p, l)] == group[i])
                same = place_of(p, l);
        x->cluster[i] = same == SIZE_MAX ? clusters++ : x->cluster[same];
    }
}

static bool judges(const es_decision_problem *p, size_t i) {
    return p->rule.judges == NULL || p->rule.judges[i];
}

/* Of those that judge. */
static size_t count_clusters(const es_decision_problem *p, const es_decision *x) {
    size_t count = 0;
    for (size_t i = 0; i < p->m; i++) {
        bool first = judges(p, i);
        for (size_t j = 0; j < i && first; j++)
            first = !judges(p, j) || x->cluster[j] != x->cluster[i];
        count += first;
    }
    return count;
}

/* Who is a sample of targets together: what the problem says, else communities. */
static es_status find_clusters(const es_decision_problem *p, const es_run *run, es_decision *x,
                               es_error *err) {
    es_communities *found = NULL;
    const es_louvain problem = {
        .is = p->is, .se = p->se, .m = p->m, .order = p->order, .runs = 1, .seed = p->seed};
    es_status st = ES_OK;
    if (!p->cluster && !p->lower_is_better)
        st = es_communities_new(&problem, run, &found, err);
    if (st == ES_OK) {
        number_clusters(p, found ? found->group : p->cluster, x);
        x->families = found || p->cluster ? count_clusters(p, x) : 0;
    }
    es_communities_free(found);
    return st;
}

/* Do all pairs that judge have values of rows? Else nothing is said of rows. */
static bool fill_hands(const es_decision_problem *p, const es_hands *hands, judging *j) {
    double *sum = j->hand;
    for (size_t a = 0; a < p->m; a++)
        for (size_t b = 0; b < p->m; b++, sum += hands->count) {
            if (!isfinite(j->is[a * p->m + b])) {
                memset(sum, 0, hands->count * sizeof *sum);
                continue;
            }
            if (!es_hands_sum(hands, p->pmi[place_of(p, a) * p->m + place_of(p, b)], sum))
                return false;
            for (size_t h = 0; h < hands->count; h++)
                sum[h] /= p->lower_is_better ? -(double)hands->size[h] : (double)hands->size[h];
        }
    return true;
}

static es_status judging_new(const es_decision_problem *p, const uint32_t *cluster, judging *j,
                             es_error *err) {
    size_t m = p->m;
    es_hands hands = {0};
    es_status st = ES_OK;
    j->is = es_alloc(m, m * sizeof *j->is);
    j->family = es_alloc(m, sizeof *j->family);
    if (!j->is || !j->family)
        return es_no_memory_for(err, "comparing %zu embedders", m);
    for (size_t a = 0; a < m; a++) {
        size_t source = place_of(p, a);
        j->family[a] = cluster[source];
        for (size_t b = 0; b < m; b++) {
            size_t target = place_of(p, b);
            double value = p->is[source * m + target];
            j->is[a * m + b] = !es_votes_admit(&p->rule, source, target) ? (double)NAN
                               : p->lower_is_better                      ? -value
                                                                         : value;
        }
    }
    if (p->pmi && p->n_eval > 1) {
        ES_TRY(es_hands_init(&hands, p->n_eval, ES_BOOTSTRAP_HANDS, p->seed, err));
        j->hand = es_alloc(m * m, hands.count * sizeof *j->hand);
        if (!j->hand) {
            st = es_no_memory_for(err, "the rows of %zu embedders", m);
            goto done;
        }
        if (!fill_hands(p, &hands, j)) {
            es_free(j->hand);
            j->hand = NULL;
        }
    }
    j->judged = (es_judged){.m = m,
                            .targets = m,
                            .is = j->is,
                            .hands = j->hand ? hands.count : 0,
                            .hand = j->hand,
                            .family = j->family,
                            .by_family = p->rule.aggregate == ES_AGGREGATE_FAMILIES,
                            .include_self = true /* what may not judge is NaN */};
done:
    es_hands_deinit(&hands);
    return st;
}

/* As of means: how many families usually judge both of two embedders. */
static es_status families_that_judge(const es_decision_problem *p, const es_decision *x,
                                     double *out, es_error *err) {
    es_decision_problem matrix = *p;
    judging j = {0};
    matrix.pmi = NULL;
    es_status st = judging_new(&matrix, x->cluster, &j, err);
    if (st == ES_OK)
        st = es_usual_judges(&j.judged, out, err);
    judging_free(&j);
    return st;
}

static bool lacks_pairs(const es_decision_problem *p) {
    bool lacks = false;
    for (size_t a = 0; a < p->m && !lacks; a++)
        for (size_t b = 0; b < p->m && !lacks; b++)
            lacks = !isfinite(p->is[a * p->m + b]) && es_votes_admit(&p->rule, a, b);
    return lacks;
}

/* Where as many would judge both of two, were no pair missing, it is not for want of families. */
static es_status blame_missing(const es_decision_problem *p, es_decision *x, es_error *err) {
    const char **here = &x->why_not[ES_SCOPE_HERE], **elsewhere = &x->why_not[ES_SCOPE_NEW];
    bool few_here = *here && x->hands > 0;
    bool few_elsewhere = *elsewhere && x->families > 0 && *elsewhere != p->here_only;
    double judges = 0;
    if ((!few_here && !few_elsewhere) || !lacks_pairs(p))
        return ES_OK;
    double *whole = es_alloc_zero(p->m, p->m * sizeof *whole);
    if (!whole)
        return es_no_memory_for(err, "comparing %zu embedders", p->m);
    es_decision_problem all = *p;
    all.is = whole;
    es_status st = families_that_judge(&all, x, &judges, err);
    if (st == ES_OK && few_here && judges >= 1)
        *here = es_why_missing;
    if (st == ES_OK && few_elsewhere && !es_separation_few(judges))
        *elsewhere = es_why_missing;
    es_free(whole);
    return st;
}

/* Neither rows nor families are known well enough: intervals as if each target were a family of its
 * own, which is the most that the matrix alone can show, and too narrow where some are related. Of
 * more than so many embedders there are none: what each target says of each pair takes minutes. */
static const size_t TARGETS_MOST = 800;
static es_status judge_targets(const es_decision_problem *p, const es_judged *judged,
                               const es_separation_rule *rule, const es_run *run, es_decision *x,
                               es_error *err) {
    es_separations *s = NULL;
    es_judged each = *judged;
    each.family = NULL;
    each.by_family = false;
    es_status st = es_separations_new(&each, rule, run, &s, err);
    for (size_t k = 0; st == ES_OK && k < p->m && !s->in[ES_SCOPE_NEW].why_not; k++) {
        x->rank_low[place_of(p, k)] = s->in[ES_SCOPE_NEW].rank_low[k];
        x->rank_high[place_of(p, k)] = s->in[ES_SCOPE_NEW].rank_high[k];
    }
    es_separations_free(s);
    return st;
}

static void score_intervals(const es_decision_problem *p, const es_score_spread *spread,
                            es_decision *x) {
    for (size_t k = 0; k < p->m; k++) {
        size_t i = place_of(p, k);
        double variance = isfinite(spread[k].var_rows) ? spread[k].var_rows : 0,
               nu = x->nu[x->scope];
        if (x->scope == ES_SCOPE_NEW || !x->said) {
            nu = (double)spread[k].families - 1;
            variance += spread[k].var_families;
        }
        if (!(nu >= 1))
            continue;
        double reach = es_student_quantile((1 + x->level) / 2, (size_t)nu) * sqrt(variance);
        x->low[i] = x->ranking->score[i] - reach;
        x->high[i] = x->ranking->score[i] + reach;
    }
}

/* Nobody is surely better than one that no target judges together with another. */
static bool is_alone(const es_separation *s, size_t m, size_t a) {
    for (size_t b = 0; b < m; b++)
        if (b != a && isfinite(s->t[b * m + a]))
            return false;
    return true;
}

static void take_separations(const es_decision_problem *p, const es_separations *s,
                             es_decision *x) {
    size_t m = p->m;
    const es_differences *d = s->differences;
    const es_separation *said = &s->in[x->scope];
    for (size_t a = 0; a < m; a++) {
        size_t i = place_of(p, a);
        x->best[i] = said->best[a] || (said->t != NULL && is_alone(said, m, a));
        x->rank_low[i] = said->rank_low[a];
        x->rank_high[i] = said->rank_high[a];
        for (size_t b = 0; b < m; b++) {
            size_t from = a * m + b, to = i * m + place_of(p, b);
            x->delta[to] = d->delta[from];
            x->var_rows[to] = d->var_rows[from];
            x->var_families[to] = d->var_families[from];
            for (size_t k = 0; k < ES_SCOPES; k++)
                x->separated[k][to] = !s->in[k].why_not && s->in[k].separated[from];
        }
    }
}

static es_status judge_means(const es_decision_problem *p, const es_run *run, es_decision *x,
                             es_error *err) {
    judging j = {0};
    es_separations *s = NULL;
    es_status st = ES_OK;
    const es_separation_rule rule = {.level = x->level, .draws = p->draws, .seed = p->seed};
    es_score_spread *spread = es_alloc(p->m, sizeof *spread);
    x->delta = es_alloc(p->m * p->m, 3 * sizeof *x->delta);
    if (!spread || !x->delta) {
        st = es_no_memory_for(err, "comparing %zu embedders", p->m);
        goto done;
    }
    x->var_rows = x->delta + p->m * p->m;
    x->var_families = x->var_rows + p->m * p->m;
    ES_TRY(judging_new(p, x->cluster, &j, err));
    ES_TRY(es_separations_new(&j.judged, &rule, run, &s, err));
    if (x->families == 0)
        s->in[ES_SCOPE_NEW].why_not = NOT_KNOWN;
    if (p->here_only)
        s->in[ES_SCOPE_NEW].why_not = p->here_only;
    x->hands = s->differences->hands;
    for (size_t k = 0; k < ES_SCOPES; k++) {
        x->why_not[k] = s->in[k].why_not;
        x->nu[k] = s->in[k].nu;
    }
    ES_TRY(blame_missing(p, x, err));
    x->scope = x->why_not[ES_SCOPE_NEW] ? ES_SCOPE_HERE : ES_SCOPE_NEW;
    x->said = x->why_not[x->scope] == NULL;
    take_separations(p, s, x);
    if (!x->said) {
        if (p->m <= TARGETS_MOST)
            ES_TRY(judge_targets(p, &j.judged, &rule, run, x, err));
        j.judged.family = NULL;
        j.judged.by_family = false;
    }
    ES_TRY(es_score_spreads(&j.judged, spread, err));
    score_intervals(p, spread, x);
done:
    es_free(spread);
    es_separations_free(s);
    judging_free(&j);
    return st;
}

/* ---- Other aggregates: resampling ---- */

/* cluster (m): of targets; NULL: each for itself */
static es_status resample(const es_decision_problem *p, es_resample what, const uint32_t *cluster,
                          const es_run *run, es_intervals **out, es_error *err) {
    const es_bootstrap problem = {.is = p->is,
                                  .pmi = p->pmi,
                                  .m = p->m,
                                  .n_eval = p->n_eval,
                                  .order = p->order,
                                  .rule = p->rule,
                                  .cluster = cluster,
                                  .lower_is_better = p->lower_is_better,
                                  .resample = what,
                                  .draws = p->draws,
                                  .level = p->level,
                                  .seed = p->seed};
    return es_intervals_new(&problem, run, out, err);
}

static void take_intervals(const es_intervals *from, es_decision *x) {
    size_t m = x->m;
    memcpy(x->low, from->low, m * sizeof *x->low);
    memcpy(x->high, from->high, m * sizeof *x->high);
    memcpy(x->best, from->best, m * sizeof *x->best);
    for (size_t i = 0; i < m; i++) { /* of one target nothing can be resampled */
        bool sampled = isfinite(from->low[i]);
        x->rank_low[i] = sampled ? from->rank_low[i] : 0;
        x->rank_high[i] = sampled ? from->rank_high[i] : 0;
    }
}

/* Of what is known in each scope, the one that says the most; where neither may be said, intervals
 * as if each target were a family of its own. */
static void take_resamples(const es_intervals *both, const es_intervals *rows, es_decision *x) {
    size_t cells = x->m * x->m;
    bool elsewhere = !x->why_not[ES_SCOPE_NEW], here = !x->why_not[ES_SCOPE_HERE];
    x->scope = elsewhere ? ES_SCOPE_NEW : ES_SCOPE_HERE;
    take_intervals(elsewhere || !here ? both : rows, x);
    for (size_t i = 0; i < x->m && (elsewhere || here); i++)
        x->said = x->said || isfinite(x->low[i]); /* of one target nothing can be resampled */
    if (elsewhere)
        memcpy(x->separated[ES_SCOPE_NEW], both->separable, cells * sizeof *both->separable);
    if (here)
        memcpy(x->separated[ES_SCOPE_HERE], rows->separable, cells * sizeof *rows->separable);
}

static es_status judge_resamples(const es_decision_problem *p, const es_run *run, es_decision *x,
                                 es_error *err) {
    es_intervals *both = NULL, *rows = NULL;
    double judges;
    es_status st = ES_OK;
    ES_TRY(families_that_judge(p, x, &judges, err));
    x->why_not[ES_SCOPE_NEW] = x->families == 0 ? NOT_KNOWN : es_separation_few(judges);
    ES_TRY(resample(p, ES_RESAMPLE_BOTH, x->why_not[ES_SCOPE_NEW] ? NULL : x->cluster, run, &both,
                    err));
    x->hands = both->resample == ES_RESAMPLE_BOTH && both->without_rows == 0;
    x->why_not[ES_SCOPE_HERE] = x->hands == 0 ? "no values of rows"
                                : judges < 1  ? "no target judges both of two embedders"
                                              : NULL;
    ES_TRY(blame_missing(p, x, err));
    if (!x->why_not[ES_SCOPE_HERE])
        ES_TRY(resample(p, ES_RESAMPLE_ROWS, NULL, run, &rows, err));
    take_resamples(both, rows, x);
done:
    es_intervals_free(both);
    es_intervals_free(rows);
    return st;
}

/* ---- Letters, and what follows from the order ---- */

static es_status letter(es_decision *x, es_error *err) {
    size_t m = x->m;
    bool *tied = es_alloc(m * m, sizeof *tied);
    es_status st = tied ? ES_OK : es_no_memory_for(err, "the ties of %zu embedders", m);
    for (size_t i = 0; tied && i < m * m; i++)
        tied[i] = !x->separated[x->scope][i];
    if (st == ES_OK && x->said && x->scored >= ES_BOOTSTRAP_TIE_MODELS)
        st = es_letters_new(tied, m, x->order, x->scored, &x->in_letter, &x->letters, err);
    es_free(tied);
    for (size_t i = 0; st == ES_OK && i < m; i++) {
        x->tie[i] = es_letters_text(x->letters ? x->in_letter + i * x->letters : NULL, x->letters);
        if (!x->tie[i])
            st = es_no_memory_for(err, "the ties of %zu embedders", m);
    }
    return st;
}

/* Scores are over each embedder's own judges, differences over those of both: an interval may just
 * miss the rank, and the first may just lose a comparison. */
static void include_ranks(es_decision *x) {
    for (size_t k = 0; k < x->scored; k++) {
        size_t i = x->order[k];
        uint32_t rank = x->ranking->rank[i];
        if (rank == 1 || !x->said)
            x->best[i] = true;
        if (x->rank_low[i] > rank)
            x->rank_low[i] = rank;
        if (x->rank_high[i] > 0 && x->rank_high[i] < rank)
            x->rank_high[i] = rank;
    }
    for (size_t k = x->scored; k < x->m; k++)
        x->best[x->order[k]] = false;
}

/* Apart by what rounding leaves, so that no number of rows or families would tell them apart. */
static bool is_equal(const es_decision *x, size_t a, size_t b) {
    return x->delta && fabs(x->delta[a * x->m + b]) <= 2 * ES_SEPARATION_ROUNDING;
}

/* Draws put the same one of two equal embedders first each time. */
static void share_ranks(es_decision *x) {
    for (size_t k = 0; x->said && k < x->scored; k++)
        for (size_t l = k + 1; l < x->scored; l++) {
            size_t a = x->order[k], b = x->order[l];
            if (!is_equal(x, a, b) || x->rank_low[a] == 0 || x->rank_low[b] == 0)
                continue;
            x->rank_low[a] = x->rank_low[b] =
                x->rank_low[a] < x->rank_low[b] ? x->rank_low[a] : x->rank_low[b];
            x->rank_high[a] = x->rank_high[b] =
                x->rank_high[a] > x->rank_high[b] ? x->rank_high[a] : x->rank_high[b];
        }
}

es_status es_decision_new(const es_decision_problem *given, const es_run *run, es_decision **out,
                          es_error *err) {
    es_decision_problem p = *given;
    es_decision *x = NULL;
    p.level = p.level > 0 ? p.level : 0.95;
    p.draws = p.draws ? p.draws : ES_SEPARATION_DRAWS;
    es_status st = es_order_check(p.order, p.m, err);
    if (st != ES_OK)
        return st;
    x = decision_alloc(p.m);
    if (!x)
        return es_no_memory_for(err, "the ranking of %zu embedders", p.m);
    x->level = p.level;
    count_bare(&p, x);
    ES_TRY(rank(&p, x, err));
    ES_TRY(find_clusters(&p, run, x, err));
    ES_TRY((is_mean(p.rule.aggregate) ? judge_means : judge_resamples)(&p, run, x, err));
    include_ranks(x);
    share_ranks(x);
    ES_TRY(letter(x, err));
    *out = x;
    x = NULL;
done:
    es_decision_free(x);
    return st;
}

/* ---- What would settle it ---- */

/* The factor on one part of the variance at which the difference is found in four of five
 * repetitions: |delta| / se is then the critical value plus 0.84. */
static double factor(double wanted, double part, double rest, bool helps_rest) {
    double room = helps_rest ? wanted : wanted - rest, total = helps_rest ? part + rest : part;
    if (!(room > 0) || total > 1000 * room)
        return (double)INFINITY;
    return fmax(1, total / room);
}

const char *es_decision_sample(const es_decision *x) {
    return !x->said                    ? "targets"
           : x->scope == ES_SCOPE_HERE ? "rows"
           : x->hands > 0              ? "rows and families"
                                       : "families";
}

bool es_decision_bounded(const es_decision *x) {
    size_t i = 0;
    while (i < x->m && !isfinite(x->low[i]))
        i++;
    return i < x->m;
}

bool es_decision_ahead(const es_decision *x, es_scope scope, size_t a, size_t b) {
    size_t cell = a * x->m + b;
    if (x->why_not[scope] || !x->separated[scope][cell])
        return false;
    return x->delta ? x->delta[cell] > 0 : x->ranking->rank[a] < x->ranking->rank[b];
}

es_settling es_decision_settling(const es_decision *x, size_t a, size_t b) {
    es_settling out = {(double)NAN, (double)NAN, false};
    if (!x->delta || !x->said || a == b)
        return out;
    size_t cell = a * x->m + b;
    double rows = x->hands > 0 ? x->var_rows[cell] : 0;
    double families = x->scope == ES_SCOPE_NEW ? x->var_families[cell] : 0;
    double delta = fabs(x->delta[cell]);
    if (!isfinite(delta) || !isfinite(rows) || !isfinite(families))
        return out;
    out.by_families = families > rows;
    if (x->separated[x->scope][cell])
        return (es_settling){0, 0, out.by_families};
    double cut = es_student_quantile((1 + x->level) / 2, (size_t)fmax(x->nu[x->scope], 1)) +
                 es_normal_quantile(0.8);
    double wanted = is_equal(x, a, b) ? 0 : delta * delta / (cut * cut);
    out.rows = factor(wanted, rows, families, false);
    out.families = x->scope == ES_SCOPE_NEW ? factor(wanted, families, rows, true) : (double)NAN;
    return out;
}
