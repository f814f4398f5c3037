/* From matrices to who is ranked, kinds, leads and the set (core_ranking.h), in an order of
 * embedders that does not depend on files. */
#include "core_ranking.h"

#include <math.h>
#include <string.h>

#include "core_ranking_parts.h"
#include "core_structure.h"

void es_decision_free(es_decision *x) {
    if (!x)
        return;
    es_ranking_free(x->ranking);
    es_free(x->order);
    es_free(x->standing);
    es_free(x->low);
    es_free(x->best);
    es_free(x->delta);
    es_free(x->comparing);
    es_free(x->steps);
    es_free(x);
}

static es_decision *decision_alloc(const es_decision_problem *p) {
    size_t m = p->m;
    es_decision *x = es_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->m = m;
    x->by_lead = p->by_lead;
    x->level = p->level > 0 ? p->level : 0.95;
    x->order = es_alloc_zero(m + 1, 8 * sizeof *x->order);
    x->standing = es_alloc_zero(m + 1, sizeof *x->standing);
    x->low = es_alloc(m + 1, 4 * sizeof *x->low);
    x->best = es_alloc_zero(m + 1, (m + 2) * sizeof *x->best);
    x->delta = p->by_lead ? es_alloc(m + 1, 3 * (m + 1) * sizeof *x->delta) : NULL;
    x->comparing = p->by_lead ? es_alloc_zero(m + 1, (m + 1) * sizeof *x->comparing) : NULL;
    if (!x->order || !x->standing || !x->low || !x->best ||
        (p->by_lead && (!x->delta || !x->comparing))) {
        es_decision_free(x);
        return NULL;
    }
    x->component = x->order + m;
    x->first = x->component + m;
    x->kind = x->first + m;
    x->rank_low = x->kind + m;
    x->rank_high = x->rank_low + m;
    x->family = x->rank_high + m;
    x->information_rank = p->by_lead ? x->family + m : NULL;
    x->high = x->low + m;
    x->critical = x->high + m;
    x->information = p->by_lead ? x->critical + m : NULL;
    x->votes = x->best + m;
    x->ahead = x->votes + m;
    for (size_t i = 0; i < 4 * m; i++)
        x->low[i] = (double)NAN;
    for (size_t i = 0; i < m; i++) {
        x->first[i] = (uint32_t)i;
        x->family[i] = p->family ? p->family[i] : (uint32_t)i;
        x->component[i] = x->kind[i] = UINT32_MAX;
    }
    if (p->by_lead) {
        x->var_rows = x->delta + m * m;
        x->var_kinds = x->var_rows + m * m;
        for (size_t i = 0; i < 3 * m * m; i++)
            x->delta[i] = (double)NAN;
    }
    return x;
}

static size_t place_of(const es_decision_problem *p, size_t k) {
    return p->order ? p->order[k] : k;
}

static bool is_target(const es_decision_problem *p, size_t i) {
    return p->rule.voting == NULL || p->rule.voting[i];
}

/* ---- Who is ranked ---- */

/* Some embedders in canonical order, by their places in the problem. */
typedef struct members {
    size_t n;
    uint32_t *at;       // (m)
    double *is, *se;    // (n, n) of one of the matrices
    uint32_t *number;   // (m) scratch: component, first, kind
    uint32_t *together; // (m)
} members;

static void members_free(members *x) {
    es_free(x->at);
    es_free(x->is);
}

static es_status members_new(const es_decision_problem *p, members *x, es_error *err) {
    x->at = es_alloc(p->m + 1, 3 * sizeof *x->at);
    x->is = es_alloc(p->m + 1, 2 * (p->m + 1) * sizeof *x->is);
    if (!x->at || !x->is)
        return es_no_memory_for(err, "the ranking of %zu embedders", p->m);
    x->number = x->at + p->m;
    x->together = x->number + p->m;
    x->se = x->is + p->m * p->m;
    return ES_OK;
}

/* Those of a standing, with their part of the information matrix or of the one that is ranked. */
static void take_members(const es_decision_problem *p, const es_decision *x, bool information,
                         members *out) {
    const double *is = information && p->information ? p->information : p->is;
    const double *se = p->information ? p->information_se : p->se;
    out->n = 0;
    for (size_t k = 0; k < p->m; k++)
        if (x->standing[place_of(p, k)] == ES_STANDING_RANKED)
            out->at[out->n++] = (uint32_t)place_of(p, k);
    for (size_t a = 0; a < out->n; a++)
        for (size_t b = 0; b < out->n; b++) {
            size_t cell = out->at[a] * p->m + out->at[b];
            double value = is[cell];
            out->is[a * out->n + b] = isfinite(value) ? value : (double)NAN;
            out->se[a * out->n + b] = se ? se[cell] : 0;
        }
}

static bool knows_some(const es_decision_problem *p, size_t i) {
    for (size_t t = 0; t < p->m; t++)
        if (t != i && isfinite(p->is[i * p->m + t]))
            return true;
    return false;
}

/* Errors have no relations: everybody is in one group then. */
static bool has_relations(const es_decision_problem *p) {
    return p->information != NULL || !p->lower_is_better;
}

/* Finds which embedders are controls, unknown, unrelated or ranked. */
static void find_standings(const es_decision_problem *p, members *x, es_decision *out) {
    size_t largest = 0;
    for (size_t i = 0; i < p->m; i++)
        out->standing[i] = p->control && p->control[i] ? ES_STANDING_CONTROL
                           : !knows_some(p, i)         ? ES_STANDING_UNKNOWN
                                                       : ES_STANDING_RANKED;
    take_members(p, out, true, x);
    out->related = true;
    if (!has_relations(p))
        return;
    out->components = es_kinship_components(x->is, x->se, x->n, x->number, &largest);
    out->related = largest > 1;
    for (size_t k = 0; k < x->n; k++) {
        out->component[x->at[k]] = x->number[k];
        bool none = largest < 2; /* no pair is related: other scores rank all */
        if (none ? p->by_lead && x->n > 1 : x->number[k] > 0)
            out->standing[x->at[k]] = ES_STANDING_UNRELATED;
        for (size_t b = 0; b < k; b++)
            out->groups = out->groups || (x->number[k] > 0 && x->number[b] == x->number[k]);
    }
}

/* A copy that is named as target votes through its first. */
static void find_votes(const es_decision_problem *p, const members *x, es_decision *out) {
    for (size_t k = 0; k < x->n; k++)
        for (size_t i = 0; i < p->m; i++)
            if (out->first[i] == x->at[k] && is_target(p, i))
                out->votes[x->at[k]] = true;
}

static void count_judging(const es_decision_problem *p, es_decision *out) {
    for (uint32_t kind = 0; kind < out->kinds; kind++) {
        bool votes = false;
        for (size_t i = 0; i < p->m; i++)
            votes = votes || (out->votes[i] && out->kind[i] == kind);
        out->judging += votes;
    }
}

/* Copies, and kinds of those that are none. */
static es_status find_kinds(const es_decision_problem *p, const es_run *run, members *x,
                            es_decision *out, es_error *err) {
    uint32_t *kind = x->number;
    take_members(p, out, true, x);
    if (has_relations(p))
        es_kinship_copies(x->is, x->n, x->number);
    for (size_t k = 0; has_relations(p) && k < x->n; k++)
        out->first[x->at[k]] = x->at[x->number[k]];
    for (size_t i = 0; i < p->m; i++)
        if (out->first[i] != i) /* left out below */
            out->standing[i] = ES_STANDING_UNKNOWN;
    take_members(p, out, true, x);
    out->voters = x->n;
    find_votes(p, x, out);
    for (size_t k = 0; k < x->n; k++)
        x->together[k] = p->series ? p->series[x->at[k]] : (uint32_t)k;
    es_status st = ES_OK;
    if (!p->lower_is_better)
        st = es_kinship_kinds(x->is, x->n, p->series ? x->together : NULL, run, kind, &out->kinds,
                              err);
    for (size_t k = 0; st == ES_OK && out->kinds > 0 && k < x->n; k++)
        out->kind[x->at[k]] = kind[k];
    count_judging(p, out);
    for (size_t i = 0; i < p->m; i++)
        if (out->first[i] != i) {
            out->standing[i] = ES_STANDING_RANKED;
            out->kind[i] = out->kind[out->first[i]];
        }
    return st;
}

/* ---- By the lead ---- */

/* Are values of rows known? Of one without them nothing is said of the rows of any. */
static bool count_bare(const es_decision_problem *p, const members *x, es_decision *out) {
    for (size_t a = 0; a < x->n; a++)
        for (size_t b = 0; b < x->n; b++) {
            size_t cell = x->at[a] * p->m + x->at[b];
            if (a == b || !isfinite(p->is[cell]))
                continue;
            out->voting++;
            out->bare += !p->pmi || !p->pmi[cell];
        }
    bool whole = out->voting > 0 && out->bare == 0;
    out->bare = out->bare == out->voting ? 0 : out->bare;
    return whole && p->n_eval > 1;
}

/* The members as a problem of leads. */
typedef struct leading {
    es_lead_problem p;
    es_row_blocks blocks;
    float **pmi;   // (n, n)
    uint32_t *own; // (3, n) kind, family, first
    bool *votes;   // (n)
} leading;

static void leading_free(leading *l) {
    es_row_blocks_deinit(&l->blocks);
    es_free(l->pmi);
    es_free(l->own);
    es_free(l->votes);
}

/* With few judging kinds every reference embedder is needed, one vote each. */
static bool many_kinds(const es_decision *x) {
    return x->judging >= ES_LEAD_KINDS;
}

static es_status leading_new(const es_decision_problem *p, const members *x, const es_decision *out,
                             bool rows, leading *l, es_error *err) {
    size_t n = x->n;
    l->own = es_alloc(n + 1, 3 * sizeof *l->own);
    l->votes = es_alloc(n + 1, sizeof *l->votes);
    l->pmi = es_alloc(n + 1, (n + 1) * sizeof *l->pmi);
    if (!l->own || !l->votes || !l->pmi)
        return es_no_memory_for(err, "the ranking of %zu embedders", p->m);
    l->p = (es_lead_problem){.m = n,
                             .is = x->is,
                             .kind = l->own,
                             .kinds = many_kinds(out) ? out->kinds : n,
                             .family = many_kinds(out) && p->family ? l->own + n : NULL,
                             .first = l->own + 2 * n,
                             .votes = l->votes,
                             .level = p->level,
                             .order_only = p->order_only || !many_kinds(out) ||
                                           (out->groups && !p->largest_alone),
                             .draws = p->draws,
                             .seed = p->seed};
    for (size_t a = 0; a < n; a++) {
        size_t first = 0;
        while (x->at[first] != out->first[x->at[a]])
            first++;
        l->own[a] = many_kinds(out) ? out->kind[x->at[a]] : (uint32_t)first;
        l->own[n + a] = p->family ? p->family[x->at[a]] : 0;
        l->own[2 * n + a] = (uint32_t)first;
        l->votes[a] = out->votes[x->at[a]];
        for (size_t b = 0; p->pmi && b < n; b++)
            l->pmi[a * n + b] = p->pmi[x->at[a] * p->m + x->at[b]];
    }
    if (!rows)
        return ES_OK;
    l->p.pmi = l->pmi;
    l->p.blocks = &l->blocks;
    return es_row_blocks_init(&l->blocks, p->n_eval, ES_LEAD_BLOCKS, p->seed, err);
}

/* Copies the pairwise leads and errors of the ranked to all embedders. */
static void take_matrices(const members *x, const es_lead *lead, es_decision *out) {
    for (size_t a = 0; a < x->n; a++)
        for (size_t b = 0; b < x->n; b++) {
            size_t from = a * x->n + b, to = x->at[a] * out->m + x->at[b];
            out->delta[to] = lead->delta[from];
            out->var_rows[to] = lead->var_rows[from];
            out->var_kinds[to] = lead->var_kinds[from];
            out->comparing[to] = lead->comparing[from];
            out->ahead[to] = lead->ahead && lead->ahead[from];
        }
}

/* Copies scores, intervals and candidates of the ranked to all embedders. */
static void take_lead(const members *x, const es_lead *lead, es_decision *out) {
    out->said = lead->best != NULL && x->n > 2;
    out->usual_kinds = lead->usual;
    out->nu = lead->nu;
    for (size_t a = 0; a < x->n; a++) {
        size_t i = x->at[a];
        out->ranking->score[i] = lead->lead[a];
        if (!out->said)
            continue;
        out->low[i] = lead->low[a];
        out->high[i] = lead->high[a];
        out->critical[i] = lead->critical[a];
        out->best[i] = lead->best[a];
        out->rank_low[i] = lead->rank_low[a];
        out->rank_high[i] = lead->rank_high[a];
    }
    take_matrices(x, lead, out);
}

/* key (m): scores of the ranked, else NaN. Copies take no place: theirs is by the others. */
static es_status rank_places(const es_decision *x, const double *key, bool lower_is_better,
                             uint32_t *place, es_error *err) {
    double *of_first = es_alloc(x->m + 1, sizeof *of_first);
    if (!of_first)
        return es_no_memory_for(err, "%zu embedders", x->m);
    for (size_t i = 0; i < x->m; i++)
        of_first[i] = x->first[i] == i ? key[i] : (double)NAN;
    es_status st = es_rank_competition(of_first, x->m, lower_is_better, place, err);
    for (size_t i = 0; st == ES_OK && i < x->m; i++) {
        if (x->first[i] == i || isnan(key[i]))
            continue;
        place[i] = 1;
        for (size_t k = 0; k < x->m; k++)
            place[i] +=
                k != x->first[i] && (lower_is_better ? of_first[k] < key[i] : of_first[k] > key[i]);
    }
    es_free(of_first);
    return st;
}

/* The same kinds judge the information matrix. */
static es_status rank_information(const es_decision_problem *p, const es_run *run, members *x,
                                  leading *l, es_decision *out, es_error *err) {
    es_lead *lead = NULL;
    if (!p->information)
        return ES_OK;
    take_members(p, out, true, x);
    l->p.blocks = NULL;
    l->p.order_only = true;
    es_status st = es_lead_new(&l->p, run, &lead, err);
    for (size_t a = 0; st == ES_OK && a < x->n; a++)
        out->information[x->at[a]] = lead->lead[a];
    if (st == ES_OK)
        st = rank_places(out, out->information, false, out->information_rank, err);
    es_lead_free(lead);
    return st;
}

/* Rows out of step, of ranked embedders whose values of rows are known. */
static es_status find_steps(const es_decision_problem *p, const members *x, const leading *l,
                            es_decision *out, es_error *err) {
    bool *use = es_alloc(x->n + 1, sizeof *use);
    if (!use)
        return es_no_memory(err);
    memset(use, true, x->n);
    const es_steps_problem problem = {
        .is = x->is, .pmi = l->pmi, .m = x->n, .rows = p->n_eval, .use = use};
    es_status st = ES_OK;
    if (l->p.blocks && !p->order_only)
        st = es_steps_find(&problem, &out->steps, &out->n_steps, err);
    for (size_t k = 0; k < out->n_steps; k++)
        out->steps[k].embedder = x->at[out->steps[k].embedder];
    es_free(use);
    return st;
}

/* Two embedders are not ranked, nor are those of a pool in which no pair is related. */
static es_status judge_leads(const es_decision_problem *p, const es_run *run, members *x,
                             es_decision *out, es_error *err) {
    leading l = {0};
    es_lead *lead = NULL;
    es_status st = ES_OK;
    take_members(p, out, false, x);
    bool rows = count_bare(p, x, out);
    if (x->n < 3)
        return ES_OK;
    ES_TRY(leading_new(p, x, out, rows, &l, err));
    out->blocks = l.p.blocks ? l.blocks.count : 0;
    ES_TRY(es_lead_new(&l.p, run, &lead, err));
    take_lead(x, lead, out);
    ES_TRY(find_steps(p, x, &l, out, err));
    ES_TRY(rank_information(p, run, x, &l, out, err));
done:
    es_lead_free(lead);
    leading_free(&l);
    return st;
}

/* ---- By other scores ---- */

/* Embedders that are not ranked stay targets, and have no score that others could be behind. */
static void mask_unranked(const es_decision_problem *p, const es_decision *x, double *is) {
    memcpy(is, p->is, p->m * p->m * sizeof *is);
    for (size_t i = 0; i < p->m; i++)
        for (size_t t = 0; x->standing[i] != ES_STANDING_RANKED && t < p->m; t++)
            is[i * p->m + t] = (double)NAN;
}

/* Decides by a published score: bootstrap intervals and pairs that differ. */
static es_status judge_scores(const es_decision_problem *p, const es_run *run, es_decision *x,
                              es_error *err) {
    double *is = es_alloc(p->m + 1, (p->m + 1) * sizeof *is);
    if (!is)
        return es_no_memory_for(err, "the ranking of %zu embedders", p->m);
    mask_unranked(p, x, is);
    const es_bootstrap problem = {.is = is,
                                  .pmi = p->pmi,
                                  .unit = p->unit,
                                  .m = p->m,
                                  .n_eval = p->n_eval,
                                  .order = p->order,
                                  .rule = p->rule,
                                  .lower_is_better = p->lower_is_better,
                                  .draws = p->draws,
                                  .level = p->level,
                                  .seed = p->seed};
    es_intervals *of = NULL;
    es_status st = ES_OK;
    if (!p->order_only && p->rule.aggregate != ES_AGGREGATE_FAMILIES)
        st = es_intervals_new(&problem, run, &of, err);
    for (size_t i = 0; of && i < p->m; i++)
        if (x->standing[i] == ES_STANDING_RANKED && isfinite(of->low[i])) {
            x->low[i] = of->low[i];
            x->high[i] = of->high[i];
            x->rank_low[i] = of->rank_low[i];
            x->rank_high[i] = of->rank_high[i];
        }
    if (of)
        x->blocks = of->resample == ES_RESAMPLE_BOTH;
    es_intervals_free(of);
    es_free(is);
    return st;
}

/* ---- The order ---- */

/* The lead is a mean and t is of pairs: a rank may lie outside its interval. */
static void hold_rank(es_decision *x, size_t i, uint32_t place) {
    if (x->rank_low[i] > place)
        x->rank_low[i] = place;
    if (x->rank_high[i] > 0 && x->rank_high[i] < place)
        x->rank_high[i] = place;
}

/* Scores of those that are not ranked stay, and are no ranks. Copies follow their first. */
static es_status rank(const es_decision_problem *p, es_decision *x, es_error *err) {
    double *key = es_alloc(p->m + 1, sizeof *key);
    uint32_t *scratch = es_alloc(p->m + 1, sizeof *scratch);
    es_status st = key && scratch ? ES_OK : es_no_memory_for(err, "%zu embedders", p->m);
    for (size_t i = 0; st == ES_OK && i < p->m; i++)
        key[i] = x->standing[i] == ES_STANDING_RANKED ? x->ranking->score[i] : (double)NAN;
    if (st == ES_OK)
        st = rank_places(x, key, p->lower_is_better, x->ranking->rank, err);
    for (size_t k = 0; st == ES_OK && k < p->m; k++) {
        size_t i = place_of(p, k);
        uint32_t place = x->ranking->rank[i];
        bool copy = x->first[i] != i;
        key[i] = place ? 2 * (double)place + copy : (double)INFINITY;
        x->order[k] = (uint32_t)i;
        x->known += x->standing[i] != ES_STANDING_UNKNOWN;
        x->scored += place > 0;
        x->counted += place > 0 && !copy;
        if (place > 0)
            hold_rank(x, i, place);
    }
    if (st == ES_OK)
        es_sort_index(key, x->order, scratch, p->m);
    es_free(key);
    es_free(scratch);
    return st;
}

es_status es_decision_new(const es_decision_problem *p, const es_run *run, es_decision **out,
                          es_error *err) {
    es_decision *x = NULL;
    members of = {0};
    es_score_rule rule = p->rule;
    es_status st = es_order_check(p->order, p->m, err);
    if (st != ES_OK)
        return st;
    x = decision_alloc(p);
    if (!x)
        return es_no_memory_for(err, "the ranking of %zu embedders", p->m);
    if (p->by_lead)
        rule = (es_score_rule){.aggregate = ES_AGGREGATE_MEAN, .voting = p->rule.voting};
    ES_TRY(members_new(p, &of, err));
    ES_TRY(es_ranking_new(p->is, p->m, &rule, &x->ranking, err));
    for (size_t i = 0; p->by_lead && i < p->m; i++)
        x->ranking->score[i] = (double)NAN;
    find_standings(p, &of, x);
    ES_TRY(find_kinds(p, run, &of, x, err));
    ES_TRY(p->by_lead ? judge_leads(p, run, &of, x, err) : judge_scores(p, run, x, err));
    ES_TRY(rank(p, x, err));
    *out = x;
    x = NULL;
done:
    members_free(&of);
    es_decision_free(x);
    return st;
}

/* ---- What follows ---- */

const char *es_decision_sample(const es_decision *x) {
    if (x->by_lead)
        return x->blocks > 0 ? "kinds and rows" : "kinds";
    return x->blocks > 0 ? "rows and targets" : "targets";
}

bool es_decision_bounded(const es_decision *x) {
    size_t i = 0;
    while (i < x->m && !isfinite(x->low[i]))
        i++;
    return i < x->m;
}

bool es_decision_compares(const es_decision *x, size_t a, size_t b, size_t t) {
    bool family = x->family[t] == x->family[a] || x->family[t] == x->family[b];
    bool kind = x->kind[t] == x->kind[a] || x->kind[t] == x->kind[b];
    return x->votes[t] && t != x->first[a] && t != x->first[b] &&
           !(many_kinds(x) && (kind || family));
}

double es_decision_error(const es_decision *x, size_t a, size_t b) {
    size_t cell = a * x->m + b;
    if (!x->delta || a == b)
        return (double)NAN;
    return sqrt(x->var_kinds[cell] + (x->blocks > 0 ? x->var_rows[cell] : 0));
}

double es_decision_margin(const es_decision *x, size_t a, size_t b) {
    double error = es_decision_error(x, a, b);
    bool turned = x->delta && x->delta[a * x->m + b] < 0;
    return x->said ? x->critical[turned ? a : b] * error : (double)NAN;
}

bool es_decision_apart_by_rows(const es_decision *x, size_t a, size_t b) {
    size_t cell = a * x->m + b;
    if (!x->delta || x->blocks < 2 || !isfinite(x->var_rows[cell]))
        return false;
    double cut = es_student_quantile((1 + x->level) / 2, x->blocks - 1);
    return fabs(x->delta[cell]) > cut * fmax(sqrt(x->var_rows[cell]), ES_LEAD_ROUNDING);
}

bool es_decision_by_rows(const es_decision *x) {
    double rows = 0, kinds = 0;
    if (!x->said || x->scored == 0)
        return false;
    for (size_t k = 1; k < x->scored; k++) {
        size_t cell = x->order[0] * x->m + x->order[k];
        if (!x->best[x->order[k]])
            continue;
        rows += isfinite(x->var_rows[cell]) ? x->var_rows[cell] : 0;
        kinds += isfinite(x->var_kinds[cell]) ? x->var_kinds[cell] : 0;
    }
    return rows > kinds;
}
