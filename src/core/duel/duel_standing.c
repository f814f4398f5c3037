/* What answers say of the embedders: confidence sequences, and evidence against each. */
#include "core_duel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NODES = 128, HALVINGS = 30 };

void es_duel_tally_add(es_duel_tally *tally, double share) {
    double above = 2 * share - 1;
    tally->won += above > 0 ? above : 0;
    tally->lost += above < 0 ? -above : 0;
    tally->even += 1 - fabs(above);
}

static double duel_tally_count(const es_duel_tally *tally) {
    return tally->won + tally->lost + tally->even;
}

double es_duel_tally_share(const es_duel_tally *tally) {
    return (tally->won + tally->even / 2) / duel_tally_count(tally);
}

/* Of NODES equal parts of 0..1. */
static double node(int i) {
    return (i + 0.5) / NODES;
}

/* log of the mixture at m; infinite where m cannot be the mean. */
static double log_mixture(const es_duel_tally *t, double m) {
    double log_of[NODES], most = -(double)INFINITY, sum = 0;
    for (int i = 0; i < NODES; i++) {
        double up = node(i) / m, down = (1 - node(i)) / (1 - m);
        log_of[i] = (t->won > 0 ? t->won * log(up) : 0) + (t->lost > 0 ? t->lost * log(down) : 0) +
                    (t->even > 0 ? t->even * log((up + down) / 2) : 0);
        most = fmax(most, log_of[i]);
    }
    for (int i = 0; i < NODES && isfinite(most); i++)
        sum += exp(log_of[i] - most) / NODES;
    return isfinite(most) ? most + log(sum) : most;
}

/* The end of the interval between the share and `end`, beyond which the mixture is above `limit`.
 */
static double find_end(const es_duel_tally *t, double end, double limit) {
    double in = es_duel_tally_share(t), out = end;
    if (log_mixture(t, end) < limit)
        return end;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (in + out) / 2;
        *(log_mixture(t, middle) < limit ? &in : &out) = middle;
    }
    return out;
}

void es_duel_interval(const es_duel_tally *tally, double level, double *low, double *high) {
    double limit = -log1p(-level), right = 1 - 2 * ES_DUEL_WRONG;
    *low = 0;
    *high = 1;
    if (!(duel_tally_count(tally) > 0))
        return;
    *low = find_end(tally, 0, limit);
    *high = find_end(tally, 1, limit);
    *low = fmax(0, fmin(*low, (*low - ES_DUEL_WRONG) / right));
    *high = fmin(1, fmax(*high, (*high - ES_DUEL_WRONG) / right));
}

double es_duel_evidence(double won, double lost) {
    double sum = 0;
    for (int i = 0; i < NODES; i++)
        sum += exp(won * log1p(node(i)) + lost * log1p(-node(i)));
    return sum / NODES;
}

/* ---- standing ---- */

typedef struct duels {
    size_t k;
    es_duel_tally *own; /* (k) */
    double *won;        /* (k, k) of a, against b, even ones left out */
} duels;

static size_t count_side(const es_duel_answer *a, size_t k, int side) {
    size_t n = 0;
    for (size_t i = 0; i < k; i++)
        n += a->side[i] == side;
    return n;
}

/* Counts an answer for and against the embedders that proposed its two rows. */
static void add_answer(duels *d, es_duel_standing *s, const es_duel_answer *a) {
    if (count_side(a, d->k, 1) == 0 || count_side(a, d->k, -1) == 0)
        return;
    s->counted++;
    for (size_t i = 0; i < d->k; i++) {
        double share = a->side[i] > 0 ? a->left : 1 - a->left;
        if (a->side[i] == 0)
            continue;
        s->answers[i]++;
        es_duel_tally_add(&d->own[i], share);
        for (size_t j = 0; j < d->k && share > 0.5; j++)
            if (a->side[j] == -a->side[i])
                d->won[i * d->k + j] += 2 * share - 1;
    }
}

/* Opponents that have lost more duels than they won are left out of the mean, which only makes it
 * smaller. */
static double evidence_against(const duels *d, size_t j) {
    double each = 0;
    for (size_t i = 0; i < d->k; i++) {
        double won = d->won[i * d->k + j], lost = d->won[j * d->k + i];
        each += i != j && won > lost ? es_duel_evidence(won, lost) : 0;
    }
    return (es_duel_evidence(d->own[j].lost, d->own[j].won) + each / (double)(d->k - 1)) / 2;
}

typedef struct ranked {
    double net;
    uint32_t place, k;
    bool out;
} ranked;

static int compare_ranked(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->out != b->out)
        return a->out ? 1 : -1;
    if (a->net != b->net)
        return a->net > b->net ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* First who has won the most, then, without that one, who is out. */
static es_status put_in_order(es_duel_standing *s, const uint32_t *place, double limit,
                              es_error *err) {
    ranked *list = es_alloc(s->k, sizeof *list);
    if (!list)
        return es_no_memory(err);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < s->k; i++)
            list[i] = (ranked){.net = s->net[i],
                               .place = place ? place[i] : (uint32_t)i,
                               .k = (uint32_t)i,
                               .out = round > 0 && s->out[i]};
        qsort(list, s->k, sizeof *list, compare_ranked);
        for (size_t i = 0; i < s->k && round == 0; i++)
            s->out[i] = i != list[0].k && s->against[i] >= limit;
    }
    for (size_t i = 0; i < s->k; i++) {
        s->order[i] = list[i].k;
        s->left += !list[i].out;
    }
    es_free(list);
    return ES_OK;
}

static es_status standing_alloc(size_t k, es_duel_standing *s, es_error *err) {
    *s = (es_duel_standing){.k = k,
                            .answers = es_alloc_zero(k, sizeof *s->answers),
                            .net = es_alloc_zero(k, sizeof *s->net),
                            .share = es_alloc_zero(k, sizeof *s->share),
                            .low = es_alloc_zero(k, sizeof *s->low),
                            .high = es_alloc_zero(k, sizeof *s->high),
                            .against = es_alloc_zero(k, sizeof *s->against),
                            .out = es_alloc_zero(k, sizeof *s->out),
                            .order = es_alloc_zero(k, sizeof *s->order)};
    bool whole =
        s->answers && s->net && s->share && s->low && s->high && s->against && s->out && s->order;
    return whole ? ES_OK : es_no_memory(err);
}

es_status es_duel_standing_new(const es_duel_answer *answers, size_t count, size_t k, double level,
                               const uint32_t *place, es_duel_standing *out, es_error *err) {
    es_status st = ES_OK;
    es_duel_standing s = {0};
    duels d = {.k = k};
    d.own = es_alloc_zero(k, sizeof *d.own);
    d.won = es_alloc_zero(k * k, sizeof *d.won);
    ES_FAIL_IF(!d.own || !d.won, es_no_memory(err));
    ES_TRY(standing_alloc(k, &s, err));
    for (size_t t = 0; t < count; t++)
        add_answer(&d, &s, &answers[t]);
    for (size_t i = 0; i < k; i++) {
        s.net[i] = d.own[i].won - d.own[i].lost;
        s.share[i] = s.answers[i] > 0 ? es_duel_tally_share(&d.own[i]) : (double)NAN;
        es_duel_interval(&d.own[i], level, &s.low[i], &s.high[i]);
        s.against[i] = evidence_against(&d, i);
    }
    ES_TRY(put_in_order(&s, place, 1 / (1 - level), err));
    *out = s;
    s = (es_duel_standing){0};
done:
    es_duel_standing_deinit(&s);
    es_free(d.own);
    es_free(d.won);
    return st;
}

void es_duel_standing_deinit(es_duel_standing *s) {
    void *const blocks[] = {s->answers, s->net,     s->share, s->low,
                            s->high,    s->against, s->out,   s->order};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        es_free(blocks[i]);
    *s = (es_duel_standing){0};
}

/* Answers as words, and how far two people agree. */

const char *es_duel_choice_name(es_duel_choice choice) {
    static const char *const names[] = {"", "left", "right", "="};
    return names[choice];
}

bool es_duel_choice_parse(const char *text, es_duel_choice *out) {
    static const struct {
        const char *word;
        es_duel_choice choice;
    } words[] = {{"", ES_DUEL_OPEN},        {"left", ES_DUEL_LEFT},   {"h", ES_DUEL_LEFT},
                 {"1", ES_DUEL_LEFT},       {"right", ES_DUEL_RIGHT}, {"l", ES_DUEL_RIGHT},
                 {"2", ES_DUEL_RIGHT},      {"=", ES_DUEL_EQUAL},     {"both", ES_DUEL_EQUAL},
                 {"neither", ES_DUEL_EQUAL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i].word) == 0) {
            *out = words[i].choice;
            return true;
        }
    return false;
}

double es_duel_choice_left(es_duel_choice choice) {
    static const double left[] = {(double)NAN, 1, 0, 0.5};
    return left[choice];
}

es_duel_agreement es_duel_agree(const es_duel_choice *a, const es_duel_choice *b, size_t count) {
    double of_a[4] = {0}, of_b[4] = {0}, same = 0, n = 0, chance = 0;
    for (size_t i = 0; i < count; i++)
        if (a[i] != ES_DUEL_OPEN && b[i] != ES_DUEL_OPEN) {
            of_a[a[i]]++;
            of_b[b[i]]++;
            same += a[i] == b[i];
            n++;
        }
    for (int c = 0; c < 4; c++)
        chance += n > 0 ? of_a[c] / n * (of_b[c] / n) : 0;
    return (es_duel_agreement){.count = (size_t)n,
                               .equal = n > 0 ? same / n : (double)NAN,
                               .kappa = n > 0 && chance < 1 ? (same / n - chance) / (1 - chance)
                                                            : (double)NAN};
}

/* Which question comes next. */

es_status es_duel_order_new(uint64_t seed, size_t rows, size_t embedders, es_duel_order *out,
                            es_error *err) {
    es_rng rng;
    if (rows < 3 || embedders < 2)
        return es_fail(err, ES_EINVAL,
                       "a question needs three rows and two embedders; there are %zu and %zu", rows,
                       embedders);
    uint32_t *row = es_alloc(rows, sizeof *row);
    if (!row)
        return es_no_memory_for(err, "%zu rows", rows);
    for (size_t i = 0; i < rows; i++)
        row[i] = (uint32_t)i;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_DUEL, 0));
    es_rng_shuffle(&rng, row, rows);
    *out = (es_duel_order){.seed = seed, .rows = rows, .embedders = embedders, .row = row};
    return ES_OK;
}

void es_duel_order_deinit(es_duel_order *order) {
    es_free(order->row);
    *order = (es_duel_order){0};
}

es_duel_draw es_duel_order_at(const es_duel_order *order, uint64_t at) {
    es_rng rng;
    es_rng_init(&rng, order->seed, es_rng_stream(ES_STREAM_DUEL, 1 + at));
    uint32_t left = (uint32_t)es_rng_below(&rng, order->embedders);
    uint32_t right = (uint32_t)es_rng_below(&rng, order->embedders - 1);
    return (es_duel_draw){
        .row = order->row[at % order->rows], .left = left, .right = right + (right >= left)};
}
